#!/usr/bin/env python3
"""FMUs for co-simulation from the command line: the measured map is that of their hidden solvers, limits are those of the
same network in YAML, runs of the real FMUs decay below a limit and grow above it; what cannot be measured is refused.
Prints TAP."""
import itertools
import os
import pathlib
import tempfile

from systems import enlarged
from tap import costab, csv_rows, EFFORT, finish, ok, ROOT, stride

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
LONG = EFFORT > 1  # limits that take some more seconds
GRID, FORGETS, FLAG, LATE, CLOCK, SOLVER, FEW = 12, 13, 14, 15, 18, 20, 21  # enum faults of tests/fmu/kit.h

MODEL = """system: network
parameters: {k: 12, x: 0, H: 0.04}
subsystems:
SUBSYSTEMS
connections:
  - {from: a.position, to: b.position}
  - {from: a.speed, to: b.speed}
  - {from: b.reaction, to: a.force}
coupling: {scheme: jacobi, macro_step: H}
"""
MATRICES = """
  - {name: a, A: [[0, 1], [-k/1.5, -0.5/1.5]], B: [[0], [1/1.5]], C: [[1, 0], [0, 1]], inputs: [force], outputs: [position, speed], x0: [x, 0], HOW}
  - {name: b, A: [[0, 1], [-50, -1.4]], B: [[0, 0], [40, 0.8]], C: [[20, 0.4]], D: [[-20, -0.4]], inputs: [position, speed], outputs: [reaction], HOW}
"""
UNITS = """
  - {name: a, fmu: FOLDER/mass-V.fmu, kind: co-simulation, start: {k: k, m: 1.5, x: x, steps: N}}
  - {name: b, fmu: FOLDER/coupled-W.fmu, kind: co-simulation, start: {steps: N}}
"""


def units(v, w, steps):
    return UNITS.replace("FOLDER", str(FMUS)).replace("-V", f"-{v}").replace("-W", f"-{w}").replace("N}", f"{steps}}}")


def same(one, other):
    """Eigenvalues of maps that were measured in two ways."""
    return len(one) == len(other) > 0 and all(abs(a - b) < 1e-11 for a, b in zip(one, other))


def values(done, name):
    """Eigenvalues, largest first, and which of them are not zero."""
    found = [complex(*map(float, r["value"].split())) for r in csv_rows(done) if r["name"] == name]
    return sorted((z for z in found if abs(z) > 1e-7), key=lambda z: (-abs(z), -z.imag))


