#!/usr/bin/env python3
"""Strides: who sees which value. Limits and radii against a master that passes messages (support/strided.py), with gauss-seidel in both orders and
jacobi. Prints TAP."""
import pathlib

import numpy as np

from strided import Part, first_loss, radius
from table import rows_of
from tap import costab, csv_rows, effort, finish, ok, seed, workplace

TWO = """system: network
parameters: {H: 0.1, c: 4}
subsystems:
  - {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: b, A: [[-0.5]], B: [[-1]], C: [[c]], inputs: [u], outputs: [y], method: exact, stride: 3}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]
coupling: {scheme: jacobi, macro_step: H}
"""


def hold_two():
    """One fast and one slow. No value of b is seen before b's step has ended; b sees a's value of 0 or, after a in the order, that of H. The
    limits in two ways: by messages, and by the closed form of the period's map."""
    pathlib.Path("two.yaml").write_text(TWO)
    rows, said = rows_of(("lower", "upper"), "limit", "two.yaml", "--over", "H=0.01:1", "--coupling", "gauss-seidel(a,b),gauss-seidel(b,a),jacobi")
    parts = [Part(([[-1]], [[1]], [[1]], [[0]]), 1, [(0, 1, 0, 1)]), Part(([[-0.5]], [[-1]], [[4]], [[0]]), 3, [(0, 0, 0, 1)])]

    def closed(a_first):
        def of(H):
            ea, eb = np.exp(-H), np.exp(-1.5 * H)
            fa, fb = 1 - ea, -2 * (1 - eb)
            three = np.array([ea ** 3, 4 * fa * (1 + ea + ea ** 2)])  # a after three steps with y_b(0)
            seen = np.array([ea, 4 * fa]) if a_first else np.array([1, 0])
            return np.abs(np.linalg.eigvals([three, np.array([0, eb]) + fb * seen])).max()
        return of

    for row, order, a_first in zip(rows, ((0, 1), (1, 0), None), (True, False, False)):
        messages, form = first_loss(lambda H: radius(parts, H, order), 0.01, 1), first_loss(closed(a_first), 0.01, 1)
        ok(abs(row["upper"] / messages - 1) < 1e-9 and abs(row["upper"] / form - 1) < 1e-9, f"a limit with a stride of 3: {row['coupling']}", row["upper"], messages, form, said)
    for command in (("map", "two.yaml"), ("limit", "two.yaml", "--over", "H=0.05:0.4")):
        done = costab(*command, "--coupling", "all", "-f", "csv")
        names = {row["coupling"] for row in csv_rows(done)}
        ok(done.returncode == 0 and {"jacobi", "gauss-seidel-linear"} <= names and "jacobi-spectral" not in names and "iterated" not in names
           and done.stderr.count("are left out, such as jacobi-spectral: stride") == 1, f"{command[0]} --coupling all leaves out what strides do not allow", done.stderr)


def drawn(random):
    """Two or three subsystems of one or two states, strides 1 to 4, a third with feedthrough."""
    count = int(random.integers(2, 4))
    links = [(i, (i + 1) % count) for i in range(count)] if random.random() < 0.5 else [(i, k) for i in range(count) for k in range(count) if i != k]
    parts, lines = [], []
    for i in range(count):
        n, sources = int(random.integers(1, 3)), [a for a, b in links if b == i]
        A = random.uniform(-1, 1, (n, n)) - 1.5 * np.eye(n)
        B, C = random.uniform(-1, 1, (n, len(sources))), random.uniform(-1, 1, (1, n))
        D = random.uniform(-0.5, 0.5, (1, len(sources))) * (i == 0 and random.random() < 1 / 3)
        stride = int(random.integers(1, 5))
        parts.append(Part((A, B, C, D), stride, [(k, source, 0, 1) for k, source in enumerate(sources)]))
        through = f"D: {D.tolist()}, " if D.any() else ""
        lines.append(f"  - {{name: s{i}, A: {A.tolist()}, B: {B.tolist()}, C: {C.tolist()}, {through}inputs: [{', '.join(f'u{k}' for k in range(len(sources)))}], "
                     f"outputs: [y], method: exact, stride: {stride}}}\n")
    wires = "".join(f"  - {{from: s{source}.y, to: s{i}.u{k}}}\n" for i, p in enumerate(parts) for k, source, _, _ in p.links)
    return parts, "system: network\nparameters: {H: 0.1}\nsubsystems:\n" + "".join(lines) + "connections:\n" + wires


