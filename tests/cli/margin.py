#!/usr/bin/env python3
"""costab margin: reference values of an independent program, the published models' margins, dense samples of random
models, and what it says of what it cannot search. Prints TAP."""
import json
import pathlib
import re
import tempfile

import h5py
import numpy as np

import families
import margin_truth as margins
import scripts
from tap import costab, effort, EFFORT, finish, meanings, ok, refused, ROOT

DRIVE = ROOT / "tests/reference/models/drive.yaml"
CAR = ROOT / "sweeps/quarter-car/models/quarter-car.yaml"
LIM = ROOT / "sweeps/lim/models/springs.yaml"
SIDES = {"lower": "below", "upper": "above"}


def near(found, wanted, tolerance=2e-9):
    if found is None or wanted is None:
        return found is None and wanted is None
    return abs(found - wanted) <= tolerance * max(1, abs(wanted))


def differs(row, wanted):
    """Whether a row is not that of the reference."""
    if not near(row["value"], wanted["value"]):
        return True
    if wanted["value"] is None:
        return row["class"] != "SS"
    blame = wanted["participation"].index(max(wanted["participation"]))
    kind = "own" if wanted.get("own") else wanted.get("kind", row["cause"])
    return not (near(row["factor"], wanted.get("factor", row["factor"])) and row["class"] == wanted["class"] and row["cause"] == kind
                and near(row["frequency"], wanted["frequency"], 1e-8) and row["subsystem"] == ("motor", "load")[blame]
                and near(row["participation"], max(wanted["participation"]), 1e-8))


whole = json.loads((ROOT / "tests/reference/margins.json").read_text())
reference = whole["rows"]
rows, said = margins.rows_of(DRIVE, "--connections")
found = {(r["name"], SIDES[r["side"]]): r for r in rows if r["kind"] in ("parameter", "connection", "delay")}
wrong = [(found.get((w["what"], w["side"])), w) for w in reference
         if (w["what"], w["side"]) not in found or differs(found[w["what"], w["side"]], w)]
ok(not wrong and len(found) == len(reference), "the drive's margins: %d rows, to 2e-9" % len(reference), wrong, len(found))
ok({r["kind"] for r in rows if r["name"].startswith("delay ")} == {"delay"}
   and {r["kind"] for r in rows if r["name"].startswith("gain ")} == {"connection"}, "kinds of connections' rows", rows)

drive = rows
plain = {(r["kind"], r["name"], r["side"]): r for r in rows if r["kind"] in ("radius", "disk")}
radii = whole["radius"]
ok(all(near(plain["radius", name, ""]["value"], radii[key][0], 1e-12)
       and near(plain["radius", name, ""]["frequency"], radii[key][1] / (2 * 3.141592653589793 * 0.01), 1e-4)
       for name, key in (("map", "raw"), ("scaled map", "balanced"))), "the stability radius of the map, raw and scaled", plain)
wrong = []
for name, loop in whole["loops"].items():
    sides = [plain["disk", name, side] for side in ("lower", "upper")]
    if not (near(plain["radius", name, ""]["value"], loop["radius"], 1e-8) and near(sides[0]["frequency"], loop["disk skew 0 Hz"], 1e-4)
            and all(near(r["value"], loop["disk skew 0"], 1e-8) and near(r["factor"], wanted, 1e-8)
                    for r, wanted in zip(sides, loop["gain range"]))):
        wrong.append((name, loop))
    gains = [r["factor"] for r in rows if r["kind"] == "connection" and r["name"].endswith(name)]
    if any(abs(f - 1) < loop["radius"] for f in gains):
        wrong.append((name, gains))
ok(not wrong and len(whole["loops"]) == 3, "radius and disk margin of the connections' loops; real factors are no nearer", wrong)

