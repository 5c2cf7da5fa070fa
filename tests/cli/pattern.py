#!/usr/bin/env python3
"""costab pattern: bounds over all sequences of steps, against products of macro steps in NumPy that remember what arrived when,
and against values of another program. Prints TAP."""
import itertools
import pathlib
import tempfile

import h5py
import numpy as np
from scipy.optimize import brentq

import sequences
from sequences import DRIVE, FS, LIM2, Player, told, written
from tap import costab, csv_rows, EFFORT, finish, meanings, ok, refused, stride

# Two lags, each of which drives the other.
PAIR = {"parts": [([[-1]], [[2]], [[1]], [[0]]), ([[-2]], [[2]], [[-1]], [[0]])], "links": [(0, 0, 1, 0), (1, 0, 0, 0)]}


def test_lists(folder):
    for model, coupling, steps, more in (
            (LIM2, "jacobi", (0.02, 0.27), {}), (FS, "jacobi", (0.01, 0.4), {}),
            (LIM2, "jacobi-linear", (0.004, 0.02), {"delays": ((0, 2),)}), (FS, "jacobi-linear", (0.02, 0.15), {}),
            (DRIVE, "gauss-seidel-linear", (0.01, 0.07), {}), (LIM2, "jacobi-quadratic", (0.02, 0.06), {}),
            (PAIR, "jacobi", (0.1, 0.4), {"seconds": ((0, 0.2),)}))[::-stride(7)]:
        sequences.hold_list(folder, model, coupling, steps, letters=5, **more)


def test_reference(folder):
    """To the digits printed by the other program."""
    lim2 = written(folder, LIM2)
    ok(abs(Player(LIM2, "jacobi").radius([0.27] * 3 + [0.02]) - 1.0802268255167937) < 1e-12, "the player is right")
    found = told(lim2, "--steps", 0.275724108450)
    ok(abs(found["lower"] - 1) < 1e-9, "LIM: constant steps up to 0.275724108450", found)
    pair = told(lim2, "--steps", "0.02,0.27")
    ok(pair["lower"] >= 1.080226826, "LIM: 0.02 once, 0.27 three times")
    ok(told(lim2, "--over", "H=0.02,0.27") == told(lim2, "--over", "H=0.02:0.27:2") == pair, "points of --over are the steps")
    for steps in ("0.16505935,0.24436480", "0.20591076,0.2757", "0.022808,0.229451")[::stride(3)]:
        ok(told(lim2, "--steps", steps)["lower"] >= 1 - 1e-6, f"LIM: {steps} is not stable")
    player = Player(LIM2, "jacobi")
    # The least ratio of two steps at which three of the one and five of the other grow, the longer one given.
    first = 0.2757 / brentq(lambda H: player.radius([H] * 3 + [0.2757] * 5) - 1, 0.2057, 0.2061, xtol=1e-15)
    ok(abs(first - 1.338929555) < 1e-9 and abs(0.2757 / first - 0.20591076) < 5e-9, "LIM: H2/H1 = 1.338929555 at 0.2757", first)
    ok(told(lim2, "--steps", f"{0.2757 / first!r},0.2757")["lower"] > 1, "LIM: the program finds a cycle there, too")
    found = told(lim2, "--steps", f"0.16505935,{0.16505935 * 1.48045!r}")
    ok(found["lower"] > 1 and player.radius([0.16505935, 0.16505935, 0.2443648]) > 1, "LIM: unstable at H2/H1 = 1.48045", found)
    if EFFORT > 1:
        sequences.hold_ratio(lim2, 0.275, 1.0037)
        found = told(written(folder, FS), "--steps", "0.01,0.4")
        ok(abs(found["lower"] - 1.790522335) < 1e-9 and found["pattern"] == [0.01, 0.4], "force and displacement", found)
    drive = written(folder, DRIVE, "rk4", 10)
    found = told(drive, "--coupling", "jacobi-linear", "--steps", "0.001,0.025")
    ok(abs(found["lower"] - 1.445314986) < 1e-9, "README's drive, extrapolated: 0.001 and 0.025 in turn", found)
    if EFFORT > 1:
        ok(told(drive, "--coupling", "jacobi-extrapolated", "--steps", "0.001,0.025") == found, "the older name of jacobi-linear is taken for it")
    printed = costab("limit", str(drive), "--over", "H=0.0005:0.1", "--coupling", "gauss-seidel-extrapolated-solved,jacobi-extrapolated").stdout
    ok([line.split(",")[0] for line in printed.splitlines()[1:]] == ["gauss-seidel-linear-solved", "jacobi-linear"], "and printed as that", printed)
    pathlib.Path(folder, "named.yaml").write_text("""system: network
subsystems:
  - {name: a-extrapolated, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}
  - {name: b, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}
connections: [{from: a-extrapolated.y, to: b.u}, {from: b.y, to: a-extrapolated.u, gain: -1}]
coupling: {macro_step: 0.1}
""")
    printed = costab("map", f"{folder}/named.yaml", "--coupling", "gauss-seidel(b,a-extrapolated)-extrapolated", "--format", "json").stdout
    ok('"gauss-seidel(b,a-extrapolated)-linear"' in printed, "the names of subsystems in an order stay as they are", printed)
    player = Player(DRIVE, "jacobi-linear", rk4=10)
    ok(abs(player.radius([0.001, 0.025]) - 1.4453149859278378) < 1e-12, "the player is right with rk4")
    first = brentq(lambda ratio: player.radius([0.025 / ratio, 0.025]) - 1, 11, 12, xtol=1e-14)
    ok(abs(first - 11.540907620) < 1e-8, "the same, in turn unstable from the ratio 11.540907620 on", first)
    if EFFORT > 1:
        edge = told(drive, "--coupling", "jacobi-linear", "--steps", f"{0.025 / 11.540907620},0.025")
        ok(edge["lower"] > 1.1, "longer cycles of these two grow before", edge)
    for coupling, last in (("jacobi", 0.015864), ("jacobi-linear", 0.025165)):
        for step, stable in ((last - 5e-7, True), (last + 5e-7, False)):
            found = told(drive, "--coupling", coupling, "--steps", step)
            ok((found["lower"] < 1) == stable, f"README's drive, {coupling}, constant steps {step:.7f}", found)


