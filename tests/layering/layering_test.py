#!/usr/bin/env python3
"""Proves that layering.py can fail: each case is a small tree with one fault (or none) and what must be said of it."""

import tempfile
import unittest
from pathlib import Path

from layering import check

TABLE = """rigcast_room(base)
rigcast_room(graph base)
rigcast_room(engine base)
rigcast_room(config base)
"""


class LayeringTest(unittest.TestCase):
    def faults(self, files, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in {"sim/CMakeLists.txt": table, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return check(root)

    def test_a_tree_that_follows_the_table_has_no_faults(self):
        self.assertEqual(self.faults({
            "sim/base/text.h": "#pragma once\n#include <string>\n",
            "sim/engine/run.cpp": '#include "base/text.h"\n// std::cout << "not code"\nint exit_code(int);\n',
            "sim/graph/path.cpp": '#include <boost/graph/graph_traits.hpp>\n#include "base/text.h"\n',
            "sim/config/read.cpp": '#include <nlohmann/json.hpp>\nauto text = "printf(1)";\nint big = 1\'000\'000;\n',
        }), [])

    def test_an_edge_that_is_not_in_the_table(self):
        self.assertEqual(self.faults({"sim/engine/run.cpp": '\n#include "graph/path.h"\n'}),
                         ["sim/engine/run.cpp:2: includes graph/path.h: engine may not include graph"])

    def test_includes_that_leave_sim(self):
        self.assertEqual(self.faults({"sim/base/a.cpp": '#include "../tools/b.h"\n#include "tools/b.h"\n'}),
                         ['sim/base/a.cpp:1: includes "../tools/b.h", which is not "ROOM/FILE.h"',
                          'sim/base/a.cpp:2: includes "tools/b.h", which is not "ROOM/FILE.h"'])

    def test_third_party_headers_outside_their_rooms(self):
        faults = self.faults({"sim/base/a.cpp": "#include <boost/graph/graph_traits.hpp>\n#include <nlohmann/json.hpp>\n"
                                                "#include <Eigen/Dense>\n#include <CLI/CLI.hpp>\n"})
        self.assertEqual([fault.split(": ")[1] for fault in faults],
                         ["includes <boost/graph/graph_traits.hpp>", "includes <nlohmann/json.hpp>",
                          "includes <Eigen/Dense>", "includes <CLI/CLI.hpp>"])

    def test_a_header_with_third_party_headers_is_for_the_sources_of_its_room(self):
        header = "#pragma once\n#include <nlohmann/json.hpp>\n"
        include = '#include "config/json.h"\n'
        table = TABLE + "rigcast_room(report base config)\n"
        self.assertEqual(self.faults({"sim/config/json.h": header, "sim/config/read.cpp": include}, table), [])
        fault = "includes config/json.h, whose third-party headers are for the sources of its own room"
        self.assertEqual(self.faults({"sim/config/json.h": header, "sim/config/read.h": include}, table),
                         [f"sim/config/read.h:1: {fault}"])
        self.assertEqual(self.faults({"sim/config/json.h": header, "sim/report/write.cpp": include}, table),
                         [f"sim/report/write.cpp:1: {fault}"])
        forward = "#pragma once\n#include <nlohmann/json_fwd.hpp>\n"
        self.assertEqual(self.faults({"sim/config/json.h": forward, "sim/config/read.h": include}, table), [])

    def test_printing_stopping_environment_clock_and_inexact_functions(self):
        for code in ["std::cout << 1;", 'printf("x");', 'std::fputs("x", stderr);', 'fmt::print("x");', "exit(1);",
                     "std::abort();", 'std::getenv("HOME");', "std::chrono::steady_clock::now();", "time(nullptr);",
                     "std::pow(2, x);", "std::rand();"]:
            with self.subTest(code):
                self.assertEqual(len(self.faults({"sim/base/a.cpp": f"void f() {{ {code} }}\n"})), 1)
        self.assertEqual(len(self.faults({"sim/base/a.cpp": "#include <iostream>\n"})), 1)

    def test_names_that_only_look_forbidden(self):
        for code in ["at.time();", "start->clock();", "snprintf(b, n, f);", "exact_pow(2, x);", "plan.exit();",
                     "int runtime(int);", "page.print(1);", "void print(int);", "Time time;", "std::sqrt(x);"]:
            with self.subTest(code):
                self.assertEqual(self.faults({"sim/base/a.cpp": f"void f() {{ {code} }}\n"}), [])

    def test_faults_of_the_table(self):
        self.assertEqual(self.faults({}, "rigcast_room(base graph)\nrigcast_room(graph base)\n"),
                         ["sim/CMakeLists.txt: base may include graph, which is not a room listed before it"])
        self.assertEqual(self.faults({}, "rigcast_room(lower)\nrigcast_room(engine lower)\n"),
                         ["sim/CMakeLists.txt: engine must never include lower"])
        self.assertEqual(self.faults({}, ""), ["sim/CMakeLists.txt: no rigcast_room table"])
        self.assertEqual(self.faults({"sim/attic/a.h": ""}), ["sim/attic: not in the table of rooms"])


if __name__ == "__main__":
    unittest.main()
