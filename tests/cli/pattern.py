#!/usr/bin/env python3
"""costab pattern: bounds over all sequences of steps, against products of macro steps in NumPy that remember what arrived when,
and against values of another program. Prints TAP."""
import csv
import io
import itertools
import json
import pathlib
import sys
import tempfile

import h5py
import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import costab, finish, ok  # noqa: E402

LIM2 = {"parts": [([[0, 1], [-110, -2]], [[0], [100]], [[1, 0]], [[0]]), ([[0, 1], [-1100, -2]], [[0], [100]], [[1, 0]], [[0]])],
        "links": [(1, 0, 0, 0), (0, 0, 1, 0)]}
FS = {"parts": [([[0, 1], [-110, -8]], [[0], [100]], [[100, 0]], [[-100]]), ([[0, 1], [-10, -8]], [[0], [1]], [[1, 0]], [[0]])],
      "links": [(1, 0, 0, 0), (0, 0, 1, 0)]}
DRIVE = {"parts": [([[0, 1], [-200, -10]], [[0], [10]], [[1, 0], [0, 1]], [[0], [0]]),
                   ([[0, 1], [-100, -0.4]], [[0, 0], [100, 0.4]], [[50, 0.2]], [[-50, -0.2]])],
         "links": [(0, 0, 1, 0), (0, 1, 1, 1), (1, 0, 0, 0)]}


def written(folder, model, method="exact", substeps=1, delays=(), seconds=()):
    """The model as a file."""
    parts = [f"  - {{name: p{i}, A: {A}, B: {B}, C: {C}, D: {D}, inputs: {[f'u{j}' for j in range(len(B[0]))]}, "
             f"outputs: {[f'y{j}' for j in range(len(C))]}, method: {method}, substeps: {substeps}}}"
             for i, (A, B, C, D) in enumerate(model["parts"])]
    links = [f"  - {{from: p{f}.y{o}, to: p{t}.u{i}, delay: {dict(delays).get(c, 0) if c not in dict(seconds) else f'{dict(seconds)[c]} s'}}}"
             for c, (f, o, t, i) in enumerate(model["links"])]
    path = pathlib.Path(folder, f"model{abs(hash((str(model), method, substeps, tuple(delays), tuple(seconds))))}.yaml")
    path.write_text("system: network\nparameters: {H: 0.01}\nsubsystems:\n" + "\n".join(parts) + "\nconnections:\n" +
                    "\n".join(links) + "\ncoupling: {scheme: jacobi, macro_step: H}\n")
    return path