def test_ranges(folder):
    found, player = told(written(folder, PAIR), "--over", "H=0.1:2"), Player(PAIR, "jacobi")
    limit = brentq(lambda H: player.radius([H]) - 1, 0.1, 2)
    ok(abs(found["lower"] - player.radius([2])) < 1e-9 and found["lower"] <= found["upper"] < found["lower"] + 1e-4 and found["proved"] == "yes" and
       0.99 * limit < found["safe_to"] < limit, "two lags: the longest step grows most, and the safe range ends at the limit of constant steps", found, limit)
    equal = {"parts": [PAIR["parts"][0], ([[-1]], [[2]], [[-1]], [[0]])], "links": PAIR["links"]}
    found, player = told(written(folder, equal), "--over", "H=0.2:1", "--coupling", "gauss-seidel"), Player(equal, "gauss-seidel")
    worst = max(player.radius(w) for k in range(1, 6) for w in itertools.product((0.2, 0.6, 1), repeat=k))
    ok(max(player.radius([H]) for H in np.linspace(0.2, 1, 50)) < 1 < worst <= found["lower"] + 1e-9 and found["lower"] <= found["upper"] < 1.01 * worst and
       abs(player.radius(found["pattern"]) - found["lower"]) < 1e-9 and 0.2 < found["safe_to"] < 1, "two equal lags: each step is stable, but not in turn", found, worst)
    if EFFORT > 1:
        found, player = told(written(folder, LIM2), "--over", "H=0.01:0.275"), Player(LIM2, "jacobi")
        ok(abs(found["lower"] - 1.143718486) < 1e-9 and found["lower"] <= found["upper"] <= 1.1705 and found["proved"] == "yes",
           "LIM, 0.01 to 0.275: the growth per step is in [1.143718486, 1.1705]", found)
        ok(abs(found["rate_lower"] - 0.673316440) < 1e-9 and found["rate_upper"] <= 0.702822,
           "per second in [0.673316440, 0.702822]", found)
        ok(found["safe_from"] == 0.01 and 0.01 < found["safe_to"] < 0.275, "the safe range ends before", found)
        ok(abs(player.radius(found["pattern"]) - found["lower"]) < 1e-9, "the pattern attains it", found)
        found = told(written(folder, DRIVE, "rk4", 10), "--over", "H=0.0005:0.015")
        ok(found["safe_from"] == 0.0005 and found["safe_to"] == 0.015 and found["proved"] == "no" and found["upper"] < 1,
           "README's drive: 0.0005 to 0.015 by a common norm, not proved", found)
        found = told(written(folder, DRIVE), "--over", "H=0.012:0.03")
        ok(found["lower"] > 1 and found["safe_from"] == 0.012 and found["safe_to"] < 0.0159, "beyond the limit: the range ends before", found)


