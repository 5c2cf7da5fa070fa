#!/usr/bin/env python3
"""The float fields that a sweep writes are those that classify, whose kernel is scalar and has no clones, gives for the same
points, bit for bit. Prints TAP."""
import tempfile

import h5py
import numpy as np

from tap import costab, csv_rows, finish, ok


def check_values(method, substeps):
    fields = ("trace", "determinant", "spectral_radius")
    spec = f"""system: planar
schemes: all
method: {method}
substeps: {substeps}
axes:
  a: [-0.5, 0.3]
  gamma: {{from: -6, to: 2, points: 23}}
  delta: {{from: -2, to: 14, points: 37}}
fields: [{', '.join(fields)}]
"""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/s.yaml", "w") as file:
            file.write(spec)
        costab("sweep", folder + "/s.yaml", "-o", folder + "/s.h5", "--quiet", check=True)
        with h5py.File(folder + "/s.h5") as file:
            a, gamma, delta = (file[k][:] for k in ("a", "gamma", "delta"))
            grids = {k: file[k][:] for k in fields}
    points = [(x, g, d) for x in a for g in gamma for d in delta]
    text = "a,gamma,delta\n" + "".join("%.17g,%.17g,%.17g\n" % p for p in points)
    said = costab("classify", "--points", "-", "--scheme", "all", "--method", method, "--substeps", substeps, input=text, check=True)
    rows = csv_rows(said)
    for k in fields:
        values = np.array([float(r[k]) for r in rows]).reshape(len(a), len(gamma), len(delta), 4)
        same = np.moveaxis(values, 3, 0) == grids[k]
        ok(same.all(), f"{method}, {substeps} micro steps: {same.size} values of {k} are classify's", (~same).sum(), "differ")


for method, substeps in (("rk4", 1), ("rk4", 3), ("radau2", 1), ("gauss2", 2), ("dopri5", 1), ("exact", 1)):
    check_values(method, substeps)
finish()
