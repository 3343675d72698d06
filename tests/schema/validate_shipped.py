#!/usr/bin/env python3
"""Holds every shipped machine, workload and measurement against the schema that the program publishes.

usage: validate_shipped.py RIGCAST ROOT

Files that are right must pass, and files with a mistake must not: a schema that accepts anything would prove nothing.
"""

import json
import pathlib
import subprocess
import sys

import jsonschema

# The tests for the schema itself: (kind, document, whether it is right).
SAMPLES = [
    ("topology", {"nodes": [{"id": "cpu0", "type": "cpu", "part": "x"}], "links": []}, True),
    ("topology", {"nodes": [{"id": "cpu0", "type": "toaster"}], "links": []}, False),
    ("topology", {"nodes": [{"id": "ram0", "type": "ram", "memory": "1 GiB"}], "links": []}, False),
    ("topology", {"nodes": [], "links": [{"from": "a", "to": "b"}]}, False),
    ("topology", {"base": "dgx2", "gpu": "h100", "interconnect": "pcie5"}, True),
    ("topology", {"base": "dgx2", "interconnect": "string"}, False),
    ("workload", {"family": "resnet", "dimensions": {"layers": 50}}, True),
    ("workload", {"family": "resnett"}, False),
    ("workload", {"input": [3, 8, 8], "layers": [{"type": "relu"}, {"repeat": 2, "layers": [{"type": "relu"}]}]}, True),
    ("workload", {"input": [3, 8, 8], "layers": [{"type": "rellu"}]}, False),
    ("scenario", {"machine": "dgx2", "workload": {"base": "gpt", "hidden": 1024}, "plan": {"gpus": 4}}, True),
    ("scenario", {"machine": {"gpu": "h100", "count": 2}, "workload": "gpt"}, True),
    ("scenario", {"machine": "dgx2", "workload": "gpt", "plan": {"gpu": 4}}, False),
    ("scenario", {"machine": "dgx2", "workload": "gpt", "plan": {"batch_per_gpu": 0}}, False),
    ("rows", {"id": "a", "kind": "training", "metric": "iteration_s", "value": 0.1}, True),
    ("rows", {"id": "a", "kind": "training", "metric": "iteration_s", "value": 0}, False),
    ("rows", {"id": "a", "kind": "training", "value": 0.1}, False),
]


def main() -> int:
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    validators = {}
    for kind in ("scenario", "topology", "workload", "rows"):
        text = subprocess.run([program, "schema", kind], check=True, capture_output=True, text=True).stdout
        schema = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[kind] = jsonschema.Draft202012Validator(schema)

    failures = 0
    files = [("topology", path) for folder in ("servers", "teaching") for path in sorted((root / "topologies" / folder).rglob("*.json"))]
    files += [("workload", path) for path in sorted((root / "workloads").rglob("*.json"))]
    if len(files) < 100:
        print(f"only {len(files)} files found below {root}")
        failures += 1
    for kind, path in files:
        error = jsonschema.exceptions.best_match(validators[kind].iter_errors(json.loads(path.read_text())))
        if error:
            failures += 1
            print(f"{path.relative_to(root)}: {error.json_path}: {error.message[:200]}")
    rows = [(path, line) for path in sorted((root / "tests" / "validation").glob("*.jsonl"))
            for line in path.read_text().splitlines() if path.name != "pairs.jsonl"]
    for path, line in rows:
        if not validators["rows"].is_valid(json.loads(line)):
            failures += 1
            print(f"{path.relative_to(root)}: {line[:120]}")
    for kind, document, right in SAMPLES:
        if validators[kind].is_valid(document) != right:
            failures += 1
            print(f"{kind} {json.dumps(document)}: the schema says {'wrong' if right else 'right'}")
    print(f"{len(files)} files, {len(rows)} rows, {len(SAMPLES)} samples, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
