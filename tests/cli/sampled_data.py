#!/usr/bin/env python3
"""Discrete-time subsystems (digital controllers): classes, radii and limits against reference values; decay, abscissa and histories of random
sampled-data systems against two programs of this file, a master that passes messages and the system without one; refusals. Prints TAP."""
import json
import os
import pathlib
import re
import shlex
from fractions import Fraction
from math import floor, lcm, log

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices
import h5py
import numpy as np
from scipy.linalg import expm

from tap import costab, csv_rows, effort, finish, ok, seed, stride, workplace

PI_BUCK = """system: network
parameters: {Ts: 1e-5, H: Ts, ki: 400}
subsystems:
  - {name: buck, A: [[-0.02/22e-6, -1/22e-6], [1/100e-6, -1/(2*100e-6)]], B: [[12/22e-6], [0]], C: [[0, 1]], inputs: [d], outputs: [v], method: exact, x0: [0, 1]}
  - {name: pi, Ad: [[1]], Bd: [[Ts]], Cd: [[ki]], Dd: [[0.01]], sample_time: Ts, inputs: [e], outputs: [d]}
connections: [{from: buck.v, to: pi.e, gain: -1}, {from: pi.d, to: buck.d}]
coupling: {scheme: jacobi, macro_step: H}
"""
PID = """system: network
parameters: {Ts: 0.1, H: Ts, Kp: 6, Ki: 4, Kd: 1.5, N: 20, a: 1/(1 + N*Ts)}
subsystems:
  - {name: plant, A: [[0, 1], [-4, -0.2]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [x], method: exact, x0: [1, 0]}
  - {name: pid, Ad: [[1, 0], [0, a]], Bd: [[Ki*Ts], [1 - a]], Cd: [[1, -Kd*N*a]], Dd: [[Kp + Ki*Ts + Kd*N*a]], sample_time: Ts, inputs: [e], outputs: [u]}
connections: [{from: plant.x, to: pid.e, gain: -1}, {from: pid.u, to: plant.u}]
coupling: {scheme: jacobi, macro_step: H}
"""
CASCADE = """system: network
parameters: {H: 0.001}
subsystems:
  - {name: motor, A: [[-200, -40], [50, -0.5]], B: [[1000], [0]], C: [[1, 0], [0, 1]], inputs: [v], outputs: [i, w], method: exact, x0: [1, 0]}
  - {name: inner, Ad: [[1]], Bd: [[0.08]], Cd: [[1]], Dd: [[0.3]], sample_time: 0.002, inputs: [e], outputs: [u]}
  - {name: outer, Ad: [[1]], Bd: [[0.03]], Cd: [[1]], Dd: [[0.6]], sample_time: 0.003, computation_delay: 1, inputs: [e], outputs: [r]}
connections: [{from: inner.u, to: motor.v}, {from: motor.i, to: inner.e, gain: -1}, {from: outer.r, to: inner.e}, {from: motor.w, to: outer.e, gain: -1}]
coupling: {scheme: jacobi, macro_step: H}
"""
GAIN = """system: network
parameters: {kappa: 2.2, H: 0.1}
subsystems:
  - {name: plant, A: [[0]], B: [[1]], C: [[1]], inputs: [u], outputs: [x], method: exact, x0: [1]}
  - {name: controller, Dd: [[-kappa]], sample_time: 1, inputs: [x], outputs: [u]}
connections: [{from: plant.x, to: controller.x}, {from: controller.u, to: plant.u}]
coupling: {scheme: jacobi, macro_step: H}
"""


def values_of(text, *options):
    """What map says of the first coupling, by name; eigenvalues as a list."""
    pathlib.Path("model.yaml").write_text(text)
    done = costab("map", "model.yaml", *options, "-f", "csv")
    found = {"eigenvalue": [], "said": done.stderr}
    for row in csv_rows(done):
        if row["name"] == "eigenvalue":
            found["eigenvalue"].append(row["value"])
        else:
            found.setdefault(row["name"], row["value"])
    return found


def near(found, wanted, error=1e-11):
    return abs(float(found) - wanted) <= error * abs(wanted)


