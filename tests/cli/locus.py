#!/usr/bin/env python3
"""Loci: curves and crossings beside closed forms, eigenvalues beside NumPy's, meetings of eigenvalues, and what is refused."""
import cmath
import json
import math
import pathlib
import re
import tempfile
from random import Random

from table import exported, table
from tap import costab, effort, finish, NETWORK, ok, refused, ROOT, skip

LOOP = """system: network
parameters: {c: 2, H: 0.1}
subsystems: [{name: tank, A: [[0]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}]
connections: [{from: tank.y, to: tank.u, gain: -c}]
coupling:
  - {name: held, scheme: jacobi, macro_step: H}
  - {name: line, scheme: jacobi, extrapolation: linear, macro_step: H}
"""
DRIVE = ROOT / "sweeps/findings/models/drive.yaml"


def curves(folder, model, over, *options):
    """Of each coupling the curves, each a list of (value, eigenvalue, joined)."""
    path, file = pathlib.Path(folder, "m.yaml"), pathlib.Path(folder, "l.h5")
    path.write_text(model)
    done = costab("map", path, "--over", over, "-o", file, "--force", "-q", *options)
    if done.returncode != 0:
        return done.stderr
    values = {(row["coupling"], row["sample"]): row["locus_value"] for row in exported(file, "locus_value")}
    found = {}
    for row in exported(file, "locus_real"):
        value = values[row["coupling"], row["sample"]]
        if value in ("", "nan") or row["locus_real"] in ("", "nan"):
            continue
        found.setdefault(row["coupling"], {}).setdefault(int(row["curve"]), []).append(
            (float(value), complex(float(row["locus_real"]), float(row["locus_imaginary"])), row["locus_joined"] == "yes"))
    return found


def test_closed_forms(folder):
    """Held values are Euler's method, 1 - cH; straight lines that of Adams and Bashforth, z^2 - (1 - 1.5 cH) z - 0.5 cH."""
    found = curves(folder, LOOP, "H=0.01:1.2")
    far = max(min(abs(z - (1 - 2 * H)), abs(z)) for curve in found["held"].values() for H, z, _ in curve)
    ok(far < 1e-12 and all(joined for curve in found["held"].values() for _, _, joined in curve[1:]), "held values follow 1 - cH in one curve", far)
    roots, broken = 0.0, 0
    for curve in found["line"].values():
        for H, z, joined in curve:
            s = 1 - 3 * H
            wanted = [(s + sign * math.sqrt(s * s + 4 * H)) / 2 for sign in (1, -1)]
            roots = max(roots, min(abs(z - w) for w in [*wanted, 0]))
            broken += not joined
        signs = {z.real > 0 for _, z, _ in curve if abs(z) > 1e-4}
        broken += 100 * (len(signs) > 1)
    ok(roots < 1e-11 and broken == len(found["line"]), "straight lines have the roots of Adams and Bashforth, which keep their signs", roots, broken)
    said = table("map", pathlib.Path(folder, "m.yaml"), "--over", "H=0.01:1.2")
    ends = {row["coupling"]: [float(row[k]) for k in ("value", "real", "imaginary", "frequency")] for row in said}
    good = all(math.isclose(ends[name][0], end, rel_tol=1e-11) and abs(ends[name][1] + 1) < 1e-9 and abs(ends[name][2]) < 1e-9 and
               math.isclose(ends[name][3], 0.5 / end, rel_tol=1e-9) for name, end in (("held", 1), ("line", 0.5)))
    ok(len(said) == 2 and good, "and cross the circle at -1 where cH is 2 and 1, at half a turn per step", said)


def test_delays(folder):
    """With a delay of d macro steps, z^(d + 1) - z^d + cH = 0 has its first zero on the circle at cH = 2 cos(d pi/(2 d + 1))."""
    path, c, delay, wanted = pathlib.Path(folder, "m.yaml"), 5, 0.25, []
    path.write_text(LOOP.replace("c: 2", f"c: {c}").replace("gain: -c", f"gain: -c, delay: {delay} s"))
    for d in range(1, 13):
        end = 2 * math.cos(d * math.pi / (2 * d + 1)) / c
        wanted += [end] if delay / d <= end < (delay / (d - 1) if d > 1 else 1) else []
    said = sorted(float(row["value"]) for row in table("map", path, "--over", "H=0.02:1", "--coupling", "held") if row["stability"] == "ends")
    ok(len(said) == len(wanted) > 2 and all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(said, sorted(wanted))),
       "a delay in seconds: a crossing for each number of macro steps", said, wanted)


