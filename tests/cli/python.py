#!/usr/bin/env python3
"""The Python module: what it answers is what the program prints, to the last digit, over all commands that it has; broadcasting,
exceptions, Ctrl-C, other threads. With EFFORT above 1 it compares all couplings and ranges, interrupts more functions and runs the
program of docs/how-to/python.md as well. Prints TAP."""
import dataclasses
import importlib.util
import math
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import time
import types
import warnings
from fractions import Fraction

from module import BUILT
from tap import attempt, costab as program, csv_rows, EFFORT, finish, ok, ROOT, seed, stride, words
import numpy as np

import costab
from costab import _systems

LONG_TEST = EFFORT > 1
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
page = (ROOT / "docs/how-to/python.md").read_text()
for block in re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/how-to/planar.md").read_text() + (ROOT / "docs/how-to/own-model.md").read_text(), re.S):
    if "system: " in block:  # a whole file
        pathlib.Path("zigzag.yaml" if "system: planar" in block else "drive.yaml").write_text(block)
drive = costab.Model("drive.yaml")


def rows(*arguments):
    done = program(*arguments)
    assert done.returncode == 0, done.stderr
    return csv_rows(done)


def same(printed, value):
    """A number as the program prints it, "" where there is none, is that double."""
    if printed == "":
        return value is None or math.isnan(value)
    return float(printed) == value


def everywhere(pairs, what, count=1):
    """All pairs are the same number or text, and there are as many as were expected, at least."""
    pairs = list(pairs)
    wrong = [(p, v) for p, v in pairs if not (p == v if isinstance(v, str) else same(p, v))]
    ok(len(pairs) >= count and not wrong, f"as the program prints it: {what} ({len(pairs)} values)", wrong[:5])


# ---- The planar system
random = np.random.default_rng(seed(7))
a, gamma, delta = random.uniform(-2, 2, 200), random.uniform(-5, 1, 200), random.uniform(-2, 12, 200)
pathlib.Path("points.csv").write_text("a,gamma,delta\n" + "".join(f"{x!r},{y!r},{z!r}\n" for x, y, z in zip(a.tolist(), gamma.tolist(), delta.tolist())))
flags = {flag: name for name, flag in costab.planar.CAUSES.items()}
for scheme, method, substeps in (("zigzag", "rk4", 1), ("strong", "heun", 2), ("cross", "exact", (2, 3)), ("simulation", "rk4", 1)):
    options = ("--scheme", scheme, "--method", method, "--substeps", ",".join(map(str, np.atleast_1d(substeps))))
    names = ("class", "cause", "trace", "determinant", "spectral_radius", "iteration_radius")
    found = costab.planar.classify(a, gamma, delta, scheme, method, substeps, fields=names)
    printed = rows("classify", "--points", "points.csv", *options)
    causes = ["+".join(name for flag, name in sorted(flags.items()) if cause & flag) for cause in found["cause"]]
    everywhere([pair for i, row in enumerate(printed) for pair in
                [(row[n], float(found[n][i])) for n in names[2:]] + [(row["class"], costab.CLASSES[found["class"][i]]), (row["cause"], causes[i])]],
               f"classify, {scheme} {method}", 1200)
    written = ["-0.5", 0, Fraction("0.3")]
    areas = costab.planar.area(written, scheme, method, substeps)
    everywhere([pair for i, row in enumerate(rows("area", "--a", ",".join(map(str, written)), *options)) for pair in ((row["area_ss"], areas.ss[i]), (row["error_us"], areas.error_us[i]))],
               f"area, {scheme}", 2 * len(written))
    for number in (0.5, "1/3", Fraction(1, 3))[::stride(2)]:
        curves = costab.planar.boundary(number, scheme, method, substeps)
        flat = [(c.cause, x, y) for c in curves for x, y in zip(c.gamma.tolist(), c.delta.tolist())]
        printed = rows("boundary", "--a", str(number), *options)
        ok(len(flat) == len(printed), f"boundary, {scheme}: as many points", len(flat), len(printed))
        everywhere([pair for (cause, x, y), row in zip(flat, printed) for pair in ((row["curve"], cause), (row["gamma"], x), (row["delta"], y))],
                   f"boundary, {scheme}", 10)
digits = costab.planar.area(0.3, "strong", digits=40)
decimal, double = costab.planar.area("0.548", "cross"), costab.planar.area(0.548, "cross")
ok(abs(decimal.ss - double.ss) > 1000 * decimal.error_ss and costab.planar.area(["137/250"], "cross").ss[0] == decimal.ss,
   "a text is the decimal, a float the double", decimal, double)
everywhere([(row["area_ss"], digits.ss) for row in rows("area", "--a", "0.3", "--scheme", "strong", "--digits", "40")], "area with 40 digits")
# 1 + 3 z vanishes at -1/3, where the fold is everywhere; the double next to it is another number
tripled = {"A": [[0, 0], [3, 0]], "b": [0, 1]}
ok([any(c.cause == "fold" for c in costab.planar.boundary(number, "cross", tripled)) for number in ("-1/3", Fraction(-1, 3), -1 / 3)] == [False, False, True],
   "boundary at a text and at a fraction")
# the double next to both ends is below log 2 = 0.693147180559945309417...
ok([len(costab.planar.critical("cross", "exact", low=low, high=1)) for low in ("0.69314718055994530", "0.69314718055994531", 0.69314718055994531)] == [2, 0, 2] and
   len(costab.planar.critical("cross", "exact", low=Fraction(1, 2), high="7/10")) == 2, "critical takes the ends that are written")
ok([(repr(c.a), c.event) for c in costab.planar.critical("zigzag", gamma=("-0.3", 1), delta=(Fraction(-1, 2), 2))] ==
   [(row["a"], row["event"]) for row in rows("critical", "--scheme", "zigzag", "--gamma", "-0.3:1", "--delta", "-1/2:2")], "critical in a window")
everywhere([pair for row, c in zip(rows("critical", "--scheme", "zigzag"), costab.planar.critical("zigzag")) for pair in
            ((row["a"], c.a), (row["event"], c.event), (row["search"], c.search))], "critical", 9)

codes = costab.planar.classify(np.array([[0.5], [0.2], [-1]]), np.linspace(-4, 0, 5), 3.0, "cross")
ok(codes.shape == (3, 5) and codes.dtype == np.uint8, "arrays broadcast; classes are uint8")
ok(all(codes[i, j] == costab.planar.classify(x, y, 3, "cross") for i, x in enumerate((0.5, 0.2, -1)) for j, y in enumerate(np.linspace(-4, 0, 5))),
   "each point of a broadcast is that point")
ok(costab.planar.classify(0.5, -2, 3, "cross").shape == (), "of numbers the result has no axes")
ok(costab.planar.classify(np.empty((0, 3)), 1, 1).shape == (0, 3), "an empty array stays empty")
ok((costab.planar.classify(a[::-2], gamma[::-2], delta[::-2]) == costab.planar.classify(a, gamma, delta)[::-2]).all(), "strides of any kind")
heun = {"A": [[0, 0], [1, 0]], "b": ["1/2", 0.5]}
ok((costab.planar.classify(a, gamma, delta, "zigzag", heun) == costab.planar.classify(a, gamma, delta, "zigzag", "heun")).all(),
   "a tableau of one's own is the named method")
gauss = {"A": [["1/4", "1/4 - sqrt(3)/6"], ["1/4 + sqrt(3)/6", "1/4"]], "b": ["1/2", "1/2"]}
ok(costab.planar.area(0.3, "strong", gauss) == costab.planar.area(0.3, "strong", "gauss2"), "so is one with roots, exactly")
start = time.perf_counter()
once = costab.planar.area(0, "simulation")
alone, start = time.perf_counter() - start, time.perf_counter()
ok(set(costab.planar.area(np.linspace(-1, 1, 41), "simulation").ss) == {once.ss} and time.perf_counter() - start < 10 * alone,
   "areas of the simulation do not depend on a and are computed once")


