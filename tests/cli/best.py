#!/usr/bin/env python3
"""The best coupling at each point: random charts beside what `limit`, `map` and `advise` say of every point, and what is refused.

One random chart is compared, and 10 with EFFORT=10."""
import math
import os
import pathlib
import random
import re
import tempfile

from table import swept, table
import scripts
from tap import ROOT, costab, effort, finish, note, ok, seed, stride

# Name, scheme, sweeps, degree.
COUPLINGS = (("held", "scheme: jacobi", 1, 0), ("line", "scheme: jacobi, extrapolation: linear", 1, 1),
             ("parabola", "scheme: jacobi, extrapolation: quadratic", 1, 2), ("turns", "scheme: gauss-seidel", 1, 0),
             ("turned", "scheme: gauss-seidel, extrapolation: linear", 1, 1), ("twice", "scheme: iterated, iterations: 2", 2, 0),
             ("thrice", "scheme: iterated, iterations: 3", 3, 0))
DRIVE = (ROOT / "sweeps/findings/models/drive.yaml").read_text().split("coupling:")[0]
LOWER, UPPER = 0.0005, 0.5


def spec(axes, rest, couplings=COUPLINGS, model=DRIVE):
    """The text of a chart."""
    listed = "".join(f"  - {{name: {name}, {scheme}, macro_step: H}}\n" for name, scheme, _, _ in couplings)
    return f"{model}coupling:\n{listed}axes: {axes}\nbest: {{over: H, range: [{LOWER}, {UPPER}]}}\n{rest}\n"


def test_nine_models(_):
    """The table of finding 12 is what `advise` says of its models."""
    names = "jacobi,jacobi-linear,jacobi-quadratic,jacobi-linear-smoothed,jacobi-spectral,gauss-seidel,gauss-seidel-linear,iterated-linear"
    found = re.findall(r"^\| (\S+/models/\S+) \| (\S*) *\| (\S+) \| (.+) \| (\S+) \| (\S+) \| (\S+) \| (\d+) % \|$", (ROOT / "sweeps/findings/best.md").read_text(), re.M)
    wrong = []
    tried = found[-1::-stride(4)]
    for model, options, until, furthest, to, cheapest, step, share in tried:
        rows = table("advise", ROOT / "sweeps" / f"{model}.yaml", "--over", "H=1e-4:10", "--error", "0.01", "--until", until, "--coupling", names,
                     *(["--set", options] if options else []), "-q")
        said = {row["coupling"]: row for row in rows if row["coupling"] in names.split(",")}
        stable = {name: float(row["max_stable_step"] or 0) for name, row in said.items()}
        most = max(stable.values())
        least = next(row for row in said.values() if row["recommended"] == "yes")
        right = {name for name, end in stable.items() if end > most * (1 - 1e-9)} == set(furthest.split(", ")) and f"{most:.4g}" == ("10" if to == "all" else to) and \
            least["coupling"] == cheapest and cheapest not in furthest and math.isclose(float(least["max_accurate_step"]), float(step), rel_tol=5e-3) and \
            round(100 * float(least["max_accurate_step"]) / stable[cheapest]) == int(share)
        wrong += [] if right else [(model, stable, least)]
    ok(len(found) == 9 and not wrong, f"finding 12 has what advise says of {len(tried)} of its nine models", len(found), wrong)


def max_stable_step(pieces):
    """The end of what is stable from the range's begin on; 0: nothing; None: undecided."""
    end = LOWER
    for piece in pieces:
        if piece["class"] == "undecided" and float(piece["lower"]) <= end:
            return None
        if piece["class"][1] != "S" or float(piece["lower"]) > end:
            break
        end = float(piece["upper"])
    return end if end > LOWER else 0


def expected(steps, size):
    """Who is the best, and who ties with it."""
    longest = max(steps.values())
    best = None
    for name, _, sweeps, degree in COUPLINGS:
        if steps[name] * 1.05 < longest or longest == 0:
            continue
        rank = (sweeps, size[name], degree)
        if best is None or rank < best[0] or (rank == best[0] and steps[name] > steps[best[1]] * 1.01):
            best = (rank, name)
    return {name: "none" if step == 0 else "best" if name == best[1] else
            "tie" if abs(step - steps[best[1]]) <= 0.01 * steps[best[1]] else "other" for name, step in steps.items()}


