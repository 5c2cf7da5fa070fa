"""`costab pattern` held against products of macro steps in NumPy that remember what arrived when."""
import itertools
import pathlib

import numpy as np
from scipy.linalg import expm
from tap import costab, csv_rows, ok

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
    table = csv_rows(costab("pattern", path, *arguments))
    values = {r["name"]: r["value"] for r in table}
    return {name: [float(v) for v in value.split()] if name == "pattern" else value if name == "proved" else
            float(value) if value else None for name, value in values.items()}


def hold_list(folder, model, coupling, steps, delays=(), seconds=(), letters=7, gap=1.005):
    """Bounds of a list of steps, against all cycles of so many steps."""
    path = written(folder, model, delays=delays, seconds=seconds)
    found = told(path, "--coupling", coupling, "--steps", ",".join(map(str, steps)))
    player = Player(model, coupling, delays, seconds)
    words = [w for k in range(1, letters + 1) for w in itertools.product(steps, repeat=k)]
    radii = {w: player.radius(w) for w in words}
    best = max(radii.values())
    what = f"{coupling}, delays {delays}, in seconds {seconds}, steps {steps}"
    ok(best <= found["lower"] * (1 + 1e-9), f"{what}: no cycle up to {letters} grows more than `lower`", best, found)
    ok(abs(player.radius(found["pattern"]) - found["lower"]) < 1e-9, f"{what}: the pattern attains it",
       player.radius(found["pattern"]), found)
    ok(found["lower"] <= found["upper"] <= found["lower"] * gap and found["proved"] == "yes", f"{what}: the upper bound",
       found)
    rates = max(np.log(radii[w]) * len(w) / sum(w) for w in words)
    ok(rates <= found["rate_lower"] + 1e-8 * abs(rates) + 1e-9 and found["rate_lower"] <= found["rate_upper"],
       f"{what}: no cycle grows more per second", rates, found)


def hold_ratio(lim2, longest, ratio):
    """LIM: all sequences of steps between longest / ratio and longest are proved stable."""
    found = told(lim2, "--over", f"H={longest / ratio!r}:{longest!r}")
    ok(found["safe_from"] == longest / ratio and found["safe_to"] == longest and found["upper"] < 1 and
       found["proved"] == "yes", f"LIM: proved stable for H2/H1 up to {ratio} at {longest}", found)
