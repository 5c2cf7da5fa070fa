#!/usr/bin/env python3
"""costab map: the modes, against reference values of an independent program and against NumPy."""
import json
import pathlib
import tempfile

import numpy as np

from tap import ROOT, costab, finish, ok, stride

DRIVE = ROOT / "tests/reference/models/drive.yaml"


def map_of(*arguments):
    return json.loads(costab("map", *arguments, "--format", "json").stdout)


reference = json.loads((ROOT / "tests/reference/margins.json").read_text())["dominant"]
mode = map_of(DRIVE)[0]["modes"][0]
near = lambda a, b, e=1e-9: np.allclose(a, b, rtol=0, atol=e)
ok(near(mode["frequency"], reference["frequency"]) and near(mode["growth"], reference["decay"]),
   "the leading mode's frequency and growth", mode, reference)
ok(near(list(mode["participation"].values()), reference["participation"]), "its participations", mode)
ok(near(list(mode["participation_of_sums"].values()), reference["block_participation"]),
   "those that do not depend on the choice of states", mode)

# One output, two connections, one of them late: what is remembered of the output serves two subsystems. The map, with
# memory of its own for each connection, follows from the definition: x' = a x + u, solved exactly.
text = """
system: network
subsystems:
  - {name: source, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: near, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: far, A: [[-3]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections:
  - {from: source.y, to: near.u, gain: 2}
  - {from: source.y, to: far.u, delay: 2, gain: -1.5}
  - {from: near.y, to: source.u, gain: -1}
  - {from: far.y, to: source.u, gain: 0.5}
coupling: {scheme: jacobi, macro_step: 0.3, extrapolation: linear}
"""
with tempfile.TemporaryDirectory() as where:
    path = pathlib.Path(where) / "fork.yaml"
    path.write_text(text)
    found = map_of(path)[0]
    rows = costab("map", path).stdout


def weights(a, h):
    """Of a constant input, and of one that grows from 0 to 1 over the step."""
    phi = np.expm1(a * h) / a
    return phi, (np.expm1(a * h) - a * h) / (a * a * h)


def fork(gains, h=0.3):
    """State: x of the three; y_source before for near; y_source 1, 2, 3 steps ago for far; y_near and y_far before."""
    a = (-1, -2, -3)
    M, unit = np.zeros((9, 9)), np.eye(9)
    late = {0: (unit[0], unit[3]), 1: (unit[5], unit[6]), 2: (unit[1], unit[7]), 3: (unit[2], unit[8])}
    for s in range(3):
        M[s] += np.exp(a[s] * h) * unit[s]
    for c, target in enumerate((1, 2, 0, 0)):
        flat, slope = weights(a[target], h)
        new, old = late[c]
        M[target] += gains[c] * (flat * new + slope * (new - old))
    M[3], M[4], M[5], M[6], M[7], M[8] = unit[0], unit[0], unit[4], unit[5], unit[1], unit[2]
    return M


gains = np.array([2, -1.5, -1, 0.5])
M, owners = fork(gains), np.array([0, 1, 2, 1, 2, 2, 2, 0, 0])
values, v = np.linalg.eig(M)
w = np.linalg.inv(v).conj().T
good, links_good = True, True
for mode in found["modes"][:3]:
    i = np.argmin(abs(values - complex(*mode["eigenvalue"])))
    product = w[:, i].conj() * v[:, i]
    share = np.array([abs(product[owners == s]).sum() for s in range(3)])
    sums = np.array([abs(product[owners == s].sum()) for s in range(3)])
    good &= near(list(mode["participation"].values()), share / share.sum(), 1e-7)
    good &= near(list(mode["participation_of_sums"].values()), sums / sums.sum(), 1e-7)
    # M depends on each gain linearly, so a difference is the derivative.
    moved = [abs(w[:, i].conj() @ (fork(gains + np.eye(4)[c]) - M) @ v[:, i] * gains[c]) for c in range(4)]
    links_good &= near(list(mode["connections"].values()), np.array(moved) / sum(moved), 1e-6)
ok(good, "memory counts for the connection's target", found["modes"])
ok(links_good, "shares of connections are what their gains do to the mode", found["modes"])
ok([float(r.split(",")[2].split()[0]) for r in rows.splitlines() if ",mode," in r] ==
   [m["frequency"] for m in found["modes"]] and 0 < len(found["modes"]) <= 6, "at most six rows `mode`", rows)

