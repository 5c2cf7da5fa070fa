#!/usr/bin/env python3
"""Delays in seconds: the map of a delay that the macro step does not divide is that of the next whole number of steps, by NumPy, and a
warning has both values. Prints TAP."""
import csv
import fractions
import math
import pathlib
import re
import tempfile

import numpy as np

from tap import costab, finish, ok

MODEL = """system: network
parameters: {{H: {0}, K: 1.2, tau: {1}}}
subsystems:
  - {{name: a, A: [[0]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], x0: [1], method: exact}}
connections: [{{from: a.y, to: a.u, gain: -K, delay: tau s}}]
coupling: {{scheme: jacobi, macro_step: H}}
"""


def radius(K, H, steps):
    """x_(n+1) = x_n - K H x_(n-steps): the integrator of a held input."""
    matrix = np.eye(steps + 1, k=-1)
    matrix[0, 0] = 1
    matrix[0, steps] -= K * H
    return abs(np.linalg.eigvals(matrix)).max()


with tempfile.TemporaryDirectory() as folder:
    path, spec = pathlib.Path(folder) / "dead.yaml", pathlib.Path(folder) / "sweep.yaml"
    wrong, warned, flipped = [], 0, 0
    for H in ("0.3", "0.25", "0.1", "0.7", "0.05", "0.15"):
        for tau in ("1", "0.3", "0.7", "2.1"):
            ratio = fractions.Fraction(tau) / fractions.Fraction(H)
            steps = math.ceil(ratio)
            path.write_text(MODEL.format(H, tau))
            done = costab("map", path)
            rows = {row["name"]: row["value"] for row in csv.DictReader(done.stdout.splitlines())}
            whole = ratio.denominator == 1
            expected = "" if whole else (f"{path}: warning: connection a.y -> a.u: its delay of {tau} s is rounded up to "
                                         f"{float(steps * fractions.Fraction(H)):.10g} s, {steps} macro steps of {H} s; "
                                         "choose a macro step that divides it\n")
            if not np.isclose(float(rows["spectral_radius"]), radius(1.2, float(H), steps), rtol=1e-9, atol=0) or done.stderr != expected:
                wrong.append((H, tau, rows["spectral_radius"], radius(1.2, float(H), steps), done.stderr))
            warned += not whole
    ok(not wrong and warned > 5, "a warning with both values exactly where the macro step does not divide the delay; the map is NumPy's", wrong[:3])

    path.write_text(MODEL.format(0.3, 1))
    done = costab("map", path, "--set", "H=0.25")
    ok(done.returncode == 0 and not done.stderr, "no warning of the file's own macro step", done.stderr)
    path.write_text(MODEL.format(0.25, 1))
    for command in (("map", "--set", "H=0.3"), ("simulate", "--until", "2", "--set", "H=0.3"), ("limit", "--over", "K=0.1:2", "--set", "H=0.3")):
        done = costab(command[0], path, *command[1:])
        ok(done.returncode == 0 and "delay of 1 s is rounded up to 1.2 s, 4 macro steps of 0.3 s" in done.stderr, f"{command[0]} warns at --set", done.stderr)
    done = costab("limit", path, "--over", "H=0.2:0.5", "-q")
    found = re.search(r"at H = (\S+) its delay of 1 s is rounded up to (\S+) s, (\d+) macro steps", done.stderr)
    H, to, steps = (float(word) for word in found.groups()) if found else (0, 0, 0)
    ok(0.2 <= H <= 0.5 and to == float(f"{steps * H:.10g}") and steps == math.ceil(1 / H), "limit warns of the range of the macro step", done.stderr)
    done = costab("limit", path, "--over", "K=0.1:2", "-q")
    ok(done.returncode == 0 and not done.stderr, "and not of a range that does not move the ratio", done.stderr)

    for axes, word in (("H: [0.25, 0.3, 0.5]", "at H = 0.3 its delay of 1 s is rounded up to 1.2 s"), ("H: [0.25, 0.5]", ""),
                       ("H: [0.3, 0.5]", "at H = 0.3 its delay of 1 s"), ("H: 0.25, tau: [0.5, 0.6]", "at tau = 0.6 its delay of 0.6 s is rounded up to 0.75 s"),
                       ("K: [1, 2]", "")):
        spec.write_text(f"system: network\nmodel: dead.yaml\naxes: {{{axes}}}\nfields: [spectral_radius]\n")
        done = costab("sweep", spec, "-o", spec.with_suffix(".h5"), "-q")
        ok(done.returncode == 0 and (word in done.stderr if word else not done.stderr), f"a sweep over {axes}: {word or 'no warning'}", done.stderr)
finish()
