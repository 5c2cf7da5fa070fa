#!/usr/bin/env python3
"""One name, one coupling: planar schemes and couplings of networks of one name have the spectral radius of one map, which is computed
here from the definition, by NumPy. Prints TAP."""
import csv
import pathlib
import re
import tempfile

import numpy as np

from tap import EFFORT, costab, effort, finish, ok, seed

MODEL = """system: network
parameters: {{H: 1}}
subsystems:
  - {{name: one, states: [x], inputs: [u], outputs: [y], A: [[{0}]], B: [[{1}]], C: [[1]], method: rk4, substeps: 1}}
  - {{name: two, states: [x], inputs: [u], outputs: [y], A: [[{3}]], B: [[{2}]], C: [[1]], method: rk4, substeps: 1}}
connections: [{{from: two.y, to: one.u}}, {{from: one.y, to: two.u}}]
coupling: {{scheme: {4}, macro_step: H}}
"""


def rk4(p, q, x, at):
    """x' = p x + q u(s) from 0 to 1 by Runge and Kutta's method."""
    f = lambda s, x: p * x + q * at(s)
    k1 = f(0, x)
    k2 = f(0.5, x + k1 / 2)
    k3 = f(0.5, x + k2 / 2)
    return x + (k1 + 2 * k2 + 2 * k3 + f(1, x + k3)) / 6


def line(old, new):
    return lambda s: old + s * (new - old)


def held(value):
    return line(value, value)


def radius(name, a, b, c, d):
    """The largest modulus of the eigenvalues of one macro step, column by column."""
    columns = []
    for x, y in ((1., 0.), (0., 1.)):
        if name in ("zigzag", "gauss-seidel-linear"):
            X = rk4(a, b, x, held(y))
            Y = rk4(d, c, y, line(x, X))
        elif name == "gauss-seidel":
            X = rk4(a, b, x, held(y))
            Y = rk4(d, c, y, held(X))
        elif name in ("cross", "jacobi"):
            X, Y = rk4(a, b, x, held(y)), rk4(d, c, y, held(x))
        elif name in ("strong", "iterated-linear"):
            # X = p + q Y, Y = r + s X
            p, r = rk4(a, b, x, line(y, 0)), rk4(d, c, y, line(x, 0))
            q, s = rk4(a, b, 0, line(0, 1)), rk4(d, c, 0, line(0, 1))
            X = (p + q * r) / (1 - q * s)
            Y = r + s * X
        columns.append((X, Y))
    return abs(np.linalg.eigvals(np.array(columns).T)).max()


def planar(name, entries):
    done = costab("classify", "--matrix=" + ",".join(map(str, entries)), "--step", "1", "--scheme", name)
    return float(list(csv.DictReader(done.stdout.splitlines()))[0]["spectral_radius"])


