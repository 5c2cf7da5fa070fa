#!/usr/bin/env python3
"""costab plot: every figure that a results file allows, whatever its spec asked for. Prints TAP.

Two scalar equations x' = -d x + u of decay d, coupled in a ring with the gain -k; the jacobi map [[e, g], [-k g, e]] with
e = exp(-d H), g = (1 - e)/d has the radius sqrt(e^2 + k g^2)."""
import pathlib
import re
import shutil
import subprocess
import tempfile

import h5py
import numpy as np

from scripts import legend, levels, panels, ranges, strings
from tap import COSTAB as costab, finish, ok, skip

MODEL = """title: A ring
system: network
parameters: {k: 1, d: 0.5, H: 0.5}
subsystems:
  - {name: one, A: [[-d]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact, substeps: 1}
  - {name: two, A: [[-d]], B: [[-k]], C: [[1]], x0: [0], inputs: [u], outputs: [y], method: exact, substeps: 1}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: [{name: jacobi, scheme: jacobi, macro_step: H}, {name: gs, scheme: gauss-seidel, macro_step: H}]
"""
AXES = """axes:
  H: {values: {from: 0.1, to: 3, points: 12}, label: macro step, unit: s}
  k: {from: 0.1, to: 4, points: 10}
  d: [0.25, 0.5, 1]
fields: [class, spectral_radius]
"""


