"""`costab limit` held against intervals that truth.py found: none missed, none invented, ends where they are."""
import re
import subprocess

import families
from tap import csv_rows

END = 1e-8  # relative, of every end


def run(costab, path, over, low, high, coupling):
    """Stable and undecided intervals, continuous classes, and the evaluations spent."""
    p = subprocess.run([costab, "limit", path, "--over", "%s=%r:%r" % (over, low, high), "--coupling", coupling,
                        "--verbose"], capture_output=True, text=True, check=True)
    rows = [(float(r["lower"]), float(r["upper"]), r["class"]) for r in csv_rows(p)]
    spent = int(re.search(r"(\d+) evaluations", p.stderr).group(1))
    return rows, spent


def joined(rows, wanted):
    """Neighbours of the same kind as one interval."""
    found = []
    for low, high, kind in rows:
        if not wanted(kind):
            continue
        if found and found[-1][1] == low:
            found[-1][1] = high
        else:
            found.append([low, high])
    return found


def faults(rows, expected, continuous, high):
    """What is wrong with an answer; [] if nothing. Undecided pieces may hide an end, but are at most 1e-6 of the range up to
    `high` together."""
    said = []
    stable, undecided = joined(rows, lambda c: c[-1] == "S"), joined(rows, lambda c: c in ("undecided", "SN", "UN", "NN"))
    if sum(b - a for a, b in undecided) > 1e-6 * high:
        said.append("undecided %s" % undecided)
    # An end is where it is, or in the undecided piece that follows it.
    doubt = [(a, b) for a, b in undecided]

    def same(end, truth):
        near = abs(end - truth) <= END * abs(truth)
        return near or any(end in piece and piece[0] <= truth * (1 + END) and truth * (1 - END) <= piece[1] for piece in doubt)

    if len(stable) != len(expected) or not all(same(p, q) for got, true in zip(stable, expected) for p, q in zip(got, true)):
        said.append("%d intervals %s, expected %d: %s" % (len(stable), stable, len(expected), expected))
    for low, high, kind in rows:
        middle = (low + high) / 2
        truth = any(a <= middle <= b for a, b in continuous)
        if kind in ("SS", "US") and (kind == "SS") != truth:
            said.append("%s at %.17g" % (kind, middle))
    return said


def hold(costab, folder, entry):
    """One entry of tests/reference/limits.json: faults and evaluations."""
    made = families.model(entry["family"], entry["seed"])
    path = "%s/%s%d.yaml" % (folder, entry["family"], entry["seed"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(families.yaml(made))
    coupling = entry["coupling"] + ("-solved" if made["feedthrough"] == "solved" else "")
    rows, spent = run(costab, path, made["over"], made["low"], made["high"], coupling)
    return faults(rows, entry["stable"], entry["continuous"], made["high"]), spent


def long_chain(count):
    """A model file: oscillators in a row, each held by springs, pulled at by the one before with g of the spring's force."""
    lines = ["system: network", "parameters: {k: 59.58, c: 0.6242, H: 0.04788, g: 1, kg: 17.13}", "subsystems:"]
    for s in range(count):
        springs = 1 if s in (0, count - 1) else 2
        lines.append(f"  - {{name: s{s}, A: [[0, 1], [-{springs}*k-kg, -c]], B: [[0], [k]], C: [[1, 0]], inputs: [u], outputs: [x], "
                     "method: ralston, substeps: 2}")
    lines.append("connections:")
    for s in range(count - 1):
        lines += [f"  - {{from: s{s}.x, to: s{s + 1}.u, gain: g}}", f"  - {{from: s{s + 1}.x, to: s{s}.u}}"]
    return "\n".join([*lines, "coupling: {scheme: jacobi, macro_step: H}", ""])
