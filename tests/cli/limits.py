#!/usr/bin/env python3
"""`costab limit` against intervals found by dense samples of an independent program (tests/reference/limits.json): none
missed, none invented. A sample of them here; tests/long/limits.py takes all, and renews some. Prints TAP."""
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile

import limit_truth as limits
from tap import COSTAB, costab, EFFORT, finish, ok, stride

here = pathlib.Path(__file__).resolve().parents[1]


def csv(words):
    done = subprocess.run([COSTAB, *words], capture_output=True, text=True, check=True, timeout=300)
    return [line.split(",") for line in done.stdout.splitlines()]


entries = json.loads((here / "reference/limits.json").read_text())["limits"]
with tempfile.TemporaryDirectory() as folder:
    for family in ("structure", "chain", "hydraulics", "drive"):
        said = []
        for entry in [e for e in entries if e["family"] == family][::stride(20)]:
            wrong, _ = limits.hold(COSTAB, folder, entry)
            said += [f"{family} {entry['seed']} {entry['coupling']}: {w}" for w in wrong]
        ok(not said, f"{family}: the models of the table", "\n".join(said))

    # A chain of 20 oscillators that pull at the next with g of what that pulls at them with: far from symmetric next to g = 0.
    model = os.path.join(folder, "chain.yaml")
    pathlib.Path(model).write_text(limits.long_chain(20))
    for coupling in ("jacobi", "newton")[::stride(2)]:
        rows = csv(["limit", model, "--over", "g=-3:4", "-c", coupling])
        ends = [float(x) for x in rows[1][2:4]] if len(rows) == 2 else []
        said = [csv(["map", model, "-c", coupling, "--set", f"g={g!r}"]) for e, way in zip(ends, (1, -1))
                for g in (e - 1e-6 * way, e + 1e-6 * way)]
        classes = [dict(row[1:3] for row in table)["class"] for table in said]
        ok(classes == ["SU", "SS", "SU", "SS"] and rows[1][4] == "SS", f"a long chain, {coupling}: one interval", f"{rows} {classes}")

    # x' = -x + k y, y' = -2 y + x by exact solvers: the system ends at k = 2, and every coupling that does not end before has an eigenvalue 1
    # there, too. (k - k0)^2 - d^2 as damping: both end at k0 - d and begin at k0 + d, 0.7351 and 1e-5 here.
    model = os.path.join(folder, "static.yaml")
    pathlib.Path(model).write_text("""system: network
parameters: {H: 0.1, k: 0.5}
subsystems:
  - {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: b, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u, gain: k}]
coupling: {scheme: jacobi, macro_step: H}
""")
    rows = csv(["limit", model, "--over", "k=-10:3", "-c", "all", "-q"])[1:]
    ok(len(rows) == len({row[0] for row in rows}) > 40 and {row[4] for row in rows} == {"SS"}, "one row a coupling at a common end", *rows[:9])
    pathlib.Path(model).write_text("""system: network
parameters: {H: 0.1, k: 0.5}
subsystems:
  - {name: o, A: [[0, 1], [-1, "-((k-0.7351)^2 - 1e-10)"]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}
coupling: {scheme: jacobi, macro_step: H}
""")
    rows = csv(["limit", model, "--over", "k=0:1", "-q"])[1:]
    ok([row[4] for row in rows] == ["SS", "SS"] and abs(float(rows[0][3]) - 0.73509) < 1e-9 and abs(float(rows[1][2]) - 0.73511) < 1e-9,
       "two ends 2e-5 apart that system and map share", *rows)

    # A loop of two lags by exact solvers is stable for gains from a lower limit to 1: bumps, kinks and jumps of the gain end at known values.
    pathlib.Path(model).write_text("""system: network
parameters: {p: 0.1, H: 0.5}
subsystems:
  - {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: b, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: b.y, to: a.u, gain: "GAIN"}, {from: a.y, to: b.u}]
coupling: {scheme: jacobi, macro_step: H}
""")
    text = pathlib.Path(model).read_text()
    log = math.log
    for gain, half in (("4*exp(-((p-0.37)/w)^2)-2", math.sqrt(log(4 / 3))), ("4/(1+((p-0.37)/w)^2)-2", math.sqrt(1 / 3)), ("4*max(0,1-abs((p-0.37)/w)/2)-2", 0.5),
                       ("2*(sign((p-0.37)/w+1)-sign((p-0.37)/w-1))-2", 1), ("4*(1-min(1,abs(rint((p-0.37)/w))))-2", 0.5),
                       ("2*(tanh(4*((p-0.37)/w+1))-tanh(4*((p-0.37)/w-1)))-2", None), ("4/cosh((p-0.37)/w)-2", math.acosh(4 / 3)),
                       ("4/(1+exp(-(p-0.37)/w*9-9))-4/(1+exp(-(p-0.37)/w*9+9))-2", None)):
        for width in (1e-2, 1e-4, 1e-6)[-1::-stride(3)]:
            pathlib.Path(model).write_text(text.replace("GAIN", gain.replace("w", repr(width))))
            rows = csv(["limit", model, "--over", "p=0:1", "-q"])[1:]
            ends = [float(rows[0][3]) - 0.37, float(rows[-1][2]) - 0.37] if len(rows) == 2 else []
            near = all(abs(abs(e) / width - (half or 1)) < (1e-6 if half else 0.2) for e in ends)
            ok(len(ends) == 2 and ends[0] < 0 < ends[1] and near, f"a bump {width:g} wide: {gain}", *rows)

    # Complex powers whose radius touches 1 at T_d = 2, 8/3 and 4: 1 - rho = 1.36 (T_d - 2)^2, so that rounding hides the limit on both
    # sides. It is said in a few pieces, not in hundreds that are decided by chance.
    rows = csv(["limit", "sweeps/skjong2019/models/example2.yaml", "--over", "T_d=1.4:4" if EFFORT > 1 else "T_d=1.99:2.01", "-c", "powers"])[1:]
    hidden = [(float(r[2]), float(r[3])) for r in rows if r[4] == "undecided"]
    ok(len(rows) <= 10 and hidden and all(min(abs(a - t) for t in (2, 8 / 3, 4)) < 1e-6 and b - a < 1e-6 for a, b in hidden), "a limit that is touched: few rows", rows)

    # A motor on a shaft, which turns freely, far beyond the steps of its own solver: numbers of 10^8 cancel in the loop of new values. The
    # system is stable at every step, and rounding is said in one piece, not in slivers by chance.
    model = os.path.join(folder, "shaft.yaml")
    pathlib.Path(model).write_text("""system: network
parameters: {H: 0.001}
subsystems:
  - {name: motor, states: [i, w, phi], f: [-200*i - 1000*w, 10*i - 20*tau, w], g: [w, phi], inputs: [tau], outputs: [w, phi], method: rk4, substeps: 10}
  - {name: shaft, g: [2000*(phi - th) + 5*(w - v)], inputs: [w, phi, v, th], outputs: [tau]}
  - {name: load, states: [v, s], f: [tau/20 - 0.03*v, v], g: [v, s], inputs: [tau], outputs: [v, th], method: rk4}
connections:
  - {from: motor.w, to: shaft.w}
  - {from: motor.phi, to: shaft.phi}
  - {from: load.v, to: shaft.v}
  - {from: load.th, to: shaft.th}
  - {from: shaft.tau, to: motor.tau}
  - {from: shaft.tau, to: load.tau}
coupling: {scheme: jacobi, macro_step: H}
""")
    names = ("newton-hermite-solved", "newton-hermite", "iterated-hermite-solved")[::stride(3)]
    rows = csv(["limit", model, "--over", "H=1e-5:1", "-c", ",".join(names), "-q"])[1:]
    classes = {dict(row[1:3] for row in csv(["map", model, "-c", name, "--set", f"H={H}", "-q"]))["class"] for name in names for H in (0.1, 0.53, 0.6, 0.7, 1)[::stride(2)]}
    ok({row[0] for row in rows} == set(names) and len(rows) <= 3 * len(names), "what rounding hides far beyond the limit is one piece", f"{len(rows)} rows", *rows[:9])
    ok({letters[0] for letters in classes} == {"S"}, "and the system is stable at every step", classes)
    # An eigenvalue of 1e14 and more that passes 0 beside another one: all points around are unstable, and little is left open.
    rows = csv(["limit", "sweeps/findings/models/drive.yaml", "--over", "H=2:5", "-c", "gauss-seidel,iterated-linear", "-q"])[1:]
    ok(0 < len(rows) <= 12 and {row[4] for row in rows} == {"undecided"} and sum(float(row[3]) - float(row[2]) for row in rows) < 1e-3,
       "far beyond the limit little is hidden by the largest eigenvalue", *rows)
    # The closing sentence has all stable intervals of a coupling. With x' = (k - 1)(k - 2)(k - 3) x alone the stable ones are k < 1 and 2 < k < 3;
    # from k = 1.5 on nothing is stable at first.
    model = os.path.join(folder, "cubic.yaml")
    pathlib.Path(model).write_text("""system: network
parameters: {H: 0.001, k: 0}
subsystems:
  - {name: a, A: [["(k - 1)*(k - 2)*(k - 3)"]], B: [[0]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: a.u}]
coupling: {scheme: jacobi, macro_step: H}
""")
    said = costab("limit", model, "--over", "k=0:10", "-f", "text").stdout
    ok(re.search(r"jacobi is stable for k from 0 to (1|0\.99999\d*), and again from 2(\.0000\d*)? to (3|2\.9999\d*)\. Margins there", said), "further stable intervals are in the sentence", said)
    said = costab("limit", model, "--over", "k=1.5:10", "-f", "text").stdout
    ok(re.search(r"Nothing was found stable at k = 1\.5; jacobi is stable from 2(\.0000\d*)? to (3|2\.9999\d*)\. What passes its limit", said), "so are later ones", said)
    said = costab("limit", model, "--over", "k=3.5:10", "-f", "text").stdout
    ok("Nothing was found stable for k from 3.5 to 10." in said, "nothing is stable", said)
    # 2e-7 around k = 2 hold one number of six digits: no further interval of the sentence, unless it is the only one.
    sliver = os.path.join(folder, "sliver.yaml")
    pathlib.Path(sliver).write_text(pathlib.Path(model).read_text().replace("(k - 1)*(k - 2)*(k - 3)", "(k - 1)*(1 - 2/(1 + 1e14*(k - 2)^2))"))
    said = costab("limit", sliver, "--over", "k=0:10", "-f", "text").stdout
    ok(len(said.splitlines()) == 5 and "jacobi is stable for k from 0 to 1. Margins there" in said, "a sliver is in the table, not in the sentence", said)
    said = costab("limit", sliver, "--over", "k=1.5:10", "-f", "text").stdout
    ok("Nothing was found stable at k = 1.5; jacobi is stable near 2. What passes its limit" in said, "a sliver alone", said)
    # Undecided intervals between which at most one number of six digits lies: text has one row for all, from the first to the last.
    motor = os.path.join(folder, "motor.yaml")
    pathlib.Path(motor).write_text("""system: network
parameters: {H: 1e-3}
subsystems:
  - {name: electric, A: [[-2250, 5e5], [-1, 0]], B: [[-16050], [-8]], C: [[0.1, 0]], inputs: [speed], outputs: [torque], method: rk4, substeps: 10}
  - {name: load, A: [[-50, 50, -2e5], [10, -10, 4e4], [1, -1, 0]], B: [[5000], [0], [0]], C: [[1, 0, 0]], inputs: [torque], outputs: [speed], method: rk4, substeps: 10}
connections: [{from: electric.torque, to: load.torque}, {from: load.speed, to: electric.speed}]
coupling: {scheme: jacobi, macro_step: H}
""")
    command = ("limit", motor, "--over", "H=1e-4:0.1", "-c", "newton-hermite", "-q")
    done = costab(*command, "-f", "text")
    ok("s of H is undecided, where the evaluations ended" in done.stderr, "what is undecided as the evaluations ended is not laid to rounding", done.stderr)
    lines = [line.split() for line in done.stdout.splitlines()]
    said = [(float(line[2]), float(line[3])) for line in lines if "undecided" in line]
    ok(0 < len(said) < 10 and all(before[1] < after[0] for before, after in zip(said, said[1:])), "undecided intervals are a few rows of text", said)
    if EFFORT > 1:
        rows = [(float(row[2]), float(row[3])) for row in csv(command)[1:] if row[4] == "undecided"]
        runs = []
        for low, high in rows:
            if runs and math.ceil(runs[-1][1] * 1e7) >= math.floor(low * 1e7):
                runs[-1] = runs[-1][0], high
            else:
                runs.append((low, high))
        ok(len(runs) < len(rows) / 4 and len(said) == len(runs) and all(0 <= low - left < 1.1e-7 and 0 <= right - high < 1.1e-7 for (low, high), (left, right) in zip(runs, said)),
           "undecided intervals a sliver apart are one row of text", f"{len(rows)} rows", runs, said)
    # One limit in one rounding: six digits, into the interval that it ends.
    drive, over = "sweeps/findings/models/drive.yaml", ("--over", "H=0.0005:0.5")
    end = float(csv(["limit", drive, *over, "-q"])[1][3])
    cut = f"{math.floor(end * 1e7) / 1e7:.7f}"
    for command in (["limit", drive, *over], ["advise", drive, *over, "-c", "jacobi"], ["advise", drive, *over, "-c", "jacobi,newton", "--all"]):
        said = costab(*command, "-f", "text")
        near = set(re.findall(r"\b0\.0158\d*", said.stdout + said.stderr))
        ok(near == {cut}, f"one rounding: {command[0]}", near, cut)
finish()
