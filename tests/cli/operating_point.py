#!/usr/bin/env python3
"""Operating points of whole networks: against closed forms and values by mpmath (30 digits), limits against maps by NumPy."""
import re

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from table import table
from tap import costab, csv_rows, effort, finish, ok, refused, seed, stride, workplace

POWER = """system: network
parameters: {V: 10, R: 1, Lx: 0.1, C: 0.02, P: 10, H: 0.005}
operating_point: solve
subsystems:
  - {name: line, states: [i], f: ["(V - R*i - v)/Lx"], g: [i], inputs: [v], outputs: [i], method: rk4}
  - {name: load, states: [v], f: ["(i - P/v)/C"], g: [v], inputs: [i], outputs: [v], operating_point: {v: 8}, method: rk4}
connections: [{from: line.i, to: load.i}, {from: load.v, to: line.v}]
coupling: {scheme: jacobi, macro_step: H}
"""
DRIVE = """system: network
parameters: {J1: 0.1, J2: 0.5, k: 50, d: 0.2, T: 3, b: 0.04, H: 0.01}
operating_point: solve
subsystems:
  - {name: motor, states: [a, w], inputs: [m], outputs: [a, w], f: [w, (T - m)/J1], g: [a, w]}
  - {name: load, states: [a, w], inputs: [ma, mw], outputs: [m], f: [w, (k*(ma - a) + d*(mw - w) - b*w*abs(w))/J2], g: ["k*(ma - a) + d*(mw - w)"]}
connections: [{from: motor.a, to: load.ma}, {from: motor.w, to: load.mw}, {from: load.m, to: motor.m}]
coupling: {scheme: jacobi, macro_step: H}
"""
DIODE = """system: network
parameters: {Is: 1e-9, Vt: 0.025, R: 100, E: 5, C: 1e-6, Rl: 1e4, H: 1e-6}
operating_point: solve
subsystems:
  - {name: diode, inputs: [v], outputs: [i], g: ["Is*(exp(v/Vt) - 1)"]}
  - {name: cap, states: [vc], inputs: [i], outputs: [v], f: ["(i - vc/Rl)/C"], g: [E - R*i - vc]}
connections: [{from: diode.i, to: cap.i}, {from: cap.v, to: diode.v}]
coupling: {scheme: gauss-seidel, macro_step: H}
"""
MASSES = """system: network
parameters: {F: 1, H: 0.01}
operating_point: solve
subsystems:
  - {name: a, states: [s, v], inputs: [f], outputs: [s, v], f: [v, F + f], g: [s, v]}
  - {name: b, states: [s, v], inputs: [s1, v1], outputs: [f], f: [v, "(s1 - s) + 0.1*(v1 - v)"], g: ["-(s1 - s) - 0.1*(v1 - v)"]}
connections: [{from: a.s, to: b.s1}, {from: a.v, to: b.v1}, {from: b.f, to: a.f}]
coupling: {scheme: jacobi, macro_step: H}
"""
FOLD = """system: network
parameters: {H: 0.1, r: 1}
subsystems:
  - {name: a, states: [x], f: ["r - x^2 + u"], g: [x], inputs: [u], outputs: [y], operating_point: {x: 1.2, solve: true}}
  - {name: b, A: [[-1]], B: [[0]], C: [[1]], inputs: [u], outputs: [y]}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]
coupling: {scheme: jacobi, macro_step: H}
"""
DOUBLE = """system: network
operating_point: solve
subsystems:
  - {name: a, states: [x], f: ["2 - x + u"], g: [x], inputs: [u], outputs: [y], operating_point: {x: 2.5, u: 0.5}}
  - {name: b, states: [x1], f: ["0.1*u - x1"], g: [x1], inputs: [u], outputs: [y], operating_point: {x1: 0.25, u: 2.5}}
  - {name: c, states: [x], f: ["0.5 - x"], g: [x], outputs: [y], operating_point: {x: 0.5}}
connections: [{from: a.y, to: b.u}, {from: c.y, to: a.u}]
coupling: {macro_step: 0.05}
"""
GIVEN = FOLD.replace("x: 1.2, solve: true", "x: 1.2, u: 0.5, solve: true, inputs: given").replace("[[-1]]", "[[-5]]")
# A battery, a motor and their temperatures: products of what the subsystems exchange.
CAR = """system: network
parameters: {C1: 2000, R1: 0.01, R0: 0.02, k: 0.004, L: 1e-3, Ra: 0.1, ke: 0.2, J: 0.05, b: 0.05, Cm: 800, Gm: 8, Gx: 4, Cb: 5000, Gb: 10}
operating_point: solve
subsystems:
  - {name: battery, states: [s], f: [i/C1 - s/(R1*C1)], g: [48 - s - R0*(1 - k*Tb)*i, R0*i^2], inputs: [i, Tb], outputs: [v, q]}
  - {name: motor, states: [i, w], f: [(v - Ra*(1 + k*Tm)*i - ke*w)/L, (ke*i - b*w)/J], g: [i, Ra*(1 + k*Tm)*i^2], inputs: [v, Tm], outputs: [i, q]}
  - {name: heat, states: [Tm, Tb], f: [(qm - Gm*Tm - Gx*(Tm - Tb))/Cm, (qb - Gb*Tb + Gx*(Tm - Tb))/Cb], g: [Tm, Tb], inputs: [qm, qb], outputs: [Tm, Tb]}
connections: [{from: motor.i, to: battery.i}, {from: heat.Tb, to: battery.Tb}, {from: battery.v, to: motor.v}, {from: heat.Tm, to: motor.Tm},
  {from: motor.q, to: heat.qm}, {from: battery.q, to: heat.qb}]
coupling: {macro_step: 1e-3}
"""
# Three generators on lines with losses (E, B, G of the network reduced to them): none is held back, so they end in a common speed.
E, B, G = (1.0566, 1.0502, 1.017), {(0, 1): 1.513, (0, 2): 1.226, (1, 2): 1.088}, {(0, 1): 0.287, (0, 2): 0.21, (1, 2): 0.213}
OWN, POWERS, INERTIAS, DAMPING = (0.846, 0.42, 0.277), (0.716, 1.63, 0.85), (0.1254, 0.0340, 0.0160), 0.02


