#!/usr/bin/env python3
"""The harness itself: it must fail where it should. The program under test is a small shell script."""

import tempfile
import unittest
from pathlib import Path

import golden

PROGRAM = """#!/bin/sh
echo '{"a": 1}'
echo "error: $1" >&2
exit 2
"""


class Harness(unittest.TestCase):
    def faults(self, case):
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "program"
            program.write_text(PROGRAM)
            program.chmod(0o755)
            path = Path(name) / "x.case"
            path.write_text("%command\nrigcast b\n" + case)
            return golden.check(str(program), path)

    def test_a_case_that_holds(self):
        self.assertEqual(self.faults('%exit\n2\n%stdout\n{"a": 1}\n\n%stderr\nerror: b\n'), [])
        self.assertEqual(self.faults('%exit\n2\n%stderr-contains\nb\n%stderr-matches\n^error: .$\n'
                                     '%properties\ndoc["a"] == 1\n'), [])

    def test_each_kind_of_failure_is_found(self):
        for case in ["", "%exit\n3", "%exit\n2\n%stdout\n{}", "%exit\n2\n%stderr\n", "%exit\n2\n%stderr-contains\nc",
                     "%exit\n2\n%stdout-matches\n^a", '%exit\n2\n%properties\ndoc["a"] == 2',
                     '%exit\n2\n%properties\ndoc["b"]', '%exit\n2\n%properties\nread("none")']:
            self.assertEqual(len(self.faults(case)), 1, case)

    def test_a_misspelt_section_is_no_silent_success(self):
        with self.assertRaises(ValueError):
            self.faults("%sdtout\n")


if __name__ == "__main__":
    unittest.main()
