#!/usr/bin/env python3
"""`costab limit` against intervals found by dense samples of an independent program (tests/reference/limits.json): none
missed, none invented. A sample of them here; tests/long/limits.py takes all, and renews some. Prints TAP."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(here / "support"))
import limits  # noqa: E402
from tap import COSTAB, finish, ok  # noqa: E402



def csv(words):
    done = subprocess.run([COSTAB, *words], capture_output=True, text=True, check=True, timeout=60)
    return [line.split(",") for line in done.stdout.splitlines()]


entries = json.loads((here / "reference/limits.json").read_text())["limits"]
with tempfile.TemporaryDirectory() as folder:
    for family in ("structure", "chain", "hydraulics", "drive"):
        said = []
        for entry in [e for e in entries if e["family"] == family][::5]:
            wrong, _ = limits.hold(COSTAB, folder, entry)
            said += [f"{family} {entry['seed']} {entry['coupling']}: {w}" for w in wrong]
        ok(not said, f"{family}: every fifth model", "\n".join(said))

    # A chain of 20 oscillators that pull at the next with g of what that pulls at them with: far from symmetric next to g = 0.
    model = os.path.join(folder, "chain.yaml")
    pathlib.Path(model).write_text(limits.long_chain(20))
    for coupling in ("jacobi", "newton"):
        rows = csv(["limit", model, "--over", "g=-3:4", "-c", coupling])
        ends = [float(x) for x in rows[1][2:4]] if len(rows) == 2 else []
        said = [csv(["map", model, "-c", coupling, "--set", f"g={g!r}"]) for e, way in zip(ends, (1, -1))
                for g in (e - 1e-6 * way, e + 1e-6 * way)]
        classes = [dict(row[1:3] for row in table)["class"] for table in said]
        ok(classes == ["SU", "SS", "SU", "SS"] and rows[1][4] == "SS", f"a long chain, {coupling}: one interval", f"{rows} {classes}")
finish()
