#!/usr/bin/env python3
"""Tiles of points that take long are small, so that threads share them, a kill loses little, and slices take equally long. How many points a
tile has follows from the spec and the model alone. Prints TAP."""
import os
import pathlib
import re
import signal

from tap import ROOT, costab, finish, ok, preload, workplace

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
GRID = "axes: {k: {from: 1, to: 4, points: %d}, H: {from: 0.1, to: 2, points: %d}}\nfields: [class, spectral_radius]\n"


def chain(states, side):
    """Two chains of lags, each driven by the end of the other one."""
    half = states // 2
    A = [[-1.5 if i == j else 0.5 if abs(i - j) == 1 else 0 for j in range(half)] for i in range(half)]
    B, C = [[int(i == 0)] for i in range(half)], ["0"] * (half - 1)
    one = "  - {name: %s, A: %s, B: %s, C: [[%s]], inputs: [u], outputs: [y], method: exact}\n"
    return ("system: network\nparameters: {k: 1, H: 0.1}\nsubsystems:\n" + one % ("a", A, B, ", ".join([*C, "1"]))
            + one % ("b", A, B, ", ".join([*C, "k"]))
            + "connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]\ncoupling: {scheme: jacobi, macro_step: H}\n" + GRID % (side, side))


SOLVED = """system: network
parameters: {k: 1, H: 0.1}
subsystems:
  - {name: a, states: [x], inputs: [u], outputs: [y], f: ["1 - x^3 + u"], g: [x], operating_point: {solve: true}, method: rk4}
  - {name: b, A: [[-1]], B: [[1]], C: [[-k]], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]
coupling: {scheme: jacobi, macro_step: H}
""" + GRID
FMU = f"""system: network
parameters: {{k: 10, H: 0.1}}
subsystems:
  - {{name: a, fmu: {FMUS}/mass-2.fmu, kind: model-exchange, start: {{k: k, m: 1.5}}, method: rk4}}
  - {{name: b, fmu: {FMUS}/coupled-2.fmu, kind: model-exchange, method: rk4}}
connections: [{{from: a.position, to: b.position}}, {{from: a.speed, to: b.speed}}, {{from: b.reaction, to: a.force}}]
coupling: {{scheme: jacobi, macro_step: H}}
""" + GRID % (30, 30)


def tiles(spec):
    done = costab("sweep", "-", "-o", "x.h5", "--dry-run", input=spec)
    found = re.search(r"^tiles +(\d+)", done.stdout, re.M)
    return int(found[1]) if found else (done.stdout, done.stderr)


def killed(merged):
    """kill -9 right before the fifth call to the disk: a checkpoint has finished tiles, and the sweep ends with the bytes of slices that were not killed."""
    fault = {"LD_PRELOAD": preload("faults"), "COSTAB_FAULT_AT": "5", "COSTAB_FAULT_SIGNAL": str(int(signal.SIGKILL))}
    run = costab("sweep", "slow.yaml", "-o", "x.h5", env={**os.environ, **fault})
    said = costab("info", "x.h5.checkpoint").stdout
    found = re.search(r"tiles +(\d+) of (\d+)", said)
    kept, of = (int(found[1]), int(found[2])) if found else (0, 0)
    done = costab("sweep", "slow.yaml", "-o", "x.h5", "--resume")
    ok(run.returncode == -signal.SIGKILL and 2 <= kept < of and done.returncode == 0, f"kill -9 keeps {kept} of {of} tiles", said, run.stderr, done.stderr)
    ok(merged != b"" and pathlib.Path("x.h5").read_bytes() == merged, "the same bytes as slices of one, two and three threads, merged")


def main():
    with workplace():
        small = tiles(chain(8, 30))
        ok(small == 1, "900 points of a small network are one tile", small)
        for what, spec, least in (("FMUs", FMU, 113), ("a solved operating point", SOLVED % (30, 30), 113), ("300 states", chain(300, 30), 56), ("128 states", chain(128, 30), 28)):
            count = tiles(spec)
            ok(isinstance(count, int) and least <= count <= 900, f"900 points of {what} are {least} tiles or more", count)
        pathlib.Path("slow.yaml").write_text(SOLVED % (8, 8))
        for at in (1, 2, 3):
            costab("sweep", "slow.yaml", "--slice", f"{at}/3", "--threads", str(at))
        merged = costab("merge", *sorted(map(str, pathlib.Path().glob("*.part"))), "-o", "y.h5")
        killed(pathlib.Path("y.h5").read_bytes() if ok(merged.returncode == 0, "they merge", merged.stderr) else b"")
    finish()


if __name__ == "__main__":
    main()
