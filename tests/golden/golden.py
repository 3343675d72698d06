#!/usr/bin/env python3
"""Runs the program as a user does and compares what it prints: golden.py PROGRAM CASE-OR-FOLDER...

A case is a text file of sections; each starts with a line '%name [argument]':

  %file NAME        a file in the folder the case runs in
  %setup            commands that run before, one a line: `rigcast ...` (must exit 0), or
                    `extract FILE KEY NEW`: writes the value of KEY of a JSON file as a file of its own
  %command          the command under test
  %exit             its exit code (0 when left out)
  %stdout, %stderr  exactly what it prints; a `%stderr` without lines: nothing
  %stdout-contains, %stderr-contains   each line stands somewhere in it
  %stdout-matches, %stderr-matches     each line, as a regular expression, matches somewhere (^ and $ by line)
  %properties       Python expressions that hold, one a line; they see `out` and `err` (texts), `doc` (standard
                    output as JSON), `read(NAME)` and `load(NAME)` (a file the command wrote, as text or JSON)

Lines before the first section say what the case proves. Prints a line a failure; exits 1 if there is any.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SECTIONS = {"setup", "command", "exit", "stdout", "stderr", "stdout-contains", "stderr-contains", "stdout-matches",
            "stderr-matches", "properties"}


def parse(text):
    """(files, sections) of a case."""
    files, sections, current = {}, {}, None
    for line in text.splitlines():
        if line.startswith("%"):
            name, _, argument = line[1:].partition(" ")
            if name == "file":
                current = files.setdefault(argument, [])
            elif name in SECTIONS and name not in sections:
                current = sections.setdefault(name, [])
            else:
                raise ValueError(f"unknown or repeated section {line}")
        elif current is not None:
            current.append(line)
    if not sections.get("command"):
        raise ValueError("no %command")
    return files, sections


def run(program, command, folder):
    words = shlex.split(command)
    if words[0] != "rigcast":
        raise ValueError(f"not a rigcast command: {command}")
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    return subprocess.run([program, *words[1:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)


def set_up(program, line, folder):
    words = shlex.split(line)
    if words[0] == "extract":
        source, key, target = words[1:]
        (folder / target).write_text(json.dumps(json.loads((folder / source).read_text())[key]))
    else:
        result = run(program, line, folder)
        if result.returncode != 0:
            raise ValueError(f"{line}: exit {result.returncode}\n{result.stderr}")


class Output:
    """What properties may ask for; standard output is parsed when first asked."""

    def __init__(self, result, folder):
        self.result, self.folder = result, folder

    def holds(self, expression):
        names = {"out": self.result.stdout, "err": self.result.stderr,
                 "read": lambda name: (self.folder / name).read_text(),
                 "load": lambda name: json.loads((self.folder / name).read_text())}
        if re.search(r"\bdoc\b", expression):
            names["doc"] = json.loads(self.result.stdout)
        return eval(expression, names)  # the cases are part of the tests, like any other code


def faults(result, sections, folder):
    expected = int("".join(sections.get("exit", ["0"])).strip() or 0)
    if result.returncode != expected:
        yield f"exit {result.returncode}, expected {expected}; standard error: {result.stderr.strip()}"
    for stream, text in (("stdout", result.stdout), ("stderr", result.stderr)):
        exact = sections.get(stream)
        if exact is not None and text.splitlines() != strip_end(exact):
            yield f"{stream} is\n{text}expected\n" + "\n".join(exact)
        for part in filter(None, sections.get(stream + "-contains", [])):
            if part not in text:
                yield f"{stream} lacks: {part}\nit is\n{text}"
        for pattern in filter(None, sections.get(stream + "-matches", [])):
            if not re.search(pattern, text, re.MULTILINE):
                yield f"{stream} does not match: {pattern}\nit is\n{text}"
    output = Output(result, folder)
    for expression in filter(None, sections.get("properties", [])):
        try:
            if not output.holds(expression):
                yield f"does not hold: {expression}"
        except Exception as error:  # whatever a property trips over is its failure
            yield f"{expression}: {type(error).__name__}: {error}"


def strip_end(lines):
    """Without the empty lines that only keep sections apart."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def check(program, case):
    files, sections = parse(case.read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, lines in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text("\n".join(lines) + "\n")
        for line in filter(None, sections.get("setup", [])):
            set_up(program, line, folder)
        result = run(program, strip_end(sections["command"])[0], folder)
        return list(faults(result, sections, folder))


def main(program, paths):
    cases = []
    for path in map(Path, paths):
        cases += sorted(path.glob("*.case")) if path.is_dir() else [path]
    failed = 0
    for case in cases:
        try:
            found = check(program, case)
        except (ValueError, subprocess.TimeoutExpired) as error:
            found = [str(error)]
        failed += bool(found)
        for fault in found:
            print(f"{case.name}: {fault}")
    print(f"{len(cases) - failed} of {len(cases)} cases hold")
    return 0 if cases and not failed else 1


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve()), sys.argv[2:]))