# The same of all couplings, from matrices that are printed for gains moved one at a time: under jacobi and gauss-seidel M is
# of the first degree in each gain, so gains 2 g and 0 give the derivative; else differences of 1e-3 g and of twice that, whose
# error is of the fourth order.
text = """
system: network
parameters: {g0: 2, g1: 1.5, g2: -1, g3: 0.5, g4: 0.7, g5: -0.3}
subsystems:
  - {name: a, A: [[-1, 2], [-2, -1]], B: [[1, 0], [0, 1]], C: [[1, 0], [0, 1]], inputs: [u, v], outputs: [x, y], method: rk4}
  - {name: b, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4}
  - {name: c, A: [[-3]], B: [[1, 1]], C: [[1]], D: [[0.5, 0]], inputs: [u, v], outputs: [y], method: rk4}
  - {name: d, A: [[0, 1], [-5, -0.3]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: rk4}
connections:
  - {from: a.x, to: b.u, gain: g0}
  - {from: a.y, to: c.u, gain: g1}
  - {from: b.y, to: c.v, gain: g2}
  - {from: c.y, to: d.u, gain: g3}
  - {from: d.y, to: a.u, gain: g4}
  - {from: c.y, to: a.v, gain: g5}
coupling: {scheme: jacobi, macro_step: 0.2}
"""
names, gains = [f"g{c}" for c in range(6)], [2, 1.5, -1, 0.5, 0.7, -0.3]


def matrices(path, coupling, *moved):
    return np.array(map_of(path, "--coupling", coupling, "--matrix", *moved)[0]["matrix"])


with tempfile.TemporaryDirectory() as where:
    path = pathlib.Path(where) / "ring.yaml"
    path.write_text(text)
    for coupling in ("jacobi", "jacobi-hermite", "gauss-seidel-linear", "gauss-seidel(d,b,c,a)", "iterated-linear", "jacobi-solved")[::stride(2)]:
        modes, M = map_of(path, "--coupling", coupling)[0]["modes"], matrices(path, coupling)
        values, v = np.linalg.eig(M)
        straight = not coupling.endswith("solved") and not coupling.startswith("iterated")
        shares = ((1, 0.5), (-1, -0.5)) if straight else tuple((s * h, s * f / h) for h, f in ((1e-3, 2 / 3), (2e-3, -1 / 6)) for s in (1, -1))
        change = [sum(f * matrices(path, coupling, "--set", f"{name}={float(g * (1 + s))!r}") for s, f in shares) for name, g in zip(names, gains)]
        worst = 0
        for mode in modes[:4]:
            i = np.argmin(abs(values - complex(*mode["eigenvalue"])))
            w = np.linalg.solve(np.linalg.eig(M)[1].conj().T, np.eye(len(M))[i])
            links = np.array([abs(w.conj() @ d @ v[:, i]) for d in change])
            worst = max(worst, abs(list(mode["connections"].values()) - links / links.sum()).max())
        # The error of map's own difference, s = 2^-12, where gains contribute x = 0.01 or more of a macro step: eps/(s x) = 1e-10 by
        # rounding, some 10 of them, and s^2/6 = 1e-8 where M is not of the first degree.
        ok(worst < (1e-9 if straight else 1e-8), f"{coupling}: shares of connections from the matrices of moved gains", worst)

# A ring of 25 oscillators whose neighbours share an output; the same ring with an output for each. What the master remembers
# has other rows, and no mode, share or condition differs: the shared outputs' part of a mode is divided among its connections.
def ring(shared, count=25):
    lines = ["system: network", "subsystems:"]
    for i in range(count):
        outputs, C = ("[x]", "[[1, 0.2]]") if shared else ("[x, y]", "[[1, 0.2], [1, 0.2]]")
        lines.append(f"  - {{name: s{i}, A: [[0, 1], [-{3 + i / 7}, -{0.1 + i % 4 / 10}]], B: [[0, 0], [1, 0.5]], C: {C}, inputs: [l, r], "
                     f"outputs: {outputs}, method: rk4}}")
    lines.append("connections:")
    for i in range(count):
        lines += [f"  - {{from: s{i}.x, to: s{(i + 1) % count}.l, gain: {0.5 + i / 50}}}",
                  f"  - {{from: s{i}.{'x' if shared else 'y'}, to: s{(i - 1) % count}.r, delay: {i % 3}}}"]
    return "\n".join(lines + ["coupling: {scheme: jacobi, macro_step: 0.1}", ""])