def references():
    """One loop in closed form, a PID, a buck converter and a cascade of two rates."""
    at = values_of(GAIN)
    ok(at["class"] == "US" and near(at["spectral_abscissa"], log(1.2)) and near(at["eigenvalue"][0].split()[0], -0.6317744687875781),
       "an unstable sampled-data system that output latency stabilises", at)
    for m in (1, 2, 3, 4, 10):
        wanted = min(m, 2 / (1 - 2 / m) if m > 2 else m)  # where it is above 2, the system is unstable first
        rows = csv_rows(costab("limit", "model.yaml", "--over", "kappa=0.01:9", "--set", f"H={1 / m!r}", "-f", "csv"))
        ok(near(rows[-1]["upper"], wanted) and near(rows[0]["upper"], min(wanted, 2)), f"jacobi, sample time {m} H: the limit in closed form", rows, wanted)
    at = values_of(PID)
    ok(near(at["spectral_abscissa"], log(0.9589781900877126) / 0.1) and near(at["spectral_radius"], 1.002664477022067) and at["class"] == "SU",
       "the PID: system and jacobi", at)
    late = values_of(PID.replace("sample_time: Ts", "sample_time: Ts, computation_delay: 1"))
    ok(near(late["spectral_abscissa"], log(1.002664477022067) / 0.1), "with computation delay the system has the output a sample later", late)
    for H, radius in (("Ts/2", 0.9759826000968777), ("Ts/5", 0.9606147226835630), ("2*Ts", 1.07001171729392), ("1.5*Ts", 1.04417033132246)):
        at = values_of(PID.replace("H: Ts", f"H: {H}"))
        ok(near(at["decay"], log(radius) / 0.1, 1e-10), f"the PID with H = {H}", at["decay"], log(radius) / 0.1)
    for coupling in ("gauss-seidel", "gauss-seidel(pid,plant)"):
        at = values_of(PID.replace("H: Ts", "H: Ts/5"), "-c", coupling)
        ok(near(at["decay"], log(0.9589781900877126) / 0.1), f"{coupling} is the sampled-data system", at["decay"])
    pathlib.Path("buck.yaml").write_text(PI_BUCK)
    for H, coupling, wanted in ((1e-5, "jacobi", 474.2050552921016), (5e-6, "jacobi", 491.2439210909856), (1e-6, "jacobi", 509.0216702273496),
                                (1e-5, "gauss-seidel", 514.0856266342515)):
        rows = csv_rows(costab("limit", "buck.yaml", "--over", "ki=20:3000", "--set", f"H={H!r}", "-c", coupling, "-f", "csv"))
        ok(len(rows) == 1 and rows[0]["class"] == "SS" and near(rows[0]["upper"], wanted), f"the buck converter's limit of ki: {coupling}, H = {H}", rows, wanted)
    at = values_of(CASCADE)
    ok(near(at["spectral_abscissa"], -15.6507834270107) and near(at["decay"], -15.9049483054), "a cascade of 2 and 3 ms, jacobi", at)
    at = values_of(CASCADE, "-c", "gauss-seidel(motor,inner,outer)")
    ok(near(at["decay"], -15.8538359735), "the cascade, gauss-seidel", at)


def predictions():
    """A predicted sample that acts early hides an instability: a warning."""
    text = PID.replace("sample_time: Ts", "sample_time: Ts, computation_delay: 1").replace(
        "scheme: jacobi", "scheme: gauss-seidel, order: [pid, plant], interpolation: linear, extrapolation: linear")
    at = values_of(text)
    ok(near(at["spectral_radius"], 0.959011, 1e-6) and at["class"] == "US" and "predicted" in at["said"], "a predicted sample warns", at)
    ok("predicted" not in values_of(text.replace("[pid, plant]", "[plant, pid]"))["said"], "no warning in the other order")


def part_of_a_sample():
    """An integrator with u = -kappa x, which a shift register delays by 2/3 of a sample: z^2 - (1 - kappa/3) z + 2/3 kappa = 0."""
    late = GAIN.replace("connections:", "  - {name: late, Ad: [[0, 0], [1, 0]], Bd: [[1], [0]], Cd: [[0, 1]], sample_time: 1/3, inputs: [u], outputs: [late]}\nconnections:").replace(
        "{from: controller.u, to: plant.u}", "{from: controller.u, to: late.u}, {from: late.late, to: plant.u}")
    pathlib.Path("late.yaml").write_text(late)
    upper = {}
    for name, H in (("gauss-seidel", "1/30"), ("jacobi", "1/3000")):
        upper[name] = float(csv_rows(costab("limit", "late.yaml", "--over", "kappa=0.1:3", "--set", f"H={H}", "-c", name))[0]["upper"])
    ok(near(upper["gauss-seidel"], 1.5) and 0.99 < upper["jacobi"] < 1, "gauss-seidel keeps a delay of 2/3 of a sample, jacobi makes it a sample", upper)