def power(i, d, sine, cosine, total=sum):
    """What generator i delivers at the angles d; numbers or text of a formula, as the functions have it."""
    pairs = [(E[i] * E[j], tuple(sorted((i, j))), d[i], d[j]) for j in range(3) if j != i]
    return total([E[i]**2 * OWN[i]] + [e * B[pair] * sine(a, b) + e * G[pair] * cosine(a, b) for e, pair, a, b in pairs])


class Text(str):
    """A formula under construction."""
    def __rmul__(self, factor):
        return Text(f"{factor!r}*{self}")

    def __add__(self, other):
        return Text(f"{self} + {other}")


def generators():
    lines = [f"  - {{name: m{i}, states: [d, w], inputs: [p], outputs: [d], f: [w, ({POWERS[i]} - p - {DAMPING}*w)/{INERTIAS[i]}], g: [d]}}" for i in range(3)]
    names = ("d0", "d1", "d2")
    sums = [power(i, names, lambda a, b: Text(f"sin({a} - {b})"), lambda a, b: Text(f"cos({a} - {b})"), lambda terms: " + ".join(map(str, terms))) for i in range(3)]
    lines.append(f"  - {{name: net, inputs: [d0, d1, d2], outputs: [p0, p1, p2], g: [{', '.join(sums)}]}}")
    ends = ", ".join(f"{{from: m{i}.d, to: net.d{i}}}, {{from: net.p{i}, to: m{i}.p}}" for i in range(3))
    return "system: network\noperating_point: solve\nsubsystems:\n" + "\n".join(lines) + f"\nconnections: [{ends}]\ncoupling: {{macro_step: 0.01}}\n"


