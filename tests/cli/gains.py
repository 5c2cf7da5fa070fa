#!/usr/bin/env python3
"""Networks without states: loops of gains are recursions of the values that arrive late. Radii and limits in closed form and by NumPy,
simulations against the recursion step by step. Prints TAP."""
import csv
import json
import math
import random

import numpy as np

from tap import costab, csv_rows, finish, ok, refused, seed, workplace

LOOP = """system: network
parameters: {{H: 0.1, k: {k}}}
subsystems:
  - {{name: one, {one}, inputs: [u], outputs: [y]}}
  - {{name: two, D: [[1]], inputs: [u], outputs: [y]}}
connections:
  - {{from: one.y, to: two.u{there}}}
  - {{from: two.y, to: one.u, gain: -k{back}}}
{more}coupling: {{scheme: jacobi, macro_step: H}}
"""


def loop(k=0.5, one="D: [[1]]", there="", back="", more=""):
    return LOOP.format(k=k, one=one, there=there, back=back, more=more)


def map_of(text, *options):
    done = costab("map", "-", "-f", "csv", "-q", *options, input=text)
    return {row["name"]: row["value"] for row in csv_rows(done)} if done.returncode == 0 else {"class": done.stderr}


def limits(text, *options):
    done = costab("limit", "-", "-f", "json", "-q", *options, input=text)
    return [(row["lower"], row["upper"], row["class"]) for row in json.loads(done.stdout)] if done.returncode == 0 else done.stderr


def near(found, wanted):
    return len(found) == len(wanted) and all(abs(a[0] - b[0]) < 1e-9 and abs(a[1] - b[1]) < 1e-9 and a[2] == b[2] for a, b in zip(found, wanted))