class Player:
    """One macro step after another with exact subsystems: the state is x, the inputs that the last step ended with, and what
    each connection has sent before. Polynomials run through the true times at which values arrived."""

    def __init__(self, model, coupling, delays=(), seconds=(), rk4=0):
        self.rk4 = rk4  # micro steps, 0: exact
        self.parts = [tuple(np.array(M, float) for M in part) for part in model["parts"]]
        self.links, self.delays, self.seconds = model["links"], dict(delays), dict(seconds)
        self.zigzag, self.smoothed = coupling.startswith("gauss-seidel"), coupling.endswith("-smoothed")
        words = [k for k, word in enumerate(("linear", "quadratic", "cubic"), 1) if word in coupling]
        self.order = words[0] if words else 0
        self.flows, self.maps = {}, {}
        self.n = [len(A) for A, *_ in self.parts]
        self.m = [B.shape[1] for _, B, *_ in self.parts]
        self.depth = max(self.delays.values(), default=0) + self.order + 2 + 6 * bool(self.seconds)
        self.reach = self.depth + 1 if self.seconds else self.order + 2
        self.size = sum(self.n) + sum(self.m) + self.depth * len(self.links)

    def advance(self, s, x, inputs, H):
        """inputs[l]: of t^l, in seconds."""
        A, B, *_ = self.parts[s]
        n, m = B.shape
        if (s, H) not in self.flows:
            G = np.zeros((n + 4 * m, n + 4 * m))
            G[:n, :n], G[:n, n:n + m] = A, B
            for k in range(3):
                G[n + k * m:n + (k + 1) * m, n + (k + 1) * m:n + (k + 2) * m] = np.eye(m)
            h = G * H / max(self.rk4, 1)
            one = np.eye(len(G)) + h @ (np.eye(len(G)) + h / 2 @ (np.eye(len(G)) + h / 3 @ (np.eye(len(G)) + h / 4)))
            self.flows[s, H] = np.linalg.matrix_power(one, self.rk4) if self.rk4 else expm(G * H)
        return (self.flows[s, H] @ np.concatenate([x] + [u * f for u, f in zip(inputs, (1, 1, 2, 6))]))[:n]

    @staticmethod
    def through(times, values):
        """Coefficients of the powers of t."""
        out = np.zeros(4)
        for i, value in enumerate(values):
            one = np.array([1.0])
            for j in range(len(values)):
                if j != i:
                    one = np.convolve(one, np.array([-times[j], 1]) / (times[i] - times[j]))
            out[:len(one)] += value * one
        return out

    def late(self, c, since):
        """How many steps ago was sent what arrives now; since: seconds from the last, the last two, ... steps' begins."""
        if c not in self.seconds:
            return self.delays.get(c, 0)
        return next(k for k, t in enumerate(since) if t >= self.seconds[c] * (1 - 1e-12))

    def extrapolated(self, c, sent, since):
        """Seconds from t_n; since[j]: from t_(n-j) to t_n."""
        nodes = range(self.order + 1)
        return self.through([-since[j] for j in nodes],
                            [sent[j + self.late(c, since[j:] - since[j])] for j in nodes])

    def input_over(self, c, sent, since, H):
        line = self.extrapolated(c, sent, since)
        if not self.smoothed:
            return line
        powers = np.arange(4)
        begin = self.extrapolated(c, sent[1:], since[1:] - since[1]) @ since[1] ** powers
        return np.array([begin, (line @ H ** powers - begin) / H, 0, 0])

    def step(self, state, H, past):
        """past: the lengths of the steps before, the latest first."""
        since = np.concatenate([[0], np.cumsum(past)])
        cuts = np.cumsum(self.n + self.m)
        pieces = np.split(state[:cuts[-1]], cuts[:-1])
        xs, held = pieces[:len(self.n)], pieces[len(self.n):]
        rest = state[cuts[-1]:].reshape(len(self.links), self.depth)
        ys = [C @ x + D @ u for (_, _, C, D), x, u in zip(self.parts, xs, held)]
        sent = [np.concatenate([[ys[f][o]], rest[c]]) for c, (f, o, _, _) in enumerate(self.links)]
        new, ends, after = [None] * len(xs), [None] * len(xs), [None] * len(xs)
        for s in range(len(xs)):
            inputs = np.zeros((4, self.m[s]))
            for c, (f, o, t, i) in enumerate(self.links):
                if t != s:
                    continue
                if self.zigzag and f < s and self.delays.get(c, 0) == 0 and c not in self.seconds:
                    count = max(self.order, 1)
                    times, values = [H] + [-since[j] for j in range(count)], [new[f][o]] + list(sent[c][:count])
                    inputs[:, i] += self.through(times, values) if self.order else [new[f][o], 0, 0, 0]
                elif self.zigzag:
                    inputs[0, i] += sent[c][self.late(c, since)]
                else:
                    inputs[:, i] += self.input_over(c, sent[c], since, H)
            after[s] = self.advance(s, xs[s], inputs, H)
            ends[s] = H ** np.arange(4) @ inputs
            new[s] = self.parts[s][2] @ after[s] + self.parts[s][3] @ ends[s]
        return np.concatenate(after + ends + [line[:self.depth] for line in sent])

    def radius(self, steps):
        """Per step, of a cycle."""
        steps = list(steps)
        columns = np.eye(self.size)
        for k, H in enumerate(steps):
            past = tuple(steps[(k - 1 - j) % len(steps)] for j in range(self.reach))
            if (H, past) not in self.maps:
                self.maps[H, past] = np.stack([self.step(v, H, past) for v in np.eye(self.size)], axis=1)
            columns = self.maps[H, past] @ columns
        return np.abs(np.linalg.eigvals(columns)).max() ** (1 / len(steps))


def told(path, *arguments):
    table = csv.DictReader(io.StringIO(costab("pattern", path, *arguments).stdout))
    values = {r["name"]: r["value"] for r in table}
    return {name: [float(v) for v in value.split()] if name == "pattern" else value if name == "proved" else
            float(value) if value else None for name, value in values.items()}