# ---- A network
def maps():
    for coupling in ("jacobi", "gauss-seidel-linear", "iterated-hermite"):
        m = drive.map(coupling, H=0.013)
        printed = rows("map", "drive.yaml", "--set", "H=0.013", "--coupling", coupling, "--matrix")
        for name, value in (("spectral_radius", m.radius), ("rounding", m.rounding), ("spectral_abscissa", m.abscissa), ("size", m.size),
                            ("iteration_radius", m.iteration_radius), ("growth", m.growth), ("decay", m.decay), ("class", m.verdict)):
            yield next(row["value"] for row in printed if row["name"] == name), value
        for row, z in zip([r for r in printed if r["name"] == "eigenvalue"], m.eigenvalues, strict=True):
            yield from zip(row["value"].split(), (z.real, z.imag))
        for row, label, line in zip([r for r in printed if r["name"].startswith("row ")], m.labels, m.matrix, strict=True):
            yield row["name"], "row " + label
            yield from zip(row["value"].split(), line.tolist())
        for row, mode in zip([r for r in printed if r["name"] == "mode"], m.modes, strict=True):
            words_ = row["value"].split()
            yield from zip(words_[:3], (mode.frequency, mode.damping, mode.growth))
            yield from zip(words_[3:5], (f"{name}:{share!r}" for name, share in mode.shares.items()))


everywhere(maps(), "map", 150)
some = "all" if LONG_TEST else ["gauss-seidel-linear", "iterated-linear"]
printed = rows("limit", "drive.yaml", "--over", "H=0.0005:0.5", "--coupling", some if some == "all" else ",".join(some))
pieces = drive.limit("H", 5e-4, 0.5, coupling=some)
ok(len(printed) == len(pieces) > (40 if LONG_TEST else 4), "limit: as many pieces", len(printed), len(pieces))
everywhere([pair for row, p in zip(printed, pieces) for pair in zip(row.values(), (p.coupling, p.parameter, p.lower, p.upper, p.verdict, p.lower_kind,
            p.upper_kind, p.lower_cause, p.lower_frequency, p.lower_subsystem, p.upper_cause, p.upper_frequency, p.upper_subsystem), strict=True)], "limit", 40)
over = ("--connections",) if LONG_TEST else ("--over", "k,kd")
everywhere([pair for row, m in zip(rows("margin", "drive.yaml", *over, "--set", "H=0.012"),
                                   drive.margin(None if LONG_TEST else ["k", "kd"], connections=LONG_TEST, H=0.012), strict=True) for pair in
            zip(row.values(), (m.coupling, m.kind, m.name, m.nominal, m.side, m.value, m.factor, m.verdict, m.cause, m.frequency, m.subsystem, m.participation))],
           "margin", 40)
some = None if LONG_TEST else ["jacobi", "gauss-seidel-linear"]
advice = drive.advise("H", 5e-4, 0.5, error=1e-3, until=0.5, coupling=some)
everywhere([pair for row, r in zip(rows("advise", "drive.yaml", "--over", "H=0.0005:0.5", "--error", "1e-3", "--until", "0.5",
                                        *(("--coupling", ",".join(some)) if some else ())), advice.rows[:10], strict=True) for pair in
            zip(row.values(), (r.coupling, r.max_stable_step, r.max_accurate_step, r.cost, r.margin, r.growth, r.limited_by, "yes" if r.recommended else "no"))], "advise", 14)
pathlib.Path("decay.yaml").write_text("""system: network
parameters: {H: 0.1}
subsystems: [{name: a, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}]
connections: [{from: a.y, to: a.u, gain: -3}]
coupling: {macro_step: H}
""")
shown = costab.Model("decay.yaml").report(over=("H", 0.005, 2), error=1e-3, until=1)
ok(program("report", "decay.yaml", "--over", "H=0.005:2", "--error", "1e-3", "--until", "1", "-q", "-o", "report.html").returncode == 0 and
   shown.save("saved.html").read_bytes() == pathlib.Path("report.html").read_bytes() and shown._repr_html_().startswith("<iframe "), "report: the page that the program writes")
ok(len(advice.sentence) > 30 and (not LONG_TEST or advice.sentence.startswith("Take ")), "advise: the sentence", advice.sentence)
followed, whole = drive.locus("k", 5, 500, "jacobi", continuous=True)
passes = rows("map", "drive.yaml", "--over", "k=5:500", "--coupling", "jacobi", "--continuous")
ok([(p["coupling"], float(p["value"]), complex(float(p["real"]), float(p["imaginary"])), p["stability"]) for p in passes] ==
   [(x.coupling, c[0], c[1], c[3] or "none") for x in (followed, whole) for c in x.crossings] and len(passes) == 2 and whole.eigenvalues.shape[0] == 4 and
   followed.eigenvalues.shape == followed.joined.shape == (6, len(followed.values)) and len(followed.values) >= 129 and not followed.joined[:, 0].any(),
   "a locus is the program's, and has curves", passes, followed.crossings)
# What is undecided is said as the program says it.
chain, damped = ROOT / "sweeps/findings/models/feedthrough.yaml", ROOT / "sweeps/gomes2018/models/figure1.yaml"
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    chained = costab.Model(chain)
for what, notes, command, said in (("limit", lambda: chained.limit("g", -1, 1), ("limit", chain, "--over", "g=-1:1"), "undecided, where rounding"),
                                   ("margin", lambda: costab.Model(damped).margin(["c"]), ("margin", damped, "--parameters", "c"), "c: 0.001 to 0.001 is undecided")):
    found = notes()
    printed = [line.removeprefix(f"costab {what}: ") for line in program(*command).stderr.splitlines() if line.startswith(f"costab {what}: ")]
    ok(found.notes.splitlines() == printed and said in found.notes and said in str(found), f"{what}: what is undecided", found.notes, printed)
unsure, sure = chained.locus("g", -1, 1), drive.locus("k", 5, 500)
ok(unsure[0].undecided and "jacobi: some ends of stability are undecided" in str(unsure) and not sure[0].undecided and "undecided" not in str(sure), "locus: crossings may be missing", str(unsure))
pattern = drive.pattern([0.001, 0.025], coupling="jacobi-linear")
everywhere([(row["value"], {"pattern": " ".join(f"{h:.16g}" for h in pattern.pattern), "proved": "yes"}.get(row["name"]) or getattr(pattern, row["name"]))
            for row in rows("pattern", "drive.yaml", "--steps", "0.001,0.025", "--coupling", "jacobi-linear")], "pattern", 6)
over = drive.pattern(over=(0.01, 0.015)) if LONG_TEST else None
everywhere([(row["value"], getattr(over, row["name"])) for row in rows("pattern", "drive.yaml", "--over", "H=0.01:0.015")
            if row["name"] in ("lower", "upper", "rate_lower", "rate_upper", "safe_from", "safe_to")] if LONG_TEST else [], "pattern over a range", 6 * LONG_TEST)
found = {row["name"]: row for row in rows("margin", "drive.yaml", "--uncertain", "--parameters", "k,H", "--set", "H=0.015", "--coupling", "jacobi")}
likely, = drive.uncertainty({"k": 0.1, "H": (0.0135, 0.0165)}, coupling="jacobi", H=0.015)
everywhere([(found["probability"]["value"], likely.probability), (found["probability"]["error"], likely.error), (found["k"]["value"], likely.alone["k"]),
            (found["H"]["error"], likely.errors["H"])], "margin --uncertain", 4)
