#!/usr/bin/env python3
"""costab advise: against an exhaustive search over random models and over the error of a ring whose maps are known, which
couplings are compared, and what it says. Prints TAP."""
import csv
import json
import os
import pathlib
import re
import tempfile

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import advice
from tap import EFFORT, ROOT, costab, finish, ok, preload

DRIVE = ROOT / "tests/reference/models/drive.yaml"

rows, said = advice.rows_of(DRIVE, "--over", "H=1e-4:0.1", "--all")
names = [r["coupling"] for r in rows]
listed = re.findall("^  ([^ ]+)", costab("help", "couplings").stdout.split("with their keys in a model:")[1], re.M)
ordered = {n.replace("gauss-seidel", "gauss-seidel(load,motor)") for n in listed if n.startswith("gauss-seidel")}
plain = set(listed) | ordered
smoothed = {re.sub("(-solved)?$", r"-smoothed\1", n, count=1) for n in plain if re.match("jacobi|gauss", n) and "spectral" not in n}
folded = (plain | smoothed) - set(names)
maps = {}
for line in costab("map", DRIVE, "--matrix", "--coupling", ",".join('"%s"' % n if "," in n else n for n in plain | smoothed)).stdout.splitlines()[1:]:
    name, what, value = next(csv.reader([line]))
    if what.startswith("matrix") or what == "size":
        maps.setdefault(name, []).append([float(x) for x in value.split()])
same = [n for n in folded if any(len(maps[n]) == len(maps[k]) and all(abs(x - y) <= 1e-11 for r, q in zip(maps[n], maps[k]) for x, y in zip(r, q)) for k in names)]
ok(len(names) == len(set(names)) and set(names) <= plain | smoothed and len(same) == len(folded) and len(names) > 60,
   "all couplings, solved and smoothed too, and both orders; those with the map of another one stand once", set(names) - (plain | smoothed), folded - set(same))
jacobi = [r for r in rows if r["coupling"] == "jacobi"][0]
ok(abs(jacobi["max_stable_step"] - 0.015863937775692) < 1e-12 and abs(jacobi["margin"] - 1.5863937775692) < 1e-10
   and abs(jacobi["cost"] - 20 / jacobi["max_stable_step"]) < 1e-6, "the drive under jacobi", jacobi)
ok(said.startswith("Take " + rows[0]["coupling"] + " with H = ") and said.count("\n") == 1 and rows[0]["recommended"] == "yes",
   "one sentence recommends the first row", said)
first, _ = advice.rows_of(DRIVE, "--over", "H=1e-4:0.1")
ok([r["coupling"] for r in first[:10]] == names[:10] and [r for r in first if r["coupling"] == "jacobi"] == [jacobi], "without --all ten rows and the model's own coupling", first)
solved = costab("advise", DRIVE, "--over", "H=1e-4:0.01", "-f", "md", "-c", "jacobi-solved,jacobi").stdout
ok("Take jacobi with " in solved, "solved loops are less simple", solved)
shown = costab("advise", DRIVE, "--over", "H=1e-4:0.1", "-f", "md", "-c", "jacobi,newton-linear")
ok(shown.stdout.splitlines()[-1].startswith("Take newton-linear") and "Take" not in shown.stderr, "below the table in Markdown", shown)

# Two scalar equations x' = -d x + u in a ring of gain -k: under jacobi, one map of the two states.
RING = """
system: network
parameters: {k: 4, d: 0.5, H: 0.1}
subsystems:
  - {name: one, A: [[-d]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact, substeps: 1}
  - {name: two, A: [[-d]], B: [[-k]], C: [[1]], x0: [0.5], inputs: [u], outputs: [y], method: exact, substeps: 1}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {name: mine, scheme: iterated, iterations: 2, macro_step: H}
"""


# A mass that hangs on a spring, at rest at 0.01.
HANGING = """system: network
parameters: {k: 981, d: 2, H: 0.001}
subsystems:
  - {name: mass, states: [z, v], f: [v, '9.81 - F + 0.1*sin(v)'], g: [z, v], operating_point: {z: 0.01}, x0: [X0], inputs: [F], outputs: [z, v], method: rk4}
  - {name: spring, D: [[k, d]], inputs: [z, v], outputs: [F]}
connections: [{from: mass.z, to: spring.z}, {from: mass.v, to: spring.v}, {from: spring.F, to: mass.F}]
coupling: {scheme: jacobi, macro_step: H}
history: {until: 1}
axes: {H: [0.001, 0.002]}
fields: [error]
"""