def rk4(k, H):
    """The eigenvalues of one RK4 step of NETWORK's mass with its input held: x'' = -k x - x' + u, u = x at the step's start."""
    def slope(x, v, u):
        return v, -k * x - v + u
    columns = []
    for x, v in ((1, 0), (0, 1)):
        stages = []
        for part in (0, H / 2, H / 2, H):
            last = stages[-1] if stages else (0, 0)
            stages.append(slope(x + part * last[0], v + part * last[1], x))
        columns.append([s + H / 6 * (stages[0][i] + 2 * stages[1][i] + 2 * stages[2][i] + stages[3][i]) for i, s in enumerate((x, v))])
    trace, determinant = columns[0][0] + columns[1][1], columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0]
    root = cmath.sqrt(trace * trace / 4 - determinant)
    return trace / 2 + root, trace / 2 - root


def followed(z, k, to, H, parts=80):
    """Where an eigenvalue goes between two values by small steps; None where it meets the other one."""
    for i in range(1, parts + 1):
        pair = rk4(k + (to - k) * i / parts, H)
        near = sorted(pair, key=lambda w: abs(w - z))
        if abs(near[0] - near[1]) < 3 * abs(near[0] - z):
            return None
        z = near[0]
    return z


def test_meetings(folder):
    model = NETWORK.split("axes:")[0]
    found = curves(folder, model, "k=0.5:40", "--set", "H=0.5")["jacobi"]
    far, false, met, steps = 0.0, 0, 0, 0
    for curve in found.values():
        for (k, z, _), (to, w, joined) in zip(curve, curve[1:]):
            if abs(z) < 1e-9 and abs(w) < 1e-9:
                continue  # what the master remembers
            far = max(far, min(abs(w - v) for v in rk4(to, 0.5)))
            there = followed(z, k, to, 0.5)
            steps += 1
            met += not joined
            false += joined and (there is None or abs(there - w) > 1e-6)
    ok(far < 1e-11 and false == 0 and steps > 250 and 6 <= met <= 12, "curves go where small steps go, and are broken where two of them meet, three times", far, false, met, steps)


def test_numpy(folder):
    try:
        import numpy
    except ImportError:
        skip("eigenvalues beside NumPy's", "there is no NumPy")
        return
    found = curves(folder, DRIVE.read_text(), "H=0.001:0.05", "--coupling", "jacobi-quadratic")["jacobi-quadratic"]
    far = 0.0
    for i in range(0, 129, 32):
        H = found[0 if 0 in found else 1][i][0]
        rows = table("map", pathlib.Path(folder, "m.yaml"), "--set", f"H={H!r}", "--coupling", "jacobi-quadratic", "--matrix")
        matrix = numpy.array([[float(v) for v in row["value"].split()] for row in rows if row["name"].startswith("row ")])
        size = len(matrix)
        values = numpy.linalg.eigvals(matrix)
        mine = [next(z for at, z, _ in curve if at == H) for curve in found.values()]
        far = max(far, max(min(abs(z - v) for v in values) for z in mine), max(min(abs(z - v) for z in mine) for v in values))
    ok(far < 1e-4 and len(mine) == size, "eigenvalues are NumPy's of the map, the multiple one at 0 as far as rounding tells", far, len(mine), size)


def test_figure(folder):
    file = pathlib.Path(folder, "l.h5")
    done = costab("map", DRIVE, "--over", "H=0.0005:0.1", "--coupling", "jacobi,gauss-seidel", "-o", file, "--force", "-q")
    drawn = costab("plot", file, "--script-only", "-o", folder, "--force")
    script = pathlib.Path(folder, "l.gp").read_text() if drawn.returncode == 0 else ""
    ok(done.returncode == drawn.returncode == 0 and "0.01586" in script and "4.246 Hz" in script and "0.04126" in script,
       "the figure has the crossings with value and frequency", done.stderr, drawn.stderr)
    ranges = [[float(end) for end in pair] for pair in re.findall(r"^set [xy]range \[([^:]+):([^\]]+)\]", script, re.M)]
    places = [[float(at) for at in pair] for pair in re.findall(r"^set label .* at (\S+), (\S+) \w+ front", script, re.M)]
    ok(len(places) >= 2 and all(any(low <= at <= high for low, high in ranges) for place in places for at in place), "words of crossings are inside a panel", places, ranges)
    ends = {row["coupling"]: float(row["upper"]) for row in table("limit", DRIVE, "--over", "H=0.0005:0.1", "--coupling", "jacobi,gauss-seidel")}
    said = {row["coupling"]: float(row["value"]) for row in table("map", DRIVE, "--over", "H=0.0005:0.1", "--coupling", "jacobi,gauss-seidel") if row["stability"] == "ends"}
    ok(all(math.isclose(ends[c], said[c], rel_tol=1e-11) for c in ends) and len(said) == 2, "which are those of `limit`", ends, said)


