#!/usr/bin/env python3
"""Fields of a run in a network sweep: error, error_bound, energy_residual, against a play-through in NumPy, the other
commands' numbers, and each other. Prints TAP."""
import pathlib
import tempfile

import h5py
import numpy as np

from tap import costab, csv_rows, finish, ok, ROOT as root, stride, words

components = root / "sweeps/ma2015/models/components.yaml"
carriage = root / "sweeps/vpf/models/combined-stability.yaml"


def rows(*arguments):
    return csv_rows(costab(*arguments))


def sweep(folder, name, text, *options):
    path = pathlib.Path(folder, name)
    path.with_suffix(".yaml").write_text("system: network\n" + text)
    done = costab("sweep", path.with_suffix(".yaml"), "-o", path.with_suffix(".h5"), *options)
    ok(done.returncode == 0 and words(done.stderr) == "", f"{name}: runs without a word", done.stderr)
    return h5py.File(path.with_suffix(".h5"))


def played(T, horizon, delay, R=5.0, k=5.0, parts=200):
    """[MS] section 5 by its closed forms: on [jT, (j+1)T) each component sees the other as it was at (j - delay)T."""
    values, vectors = np.linalg.eig(np.array([[0, 1], [-k, -R]]))
    weights = np.linalg.solve(vectors, [1, 1])
    past = [np.ones(2)] * (delay + 1)
    worst, tau = 0, np.arange(parts + 1) * (T / parts)
    for j in range(int(horizon / T + 1e-9)):
        seen, now = past[0], past[-1]
        x1 = now[0] + tau * seen[1]
        x2 = np.exp(-R * tau) * now[1] - k * seen[0] * (1 - np.exp(-R * tau)) / R
        true = (vectors * weights) @ np.exp(np.outer(values, j * T + tau))
        worst = max(worst, np.abs(np.stack([x1, x2]) - true.real).max())
        past = past[1:] + [np.array([x1[-1], x2[-1]])]
    return worst


def test_error(folder):
    steps = [0.01, 0.03, 0.1, 0.15, 0.2, 0.4]
    for delay in (1, 0)[::stride(2)]:
        text = f"model: {components}\nparameters: {{delay: {delay}}}\naxes: {{T: {steps}}}\nhistory: {{until: 6}}\n"
        with sweep(folder, f"error{delay}", text + "fields: [error, error_bound]\n") as file:
            error, bound = file["error"][0], file["error_bound"][0]
            ok(set(file) >= {"error", "error_bound"} and "class" not in file, "the fields asked for, and no other")
        by_hand = np.array([played(T, 6, delay) for T in steps])
        ok(np.allclose(error, by_hand, rtol=1e-10, atol=0), "the error is that of the play-through", error, by_hand)
        table = rows("bound", components, "--error", 5, "--horizon", 6, "--set", f"delay={delay}",
                     "--at", ",".join(map(str, steps)))
        told = {row["name"]: float(row["value"]) for row in table}
        ok([v for n, v in told.items() if n.startswith("error at")] == list(error), "and that of costab bound --at")
        ok(np.allclose(bound, told["error_per_macro_step"] * np.array(steps), rtol=1e-15, atol=0),
           "the bound is the bound command's, times T")
        ok(np.all(error < bound), "[MS] (30): the error is below its bound")


def test_energy(folder):
    steps = [0.01, 0.0125, 0.02, 0.05, 0.07]
    text = f"""model: {carriage}
coupling:
  - {{name: jacobi, macro_step: T_d}}
  - {{name: gauss-seidel-linear, scheme: gauss-seidel, interpolation: linear, macro_step: T_d}}
  - {{name: iterated, scheme: iterated, macro_step: T_d}}
axes: {{T_d: {steps}}}
fields: [class, energy_residual, error]
history: {{until: 1}}
"""
    with sweep(folder, "energy", text, "--threads", 1) as file:
        energy, error = file["energy_residual"][:], file["error"][:]
        names = file["coupling"].asstr()[:]
    for c, name in enumerate(names):
        for i, T in enumerate(steps):
            table = rows("simulate", carriage, "--until", 1, "--set", f"T_d={T}", "--coupling", name)
            told = [float(r["value"]) for r in table if r["signal"] == "bond1.energy"]
            states = [r for r in table if (r["subsystem"], r["signal"]) in
                      {(s, x) for s in ("carriage", "trailer") for x in ("x1", "x2")}]
            worst = max(abs(float(r["value"]) - float(r["monolithic"])) for r in states)
            ok(len(told) == int(1 / T + 1e-9) and energy[c, i] == sum(told) and error[c, i] == worst,
               f"{name}, T_d = {T}: the sum of simulate's residual energies, its largest difference of a state",
               energy[c, i], sum(told), error[c, i], worst)
    # A converged iteration ends with inputs that are the other's outputs: dP = 0 but for rounding.
    ok(np.abs(energy[2]).max() < 1e-13, "a converged iteration has no residual energy", energy[2])
    with sweep(folder, "threads", text, "--threads", 7) as file:
        ok(np.array_equal(file["energy_residual"][:], energy), "the same numbers with 7 threads")