with tempfile.TemporaryDirectory() as folder:
    def model(name, subsystems):
        path = pathlib.Path(folder) / name
        path.write_text(MODEL.replace("SUBSYSTEMS", subsystems.strip("\n")))
        return path

    plain = model("plain.yaml", MATRICES.replace("HOW", "method: rk4, substeps: 4"))
    exact = model("exact.yaml", MATRICES.replace("HOW", "method: exact"))

    # ---- the map: eigenvalues of the hidden solver's, to 1e-9
    cases = itertools.product(("jacobi", "gauss-seidel", "iterated"), ((2, 3, "0.05"), (2, 3, "0.3"), (2, 3, "0.002"), (3, 2, "0.05")))
    for coupling, (v, w, H) in list(cases)[::stride(3)]:  # each coupling, version and step once
        real = model("units.yaml", units(v, w, 4))
        a, b = (values(costab("map", path, "--set", f"H={H}", "--coupling", coupling), "eigenvalue") for path in (real, plain))
        off = max((abs(x - y) for x, y in zip(a, b)), default=1)
        ok(len(a) == len(b) >= 4 and off < 1e-9, f"map: FMI {v} and {w}, H = {H}, {coupling}", off, a, b)

    # ---- ports that no loop passes through are left out where they are not linear, with a warning; others are not
    for v in (2, 3)[::-stride(2)]:
        metered = model("metered.yaml", units(v, 3, 4).replace("mass-", "meter-"))
        done = costab("map", metered, "--set", "H=0.05")
        a, b = values(done, "eigenvalue"), values(costab("map", plain, "--set", "H=0.05"), "eigenvalue")
        off = max((abs(x - y) for x, y in zip(a, b)), default=1)
        ok(len(a) == len(b) >= 4 and off < 1e-9, f"map: FMI {v}, ports beside the loop", off, a, b)
        ok("2 that no loop of connections passes through ('brake', ..) are left out" in done.stderr, "and a warning names them", done.stderr)
        metered.write_text(metered.read_text().replace("from: a.position", "from: a.energy").replace("x: 0,", "x: 0.3,"))
        done = costab("map", metered, "--set", "H=0.05")
        ok(done.returncode == 2 and "is not linear" in done.stderr, "refused where the loop passes through them, away from rest", done.stderr)

    # ---- limits: of the same solvers to 1e-9; of exact solvers, where hidden steps are small, to 1e-6
    def limits(path, couplings, end=0.12):
        done = costab("limit", path, "--over", f"H=0.05:{end}", "--coupling", couplings)
        return {(r["coupling"], r["lower"] == "0.05"): float(r["upper"]) for r in csv_rows(done)}, done

    held = "jacobi,gauss-seidel,iterated,newton"
    lines = "jacobi-linear,gauss-seidel-linear,iterated-linear,newton-linear,jacobi-smoothed,jacobi-spectral"
    real, rising = model("units.yaml", units(2, 3, 4)), model("rising.yaml", units(2, 2, 4))
    ends = {}
    for coupling in lines.split(",")[::stride(2)]:
        a, b = (values(costab("map", path, "--set", "H=0.05", "--coupling", coupling), "eigenvalue") for path in (rising, plain))
        off = max((abs(x - y) for x, y in zip(a, b)), default=1)
        ok(len(a) == len(b) >= 4 and off < 1e-9, f"map: inputs that rise, {coupling}", off, a, b)
    risen = lines.removesuffix(",jacobi-spectral")  # which ends below 0.05
    for path, couplings in ((real, held), (rising, f"{held},{risen}")) if LONG else ((real, held),):
        found, done = limits(path, couplings, 0.6)
        truth, _ = limits(plain, couplings, 0.6)
        ok(found.keys() == truth.keys() and {k[0] for k in truth} == set(couplings.split(",")) and all(abs(found[k] / truth[k] - 1) < 1e-9 for k in truth),
           f"limit: hidden Runge-Kutta steps: {couplings}", found, truth, done.stderr)
        ends[path] = found
    ok("is not complete" in done.stderr and all(r["class"] == "XS" for r in csv_rows(done)), "limit says what it is worth")
    # histories begin with the inputs that the outputs give: with a subsystem that has feedthrough all is that of the matrices
    def exchanged(path):
        done = costab("simulate", path, "--set", "x=0.1", "--until", "0.4")
        return {(r["t"], r["subsystem"], r["signal"]): float(r["value"]) for r in csv_rows(done) if r["point"] == "communication" and r["signal"] in ("position", "speed", "force", "reaction")}

    mixed = model("mixed.yaml", units(3, 3, 4).strip("\n").splitlines()[0] + "\n" + MATRICES.replace("HOW", "method: rk4, substeps: 4").strip("\n").splitlines()[1])
    a, b = exchanged(mixed), exchanged(plain)
    ok(a.keys() == b.keys() and len(a) == 66 and max(abs(a[key] - b[key]) for key in a) < 1e-9 and exchanged(real)["0", "b", "position"] == 0.1, "simulate: the first values are exchanged", a, b)
    # without a monolithic solution there is no error, not the error 0
    charted = pathlib.Path(folder) / "charted.yaml"
    charted.write_text(real.read_text() + "axes: {H: [0.05, 0.1]}\nfields: [error]\nhistory: {until: 1}\n")
    for command in (("simulate", real, "--until", "1", "--error"), ("sweep", charted, "-o", pathlib.Path(folder) / "charted.h5")):
        done = costab(*command)
        ok(done.returncode == 2 and "continuous system of an FMU for co-simulation is not known" in done.stderr, f"{command[0]}: errors are refused", done.stdout, done.stderr)
    if LONG:
        fine, _ = limits(model("fine.yaml", units(3, 3, 30)), held)
        truth, _ = limits(exact, held)
        ok(fine.keys() == truth.keys() and all(abs(fine[k] / truth[k] - 1) < 1e-6 for k in truth), "limit: exact solvers", fine, truth)

    # ---- the real FMUs, 4 % below each of these limits and above it; in longer runs 1 %
    beside = 0.01 if LONG else 0.04

    def amplitudes(path, H, coupling):
        """In the fourth and the sixth part of six of a run."""
        done = costab("simulate", path, "--set", f"H={H}", "--set", "x=1", "--coupling", coupling, "--until", str(1300 * H if LONG else 20))
        run = [abs(float(r["value"])) for r in csv_rows(done) if r["subsystem"] == "a" and r["signal"] == "position"]
        return [max(run[part * len(run) // 6:(part + 1) * len(run) // 6], default=0) for part in (3, 5)]

    for path, found in ends.items():
        for coupling, first in list(found)[::stride(2)]:
            end = found[coupling, first]
            if not first:
                continue
            below, above = (amplitudes(path, (1 + side) * end, coupling) for side in (-beside, beside))
            ok(0 < below[1] < 0.995 * below[0] and above[1] > 1.005 * above[0] > 0, f"simulate: {coupling} at its limit", end, below, above)

    # ---- results files of such FMUs, which need not be there any more, are drawn
    swept = model("swept.yaml", units(2, 3, 4))
    swept.write_text(swept.read_text() + "axes: {H: [0.02, 0.04, 0.06]}\nfields: [class, spectral_radius]\nfigure: {kind: curve}\n")
    for command, *more in (("sweep", swept), ("limit", rising, "--over", "H=0.05:0.2"), ("map", rising), ("simulate", rising, "--until", "1")):
        file = pathlib.Path(folder) / f"{command}.h5"
        done = costab(command, *more, "-o", file)
        drawn = costab("plot", file, "-o", folder, "--script-only")
        ok(done.returncode == drawn.returncode == 0 and file.with_suffix(".gp").exists(), f"{command} -o, and plot", done.stderr, drawn.stderr)

    # ---- a fault of the slopes' function is the FMU's: 3.0 has none, and holds its inputs
    done = costab("map", model("three.yaml", units(3, 3, 4)), "--coupling", "gauss-seidel-linear")
    ok(done.returncode == 2 and "canInterpolateInputs" in done.stderr, "lines need canInterpolateInputs", done.stderr)
    done = costab("map", rising, "--coupling", "gauss-seidel-quadratic")
    ok(done.returncode == 2 and "constant or linear" in done.stderr, "more than lines are refused", done.stderr)

    # ---- checks: their numbers, and what they find
    def checks(done):
        return {tuple(r["name"].split()[1:]): float(r["value"]) for r in csv_rows(done) if r["name"].startswith("check ")}

    def spoilt(fault, *more, H="0.04"):
        return costab("map" if not more else more[0], model("spoilt.yaml", units(2, 3, 4).replace("k: k, ", f"k: k, fault: {fault}, ")), "--set", f"H={H}", *more[1:])

    numbers = checks(costab("map", real))
    ok({key for _, key in numbers} == {"nonlinearity", "time_variance", "drift", "residual", "long_run", "rollback", "set_back_flag"} and
       len(numbers) == 14 and all(0 <= v < 1e-11 for v in numbers.values()), "checks of FMUs without faults", numbers)
    done = spoilt(FORGETS)
    ok(done.returncode == 0 and checks(done)["a", "rollback"] > 0.1 and "no master can iterate it" in done.stderr, "a rollback that forgets", done.stderr)
    done = spoilt(FORGETS, "simulate", "--coupling", "iterated", "--until", "1")
    ok(done.returncode == 2 and "cannot be iterated" in done.stderr, "simulate refuses to iterate it", done.returncode, done.stderr)
    done = spoilt(FORGETS, "simulate", "--until", "1")
    ok(done.returncode == 0 and len(csv_rows(done)) > 30, "simulate: jacobi needs no rollback", done.returncode, done.stderr)
    done = spoilt(FLAG)
    ok(done.returncode == 0 and checks(done)["a", "set_back_flag"] > 0.1 and "noSetFMUStatePriorToCurrentPoint" in done.stderr,
       "a flag that sends it back to its start", done.stderr)
    done = spoilt(LATE)
    ok(done.returncode == 2 and "it depends on time" in done.stderr and "97 steps later" in done.stderr, "a clock that goes faster later", done.stderr)
    for H in ("0.0402", "0.0399")[::stride(2)]:
        done = spoilt(GRID, H=H)
        ok(done.returncode == 2 and "near a multiple of its solver's step" in done.stderr, f"H = {H} beside a grid of 0.02", done.stderr)
    ok(spoilt(GRID).returncode == 0, "H on the grid")

    # ---- a clock that sums up steps of 0.02 slips at multiples of these, and does not just below: two steps of Runge-Kutta
    two = model("two.yaml", units(2, 3, 4).replace("steps: 4", "steps: 2", 1))
    for H in ("0.04", "0.039"):
        done = spoilt(CLOCK, H=H)
        a, b = values(done, "eigenvalue"), values(costab("map", two, "--set", "H=0.04"), "eigenvalue")
        off = max((abs(x - y) for x, y in zip(a, b)), default=1)
        if H == "0.04":
            ok(done.returncode == 0 and len(a) == len(b) >= 4 and off < 1e-8 and checks(done)["a", "measured_below"] == 1e-9 and
               "mass-2.fmu was measured just below, at H (1 - 1e-09): at H = 0.04 its map changes with time" in done.stderr,
               "a clock that sums up its steps: measured just below", off, done.stderr)
        else:
            ok(done.returncode == 2 and "at H = 0.039 " in done.stderr and "; it offers 'kind: model-exchange', too" in done.stderr,
               "beside its multiples it is refused, and the other kind named", done.stderr)

    # ---- a model whose own macro step is between those of the grid: what the command line or an axis gives counts
    between = model("between.yaml", units(2, 3, 4).replace("k: k, ", f"k: k, fault: {GRID}, "))
    (on := pathlib.Path(folder) / "on.yaml").write_text(between.read_text())
    between.write_text(between.read_text().replace("H: 0.04", "H: 0.03"))
    a, b = (values(costab("map", path, *more), "eigenvalue") for path, more in ((between, ("--set", "H=0.04")), (on, ())))
    ok(len(a) >= 4 and a == b, "map --set H where the model's own H cannot be measured", a, b)
    done = costab("limit", between, "--over", "H=0.035:0.04")
    ok(done.returncode == 0 and [(r["lower"], r["class"]) for r in csv_rows(done)] == [("0.04", "XS")], "limit --over H where the model's own cannot be measured", done.stdout, done.stderr)
    between.write_text(between.read_text() + "axes: {H: [0.04, 0.05]}\n")
    done = costab("sweep", between, "-o", f"{folder}/between.h5", "-q")
    ok(done.returncode == 0 and "1 of 2 points cannot be analysed" in done.stderr, "an axis H where the model's own cannot be measured", done.stderr)
    done = costab("map", model("between.yaml", units(2, 3, 4).replace("k: k, ", f"k: k, fault: {GRID}, ")), "--set", "H=0.03")
    ok(done.returncode == 2 and f"{folder}/between.yaml:4:" in done.stderr and "not a multiple of its solver's step" in done.stderr, "an H that is given and cannot be measured", done.stderr)

    # ---- the step of the solver inside is known: all its multiples are tried, by powers of one map
    own = model("own.yaml", MATRICES.replace("HOW", "method: rk4, step: 0.02"))
    gridded = units(2, 3, 4).replace("steps: 4}}", f"steps: 4, fault: {GRID}}}, step: 0.02}}")
    for H in (0.02, 0.04, 0.06, 0.5, 4)[::stride(2)]:
        truth, power = values(costab("map", own, "--set", f"H={H}"), "eigenvalue"), costab("map", model("powers.yaml", gridded), "--set", f"H={H}")
        found = values(power, "eigenvalue")
        ok(len(found) == len(truth) and all(abs(a - b) < 1e-10 for a, b in zip(found, truth)), f"map: H = {H} is {H / 0.02:g} steps of 0.02", found, truth, power.stderr)
        ok(checks(power).get(("a", "own_steps")) == (round(H / 0.02) if H > 0.02 else None), f"check own_steps, H = {H}", power.stdout)
    ends = "lower", "upper", "lower_kind", "upper_kind", "lower_cause", "upper_cause"
    rows = lambda done: [[r["class"].replace("X", "S")] + [r[name] for name in ends] for r in csv_rows(done)]
    wanted = rows(costab("limit", own, "--over", "H=0.01:1"))
    done = costab("limit", model("powers.yaml", gridded), "--over", "H=0.01:1")
    ok(rows(done) == wanted and wanted[0][4] == "whole" and wanted[0][6] == "oscillation" and "each of the 50 values" in done.stderr,
       "limit: multiples of the solver's step, with kinds and causes of their ends", done.stdout, wanted, done.stderr)
    for lower in ("0.01", "1e-6"):
        done = costab("limit", model("plainly.yaml", gridded.replace(", step: 0.02", "")), "--over", f"H={lower}:1")
        ok(rows(done) == wanted and "the 50 multiples of 0.02, the only ones" in done.stderr,
           f"limit: the solver's step is found by trying, from {lower}", done.stdout, wanted, done.stderr)
    done = costab("map", model("plainly.yaml", gridded.replace(", step: 0.02", "")), "--set", "H=1e-6")
    ok(done.returncode == 2 and "far below its solver's step" in done.stderr, "map: a macro step far below the solver's", done.stderr)
    done = costab("map", model("wrong.yaml", gridded.replace("step: 0.02", "step: 0.01")), "--set", "H=0.04")
    plainly = costab("map", model("plainly.yaml", gridded.replace(", step: 0.02", "")), "--set", "H=0.04")
    ok(done.returncode == 0 and ("a", "own_steps") not in checks(done) and same(values(done, "eigenvalue"), values(plainly, "eigenvalue")),
       "a step that is not the solver's: the macro step is measured", done.stdout, done.stderr)
    unit = pathlib.Path(folder) / "own.fmu"
    unit.write_bytes(enlarged(FMUS / "coupled-3.fmu", {}, "modelDescription.xml", lambda s: s.replace("<CoSimulation ", '<CoSimulation fixedInternalStepSize="0.02" ')))
    done = costab("map", model("powers.yaml", gridded.replace(f"{FMUS}/coupled-3.fmu", str(unit)).replace(", step: 0.02", "")), "--set", "H=0.06")
    ok(done.returncode == 0 and checks(done).get(("b", "own_steps")) == 3 and ("a", "own_steps") not in checks(done), "fixedInternalStepSize of FMI 3", done.stdout, done.stderr)

    # ---- a solver that chooses its steps by its tolerance: with a fine one its map is that of exact solvers
    fine = units(2, 3, 4).replace("steps: 4}}", f"fault: {SOLVER}}}, tolerance: 1e-12}}")
    pair = [values(costab("map", path, "--set", "H=0.1"), "eigenvalue") for path in (model("fine.yaml", fine), exact)]
    off = max((abs(a - b) for a, b in zip(*pair)), default=1)
    ok(len(pair[0]) == len(pair[1]) >= 4 and off < 1e-9, "map: tolerance of a solver, and exact ones", off, pair)
    done = costab("map", model("coarse.yaml", fine.replace(", tolerance: 1e-12", "")), "--set", "H=0.1")
    rough = values(done, "eigenvalue")
    error = float(next((r["value"] for r in csv_rows(done) if r["name"] == "rounding"), "nan"))
    ok(done.returncode == 0 and "answers as a linear map to" in done.stderr and abs(max(map(abs, rough)) - max(map(abs, pair[1]))) < 1e-3 and 1e-7 < error < 1e-3,
       "at the tolerance of its own, 1e-4: the error is printed", rough, pair[1], error, done.stderr)
    done = costab("map", model("coarse.yaml", fine.replace(", tolerance: 1e-12", "")), "--set", "H=0.3", "--fmu-accuracy", "1e-7")
    ok(done.returncode == 2 and "apart, relative" in done.stderr, "refused where a better accuracy is asked for", done.stderr)
    for given in ("0", "1", "-1e-6", "x", "k"):
        done = costab("map", model("wrong.yaml", fine.replace("1e-12", given)))
        ok(done.returncode == 2 and "wrong.yaml:4:" in done.stderr and "tolerance" in done.stderr, f"tolerance: {given}", done.stderr)

    # ---- an input that nothing feeds keeps the value that the FMU starts with
    for kind, how, count in (("co-simulation", "", 33), ("model-exchange", ", method: rk4", 55), ("model-exchange", ", method: exact", 55)):
        alone = (f"system: network\nparameters: {{H: 0.04}}\nsubsystems:\n  - {{name: a, fmu: {FMUS}/mass-3.fmu, kind: {kind}, start: {{k: 12, x: 0.1}}POINT{how}}}\n"
                 "coupling: {scheme: jacobi, macro_step: H}\n")
        unfed, fed = pathlib.Path(folder) / "unfed.yaml", pathlib.Path(folder) / "fed.yaml"
        unfed.write_text(alone.replace("POINT", ", operating_point: {force: 2}"))
        fed.write_text(alone.replace("POINT", "") + "sources: {a.force: 2}\n")
        pair = [costab("simulate", path, "--until", "0.4") for path in (unfed, fed)]
        a, b = ([(r["t"], r["signal"], r["value"]) for r in csv_rows(done) if r["point"] == "communication"] for done in pair)
        ok(len(a) == count and a == b and "nothing feeds" not in pair[0].stderr, f"an input that nothing feeds, {kind}{how}", a[:9], b[:9], pair[0].stderr)

    # ---- a process that makes three instances only: others make the rest
    for v, w in ((2, 3), (3, 2))[::stride(2)]:
        few = model("few.yaml", units(v, w, 4).replace("steps: 4}}", f"steps: 4, fault: {FEW}}}}}"))
        pair = [costab(*words, path) for words in (("map", "--matrix"), ("simulate", "--until", "0.4"))
                for path in (few, model("many.yaml", units(v, w, 4)))]
        ok(all(done.returncode == 0 for done in pair) and same(values(pair[0], "eigenvalue"), values(pair[1], "eigenvalue")) and pair[2].stdout == pair[3].stdout,
           f"few instances in a process, FMI {v} and {w}", *[done.stderr for done in pair])

    # ---- refusals
    def refused(subsystems, expected, what, *command, status=2):
        done = costab(*(command or ("map",)), model("bad.yaml", subsystems))
        ok(done.returncode == status and expected in done.stderr, what, done.returncode, done.stderr)

    both = units(2, 3, 4)
    refused(both.replace("k: k, ", f"k: k, fault: {GRID}, "), "not a multiple of its solver's step", "a grid of its own: 0.05 is 2.5 steps", "map", "--set", "H=0.05")
    refused(both.replace("x: x", "fault: 1"), "crashed (SIGSEGV) in fmi2DoStep at t = 0", "a crash", status=1)
    refused(both.replace("x: x", "fault: 7"), "the spring broke", "an error", status=1)
    refused(both.replace("x: x, steps: 4}", "x: x, steps: 4}, method: rk4"), "for 'kind: model-exchange'", "a method")
    refused(both.replace("kind: co-simulation, start: {steps", "start: {steps"), "offers both kinds", "no kind")
    for coupling, expected in (("jacobi-linear", "holds its inputs"), ("gauss-seidel-linear", "holds its inputs"), ("jacobi-solved", "feedthrough matrices"))[::stride(2)]:
        done = costab("map", real, "--coupling", coupling)
        ok(done.returncode == 2 and expected in done.stderr, f"refused: {coupling}", done.stderr)
    if LONG:
        done = costab("limit", real, "--over", "H=0.06:0.061", "--coupling", "all")
        ok(done.returncode == 0 and " of 42 are left out, such as " in done.stderr and len(csv_rows(done)) == 4, "limit: all couplings that are possible", done.stderr)
    (pathlib.Path(folder) / "duffing.yaml").write_text("""system: network
subsystems:
  - {name: a, fmu: FOLDER/duffing-2.fmu, kind: co-simulation, start: {x: 0.5}}
coupling: {scheme: jacobi, macro_step: 0.05}
""".replace("FOLDER", str(FMUS)))
    done = costab("map", f"{folder}/duffing.yaml")
    ok(done.returncode == 2 and "not linear" in done.stderr and "equilibrium" in done.stderr, "refused: nonlinear, away from rest", done.stderr)
finish()
