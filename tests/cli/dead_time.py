#!/usr/bin/env python3
"""Dead time of connections: abscissas, radii, limits and margins against reference values; abscissas, radii, classes and histories of random
systems against two programs of this file, the characteristic equation and a master that passes messages; refusals. Prints TAP."""
import os
import pathlib
from math import floor, pi, sin

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices
import numpy as np
from scipy.linalg import expm

from tap import costab, csv_rows, effort, finish, ok, seed, workplace

SCALAR = """system: network
parameters: {K: 1.2, tau: 1, H: 0.3}
subsystems:
  - {name: a, A: [[0]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: a.u, gain: -K, dead_time: tau s}]
coupling: {scheme: jacobi, macro_step: H}
"""
C31 = """system: network
parameters: {Kc: 1.5, tau: 3, H: 0.1}
subsystems:
  - {name: pi, A: [[0]], B: [[1/8]], C: [[Kc]], D: [[Kc]], inputs: [e], outputs: [u], method: exact}
  - {name: plant, A: [[-1/10]], B: [[1/10]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}
connections: [{from: pi.u, to: plant.u, dead_time: tau s}, {from: plant.y, to: pi.e, gain: -1}]
coupling: {scheme: jacobi, macro_step: H}
"""
C33 = """system: network
parameters: {K: 1, tau: 1, H: 0.01}
subsystems:
  - {name: one, A: [[-1, -0.25], [1, 0]], B: [[1], [0]], C: [[7.5, 0.15]], inputs: [u], outputs: [y], method: exact}
  - {name: two, A: [[-0.03, -254.9], [1, 0]], B: [[1], [0]], C: [[0.0001 - 0.04*0.03, 1.1 - 0.04*254.9]], D: [[0.04]], inputs: [u], outputs: [y], method: exact}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u, gain: -K, dead_time: tau s}]
coupling: {scheme: jacobi, macro_step: H}
"""
PI = """system: network
parameters: {tau: 1, H: 0.01}
subsystems:
  - {name: pi, A: [[0]], B: [[1]], C: [[0.1]], D: [[0.5]], inputs: [e], outputs: [u], method: exact}
  - {name: tank, A: [[0]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}
connections: [{from: pi.u, to: tank.u, dead_time: tau s}, {from: tank.y, to: pi.e, gain: -1}]
coupling: {scheme: jacobi, macro_step: H}
"""


def values_of(text, *options):
    """What map says of the first coupling, by name."""
    pathlib.Path("model.yaml").write_text(text)
    done = costab("map", "model.yaml", *options, "-f", "csv")
    found = {"said": done.stderr}
    for row in csv_rows(done) if done.returncode == 0 else []:
        found.setdefault(row["name"], row["value"])
    return found


def near(found, wanted, error=1e-11):
    return found is not None and abs(float(found) - wanted) <= error * abs(wanted)


def is_abscissa(text, wanted, *options):
    at = values_of(text, *options)
    ok(near(at.get("spectral_abscissa"), wanted), f"abscissa {wanted} {' '.join(options)}", at)


