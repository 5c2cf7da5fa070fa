#!/usr/bin/env bash
# costab reproduce: every row of every source, its number and its verdict. Prints TAP.
set -u
cd "$(dirname "$0")/../.." || exit 1
costab=${COSTAB:-$PWD/build/costab}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$costab" reproduce --format json >"$folder/rows.json" 2>"$folder/err" || sed 's/^/# /' "$folder/err"
"$costab" reproduce --source ma2015,skjong2019 --format json >"$folder/some.json" 2>"$folder/err" || sed 's/^/# /' "$folder/err"
"$costab" reproduce --source nobody >"$folder/out" 2>"$folder/nobody"
echo $? >>"$folder/nobody"

# the model files that hold the same systems: name of the row's start, then what `costab map` is asked for
rows() {
    while IFS='|' read -r quantity arguments; do
        # shellcheck disable=SC2086
        "$costab" map $arguments --format json >"$folder/map.json" 2>>"$folder/err"
        printf '%s|%s\n' "$quantity" "$(tr -d '\n' <"$folder/map.json")"
    done
}
rows >"$folder/maps" <<E
example 2, T_d = 2.1: first|sweeps/skjong2019/models/example2.yaml --coupling powers
example 2, T_d = 2.1: the simulation|sweeps/skjong2019/models/example2.yaml --coupling clocks
example 3: first|sweeps/skjong2019/models/example3.yaml
example 4: first|sweeps/skjong2019/models/example4.yaml --coupling whole
example 5: third|sweeps/skjong2019/models/example5.yaml
example 6: first|sweeps/skjong2019/models/example6.yaml
corollary 1, counterexample|sweeps/skjong2019/models/corollary1-euler.yaml
corollary 1: stable|sweeps/skjong2019/models/corollary1-rk4.yaml
corollary 2: stable|sweeps/skjong2019/models/example6.yaml --set KP=5 --set T_d=0.026 --set x01=0.2
figure 1: spectral|sweeps/gomes2018/models/figure1.yaml
lemma 1: stable|sweeps/skjong2019/models/lemma1.yaml
example 5, K_P > 0 is much better: spectral|sweeps/skjong2019/models/example5.yaml --set KP=0.5
case study, H = 0.01: spectral radius of (14)|sweeps/gomes2018/models/two-mass.yaml --coupling fmi-jacobi
case study, H = 0.01: spectral radius of (18)|sweeps/gomes2018/models/two-mass.yaml --coupling stabilised
Euler, H = 1, a = -0.1, d = -1.5, bc = -0.5: spectral radius of (18)|sweeps/gomes2018/models/exceptions.yaml --coupling stabilised
E

/usr/bin/python3 - "$folder" <<'P'
import json, sys

folder = sys.argv[1]
rows = json.load(open(folder + "/rows.json"))
count = 0


def ok(good, what):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {what}")


