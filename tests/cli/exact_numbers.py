#!/usr/bin/env python3
"""Numbers of the command line (TAP): decimals and fractions. What is exact takes the number that was written: an area's bound holds for
it, in the column a stands what was listed, and value k of a range is a fraction, of which the nearest double is used."""
import decimal
import json
import pathlib
import tempfile
from fractions import Fraction
from random import Random

import h5py

from tap import NETWORK, costab, csv_rows, effort, finish, ok, refused, seed, spread, stride

# Areas of SS by another program, which integrates rows between the roots of their ends in 60 digits (tests/unit/area.c).
KNOWN = {"0.548": "0.0000165064672376362002178108604180562834497366208", "1/3": "0.852263674377444275695946850204846626408005332"}


def rows(*words):
    done = costab(*words)
    return csv_rows(done)


def exact(shown):
    return Fraction(decimal.Decimal(shown))


found = rows("area", "--a", ",".join(KNOWN), "--scheme", "cross")
ok([row["a"] for row in found] == list(KNOWN), "the column a has what was written", *found)
for row in found:
    off, bound = abs(Fraction(float(row["area_ss"])) - exact(KNOWN[row["a"]])), Fraction(float(row["error_ss"]))
    ok(0 < off <= bound, f"the area at {row['a']} is right to its bound", float(off), float(bound))
shown = rows("area", "--a", "0.548", "--scheme", "cross", "--digits", "40")[0]
ok(abs(exact(shown["area_ss"]) - exact(KNOWN["0.548"])) < Fraction(1, 10**43), "40 digits", shown)

# Just above the critical value 1.25643120862..., where SS becomes infinite: what 40 digits of its integral say (mpmath).
done = costab("area", "--a", "1.2,1.2564313,1.3", "--scheme", "strong", "--method", "exact", "--substeps", "4")
beside = csv_rows(done)
ok(done.returncode == 0 and [row["a"] for row in beside] == ["1.2", "1.2564313", "1.3"] and
   beside[0]["area_ss"] == "inf" and done.stderr == "", "areas on both sides of a critical value", done.stdout, done.stderr)
off = abs(Fraction(float(beside[1]["area_ss"])) - exact("5709887.620775743031755496691382677763335"))
ok(off <= Fraction(float(beside[1]["error_ss"])) < exact("1e-8"), "an area just above it is right to its bound", float(off), beside[1])

# 0.1 + 3 (0.9 - 0.1)/7 is the fraction 31/70, and the nearest double of 1/3 is not 1/3
ranged = rows("area", "--a", "0.1:0.9:8", "--scheme", "cross")
listed = rows("area", "--a", "0.1,31/70,9/10", "--scheme", "cross")
ok([ranged[k]["area_ss"] + ranged[k]["error_ss"] for k in (0, 3, 7)] == [row["area_ss"] + row["error_ss"] for row in listed],
   "value k of a range is a fraction", ranged[3], listed[1])
ok(ranged[3]["a"] == repr(31 / 70) and listed[1]["a"] == "31/70", "ranges show the shortest double", ranged[3], listed[1])
told = json.loads(costab("area", "--a", "1/3", "--scheme", "cross", "--format", "json").stdout)
ok(told[0]["a"] == 1 / 3, "JSON has the double", told)

# ---- The doubles of ranges, against Python's fractions
random = Random(seed(1))


def an_end():
    sign, kind = random.choice(("", "-", "+")), random.randrange(6)
    if kind == 0:
        return f"{sign}{random.randrange(10**random.randrange(1, 15))}/{random.randrange(1, 10**random.randrange(1, 15))}"
    return sign + (f"{random.randrange(4)}/{random.randrange(1, 10)}", f"{random.randrange(100)}.{random.randrange(10**random.randrange(1, 18))}",
                   f"{random.randrange(1, 10**17)}e{random.randrange(-330, 150)}", f".{random.randrange(10**40):040}",
                   f"{2**53 + random.randrange(100)}")[kind - 1]


def first_wrong(values, start, stop):
    return next(((start, stop, len(values), k, x, y) for k, (x, y) in enumerate(zip(values, spread(start, stop, len(values)))) if x != y), None)


