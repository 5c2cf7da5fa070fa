#!/usr/bin/env python3
"""Extrapolation by weights: first losses of stability against those of an independent program (SciPy's maps of exact subsystems,
sampled and bisected to 1e-13), eigenvalues and states against closed forms, sweeps and sequences of steps, and what is
refused. Prints TAP."""
import math
import pathlib
import re
import tempfile

from tap import EFFORT, costab, finish, ok, refused, stride
from table import rows_of
from weighted import CHAIN, LOOP, Net, exact

DRIVE, PRECICE = exact("findings/models/drive.yaml"), exact("precice/models/oscillator.yaml")
# (phi, theta) = (0, 0), (0, 1), (1/2, -1), (1, -1), (3/2, -2), (5/2, -4)
WEIGHTS = ("0", "0"), ("0", "1"), ("0.5", "-1"), ("1", "-1"), ("3/2", "-2"), ("5/2", "-4")
LOSSES = [
    ("drive", DRIVE, "solved", [0.04230080474, 0.045817928135, 0.10350220767, 0.065586958784, 0.076729122664, 0.061628515324]),
    ("drive", DRIVE, "delayed", [0.015863937952, 0.025164685423, 0.012471469696, 0.020524432512, 0.013678151784, 0.0082009143283]),
    ("springs", exact("lim/models/springs.yaml"), "delayed",
     [0.0022223656755, 0.014302565897, 0.0022252481236, 0.01814249548, 0.022861459666, 0.069445896982]),
    ("force", exact("lim/models/force.yaml"), "solved",
     [0.00037000011513, 0.0080003623637, 0.00037000761566, 0.010093440365, 0.012705597541, 0.06071692464]),
    ("damped oscillator", PRECICE, "delayed", [0.012725961873, 0.037924384299, 0.012851153828, 0.048554772898, 0.061501186824, 0.11594646284]),
    ("chain", CHAIN, "delayed", [0.058348088399, 0.13382927523, 0.059656449898, 0.17266267517, 0.22013053698, 0.35171469663]),
    ("quarter car", exact("quarter-car/models/quarter-car.yaml"), "solved",
     [0.062207714527, 0.12365779908, 0.066016114112, 0.13026021238, 0.13400950971, 0.14217152578]),
    ("spring and mass", exact("kyllingstad/models/oscillator.yaml"), "delayed",
     [0.5, 0.36338570071, 0.39485867387, 0.49776697328, 0.44057237178, 0.31136420433]),
    ("loop", LOOP, "solved", [1, 0.58887566962, 0.96406291023, 0.60766708195, 0.6177894521, 0.63899233507]),
    ("two masses", exact("two-masses/models/force.yaml"), "solved",
     [3.3050669999, 2.4964323525, 2.8860759403, 2.1115772143, 1.9533485166, 1.722830335]),
]