def references():
    """The Lambert function, loops of the literature, and radii of their co-simulations."""
    is_abscissa(SCALAR, -0.3181315052047641, "--set", "K=1")
    is_abscissa(SCALAR, 0.1728160028400000, "--set", "K=2")
    is_abscissa(SCALAR, 0.5671432904097838, "--set", "K=-1")
    for tau in (1e-6, 1e-9, 1e-15, 1e-300):  # s exp(s tau) = -1, to second order in tau
        is_abscissa(SCALAR, -1 - tau - 1.5 * tau * tau, "--set", "K=1", "--set", f"tau={tau}")
    is_abscissa(C31, -0.1862460944645882)
    is_abscissa(C31, 0.1096355598371233, "--set", "Kc=8")
    is_abscissa(C33, 0.1034536224615251)
    for K, code in ((pi / 2 * (1 - 1e-10), "S"), (pi / 2 * (1 + 1e-10), "U")):
        at = values_of(SCALAR, "--set", f"K={K!r}")
        ok(at.get("class", "")[:1] == code, f"x' = -K x(t - 1), K = {K!r}: {code}", at)
    for H, radius in ((0.3, 0.974444643200307), (0.45, 0.978814576264916)):
        at = values_of(SCALAR, "--set", f"H={H}")
        ok(at.get("class") == "SS" and near(at["spectral_radius"], radius, 1e-13), f"a dead time of {1 / H} macro steps is not rounded up", at)
        at = values_of(SCALAR.replace("dead_time", "delay"), "--set", f"H={H}")
        ok(at.get("class") == "SU" and float(at["spectral_radius"]) > 1.005, "a delay is", at)
    # By a program that passes messages. What earlier subsystems sent before the dead time goes into solved outputs.
    solved = "scheme: gauss-seidel, feedthrough: solved, interpolation: constant, extrapolation:"
    for tau, hold, radius in ((0.15, "constant", 0.9512932), (0.15, "cubic", 0.9529583), (0.25, "constant", 0.9474647), (0.25, "cubic", 0.9495560)):
        at = values_of(f"""system: network
subsystems:
  - {{name: a, A: [[-1, 2], [-3, -0.5]], B: [[1], [0.3]], C: [[1, 0.2]], inputs: [u], outputs: [y], method: rk4, substeps: 2}}
  - {{name: b, A: [[-2]], B: [[1]], C: [[1]], D: [[0.5]], inputs: [u], outputs: [y], method: trapezoidal, substeps: 3}}
connections: [{{from: a.y, to: b.u, gain: 0.8, dead_time: {tau} s}}, {{from: b.y, to: a.u}}]
coupling: {{macro_step: 0.1, {solved} {hold}}}
""")
        ok(near(at.get("spectral_radius"), radius, 1e-7), f"gauss-seidel, solved, {hold}, a dead time of {tau}", at, radius)
    for coupling, decay in (("jacobi", -0.171778536302), ("jacobi-linear", -0.186640567161)):
        at = values_of(C31, "-c", coupling)
        ok(near(at.get("decay"), decay), f"{coupling}: decay {decay}", at)


def searches():
    """Limits in closed form, of co-simulations and of the system; a map that the number of macro steps in the dead time enlarges."""
    pathlib.Path("scalar.yaml").write_text(SCALAR)
    for d in (1, 2, 10):
        rows = csv_rows(costab("limit", "scalar.yaml", "--over", "K=0.1:3", "--set", f"H={1 / d!r}", "-f", "csv"))
        wanted = 2 * d * sin(pi / (4 * d + 2))
        ok(len(rows) == 1 and near(rows[0]["upper"], wanted), f"jacobi with a dead time of {d} macro steps: the limit in closed form", rows, wanted)
    pathlib.Path("c31.yaml").write_text(C31)
    pathlib.Path("pi.yaml").write_text(PI)
    for name, over, options, wanted in (("c31.yaml", "Kc=4:6", (), 5.027151005719866), ("pi.yaml", "tau=0.5:3", ("--set", "H=0.1"), 2.270705842682820),
                                        ("scalar.yaml", "tau=0.5:3", ("--set", "H=0.1", "--set", "K=1"), pi / 2)):
        rows = csv_rows(costab("limit", name, "--over", over, *options, "-c", "jacobi-quadratic", "-f", "csv"))
        ok([row["class"] for row in rows] == ["SS", "US"] and near(rows[0]["upper"], wanted), f"{name}: the system's limit", rows, wanted)
    rows = csv_rows(costab("limit", "pi.yaml", "--over", "tau=0:3", "--set", "H=0.1", "-c", "jacobi-quadratic", "-f", "csv"))
    ok([row["class"] for row in rows] == ["SS", "US"] and rows[0]["lower"] == "0" and near(rows[0]["upper"], 2.270705842682820), "from no dead time on", rows)
    rows = csv_rows(costab("limit", "scalar.yaml", "--over", "H=0.05:2", "-f", "csv"))
    upper = float(rows[0]["upper"])
    radii = [float(values_of(SCALAR, "--set", f"H={upper * f!r}")["spectral_radius"]) for f in (1 - 1e-8, 1 + 1e-8)]
    ok(len(rows) == 1 and rows[0]["class"] == "SS" and radii[0] < 1 < radii[1], "limit over H passes dead times of whole macro steps", rows, radii)
    rows = csv_rows(costab("margin", "scalar.yaml", "--parameters", "K,tau", "--set", "H=0.5", "-f", "csv"))
    found = {row["name"]: float(row["value"]) for row in rows if row["kind"] == "parameter" and row["side"] == "upper"}
    for name, value in found.items():
        radii = [float(values_of(SCALAR, "--set", f"{name}={value * f!r}", *(() if name == "H" else ("--set", "H=0.5")))["spectral_radius"]) for f in (1 - 1e-8, 1 + 1e-8)]
        ok(radii[0] < 1 < radii[1], f"the margin of {name}", value, radii)
    ok(set(found) == {"K", "tau"}, "the dead time has a margin, too", found)
    for K, code in ((0.1143417999915814 * (1 - 1e-9), "S"), (0.1143417999915814 * (1 + 1e-9), "U")):
        at = values_of(C33, "--set", f"K={K!r}")
        ok(at.get("class", "")[:1] == code, f"the gain margin of a loop with a resonance: {code}", at)