def newton(equations, x):
    """The root near x, with derivatives by complex steps."""
    x = np.array(x, dtype=float)
    for _ in range(30):
        J = np.array([np.imag(equations(x + 1e-30j * unit)) / 1e-30 for unit in np.eye(len(x))]).T
        x -= np.linalg.solve(J, equations(x))
    return x


def car(x):
    s, i, w, Tm, Tb = x
    v, qb, qm = 48 - s - 0.02 * (1 - 0.004 * Tb) * i, 0.02 * i**2, 0.1 * (1 + 0.004 * Tm) * i**2
    return np.array([i - s / 0.01, v - 0.1 * (1 + 0.004 * Tm) * i - 0.2 * w, 0.2 * i - 0.05 * w, qm - 8 * Tm - 4 * (Tm - Tb), qb - 10 * Tb + 4 * (Tm - Tb)])


def synchronous(x):
    d = (0, x[0], x[1])
    return np.array([POWERS[i] - power(i, d, lambda a, b: np.sin(a - b), lambda a, b: np.cos(a - b)) - DAMPING * x[2] for i in range(3)])


def point(text, *options):
    done = costab("map", "-", "-f", "csv", *options, input=text)
    return {row["name"]: float(row["value"]) for row in csv_rows(done) if row["name"].split()[0] in ("point", "held", "speed")}


def near(found, name, value):
    ok(abs(found.get(name, np.nan) - value) <= 1e-12 * max(1, abs(value)), f"{name} = {value:.12g}", found)


def radius(P, H):
    """The jacobi map with rk4 at v = (10 + sqrt(100 - 4 P))/2."""
    v = (10 + np.sqrt(100 - 4 * P)) / 2
    grow = lambda z: 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24
    drive = lambda z: 1 + z / 2 + z**2 / 6 + z**3 / 24
    a, b = -10 * H, P / (0.02 * v * v) * H
    return max(abs(np.linalg.eigvals([[grow(a), -drive(a) * H / 0.1], [drive(b) * H / 0.02, grow(b)]])))


def simulated_growth(P):
    """How the distance of v from its equilibrium changes from 5 s to 20 s in the nonlinear co-simulation, from 1e-4 beside it on."""
    v = float(10 + np.sqrt(100 - 4 * P)) / 2
    text = POWER.replace("P: 10", f"P: {P!r}").replace("name: line, ", f"name: line, x0: [{10 - v!r}], ").replace("name: load, ", f"name: load, x0: [{v + 1e-4!r}], ")
    done = costab("simulate", "-", "--until", "20", "--signals", "load.v", "-f", "csv", input=text)
    far = [(float(row["t"]), abs(float(row["value"]) - v)) for row in csv_rows(done) if row["point"] == "communication"]
    return max(d for t, d in far if t > 19) / max(d for t, d in far if 4 < t < 5)


def random_network(random):
    """Three subsystems of two states with an equilibrium drawn beforehand: f is dissipative, so that there is no other one."""
    names, x, lines, connections = "abc", random.uniform(-2, 2, (3, 2)), [], []
    gain = random.uniform(-0.3, 0.3, (3, 3))
    y = [x[i][0] + 0.2 * np.sin(x[i][1]) for i in range(3)]
    for i, name in enumerate(names):
        u = sum(gain[i][j] * y[j] for j in range(3) if j != i)
        rows = []
        for k in range(2):
            a, c = (float(number) for number in (random.uniform(-0.5, 0.5), random.uniform(0.5, 2)))
            value = -3 * x[i][k] - c * x[i][k]**3 + a * np.sin(x[i][1 - k]) + u
            rows.append(f"'-3*x{k + 1} - {c!r}*x{k + 1}^3 + {a!r}*sin(x{2 - k}) + u - ({float(value)!r})'")
        lines.append(f"  - {{name: {name}, states: [x1, x2], inputs: [u], outputs: [y], f: [{', '.join(rows)}], g: ['x1 + 0.2*sin(x2)']}}")
        connections += [f"{{from: {names[j]}.y, to: {name}.u, gain: {float(gain[i][j])!r}}}" for j in range(3) if j != i]
    text = "system: network\noperating_point: solve\nsubsystems:\n" + "\n".join(lines) + f"\nconnections: [{', '.join(connections)}]\ncoupling: {{macro_step: 0.01}}\n"
    return text, {f"point {name}.x{k + 1}": x[i][k] for i, name in enumerate(names) for k in range(2)}