tuned = drive.tune("H", 0.02, 0.1, vary=0, error=10, until=0.5, coupling="jacobi")
everywhere([pair for row in rows("tune", "drive.yaml", "--over", "H=0.02:0.1", "--vary", "0", "--error", "10", "--until", "0.5") for pair in
            [*((row[key], value) for key, value in zip(("a0", "a1", "b0", "b1"), tuned.weights[row["group"]])),
             *((row[key], getattr(tuned, key)) for key in ("max_stable_step", "robust_to", "fixed", "fixed_to", "gain", "robust_gain", "error", "fixed_error"))]],
           "tune", 24)
ok(tuned.better, "tune: whether it gains", tuned)
# What is asked of a model can be written as the program's file, byte for byte; names of version 0.1.0 are accepted.
for name, answer, command in (("limit", drive.limit("H", 0.001, 0.5, ["jacobi", "newton"]), ["limit", "--over", "H=0.001:0.5", "--coupling", "jacobi,newton"]),
                              ("margin", drive.margin(["k"]), ["margin", "--parameters", "k"]), ("map", drive.map(), ["map"]),
                              ("locus", drive.locus("k", 5, 500), ["map", "--over", "k=5:500"]),
                              ("pattern", pattern, ["pattern", "--steps", "0.001,0.025", "--coupling", "jacobi-linear"]),
                              ("simulate", drive.simulate(0.1), ["simulate", "--until", "0.1"]),
                              ("steps", drive.simulate(0.1, steps=[0.01, 0.02], k=40), ["simulate", "--until", "0.1", "--set", "k=40.0", "--steps", "0.01,0.02"])):
    answer.write(f"mine-{name}.h5")
    program(command[0], "drive.yaml", *command[1:], "-o", f"its-{name}.h5")
    mine, its = (pathlib.Path(f"{whose}-{name}.h5").read_bytes() for whose in ("mine", "its"))
    ok(mine == its, f"{name}: write() writes the program's file", len(mine), len(its))
tuned.write("tuned.h5")
stored = costab.open("tuned.h5")
ok(float(stored["max_stable_step"][0]) == tuned.max_stable_step == tuned.stable_to and list(np.array(stored["a0"])[0]) == [w[0] for w in tuned.weights.values()], "tune: write()")
piece, = drive.limit("H", 0.001, 0.01, "jacobi")
ok((piece.from_is, piece.to_cause) == (piece.lower_kind, piece.upper_cause) and "1/s" in costab.AdviceRow.__doc__, "names of 0.1.0, and units", piece)
history = drive.simulate(0.2, H=0.01)
printed = rows("simulate", "drive.yaml", "--set", "H=0.01", "--until", "0.2")
ok(len(printed) == len(history.rows) > 1000, "simulate: as many rows", len(printed), len(history.rows))
everywhere([pair for row, r in zip(printed, history.rows) for pair in
            ((row["t"], r["t"]), (row["value"], r["value"]), (row["monolithic"], r["monolithic"]),
             (f"{row['subsystem']}.{row['signal']}", history.names[r["subsystem"], r["kind"], r["index"]]),
             (row["point"], "communication" if r["communication"] else "local"))], "simulate", 5000)
some = drive.simulate(0.5, points=6)
ok(sorted({float(t) for t in some.rows["t"]}) == [0, 0.1, 0.2, 0.3, 0.4, 0.5] and some.rows["communication"].all(), "simulate: points", some.rows["t"])
errors = drive.errors(0.5)
everywhere([pair for row, e in zip(rows("simulate", "drive.yaml", "--until", "0.5", "--error"), errors, strict=True) for pair in
            zip(row.values(), (e.subsystem, e.signal, e.error, e.t, e.largest, "yes" if e.worst else "no"), strict=True)], "errors", 40)
ok(len(history["motor.angle"]) > 50 and history["motor.angle"]["value"][0] == 0.1, "simulate: one signal by its name")
for source in ("ma2015", "gomes2018")[not LONG_TEST:]:
    everywhere([pair for row, c in zip(rows("reproduce", "--source", source), costab.claims(source), strict=True) for pair in
                zip(row.values(), (c.source, c.quantity, c.printed, c.checked, c.computed, c.verdict, c.reason))], f"reproduce, {source}", 20)
control = ROOT / "sweeps/ma2015/models/components.yaml"
bound = costab.Model(control).bound(0.1, horizon=0.1)
everywhere([pair for row, value in zip(rows("bound", control, "--error", "0.1", "--horizon", "0.1"), (bound.f[0], bound.g[0], bound.f[1], bound.g[1], bound.horizon,
            bound.factor, bound.macro_step)) for pair in ((row["value"], value),)], "bound", 7)

# ---- Grids: the same bytes as the program's file
program("sweep", "zigzag.yaml", "-o", "theirs.h5", "--quiet")
grid = costab.sweep("zigzag.yaml", "ours.h5")
ok(pathlib.Path("theirs.h5").read_bytes() == pathlib.Path("ours.h5").read_bytes(), "sweep: the file is the program's, byte for byte")
ok(grid["class"].shape == (1, 3, 801, 801) and int(np.asarray(grid["class"])[0, 0, 0, 0]) == costab.planar.classify(-0.5, -4, -1), "and so is what it returns")
opened = costab.open("theirs.h5", fields=["class"])
ok((np.asarray(opened["class"]) == np.asarray(grid["class"])).all(), "open reads it")
steps, stiffness = np.geomspace(1e-3, 0.1, 20), [20, 50, 100]
grid = drive.sweep({"H": steps, "k": stiffness}, ["class", "spectral_radius"])
radii = np.asarray(grid["spectral_radius"])
ok(radii.shape == (1, 20, 3) and all(radii[0, i, j] == drive.map(H=h, k=k).radius for i, h in enumerate(steps) for j, k in enumerate(stiffness)),
   "Model.sweep: every point is that of map")
ok((np.asarray(drive.sweep({"H": steps}, parameters={"k": 100})["class"])[0] == np.asarray(grid["class"])[0, :, 2]).all(), "with a parameter set")
planar = {"system": "planar", "schemes": ["zigzag"], "axes": {"a": [-0.5, 0], "gamma": np.linspace(-4, 0.5, 61), "delta": np.linspace(-1, 13, 61)}}
costab.sweep(planar, "rk4.h5")
costab.sweep({**planar, "method": "heun"}, "heun.h5")
found = costab.compare("rk4.h5", "heun.h5")
printed = csv_rows(program("compare", "rk4.h5", "heun.h5"))
everywhere([pair for row, x, y, place in zip(printed, found["a"], found["b"], found["index"], strict=True) for pair in
            ((row["class_a"], costab.CLASSES[x]), (row["class_b"], costab.CLASSES[y]), (row["delta"], planar["axes"]["delta"][place[3]]))],
           "compare", 100)
drive.sweep({"H": {"from": 0.001, "to": 0.03, "points": 20}, "k": {"from": 20, "to": 100, "points": 20}}, ["spectral_radius"], output="radii.h5")
found = [(str(line.at["coupling"]), line.points["H"][i], line.points["k"][i]) for line in costab.lines("radii.h5") for i in range(len(line.points["H"]))]
everywhere([pair for row, point in zip(rows("boundary", "radii.h5"), found, strict=True) for pair in zip(row.values(), point)], "boundary of results", 30)
costab.plot("ours.h5", "ours.gp", kind="classes", select={"a": 0.5})
program("plot", "theirs.h5", "-o", "theirs.gp", "--kind", "classes", "--select", "a=0.5")
ok(pathlib.Path("ours.dat").read_text() == pathlib.Path("theirs.dat").read_text(), "plot: the figure's data are the program's")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    costab.plot("its-simulate.h5", "history.gp")
ok([str(w.message) for w in told] == ["2 signals are not drawn, repeating others; panels all draws all."], "plot: what is not drawn is a warning", told)

