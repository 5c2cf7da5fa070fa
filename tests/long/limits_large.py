#!/usr/bin/env python3
"""`costab limit` of random chains of 17 to 26 oscillators against spectral radii that NumPy finds of the same maps at hundreds of macro
steps, and beside every end. Prints TAP."""
import pathlib
import random
import tempfile

import numpy as np

from tap import costab, csv_rows, effort, finish, ok, seed

CHAINS, SAMPLES = effort(3), 400


def model(springs):
    lines = ["system: network", "parameters: {H: 0.01}", "subsystems:"]
    lines += [f"  - {{name: s{i}, A: [[0, 1], [{-k}, {-d}]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], method: rk4}}"
              for i, (k, d) in enumerate(springs)]
    lines += ["connections:"] + [f"  - {{from: s{i}.x, to: s{j}.{port}}}" for i in range(len(springs))
                                 for j, port in ((i + 1, "l"), (i - 1, "r")) if 0 <= j < len(springs)]
    return "\n".join(lines + ["coupling: {scheme: jacobi, macro_step: H}", ""])


def radii(springs, steps):
    """Of rk4's maps x+ = R(Z) x + H phi(Z) B u, Z = H A."""
    maps = np.zeros((len(steps), 2 * len(springs), 2 * len(springs)))
    for i, (k, d) in enumerate(springs):
        Z = steps[:, None, None] * np.array([[0, 1], [-k, -d]])
        phi = np.eye(2) + Z @ (np.eye(2) / 2 + Z @ (np.eye(2) / 6 + Z / 24))
        maps[:, 2 * i:2 * i + 2, 2 * i:2 * i + 2] = np.eye(2) + Z @ phi
        for j in (i - 1, i + 1):
            if 0 <= j < len(springs):
                maps[:, 2 * i:2 * i + 2, 2 * j] = steps[:, None] * phi[:, :, 1]
    return abs(np.linalg.eigvals(maps)).max(axis=1)


first, ends, looked, wrong = seed(1), 0, 0, []
with tempfile.TemporaryDirectory() as folder:
    for number in range(CHAINS):
        r = random.Random(f"{first} {number}")
        damping, stiffness = 10**r.uniform(-3, 0.3), 10**r.uniform(-0.3, 1.3)
        springs = [(round(stiffness * 10**r.uniform(-0.5, 0.5) + 2, 6), round(damping * 10**r.uniform(-0.7, 0.7), 6))
                   for _ in range(r.randint(17, 26))]
        upper = r.choice((0.5, 1, 2, 3))
        path = pathlib.Path(folder) / "chain.yaml"
        path.write_text(model(springs))
        rows = csv_rows(costab("limit", path, "--over", f"H=0.001:{upper}"))
        pieces = [(float(row["lower"]), float(row["upper"]), row["class"]) for row in rows]
        ends += sum(row[side] == "limit" for row in rows for side in ("lower_kind", "upper_kind"))
        beside = [end * (1 + away) for piece in pieces for end in piece[:2] for away in (1e-6, -1e-6, 1e-8, -1e-8)]
        steps = np.array([H for H in [*np.linspace(0.001, upper, SAMPLES), *beside] if 0.001 <= H <= upper])
        for H, radius in zip(steps, radii(springs, steps)):
            said = next((word for low, high, word in pieces if low <= H <= high), "SU")
            if said == "undecided" or abs(radius - 1) < 1e-12 * 2 * len(springs):
                continue
            looked += 1
            if (said == "SS") != (radius < 1):
                wrong.append(f"chain {number} at H = {H!r}: {said}, radius {radius!r}")
ok(not wrong and looked > CHAINS * SAMPLES / 2 and ends > CHAINS / 2, f"{looked} macro steps of {CHAINS} chains, {ends} ends", "\n".join(wrong[:20]))
finish()