def test_charts(folder):
    draw = random.Random(seed(31))
    points = differ = undecided = 0
    far = 0.0
    for _ in range(effort(1)):
        values = {name: round(math.exp(draw.uniform(math.log(least), math.log(most))), 4) for name, least, most in
                  (("J1", 0.02, 1), ("J2", 0.05, 2), ("k", 2, 500), ("d", 0.01, 5), ("kp", 2, 200), ("kd", 0.1, 10))}
        model = DRIVE
        for name, value in values.items():
            model = model.replace(f"{name}: ", f"{name}: {value}, {name}_: ", 1)
        one, other = draw.sample(sorted(values), 2)
        axes = "{" + ", ".join(f"{name}: {{from: {values[name] / 3}, to: {values[name] * 3}, points: 3}}" for name in (one, other)) + "}"
        found = swept(folder, spec(axes, "fields: [best, best_step]", model=model), "best")
        path = pathlib.Path(folder, "sweep.yaml")
        size = {row["coupling"]: int(row["value"]) for row in table("map", path) if row["name"] == "size"}
        for x, y in sorted({(row[one], row[other]) for row in found}):
            here = {row["coupling"]: row for row in found if (row[one], row[other]) == (x, y)}
            said = table("limit", path, "--over", f"H={LOWER}:{UPPER}", "--set", f"{one}={x}", "--set", f"{other}={y}")
            steps = {name: max_stable_step([row for row in said if row["coupling"] == name and row["lower"]]) for name, *_ in COUPLINGS}
            points += 1
            if None in steps.values():
                undecided += 1
                differ += "best" in [row["best"] for row in here.values()] and {n for n, s in steps.items() if s is None} != \
                    {n for n, row in here.items() if row["best"] == "undecided"}
                continue
            codes = {name: row["best"] for name, row in here.items()}
            far = max(far, max(abs(float(row["best_step"] or 0) / (steps[n] or 1) - (steps[n] > 0)) if steps[n] else
                               (row["best_step"] not in ("", "nan")) for n, row in here.items()))
            if codes != expected(steps, size):
                differ += 1
                note(values, one, x, other, y, steps, codes, expected(steps, size))
    note(f"{points} points, {undecided} undecided, steps within {far:.1e}")
    ok(points > 0 and differ == 0 and undecided <= points // 20 and far < 1e-9,
       "random charts name the coupling that all limits name, with its steps", points, differ, undecided, far)


def test_costs(folder):
    chart = "{k: [20, 50, 200]}"
    found = swept(folder, spec(chart, "fields: [best, best_step, best_cost]").replace("range:", "error: 0.05, until: 1, range:"), "best")
    good, said = isinstance(found, list), [found]
    for k in (20, 50, 200):
        rated = table("advise", pathlib.Path(folder, "sweep.yaml"), "--over", f"H={LOWER}:{UPPER}", "--error", "0.05", "--until", "1", "--set", f"k={k}",
                      "--coupling", ",".join(name for name, *_ in COUPLINGS))
        first = next(row for row in rated if row["recommended"] == "yes")
        best = [row for row in found if float(row["k"]) == k and row["best"] == "best"]
        good = good and len(best) == 1 and best[0]["coupling"] == first["coupling"] and \
            math.isclose(float(best[0]["best_cost"]), float(first["cost"]), rel_tol=1e-5)
        said.append((first, best))
    ok(good, "with an error the best is the one that `advise` takes, at its cost", *said)
    ok(all((row["best_step"] == "") == (row["best_cost"] == "") for row in found), "and couplings that are too expensive have no step", found)
    found = swept(folder, spec("{k: [20, 50]}", "fields: [best, best_step]").replace("range:", "error: 1e-13, until: 1, range:"), "best")
    ok(all(row["best"] == "none" and row["best_step"] == "" for row in found), "where no coupling keeps the error, all are `none`", found)
    found = swept(folder, spec("{k: [20, 50]}", "fields: [best]").replace("range:", "error: 0.05, until: 1e-9, range:"), "best")
    ok("none of the" in str(found), "with an error that cannot be measured nothing is written", found)


