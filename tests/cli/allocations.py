#!/usr/bin/env python3
"""Memory that runs out: the k-th allocation of costab's own code fails, in every command (TAP).

Each must end with exit status 1, a word about the memory, nothing written that the whole run does not write, and every
block given back. Where the program did without that allocation, its results must be those of the whole run. One
random allocation of each command fails; with EFFORT above 1 a hundred of them, one after the other. Kinds of sweeps and figures are tried with a stride."""
import os
import pathlib
import random
import tempfile
from concurrent.futures import ThreadPoolExecutor

from tap import EFFORT, FORGETFUL, ROOT, costab, finish, note, ok, seed, stride

MOST = 1 if EFFORT <= 1 else 100
PLANAR = """title: Memory
system: planar
schemes: [zigzag]
axes: {a: [-0.5, 0.5], gamma: {from: -6, to: 2, points: 9}, delta: {from: -2, to: 14, points: 9}}
fields: [FIELDS]
figure: {kind: KIND, panels: a}
"""
NETWORK = """system: network
parameters: {k: 10, H: 0.1}
subsystems:
  - {name: mass, A: [[0, 1], [-k, -1]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0], inputs: [force], outputs: [place],
     method: rk4, substeps: 2}
  - {name: spring, states: [z], f: [x - z - z^3], g: [-z], inputs: [x], outputs: [force], method: heun, step: 0.05}
connections:
  - {from: mass.place, to: spring.x}
  - {from: spring.force, to: mass.force}
sources: {mass.force: sin(t)}
coupling:
  - {name: parallel, macro_step: H}
  - {name: serial, scheme: gauss-seidel, macro_step: H, order: [spring, mass]}
"""
FIELDS = "fields: [class, spectral_radius]\n"
GRID = "axes: {k: {from: 1, to: 40, points: 5}, H: [0.1, 0.2, 0.4]}\n" + FIELDS
TEXTS = {
    "regions.yaml": PLANAR.replace("FIELDS", "class, cause, row_intervals").replace("KIND", "[regions, classes]"),
    "classes.yaml": PLANAR.replace("FIELDS", "class, trace").replace("KIND", "classes"),
    "areas.yaml": "system: planar\nschemes: [cross]\naxes: {a: [-1, 0.5]}\nfields: areas\nfigure: {kind: areas}\n",
    "pair.yaml": "system: planar\nschemes: [cross]\nfigure: {kind: time}\n"
                 "history: {matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [1, 0], until: 0.02}\n",
    "model.yaml": NETWORK,
    "free.yaml": NETWORK.replace(", step: 0.05", ""),
    "contour.yaml": NETWORK + GRID + "figure: {kind: contour}\n",
    "chart.yaml": NETWORK + GRID + "figure: {kind: classes}\n",
    "curve.yaml": NETWORK + "axes: {H: {from: 0.1, to: 1, points: 10}}\n" + FIELDS + "figure: {kind: curve}\n",
    "best.yaml": NETWORK.replace(", step: 0.05", "").replace("{k: 10,", "{k: 10, c: 1,").replace("-k, -1]", "-k, -c]")
                 + "axes: {k: [5, 20], c: [1, 2]}\nbest: {over: H, range: [0.01, 1]}\nfields: [class, best, best_step]\nfigure: {kind: best}\n",
    "time.yaml": NETWORK + "history: {until: 1}\nfigure: {kind: time}\n",
    "points.csv": "delta,note,gamma,a\n3,\"x, y\",-2,0.5\n1,,-1,0\n",
    "two.yaml": (ROOT / "sweeps/skjong2019/models/example1.yaml").read_text(),
}
GNUPLOT = """#!/bin/sh
case $3 in *"'tex'"*) made='classes.tex classes-inc.tex classes-inc.pdf' ;; *) made=figure.pdf ;; esac
for name in $made; do echo figure >$name; done
"""
SPECS = ["regions", "classes", "areas", "pair", "contour", "chart", "curve", "best", "time"]
STEP = stride(3)
DRAWN = SPECS[1 % STEP::STEP]
COMMANDS = [
    ["classify", "--points", "points.csv"],
    ["classify", "--matrix", "0,1,-1,-1", "--step", "0.1", "--format", "json"],
    ["area", "--a", "-1,0.5", "--scheme", "cross"],
    ["boundary", "--a", "0.5"],
    ["critical", "--a", "-0.4:-0.3"],
    ["map", "model.yaml", "--set", "k=11", "--coupling", "all", "--matrix"],
    ["map", "model.yaml", "--over", "k=1:400", "--continuous", "-o", "locus.h5", "--force"],
    ["limit", "model.yaml", "--over", "k=1:400"],
    ["margin", "model.yaml", "--parameters", "k", "--connections"],
    ["margin", "model.yaml", "--parameters", "k", "-o", "out.h5"],
    ["advise", "model.yaml", "--over", "H=0.05:0.5", "--coupling", "jacobi,iterated", "--error", "0.1", "--until", "0.2"],
    ["tune", "free.yaml", "--over", "H=0.05:0.5", "--vary", "0", "-o", "tuned.yaml", "--force"],
    ["report", "model.yaml", "--over", "H=0.05:0.4", "--until", "0.5", "-o", "report.html", "--force"],
    ["simulate", "model.yaml", "--until", "0.3"],
    ["simulate", "model.yaml", "--until", "0.3", "-o", "out.h5"],
    ["bound", "two.yaml", "--error", "0.1", "--horizon", "0.1"],
    ["reproduce", "--source", "gomes2018"],
    *[["sweep", f"{name}.yaml", "-o", "out.h5", "--threads", "2"] for name in SPECS[::STEP]],
    *[["plot", f"{name}.h5", "--script-only"] for name in DRAWN],
    ["plot", "classes.h5", "--format", "pdf,tex"],  # by a gnuplot of the test's own
    ["info", "contour.h5"],
    ["sweep", "classes.yaml", "--slice", "1/2", "-o", "out.part"],
    ["merge", "classes.1-of-2.part", "classes.2-of-2.part", "-o", "out.h5"],
]


