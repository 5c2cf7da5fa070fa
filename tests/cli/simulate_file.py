#!/usr/bin/env python3
"""costab simulate: into a results file the same numbers as its rows, and the parameters that were set; some signals, some points; how far
the run is from the monolithic solution. Prints TAP."""
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import xarray as xr

from tap import COSTAB as costab, csv_rows, finish, ok, ROOT as root

model = root / "sweeps/gomes2018/models/two-mass.yaml"


with tempfile.TemporaryDirectory() as folder:
    arguments = [costab, "simulate", str(model), "--until", "0.2", "--set", "H=0.02"]
    rows = csv_rows(subprocess.run(arguments, capture_output=True, text=True))
    done = subprocess.run(arguments + ["-o", folder + "/"], capture_output=True, text=True)
    ok(done.returncode == 0 and done.stdout == "" and os.listdir(folder) == ["two-mass.h5"], "a folder gets NAME.h5", done.stderr)
    with xr.open_dataset(folder + "/two-mass.h5") as data:
        for signal in data.signal.values:
            for point, value, time in (("communication", "value", "time"), ("local", "local_value", "local_time")):
                mine = [r for r in rows if f"{r['subsystem']}.{r['signal']}" == signal and r["point"] == point]
                stored = data[value].sel(signal=signal).values[0]
                stored = stored[~np.isnan(stored)]
                ok(np.array_equal(stored, [float(r["value"]) for r in mine]), f"{signal}, {point}: the rows' values")
        ok("# --set H=0.02" in str(data.spec.values), "the parameters set stand in the stored text")
    pathlib.Path(folder, "taken\n1.csv").write_text("0.01\n0.02\n")
    subprocess.run(arguments + ["--steps-file", folder + "/taken\n1.csv", "--fmu-accuracy", "1e-5", "-o", folder + "/steps.h5"])
    with xr.open_dataset(folder + "/steps.h5") as data:
        ok(f"# --fmu-accuracy 1e-5\n# --steps-file {folder}/taken 1.csv\n" in str(data.spec.values), "and so do the file of the steps and the accuracy of FMUs", data.spec.values)
    done = subprocess.run(arguments + ["-o", folder + "/none/x.h5"], capture_output=True, text=True)
    ok(done.returncode == 1 and "none" in done.stderr, "a folder that is not there is a failure of the run", done.stderr)
    done = subprocess.run([costab, "simulate", str(model), "--until", "0.01", "--set", "H=0.02", "-o", folder + "/early.csv"], capture_output=True, text=True)
    ok(done.returncode == 2 and not os.path.exists(folder + "/early.csv"), "a refused simulation writes no table", done.stderr)
    for choice in (["--points", "5"], ["--signals", "mass.x1"], ["--error"]):
        done = subprocess.run(arguments + choice + ["-o", folder + "/chosen.h5"], capture_output=True, text=True)
        ok(done.returncode == 2 and "a results file holds all" in done.stderr and not os.path.exists(folder + "/chosen.h5"), f"{choice[0]} is not of a results file")


def run(model, *words):
    return subprocess.run([costab, "simulate", str(model), *words], capture_output=True, text=True)


def table(model, *words):
    return csv_rows(run(model, *words))


def same(row, other):
    return [row[c] for c in ("t", "subsystem", "signal", "point")] == [other[c] for c in ("t", "subsystem", "signal", "point")] and \
        all(abs(float(row[c]) - float(other[c])) <= 1e-12 * max(1, abs(float(other[c]))) for c in ("value", "monolithic"))


# ---- Some signals, some points ----