def test_ends(folder):
    """One subsystem whose coupling is stable up to H = 2 / (c g): held values, and values that iterate twice are 1 - cH (1 - cH)."""
    loop = """system: network
parameters: {c: 1, H: 1}
subsystems: [{name: tank, A: [[0]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}]
connections: [{from: tank.y, to: tank.u, gain: -c}]
"""
    held = (("a", "scheme: jacobi", 1, 0), ("b", "scheme: gauss-seidel", 1, 0))
    found = swept(folder, spec("{c: [1, 3.99, 8, 1000000]}", "fields: [best, best_step]", held, loop), "best")
    first = [(row["best"], row["best_step"]) for row in found if row["coupling"] == "a"]
    steps = [0.5, 0.5, 0.25]
    ok([code for code, _ in first] == ["best", "best", "best", "none"] and
       all(math.isclose(float(step), end, rel_tol=1e-9) for (_, step), end in zip(first, steps)), "ends are the closed form's, the range's end counts as one", found)
    ok([row["best"] for row in found if row["coupling"] == "b"] == ["tie", "tie", "tie", "none"], "a coupling that is the same ties", found)


def test_undecided(folder):
    """Two undamped oscillators: gauss-seidel is neutral, which is not stable; where rounding hides what straight lines do
    the point is undecided."""
    pair = """system: network
parameters: {k: 9, c: 0, H: 0.1}
subsystems:
  - {name: a, A: [[0, 1], [-k, -c]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: trapezoidal}
  - {name: b, A: [[0, 1], [-k, -c]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: trapezoidal}
connections: [{from: a.y, to: b.u, gain: 1e-7}, {from: b.y, to: a.u, gain: 1e-7}]
"""
    couplings = [row for row in COUPLINGS if row[0] in ("line", "turns")]
    text = spec("{k: [9], c: [0, 0.1]}", "fields: [best, best_step]", couplings, pair).replace(f"{LOWER}, {UPPER}", "0.01, 3")
    found = swept(folder, text, "best")
    said = {(row["coupling"], row["c"]): (row["best"], row["best_step"]) for row in found}
    path = pathlib.Path(folder, "sweep.yaml")
    limits = {row["coupling"]: row["class"] for row in reversed(table("limit", path, "--over", "H=0.01:3", "--spacing", "log", "--set", "c=0"))}
    ok(limits == {"line": "undecided", "turns": "NN"} and said["line", "0"][0] == "undecided" and said["turns", "0"][0] == "none" and
       said["line", "0"][1] in ("", "nan"), "an undecided limit leaves the point undecided, a neutral one is none", limits, said)
    ok({said["line", "0.1"][0], said["turns", "0.1"][0]} == {"best", "tie"}, "with damping both are stable in all of the range", said)


def test_threads(folder):
    text = spec("{k: {from: 10, to: 100, points: 3}, kd: {from: 0.5, to: 2, points: 3}}", "fields: [class, spectral_radius, best, best_step]")
    files = [swept(folder, text, "best", "-t", threads) for threads in (1, 3)]
    ok(len(files[0]) == 9 * len(COUPLINGS) and files[0] == files[1], "any number of threads gives the same", files[0][:3])


