"""`costab advise --error` held against every coupling simulated: whether each row is as accurate as it says, and whether any
coupling is cheaper by more than 5 %. An error is that of the definition: the largest difference of a state, or of an output
that a connection carries, from the monolithic solution over all ends of micro steps. Runs are those of the Python module, which tests import from build/python."""
import pathlib
import random
import re

import advice
import families
import numpy as np

SHARE = 0.05  # of each signal's largest value, and between costs
# max_accurate_step is found to a share of 1e-3 of the macro step; above it the error may fall again for a while, by a few per cent of it, as
# the steps fall on other phases of an oscillation. The program has the largest values of states from 5,000 macro steps.
ABOVE = (1.004, 1.01, 1.02, 1.035, 1.05, 1.08)
LARGEST, BELOW = 2e-3, 0.1


class Truth:
    """A model, and what its couplings cost and err."""

    def __init__(self, costab, made, path, until):
        self.model, self.made, self.until = costab.Model(path), made, until
        self.work = sum(q["substeps"] for q in made["subsystems"])
        self.signals = ["%s.x%d" % (q["name"], i + 1) for q in made["subsystems"] for i in range(len(q["A"]))]
        self.signals += sorted(set(re.findall(r"from: *([\w.]+)", families.yaml(made))))
        history = self.model.simulate(until, "newton-hermite" + self.solved(), H=until / 20000)
        self.allowed = {name: SHARE * np.abs(history[name]["monolithic"]).max() for name in self.signals}

    def solved(self):
        return "-solved" if self.made["feedthrough"] == "solved" else ""

    def passes(self, coupling, H):
        """The largest error over the one allowed, at a macro step; infinite where the run diverges."""
        history = self.model.simulate(self.until, coupling, H=H)
        if history.diverged:
            return np.inf
        errors = [np.abs(history[name]["value"] - history[name]["monolithic"]).max() / self.allowed[name] for name in self.signals]
        return max(errors)

    def costs(self, coupling, H):
        """Subsystem steps per second at rising macro steps H, every sweep counted."""
        if coupling.startswith("newton"):
            return 2 * self.work / H
        if not coupling.startswith("iterated"):
            return self.work / H
        radius = np.maximum.accumulate([self.model.map(coupling, H=float(h)).iteration_radius for h in H])
        with np.errstate(all="ignore"):
            sweeps = np.where(radius < 1, 1 + np.ceil(np.log(1e-6) / np.log(np.maximum(radius, 1e-300))), np.inf)
        return sweeps * self.work / H


def starting(made, seed):
    """The model's text, with a start of its own for every state."""
    r, lines, parts = random.Random(seed), [], iter(made["subsystems"])
    for line in families.yaml(made).splitlines():
        lines.append(line)
        if line.startswith("  - name:"):
            lines.append("    x0: [%s]" % ", ".join("%.3f" % r.uniform(-1, 1) for _ in next(parts)["A"]))
    return "\n".join(lines) + "\n"


def check_row(truth, row, said):
    """The error is kept at max_accurate_step and passed a little above."""
    coupling, H, last = row["coupling"], row["max_accurate_step"], min(row["max_stable_step"], truth.until)
    at = truth.passes(coupling, H)
    if not at <= 1 + LARGEST:
        said.append("%s: %.4f of the error allowed at max_accurate_step %r" % (coupling, at, H))
    if H * ABOVE[-1] < last and not any(truth.passes(coupling, H * factor) >= 1 - LARGEST for factor in ABOVE):
        said.append("%s: the error is kept above max_accurate_step %r, too" % (coupling, H))


def cheaper(truth, row, best, low):
    """Whether a coupling keeps the error, at all macro steps up to one, for less than 1/1.05 of the recommended one's cost."""
    if row["max_stable_step"] is None:
        return False
    H = np.geomspace(low, min(row["max_stable_step"], truth.until), 300)
    enough = H[truth.costs(row["coupling"], H) < best["cost"] / 1.05]
    if len(enough) == 0 or truth.passes(row["coupling"], float(enough[0])) > 1 - LARGEST:
        return False
    return all(truth.passes(row["coupling"], float(h)) <= 1 for h in H[H < enough[0]][::10])


def hold(costab, folder, name, seed, every=1):
    """What is wrong with the advice for a random model, and how many couplings there are; max_accurate_step of every `every`-th row."""
    made = families.model(name, seed)
    high = 20 * made["parameters"]["H"] if made["vary"] else made["high"]
    low, until, said = high / 1000, 4 * high, []
    path = pathlib.Path(folder) / "errors.yaml"
    path.write_text(starting(made, seed))
    asked = ("--over", "H=%r:%r" % (low, high), "--error", "%g%%" % (100 * SHARE), "--until", "%r" % until)
    rows, _ = advice.rows_of(path, *asked, "--all")
    taken, _ = advice.rows_of(path, *asked)
    truth, best = Truth(costab, made, path, until), taken[0]
    if best["recommended"] != "yes":
        best = {"cost": np.inf, "coupling": None}
    elif best["coupling"] != rows[0]["coupling"] or abs(best["cost"] / rows[0]["cost"] - 1) > SHARE:
        said.append("with --all %r, without %r" % (rows[0], best))
    elif not truth.model.map(best["coupling"], H=best["max_accurate_step"]).radius < 1 or best["max_accurate_step"] > best["max_stable_step"]:
        said.append("%r is not stable" % best)
    else:
        for H in np.geomspace(low, best["max_accurate_step"], 40):
            if not truth.passes(best["coupling"], float(H)) <= 1 + BELOW:
                said.append("%r: the error is passed at H = %r" % (best, H))
    for i, row in enumerate(rows):
        if row["max_accurate_step"] is not None and i % every == 0:
            check_row(truth, row, said)
        if cheaper(truth, row, best, low):
            said.append("%r is cheaper than %r" % (row, best))
    return ["%s %d: %s" % (name, seed, s) for s in said], len(rows)