PENDULUMS = """system: network
parameters: {H: 0.01}
subsystems:
  - {name: one, states: [z, v], f: [v, '2*(u - z) - sin(z) - v/10'], g: [z], x0: [1, 0], inputs: [u], outputs: [z], method: rk4}
  - {name: two, states: [z, v], f: [v, '2*(u - z) - sin(z) - v/10'], g: [z], x0: [-0.5, 0], inputs: [u], outputs: [z], method: rk4}
connections: [{from: two.z, to: one.u}, {from: one.z, to: two.u}]
coupling: {scheme: jacobi, macro_step: H}
"""


def pendulum_error(H, until):
    """The largest error of a state at macro steps of jacobi with rk4, beside SciPy's solution of the whole."""
    def slope(x, u):
        return np.array([x[1], x[3], 2 * (u[0] - x[0]) - np.sin(x[0]) - x[1] / 10, 2 * (u[1] - x[2]) - np.sin(x[2]) - x[3] / 10])[[0, 2, 1, 3]]

    count = int(until / H + 1e-9)
    true = solve_ivp(lambda t, x: slope(x, x[[2, 0]]), (0, count * H), [1, 0, -0.5, 0], method="DOP853", rtol=1e-11, atol=1e-11, t_eval=np.arange(count + 1) * H).y
    x, most = np.array([1, 0, -0.5, 0.0]), 0
    for n in range(count):
        u = x[[2, 0]]
        k1 = slope(x, u)
        k2 = slope(x + H / 2 * k1, u)
        k3 = slope(x + H / 2 * k2, u)
        x = x + H / 6 * (k1 + 2 * k2 + 2 * k3 + slope(x + H * k3, u))
        most = max(most, np.abs(x - true[:, n + 1]).max())
    return most