drive = root / "sweeps/findings/models/drive.yaml"
all_rows = table(drive, "--until", "0.5")
at = [r for r in all_rows if r["point"] == "communication"]
names = ["load.torque", "motor.x1"]
chosen = table(drive, "--until", "0.5", "--signals", ",".join(names))
ok(chosen == [r for r in all_rows if f"{r['subsystem']}.{r['signal']}" in names] and len(chosen) > 500, "--signals leaves out the others", len(chosen))
for count in (2, 3, 7, 50, 51, 1000):
    some = table(drive, "--until", "0.5", "--points", str(count))
    times = sorted({float(r["t"]) for r in some})
    every = sorted({float(r["t"]) for r in at})
    wanted = sorted({every[int(k * 50 / (count - 1) + 0.5)] for k in range(count)}) if count <= 51 else every
    ok(times == wanted and len(times) == min(count, 51) and len(some) == 10 * len(times) and
       all(same(*pair) for pair in zip(some, [r for r in at if float(r["t"]) in times], strict=True)), f"--points {count}: those next to as many times", times, wanted)
strided = pathlib.Path(tempfile.mkdtemp()) / "strided.yaml"
strided.write_text(drive.read_text().replace("    inputs: [angle, speed]\n", "    inputs: [angle, speed]\n    stride: 3\n"))
times = sorted({round(float(r["t"]) / 0.01) for r in table(strided, "--until", "0.5", "--points", "9")})
full = {(r["t"], r["subsystem"]) for r in table(strided, "--until", "0.5", "--points", "9")}
ok(times == [0, 6, 12, 18, 24, 30, 36, 42, 48] and len(full) == 18, "with strides: points at which all subsystems communicate", times)
done = run(drive, "--until", "0.1", "--points", "1")
ok(done.returncode == 2 and "--points" in done.stderr, "one point is refused", done.stderr)
done = run(drive, "--until", "0.1", "--signals", "motor.angel")
ok(done.returncode == 2 and "'motor.angel' is not a signal" in done.stderr, "a signal that there is not", done.stderr)

# ---- The error ----

made = table(drive, "--until", "0.5", "--error")
largest, when, size = {}, {}, {}
for r in all_rows:
    name, difference = f"{r['subsystem']}.{r['signal']}", abs(float(r["value"]) - float(r["monolithic"]))
    size[name] = max(size.get(name, 0), abs(float(r["monolithic"])))
    if difference > largest.get(name, -1):
        largest[name], when[name] = difference, r["t"]
ok([f"{r['subsystem']}.{r['signal']}" for r in made] == ["motor.x1", "motor.x2", "motor.angle", "motor.speed", "load.x1", "load.x2", "load.torque"],
   "--error: a row for each state and output", made)
ok(all([float(r["error"]), r["t"], float(r["largest"])] == [largest[n], when[n], size[n]] for r in made for n in [f"{r['subsystem']}.{r['signal']}"]),
   "--error: the largest difference of all rows", made)
worst, = [r for r in made if r["worst"] == "yes"]
ok(float(worst["error"]) == max(float(r["error"]) for r in made if r["signal"].startswith("x")), "the worst state", worst)
worst, = [r for r in table(drive, "--until", "0.02", "--error") if r["worst"] == "yes"]
bound = subprocess.run([costab, "bound", str(drive), "--error", "1", "--horizon", "0.02", "--at", "0.01"], capture_output=True, text=True)
ok(worst["error"] in bound.stdout, "is what bound --at measures", worst, bound.stdout, bound.stderr)
ok([r["signal"] for r in table(drive, "--until", "0.5", "--error", "--signals", "load.x1,motor.torque")] == ["x1"], "--signals chooses among them; inputs have none")
done = run(drive, "--until", "10000", "--set", "H=0.05", "--error", "-f", "json")
ok(done.returncode == 1 and "diverged" in done.stderr and '"error": null, "error_nonfinite": "inf"' in done.stdout, "a run that diverges has no finite error",
   done.stdout, done.stderr)
done = run(drive, "--until", "1", "--error", "--points", "5")
ok(done.returncode == 2 and "all micro steps" in done.stderr, "--error and --points do not go together", done.stderr)

