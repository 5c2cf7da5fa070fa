#!/usr/bin/env python3
"""Units: of stored fields, read by h5py, and of the two ends of a connection. Prints TAP."""
import pathlib
import tempfile

import h5py

from tap import costab, finish, ok, refused

MODEL = """system: network
parameters: {{H: 0.1, k: {{value: 2, unit: N/m}}, g: 1}}
subsystems:
  - {{name: motor, A: [[-1]], B: [[1]], C: [[1]], inputs: [{{name: M, unit: {0}}}], outputs: [{{name: n, unit: {1}}}], method: exact}}
  - {{name: load, A: [[-2]], B: [[1]], C: [[1]], inputs: [{{name: w, unit: {2}}}], outputs: [{{name: M, unit: {3}}}], method: exact}}
connections:
  - {{from: motor.n, to: load.w}}
  - {{from: load.M, to: motor.M, gain: -k}}
coupling: {{scheme: jacobi, macro_step: H}}
"""


def units_of(path):
    with h5py.File(path) as file:
        text = lambda value: value.decode() if isinstance(value, bytes) else value
        return {name: text(dataset.attrs["units"]) for name, dataset in file.items() if "units" in dataset.attrs}


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    path, out = folder / "m.yaml", folder / "out.h5"

    for given, pairs in ((("kN m", "rpm", "rad/s", "N m"), ["motor.n -> load.w: from rpm to rad/s with the gain 1", "load.M -> motor.M: from N m to kN m with the gain -2"]),
                         (("N m", "rad/s", "rad/s", "N m"), []), (("N*m", "m/s^2", "m/s2", "N m"), []), (("N m", "m/s", "m s", "N m"), ["motor.n -> load.w: from m/s to m s"]),
                         (('"N·m"', "m/s²", "m/s^2", "N m"), []), (("Nm/rad", "m/s", "m/s", "N m/rad"), []), (("Nm", "ms", "m s", "Nm"), ["motor.n -> load.w: from ms to m s"])):
        path.write_text(MODEL.format(*given))
        done = costab("map", path)
        lines = [line for line in done.stderr.splitlines() if "check that the gain converts" in line]
        ok(done.returncode == 0 and len(lines) == len(pairs) and all(pair in line and f"{path}:" in line for pair, line in zip(pairs, lines)),
           f"{given}: {len(pairs)} warnings", done.stderr)
    path.write_text(MODEL.format("N m", "rpm", "rad/s", "N m").replace("{name: w, unit: rad/s}", "w"))
    done = costab("map", path)
    ok(done.returncode == 0 and "converts" not in done.stderr, "an end without a unit is not compared", done.stderr)

    path.write_text(MODEL.format("N m", "rad/s", "rad/s", "N m").replace("g: 1", "g: 1, T: 1"))
    spec = folder / "s.yaml"
    spec.write_text("{system: network, model: m.yaml, axes: {H: {from: 0.05, to: 3, points: 9}, k: {from: 1, to: 5, points: 9}}, "
                    "fields: [class, spectral_radius, spectral_abscissa, growth, decay]}")
    costab("sweep", spec, "-o", out)
    with_unit = folder / "u.yaml"
    with_unit.write_text("{system: network, model: m.yaml, parameters: {k: {value: 3, unit: kN/m}}, axes: {H: [0.1]}}")
    refused("another unit beside 'model'", "u.yaml:1:50: error: parameters: 'k' is in N/m in the model, not in kN/m", "sweep", with_unit)
    with_unit.write_text("\ufeffsystem: network\nmodel: m.yaml\nparameters: {k: {value: 3, unit: N/m, label: spring}}\naxes: {H: [0.1]}\n")
    done = costab("info", with_unit)
    ok("k,3,spring,N/m" in done.stdout, "a label beside 'model' replaces that of the model", done.stdout, done.stderr)
    part = folder / "u.part"
    costab("sweep", with_unit, "--fmu-accuracy", "1e-3", "--slice", "1/1", "-o", part)
    done = costab("merge", part, "-o", folder / "u.h5")
    ok(done.returncode == 0, "notes before a text with a byte order mark", done.stderr)

    found = units_of(out)
    expected = {"H": "s", "k": "N/m", "spectral_radius": "1", "class": "1", "spectral_abscissa": "1/s", "growth": "1/s", "decay": "1/s",
                "level_one_H": "s", "level_one_k": "N/m"}
    ok(all(found.get(name) == unit for name, unit in expected.items()), "fields of a sweep", found)
    path.write_text(path.read_text().replace("A: [[-1]]", "x0: [1], A: [[-1]]"))
    spec.write_text("{system: network, model: m.yaml, axes: {k: [1, 2]}, best: {over: H, range: [0.01, 1], error: 0.1, until: 2}, "
                    "fields: [best, best_step, best_cost]}")
    done = costab("sweep", spec, "-o", out, "--force")
    found = units_of(out)
    ok(found.get("best_step") == "s" and found.get("best_cost") == "1/s", "steps and costs", found, done.stderr)
    spec.write_text("{system: network, model: m.yaml, history: {until: 1}}")
    done = costab("sweep", spec, "-o", out, "--force")
    found = units_of(out)
    ok(found.get("time") == "s", "times", found, done.stderr)
    done = costab("limit", path, "--over", "H=0.01:3", "-o", out, "--force")
    found = units_of(out)
    ok([found.get(name) for name in ("lower", "upper", "range_upper", "upper_frequency", "class")] == ["s", "s", "s", "Hz", "1"], "limits", found, done.stderr)
    plain = {name: costab("limit", path, "--over", name).stdout for name in ("H=0.0011:3", "k=1500:5e6")}
    for given, same in (("H=1.1ms:3s", "H=0.0011:3"), ("H=1100us:3", "H=0.0011:3"), ("H=1100µs:3000ms", "H=0.0011:3"), ("k=1.5kN/m:5MN/m", "k=1500:5e6"), ("k=1.5 kN/m:5 MN/m", "k=1500:5e6"), ("H=0.0011 s:3 s", "H=0.0011:3")):
        done = costab("limit", path, "--over", given)
        ok(done.returncode == 0 and done.stdout == plain[same], f"--over {given}", done.stdout, plain[same], done.stderr)
    sweeps = [folder / f"{name}.h5" for name in "ab"]
    for path_to, axes, value in ((sweeps[0], ("H=50ms:3s:5:log", "g=1,2"), "k=3kN/m"), (sweeps[1], ("H=50e-3:3:5:log", "g=1,2"), "k=3000")):
        done = costab("sweep", path, "--axis", axes[0], "--axis", axes[1], "--set", value, "-o", path_to)
        ok(done.returncode == 0, f"{axes[0]} {value}", done.stderr)
    with h5py.File(sweeps[0]) as one, h5py.File(sweeps[1]) as two:
        ok(all((one[name][()] == two[name][()]).all() for name in ("H", "g", "class", "spectral_radius")), "--axis and --set of a sweep with units")
    ok(costab("map", path, "--set", "H=50ms").stdout == costab("map", path, "--set", "H=0.05").stdout != costab("map", path).stdout, "--set with a unit")
    for command, piece in ((("map", path, "--set", "H=5m"), "--set H: '5m' is not a finite number, a decimal or a fraction such as 1/3, or with the unit: 1s, 1ms"),
                           (("sweep", path, "--set", "g=5ms"), "--set g: '5ms' is not a finite number"),
                           (("sweep", path, "--axis", "H=1mm:2s:5"), "--axis: '1mm:2s:5' is not LO:HI:N")):
        done = costab(*command, "-o", folder / "no.h5") if command[0] == "sweep" else costab(*command)
        ok(done.returncode == 2 and piece in done.stderr, f"{command[-1]} is refused", done.stderr)
    for given, piece in (("H=1mm:2", "with the unit: 1s, 1ms"), ("g=1ms:2", "if the model gives the parameter one"), ("H=3s:2s", "with LO < HI")):
        done = costab("limit", path, "--over", given)
        ok(done.returncode == 2 and piece in done.stderr, f"--over {given} is refused", done.stderr)
    for unit, step, warned in (("ms", "H", True), ("s", "H", False), ("ms", "H/1000", False)):
        (folder / "step.yaml").write_text(path.read_text().replace("H: 0.1,", f"H: {{value: 0.1, unit: {unit}}},").replace("macro_step: H", f"macro_step: {step}"))
        done = costab("map", folder / "step.yaml")
        ok(done.returncode == 0 and ("as macro step it is in seconds" in done.stderr) == warned, f"the macro step {step} with H in {unit}", done.stderr)
    # an axis shown in another unit: the same figure with other numbers
    path.write_text(path.read_text().replace("value: 2", "value: 5"))
    shown = path.read_text().replace("unit: N/m}", "unit: N/m, display: kN/m}").replace("H: 0.1,", "H: {value: 0.1, unit: s, display: ms},")
    scripts, numbers = [], []
    for name, text in (("base", path.read_text()), ("shown", shown)):
        (folder / f"{name}.yaml").write_text(text)
        for what, command in (("chart", ("sweep", "--axis", "H=0.05:3:41", "--axis", "k=1:100:41:log", "-o", folder / f"{name}-chart.h5")),
                              ("limit", ("limit", "--over", "H=0.05:3", "-o", folder / f"{name}-limit.h5")),
                              ("locus", ("map", "--over", "H=0.05:3", "-o", folder / f"{name}-locus.h5"))):
            done = costab(command[0], folder / f"{name}.yaml", *command[1:])
            drawn = costab("plot", folder / f"{name}-{what}.h5", "-o", folder, "--script-only")
            ok(done.returncode == drawn.returncode == 0, f"{name} {what}", done.stderr, drawn.stderr)
            scripts.append((folder / f"{name}-{what}.gp").read_text())
            rows = [line.split() for line in (folder / f"{name}-{what}.dat").read_text().splitlines()]
            numbers.append([[float(word) for word in row] for row in rows if len(row) == 2 and row[0] != "#"])
    same = lambda one, two, x, y: len(one) == len(two) > 4 and all(
        abs(x * a[0] - b[0]) <= 1e-6 * max(1, abs(b[0])) and abs(y * a[1] - b[1]) <= 1e-6 * max(1, abs(b[1])) for a, b in zip(one, two))
    ok(same(numbers[0], numbers[3], 1000, 1e-3), "display: a chart over H and k", numbers[0][:9], numbers[3][:9])
    ok(same(numbers[1], numbers[4], 1000, 1), "display: limits over H", numbers[1][:9], numbers[4][:9])
    ok(same(numbers[2], numbers[5], 1, 1), "display: eigenvalues keep their axes", numbers[2][:9], numbers[5][:9])
    ok("(N/m)" in scripts[0] and "(ms)" in scripts[3] and "(kN/m)" in scripts[3] and "(N/m)" not in scripts[3] and "(ms)" in scripts[4] and " ms, " in scripts[5],
       "display: the unit at axes and values", *scripts[3:])
    ok(0.05 < (upper := float(costab("limit", path, "--over", "H=0.05:3").stdout.splitlines()[1].split(",")[3])) < 3, "it ends in the range", upper)
    ok(f"{upper:.4g}" in scripts[1] and f"{1000 * upper:.4g}" in scripts[4], "display: the number at a bar", upper)
    spec.write_text("{system: network, model: base.yaml, axes: {H: {from: 0.05, to: 3, points: 9, unit: s, display: us}}, fields: [spectral_radius]}")
    done, drawn = costab("sweep", spec, "-o", folder / "axis.h5"), costab("plot", folder / "axis.h5", "-o", folder, "--script-only")
    ok("(us)" in (folder / "axis.gp").read_text() and "xrange [50000:" in (folder / "axis.gp").read_text(), "display of a spec's axis", done.stderr, drawn.stderr)
    for given, piece in (("unit: N/m, display: kN", "parameters: display: expected 'N/m' with an SI prefix, such as 'mN/m', found 'kN'"),
                         ("display: kN/m", "parameters: 'display' needs the key 'unit'")):
        (folder / "bad.yaml").write_text(path.read_text().replace("unit: N/m", given, 1))
        done = costab("map", folder / "bad.yaml")
        ok(done.returncode == 2 and piece in done.stderr, f"{given} is refused", done.stderr)
    done = costab("margin", path, "-o", out, "--force")
    ok(units_of(out).get("frequency") == "Hz" and units_of(out).get("factor") == "1", "margins", units_of(out), done.stderr)
    done = costab("pattern", path, "--steps", "0.1,0.2", "-o", out, "--force")
    found = units_of(out)
    ok([found.get(name) for name in ("rate_upper", "pattern", "upper")] == ["1/s", "s", "1"], "patterns", found, done.stderr)
finish()