def histories():
    """The monolithic solution against closed forms and reference values; errors decrease with the macro step."""
    pathlib.Path("scalar.yaml").write_text(SCALAR)
    rows = csv_rows(costab("simulate", "scalar.yaml", "--set", "K=1", "--set", "H=0.25", "--until", "3", "-f", "csv"))
    for t, value in ((1, 0), (2, -1 / 2), (3, -1 / 6)):
        found = [float(row["monolithic"]) for row in rows if row["signal"] == "y" and row["point"] == "communication" and float(row["t"]) == t]
        ok(len(found) == 1 and abs(found[0] - value) < 1e-13, f"x' = -x(t - 1): x({t})", found, value)
    pathlib.Path("c31.yaml").write_text(C31)
    rows = csv_rows(costab("simulate", "c31.yaml", "--set", "H=0.5", "--until", "20", "-f", "csv"))
    for t, value in ((5, 0.0525789895261), (10, -0.202627750594), (20, -0.0659960462083)):
        found = [float(row["monolithic"]) for row in rows if row["subsystem"] == "plant" and row["signal"] == "y" and row["point"] == "communication" and float(row["t"]) == t]
        ok(len(found) == 1 and abs(found[0] - value) < 1e-12, f"a PI loop: y({t})", found, value)
    for coupling, least, most in (("jacobi", 1.7, 2.3), ("jacobi-linear", 1.7, 4.8)):
        errors = [max(float(row["error"]) for row in csv_rows(costab("simulate", "c31.yaml", "--set", f"H={H}", "--until", "20", "-c", coupling, "--error", "-f", "csv")))
                  for H in (0.1, 0.05)]
        ok(least < errors[0] / errors[1] < most, f"{coupling}: errors at H and H/2", errors)


FREE = """system: network
parameters: {tau: 1, H: 0.1}
subsystems:
  - {name: a, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}
  - {name: b, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: b.u, dead_time: tau s}, {from: b.y, to: a.u, dead_time: tau s}]
coupling: {scheme: jacobi, macro_step: H}
"""


def equilibria():
    """Two tanks that exchange: a structural equilibrium. The other eigenvalues are the roots of s + 1 = -exp(-s tau) and of s + 1 = exp(-s tau)."""
    at = values_of(FREE)
    s = -0.5 + 2j
    for _ in range(50):
        s -= (s + 1 + np.exp(-s)) / (1 - np.exp(-s))
    ok(at.get("class") == "SS" and at["removed_modes"] == "1" and near(at["spectral_abscissa"], s.real), "an equilibrium is set aside", at, s)


PIECES = {"neutral": C31.replace("A: [[-1/10]], B: [[1/10]], C: [[1]], x0: [1]", "A: [[-1/10]], B: [[1/10]], C: [[1]], D: [[0.1]], x0: [1]"),
          # The first connection with dead time depends on the loop of the third and is not part of it.
          "aside": C31.replace("connections: [", "  - {name: side, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\nconnections: [{from: plant.y, to: side.u, dead_time: tau s}, ")
                      .replace("A: [[-1/10]], B: [[1/10]], C: [[1]], x0: [1]", "A: [[-1/10]], B: [[1/10]], C: [[1]], D: [[0.1]], x0: [1]"),
          "sampled": C31.replace("A: [[0]], B: [[1/8]], C: [[Kc]], D: [[Kc]], inputs: [e], outputs: [u], method: exact",
                                 "Ad: [[1]], Bd: [[1/8]], Cd: [[Kc]], Dd: [[Kc]], sample_time: H, inputs: [e], outputs: [u]"),
          "stride": C31.replace("method: exact}", "method: exact, stride: 2}", 1),
          "nonlinear": SCALAR.replace("A: [[0]], B: [[1]], C: [[1]], x0: [1]", "states: [x], f: [u - x^3], g: [x], x0: [1]").replace("method: exact", "method: rk4, substeps: 4")}