COLUMNS = ("a", "gamma", "delta")
wrong = []
for _ in range(effort(12)):
    axes = {name: (an_end(), an_end(), random.choice((2, 3, 4, 5, 8))) for name in COLUMNS}
    done = rows("classify", "--scheme", "cross", *(f"--{name}={start}:{stop}:{n}" for name, (start, stop, n) in axes.items()))
    (_, _, rows_of_a), (_, _, lines), (_, _, points) = axes.values()
    lists = {"a": done[::lines * points], "gamma": done[:lines * points:points], "delta": done[:points]}
    for name, (start, stop, n) in axes.items():
        values = [float(row[name]) for row in lists[name]]
        wrong += [(name, n, len(values))] if len(values) != n else filter(None, [first_wrong(values, start, stop)])
ok(not wrong, f"{3 * effort(12)} ranges of commands have the doubles nearest to fractions", *wrong)
for start, stop, n in (("0", "0.3", 4), ("0.3", "0", 4), (str(2**53), str(2**53 + 4), 5), ("-1/3", "1/7", 2001), ("1e-320", "3e-320", 7), ("0", "5e-324", 3),
                       ("-1.7e307", "1/3", 1001)):
    values = [float(row["a"]) for row in rows("classify", "--scheme", "cross", f"--a={start}:{stop}:{n}", "--gamma", "1", "--delta", "1")]
    ok(len(values) == n and not first_wrong(values, start, stop), f"{start}:{stop}:{n}", first_wrong(values, start, stop))
ok([row["a"] for row in rows("area", "--a", "0:0.3:4", "--scheme", "cross")] == ["0", "0.1", "0.2", "0.3"], "0.1 is a value of 0:0.3:4")

with tempfile.TemporaryDirectory() as folder:
    spec, results, wrong = pathlib.Path(folder, "ranges.yaml"), pathlib.Path(folder, "ranges.h5"), []
    for _ in range(effort(6)):
        axes = {name: sorted((an_end(), an_end()), key=Fraction) + [random.choice((2, 3, 7, 41))] for name in COLUMNS}
        said = ", ".join("{}: {{from: {}, to: {}, points: {}}}".format(name, *axis) for name, axis in axes.items())
        spec.write_text(f"system: planar\nschemes: [cross]\naxes: {{{said}}}\nfields: [class]\n")
        done = costab("sweep", str(spec), "-o", str(results), "--force", "-q")
        many = [spread(*axis) for axis in axes.values()]
        if any(len(set(values)) < len(values) for values in many):  # too close to each other for doubles
            words = "do not fit between", "from and to are equal", "are fewer different doubles"
            wrong += [] if done.returncode == 2 and any(w in done.stderr for w in words) else [(said, done.stderr)]
            continue
        with h5py.File(results) as file:
            wrong += filter(None, [first_wrong(file[name][:].tolist(), start, stop) for name, (start, stop, _) in axes.items()])
    ok(not wrong, f"{3 * effort(6)} axes of sweeps have the doubles nearest to fractions", *wrong)
    spec.write_text(NETWORK)
    done = costab("sweep", str(spec), "--axis", "k=1/3:9.7:101", "--axis", "H=1/10,1/7", "-o", str(results), "--force", "-q")
    with h5py.File(results) as file:
        ok(done.returncode == 0 and not first_wrong(file["k"][:].tolist(), "1/3", "9.7") and file["H"][1] == 1 / 7 and "from: 1/3," in file["spec"][()].decode(),
           "sweep --axis takes what is written", done.stderr)

# ---- Boundaries: next to the root -2.78529356340528... of phi = 1 + z/2 + z^2/6 + z^3/24 the weights at the nearest double are of another number
def weights(z):
    return 1 + z / 2 + z**2 / 6 + z**3 / 24, Fraction(1, 2) + z / 6 + z**2 / 24  # phi, P1 of rk4: sum over k of z^k / (k + 1)!, (k + 2)!, up to z^3 and z^2


def end_of_det(written, gamma):
    """Delta at which Det D = 1 of zigzag, and what a relative change of its parts is worth."""
    a, gamma = Fraction(written), Fraction(gamma)
    d = gamma - a
    (phi, _), (phi_d, p1_d) = weights(a), weights(d)
    parts = a * phi, d * phi_d, a * d * phi * p1_d
    return -sum(parts) / (phi * (phi_d - p1_d)), sum(map(abs, parts)) / abs(phi * (phi_d - p1_d))


