#!/usr/bin/env python3
"""docs/notebook.ipynb: its cells run in their order, without Jupyter; what they show is well-formed HTML with the program's numbers. Cells
that need matplotlib or pandas say so by a tag, and are skipped where these are missing. Prints TAP."""
import ast
import csv
import html
import importlib.util
import json
import os
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import module  # noqa: E402, F401
from tap import ROOT, costab as program, finish, ok, skip
import costab
import numpy as np

os.environ["MPLBACKEND"] = "Agg"


def run(source, names):
    """Runs a cell; the value of its last expression, which a notebook shows."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last is not None else None


def cells_of(shown):
    """The rows of a table as HTML shows it."""
    whole = ElementTree.fromstring("<div>" + shown._repr_html_() + "</div>")
    return [[cell.text or "" for cell in row] for row in whole.iter("tr")]


def printed(*arguments):
    return list(csv.DictReader(program(*arguments).stdout.splitlines()))


book = json.loads((ROOT / "docs/notebook.ipynb").read_text())
names, shown, folder = {}, {}, tempfile.TemporaryDirectory()
os.chdir(folder.name)
ok(book["nbformat"] == 4 and all(not cell.get("outputs") for cell in book["cells"]), "a notebook without outputs")
for cell in book["cells"]:
    if cell["cell_type"] != "code":
        continue
    source, needs = "".join(cell["source"]), cell["metadata"].get("tags", [])
    title = source.strip().splitlines()[-1]
    missing = [name for name in needs if importlib.util.find_spec(name) is None]
    if missing:
        skip(title, f"{missing[0]} is not installed")
        continue
    try:
        shown[title] = run(source, names)
        ok(shown[title] is not None, title)
    except Exception as problem:  # noqa: BLE001
        ok(False, title, type(problem).__name__, problem)

pathlib.Path("plane.yaml").write_text("{system: planar, schemes: [cross], axes: {a: 0, gamma: {from: -3, to: 1, points: 9}, delta: {from: -1, to: 5, points: 9}}}")
chart = costab.sweep("plane.yaml", "plane.h5")
frame = html.unescape(re.fullmatch(r'<iframe srcdoc="([^"]*)"[^>]*></iframe>', chart.explore()._repr_html_()).group(1))
program("plot", "plane.h5", "-o", "plane.html")
ok(frame == pathlib.Path("plane.html").read_text() == costab.explore("plane.h5").html,
   "chart.explore() shows the page that plot writes, in a frame")
ok(costab.explore("plane.h5").save("saved.html").read_text() == frame, "and saves it")
try:
    costab.sweep("plane.yaml").explore()
    ok(False, "without a results file there is no page")
except costab.FileError as problem:
    ok("give sweep() an output" in str(problem), "without a results file there is no page, and it says what to do")

MODEL = str(ROOT / "sweeps/findings/models/drive.yaml")
coupling = ["--coupling", "jacobi,jacobi-linear,jacobi-hermite,gauss-seidel,gauss-seidel-linear,iterated-linear,iterated-hermite"]
theirs = printed("limit", MODEL, "--over", "H=0.0005:0.5", *coupling)
ours = cells_of(shown["limits"])
ok(ours[0][:4] == ["coupling", "parameter", "lower", "upper"] and [[r[0], *r[2:4]] for r in ours[1:]] ==
   [[r["coupling"], f"{float(r['lower']):.6g}", f"{float(r['upper']):.6g}"] for r in theirs], "limits are shown as the program prints them", ours)
# The longest stable steps, by eigenvalues of NumPy of the maps below and a little beyond.
longest = shown["longest"]


def radius(name, H):
    return abs(np.linalg.eigvals(names["drive"].map(H=H, coupling=name).matrix)).max()


# Where an iteration ceases to converge the map may be stable.
bad = [name for name, H in longest.items() if max(radius(name, h) for h in np.linspace(5e-4, H * (1 - 1e-6), 60)) > 1 + 1e-12 or
       not any(p.upper == H and p.to_cause == "iteration" for p in names["limits"]) and H < 0.5 and radius(name, H * (1 + 1e-6)) <= 1]
several = [name for name in longest if sum(piece.coupling == name for piece in names["limits"]) > 1]
ok(longest and not bad and several, "the longest stable step is the end of the first interval, where a coupling has several", longest, bad, several)
grown = shown["grown"]
ok(grown[0.01] < 0.05 < 0.1 < grown[0.017], "below the limit it decays, above it grows", grown)
theirs = printed("advise", MODEL, "--over", "H=0.0005:0.5", "--error", "1e-3", "--until", "2", "-q")
ok([r[0] for r in cells_of(shown["advice"])[1:11]] == [r["coupling"] for r in theirs] and shown["advice"].sentence in shown["advice"]._repr_html_(), "the advice, too")
theirs = printed("margin", MODEL, "--connections", "--parameters", "H")
ok([r[2] for r in cells_of(shown["margins"])[1:]] == [r["name"] for r in theirs], "and margins", cells_of(shown["margins"]))
ok(cells_of(shown["here"])[0][0] == "frequency" and "jacobi: SS, spectral radius 0.995308" in shown["here"]._repr_html_(), "a map shows its modes")
gamma, delta = np.linspace(-6, 1, 401), np.linspace(-2, 12, 401)
swept = costab.sweep({"system": "planar", "schemes": "all", "axes": {"a": [0], "gamma": {"from": -6, "to": 1, "points": 401},
                                                                   "delta": {"from": -2, "to": 12, "points": 401}}})
schemes = list(np.asarray(swept["scheme"])) if hasattr(swept, "coords") else list(swept.axes["scheme"].values)
ok([(np.asarray(swept["class"])[schemes.index(s)] == 3).mean() for s in shown["shares"]] == list(shown["shares"].values()), "shares of fig14 are those of a sweep")

# Without xarray, pandas, matplotlib.
grid = costab.Grid({"class": np.array([[3, 2], [2, 0]], np.uint8)})
grid.dims, grid.attrs = {"class": ("H", "k")}, {"title": "a <b> & c"}
grid.axes = {name: costab._results.Axis(name, np.array([1.0, 2.0]), {}) for name in ("H", "k")}
ok(cells_of(grid)[1] == ["class", "uint8", "H 2 x k 2"], "a dict of arrays is shown, a title with signs of HTML too", grid._repr_html_())
for what, module, call in (("to_frame()", "pandas", grid.to_frame), ("plot()", "matplotlib", grid.plot)):
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == module}
    sys.modules[module] = None
    try:
        call()
        ok(False, f"{what} without {module}")
    except ImportError as problem:
        ok(str(problem).startswith(f"{what} needs {module}"), f"{what} without {module} says so", problem)
    del sys.modules[module]
    sys.modules.update(kept)
if importlib.util.find_spec("pandas"):
    frame = grid.to_frame()
    ok(frame.index.names == ["H", "k"] and list(frame["class"]) == [3, 2, 2, 0], "a dict of arrays as a frame", frame)
else:
    skip("a dict of arrays as a frame", "pandas is not installed")
if importlib.util.find_spec("matplotlib"):
    axes, line = grid.plot(), grid.plot(k=2)
    ok([text.get_text() for text in axes.get_legend().get_texts()] == ["UU", "SU", "SS"] and list(line.lines[0].get_ydata()) == [2, 0],
       "a dict of arrays, drawn over two axes and over one")
    bars = shown["limits"].plot().patches
    ok(sorted((b.get_x(), b.get_x() + b.get_width()) for b in bars) == sorted((p.lower, p.lower + (p.upper - p.lower)) for p in shown["limits"]), "a bar for each interval")
else:
    skip("a dict of arrays, drawn", "matplotlib is not installed")

# ---- dir() shows the interface alone
ok(set(dir(costab)) == {*costab.__all__, "__version__"} and set(dir(costab.planar)) == set(costab.planar.__all__), "dir() of the modules")
for thing, has in ((names["drive"], "limit"), (shown["here"], "matrix"), (shown["limits"], "plot"), (shown["advice"], "sentence"), (grid, "dims")):
    ok(has in dir(thing) and not any(name.startswith("_") for name in dir(thing)), f"dir() of a {type(thing).__name__}", dir(thing))
os.chdir("/")
finish()
