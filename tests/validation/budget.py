#!/usr/bin/env python3
"""Forecasts against published measurements, held against an error budget for every family.

usage: budget.py PROGRAM [SET ...] [--write] [--profile FILE]

SETS are core (everything stated), broad (defaults filled in), operations (single operations and tables of matrix
products) and pairs (two measurements that differ in one thing). budgets.json says the largest median error of each
family, and how many rows must resolve. --write sets every budget to 15 % above what is reached now.
"""
import argparse
import glob
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUDGETS = os.path.join(HERE, "budgets.json")
SETS = {
    "core": (["core.jsonl"], "family"),
    "broad": (["broad.jsonl"], "family"),
    "operations": (["micro.jsonl", "gemm/*.csv"], "kind"),
    "pairs": (["core.jsonl", "broad.jsonl"], None),
}
FEW = 8  # rows below which a family's median is left to chance


def validate(program, name, profile):
    patterns, field = SETS[name]
    files = [file for pattern in patterns for file in sorted(glob.glob(os.path.join(HERE, pattern)))]
    command = [program, "validate", *files, "--format", "json", "-q"]
    if field:
        command += ["--by", field]
    if name == "pairs":
        command += ["--pairs", os.path.join(HERE, "pairs.jsonl")]
    if profile:
        command += ["--profile", profile]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {run.returncode}\n{run.stderr}")
    return json.loads(run.stdout)


def reached(name, answer):
    """Figure -> value; smaller is better."""
    if name == "pairs":
        pairs = answer["pairs"]
        return {"median": pairs["median"], "other winner": 1 - pairs["same_winner"],
                "unresolved": 1 - pairs["n"] / pairs["total"]}
    figures = {"all": answer["median_ape"], "unresolved": len(answer["unresolved"]) / answer["rows"]}
    for families in answer["by"].values():
        for family, summary in families.items():
            if summary["rows"] >= FEW:
                figures[family] = summary["median_ape"]
    return figures


def budget_of(value):
    return math.ceil((1.15 * value + 0.002) * 1000) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("sets", nargs="*", metavar="SET", default=list(SETS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--profile")
    options = parser.parse_args()
    budgets = {}
    if os.path.exists(BUDGETS):
        with open(BUDGETS, encoding="utf-8") as file:
            budgets = json.load(file)
    worse = 0
    for name in options.sets or list(SETS):
        figures = reached(name, validate(options.program, name, options.profile))
        if options.write:
            budgets[name] = {figure: budget_of(value) for figure, value in sorted(figures.items())}
        for figure, value in figures.items():
            budget = budgets.get(name, {}).get(figure)
            over = budget is None or value > budget
            worse += over
            verdict = "no budget" if budget is None else f"budget {100 * budget:5.1f} %" + (" EXCEEDED" if over else "")
            print(f"{name:12} {figure:24} {100 * value:5.1f} %  {verdict}")
    if options.write:
        with open(BUDGETS, "w", encoding="utf-8") as file:
            json.dump(budgets, file, indent=1, sort_keys=True)
            file.write("\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