def fold_model(c, d, e, g, p, x):
    """x' = p + c x - d x^3 + e z, z' = sin(g x) - z: at rest p = d x^3 - c x - e sin(g x)."""
    z = float(np.sin(g * x))
    return f"""system: network
parameters: {{p: {p!r}}}
operating_point: solve
subsystems:
  - {{name: a, states: [x], f: ['p + ({c!r})*x - {d!r}*x^3 + ({e!r})*u'], g: [x], inputs: [u], outputs: [y], operating_point: {{x: {x!r}, u: {z!r}}}}}
  - {{name: b, states: [z], f: ['sin({g!r}*u) - z'], g: [z], inputs: [u], outputs: [y], operating_point: {{z: {z!r}, u: {x!r}}}}}
connections: [{{from: a.y, to: b.u}}, {{from: b.y, to: a.u}}]
coupling: {{macro_step: 0.05}}
"""


def folds(random):
    """A branch between the two roots of dp/dx next to a random x: its ends, and points on it, from their equations by Brent's method."""
    while True:
        c, d, e, g, x = (float(random.uniform(*ends)) for ends in ((0.5, 2), (0.3, 2), (-2, 2), (0.5, 3), (-2, 2)))
        p, slope = lambda x: d * x**3 - c * x - e * np.sin(g * x), lambda x: 3 * d * x**2 - c - e * g * np.cos(g * x)
        grid = np.linspace(-8, 8, 4001)
        roots = [brentq(slope, a, b, xtol=1e-15, rtol=1e-15) for a, b in zip(grid, grid[1:]) if slope(a) * slope(b) < 0]
        left, right = max([r for r in roots if r < x], default=-4), min([r for r in roots if r > x], default=4)
        if abs(slope(x)) > 0.3 and right - left > 0.4:
            break
    start = float(x)
    text = fold_model(c, d, e, g, float(p(x)), start)
    ends = sorted((float(p(r)), r in roots) for r in (left, right))
    inside = [float(left + (right - left) * share) for share in (0.03, 0.3, 0.6, 0.97)]
    return text, ends, [(float(p(v)), v) for v in inside]


def check_folds():
    random, off, wrong, count = np.random.default_rng(seed(11)), [], [], 0
    for _ in range(effort(1)):
        text, ((low, lower), (high, upper)), inside = folds(random)
        for p, x in inside:
            found = point(text, "--set", f"p={p!r}")
            off.append(abs(found.get("point a.x", np.nan) - x))
        reach = max(high - low, 1)
        over = (low - 0.7 * reach if lower else low, high + 0.4 * reach if upper else high)
        done = costab("limit", "-", "--over", f"p={over[0]!r}:{over[1]!r}", "-f", "csv", input=text)
        for is_fold, word, value in ((lower, "below", low), (upper, "above", high)):
            said = re.search(rf"{word} p = (\S+): no equilibrium", done.stderr)
            count += is_fold
            if bool(said) != is_fold or is_fold and abs(float(said[1]) - value) > max(2e-10 * max(1, abs(value)), 1e-11 * (over[1] - over[0])):  # it is rounded to a decimal
                wrong.append((text, over, low, high, done.stderr))
            rows = [row for row in csv_rows(done) if row["lower_kind" if word == "below" else "upper_kind"] == "lost"]
            if any(abs(float(row["lower" if word == "below" else "upper"]) - value) > 5e-12 * (over[1] - over[0]) for row in rows) or rows and not is_fold:
                wrong.append((text, rows, value))
            if any("undecided" in row.values() or "ill-posed" in row.values() for row in csv_rows(done)):
                wrong.append((text, done.stdout))
            if is_fold and costab("map", "-", "--set", f"p={value + (0.1 if word == 'above' else -0.1)!r}", input=text).returncode != 2:
                wrong.append((text, "beyond", value))
    ok(max(off) < 1e-9, "points on branches of S-shaped curves, by Brent's method", max(off))
    ok(not wrong and count >= effort(1), f"their {count} folds, from below and from above, to 5e-12 of the range", *(str(part) for part in wrong[:1]))


