#!/usr/bin/env python3
"""How `costab limit` is asked and answers: spacing, several ranges, and why an answer is empty. Prints TAP."""
import csv
import io
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

import h5py

here = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(here / "support"))
from tap import COSTAB, computing, costab, finish, meanings, ok  # noqa: E402

SPRINGS = str(here.parent / "sweeps/lim/models/springs.yaml")
OSCILLATOR = str(here.parent / "sweeps/precice/models/oscillator.yaml")


def run(*words):
    return subprocess.run([COSTAB, "limit", *words], capture_output=True, text=True, check=False)


def rows(printed):
    return list(csv.DictReader(io.StringIO(printed)))


def same(one, other):
    return len(one) == len(other) > 0 and all(
        a["class"] == b["class"] and a["coupling"] == b["coupling"] and
        all(abs(float(a[k]) - float(b[k])) <= 1e-10 * abs(float(a[k])) for k in ("from", "to")) for a, b in zip(one, other))


# The first cells do not change what is found: transversal limits are found to 1e-10 either way.
for over in ("H=1e-6:0.5", "kc=1:1e6"):
    asked = [SPRINGS, "--over", over, "--coupling", "jacobi-hermite,newton-linear,gauss-seidel-linear"]
    ok(same(rows(run(*asked).stdout), rows(run(*asked, "--spacing", "log").stdout)), f"--spacing log finds what linear does, {over}")

two = run(SPRINGS, "--over", "H=1e-4:0.2", "--over", "kc=1:1e6", "--coupling", "jacobi")
alone = [run(SPRINGS, "--over", over, "--coupling", "jacobi").stdout for over in ("H=1e-4:0.2", "kc=1:1e6")]
ok(two.stdout == "\n".join(alone), "two --over print the tables of one each, an empty line between", two.stdout)
two = run(SPRINGS, "--over", "H=1e-4:0.2", "--over", "kc=1:1e6", "--coupling", "jacobi", "--format", "json")
ok({row["parameter"] for row in json.loads(two.stdout)} == {"H", "kc"}, "in JSON they are one array", two.stdout)

# A large network: the same bytes from any number of threads, and a signal ends the search inside a coupling.
def ring(path, count):
    parts = "\n".join(f"  - {{name: s{i}, A: [[0, 1], [-3, -0.1]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], method: rk4}}"
                      for i in range(count))
    wires = "\n".join(f"  - {{from: s{i}.x, to: s{(i + d) % count}.{port}}}" for i in range(count) for d, port in ((1, "l"), (-1, "r")))
    path.write_text(f"system: network\nparameters: {{H: 0.01}}\nsubsystems:\n{parts}\nconnections:\n{wires}\n"
                    "coupling: {scheme: jacobi, macro_step: H}\n")
    return str(path)