REFUSALS = [
    (PIECES["neutral"], ("map", "m.yaml"), "the equation is neutral"),
    (PIECES["aside"], ("map", "m.yaml"), "the equation is neutral", "(one leads from 'pi' to 'plant')"),
    (PIECES["neutral"], ("limit", "m.yaml", "--over", "Kc=1:2"), "the equation is neutral"),
    (PIECES["sampled"], ("map", "m.yaml"), "a continuous system with dead time and samples is not analysed"),
    (PIECES["stride"], ("map", "m.yaml"), "dead_time: it is interpolated between the values of all macro steps"),
    (PIECES["nonlinear"], ("simulate", "m.yaml", "--until", "1", "--error"), "error: not with a connection with dead_time"),
    (C31, ("map", "m.yaml", "-c", "iterated"), "dead_time: its co-simulation is not defined for iterations"),
    (C31, ("map", "m.yaml", "-c", "newton-linear"), "dead_time: its co-simulation is not defined for iterations"),
    (C31, ("map", "m.yaml", "-c", "jacobi-hermite"), "not slopes"),
    (C31, ("map", "m.yaml", "-c", "jacobi-solved", "--set", "H=5"), "shorter than the macro step"),
    (C31.replace("scheme: jacobi", "scheme: jacobi, area_correction: 0.5"), ("map", "m.yaml"), "area_correction"),
    (C31, ("advise", "m.yaml", "--over", "H=0.1:1", "-c", "newton"), "no coupling fits the model", "not defined for iterations"),
    (SCALAR, ("advise", "m.yaml", "--over", "H=0.0078:0.00782", "-c", "jacobi"), "below H = 0.00781", "begin the range there"),
    (SCALAR.replace("dead_time", "delay"), ("advise", "m.yaml", "--over", "H=0.0078:0.00782", "-c", "jacobi"), "below H = 0.00781", "begin the range there"),
    (PIECES["nonlinear"], ("advise", "m.yaml", "--over", "H=0.1:1", "--error", "0.01", "--until", "2"), "errors: not with a connection with dead_time"),
    (C31, ("tune", "m.yaml", "--over", "H=0.01:1"), "tune: not with a connection with dead_time"),
    (C31, ("pattern", "m.yaml", "--steps", "0.1,0.2"), "sequences of steps: not with a connection with dead_time"),
    (C31, ("pattern", "m.yaml", "--over", "H=0.1:0.2"), "sequences of steps: not with a connection with dead_time"),
    (C31, ("simulate", "m.yaml", "--until", "1", "--steps", "0.1,0.2"), "sequences of steps: not with a connection with dead_time"),
    (C31, ("bound", "m.yaml", "--error", "0.01"), "bound: not with a connection with dead_time"),
    (C31, ("map", "m.yaml", "--over", "Kc=1:8", "--continuous"), "--continuous: not with a connection with dead_time"),
    (FREE, ("limit", "m.yaml", "--over", "tau=0.5:1", "--set", "H=0.5"), "structural equilibria"),
    (C31.replace("tau s", "tau"), ("map", "m.yaml"), "m.yaml:6:", "connection, dead_time: expected seconds with their unit, such as 1 s, found 'tau'"),
    (C31.replace("tau s", "-1 s"), ("map", "m.yaml"), "m.yaml:6:", "connection, dead_time"),
]


def refusals():
    for text, command, *words in REFUSALS:
        pathlib.Path("m.yaml").write_text(text)
        done = costab(*command)
        ok(done.returncode == 2 and not done.stdout and all(word in done.stderr for word in words), " ".join(command) + ": " + words[-1], done.returncode, done.stderr, done.stdout[:200])
    pathlib.Path("m.yaml").write_text(PIECES["nonlinear"])
    rows = csv_rows(costab("simulate", "m.yaml", "--until", "1", "-f", "csv"))
    ok(len(rows) > 3 and all(row["monolithic"] == "" for row in rows), "a nonlinear system is simulated, without the monolithic solution")


# ---- Random systems