def several(random):
    """x1' = (b1 + 0.5 x1 - x1^3 + c1 x2)/T1, x2 alike: up to nine equilibria, and no cycles as c1 c2 > 0. The text, with its start, and the end of SciPy's run from there."""
    b, c, x = random.normal(size=2) * 0.4, abs(random.normal(size=2)) * 0.5, random.normal(size=2)
    T = 10.0**random.uniform(-1, 1, 2)
    numbers = [[float(number) for number in part] for part in (b, c, T, x)]
    lines = [f"  - {{name: {name}, states: [x], f: ['({b!r} + 0.5*x - x^3 + ({c!r})*u)/{T!r}'], g: [x], inputs: [u], outputs: [y], x0: [{x!r}], operating_point: {{x: {x!r}}}}}"
             for name, b, c, T, x in zip("ab", *numbers)]
    text = "system: network\noperating_point: solve\nsubsystems:\n" + "\n".join(lines) + "\nconnections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]\ncoupling: {macro_step: 0.001}\n"
    run = solve_ivp(lambda t, x: (b + 0.5 * x - x**3 + c * x[::-1]) / T, (0, 3000), x, method="LSODA", rtol=1e-8, atol=1e-10)
    return text, run.y[:, -1]


def check_several():
    random, missed, false, told, count = np.random.default_rng(seed(3)), [], [], 0, max(effort(10), 10)
    for _ in range(count):
        text, end = several(random)
        done = costab("map", "-", "-f", "csv", input=text)
        found = {row["name"]: float(row["value"]) for row in csv_rows(done) if row["name"].startswith("point")}
        elsewhere = max(abs(found.get(f"point {name}.x", np.nan) - value) for name, value in zip("ab", end)) > 1e-4
        said = re.search(r"the result has (\w)\.x = \S+, and from .* comes to rest at (\S+);", done.stderr)
        told += said is not None
        if elsewhere and said is None:
            missed.append(text)
        if said is not None and (not elsewhere or abs(float(said[2]) - end["ab".index(said[1])]) > 1e-4):
            false.append((text, end, done.stderr))
    # x = 10 is an unstable equilibrium beside the start; the system leaves it slowly and ends at 11.
    beside = """system: network
operating_point: solve
subsystems:
  - {name: a, states: [x], f: ['(x - 10) - (x - 10)^3 + 0*u'], g: [x], inputs: [u], outputs: [y], x0: [10.0001], operating_point: {x: 9}}
  - {name: b, states: [x], f: ['-x'], g: [x], inputs: [u], outputs: [y], x0: [0]}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]
coupling: {macro_step: 0.001}
"""
    done = costab("map", "-", input=beside)
    ok("the result has a.x = 9, and from" in done.stderr and "comes to rest at 11;" in done.stderr, "nothing comes to rest at a saddle", done.stderr)
    ok(not false and not missed and told > 0, f"{told} of {count} networks come to rest elsewhere than at the point found, by SciPy: a warning of these alone", len(missed), *missed[:1], *false[:1])