# ---- Models from elsewhere
A, B, C, D = [[0, 1], [-100, -0.4]], [[0, 0], [100, 0.4]], [[50, 0.2]], [[-50, -0.2]]
motor = costab.Subsystem("motor", [[0, 1], [-200, -10]], [[0], [10]], np.eye(2), inputs=["torque"], outputs=["angle", "speed"], substeps=10)
load = costab.Subsystem("load", np.array(A), B, C, D, inputs=["angle", "speed"], outputs=["torque"], substeps=10)
arrays = costab.Model.from_arrays([motor, load], [("motor.angle", "load.angle"), ("motor.speed", "load.speed"), ("load.torque", "motor.torque")])
ok(abs(arrays.map(H=0.013).matrix - drive.map(H=0.013).matrix).max() < 1e-12, "a model from arrays is that of the file")
half = costab.Model.from_arrays([motor, load], [("motor.angle", "load.angle", 0.5), ("motor.speed", "load.speed"), ("load.torque", "motor.torque")])
ok(half.map().radius != arrays.map().radius and half.sweep({"H": [0.01, 0.02]})["class"].shape == (1, 2), "with a gain; and is swept")

# x' = -x + u and y = 3 x, x' = -2 x + u: with jacobi and exact solutions the map is known. Stand-ins have what scipy's and python-control's systems have.
H = 0.3
known = np.array([[math.exp(-H), -3 * (1 - math.exp(-H))], [(1 - math.exp(-2 * H)) / 2, math.exp(-2 * H)]])
radius = abs(np.linalg.eigvals(known)).max()
loop = [("plant.y", "controller.u"), ("controller.y", "plant.u", -1.0)]
Stand = types.SimpleNamespace
plants = {"state space": Stand(A=[[-1.0]], B=[[1.0]], C=[[1.0]], D=[[0.0]], dt=None), "scipy's transfer function": Stand(num=np.array([2.0]), den=np.array([2.0, 2.0]), dt=None),
          "python-control's": Stand(num=[[np.array([1.0])]], den=[[np.array([1.0, 1.0])]], dt=0, input_labels=["u[0]"], output_labels=["y[0]"]),
          "zeros and poles": Stand(to_ss=lambda: Stand(A=-1, B=1, C=1, D=0, dt=None)), "arrays": ([[-1]], [1], [1], 0), "a function": (lambda x, u: (u - np.sinh(x), [x[0] + x[0]**3]), [0], [0]),
          "python-control's nonlinear one": Stand(nstates=1, ninputs=1, dynamics=lambda t, x, u: u - x, output=lambda t, x, u: x, __call__=None), "keys": {"A": [[-1]], "B": [[1]], "C": [[1]], "inputs": ["u"], "outputs": ["y"], "method": "exact"}}
for kind, plant in plants.items():
    if kind.endswith("nonlinear one"):
        plant = type("NonlinearIOSystem", (), {**vars(plant), "dynamics": staticmethod(plant.dynamics), "output": staticmethod(plant.output), "__call__": lambda self: None})()
    made = costab.Model.connect({"plant": plant, "controller": (-2, 1, 3, 0)}, loop)
    ok(abs(made.map(H=H).radius - radius) < 1e-9, f"connect: {kind}", made.map(H=H).radius, radius)
ok(made.couplings == ["jacobi"] and made.parameters == {"H": 1.0}, "connect: jacobi, and H is 1 s")
columns = Stand(num=[[[1.0], [1.0, 0.0]], [[2.0], [5.0]]], den=[[[1.0, 1.0], [1.0, 2.0, 3.0]], [[1.0, 1.0], [1.0, 0.0]]], dt=0, input_labels=["force", "flow"], output_labels=["y[0]", "y[1]"])
keys = _systems.keys_of("mimo", columns, [])
found = np.array(keys["C"]) @ np.linalg.solve(2j * np.eye(len(keys["A"])) - keys["A"], np.array(keys["B"]))
ok(abs(found - [[np.polyval(n, 2j) / np.polyval(d, 2j) for n, d in zip(*row)] for row in zip(columns.num, columns.den)]).max() < 1e-14 and len(keys["A"]) == 4 and
   (keys["inputs"], keys["outputs"]) == (["force", "flow"], ["y1", "y2"]), "connect: a transfer function of two inputs and outputs, with its names", keys)
# x' = u with a sampled gain, K Ts = 2.2 and Ts = 10 H: the system is unstable, a sample has the eigenvalues of z^2 + 0.76 z + 0.22.
for kind, system in (("state space", Stand(A=[[0.0]], B=[[0.0]], C=[[0.0]], D=[[2.2]], dt=0.1)), ("transfer function", Stand(num=[2.2], den=[1.0], dt=0.1)), ("arrays", ([], [], [], 2.2, 0.1))):
    made = costab.Model.connect({"plant": ([[0]], [[1]], [[1]], 0), "controller": system}, [("plant.y", "controller.u"), ("controller.y", "plant.u", -10.0)])
    sampled = made.map(H=0.01)
    ok(sampled.verdict == "US" and abs(sampled.radius**10 - 0.6317744687875781) < 1e-12 and made.parameters == {"H": 0.1}, f"connect: a discrete {kind}", sampled)
said = str(made.limit("H", 0.005, 0.5, ["jacobi", "gauss-seidel"])).splitlines()
ok("Hides an instability of the system: jacobi from 0.005 to 0.0" in said[-1] and "Stable from" not in said[-1] and "No interval: gauss-seidel." in said[-1] and len(said) == 3,
   "limits name intervals that hide an instability as such, and print no row of a coupling without one", said)
named = costab.Model.connect({"plant": {"system": plants["arrays"], "outputs": [{"name": "speed", "unit": "m/s"}], "x0": [1], "method": "rk4", "step": 0.1},
                              "controller": (-2, 1, 3, 0)}, [("plant.speed", "controller.u"), {"from": "controller.y", "to": "plant.u", "gain": -1}], sources={"plant.u": "sin(t)"})
pathlib.Path("named.yaml").write_text(named.to_yaml())
again = costab.Model("named.yaml")
ok("{name: speed, unit: m/s}" in named.to_yaml() and (again.map(H=H).matrix == named.map(H=H).matrix).all() and again.to_yaml() == named.to_yaml(), "to_yaml: the program reads it", named.to_yaml())


# ---- A position servo with a sampled controller
def servo(more=(), connections=(("pi.y", "plant.u"), ("plant.y", "pi.u", -1.0)), plant=(), **keys):
    pi = {"system": Stand(A=[[1]], B=[[0.01]], C=[[10]], D=[[30.1]], dt=0.01), **dict(more)}
    return costab.Model.connect({"plant": {"system": Stand(num=[2.0], den=[1.0, 4.0, 0.0], dt=None), **dict(plant)}, "pi": pi}, connections, **keys)


pathlib.Path("gaps.yaml").write_text("{system: network, model: drive.yaml, axes: {H: [-1, 0.01]}}")
pathlib.Path("ended.yaml").write_text("{system: network, model: drive.yaml, parameters: {H: 0.2}, history: {until: 3000, signals: [motor.angle]}}")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    costab.sweep("gaps.yaml")
    costab.sweep("ended.yaml")
ok(["points cannot be analysed" in str(w.message) or "jacobi ended early" in str(w.message) for w in told] == [True, True], "sweep warns of points that fail, and of histories that end early", told)
keys = servo(plant={"x0": ["1", "-.5e0"]}, title='", "1').to_yaml()
ok("A: [[-4.0, 0.0], [1.0, 0.0]]" in keys and "C: [[0.0, 2.0]]" in keys and "x0: [1, -.5e0]" in keys and '", \\"1"' in keys, "to_yaml: companion form, no -0.0, numbers in texts", keys)
ok((servo(sources={"plant.u": "1"}).simulate(0.1)["plant.y"] == servo(sources={"plant.u": 1}).simulate(0.1)["plant.y"]).all(), "a source that is a number in a text")
pathlib.Path("servo.yaml").write_text(servo().to_yaml())
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    pieces = servo().limit("H", 0.0005, 0.2, coupling="all")
with warnings.catch_warnings(record=True) as moving:
    warnings.simplefilter("always")
    tank = costab.Model.connect({"tank": (lambda x, u: (u - 2*x**2, x), [1.0], [1.0])}, [("tank.y", "tank.u", -1)])