def network(subsystems, connections, couplings="{name: held, scheme: jacobi, macro_step: H}", parameters="H: 0.1"):
    parts = "".join(f"  - {{name: {name}, A: {A}, B: {B}, C: {C}, x0: {[0] * len(A)}, inputs: [u], outputs: [y], method: exact}}\n" for name, A, B, C in subsystems)
    links = "".join(f"  - {{from: {a}.y, to: {b}.u, gain: {gain}}}\n" for a, b, gain in connections)
    return f"system: network\nparameters: {{{parameters}}}\nsubsystems:\n{parts}connections:\n{links}coupling:\n  - {couplings}\n"


def test_every_crossing(folder):
    """Tanks of their own pass -1 where cH = 2, the fastest first. An oscillator of damping d beside an undamped coupling k passes on as
    (s^2 + d s + 9)(s^2 + d s + 25) + k^2 = 0: s^2 + d s = -17 +- i sqrt(k^2 - 64), so that s = i sqrt(17) where k^2 = 64 + 17 d^2."""
    rates = {"slow": 1, "middle": 2, "fast": 5}
    path = pathlib.Path(folder, "m.yaml")
    path.write_text(network([(name, [[0]], [[1]], [[1]]) for name in rates], [(name, name, -c) for name, c in rates.items()]))
    rows = table("map", path, "--over", "H=0.01:3", "--continuous")
    wanted = [(0.4, "ends"), (1, "none"), (2, "none")]
    ok(len(rows) == 3 and all(math.isclose(float(r["value"]), H, rel_tol=1e-11) and r["stability"] == word and abs(float(r["real"]) + 1) < 1e-9 and
                              math.isclose(float(r["frequency"]), 0.5 / H, rel_tol=1e-9) for r, (H, word) in zip(rows, wanted)),
       "each of three loops passes at its own value, the fastest ends stability, and H moves nothing of the continuous system", rows)
    path.write_text(network([(name, [[0, 1], [-w, "-d"]], [[0], [1]], [[1, 0]]) for name, w in (("a", 9), ("b", 25))], [("a", "b", "k"), ("b", "a", "-k")],
                            parameters="k: 4, d: 0.3, H: 0.02").replace("'-d'", "-d"))
    rows = [r for r in table("map", path, "--over", "k=0.1:60", "--continuous") if r["coupling"] == "continuous system"]
    ends = [math.sqrt(64 + 17 * 0.09), math.sqrt(17)]
    ok(len(rows) == 1 and rows[0]["stability"] == "ends" and math.isclose(float(rows[0]["value"]), ends[0], rel_tol=1e-10) and abs(float(rows[0]["real"])) < 1e-9 and
       math.isclose(float(rows[0]["imaginary"]), ends[1], rel_tol=1e-10) and math.isclose(float(rows[0]["frequency"]), ends[1] / 2 / math.pi, rel_tol=1e-10),
       "the continuous system passes the imaginary axis where the closed form does", rows, ends)
    found = curves(folder, path.read_text(), "k=0.1:60", "--continuous")["continuous system"]
    far = 0.0
    for curve in found.values():
        for k, z, _ in curve:
            q = [-17 + sign * cmath.sqrt(64 - k * k) for sign in (1, -1)]
            far = max(far, min(abs(z - (-0.15 + sign * cmath.sqrt(0.0225 + v))) for v in q for sign in (1, -1)))
    ok(far < 2e-7 and len(found) == 4, "on curves of its four eigenvalues", far)  # a double one, at k = 8, is off by the root of rounding
    rows = [r for r in table("map", path, "--over", "d=-1:1", "--continuous", "--set", "k=0") if r["coupling"] == "continuous system"]
    ok(sorted((round(float(r["imaginary"]), 9), r["stability"]) for r in rows) == [(3, "begins"), (5, "begins")] and all(abs(float(r["value"])) < 1e-12 for r in rows),
       "two that pass at one value are two", rows)
    path.write_text(network([("a", [["-k", 0, 0], [0, "-2*k", 0], [0, 0, "-3*k"]], [[1], [1], [1]], [[1, 1, 1]]), ("b", [[-1]], [[0]], [[1]])], [("a", "b", 1), ("b", "a", 1)],
                            parameters="k: 1, H: 0.1").replace("'", ""))
    for over in ("k=-2:2", "k=-0.3:0.9", "k=-0.71:2"):
        rows = [r for r in table("map", path, "--over", over, "--continuous") if r["coupling"] == "continuous system"]
        ok([(r["value"], r["stability"]) for r in rows] == [("0", "begins")], f"three equal ones at 0 are one: {over}", rows)
    # Of (s - k + c)(s + 2) - g the real root passes 0 where k = c - g/2; the other one is negative.
    wrong = []
    for c, g in ((1.3, 0.7), (1.3, -0.6), (1.37, 0.7), (2.13, 0.7)):
        path.write_text(network([("a", [[f"k - {c}"]], [[1]], [[1]]), ("b", [[-2]], [[1]], [[1]])], [("a", "b", g), ("b", "a", 1)], parameters="k: 0.1, H: 0.1").replace("'", ""))
        rows = [r for r in table("map", path, "--over", "k=-2:2", "--continuous") if r["coupling"] == "continuous system"]
        wrong += [] if [r["stability"] for r in rows] == ["ends"] and abs(float(rows[0]["value"]) - c + g / 2) < 1e-12 else [(c, g, rows)]
    ok(not wrong, "a real eigenvalue that passes 0 alone ends stability", *wrong)
    # The product of the three eigenvalues is k^2, and two of them are near -1: the third one is positive on both sides of k = 0.
    path.write_text(network([("a", [[-1, 0], [0, "-k"]], [[1], [1]], [[1, 1]]), ("b", [[-1]], [["k"]], [[1]])], [("a", "b", 1), ("b", "a", 1)],
                            parameters="k: 1, H: 0.1").replace("'", ""))
    rows = table("map", path, "--over", "k=-0.3:0.3")
    ok(not rows, "what touches the limit from outside begins and ends no stability", rows)


