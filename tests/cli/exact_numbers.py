#!/usr/bin/env python3
"""Numbers of the command line (TAP): decimals and fractions. What is exact takes the number that was written: an area's bound holds for
it, in the column a stands what was listed, and value k of a range is a fraction."""
import decimal
import json
import pathlib
import tempfile
from fractions import Fraction

from tap import costab, csv_rows, finish, ok, refused

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

for one, other in ((["boundary", "--a", "1/4", "--gamma=-7/2:2"], ["boundary", "--a", "0.25", "--gamma=-3.5:2"]),
                   (["classify", "--a", "1/4", "--gamma", "-1/2,-3/4", "--delta", "1/8:3/8:3"],
                    ["classify", "--a", "0.25", "--gamma", "-0.5,-0.75", "--delta", "0.125:0.375:3"]),
                   (["critical", "--a=-1/2:1/2", "--scheme", "cross"], ["critical", "--a=-0.5:0.5", "--scheme", "cross"])):
    left, right = rows(*one), rows(*other)
    for row in left + right:
        row["a"] = float(Fraction(row["a"]))
    ok(left == right and len(left) > 1, f"{one[0]} takes fractions", *left[:2], *right[:2])

for wrong in ("1/0", "1/3x", "1e400", "1/2/3", "0.5/2", "/2", "1/", "1/-2", "inf", "0x10", "1 /2", "1/9999999999999999"):
    done = costab("area", "--a", wrong)
    ok(done.returncode == 2 and f"--a: '{wrong}' is not a finite number" in done.stderr and done.stdout == "", f"--a '{wrong}'", done.stderr)
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
finish()