class Part:
    def __init__(self, A, B, C, D, rk4):
        self.M, self.rk4 = (A, B, C, D), rk4
        self.n, self.m, self.q = len(A), B.shape[1], len(C)


def direct(parts, links):
    """Number of links on the longest chain of feedthrough subsystems; -1 if there is a loop."""
    feeds = {(link[0], link[2]) for link in links if parts[link[0]].M[3].any()}
    for _ in range(len(parts) + 1):
        feeds |= {(a, d) for a, b in feeds for c, d in feeds if b == c}
    return -1 if any(a == b for a, b in feeds) else 0


def random_system(rng):
    """Parts, links (from, output, to, input, gain, dead time, delay in macro steps) without loops of feedthrough, and a macro step."""
    while True:
        parts = []
        for _ in range(int(rng.integers(1, 4))):
            n, m, q = (int(rng.integers(1, 3)) for _ in range(3))
            D = rng.normal(size=(q, m)) * (rng.random() < 0.4)
            parts.append(Part(rng.normal(size=(n, n)) - 1.2 * np.eye(n), rng.normal(size=(n, m)), rng.normal(size=(q, n)), D, rng.random() < 0.3))
        H = float(round(rng.choice([0.05, 0.1, 0.3]) * rng.uniform(0.7, 1.3), 6))
        links = []
        for to, part in enumerate(parts):
            for i in range(part.m):
                a = int(rng.integers(len(parts)))
                tau = float(rng.choice([0, H * rng.uniform(0.05, 0.95), H * rng.integers(1, 4), rng.uniform(0.1, 2)]))
                links.append((a, int(rng.integers(parts[a].q)), to, i, float(rng.normal()), round(tau, 9), int(rng.choice([0, 0, 0, 1, 2]))))
        if any(link[5] > 0 for link in links) and direct(parts, links) == 0:
            return parts, links, H


def model_of(parts, links, H, coupling):
    def rows(m):
        return "[" + ", ".join("[" + ", ".join(repr(float(x)) for x in row) + "]" for row in m) + "]"
    lines = ["system: network", "subsystems:"]
    for s, p in enumerate(parts):
        feeds = f", D: {rows(p.M[3])}" if p.M[3].any() else ""
        lines.append(f"  - {{name: s{s}, A: {rows(p.M[0])}, B: {rows(p.M[1])}, C: {rows(p.M[2])}{feeds}, inputs: [{', '.join(f'u{i}' for i in range(p.m))}], "
                     f"outputs: [{', '.join(f'y{i}' for i in range(p.q))}], x0: {[1.0] * p.n}, " + ("method: rk4, substeps: 3}" if p.rk4 else "method: exact}"))
    lines.append("connections:")
    for a, o, b, i, gain, tau, late in links:
        lines.append(f"  - {{from: s{a}.y{o}, to: s{b}.u{i}, gain: {gain!r}" + (f", dead_time: {tau!r} s" if tau > 0 else "") + (f", delay: {late}}}" if late > 0 else "}"))
    lines.append(f"coupling: {{{coupling}, macro_step: {H!r}}}")
    return "\n".join(lines) + "\n"


# ---- The characteristic equation

def offsets(parts):
    return tuple(np.concatenate([[0], np.cumsum([getattr(p, k) for p in parts])]) for k in "nmq")


def characteristic(parts, links, s):
    """det of the equations in (x, u, y) at every s, and its logarithmic derivative by the trace."""
    X, U, Y = offsets(parts)
    n, m, q = X[-1], U[-1], Y[-1]
    M = np.zeros((len(s), n + m + q, n + m + q), complex)
    d = np.zeros_like(M)
    M[:, range(n), range(n)] += s[:, None]
    d[:, range(n), range(n)] = 1
    for k, p in enumerate(parts):
        x, u, y = slice(X[k], X[k + 1]), slice(n + U[k], n + U[k + 1]), slice(n + m + Y[k], n + m + Y[k + 1])
        rows = slice(n + Y[k], n + Y[k + 1])
        M[:, x, x] -= p.M[0]
        M[:, x, u] -= p.M[1]
        M[:, rows, x] -= p.M[2]
        M[:, rows, u] -= p.M[3]
        M[:, rows, y] += np.eye(p.q)
    M[:, range(n + q, n + q + m), range(n, n + m)] += 1
    for a, o, b, i, gain, tau, _ in links:
        e = gain * np.exp(-s * tau)
        M[:, n + q + U[b] + i, n + m + Y[a] + o] -= e
        d[:, n + q + U[b] + i, n + m + Y[a] + o] += tau * e
    return M, np.trace(np.linalg.solve(M, d), axis1=1, axis2=2)