def held_figure():
    """A figure draws what changes at samples only as steps, and names in its key what it draws."""
    pathlib.Path("held.yaml").write_text(PID)
    made = costab("simulate", "held.yaml", "--set", "H=0.02", "--set", "Kp=60", "--until", "4", "-o", "held.h5"), costab("plot", "held.h5", "--script-only", "--panels", "all")
    script, steps = pathlib.Path("held.gp").read_text(), {}
    layers = re.findall(r"^# (\d+)\.curve\.(local|exact): [^\n]*\n(.*?)(?=^#|\Z)", pathlib.Path("held.dat").read_text(), re.M | re.S)
    with h5py.File("held.h5") as file:
        signals = [name.decode() for name in file["signal"][()]]
        for panel, kind, body in layers:
            t, x = np.array([line.split() for line in body.strip().splitlines()], float).T
            steps[signals[int(panel) - 1], kind] = bool(np.all((np.diff(t) == 0) | (np.diff(x) == 0)))
            if signals[int(panel) - 1] == "pid.u" and kind == "exact":
                rows = [file[field][0, signals.index("pid.u")] for field in ("local_monolithic", "local_time")]
                stored, at = (values[~np.isnan(rows[1])] for values in rows)
                middle = np.interp(at[:-1] + 0.05, t, x)
                ok(len(at) > 30 and np.allclose(middle, stored[:-1], rtol=1e-8), "the drawn output between two samples is that of the first", made, middle, stored)
    held = [name for name in signals if name.startswith("pid.") and name != "pid.e"]
    ok(len(steps) == 2 * len(signals) and all(steps[name, kind] == (name in held) for name, kind in steps), "states and outputs of a discrete-time subsystem have steps, others have none", made, steps)
    ok("micro steps: cut" in script and "communication points" not in script.split("# ---- Key")[1], "the key names no curve that is not drawn", script)


def tried_figure(tried):
    """A figure of tried macro steps has a mark at each of them, and no bars between."""
    def draw(name, *options):
        made = costab("limit", "pid.yaml", *options, "-o", f"{name}.h5", "-q"), costab("plot", f"{name}.h5", "--script-only", "--force")
        layers = {head.split(":")[0]: body for head, body in re.findall(r"^# ([^\n]*)\n(.*?)(?=^#|\Z)", pathlib.Path(f"{name}.dat").read_text(), re.M | re.S)}
        boxes = [[float(line.split()[0]) for line in box.splitlines()] for box in layers["1.fill.ss"].strip().split("\n\n")]
        crosses = [float(line.split()[0]) for line in layers.get("1.point.tried_unstable", "").strip().splitlines()]
        return made, boxes, crosses, pathlib.Path(f"{name}.gp").read_text()

    made, boxes, crosses, script = draw("tried", "--over", "H=0.03:0.5")
    few = [H for H in tried if H >= 0.03]
    with h5py.File("tried.h5") as file:
        ok(np.allclose(file["tried"][0, 0], few, rtol=1e-12), "limit -o keeps the tried values", file["tried"][0, 0], few)
    ok(len(boxes) == 2 and all(min(box) - 1e-9 <= H <= max(box) + 1e-9 and max(box) - min(box) < 0.006 for box, H in zip(boxes, few)) and np.allclose(crosses, few[2:]),
       "a figure marks tried values alone", made, boxes, crosses, few)
    ok("tried values only" in script and "tried, not found stable" in script, "and its key says so", script)
    made, boxes, crosses, script = draw("whole", "--over", "Kp=1:100")
    with h5py.File("whole.h5") as file:
        ok("tried" not in file and "trial" not in file and len(boxes) == 1 and max(boxes[0]) - min(boxes[0]) > 0.5 and not crosses and "tried" not in script,
           "of a range it draws bars, and the file has no tried values", list(file), boxes)