ok(len(moving) == 1 and moving[0].filename == __file__ and tank.warnings == [str(moving[0].message)] and "no equilibrium" in tank.warnings[0], "a point that is no equilibrium warns in the caller's line, and the model lists it", moving, tank.warnings)
printed = program("limit", "servo.yaml", "--over", "H=0.0005:0.2", "--coupling", "all")
everywhere([pair for row, p in zip(csv_rows(printed), pieces, strict=True) for pair in ((row["coupling"], p.coupling), (row["upper"], p.upper))], "limit of the couplings that the model allows", 20)
ok([str(w.message).replace("coupling='all'", "--coupling") for w in told] == [line for line in printed.stderr.splitlines() if "left out" in line] != [] and told[0].filename == __file__,
   "which are left out is told, in the caller's line", told)
ok("H: the 39 values at which macro step and sample time are whole multiples of one another; others were not tried." in str(pieces) and len(pieces[0].tried) == 39 and pieces[0].tried[0] >= 0.0005 and pieces[0].tried[-1] <= 0.2 and
   [p.tried for p in servo(parameters={"g": 1.0}, connections=[("pi.y", "plant.u", "g"), ("plant.y", "pi.u", -1.0)]).limit("g", 0.5, 1)] == [()] and
   "tried" not in str(servo(parameters={"g": 1.0}, connections=[("pi.y", "plant.u", "g"), ("plant.y", "pi.u", -1.0)]).limit("g", 0.5, 1)), "limit tells which single values were tried", str(pieces))
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    unused = servo(parameters={"unused": 1.0})
ok([str(w.message) for w in told] == ["the parameter 'unused' is used nowhere"] and unused.warnings == ["warning: the parameter 'unused' is used nowhere"], "warnings about a model", told)
pathlib.Path("unused.yaml").write_text(unused.to_yaml() + "axes: {H: [0.01, 0.02]}\n")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    unused.sweep({"H": [0.01, 0.02]})
    costab.sweep("unused.yaml")
printed = program("sweep", "unused.yaml", "--quiet", "-o", "unused.h5").stderr.replace("warning: ", "").splitlines()
ok([str(w.message) for w in told] == printed and len(printed) == 1 and "'unused' is used nowhere" in printed[0] and told[0].filename == __file__, "warnings about a spec, but not again about its model", told, printed)


# ---- Answers as text, frames and datasets
limits = drive.limit("H", 0.001, 0.5, ["jacobi", "gauss-seidel-linear"])
table = program("limit", "drive.yaml", "--over", "H=0.001:0.5", "--coupling", "jacobi,gauss-seidel-linear", "--format", "text").stdout
ok([line.split() for line in str(limits).replace(" SS ", " stable ").splitlines()[1:-1]] == [line.split() for line in table.splitlines()[1:4]] and
   str(limits).splitlines()[-1] == "Stable from H = 0.001 up to: jacobi 0.0158639, gauss-seidel-linear 0.0490736.", "limits print the program's table and an answer", str(limits), table)
pathlib.Path("narrow.yaml").write_text("""system: network
parameters: {H: 0.001, k: 0}
subsystems: [{name: a, A: [["(k - 1)*(1 - 2/(1 + 1e14*(k - 2.0000055)^2))"]], B: [[0]], C: [[1]], inputs: [u], outputs: [y], method: exact}]
connections: [{from: a.y, to: a.u}]
coupling: {scheme: jacobi, macro_step: H}
""")
narrow = [line.split()[2:4] for line in str(costab.Model("narrow.yaml").limit("k", 0, 10)).splitlines()[1:3]]
printed = [line.split()[2:4] for line in program("limit", "narrow.yaml", "--over", "k=0:10", "--format", "text").stdout.splitlines()[1:3]]
ok(narrow == printed and float(narrow[1][0]) < 2.0000055 < float(narrow[1][1]), "a narrow interval has more digits, as in the program", narrow, printed)
ok("Nearest change of class: " in str(drive.margin(["k"])) and "jacobi: SS" in repr(drive.map()) and "simulate" not in str(history) and str(history).startswith("20 macro steps up to 0.2 s"), "margins, maps and histories", str(history))
for what, answer in (("limits", limits), ("a map", drive.map()), ("a history", history), ("advice", advice), ("a pattern", pattern), ("a chart", grid)):
    again = pickle.loads(pickle.dumps(answer))
    ok(type(again) is type(answer) and (repr(again.rows) == repr(answer.rows) if what == "a history" else str(again) == str(answer) or list(again) == list(answer)), f"{what}: pickle", again)
if importlib.util.find_spec("xarray"):
    stored = limits.to_xarray()
    ok(dict(stored.sizes) == {"coupling": 2, "parameter": 1, "interval": 2} and float(stored["upper"][0, 0, 0]) == limits[0].upper and list(limits.to_frame()["upper"]) == [p.upper for p in limits] and
       len(history.to_frame()) == len(history.rows) and list(drive.locus("k", 5, 500).to_frame()["value"]) == [float(p["value"]) for p in rows("map", "drive.yaml", "--over", "k=5:500")] and
       advice.to_xarray().sizes["row"] == len(advice.rows), "to_frame() and to_xarray()", stored)


# ---- The documentation: the page's program
for block in re.findall(r"```python\n(import numpy.*?)```", page, re.S) if LONG_TEST else ():
    done = subprocess.run([sys.executable, "-c", block], env={**os.environ, "PYTHONPATH": str(BUILT)}, capture_output=True, text=True, timeout=300)
    ok(done.returncode == 0 and "77.88" in block and done.stdout.splitlines()[-1].startswith("77.883"), "docs/how-to/python.md: its program", done.stdout, done.stderr)


# ---- Mistakes
def raises(kind, work, *pieces):
    try:
        work()
    except kind as problem:
        return all(piece in str(problem) for piece in pieces) or print("#", problem)
    return False


def theirs(*arguments):
    return words(program(*arguments).stderr)


attempt("an unknown parameter: the library's message", lambda: raises(costab.InputError, lambda: drive.map(Q=1), "no parameter 'Q'", "J1, J2"))
attempt("a simulation without motion: the library's message", lambda: raises(costab.InputError, lambda: servo().simulate(1), "nothing moves", "x0") and
        raises(costab.InputError, lambda: servo().errors(1), "nothing moves"))
attempt("one answer of two couplings", lambda: raises(AttributeError, lambda: drive.map(["jacobi", "newton"]).radius, "2 couplings: use [0], or coupling='jacobi'") and
        raises(AttributeError, lambda: drive.map(["jacobi", "newton"]).radios, "no attribute 'radios'"))
attempt("a value that is no number is named", lambda: raises(TypeError, lambda: servo().map(H=[1, 2]), "parameter H: expected a number, found [1, 2]"))
attempt("mistakes in a dict have no positions", lambda: raises(costab.InputError, lambda: servo({"delay": 1}), "unknown key 'delay'; did you mean 'computation_delay'?") and
        not raises(costab.InputError, lambda: servo({"delay": 1}), "model:1") and raises(costab.InputError, lambda: drive.sweep({"H": [0.2, 0.1]}), "axis 'H': '0.1' comes") and
        not raises(costab.InputError, lambda: drive.sweep({"H": [0.2, 0.1]}), ".sweep"))
attempt("is a ValueError, and a costab.Error", lambda: raises(ValueError, lambda: drive.map(Q=1)) and raises(costab.Error, lambda: drive.map(Q=1)))
attempt("a range of one or three ends", lambda: all(raises(ValueError, work, "expected two ends") for work in (
    lambda: costab.planar.critical(gamma=(1,), delta=(0, 1)), lambda: costab.planar.boundary(0, gamma=(1, 2, 3)), lambda: drive.pattern(over=(0.01,)), lambda: drive.pattern(over=(0.01, 0.02, 0.03)))))