with tempfile.TemporaryDirectory() as where:
    paths = [pathlib.Path(where) / name for name in ("shared.yaml", "apart.yaml")]
    for path in paths:
        path.write_text(ring(path.name == "shared.yaml"))
    for coupling in ("jacobi-linear", "gauss-seidel-quadratic", "jacobi-hermite")[::stride(2)]:
        one, two = (map_of(path, "--coupling", coupling)[0] for path in paths)
        same = 50 < one["size"] <= two["size"] and len(one["modes"]) == len(two["modes"])
        worst = 0
        for a, b in zip(one["modes"], two["modes"]):
            same &= near(a["eigenvalue"], b["eigenvalue"], 1e-11) and near(a["condition"] / b["condition"], 1, 1e-8)
            for key in ("participation", "participation_of_sums"):
                worst = max(worst, max(abs(a[key][name] - b[key][name]) for name in a[key]))
            worst = max(worst, abs(np.array(list(a["connections"].values())) - list(b["connections"].values())).max())
        # Shares of connections: rounding as above, under the condition of the modes.
        ok(same and worst < 1e-8, f"{coupling}: modes of shared outputs are those of outputs of their own", worst, one["size"], two["size"])
    # With converged iterations and no delay the map has the states' rows alone: against NumPy.
    path = paths[0]
    path.write_text("\n".join(line.split(", delay")[0] + "}" if ", delay" in line else line for line in ring(True).split("\n")))
    found = map_of(path, "--coupling", "iterated-linear", "--matrix")[0]
    values, v = np.linalg.eig(np.array(found["matrix"]))
    w, good = np.linalg.inv(v).conj().T, found["size"] == 50
    for mode in found["modes"]:
        i = np.argmin(abs(values - complex(*mode["eigenvalue"])))
        product = abs(w[:, i].conj() * v[:, i]).reshape(25, 2).sum(axis=1)
        good &= near(list(mode["participation"].values()), product / product.sum(), 1e-9)
    ok(good and len(found["modes"]) == 6, "participations in a map of 50 rows", found["size"])

flip = map_of(DRIVE, "--set", "kd=400", "--set", "H=0.02")[0]["modes"]
ok(any(m["eigenvalue"][0] < 0 and m["eigenvalue"][1] == 0 and near(m["frequency"], 25) for m in flip),
   "a negative eigenvalue reads 1/(2H)", flip)
with tempfile.TemporaryDirectory() as where:  # without the controller's spring
    path = pathlib.Path(where) / "free.yaml"
    path.write_text(DRIVE.read_text().replace("-kp/J1", "0").replace("kp: 20, ", ""))
    free, printed = map_of(path)[0], costab("map", path, "-f", "csv").stdout
ok(free["removed_modes"] == 1 and all(abs(complex(*m["eigenvalue"]) - 1) > 1e-9 for m in free["modes"]) and
   near(np.exp(free["modes"][0]["growth"] * 0.01), 0.987583211991, 1e-11), "an equilibrium is no mode", free)
limit = map_of(DRIVE, "--set", "kp=0")[0]
ok(limit["removed_modes"] == 0 and limit["class"] == "NN", "at a stiffness of 0 that varies it is a limit", limit)
drifting, wrong = 0, []
for path in sorted((ROOT / "sweeps").glob("*/models/*.yaml"))[::-min(stride(2), 2)]:
    for m in map_of(str(path), "--coupling", "jacobi,gauss-seidel-linear"):
        rest = [abs(complex(*z)) for z, aside in zip(m["eigenvalues"], m["set_aside"], strict=True) if not aside]
        drifting += m["removed_modes"] > 0
        if len(rest) != m["size"] - m["removed_modes"] - m["kept"] or (rest and m["period"] == 1 and not near(max(rest), m["spectral_radius"], 1e-9)):
            wrong.append((path.name, m))