with workplace():
    # Under jacobi both outputs are those of the inputs that came a step before; under gauss-seidel the second sees the first's new one.
    for k in (0.5, 0.99, 1.01, 7.0, -0.5, -3.0):
        for coupling, radius in (("jacobi", math.sqrt(abs(k))), ("gauss-seidel", abs(k))):
            row = map_of(loop(k), "--coupling", coupling)
            ok(abs(float(row.get("spectral_radius", "nan")) - radius) < 1e-14 * max(1, radius) and row["class"] == ("SS" if abs(k) < 1 else "SU")
               and row["spectral_abscissa"] == "-inf" and row["growth"] == "", f"map: {coupling}, k = {k}: {radius:.4g}", row)
    row = map_of(loop(0.5), "--coupling", "iterated")
    ok(abs(float(row["iteration_radius"]) - math.sqrt(0.5)) < 1e-14 and row["class"] == "SS", "the iteration's radius, too", row)
    ok(map_of(loop(2), "--coupling", "iterated")["class"] == "SU" and map_of(loop(2), "--coupling", "newton")["class"] == "SS",
       "a diverging iteration is unstable, a solved one is not")
    refused("a loop that has no solution", "I - L D is singular", "map", "-", "--set", "k=-1", lines=1, input=loop())

    # u = (1 + p) y_n - p y_(n-1) at the end of the step: polynomials of degree p - 1 there are 3, 7, 15 for a flip, squared for two gains.
    for coupling, flip in (("jacobi-linear", 9), ("jacobi-quadratic", 49), ("jacobi-cubic", 225)):
        found = limits(loop(), "--over", "k=-0.5:0.5", "--coupling", coupling)
        ok(len(found) == 1 and abs(found[0][0] + 1 / flip) < 1e-12 and found[0][2] == "SS", f"limit: {coupling} flips at k = -1/{flip}", found)
    found = limits(loop(), "--over", "k=-2:2")
    ok(near(found, [(-1, 1, "SS")]), "limit: |k| < 1, ill-posed at -1", found)
    found = limits(loop(), "--over", "H=0.01:2")
    ok(near(found, [(0.01, 2, "SS")]), "limit: the macro step does not matter", found)
    done = costab("limit", "-", "-q", "--over", "k=-0.5:2", "--coupling", "all", input=loop())
    ok(done.returncode == 0 and len(csv_rows(done)) == 32 and "10 of 42 are left out" in done.stderr and "nothing to analyse" in done.stderr,
       "--coupling all leaves out what stores nothing", done.stderr)
    rows = {(row["name"], row["side"]): row for row in csv_rows(costab("margin", "-", "-q", "--connections", input=loop()))}
    ok(abs(float(rows["k", "upper"]["value"]) - 1) < 1e-9 and rows["k", "upper"]["class"] == "SU" and rows["H", "lower"]["value"] == ""
       and abs(float(rows["gain one.y->two.u", "upper"]["factor"]) - 2) < 1e-9 and float(rows["one.y->two.u", ""]["value"]) == 1,
       "margin: k = 1, gains by 2, radius 1 at a connection", rows)
    with open("chart.yaml", "w") as file:
        file.write(loop() + "axes: {k: [0, 0.25, 0.5, 1, 1.5]}\nfields: [class, spectral_radius, decay]\n")
    done = costab("sweep", "chart.yaml", "-o", "chart.h5", "-q")
    rows = csv_rows(costab("export", "chart.h5"))
    ok(done.returncode == 0 and [row["class"] for row in rows] == ["SS", "SS", "SS", "SN", "SU"]
       and all(abs(float(row["spectral_radius"]) - math.sqrt(float(row["k"]))) < 1e-13 for row in rows), "a sweep", done.stderr, rows)

    # Rings of gains with delays: y_i[n+1] = g_i y_(i-1)[n - d_i], by NumPy's companion matrix z^(m + sum d) = prod g.
    draw, wrong = random.Random(seed(11)), []
    for number in range(20):
        count = draw.randint(1, 4)
        gains = [draw.choice((-1, 1)) * draw.uniform(0.3, 1.6) for _ in range(count)]
        delays = [draw.randint(0, 3) for _ in range(count)]
        lines = ["system: network", "parameters: {H: 0.1}", "subsystems:"]
        lines += [f"  - {{name: s{i}, D: [[1]], inputs: [u], outputs: [y]}}" for i in range(count)] + ["connections:"]
        lines += [f"  - {{from: s{i}.y, to: s{(i + 1) % count}.u, gain: {gains[i]!r}, delay: {delays[i]}}}" for i in range(count)]
        row = map_of("\n".join(lines + ["coupling: {scheme: jacobi, macro_step: H}"]) + "\n")
        order = count + sum(delays)
        companion = np.eye(order, k=-1)
        companion[0, -1] = np.prod(gains)
        radius = abs(np.linalg.eigvals(companion)).max()
        if not abs(float(row.get("spectral_radius", "nan")) - radius) < 1e-12 or row["class"][1] != ("S" if radius < 1 else "U"):
            wrong.append((gains, delays, radius, row))
    ok(not wrong, "20 rings of one to four gains with delays", wrong[:2])

    # Simulations, with a source: the outputs of the recursion, and of the algebraic loop.
    for solved, k, delay in ((False, 1.5, 0), (False, 0.7, 0), (True, 0.7, 0), (False, 0.7, 2)):
        text = loop(k, there=f", delay: {delay}", more="sources: {one.u: sin(t)}\n")
        done = costab("simulate", "-", "-q", "--until", "2", "--points", "21", "--coupling", "jacobi-solved" if solved else "jacobi", input=text)
        found = {(round(float(row["t"]) * 10), row["subsystem"]): (float(row["value"]), float(row["monolithic"]))
                 for row in csv.DictReader(done.stdout.splitlines()) if row["signal"] == "y"}
        one, two = {n: 0.0 for n in range(-9, 1)}, {n: 0.0 for n in range(-9, 1)}
        for n in range(20):
            if solved:
                two[n + 1] = math.sin(0.1 * n) / (1 + k)  # the loop at the step's begin, held until its end
                one[n + 1] = math.sin(0.1 * (n + 1)) - k * two[n + 1]
            else:
                one[n + 1] = math.sin(0.1 * (n + 1)) - k * two[n]
                two[n + 1] = one[n - delay]
        errors = [max(abs(found[n, "one"][0] - one[n]), abs(found[n, "two"][0] - two[n]), abs(found[n, "one"][1] - math.sin(0.1 * n) / (1 + k))) for n in range(21)]
        ok(done.returncode == 0 and max(errors) < 1e-12 * max(1, k**10), f"simulate: k = {k}, delay {delay}, {'solved' if solved else 'delayed'} feedthrough",
           done.stderr, errors)
    row = map_of(loop(1.2, one="states: [], f: [], g: ['u + 0.1*u^3']"))
    ok(abs(float(row.get("spectral_radius", "nan")) - math.sqrt(1.2)) < 1e-14, "a gain as a formula", row)
finish()
