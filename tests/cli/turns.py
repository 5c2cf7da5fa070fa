#!/usr/bin/env python3
"""costab simulate --steps: macro steps in turn, against steps played in NumPy through the true times of what was sent. Prints TAP."""
import pathlib
import tempfile

import h5py
import numpy as np

from sequences import DRIVE, FS, LIM2, Player, written
from tap import costab, csv_rows, finish, ok, refused

FINDINGS = pathlib.Path(__file__).resolve().parents[2] / "sweeps/findings"


def started(folder, model, x0, **more):
    """The model's file with states at the start."""
    path = written(folder, model, **more)
    lines = path.read_text().splitlines()
    for i, values in enumerate(x0):
        at = next(k for k, line in enumerate(lines) if f"name: p{i}," in line)
        lines[at] = lines[at].replace(", method:", f", x0: {values}, method:")
    path.write_text("\n".join(lines) + "\n")
    return path


def begin(player, x0):
    """The state of the map at t = 0: all that was sent before are the values of then."""
    xs, held = [np.array(x, float) for x in x0], [np.zeros(m) for m in player.m]
    for _ in range(len(xs) + 1):
        ys = [C @ x + D @ u for (_, _, C, D), x, u in zip(player.parts, xs, held)]
        held = [np.zeros(m) for m in player.m]
        for f, o, t, i in player.links:
            held[t][i] += ys[f][o]
    sent = [np.full(player.depth, ys[f][o]) for f, o, _, _ in player.links]
    return np.concatenate(xs + held + sent)


def played(player, x0, steps, count):
    state, times, states = begin(player, x0), [0.0], [np.concatenate(x0)]
    for k in range(count):
        past = tuple(steps[max(k - 1 - j, 0) % len(steps)] for j in range(player.reach))  # before t = 0: the first step
        state = player.step(state, steps[k % len(steps)], past)
        times.append(times[-1] + steps[k % len(steps)])
        states.append(state[:sum(player.n)])
    return np.array(times), np.array(states)


def states_of(path, until, *arguments):
    printed = costab("simulate", str(path), "--until", repr(until), *map(str, arguments)).stdout
    rows = [r for r in csv_rows(printed) if r["point"] == "communication" and r["signal"].startswith("x")]
    names = sorted({(r["subsystem"], r["signal"]) for r in rows})
    return (np.array([float(r["t"]) for r in rows if (r["subsystem"], r["signal"]) == names[0]]),
            np.array([[float(r["value"]) for r in rows if (r["subsystem"], r["signal"]) == name] for name in names]).T)


def test_played(folder):
    cases = [(LIM2, "jacobi", (0.02, 0.27), {}), (LIM2, "jacobi-quadratic", (0.02, 0.06, 0.01), {}),
             (LIM2, "jacobi-linear", (0.004, 0.02), {"delays": ((0, 2),)}), (FS, "jacobi-linear", (0.02, 0.15, 0.15), {}),
             (FS, "jacobi-linear-smoothed", (0.02, 0.05), {}), (DRIVE, "gauss-seidel-linear", (0.01, 0.03), {}),
             (LIM2, "jacobi", (0.03, 0.05), {"seconds": ((0, 0.05),)}), (DRIVE, "jacobi-cubic", (0.002, 0.004, 0.003), {})]
    for model, coupling, steps, more in cases:
        x0 = [[0.1, 0.2], [-0.3, 0.4]]
        player = Player(model, coupling, more.get("delays", ()), more.get("seconds", ()))
        times, wanted = played(player, x0, steps, 40)
        path = started(folder, model, x0, **more)
        found_times, found = states_of(path, float(times[-1]), "--coupling", coupling, "--steps", ",".join(map(str, steps)))
        scale = np.abs(wanted).max()
        ok(found.shape == wanted.shape and np.abs(found_times - times).max() < 1e-12 and np.abs(found - wanted).max() < 1e-11 * scale,
           f"{coupling}, steps {steps}, {more}: 40 macro steps as played", (found[-1], wanted[-1]))