def test_figure(folder):
    found = swept(folder, spec("{k: {from: 10, to: 500, points: 9}, kd: {from: 0.1, to: 5, points: 9}}", "fields: [best, best_step]\nfigure: {kind: best}"), "best")
    path = pathlib.Path(folder, "sweep.h5")
    chosen = {row["coupling"] for row in found if row["best"] == "best"}
    done = costab("plot", path, "--script-only", "-o", folder, "--force")
    script = pathlib.Path(folder, "sweep.gp").read_text()
    legend = set(scripts.legend(script))
    ok(done.returncode == 0 and len(chosen) > 2 and chosen <= legend, "the figure has a region of each coupling that is the best somewhere", chosen, legend)
    # Each point of the grid lies in the region of its coupling.
    inside, blocks = 0, {}
    for block in re.split(r"\n\n\n", pathlib.Path(folder, "sweep.dat").read_text()):
        name = re.search(r"1\.fill\.best(\d+)", block)
        loops = [[tuple(map(float, line.split()[:2])) for line in loop.splitlines() if line and line[0] != "#"] for loop in block.split("\n\n")]
        if name:
            blocks[COUPLINGS[int(name[1])][0]] = [loop for loop in loops if len(loop) > 2]
    points = [row for row in found if row["best"] == "best" and 10 < float(row["k"]) < 500 and 0.1 < float(row["kd"]) < 5]
    for row in points:
        x, y = float(row["k"]), float(row["kd"])
        crossings = sum((a[1] > y) != (b[1] > y) and x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                        for loop in blocks.get(row["coupling"], []) for a, b in zip(loop, loop[1:] + loop[:1]))
        inside += crossings % 2
    ok(len(points) == 49 and inside == 49, "and each point of the grid lies in the region of its coupling", inside, len(points), blocks.keys())
    said = costab("plot", path, "--kind", "best", "--coupling", "held", "--script-only", "-o", folder, "--force")
    ok(said.returncode == 2 and "compares all" in said.stderr, "a choice of couplings is refused", said.stderr)


def test_own_step(folder):
    """The model's own macro step, at which no class exists, is none of those that are compared."""
    text = """system: network
parameters: {H: 0.005, s: 0.001}
subsystems:
  - {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4, step: s, x0: [1]}
  - {name: b, A: [[-2]], B: [[-10]], C: [[1]], inputs: [u], outputs: [y], method: rk4, step: s, x0: [1]}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]
coupling: [{name: one, scheme: jacobi, macro_step: H}, {name: two, scheme: gauss-seidel, macro_step: H}]
axes: {s: [0.001, 0.01]}
fields: [class, best, best_step]
"""
    path = pathlib.Path(folder, "own.yaml")
    for more in ("", ", error: 0.05, until: 2"):
        path.write_text(text + f"best: {{over: H, range: [0.01, 1]{more}}}\n")
        rows = [swept(folder, path.read_text(), "class", "--set", f"H={H}") for H in (0.005, 0.1)]
        kept = [[(row["best"], row["best_step"]) for row in of] for of in rows]
        ok([row["class"] for row in rows[0]] == ["SS", "failed"] * 2 and kept[0] == kept[1] and all(step for _, step in kept[0]), f"best: {more}", *rows)
    rows = [table("advise", path, "--over", "H=0.01:1", "--set", "s=0.01", "--set", f"H={H}", "-c", "one,two", "-q") for H in (0.005, 0.1)]
    kept = [[(row["coupling"], row["max_stable_step"], row["cost"]) for row in of] for of in rows]
    ok(kept[0] == kept[1] and [row["margin"] == "" for of in rows for row in of] == [True, True, False, False], "advise, too", *rows)


def test_refused(folder):
    text = spec("{k: [1, 2]}", "fields: [best]")
    wrong = {"'best: {over: H": text.replace("best: {over", "#"), "no field uses it": text.replace("fields: [best]", ""),
             "has no parameter 'h'": text.replace("over: H", "over: h"), "'k' is also an axis": text.replace("over: H", "over: k"),
             "the smaller first": text.replace(str(UPPER), "0.0001"), "go together": text.replace("over: H", "over: H, error: 1"),
             "needs an error limit": text.replace("[best]", "[best_cost]"), "is not the macro step": text.replace("over: H", "over: kp"),
             "for every point": text.replace("fields: [best]", "fields: [class, best]\nrefine: true"),
             "expected": text.replace("over: H", "over: H, error: -1")}
    for word, spoilt in wrong.items():
        said = swept(folder, spoilt, "best")
        ok(isinstance(said, str) and word in said and "sweep.yaml" in said, f"refused, with the remedy: {word}", said)


with tempfile.TemporaryDirectory() as folder:
    for test in (test_nine_models, test_charts, test_costs, test_ends, test_undecided, test_threads, test_figure, test_own_step, test_refused):
        test(folder)
finish()
