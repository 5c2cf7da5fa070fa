#!/usr/bin/env python3
"""What is sent to others names nothing of the machine that it was made on: no folder above a file, no home, temporary folder, user or host, in
pages, scripts, data, figures, results files and tables, whatever paths the command line and the model's own text have. Prints TAP."""
import json
import os
import pathlib
import re
import shlex
import socket
import tempfile
import zlib

import h5py

from browser import data_of
from tap import EFFORT, NETWORK, ROOT, costab, finish, ok

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
DRIVE = (ROOT / "sweeps/findings/models/drive.yaml").read_text()
# Its message of a formula without a value has the file's place; so has the warning of a key that is old.
FORMULA = """title: 'Made in FOLDER/plans'
system: network
parameters: {H: 0.1}
subsystems:
  - {name: a, states: [x], f: [u - 1/(x - 0.3)^0.5], g: [x], inputs: [u], outputs: [y], x0: [2], operating_point: {x: 1.3, u: 1}}
connections: []
coupling: {macro_step: H}
"""
UNIT = """system: network # the plant is in FOLDER/private/plans of 2026
#FOLDER/a -FOLDER/b +FOLDER/c @FOLDER/d %FOLDER/e ~/quince/f ~quince/g ../quince/h ./quince/i C:\\quince\\j D:/quince/k \\\\quince\\l
# x ./ y, 1./k and https://example.org/fmu stay
parameters: {k: 12, H: 0.05}
subsystems:
  - {name: a, fmu: 'FMU', kind: model-exchange, start: {k: 12}}
  - {name: b, A: [[-k/m]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}
connections: [{from: a.position, to: b.u}]
coupling: {macro_step: H}
""".replace("-k/m", "-1 /k /2")


def texts_of(path):
    """All bytes of a file, with what streams of a PDF and values of HDF5 pack."""
    content = path.read_bytes()
    found = [content]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", content, re.S) if path.suffix == ".pdf" else []:
        found.append(zlib.decompressobj().decompress(stream))
    if path.suffix in (".h5", ".part"):
        def visit(_, thing):
            found.extend(str(value).encode() for value in thing.attrs.values())
            if isinstance(thing, h5py.Dataset) and thing.dtype.kind in "OS":
                found.append(str(thing[()]).encode())
        try:
            with h5py.File(path) as file:
                found.extend(str(value).encode() for value in file.attrs.values())
                file.visititems(visit)
        except OSError:
            pass  # a slice is no HDF5 file
    return b"\n".join(found)


class Author:
    """A machine: folders with names of their own, and an environment that names them."""

    def __init__(self, base):
        self.home = pathlib.Path(base, "homes-quince", "al ice-quince")
        self.work, self.temporary, self.sent = self.home / "se cret-quince", pathlib.Path(base, "tem-quince"), pathlib.Path(base, "out")
        for folder in (self.work, self.temporary, self.sent):
            folder.mkdir(parents=True)
        self.environment = {**os.environ, "HOME": str(self.home), "TMPDIR": str(self.temporary), "USER": "user-quince", "LOGNAME": "user-quince", "HOSTNAME": "host-quince", "PWD": str(self.work)}
        self.needles = [word.encode() for word in ("quince", str(base), socket.gethostname()) if len(word) > 5]  # others are in packed bytes by chance

    def write(self, name, content):
        path = self.work / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content.replace("FOLDER", str(self.home.parent)))
        return path

    def run(self, *arguments, status=0, **options):
        done = costab(*arguments, env=self.environment, cwd=self.work, **options)
        ok(done.returncode == status, "it runs: " + " ".join(pathlib.Path(str(a)).name for a in arguments), done.returncode, done.stderr)
        return done

    def clean(self, path, what, allowed=()):
        content = texts_of(path)
        for word in allowed:
            content = content.replace(word, b"")
        found = [content[max(0, at - 60):at + 40] for needle in self.needles for at in [content.find(needle)] if at >= 0]
        return ok(not found, f"{what}: nothing of its author's machine", *found)


