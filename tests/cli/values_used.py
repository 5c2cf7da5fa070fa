#!/usr/bin/env python3
"""Only values that are used are judged. A file whose own values are bad (a division by 0, substeps 0, a negative delay, a step that
does not divide H, a loop without a solution) is answered where --set, --over or axes replace them; a file whose own values are good is
refused where the replaced ones are bad, and of a sweep such points fail. Where all points fail there is no file. Then the line behind
a sweep: its points, and how many of them are SS, also of runs that continue and of slices that are merged."""
import glob
import os
import re

import h5py
import numpy as np
from tap import costab, csv_rows, finish, ok, refused, workplace

# p: x'' = -k x - x'/L + u, output x'; q: y' = -y + u; p.u = -8 y. All exact.
MODEL = """system: network
parameters: {H: %(H)s, L: %(L)s, n: %(n)s, d: %(d)s, k: 10}
subsystems:
  - {name: p, A: [[0, 1], [-k, -1/L]], B: [[0], [1]], C: [[0, 1]], inputs: [u], outputs: [y], method: exact, substeps: n, x0: [1, 0]}
  - {name: q, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections:
  - {from: p.y, to: q.u, delay: d}
  - {from: q.y, to: p.u, gain: -8}
coupling: {scheme: jacobi, macro_step: H}
"""
GOOD = {"H": 0.1, "L": 1, "n": 1, "d": 0}
BAD = {"H": 0, "L": 0, "n": 0, "d": -1}
WORDS = {"H": (9, "macro_step: expected a positive number, found"), "L": (4, "A(2,2): its value is not finite: the denominator L is 0"),
         "n": (4, "substeps: expected a whole number from 1 to 1000000, found"), "d": (7, "delay: expected a whole number from 0 to 10000")}
# A loop of feedthrough, u = k (x + u): 1 - k; and the step 0.03 of a subsystem.
LOOP = """system: network
parameters: {H: 0.1, k: %s}
subsystems:
  - {name: p, A: [[-1]], B: [[0.5]], C: [[1]], D: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: g, D: [[1]], inputs: [u], outputs: [y]}
connections:
  - {from: p.y, to: g.u}
  - {from: g.y, to: p.u, gain: k}
coupling: {scheme: jacobi, macro_step: H, feedthrough: solved}
"""
STEP = MODEL.replace("substeps: n", "step: 0.03*n")
PAIRS = """system: network
parameters: {H: 0.1, a: %s}
subsystems:
  - {name: m, A: [[0, a], [-4, 0]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], positions: [x1], velocities: [x2], method: newmark}
  - {name: q, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}
connections: [{from: m.y, to: q.u}, {from: q.y, to: m.u, gain: -0.1}]
coupling: {macro_step: H}
"""


def expm(a):
    """By scaling, Taylor's series and squaring."""
    power = max(0, int(np.ceil(np.log2(max(1e-9, np.abs(a).sum()))))) + 4
    scaled, term, total = a / 2**power, np.eye(len(a)), np.eye(len(a))
    for i in range(1, 20):
        term = term @ scaled / i
        total = total + term
    for _ in range(power):
        total = total @ total
    return total


def held(a, b, H):
    """A step of x' = a x + b u with u held."""
    n, m = b.shape
    whole = expm(H * np.block([[a, b], [np.zeros((m, n + m))]]))
    return whole[:n, :n], whole[:n, n:]


def radius(H=0.1, L=1.0, k=10.0):
    p, gp = held(np.array([[0, 1], [-k, -1 / L]]), np.array([[0.0], [1.0]]), H)
    q, gq = held(np.array([[-1.0]]), np.array([[1.0]]), H)
    m = np.block([[p, -8 * gp], [gq @ np.array([[0.0, 1.0]]), q]])
    return np.abs(np.linalg.eigvals(m)).max()


