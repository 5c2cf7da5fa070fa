#!/usr/bin/env python3
"""Scripts of figures are for people: no arrays, no eval, no loops, and no more lines than a person reads; one of each kind draws.
Prints TAP."""
import pathlib
import re
import shutil
import subprocess

import scripts
from tap import COSTAB, ROOT, finish, ok, skip, workplace

QUARTER_CAR = pathlib.Path(ROOT, "sweeps/quarter-car/models/quarter-car.yaml")
DRIVE = pathlib.Path(ROOT, "sweeps/findings/models/drive.yaml")
PLANAR = """system: planar
schemes: [simulation, cross, zigzag, strong]
method: heun
axes: {a: [-0.3, 0, 0.3], gamma: {from: -6, to: 1, points: 11}, delta: {from: -2, to: 12, points: 11}}
fields: [class, spectral_radius, areas]
"""
HISTORY = """system: planar
schemes: [simulation]
method: rk4
history: [{title: SU, matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [1, 0], until: 0.03}]
figure: {kind: time}
"""
NETWORK = """system: network
model: MODEL
axes: {kC: {from: 5000, to: 50000, points: 7}, dC: {from: 200, to: 5000, points: 7}}
fields: [class, spectral_radius, best, best_step]
best: {over: H, range: [0.01, 0.1]}
"""
MOST = 60      # lines of the head, the output, the styles and the key
MOST_EACH = 15  # and of each panel


def costab(*arguments):
    done = subprocess.run([COSTAB, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    return done


def check(kind, results, *options):
    done = costab("plot", results, "-o", f"{kind}.gp", "--script-only", "--kind", kind, *options)
    ok(done.returncode == 0, f"{kind}: a script", done.stderr)
    if done.returncode != 0:
        return
    text = pathlib.Path(f"{kind}.gp").read_text()
    lines = text.splitlines()
    whole = re.findall(r"(?<![\d.])\d+/[WH]\b", text)
    ok(not whole, f"{kind}: no whole number is divided by W or H, which gnuplot would round", whole)
    told = re.findall(r"(?m)^ *(?:array|eval|do|while)\b|\bfor *\[", text)
    plots = [line for line in lines if line.startswith("plot ")]
    ok(not told and len(plots) in (scripts.panels(text), scripts.panels(text) + 1), f"{kind}: no arrays, eval and loops; a plot for each panel", told, plots)
    ok(len(lines) <= MOST + MOST_EACH*scripts.panels(text), f"{kind}: {len(lines)} lines", scripts.panels(text))
    if shutil.which("gnuplot"):
        drawn = subprocess.run(["gnuplot", "-d", "-e", "FMT='svg'", f"{kind}.gp"], capture_output=True, text=True, timeout=300)
        ok(drawn.returncode == 0 and drawn.stderr == "" and pathlib.Path(f"{kind}.svg").stat().st_size > 1000, f"{kind}: gnuplot draws it without a word", drawn.stderr)
    else:
        skip(f"{kind}: gnuplot draws it", "no gnuplot")


with workplace():
    pathlib.Path("planar.yaml").write_text(PLANAR)
    pathlib.Path("history.yaml").write_text(HISTORY)
    pathlib.Path("network.yaml").write_text(NETWORK.replace("MODEL", str(QUARTER_CAR)))
    for name in ("planar", "history", "network"):
        done = costab("sweep", f"{name}.yaml", "-q", "-o", f"{name}.h5")
        ok(done.returncode == 0, f"{name}: swept", done.stderr)
    costab("margin", QUARTER_CAR, "--coupling", "jacobi", "-q", "-o", "margin.h5")
    costab("limit", QUARTER_CAR, "--over", "H=1e-3:1", "--coupling", "jacobi,gauss-seidel", "-q", "-o", "limit.h5")
    costab("map", QUARTER_CAR, "--coupling", "jacobi", "-q", "-o", "map.h5")
    costab("map", DRIVE, "--over", "H=0.0005:0.1", "--coupling", "jacobi", "-q", "-o", "locus.h5")
    for kind in ("regions", "classes"):
        check(kind, "planar.h5", "--select", "scheme=zigzag")
    check("comparison", "planar.h5", "--title", "Three lines of words. " * 15)  # the margin at the top is 2 cm
    check("areas", "planar.h5")
    costab("compare", "planar.h5", "planar.h5", "-o", "same.h5")
    check("difference", "same.h5")
    check("time", "history.h5")
    check("contour", "network.h5", "--coupling", "jacobi")
    check("curve", "network.h5", "--select", "dC=200")
    check("best", "network.h5")
    check("tornado", "margin.h5")
    check("limit", "limit.h5")
    check("map", "map.h5")
    check("locus", "locus.h5")
    finish()
