#!/usr/bin/env python3
"""Refined sweeps as users run them: the file beside the full one, what plot, info and --dry-run say (TAP)."""
import os
import subprocess
import tempfile

import h5py
import numpy as np

import random_charts
from tap import COSTAB, finish, ok, words

SPEC = """title: Two masses
system: network
parameters: {K: 200, H: 0.01}
subsystems:
  - {name: left, A: [[0, 1], [-1, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [force], outputs: [x], method: rk4, substeps: 1}
  - {name: right, A: [[0, 1], [-(K + 1), -2]], B: [[0], [K]], C: [[K, 0]], D: [[-K]], inputs: [x], outputs: [force],
     method: rk4, substeps: 1}
connections: [{from: left.x, to: right.x}, {from: right.force, to: left.force}]
coupling:
  - {name: delayed, macro_step: H}
  - {name: converged, scheme: iterated, macro_step: H}
axes:
  K: {from: 1, to: 300, points: 121}
  H: {from: 0.001, to: 0.1, points: 110}
fields: [class, spectral_radius]
figure: {kind: classes}
"""


def costab(folder, *arguments):
    return subprocess.run([COSTAB, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def content(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def same(a, b):
    return bool(((a == b) | (np.isnan(a) & np.isnan(b))).all())


def rows(folder, name):
    """The data of a figure without what it says of its file."""
    return [line for line in content(folder, name).decode().splitlines() if not line.startswith("#")]


def test_file(folder):
    write(folder, "full.yaml", SPEC)
    write(folder, "refined.yaml", SPEC + "refine: {cell: 8}\n")
    for name in ("full", "refined"):
        done = costab(folder, "sweep", "--quiet", name + ".yaml")
        ok(done.returncode == 0 and words(done.stderr) == "", f"{name}: swept")
    told = costab(folder, "sweep", "--force", "refined.yaml").stderr
    with h5py.File(os.path.join(folder, "full.h5")) as full, h5py.File(os.path.join(folder, "refined.h5")) as refined:
        known = refined["computed"]
        ok(known.dtype == np.uint8 and list(known.attrs["flag_values"]) == [0, 1]
           and known.attrs["flag_meanings"] in ("filled analysed", b"filled analysed"), "computed has CF flags")
        known = known[:] == 1
        share = known.mean()
        ok(known.shape == (2, 121, 110) and 0 < share < 0.4, f"{100 * share:.1f} % of the points analysed")
        ok((refined["class"][:] == full["class"][:]).all(), "the classes of the full sweep")
        ok(same(refined["spectral_radius"][:][known], full["spectral_radius"][:][known])
           and np.isnan(refined["spectral_radius"][:][~known]).all(), "numbers where the points were analysed")
        ok(all(same(refined[name][:], full[name][:]) for name in ("level_one_K", "level_one_H"))
           and np.isfinite(full["level_one_K"][:]).sum() > 100, "every crossing of the level 1")
    done = costab(folder, "info", "refined.h5")
    ok(done.returncode == 0 and f"refined: {known.sum()} of {known.size} points analysed" in done.stdout,
       "info tells how many points were analysed")
    ok(f"this run analysed {known.sum()} points of {known.size} (" in told, "so does the sweep")
    ok("points analysed" not in costab(folder, "info", "full.h5").stdout, "info of a full sweep does not")
    for name in ("full", "refined"):
        done = costab(folder, "plot", "--script-only", name + ".h5")
        ok(done.returncode == 0, f"{name}: drawn")
    ok(rows(folder, "full.dat") == rows(folder, "refined.dat"), "both figures have the same curves")


def test_bytes(folder):
    write(folder, "refined.yaml", SPEC + "refine: true\n")
    for threads in ("1", "2", "5"):
        costab(folder, "sweep", "--quiet", "--threads", threads, "refined.yaml", "-o", f"{threads}.h5")
    ok(content(folder, "1.h5") == content(folder, "2.h5") == content(folder, "5.h5"),
       "1, 2 and 5 threads: the same bytes")


def test_islands(folder):
    """Lightly damped modes turn far within a cell of 16 points: islands come and go with that."""
    text = (random_charts.ARM % ("gauss-seidel", 225, 225)).replace("from: 0.01, to: 0.1", "from: 0.04, to: 0.1").replace(
        "from: 100, to: 3000", "from: 700, to: 1000")
    full, refined = (random_charts.sweep(COSTAB, folder, text + more, "arm") for more in ("", "refine: true\n"))
    ok((refined[1] == full[1]).all() and (full[1] == 2).sum() > 200 and refined[2] < 0.3 * full[1].size,
       f"islands of a flexible arm: {(refined[1] != full[1]).sum()} classes differ, {refined[2]} of {full[1].size} points analysed")


def test_words(folder):
    write(folder, "dry.yaml", SPEC + "refine: true\n")
    done = costab(folder, "sweep", "--dry-run", "dry.yaml")
    ok(done.returncode == 0 and "points  26620 (2 coupling x 121 K x 110 H), refined from cells of 16" in done.stdout,
       "--dry-run says so")
    write(folder, "contour.yaml", SPEC.replace("kind: classes", "kind: [classes, contour]") + "refine: true\n")
    done = costab(folder, "sweep", "contour.yaml")
    ok(done.returncode == 2 and "contour.yaml:16:26: error: " in done.stderr and "refine" in done.stderr
       and not os.path.exists(os.path.join(folder, "contour.h5")), "contour needs every point: exit 2")
    write(folder, "planar.yaml", "system: planar\nschemes: [cross]\naxes: {a: 0, gamma: [-2, -1], delta: [1, 2]}\n"
          "refine: true\n")
    done = costab(folder, "sweep", "planar.yaml")
    ok(done.returncode == 2 and "planar.yaml:4:9: error: refine: " in done.stderr, "a planar sweep needs none: exit 2")
    for side, cell in ((2047, 16), (2048, 32), (8192, 64)):
        write(folder, "large.yaml", SPEC.replace("points: 121", "points: %d" % side).replace("points: 110", "points: 9000")
              + "refine: true\n")
        done = costab(folder, "sweep", "large.yaml", "--dry-run")
        ok("refined from cells of %d\n" % cell in done.stdout, "cells of %d with %d points a side" % (cell, side), done.stdout)


def main():
    for test in (test_file, test_bytes, test_islands, test_words):
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
    finish()


if __name__ == "__main__":
    main()