def hold_random():
    random = np.random.default_rng(seed(7))
    degree, worst, seen, count = ("constant", "linear"), 0, 0, effort(24)
    for _ in range(count):
        parts, words = drawn(random)
        order = None if random.random() < 0.25 else [int(s) for s in random.permutation(len(parts))]
        known, unknown, H = int(random.integers(2)), int(random.integers(2)), float(random.uniform(0.05, 1.5))
        choices = "scheme: jacobi" if order is None else f"scheme: gauss-seidel, order: [{', '.join(f's{s}' for s in order)}], interpolation: {degree[known]}"
        pathlib.Path("random.yaml").write_text(words + f"coupling: {{{choices}, extrapolation: {degree[unknown]}, macro_step: H}}\n")
        rows, _ = rows_of((), "map", "random.yaml", "--set", f"H={H!r}", "-f", "csv")
        (found,) = [float(row["value"]) for row in rows if row["name"] == "spectral_radius"]
        expected = radius(parts, H, order, known, unknown)
        seen += order is not None and len({p.stride for p in parts}) > 1
        # A period's radius below rounding, of a nilpotent map, has no digits.
        difference = abs(found - expected) / max(expected, 1e-2)
        if difference > 1e-9:
            ok(False, "a random network with strides", found, expected, words, choices, H)
        worst = max(worst, difference)
    ok(worst <= 1e-9 and seen >= count // 2, f"{count} random networks with strides", worst, seen)


def fixed_steps():
    """Micro steps of fixed length: limit tries every macro step that a sweep accepts, and no other. Two macro steps of 0.15 are three
    micro steps of 0.1. A controller's samples, every 0.4 s, exclude no macro step."""
    fixed = TWO.replace("y], method: exact}", "y], method: rk4, step: 0.1, stride: 2}")
    sampled = fixed.replace("A: [[-0.5]], B: [[-1]], C: [[c]],", "Ad: [[0.5]], Bd: [[-0.1]], Cd: [[c]],").replace("method: exact, stride: 3", "sample_time: 0.4")
    for name, text, unit in (("stride", fixed, 0.05), ("stride and samples", sampled, 0.05), ("samples", sampled.replace(", stride: 2", ""), 0.1)):
        pathlib.Path("fixed.yaml").write_text(text)
        costab("sweep", "fixed.yaml", "--axis", "H=0.025:1:40", "-o", "fixed.h5", "--force", "-q")
        swept = csv_rows(costab("export", "fixed.h5"))
        accepted = [(round(float(row["H"]), 3), row["class"][1] == "S") for row in swept if row["class"] != "failed"]
        multiples = [round(k * unit, 3) for k in range(1, round(1 / unit) + 1)]
        ok([H for H, _ in accepted] == multiples, f"{name}: a sweep accepts the multiples of {unit}", accepted)
        rows, said = rows_of(("lower", "upper"), "limit", "fixed.yaml", "--over", "H=0.01:1.01")
        stable = [H for H, _ in accepted if any(row["lower"] <= H + 1e-9 and H - 1e-9 <= row["upper"] for row in rows)]
        ok(f"each of the {len(multiples)} values" in said and stable == [H for H, is_stable in accepted if is_stable] and stable,
           f"{name}: limit tries all of these", rows, said, accepted)
    pathlib.Path("fixed.yaml").write_text(fixed)
    for H, part in ((0.03, "is longer than its 2 macro steps of 0.03"), (0.075, "does not divide its 2 macro steps of 0.075")):
        done = costab("map", "fixed.yaml", "--set", f"H={H}")
        ok(done.returncode == 2 and part in done.stderr, f"a macro step of {H} is refused", done.stderr)


def few_points():
    """--points spreads its rows over the points at which all subsystems communicate, here every third: 0, 0.3, .. 3 s."""
    pathlib.Path("two.yaml").write_text(TWO.replace("C: [[1]],", "C: [[1]], x0: [1],"))
    done = costab("simulate", "two.yaml", "--until", "3", "--points", "4", "--signals", "a.y", "-f", "csv")
    times = [round(float(row["t"]), 9) for row in csv_rows(done) if row["point"] == "communication"]
    ok(times == [0, 0.9, 2.1, 3], "--points with strides", times, done.stderr)


with workplace():
    hold_two()
    fixed_steps()
    few_points()
    hold_random()
finish()
