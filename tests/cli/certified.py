#!/usr/bin/env python3
"""Certified charts and `costab prove`: what is certified has the class of the point, ball arithmetic confirms it, and refutes
what was changed. tests/long/certified.py does the same with many models. Prints TAP."""
import pathlib
import shutil
import tempfile

import certified_charts as certified
import h5py
import numpy as np
from tap import COSTAB, costab, finish, ok, refused, workplace


def counts(said):
    return dict((row.split(",")[0], int(row.split(",")[1])) for row in said.splitlines()[1:])


with workplace() as folder:
    for scheme, points in (("gauss-seidel", 65), ("iterated", 33)):
        text = certified.ARM % (scheme, points, points)
        path, classes, certificate, *_ = certified.sweep(COSTAB, folder, text + "refine: {certified: true}\n", "certified")
        truth = certified.sweep(COSTAB, folder, text, "full")[1]
        ok((classes == truth).all(), f"{scheme}: every class is that of the point", np.argwhere(classes != truth)[:5])
        shares = [float(np.mean(certificate == kind)) for kind in range(3)]
        ok(shares[0] > 0.5 and shares[2] < 0.2, f"{scheme}: most points are certified, few are grey", shares)
        told = costab("sweep", "certified.yaml", "-o", "told.h5", "--force").stderr
        ok("this run certified %.3g %% of its points, computed %.3g %% and left %.3g %% grey" % tuple(100 * s for s in shares) in told,
           f"{scheme}: a sweep says the shares", told)
        proved = costab("prove", path, "--quiet")
        found = counts(proved.stdout)
        ok(proved.returncode == 0 and found["refuted"] == 0 and found["confirmed"] == (certificate == 0).sum(),
           f"{scheme}: all certified points are confirmed", proved.stdout, proved.stderr)
        one = costab("sweep", "certified.yaml", "-o", "one.h5", "--threads", 1)
        ok(one.returncode == 0 and open("one.h5", "rb").read() == open(path, "rb").read(), f"{scheme}: the same bytes on one thread")
    with h5py.File(path) as file:
        attributes = file["certificate"].attrs
        ok(attributes["flag_meanings"] in ("certified computed grey", b"certified computed grey")
           and list(attributes["flag_values"]) == [0, 1, 2], "the field says what its codes mean")
    small = (certified.ARM % ("gauss-seidel", 17, 17)) + "refine: {certified: true}\n"
    own, classes, certificate, *_ = certified.sweep(COSTAB, folder, small, "small")
    faults, refuted, to_refute = [], 0, 0
    for k in range(3 * len(certified.CORRUPTIONS)):
        how = certified.CORRUPTIONS[k % len(certified.CORRUPTIONS)]
        made = certified.corrupt(own, "changed.h5", how, k)
        honest = (classes, certificate) if made[2] == small else certified.sweep(COSTAB, folder, made[2], "honest")[1:3]
        wrong, found, due = certified.judge(COSTAB, folder, "changed.h5", *made, honest)
        faults += [f"{how.__name__} {k}: {fault}" for fault in wrong]
        refuted, to_refute = refuted + (found and due), to_refute + due
    ok(not faults and refuted == to_refute > 12, f"{k + 1} corrupted files: {to_refute} have wrong points, {refuted} of them are refuted",
       *faults)
    certified.corrupt(own, "changed.h5", certified.another_class, 1)
    proved = costab("prove", "changed.h5", "--quiet")
    ok(proved.returncode == 1 and counts(proved.stdout)["refuted"] == 1 and "another class" in proved.stderr,
       "a class that was changed is refuted, with exit status 1", proved.stdout, proved.stderr)
    plotted = costab("plot", "small.h5", "--of", "certificate", "--script-only", "--force")
    script = pathlib.Path("small.gp").read_text() if plotted.returncode == 0 else ""
    ok(all(f"'{word}" in script or f'"{word}' in script for word in ("certified", "computed", "grey: undecided around")),
       "plot --of certificate: three entries in the legend", plotted.stderr, script[-3000:])
    shutil.copy("small.h5", "grey.h5")
    for kind, seen in ((2, True), (1, False)):
        pathlib.Path("grey.h5").write_bytes(pathlib.Path("small.h5").read_bytes())
        with h5py.File("grey.h5", "r+") as file:
            field = file["certificate"][...]
            field[field == 2] = 1
            field[0, 4:9, 4:9] = kind
            file["certificate"][...] = field
        plotted = costab("plot", "grey.h5", "--script-only", "--force")
        ok(plotted.returncode == 0 and ("undecided within" in pathlib.Path("grey.gp").read_text()) == seen,
           "the chart of the classes outlines grey points" + ("" if seen else " only where there are any"), plotted.stderr)
    few = costab("prove", path, "--evaluations", 100, "--quiet")
    ok(few.returncode == 0 and counts(few.stdout)["undecided"] > 0, "beyond the evaluations points are undecided", few.stdout)
    refused("no figure of certificates that are not there", "refine: {certified: true}", "plot", "full.h5", "--of", "certificate")
    refused("a file without certificates is refused", "refine: {certified: true}", "prove", "full.h5")
    (pathlib.Path("line.yaml")).write_text((certified.ARM % ("jacobi", 65, 1)) + "refine: {certified: true}\n")
    refused("one axis is for costab limit", "costab limit", "sweep", "line.yaml")
    (pathlib.Path("arm.yaml")).write_text((certified.ARM % ("gauss-seidel", 2, 2)))
    limit = costab("limit", "arm.yaml", "--over", "H=0.04:0.06", "--prove", "--quiet")
    rows = [row.split(",") for row in limit.stdout.splitlines()[1:]]
    ok([(row[4], row[7]) for row in rows] == [("SS", "yes")] * 2 and abs(float(rows[0][3]) - 0.0521112345711) < 1e-10
       and abs(float(rows[1][2]) - 0.0526151270585) < 1e-10, "limit --prove: a narrow gap and both sides of it", limit.stdout)

# An equilibrium that Newton's method finds has no ball: a proof would be about another system.
TANK = """title: tank
system: network
parameters: {H: 0.1}
subsystems:
  - {name: tank, states: [h], inputs: [u], outputs: [y], f: [1 - sqrt(h) + u], g: [h], operating_point: {h: 2, solve: true}, method: rk4, substeps: 1}
  - {name: gain, A: [[-1]], B: [[1]], C: [[-1]], inputs: [u], outputs: [y], method: rk4, substeps: 1}
connections: [{from: tank.y, to: gain.u}, {from: gain.y, to: tank.u}]
coupling: {scheme: jacobi, macro_step: H}
"""
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "tank.yaml").write_text(TANK)
    plain = costab("limit", folder + "/tank.yaml", "--over", "H=0.1:1", "--quiet")
    proved = costab("limit", folder + "/tank.yaml", "--over", "H=0.1:1", "--prove", "--quiet")
    ok(plain.returncode == 0 and proved.returncode == 2 and "operating point is solved for" in proved.stderr,
       "a solved operating point is not proved", plain.stderr, proved.stderr)
finish()
