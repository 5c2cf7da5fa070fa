"""`costab advise` held against an exhaustive search with truth.py: where each coupling is stable, what it costs, and which
one is the cheapest."""
import pathlib

import families
import numpy as np
import table
import truth


COUPLINGS = families.COUPLINGS + ("jacobi-smoothed", "gauss-seidel-smoothed")


def rows_of(path, *arguments):
    """The rows, numbers as numbers (None: empty), and the sentence."""
    return table.rows_of(("max_stable_step", "max_accurate_step", "cost", "margin", "growth"), "advise", path, "--quiet", *arguments)


def sweeps(family, H):
    """Sweeps that an iteration takes to 1e-6 of its first guess, by the largest radius of all smaller macro steps; infinite
    where it diverges."""
    J = family.maps(H)[1]
    if J is None:
        return np.ones(len(H))
    radius = np.maximum.accumulate(np.abs(np.linalg.eigvals(J)).max(1))
    with np.errstate(all="ignore"):
        return np.where(radius < 1, 1 + np.ceil(np.log(1e-6) / np.log(np.maximum(radius, 1e-300))), np.inf)


def hold(folder, name, seed, samples):
    """A random model: what is wrong with its rows."""
    made = families.model(name, seed)
    made["over"] = "H"
    high = 20 * made["parameters"]["H"] if made["vary"] else made["high"]
    low, nominal = high / 1000, made["parameters"]["H"]
    made["low"], made["high"], said = low, high, []
    path = pathlib.Path(folder) / "model.yaml"
    path.write_text(families.yaml(made))
    marks = "-solved" if made["feedthrough"] == "solved" else ""
    asked = [coupling + marks for coupling in COUPLINGS]
    rows, _ = rows_of(path, "--over", "H=%r:%r" % (low, high), "--coupling", ",".join(asked), "--all")
    found = {r["coupling"]: r for r in rows}
    best = np.inf
    for coupling in COUPLINGS:
        row, family = found.get(coupling + marks), truth.Family(made, coupling)
        pieces = truth.intervals(family.margin, low, high, samples)
        stable = pieces[0][1] if pieces and pieces[0][0] == low else None
        if row is not None and row["max_stable_step"] is not None and stable is not None:
            # A gap that all samples passed over: the program's end is looked at closely.
            ends = truth.intervals(family.margin, row["max_stable_step"] * 0.999, min(high, row["max_stable_step"] * 1.001), 400)
            stable = min(stable, ends[0][1]) if ends and ends[0][1] < row["max_stable_step"] * 1.0005 else stable
        if row is None or (row["max_stable_step"] is None) != (stable is None):
            said.append("%s: %r, stable to %r" % (coupling, row, stable))
            continue
        if stable is None:
            continue
        if abs(row["max_stable_step"] - stable) > 1e-7 * stable or abs(row["margin"] - stable / nominal) > 1e-7 * stable / nominal:
            said.append("%s: stable to %r, not %r" % (coupling, stable, row["max_stable_step"]))
        H = np.geomspace(low, stable * (1 - 1e-12), samples)
        cost = (sum(q["substeps"] for q in made["subsystems"]) / H * sweeps(family, H)).min()
        best = min(best, cost)
        # Both look at some macro steps of a cost that jumps where a sweep is added: the program at 300 over a factor of 1000,
        # 2.3 % from one to the next.
        if not cost * 0.95 <= row["cost"] <= cost * 1.05:
            said.append("%s: cost %r, not %r" % (coupling, cost, row["cost"]))
    costs = [r["cost"] if r["cost"] is not None else np.inf for r in rows]
    if costs[1:] != sorted(costs[1:]) or [r["recommended"] for r in rows] != ["yes" if i == 0 and np.isfinite(c) else "no" for i, c in enumerate(costs)]:
        said.append("order %r" % rows)
    if np.isfinite(best) and not costs[0] <= best * 1.05:
        said.append("recommended %r, the best costs %r" % (rows[0], best))
    return ["%s %d: %s" % (name, seed, s) for s in said]
