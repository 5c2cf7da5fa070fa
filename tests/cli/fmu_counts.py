#!/usr/bin/env python3
"""How many steps costab asks FMUs for, which the FMUs count themselves (KIT_STEPS), and what it makes of few: limits from 33
values, compared with NumPy's eigenvalues of the hidden solvers' maps; two FMUs that integrate one velocity; an interval between
the first values; what has no map is given up early; a simulation measures none. Prints TAP."""
import math
import os
import pathlib
import tempfile

import numpy as np

from tap import costab, csv_rows, finish, ok, ROOT, stride

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
GRID = 12  # enum faults of tests/fmu/kit.h
STEPS = 4  # micro steps of the hidden Runge-Kutta solvers

MASSES = """system: network
parameters: {k: 12, x: 0, p: 0, g: 1, H: 0.04}
subsystems:
  - {name: a, fmu: FMUS/mass-2.fmu, kind: co-simulation, start: {k: k, m: 1.5, x: x, steps: 4FAULT}}
  - {name: b, fmu: FMUS/coupled-3.fmu, kind: co-simulation, start: {steps: 4}}
connections:
  - {from: a.position, to: b.position}
  - {from: a.speed, to: b.speed}
  - {from: b.reaction, to: a.force, gain: GAIN}
coupling: {scheme: jacobi, macro_step: H}
"""
TRUCK = """system: network
parameters: {H: 0.05}
subsystems:
  - {name: chassis, fmu: FMUS/chassis-V.fmu, kind: co-simulation, start: {steps: 4}}
  - {name: wheel, fmu: FMUS/wheel-V.fmu, kind: co-simulation, start: {steps: 4}}
connections:
  - {from: wheel.force, to: chassis.force}
  - {from: chassis.speed, to: wheel.speed}
coupling: {scheme: jacobi, macro_step: H}
"""


def held_step(A, B, H):
    """x+ = F x + E u of STEPS Runge-Kutta steps with a held input."""
    n, h = len(A), H / STEPS
    whole = np.zeros((n + B.shape[1],) * 2)
    whole[:n, :n], whole[:n, n:] = A * h, B * h
    one = sum(np.linalg.matrix_power(whole, k) / math.factorial(k) for k in range(5))
    power = np.linalg.matrix_power(one, STEPS)
    return power[:n, :n], power[:n, n:]


def truck_radius(H, m=400, k=15000, d=1000, wheel=40, tyre=150000):
    """Of the map of the chassis' speed v, the wheel's states w and the force f; without the chassis' place."""
    A = np.array([[0, 0, 0], [0, 0, 1], [k / wheel, -(k + tyre) / wheel, -d / wheel]])
    F, E = held_step(A, np.array([[1], [0], [d / wheel]]), H)
    C, D = np.array([[-k, k, d]]), -d
    whole = np.zeros((5, 5))
    whole[0, 0], whole[0, 4] = 1, H / m
    whole[1:4, 1:4], whole[1:4, :1] = F, E
    whole[4, 1:4], whole[4, 0] = C @ F, (C @ E + D)[0, 0]
    return max(abs(np.linalg.eigvals(whole)))


def bisect(f, low, high):
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (f(middle) < 1) == (f(low) < 1) else (low, middle)
    return low