written = "-2.78529356340528"
curve = [(row["a"], row["gamma"], row["delta"]) for row in rows("boundary", f"--a={written}", "--scheme", "zigzag", "--gamma=-1:1", "--delta=-1e16:1e16") if row["curve"] == "det"][::min(stride(8), 8)]
near = [(abs(Fraction(delta) - end_of_det(written, gamma)[0]), end_of_det(written, gamma)[1], end_of_det(float(written), gamma)[0]) for _, gamma, delta in curve[1:-1]]
# some 30 roundings of each part; d and its functions are doubles, whose conditions are below 100 here
ok(len(near) > 20 and {row[0] for row in curve} == {written} and all(off <= 3000 * 2**-53 * size for off, size, _ in near),
   "a boundary's curve is that of the number that is written", len(curve), max((float(off / size) for off, size, _ in near), default=0))
ok(all(abs(other - end_of_det(written, gamma)[0]) > Fraction(1, 1000) * size for (_, gamma, _), (_, size, other) in zip(curve[1:-1], near)),
   "which that of the nearest double is not", *curve[:3])

for one, other in ((["boundary", "--a", "1/4", "--gamma=-7/2:2"], ["boundary", "--a", "0.25", "--gamma=-3.5:2"]),
                   (["classify", "--a", "1/4", "--gamma", "-1/2,-3/4", "--delta", "1/8:3/8:3"],
                    ["classify", "--a", "0.25", "--gamma", "-0.5,-0.75", "--delta", "0.125:0.375:3"]),
                   (["critical", "--a=-1/2:1/2", "--scheme", "cross"], ["critical", "--a=-0.5:0.5", "--scheme", "cross"])):
    left, right = rows(*one), rows(*other)
    for row in left + right:
        row["a"] = float(Fraction(row["a"]))
    ok(left == right and len(left) > 1, f"{one[0]} takes fractions", *left[:2], *right[:2])

for wrong in ("1/0", "1/3x", "1e400", "1/2/3", "0.5/2", "/2", "1/", "1/-2", "inf", "0x10", "1 /2", "1/9999999999999999")[::stride(4)]:  # as tests/unit/area.c does
    done = costab("area", "--a", wrong)
    ok(done.returncode == 2 and f"--a: '{wrong}' is not a finite number" in done.stderr and done.stdout == "", f"--a '{wrong}'", done.stderr)
refused("a setting that is no number", "--set H: 'abc' is not a finite number", "map", "sweeps/findings/models/drive.yaml", "--set", "H=abc")
refused("a setting that is a formula", "a fraction such as 1/3; write formulas into the model's parameters", "map", "sweeps/findings/models/drive.yaml", "--set", "H=k/10")
refused("a range with a wrong end", "--a: '1/0:2:3' is not LO:HI:N", "area", "--a", "1/0:2:3")
refused("a range that does not ascend", "a range with LO < HI", "critical", "--a", "1/3:1/4")

# a sweep has the areas at what its spec writes
with tempfile.TemporaryDirectory() as folder:
    spec, results = pathlib.Path(folder, "areas.yaml"), pathlib.Path(folder, "areas.h5")
    spec.write_text("system: planar\nschemes: [cross]\naxes: {a: [1/3, 0.548]}\nfields: [areas]\n")
    done = costab("sweep", str(spec), "-o", str(results), "-q")
    swept = rows("export", str(results), "--format", "csv")
    ok(done.returncode == 0 and [(float(row["a"]), row["area_ss"]) for row in swept] ==
       [(float(Fraction(row["a"])), row["area_ss"]) for row in reversed(found)], "a sweep's areas", done.stderr, *swept)

# areas in a window, of a named method and of the same tableau, and the file that plot draws
TABLEAU = "{A: [[0, 0], [1, 0]], b: [1/2, 1/2]}"
for command, *words in (["area", "--a", "1/3,0.5"], ["critical"], ["classify", "--a", "0.5", "--gamma", "-2", "--delta", "3"], ["boundary", "--a", "0"]):
    named, own = ([{name: value for name, value in row.items() if name != "method"} for row in rows(command, *words, "--scheme", "zigzag", "--method", method)]
                  for method in ("heun", TABLEAU))
    ok(named == own and len(named) > 0, f"{command} of a tableau", named[:2], own[:2])