attempt("several couplings where the answer is about one", lambda: all(raises(ValueError, work, "expected one") for work in (
    lambda: drive.simulate(0.1, ["newton", "jacobi"]), lambda: drive.errors(0.1, ["newton", "jacobi"]), lambda: drive.tune("H", 0.001, 0.1, coupling=["newton", "jacobi"]))))
attempt("an empty list", lambda: all(raises(ValueError, work, "there is none") for work in (
    lambda: drive.map([]), lambda: drive.pattern([]), lambda: drive.simulate(0.1, steps=[]))))
attempt("a parameter with two values", lambda: raises(ValueError, lambda: drive.map(parameters={"J1": 1}, J1=2), "J1: it has two values"))
part = costab.Subsystem("a", [[-1]], [[1]], [[1]])
attempt("a macro step with two values", lambda: raises(ValueError, lambda: costab.Model.from_arrays([part], [], macro_step=0.5, parameters={"H": 0.3}), "H: it has two values") and
        costab.Model.from_arrays([part], [], parameters={"H": 0.3}).parameters == {"H": 0.3})
attempt("two subsystems of one name", lambda: raises(costab.InputError, lambda: costab.Model.from_arrays([part, part], []), "same name", "a, a"))
attempt("names in arrays, and single ones", lambda: [p.coupling for p in drive.limit("H", 0.001, 0.01, np.array(["jacobi", "newton"]))] == ["jacobi", "newton"] and
        drive.margin(np.array(["k"])) == drive.margin("k") and list(costab.planar.classify(0, 0, 0, fields="trace")) == ["trace"] and
        costab.Model.from_arrays([dataclasses.replace(part, inputs="force")], [("a.y1", "a.force", -3)]).map().size == 1)
attempt("an error without a time, and the other way round", lambda: all(raises(ValueError, work, "error and until belong together") for work in (
    lambda: drive.advise("H", 0.001, 0.1, until=1), lambda: drive.advise("H", 0.001, 0.1, error=1e-3), lambda: drive.advise("H", 0.001, 0.1, error={}, until=1))))
attempt("tuned weights among named couplings", lambda: raises(ValueError, lambda: drive.advise("H", 0.001, 0.1, tune=True, coupling="jacobi"), "jacobi(phi,theta)"))
attempt("a report is about one coupling", lambda: all(raises(ValueError, work, "expected one") for work in (lambda: drive.report(coupling="all"), lambda: drive.report(coupling=["jacobi", "newton"]))))
attempt("counts that are none", lambda: all(raises((TypeError, ArithmeticError, ValueError), work, *pieces) for work, *pieces in (
    (lambda: costab.planar.classify(0, 0, 0, substeps=(1.5, 2)), "substeps: expected a whole number", "1.5"), (lambda: costab.planar.classify(0, 0, 0, substeps="12"), "'12'"),
    (lambda: costab.planar.area(0.3, digits=2.5), "digits: expected a whole number"), (lambda: drive.locus("k", 5, 500, points=-2), "points: expected a whole number from 0", "-2"),
    (lambda: drive.limit("H", 0.001, 0.1, threads=10**12), "threads: expected a whole number"), (lambda: drive.map(modes=None), "modes: expected a whole number"),
    (lambda: drive.map(modes=-1), "number of modes", "-1"))))
attempt("numbers that are none", lambda: all(raises((TypeError, ValueError), work, *pieces) for work, *pieces in (
    (lambda: drive.limit("H", None, 0.1), "lower: expected a number, found None"), (lambda: drive.advise("H", 0.001, 0.1, error="x%", until=1), "error: expected a number, or a percentage", "'x%'"),
    (lambda: drive.pattern(["10 ms"]), "steps: expected numbers"), (lambda: drive.uncertainty({"k": (40, 50, 60)}), "k: expected a share"),
    (lambda: drive.uncertainty({"k": {"mean": 50, "deviation": 1, "sigma": 1}}), "k: expected a share"), (lambda: drive.report(over=("H", 0.1)), "over: expected (parameter, lower, upper)"),
    (lambda: drive.limit(None, 0.001, 0.1), "expected a text, found None"), (lambda: costab.planar.boundary([0.5]), "a: expected a number", "[0.5]"),
    (lambda: costab.planar.critical(low="x"), "low: expected a decimal or a fraction", "'x'"), (lambda: costab.planar.critical(low="1e999999999"), "inf"),
    (lambda: costab.planar.area(0, method={"A": [[0]], "b": [1], "C": [0]}), "method: expected a name, or a tableau"),
    (lambda: drive.pattern(np.array([10, 20], "m8[ms]")), "steps: expected real numbers, found times"), (lambda: drive.limit("H", np.timedelta64(1, "ms"), 0.1), "lower: expected real numbers"))))
attempt("whole numbers of any size are exact", lambda: costab.planar.area(2**53 + 1, digits=25) == costab.planar.area(str(2**53 + 1), digits=25) != costab.planar.area(2.0**53, digits=25))
attempt("arrays without axes, and float32", lambda: costab.planar.boundary(np.array(0.5))[0].gamma[0] == costab.planar.boundary(np.float32(0.5))[0].gamma[0] == costab.planar.boundary(0.5)[0].gamma[0])
attempt("a copy cannot be written", lambda: all(raises(ValueError, lambda answer=answer: pickle.loads(pickle.dumps(answer)).write("x.h5"), "only what a model returned") for answer in (limits, history)))
attempt("a chart at a value that its axis does not have", lambda: all(raises(ValueError, lambda asked=asked: grid.plot("class", **asked), said) for asked, said in (
    ({"k": 51}, "no value 51; the nearest is 50"), ({"k": "x"}, "has numbers, not 'x'"), ({"x": "H", "H": steps[0]}, "H is drawn"))))
gains = costab.Model({"parameters": {"H": 0.1}, "subsystems": [{"name": "a", "D": [[0.5]], "inputs": ["u"], "outputs": ["y"], "method": "rk4"}], "connections": [{"from": "a.y", "to": "a.u"}],
                      "coupling": {"macro_step": "H", "feedthrough": "solved"}})
pathlib.Path("gains.yaml").write_text(gains.to_yaml())
ok(all((p.lower, p.upper, len(p.pattern)) == (0, 0, 0) for p in (gains.pattern([0.1, 0.2]), gains.pattern(over=(0.1, 0.2)))), "patterns of gains alone decay at once")
attempt("a map without modes is no stable one", lambda: all(raises(costab.InputError, work, theirs("map", "gains.yaml").splitlines()[0].removeprefix("costab map: error: ")) for work in (
    lambda: gains.map(), lambda: gains.map(["jacobi-solved"]), lambda: gains.limit("H", 0.1, 0.2))))
attempt("a locus of gains alone", lambda: raises(costab.InputError, lambda: gains.locus("H", 0.1, 0.2), "the map has no states"))
attempt("an unknown coupling", lambda: raises(costab.InputError, lambda: drive.map("jacobbi"), "unknown coupling 'jacobbi'"))
attempt("samples that are no sets", lambda: raises(costab.InputError, lambda: drive.uncertainty({"k": 0.1}, samples=17), "a multiple of 16"))
attempt("a file that is not there is an OSError", lambda: raises(OSError, lambda: costab.Model("none.yaml"), "none.yaml"))
pathlib.Path("wrong.yaml").write_text(pathlib.Path("drive.yaml").read_text().replace("method: rk4", "method: rk5").replace("to: load.speed", "to: load.sped"))
message = theirs("map", "wrong.yaml").strip()
attempt("all mistakes of a file at their places, as the program says them", lambda: message.count("\n") >= 1 and raises(costab.InputError, lambda: costab.Model("wrong.yaml"), message))
attempt("a file that is no results file", lambda: raises(costab.InputError, lambda: costab.open("drive.yaml"), "not an HDF5 file"))
attempt("a field that a file does not have", lambda: raises(KeyError, lambda: costab.open("ours.h5", fields=["decay"]), "it has class"))
attempt("a point that is not finite", lambda: raises(costab.InputError, lambda: costab.planar.classify([0, math.inf], 0, 0), "point 1 is not finite"))
attempt("each a is checked, of the simulation too", lambda: all(raises(costab.InputError, lambda a=a: costab.planar.area([0, a], "simulation")) for a in ("1/0", "x", math.inf)))
for bad in ("1/0", 10**400):
    attempt(f"a tableau with {str(bad)[:3]} in it", lambda entry=bad: raises(costab.InputError, lambda: costab.planar.area(0.3, method={"A": [[entry]], "b": [1]})))
