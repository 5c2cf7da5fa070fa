#!/usr/bin/env python3
"""costab advise: against an exhaustive search over random models and over the error of a ring whose maps are known, which
couplings are compared, and what it says. Prints TAP."""
import pathlib
import re
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import advice  # noqa: E402
from tap import ROOT, costab, finish, ok  # noqa: E402

DRIVE = ROOT / "tests/reference/models/drive.yaml"

rows, said = advice.rows_of(DRIVE, "--over", "H=1e-4:0.1")
names = [r["coupling"] for r in rows]
listed = re.search(r"of the model's couplings and of (.*?); all", " ".join(costab("advise", "--help").stdout.split())).group(1).split(", ")
ordered = {n.replace("gauss-seidel", "gauss-seidel(load,motor)") for n in listed if n.startswith("gauss-seidel")}
plain = set(listed) | ordered
smoothed = {re.sub("(-solved)?$", r"-smoothed\1", n, count=1) for n in plain if re.match("jacobi|gauss", n)}
ok(len(names) == len(set(names)) and set(names) == plain | smoothed, "all couplings, solved and smoothed too, and both orders",
   set(names) ^ (plain | smoothed))
jacobi = [r for r in rows if r["coupling"] == "jacobi"][0]
ok(abs(jacobi["stable_to"] - 0.015863937775692) < 1e-12 and abs(jacobi["margin"] - 1.5863937775692) < 1e-10
   and abs(jacobi["cost"] - 20 / jacobi["stable_to"]) < 1e-6, "the drive under jacobi", jacobi)
ok(said.startswith("Take " + rows[0]["coupling"] + " with H = ") and said.count("\n") == 1 and rows[0]["recommended"] == "yes",
   "one sentence recommends the first row", said)
shown = costab("advise", DRIVE, "--over", "H=1e-4:0.1", "-f", "md", "-c", "jacobi,newton-linear")
ok(shown.stdout.splitlines()[-1].startswith("Take newton-linear") and "Take" not in shown.stderr, "below the table in Markdown", shown)

# Two scalar equations x' = -d x + u in a ring of gain -k: under jacobi, one map of the two states.
RING = """
system: network
parameters: {k: 4, d: 0.5, H: 0.1}
subsystems:
  - {name: one, A: [[-d]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact, substeps: 1}
  - {name: two, A: [[-d]], B: [[-k]], C: [[1]], x0: [0.5], inputs: [u], outputs: [y], method: exact, substeps: 1}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {name: mine, scheme: iterated, iterations: 2, macro_step: H}
"""


def error(H, until):
    """The largest difference at communication points from the solution, which turns with sqrt(k) and decays with d."""
    e, g, w = np.exp(-0.5 * H), (1 - np.exp(-0.5 * H)) / 0.5, 2
    M, x, most = np.array([[e, g], [-4 * g, e]]), np.array([1, 0.5]), 0
    for n in range(1, int(until / H + 1e-9) + 1):
        x, t = M @ x, n * H
        true = np.exp(-0.5 * t) * np.array([np.cos(w * t) + 0.5 / w * np.sin(w * t), 0.5 * np.cos(w * t) - w * np.sin(w * t)])
        most = max(most, np.abs(x - true).max())
    return most


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "ring.yaml"
    path.write_text(RING)
    rows, said = advice.rows_of(path, "--over", "H=0.01:1", "--error", "0.1", "--until", "3", "-c", "jacobi,mine,newton")
    row = {r["coupling"]: r for r in rows}
    steps = np.geomspace(0.01, 1, 4000)
    past = np.argmax([error(H, 3) > 0.1 for H in steps])
    low, high = steps[past - 1], steps[past]
    for _ in range(40):
        low, high = ((low + high) / 2, high) if error((low + high) / 2, 3) <= 0.1 else (low, (low + high) / 2)
    ok(abs(row["jacobi"]["accurate_to"] - low) < 1e-9 and abs(row["jacobi"]["cost"] - 2 / low) < 1e-6,
       "accurate_to is the first macro step at which the error is passed", row["jacobi"], low)
    ok(abs(row["mine"]["cost"] * row["mine"]["accurate_to"] - 4) < 1e-9 and abs(row["newton"]["cost"] * row["newton"]["accurate_to"] - 4) < 1e-9,
       "two sweeps cost twice a step, newton too", rows)
    ok(set(r["recommended"] for r in rows[1:]) == {"no"} and "its error stays within 0.1" in said, "the sentence names the error", said)
    for arguments, what in ((["--over", "k=1:2"], "not the macro step"), (["--over", "H=1:0.1"], "LO < HI"), (["--over", "H=0:1"], "not positive"),
                            ([], "--over is missing"), (["--over", "H=0.1:1", "--error", "1"], "belong together")):
        done = costab("advise", path, *arguments)
        ok(done.returncode == 2 and what in done.stderr and done.stdout == "", what, done)
    rows, said = advice.rows_of(path, "--over", "H=5:6", "-c", "jacobi")
    ok(rows[0]["recommended"] == "no" and said.startswith("None of the 1 couplings is stable"), "nothing is recommended that is not stable", rows, said)
    wrong = []
    for name, seed in (("structure", 300), ("drive", 303)):
        wrong += advice.hold(folder, name, seed, 150)
    ok(not wrong, "two random models against an exhaustive search", "\n".join(wrong))
finish()
