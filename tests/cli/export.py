#!/usr/bin/env python3
"""costab export, and costab boundary of results: CSV rows against what h5py reads of the same file; lines of level 1
against the spectral radius itself. Prints TAP."""
import math
import os
import pathlib
import tempfile

import h5py
import numpy as np
from tap import attempt, costab, csv_rows, finish, ok, refused

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def run(*arguments):
    done = costab(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(*arguments):
    return csv_rows(run(*arguments))


pathlib.Path("planar.yaml").write_text("""
title: Größe ∞ 𝒳
system: planar
schemes: [cross, strong, simulation]
axes: {a: [-0.5, 1e-3], gamma: {from: -4, to: 0.5, points: 7}, delta: {from: -1, to: 13, points: 5}}
fields: [class, cause, spectral_radius, row_intervals]
""")
pathlib.Path("network.yaml").write_text("""
system: network
parameters: {H: 0.1, k: 4, gain: 5}
subsystems:
  - {name: a, A: [[0, 1], [-k, -0.4]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}
  - {name: b, A: [[-3]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: b.u, gain: gain}, {from: b.y, to: a.u}]
coupling:
  - {name: one, scheme: jacobi, macro_step: H}
  - {name: second, scheme: iterated, interpolation: linear, iterations: converged, macro_step: H}
axes: {gain: [3, 5], H: {from: 0.05, to: 3, points: 40}, k: {from: 0.5, to: 8, points: 11}}
fields: [class, spectral_radius, iteration_radius]
""")
run("sweep", "planar.yaml", "-q")
run("sweep", "network.yaml", "-q")


# ---- CSV
def words_of(array):
    return [x.decode() if isinstance(x, bytes) else x for x in array]


def codes(dataset):
    names = dataset.attrs["flag_meanings"]
    names = (names.decode() if isinstance(names, bytes) else names).split()
    if "flag_values" in dataset.attrs:
        table = dict(zip(dataset.attrs["flag_values"].tolist(), names))
        return lambda code: table[code]
    bits = dataset.attrs["flag_masks"].tolist()
    return lambda code: "+".join(name for bit, name in zip(bits, names) if code & bit) or "0"


def check_csv(path, first, fields, printed):
    """Every cell against h5py."""
    with h5py.File(path) as file:
        axes = [dimension[0].name.lstrip("/") for dimension in file[first].dims]
        values = {axis: words_of(file[axis][:]) for axis in axes}
        ok(list(printed[0]) == axes + fields, f"CSV of {path}: its columns", list(printed[0]))
        places = {field: [axes.index(d[0].name.lstrip("/")) for d in file[field].dims] for field in fields}
        arrays = {field: file[field][:] for field in fields}
        names = {field: codes(file[field]) for field in fields if file[field].dtype == np.uint8}
        wrong = 0
        for row, index in zip(printed, np.ndindex(file[first].shape), strict=True):
            for axis, i in zip(axes, index):
                wrong += row[axis] != values[axis][i] if isinstance(values[axis][i], str) else float(row[axis]) != values[axis][i]
            for field in fields:
                value = arrays[field][tuple(index[k] for k in places[field])]
                if field in names:
                    name = names[field](value)
                    wrong += row[field] != ("" if field.endswith("cause") and name == "0" else name)
                else:
                    wrong += row[field] != "" if math.isnan(value) else float(row[field]) != value
        ok(wrong == 0, f"CSV of {path}: {len(printed)} rows, every cell is what the file holds", wrong)


check_csv("planar.h5", "class", ["class", "cause", "spectral_radius"], rows("export", "planar.h5", "--format", "csv"))
with h5py.File("planar.h5") as file:
    further = [name for name in file if isinstance(file[name], h5py.Dataset) and len(file[name].dims) and file[name].ndim > 1 and
               {d[0].name for d in file[name].dims if len(d)} - {d[0].name for d in file["class"].dims}]
ok(len(further) > 0, "fields over other axes are there to be asked for", further)
printed = rows("export", "planar.h5", "--format", "csv", "--of", further[0])
check_csv("planar.h5", further[0], [name for name in printed[0] if name in further], printed)
with h5py.File("network.h5") as file:
    fields = [name for name in file if file[name].shape == file["class"].shape]
    printed = rows("export", "network.h5", "--format", "csv")
    ok({"class", "spectral_radius", "iteration_radius"} <= set(fields) == set(list(printed[0])[4:]), "CSV of a network: all fields", fields)
    fields = list(printed[0])[4:]
check_csv("network.h5", "class", fields, rows("export", "network.h5", "--format", "csv"))
run("export", "network.h5", "--format", "csv", "-o", "mine.csv")
ok(pathlib.Path("mine.csv").read_text() == run("export", "network.h5", "--format", "csv"), "CSV into a file is the same")
run("export", "network.h5", "-o", "named.csv")
ok(pathlib.Path("named.csv").read_bytes() == pathlib.Path("mine.csv").read_bytes(), "the name's ending is the format")
with open("mine.csv", "a") as file:
    file.write("1,2\n")
refused("CSV that somebody changed is replaced with --force only", "mine.csv", "export", "network.h5", "--format", "csv", "-o", "mine.csv")
run("export", "network.h5", "--format", "csv", "-o", "mine.csv", "--force")
# more points than a block, whose rows must stay in order
pathlib.Path("long.yaml").write_text("system: planar\nschemes: [zigzag]\naxes: {a: 0, gamma: [-1, 0], delta: {from: -1, to: 9, points: 65600}}\n")
run("sweep", "long.yaml", "-q")
printed = run("export", "long.h5", "--format", "csv").splitlines()[1:]
with h5py.File("long.h5") as file:
    names = codes(file["class"])
    cells = [line.split(",") for line in printed]
    ok([row[4] for row in cells] == [names(code) for code in file["class"][:].ravel().tolist()] and
       [float(row[3]) for row in cells] == file["delta"][:].tolist() * 2, "CSV of rows that are longer than a block")


os.mkdir("there")
run("export", "planar.h5", "-o", "there")
ok(pathlib.Path("there/planar.csv").read_text() == run("export", "planar.h5"), "into a folder")
refused("a format that is not known", "expected csv, found xls", "export", "planar.h5", "--format", "xls")
refused("a MATLAB file", "h5read", "export", "planar.h5", "-o", "planar.mat")
refused("a file of another kind", "let its name end in .csv", "export", "planar.h5", "-o", "planar.json")
refused("a table's format beside a results file", "does not go with --format json", "area", "--a", "0:1:2", "-f", "json", "-o", "area.h5")
refused("a file that is not there", "none.h5", "export", "none.h5", "--format", "csv")
refused("a field that is not there", "no field 'decay'", "export", "planar.h5", "--format", "csv", "--of", "decay")
refused("the results are never replaced", "results themselves", "export", "planar.h5", "--format", "csv", "-o", "planar.h5", "--force")
refused("a folder that is not there", "nowhere", "export", "planar.h5", "--format", "csv", "-o", "nowhere/x.csv", status=1)

# ---- Lines of level 1
printed = rows("boundary", "network.h5")
ok(list(printed[0]) == ["coupling", "gain", "H", "k", "piece"] and len(printed) > 50, "boundary of results: its columns", list(printed[0]), len(printed))
ok({row["coupling"] for row in printed} == {"one", "second"} and len({row["k"] for row in printed}) > 5,
   "lines of each coupling over the first two axes, for each value of the third")
with h5py.File("network.h5") as file:
    steps, stiffness = file["H"][:], file["k"][:]
worst, on_edges, followed = 0, 0, []
pathlib.Path("plain.yaml").write_text(pathlib.Path("network.yaml").read_text().replace("gain: [3, 5], ", ""))
run("sweep", "plain.yaml", "-q")
printed = rows("boundary", "plain.h5")
one = [row for row in printed if row["coupling"] == "one"]
ok(len(one) > 20, "without that axis too", len(printed))
with h5py.File("plain.h5") as file:
    stored = {name: file["level_one_" + name][0] for name in ("H", "k")}
for row in one:
    H, k = float(row["H"]), float(row["k"])
    i, j = abs(steps - H).argmin(), abs(stiffness - k).argmin()
    levels = stored["k"][i] if abs(steps[i] - H) < 1e-12 else stored["H"][:, j]
    on_edges += abs(steps[i] - H) < 1e-12 or abs(stiffness[j] - k) < 1e-12
    if np.nanmin(abs(levels - (k if abs(steps[i] - H) < 1e-12 else H)), initial=9) < 1e-12:  # else it jumps over 1 there
        followed.append((H, k))
for H, k in followed[::12]:
    said = rows("map", "plain.yaml", "--set", f"H={H!r}", "--set", f"k={k!r}", "--coupling", "one")
    # Of all eigenvalues: where the limit is passed at 1 that one is an equilibrium's, and set aside.
    worst = max(worst, abs(max(abs(complex(*map(float, r["value"].split()))) for r in said if r["name"] == "eigenvalue") - 1))
ok(on_edges == len(one) and len(followed) > 30 and worst < 1e-9, "every point of them lies on an edge of the grid, and the spectral radius is 1 where the sweep found that",
   on_edges, len(one), len(followed), worst)
ok(len(followed) == np.isfinite(stored["H"]).sum() + np.isfinite(stored["k"]).sum(), "every place that the sweep found is on a line", len(followed))
refused("results of the planar system", "no sweep of a network", "boundary", "planar.h5")
refused("a field that was not swept", "fields: [decay]", "boundary", "network.h5", "--of", "decay")
refused("options of the planar system", "--a", "boundary", "network.h5", "--a", "0")
printed = rows("boundary", "plain.h5", "--of", "iteration_radius")
values = []
for row in printed[::4]:
    said = rows("map", "plain.yaml", "--set", f"H={row['H']}", "--set", f"k={row['k']}", "--coupling", row["coupling"])
    values.append(float(next(r["value"] for r in said if r["name"] == "iteration_radius")))
ok(len(printed) > 5 and {row["coupling"] for row in printed} == {"second"} and max(abs(value - 1) for value in values) < 1e-9,
   "the iteration radius's lines: it is 1 on them", len(printed), values)
noted = []
for fields in ("decay, growth", "spectral_radius, decay, growth"):
    pathlib.Path("rates.yaml").write_text(pathlib.Path("plain.yaml").read_text().replace("spectral_radius, iteration_radius", fields))
    run("sweep", "rates.yaml", "-q")
    noted += ["interpolated" in costab("boundary", "rates.h5", "--of", field).stderr for field in ("decay", "growth")]
ok(noted == [True, True, False, True], "a note says that a field's lines are interpolated", noted)
refused("a field without results", "--of is of a results file", "boundary", "--a", "0", "--of", "spectral_radius")
ok(len(rows("boundary", "--a", "0")) > 100, "the planar system's curves as before")

# Files of version 0.1.0 have other names of fields: they are read by the present ones, and found by both.
run("limit", "network.yaml", "--over", "H=0.05:2", "--over", "k=1:9", "-o", "now.h5")
run("limit", "network.yaml", "--over", "H=0.05:2", "--over", "k=1:9", "-o", "before.h5")
BEFORE = {"lower": "from", "upper": "to", "range_lower": "range_from", "range_upper": "range_to"} | {
    f"{now}_{what}": f"{before}_{other}" for now, before in (("lower", "from"), ("upper", "to"))
    for what, other in (("kind", "is"), ("cause", "cause"), ("frequency", "frequency"), ("subsystem", "blame"))}
with h5py.File("before.h5", "r+") as file:
    for now, before in BEFORE.items():
        file.move(now, before)
ok(rows("export", "now.h5", "--of", "lower") == rows("export", "before.h5", "--of", "from") == rows("export", "before.h5", "--of", "lower") and "lower_kind" in run("info", "before.h5"),
   "a file with the names of 0.1.0 has the present ones", run("info", "before.h5"))
ok(costab("compare", "before.h5", "now.h5", "--numbers", "0").returncode == 0, "and equals a present one")
run("plot", "before.h5", "--script-only", "-o", "before.pdf")
run("plot", "now.h5", "--script-only", "-o", "now.pdf")
ok(pathlib.Path("before.dat").read_text() == pathlib.Path("now.dat").read_text() and len(pathlib.Path("now.dat").read_text()) > 100, "and is drawn")
os.chdir("/")
finish()
