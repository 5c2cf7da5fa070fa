#!/usr/bin/env python3
"""Numbers that double precision does not hold, wherever they are read, and maps that overflow. The maps' numbers are computed in
fractions, which have no bound. Prints TAP."""
import pathlib
import tempfile
from fractions import Fraction

import h5py

from tap import costab, csv_rows, finish, ok, refused

MODEL = """system: network
parameters: {{H: 0.1, c: {c}}}
subsystems:
  - {{name: a, A: [[{A}]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: {method}, x0: [1]}}
  - {{name: b, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: {method}, x0: [1]}}
connections: [{{from: a.y, to: b.u, gain: {gain}}}, {{from: b.y, to: a.u, gain: 0.3}}]
coupling: {{scheme: jacobi, macro_step: H}}
"""


def written(folder, **more):
    path = pathlib.Path(folder, "model.yaml")
    path.write_text(MODEL.format(**{"c": "1", "A": "-c", "method": "rk4", "gain": "-0.3", **more}))
    return path


def test_read(folder):
    small = "is too close to 0 for a number in double precision"
    option = "is not a finite number of double precision: it is too close to 0 for one"
    for text in ("1e-400", "-1e-330", "0.00001e-320"):
        refused(f"a parameter of {text}", f"model.yaml:2:25: error: parameter 'c': '{text}' {small}", "map", written(folder, c=text))
        refused(f"an entry of {text}", f"error: subsystem 'a', A(1,1): '{text}' {small}", "map", written(folder, A=text))
        refused(f"a gain of {text}", f"'{text}' {small}", "map", written(folder, gain=text))
        refused(f"--set c={text}", f"--set c: '{text}' {option}", "map", written(folder), "--set", f"c={text}")
    refused("a number in a formula", "it is too close to 0 for one", "map", written(folder, A='"-c*1e-400"'))
    refused("a quotient in a formula", "it is too close to 0 for one", "map", written(folder, A='"-c - 2/1e-400"'))
    refused("a large number in a formula", "it is too large for one", "map", written(folder, A='"-c*1e400"'))
    refused("--set c=1e400", "--set c: '1e400' is not a finite number of double precision: it is too large for one", "map", written(folder), "--set", "c=1e400")
    refused("a range", "is not NAME=LO:HI", "limit", written(folder), "--over", "H=1e-400:1")
    refused("a list", "'1e-400' " + option, "pattern", written(folder), "--steps", "1e-400,0.1")
    refused("a planar value", option, "classify", "--a", "1e-400", "--gamma", "0", "--delta", "1")
    refused("a planar range", "is not LO:HI:N", "classify", "--a", "0:1e-400:3", "--gamma", "0", "--delta", "1")
    refused("the exact module", "", "critical", "--scheme", "cross", "--method", "rk4", "--a", "1e-400:1")
    refused("an area", option, "area", "--a", "1e-400")
    refused("a share", "--vary: '1e-400' is not a share", "tune", written(folder), "--over", "H=0.01:1", "--vary", "1e-400")
    points = pathlib.Path(folder, "points.csv")
    points.write_text("a,gamma,delta\n1e-400,0,1\n")
    refused("a CSV file", "points.csv:2:1: error: expected a finite number, found '1e-400'", "classify", "--points", points)
    steps = pathlib.Path(folder, "steps.csv")
    steps.write_text("h\n0.1\n1e-400\n")
    refused("a file of steps", "steps.csv:3: error: expected a macro step above 0, found '1e-400'", "simulate", written(folder), "--until", 1,
            "--steps-file", steps)
    done = costab("map", str(written(folder, c="0e-400")), "-f", "csv")
    ok(done.returncode == 0, "0e-400 is 0", done.stderr)


def rk4(z):
    return 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24


def test_maps(folder):
    """Whether the largest entry of rk4's map is a double is decided in fractions."""
    largest = Fraction(2)**1024
    for H, fits in (("1e70", True), ("1e76", True), ("1e78", False), ("1e200", False), ("1e308", False)):
        ok((rk4(-Fraction(H)) < largest) == fits, f"H = {H}: R(-H) is {'' if fits else 'no '}double")
        done = costab("map", str(written(folder)), "--set", f"H={H}", "-f", "csv")
        if fits:
            ok(done.returncode == 0 and "nan" not in done.stdout and "jacobi,class,SU" in done.stdout, f"H = {H}: SU", done.stdout)
        else:
            ok(done.returncode != 0 and f"the map overflows at the macro step {float(H):g}".replace("e+", "e") in done.stderr.replace("e+", "e") and
               "subsystem 'a' by rk4" in done.stderr and done.stdout.count("class") == 0, f"H = {H}: refused, naming the subsystem", done.stderr)
    done = costab("map", str(written(folder, method="exact")), "--set", "H=1e308", "-f", "csv")
    values = {r["name"]: r["value"] for r in csv_rows(done.stdout) if r["name"] in ("class", "spectral_radius")}
    ok(values["class"] == "SS" and abs(float(values["spectral_radius"]) - 0.3) < 1e-14,
       "exact at H = 1e308: the map is that of the static gains, of radius sqrt(0.3 * 0.3)", done.stdout)
    for method in ("backward-euler", "trapezoidal"):
        done = costab("map", str(written(folder, method=method, c="10")), "--set", "H=1e308", "-f", "csv")
        ok(done.returncode != 0 and "the map overflows" in done.stderr, f"{method} at H = 1e308 is refused", done.stderr + done.stdout)
        done = costab("limit", str(written(folder, method=method, c="10")), "--over", "H=1e280:1e308", "--spacing", "log", "-f", "csv")
        ok("own solver" not in done.stderr and not any(r["upper_kind"] == "limit" for r in csv_rows(done.stdout)),
           f"{method}, which is stable for all H, has no limit at the end of doubles", done.stdout + done.stderr)


def test_sweep(folder):
    """Two fields: classes alone go through lanes by powers, radii by eigenvalues."""
    for fields, name in (("[class]", "classes"), ("[class, spectral_radius]", "numbers")):
        spec, file = pathlib.Path(folder, "spec.yaml"), pathlib.Path(folder, f"{name}.h5")
        spec.write_text(f"title: t\nsystem: network\nmodel: {written(folder).name}\nfields: {fields}\n"
                        "axes: {H: [0.1, 1, 10, 1e70, 1e78, 1e200, 1e308], c: [1, 2]}\n")
        done = costab("sweep", str(spec), "-o", str(file))
        with h5py.File(file) as h5:
            names = h5["class"][:]
            text = {int(c) for c in names.reshape(-1)}
            flat = names.reshape(-1, 7, 2) if names.shape[-1] == 2 else names.reshape(-1, 2, 7).swapaxes(1, 2)
            ok(len(text) > 1 and (flat[0, 4:] == flat[0, 4, 0]).all() and (flat[0, :4] != flat[0, 4, 0]).all(),
               f"{name}: the points that overflow are failed, the others are not", (flat, done.stderr))
        told = costab("info", str(file)).stdout
        ok("failed" in told + done.stderr and "overflows" in told + done.stderr, f"{name}: with the reason", told + done.stderr)


with tempfile.TemporaryDirectory() as temporary:
    test_read(temporary)
    test_maps(temporary)
    test_sweep(temporary)
finish()
