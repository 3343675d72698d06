#!/usr/bin/env python3
"""Forecast beside measurement for rows.jsonl: prints the table, fails when the median error is over the budget.

usage: validate.py PROGRAM ROWS.jsonl [--budget 0.20] [--profile FILE] [--quiet] [--table]

A row holds a scenario in rigcast's own format, the metric and the measured value. Error = |forecast / measured - 1|.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor


def forecast(program, row, profile):
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(row["scenario"], file)
    command = [program, "forecast", file.name, "--format", "json", "-q"]
    if profile:
        command += ["--profile", profile]
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    os.unlink(file.name)
    if run.returncode != 0:
        return {"id": row["id"], "reason": run.stderr.strip() or f"exit code {run.returncode}"}
    answer = json.loads(run.stdout)
    value = answer[row["metric"]]
    return {"id": row["id"], "forecast": value, "ratio": value / row["measured"],
            "bottleneck": answer["bottlenecks"][0]["kind"], "fits": answer["memory"]["fits"]}


def table(rows, results):
    groups = {}
    for row, result in zip(rows, results):
        if "ratio" in result:
            groups.setdefault(row["scenario"]["workload"], []).append(result["ratio"])
    print("| network | rows | median error | within 20 % | forecast / measured, median |")
    print("|---|---|---|---|---|")
    for name in sorted(groups):
        ratios = groups[name]
        errors = [abs(ratio - 1) for ratio in ratios]
        print(f"| {name} | {len(ratios)} | {statistics.median(errors):.0%} | {sum(e <= 0.2 for e in errors)} | {statistics.median(ratios):.2f} |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("rows")
    arguments.add_argument("--budget", type=float, default=0.20)
    arguments.add_argument("--profile")
    arguments.add_argument("--quiet", action="store_true", help="only the summary")
    arguments.add_argument("--table", action="store_true", help="the errors by network, as Markdown")
    options = arguments.parse_args()

    rows = [json.loads(line) for line in open(options.rows)]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda row: forecast(options.program, row, options.profile), rows))

    errors = []
    for row, result in zip(rows, results):
        if "reason" in result:
            print(f"{row['id'][:72]:72} not resolved: {result['reason']}")
            continue
        errors.append(abs(result["ratio"] - 1))
        if not options.quiet and not options.table:
            print(f"{row['id'][:72]:72} {row['measured']:>10.4g} {result['forecast']:>10.4g}  x{result['ratio']:.2f}"
                  f"  {result['bottleneck']}{'' if result['fits'] else '  (does not fit)'}")
    if options.table:
        table(rows, results)
    if not errors:
        sys.exit("no row was resolved")
    errors.sort()
    median = statistics.median(errors)
    bias = statistics.median(r["ratio"] for r in results if "ratio" in r) - 1
    print(f"{len(rows)} rows, {len(errors)} resolved: median error {median:.1%}, mean {statistics.mean(errors):.1%}, "
          f"90 % within {errors[int(0.9 * (len(errors) - 1))]:.1%}, bias {bias:+.1%}")
    if len(errors) < len(rows) or median > options.budget:
        sys.exit(f"failed: every row must resolve and the median stay within {options.budget:.0%}")


if __name__ == "__main__":
    main()