# R = 1 + z (z^2 + z + 1)^2 is 1 twice at each of two complex numbers: once from rational entries, once from entries with sqrt(2)
same = ["{A: [[0, 0, 0, 0, 0], [1/2, 0, 0, 0, 0], [0, 2/3, 0, 0, 0], [0, 0, 3/2, 0, 0], [0, 0, 0, 2%s, 0]], b: [%s, 0, 0, 0, %s]}" % entries
        for entries in (("", "0", "1"), ("*sqrt(2)", "1 - sqrt(2)/2", "sqrt(2)/2"))]
found = [rows("area", "--a", "0", "--scheme", "simulation", "--method", method) for method in same]
ok(found[0] == found[1] and float(found[0][0]["area_ss"]) > 0, "sqrt in a tableau with a rational stability function", *found)
refused("a tableau that is inconsistent", "--method:1:1: error: method: inconsistent tableau", "area", "--a", "0", "--method", "{A: [[0]], b: [1/2]}")
refused("a tableau that is no YAML", "--method:2:1: error: not valid YAML", "area", "--a", "0", "--method", "{A: [[0]], b: [1]")
whole, inside = (rows("area", "--a", "1/3", "--scheme", "cross", *window)[0] for window in ([], ["--gamma=-40:40", "--delta=-40:40"]))
ok(abs(float(inside["area_ss"]) - float(whole["area_ss"])) <= float(inside["error_ss"]) + float(whole["error_ss"]), "a window around everything", whole, inside)
ok(abs(sum(float(inside[f"area_{c}"]) for c in ("ss", "us", "su", "uu")) - 6400) < 1e-9 and abs(float(inside["area_ss"]) + float(inside["area_su"]) - 1600) < 1e-9,
   "the classes fill the window", inside)
for words, piece in ((["--gamma=-4:0"], "--gamma and --delta belong together"), (["--gamma=-4:0", "--delta=0:4", "--digits", "20"], "--digits is for areas in the whole plane"),
                     (["-o", "x.h5"], "give --a several values"), (["-o", "x.h5", "--digits", "20"], "--digits is for tables"), (["--gamma=0:-4", "--delta=0:4"], "a range with LO < HI")):
    refused(f"area {words}", piece, "area", "--a", "0", *words)
refused("area -o of values that do not ascend", "--a has 0.5 after 1", "area", "--a", "1,0.5", "-o", "x.h5")
with tempfile.TemporaryDirectory() as folder:
    for name, window in (("plane", []), ("window", ["--gamma=-4:1/2", "--delta=-1:13"])):
        results = pathlib.Path(folder, f"{name}.h5")
        for a in ("-1:1:5", "0.1,1/3"):
            asked = ["--a", a, "--scheme", "cross,zigzag", "--substeps", "2,1", "--method", TABLEAU, *window]
            done = costab("area", *asked, "-o", results, "--force", "-q")
            table = rows("area", *asked)
            with h5py.File(results) as file:
                shape = (2, len(table) // 2)
                stored = file["window_area"][..., 3] if window else file["area_ss"][...]
                ok(done.returncode == 0 and stored.shape == shape and stored.ravel().tolist() == [float(row["area_ss"]) for row in table],
                   f"{name}, {a}: a file has the table's areas", done.stderr, stored, table)
        again = costab("area", *asked, "-o", results)
        ok("is up to date" in again.stderr, "an area file that is up to date is left", again.stderr)
        done = costab("plot", results, "-o", folder, "--script-only")
        script = pathlib.Path(folder, f"{name}.gp").read_text()
        largest = max(float(row["area_ss"]) for row in table)
        curve = [float(line.split()[1]) for line in pathlib.Path(folder, f"{name}.dat").read_text().splitlines() if len(line.split()) == 2 and line[0] != "#"]
        ok(done.returncode == 0 and ("in the window" in script) == bool(window) and any(abs(y - largest) < 1e-6 * largest for y in curve), f"{name}: plot draws the areas", done.stderr, curve)
finish()