def test_memory(folder):
    """A range where maps depend on the step before: what is called safe has no cycle that grows, and the pattern attains."""
    for model, first, last, least in ((LIM2, 0.02, 0.06, 0.025), (PAIR, 0.2, 0.35, 0.25))[::-stride(2)]:
        player = Player(model, "jacobi-quadratic")
        found = told(written(folder, model), "--over", f"H={first}:{last}", "--coupling", "jacobi-quadratic")
        ok(abs(player.radius(found["pattern"]) - found["lower"]) < 1e-9 and found["lower"] <= found["upper"] and
           found["proved"] == "no", f"quadratic from {first} to {last}: the pattern attains the lower bound", found)
        steps = np.linspace(found["safe_from"], found["safe_to"], 4)
        worst = max(player.radius(w) for k in range(1, 4) for w in itertools.product(steps, repeat=k))
        ok(found["safe_from"] == first and least < found["safe_to"] < last and worst < 1, "no cycle of three of four safe steps grows", worst, found)


def test_refused(folder):
    path = written(folder, LIM2)
    for arguments, say in ((("--steps", "0.1", "--over", "H=0.1:0.2"), "either"), ((), "either"),
                           (("--steps", "0.1,-1"), "not positive"), (("--over", "H=0.2:0.1"), "LO < HI"),
                           (("--over", "nobody=0.1:0.2"), "nobody"),
                           (("--steps", "0.1,0.2", "--coupling", "nobody"), "unknown coupling")):
        refused(f"refused: {' '.join(arguments)}", say, "pattern", path, *arguments, lines=1)
    done = costab("pattern", written(folder, LIM2, seconds=((0, 0.05),)), "--over", "H=0.01:0.1")
    ok(done.returncode == 2 and "list the steps" in done.stderr, "refused: a delay in seconds over a range", done.stderr)
    text = path.read_text().replace("parameters: {H: 0.01}", "parameters: {H: 0.01, k: 0.02}")
    path.write_text(text)
    refused("refused: another parameter", "is not this parameter", "pattern", path, "--over", "k=0.1:0.2")


def test_field(folder):
    """pattern_radius over H1 and H2 is the upper bound of the pair: never below what a cycle of the two attains."""
    path = written(folder, LIM2)
    text = path.read_text().replace("parameters: {H: 0.01}", "parameters: {H1: 0.01, H2: 0.01}").replace("macro_step: H}", "macro_step: H1}")
    chart = pathlib.Path(folder, "pairs.yaml")
    chart.write_text(text + "axes: {H1: [0.02, 0.15, 0.27], H2: [0.02, 0.2]}\nfields: [pattern_radius]\n"
                     "figure: {kind: contour, of: pattern_radius}\n")
    done = costab("sweep", chart, "-o", chart.with_suffix(".h5"), "-q")
    ok(done.returncode == 0 and done.stderr == "", "a sweep of pattern_radius", done.stderr)
    with h5py.File(chart.with_suffix(".h5")) as file:
        field, H1, H2 = file["pattern_radius"][0], file["H1"][:], file["H2"][:]
    player = Player(LIM2, "jacobi")
    for i, a in enumerate(H1):
        for j, b in enumerate(H2):
            best = max(player.radius(w) for k in range(1, 5) for w in itertools.product((a, b), repeat=k))
            ok(best * (1 - 1e-9) <= field[i, j] <= best * 1.03, f"the pair {a}, {b}", best, field[i, j])
    done = costab("plot", chart.with_suffix(".h5"), "-o", folder)
    ok(done.returncode == 0 and chart.with_suffix(".gp").exists(), "drawn", done.stderr)
    chart.write_text(chart.read_text().replace("H2", "K2"))
    refused("a model without H2 is refused", "the parameters H1 and H2", "sweep", chart, "-o", chart.with_suffix(".h5"), "--force")