with tempfile.TemporaryDirectory() as folder:
    model = ring(pathlib.Path(folder) / "ring.yaml", 16)
    said = [run(model, "--over", "H=0.01:0.4", "--threads", threads, "--verbose") for threads in ("1", "3")]
    ok(len(said[0].stdout.splitlines()) > 1 and said[0].stdout == said[1].stdout and "on 1 thread\n" in said[0].stderr and
       "on 3 threads" in said[1].stderr, "three threads print what one does", *(s.stdout + s.stderr for s in said))
    # So does a first thread with a short stack (sanitizers' frames are longer).
    stack = (2**20 if {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys() else 2**18,) * 2
    large = ring(pathlib.Path(folder) / "large.yaml", 60)
    short, ordinary = (costab("limit", large, "--over", "H=0.01:0.4", "--threads", 1,
                              preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_STACK, stack)) if limited else None)
                       for limited in (True, False))
    ok(short.returncode == 0 and short.stdout == ordinary.stdout and len(short.stdout.splitlines()) > 1, "a stack of 256 kB is enough",
       short.returncode, short.stdout + short.stderr)
    child = subprocess.Popen([COSTAB, "limit", ring(pathlib.Path(folder) / "large.yaml", 250), "--over", "H=0.001:0.4"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    computing(child)
    child.send_signal(signal.SIGINT)
    printed, told = child.communicate()
    ok(child.returncode == -signal.SIGINT and len(printed.splitlines()) < 2 and "the search was stopped" in told, "a signal ends a search",
       child.returncode, printed, told)

# Why there is none, with the numbers: [PRE]'s undamped oscillator under jacobi grows by (1 + x) a step, x ~ H^2.
said = run(OSCILLATOR, "--over", "H=0.001:0.2", "--coupling", "jacobi")
ok(said.returncode == 0 and len(said.stdout.splitlines()) == 1 and "grows at every H of 0.001:0.2" in said.stderr and
   "continuous system is neutral" in said.stderr and "at H = 0.001," in said.stderr, "a neutral system that grows", said.stderr)
said = run(OSCILLATOR, "--over", "H=0.001:0.2", "--coupling", "newton", "--set", "d=-1")
ok(said.returncode == 0 and "continuous system is unstable itself" in said.stderr, "an unstable system", said.stderr)
with tempfile.TemporaryDirectory() as folder:
    # Two gains in a loop, u1 = y2 = -g u2 = -g x: an iteration that multiplies the guesses' errors by g at every H.
    model = pathlib.Path(folder) / "gain.yaml"
    model.write_text("""system: network
parameters: {H: 0.1, g: 2}
subsystems:
  - {name: one, states: [x], A: [[-1]], B: [[0]], C: [[1]], D: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: two, inputs: [u], outputs: [y], D: [[-g]], method: exact}
connections:
  - {from: one.y, to: two.u}
  - {from: two.y, to: one.u}
coupling:
  - {name: iterated, scheme: iterated, feedthrough: solved, macro_step: H}
""")
    said = run(str(model), "--over", "H=0.01:1")
    ok(said.returncode == 0 and len(said.stdout.splitlines()) == 1 and "iteration diverges at every H" in said.stderr and
       "continuous system is stable" in said.stderr, "an iteration that diverges", said.stdout, said.stderr)
    said = run(str(model), "--over", "g=-1:1", "--set", "H=0.1")
    ok(said.returncode == 0 and "ill-posed" in said.stdout, "a loop that is singular at one end is no error", said.stdout, said.stderr)

with tempfile.TemporaryDirectory() as folder:
    # An order in a coupling's name is that of a file that lists the subsystems so.
    parts = ["  - {name: wall, states: [x], A: [[-3]], B: [[2]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n",
             "  - {name: room, states: [x], A: [[-1]], B: [[-4]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"]
    model = pathlib.Path(folder) / "rooms.yaml"
    found = []
    for listed, name in ((parts, "gauss-seidel(room,wall)"), (parts[::-1], "gauss-seidel")):
        model.write_text("system: network\nparameters: {H: 0.1}\nsubsystems:\n" + "".join(listed) +
                         "connections:\n  - {from: wall.y, to: room.u}\n  - {from: room.y, to: wall.u}\n"
                         "coupling: {scheme: jacobi, macro_step: H}\n")
        said = run(str(model), "--over", "H=0.01:5", "--coupling", name, "--prove")
        found.append([row | {"coupling": ""} for row in rows(said.stdout)])
        ok(said.returncode == 0 and found[-1][0]["to_is"] == "limit" and found[-1][0]["proved"] == "yes", f"limit of {name}",
           said.stdout, said.stderr)
    ok(same(*found), "an order in the name is that of the file's list", found)

# -o keeps what the table says; plot draws it.
with tempfile.TemporaryDirectory() as folder:
    asked = [SPRINGS, "--over", "H=1e-4:0.2", "--over", "kc=1:1e6", "--coupling", "jacobi,newton-linear"]
    printed = rows(run(*asked, "--format", "csv").stdout.replace("\n\n", "\n"))
    printed = [row for row in printed if row["coupling"] != "coupling"]
    results = pathlib.Path(folder) / "limits.h5"
    said = run(*asked, "-o", str(results))
    kept = []
    with h5py.File(results) as file:
        meaning = {field: meanings(file[field]) for field in ("class", "from_is", "to_is", "proved")}
        filler = 0
        for p, parameter in enumerate(file["parameter"][:]):
            for c, coupling in enumerate(file["coupling"][:]):
                for k in range(len(file["interval"])):
                    cell = {field: meaning[field][file[field][c, p, k]] for field in meaning}
                    if "not_computed" in cell.values():
                        filler += set(cell.values()) == {"not_computed"} and file["from"][c, p, k] != file["from"][c, p, k] != file["to"][c, p, k]
                        continue
                    kept.append(cell | {"coupling": coupling.decode(), "parameter": parameter.decode(),
                                        "from": float(file["from"][c, p, k]), "to": float(file["to"][c, p, k])})
        ranges = [(file["range_from"][1, p], file["range_to"][1, p]) for p in range(2)]
    wanted = [row | {"from": float(row["from"]), "to": float(row["to"])} for row in printed]
    ok(said.returncode == 0 and said.stdout == "" and kept == wanted and len(kept) >= 4 and ranges == [(1e-4, 0.2), (1, 1e6)],
       "-o: the tables as a results file", said.stderr, kept, wanted)
    with h5py.File(results) as file:
        ok(filler == file["class"].size - len(kept) > 0, "-o: an interval that a coupling does not have is not_computed in all arrays", filler, len(kept))
    free = pathlib.Path(folder) / "free.yaml"
    free.write_text("system: network\nparameters: {H: 0.1}\nsubsystems:\n"
                    "  - {name: swing, A: [[0, 1], [-4, 0]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}\n"
                    "  - {name: lag, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"
                    "connections: [{from: swing.y, to: lag.u}]\ncoupling: {scheme: jacobi, macro_step: H}\n")
    said = costab("map", free, "-o", results.with_name("map.h5"))
    with h5py.File(results.with_name("map.h5")) as file:
        ok(said.returncode == 0 and meanings(file["class"])[file["class"][0]] == "NN", "map -o: a class on the limit has its name", said.stderr)
    drawn = subprocess.run([COSTAB, "plot", str(results), "-o", folder, "--script-only"], capture_output=True, text=True, check=False)
    script = results.with_suffix(".gp").read_text()
    ok(drawn.returncode == 0 and "PANELS = 2" in script and script.count("'newton-linear'") == 2, "plot draws a panel per parameter",
       drawn.stderr)

for words, fault in (([], "--over is missing"), (["--over", "H=0:1", "--spacing", "log"], "above 0"),
                     (["--over", "H=0.1:1", "--spacing", "cubic"], "is not log or linear"),
                     (["--over", "H=0.1:1", "--over", "H=1:0.1"], "LO < HI")):
    said = run(SPRINGS, *words)
    ok(said.returncode == 2 and fault in said.stderr, f"refused: {fault}", said.stderr)
finish()
