#!/usr/bin/env bash
# costab reproduce and costab critical: every row of [KNS], its number and its verdict. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
costab=${COSTAB:-$PWD/build/costab}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$costab" reproduce --source kns2014 --format json >"$folder/rows.json" 2>"$folder/err" || sed 's/^/# /' "$folder/err"
"$costab" critical --a -5:5 --format json >"$folder/critical.json" 2>>"$folder/err" || sed 's/^/# /' "$folder/err"
"$costab" reproduce --source nobody >"$folder/out" 2>"$folder/nobody"
echo $? >>"$folder/nobody"

/usr/bin/python3 - "$folder" <<'P'
import json, sys

folder = sys.argv[1]
rows = json.load(open(folder + "/rows.json"))
count = 0


def ok(good, what):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


# What is true, to the digits known, and whether the printed number agrees (None: nothing is printed).
TRUE = [
    ("simulation: A_SS (", 32.57320470108170393, True),
    ("simulation: A_US (", 2.00072449049073598, True),
    ("simulation: share of misleading", 0.05786801, False),
    ("simulation: A_US / (A_SS - A_US)", 0.06544201, False),
    ("p (26)", -2.785293563405281624, True),
    ("q (27)", -7.757860234, True),
    ("first isolated point of gamma3: Gamma", 0.438893783955, True),
    ("first isolated point of gamma3: Delta", 6.175295485124, True),
    ("second isolated point of gamma3: Gamma", -4.438893783955, True),
    ("second isolated point of gamma3: Delta", 7.772907404291, True),
    ("figure 5: the SU case needs a step above", 9.93436507e-4, None),
    ("figure 5: the US case needs a step above", 6.84141721e-4, None),
    ("figure 5: the US case needs a step below", 1.07789852e-3, None),
    ("cross: A_SS = 0 up to a", -2.785293563405281624, False),
    ("cross: the root of R(a)", -3.160499628997008828, True),
    ("cross: A_SS = 0 from a on", 0.548155220383393130, True),
    ("cross: A_SS infinite from a on", -2.785293563405281624, False),
    ("cross: A_SS infinite up to a", 0, True),
    ("zigzag: A_US at a = 2", 0.82752661, True),
    ("zigzag: A_US at a = -3", 85.48531628, True),
    ("strong: no stable point below a", -2.78529356, True),
    ("strong: no stable point above a", 1.78948761, False),
    ("strong: largest A_US", 0.0660933, False),
    ("strong: the a of the largest A_US", -1.27319, None),
    ("zigzag: A_SS smaller", -1.640619773, False),
    ("strong: A_SS smaller", -1.468464811, False),
]
VERDICT = {True: "agrees", False: "differs", None: "not printed"}
for start, value, agrees in TRUE:
    found = [r for r in rows if r["quantity"].startswith(start)]
    # half a unit of the last digit given here, and rounding
    digits = len(str(abs(value)).split(".")[-1].split("e")[0]) if value else 0
    scale = 10 ** float(str(value).split("e")[1]) if "e" in str(value) else 1
    bound = max(0.51 * 10**-digits * scale, 2e-13 * abs(value), 1e-14)
    good = len(found) == 1 and abs(found[0]["computed"] - value) <= bound and found[0]["verdict"] == VERDICT[agrees]
    ok(good, f"{start} ...: {value}, {VERDICT[agrees]}")
    if not good:
        print("#", found, bound)
ok(len(rows) == len(TRUE), "there are no other rows")
ok(all(r["reason"] for r in rows if r["verdict"] == "differs"), "every row that differs says why")

critical = {(r["scheme"], r["event"]): r["a"] for r in json.load(open(folder + "/critical.json"))}
CRITICAL = {
    ("cross", "us_begins"): -3.160499628997008828,
    ("cross", "ss_infinite_begins"): -2.785293563405281624,
    ("cross", "ss_infinite_ends"): 0,
    ("cross", "ss_ends"): 0.548155220383393130,
    ("zigzag", "us_begins"): 1.343330053556043494,
    ("zigzag", "us_right_begins"): 2.232224413997971590,
    ("strong", "ss_ends"): 1.789487605132586641,
}
for key, value in CRITICAL.items():
    ok(abs(critical.get(key, 99) - value) <= 1e-10, f"critical: {key[0]}, {key[1]} at {value}")
nobody = open(folder + "/nobody").read()
ok("kns2014" in nobody and nobody.endswith("\n2\n"), "an unknown source is refused with the known ones")
print(f"1..{count}")
P