def abscissa(parts, links):
    """The rightmost root, by Newton's method from a grid of starts."""
    re, im = np.meshgrid(np.linspace(-3, 3, 9), np.linspace(0, 16, 25))
    s = np.concatenate([(re + 1j * im).ravel() + 1e-3j, np.linspace(-3, 30, 67) + 0j])
    for _ in range(25):
        with np.errstate(all="ignore"):
            try:
                step = 1 / characteristic(parts, links, s)[1]
            except np.linalg.LinAlgError:  # a root to the last bit
                s = s + 1e-13 * (1 + np.abs(s))
                step = 1 / characteristic(parts, links, s)[1]
        step[~np.isfinite(step)] = 0.1
        s = s - step * np.minimum(1, 1 / np.abs(step))
        s = np.where((np.abs(s.real) < 30) & (np.abs(s.imag) < 200), s, -3)
    done = np.abs(step) < 1e-9
    return s[done].real.max()


# ---- A master

def steps_of(p, H, u):
    """The map of a step: applied to x and the coefficients of u in powers of local time."""
    A, B = p.M[:2]

    def value(s):
        return sum(c * s ** k for k, c in enumerate(u))
    if p.rk4:
        def advance(x, h=H / 3):
            for j in range(3):
                f = lambda z, s: A @ z + B @ value((j + s) / 3)
                k1 = f(x, 0)
                k2 = f(x + h / 2 * k1, 0.5)
                k3 = f(x + h / 2 * k2, 0.5)
                x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(x + h * k3, 1))
            return x
        return advance
    n, m, count = p.n, p.m, len(u)
    G = np.zeros((n + count * m, n + count * m))
    G[:n, :n], G[:n, n:n + m] = A, B
    for k in range(count - 1):
        G[n + k * m:n + (k + 1) * m, n + (k + 1) * m:n + (k + 2) * m] = np.eye(m) * (k + 1) / H
    E = expm(G * H)[:n]
    return lambda x: E[:, :n] @ x + sum(E[:, n + k * m:n + (k + 1) * m] @ c for k, c in enumerate(u))


def line_through(times, values):
    """Coefficients of the polynomial through values at times."""
    V = np.vander(times, increasing=True)
    return list(np.tensordot(np.linalg.inv(V), np.array(values), axes=1))


