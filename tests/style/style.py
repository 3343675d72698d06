#!/usr/bin/env python3
"""The habits of this code base that no other tool checks: style.py ROOT

File sizes, words that do not belong in finished work, white space, one README in each top-level directory, include
guards. Prints one line a breach; exits 1 if there is any.
"""

import re
import statistics
import sys
from pathlib import Path

SKIPPED_FOLDERS = {".git", "build", "node_modules", "__pycache__"}
TEXT_SUFFIXES = {".h", ".cpp", ".py", ".md", ".txt", ".cmake", ".in", ".json", ".jsonl", ".csv", ""}
MEDIAN_LINES = 150
NINETY_PERCENT_LINES = 400
MOST_LINES = 600
WORDS = [
    # Written in pieces so that this file does not find itself.
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b"), "unfinished work"),
    (re.compile(r"(?<![\w.])/(wo" r"rk|ho" r"me|ro" r"ot)/"), "a path of one machine"),
    (re.compile(r"^(<<<<<<<|>>>>>>>) "), "a merge conflict"),
]


def check_lines(name, text):
    if not text:
        return
    if not text.endswith("\n"):
        yield f"{name}: no newline at the end"
    if "\r" in text:
        yield f"{name}: carriage returns"
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, what in WORDS:
            if pattern.search(line):
                yield f"{name}:{number}: {what}"
        if line != line.rstrip() and not name.endswith(".md"):
            yield f"{name}:{number}: white space at the end of the line"
        if "\t" in line and name.endswith((".h", ".cpp", ".py")):
            yield f"{name}:{number}: tab"


def check_sizes(sizes):
    """`sizes`: name -> lines of each C++ file."""
    if not sizes:
        yield "no C++ files"
        return
    counts = sorted(sizes.values())
    median = statistics.median(counts)
    if median > MEDIAN_LINES:
        yield f"the median C++ file has {median:.0f} lines, more than {MEDIAN_LINES}"
    long = sorted(name for name, lines in sizes.items() if lines > NINETY_PERCENT_LINES)
    if len(long) > len(counts) / 10:
        yield f"more than a tenth of the C++ files have over {NINETY_PERCENT_LINES} lines: {', '.join(long)}"
    for name, lines in sorted(sizes.items()):
        if lines > MOST_LINES:
            yield f"{name}: {lines} lines, more than {MOST_LINES}"


def check(root):
    faults, sizes = [], {}
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if SKIPPED_FOLDERS & set(relative.parts) or path.suffix not in TEXT_SUFFIXES or not path.is_file():
            continue
        name = relative.as_posix()
        text = path.read_bytes().decode("utf-8", "replace")
        faults += check_lines(name, text)
        if path.suffix in (".h", ".cpp"):
            sizes[name] = text.count("\n")
        if path.suffix == ".h" and not text.startswith("#pragma once\n"):
            faults.append(f"{name}: does not start with #pragma once")
    faults += check_sizes(sizes)
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and not folder.name.startswith(".") and folder.name not in SKIPPED_FOLDERS:
            if not (folder / "README.md").is_file():
                faults.append(f"{folder.name}: no README.md")
    return faults


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) if found else "every file keeps the habits")
    sys.exit(1 if found else 0)
