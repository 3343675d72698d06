#!/usr/bin/env python3
"""Runs every rigcast command shown in a README: readme_commands.py ROOT PROGRAM

A command is a line of a ```sh block that starts with `rigcast ` or `build/release/rigcast `; a trailing backslash joins
it with the next. Files that a README writes with `cat > FILE <<'END'` are written too. Each README has its own empty
folder, with the repository's folders linked into it, so that its commands run in order and see each other's files.
A command passes when it exits with 0.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SKIPPED_FOLDERS = {".git", "build", "node_modules"}
COMMAND = re.compile(r"\s*(?:\$ )?((?:build/release/)?rigcast\s.*|cat\s*>.*<<.*)")
TIMEOUT_SECONDS = 300


@dataclass
class Command:
    line: int  # in the README, from 1
    text: str


def commands_of(text):
    """Commands of all ```sh blocks of a README, in order."""
    commands = []
    lines = enumerate(text.splitlines(), 1)
    inside = False
    for number, line in lines:
        if line.lstrip().startswith("```"):
            inside = not inside and line.strip() == "```sh"
            continue
        match = COMMAND.fullmatch(line) if inside else None
        if not match:
            continue
        command = match.group(1)
        while command.endswith("\\"):
            command = command[:-1] + next(lines)[1].strip()
        here = re.search(r"<<\s*'?(\w+)'?", command)
        if here:
            for _, body in lines:
                command += "\n" + body
                if body.strip() == here.group(1):
                    break
        commands.append(Command(number, command))
    return commands


def run(command, folder, environment):
    """Complaint about one command, or nothing."""
    try:
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command.text], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"took more than {TIMEOUT_SECONDS} s"
    # 141: a pipe's reader (head) had enough.
    return None if done.returncode in (0, 141) else f"exit code {done.returncode}\n{done.stdout[-2000:]}"


def run_readme(root, readme, program):
    """Runs a README's commands; returns how many there were and what went wrong."""
    complaints = []
    commands = commands_of(readme.read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for entry in root.iterdir():
            if entry.is_dir() and entry.name not in SKIPPED_FOLDERS:
                (folder / entry.name).symlink_to(entry.resolve())
        release = folder / "build/release"
        release.mkdir(parents=True)
        (release / "rigcast").symlink_to(program)
        environment = {**os.environ, "PATH": f"{release}:{os.environ['PATH']}", "NO_COLOR": "1"}
        for command in commands:
            complaint = run(command, folder, environment)
            place = f"{readme.relative_to(root)}:{command.line}: {command.text.splitlines()[0]}"
            print("ok  " if complaint is None else "FAIL", place, flush=True)
            if complaint:
                complaints.append(f"{place}: {complaint}")
    return len(commands), complaints


def main(root, program):
    readmes = sorted(path for path in root.rglob("README.md")
                     if not SKIPPED_FOLDERS & set(path.relative_to(root).parts))
    count, complaints = 0, []
    for readme in readmes:
        found, failed = run_readme(root, readme, program)
        count += found
        complaints += failed
    if count == 0:
        complaints.append("no README shows a rigcast command")
    print("\n".join(complaints) or f"{count} commands of {len(readmes)} READMEs work")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