def pages(author):
    author.write("plain.yaml", NETWORK.split("axes")[0])
    formula, unit = author.write("formula.yaml", FORMULA), author.write("unit.yaml", UNIT.replace("FMU", f"{author.work}/units/mass-2.fmu"))
    author.write("units/mass-2.fmu", "")
    (author.work / "units/mass-2.fmu").write_bytes((FMUS / "mass-2.fmu").read_bytes())
    based = author.write("specs/based.yaml", f"system: network\nmodel: {author.work}/plain.yaml\naxes: {{H: {{from: 0.1, to: 0.2, points: 5}}, k: [5, 10]}}\nfields: [class]\n")
    for model, options in ((based, ("--over", "H=0.1:0.2")), (formula, ()), (unit, ("--over", "H=0.049:0.05", "--until", "0.1")), (author.write("drive.yaml", DRIVE), ("--over", "H=0.005:0.01")))[:4 if EFFORT >= 10 else 3]:
        page = author.sent / f"{model.stem}.html"
        author.run("report", model, *(options if "--until" in options else (*options, "--until", "0.2")), "-q", "-o", page)
        if author.clean(page, f"a report of {model.name}"):
            commands = re.findall(r'"(costab [a-z]+ [^"]*)"', page.read_text())
            ok(commands and all(model.name in shlex.split(json.loads(f'"{c}"')) for c in commands), f"{model.name}: commands name the file", *commands)
    page = data_of(author.sent / "unit.html")
    text = page["files"][0]["text"]
    ok("# a -b +c @d %e f g h i j k l\n# x ./ y, 1./k and https://example.org/fmu stay\n" in text.replace("#a", "# a"), "paths of every kind", text)
    ok("fmu: 'mass-2.fmu'" in text and "in plans of 2026" in text and "[[-1 /k /2]]" in text, "paths are cut to their last part, formulas are as they were", text)
    says = [page["warnings"] for page in map(data_of, [author.sent / "formula.html"])] + [h.get("reason", "") for h in data_of(author.sent / "formula.html")["histories"]]
    ok(any("formula.yaml:5:" in words for words in says), "messages have the file's name and the place", *says)
    ok(data_of(author.sent / "formula.html")["title"] == "Made in plans", "a title too")
    author.run("sweep", unit, "--axis", "k=10:14:3", "--axis", "H=0.01:0.05:3", "-q", "-o", author.work / "unit.h5")
    author.run("plot", author.work / "unit.h5", "-q", "-o", author.sent / "explored.html")
    author.clean(author.sent / "explored.html", "a page to look around in")


def files(author):
    spec = author.write("chart.yaml", NETWORK)
    results = author.sent / "chart.h5"
    author.run("sweep", spec, "-q", "-o", results)
    author.clean(results, "a results file")
    author.run("sweep", spec, "-q", "--slice", "1/2", "-o", author.sent / "chart.1.part")
    author.clean(author.sent / "chart.1.part", "a slice")
    author.run("plot", results, "--format", "pdf,png,svg,eps,tex", "--points", author.write("points.csv", "x,y\n10,1\n"), "-q", "-o", author.sent)
    for path in sorted(author.sent.glob("chart*.*")):
        if path.suffix not in (".h5", ".part"):
            author.clean(path, f"figure {path.name}")
    for number, (command, *options) in enumerate((("map",), ("limit", "--over", "H=0.1:1"), ("margin",), ("advise", "--over", "H=0.1:1"), ("pattern", "--steps", "0.1,0.2"),
                                                  ("simulate", "--until", "1"), ("info",))):
        for ending in ("json", "md", "csv") if EFFORT >= 10 else (("json", "md", "csv")[number % 3],):
            path = author.sent / f"{command}.{ending}"
            author.run(command, author.write("model.yaml", NETWORK.split("axes")[0]), *options, "-q", "-o", path)
            author.clean(path, f"{command} as {ending}")
    for command, *options in (("map",), ("limit", "--over", "H=0.1:1"), ("simulate", "--until", "1")):
        path = author.sent / f"{command}.h5"
        author.run(command, author.work / "model.yaml", *options, "-q", "-o", path)
        author.clean(path, f"{command} as results")
    author.run("export", results, "-q", "-o", author.sent / "exported.csv")
    author.clean(author.sent / "exported.csv", "an exported table")


with tempfile.TemporaryDirectory(prefix="machine-") as base:
    author = Author(base)
    pages(author)
    files(author)
finish()