with tempfile.TemporaryDirectory() as folder:
    counter = pathlib.Path(folder) / "steps"

    def counted(command, text, *more, **changes):
        """What the command does with a model, and how many steps it takes."""
        path = pathlib.Path(folder) / "model.yaml"
        changes = {"FAULT": "", "GAIN": "1", "V": "2", **changes, "FMUS": FMUS}
        for word, value in changes.items():
            text = text.replace(f"-{word}." if word == "V" else word, f"-{value}." if word == "V" else str(value))
        path.write_text(text)
        counter.unlink(missing_ok=True)
        done = costab(command, path, *more, env={**os.environ, "KIT_STEPS": str(counter)})
        return done, counter.stat().st_size if counter.exists() else 0

    def intervals(done):
        return [(float(r["lower"]), float(r["upper"]), r["class"]) for r in csv_rows(done)]

    # ---- a limit: 33 values of 5 to 200 steps; 1,000 values of 2,038 steps each took two millions
    done, steps = counted("limit", MASSES, "--over", "H=0.01:0.5")
    ok(done.returncode == 0 and len(intervals(done)) == 1 and 256 < steps < 20000, "limit: how many steps", steps, done.stdout)
    ok("jacobi: of 33 values of H first: XS from 0.01 to 0.07" in done.stderr, "limit: the first values at once", done.stderr)
    ok("ends between them found to" in done.stderr, "limit: how well its ends are known", done.stderr)
    only, hidden = counted("map", MASSES)
    ok(only.returncode == 0 and hidden < 4500, "map: how many steps", hidden)

    # ---- two FMUs that integrate one velocity: the eigenvalue 1 of all macro steps is structural
    for v in (2, 3):
        done, steps = counted("limit", TRUCK, "--over", "H=0.03:0.09", V=v)
        truth = bisect(truck_radius, 0.03, 0.09)
        rows = intervals(done)
        ok(len(rows) == 1 and rows[0][2] == "XS" and abs(rows[0][1] / truth - 1) < 1e-6, f"two integrators, FMI {v}: the limit is NumPy's", rows, truth, done.stderr)
        ok(256 < steps < 65000, f"two integrators, FMI {v}: how many steps", steps)
        done, _ = counted("map", TRUCK, V=v)
        found = {r["name"]: r["value"] for r in csv_rows(done)}
        ok(found["removed_modes"] == "1" and found["class"] == "XS" and abs(float(found["spectral_radius"]) - truck_radius(0.05)) < 1e-9,
           f"two integrators, FMI {v}: map", found, truck_radius(0.05))

    # ---- a gain with a bump between two of the first values, which are stable: the ends are where it is the critical gain
    done, _ = counted("limit", MASSES, "--over", "g=0.5:20", GAIN="g")
    critical = intervals(done)[0][1]
    centre, width, rise = 0.5 + 1 / 64, 0.009, 1.02
    done, steps = counted("limit", MASSES, "--over", "p=0:1", GAIN=f"{0.3 * critical!r} + {(rise - 0.3) * critical!r}*exp(-((p - {centre!r})/{width})^2)")
    rows = intervals(done)
    half = width * math.sqrt(math.log((rise - 0.3) / 0.7))
    ok(len(rows) == 2 and abs(rows[0][1] - (centre - half)) < 1e-6 and abs(rows[1][0] - (centre + half)) < 1e-6,
       "a bump between two of the first values", rows, centre - half, centre + half, done.stderr)

    # ---- before what cannot be measured, as it overflows, the co-simulation grows: the intervals are those of the matrices
    exact = f"""system: network
parameters: {{k: 151.7, H: 0.04}}
subsystems:
  - {{name: a, A: [[0, 1], [-k/1.5, -0.5/1.5]], B: [[0], [1/1.5]], C: [[1, 0], [0, 1]], inputs: [force], outputs: [position, speed], method: rk4, substeps: {STEPS}}}
  - {{name: b, A: [[0, 1], [-50, -1.4]], B: [[0, 0], [40, 0.8]], C: [[20, 0.4]], D: [[-20, -0.4]], inputs: [position, speed], outputs: [reaction], method: rk4, substeps: {STEPS}}}
connections: [{{from: a.position, to: b.position}}, {{from: a.speed, to: b.speed}}, {{from: b.reaction, to: a.force}}]
coupling: {{scheme: jacobi, macro_step: H}}
"""
    for coupling in ("jacobi", "gauss-seidel", "iterated")[::stride(3)]:
        asked = ("--set", "k=151.7", "--over", "H=0.01:3", "--coupling", coupling)
        (done, _), (plain, _) = counted("limit", MASSES, *asked), counted("limit", exact, *asked)
        found, truth = ([row[:2] for row in intervals(what) if row[2][-1] == "S"] for what in (done, plain))
        ok(len(found) == len(truth) > 0 and all(abs(a / b - 1) < 1e-6 for one, other in zip(found, truth) for a, b in zip(one, other)),
           f"stable intervals of {coupling} up to what overflows", found, truth, done.stderr)

    # ---- a map that changes with time is given up after the first impulses that show it
    done, steps = counted("map", MASSES, "--set", "H=0.03", FAULT=f", fault: {GRID}")
    ok(done.returncode == 2 and "depends on time" in done.stderr and steps < 12000, "no map: how many steps until it is given up", steps, done.stderr)
    done, steps = counted("limit", MASSES, "--over", "H=0.031:0.032", FAULT=f", fault: {GRID}")
    ok(done.returncode == 0 and {r["class"] for r in csv_rows(done)} == {"undecided"} and "values are undecided" in done.stderr and
       "of H is undecided, if there is no map" in done.stderr and steps < 700000, "limit: no map anywhere", steps, done.stderr)

    # ---- a simulation measures no map: its own steps, and those that tell whether an FMU can be set back
    done, steps = counted("simulate", MASSES, "--until", "4", "--set", "x=1")
    ok(done.returncode == 0 and 200 <= steps <= 400, "simulate: its own 200 steps and few more", steps, done.stderr)
finish()