# What is true, to the digits known (in quotes) or exactly, and whether the printed number agrees (None: nothing is
# printed; CHECKED: a second program's number does).
CHECKED = 2
KNS = [
    ("simulation: A_SS (", "32.57320470108170393", True),
    ("simulation: A_US (", "2.00072449049073598", True),
    ("simulation: share of misleading", "0.05786801", False),
    ("simulation: A_US / (A_SS - A_US)", "0.06544201", False),
    ("p (26)", "-2.785293563405281624", True),
    ("q (27)", "-7.757860234", True),
    ("second line of gamma2", "-7.757860234", False),
    ("first isolated point of gamma3: Gamma", "0.438893783955", True),
    ("first isolated point of gamma3: Delta", "6.175295485124", True),
    ("second isolated point of gamma3: Gamma", "-4.438893783955", True),
    ("second isolated point of gamma3: Delta", "7.772907404291", True),
    ("figure 5: the SU case needs a step above", "9.93436507e-4", None),
    ("figure 5: the US case needs a step above", "6.84141721e-4", None),
    ("figure 5: the US case needs a step below", "1.07789852e-3", None),
    ("cross: A_SS = 0 up to a", "-2.785293563405281624", False),
    ("cross: the root of R(a)", "-3.160499628997008828", True),
    ("cross: A_SS = 0 from a on", "0.548155220383393130", True),
    ("cross: A_SS infinite from a on", "-2.785293563405281624", False),
    ("cross: A_SS infinite up to a", 0, True),
    ("zigzag: A_US at a = 2", "0.82752661", True),
    ("zigzag: A_US at a = -3", "85.48531628", True),
    ("strong: no stable point below a", "-2.78529356", True),
    ("strong: no stable point above a", "1.78948761", False),
    ("strong: largest A_US", "0.0660933", False),
    ("strong: the a of the largest A_US", "-1.27319", None),
    ("zigzag: A_SS smaller", "-1.640619773", False),
    ("strong: A_SS smaller", "-1.468464811", False),
    ("cross: the smallest A_SS", float("inf"), False),
    ("cross: A_US for any negative a", 0, False),
]
SP = [
    ("example 1: first eigenvalue", -1, True),
    ("example 1: second eigenvalue", -2.5, True),
    ("example 1: largest Euler step of subsystem 1", 1, True),
    ("example 1: largest Euler step of subsystem 2", 4 / 3, True),
    ("example 1: largest Euler step of the whole", 0.8, True),
    ("example 2, T_d = 2: first", 1, True),
    ("example 2, T_d = 2: second", 1, True),
    ("example 2, T_d = 2.1: first |eig|", "0.987672450", True),
    ("example 2, T_d = 2.1: second |eig|", "0.955979296", True),
    ("example 2, T_d = 2.1: the simulation", 1, False),
    ("example 2, T_d = 2.1: macro steps after", 40, None),
    ("example 2, period of T_d = 2.1: first |eig|", 1, None),
    ("example 2, period of T_d = 2.1: second |eig|", 1 / 3, None),
    ("example 3: first", "0.727084588", True),
    ("example 3: second", "0.035415412", True),
    ("example 4: real part", -0.45, True),
    ("example 4: first", "0.998418875", True),
    ("example 4: second", "0.998418875", True),
    ("example 4: largest stable T_d, whole", 0.89, None),
    ("example 4: largest stable T_d, a real", "0.895047186", None),
    ("example 5: first", "0.842434111", True),
    ("example 5: second", "0.842434111", True),
    ("example 5: third", "0.907509147", True),
    ("example 5, K_P > 0 is much better: slow mode", "-0.105309619518", True),
    ("example 5, K_P > 0 is much better: real part", "-0.247345190241", False),
    ("example 5, K_P > 0 is much better: spectral radius", "0.901990751530", True),
    ("example 6: first", "1.000014966", True),
    ("example 6: second", "1.000014966", True),
    ("example 6: third", "0.992234519", True),
    ("example 6: largest |eig| at most 1", "1.000014966", False),
    ("example 6: largest x01", "4.998006944", None),
    ("corollary 1, counterexample", "0.9147", None),
    ("corollary 1: stable with Euler", "2.0304", False),
    ("corollary 2, counterexample", "0.99903", None),
    ("corollary 2: stable at the ends", "1.02762", False),
    ("(43), counterexample", 1, None),
    ("(43), |eig| at most 1", 100, False),
    # two equal lags: |1 + h a|^n at a micro step of 0.1, the loop's gain -5 by i sqrt(5)
    ("lemma 1, counterexample", (0.9**2 + 5 * 0.1**2) ** 0.5, None),
    ("lemma 1: stable for", abs(0.9**300 + 1j * 5**0.5 * (1 - 0.9**300)), False),
]
GTL = [
    ("figure 1: spectral radius", "1.004982587", True),
    ("figure 1: Euler's method is stable below", "0.0001000000", None),
    ("case study, H = 0.01: spectral radius of (14)", "1.004629327", True),
    ("case study, H = 0.01: spectral radius of (18)", "0.995004194888", True),
    ("case study: critical H of (14)", "0.006048741535", None),
    ("case study: critical H of (18)", "0.0300123518297", None),
    ("case study, H = 0.001, the master's step: spectral radius of (14)", "0.999376", False),
    ("case study, H = 0.001, the master's step: spectral radius of (18)", "0.999275", True),
    ("Euler, H = 1, a = -1.5, d = -0.5, bc = -1.1: spectral radius of (14)", 0.85**0.5, None),
    ("Euler, H = 1, a = -1.5, d = -0.5, bc = -1.1: iteration radius of (18)", 1.1**0.5, None),
    ("Euler, H = 1, a = -0.1, d = -1.5, bc = -0.5: spectral radius of (14)", 0.05**0.5, None),
    ("Euler, H = 1, a = -0.1, d = -1.5, bc = -0.5: spectral radius of (18)", (2 + (4 + 67.5) ** 0.5) / 15, None),
]
MS = [
    ("M_fx1, R = 5: supremum", 1, False),
    ("M_fx2, R = 5: supremum", 10, False),
    ("M_fx1, R = 5: later extremum", "-0.808228358", False),
    ("M_fx2, R = 5: later extremum", "0.616181303", False),
    ("M_fx1, R = 2: later extremum", "-1.384405956", True),
    ("M_fx2, R = 2: later extremum", "1.779648249", False),
    ("M_fx1, R = 2: supremum", "1.384405956", None),
    ("M_fx2, R = 2: supremum", 7, None),
    ("M_gx1", 1, False),
    ("M_gx2", 1, False),
    ("(34): T_max / Delta E", "0.211007528", True),
    ("T_max at Delta E = 0.5 with the printed", "0.105503764", True),
    ("T_max at Delta E = 0.5, R = 5", "0.035093120", False),
    ("T_max at Delta E = 0.5, R = 2", "0.049088131", False),
    ("largest error at T = 0.1, R = 5, delay 1", "0.3548", True),
    ("largest error at T = 0.15, R = 5, delay 1", "0.5554", True),
    ("largest error at T = 0.2, R = 5, delay 1", "0.7501", True),
    ("largest error at T = 0.1, R = 5, no delay", "0.11445", True),
    ("largest error at T = 0.15, R = 5, no delay", "0.18617", False),
    ("largest error at T = 0.2, R = 5, no delay", "0.26801", False),
    ("T_max at Delta E = 0.5, R = 0.5", "0.0576178180", None),
    ("spectral radius at that T_max", "1.009", None),
    ("(31): error below 0.5", "971780.73", False),
]
# by a second program
LIM = [
    ("case 1, displacements: critical H, constant", "0.0022223657", CHECKED),
    ("case 1, displacements: critical H, linear", "0.0143025659", CHECKED),
    ("case 1, displacements: critical H, quadratic", "0.0297730644", CHECKED),
    ("case 1, displacements: critical H, cubic", "0.0443505226", CHECKED),
    ("case 1, displacements: critical H, smoothed linear", "0.0098907134", CHECKED),
    ("case 1, displacements: critical H by gauss-seidel, both linear", "0.0188557455", CHECKED),
    ("case 1, displacements, strides 1 and 2: critical H, constant", "0.0011111828", CHECKED),
    ("case 1, displacements, strides 1 and 2: critical H, linear", "0.0077650437", CHECKED),
    ("case 1, displacements, strides 1 and 5: critical H, constant", "0.0004444731", CHECKED),
    ("case 1, displacements: critical H by newton, constant", "0.0018202101", CHECKED),
    ("case 1, displacements: critical H by newton, linear", "0.0944391737", CHECKED),
    ("case 1, displacements: critical H by newton, quadratic", "0.0306353714", CHECKED),
    ("case 1, displacements: critical H by newton, cubic", "0.0355006034", CHECKED),
    ("case 1, force: critical H, constant", "0.0001387496", CHECKED),
    ("case 1, force: critical H, linear", "0.0052411220", CHECKED),
    ("case 1, force: critical H by gauss-seidel", "0.0004440007", CHECKED),
    ("case 0, displacements, H = 0.001: growth in 1/s, constant", "0.0049492", CHECKED),
    ("case 0, displacements, H = 0.001: growth in 1/s, linear", "0.0000036643", CHECKED),
    ("case 0, displacements, H = 0.001: growth in 1/s, quadratic", "0.00000037125", CHECKED),
    ("case 0, displacements, H = 0.001: growth in 1/s by newton, quadratic", "0.00000045784", CHECKED),
]
PRECICE = [
    ("damping 1: critical H, constant", "0.0127259619", CHECKED),
    ("damping 1: critical H, linear", "0.0379243843", CHECKED),
    ("damping 1: critical H, quadratic", "0.0623570882", CHECKED),
    ("damping 1: critical H, cubic", "0.0683089095", CHECKED),
    ("damping 1: critical H, smoothed linear", "0.0261559966", CHECKED),
    ("damping 1: critical H by gauss-seidel, both linear", "0.0527316056", CHECKED),
    ("damping 1, strides 1 and 2: critical H, constant", "0.0063629809", CHECKED),
    ("damping 1, strides 1 and 2: critical H, linear", "0.0206178224", CHECKED),
    ("damping 1, strides 1 and 5: critical H, constant", "0.0025451924", CHECKED),
    ("damping 1: critical H by newton, constant", "0.0126718634", CHECKED),
    ("damping 1: critical H by newton, linear", "0.1746343085", CHECKED),
    ("damping 1: critical H by newton, quadratic", "0.0885418081", CHECKED),
    ("damping 1: critical H by newton, cubic", "0.0841813056", CHECKED),
    ("undamped, H = 0.004: growth in 1/s, constant", "0.15777", CHECKED),
    ("undamped, H = 0.004: growth in 1/s, linear", "0.00059914", CHECKED),
    ("undamped, H = 0.004: growth in 1/s, quadratic", "0.000074764", CHECKED),
    ("undamped, H = 0.004: growth in 1/s, cubic", "0.00000007837", CHECKED),
    ("undamped, H = 0.004: growth in 1/s by newton, quadratic", "0.000074743", CHECKED),
    ("undamped, H = 0.04, Newmark, four micro steps, cubic waveforms: growth in 1/s", "0.0180517084", CHECKED),
    ("undamped, H = 0.04, generalized alpha, four micro steps, cubic waveforms: growth in 1/s", "0.0200489631", CHECKED),
]
CAR = [
    ("critical H, constant", "0.0533652784", CHECKED),
    ("critical H, linear", "0.111798841", CHECKED),
    ("critical H by gauss-seidel", "0.286037380", CHECKED),
    ("critical H, iterated, linear", "0.288231364", CHECKED),
]
KYL = [
    ("H = 0.1: radius beside the neutral mode, constant", "0.948766654613", CHECKED),
    ("H = 0.1: radius beside the neutral mode, linear", "0.950785654179", CHECKED),
    ("H = 0.1: radius beside the neutral mode, newton, linear", "0.951308637360", CHECKED),
    ("H = 0.1: neutral modes", 1, CHECKED),
]
VERDICT = {True: "agrees", False: "differs", None: "not printed", CHECKED: "checked"}
for source, true in {"kns2014": KNS, "skjong2019": SP, "gomes2018": GTL, "ma2015": MS, "lim": LIM, "precice": PRECICE,
                     "quarter-car": CAR, "kyllingstad": KYL}.items():
    own = [r for r in rows if r["source"] == source]
    for start, value, agrees in true:
        found = [r for r in own if r["quantity"].startswith(start)]
        # half a unit of the last digit given here, or what a limit is refined to
        written = isinstance(value, str)
        number = float(value)
        digits = len(value.split("e")[0].split(".")[1]) - int((value.split("e") + ["0"])[1]) if written else 0
        bound = max(0.51 * 10**-digits if written else 1e-10 * abs(number), 2e-13 * abs(number), 1e-14)
        computed = [f["computed"] if f["computed"] is not None else float(f["computed_nonfinite"]) for f in found]
        near = computed == [number] or len(found) == 1 and abs(computed[0] - number) <= bound
        good = near and found[0]["verdict"] == VERDICT[agrees]
        ok(good, f"{source}: {start} ...: {value}, {VERDICT[agrees]}")
        if not good:
            print("#", found, bound)
    ok(len(own) == len(true), f"{source}: there are no other rows")