car = {(r["name"], r["side"]): r for r in margins.rows_of(CAR, "-c", "jacobi", "--connections")[0]}
ok(near(car["dC", "lower"]["factor"], 0.165841420, 1e-8) and near(car["kC", "upper"]["factor"], 4.444600061, 1e-8)
   and near(car["H", "upper"]["factor"], 5.336527843, 1e-8), "the quarter car's factors", car)
def radius_of(rows, name):
    return [r["value"] for r in rows if r["kind"] == "radius" and r["name"].endswith(name)]


rows = margins.rows_of(CAR, "-c", "jacobi", "--parameters", "H", "--connections")[0]
ok(near(radius_of(rows, "map")[0] * 1e6, 1.165036942, 1e-9) and near(radius_of(rows, "map")[1] * 1e3, 1.468032057, 1e-9)
   and near(radius_of(rows, "chassis.force")[0], 0.272752451, 1e-9)
   and all(near(r["value"], 0.282980921, 1e-9) for r in rows if r["kind"] == "disk"), "the quarter car's radii", rows)
ok(car["delay wheel.force->chassis.force", "upper"]["value"] == 5
   and car["gain wheel.force->chassis.force", "lower"]["value"] == 0, "five steps of delay; a cut connection is 0", car)
rows, said = margins.rows_of(LIM, "-c", "jacobi")
ok(all(near(r * 1e7, 2.561683450, 1e-9) for r in radius_of(rows, "map")), "the radius of LIM's springs, the same scaled", rows)
lim = {(r["name"], r["side"]): r["factor"] for r in rows}
ok(abs(lim["k2", "lower"] - 0.356378) < 6e-7 and abs(lim["kc", "upper"] - 1.543789) < 6e-7
   and near(lim["H", "upper"], 2.222365675, 1e-8), "the factors of LIM's springs", lim)
count = {r["side"]: r["value"] for r in rows if r["name"] == "S"}
ok(count["lower"] is None and count["upper"] == 3, "a count: a stride of 3 is the first that is unstable", count)