class Master:
    """One macro step of messages. The state is a row per number, a column per run."""

    def __init__(self, parts, links, H, scheme, inside, outside, smoothed, solved):
        self.parts, self.links, self.H, self.scheme = parts, links, H, scheme
        self.inside, self.outside, self.smoothed, self.solved = inside, outside, smoothed, solved
        self.X, self.U, self.Y = offsets(parts)
        self.depth = floor(max(link[5] for link in links) / H + 1e-9) + 10

    def read(self, link, past, back, new=None):
        """The delayed output at the communication point `back` steps ago (-1: the end of the step)."""
        a, o, tau, late = link[0], link[1], link[5], link[6]
        at = back + late + tau / self.H
        d = floor(at + 1e-9)
        r = max(at - d, 0)
        y = lambda j: new[self.Y[a] + o] if j < 0 else past[min(j, len(past) - 1)][self.Y[a] + o]
        return (1 - r) * y(d) + r * y(d + 1) if r > 1e-9 else y(d)

    def outputs(self, x, held, past):
        """Outputs at the start of the step."""
        C, D = ([p.M[k] for p in self.parts] for k in (2, 3))
        if not self.solved:
            return np.concatenate([C[k] @ x[self.X[k]:self.X[k + 1]] + D[k] @ held[self.U[k]:self.U[k + 1]] for k in range(len(self.parts))])
        y = np.zeros((self.Y[-1], x.shape[1]))
        for _ in range(len(self.parts) + 1):  # without loops this ends
            here = [y] + past
            u = np.zeros((self.U[-1], x.shape[1]))
            for link in self.links:
                u[self.U[link[2]] + link[3]] += link[4] * self.read(link, here, 0)
            y = np.concatenate([C[k] @ x[self.X[k]:self.X[k + 1]] + D[k] @ u[self.U[k]:self.U[k + 1]] for k in range(len(self.parts))])
        return y

    def step(self, x, held, past):
        """past: y_(n-1), y_(n-2), ..; returns the next state, and y_n."""
        past = [self.outputs(x, held, past)] + past
        done, new, next_x, next_held = set(), np.zeros_like(past[0]), x.copy(), held.copy()
        for k, p in enumerate(self.parts):
            u = [np.zeros((p.m, x.shape[1])) for _ in range(4)]
            for link in self.links:
                if link[2] != k:
                    continue
                if link[0] in done and link[6] == 0:
                    order = self.inside
                    values = [self.read(link, past, j - 1, new) for j in range(max(order, 0) + 1)]
                    c = line_through([1.0 - j for j in range(order + 1)], values)
                else:
                    order = self.outside
                    c = line_through([-1.0 * j for j in range(order + 1)], [self.read(link, past, j) for j in range(order + 1)])
                    if self.smoothed:
                        before = line_through([-1.0 * j for j in range(order + 1)], [self.read(link, past, j + 1) for j in range(order + 1)])
                        c = [sum(before), sum(c) - sum(before)]
                for power, value in enumerate(c):
                    u[power][link[3]] += link[4] * value
            states, inputs = slice(self.X[k], self.X[k + 1]), slice(self.U[k], self.U[k + 1])
            next_x[states] = steps_of(p, self.H, u)(x[states])
            next_held[inputs] = sum(u)
            if self.scheme == "gauss-seidel":
                done.add(k)
                new[self.Y[k]:self.Y[k + 1]] = p.M[2] @ next_x[states] + p.M[3] @ next_held[inputs]
        return next_x, next_held, past[:self.depth]

    def radius(self):
        sizes = [self.X[-1], self.U[-1]] + [self.Y[-1]] * self.depth
        ends = np.concatenate([[0], np.cumsum(sizes)])
        z = np.eye(ends[-1])
        blocks = [z[ends[i]:ends[i + 1]] for i in range(len(sizes))]
        x, held, past = self.step(blocks[0], blocks[1], blocks[2:])
        return np.abs(np.linalg.eigvals(np.concatenate([x, held] + past))).max()

    def run(self, steps):
        """States at the communication points from the initial state, all 1."""
        A = {}
        x = np.ones((self.X[-1], 1))
        y = np.zeros((self.Y[-1], 1))
        for _ in range(len(self.parts) + 1):
            u = np.zeros((self.U[-1], 1))
            for a, o, b, i, gain, _tau, _late in self.links:
                u[self.U[b] + i] += gain * y[self.Y[a] + o]
            y = np.concatenate([p.M[2] @ x[self.X[k]:self.X[k + 1]] + p.M[3] @ u[self.U[k]:self.U[k + 1]] for k, p in enumerate(self.parts)])
        held, past, rows = u, [y] * self.depth, [x]
        for _ in range(steps):
            x, held, past = self.step(x, held, past)
            rows.append(x)
        return np.concatenate(rows, axis=1)


def coupling_of(rng):
    scheme = str(rng.choice(["jacobi", "gauss-seidel"]))
    inside, outside = int(rng.integers(0, 4)), int(rng.integers(0, 4))
    smoothed, solved = bool(scheme == "jacobi" and rng.random() < 0.3), bool(rng.random() < 0.3)
    words = ("constant", "linear", "quadratic", "cubic")
    known = f"interpolation: {words[inside]}, " if scheme == "gauss-seidel" else ""
    text = f"scheme: {scheme}, {known}extrapolation: {words[outside]}, feedthrough: {'solved' if solved else 'delayed'}, smoothed: {str(smoothed).lower()}"
    return text, (scheme, inside, outside, smoothed, solved)


