#!/usr/bin/env python3
"""Every network chart of sweeps/ over two axes, raised to 2049 x 2049 points and refined: at most 5 % of the points are
analysed, and no class differs from the full grid. Then 200 charts of random structures and chains, where narrow islands can be
missed: how often, and how many points (TAP). COSTAB_CHARTS and COSTAB_POINTS (a side) choose other numbers of these."""
import os
import re
import subprocess
import sys
import tempfile

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import certified  # noqa: E402
from charts import classes_only, network_charts  # noqa: E402

COSTAB = os.environ.get("COSTAB", os.path.join(os.getcwd(), "build", "costab"))
POINTS = 2049
MOST = 0.05
CHARTS, SIDE = int(os.environ.get("COSTAB_CHARTS", "200")), int(os.environ.get("COSTAB_POINTS", "129"))
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


def random_charts(folder):
    """What `refine: true` misses of random charts, and that a finer lattice misses less."""
    differing, missed, points, spent, most = {}, {}, 0, {}, {}
    lattices = ("true", "{cell: 4}")
    numbers = [n for n in range(2 * CHARTS) if n % 4 < 2]  # structures and chains
    for number in numbers:
        text = certified.chart(number, SIDE)
        full = certified.sweep(COSTAB, folder, text, "full")[1]
        points += full.size
        for refine in lattices:
            _, classes, _, analysed, _ = certified.sweep(COSTAB, folder, text + "refine: %s\n" % refine, "refined")
            wrong = int((classes != full).sum())
            differing[refine] = differing.get(refine, 0) + (wrong > 0)
            missed[refine] = missed.get(refine, 0) + wrong
            most[refine] = max(most.get(refine, 0), wrong)
            spent[refine] = spent.get(refine, 0) + analysed
            if wrong and os.environ.get("COSTAB_VERBOSE"):
                print("# chart %d, %s: %d" % (number, refine, wrong), flush=True)
    for refine in lattices:
        print("# refine: %s: %d of %d charts differ, at %d of %d points, at most %d in one; %.1f %% of the points analysed"
              % (refine, differing[refine], len(numbers), missed[refine], points, most[refine], 100 * spent[refine] / points), flush=True)
    ok(missed["true"] <= 1e-3 * points, f"random charts: {missed['true']} of {points} classes differ")
    ok(missed["{cell: 4}"] <= missed["true"], f"smaller cells: {missed['{cell: 4}']} of them differ")


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
    with tempfile.TemporaryDirectory() as folder:
        random_charts(folder)
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
