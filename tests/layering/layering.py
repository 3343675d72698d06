#!/usr/bin/env python3
"""Holds sim/ to its rooms: layering.py ROOT

The table of who may include whom is read from ROOT/sim/CMakeLists.txt (the rigcast_room lines), so that the build and
this check cannot disagree. Prints one line a breach, file and line first; exits 1 if there is any.
"""

import re
import sys
from pathlib import Path

# Third-party headers -> rooms whose sources may include them. They are slow to compile, so a header that needs one is
# for the sources of its room alone.
THIRD_PARTY = {
    "boost/": {"graph"},
    "nlohmann/": {"config", "import", "report", "study"},
    "Eigen/": {"study"},
    "CLI/": set(),
    "doctest/": set(),
    "benchmark/": set(),
}

# What a library must not do: print, stop the program, read its surroundings or the clock.
FORBIDDEN = [
    (r"\bstd::(cout|cerr|clog|cin)\b", "prints or reads the terminal"),
    (r"(?<![\w.>])(std::|fmt::)?(printf|fprintf|vprintf|puts|fputs|putchar|fputc|fwrite)\s*\(", "prints"),
    (r"\b(std|fmt)::(print|println)\s*\(", "prints"),
    (r"(?<![\w.>])(std::)?(exit|_Exit|_exit|quick_exit|abort|terminate)\s*\(", "stops the program"),
    (r"(?<![\w.>])(std::)?(getenv|secure_getenv|setenv|setlocale)\s*\(", "reads or changes the environment"),
    (r"\b(system_clock|steady_clock|high_resolution_clock)\b", "reads the clock"),
    (r"(?<![\w.>:])(std::)?(time|clock|gettimeofday|clock_gettime|localtime|gmtime)\s*\(", "reads the clock"),
    (r"\b(random_device|mt19937)\b|(?<![\w.>:])(std::)?rand\s*\(", "draws random numbers"),
    (r"(?<![\w.>])std::(exp|exp2|expm1|log|log2|log10|log1p|pow|tanh|cbrt|sin|cos|tan|erf|tgamma)[fl]?\s*\(",
     "has digits that differ between processors: use base/math.h"),
]
FORBIDDEN_HEADERS = {"iostream": "terminal", "fstream": "disk", "filesystem": "disk", "chrono": "clock",
                     "ctime": "clock", "random": "random numbers"}
# The one place that may stop the program: a bug was found.
EXEMPT = {"base/check.cpp"}


def read_table(cmake_lists):
    """Room -> rooms it may include, in the order of the file."""
    table = {}
    for line in cmake_lists.read_text().splitlines():
        match = re.match(r"\s*rigcast_room\(([\w ]+)\)", line)
        if match:
            room, *lower = match.group(1).split()
            table[room] = lower
    return table


def check_table(table):
    """Faults of the table itself: an edge upwards (so a cycle), or one that the design rules out."""
    seen = []
    for room, lower in table.items():
        for other in lower:
            if other not in seen:
                yield f"sim/CMakeLists.txt: {room} may include {other}, which is not a room listed before it"
        seen.append(room)
    for room, other in [("engine", "lower"), ("lower", "engine"), ("report", "engine"), ("report", "lower")]:
        if other in table.get(room, []):
            yield f"sim/CMakeLists.txt: {room} must never include {other}"


def without_comments_and_texts(code):
    """The same lines, with comments, string and character literals blanked."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group(0)), code, flags=re.DOTALL)


def check_include(room, kind, target, table):
    """Fault of one #include, or nothing."""
    if kind == '"':
        other = target.split("/")[0]
        if other not in table or "/" not in target:
            return f'includes "{target}", which is not "ROOM/FILE.h"'
        if other != room and other not in table[room]:
            return f"includes {target}: {room} may not include {other}"
        return None
    for prefix, rooms in THIRD_PARTY.items():
        if target.startswith(prefix):
            if room not in rooms:
                return f"includes <{target}>: {prefix}* belongs to {', '.join(sorted(rooms)) or 'tools and tests'}"
    if target in FORBIDDEN_HEADERS:
        return f"includes <{target}>: sim/ never touches the {FORBIDDEN_HEADERS[target]}"
    return None


def includes(code):
    """(line, quote, target) of each #include. From the raw lines: targets look like string literals."""
    for number, line in enumerate(code.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(1), match.group(2)


def is_heavy(code):
    return any(target.startswith(tuple(THIRD_PARTY)) and target != "nlohmann/json_fwd.hpp"
               for _, kind, target in includes(code) if kind == "<")


def check_file(name, code, heavy_headers, table):
    room = name.split("/")[0]
    for number, kind, target in includes(code):
        fault = check_include(room, kind, target, table)
        if fault:
            yield f"sim/{name}:{number}: {fault}"
        if kind == '"' and target in heavy_headers and (name.endswith(".h") or target.split("/")[0] != room):
            yield (f"sim/{name}:{number}: includes {target}, whose third-party headers are for the sources of its own "
                   "room")
    if name in EXEMPT:
        return
    for number, line in enumerate(without_comments_and_texts(code).splitlines(), 1):
        for pattern, why in FORBIDDEN:
            match = re.search(pattern, line)
            if match:
                yield f"sim/{name}:{number}: {match.group(0).strip(' (')} {why}"


def check(root):
    sim = root / "sim"
    table = read_table(sim / "CMakeLists.txt")
    if not table:
        return ["sim/CMakeLists.txt: no rigcast_room table"]
    faults = list(check_table(table))
    folders = sorted(path.name for path in sim.iterdir() if path.is_dir())
    faults += [f"sim/{folder}: not in the table of rooms" for folder in folders if folder not in table]
    files = {path.relative_to(sim).as_posix(): path.read_text()
             for path in sorted(sim.rglob("*")) if path.suffix in (".h", ".cpp")}
    heavy_headers = {name for name, code in files.items() if name.endswith(".h") and is_heavy(code)}
    for name, code in files.items():
        if name.split("/")[0] in table:
            faults += check_file(name, code, heavy_headers, table)
    return faults


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) if found else "every include follows the table of rooms")
    sys.exit(1 if found else 0)
