#!/usr/bin/env python3
"""decay, ln(rho)/H, beside growth: field, row of map, curve and contour. Prints TAP."""
import math
import pathlib
import tempfile

import h5py
import numpy as np

from tap import costab, csv_rows, finish, ok

# Two lags in a ring of gain -g under jacobi with exact solvers: e + i sqrt(g) (1 - e), e = exp(-a H); the continuous pair is
# -a + i a sqrt(g).
MODEL = """system: network
parameters: {a: 1, g: 4, H: 0.1}
subsystems:
  - {name: one, A: [[-a]], B: [[a]], C: [[1]], inputs: [u], outputs: [y], method: exact, substeps: 1}
  - {name: two, A: [[-a]], B: [[-a*g]], C: [[1]], inputs: [u], outputs: [y], method: exact, substeps: 1}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {macro_step: H}
"""


def true(H, g, a=1.0):
    return 0.5 * math.log(math.exp(-2 * a * H) + g * math.expm1(-a * H) ** 2) / H


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "decay.yaml")
    axes = "axes: {g: [1, 2, 4, 9], H: {from: 1e-4, to: 1, points: 60, spacing: log}}\nfields: [decay, growth, spectral_abscissa]\n"
    for kind, more in (("contour", "contour, of: growth"), ("contour", "contour, of: decay"), ("curve", "curve, of: decay")):
        path.write_text(MODEL + axes + f"figure: {{kind: {more}}}\n")
        done = costab("sweep", path, "-o", path.with_suffix(".h5"), "--force", "-q")
        if not ok(done.returncode == 0, f"{kind}: swept", done.stderr):
            continue
        done = costab("plot", path.with_suffix(".h5"), "-o", folder, "--force")
        ok(done.returncode == 0 and more.split()[-1] + " (1/s)" in path.with_suffix(".gp").read_text(), f"{kind}: drawn, with its unit",
           done.stderr)
    with h5py.File(path.with_suffix(".h5")) as file:
        decay, growth, abscissa = (file[n][0] for n in ("decay", "growth", "spectral_abscissa"))
        H, g = file["H"][:], file["g"][:]
    # rho is known to a few roundings, which H divides
    worst = max(abs(decay[i, j] - true(H[j], g[i])) * H[j] for i in range(len(g)) for j in range(len(H)))
    ok(worst < 1e-14, "the field is ln(rho)/H", worst)
    ok(np.abs(growth - (decay - abscissa)).max() < 1e-14 * np.abs(decay).max(), "growth is what it is above the abscissa")
    ok(np.all(np.abs(decay[:, 0] - (-1 + g / 2 * 1e-4)) < 1e-6), "as H tends to 0 it tends to the abscissa, -1", decay[:, 0])
    # far from the limit the abscissa says nothing of the decay: no digits are lost by way of the growth
    table = csv_rows(costab("map", path, "--set", "a=1e9", "--set", "g=4"))
    told = {r["name"]: r["value"] for r in table}
    ok(abs(float(told["decay"]) - math.log(2) / 0.1) < 1e-13, "map has it, whole where the abscissa is -1e9", told["decay"])
finish()
