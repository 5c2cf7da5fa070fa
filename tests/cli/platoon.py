#!/usr/bin/env python3
"""Limits and margins of models with delays in seconds: four cars in line, where delays close no loop, against Routh's conditions; the same
cars in a ring against maps that NumPy makes; random networks with both against the map with all of its stored values. Prints TAP."""
import csv
import json
import math
import pathlib
import random
import resource
import tempfile

import numpy as np

from tap import costab, csv_rows, effort, finish, ok, seed, stride


def platoon(H=0.1, ring=None):
    """Each car follows the one ahead: T jerk = k (gap) + c (gap's rate) - acceleration."""
    lines = ["system: network", f"parameters: {{H: {H}, k: 0.6, c: 1.2, T: 0.5, tau: 0.1}}", "subsystems:"]
    for car in range(1, 5):
        lines.append(f"  - {{name: car{car}, A: [[0, 1, 0], [0, 0, 1], [-k/T, -c/T, -1/T]], B: [[0, 0], [0, 0], [k/T, c/T]], "
                     f"C: [[1, 0, 0], [0, 1, 0]], inputs: [x_ahead, v_ahead], outputs: [x, v], method: exact}}")
    lines.append("connections:")
    for car in range(1, 4):
        lines += [f"  - {{from: car{car}.{signal}, to: car{car + 1}.{signal}_ahead, delay: tau s}}" for signal in "xv"]
    if ring:
        lines.append(f"  - {{from: car4.x, to: car1.x_ahead, gain: {ring}, delay: tau s}}")
    return "\n".join(lines + ["coupling: {scheme: jacobi, macro_step: H}"]) + "\n"


def radius(H, k=0.6, ring=-0.3):
    """Of the ring's map: exact steps of the cars with held inputs, and delay lines of ceil(tau/H) values."""
    c, T, steps = 1.2, 0.5, math.ceil(0.1 / H - 1e-9)
    system = np.zeros((5, 5))
    system[:3] = [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [-k / T, -c / T, -1 / T, k / T, c / T]]
    scaled, squarings = system * H / 64, 6
    power, term = np.eye(5), np.eye(5)
    for n in range(1, 20):
        term = term @ scaled / n
        power = power + term
    for _ in range(squarings):
        power = power @ power
    lines = [(car, signal, car + 1, signal, 1) for car in range(3) for signal in range(2)] + [(3, 0, 0, 0, ring)]
    size = 12 + len(lines) * steps
    step = np.zeros((size, size))
    for car in range(4):
        step[3 * car:3 * car + 3, 3 * car:3 * car + 3] = power[:3, :3]
    for number, (source, output, target, port, gain) in enumerate(lines):
        first = 12 + number * steps  # the newest stored value
        step[first, 3 * source + output] = 1
        for back in range(1, steps):
            step[first + back, first + back - 1] = 1
        step[3 * target:3 * target + 3, first + steps - 1] += gain * power[:3, 3 + port]
    return abs(np.linalg.eigvals(step)).max()


def crossing(function, low, high):
    """Where a function passes 1, by bisection."""
    below = function(low) < 1
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) < 1) == below else (low, middle)
    return (low + high) / 2