def test_alike(folder):
    """One step in turn is the constant step; the pattern's growth is what the run shows."""
    drive = FINDINGS / "models/drive.yaml"
    for coupling in ("jacobi", "gauss-seidel-linear", "iterated", "newton"):
        one = states_of(drive, 0.4, "--coupling", coupling, "--set", "H=0.01")
        other = states_of(drive, 0.4, "--coupling", coupling, "--steps", "0.01,0.01")
        ok(one[1].shape == other[1].shape and np.abs(one[1] - other[1]).max() < 1e-12, f"{coupling}: equal steps are the constant step")
    _, states = states_of(drive, 1.3, "--coupling", "jacobi-linear", "--steps", "0.001,0.025")
    grown = np.linalg.norm(states[100]) / np.linalg.norm(states[60])
    ok(abs(grown ** (1 / 40) - 1.445314986) < 1e-5, "0.001 and 0.025 in turn grow by the pattern's 1.4453 a step", grown ** (1 / 40))
    steps = pathlib.Path(folder, "steps.csv")
    steps.write_text("step\n0.001\n\n0.025,accepted\n")
    ok(np.array_equal(states_of(drive, 1.3, "--coupling", "jacobi-linear", "--steps-file", steps)[1], states), "the same from a file")
    steps.write_text("step,iterations\n0.001,3\n0.025,12\n")
    ok(np.array_equal(states_of(drive, 1.3, "--coupling", "jacobi-linear", "--steps-file", steps)[1], states), "and from a file that names its columns")
    for coupling in ("jacobi-quadratic", "jacobi-linear-smoothed", "gauss-seidel-quadratic"):
        ends = [states_of(drive, 0.009, "--coupling", coupling, "--steps", f"0.003,0.002,0.004,{last}")[1] for last in ("0.001", "0.1")]
        ok(ends[0].shape[0] == 4 and np.array_equal(*ends), f"{coupling}: lists with equal beginnings agree up to where they differ", ends)
    errors = costab("simulate", str(drive), "--until", "0.3", "--steps", "0.005,0.01", "--error", "-f", "json")
    ok(errors.returncode == 0 and '"worst": "yes"' in errors.stdout, "--error follows the steps", errors.stdout)


def test_files(folder):
    """A results file has the rows' numbers, also from the key `steps`, for the couplings that it names."""
    drive, file, spec = FINDINGS / "models/drive.yaml", pathlib.Path(folder, "turns.h5"), FINDINGS / "sequences-played.yaml"
    asked = ("--coupling", "jacobi-linear", "--steps", "0.001,0.025")
    times, states = states_of(drive, 0.1, *asked)
    done = costab("simulate", str(drive), "--until", "0.1", *asked, "-o", str(file))
    with h5py.File(file) as h5:
        labels = [str(name) for name in h5["signal"].asstr()[:]]
        ok(done.returncode == 0 and np.array_equal(h5["time"][0], times) and
           np.array_equal(h5["value"][0, :, labels.index("motor.x1")], states[:, 2]), "-o: the rows' times and values", done.stderr)
    ok("--steps 0.001,0.025" in costab("info", str(file)).stdout, "and the steps in the text inside")
    drawn = pathlib.Path(folder, "played.h5")
    done = costab("sweep", str(spec), "-o", str(drawn))
    with h5py.File(drawn) as h5:
        ok(done.returncode == 0 and np.allclose(h5["time"][2, :3], [0, 0.001, 0.026], rtol=0, atol=1e-15) and
           h5["time"][1, 2] == 0.05, "the key `steps` is of one coupling", done.stderr)
        ok(np.allclose(h5["value"][2, :5, 0], states[:5, 2], rtol=0, atol=1e-13), "its values are the command's")