def test_lists(folder):
    for model, coupling, delays, seconds, steps in (
            (LIM2, "jacobi", (), (), (0.02, 0.27)), (LIM2, "jacobi-linear", (), (), (0.01, 0.06)),
            (FS, "jacobi", (), (), (0.01, 0.4)), (LIM2, "jacobi-linear", ((0, 2),), (), (0.004, 0.02)),
            (LIM2, "jacobi", ((0, 1), (1, 2)), (), (0.02, 0.15)), (FS, "jacobi-linear", (), (), (0.02, 0.15)),
            (DRIVE, "gauss-seidel-linear", (), (), (0.01, 0.07)),
            (LIM2, "jacobi-quadratic", (), (), (0.02, 0.06)), (LIM2, "jacobi-cubic", (), (), (0.02, 0.06)),
            (LIM2, "jacobi-linear-smoothed", (), (), (0.02, 0.1)),
            (DRIVE, "gauss-seidel-cubic", (), (), (0.02, 0.1)), (LIM2, "jacobi", (), ((0, 0.05),), (0.03, 0.05)),
            (LIM2, "jacobi-linear", (), ((1, 0.03),), (0.015, 0.025))):
        path = written(folder, model, delays=delays, seconds=seconds)
        found = told(path, "--coupling", coupling, "--steps", ",".join(map(str, steps)))
        player = Player(model, coupling, delays, seconds)
        most = 7
        words = [w for k in range(1, most + 1) for w in itertools.product(steps, repeat=k)]
        radii = {w: player.radius(w) for w in words}
        best = max(radii.values())
        what = f"{coupling}, delays {delays}, in seconds {seconds}, steps {steps}"
        ok(best <= found["lower"] * (1 + 1e-9), f"{what}: no cycle up to {most} grows more than `lower`", best, found)
        ok(abs(player.radius(found["pattern"]) - found["lower"]) < 1e-9, f"{what}: the pattern attains it",
           player.radius(found["pattern"]), found)
        ok(found["lower"] <= found["upper"] <= found["lower"] * 1.005 and found["proved"] == "yes", f"{what}: the upper bound",
           found)
        rates = max(np.log(radii[w]) * len(w) / sum(w) for w in words)
        ok(rates <= found["rate_lower"] + 1e-8 * abs(rates) + 1e-9 and found["rate_lower"] <= found["rate_upper"],
           f"{what}: no cycle grows more per second", rates, found)


def test_reference(folder):
    """To the digits printed by the other program."""
    lim2 = written(folder, LIM2)
    ok(abs(Player(LIM2, "jacobi").radius([0.27] * 3 + [0.02]) - 1.0802268255167937) < 1e-12, "the player is right")
    found = told(lim2, "--steps", 0.275724108450)
    ok(abs(found["lower"] - 1) < 1e-9, "LIM: constant steps up to 0.275724108450", found)
    ok(told(lim2, "--steps", "0.27,0.02")["lower"] >= 1.080226826, "LIM: 0.02 once, 0.27 three times")
    for steps in ("0.16505935,0.24436480", "0.20591076,0.2757", "0.022808,0.229451"):
        ok(told(lim2, "--steps", steps)["lower"] >= 1 - 1e-6, f"LIM: {steps} is not stable")
    player = Player(LIM2, "jacobi")
    # The least ratio of two steps at which three of the one and five of the other grow, the longer one given.
    first = 0.2757 / brentq(lambda H: player.radius([H] * 3 + [0.2757] * 5) - 1, 0.2057, 0.2061, xtol=1e-15)
    ok(abs(first - 1.338929555) < 1e-9 and abs(0.2757 / first - 0.20591076) < 5e-9, "LIM: H2/H1 = 1.338929555 at 0.2757", first)
    ok(told(lim2, "--steps", f"{0.2757 / first!r},0.2757")["lower"] > 1, "LIM: the program finds a cycle there, too")
    found = told(lim2, "--steps", f"0.16505935,{0.16505935 * 1.48045!r}")
    ok(found["lower"] > 1 and player.radius([0.16505935, 0.16505935, 0.2443648]) > 1, "LIM: unstable at H2/H1 = 1.48045", found)
    for longest, ratio in ((0.275, 1.0037), (0.25, 1.41), (0.2, 1.61), (0.15, 6.0)):
        found = told(lim2, "--over", f"H={longest / ratio!r}:{longest!r}")
        ok(found["safe_from"] == longest / ratio and found["safe_to"] == longest and found["upper"] < 1 and
           found["proved"] == "yes", f"LIM: proved stable for H2/H1 up to {ratio} at {longest}", found)
    found = told(written(folder, FS), "--steps", "0.01,0.4")
    ok(abs(found["lower"] - 1.790522335) < 1e-9 and found["pattern"] == [0.01, 0.4], "force and displacement", found)
    drive = written(folder, DRIVE, "rk4", 10)
    found = told(drive, "--coupling", "jacobi-extrapolated", "--steps", "0.001,0.025")
    ok(abs(found["lower"] - 1.445314986) < 1e-9, "README's drive, extrapolated: 0.001 and 0.025 in turn", found)
    player = Player(DRIVE, "jacobi-linear", rk4=10)
    ok(abs(player.radius([0.001, 0.025]) - 1.4453149859278378) < 1e-12, "the player is right with rk4")
    first = brentq(lambda ratio: player.radius([0.025 / ratio, 0.025]) - 1, 11, 12, xtol=1e-14)
    ok(abs(first - 11.540907620) < 1e-8, "the same, in turn unstable from the ratio 11.540907620 on", first)
    edge = told(drive, "--coupling", "jacobi-extrapolated", "--steps", f"{0.025 / 11.540907620},0.025")
    ok(edge["lower"] > 1.1, "longer cycles of these two grow before", edge)
    for coupling, last in (("jacobi", 0.015864), ("jacobi-extrapolated", 0.025165)):
        for step, stable in ((last - 5e-7, True), (last + 5e-7, False)):
            found = told(drive, "--coupling", coupling, "--steps", step)
            ok((found["lower"] < 1) == stable, f"README's drive, {coupling}, constant steps {step:.7f}", found)