def searches():
    """limit over H, sample times and masses."""
    pathlib.Path("pid.yaml").write_text(PID)
    done = costab("limit", "pid.yaml", "--over", "H=0.002:0.5", "-f", "csv")
    rows = csv_rows(done)
    tried = [0.1 / m for m in range(1, 51)] + [0.1 * k for k in range(2, 6)]
    pathlib.Path("tried.yaml").write_text(PID + f"axes: {{H: {sorted(tried)}}}\nfields: [decay]\n")
    costab("sweep", "tried.yaml", "-o", "each.h5", "-q")
    with h5py.File("each.h5") as file:
        stable = [H for H, decay in zip(sorted(tried), file["decay"][...].ravel()) if decay < 0]
    ok(done.returncode == 0 and near(rows[-1]["upper"], max(stable)) and near(rows[0]["lower"], min(stable)) and len(rows) == 1 and "54" in done.stderr and "sample time" in done.stderr,
       "limit over H tries whole fractions and multiples of the sample time", rows, stable, done.stderr)
    ok((rows[0]["lower_kind"], rows[0]["upper_kind"]) == ("range", "whole"), "an end next to an untried value is none of the kind limit", rows)
    tried_figure(sorted(tried))
    said = costab("limit", "pid.yaml", "--over", "H=0.002:0.5", "-c", "jacobi,gauss-seidel,iterated").stderr
    ok(said.count("whole multiples of one another") == 1, "and says so once for all couplings", said)
    said = costab("limit", "pid.yaml", "--over", "H=0.014:0.03", "-f", "text").stdout
    ok("pid.yaml" in said and "jacobi is stable at the tried H from 0.0142857 to 0.025 s." in said, "a range begins with its first tried value", said)
    said = costab("margin", "pid.yaml", "--parameters", "H").stderr
    ok("H: only values at which macro step and sample time are whole multiples of one another were tried" in said, "margin says so, too", said)
    done = costab("report", "pid.yaml", "--over", "H=0.002:0.5", "--until", "1", "-q", "-o", "pid.html")
    page = pathlib.Path("pid.html").read_text()
    commands = set(re.findall(r'"(costab (?:limit|advise|pattern|margin|map|info|simulate) [^"]*)"', page))
    failed = [line for line in sorted(commands)[::stride(4)] if costab(*shlex.split(json.loads(f'"{line}"'))[1:]).returncode != 0]
    ok(done.returncode == 0 and len(commands) > 4 and not failed and '"tried": "H: the 54 values' in page and '"to_is": "whole"' in page,
       "a report says which steps were tried, and its commands run", done.stderr, commands, failed)
    held = dict(re.findall(r'"name": "(\w+\.\w+)",\s*"held": (\w+)', page))
    ok(len(set(held.values())) == 2 and all((value == "true") == name.startswith("pid.") for name, value in held.items()), "a report draws outputs of a discrete-time subsystem as steps", held)
    # Of GAIN the system is stable for kappa < 2, the simulation up to 2.5.
    pathlib.Path("gain.yaml").write_text(GAIN)
    said = costab("limit", "gain.yaml", "--over", "kappa=0.1:9", "-c", "jacobi,gauss-seidel", "-f", "text").stdout
    ok(re.search(r"jacobi is stable for kappa from 0\.1 to (2|1\.9999\d*), as far as any; it hides an instability of the system from 2(\.0000\d*)? to 2\.(5|4999\d*)\. Margins", said),
       "limit: an interval that hides an instability is named as such", said)
    said = costab("limit", "gain.yaml", "--over", "kappa=2.1:9", "-f", "text").stdout
    ok(re.search(r"Nothing was found stable for kappa from 2\.1 to 9; jacobi hides an instability of the system from 2\.1 to 2\.(5|4999\d*)\. What passes its limit", said),
       "limit: and it is not recommended if it is the only one", said)
    text = PID.replace("H: Ts,", "H: Ts/5,")
    pathlib.Path("five.yaml").write_text(text)
    upper = float(csv_rows(costab("limit", "five.yaml", "--over", "Ts=0.01:0.9", "-f", "csv"))[0]["upper"])
    radii = [float(values_of(text, "--set", f"Ts={upper * f!r}")["spectral_radius"]) for f in (1 - 1e-7, 1 + 1e-7)]
    ok(radii[0] < 1 < radii[1], "with H: Ts/5 a limit over Ts is an interval", upper, radii)
    done = costab("margin", "five.yaml", "--connections", "-f", "csv")
    ok(done.returncode == 0, "margins", done.stderr)


SWING = """system: network
parameters: {H: 0.05, Ts: 0.1}
subsystems:
  - {name: swing, states: [phi, w], f: [w, -9.81*sin(phi) - 0.2*w + u], g: [phi], inputs: [u], outputs: [phi], method: rk4, substeps: 20, x0: [1, 0]}
  - {name: pd, Ad: [[0]], Bd: [[1]], Cd: [[2/Ts]], Dd: [[-4 - 2/Ts]], sample_time: Ts, inputs: [phi], outputs: [u]}
connections: [{from: swing.phi, to: pd.phi}, {from: pd.u, to: swing.u}]
coupling: {scheme: gauss-seidel, macro_step: H}
"""


def nonlinear():
    """A nonlinear plant, with and without a source: gauss-seidel differs from the monolithic solution by the error of its solver alone."""
    for more in ("", "sources: {swing.u: 0.3*sin(2*t)}\n"):
        pathlib.Path("swing.yaml").write_text(SWING + more)
        worst = max(float(row["error"]) for row in csv_rows(costab("simulate", "swing.yaml", "--until", "3", "--error", "-f", "csv")))
        ok(0 < worst < 1e-8, "a nonlinear plant" + (" with a source" if more else ""), worst)
        late = max(float(row["error"]) for row in csv_rows(costab("simulate", "swing.yaml", "--until", "3", "--error", "-c", "jacobi", "-f", "csv")))
        ok(late > 0.01, "jacobi delays the samples", late)
    removed = values_of(GAIN.replace("Dd: [[-kappa]]", "Ad: [[1]], Bd: [[0]], Cd: [[1]], Dd: [[-kappa]]"), "--set", "kappa=0.5")
    ok(removed["removed_modes"] == "1" and near(removed["spectral_abscissa"], log(0.5)) and removed["class"] == "SS",
       "a rest point of an integrator in the controller is an equilibrium", removed)


