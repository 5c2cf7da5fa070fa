#!/usr/bin/env python3
"""Every network chart of sweeps/ over two axes, raised to 2049 x 2049 points and refined, with cells of the usual size there (32)
and with smaller ones: at most 10 % of the points are analysed, and no class differs from the full grid. Then 300 charts of random
structures and chains: no set of neighbours of one class that has a point on a line of the coarse grid, which refining goes along,
has a point of another class; what lies inside two by two coarse cells can be missed: how often, and how many points
(tests/bench/refine.py: how long it takes). Prints TAP. COSTAB_CHARTS=FIRST:LAST and COSTAB_POINTS (a side) choose other ones of these. Arguments FOLDER/FILE: only these charts, and no random ones; random: only those."""
import os
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

import random_charts as random_models
from charts import classes_only, network_charts

COSTAB = os.environ.get("COSTAB", os.path.join(os.getcwd(), "build", "costab"))
POINTS = 2049
MOST = 0.1
FIRST, LAST = map(int, os.environ.get("COSTAB_CHARTS", "0:300").split(":"))
SIDE = int(os.environ.get("COSTAB_POINTS", "129"))
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


def crosses(full, wrong, cell):
    """Whether a set of neighbours of one class of the full grid, over its two last axes, has a wrong point and a point on a line."""
    on_line = np.zeros(full.shape, bool)
    on_line[..., ::2 * cell, :] = on_line[..., ::2 * cell] = True
    seen = np.zeros(full.shape, bool)
    for start in map(tuple, np.argwhere(wrong)):
        todo = [] if seen[start] else [start]
        while todo:
            at = todo.pop()
            if seen[at]:
                continue
            seen[at] = True
            if on_line[at]:
                return True
            for axis in (-2, -1):
                for step in (-1, 1):
                    near = list(at)
                    near[axis] += step
                    if 0 <= near[axis] < full.shape[axis] and full[tuple(near)] == full[at]:
                        todo.append(tuple(near))
    return False


def random_charts(folder):
    """What `refine: true` misses of random charts."""
    numbers = [n for n in range(2 * LAST) if n % 4 < 2][FIRST:LAST]  # structures and chains
    wrong, points, spent, crossing = [], 0, 0, 0
    for number in numbers:
        text = random_models.chart(number, SIDE)
        (_, full, _, _), (_, refined, analysed, _) = (random_models.sweep(COSTAB, folder, text + more, "chart") for more in ("", "refine: {cell: 8}\n"))
        wrong.append(int((refined != full).sum()))
        points += full.size
        spent += analysed
        crossing += crosses(full, refined != full, 8)
        print("# chart %d: %d classes differ, %d points analysed" % (number, wrong[-1], analysed), flush=True)
    ok(crossing == 0, f"random charts: {crossing} of {len(wrong)} miss a part of what has a point on a line")
    ok(sum(wrong) <= 1e-4 * points, "random charts: %d of %d have classes that differ, %d of %d points, at most %d in one; %.1f %% of the "
       "points analysed" % (sum(w > 0 for w in wrong), len(wrong), sum(wrong), points, max(wrong), 100 * spent / points))


def main():
    chosen = sys.argv[1:]
    charts = [chart for chart in network_charts() if not chosen or chart[0] in chosen]
    if chosen != ["random"]:
        ok(len(charts) == len(chosen) if chosen else len(charts) >= 4, f"{len(charts)} charts")
    for name, text in charts:
        with tempfile.TemporaryDirectory() as folder:
            full, _ = sweep(folder, "full", classes_only(text, POINTS))
            for refine in ("true", "{cell: 16}"):
                refined, words = sweep(folder, "refined", classes_only(text, POINTS, refine))
                analysed = int(re.search(r"this run analysed (\d+) points of", words)[1])
                ok(analysed <= MOST * full.size,
                   f"{name}, refine: {refine}: {100 * analysed / full.size:.2f} % of {full.size} points analysed")
                ok((refined == full).all(), f"{name}, refine: {refine}: {(refined != full).sum()} classes differ")
    if chosen in ([], ["random"]):
        with tempfile.TemporaryDirectory() as folder:
            random_charts(folder)
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
