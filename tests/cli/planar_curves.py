#!/usr/bin/env python3
"""What planar sweeps store for figures, against NumPy: outlines on which the spectral radius is 1, limits of areas; charts drawn from
it, or from the grid where there is none. One palette of the classes; lines that cross a zoomed panel. Prints TAP."""
import pathlib
import re
import shutil
import subprocess

import h5py
import numpy as np

import scripts
from tap import ROOT, costab, finish, ok, skip, workplace

CHART = """system: planar
schemes: [simulation, zigzag]
method: rk4
axes: {a: [-0.3, 0.3], gamma: {from: -6, to: 1, points: 5}, delta: {from: -2, to: 12, points: 5}}
fields: [class]
figure: {kind: comparison}
"""


def rk4(z):
    return 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))


def radius(gamma, delta):
    """Of one step of the whole system, whose matrix has this trace and determinant."""
    root = np.sqrt(gamma**2 / 4 - delta + 0j)
    return np.maximum(abs(rk4(gamma / 2 + root)), abs(rk4(gamma / 2 - root)))


def test_outlines():
    pathlib.Path("chart.yaml").write_text(CHART)
    costab("sweep", "chart.yaml", "-q", "-o", "chart.h5")
    with h5py.File("chart.h5") as file:
        x, y, cause = (file[f"boundary_{name}"][0, 0] for name in ("x", "y", "cause"))
    there = ~np.isnan(x)
    ok(there.sum() > 20 and np.nanmin(x) >= -6.35 and np.nanmax(y) <= 12.7, "the outline lies in the window and 5 % around it", x, y)
    # A vertex lies between two segments that are no cuts.
    inner = there & (cause > 0) & (np.roll(cause, 1) > 0)
    off = abs(radius(x[inner], y[inner]) - 1)
    ok(inner.sum() > 20 and off.max() < 1e-6, "at its vertices the spectral radius is 1", off.max())
    middle = there[:-1] & there[1:] & (cause[:-1] > 0)
    off = abs(radius((x[:-1] + x[1:])[middle] / 2, (y[:-1] + y[1:])[middle] / 2) - 1)
    ok(off.max() < 5e-3, "and between them nearly", off.max())


def test_windows():
    done = costab("plot", "chart.h5", "-o", "wide", "--x-range=-9:1", "--script-only")
    script = pathlib.Path("wide/chart.gp").read_text()
    ok(done.returncode == 0 and "as far as it was swept" in done.stderr and scripts.ranges(script, "x")[0][0] == -6, "a chart ends where the sweep does, and says so",
       done.stderr)


def test_grid():
    pathlib.Path("many.yaml").write_text(CHART.replace("a: [-0.3, 0.3]", "a: {from: -1, to: 1, points: 33}").replace("points: 5", "points: 41"))
    costab("sweep", "many.yaml", "-q", "-o", "many.h5")
    done = costab("plot", "many.h5", "-o", "grid", "--script-only", "--select", "a=0", "--kind", "classes")
    ok(done.returncode == 0 and "as exact as the grid" in done.stderr, "without outlines classes are drawn from the grid, which is said", done.stderr)
    done = costab("plot", "many.h5", "-o", "grid", "--script-only", "--select", "a=0", "--kind", "regions")
    ok(done.returncode == 2 and "no outlines" in done.stderr, "and regions are refused", done.stderr)


def test_unresolved():
    """Rounding errors move the zeros in Delta by more than 1e-4 of this window's height."""
    pathlib.Path("wide.yaml").write_text("system: planar\nschemes: [simulation]\naxes: {gamma: {from: -1e5, to: 1, points: 5}, delta: {from: 0, to: 1, points: 5}}\n")
    costab("sweep", "wide.yaml", "-q", "-o", "wide.h5")
    done = costab("plot", "wide.h5", "-o", "wide", "--script-only", "--kind", "regions")
    ok(done.returncode == 2 and "no outlines" in done.stderr and "smaller window" in done.stderr, "a window that is too wide for curves has classes without outlines", done.stderr)
    done = costab("boundary", "--a", "0", "--scheme", "simulation", "--gamma=-1e5:1", "--delta=0:1")
    ok(done.returncode == 1 and "smaller window" in done.stderr and not done.stdout, "and its boundary is refused", done.stderr)


def test_limits():
    pathlib.Path("areas.yaml").write_text("system: planar\nschemes: [cross]\nmethod: rk4\naxes: {a: {from: -3.5, to: 1, points: 21}}\nfields: [areas]\n")
    costab("sweep", "areas.yaml", "-q", "-o", "areas.h5")
    # [KNS] section 5: at a = 0 the area of SS falls from infinity to p^2 / 2, where p < 0 and R(p) = 1.
    p = min(r.real for r in np.roots([1 / 24, 1 / 6, 1 / 2, 1]) if abs(r.imag) < 1e-12)
    with h5py.File("areas.h5") as file:
        a = file["critical_a"][0]
        k = int(np.argmin(abs(a)))
        ok(abs(a[k]) < 1e-12 and np.isinf(file["ss_left"][0, k]) and abs(file["ss_right"][0, k] - p * p / 2) < 1e-6, "limits of areas stand beside critical values",
           a, file["ss_left"][0], file["ss_right"][0])
        ok(min(abs(a - p)) < 1e-10, "which are those of the closed form", a, p)