def error(H, until):
    """The largest difference at communication points from the solution, which turns with sqrt(k) and decays with d."""
    e, g, w = np.exp(-0.5 * H), (1 - np.exp(-0.5 * H)) / 0.5, 2
    M, x, most = np.array([[e, g], [-4 * g, e]]), np.array([1, 0.5]), 0
    for n in range(1, int(until / H + 1e-9) + 1):
        x, t = M @ x, n * H
        true = np.exp(-0.5 * t) * np.array([np.cos(w * t) + 0.5 / w * np.sin(w * t), 0.5 * np.cos(w * t) - w * np.sin(w * t)])
        most = max(most, np.abs(x - true).max())
    return most


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "ring.yaml"
    path.write_text(RING)
    rows, said = advice.rows_of(path, "--over", "H=0.01:1", "--error", "0.1", "--until", "3", "-c", "jacobi,mine,newton", "--all")
    row = {r["coupling"]: r for r in rows}
    steps = np.geomspace(0.01, 1, 100)
    past = np.argmax([error(H, 3) > 0.1 for H in steps])
    low, high = steps[past - 1], steps[past]
    for _ in range(40):
        low, high = ((low + high) / 2, high) if error((low + high) / 2, 3) <= 0.1 else (low, (low + high) / 2)
    found = row["jacobi"]["max_accurate_step"]
    ok(low / 1.001 <= found <= low * (1 + 1e-9) and abs(row["jacobi"]["cost"] - 2 / found) < 1e-6,
       "max_accurate_step is the first macro step at which the error is passed, to 0.1 %", row["jacobi"], low)
    ok(set(r["recommended"] for r in rows[1:]) == {"no"} and "its error stays within 0.1" in said, "the sentence names the error", said)
    # An output that a connection carries counts like a state: y = 5 (x1 - x2), the difference of two states that are nearly equal.
    A, B, C, K = np.diag([-1, -1.2]), np.array([1, -1]), np.array([5, -5]), -0.5
    tight = pathlib.Path(folder) / "tight.yaml"
    tight.write_text("system: network\nparameters: {H: 0.01}\nsubsystems:\n  - {name: one, A: [[-1, 0], [0, -1.2]], B: [[1], [-1]], C: [[5, -5]], x0: [10, 10], inputs: [u], outputs: [y], method: exact}\n"
                     "  - {name: two, A: [[-1]], B: [[1]], C: [[-0.5]], x0: [0], inputs: [y], outputs: [u], method: exact}\n"
                     "connections: [{from: one.y, to: two.y}, {from: two.u, to: one.u}]\ncoupling: {scheme: jacobi, macro_step: H}\n")

    def worst(H, outputs, until=4):
        """The largest share of what 1 % allows, at communication points."""
        Z = expm(np.block([[A, B[:, None]], [np.zeros((1, 3))]]) * H)
        whole = expm(np.block([[A, K * B[:, None]], [C[None, :], -np.eye(1)]]) * H)
        x, true, e = np.array([10.0, 10, 0]), np.array([10.0, 10, 0]), np.exp(-H)
        rows_, trues = [], []
        for _ in range(int(until / H + 1e-9)):
            x = np.append(Z[:2, :2] @ x[:2] + Z[:2, 2] * K * x[2], e * x[2] + (1 - e) * (C @ x[:2]))
            true = whole @ true
            rows_.append([*x, C @ x[:2], K * x[2]]), trues.append([*true, C @ true[:2], K * true[2]])
        fine = expm(np.block([[A, K * B[:, None]], [C[None, :], -np.eye(1)]]) * 1e-3)
        largest, true = np.array([10, 10, 0, 0, 0.0]), np.array([10.0, 10, 0])
        for _ in range(round(until / 1e-3)):
            true = fine @ true
            largest = np.maximum(largest, np.abs([*true, C @ true[:2], K * true[2]]))
        shares = np.abs(np.array(rows_) - trues).max(axis=0) / (0.01 * largest)
        return shares.max() if outputs else shares[:3].max()

    rows, _ = advice.rows_of(tight, "--over", "H=0.0001:0.5", "--error", "1%", "--until", "4", "-c", "jacobi")
    found = rows[0]["max_accurate_step"]
    ok(worst(found, True) <= 1.005 < worst(found * 1.02, True) and worst(found * 1.02, False) < 0.97, "an output that a connection carries counts, too", found, worst(found, True), worst(found, False))
    for asked, until in ((["10%"], 3), (["one.x1=0.1"], 3), (["one.y=0.1", "two.x1=10%"], 3)):
        rows, said = advice.rows_of(path, "--over", "H=0.01:1", *(x for e in asked for x in ("--error", e)), "--until", str(until), "-c", "jacobi")
        history = list(csv.DictReader(costab("simulate", path, "--until", str(until), "--set", "H=%r" % rows[0]["max_accurate_step"], "-c", "jacobi").stdout.splitlines()))
        at = {}
        for r in history:
            if r["signal"] in ("x1", "y"):
                at.setdefault(r["subsystem"] + "." + r["signal"], []).append((float(r["value"]), float(r["monolithic"])))
        fine = []
        for e in asked:
            for signal in ([e.split("=")[0]] if "=" in e else ["one.x1", "two.x1"]):
                most, e_max = max(abs(m) for _, m in at[signal]), max(abs(v - m) for v, m in at[signal])
                fine.append(e_max / (0.1 * most if "%" in e else 0.1))
        ok(0.97 < max(fine) <= 1.02, "errors " + " and ".join(asked) + " are just kept", fine, rows)
    ok(abs(row["mine"]["cost"] * row["mine"]["max_accurate_step"] - 4) < 1e-9 and abs(row["newton"]["cost"] * row["newton"]["max_accurate_step"] - 4) < 1e-9,
       "two sweeps cost twice a step, newton too", rows)
    # Two pendulums on a spring, whose errors grow with time: a tenth of the time tells nothing of what is kept over all of it.
    pendulums = pathlib.Path(folder) / "pendulums.yaml"
    pendulums.write_text(PENDULUMS)
    asked = ("--over", "H=0.01:0.5", "--error", "0.1", "--until", "5")
    rows, said = advice.rows_of(pendulums, *asked)
    every, _ = advice.rows_of(pendulums, *asked, "--all")
    costs = [r["cost"] for r in every if r["cost"] is not None]
    row = {r["coupling"]: r for r in every}
    dropped = [r for r in rows if r["cost"] is None]
    ok(rows[0]["coupling"] == every[0]["coupling"] and rows[0]["cost"] <= 1.05 * min(costs), "what is dropped for its errors could not win", rows[0], every[0])
    ok(dropped and all(r["limited_by"] in ("accuracy", "coupling") and (r["max_stable_step"], r["margin"]) == tuple(row[r["coupling"]][key] for key in ("max_stable_step", "margin")) for r in dropped),
       "what is dropped has its limit where it is shown", rows)
    own = [r for r in rows if r["coupling"] == "jacobi"]
    ok(len(own) == 1 and own[0]["cost"] is not None and own[0] == row["jacobi"], "the model's own coupling has all its numbers, though it cannot win", own, row["jacobi"])
    one, _ = advice.rows_of(pendulums, *asked[:-1], "20", "-c", "jacobi")
    H = one[0]["max_accurate_step"]
    ok(pendulum_error(H, 20) <= 0.1 < pendulum_error(1.002 * H, 20) and pendulum_error(1.002 * H, 2) <= 0.1,
       "the error of equations counts over the whole time", H, pendulum_error(H, 20), pendulum_error(1.002 * H, 20), pendulum_error(1.002 * H, 2))
    undamped = pathlib.Path(folder) / "undamped.yaml"
    undamped.write_text(PENDULUMS.replace(" - v/10", " + v/100"))
    none, said = advice.rows_of(undamped, *asked)
    ok(none[0]["recommended"] == "no" and said.startswith("None of the "), "what keeps the errors and is not stable is not recommended", none[0], said)
    fast = {**os.environ, "LD_PRELOAD": preload("clock"), "COSTAB_CLOCK_RATE": "1000"}
    done = costab("advise", pendulums, *asked, env=fast)
    ok(re.search(r"^costab advise: best so far: \S+ with H = [0-9.e-]+, [0-9.e+]+ subsystem steps per simulated second$", done.stderr, re.M) and "best so far" not in done.stdout.lower(),
       "the best so far is printed on stderr", done)
    for arguments, what in ((["--over", "k=1:2"], "not the macro step"), (["--over", "H=1:0.1"], "LO < HI"), (["--over", "H=0:1"], "not positive"),
                            ([], "--over is missing"), (["--over", "H=0.1:1", "--error", "1"], "--error requires --until"), (["--over", "H=0.1:1", "--until", "1"], "--until requires --error")):
        done = costab("advise", path, *arguments)
        ok(done.returncode == 2 and what in done.stderr and done.stdout == "", what, done)
    done = costab("advise", path, "--over", "H=0.01:1", "-f", "json", "-c", "jacobi,newton", "-q")
    made = json.loads(done.stdout)
    ok(set(made) == {"rows", "today", "says"} and made["says"].startswith("Take ") and all(r["intervals"][0]["lower"] == 0.01 and
       set(r["intervals"][0]) == {"lower", "upper", "class", "lower_kind", "upper_kind"} for r in made["rows"]), "JSON is {rows, today, says} with intervals", done)
    for over, cost in (("", None), ("iterations: 2,", 2)):
        own = pathlib.Path(folder) / "own.yaml"
        own.write_text(re.sub(r"\ncoupling.*", "\n", RING, flags=re.S) + f"coupling: [{{name: first, scheme: {'iterated' if cost else 'jacobi'}, {over} macro_step: H}}, {{name: other, scheme: gauss-seidel, macro_step: H}}]\n")
        now = json.loads(costab("advise", own, "--over", "H=0.01:1", "-f", "json", "-c", "other", "-q", "--set", "H=0.05").stdout)["today"]
        ok(now["coupling"] == "first" and now["macro_step"] == 0.05 and now["class"] == json.loads(costab("map", own, "-f", "json", "--set", "H=0.05").stdout)[0]["class"] and
           abs(now["cost"] - (cost or 1) * 2 / 0.05) < 1e-9, "today: the model's first coupling and macro step, and what they cost", now)
    for arguments, what in ((["--error", "x", "--until", "3"], "positive number"), (["--error", "one.zz=1", "--until", "3"], "not a state or output"),
                            (["--error", "1%", "--error", "-2%", "--until", "3"], "positive number"), (["--time", "0"], "--time")):
        done = costab("advise", path, "--over", "H=0.01:1", *arguments)
        ok(done.returncode == 2 and what in done.stderr and done.stdout == "", what, done)
    still = pathlib.Path(folder) / "still.yaml"
    still.write_text(re.sub(r"x0: \[[0-9.]*\], ", "", RING))
    for arguments in (["advise", still, "--over", "H=0.01:1", "--error", "0.1", "--until", "3"], ["simulate", still, "--until", "3"]):
        done = costab(*arguments)
        ok(done.returncode == 2 and "nothing moves" in done.stderr and "x0" in done.stderr and done.stdout == "", "nothing moves", done)
    hanging = pathlib.Path(folder) / "hanging.yaml"
    for x0, rests in (("0.01, 0", True), ("0.011, 0", False)):
        hanging.write_text(HANGING.replace("X0", x0))
        for arguments in (["advise", hanging, "--over", "H=0.001:0.01", "--error", "0.1", "--until", "1", "-c", "jacobi,gauss-seidel"], ["simulate", hanging, "--until", "1"],
                          ["sweep", hanging, "-o", hanging.with_suffix(".h5"), "--force"]):
            done = costab(*arguments)
            ok((done.returncode == 2 and "nothing moves" in done.stderr and "equilibrium" in done.stderr) if rests else done.returncode == 0,
               f"{arguments[0]} from {x0}: equations at an equilibrium {'are refused' if rests else 'are not what this is'}", done)
    lagging = pathlib.Path(folder) / "lagging.yaml"
    lagging.write_text(RING.replace("k: 4", "k: 1e-4").replace("method: exact", "method: euler"))
    rows, said = advice.rows_of(lagging, "--over", "H=0.01:100", "-c", "gauss-seidel")
    ok(rows[0]["limited_by"] == "own:one" and re.search(r"one's own solver, euler with 1 micro step, ends at H = 4 s: more micro steps lift this \(tried: 2 times", said)
       and abs(rows[0]["max_stable_step"] - 4) < 0.4, "a subsystem's own solver limits it, and what more micro steps give", rows, said)
    rows, said = advice.rows_of(DRIVE, "--over", "H=1e-6:0.1", "--error", "1e-9", "--until", "20", "--time", "0.5")
    ok(said.splitlines()[-1].startswith(("Best so far", "None of the ")) and len(rows) >= 8, "--time says what there is", said)
    last = said.splitlines()[-1]
    ok(last.startswith("Best so far") or (" are stable at H = 1e-06 s: give it more time, or fewer couplings." in last and "accurate enough so far" in last),
       "where none is found it says how many are stable, and what to do", last)
    undefined = pathlib.Path(folder) / "undefined.yaml"
    undefined.write_text(RING.replace("A: [[-d]], B: [[1]]", "A: [[-d + 0*log(H - 0.1)]], B: [[1]]"))
    rows, said = advice.rows_of(undefined, "--over", "H=0.11:0.3", "-c", "jacobi")
    ok(rows[0]["max_stable_step"] and rows[0]["margin"] is None and rows[0]["growth"] is None,
       "no margin and no growth if the model is undefined at its own macro step", rows, said)
    rows, said = advice.rows_of(path, "--over", "H=5:6", "-c", "jacobi")
    ok(rows[0]["recommended"] == "no" and said.startswith("No coupling is stable"), "nothing is recommended that is not stable", rows, said)
    asked = DRIVE, "--over", "H=0.001:0.5", "-c", "newton-hermite"
    for errors, alone in ((("1e-2", "1e-3"), "1e-3"), (("1e-3", "10%"), "1e-3"), (("motor.angle=1e-2", "motor.angle=1e-3"), "motor.angle=1e-3")):
        several, one = (advice.rows_of(*asked, "--until", "2", *(word for e in given for word in ("--error", e))) for given in (errors, (alone,)))
        ok(several[0] == one[0] and one[0][0]["max_accurate_step"], f"of the errors {errors} the smallest counts", several, one)
    rows, said = advice.rows_of(*asked, "--until", "0.05", "--error", "100")
    ok(rows[0]["limited_by"] == "range" and rows[0]["max_accurate_step"] == 0.05, "the end of the run limits the step", rows, said)
    relaxed = pathlib.Path(folder) / "relaxed.yaml"
    relaxed.write_text(DRIVE.read_text().split("coupling:")[0] + "coupling: {name: relaxed, scheme: iterated, relaxation: 0.3, interpolation: linear, macro_step: H}\n")
    rows, said = advice.rows_of(relaxed, "--over", "H=0.001:0.01", "-c", "relaxed,iterated-linear")
    ok([row["coupling"] for row in rows] == ["iterated-linear", "relaxed"], "a relaxed coupling takes other sweeps than one without", rows, said)
    if EFFORT > 1:
        wrong = advice.hold(folder, "structure", 300, 150)
        ok(not wrong, "a random model against an exhaustive search", "\n".join(wrong))
finish()