# An independent truth for what fails: x' = -x + u and y = k x fed back through an iteration. With the input held, one sweep
# turns a guess g into k (1 - e) g, e = exp(-H): it converges below k = 1/(1 - e). The system itself is stable below k = 1.
TEXT = """
system: network
parameters: {k: %s, T: 0, H: 0.5}
subsystems:
  - {name: one, A: [[-1]], B: [[1]], C: [[k]], inputs: [u], outputs: [y], method: %s}
  - {name: two, A: [[-1]], B: [[1]], C: [[1]], D: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u, gain: %s}]
coupling: {scheme: %s, macro_step: H}
"""
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.yaml"

    def margin_of(name, side, *values):
        path.write_text(TEXT % values)
        return [r for r in margins.rows_of(path, "--parameters", name)[0] if r["side"] == side][0]

    e = 2.718281828459045 ** -0.5
    # The guesses of the two outputs map to [[0, k (1 - e) g], [2 - e, 0]]: the radius is 1 where k g (1 - e) (2 - e) = +-1.
    row = margin_of("k", "upper", 0.25, "exact", -1, "iterated")
    ok(row["cause"] == "iteration" and near(row["value"], 1 / ((1 - e) * (2 - e)), 1e-9) and row["frequency"] is None,
       "the iteration no longer converges", row)
    # A = [[-1 + k, 1], [k, -1]], whose determinant is 1 - 2 k: it is to blame, though the map has a fold there too.
    row = margin_of("k", "upper", 0.25, "exact", 1, "gauss-seidel")
    ok(row["cause"] == "continuous" and near(row["value"], 0.5, 1e-9) and row["class"][0] == "U" and row["frequency"] == 0,
       "the continuous system itself", row)
    row = margin_of("H", "upper", 0.25, "euler", 0, "jacobi")
    ok(row["cause"] == "own" and near(row["value"], 2, 1e-9) and row["subsystem"] == "one" and near(row["frequency"], 1 / (2 * row["value"])),
       "Euler's own limit H = 2", row)
    row = margin_of("T", "upper", 0.25, "exact", 1, "jacobi")
    ok(row["value"] is None and row["factor"] is None and row["nominal"] == 0, "a parameter 0 that nothing depends on", row)
    path.write_text((TEXT % (0.01, "exact", 0.01, "iterated, iterations: 20")).replace("D: [[1]], ", ""))
    rows, said = margins.rows_of(path, "--parameters", "T", "--connections")
    far = [r["value"] for r in rows if r["kind"] in ("radius", "disk") and "->" in r["name"]]
    ok(len(far) == 6 and set(far) == {None} and said.count("cannot be resolved, only that it is above") == 4,
       "twenty sweeps multiply the factor: no radius, and a note", rows, said)
    path.write_text((TEXT % (0.01, "rk4, step: T", 0.01, "jacobi")).replace("T: 0", "T: 0.025"))
    rows, said = margins.rows_of(path, "--parameters", "T")
    last = re.findall("T: the lowest value that was tried is (.*)", said)
    ok(len(rows) == 2 and len(last) == 1 and float(last[0]) < 1e-3, "thousands of micro steps: some are tried, and a note says up to where", rows, said)
    path.write_text((TEXT % (0.01, "exact", 0.01, "jacobi")).replace("T: 0", "n: 1").replace("to: two.u}", "to: two.u, delay: n}"))
    rows, said = margins.rows_of(path, "--parameters", "n")
    ok([r["value"] for r in rows] == [None, None] and "n: the largest value that was tried is 51\n" in said, "delays are tried up to a value that a note names", rows, said)
    rows = margins.rows_of(DRIVE, "--set", "k=0", "--parameters", "k")[0]
    ok({r["side"]: r["class"] for r in rows} == {"lower": "UU", "upper": "SS"}, "beside a spring without stiffness: the classes beyond rounding", rows)
    path.write_text("system: network\nparameters: {H: 0.1, p: -0.5}\noperating_point: solve\nsubsystems: [{name: a, states: [x], outputs: [y], f: [p + 1 - x^2], g: [x], "
                    "operating_point: {x: 0.7}}]\nconnections: []\ncoupling: {scheme: jacobi, macro_step: H}\n")
    rows, said = margins.rows_of(path, "--parameters", "p")
    ok(near(rows[0]["value"], -1, 1e-6) and rows[0]["class"] == "failed" and "may be missed" in said, "beyond a fold of equilibria all fails; they are sampled", rows, said)
    path.write_text((TEXT % (0.9, "exact", -1, "jacobi")).replace("T: 0", "d: 0").replace("u}, {", "u, delay: d}, {"))
    found = {r["side"]: (r["value"], r["cause"]) for r in margins.rows_of(path, "--parameters", "d")[0]}
    ok(found["lower"] == (None, "") and found["upper"][0] >= 1, "a delay of 0 macro steps: nothing below", found)
    for asked, what in (("nothing", "an unknown parameter"), ("", "no name")):
        done = costab("margin", path, "--parameters", asked)
        ok(done.returncode == 2 and done.stdout == "", what + " is refused", done)
    results = pathlib.Path(folder) / "margin.h5"
    done = costab("margin", DRIVE, "--connections", "-o", results)
    with h5py.File(results) as file:
        names, factors = [n.decode() for n in file["margin"][:]], file["factor"][0]
        same = all(near(r["factor"], None if np.isnan(f) else float(f), 0) for r in drive if r["side"] and r["kind"] != "disk"
                   for f in [factors[names.index(r["name"]), ["lower", "upper"].index(r["side"])]])
        causes = meanings(file["cause"])
        shares = [file["participation"][0, names.index(w["what"]), list(SIDES.values()).index(w["side"])] for w in reference
                  if w["value"] is not None]
        same &= all(near(found, wanted, 1e-8) for w, pair in zip([w for w in reference if w["value"] is not None], shares)
                    for found, wanted in zip(map(float, pair), w["participation"]))
        cause = causes[file["cause"][0, names.index("J1"), 0]]
    ok(done.returncode == 0 and done.stdout == "" and same and cause == "own", "-o: the table as a results file", done, names)
    done = costab("plot", results, "-o", folder, "--script-only")
    drawn = (pathlib.Path(folder) / "margin.gp").read_text()
    places = [drawn.find(word) for word in ("'{/:Italic k}'", "'{/:Italic H}'", "'kd'", "'{/:Italic J}_{1}'", "'{/:Italic J}_{2}'")]
    ok(done.returncode == 0 and min(places) > 0 and places == sorted(places) and "delay " not in drawn and "'1.56" in drawn,
       "plot draws them as a tornado: the nearest change first, no delays", done, places)
    said = scripts.strings(drawn, "set label")
    for row in (r for r in drive if r["factor"] is not None and r["name"] in ("k", "H", "kd")):
        hertz = f"{row['frequency']:.3g} Hz" if row["cause"] != "fold" and row["frequency"] else row["cause"]
        ok(any(hertz in words and words.endswith(f", {row['subsystem']}") for words in said),
           f"beside the bar of {row['name']}: what passes its limit, its frequency, and the subsystem that contributes most", said, row)
    done = costab("plot", results, "-o", folder, "--script-only", "--size", "8.9cm,6.7cm")
    drawn = (pathlib.Path(folder) / "margin.gp").read_text()
    ok("Only the 4 nearest changes are shown." in done.stderr and "'{/:Italic k}'" in drawn and "'kp'" not in drawn,
       "a figure of a given height has as many rows as their words have room", done)
    done = costab("plot", results, "-o", folder, "--script-only", "--kind", "tornado", "--y-range", "1:3")
    ok(done.returncode == 2 and "leave y_range out" in done.stderr, "a tornado has no range of y: refused", done)
    refused("it is not drawn as another kind", "costab map -o", "plot", results, "-o", folder, "--script-only", "--kind", "map")
    listed = json.loads(costab("margin", path, "--parameters", "H", "--format", "json").stdout)
    ok([r["side"] for r in listed] == ["lower", "upper"] and listed[0]["value"] is None, "JSON", listed)

    # A network of 16 states, a parameter and one derived from it: the same bytes from any number of threads.
    parts = "\n".join(f"  - {{name: s{i}, A: [[0, 1], [-k, -2*z]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [x], method: rk4}}"
                      for i in range(8))
    wires = "\n".join(f"  - {{from: s{i}.x, to: s{(i + 1) % 8}.u}}" for i in range(8))
    ring = pathlib.Path(folder) / "ring.yaml"
    ring.write_text(f"system: network\nparameters: {{H: 0.05, k: 3, z: k/10}}\nsubsystems:\n{parts}\nconnections:\n{wires}\n"
                    "coupling: {scheme: jacobi, macro_step: H}\n")
    asked = ["margin", ring, "--parameters", "H,k,z", "--set", "k=2", "--format", "json"]
    one, three = (costab(*asked, "--threads", threads) for threads in (1, 3))
    found = {(row["name"], row["side"]): row["value"] for row in json.loads(one.stdout)}
    ok(one.returncode == 0 and one.stdout == three.stdout and len(found) == 6 and sum(v is not None for v in found.values()) >= 3,
       "three threads print what one does", one, three)

    # A suspension cut off sets the chassis free: a double eigenvalue 1, which is a fold without a frequency. An oscillation as slow as 1e-5 Hz
    # whose damping passes 0 keeps its own.
    rows = json.loads(costab("margin", CAR, "--coupling", "jacobi,jacobi-cubic,iterated-linear", "--connections", "--format", "json").stdout)
    cut = [row for row in rows if row["kind"] == "connection" and row["value"] == 0 and row["coupling"] != "jacobi-cubic"]
    ok(len(cut) >= 4 and all(row["cause"] == "fold" and not row["frequency"] for row in cut), "what a cut sets free has no frequency", cut)
    slow = min(row["frequency"] for row in rows if row["frequency"])
    ok(slow > 0.1, "the slowest frequency of the car is none of rounding", slow)
    creep = pathlib.Path(folder) / "creep.yaml"
    creep.write_text("system: network\nparameters: {c: 0.999, w: 6.283185307179586e-5, H: 1}\nsubsystems:\n"
                     "  - {name: slow, A: [[c-1, w], [-w, c-1]], B: [[0], [0]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}\n"
                     "  - {name: fast, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"
                     "connections: [{from: slow.y, to: fast.u}, {from: fast.y, to: slow.u}]\ncoupling: {scheme: jacobi, macro_step: H}\n")
    found = [row for row in json.loads(costab("margin", creep, "--parameters", "c", "--format", "json").stdout) if row["value"] is not None]
    ok(len(found) == 1 and near(found[0]["value"], 1, 1e-8) and near(found[0]["frequency"] * 1e5, 1, 1e-3), "a slow oscillation has its frequency", found)

    late = pathlib.Path(folder) / "late.yaml"
    late.write_text("system: network\nparameters: {T: 0.3, H: 0.1}\nsubsystems: [{name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]\n"
                    "connections: [{from: a.y, to: a.u, gain: -0.5, delay: T s}]\ncoupling: {macro_step: H}\n")
    shown = {form: costab("margin", late, "--parameters", "T", "-f", form) for form in ("csv", "json", "md")}
    ok(len(shown["csv"].stdout.splitlines()) == 1 and shown["csv"].stdout.startswith("coupling,kind,name") and json.loads(shown["json"].stdout) == [] and
       len(shown["md"].stdout.splitlines()) == 2 and all("T is skipped" in done.stderr for done in shown.values()), "a table without rows has its head", *shown.values())
    done = costab("margin", late, "--parameters", "T", "-f", "text")
    ok("No parameter could be searched." in done.stdout, "and the text does not say that nothing changes", done.stdout)
    done = costab("margin", late, "--parameters", "T", "-o", late.with_suffix(".h5"))
    ok(done.returncode == 2 and "T is skipped" in done.stderr and "no margins to write" in done.stderr, "a results file without rows is refused", done.stderr)
    digits = [row for row in json.loads(costab("margin", late, "--set", "T=0", "-f", "json").stdout) if row["kind"] in ("radius", "disk")]
    shown = [line.split() for line in costab("margin", late, "--set", "T=0", "-f", "text").stdout.splitlines()]
    shown = [line for line in shown if len(line) > 1 and line[1] in ("radius", "disk")]
    low = [any(0 <= row["value"] - float(cell) <= 1e-5 * row["value"] for cell in line if re.fullmatch("[0-9.]+", cell)) for row, line in zip(digits, shown)]
    ok(len(low) > 3 and all(low), "radii and disk margins are rounded down, on both sides", *shown)

    # `limit` has the same words: limits.py.
    if EFFORT > 1:
        quick = pathlib.Path(folder) / "quick.yaml"
        quick.write_text("system: network\nparameters: {p: 1, H: 0.1}\nsubsystems: [{name: one, A: [['-1 + 1.5*sin(1e7*min(p,1))']], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler}]\n"
                         "connections: []\ncoupling: {macro_step: H}\n")
        done = costab("margin", quick, "--parameters", "p")
        ok(" to 1 is undecided, where the evaluations ended" in done.stderr, "what is undecided as the evaluations ended is not laid to rounding", done.stderr)

    looked, said = 0, []
    for number in range(effort(4)):
        count, wrong = margins.hold(folder, families.NAMES[number % 4], 300 + number, 120 if EFFORT > 1 else 60)
        looked += count
        said += wrong
    ok(not said, f"{looked} sides of {effort(4)} random models: no change of class between samples is jumped over", "\n".join(said))
finish()