def test_ranges(folder):
    lim2, drive = written(folder, LIM2), written(folder, DRIVE, "rk4", 10)
    found = told(lim2, "--over", "H=0.01:0.275")
    ok(abs(found["lower"] - 1.143718486) < 1e-9 and found["lower"] <= found["upper"] <= 1.1705 and found["proved"] == "yes",
       "LIM, 0.01 to 0.275: the growth per step is in [1.143718486, 1.1705]", found)
    ok(abs(found["rate_lower"] - 0.673316440) < 1e-9 and found["rate_upper"] <= 0.702822,
       "per second in [0.673316440, 0.702822]", found)
    player = Player(LIM2, "jacobi")
    ok(abs(player.radius(found["pattern"]) - found["lower"]) < 1e-9, "the pattern attains it", found)
    found = told(lim2, "--over", "H=0.0001:0.3")
    ok(0.08396 <= found["safe_to"] <= 0.229451 and found["safe_from"] == 0.0001, "short steps: all stable to 0.08396 at least, "
       "not from 0.22945 on", found)
    ok(found["proved"] == "yes" and player.radius([0.022808, 0.229451, 0.023390]) > 1, "proved; a cycle to 0.229451 grows")
    steps = np.linspace(found["safe_from"], found["safe_to"], 7)
    worst = max(player.radius(w) for k in range(1, 5) for w in itertools.product(steps, repeat=k))
    ok(worst < 1, "no cycle of four of seven safe steps grows", worst)
    found = told(drive, "--over", "H=0.0005:0.015")
    ok(found["safe_from"] == 0.0005 and found["safe_to"] == 0.015 and found["proved"] == "no" and found["upper"] < 1,
       "README's drive: 0.0005 to 0.015 by a common norm, not proved", found)
    found = told(drive, "--over", "H=0.0005:0.0158")
    ok(found["lower"] < 1, "README's drive: no bad cycle is found to 0.0158", found)
    found = told(written(folder, DRIVE), "--over", "H=0.012:0.03")
    ok(found["lower"] > 1 and found["safe_from"] == 0.012 and found["safe_to"] < 0.0159, "beyond the limit: the range ends before",
       found)
    done = costab("pattern", drive, "--over", "H=0.01:0.02", "--coupling", "jacobi,jacobi-quadratic", "--format", "json")
    rows = json.loads(done.stdout)
    ok({r["coupling"] for r in rows} == {"jacobi"} and "jacobi-quadratic: left out" in done.stderr and done.returncode == 0,
       "couplings that remember more are named and left out", done.stderr)


def test_refused(folder):
    path = written(folder, LIM2)
    for arguments, say in ((("--steps", "0.1", "--over", "H=0.1:0.2"), "either"), ((), "either"),
                           (("--steps", "0.1,-1"), "not positive"), (("--over", "H=0.2:0.1"), "LO < HI"),
                           (("--over", "nobody=0.1:0.2"), "nobody"),
                           (("--over", "H=0.1:0.2", "--coupling", "jacobi-cubic"), "list the steps")):
        done = costab("pattern", path, *arguments)
        ok(done.returncode == 2 and say in done.stderr, f"refused: {' '.join(arguments)}", done.stderr)
    text = path.read_text().replace("parameters: {H: 0.01}", "parameters: {H: 0.01, k: 0.02}")
    path.write_text(text)
    done = costab("pattern", path, "--over", "k=0.1:0.2")
    ok(done.returncode == 2 and "is not this parameter" in done.stderr, "refused: another parameter", done.stderr)