ok([r["source"] for r in rows] == sorted(r["source"] for r in rows), "the sources come in their order")
ok(list(rows[0])[:5] == ["source", "quantity", "printed", "checked", "computed"], "the columns")
ok(all(bool(r["printed"]) == (r["verdict"] in ("agrees", "differs")) and bool(r["checked"]) == (r["verdict"] == "checked") for r in rows),
   "printed holds what the source printed, checked what a second program found")
# the words of its text; figure 1's growth is drawn, not said
ok(all(r["printed"] in ("", "growth", "instability", "improves") and r["reason"] for r in rows if r["source"] == "gomes2018"),
   "gomes2018: every row says what it rests on")
ok(all(r["reason"] for r in rows if r["verdict"] == "differs"), "every row that differs says why")
some = json.load(open(folder + "/some.json"))
ok(some == [r for r in rows if r["source"] in ("skjong2019", "ma2015")], "--source takes several")

for line in open(folder + "/maps"):
    quantity, found = line.split("|", 1)
    (row,) = [r for r in rows if r["quantity"].startswith(quantity)]
    radius = [m["spectral_radius"] for m in json.loads(found or "[]")]
    ok(len(radius) == 1 and abs(float(radius[0]) - row["computed"]) < 1e-13, f"the model file agrees: {quantity} ...")

nobody = open(folder + "/nobody").read()
ok("kns2014" in nobody and nobody.endswith("\n2\n"), "an unknown source is refused with the known ones")
print(f"1..{count}")
P