def main():
    with workplace():
        for P in (10, 20, 24.9999):
            near(point(POWER, "--set", f"P={P}"), "point load.v", (10 + np.sqrt(100 - 4 * P)) / 2) if P < 24 else \
                ok(abs(point(POWER, "--set", f"P={P}")["point load.v"] - (10 + np.sqrt(100 - 4 * P)) / 2) < 1e-9, "near the fold")
        for H in (0.01, 0.005)[::stride(2)]:
            low, high = 1, 24
            for _ in range(60):
                low, high = ((low + high) / 2, high) if radius((low + high) / 2, H) < 1 else (low, (low + high) / 2)
            done = costab("limit", "-", "--over", "P=1:30", "--set", f"H={H}", "-f", "csv", input=POWER)
            ok(abs(float(csv_rows(done)[0]["upper"]) / low - 1) < 1e-9 and "followed up to P = 25;" in done.stderr,
               f"limit of P at H = {H}: {low:.10g}; the fold is independent of H", done.stdout, done.stderr)
        for factor, grows in ((0.99, False), (1.01, True)):
            change = simulated_growth(factor * 11.34171836771389)
            ok((change > 1) == grows, f"the nonlinear co-simulation at {factor} of the limit", change)
        random, off = np.random.default_rng(seed(5)), []
        for _ in range(effort(4)):
            text, wanted = random_network(random)
            found = point(text)
            off += [abs(found.get(name, np.nan) - value) for name, value in wanted.items()]
        ok(max(off) < 1e-12, "random networks whose equilibrium is known", off)
        # Typed to the last digit: Newton's method has no step to make.
        found = point(DOUBLE)
        for name, value in (("point a.x", 2.5), ("point b.x1", 0.25), ("point c.x", 0.5)):
            near(found, name, value)
        refused("beyond the fold", "followed up to P = 25; there it meets another equilibrium and vanishes", "map", "-", "--set", "P=26", input=POWER)
        found = point(DRIVE)
        for name, value in (("point load.a", -0.06), ("point motor.w", np.sqrt(3 / 0.04)), ("speed motor.a", np.sqrt(3 / 0.04)), ("held motor.a", 0)):
            near(found, name, value)
        near(point(DRIVE.replace("operating_point: solve", "operating_point: {solve: true, hold: [load.a]}")), "point motor.a", 0.06)
        refused("hold of a state that is determined", "load.w cannot be held", "map", "-",
                input=DRIVE.replace("operating_point: solve", "operating_point: {solve: true, hold: [load.w]}"))
        near(point(DIODE), "point diode.v", 0.32612414922899005)
        values, found = newton(car, [0, 50, 200, 20, 10]), point(CAR)
        for name, value in zip(("battery.s", "motor.i", "motor.w", "heat.Tm", "heat.Tb"), values):
            near(found, f"point {name}", value)
        values, found = newton(synchronous, [0, 0, 0]), point(generators())
        for name, value in zip(("point m1.d", "point m2.d", "speed m0.d", "held m0.d"), (*values, 0)):
            near(found, name, value)
        done = costab("map", "-", "-f", "csv", input=GIVEN)
        ok(f"spectral_abscissa,{-2 * np.sqrt(1.5):.12}"[:30] in done.stdout and "the input u is 0.5 there, but receives 0" in done.stderr and "leave out 'inputs: given' to find" in done.stderr,
           "inputs: given keeps an input that is not what is connected, with a warning", done.stdout, done.stderr)
        for solve in ("", "solve: false, "):
            refused(f"inputs: given of a point that is not solved for: {solve}", "4:100: error: subsystem 'a', operating_point: 'inputs: given' requires", "map", "-",
                    input=GIVEN.replace("solve: true, ", solve))
        refused("masses under a force", ".v accelerates", "map", "-", input=MASSES)  # both masses do
        ok("held a.v" in point(MASSES.replace("F: 1", "F: 0")), "masses without a force: the speed is held, too")
        done = costab("limit", "-", "--over", "r=-1:1", "-o", "lost.h5", input=FOLD)
        rows = table("export", "lost.h5")
        ok(len(rows) == 1 and rows[0]["lower_kind"] == "lost" and abs(float(rows[0]["lower"])) < 1e-9 and "no equilibrium" in done.stderr,
           "a saddle-node ends the limit, in a results file", rows, done.stderr)
        check_folds()
        check_several()
        for what, own, over, row in (("from the side without", "r: -1", "r=-1:1", "0,1,SS,lost,range"), ("and with a wider range", "r: -1", "r=-2:1", "0,1,SS,lost,range"),
                                     ("or a value beside the fold", "r: -0.3", "r=-0.7:2", "0,2,SS,lost,range"))[::stride(3)]:
            done = costab("limit", "-", "--over", over, "-f", "csv", input=FOLD.replace("r: 1", own))
            ok(f"jacobi,r,{row}," in done.stdout and "below r = 0: no equilibrium" in done.stderr, f"a saddle-node {what}", done.stdout, done.stderr)
        done = costab("limit", "-", "--over", "r=-1:-0.5", input=FOLD)
        ok(done.returncode == 2 and "no operating point: no equilibrium was found: the equilibrium at the model's own parameters can be followed up to r = 0;" in done.stderr,
           "a range without an equilibrium", done.stderr)
        # x = sqrt(r^2 - 1): none between -1 and 1, and what lies below -1 is not the branch of r = 2.
        done = costab("limit", "-", "--over", "r=-2:2", "-f", "csv", input=FOLD.replace("r - x^2 + u", "r^2 - 1 - x^2 + 0*u").replace("r: 1", "r: 2"))
        ok("jacobi,r,1,2,SS,lost,range" in done.stdout and len(csv_rows(done)) == 1, "a gap between two folds is not jumped over", done.stdout, done.stderr)
        # x = r crosses x = 0 at r = 0, where it loses its stability: x' = r x - x^2.
        done = costab("limit", "-", "--over", "r=-1.1:1.2", "-f", "csv", input=FOLD.replace("r - x^2 + u", "r*x - x^2 + 0*u"))
        rows = [row for row in csv_rows(done) if row["class"] == "SS"]
        ok(len(rows) == 1 and abs(float(rows[0]["lower"])) < 1e-10 and "no equilibrium" not in done.stderr,
           "an equilibrium is followed where another one crosses it", done.stdout, done.stderr)
        found = point(FOLD.replace("r - x^2 + u", "r*x - x^2 + 0*u"), "--set", "r=-1.3")
        near(found, "point a.x", -1.3)
        for what, f, start, words in (("no equilibrium", "x^2 + 1 + 0*u", 1, "a.x"), ("singular", "sqrt(x) - 1 + u", -1, "no finite value")):
            refused(what, words, "map", "-", input=FOLD.replace("r - x^2 + u", f).replace("x: 1.2", f"x: {start}"))
        typed = POWER.replace("operating_point: solve\n", "").replace("{v: 8}", "{v: 8.872983346207416, i: 1.127016653792583}").replace(
            "inputs: [v], outputs: [i], ", "inputs: [v], outputs: [i], operating_point: {i: 1.127016653792583, v: 8.872983346207416}, ")
        ok("misfit" not in costab("map", "-", input=typed).stderr, "a point that fits")
        ok("misfit 0.0127" in costab("map", "-", "--set", "P=12", input=typed).stderr, "the point of P = 10 at P = 12")
        for what, options, count in (("of what reading the model has said", ("--over", "H=0.001:0.01"), 1), ("of a range that leaves a point that fits", ("--over", "P=10:12"), 1),
                                     ("of a range that does not move it", ("--over", "H=0.001:0.01", "--set", "P=10"), 0)):
            text = typed.replace("P: 10", "P: 12") if "reading" in what else typed
            said = costab("limit", "-", *options, input=text).stderr
            ok(said.count("misfit") == count, f"{count} warning {what}", said)
    finish()


main()