def test_meter(folder):
    """An output that depends on an input, at the end of a chain: the same monolithic values for formulas as for matrices."""
    path, values = pathlib.Path(folder, "meter.yaml"), []
    for dynamics in ("A: [[-1]], B: [[1]], C: [[1]]", "states: [x], f: [-x + 0*x^3 + u], g: [x]"):
        path.write_text(f"""system: network
subsystems:
  - {{name: a, {dynamics}, inputs: [u], outputs: [y], x0: [1], method: rk4}}
  - {{name: b, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4}}
  - {{name: meter, A: [[-1]], B: [[1]], C: [[-1]], D: [[1]], inputs: [u], outputs: [y], method: rk4}}
connections: [{{from: a.y, to: b.u}}, {{from: b.y, to: a.u, gain: -9}}, {{from: a.y, to: meter.u}}]
coupling: {{macro_step: 0.1}}
""")
        values.append([float(r["monolithic"]) for r in rows("simulate", path, "--until", "1") if r["signal"] == "y"])
    ok(len(values[0]) > 10 and np.allclose(*values, rtol=0, atol=1e-9), "monolithic outputs of formulas and of matrices", *values)


def test_divergence(folder):
    text = f"model: {components}\naxes: {{T: [0.4, 3]}}\nfields: [class, error]\nhistory: {{until: 2000}}\n"
    with sweep(folder, "diverges", text) as file:
        ok(file["class"][0].tolist() == [3, 2] and np.isfinite(file["error"][0, 0]) and np.isposinf(file["error"][0, 1]),
           "a run that diverges has an infinite error", file["error"][:])


def test_refused(folder):
    for words, text in (
            ("fields: 'error' needs the end of the run; write for instance 'history: {until: 20}'",
             f"model: {components}\naxes: {{T: [0.1, 0.2]}}\nfields: [class, error]\n"),
            ("fields: 'energy_residual' is the energy of power bonds, and the model has none",
             f"model: {components}\naxes: {{T: [0.1, 0.2]}}\nfields: energy_residual\nhistory: {{until: 1}}\n"),
            ("figure, kind: 'curve' draws the field 'error'",
             f"model: {components}\naxes: {{T: [0.1, 0.2]}}\nfigure: {{kind: curve, of: error}}\n")):
        path = pathlib.Path(folder, "bad.yaml")
        path.write_text("system: network\n" + text)
        done = costab("sweep", path, "-o", folder)
        line = [k + 1 for k, s in enumerate(path.read_text().splitlines()) if s.startswith(words.split(":")[0].split(",")[0])]
        ok(done.returncode == 2 and words in done.stderr and f"bad.yaml:{line[0]}:" in done.stderr, words, done.stderr)


def test_figures(folder):
    """What is drawn is what is stored; errors over decades, energies about 0."""
    text = f"model: {components}\naxes: {{T: [0.01, 0.02, 0.05, 0.1, 0.2]}}\nhistory: {{until: 2}}\n"
    with sweep(folder, "drawn", text + "fields: [error, error_bound]\nfigure: {kind: curve, of: error}\n") as file:
        stored = {"c1": file["error"][0], "bound": file["error_bound"][0]}
    done = costab("plot", pathlib.Path(folder, "drawn.h5"), "--script-only", "-o", folder)
    data, script = (pathlib.Path(folder, "drawn." + e).read_text() for e in ("dat", "gp"))
    ok(done.returncode == 0 and "set logscale y" in script and "largest error of a state" in script
       and "bound, [MS] (30)" in script, "an error is drawn over decades, its bound beside it", done.stderr)
    for word, values in stored.items():
        block = data.split(f"# 1.curve.{word}: ")[1].split("\n\n\n")[0].splitlines()[1:]
        drawn = np.array([line.split() for line in block], float)
        ok(np.allclose(drawn[:, 1], values, rtol=1e-8), f"the curve {word} is that of the file")


def test_second_axis(folder):
    """A second axis makes curves of its own: along the longer axis, whichever stands first."""
    short, long = "delay: [0, 1]", "T: [0.01, 0.02, 0.05, 0.1, 0.2]"
    pair = "[{name: one, macro_step: T}, {name: two, scheme: gauss-seidel, macro_step: T}]"
    for name, axes in (("short", f"{short}, {long}"), ("long", f"{long}, {short}")):
        text = f"model: {components}\ncoupling: {pair}\naxes: {{{axes}}}\nhistory: {{until: 1}}\nfields: error\n"
        with sweep(folder, name, text + "figure: {kind: curve, of: error}\n") as file:
            stored = file["error"][:] if name == "short" else file["error"][:].transpose(0, 2, 1)
        done = costab("plot", pathlib.Path(folder, name + ".h5"), "--script-only", "-o", folder)
        data, script = (pathlib.Path(folder, f"{name}.{e}").read_text() for e in ("dat", "gp"))
        good = done.returncode == 0 and "two, delay = 1" in script
        for c, values in enumerate(stored.reshape(4, 5)):
            block = data.split(f"# 1.curve.c{c + 1}: ")[1].split("\n\n\n")[0].splitlines()
            drawn = np.array([line.split() for line in block[1:]], float)
            good = good and block[0] == f"{('one', 'two')[c // 2]}, delay = {c % 2}"
            good = good and np.allclose(drawn[:, 1], values, rtol=1e-8)
        ok(good, f"four curves, each with its name and its values: {axes}", done.stderr)


def test_signals_with_axes(folder):
    """A chart stores no signals, and says so."""
    path = pathlib.Path(folder, "signals.yaml")
    for keys, said in (("until: 1", False), ("until: 1, local: true", True), ("until: 1, signals: [one.x1]", True)):
        path.write_text(f"system: network\nmodel: {components}\naxes: {{T: [0.1, 0.2]}}\nhistory: {{{keys}}}\nfields: [error]\n")
        done = costab("sweep", path, "--force", "-o", folder)
        ok(done.returncode == 0 and ("no signals are stored" in done.stderr) == said, f"with axes and history: {{{keys}}}", done.stderr)


with tempfile.TemporaryDirectory() as folder:
    for test in (test_error, test_energy, test_meter, test_divergence, test_refused, test_figures, test_second_axis, test_signals_with_axes):
        test(folder)
finish()