ok(drifting and not wrong, f"set_aside are the 1 of equilibria: the others have the spectral radius ({drifting} maps)", drifting, wrong[:1])
ok(f"jacobi,set_aside,{free['set_aside'].index(True) + 1}\n" in printed, "and a row counts them from 1", printed)

# A mode has no frequency where its angle is rounding: double and triple eigenvalues of defective matrices, -2 and -1.8. A slow oscillation
# in far units, 1e-6 rad/s, has one.
text = """
system: network
parameters: {{w: 1e-6, u: {u}}}
subsystems:
  - {{name: double, A: [[-1, 1], [-1, -3]], B: [[1], [0]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}}
  - {{name: triple, A: [[-1.1, 0.7, 0], [-0.7, -2.5, 0], [0.1, 0.3, -1.8]], B: [[0], [0], [0]], C: [[0, 0, 1]], inputs: [u], outputs: [y], method: exact}}
  - {{name: slow, A: [[-1e-9, w*u], [-w/u, -1e-9]], B: [[0], [0]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}}
connections: [{{from: double.y, to: triple.u}}, {{from: triple.y, to: double.u}}, {{from: slow.y, to: double.u}}]
coupling: {{scheme: jacobi, macro_step: 0.1}}
"""
with tempfile.TemporaryDirectory() as where:
    path = pathlib.Path(where) / "defective.yaml"
    for units in ("1", "1e3", "1e-3"):
        path.write_text(text.format(u=units))
        modes = map_of(path)[0]["modes"]
        leading, others = modes[0], modes[1:]
        ok(np.isclose(leading["frequency"], 1e-6 / (2 * np.pi), rtol=1e-6) and len(others) >= 4 and all(m["frequency"] == 0 for m in others),
           f"frequencies are no rounding, units of {units}", [(m["growth"], m["frequency"]) for m in modes])

    # Explicit Euler twice: (1 - 0.5 H 0.0284)^2 = 0.0025 twice, and a triple eigenvalue; none oscillates.
    path.write_text("""system: network
parameters: {H: 73.90166583064006}
subsystems:
  - {name: a, A: [[0, 0.06391787173834484], [-0.012633038727860209, -0.056832277767934376]], B: [[0],[15.645076608520618]], C: [[1.8088294670444402e-08,0]], x0: [1,0], inputs: [u], outputs: [y], method: euler, substeps: 2}
  - {name: b, A: [[-0.03230286379835781, 1.8088294670444402e-08, 0], [0, -0.03230286379835781, 0.06391787173834484], [0, 0, -0.03230286379835781]], B: [[1.8088294670444402e-08],[1],[15.645076608520618]], C: [[0,55284371.36940071,0]], x0: [1,0,0], inputs: [u], outputs: [y], method: euler, substeps: 2}
connections: [{from: a.y, to: b.u, gain: 0}, {from: b.y, to: a.u, gain: 0}]
coupling: {scheme: jacobi, macro_step: H}
""")
    euler = path.read_text()
    path.write_text("""system: network
parameters: {H: 0.1}
subsystems:
  - {name: a, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: rk4, step: 0.0317}
  - {name: b, A: [[-2]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: rk4, step: 0.0297}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u, gain: -1}]
coupling: {scheme: jacobi, macro_step: H, micro_steps: clocks}
""")
    done = costab("map", path, "--format", "json")
    ok(json.loads(done.stdout)[0]["modes"] == [] and "jacobi: no modes: over its period of 94149 macro steps" in done.stderr, "a map without modes: the reason", done)
    path.write_text(euler)
    modes = map_of(path)[0]["modes"]
    ok(len(modes) >= 4 and all(m["frequency"] == 0 for m in modes), "nor of a double eigenvalue that rounding moves by twice the error of one", [(m["growth"], m["frequency"]) for m in modes])
    # Equal subsystems in a symmetric loop have equal shares: the table names both.
    path.write_text("""system: network
subsystems:
  - {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: b, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: b.u, gain: 1/2}, {from: b.y, to: a.u, gain: 1/2}]
coupling: {scheme: jacobi, macro_step: 0.5}
""")
    table = costab("map", path, "-f", "text").stdout
    ok("a 50 %" in table and "b 50 %" in table and table.count("a.y->b.u") == table.count("b.y->a.u") == 2, "all of equal shares are in the tables", table)
finish()