with tempfile.TemporaryDirectory() as name:
    def model(words, extrapolation, feedthrough="delayed", more=""):
        path = pathlib.Path(name) / "model.yaml"
        path.write_text(words + f"coupling: {{scheme: jacobi, macro_step: H, feedthrough: {feedthrough}, extrapolation: {extrapolation}{more}}}\n")
        return path

    def loss(path, low, high, *more):
        rows, said = rows_of(("lower", "upper"), "limit", path, "--over", f"H={low}:{high}", *more)
        return rows[0]["upper"] if rows and rows[0]["lower"] == low else None, rows, said

    damped = ("--set", "d=1")
    for what, words, feedthrough, losses in LOSSES[::stride(3)]:
        off = []
        more = damped if words is PRECICE else ()
        for (phi, theta), expected in zip(WEIGHTS, losses):
            found, *_ = loss(model(words, f"{{phi: {phi}, theta: {theta}}}", feedthrough), expected / 50, 1.2 * expected, *more)
            off.append(abs((found or 0) / expected - 1))
        ok(max(off) < 5e-10, f"first loss of stability: {what}, {feedthrough}", off)
        named = "jacobi-spectral" + ("-solved" if feedthrough == "solved" else "")
        found, *_ = loss(model(words, "constant"), losses[-1] / 50, 1.2 * losses[-1], "--coupling", named, *more)
        ok(abs((found or 0) / losses[-1] - 1) < 5e-10, f"the same of {named}", found, losses[-1])

    # A mean of the second difference, an extrapolation per connection: the best of classes by search, to the digits given there.
    for what, words, found in (
            ("a and b", DRIVE, loss(model(DRIVE, "{a: [0, 1], b: [5/12 + 1.178/2, -1.178]}", "solved"), 0.001, 0.1)),
            ("of a connection", None, loss(model(DRIVE.replace("load.angle}", "load.angle, extrapolation: linear}").replace(
                "load.speed}", "load.speed, extrapolation: {phi: 0, theta: 1}}"), "{phi: 7.336/2, theta: -6.336}"), 0.001, 0.1))):
        ok(abs(found[0] - {"a and b": 0.071739, "of a connection": 0.033804}[what]) < 5e-6, what, found[0])

    # ---- a weight varies: the class changes at the ends of its intervals
    varied = DRIVE.replace("parameters: {", "parameters: {theta: -4, b: 0.1, ")
    own = varied.replace("load.angle}", "load.angle, extrapolation: {phi: 0.5, theta: theta/8}}")
    for what, words, weights, H, over in (("of a weight", varied, "{phi: (1 - theta)/2, theta: theta}", 0.05, "theta=-6:2"),
                                          ("of the second difference", varied, "{a: [0, 1], b: [5/12 - b/2, b]}", 0.05, "b=-3:1"),
                                          ("of a connection's weight", own, "spectral", 0.02, "theta=-6:2")):
        path = model(words, weights, "solved")
        rows, said = rows_of(("lower", "upper"), "limit", path, "--set", f"H={H}", "--over", over)
        ends = [(row[end], sign) for row in rows for end, sign in (("lower", -1), ("upper", 1)) if row[f"{end}_kind"] == "limit"]
        sides = [[",class,SS" in costab("map", path, "--set", f"H={H}", "--set", f"{over.split('=')[0]}={at + side * 1e-7!r}").stdout
                  for side in (-sign, sign)] for at, sign in ends]
        ok(rows and all(row["class"] == "SS" for row in rows) and all(side == [True, False] for side in sides), f"limit: {what}", rows, sides, said)

    # ---- a sweep over weights, as map has each point
    path = model(varied.replace("theta: -4", "phi: 0, theta: -4"), "{phi: phi, theta: theta}", "solved")
    path.write_text(path.read_text() + "axes: {phi: {from: 0, to: 3, points: 7}, theta: {from: -6, to: 1, points: 8}}\n"
                    "fields: [class, spectral_radius]\nfigure: {kind: contour}\n")
    swept = pathlib.Path(name) / "swept"
    done = costab("sweep", path, "--set", "H=0.05", "-o", f"{swept}.h5")
    table = costab("export", f"{swept}.h5", "--format", "csv", "-o", f"{swept}.csv")
    lines = (pathlib.Path(name) / "swept.csv").read_text().splitlines() if table.returncode == 0 else []
    keys = [line for line in lines if not line.startswith("#")][0].split(",") if lines else []
    points = [dict(zip(keys, line.split(","))) for line in lines if not line.startswith("#")][1:]
    off = []
    for point in points[::9]:
        said = costab("map", path, "--set", "H=0.05", "--set", f"phi={point['phi']}", "--set", f"theta={point['theta']}").stdout
        off.append(abs(float(re.search(r"spectral_radius,(.*)", said)[1]) - float(point["spectral_radius"])))
    ok(len(points) == 56 and len({p["class"] for p in points}) > 1 and max(off) < 1e-12, "a sweep over phi and theta", done.stderr, table.stderr, off)

    # ---- eigenvalues are right to third order where masses exchange displacements: max |ln(mu)/H - lambda| as printed there
    def eigenvalue_error(words, coupling, H, rates, *more):
        said = costab("map", model(words, "constant"), "--coupling", coupling, "--set", f"H={H!r}", *more).stdout
        found = [complex(*map(float, re.split(r"\s+", v))) for v in re.findall(r",eigenvalue,(.*)", said)]
        found.sort(key=abs, reverse=True)
        return max(min(abs(complex(math.log(abs(mu)), math.atan2(mu.imag, mu.real)) / H - rate) for mu in found) for rate in rates)

    def oscillation(stiffness, d):
        return complex(-d / 2, math.sqrt(stiffness - d * d / 4))

    chain = [oscillation(20 * (1 - math.cos(math.pi * j / 6)), 0.5) for j in range(1, 6)]
    two = [oscillation(4 * math.pi**2 * (5 + 4 * s), 1) for s in (-1, 1)]
    for what, words, rates, H, printed, more in (
            ("damped oscillator", PRECICE, two, 0.008, {"linear": (3.989e-2, 2.484e-3), "spectral": (1.201e-3, 1.873e-5)}, damped),
            ("chain", CHAIN, chain, 0.02, {"linear": (8.870e-3, 5.522e-4), "spectral": (2.167e-4, 3.374e-6)}, ())):
        for coupling, expected in printed.items():
            found = [eigenvalue_error(words, f"jacobi-{coupling}", step, rates, *more) for step in (H, H / 4)]
            ok(all(abs(a / b - 1) < 1e-3 for a, b in zip(found, expected)), f"errors of eigenvalues: {what}, {coupling}", found, expected)

    # ---- states at t = 8 without damping, whose error stays where eigenvalues are right; printed with true values before the begin. The program has
    # the begin's for these, which counts at large steps.
    net = Net(PRECICE)
    for coupling, line, printed in (("linear", (0, 1, 0, 0), (3.375, 0.8332, 0.2079, 0.05195)), ("spectral", (2.5, -4, 0, 0), (1.016e-2, 6.635e-4, 8.308e-5, 1.039e-5))):
        off, other = [], []
        for H, error in [*zip((0.008, 0.004, 0.002, 0.001), printed)][:4 if EFFORT > 1 else 2]:
            rows, _ = rows_of(("t", "value", "monolithic"), "simulate", model(PRECICE, "constant"), "--set", "d=0", "--set", f"H={H}",
                              "--until", "8", "--coupling", f"jacobi-{coupling}")
            made = max(abs(r["value"] - r["monolithic"]) for r in rows if abs(r["t"] - 8) < 1e-9 and r["signal"] in "uv")
            off.append(made / net.errors(H, [line] * 2, False, 8)[-1] - 1)
            other.append(net.errors(H, [line] * 2, False, 8, true_past=True)[-1] / error - 1)
        ok(all(abs(x) < 1e-7 for x in off), f"states at t = 8, {coupling}: as by SciPy's macro steps", off)
        ok(all(abs(x) < 5e-4 for x in other), f"states at t = 8, {coupling}: printed with true past values", other)

    # ---- scalar loops in closed form: one integrator of rate c, h = cH, and two of an oscillation of frequency w, h = wH; psi the mean of a(s)
    tank = ("system: network\nparameters: {H: 1, psi: 0}\nsubsystems: [{name: tank, A: [[0]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}]\n"
            "connections: [{from: tank.y, to: tank.u, gain: -1}]\n")
    part = "  - {name: %s, A: [[0]], B: [[%s]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}\n"
    turning = ("system: network\nparameters: {H: 1, psi: 0}\nsubsystems:\n" + part % ("one", "1") + part % ("other", "-1") +
               "connections: [{from: one.y, to: other.u}, {from: other.y, to: one.u}]\n")

    def integrator(psi):
        return min(2 / (1 + 2 * psi) if psi > -0.5 else math.inf, 1 / abs(psi) if psi else math.inf)

    def oscillator(psi):
        return math.sqrt((2 * psi - 1) / (psi**2 * (1 + 2 * psi))) if psi > 0.5 else None

    for what, words, closed in (("an integrator", tank, integrator), ("two integrators", turning, oscillator)):
        for psi in (-0.4, -0.25, 0, 0.3, 0.5, 0.6, (1 + math.sqrt(5)) / 4, 1, 2)[::stride(3)]:
            end, rows, said = loss(model(words, "{phi: psi, theta: 0}"), 0.01, 10, "--set", f"psi={psi!r}")
            wanted = closed(psi)
            ok(end is None and not rows if wanted is None else abs(end / wanted - 1) < 1e-12, f"{what}, psi = {psi:.4g}: {wanted}", rows, said)
    ok(abs(oscillator((1 + math.sqrt(5)) / 4) - 0.600566212002) < 5e-13 and integrator(-0.25) == 4, "the longest of each")
    for what, words, weights, wanted in (("three means 5/9, 3/9, 1/9: 6 but for a touch at 4.5", tank, "{a: [-5/9, 0], b: [1/9, 0]}", 6), ("the means of the oscillation", turning,
                                         "{a: [1/2, 0], b: [sqrt(1/12), 0]}", 0.786640), ("Adams-Bashforth 3", turning, "quadratic", 0.723627227),
                                         ("Adams-Bashforth 3", tank, "quadratic", 6 / 11), ("5/4, 0, -1/4: as far as constant", tank, "{a: [1/2, 0], b: [-1/4, 0]}", 2)):
        rows, said = rows_of(("lower", "upper"), "limit", model(words, weights), "--over", "H=0.01:10")
        ends = [row["upper"] for row in rows]
        touch = [row["upper"] - row["lower"] for row in rows if row["class"] == "undecided"]
        ok(abs(ends[-1] / wanted - 1) < 1e-6 and sum(touch) < 1e-5 and rows[0]["lower"] == 0.01, what, rows, said)

    # ---- radii at one point, and the growth of modes without damping, slow and fast, as printed there
    for what, words, weights, feedthrough, H, radius, more in (
            ("drive, solved", DRIVE, "{phi: 0.5, theta: -1}", "solved", 0.05, 0.975577301744898, ()),
            ("drive", DRIVE, "{phi: 0.5, theta: -1}", "delayed", 0.01, 0.996552684166386, ()),
            ("damped oscillator", PRECICE, "{phi: 5/2, theta: -4}", "delayed", 0.05, 0.976811904320635, damped)):
        said = costab("map", model(words, weights, feedthrough), "--set", f"H={H}", *more).stdout
        ok(abs(float(re.search(r"spectral_radius,(.*)", said)[1]) - radius) < 1e-13, f"spectral radius: {what}", said)
    for coupling, grown in (("linear", (-6.63477e-5, 5.991392e-4)), ("spectral", (1.66087e-5, -1.493531e-4))):
        said = costab("map", model(PRECICE, "constant"), "--set", "d=0", "--set", "H=0.004", "--coupling", f"jacobi-{coupling}").stdout
        found = [complex(*map(float, re.split(r"\s+", v))) for v in re.findall(r",eigenvalue,(.*)", said)]
        found = sorted((abs(math.atan2(mu.imag, mu.real)) / 0.004, math.log(abs(mu)) / 0.004) for mu in found if abs(mu) > 0.9 and mu.imag > 0)
        ok([f"{growth:.5e}" for _, growth in found] == [f"{g:.5e}" for g in grown] or
           max(abs(a[1] / b - 1) for a, b in zip(found, grown)) < 1e-5, f"growth without damping, {coupling}", found)

    # ---- sequences of steps: of one step the bounds are its radius
    rows, said = rows_of((), "pattern", model(DRIVE, "{a: [0, 1], b: [1, -1.2]}", "solved"), "--steps", "0.05")
    one = re.search(r"spectral_radius,(.*)", costab("map", model(DRIVE, "{a: [0, 1], b: [1, -1.2]}", "solved"), "--set", "H=0.05").stdout)
    bounds = {r["name"]: float(r["value"]) for r in rows if r["name"] in ("lower", "upper")}
    ok(bounds["lower"] <= float(one[1]) * (1 + 1e-9) and bounds["upper"] >= float(one[1]) * (1 - 1e-9) and bounds["upper"] < bounds["lower"] + 1e-3,
       "pattern of one step", bounds, one[1])

    # ---- a warning where delayed feedthrough costs the order
    for weights, words, feedthrough, warned in (("spectral", DRIVE, "delayed", True), ("{phi: 0.5, theta: 0.5}", DRIVE, "delayed", False),
                                                ("spectral", DRIVE, "solved", False), ("spectral", CHAIN, "delayed", False)):
        said = costab("info", model(words, weights, feedthrough)).stderr
        ok(("feeds through" in said) == warned, f"warning of {weights}, {feedthrough}: {warned}", said)

    # ---- mistakes
    for weights, more, expected in (("{phi: 1, a: [1, 2]}", "", "expected phi and theta, or the lists a and b"), ("{}", "", "expected phi and theta"),
                                    ("{a: [1]}", "", "expected a list of 2"), ("{psi: 1}", "", "did you mean 'phi'"), ("tuned", "", "unknown name 'tuned'"),
                                    ("spectral", ", smoothed: true", "are not smoothed"), ("constant", ", interpolation: spectral", "unknown name 'spectral'")):
        done = costab("map", model(DRIVE, weights, "solved", more))
        ok(done.returncode == 2 and expected in done.stderr and re.match(r".*model.yaml:\d+:\d+: error", done.stderr), f"refused: {weights}{more}", done.stderr)
    refused("refused: strides", "strides", "map", model(DRIVE.replace("method: exact", "method: exact\n    stride: 2", 1), "spectral", "solved"))
finish()