def run(command, inputs, k):
    """Exit status, stdout, stderr, what files came, blocks asked for and blocks kept."""
    with tempfile.TemporaryDirectory() as folder:
        for name in inputs:
            os.symlink(inputs[name], os.path.join(folder, name))
        path = os.path.dirname(inputs["points.csv"]) + ":" + os.environ["PATH"]
        done = costab(*command, program=FORGETFUL, cwd=folder, env={**os.environ, "PATH": path, "COSTAB_FAIL_ALLOC": str(k)})
        files = {f.name: f.read_bytes() if f.is_file() else None for f in pathlib.Path(folder).iterdir() if f.name not in inputs}
    words = done.stderr.splitlines()
    counts = []
    for line in words:
        if " allocations, " in line:
            counts = [int(word) for word in line.split() if word.isdigit()]
    return done, files, counts


def wrong(done, files, counts, whole):
    """What is wrong with a run in which an allocation failed, or None."""
    good, good_files, _ = whole
    if len(counts) != 2:
        return "no count of allocations"
    if counts[1] != 0:
        return f"{counts[1]} blocks not freed"
    if done.returncode == 0:
        return None if done.stdout == good.stdout and files == good_files else "exit status 0, other results"
    if done.returncode != 1:
        return f"exit status {done.returncode}"
    if "out of memory" not in done.stderr:
        return "no word about the memory"
    if not good.stdout.startswith(done.stdout):
        return "printed what the whole run does not"
    for name, content in files.items():
        if good_files.get(name) != content and not (name.endswith((".checkpoint", ".part")) and "with --resume" in done.stderr):
            return f"left {name} behind"
    return None


def main():
    tried = died = 0
    dice = random.Random(seed(5))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        inputs = {}
        for name, text in TEXTS.items():
            inputs[name] = os.path.join(folder, name)
            pathlib.Path(inputs[name]).write_text(text)
        pathlib.Path(folder, "gnuplot").write_text(GNUPLOT)
        pathlib.Path(folder, "gnuplot").chmod(0o755)
        for name in DRAWN:
            inputs[f"{name}.h5"] = os.path.join(folder, f"{name}.h5")
            made = costab("sweep", inputs[f"{name}.yaml"], "-o", inputs[f"{name}.h5"])
            if made.returncode != 0:
                ok(False, f"{name}.yaml can be swept", made.stderr)
        for k in (1, 2):
            part = f"classes.{k}-of-2.part"
            inputs[part] = os.path.join(folder, part)
            made = costab("sweep", inputs["classes.yaml"], "--slice", f"{k}/2", "-o", inputs[part])
            if made.returncode != 0:
                ok(False, f"slice {k} can be swept", made.stderr)
        for command in COMMANDS:
            words = "costab " + " ".join(command)
            whole = run(command, inputs, 0)
            good, _, counts = whole
            if not ok(good.returncode == 0 and len(counts) == 2 and counts[1] == 0,
                      f"{words}: all blocks are given back", f"exit status {good.returncode}", good.stderr):
                continue
            total = counts[0]
            places = sorted(dice.sample(range(1, total + 1), min(MOST, total)))
            outcomes = list(pool.map(lambda k: run(command, inputs, k), places))
            mistakes = [(k, wrong(*outcome, whole), outcome[0].stderr) for k, outcome in zip(places, outcomes)]
            mistakes = [f"allocation {k}: {what}; it said: {said.strip()}" for k, what, said in mistakes if what]
            tried += len(places)
            died += len(mistakes)
            ok(not mistakes, f"{words}: {len(places)} of {total} allocations fail, one at a time", *mistakes)
    note(f"{tried} allocations failed, {tried - died} survived")
    finish()


if __name__ == "__main__":
    main()