def bisect(f, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if (f(middle) > 0) == (f(low) > 0) else (low, middle)
    return low


def sets(values):
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


def map_radius(*arguments):
    rows = csv_rows(costab("map", *arguments, "-f", "csv"))
    return float(next(row["value"] for row in rows if row["name"] == "spectral_radius"))


def near(a, b, tolerance=1e-12):
    return abs(a - b) <= tolerance * abs(b)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def check_commands():
    write("bad.yaml", MODEL % BAD)
    write("good.yaml", MODEL % GOOD)
    for name, (line, words) in WORDS.items():
        rest = {other: value for other, value in GOOD.items() if other != name}
        for path, given in (("bad.yaml", rest), ("good.yaml", {name: BAD[name]})):
            done = costab("map", path, *sets(given))
            ok(done.returncode == 2 and done.stdout == "" and re.match(rf"{path}:{line}:\d+: error: ", done.stderr) and words in done.stderr,
               f"{path}: {name} = {BAD[name]} is refused at its place, with nothing printed before", done.stdout, done.stderr)
    found = map_radius("bad.yaml", *sets(GOOD))
    ok(near(found, radius()), "map of a bad file with good values: the radius of NumPy's map", found, radius())
    found = map_radius("bad.yaml", *sets({**GOOD, "n": 3, "L": -7}))
    ok(near(found, radius(L=-7)), "with others", found, radius(L=-7))
    end = bisect(lambda k: radius(k=k, H=0.5) - 1, 10, 100)
    rows = csv_rows(costab("limit", "bad.yaml", "--over", "k=10:100", *sets({**GOOD, "H": 0.5}), "-f", "csv"))
    ok(near(float(rows[0]["lower"]), end, 1e-9), "limit over k: the end of NumPy's map", rows, end)
    end = bisect(lambda H: radius(H=H) - 1, 0.1, 1)
    rest = sets({name: value for name, value in GOOD.items() if name != "H"})
    for path in ("bad.yaml", "good.yaml"):
        rows = csv_rows(costab("limit", path, "--over", "H=0.01:2", *rest, "-f", "csv"))
        ok(near(float(rows[0]["upper"]), end, 1e-9), f"limit over H of {path}, whose own H is {BAD['H'] if path == 'bad.yaml' else 0.1}", rows, end)
    rest = sets({name: value for name, value in GOOD.items() if name != "L"})
    rows = csv_rows(costab("limit", "bad.yaml", "--over", "L=-1:1", *rest, "-f", "csv"))
    ok(rows[-1]["upper"] == "1" and rows[-1]["class"] == "SS" and 0 <= float(rows[-1]["lower"]) < 0.1 and near(radius(L=0.1), min(1, radius(L=0.1)), 0),
       "limit over L = -1:1, with the pole at 0", rows)
    rest = sets({name: value for name, value in GOOD.items() if name not in ("n", "d")})
    for name, value in (("n", "d"), ("d", "n")):
        done = costab("limit", "bad.yaml", "--over", f"{name}=1:3", *rest, "--set", f"{value}={GOOD[value]}", "--set", "k=60", "-f", "csv")
        ok(done.returncode == 0 and csv_rows(done)[0]["class"] == "SS", f"limit over {name} = 1:3", done.stdout, done.stderr)
    given = sets(GOOD)
    rest = sets({name: value for name, value in GOOD.items() if name != "H"})
    for command, *options in (["margin", *given], ["advise", *rest, "--over", "H=0.02:1"],
                              ["tune", *rest, "--over", "H=0.02:0.5", "--vary", 0], ["map", *rest, "--over", "H=0.02:1"],
                              ["pattern", *rest, "--over", "H=0.1,0.2"], ["simulate", *given, "--until", "1"], ["info", *given],
                              ["report", *given, "--over", "H=0.05:0.2", "-o", "page.html"]):
        done = costab(command, "bad.yaml", *options)
        ok(done.returncode == 0, f"{command} {' '.join(map(str, options))}", done.stdout[-300:], done.stderr)
    for command, *options in (["margin"], ["advise", "--over", "H=0.02:1"], ["tune", "--over", "H=0.02:0.5"], ["limit", "--over", "H=0.02:1"],
                              ["pattern", "--over", "H=0.1,0.2"], ["simulate", "--until", "1"], ["report", "-o", "page.html"]):
        refused(f"{command} with L = 0 instead", "good.yaml:4:", command, "good.yaml", *options, "--set", "L=0", lines=1)


def check_other_kinds():
    write("loop.yaml", LOOP % 1)
    write("fine.yaml", LOOP % 0.5)
    refused("a loop without a solution", "loop.yaml:7:3: error: connections: I - L D is singular", "map", "loop.yaml", lines=1)
    refused("the same of replaced values", "fine.yaml:7:3: error: connections: I - L D is singular", "map", "fine.yaml", "--set", "k=1", lines=1)
    # u = k x / (1 - k), held: x' = -x + u / 2.
    expected = np.exp(-0.1) + (1 - np.exp(-0.1)) * 0.5 * 0.25 / 0.75
    found = map_radius("loop.yaml", "--set", "k=0.25")
    ok(near(found, expected), "k = 0.25 instead: the radius by hand", found, expected)
    done = costab("limit", "loop.yaml", "--over", "H=0.01:1", "--set", "k=0.25", "-f", "csv")
    ok(csv_rows(done)[0]["class"] == "SS", "limit, too", done.stdout, done.stderr)
    write("step.yaml", STEP % GOOD)
    refused("a step that does not divide H", "step.yaml:4:", "map", "step.yaml", lines=1)
    refused("of a coupling that every model has", "step.yaml:4:", "map", "step.yaml", "--coupling", "gauss-seidel", lines=1)
    found = map_radius("step.yaml", "--set", "H=0.03")
    ok(near(found, radius(H=0.03)), "H = 0.03 instead", found, radius(H=0.03))
    done = costab("limit", "step.yaml", "--over", "H=0.01:0.2", "--coupling", "all", "-f", "csv")
    ok(done.returncode == 0 and {"jacobi", "gauss-seidel"} <= {row["coupling"] for row in csv_rows(done)}, "limit over H of all couplings, too", done.stderr)
    write("pairs.yaml", PAIRS % 2)
    write("paired.yaml", PAIRS % 1)
    words = "the derivative of position 'x1' is not the velocity 'x2' alone"
    refused("q' = 2 v", words, "map", "pairs.yaml", lines=1)
    refused("q' = 2 v of replaced values", words, "map", "paired.yaml", "--set", "a=2", lines=1)
    ok(near(map_radius("pairs.yaml", "--set", "a=1"), map_radius("paired.yaml"), 0), "q' = v instead")
    costab("sweep", "pairs.yaml", "--axis", "a=0.5,1,2", "-o", "pairs.h5")
    with h5py.File("pairs.h5") as file:
        ok(list(file["class"][0] == 8) == [True, False, True], "in a sweep such points fail", file["class"][0])


def check_sweeps():
    for path in ("bad.yaml", "good.yaml"):
        rest = sets({name: value for name, value in GOOD.items() if name not in ("L", "H")})
        for values in ("0,1,2", "-1,0,1", "-2,-1,0"):
            L = np.array([float(v) for v in values.split(",")])
            text = (MODEL % (BAD if path == "bad.yaml" else GOOD)) + (
                f"axes: {{L: [{values}], H: [0.1, 0.5, 1.7]}}\nfields: [class, spectral_radius]\n")
            write("sweep.yaml", text)
            done = costab("sweep", "sweep.yaml", *rest, "-o", "sweep.h5", "--force")
            with h5py.File("sweep.h5") as file:
                codes, radii = file["class"][0], file["spectral_radius"][0]
            good = all(np.isnan(radii[i, j]) and codes[i, j] == 8 if L[i] == 0 else near(radii[i, j], radius(H, L[i]))
                       for i in range(3) for j, H in enumerate((0.1, 0.5, 1.7)))
            ok(good and "3 of 9 points" in done.stderr and "sweep.yaml:4:" in done.stderr and "the denominator L is 0" in done.stderr,
               f"{path}: L = {values}: the points of L = 0 fail, wherever they are, and say why", done.stderr, codes, radii)
    done = costab("sweep", "bad.yaml", "--axis", "H=0.1:1:5", *sets({"L": 1, "n": 1, "d": 0}), "-o", "axis.h5")
    ok(done.returncode == 0 and "failed" not in done.stderr, "--axis replaces H = 0", done.stderr)
    # What no axis moves is said at once; where all points fail for what an axis moves, there is no file.
    for words, options in (("good.yaml:4:", ["--axis", "H=0.1:1:5", "--set", "L=0"]), ("none of the 5 points", ["--axis", "n=0.1,0.2,0.3,0.4,1.5"]),
                           ("none of the 40000 points", ["--axis", "H=-2:-1:200", "--axis", "k=1:2:200"])):
        done = costab("sweep", "good.yaml", *options, "-o", "none.h5")
        ok(done.returncode == 2 and words in done.stderr and "good.yaml:" in done.stderr and not glob.glob("*none*"),
           f"{' '.join(options)}: refused with the reason, and nothing is left", done.stderr, glob.glob("*none*"))
    write("all.yaml", (MODEL % GOOD) + "axes: {L: [0], n: {from: 0.25, to: 0.75, points: 300}}\n")
    for k in (1, 2):
        done = costab("sweep", "all.yaml", "--slice", f"{k}/2", "-o", f"all.{k}-of-2.part")
        ok(done.returncode == 0, f"slice {k} of a sweep of which all points fail is written: others may be good", done.stderr)
    done = costab("merge", "all.1-of-2.part", "all.2-of-2.part", "-o", "all.h5")
    ok(done.returncode == 2 and "none of the 300 points" in done.stderr and not os.path.exists("all.h5"), "merged, it is refused", done.stderr)


def share(path):
    with h5py.File(path) as file:
        codes = file["class"][...]
        return codes.size, (codes == 3).mean()


def told(done):
    found = re.search(r": ([\d,]+) points?, ([\d.e-]+) % SS", done.stderr)
    return found and (int(found[1].replace(",", "")), float(found[2]) / 100)


def agrees(done, path):
    found, counted = told(done), share(path)
    return done.returncode == 0 and found is not None and found[0] == counted[0] and abs(found[1] - counted[1]) <= 5.1e-3 * max(counted[1], 1e-9)


def check_summary():
    """`piece` and `area_class` are no axes of points."""
    write("planar.yaml", "system: planar\nschemes: [cross, zigzag]\nmethod: heun\naxes: {a: [0.5, 1.5], gamma: {from: -4, to: 1, points: 60}, "
          "delta: {from: -1, to: 9, points: 50}}\nfields: [class, row_intervals, areas]\n")
    write("chart.yaml", (MODEL % GOOD).replace("jacobi, ", "jacobi, name: mine, ")
          + "axes: {L: {from: -1, to: 1, points: 101}, H: {from: 0.02, to: 3, points: 80}}\n")
    for name in ("planar", "chart"):
        done = costab("sweep", f"{name}.yaml", "-o", f"{name}.h5")
        ok(agrees(done, f"{name}.h5"), f"{name}: the line tells what the file holds", done.stderr, share(f"{name}.h5"))
        whole = open(f"{name}.h5", "rb").read()
        parts = []
        for k in (1, 2, 3):
            parts.append(f"{name}.{k}-of-3.part")
            costab("sweep", f"{name}.yaml", "--slice", f"{k}/3", "-o", parts[-1])
        done = costab("merge", *parts, "-o", "merged.h5", "--force")
        ok(agrees(done, "merged.h5") and open("merged.h5", "rb").read() == whole, f"{name}: of slices, too", done.stderr)
        # A slice of all, cut in half, is what a run that was stopped leaves.
        costab("sweep", f"{name}.yaml", "--slice", "1/1", "-o", "whole.part")
        log = open("whole.part", "rb").read()
        os.remove(f"{name}.h5")
        open(f"{name}.h5.checkpoint", "wb").write(log[: len(log) // 2])
        os.remove("whole.part")
        done = costab("sweep", f"{name}.yaml", "-o", f"{name}.h5", "--resume")
        ok("continues after tile" in done.stderr and agrees(done, f"{name}.h5"), f"{name}: of a run that continues, too", done.stderr)


def main():
    with workplace():
        check_commands()
        check_other_kinds()
        check_sweeps()
        check_summary()
    finish()


main()
