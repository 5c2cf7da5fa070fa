#!/usr/bin/env python3
"""Contours of a large grid take little memory: each level is traced by itself. The lines of the determinant of the planar system's map lie where its
closed form has the level, and none is broken. Prints TAP."""
import os
import pathlib
import re
import subprocess

from tap import COSTAB, costab, finish, ok, workplace

POINTS, MEMORY = 2000, 200  # MB; the values alone are 32 MB
A, LEVELS = 0.5, (0, 0.25, 1, 3)  # 0 is always there
SPEC = f"""system: planar
schemes: [cross]
axes:
  a: [{A}]
  gamma: {{from: -2, to: 2, points: {POINTS}}}
  delta: {{from: -2, to: 2, points: {POINTS}}}
fields: [determinant]
figure: {{kind: contour, of: determinant, levels: {list(LEVELS[1:])}}}
"""


def stable(z):
    """The polynomial of the classical Runge-Kutta method, and (R - 1) / z."""
    phi = 1 + z / 2 + z * z / 6 + z**3 / 24
    return 1 + z * phi, phi


def delta(gamma, level):
    """Where R_a R_d - (a d - delta) phi_a phi_d, the determinant of the map of cross, is the level."""
    d = gamma - A
    (one, phi), (other, psi) = stable(A), stable(d)
    return A * d + (level - one * other) / (phi * psi)


def lines():
    """The polylines of all levels in the figure's data."""
    for block in pathlib.Path("grid.dat").read_text().split("\n\n\n"):
        if re.match(r"# 1\.curve\.(one|level)", block):
            for run in block.split("\n", 1)[1].split("\n\n"):
                yield [tuple(map(float, row.split())) for row in run.strip().split("\n")]


with workplace():
    pathlib.Path("grid.yaml").write_text(SPEC)
    costab("sweep", "grid.yaml", "-o", "grid.h5")
    process = subprocess.Popen([COSTAB, "plot", "grid.h5", "--script-only"], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    found = list(lines())
small = {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys() or used.ru_maxrss < MEMORY * 1024
ok(status == 0 and small, f"contours of {POINTS} x {POINTS} points take less than {MEMORY} MB", status, used.ru_maxrss)

seen = []
for line in found:
    level = min(LEVELS, key=lambda value: abs(line[0][1] - delta(line[0][0], value)))
    inside = [(x, delta(x, level)) for x in (-2 + 4 * i / (POINTS - 1) for i in range(POINTS))]
    seen.append((level, max(abs(y - delta(x, level)) for x, y in line), sum(-2 < y < 2 for _, y in inside) <= len(line)))
ok(sorted(level for level, _, _ in seen) == list(LEVELS), "each level has one unbroken line", seen)
ok(all(miss < 1e-5 for _, miss, _ in seen), "all its points lie where the closed form has the level", seen)
ok(all(whole for _, _, whole in seen), "it has a point in every column of the grid", seen)
finish()