REFUSALS = [
    (PID.replace("scheme: jacobi", "scheme: iterated"), ("map", "m.yaml"), "iteration is not defined with a discrete-time subsystem"),
    (PID.replace("scheme: jacobi", "scheme: jacobi, feedthrough: solved"), ("map", "m.yaml"), "feedthrough: solved"),
    (PID.replace("scheme: jacobi", "scheme: jacobi, micro_steps: real-power"), ("map", "m.yaml"), "real-power"),
    (PID.replace("H: Ts", "H: Ts*sqrt(2)"), ("map", "m.yaml"), "no ratio p/q"),
    (PID, ("advise", "m.yaml", "--over", "H=0.01:1", "-c", "iterated"), "no coupling fits the model; left out: coupling: iteration is not defined with a discrete-time subsystem"),
    (PID, ("tune", "m.yaml", "--over", "H=0.01:1"), "discrete-time subsystem"),
    (PID, ("pattern", "m.yaml", "--steps", "0.1,0.2"), "sequences of steps: not with the discrete-time subsystem 'pid'"),
    (PID, ("pattern", "m.yaml", "--over", "H=0.1:0.2"), "sequences of steps: not with the discrete-time subsystem 'pid'"),
    (PID, ("simulate", "m.yaml", "--until", "1", "--steps", "0.1,0.2"), "sequences of steps: not with the discrete-time subsystem 'pid'"),
    (PID, ("bound", "m.yaml", "--error", "0.01"), "bound: not with the discrete-time subsystem 'pid'"),
    (PID, ("map", "m.yaml", "--over", "Kp=1:7", "--continuous"), "--continuous: not with the discrete-time subsystem 'pid'"),
    (PID.replace("sample_time: Ts", "sample_time: Ts, method: rk4"), ("map", "m.yaml"), "m.yaml:5:", "has no key 'method'"),
    (PID.replace("sample_time: Ts, ", ""), ("map", "m.yaml"), "m.yaml:5:", "'sample_time' is missing"),
    (PID.replace("sample_time: Ts", "sample_time: 0"), ("map", "m.yaml"), "m.yaml:5:", "sample_time"),
    (PID.replace("sample_time: Ts", "sample_time: Ts, computation_delay: 2"), ("map", "m.yaml"), "m.yaml:5:", "computation_delay"),
    (PID.replace("sample_time: Ts", "sample_time: Ts, computation_delay: 0.5"), ("map", "m.yaml"), "m.yaml:5:", "expected 0 or 1 samples, found 0.5; a part of a sample"),
    (PID.replace("Cd: [[1, -Kd*N*a]], ", "Cd: [[1]], "), ("map", "m.yaml"), "m.yaml:5:", "pid', Cd: expected 1 x 2 numbers"),
    (PID.replace("Bd: [[Ki*Ts], [1 - a]], ", ""), ("map", "m.yaml"), "m.yaml:5:", "'Bd' is missing"),
]


def refusals():
    for text, command, *words in REFUSALS:
        pathlib.Path("m.yaml").write_text(text)
        done = costab(*command)
        ok(done.returncode == 2 and all(word in done.stderr for word in words), " ".join(command) + ": " + words[-1], done.returncode, done.stderr)


# ---- Random systems

class Part:
    """A subsystem: matrices, of a discrete one its sample time in units and its computation delay (0, 1), of a continuous one None."""

    def __init__(self, matrices, every=None, delay=0):
        self.M, self.every, self.delay = [np.array(m, float) for m in matrices], every, delay
        self.n, self.m, self.q = len(self.M[0]), self.M[1].shape[1], len(self.M[2])


def places(parts):
    """Columns of each state: x, held inputs, outputs w and p of discrete ones, former outputs."""
    where, size = [], 0
    for p in parts:
        row = {}
        for name, count in (("x", p.n), ("u", p.m), ("w", p.q), ("p", p.q), ("y", p.q)):
            row[name] = slice(size, size + count)
            size += count
        where.append(row)
    return where, size


def zero_order(p, h, inputs):
    """x, from its rows and the coefficients of a line, after h seconds."""
    n, m = p.n, p.m
    G = np.zeros((n + 2 * m, n + 2 * m))
    G[:n, :n], G[:n, n:n + m] = p.M[0], p.M[1]
    G[n:n + m, n + m:] = np.eye(m) / h
    return expm(G * h)[:n] @ inputs


def sample(p, z, at, u):
    x = z[at["x"]].copy()
    y = p.M[2] @ x + p.M[3] @ u
    z[at["x"]] = p.M[0] @ x + p.M[1] @ u
    z[at["w"]] = z[at["p"]] if p.delay else y
    z[at["p"]] = y if p.delay else 0


def delivered(values, links, i, parts):
    """Inputs of part i: the sum of gains times rows `values[source]`."""
    u = np.zeros((parts[i].m, values[0].shape[1]))
    for source, output, target, k, gain in links:
        if target == i:
            u[k] += gain * values[source][output]
    return u


