"""Refined charts of classes beside full ones: every network chart of sweeps/ over two axes, raised to 2049 x 2049 points.
Usage: refine.py COSTAB"""
import os
import re
import subprocess
import sys
import tempfile
import time

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from charts import classes_only, network_charts  # noqa: E402

POINTS = 2049


def sweep(folder, name, text):
    """Seconds, the classes, what the program says."""
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    begin = time.perf_counter()
    done = subprocess.run([sys.argv[1], "sweep", name + ".yaml"], cwd=folder, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - begin
    with h5py.File(os.path.join(folder, name + ".h5")) as results:
        return seconds, results["class"][:], done.stderr


for chart, text in network_charts():
    with tempfile.TemporaryDirectory() as folder:
        slow, full, _ = sweep(folder, "full", classes_only(text, POINTS))
        fast, refined, words = sweep(folder, "refined", classes_only(text, POINTS, "true"))
        analysed = int(re.search(r"this run analysed (\d+) points of", words)[1])
        print(f"refined chart {chart}, {full.size} points, whole process: {fast:.2f} s; full {slow:.1f} s; ratio "
              f"{slow / fast:.0f}; {100 * analysed / full.size:.2f} % of the points analysed, {(refined != full).sum()} differ",
              flush=True)
