#!/usr/bin/env python3
"""Every network chart of sweeps/ over two axes, raised to 2049 x 2049 points and refined: at most 5 % of the points are
analysed, and no class differs from the full grid (TAP)."""
import os
import re
import subprocess
import sys
import tempfile

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from charts import classes_only, network_charts  # noqa: E402

COSTAB = os.environ.get("COSTAB", os.path.join(os.getcwd(), "build", "costab"))
POINTS = 2049
MOST = 0.05
count = 0
failed = False


def ok(condition, what):
    global count, failed
    count += 1
    failed |= not condition
    print("ok" if condition else "not ok", count, "-", what, flush=True)


def sweep(folder, name, text):
    """The classes, and what the program says."""
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([COSTAB, "sweep", name + ".yaml"], cwd=folder, capture_output=True, text=True, check=True)
    with h5py.File(os.path.join(folder, name + ".h5")) as results:
        return results["class"][:], done.stderr


def main():
    charts = list(network_charts())
    ok(len(charts) >= 4, f"{len(charts)} charts")
    for name, text in charts:
        with tempfile.TemporaryDirectory() as folder:
            full, _ = sweep(folder, "full", classes_only(text, POINTS))
            for refine in ("true", "{cell: 32}"):
                refined, words = sweep(folder, "refined", classes_only(text, POINTS, refine))
                analysed = int(re.search(r"this run analysed (\d+) points of", words)[1])
                ok(analysed <= MOST * full.size,
                   f"{name}, refine: {refine}: {100 * analysed / full.size:.2f} % of {full.size} points analysed")
                ok((refined == full).all(), f"{name}, refine: {refine}: {(refined != full).sum()} classes differ")
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