attempt("an unknown field of points", lambda: raises(ValueError, lambda: costab.planar.classify(0, 0, 0, fields=["radius"]), "spectral_radius"))
attempt("arrays that do not broadcast", lambda: raises(ValueError, lambda: costab.planar.classify([1, 2], [1, 2, 3], 0)))
attempt("a planar spec is no model", lambda: raises(ValueError, lambda: costab.Model("zigzag.yaml"), "planar"))
attempt("an existing file of another program is kept", lambda: raises(costab.InputError, lambda: costab.sweep("zigzag.yaml", "points.csv"), "replace it with force=True") and
        pathlib.Path("points.csv").read_text().startswith("a,gamma"))
attempt("types are hinted and every function says what it does", lambda: (BUILT / "costab/py.typed").exists() and all(
    f.__doc__ and f.__annotations__ for f in (costab.planar.classify, costab.planar.area, costab.Model.limit, costab.Model.margin, costab.sweep, costab.plot)))

# ---- What the library cannot take: a NUL, where its texts end, and complex numbers, of which a double would be the real part
nul, z = "H\0x", np.complex128(1 + 1j)
for what, asked in {
        "a parameter": lambda: drive.map(parameters={nul: 1}), "a coupling": lambda: drive.map("jacobi\0"), "couplings": lambda: drive.map(["jacobi", nul]),
        "limit": lambda: drive.limit(nul, 0.1, 1), "margin": lambda: drive.margin([nul]), "uncertainty": lambda: drive.uncertainty({nul: 0.1}),
        "advise": lambda: drive.advise(nul, 0.1, 1), "an error's signal": lambda: drive.advise("H", 0.1, 1, error={nul: 1}, until=1), "locus": lambda: drive.locus(nul, 0.1, 1),
        "report": lambda: drive.report(over=(nul, 0.1, 1)), "tune": lambda: drive.tune(nul, 0.1, 1), "a model's path": lambda: costab.Model("drive.yaml\0x"),
        "a system's path": lambda: costab.Model("x\0.ssp"), "a spec's path": lambda: costab.sweep("zigzag.yaml\0"), "an output": lambda: costab.sweep("zigzag.yaml", "x\0.h5"),
        "a sweep's parameter": lambda: costab.sweep("zigzag.yaml", parameters={nul: 1}), "an output of a model": lambda: drive.sweep({"H": [0.1, 0.2]}, output="x\0.h5"),
        "results": lambda: costab.open("ours.h5\0"), "compare's path": lambda: costab.compare("ours.h5", "ours.h5\0"), "compare": lambda: costab.compare("ours.h5", "ours.h5", "class\0"),
        "lines": lambda: costab.lines("radii.h5", "spectral_radius\0"), "plot": lambda: costab.plot("ours.h5\0"), "plot's output": lambda: costab.plot("ours.h5", "x\0.gp"),
        "explore": lambda: costab.explore("ours.h5\0"), "a page's path": lambda: costab.Page("").save("x\0.html"), "a page": lambda: costab.Page("x\0").save("x.html"),
        "claims": lambda: costab.claims("kns2014\0"), "a scheme": lambda: costab.planar.classify(0, 0, 0, "cross\0"), "a method": lambda: costab.planar.classify(0, 0, 0, method="rk4\0"),
        "a tableau": lambda: costab.planar.area(0, method={"A": [["0\0"]], "b": [1]}), "area": lambda: costab.planar.area("1/3\0"), "areas": lambda: costab.planar.area(["1/3\0"]),
        "digits of an area": lambda: costab.planar.area("1/3\0", digits=20), "boundary": lambda: costab.planar.boundary("1/3\0"),
        "critical": lambda: costab.planar.critical(low=-1, high=Fraction(1) and "1\0")}.items():
    attempt(f"a NUL is refused: {what}", lambda: raises(ValueError, asked, "" if what == "critical" else "NUL"))
attempt("a window of Gamma alone is refused", lambda: raises(ValueError, lambda: costab.planar.critical(gamma=(0, 1)), "belong together"))
attempt("and in a dict", lambda: raises(ValueError, lambda: costab.Model.from_arrays([costab.Subsystem("a\0", [[-1]], [[1]], [[1]])], [])))
ok(not pathlib.Path("x").exists() and not pathlib.Path("x.html").exists(), "nothing of a cut name is written")
sources = {path.name: path.read_text() for path in (BUILT / "costab").glob("*.py") if path.name != "_library.py"}
ok(not [name for name, source in sources.items() if ".encode(" in source or "fsencode" in source], "texts are handed over by word() and file_path() alone")
for what, asked in {
        "classify": lambda: costab.planar.classify([0.5, z], -1, 1), "a zero imaginary part": lambda: costab.planar.classify(0.5, np.ones(3, dtype=np.complex64), 1),
        "objects": lambda: costab.planar.classify(0.5, -1, np.array([Fraction(1), 1j], dtype=object)), "area": lambda: costab.planar.area(1j), "areas": lambda: costab.planar.area(np.array([z])),
        "a list of areas": lambda: costab.planar.area([0.1, z]), "digits of an area": lambda: costab.planar.area(z, digits=20), "boundary": lambda: costab.planar.boundary(z),
        "a window": lambda: costab.planar.boundary(0.5, gamma=(-1, z)), "critical": lambda: costab.planar.critical(low=z), "a tableau": lambda: costab.planar.area(0, method={"A": [[z]], "b": [1]}),
        "a matrix": lambda: costab.Model.from_arrays([dataclasses.replace(part, A=np.array([[-1 + 0j]]))], []), "initial values": lambda: costab.Model.from_arrays([dataclasses.replace(part, x0=[z])], []),
        "feedthrough": lambda: costab.Model.from_arrays([dataclasses.replace(part, D=[[1j]])], []), "a macro step": lambda: costab.Model.from_arrays([part], [], macro_step=z),
        "a gain": lambda: costab.Model.from_arrays([part], [("a.y1", "a.u1", z)]), "a dict": lambda: costab.sweep({"system": "planar", "axes": {"a": [0.1, 1j]}}),
        "a parameter": lambda: drive.map(H=z), "parameters": lambda: drive.map(parameters={"H": 1j}), "an axis": lambda: drive.sweep({"H": np.array([0.1, 0.2j])}),
        "limit": lambda: drive.limit("H", 0.1, z), "uncertainty": lambda: drive.uncertainty({"k": z}), "a range": lambda: drive.uncertainty({"k": (1, z)}),
        "a deviation": lambda: drive.uncertainty({"k": {"mean": 1, "deviation": z}}), "advise": lambda: drive.advise("H", z, 1), "an error": lambda: drive.advise("H", 0.1, 1, error=z, until=1),
        "report": lambda: drive.report(until=z), "a report's range": lambda: drive.report(over=("H", 0.1, z)), "locus": lambda: drive.locus("H", 0.1, z), "steps": lambda: drive.pattern([0.1, z]),
        "a range of steps": lambda: drive.pattern(over=(0.1, z)), "tune": lambda: drive.tune("H", 0.1, z), "simulate": lambda: drive.simulate(z), "steps of a simulation": lambda: drive.simulate(1, steps=[z]),
        "errors": lambda: drive.errors(z), "bound": lambda: drive.bound(z)}.items():
    attempt(f"complex numbers are refused: {what}", lambda: raises(TypeError, asked, "complex"))