def test_refused(folder):
    drive = FINDINGS / "models/drive.yaml"
    refused("a step of 0", "step 2 is 0; it must be above 0", "simulate", drive, "--until", 1, "--steps", "0.01,0", lines=1)
    refused("a range is no list of steps", "is not LO:HI:N", "simulate", drive, "--until", 1, "--steps", "0.01:0.1")
    refused("both", "either --steps or --steps-file", "simulate", drive, "--until", 1, "--steps", "0.01", "--steps-file", "x")
    bad = pathlib.Path(folder, "bad.csv")
    for what, text, words in (("a word in the file", "step\n0.01\nfast\n", "3: error: expected a macro step above 0, found 'fast'"),
                              ("a decimal comma", "h\n0.5\n1,5\n", "3: error: unexpected ',' after '1': write a decimal point"),
                              ("a decimal comma in the first line", "0,003\n", "1: error: unexpected ',' after '0'"),
                              ("a decimal comma with a point before", "0.0,03\n", "1: error: unexpected ',' after '0.0'"),
                              ("a semicolon", "0.5;0.1\n0.5\n", "1: error: expected a macro step above 0, found '0.5;0.1'"),
                              ("an empty cell", "h,x\n0.5,1\n,1\n", "3: error: expected a macro step above 0, found an empty cell"),
                              ("a negative step", "0.5\n-1\n", "2: error: expected a macro step above 0, found '-1'")):
        bad.write_text(text)
        refused(what, f"{bad}:{words}", "simulate", drive, "--until", 1, "--steps-file", bad)
    bad.write_text("step\n")
    refused("an empty file", "expected macro steps, one per line", "simulate", drive, "--until", 1, "--steps-file", bad)
    strided = pathlib.Path(folder, "strided.yaml")
    strided.write_text(drive.read_text().replace("substeps: 10", "substeps: 10\n    stride: 2", 1))
    refused("strides", "take no strides", "simulate", strided, "--until", 1, "--steps", "0.01,0.02", lines=1)
    own = pathlib.Path(folder, "own.yaml")
    own.write_text(drive.read_text().replace("substeps: 10", "step: H/10", 1))
    for what in (["simulate", own, "--until", 1, "--steps", "0.01,0.02"], ["pattern", own, "--over", "H=0.01:0.02"], ["pattern", own, "--steps", "0.01,0.02"],
                 ["bound", own, "--error", 0.1]):
        refused(f"{what[0]}: other numbers that depend on H", "depend on 'H', too", *what)
    clocks = pathlib.Path(folder, "clocks.yaml")
    clocks.write_text(drive.read_text().replace("macro_step: H}", "macro_step: H, micro_steps: clocks}"))
    refused("clocks", "state of the clocks", "simulate", clocks, "--until", 1, "--steps", "0.01,0.02", lines=1)
    spec = pathlib.Path(folder, "spec.yaml")
    for keys, words in (("history: {until: 1, steps: {slow: [0.1]}}", "spec.yaml:4:29: error: history, steps: the model has no coupling 'slow'"),
                        ("history: {until: 1, steps: [0.1, -1]}", "spec.yaml:4:34: error: history, steps: a macro step is above 0, not -1"),
                        ("history: {until: 1, steps: [0.1]}\naxes: {H: [0.1]}", "only allowed without axes"),
                        ("history: {until: 1}\nfields: [class, error]", "without axes the key 'history' stores signals alone"),
                        ("history: {until: 1}\naxes: {k: {uncertain: 10 %}}", "without axes the key 'history' stores signals alone"),
                        ("axes: {k: {uncertain: 10 %}}\nfields: [probability]", "all axes are uncertain"),
                        ("axes: {H: [0.1], k: {uncertain: 10 %}}", "no field uses the uncertain parameters"),
                        ("history: {until: 1}\nfigure: {panels: coupling}", "there are several values of signal")):
        spec.write_text(f"title: t\nsystem: network\nmodel: {drive}\n{keys}\n")
        refused(keys, words, "sweep", spec, "-o", pathlib.Path(folder, "x.h5"))
    spec.write_text(f"system: network\nmodel: {drive}\nhistory: {{until: 1}}\nfigure: {{select: {{signal: motor.angle}}}}\n")
    done = costab("sweep", spec, "-o", pathlib.Path(folder, "x.h5"))
    ok(done.returncode == 0, "a figure of one signal", done.stderr)


with tempfile.TemporaryDirectory() as temporary:
    test_played(temporary)
    test_alike(temporary)
    test_files(temporary)
    test_refused(temporary)
finish()
