#!/usr/bin/env python3
"""Proves what readme_commands.py finds in a README, and that a command that fails is noticed."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from readme_commands import commands_of, main

# Stands for the program: writes its arguments to a log beside itself, fails when told to.
PROGRAM = '#!/bin/sh\necho "$@" >> "$(dirname "$(readlink -f "$0")")/log"\n[ "$1" != fail ]\n'


class ReadmeCommandsTest(unittest.TestCase):
    def run_readme(self, text):
        """Exit code and the arguments of each call."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            program = Path(folder) / "program" / "rigcast"
            root = Path(folder) / "root"
            program.parent.mkdir()
            root.mkdir()
            program.write_text(PROGRAM)
            program.chmod(0o755)
            (root / "README.md").write_text(text)
            code = main(root, program)
            log = program.parent / "log"
            return code, log.read_text().splitlines() if log.exists() else []

    def test_only_rigcast_lines_of_sh_blocks_are_commands(self):
        text = ("rigcast outside\n```sh\ntools/setup\n$ rigcast one\nbuild/release/rigcast two \\\n  --flag\n```\n"
                "```json\nrigcast json\n```\n```sh\nrigcast three  # comment\n```\n")
        self.assertEqual([(command.line, command.text) for command in commands_of(text)],
                         [(4, "rigcast one"), (5, "build/release/rigcast two --flag"),
                          (12, "rigcast three  # comment")])

    def test_commands_run_in_order_and_see_files_the_readme_wrote(self):
        text = ("```sh\ncat > a.json <<'END'\n{}\nEND\nrigcast check \"$(cat a.json)\"\nbuild/release/rigcast list\n"
                "```\n")
        self.assertEqual(self.run_readme(text), (0, ["check {}", "list"]))

    def test_a_failing_command_fails_the_test_and_the_rest_still_runs(self):
        self.assertEqual(self.run_readme("```sh\nrigcast fail\nrigcast list\n```\n"), (1, ["fail", "list"]))
        self.assertEqual(self.run_readme("```sh\nrigcast fail | cat\n```\n"), (1, ["fail"]))

    def test_nothing_to_run_is_a_failure(self):
        self.assertEqual(self.run_readme("no block\n"), (1, []))


if __name__ == "__main__":
    unittest.main()
