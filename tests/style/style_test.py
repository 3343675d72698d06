#!/usr/bin/env python3
"""Proves that style.py can fail: one fault at a time and what must be said of it."""

import tempfile
import unittest
from pathlib import Path

from style import check, check_sizes


class StyleTest(unittest.TestCase):
    def faults(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for file, content in {"sim/README.md": "# sim\n", "sim/a.cpp": "int a;\n", name: text}.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_bytes(content.encode())
            return check(root)

    def test_a_clean_tree(self):
        self.assertEqual(self.faults("sim/a.h", "#pragma once\n"), [])

    def test_words_that_do_not_belong(self):
        self.assertEqual(self.faults("sim/a.cpp", "int a;\n// TO" "DO: more\n"), ["sim/a.cpp:2: unfinished work"])
        self.assertEqual(self.faults("sim/b.md", "see /wo" "rk/x\n"), ["sim/b.md:1: a path of one machine"])
        self.assertEqual(self.faults("sim/b.md", "see sim/work/x\n"), [])

    def test_white_space(self):
        self.assertEqual(self.faults("sim/a.cpp", "int a;"), ["sim/a.cpp: no newline at the end"])
        self.assertEqual(self.faults("sim/a.cpp", "int a; \n"), ["sim/a.cpp:1: white space at the end of the line"])
        self.assertEqual(self.faults("sim/a.cpp", "\tint a;\n"), ["sim/a.cpp:1: tab"])
        self.assertEqual(self.faults("sim/a.cpp", "int a;\r\n")[0], "sim/a.cpp: carriage returns")

    def test_guard_and_readme(self):
        self.assertEqual(self.faults("sim/a.h", "int a;\n"), ["sim/a.h: does not start with #pragma once"])
        self.assertEqual(self.faults("tools/a.cpp", "int a;\n"), ["tools: no README.md"])

    def test_sizes(self):
        self.assertEqual(list(check_sizes({"a": 150, "b": 100, "c": 400})), [])
        self.assertEqual(list(check_sizes({"a": 151})), ["the median C++ file has 151 lines, more than 150"])
        self.assertEqual(list(check_sizes({"a": 100, "b": 120, "c": 401})),
                         ["more than a tenth of the C++ files have over 400 lines: c"])
        many = {str(i): 100 for i in range(20)}
        self.assertEqual(list(check_sizes({**many, "z": 601})), ["z: 601 lines, more than 600"])
        self.assertEqual(list(check_sizes({})), ["no C++ files"])


if __name__ == "__main__":
    unittest.main()
