"""Models for extrapolation by weights, and a second program for them: macro steps of exact subsystems by SciPy, whose inputs go on as
y + (a0 + a1 s)(y - y1) + (b0 + b1 s)(y - 2 y1 + y2) over a step, s = 0..1."""
import pathlib
import re

import numpy as np
from scipy.linalg import expm

SWEEPS = pathlib.Path(__file__).resolve().parents[2] / "sweeps"
MASS = "  - {name: m%d, states: [x, v], A: [[0, 1], [-2*k, -d]], B: [[%s], [%s]], C: [[1, 0]], x0: [%d, 0], inputs: [%s], outputs: [x], method: exact}\n"
CHAIN = "system: network\nparameters: {H: 0.05, k: 10, d: 0.5}\nsubsystems:\n" + "".join(
    MASS % (i, *(["0, 0", "k, k"] if 1 < i < 5 else ["0", "k"]), i == 1, "left, right" if 1 < i < 5 else "right" if i == 1 else "left")
    for i in range(1, 6)) + "connections:\n" + "".join(
    f"  - {{from: m{i + 1}.x, to: m{i}.right}}\n  - {{from: m{i}.x, to: m{i + 1}.left}}\n" for i in range(1, 5))
LOOP = """system: network
parameters: {H: 0.1}
subsystems:
  - {name: plant, states: [x], A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}
  - {name: controller, states: [i], A: [[0]], B: [[-1]], C: [[3]], D: [[-2]], x0: [0], inputs: [y], outputs: [u], method: exact}
connections: [{from: controller.u, to: plant.u}, {from: plant.y, to: controller.y}]
"""


def exact(path):
    """A model of the project with exact solvers and without its couplings."""
    words = re.sub(r"method: *[\w-]+", "method: exact", (SWEEPS / path).read_text())
    return re.sub(r"\n    substeps: \d+", "", words).split("\ncoupling:")[0] + "\n"


class Net:
    """What a model's text says; settings: other values of its parameters."""

    def __init__(self, words, **settings):
        words = re.sub(r"\{(?:name|value): ([^,}]+), [^{}]*(?:label|unit)[^{}]*\}", r"\1", re.sub(r" *#.*", "", words))
        self.values = {"pi": np.pi, "sqrt": np.sqrt}
        for name, value in re.findall(r"(\w+): ([^,}\n]+)", re.search(r"\nparameters:(.*?)\nsubsystems:", words, re.S)[1]):
            self.values[name] = settings[name] if name in settings else self.number(value)
        parts = [self.part(text) for text in re.split(r"\n  - (?=\{?name)", words.split("\nconnections:")[0])[1:]]
        self.parts, self.names = [p[0] for p in parts], [p[1] for p in parts]
        self.x0 = np.concatenate([p[2] for p in parts])
        self.links = []
        for link in re.findall(r"\{from: .*?\}", words.split("\nconnections:")[1]):
            one = dict(re.findall(r"(\w+): ([^,}]+)", link))
            self.links.append((self.place(one["to"], 1), self.place(one["from"], 2), self.number(one.get("gain", "1"))))
        self.A, self.B, self.C, self.D = (self.block([p[k] for p in self.parts]) for k in range(4))
        self.L = np.zeros((self.B.shape[1], self.C.shape[0]))
        for u, y, gain in self.links:
            self.L[u, y] += gain
        self.whole = self.A + self.B @ self.L @ np.linalg.solve(np.eye(len(self.C)) - self.D @ self.L, self.C)

    def number(self, word):
        return float(eval(str(word).replace("^", "**"), {"__builtins__": {}}, self.values))

    def part(self, text):
        found = {key: np.array([[self.number(v) for v in row.split(",")] for row in re.findall(r"\[([^\[\]]*)\]", rows)])
                 for key, rows in re.findall(r"\b([ABCD]): *\[(.*?\])\]", text, re.S)}
        if "D" not in found:
            found["D"] = np.zeros((len(found["C"]), found["B"].shape[1]))
        ports = [re.search(r"\b%s: \[(.*?)\]" % key, text)[1].replace(" ", "").split(",") for key in ("inputs", "outputs")]
        begin = re.search(r"x0: \[(.*?)\]", text)
        x0 = [self.number(v) for v in begin[1].split(",")] if begin else [0.0] * len(found["A"])
        return [found[k] for k in "ABCD"], (re.match(r"\{?name: (\w+)", text)[1], *ports), x0

    def place(self, name, kind):
        """The number of an input (kind 1) or an output (2) among those of all subsystems."""
        part, port = name.strip().split(".")
        before = 0
        for names in self.names:
            if names[0] == part:
                return before + names[kind].index(port)
            before += len(names[kind])
        raise KeyError(name)

    @staticmethod
    def block(matrices):
        out, r, c = np.zeros(np.sum([m.shape for m in matrices], axis=0)), 0, 0
        for m in matrices:
            out[r:r + m.shape[0], c:c + m.shape[1]] = m
            r, c = r + m.shape[0], c + m.shape[1]
        return out

    def step(self, H, weights, solved):
        """One macro step as a function of columns (x, inputs at its end, y1, y2); weights: (a0, a1, b0, b1) per connection."""
        n, m = self.B.shape
        G = np.zeros((n + 2 * m, n + 2 * m))
        G[:n, :n], G[:n, n:n + m], G[n:n + m, n + m:] = self.A * H, self.B * H, np.eye(m)
        flow = expm(G)[:n]

        def over(z):
            x, u, y1, y2 = np.split(z, np.cumsum([n, m, len(self.C)]))
            y = np.linalg.solve(np.eye(len(self.C)) - self.D @ self.L, self.C @ x) if solved else self.C @ x + self.D @ u
            first, rise = np.zeros(u.shape), np.zeros(u.shape)
            for (to, source, gain), (a0, a1, b0, b1) in zip(self.links, weights):
                one, two = (y - y1)[source], (y - 2 * y1 + y2)[source]
                first[to] += gain * (y[source] + a0 * one + b0 * two)
                rise[to] += gain * (a1 * one + b1 * two)
            return np.concatenate([flow @ np.concatenate([x, first, rise]), first + rise, y, y1])
        return over

    def size(self):
        return len(self.A) + len(self.L) + 2 * len(self.C)

    def radius(self, H, weights, solved):
        """The spectral radius of the map without its equilibria: as many eigenvalues 1 as the whole system has 0."""
        found = np.linalg.eigvals(self.step(H, weights, solved)(np.eye(self.size())))
        neutral = len(self.whole) - np.linalg.matrix_rank(self.whole, 1e-9 * np.abs(self.whole).max())
        return np.abs(found[np.argsort(np.abs(found - 1))[neutral:]]).max()

    def errors(self, H, weights, solved, until, true_past=False):
        """The largest difference of a state from the whole system's own solution after each macro step from the model's begin on. The master knows
        the begin's outputs alone, which stand for those before; or, true_past, what these were."""
        def outputs(x):
            return np.linalg.solve(np.eye(len(self.C)) - self.D @ self.L, self.C @ x)

        step, flow, x = self.step(H, weights, solved)(np.eye(self.size())), expm(self.whole * H), self.x0
        past = [expm(-k * H * self.whole * true_past) @ x for k in (1, 2)]
        z, made = np.concatenate([x, self.L @ outputs(x), *map(outputs, past)]), []
        for _ in range(int(until / H + 1e-9)):
            z, x = step @ z, flow @ x
            made.append(np.abs(z[:len(x)] - x).max())
        return made