# A tank that runs empty, by Euler's method: h becomes negative, and the next step's root has no value.
TANK = """title: A tank
system: network
parameters: {H: 0.1}
subsystems:
  - {name: tank, states: [h], inputs: [q], f: ["-2*sqrt(h) - 1 + q"], outputs: [y], g: ["OUTPUT"], x0: [1], method: METHOD, substeps: 4, operating_point: {h: 0.25, q: 2}}
  - {name: pump, states: [p], inputs: [u], f: ["-p + u"], outputs: [q], g: ["p"], x0: [0], method: euler, substeps: 4}
connections: [{from: tank.y, to: pump.u, gain: 0}, {from: pump.q, to: tank.q}]
coupling: {name: jacobi, scheme: jacobi, macro_step: H}
"""
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "tank.yaml")
    def tank(text, *options):
        path.write_text(text)
        return subprocess.run([costab, *options[:1], str(path), *options[1:]], capture_output=True, text=True, cwd=folder)
    root_in_f = TANK.replace("METHOD", "euler").replace("OUTPUT", "h")
    h, n = 1.0, 0
    while h >= 0:
        h, n = h + 0.025*(-2*np.sqrt(h) - 1), n + 1
    words = f"f of state 'h' in subsystem 'tank' is not a number at t = {0.025*n:.6g}, where h = {h:.6g}, q = 0"
    for options in ([], ["--error"]):
        done = tank(root_in_f, "simulate", "--until", "1", *options)
        ok(done.returncode == 1 and words in done.stderr and "diverged" not in done.stderr and "ended after" in done.stderr,
           f"{options}: the root of a negative number, its equation, time and arguments", done.stderr, words)
    done = tank(root_in_f, "simulate", "--until", "1", "-o", "tank.h5")
    ok(done.returncode == 0 and f"warning: jacobi ended early: {words}" in done.stderr, "-o says so, too", done.stderr)
    done = subprocess.run([costab, "plot", "tank.h5", "--script-only"], capture_output=True, text=True, cwd=folder)
    ok(f"communication points: ends at {0.1*(n//4):.6g}." in done.stderr, "and the figure", done.stderr)
    done = tank(root_in_f + "history: {until: 1}\n", "sweep", "-o", "sweep.h5")
    ok(done.returncode == 0 and f"jacobi ended early: {words}" in done.stderr, "and a sweep of histories", done.stderr)
    done = tank(TANK.replace("METHOD", "backward-euler").replace("OUTPUT", "h"), "simulate", "--until", "1")
    ok(done.returncode == 1 and "were not solved" in done.stderr and "f of state 'h' in subsystem 'tank' is not a number" in done.stderr, "an implicit step", done.stderr)
    root_in_g = TANK.replace("METHOD", "euler").replace("OUTPUT", "sqrt(h)").replace("-2*sqrt(h) - 1 + q", "-2 + q").replace("gain: 0", "gain: 1.0e-9")
    done = tank(root_in_g, "simulate", "--until", "1")
    ok(done.returncode == 1 and "g of output 'y' in subsystem 'tank' is not a number at t = " in done.stderr, "a root in an output", done.stderr)
    grows = TANK.replace("METHOD", "euler").replace("OUTPUT", "h").replace("-2*sqrt(h) - 1 + q", "h^3 + q")
    h, n = 1.0, 0
    while abs(h) <= 1e100:
        h, n = h + 0.025*h**3, n + 1
    done = tank(grows, "simulate", "--until", "2")
    ok(done.returncode == 1 and f"diverged after {(n - 1)//4} macro steps: 'h' of subsystem 'tank' passed 1e+100 at t = {0.025*n:.6g};" in done.stderr,
       "what grows is said to diverge, with its state and time", done.stderr, 0.025*n)
    done = tank(root_in_f, "report", "--until", "1", "-o", "tank.html", "--time", "20")
    page = pathlib.Path(folder, "tank.html").read_text() if done.returncode == 0 else ""
    ok("\"reason\":" in page.replace(" ", "") and words.replace("'", "\\u0027") in page or words in page, "the report's page has the reason", done.stderr)
finish()