attempt("a text is refused by its argument's name", lambda: raises(TypeError, lambda: drive.limit("H", "0.5ms", 0.5), "lower: expected a number, found '0.5ms'"))
for entry in (1j, 1.0):
    record = np.array([(entry,)], dtype=[("x", type(entry))])
    attempt(f"records are refused: {entry}", lambda: raises(TypeError, lambda: costab.planar.classify(record, -2.0, 3.0), "array['x']"))
for spread in (-0.1, 0, (90, 50), (50, 50), {"mean": 50, "deviation": -5}):
    try:
        drive.uncertainty({"k": spread})
        said = "nothing"
    except costab.InputError as error:
        said = str(error)
    ok("expected a share above 0" in said, f"uncertainty of {spread} is refused", said)
for what, system, piece in (("improper", Stand(num=[1, 2, 3], den=[1, 2], dt=None), "improper"), ("a corner", (lambda x, u: (abs(x), x), [0], [0]), "no derivatives"),
                            ("no operating point", lambda x, u: (x, x), "(function, x0, u0)"), ("shapes", ([[1, 2]], 1, 1, 0), "expected n x n"), ("another object", "plant", "found a str"),
                            ("no sample time", Stand(A=1, B=1, C=1, D=0, dt=True), "sample time"), ("three arrays", (1, 2, 3), "tuple of 3")):
    attempt(f"connect refuses: {what}", lambda: raises(costab.InputError, lambda: costab.Model.connect({"a": system}, []), "system 'a'", piece))
attempt("connect refuses four entries", lambda: raises(costab.InputError, lambda: costab.Model.connect({"a": (1, 1, 1, 0)}, [("a.y", "a.u", 1, 2)]), "(from, to, gain)"))
attempt("an axis longer than any text", lambda: raises(costab.InputError, lambda: drive.sweep({"H": np.zeros(400_000_000)}), "64 MiB"))
large = costab.planar.classify(np.linspace(-1, 1, 30)[:, None], -1.0, np.linspace(0, 9, 3500, dtype=np.float32), "cross")
ok((large.ravel() == np.concatenate([costab.planar.classify(x, -1, np.linspace(0, 9, 3500, dtype=np.float32), "cross") for x in np.linspace(-1, 1, 30)])).all(), "many points are those of their rows")
beyond = np.zeros(100_000)
beyond[77_777] = math.nan
attempt("one of many points that is not finite", lambda: raises(costab.InputError, lambda: costab.planar.classify(0, beyond, 1), "point 77777 is not finite: a = 0, gamma = nan, delta = 1"))

# ---- Other threads and Ctrl-C
long = """
import resource, signal, threading, time, costab
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30)) # where nobody stops it any more, it ends by itself
from costab._library import ffi, lib
from costab import _results
spec = {"system": "planar", "schemes": ["strong"], "axes": {"a": {"from": -2, "to": 2, "points": 4000}, "gamma": {"from": -6, "to": 2, "points": 2000},
        "delta": {"from": -2, "to": 14, "points": 2000}}, "fields": ["spectral_radius"]}
run = ffi.new("python_run *")
def stop():  # it runs only if the call leaves Python to others
    while run.total == 0: time.sleep(0.01)
    run.stop = 1
threading.Thread(target=stop, daemon=True).start()
text = _results.json_text(spec)
study = _results.study_of(lambda box, error: lib.costab_study_parse(b"spec", text, len(text), box, error))
try: _results.run_study(study, run, "stopped.h5", 1, False, False, False)
except KeyboardInterrupt: print("stopped by a thread")
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0, lambda: print("running", flush=True)).start()
try: costab.sweep(spec, "long.h5")
except KeyboardInterrupt: print("stopped", int(costab.planar.classify(0.5, -2, 3, "cross")), flush=True)
"""
child = subprocess.Popen([sys.executable, "-c", long], env={**os.environ, "PYTHONPATH": str(BUILT)}, stdout=subprocess.PIPE, text=True)
first = child.stdout.readline()
ok(first == "stopped by a thread\n" and not pathlib.Path("stopped.h5").exists(), "other threads run while a sweep does", first)
first = child.stdout.readline()
while child.poll() is None and not pathlib.Path("long.h5.checkpoint").exists():
    time.sleep(0.01)
child.send_signal(signal.SIGINT)
rest = child.stdout.read()
child.wait(timeout=300)
ok(first == "running\n" and rest == "stopped 2\n" and child.returncode == 0, "Ctrl-C ends a sweep as KeyboardInterrupt; Python goes on", first, rest, child.returncode)
ok(not pathlib.Path("long.h5").exists() and pathlib.Path("long.h5.checkpoint").exists(), "no unfinished file; the finished tiles are kept")
# A ring of 150 oscillators: each of these takes minutes.
parts = "".join(f"  - {{name: s{i}, A: [[0, 1], [-3, -0.1]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], method: rk4}}\n" for i in range(150))
wires = "".join(f"  - {{from: s{i}.x, to: s{(i + d) % 150}.{port}}}\n" for i in range(150) for d, port in ((1, "l"), (-1, "r")))
pathlib.Path("ring.yaml").write_text(f"system: network\nparameters: {{H: 0.01}}\nsubsystems:\n{parts}connections:\n{wires}coupling: {{scheme: jacobi, macro_step: H}}\n")
waiting = """
import costab, signal, sys
import numpy as np
from costab import planar
signal.signal(signal.SIGINT, signal.default_int_handler)
model = costab.Model("ring.yaml")
for asked in sys.stdin:
    print("running", flush=True)
    try: eval(asked)
    except KeyboardInterrupt: print("stopped", flush=True)
    print("usable", costab.Model({"system": "network", "subsystems": [{"name": "a", "A": [[-1]], "B": [[1]], "C": [[1]], "inputs": ["u"], "outputs": ["y"],
          "method": "euler"}], "connections": [], "coupling": {"macro_step": "H"}, "parameters": {"H": 1}}).limit("H", 0.1, 3)[0].upper, flush=True)
"""
child = subprocess.Popen([sys.executable, "-c", waiting], env={**os.environ, "PYTHONPATH": str(BUILT)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for asked in ("model.limit('H', 0.001, 0.4)", "model.margin()", "model.advise('H', 1e-4, 0.1, error=1e-3, until=500)",
              "planar.classify(0.5, np.broadcast_to(np.linspace(-4, 0, 20000), (20000, 20000)), 2)", "planar.classify(np.zeros(400_000_000), -1, 2, fields=['class', 'spectral_radius'])",
              "planar.area(np.linspace(-1, 1, 10_000_000))", "planar.area('1/3', 'strong', substeps=(40, 41), digits=1000)")[::stride(3)]:
    last, seconds = "digits" in asked, []
    for _ in range(1 if last else 3):  # the fastest: others may have the processors for a moment
        child.stdin.write(asked + "\n")
        child.stdin.flush()
        first = child.stdout.readline()
        time.sleep(0.1)
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        second = child.stdout.readline()
        seconds.append(time.monotonic() - start)
        if last:
            child.kill()  # the library is busy for minutes
            break
        third = child.stdout.readline()
        if seconds[-1] < 0.5:
            break
    ok(first == "running\n" and second == "stopped\n" and seconds[-1] < 0.5, f"Ctrl-C ends {asked} within half a second", first, second, seconds)
    ok(last or third.startswith("usable 2"), "and the library goes on", third)
child.stdin.close()
child.wait(timeout=300)
os.chdir("/")
finish()