def test_all_counted(folder):
    """Random pairs of oscillators: the number of eigenvalues outside, by `map` between the crossings, changes at each of them and nowhere else."""
    wrong, crossings, inner = [], 0, 0
    path = pathlib.Path(folder, "m.yaml")
    for number in range(effort(1)):
        random = Random(number)
        parts = [(name, [[0, 1], [-random.uniform(4, 60), -random.uniform(0.05, 1)]], [[0], [1]], [[1, 0]]) for name in "abc"]
        path.write_text(network(parts, [(x, y, random.uniform(2, 8)) for x, y in ("ab", "bc", "cb", "ba")],
                                "{name: lines, scheme: jacobi, extrapolation: linear, macro_step: H}"))
        rows = table("map", path, "--over", "H=0.001:2")
        at = sorted(float(r["value"]) for r in rows)
        crossings += len(at)
        inner += sum(r["stability"] == "none" for r in rows)
        before = None
        for low, high in zip([0.001, *at], [*at, 2]):
            counts = set()
            for H in (low + (high - low) * share for share in (0.02, 0.5, 0.98)):
                point = json.loads(costab("map", path, "--set", f"H={H!r}", "-f", "json").stdout)[0]
                counts.add(sum(math.hypot(*z) > 1 for z in point["eigenvalues"]))
            if len(counts) > 1 or counts == before:
                wrong.append((number, low, high, counts, before))
            before = counts
    ok(not wrong and inner >= effort(1), "between neighbouring crossings the number of eigenvalues outside is the same, at each it changes", crossings, inner, wrong)


def test_refused(folder):
    wrong = {"H=1:0.1": "H=1:0.1", "h=0.1:1": "h", "H": "NAME=LO:HI"}
    for over, word in wrong.items():
        refused(f"refused: --over {over}", word, "map", DRIVE, "--over", over)
    refused("--continuous is nothing without --over", "--over", "map", DRIVE, "--continuous")
    rows = ", ".join("[" + ", ".join("-1" if i == j else "0" for j in range(130)) + "]" for i in range(130))
    said = curves(folder, f"system: network\nparameters: {{H: 1}}\nsubsystems:\n  - {{name: a, A: [{rows}], B: [{', '.join(['[0]'] * 130)}], C: [[{', '.join(['0'] * 130)}]], "
                          "inputs: [u], outputs: [y]}\nconnections: []\ncoupling: {macro_step: H}\n", "H=0.1:1")
    ok(isinstance(said, str) and "limited to 128 eigenvalues" in said, "a map of more than 128 rows is refused", said)
    path = pathlib.Path(folder, "single.yaml")
    for steps, over in (("substeps: n", "n=1:5"), ("step: d", "d=0.01:0.1"), ("step: d", "H=0.1:1")):
        path.write_text(NETWORK.split("axes:")[0].replace("parameters: {", "parameters: {n: 2, d: 0.02, ").replace("rk4", "rk4, " + steps))
        refused(f"single values have no curves: {steps} over {over}", "single values", "map", path, "--over", over)


with tempfile.TemporaryDirectory() as folder:
    for test in (test_closed_forms, test_delays, test_every_crossing, test_all_counted, test_meetings, test_numpy, test_figure, test_refused):
        test(folder)
finish()
