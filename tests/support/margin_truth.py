"""`costab margin` held against dense samples of truth.py: no change of class between the nominal value and the one that is
found, and a change there."""
import math
import pathlib

import families
import numpy as np
import table
import truth


def rows_of(path, *arguments):
    """The rows of a margin, numbers as numbers (None: empty), and what was said on stderr."""
    return table.rows_of(("nominal", "value", "factor", "frequency", "participation"), "margin", path, *arguments)


def faults_of(family, row, samples):
    """What is wrong with one row; None if nothing."""
    nominal, value, out = row["nominal"], row["value"], row["side"] == "upper"
    end = value if value is not None else nominal * (1000 if out else 1e-3)
    inner = end + (nominal - end) * 1e-8 if value is not None else end
    low, high = min(nominal, inner), max(nominal, inner)
    changes = value is None
    for measure in (family.margin, family.continuous_margin):
        x, m = truth.sampled(measure, low, high, samples)
        stable = (m < 0)[0]
        if ((m < 0) != stable).any() or ((truth.pieces(measure, np.geomspace(low, high, samples)) < 0) != stable).any():
            return "%s %s: another class before %r" % (row["name"], row["side"], value)
        # Peaks between samples: golden section wherever a measure bends towards its limit, as truth.intervals has it.
        pieces = truth.intervals_of(measure, x, m) if high > low * (1 + 1e-9) else []
        inside = sum(b - a for a, b in pieces)
        if pieces and abs(inside - (high - low if stable else 0)) > 1e-9 * high:
            return "%s %s: %r jumped over, %r" % (row["name"], row["side"], pieces, value)
        if value is not None:
            beyond = value + (value - nominal) * 1e-8 + math.copysign(1e-8 * abs(value), value - nominal)
            changes |= bool((measure(np.array([beyond]))[0] < 0) != stable)
    return None if changes else "%s %s: nothing changes at %r" % (row["name"], row["side"], value)


def hold(folder, name, seed, samples):
    """A random model: how many sides were looked at, and the faults."""
    made = families.model(name, seed)
    path, said, looked = pathlib.Path(folder) / "model.yaml", [], 0
    path.write_text(families.yaml(made))
    coupling = made["couplings"][seed % len(made["couplings"])]
    asked = coupling + ("-solved" if made["feedthrough"] == "solved" else "")
    rows, words = rows_of(path, "--coupling", asked)
    for row in (r for r in rows if r["kind"] == "parameter"):
        made["over"] = row["name"]
        fault = faults_of(truth.Family(made, coupling), row, samples)
        looked += 1
        if fault and "is undecided" not in words:
            said.append("%s %d %s: %s" % (name, seed, coupling, fault))
    return looked, said
