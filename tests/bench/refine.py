"""Refined charts of classes beside full ones: every network chart of sweeps/ over two axes, raised to 2049 x 2049 points; and
refined alone with 8193 x 8193. A boundary edge has two neighbouring points of different classes. Usage: refine.py COSTAB"""
import os
import re
import subprocess
import sys
import tempfile
import time

import h5py

from charts import classes_only, network_charts

POINTS, MORE = 2049, 8193


def sweep(folder, name, text):
    """Seconds, the classes, what the program says."""
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    begin = time.perf_counter()
    done = subprocess.run([sys.argv[1], "sweep", name + ".yaml"], cwd=folder, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - begin
    with h5py.File(os.path.join(folder, name + ".h5")) as results:
        return seconds, results["class"][:], done.stderr


def effort(words, classes):
    """What a refined run says that it analysed or evaluated, beside what there is."""
    analysed = int(re.search(r"this run analysed (\d+) points of|with (\d+) evaluations for", words).expand(r"\1\2"))
    planes = classes.reshape(-1, *classes.shape[-2:])
    edges = sum(int((p[1:] != p[:-1]).sum()) + int((p[:, 1:] != p[:, :-1]).sum()) for p in planes)
    return f"{100 * analysed / classes.size:.2f} % of the points analysed, {analysed / max(edges, 1):.1f} per boundary edge"


for chart, text in network_charts():
    with tempfile.TemporaryDirectory() as folder:
        slow, full, _ = sweep(folder, "full", classes_only(text, POINTS))
        fast, refined, words = sweep(folder, "refined", classes_only(text, POINTS, "true"))
        print(f"refined chart {chart}, {full.size} points, whole process: {fast:.2f} s; full {slow:.1f} s; ratio {slow / fast:.0f}; "
              f"{effort(words, refined)}, {(refined != full).sum()} differ", flush=True)
        more, large, words = sweep(folder, "large", classes_only(text, MORE, "true"))
        print(f"  {large.size} points: {more:.2f} s; {effort(words, large)}", flush=True)