def run(folder, *arguments):
    return subprocess.run([costab, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=folder)


def plot(folder, file, *options):
    """Script and data of a figure."""
    done = run(folder, "plot", file, "--script-only", *options)
    stem = pathlib.Path(folder, file).with_suffix("")
    if done.returncode != 0:
        return done, "", ""
    return done, stem.with_suffix(".gp").read_text(), stem.with_suffix(".dat").read_text()


def block(data, name):
    """The points of a block of the data file."""
    if f"# {name}: " not in data:
        return np.empty((0, 2))
    rows = data.split(f"# {name}: ")[1].split("\n\n\n")[0].splitlines()[1:]
    return np.array([row.split() for row in rows if row], float)


def radius(H, k, d):
    e = np.exp(-d*H)
    return np.sqrt(e**2 + k*((1 - e)/d)**2)


def test_sweep(folder):
    axes = AXES.replace("{values: {from: 0.1, to: 3, points: 12}, ", "{from: 0.1, to: 3, points: 12, ")
    (folder / "ring.yaml").write_text(MODEL + axes)
    done = run(folder, "sweep", "--quiet", "ring.yaml")
    ok(done.returncode == 0, "a sweep over three axes without the key figure", done.stderr)
    done, script, data = plot(folder, "ring.h5")
    ok(done.returncode == 0 and panels(script) == 6 and "# 1.curve.edge: " in data,
       "the kind that suits it: classes, a panel for each coupling and value of the third axis", done.stderr)
    ok("macro step {/:Italic H} (s)" in strings(script, "xlabel"), "label and unit of an axis are drawn")
    done, script, data = plot(folder, "ring.h5", "--kind", "contour", "--select", "d=0.5", "--coupling", "jacobi")
    H, k = block(data, "1.curve.one").T
    # Over three axes no crossings are stored: log(radius) is interpolated over cells of 0.264 x 0.433.
    ok(done.returncode == 0 and panels(script) == 1 and len(H) > 10 and np.abs(radius(H, k, 0.5) - 1).max() < 0.1 and
       np.abs(radius(H, k, 0.25) - 1).max() > 0.1, "--kind, --select, --coupling: level 1 of what was selected", done.stderr)
    done, script, data = plot(folder, "ring.h5", "--of", "spectral_radius", "--select", "d=0.5", "--coupling", "jacobi")
    ok(done.returncode == 0 and "maxcolors" in script, "--of alone chooses a kind that draws the field", done.stderr)
    (folder / "plane.yaml").write_text(MODEL + axes.replace("  d: [0.25, 0.5, 1]\n", ""))
    swept = run(folder, "sweep", "--quiet", "plane.yaml")
    done, script, data = plot(folder, "plane.h5", "--kind", "contour", "--x", "k", "--y", "H")
    one = block(data, "1.curve.one")
    off = np.abs(radius(one[:, 1], one[:, 0], 0.5) - 1) # exact on lines of the grid, interpolated between them
    ok(done.returncode == 0 and (off < 1e-8).sum() > 10 and off.max() < 2e-2, "--x, --y: the axes changed", swept.stderr, done.stderr, off.max())
    done, script, data = plot(folder, "ring.h5", "--kind", "contour", "--levels", "0.5,1.25,2", "--select", "d=1")
    ok(done.returncode == 0 and "maxcolors 5 " in script and levels(script) == ["0.5", "1", "1.25", "2"],
       "--levels, and 1 among them", done.stderr)
    done = plot(folder, "ring.h5", "--kind", "contour", "--levels=-1,2", "--select", "d=1")[0]
    ok(done.returncode == 2 and "levels: those of 'spectral_radius' are above 0" in done.stderr, "a level of a radius below 0", done.stderr)
    (folder / "decay.yaml").write_text(MODEL + axes.replace("  d: [0.25, 0.5, 1]\n", "").replace("spectral_radius", "decay")
                                       + "figure: {kind: contour, of: decay, levels: [-0.4, -0.2, 0.1]}\n")
    swept = run(folder, "sweep", "--quiet", "decay.yaml")
    done, script, data = plot(folder, "decay.h5")
    ok(done.returncode == 0 and levels(script) == ["−0.4", "−0.2", "0", "0.1"],
       "levels of a decay below 0, and 0 among them", swept.stderr, done.stderr, levels(script))
    one, low = block(data, "1.curve.one"), block(data, "1.curve.level.2")
    decay = [np.log(radius(line[:, 0], line[:, 1], 0.5)) / line[:, 0] for line in (one, low)]
    ok(len(one) > 10 < len(low) and max(abs(decay[0])) < 0.05 > max(abs(decay[1] + 0.2)), "the lines of 0 and -0.2, interpolated", max(abs(decay[0])), max(abs(decay[1] + 0.2)))
    done, script, data = plot(folder, "ring.h5", "--kind", "curve", "--x", "H", "--select", "k=0.1,d=1",
                              "--x-range", "0.5:2", "--y-range", "0:1", "--ylabel", "growth", "--dpi", "90")
    curve = block(data, "1.curve.c1")
    # Between the samples the curve is straight: it is convex, off by no more than h^2/8 times the second derivative.
    off = curve[:, 1] - radius(curve[:, 0], 0.1, 1)
    ok(done.returncode == 0 and ranges(script, "x") == [(0.5, 2)] and off.min() > -1e-9 and
       off.max() < (2.9/11)**2/8, "--x-range: the panel's, of the whole curve", done.stderr, off)
    ok(ranges(script, "y") == [(0, 1)] and strings(script, "ylabel") == ["growth"] and "DPI = 90" in script,
       "--y-range, --ylabel, --dpi")
    done, script, data = plot(folder, "ring.h5", "--kind", "comparison", "--panels", "d")
    ok(done.returncode == 0 and panels(script) == 3 and len(block(data, "2.curve.c1")) > 10 and
       len(block(data, "2.curve.c2")) > 10 and "# 2.hatch.c1: " in data, "comparison: all couplings in a panel", done.stderr)
    done, script, data = plot(folder, "plane.h5", "--kind", "comparison")
    H, k = block(data, "1.curve.c1").T
    ok(panels(script) == 1 and len(H) > 10 and np.abs(radius(H, k, 0.5) - 1).max() < 1e-8, "the boundary of jacobi is that of its map")


def test_several(folder):
    """Several values of an axis: a panel each, of curves a curve each. The radius is that of the closed form."""
    done, script, data = plot(folder, "ring.h5", "--kind", "contour", "--coupling", "jacobi", "--select", "d=0.25,d=1", "--select", "d=0.25")
    off = [np.abs(radius(*block(data, f"{i + 1}.curve.one").T, d) - 1).max() for i, d in enumerate((0.25, 1))]
    ok(done.returncode == 0 and panels(script) == 2 and max(off) < 0.15 and
       np.abs(radius(*block(data, "1.curve.one").T, 1) - 1).max() > 0.15, "--select d=0.25,d=1: two panels, each with its own level 1", done.stderr, off)
    done, script, data = plot(folder, "ring.h5", "--kind", "classes", "--select", "coupling=jacobi,coupling=gs,d=0.5,d=1")
    ok(done.returncode == 0 and panels(script) == 4, "--select of two couplings and two values: four panels", done.stderr)
    done, script, data = plot(folder, "ring.h5", "--kind", "curve", "--x", "H", "--coupling", "jacobi", "--select", "k=0.1,d=0.25,d=1", "--y-range", "0:9")
    curves = [block(data, f"1.curve.c{i}") for i in (1, 2, 3)]
    H = np.linspace(0.1, 3, 12)
    ok(done.returncode == 0 and panels(script) == 1 and not len(curves[2]) and
       all(np.abs(np.interp(H, *c.T) - radius(H, 0.1, d)).max() < 1e-8 for c, d in zip(curves, (0.25, 1))), "curve: a curve for each of them", done.stderr)
    # jacobi passes 1 at e^-H/2 = 0.6, gauss-seidel at e^-H/2 = 1/3.
    (folder / "dot.yaml").write_text(MODEL + "axes: {H: {from: 0.1, to: 2, points: 20}}\nfields: [spectral_radius]\nfigure: {kind: curve}\n")
    swept = run(folder, "sweep", "--quiet", "dot.yaml")
    done, script, data = plot(folder, "dot.h5")
    ok(swept.returncode == 0 and "# 1.point.c1: " in data and "# 1.point.c2: " not in data and legend(script) == ["jacobi", "gs"],
       "the key keeps the order of the couplings if only the first one has a dot", swept.stderr, legend(script))
    (folder / "several.yaml").write_text((folder / "ring.yaml").read_text() + "figure: {kind: classes, couplings: gs, select: {d: [0.25, 1]}}\n")
    swept = run(folder, "sweep", "--quiet", "several.yaml")
    done, script, data = plot(folder, "several.h5")
    ok(swept.returncode == done.returncode == 0 and panels(script) == 2, "a list in the spec", swept.stderr, done.stderr)


def test_omitted(folder):
    """What a figure does not show is said in the legend and on stderr."""
    def maps(H, k, d=0.25): # of gauss-seidel: one steps with the old y of two, two with the new y of one
        e = np.exp(-d*H)
        return np.array([[e, (1 - e)/d], [-k*e*(1 - e)/d, e - k*((1 - e)/d)**2]])
    corners = [(H, k) for H in np.linspace(2, 2.2, 9) for k in np.linspace(0.3, 0.5, 9)]
    assert min(radius(H, k, 0.25) for H, k in corners) > 1 > max(np.abs(np.linalg.eigvals(maps(H, k))).max() for H, k in corners)
    (folder / "corner.yaml").write_text(MODEL.replace("d: 0.5", "d: 0.25") + "axes: {H: {from: 2, to: 2.2, points: 9}, k: {from: 0.3, to: 0.5, points: 9}}\n")
    swept = run(folder, "sweep", "--quiet", "corner.yaml")
    for hatching in ([], ["--no-hatching"]):
        done, script, data = plot(folder, "corner.h5", "--kind", "comparison", *hatching)
        ok(swept.returncode == done.returncode == 0 and {"jacobi: nothing stable", "gs: all stable"} <= set(legend(script)) and
           "jacobi: nothing stable. gs: all stable." in done.stderr, "comparison: a coupling without boundary is named", legend(script), done.stderr)
    done, script, data = plot(folder, "ring.h5", "--kind", "curve", "--x", "H", "--select", "k=4,d=0.25")
    top = ranges(script, "y")[0][1]
    shown = [float(words.split("cut at ")[1]) for words in legend(script) if words.startswith("jacobi: cut at ")]
    ok(radius(3, 4, 0.25) > top and len(shown) == 1 and abs(shown[0] - top) < 0.005*top and f"jacobi: cut at {shown[0]}" in done.stderr,
       "curve: where a curve is cut", legend(script), done.stderr, top)
    done, script, data = plot(folder, "ring.h5", "--kind", "curve", "--x", "H", "--select", "k=4,d=0.25", "--y-range", "0:0.01")
    ok("jacobi: outside the range shown" in legend(script) and "cut" not in done.stderr, "curve: none in the range asked for", done.stderr)
    # [KNS]: the area of SS ends at a = 0.5481552 under cross; under zigzag it grows without bound towards a = -2.7852936.
    (folder / "zero.yaml").write_text("title: A\nsystem: planar\nschemes: [zigzag, cross]\nmethod: rk4\naxes: {a: {from: 0.56, to: 2, points: 30}}\n"
                                      "fields: [areas]\nfigure: {kind: areas, us: false}\n")
    (folder / "cut.yaml").write_text((folder / "zero.yaml").read_text().replace("0.56, to: 2", "-3.5, to: 2").replace(", cross", ""))
    swept = [run(folder, "sweep", "--quiet", name) for name in ("zero.yaml", "cut.yaml")]
    done, script, data = plot(folder, "zero.h5")
    ok("cross: zero" in legend(script) and "cross: zero." in done.stderr and "zigzag" in legend(script), "areas: a curve of zeros", legend(script), done.stderr, swept[0].stderr)
    done, script, data = plot(folder, "cut.h5")
    words = [entry for entry in legend(script) if "cut at " in entry]
    top = ranges(script, "y")[0][1]
    ok(len(words) == 1 and abs(float(words[0].split()[-1]) - top) < 0.005*top and words[0] in done.stderr, "areas: where a curve is cut",
       legend(script), done.stderr, swept[1].stderr)
    (folder / "far.csv").write_text("x,y,label\n1,2,near\n99,2,far\n")
    done, script, data = plot(folder, "ring.h5", "--select", "d=0.5", "--points", "far.csv")
    ok("far: outside the range shown" in legend(script) and "far: outside" in done.stderr, "points of one's own outside the figure", done.stderr)
    # The root is real for k <= 3: at 3 of the 10 values of k, times 12 of H, there is no class.
    (folder / "holes.yaml").write_text(MODEL.replace("A: [[-d]], B: [[-k]]", 'A: [["-sqrt(3 - k)"]], B: [[-k]]') +
                                       "axes: {H: {from: 0.1, to: 3, points: 12}, k: {from: 0.1, to: 4, points: 10}}\n")
    swept = run(folder, "sweep", "--quiet", "holes.yaml")
    done, script, data = plot(folder, "holes.h5", "--kind", "comparison")
    ok(swept.returncode == done.returncode == 0 and all(f"{name}: no class at 36 of 120 points" in done.stderr for name in ("jacobi", "gs")),
       "comparison: points without a class are counted", swept.stderr, done.stderr)
    # Either output is the subsystem's state.
    (folder / "twice.yaml").write_text(MODEL + "history: {until: 3}\n")
    swept = run(folder, "sweep", "--quiet", "twice.yaml")
    done, script, data = plot(folder, "twice.h5")
    ok(swept.returncode == done.returncode == 0 and "2 signals are not drawn, repeating others" in done.stderr, "time: repeated signals", swept.stderr, done.stderr)
    for options, words in ((["--x", "H", "--y", "k", "--select", "H=0.1"], "no axis of several values"), (["--select", "d=0.25,d=0.3"], "no value 0.3")):
        done = plot(folder, "ring.h5", *options)[0]
        ok(done.returncode == 2 and words in done.stderr, f"--select: {words}", done.stderr)


def test_own(folder):
    (folder / "points.csv").write_text("x,y,label\n1,2,nominal\n99,2,far\n")
    (folder / "lines.csv").write_text("x,y\n0,0\n3,4\n\n1,0\n1,5\n")
    done, script, data = plot(folder, "ring.h5", "--select", "d=0.5", "--points", "points.csv", "--line", "lines.csv")
    ok(done.returncode == 0 and np.array_equal(block(data, "1.point.own_points"), [[1, 2]]) and "'nominal'" in script and
       "'far'" not in script, "--points: those inside, with their labels", done.stderr)
    lines = block(data, "1.curve.own_lines")
    ok(np.array_equal(lines, [[0, 0], [3, 4], [1, 0], [1, 5]]), "--line: two lines", lines)
    stored = MODEL + AXES.replace("{values: {from: 0.1, to: 3, points: 12}, ", "{from: 0.1, to: 3, points: 12, ")
    (folder / "own.yaml").write_text(stored + "figure: {kind: classes, points: points.csv, select: {d: 0.5}}\n")
    swept = run(folder, "sweep", "--quiet", "own.yaml")
    (folder / "points.csv").unlink()
    done, script, data = plot(folder, "own.h5")
    ok(swept.returncode == done.returncode == 0 and np.array_equal(block(data, "1.point.own_points"), [[1, 2]]),
       "a file that the spec names is stored with the results", swept.stderr, done.stderr)
    for text, words in (("a,b\n1,2\n", "bad.csv:1: expected the names of the columns"), ("x,y\n1,zwei\n", "bad.csv:2: expected two numbers"),
                        ("x,y\n", "there are no rows")):
        (folder / "bad.csv").write_text(text)
        done = plot(folder, "ring.h5", "--points", "bad.csv")[0]
        ok(done.returncode == 2 and words in done.stderr, f"--points: {words}", done.stderr)


def test_refused(folder):
    for options, words in ((["--kind", "areas"], "unknown name 'areas'"), (["--select", "q=1"], "unknown name 'q'"),
                           (["--select", "d=0.3"], "'d' has no value 0.3; the nearest is 0.25"),
                           (["--coupling", "strong"], "unknown name 'strong'"), (["--x", "z"], "'z' is no axis"),
                           (["--x", "H", "--y", "H"], "'H' is no axis"), (["--kind", "curve", "--y", "k"], "'curve' draws a field upwards"), (["--levels", "2,1"], "they must ascend"),
                           (["--panels", "none"], "there are several values of coupling and d"),
                           (["--x-range", "2:1"], "end must be greater"), (["--x-range", "3"], "--x-range: expected LO:HI, found '3'"),
                           (["--format", "bmp"], "the format 'bmp' is not pdf"),
                           (["--kind", "map"], "costab map -o"), (["--kind", "time"], "draws the key 'history'"),
                           (["--select", "jacobi"], "--select: expected A=VALUE, found 'jacobi'")):
        done = plot(folder, "ring.h5", *options)[0]
        ok(done.returncode == 2 and words in done.stderr, f"{' '.join(options)}: refused", done.stderr)


def test_map(folder):
    done = run(folder, "map", "ring.yaml", "--set", "k=3", "-o", "map.h5")
    ok(done.returncode == 0 and done.stdout == "", "costab map -o writes a file", done.stderr)
    done, script, data = plot(folder, "map.h5")
    e = np.exp(-0.25)
    g = (1 - e)/0.5
    expected = np.array([[e, np.sqrt(3)*g], [e, -np.sqrt(3)*g]])
    found = np.vstack([block(data, "1.point.outside"), block(data, "1.point.inside")])
    ok(done.returncode == 0 and panels(script) == 2 and
       np.allclose(sorted(map(tuple, found)), sorted(map(tuple, expected)), atol=1e-9),
       "kind map: the eigenvalues of the jacobi map", done.stderr, found)
    ok(np.allclose(np.hypot(*block(data, "1.curve.edge").T), 1, atol=1e-9), "they lie in the unit circle's panel")
    history = run(folder, "simulate", "ring.yaml", "--until", "5", "-o", "history.h5")
    done, script, data = plot(folder, "history.h5")
    ok(history.returncode == done.returncode == 0 and "# 1.curve.local: " in data,
       "a time history of a spec without figure is drawn as one", history.stderr, done.stderr)


AREAS = """title: Areas
system: planar
schemes: [simulation, cross, zigzag, strong]
method: rk4
axes:
  a: {from: -1, to: 1, points: 17}
fields: [areas]
"""
HISTORY = """title: Two cases
system: planar
schemes: [simulation, cross, strong]
method: rk4
history:
  - {title: slow, matrix: [-1, 1, -1, -1], h: 0.1, x0: [1, 0], until: 4}
  - {title: fast, matrix: [-2, 2, -2, -2], h: 0.1, x0: [1, 0], until: 4}
"""


def test_own_axes(folder):
    """Kinds that know their axes themselves: what is chosen reaches them, or is refused."""
    (folder / "areas.yaml").write_text(AREAS)
    (folder / "cases.yaml").write_text(HISTORY)
    (folder / "times.yaml").write_text(MODEL + "history: {until: 5}\n")
    swept = run(folder, "sweep", "--quiet", "areas.yaml", "cases.yaml", "times.yaml")
    done, script, data = plot(folder, "areas.h5", "--coupling", "zigzag,strong", "--x-range", "0.25:0.5", "--y-range", "1:12")
    curve = block(data, "1.curve.area_zigzag")
    ok(done.returncode == 0 and len(curve) > 1 and "area_strong" in data and "area_cross" not in data and "area_simulation" not in data,
       "areas: --coupling", swept.stderr, done.stderr)
    x, y = ranges(script, "x")[0], ranges(script, "y")[0]
    ok(x == (0.25, 0.5) and y[0] == 1 and abs(y[1] - 12) < 0.01, "areas: --x-range, --y-range", x, y)
    done, script, data = plot(folder, "cases.h5", "--coupling", "cross", "--select", "case=fast", "--x-range", "1:2", "--y-range=-0.2:0.1")
    exact, steps = block(data, "1.curve.exact"), block(data, "1.point.steps_cross")
    # x' = -2 x + 2 y, y' = -2 x - 2 y: the first state is exp(-2 t) cos(2 t); the curve's chords are shorter than 1/100.
    off = np.abs(exact[:, 1] - np.exp(-2*exact[:, 0])*np.cos(2*exact[:, 0]))
    ok(done.returncode == 0 and panels(script) == 1 and "steps_strong" not in data and len(exact) > 10 and off.max() < 1e-3,
       "time: --coupling and --select NAME=WORD: one scheme of one case", done.stderr, off)
    ok(ranges(script, "x") == [(1, 2)] and ranges(script, "y") == [(-0.2, 0.1)] and len(steps) > 1 and steps[:, 0].min() >= 1 and
       steps[:, 0].max() <= 2 and steps[:, 1].min() >= -0.2 and steps[:, 1].max() <= 0.1, "time: --x-range, --y-range", steps)
    done, script, data = plot(folder, "times.h5", "--coupling", "gs", "--select", "signal=two.x1")
    ok(done.returncode == 0 and panels(script) == 1 and strings(script, "ylabel") == ["two.{/:Italic x}_{1}"] and "curve.c1" not in data and
       len(block(data, "1.curve.c2")) == 11, "time of a network: one signal under one coupling", done.stderr)
    for file, options, words in (("areas.h5", ["--select", "a=0.5"], "no kind of figure suits"),
                                 ("areas.h5", ["--kind", "areas", "--select", "a=0.5"], "'areas' draws areas against a"),
                                 ("areas.h5", ["--of", "spectral_radius"], "no kind of figure draws 'spectral_radius'"),
                                 ("areas.h5", ["--panels", "a"], "all values of 'a' in one panel"),
                                 ("areas.h5", ["--y", "a"], "'areas' has axes of its own"),
                                 ("cases.h5", ["--select", "step=3"], "'time' does not draw single values of 'step'"),
                                 ("cases.h5", ["--select", "case=slower"], "did you mean 'slow'?"),
                                 ("cases.h5", ["--panels", "none"], "there are several values of case"),
                                 ("cases.h5", ["--levels", "1,2"], "'time' draws none; 'contour' does"),
                                 ("ring.h5", ["--select", "d=slow"], "'d' has numbers, not 'slow'"),
                                 ("ring.h5", ["--select", "coupling=gs", "--coupling", "jacobi"], "names another coupling")):
        done = plot(folder, file, *options)[0]
        ok(done.returncode == 2 and words in done.stderr, f"{file} {' '.join(options)}: refused", done.stderr)
    selected = MODEL + AXES.replace("{values: {from: 0.1, to: 3, points: 12}, ", "{from: 0.1, to: 3, points: 12, ")
    (folder / "selected.yaml").write_text(selected + "figure: {kind: classes, select: {d: 0.5}, couplings: gs}\n")
    history = run(folder, "simulate", "selected.yaml", "--until", "5", "-o", "selected.h5")
    done = plot(folder, "selected.h5")[0]
    ok(history.returncode == done.returncode == 0, "what a spec selects of its sweep does not stand in the way of a history",
       history.stderr, done.stderr)


def test_signals(folder):
    """A chain of decays, each fed by the one before: 14 states, each of which is an output too; the last alone is not fed back."""
    parts = "".join(f"  - {{name: s{i}, A: [[-1]], B: [[1]], C: [[1]], x0: [{i}], inputs: [u], outputs: [y], method: exact}}\n" for i in range(1, 15))
    links = ", ".join(f"{{from: s{i}.y, to: s{i + 1}.u}}" for i in range(1, 14))
    chain = (f"title: Chain\nsystem: network\nparameters: {{H: 0.1}}\nsubsystems:\n{parts}connections: [{links}]\n"
             "coupling: {name: jacobi, scheme: jacobi, macro_step: H}\n")
    (folder / "chain.yaml").write_text(chain)
    made = run(folder, "simulate", "chain.yaml", "--until", "1", "-o", "chain.h5")
    done, script, data = plot(folder, "chain.h5")
    names = strings(script, "ylabel")
    ok(made.returncode == done.returncode == 0 and len(names) == panels(script) == 9 and len(set(names)) == 9 and
       not any("{/:Italic y}" in name for name in names), "signals: nine panels, a state that is an output too once", names, made.stderr)
    ok("9 of " in done.stderr and "--panels all" in done.stderr, "how many are drawn is said on stderr", done.stderr)
    done, script, data = plot(folder, "chain.h5", "--panels", "all")
    ok(done.returncode == 0 and panels(script) > 28 and " of " not in done.stderr, "--panels all draws all of them", done.stderr)
    done, script, data = plot(folder, "chain.h5", "--select", "signal=s14.y", "--names", "s14.y=the last output y_14")
    ok(panels(script) == 1 and strings(script, "ylabel") == ["the last output {/:Italic y}_{14}"], "--names: a signal in other words", script[:400])


def test_histories(folder):
    """The monolithic solution reaches as far as the longest run; signals that differ at micro steps alone are drawn."""
    gs, wild = "{name: gs, scheme: gauss-seidel, macro_step: 0.5}", "{name: wild, scheme: jacobi, macro_step: 0.01, extrapolation: {phi: 40, theta: -3000}}"
    ring = MODEL[:MODEL.index("coupling:")]
    (folder / "runs.yaml").write_text(f"{ring}coupling: [{gs}, {wild}]\nhistory: {{until: 20}}\n")
    made = run(folder, "sweep", "runs.yaml")
    done, script, data = plot(folder, "runs.h5")
    exact = block(data, "1.curve.exact")
    ok("wild ended early" in made.stderr and len(exact) == 41 and exact[-1, 0] == 20,
       "the monolithic solution does not end with a run of more points that diverges", made.stderr, done.stderr, exact[-1:])
    (folder / "far.yaml").write_text(ring.replace("x0: [1]", "x0: [1e300]") + f"coupling: {gs}\nhistory: {{until: 20}}\n")
    made = run(folder, "sweep", "far.yaml")
    done, script, data = plot(folder, "far.h5")
    ok("gs ended early" in made.stderr and "ends at 0" in done.stderr, "a run that ends after its start", made.stderr, done.stderr)
    (folder / "micro.yaml").write_text(ring.replace("substeps: 1", "substeps: 4") + f"coupling: {gs}\nhistory: {{until: 5, local: true}}\n")
    run(folder, "sweep", "micro.yaml")
    done, script, data = plot(folder, "micro.h5")
    ok(panels(script) == 4 and "2 signals are not drawn" in done.stderr,
       "an input that is held between communication points does not repeat the output that it equals there", done.stderr)
    (folder / "named.yaml").write_text(ring.replace("x0: [1]", "states: [y_held], x0: [1]") + f"coupling: {gs}\nhistory: {{until: 5}}\n")
    run(folder, "sweep", "named.yaml")
    done, script, data = plot(folder, "named.h5")
    ok("discrete-time" not in done.stderr and any("held" in name for name in strings(script, "ylabel")), "a continuous state may be called y_held", done.stderr)


def test_best(folder):
    """Couplings that are the best somewhere have different colours, even if they are eight apart in the list."""
    plant = """system: network
parameters: {k: 10, d: 0.5, H: 0.1}
subsystems:
  - {name: a, A: [[0, 1], [-k, -d]], B: [[0], [1]], C: [[1, 0]], method: rk4, substeps: 4, inputs: [F], outputs: [x]}
  - {name: b, A: [[-1]], B: [[1]], C: [[2]], method: rk4, substeps: 4, inputs: [w], outputs: [g]}
connections: [{from: a.x, to: b.w}, {from: b.g, to: a.F}]
"""
    unstable = "".join(f"{{name: u{i}, scheme: jacobi, macro_step: H, extrapolation: {{phi: {50 + i}, theta: -40}}}}, " for i in range(7))
    (folder / "best.yaml").write_text(plant + "coupling: [{name: first, scheme: jacobi, macro_step: H}, " + unstable + "{name: ninth, scheme: gauss-seidel, macro_step: H}]\n"
        "best: {over: H, range: [0.01, 3]}\naxes: {k: {from: 1, to: 100, points: 7}, d: [0.1, 0.5]}\nfields: [best, best_step]\n")
    swept = run(folder, "sweep", "--quiet", "best.yaml")
    done, script, data = plot(folder, "best.h5")
    tints = re.findall(r"^fill_best\d = area\((\w+)\)", script, re.M)
    ok(len(tints) == 2 and tints[0] != tints[1] and {"first", "ninth"} <= set(legend(script)), "the first and the ninth coupling", swept.stderr, done.stderr, tints)


def test_words(folder):
    """Names in other words, wherever they stand; labels of own points are groups of the legend; eigenvalues on the circle."""
    done, script, data = plot(folder, "ring.h5", "--kind", "comparison", "--select", "d=0.5", "--names", "jacobi=Jacobi,gs=Gauss-Seidel,k=k_C")
    names = legend(script)
    ok({"Jacobi", "Gauss-Seidel"} <= set(names) and "jacobi" not in names and strings(script, "ylabel") == ["{/:Italic k}_{C}"],
       "--names: couplings in the legend, a parameter at its axis", legend)
    (folder / "named.yaml").write_text((folder / "ring.yaml").read_text() + "figure: {names: {jacobi: all at once, k: the gain}}\n")
    run(folder, "sweep", "--quiet", "named.yaml")
    done, script, data = plot(folder, "named.h5", "--kind", "comparison", "--select", "d=0.5", "--names", "gs=Gauss-Seidel,k=k_C")
    names = legend(script)
    ok({"all at once", "Gauss-Seidel"} <= set(names) and strings(script, "ylabel") == ["{/:Italic k}_{C}"], "--names come to those of the spec", names,
       done.stderr)
    # Of the planar system alone gamma and delta are Γ and Δ, and always drawn.
    (folder / "greek.yaml").write_text((folder / "ring.yaml").read_text().replace("k: 1", "gamma: {value: 1, unit: N/m}").replace("-k]", "-gamma]").replace("  k: ", "  gamma: "))
    run(folder, "sweep", "--quiet", "greek.yaml")
    for x, label in (("gamma", "{/:Italic γ} (N/m)"), ("d", "{/:Italic d}")):
        done, script, data = plot(folder, "greek.h5", "--kind", "comparison", "--x", x, "--y", "H")
        ok(strings(script, "xlabel") == [label], f"a network's parameter gamma, along {x}", strings(script, "xlabel"), done.stderr)
    (folder / "groups.csv").write_text("x,y,label\n1,1,first\n1.5,1,second\n2,2,first\n")
    done, script, data = plot(folder, "ring.h5", "--select", "d=0.5", "--kind", "comparison", "--points", "groups.csv")
    marks = set(re.findall(r"pt \d+ ps [\d.]+ +# points of a file", script))
    ok(np.array_equal(block(data, "1.point.own_points"), [[1, 1], [2, 2]]) and np.array_equal(block(data, "1.point.own_points_2"), [[1.5, 1]]) and
       {"first", "second"} <= set(legend(script)) and len(marks) == 2 and "set label" not in script, "points: a mark and an entry of the legend for each label")
    # x' = -x + u beside an integrator that nothing holds: its eigenvalue is 1.
    (folder / "free.yaml").write_text(MODEL.replace("A: [[-d]], B: [[-k]]", "A: [[0]], B: [[0]]").replace("B: [[1]], C: [[1]], x0: [1]",
                                                                                                          "B: [[0]], C: [[1]], x0: [1]"))
    made = run(folder, "map", "free.yaml", "-o", "free.h5")
    done, script, data = plot(folder, "free.h5")
    neutral = block(data, "1.point.neutral")
    ok(made.returncode == done.returncode == 0 and len(neutral) == 1 and np.allclose(neutral, [[1, 0]], atol=1e-12) and "on it: neutral" in script,
       "map: what is neutral has a mark of its own", neutral, made.stderr)


def test_planar_fields(folder):
    """Contours of the planar system's fields, and what is violated as classes."""
    (folder / "planar.yaml").write_text("title: Planar\nsystem: planar\nschemes: [strong]\nmethod: rk4\n"
                                        "axes: {a: [0], gamma: {from: -4, to: 1, points: 61}, delta: {from: -1, to: 13, points: 61}}\n"
                                        "fields: [class, cause, trace, determinant, spectral_radius]\n")
    swept = run(folder, "sweep", "--quiet", "planar.yaml")
    for field, label in (("spectral_radius", "ρ"), ("trace", "trace of the map"), ("determinant", "determinant of the map")):
        done, script, data = plot(folder, "planar.h5", "--kind", "contour", "--of", field)
        ok(swept.returncode == done.returncode == 0 and label in script and strings(script, "xlabel") == ["Γ"] and len(block(data, "1.curve.one")) > 10,
           f"planar contour of {field}", done.stderr)
    done, script, data = plot(folder, "planar.h5", "--kind", "contour", "--names", "gamma=G_1,delta=determinant")
    ok(strings(script, "xlabel") == ["{/:Italic G}_{1}"] and strings(script, "ylabel") == ["determinant"], "--names: gamma and delta", done.stderr)
    (folder / "beside.yaml").write_text((folder / "planar.yaml").read_text().replace("[strong]", "[strong, zigzag]")
                                        .replace("cause, trace", "cause, row_intervals, areas, trace"))
    run(folder, "sweep", "--quiet", "beside.yaml")
    for kind in (["classes"], ["contour", "--of", "trace"]):
        done, script, data = plot(folder, "beside.h5", "--kind", *kind)
        ok(done.returncode == 0 and panels(script) == 2, f"{kind[0]} beside areas and intervals: a panel for each scheme", done.stderr)
    done = plot(folder, "beside.h5", "--kind", "contour", "--of", "class")[0]
    ok(done.returncode == 2 and "with kind 'classes'" in done.stderr, "a contour of codes is refused", done.stderr)
    plot(folder, "planar.h5", "--kind", "classes")
    again = run(folder, "plot", "planar.h5", "--script-only", "--kind", "contour")
    same = run(folder, "plot", "planar.h5", "--script-only", "--kind", "contour")
    quiet = run(folder, "plot", "-q", "planar.h5", "--script-only", "--kind", "classes")
    ok("planar.gp was a figure of another kind, classes" in again.stderr and "another kind" not in same.stderr and quiet.stderr == "",
       "a figure that replaces one of another kind says so", again.stderr, same.stderr)


def test_fields_without_limit(folder):
    """Levels at powers of ten, or at round numbers; values that are not finite are no result."""
    axes = "axes: {k: {from: 0.1, to: 4, points: 16}, H: {from: 0.01, to: 1, points: 16}}\nhistory: {until: 5}\n"
    (folder / "errors.yaml").write_text(MODEL.replace("coupling: [{name: jacobi, scheme: jacobi, macro_step: H}, {name: gs, scheme: gauss-seidel, macro_step: H}]",
                                                      "coupling: {name: jacobi, scheme: jacobi, macro_step: H}").replace("  - {", "  - {") + axes
                                        + "fields: [class, spectral_abscissa, error, error_bound]\n")
    swept = run(folder, "sweep", "--quiet", "errors.yaml")
    done, script, data = plot(folder, "errors.h5", "--kind", "contour", "--of", "error")
    ok(swept.returncode == done.returncode == 0 and all(f"'{level}'" in script for level in ("0.1", "1", "10")) and "largest error of a state" in script
       and not len(block(data, "1.curve.one")), "an error: powers of ten, none of them the limit", swept.stderr, done.stderr)
    with h5py.File(folder / "errors.h5") as file:
        k, H, error = file["k"][()], file["H"][()], file["error"][0]
    lines = np.concatenate([block(data, name) for name in re.findall(r"# (1\.curve\.level[.\d]*): ", data)])
    i, j = (np.clip(np.searchsorted(axis, lines[:, n]) - 1, 0, 19) for n, axis in enumerate((k, H)))
    corners = np.log10([error[i, j], error[i + 1, j], error[i, j + 1], error[i + 1, j + 1]])
    level = np.round(corners.mean(axis=0))
    ok(len(lines) > 60 and np.all(corners.min(axis=0) < level + 0.02) and np.all(corners.max(axis=0) > level - 0.02), "its lines lie between numbers on both sides of them", len(lines))
    done, script, data = plot(folder, "errors.h5", "--kind", "contour", "--of", "spectral_abscissa")
    ok(done.returncode == 0 and "spectral abscissa (1/s)" in script, "a spectral abscissa", done.stderr)
    for given, log in ((), True), (("--y-range", "0.01:1"), True), (("--y-range", "0:0.5"), False):
        done, script, data = plot(folder, "errors.h5", "--kind", "curve", "--of", "error", "--select", "k=4", *given)
        ok(("set logscale y" in script) == log and (log or any(y == (0, 0.5) for y in ranges(script, "y"))),
           f"curves of errors {given}: the axis is logarithmic, but not from 0 on", done.stderr, ranges(script, "y"))


def test_model_words(folder):
    """Labels and units of parameters and signals, which only figures see."""
    plain = MODEL.replace("{k: 1, d: 0.5, H: 0.5}", "{k: {value: 1, label: k_C, unit: N/m}, d: {value: k/2}, H: {value: 0.5, unit: s, display: ms}}")
    words = plain.replace("outputs: [y], method: exact, substeps: 1}\n  -", "outputs: [{name: y, label: speed v_1, unit: m/s}], method: exact}\n  -")
    (folder / "words.yaml").write_text(words)
    (folder / "plain.yaml").write_text(MODEL)
    rows = [run(folder, "limit", name, "--over", "H=0.01:9", "--coupling", "jacobi,gs") for name in ("words.yaml", "plain.yaml")]
    ok(rows[0].returncode == 0 and rows[0].stdout == rows[1].stdout, "a model with words has the same limits", rows[0].stderr)
    run(folder, "limit", "words.yaml", "--over", "k=0.1:9", "-o", "words.h5")
    done, script, data = plot(folder, "words.h5")
    ok(strings(script, "xlabel") == ["{/:Italic k}_{C} (N/m)"], "a parameter's label and unit", done.stderr)
    run(folder, "limit", "words.yaml", "--over", "H=0.01:9", "-o", "ms.h5")
    for label, said in (("macro step", "The horizontal axis is in ms, which its label 'macro step' does not say."), ("macro step (ms)", "")):
        done, script, data = plot(folder, "ms.h5", "--xlabel", label, "--force")
        ok(strings(script, "xlabel") == [label] and (said in done.stderr if said else "is in ms" not in done.stderr), "a label without the displayed unit gets a note", label, done.stderr)
    run(folder, "simulate", "words.yaml", "--until", "3", "-o", "words.h5", "--force")
    done, script, data = plot(folder, "words.h5", "--select", "signal=one.y")
    ok(strings(script, "ylabel") == ["speed {/:Italic v}_{1} (m/s)"], "a signal's label and unit", done.stderr)
    for wrong, message in ((plain.replace("value: 1, ", ""), "the key 'value' is missing"), (plain.replace("value: 1", "value: {value: 1}"), "value: 400 alone"),
                           (words.replace("{name: y", "{nme: y"), "did you mean 'name'?")):
        (folder / "wrong.yaml").write_text(wrong)
        done = run(folder, "limit", "wrong.yaml", "--over", "H=0.01:9")
        ok(done.returncode == 2 and "wrong.yaml:" in done.stderr and message in done.stderr, message, done.stderr)


def test_parts_shown(folder):
    """Texts stay in the panel; numbers at bars' ends; what is too small is named; states that costab adds are left out."""
    (folder / "seen.yaml").write_text(MODEL)
    run(folder, "limit", "seen.yaml", "--over", "k=0.1:9", "-o", "seen.h5")
    done, script, data = plot(folder, "seen.h5")
    ok(re.search(r"set label '2.01' at [^;]* left front font.*T\('≥ 9', '\$\\ge\$ 9'\) at [^;]* right front boxed", script),
       "a bar to the end of the range that was searched says so, in a box", done.stderr, script)
    done, script, data = plot(folder, "seen.h5", "--x-range", "0.2:2")
    ok("set logscale x" in script and "'to " in script, "a window keeps the logarithmic axis and says where a bar ends", done.stderr, script)
    planar = "system: planar\nschemes: [cross, strong]\nmethod: heun\nsubsteps: 2\n"
    (folder / "areas.yaml").write_text(planar + "axes: {a: {from: -6, to: 1, points: 15}}\nfields: [areas]\nfigure: {kind: areas}\n")
    run(folder, "sweep", "-q", "areas.yaml")
    done, script, data = plot(folder, "areas.h5", "--x-range=-2:1")
    at = [float(x) for x in re.findall(r"∞'[^;]*? at ([^,]*), ", script) + re.findall(r"infty\$'\) at ([^,]*), ", script)]
    ok(at and all(-2 < x < 1 for x in at), "the name of an infinite area stands on its visible part", at, script)
    (folder / "chart.yaml").write_text(planar + "axes: {a: [0.2], gamma: {from: -8, to: 1, points: 31}, delta: {from: -2, to: 20, points: 31}}\n")
    run(folder, "sweep", "-q", "chart.yaml")
    done, script, data = plot(folder, "chart.h5", "--kind", "regions")
    ok("US: simulation only, too small to be seen in (b)" in done.stderr and "too small to be seen in (b)" in script, "a region too small to be seen is named", done.stderr)
    same = [plot(folder, "chart.h5", option, "strong")[1:] for option in ("--coupling", "--scheme")]
    ok(same[0][1] and same[0] == same[1], "--scheme is another name of --coupling")
    for options, words in ((("--scheme", "cross", "--coupling", "cross"), "--coupling and --scheme are the same"), (("--co", "x"), "option --co is ambiguous: coupling, "),
                           (("--colors", "grey"), "unknown option --colors; did you mean --colours?")):
        done = plot(folder, "chart.h5", *options)[0]
        ok(done.returncode == 2 and words in done.stderr, words, done.stderr)
    (folder / "pi.yaml").write_text("""system: network
parameters: {H: 0.1}
subsystems:
  - {name: plant, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [x], method: exact}
  - {name: pi, Ad: [[1]], Bd: [[0.1]], Cd: [[1]], Dd: [[0.5]], sample_time: H, computation_delay: 1, inputs: [e], outputs: [u]}
connections: [{from: plant.x, to: pi.e, gain: -1}, {from: pi.u, to: plant.u}]
coupling: {scheme: jacobi, macro_step: H}
""")
    run(folder, "simulate", "pi.yaml", "--until", "3", "-o", "pi.h5")
    done, script, data = plot(folder, "pi.h5")
    ok("2 states that hold outputs" in done.stderr and "held" not in script and "next" not in script and "'pi.$u$'" in script, "states that hold outputs have no panel", done.stderr, script)
    done, script, data = plot(folder, "pi.h5", "--panels", "all")
    ok("held" in script and "next" in script, "--panels all draws them", done.stderr, script)


def test_empty(folder):
    """A figure without a curve or an area is drawn; a tornado without bars is refused."""
    (folder / "one.yaml").write_text(MODEL.replace(", {name: gs, scheme: gauss-seidel, macro_step: H}", ""))
    (folder / "fixed.yaml").write_text(re.sub("parameters:.*\n", "", MODEL).replace("-d", "-0.5").replace("-k", "-1").replace("macro_step: H", "macro_step: 0.5"))
    e = np.exp(-0.25)
    assert e**2 + 50*((1 - e)/0.5)**2 > 1
    for what, made, options in (("limit without an interval", ["limit", "one.yaml", "--over", "k=50:60"], []),
                                ("limit with --x-range beside its bars", ["limit", "one.yaml", "--over", "k=0.1:6"], ["--x-range", "10:20"]),
                                ("areas of zeros", ["area", "--a", "1:5:5", "-s", "cross"], [])):
        made = run(folder, *made, "-o", "empty.h5", "--force")
        if not shutil.which("gnuplot"):
            skip(what, "no gnuplot")
            continue
        done = run(folder, "plot", "empty.h5", "--format", "png", *options)
        ok(done.returncode == 0 and (folder / "empty.png").exists(), what + ": drawn", made.stderr, done.stderr)
        (folder / "empty.png").unlink(missing_ok=True)
    made = run(folder, "margin", "fixed.yaml", "-o", "fixed.h5")
    done = plot(folder, "fixed.h5")[0]
    ok(done.returncode == 2 and "no parameter has a factor" in done.stderr, "a tornado without bars", made.stderr, done.stderr)


def test_single_values(folder):
    """A value without a number next to it is a dot."""
    (folder / "single.yaml").write_text(MODEL.replace("A: [[-d]], B: [[-k]]", 'A: [["-d + 0*sqrt(-abs(k - 2))"]], B: [[-k]]') +
                                        "axes: {k: {from: 1, to: 3, points: 5}}\nfields: [class, spectral_radius]\n")
    swept = run(folder, "sweep", "--quiet", "single.yaml")
    done, script, data = plot(folder, "single.h5", "--kind", "curve", "--coupling", "jacobi")
    dots = block(data, "1.point.c1")
    ok(dots.shape == (1, 2) and np.allclose(dots, [[2, radius(0.5, 2, 0.5)]], rtol=1e-9) and "outside" not in done.stderr,
       "curve: a value between missing ones", swept.stderr, done.stderr, data)
    (folder / "row.csv").write_text("x,y\n1,2\n")
    done, script, data = plot(folder, "ring.h5", "--select", "d=0.5", "--line", "row.csv")
    ok(np.array_equal(block(data, "1.point.own_lines"), [[1, 2]]) and "outside" not in done.stderr, "--line: a line of one point", done.stderr, data)


def test_zero_parameters(folder):
    (folder / "zero_T.yaml").write_text(MODEL.replace("parameters: {", "parameters: {T: 0, ").replace("A: [[-d]], B: [[1]]", 'A: [["-d - T"]], B: [[1]]'))
    made = run(folder, "margin", "zero_T.yaml", "-o", "zero_T.h5")
    done, script, data = plot(folder, "zero_T.h5")
    ok(done.returncode == 0 and "Without a factor, because the nominal value is 0: T." in done.stderr, "tornado: a parameter that is 0 is named", made.stderr, done.stderr)



def test_fractions(folder):
    text = "system: planar\nschemes: [zigzag]\naxes: {a: [0, 1/3, 0.5], gamma: {from: -2, to: 2, points: 5}, delta: {from: -5, to: 3, points: 5}}\nfields: [class]\n"
    (folder / "third.yaml").write_text(text + "figure: {select: {a: 1/3}}\n")
    swept = run(folder, "sweep", "--quiet", "third.yaml")
    done, script, data = plot(folder, "third.h5")
    ok(swept.returncode == done.returncode == 0 and panels(script) == 1 and "= 0.333" in script, "select in a spec takes a fraction", swept.stderr, done.stderr, script)
    (folder / "third.yaml").write_text(text)
    swept = run(folder, "sweep", "--quiet", "--force", "third.yaml")
    done, script, data = plot(folder, "third.h5", "--select", "a=1/2")
    ok(done.returncode == 0 and "= 0.5" in script, "--select takes a fraction", swept.stderr, done.stderr)



def test_areas_range(folder):
    made = run(folder, "area", "--a=-2:1:2", "-s", "cross", "-o", "two.h5")
    done, script, data = plot(folder, "two.h5")
    ok("zero or infinite." in done.stderr and "outside" not in done.stderr, "areas: a curve of zeros and infinite areas", made.stderr, done.stderr)
    done = plot(folder, "two.h5", "--y-range=-3:-1")[0]
    ok(done.returncode == 2 and "areas are not negative" in done.stderr, "areas: a range below 0 is refused", done.stderr)



with tempfile.TemporaryDirectory() as name:
    test_sweep(pathlib.Path(name))
    test_several(pathlib.Path(name))
    test_omitted(pathlib.Path(name))
    test_own(pathlib.Path(name))
    test_refused(pathlib.Path(name))
    test_map(pathlib.Path(name))
    test_own_axes(pathlib.Path(name))
    test_signals(pathlib.Path(name))
    test_histories(pathlib.Path(name))
    test_best(pathlib.Path(name))
    test_words(pathlib.Path(name))
    test_planar_fields(pathlib.Path(name))
    test_fields_without_limit(pathlib.Path(name))
    test_model_words(pathlib.Path(name))
    test_parts_shown(pathlib.Path(name))
    test_empty(pathlib.Path(name))
    test_single_values(pathlib.Path(name))
    test_zero_parameters(pathlib.Path(name))
    test_fractions(pathlib.Path(name))
    test_areas_range(pathlib.Path(name))
finish()