def margins(path, *arguments):
    """Rows by name and side; what is undecided; seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = costab("margin", path, "-q", *arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ({(row["name"], row["side"]): row for row in csv_rows(done.stdout)}, done.stderr,
            after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "cars.yaml"
    for H, coupling in [(H, coupling) for H in (0.1, 0.02) for coupling in ("jacobi", "gauss-seidel", "iterated-linear")][::stride(6)]:
        path.write_text(platoon(H))
        rows, said, seconds = margins(path, "--coupling", coupling, "--parameters", "H,k,c,T")
        # T s^3 + s^2 + c s + k is stable for T < c/k: by Routh, in the cars' exact steps too. Four equal eigenvalues cross: no digits beyond the sixth.
        routh = {("k", "upper"): 2.4, ("c", "lower"): 0.3, ("T", "upper"): 2.0}
        wrong = [(name, row["value"]) for name, row in rows.items() if name[0] in "HkcT"
                 and not (abs(float(row["value"]) - routh[name]) < 1e-6 if name in routh else row["value"] == "")]
        ok(not wrong and set(routh) < set(rows) and "undecided" not in said, f"cars in line, {coupling}, H = {H}: Routh's values, and none for the macro step", wrong, said)
        ok(seconds < 60, f"in at most 60 s of processor time: {seconds:.2f}", seconds)

    path.write_text(platoon(2, ring="-0.3"))
    rows, said, seconds = margins(path, "--parameters", "H")
    ok(seconds < 60, f"the ring's macro step: at most 60 s of processor time: {seconds:.2f}", seconds)
    value, undecided = float(rows["H", "upper"]["value"]), [line for line in said.splitlines() if "undecided" in line]
    ok(abs(value / crossing(radius, 2, 3) - 1) < 1e-9, "in a ring: the limit of the macro step that NumPy finds", value, crossing(radius, 2, 3))
    ok(len(undecided) == 1 and rows["H", "lower"]["value"] == "" and "H: 0.002 to 0.00555555" in undecided[0]
       and "where delays are more macro steps than are searched" in undecided[0], "and where the search ended", said)
    path.write_text(platoon(0.05, ring="-0.3"))
    rows, said, _ = margins(path, "--parameters", "k")
    truth = crossing(lambda k: radius(0.05, k), 0.6, 0.7)
    ok(abs(float(rows["k", "upper"]["value"]) / truth - 1) < 1e-9 and "undecided" not in said, "another parameter", rows, truth)

    # Smaller and larger macro steps than those at which the ring's search ends.
    done = costab("limit", path, "-q", "--over", "H=0.005:3", "--format", "json")
    found = json.loads(done.stdout)
    pieces = [(row["lower"], row["upper"], row["class"]) for row in found]
    ok(len(pieces) == 2 and pieces[0] == (0.005, pieces[1][0], "undecided") and abs(pieces[1][0] - 0.1 / 18) < 1e-12
       and abs(pieces[1][1] / crossing(radius, 2, 3) - 1) < 1e-9 and "more macro steps than are searched" in done.stderr,
       "limit: undecided below, answered above", pieces, done.stderr)
    path.write_text(platoon(0.1))
    done = costab("limit", path, "-q", "--over", "H=0.00001:3", "--format", "json")
    ok([row["class"] for row in json.loads(done.stdout)] == ["SS"] and "undecided" not in done.stderr, "cars in line at H = 1e-5", done.stdout)

    # Networks of three loops in line: limit leaves delays out that map stores.
    draw, compared, wrong = random.Random(seed(48)), 0, []
    networks = effort(4)
    for number in range(networks):
        coupling = draw.choice(("jacobi", "jacobi-linear", "gauss-seidel", "gauss-seidel-linear", "iterated-linear"))
        lines = ["system: network", "parameters: {H: 0.1, g: 1}", "subsystems:"]
        for name in "abcd":
            lines.append(f"  - {{name: {name}, A: [[-{draw.randint(5, 20)}/10]], B: [[1, 1, 1]], C: [[1]], inputs: [u, v, w], outputs: [y], method: exact}}")
        lines.append("connections:")
        for source, target, gain, delay in (("a.y", "b.u", "g", "0.23 s"), ("b.y", "a.u", "-2", "1"), ("b.y", "c.u", "3", "0.71 s"),
                                            ("c.y", "d.u", "g", draw.choice(("0", "0.1 s"))), ("d.y", "c.v", "-1.5", "0"), ("a.y", "d.w", "2", "4")):
            lines.append(f"  - {{from: {source}, to: {target}, gain: {gain}, delay: {delay}}}")
        path.write_text("\n".join(lines + ["coupling: {scheme: jacobi, macro_step: H}"]) + "\n")
        for over, low, high in (("H", 0.03, 1.5), ("g", 0.1, 4)):
            done = costab("limit", path, "-q", "--coupling", coupling, "--over", f"{over}={low}:{high}", "--format", "json")
            if done.returncode:
                wrong.append((path.read_text(), done.stderr))
                continue
            pieces = [(row["lower"], row["upper"], row["class"]) for row in json.loads(done.stdout)]
            for _ in range(4):
                at = draw.uniform(low, high)
                here = next((piece[2] for piece in pieces if piece[0] <= at <= piece[1]), "?U")
                single = costab("map", path, "-q", "--coupling", coupling, "--set", f"{over}={at!r}")
                rows = {row["name"]: row["value"] for row in csv.DictReader(single.stdout.splitlines())}
                stable = float(rows["spectral_radius"]) < 1 and not float(rows["iteration_radius"] or 0) >= 1
                compared += 1
                if (here[1] == "S") != stable:
                    wrong.append((number, coupling, over, at, here, rows["spectral_radius"], rows["class"]))
    ok(not wrong and compared == 8 * networks, f"{compared} values of limits of networks with delays in and outside loops, by map", wrong[:4])
finish()