def macro_step(parts, links, n, H, unit, order, line, z):
    """A macro step that exchanges messages; z: rows of states, in place. order None: jacobi."""
    where, _ = places(parts)
    now = [z[at["w"]].copy() if p.every else p.M[2] @ z[at["x"]] + p.M[3] @ z[at["u"]] for p, at in zip(parts, where)]
    before, new = [z[at["y"]].copy() for at in where], {}
    for i in order if order is not None else range(len(parts)):
        p, at = parts[i], where[i]
        first = [new[j] if j in new and (parts[j].every or not line) else now[j] for j in range(len(parts))]
        last = [new[j] if j in new else now[j] if parts[j].every or not line else 2 * now[j] - before[j] for j in range(len(parts))]
        u0, u1 = delivered(first, links, i, parts), delivered(last, links, i, parts)
        if p.every:
            for k in range(floor(n * H / p.every) + 1, floor((n + 1) * H / p.every) + 1):
                s = float((k * p.every - n * H) / H)
                sample(p, z, at, u0 + s * (u1 - u0))
        else:
            z[at["x"]] = zero_order(p, float(H) * unit, np.vstack([z[at["x"]], u0, u1 - u0]))
            z[at["u"]] = u1
        if order is not None:
            new[i] = z[at["w"]].copy() if p.every else p.M[2] @ z[at["x"]] + p.M[3] @ u1
    for at, y in zip(where, now):
        z[at["y"]] = y


def left_inputs(parts, links, z):
    """All inputs and outputs of a system without master at one time: outputs w of discrete parts are as they are."""
    where, _ = places(parts)
    total, width = sum(p.m for p in parts), z.shape[1]
    starts = np.cumsum([0] + [p.m for p in parts])

    def all_inputs(u):
        values = [z[at["w"]] if p.every else p.M[2] @ z[at["x"]] + p.M[3] @ u[starts[i]:starts[i + 1]] for i, (p, at) in enumerate(zip(parts, where))]
        return np.vstack([delivered(values, links, i, parts) for i in range(len(parts))]), values
    zero, _ = all_inputs(np.zeros((total, width)))
    columns = np.zeros((total, total))
    for j in range(total):
        unit = np.zeros((total, width))
        unit[j] = 1
        columns[:, j] = (all_inputs(unit)[0] - zero)[:, 0]
    u = np.linalg.solve(np.eye(total) - columns, zero)
    return [u[starts[i]:starts[i + 1]] for i in range(len(parts))], all_inputs(u)[1]


def instant(parts, links, k, z):
    """Samples at time k (units): released outputs first, then direct links in their order, then the samples of delayed parts."""
    where, _ = places(parts)
    _, values = left_inputs(parts, links, z)
    due = [i for i, p in enumerate(parts) if p.every and k % p.every == 0]
    for i in due:
        if parts[i].delay:
            values[i] = z[where[i]["p"]].copy()
    for i in sorted(due, key=lambda i: (parts[i].delay, i)):
        sample(parts[i], z, where[i], delivered(values, links, i, parts))
        values[i] = z[where[i]["w"]].copy()


def flow(parts, links, seconds):
    """The matrix of all states over a time without samples."""
    where, size = places(parts)
    eye = np.eye(size)
    u, _ = left_inputs(parts, links, eye)
    G = np.zeros((size, size))
    for p, at, inputs in zip(parts, where, u):
        if not p.every:
            G[at["x"]] = p.M[0] @ eye[at["x"]] + p.M[1] @ inputs
    return expm(G * seconds)