def test_file(folder):
    """-o keeps what the table says, and plot draws it."""
    path, results = pathlib.Path(folder, "own.yaml"), pathlib.Path(folder, "sequences.h5")
    couplings = ["held", "line", "power"]
    path.write_text(written(folder, PAIR).read_text().replace("coupling: {scheme: jacobi, macro_step: H}", """coupling:
  - {name: held, scheme: jacobi, macro_step: H}
  - {name: line, scheme: gauss-seidel, interpolation: linear, macro_step: H}
  - {name: power, scheme: jacobi, micro_steps: real-power, macro_step: H}"""))
    asked = ("--over", "H=0.05:0.0501")
    printed = costab("pattern", path, *asked)
    ok("power: left out" in printed.stderr and printed.returncode == 0, "couplings that cannot be are named and left out", printed)
    rows = csv_rows(printed)
    table = {(r["coupling"], r["name"]): r["value"] for r in rows}
    done = costab("pattern", path, *asked, "-o", results)
    with h5py.File(results) as file:
        names = [name.decode() for name in file["coupling"][:]]
        same = all(float(table[c, name]) == file[name][i] for i, c in enumerate(couplings[:2])
                   for name in ("lower", "upper", "rate_lower", "rate_upper", "safe_from", "safe_to"))
        for i, c in enumerate(couplings[:2]):
            steps = [float(step) for step in table[c, "pattern"].split()]
            same &= list(file["pattern"][i][:len(steps)]) == steps and np.isnan(file["pattern"][i][len(steps):]).all()
            same &= ("no", "yes")[file["proved"][i]] == table[c, "proved"] and (file["from"][i], file["to"][i]) == (0.05, 0.0501)
        empty = np.isnan(file["lower"][2]) and np.isnan(file["pattern"][2]).all() and meanings(file["proved"])[file["proved"][2]] == "not_computed"
    ok(done.returncode == 0 and done.stdout == "" and names == couplings and same and empty, "-o: the table as a results file",
       done.stderr, table)
    done = costab("plot", results, "-o", folder, "--script-only")
    drawn = results.with_suffix(".gp").read_text()
    ok(done.returncode == 0 and "power: left out" in drawn and f"{float(table['held', 'lower']):.5f}" in drawn,
       "plot draws it, a panel for each coupling", done)
    refused("not as another kind", "costab margin -o", "plot", results, "-o", folder, "--kind", "tornado")


def test_neutral(folder):
    """A free body: what all steps share is set aside, what remains decays."""
    free = {"parts": [([[0, 1], [0, -1]], [[0], [1]], [[0, 1]], [[0]]), ([[-2]], [[1]], [[-1]], [[0]])],
            "links": [(0, 0, 1, 0), (1, 0, 0, 0)]}
    path = written(folder, free)
    for coupling in ("jacobi", "jacobi-linear"):
        done = costab("pattern", path, "--steps", "0.1,0.4", "--coupling", coupling)
        values = {r["name"]: r["value"] for r in csv_rows(done)}
        ok(float(values["upper"]) < 1 and "1 neutral direction" in done.stderr, f"{coupling}: a free body", values, done.stderr)


with tempfile.TemporaryDirectory() as workplace:
    for test in (test_lists, test_reference, test_ranges, test_memory, test_refused, test_neutral, test_file, test_field):
        test(workplace)
finish()