def advice():
    """advise: macro steps at which the spectral radius, and the largest error, of the master here pass their limits; what does not fit is left out."""
    pathlib.Path("m.yaml").write_text(C31.replace("D: [[Kc]], inputs", "D: [[Kc]], x0: [1], inputs"))
    one = np.eye(1)
    parts = [Part(0 * one, one / 8, 1.5 * one, 1.5 * one, False), Part(-0.1 * one, 0.1 * one, one, 0 * one, False)]
    links = [(0, 0, 1, 0, 1.0, 3.0, 0), (1, 0, 0, 0, -1.0, 0.0, 0)]

    def largest_error(H, outside, solved, fine=24):
        steps = floor(20 / H + 1e-9)
        exact = Master(parts, links, H / fine, "jacobi", 0, 3, False, True).run(steps * fine)[:, ::fine]
        return np.abs(Master(parts, links, H, "jacobi", 0, outside, False, solved).run(steps) - exact).max()

    couplings = {"jacobi": (0, False), "jacobi-linear": (1, False), "jacobi-linear-solved": (1, True)}
    done = costab("advise", "m.yaml", "--over", "H=0.1:4", "-c", ",".join([*couplings, "newton"]), "--all", "-f", "csv")
    rows = {row["coupling"]: float(row["max_stable_step"]) for row in csv_rows(done)}
    ok(set(rows) == set(couplings) and "left out: dead_time: its co-simulation is not defined for iterations" in done.stderr, "advise leaves out what dead time excludes, with the reason", rows, done.stderr)
    for name in ("jacobi", "jacobi-linear"):
        radii = [Master(parts, links, rows[name] * f, "jacobi", 0, *couplings[name][:1], False, False).radius() for f in (1 - 1e-6, 1 + 1e-6)]
        ok(radii[0] < 1 < radii[1], f"advise: largest stable step of {name}", rows[name], radii)
    ok(near(rows["jacobi-linear-solved"], 3, 1e-5), "a solved feedthrough ends at the dead time", rows)
    done = costab("advise", "m.yaml", "--over", "H=0.1:4", "-c", ",".join(couplings), "--all", "--error", "0.02", "--until", "20", "-f", "csv")
    rows = {row["coupling"]: row for row in csv_rows(done)}
    best = next(name for name, row in rows.items() if row["recommended"] == "yes")
    H = float(rows[best]["max_accurate_step"])
    errors = [largest_error(H * f, *couplings[best]) for f in (1, 1.002)]
    ok(errors[0] <= 0.02 * (1 + 1e-4) and errors[1] > 0.02, "advise: the recommended step keeps the error, a longer one does not", best, H, errors)


def random_systems():
    worst_abscissa = worst_radius = worst_run = 0.0
    classes, count, wrong, first = {}, effort(6), [], seed(1)
    for number in range(count):
        rng = np.random.default_rng([first, number])
        parts, links, H = random_system(rng)
        text, choice = coupling_of(rng)
        if choice[-1] and any(0 < link[5] < H * (1 - 1e-9) and link[6] == 0 for link in links):
            text, choice = text.replace("solved", "delayed"), choice[:-1] + (False,)
        master = Master(parts, links, H, *choice)
        model = model_of(parts, links, H, text)
        at = values_of(model)
        if "class" not in at:
            wrong.append((number, at))
            continue
        wanted = abscissa(parts, links), master.radius()
        found = float(at["spectral_abscissa"]), float(at["spectral_radius"])
        worst_abscissa = max(worst_abscissa, abs(found[0] - wanted[0]) / (1 + abs(wanted[0])))
        worst_radius = max(worst_radius, abs(found[1] - wanted[1]))
        code = ("S" if wanted[0] < 0 else "U") + ("S" if wanted[1] < 1 else "U")
        if at["class"] != code or abs(found[0] - wanted[0]) > 1e-8 or abs(found[1] - wanted[1]) > 1e-9:
            wrong.append((number, at["class"], code, found, wanted, model))
        classes[code] = classes.get(code, 0) + 1
        if number % 5 == 0:
            rows = csv_rows(costab("simulate", "model.yaml", "--until", repr(20 * H), "-f", "csv"))
            run = master.run(20)
            scale = 1 + np.abs(run).max()
            for row in rows:
                if row["point"] != "communication" or not row["signal"].startswith("x"):
                    continue
                k = int(row["subsystem"][1:])
                value = run[master.X[k] + int(row["signal"][1:]) - 1, round(float(row["t"]) / H)]
                worst_run = max(worst_run, abs(float(row["value"]) - value) / scale)
    ok(not wrong and len(classes) >= (2 if count > 20 else 1), f"{count} random systems: classes {classes}, abscissas to {worst_abscissa:.1e}, radii to {worst_radius:.1e}", *wrong[:3])
    ok(worst_run < 1e-11, f"their histories to {worst_run:.1e}")


with workplace():
    references()
    searches()
    histories()
    equilibria()
    refusals()
    advice()
    random_systems()

finish()
