#!/usr/bin/env python3
"""spurious_energy, signal and field, against a co-simulation in NumPy that integrates u1 y1 + sigma u2 y2 inside every step, and
the balance of energy: what is stored changes by the work of sources and by what the coupling and the solvers make, less what
is lost. Exact subsystems are integrated by Gauss' quadrature of exponentials, Runge-Kutta methods by their own quadrature.
Prints TAP."""
import json
import math
import pathlib
import tempfile

import h5py
import numpy as np
from scipy.linalg import expm

from tap import costab, csv_rows, finish, ok, stride, words

NODES, WEIGHTS = np.polynomial.legendre.leggauss(14)
R3 = math.sqrt(3)
TABLEAUS = {  # A, b, c
    "heun": ([[0, 0], [1, 0]], [0.5, 0.5], [0, 1]),
    "rk4": ([[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6], [0, 0.5, 0.5, 1]),
    "gauss2": ([[0.25, 0.25 - R3 / 6], [0.25 + R3 / 6, 0.25]], [0.5, 0.5], [0.5 - R3 / 6, 0.5 + R3 / 6]),
}


class Part:
    def __init__(self, A, B, C, D, x0, method, substeps, source=None):
        self.A, self.B, self.C, self.D = (np.array(M, float) for M in (A, B, C, D))
        self.x0, self.method, self.substeps, self.source, self.known = np.array(x0, float), method, substeps, source, {}

    def flow(self, tau, inputs):
        """exp of (x, u, u', u'', u''')."""
        if tau not in self.known:
            n, m = self.B.shape
            G = np.zeros((n + 4 * m, n + 4 * m))
            G[:n, :n], G[:n, n:n + m] = self.A, self.B
            G[n:n + 3 * m, n + m:] = np.eye(3 * m)
            self.known[tau] = expm(G * tau)
        return self.known[tau] @ inputs

    def advance(self, x, t0, H, U):
        """Over a macro step with the inputs U (4 x m, powers of the local time): the state at its end; nodes (weight, local
        time, x, u, sources); and a list of what each Runge-Kutta step needs for its own energy: h, m_ij, slopes."""
        n, m = self.B.shape
        h, nodes, made = H / self.substeps, [], []
        poly = [np.polynomial.Polynomial(U[:, i]) for i in range(m)]
        for j in range(self.substeps):
            start = j / self.substeps
            if self.method == "exact":
                chain = np.array([[p.deriv(k)(start) / H**k if k else p(start) for p in poly] for k in range(4)])
                now, later = (self.sources(t0 + start * H), self.sources(t0 + start * H + h))
                given = chain.copy()
                given[0] += now
                given[1] += (later - now) / h
                at = np.concatenate([x, given.ravel()])
                for node, weight in zip(NODES, WEIGHTS):
                    tau = h * (node + 1) / 2
                    z = self.flow(tau, at)
                    nodes.append((weight * h / 2, start + tau / H, z[:n], z[n:n + m], now + (later - now) * tau / h))
                x = self.flow(h, at)[:n]
                continue
            a, b, c = (np.array(v, float) for v in TABLEAUS[self.method])
            s = len(b)
            u = np.array([[p(start + ci / self.substeps) for p in poly] for ci in c])
            f = np.array([self.sources(t0 + start * H + ci * h) for ci in c])
            right = (np.tile(self.A @ x, (s, 1)) + (u + f) @ self.B.T).ravel()
            k = np.linalg.solve(np.eye(s * n) - h * np.kron(a, self.A), right).reshape(s, n)
            for i in range(s):
                nodes.append((h * b[i], start + c[i] / self.substeps, x + h * a[i] @ k, u[i] + f[i], f[i]))
            made.append((h, b[:, None] * a + (b[:, None] * a).T - np.outer(b, b), k))
            x = x + h * b @ k
        return x, nodes, made

    def sources(self, t):
        return self.source(t) if self.source else np.zeros(self.B.shape[1])


def lagrange(times, values):
    """Powers of s, 4 of them."""
    c = np.polynomial.polynomial.polyfit(times, values, len(times) - 1)
    return np.pad(c, (0, 4 - len(c)))


def simulate(parts, connections, bond, coupling, H, steps):
    """Per step the work at the bond; all the nodes; states. connections: (from, output, to, input, gain); bond: the numbers of
    its two connections, and the outputs at their targets."""
    scheme, order = coupling
    xs, held = [p.x0 for p in parts], [np.zeros(p.B.shape[1]) for p in parts]
    # inputs at the start from the loop of all of them
    for _ in range(50):
        ys = [p.C @ x + p.D @ u for p, x, u in zip(parts, xs, held)]
        held = [np.zeros(p.B.shape[1]) for p in parts]
        for f, o, t, i, g in connections:
            held[t][i] += g * ys[f][o]
    past = [[p.C @ x + p.D @ u for p, x, u in zip(parts, xs, held)]] * 4
    sigma = -connections[bond[0]][4] / connections[bond[1]][4]
    work, nodes_of, own = [], [[] for _ in parts], [[] for _ in parts]
    for n in range(steps):
        now = [p.C @ x + p.D @ u for p, x, u in zip(parts, xs, held)]
        past = [now] + past[:3]
        new, known = [y.copy() for y in now], set()

        def delivered(c):
            f, o, t, i, g = connections[c]
            old = [y[f][o] for y in past]
            if scheme == "iterated" or f in known:
                values = [new[f][o]] + old if order else [new[f][o]]
                return g * lagrange([1, 0, -1, -2][:order + 1], values[:order + 1])
            k = order if scheme == "jacobi" else 0
            return g * lagrange([0, -1, -2, -3][:k + 1], old[:k + 1])

        def one(s):
            U = np.zeros((4, parts[s].B.shape[1]))
            for c, (f, o, t, i, g) in enumerate(connections):
                if t == s:
                    U[:, i] += delivered(c)
            x, nodes, made = parts[s].advance(xs[s], n * H, H, U)
            end = U.sum(axis=0) + parts[s].sources((n + 1) * H)
            return x, nodes, made, end, parts[s].C @ x + parts[s].D @ end

        result = [None] * len(parts)
        for _ in range(60 if scheme == "iterated" else 1):
            for s in range(len(parts)):
                result[s] = one(s)
                if scheme == "gauss-seidel":
                    new[s], _ = result[s][4], known.add(s)
            fresh = [r[4] for r in result]
            moved = max(np.abs(a - b).max() for a, b in zip(fresh, new))
            if scheme != "iterated" or moved == 0:
                break
            new = fresh
        if scheme == "gauss-seidel":
            known_at = [set(range(s)) for s in range(len(parts))]
        total = 0
        for factor, c, output in ((1, bond[0], bond[2]), (sigma, bond[1], bond[3])):
            t = connections[c][2]
            if scheme == "gauss-seidel":
                known.clear()
                known.update(known_at[t])
            poly = np.polynomial.Polynomial(delivered(c))
            total += factor * sum(w * poly(s) * (parts[t].C @ x + parts[t].D @ u)[output] for w, s, x, u, _ in result[t][1])
        work.append(total)
        for s, (x, nodes, made, end, y) in enumerate(result):
            xs[s], held[s] = x, end
            nodes_of[s] += nodes
            own[s] += made
    return np.array(work), nodes_of, own, xs


# ---- Carriage and trailer: a balance of energy ----

m1, k1, b1, m2, b2, kc = 1.0, 4.0, 0.5, 0.5, 0.2, 20.0
H, STEPS = 0.05, 6
STORED = [np.diag([k1, m1]), np.diag([kc, m2])]
LOSS = [np.diag([0, b1]), np.diag([0, b2])]
CONNECTIONS = [(1, 0, 0, 0, 1.0), (0, 0, 1, 0, 1.0)]
COUPLINGS = {"jacobi": ("jacobi", 0), "jacobi-linear": ("jacobi", 1), "jacobi-quadratic": ("jacobi", 2),
             "jacobi-cubic": ("jacobi", 3), "gauss-seidel": ("gauss-seidel", 0), "gauss-seidel-linear": ("gauss-seidel", 1),
             "iterated": ("iterated", 0), "iterated-linear": ("iterated", 1), "iterated-cubic": ("iterated", 3)}


def trailer(method, substeps, sourced):
    source = (lambda t: np.array([math.cos(3 * t)])) if sourced else None
    parts = [Part([[0, 1], [-k1 / m1, -b1 / m1]], [[0], [1 / m1]], [[0, 1]], [[0]], [1, 0], method, substeps, source),
             Part([[0, 1], [-kc / m2, -b2 / m2]], [[-1], [0]], [[kc, 0]], [[0]], [0, 0], method, substeps)]
    text = f"""system: network
subsystems:
  - {{name: carriage, A: [[0, 1], [{-k1 / m1}, {-b1 / m1}]], B: [[0], [{1 / m1}]], C: [[0, 1]], x0: [1, 0], inputs: [force],
     outputs: [speed], method: {method}, substeps: {substeps}}}
  - {{name: trailer, A: [[0, 1], [{-kc / m2}, {-b2 / m2}]], B: [[-1], [0]], C: [[{kc}, 0]], x0: [0, 0], inputs: [speed],
     outputs: [force], method: {method}, substeps: {substeps}}}
connections: [{{from: trailer.force, to: carriage.force}}, {{from: carriage.speed, to: trailer.speed}}]
power_bonds: [[carriage.force, carriage.speed, trailer.speed, trailer.force]]
{"sources: {carriage.force: cos(3*t)}" if sourced else ""}
coupling: {{macro_step: {H}}}
"""
    return parts, text


def told(path, coupling, until):
    table = csv_rows(costab("simulate", path, "--until", until, "--coupling", coupling))
    made = np.array([float(r["value"]) for r in table if r["signal"] == "bond1.spurious_energy"])
    last = {(r["subsystem"], r["signal"]): float(r["value"]) for r in table
            if r["point"] == "communication" and r["signal"] in ("x1", "x2")}
    return made, last


def test_balance(folder):
    for method, substeps, sourced in (("exact", 1, 0), ("exact", 3, 1), ("rk4", 2, 0), ("rk4", 1, 1), ("gauss2", 2, 0),
                                      ("heun", 4, 0))[::stride(3)]:
        parts, text = trailer(method, substeps, sourced)
        path = pathlib.Path(folder, "trailer.yaml")
        path.write_text(text)
        worst = defect = size = 0
        for name, coupling in COUPLINGS.items():
            work, nodes, own, xs = simulate(parts, CONNECTIONS, (0, 1, 0, 0), coupling, H, STEPS)
            made, last = told(path, name, H * STEPS)
            worst = max(worst, np.abs(made - work).max() / np.abs(work).max() if len(made) == STEPS else np.inf)
            ended = [np.array([last[s, "x1"], last[s, "x2"]]) for s in ("carriage", "trailer")]
            change = sum((x @ Q @ x - p.x0 @ Q @ p.x0) / 2 for x, p, Q in zip(ended, parts, STORED))
            loss = sum(w * (x @ L @ x) for part, L in zip(nodes, LOSS) for w, s, x, u, f in part)
            by_source = sum(w * f[0] * x[1] for w, s, x, u, f in nodes[0])
            solver = sum(-h * h / 2 * np.einsum("ij,ia,ab,jb", M, k, Q, k) for part, Q in zip(own, STORED) for h, M, k in part)
            defect = max(defect, abs(change - (made.sum() + by_source + solver - loss)))
            size = max(size, abs(change))
        what = f"{method}, {substeps} micro steps{', a source' if sourced else ''}"
        ok(worst < 1e-12, f"{what}: the energy made in each step, nine couplings", worst)
        ok(defect < 2e-14 * max(size, 1), f"{what}: stored = sources + made + solver's own - lost", defect)


def test_reference(folder):
    """Values of another independent program: exact, 20 steps."""
    path = pathlib.Path(folder, "trailer.yaml")
    path.write_text(trailer("exact", 1, False)[1])
    for name, value in {"jacobi": -0.015995390436563887, "gauss-seidel": 0.009712704393419803,
                        "iterated": 0.05037671684708607, "iterated-linear": -0.0020202741666791864}.items():
        made, _ = told(path, name, 1)
        ok(abs(made.sum() - value) < 1e-12, f"{name}: {value} in 20 steps", made.sum())
    residual = [float(r["value"]) for r in csv_rows(
        costab("simulate", path, "--until", 1, "--coupling", "iterated")) if r["signal"] == "bond1.energy"]
    ok(max(map(abs, residual)) < 1e-13, "of which the residual energy of the iteration says nothing: it is 0", max(residual))


# ---- Feedthrough, clocks: the energy alone ----

def test_feedthrough(folder):
    """Motor and load of README: the load's torque follows from its inputs."""
    for method, substeps in (("exact", 1), ("exact", 5), ("rk4", 3))[::stride(3)]:
        parts = [Part([[0, 1], [-200, -10]], [[0], [10]], [[1, 0], [0, 1]], [[0], [0]], [0.1, 0], method, substeps),
                 Part([[0, 1], [-100, -0.4]], [[0, 0], [100, 0.4]], [[50, 0.2]], [[-50, -0.2]], [0, 0], method, substeps)]
        connections = [(0, 0, 1, 0, 1.0), (0, 1, 1, 1, 1.0), (1, 0, 0, 0, 1.0)]
        path = pathlib.Path(folder, "drive.yaml")
        path.write_text(f"""system: network
subsystems:
  - {{name: motor, A: [[0, 1], [-200, -10]], B: [[0], [10]], C: [[1, 0], [0, 1]], inputs: [torque], outputs: [angle, speed],
     x0: [0.1, 0], method: {method}, substeps: {substeps}}}
  - {{name: load, A: [[0, 1], [-100, -0.4]], B: [[0, 0], [100, 0.4]], C: [[50, 0.2]], D: [[-50, -0.2]],
     inputs: [angle, speed], outputs: [torque], method: {method}, substeps: {substeps}}}
connections: [{{from: motor.angle, to: load.angle}}, {{from: motor.speed, to: load.speed}}, {{from: load.torque, to: motor.torque}}]
power_bonds: [[motor.torque, motor.speed, load.speed, load.torque]]
coupling: {{macro_step: 0.01}}
""")
        for name in ("jacobi", "jacobi-quadratic", "gauss-seidel-linear"):
            work, _, _, _ = simulate(parts, connections, (2, 1, 1, 0), COUPLINGS[name], 0.01, 30)
            made, _ = told(path, name, 0.3)
            worst = np.abs(made - work).max() / np.abs(work).max() if len(made) == 30 else np.inf
            ok(worst < 1e-12, f"feedthrough, {method} x {substeps}, {name}: the energy made in each step", worst)


def test_field(folder):
    """The field is the sum of the signal; it falls as H, with linear interpolation as its square; other methods are refused."""
    parts, text = trailer("exact", 1, False)
    path = pathlib.Path(folder, "swept.yaml")
    path.write_text(text.replace(f"coupling: {{macro_step: {H}}}", "parameters: {H: 0.05}\ncoupling:\n"
                    "  - {name: one, scheme: jacobi, macro_step: H}\n"
                    "  - {name: two, scheme: iterated, interpolation: linear, macro_step: H}")
                    + "axes: {H: [0.005, 0.01, 0.02, 0.04]}\nfields: [spurious_energy]\nhistory: {until: 1}\n")
    done = costab("sweep", path, "-o", path.with_suffix(".h5"))
    ok(done.returncode == 0 and words(done.stderr) == "", "a sweep of spurious_energy", done.stderr)
    with h5py.File(path.with_suffix(".h5")) as file:
        field = file["spurious_energy"][:]
    before = path.with_name("before.yaml")
    before.write_text(path.read_text().replace("[spurious_energy]", "[energy_made]"))
    done = costab("sweep", before, "-o", before.with_suffix(".h5"))
    with h5py.File(before.with_suffix(".h5")) as file:
        ok((file["spurious_energy"][:] == field).all(), "a spec may have the name of 0.1.0", done.stderr)
    named = [costab("simulate", path, "--until", 0.1, "--coupling", "one", "--signals", f"bond1.{name}").stdout for name in ("energy_made", "spurious_energy")]
    ok(named[0] == named[1] and len(named[0]) > 100, "and so may --signals", *named)
    table = costab("simulate", path, "--until", 1, "--set", "H=0.02", "--coupling", "two").stdout
    signal = [float(r["value"]) for r in csv_rows(table) if r["signal"] == "bond1.spurious_energy"]
    ok(field[1, 2] == sum(signal), "the field is the sum of the signal", field[1, 2], sum(signal))
    ratios = field[:, 1] / field[:, 0]
    ok(abs(ratios[0] - 2) < 0.15 and abs(ratios[1] - 4) < 0.02, "it falls as H, and as H squared", ratios)
    path.write_text(path.read_text().replace("method: exact", "method: bdf2", 1))
    done = costab("sweep", path, "-o", path.with_suffix(".h5"), "--force")
    ok("bdf2 has no quadrature" in done.stderr, "a method without a quadrature is named", done.stderr)
    made = [r["value"] for r in csv_rows(costab("simulate", path, "--until", 0.1, "--coupling", "one"))
            if r["signal"] == "bond1.spurious_energy"]
    ok(made and all(v == "" for v in made), "and the signal has no value: an empty cell", made)
    told = json.loads(costab("simulate", path, "--until", 0.1, "--coupling", "one", "--format", "json").stdout)
    told = [r for r in told if r["signal"] == "bond1.spurious_energy"]
    ok(told and all(r["value"] is None and set(r) == {"t", "subsystem", "signal", "point", "value", "monolithic"} for r in told),
       "in JSON it is null", told[:2])


with tempfile.TemporaryDirectory() as workplace:
    for test in (test_balance, test_reference, test_feedthrough, test_field):
        test(workplace)
finish()