def test_palette():
    costab("plot", "chart.h5", "-o", "classes", "--kind", "classes", "--script-only")
    script = pathlib.Path("classes/chart.gp").read_text()
    figures = {name.upper(): "#" + colour for name, colour in re.findall(r"fill_(ss|su|us|uu) = area\(0x(\w+)\)", script)}
    css = pathlib.Path(ROOT, "plots/page.css").read_text().split("@media (prefers")[0]
    pages = {"UU": "#ffffff", **{name: re.search(rf"--{tint}-tint: (#\w+)", css)[1] for name, tint in (("SS", "blue"), ("SU", "yellow"), ("US", "red"))}}
    python = dict(re.findall(r'"(SS|SU|US|UU)": "(#\w+)"', pathlib.Path(ROOT, "src/python/costab/_show.py").read_text()))
    ok(figures == pages == python and len(figures) == 4, "figures, pages and Python have one palette of the classes", figures, pages, python)

    def lightness(colour):
        """L* of CIE 1976."""
        rgb = np.array([int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)])
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return 116 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16

    light = [lightness(figures[name]) for name in ("UU", "SU", "SS", "US")]
    ok(all(a - b > 7 for a, b in zip(light, light[1:])), "whose lightness alone orders them", light)
    tints = re.search(r"tints\[\] = \{(.*?)\}", pathlib.Path(ROOT, "src/figure/kind_best.c").read_text(), re.S)[1]
    light = sorted(map(lightness, re.findall(r"#\w{6}", tints)))
    ok(len(light) == 8 and all(b - a > 4 for a, b in zip(light, light[1:])), "the colours of the best couplings differ in grey", light)


def test_zoom():
    """The left boundary of the simulation's stable set is one straight segment: both its ends are outside of this window."""
    costab("plot", "chart.h5", "-o", "zoom", "--script-only", "--no-hatching")
    script = pathlib.Path("zoom/chart.gp")
    text = re.sub(r"set xrange \[[^]]*\]", "set xrange [-4.6:-4]", script.read_text())
    script.write_text(re.sub(r"set yrange \[[^]]*\]", "set yrange [3:5]", text))
    subprocess.run(["gnuplot", "-e", "FMT='svg'", script.name], cwd="zoom", check=True, capture_output=True)
    lines = re.findall(r"<path stroke='rgb\(\s*0, 114, 178\)'\s+d='([^']*)'", pathlib.Path("zoom/chart.svg").read_text())
    ok(len(lines) >= 3, "a line that crosses a zoomed panel with both ends outside is drawn", lines)


def test_edited():
    """What people change by hand first, by sed; plot keeps it."""
    costab("plot", "chart.h5", "-o", "edited", "--script-only", "--title", "A chart")
    edits = {"title": "s/ title '[^']*' / title 'My own title' /", "range": "s/set xrange .-6:1./set xrange [-6:-1]/", "colour": "s/line(0x0072b2)/line(0x123456)/",
             "position of the key": "s/^set key at screen 0.5, screen [^ ]* center bottom/set key at screen 0.98, screen 0.98 right top/"}

    def draw():
        drawn = subprocess.run(["gnuplot", "-e", "FMT='svg'", "chart.gp"], cwd="edited", capture_output=True, text=True)
        return pathlib.Path("edited/chart.svg").read_text() if drawn.returncode == 0 and drawn.stderr == "" else None

    pictures = [draw()]
    for what, edit in edits.items():
        subprocess.run(["sed", "-i", edit, "edited/chart.gp"], check=True)
        pictures.append(draw())
        ok(pictures[-1] is not None and pictures[-1] not in pictures[:-1], f"a script whose {what} was edited draws another picture")
    ok("My own title" in pictures[-1] and "rgb( 18,  52,  86)" in pictures[-1], "with the title and the colour")
    before = pathlib.Path("edited/chart.gp").read_text()
    done = costab("plot", "chart.h5", "-o", "edited", "--script-only")
    ok(done.returncode == 2 and "--force" in done.stderr and pathlib.Path("edited/chart.gp").read_text() == before, "and is not replaced", done.stderr)


with workplace():
    for folder in ("wide", "grid", "classes", "zoom", "edited"):
        pathlib.Path(folder).mkdir()
    test_outlines()
    test_windows()
    test_grid()
    test_unresolved()
    test_limits()
    test_palette()
    if shutil.which("gnuplot"):
        test_zoom()
        test_edited()
    else:
        skip("a line that crosses a zoomed panel", "no gnuplot")
    finish()
