#!/usr/bin/env python3
"""`costab limit` against all of tests/reference/limits.json, with what it costs; ten models beyond them are sampled anew.
Prints TAP."""
import json
import pathlib
import statistics
import tempfile

import families
import limit_truth as limits
import limits_reference
from tap import COSTAB, finish, ok, seed

here = pathlib.Path(__file__).resolve().parents[1]

entries = json.loads((here / "reference/limits.json").read_text())["limits"]
first = seed(1000) % 100000 + 1000
for seed in range(first, first + 3):
    for family in families.NAMES[: 4 if seed < first + 2 else 2]:
        made = families.model(family, seed)
        entries.append(limits_reference.limit(family, seed, made, made["couplings"][0]))
with tempfile.TemporaryDirectory() as folder:
    for family in families.NAMES:
        said, spent = [], []
        for entry in [e for e in entries if e["family"] == family]:
            wrong, evaluations = limits.hold(COSTAB, folder, entry)
            spent.append(evaluations)
            said += [f"{family} {entry['seed']} {entry['coupling']}: {w}" for w in wrong]
        ok(not said, f"{family}: {len(spent)} limits", "\n".join(said))
        spent.sort()
        ok(statistics.median(spent) <= 1200 and spent[len(spent) * 9 // 10] < 2600,
           f"{family}: median {statistics.median(spent)}, 90 % {spent[len(spent) * 9 // 10]}, most {spent[-1]} evaluations")
finish()