def network(path, *more):
    done = costab("map", path, *more)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    return float(next(row["value"] for row in rows if row["name"] == "spectral_radius"))


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "two.yaml"
    random, wrong, differ = np.random.default_rng(seed(47)), [], 0
    for _ in range(effort(3)):
        entries = [round(float(v), 3) for v in random.uniform(-1.5, 1.5, 4)]
        for name in ("cross", "zigzag", "strong", "jacobi", "gauss-seidel-linear", "iterated-linear"):
            path.write_text(MODEL.format(*entries, name if name in ("cross", "zigzag", "strong") else "jacobi"))
            wanted = radius(name, *entries)
            found = [planar(name, entries), network(path, "--coupling", name)]
            if name in ("cross", "zigzag", "strong"):
                found.append(network(path))
            wrong += [(name, entries, found, wanted)] if not np.allclose(found, wanted, rtol=1e-11, atol=0) else []
        wanted = radius("gauss-seidel", *entries)
        found = network(path, "--coupling", "gauss-seidel")
        wrong += [("gauss-seidel", entries, found, wanted)] if not np.isclose(found, wanted, rtol=1e-11, atol=0) else []
        differ += abs(wanted / radius("zigzag", *entries) - 1) > 0.05
    ok(not wrong and (differ > effort(3) / 2 or EFFORT < 1), "planar schemes and couplings of one name have one radius, NumPy's", wrong[:3], differ)

    for name, instead in (("gauss-seidel", "gauss-seidel-linear"), ("iterated", "iterated-linear")):
        done = costab("classify", "--a", "0", "--gamma", "-1", "--delta", "1", "--scheme", name)
        ok(done.returncode == 2 and not done.stdout and f" or {instead}" in done.stderr, f"planar {name} is refused", done.stderr)
    path.write_text(MODEL.format(-1, 2, -3, -1, "jacobi").replace("{scheme", "{name: gauss-seidel, scheme"))
    done = costab("map", path)
    ok(done.returncode == 2 and "{scheme: gauss-seidel} in every model, but {scheme: jacobi} here" in done.stderr,
       "a model's coupling cannot have the name of another one", done.stderr)
    path.write_text(MODEL.format(-1, 2, -3, -1, "jacobi"))
    # Names in a model and in a spec, and the keys that each stands for.
    own = {name: network(path, "--coupling", name) for name in ("gauss-seidel(two,one)-linear", "newton-quadratic", "jacobi(1,-0.5)")}
    text = path.read_text()
    path.write_text(text.replace("{scheme: jacobi, macro_step: H}", '["gauss-seidel(two,one)-linear", newton-quadratic, "jacobi(1,-0.5)"]'))

    def radii(*command):
        rows = csv.DictReader(costab(*command).stdout.splitlines())
        return {row["coupling"]: float(row["value"]) for row in rows if row["name"] == "spectral_radius"}

    ok(radii("map", path) == own, "a list of names in a model", radii("map", path), own)
    listed = re.findall(r"^  (\S+) +(scheme: .*(?:\n {30,}.*)*)", costab("help", "couplings").stdout, re.M)
    keys = "".join(f"\n  - {{name: c{i}, macro_step: H, {' '.join(keys.split())}}}" for i, (_, keys) in enumerate(listed))
    path.write_text(text.replace(" {scheme: jacobi, macro_step: H}", keys))
    found, wanted = radii("map", path), radii("map", path, "--coupling", "all")
    ok(len(listed) == 42 and len(wanted) > 30 and {name: found[f"c{i}"] for i, (name, _) in enumerate(listed) if name in wanted} == wanted,
       "help couplings prints the keys of each", len(listed), found, wanted)
    path.write_text(text.replace("{scheme: jacobi, macro_step: H}", "{scheme: jacobi, macro_step: 2*H}").replace("H: 1", "H: 0.5"))
    spec, results = pathlib.Path(folder) / "spec.yaml", pathlib.Path(folder) / "spec.h5"

    def swept(names, *command):
        costab("sweep", *command, "-q", "--force", "-o", results)
        rows = list(csv.DictReader(costab("export", results).stdout.splitlines()))
        return {row["coupling"]: float(row["spectral_radius"]) for row in rows if row["H"] == "0.5"} if [row["coupling"] for row in rows[::2]] == names else rows

    asked = ["gauss-seidel(two,one)-linear", "newton-quadratic"]
    for what, content, command in (("a spec", f"system: network\nmodel: two.yaml\naxes: {{H: [0.5, 1]}}\nfields: [spectral_radius]\ncoupling: ['{asked[0]}', {asked[1]}]\n", (spec,)),
                                   ("sweep --coupling of a spec", "system: network\nmodel: two.yaml\naxes: {H: [0.5, 1]}\nfields: [spectral_radius]\n", (spec, "--coupling", ",".join(asked))),
                                   ("sweep --coupling of a model", path.read_text(), (path, "--axis", "H=0.5,1", "--coupling", ",".join(asked))),
                                   ("sweep --coupling of a spec with couplings", path.read_text() + "axes: {H: [0.5, 1]}\nfields: [spectral_radius]\n", (spec, "--coupling", ",".join(asked)))):
        spec.write_text(content)
        found = swept(asked, *command)
        ok(found == {name: own[name] for name in asked}, f"names in {what}, with the model's macro step", found, own)
    spec.write_text(text.replace("{scheme: jacobi, macro_step: H}", "[{name: mine, scheme: gauss-seidel, order: [two, one], interpolation: linear, macro_step: 2*H}, jacobi]").replace(
        "H: 1", "H: 0.5") + "axes: {H: [0.5, 1]}\nfields: [spectral_radius]\n")
    found = swept(["mine", asked[1]], spec, "--coupling", f"mine,{asked[1]}")
    ok(found == {"mine": own[asked[0]], asked[1]: own[asked[1]]}, "sweep --coupling of a coupling that the spec defines", found, own)
    for what, content, piece in (("unknown", "[jacobi, jacobbi]", ":20: error: coupling: unknown coupling 'jacobbi'"), ("twice", "[jacobi, cross]", "two couplings have the name 'jacobi'")):
        path.write_text(text.replace("{scheme: jacobi, macro_step: H}", content))
        ok(costab("map", path).returncode == 2 and piece in costab("map", path).stderr, f"a name is refused: {what}", costab("map", path).stderr)
    path.write_text(text.replace("{scheme: jacobi, macro_step: H}", "jacobi").replace("{H: 1}", "{T: 1}"))
    ok("neither is there" in costab("map", path).stderr, "a name needs a macro step", costab("map", path).stderr)
    done = costab("sweep", spec, "--coupling", "jacobi,jacobbi", "-o", results, "--force")
    ok(done.returncode == 2 and "unknown coupling 'jacobbi'" in done.stderr, "sweep --coupling refuses an unknown name", done.stderr)
    path.write_text(text)
    ok(np.isclose(network(path, "--coupling", "zigzag(two,one)"), radius("zigzag", -1, -3, 2, -1), rtol=1e-11), "zigzag in another order")
finish()
