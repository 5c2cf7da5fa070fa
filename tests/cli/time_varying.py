#!/usr/bin/env python3
"""Models whose coefficients vary in time: every command that states stability refuses them, with the equation and the variable;
`simulate` runs them, and additive forcing is no reason to refuse."""
import numpy as np
from tap import costab, csv_rows, finish, ok, refused, workplace

# Mathieu's oscillator, x'' + 0.1 x' + (1 + e cos(2t)) x = 0: by Floquet's theory, x grows from about e = 0.2 on.
MATHIEU = """system: network
parameters: {e: 0.5, H: 0.05}
subsystems:
  - {name: mass, states: [x, v], f: [v, u - 0.1*v - x], g: [x], inputs: [u], outputs: [y], x0: [1, 0], method: rk4}
  - {name: spring, g: ["-e*cos(2*t)*y"], inputs: [y], outputs: [force]}
connections: [{from: mass.y, to: spring.y}, {from: spring.force, to: mass.u}]
coupling: {scheme: gauss-seidel, macro_step: H}
"""
FORCED = MATHIEU.replace('"-e*cos(2*t)*y"', '"-e*y + sin(2*t)"')
CHART = "axes: {e: {from: 0.1, to: 5, points: 5}, H: {from: 0.01, to: 0.1, points: 5}}\nfields: [class, spectral_radius]\n"
RUN = "axes: {H: [0.05, 0.1]}\nfields: [error]\nhistory: {until: 1}\n"
WORDS = "spring', g(1): '-e*cos(2*t)*y' depends on t through y"
STATING = [
    ["map"], ["map", "--over", "H=0.01:0.1"], ["limit", "--over", "e=0:5"], ["limit", "--over", "H=0.01:0.1"], ["margin"],
    ["margin", "--uncertain"], ["advise", "--over", "H=0.01:0.1"], ["tune", "--over", "H=0.01:0.1"], ["pattern", "--steps", "0.01,0.02"],
    ["report", "-o", "page.html"], ["sweep", "--axis", "e=0:5:11", "-o", "chart.h5"],
]


def rk4(f, x, h, n):
    for k in range(n):
        t = k * h
        a = f(t, x)
        b = f(t + h / 2, x + h / 2 * a)
        c = f(t + h / 2, x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + f(t + h, x + h * c))
    return x


def main():
    with workplace():
        for name, text in (("mathieu", MATHIEU), ("forced", FORCED), ("chart", MATHIEU + CHART), ("run", MATHIEU + RUN),
                           ("plain", MATHIEU.replace("cos(2*t)*", ""))):
            with open(f"{name}.yaml", "w") as file:
                file.write(text)
        for command, *options in STATING:
            refused(f"{' '.join([command, *options])} refuses it", WORDS, command, "mathieu.yaml", *options, lines=1)
        refused("a sweep of classes refuses it", WORDS, "sweep", "chart.yaml", "-o", "x.h5")
        done = costab("limit", "mathieu.yaml", "--over", "e=0:5", "--set", "e=0")
        ok(done.returncode == 2 and WORDS in done.stderr, "so does limit where only the rest of the range varies", done.stdout, done.stderr)
        ok(costab("map", "mathieu.yaml", "--set", "e=0").returncode == 0, "with e = 0 nothing varies, and map answers")
        ok(costab("info", "mathieu.yaml").returncode == 0, "info answers")
        bound = MATHIEU + RUN.replace("[error]", "[error, error_bound]")
        refused("a sweep of bounds of errors refuses it", "depends on t through y", "sweep", "-", "-o", "bound.h5", input=bound)
        done = costab("sweep", "run.yaml", "-o", "run.h5")
        ok(done.returncode == 0, "a sweep of errors of runs answers", done.stderr)
        # The monolithic run against a solution of our own.
        done = costab("simulate", "mathieu.yaml", "--until", 20, "-f", "csv", "--set", "H=0.01")
        rows = [row for row in csv_rows(done) if row["signal"] == "x" and row["point"] == "communication"]
        exact = rk4(lambda t, x: np.array([x[1], -0.1 * x[1] - (1 + 0.5 * np.cos(2 * t)) * x[0]]), np.array([1.0, 0.0]), 1e-3, 20000)[0]
        ok(abs(float(rows[-1]["monolithic"]) - exact) < 1e-6, "simulate runs it: the monolithic solution grows as Mathieu's does",
           rows[-1], exact)
        ok(costab("map", "forced.yaml").returncode == 0, "additive forcing is no reason to refuse")
        same = [costab("map", f"{name}.yaml", "-f", "csv").stdout for name in ("forced", "plain")]
        ok(same[0] == same[1] != "", "nor does it change the map", *same)

main()
finish()