def test_field(folder):
    """pattern_radius over H1 and H2 is the upper bound of the pair: never below what a cycle of the two attains."""
    path = written(folder, LIM2)
    text = path.read_text().replace("parameters: {H: 0.01}", "parameters: {H1: 0.01, H2: 0.01}").replace("macro_step: H}", "macro_step: H1}")
    chart = pathlib.Path(folder, "pairs.yaml")
    chart.write_text(text + "axes: {H1: [0.02, 0.15, 0.27], H2: [0.02, 0.2]}\nfields: [pattern_radius]\n"
                     "figure: {kind: contour, of: pattern_radius}\n")
    done = costab("sweep", chart, "-o", chart.with_suffix(".h5"), "-q")
    ok(done.returncode == 0 and done.stderr == "", "a sweep of pattern_radius", done.stderr)
    with h5py.File(chart.with_suffix(".h5")) as file:
        field, H1, H2 = file["pattern_radius"][0], file["H1"][:], file["H2"][:]
    player = Player(LIM2, "jacobi")
    for i, a in enumerate(H1):
        for j, b in enumerate(H2):
            best = max(player.radius(w) for k in range(1, 7) for w in itertools.product((a, b), repeat=k))
            ok(best * (1 - 1e-9) <= field[i, j] <= best * 1.03, f"the pair {a}, {b}", best, field[i, j])
    done = costab("plot", chart.with_suffix(".h5"), "-o", folder)
    ok(done.returncode == 0 and chart.with_suffix(".gp").exists(), "drawn", done.stderr)
    chart.write_text(chart.read_text().replace("H2", "K2"))
    done = costab("sweep", chart, "-o", chart.with_suffix(".h5"), "--force")
    ok(done.returncode == 2 and "the parameters H1 and H2" in done.stderr, "a model without H2 is refused", done.stderr)


def test_file(folder):
    """-o keeps what the table says, and plot draws it."""
    path, results = written(folder, LIM2), pathlib.Path(folder, "sequences.h5")
    couplings = ["jacobi", "jacobi-linear", "jacobi-quadratic"]
    asked = ("--over", "H=0.05:0.2", "--coupling", ",".join(couplings))
    rows = list(csv.DictReader(io.StringIO(costab("pattern", path, *asked).stdout)))
    table = {(r["coupling"], r["name"]): r["value"] for r in rows}
    done = costab("pattern", path, *asked, "-o", results)
    with h5py.File(results) as file:
        names = [name.decode() for name in file["coupling"][:]]
        same = all(float(table[c, name]) == file[name][i] for i, c in enumerate(couplings[:2])
                   for name in ("lower", "upper", "rate_lower", "rate_upper", "safe_from", "safe_to"))
        for i, c in enumerate(couplings[:2]):
            steps = [float(step) for step in table[c, "pattern"].split()]
            same &= list(file["pattern"][i][:len(steps)]) == steps and np.isnan(file["pattern"][i][len(steps):]).all()
            same &= ("no", "yes")[file["proved"][i]] == table[c, "proved"] and (file["from"][i], file["to"][i]) == (0.05, 0.2)
        empty = np.isnan(file["lower"][2]) and np.isnan(file["pattern"][2]).all()
    ok(done.returncode == 0 and done.stdout == "" and names == couplings and same and empty, "-o: the table as a results file",
       done.stderr, table)
    done = costab("plot", results, "-o", folder, "--script-only")
    drawn = results.with_suffix(".gp").read_text()
    ok(done.returncode == 0 and "jacobi-quadratic: left out" in drawn and f"{float(table['jacobi', 'lower']):.5f}" in drawn,
       "plot draws it, a panel for each coupling", done)
    done = costab("plot", results, "-o", folder, "--kind", "tornado")
    ok(done.returncode == 2 and "costab margin -o" in done.stderr, "not as another kind", done)


def test_neutral(folder):
    """A free body: what all steps share is set aside, what remains decays."""
    free = {"parts": [([[0, 1], [0, -1]], [[0], [1]], [[0, 1]], [[0]]), ([[-2]], [[1]], [[-1]], [[0]])],
            "links": [(0, 0, 1, 0), (1, 0, 0, 0)]}
    path = written(folder, free)
    for coupling in ("jacobi", "jacobi-linear"):
        done = costab("pattern", path, "--steps", "0.1,0.4", "--coupling", coupling)
        values = {r["name"]: r["value"] for r in csv.DictReader(io.StringIO(done.stdout))}
        ok(float(values["upper"]) < 1 and "1 neutral direction" in done.stderr, f"{coupling}: a free body", values, done.stderr)


with tempfile.TemporaryDirectory() as workplace:
    for test in (test_lists, test_reference, test_ranges, test_refused, test_neutral, test_file, test_field):
        test(workplace)
finish()