def instants(parts):
    return sorted({k * p.every for p in parts if p.every for k in range(lcm(*[p.every for p in parts if p.every]) // p.every)})


def abscissa(parts, links, unit):
    where, size = places(parts)
    T = lcm(*[p.every for p in parts if p.every])
    times, z = instants(parts), np.eye(size)
    for k, after in zip(times, times[1:] + [T]):
        instant(parts, links, k, z)
        z = flow(parts, links, (after - k) * unit) @ z
    keep = [i for p, at in zip(parts, where) for name in (("x", "w") + (("p",) if p.delay else ()) if p.every else ("x",)) for i in range(at[name].start, at[name].stop)]
    return log(np.abs(np.linalg.eigvals(z[np.ix_(keep, keep)])).max()) / (T * unit)


def decay(parts, links, H, unit, order, line):
    where, size = places(parts)
    T = Fraction(lcm(H.numerator, *[p.every * H.denominator for p in parts if p.every]), H.denominator)
    z = np.eye(size)
    for n in range(int(T / H)):
        macro_step(parts, links, n, H, unit, order, line, z)
    read = [i for p, at in zip(parts, where) for name in (("x", "w", "p", "y") if p.every else ("x", "u", "y")) for i in range(at[name].start, at[name].stop)]
    return log(np.abs(np.linalg.eigvals(z[np.ix_(read, read)])).max()) / (float(T) * unit)


def drawn(random):
    """One or two plants, one or two controllers; a loop through all of them."""
    plants, controllers = int(random.integers(1, 3)), int(random.integers(1, 3))
    parts, links = [], []
    for i in range(plants + controllers):
        discrete = i >= plants
        n, m, q = int(random.integers(0 if discrete else 1, 4)), int(random.integers(1, 3)), int(random.integers(1, 3))
        A = random.uniform(-1, 1, (n, n)) * (0.5 if discrete else 1) - (0 if discrete else 0.5) * np.eye(n)
        D = random.uniform(-0.4, 0.4, (q, m)) * (discrete or random.random() < 0.4)
        parts.append(Part((A, random.uniform(-1, 1, (n, m)), random.uniform(-1, 1, (q, n)), D),
                          int(random.choice([1, 2, 3, 4, 6])) if discrete else None, int(random.integers(0, 2)) if discrete else 0))
    for i, target in enumerate(parts):
        for k in range(target.m):
            sources = [j for j, source in enumerate(parts) if j != i and (not target.every or not source.every or j < i)]
            if target.every is None and random.random() < 0.7:  # the controllers are in the loop
                sources = [j for j in sources if parts[j].every]
            j = int(random.choice(sources))
            links.append((j, int(random.integers(parts[j].q)), i, k, float(random.uniform(-1, 1))))
    return parts, links


def written(parts, links, H, unit, order, line, starts):
    def rows(matrix):
        return "[" + ", ".join("[" + ", ".join(repr(float(v)) for v in row) + "]" for row in matrix) + "]"
    lines = ["system: network", "subsystems:"]
    for i, p in enumerate(parts):
        names, rest = ("Ad", "Bd", "Cd", "Dd") if p.every else "ABCD", ""
        keys = [f"{name}: {rows(m)}" for name, m in zip(names, p.M) if m.size]
        rest = f"sample_time: {p.every * unit!r}, computation_delay: {p.delay}" if p.every else "method: exact"
        x0 = f", x0: {[float(v) for v in starts[i]]}" if p.n else ""
        lines.append(f"  - {{name: s{i}, {', '.join(keys)}, inputs: [{', '.join(f'u{k}' for k in range(p.m))}], outputs: [{', '.join(f'y{k}' for k in range(p.q))}], {rest}{x0}}}")
    lines.append("connections:")
    lines += [f"  - {{from: s{j}.y{o}, to: s{i}.u{k}, gain: {gain!r}}}" for j, o, i, k, gain in links]
    scheme = "jacobi" if order is None else f"gauss-seidel, order: [{', '.join(f's{i}' for i in order)}]"
    degree = "linear" if line else "constant"
    hold = f"extrapolation: {degree}" + (f", interpolation: {degree}" if order is not None else "")
    lines.append(f"coupling: {{scheme: {scheme}, {hold}, macro_step: {float(H) * unit!r}}}")
    return "\n".join(lines) + "\n"


def history(parts, links, H, unit, order, line, starts, steps):
    """Outputs of all parts at the macro steps: of the master, and of the system without one."""
    where, size = places(parts)
    z = np.zeros((size, 1))
    for at, x0 in zip(where, starts):
        z[at["x"], 0] = x0
    instant(parts, links, 0, z)
    u, y = left_inputs(parts, links, z)
    whole, found, t = z.copy(), [], Fraction(0)
    for at, inputs, outputs in zip(where, u, y):
        z[at["u"]], z[at["y"]] = inputs, outputs
    for n in range(steps):
        macro_step(parts, links, n, H, unit, order, line, z)
        end = (n + 1) * H
        while t < end:
            after = min([end] + [(floor(t / p.every) + 1) * p.every for p in parts if p.every])
            whole = flow(parts, links, float(after - t) * unit) @ whole
            t = Fraction(after)
            if t.denominator == 1:
                instant(parts, links, int(t), whole)
        of_system = left_inputs(parts, links, whole)[1]
        of_master = [z[at["w"]] if p.every else p.M[2] @ z[at["x"]] + p.M[3] @ z[at["u"]] for p, at in zip(parts, where)]
        found.append((np.concatenate([v[:, 0] for v in of_master]), np.concatenate([v[:, 0] for v in of_system])))
    return found


def random_systems():
    random = np.random.default_rng(seed(18))
    worst, tried, far = 0, 0, []
    for case in range(effort(24)):
        parts, links = drawn(random)
        unit, H = 0.1, Fraction(*[(1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (2, 3), (7, 10), (3, 1), (1, 5)][int(random.integers(9))])
        order, line = None if random.random() < 0.5 else [int(i) for i in random.permutation(len(parts))], bool(random.random() < 0.4)
        starts = [random.uniform(-1, 1, p.n) for p in parts]
        text = written(parts, links, H, unit, order, line, starts)
        at = values_of(text)
        try:
            wanted = abscissa(parts, links, unit), decay(parts, links, H, unit, order, line)
            found = float(at["spectral_abscissa"]), float(at["decay"])
        except (KeyError, ValueError) as error:
            far.append((case, str(error), at, text))
            continue
        tried += 1
        error = max(abs(a - b) / (1 + abs(b)) for a, b in zip(found, wanted))
        worst = max(worst, error)
        if error > 1e-8:
            far.append((case, found, wanted, text))
        if case % 8 == 0:
            steps = 12
            done = costab("simulate", "model.yaml", "--until", repr(float(H) * unit * (steps + 0.01)), "-f", "csv")
            rows = [row for row in csv_rows(done) if re.fullmatch(r"y\d", row["signal"]) and row["point"] == "communication"]
            for n, (master, system) in enumerate(history(parts, links, H, unit, order, line, starts, steps)):
                here = rows[(n + 1) * len(master):(n + 2) * len(master)]
                apart = max(max(abs(float(row["value"]) - a), abs(float(row["monolithic"]) - b)) for row, a, b in zip(here, master, system))
                if apart > 1e-9 * (1 + np.abs(master).max()) or len(here) != len(master):
                    far.append((case, "history", n, apart, [(row["value"], row["monolithic"]) for row in here], master, system, text))
                    break
    ok(not far and tried > 0, f"{tried} random sampled-data systems: the master's decay, the system's abscissa and histories", worst, *far[:1])


def advised():
    """advise: stable and accurate macro steps, and the best of all, against runs of the master at every admissible macro step."""
    buck = Part(([[-0.02 / 22e-6, -1 / 22e-6], [1 / 100e-6, -1 / (2 * 100e-6)]], [[12 / 22e-6], [0]], [[0, 1]], [[0]]))
    parts, links, Ts, until, starts = [buck, Part(([[1]], [[1e-5]], [[480]], [[0.01]]), 1)], [(0, 0, 1, 0, -1.0), (1, 0, 0, 0, 1.0)], 1e-5, 2.5e-4, [[0, 1], [0]]
    orders = {"jacobi": None, "gauss-seidel": [0, 1], "gauss-seidel(pi,buck)": [1, 0]}
    ratios = [Fraction(1, m) for m in range(4, 0, -1)] + [Fraction(k) for k in range(2, 13)]
    pathlib.Path("buck.yaml").write_text(PI_BUCK.replace("ki: 400", "ki: 480"))
    stable, error = {}, {}
    for name, order in orders.items():
        kept = [decay(parts, links, H, Ts, order, False) < 0 for H in ratios]
        stable[name] = [H for i, H in enumerate(ratios) if all(kept[:i + 1])]
        error[name] = {H: max(abs(master[0] - system[0]) for master, system in history(parts, links, H, Ts, order, False, starts, floor(until / (float(H) * Ts) * (1 + 1e-9))))
                       for H in stable[name]}
    for allowed in (None, 0.2, 0.05, 0.02, 0.004):
        arguments = [] if allowed is None else ["--error", f"buck.v={allowed}", "--until", repr(until), "--all"]
        done = costab("advise", "buck.yaml", "--over", "H=2.5e-6:1.25e-4", "-c", ",".join(orders), "-f", "csv", *arguments)
        rows, wanted = {row["coupling"]: row for row in csv_rows(done)}, {}
        for name in orders:
            wanted[name] = [H for i, H in enumerate(stable[name]) if allowed is None or all(error[name][k] <= allowed for k in stable[name][:i + 1])]
            last = rows[name]["max_stable_step" if allowed is None else "max_accurate_step"]
            ok((near(last, float(wanted[name][-1]) * Ts) if wanted[name] else last == "") and near(rows[name]["max_stable_step"], float(stable[name][-1]) * Ts),
               f"advise, error {allowed}: the longest step of {name} is that of all admissible steps", last, wanted[name], error[name])
        best = max(H for steps in wanted.values() for H in steps)
        first = next(iter(rows.values()))
        ok(near(first["cost"], 1 / (float(best) * Ts) + 1 / Ts) and first["recommended"] == "yes" and f" with H = {float(best) * Ts:.15g}" in done.stderr
           and "costab advise: H: the 15 values at which macro step and sample time" in done.stderr, f"advise, error {allowed}: the best step of all", first, best, done.stderr)
    said = costab("advise", "buck.yaml", "--over", "H=1e-6:1e-4").stderr
    ok("left out: coupling: iteration is not defined with a discrete-time subsystem" in said and "--tune" not in said, "advise: what is left out is said, with the reason", said)
    pathlib.Path("gain.yaml").write_text(GAIN)
    said = costab("advise", "gain.yaml", "--over", "H=0.09:10", "--tune").stderr
    ok("left out: tune: not with" in said and "Take jacobi with H = 0.333333333333333 " in said and "where it hides an instability of the system" in said,
       "advise: a step that hides an instability is named as such, with digits that can be used", said)


with workplace():
    advised()
    held_figure()
    part_of_a_sample()
    references()
    predictions()
    nonlinear()
    searches()
    refusals()
    random_systems()
finish()
