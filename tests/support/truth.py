"""Macro-step maps from a model's definition with NumPy, for many values of one parameter at once, and the intervals in
which they are stable, by dense samples. Independent of costab: nothing here is its code."""
import numpy as np

TABLEAUX = {
    "heun": ([[0, 0], [1, 0]], [0.5, 0.5]),
    "rk4": ([[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
    "backward-euler": ([[1]], [1]),
    "trapezoidal": ([[0, 0], [0.5, 0.5]], [0.5, 0.5]),
}
CHOICES = {  # scheme, interpolation and extrapolation linear
    "jacobi": ("jacobi", False, False), "jacobi-linear": ("jacobi", False, True),
    "gauss-seidel": ("gauss-seidel", False, False), "gauss-seidel-linear": ("gauss-seidel", True, False),
    "iterated": ("iterated", False, False), "iterated-linear": ("iterated", True, False),
    "jacobi-smoothed": ("jacobi", False, False), "gauss-seidel-smoothed": ("gauss-seidel", False, False),
}
SAMPLES = 60000


def balance(Z):
    """Powers of two that make rows and columns of a stack's mean alike: states in SI units range over ten decades."""
    mean, scale = np.abs(Z).mean(0), np.ones(Z.shape[-1])
    np.fill_diagonal(mean, 0)
    for _ in range(20):
        for i in range(len(scale)):
            row, column = (mean[i] / scale[i] * scale).sum(), (mean[:, i] / scale * scale[i]).sum()
            if row > 0 and column > 0:
                scale[i] *= 2.0 ** np.round(np.log2(row / column) / 2)
    return scale


def exponential(Z):
    """exp of a stack of matrices: Taylor's series of Z / 2^k, squared k times."""
    scale = balance(Z)
    return series(Z / scale[:, None] * scale) * scale[:, None] / scale


def series(Z):
    size = np.abs(Z).sum(-1).max(-1)
    k = np.maximum(0, np.ceil(np.log2(np.maximum(size, 1e-300)))).astype(int)
    Y = Z / (2.0 ** k)[:, None, None]
    one = np.eye(Z.shape[-1])
    E = one + Y / 20
    for j in range(19, 0, -1):
        E = one + (Y @ E) / j
    for q in range(k.max(initial=0)):
        some = k > q
        E[some] = E[some] @ E[some]
    return E


def micro_steps(Z, method, count):
    """R(Z / count)^count for a stack of augmented matrices."""
    if method == "exact":
        return exponential(Z)
    a, b = (np.array(x, float) for x in TABLEAUX[method])
    Z, n, s = Z / count, Z.shape[-1], len(b)
    one, stages = np.eye(n), []
    if np.allclose(np.triu(a), 0):
        for i in range(s):
            stages.append(Z @ (one + sum((a[i, j] * stages[j] for j in range(i)), np.zeros((n, n)))))
        R = one + sum(b[i] * stages[i] for i in range(s))
    else:
        big = np.eye(s * n) - np.kron(a, np.ones((n, n))) * np.tile(Z, (1, s, s))
        K = np.linalg.solve(big, np.tile(Z, (1, s, 1))).reshape(len(Z), s, n, n)
        R = one + np.einsum("s,bsij->bij", b, K)
    return np.linalg.matrix_power(R, count)


class Family:
    """A model of families.py and a coupling, over one parameter."""

    def __init__(self, made, coupling):
        self.made, self.parts = made, made["subsystems"]
        self.scheme, self.linear, self.ahead = CHOICES[coupling]
        self.smoothed = coupling.endswith("-smoothed")  # of constants: a line one step late
        names = [q["name"] for q in self.parts]
        cut = lambda sizes: np.concatenate([[0], np.cumsum(sizes)])
        self.x, self.u, self.y = (cut([len(q[k]) for q in self.parts]) for k in ("A", "inputs", "outputs"))
        self.L = np.zeros((self.u[-1], self.y[-1]))
        for source, target in made["connections"]:
            a, out = source.split(".")
            b, into = target.split(".")
            i, j = names.index(a), names.index(b)
            self.L[self.u[j] + self.parts[j]["inputs"].index(into), self.y[i] + self.parts[i]["outputs"].index(out)] += 1
        self.feedthrough = any("D" in q for q in self.parts)

    def matrices(self, q, values):
        """A, B, C, D at all values."""
        known = {k: np.full(len(values), v) for k, v in self.made["parameters"].items()}
        known[self.made["over"]] = values
        sizes = {"A": (len(q["A"]), len(q["A"])), "B": (len(q["A"]), len(q["inputs"])),
                 "C": (len(q["outputs"]), len(q["A"])), "D": (len(q["outputs"]), len(q["inputs"]))}
        found = []
        for key in "ABCD":
            M = np.zeros((len(values),) + sizes[key])
            for i, row in enumerate(q.get(key, ())):
                for j, x in enumerate(row):
                    M[:, i, j] = -known[x[1:]] if isinstance(x, str) else x
            found.append(M)
        return found, known["H"]

    def blocks(self, values):
        """Of every subsystem: Phi, U, V of a macro step, C, D."""
        found = []
        for q in self.parts:
            (A, B, C, D), H = self.matrices(q, values)
            n, m = A.shape[1], B.shape[2]
            Z = np.zeros((len(values), n + 2 * m, n + 2 * m))
            Z[:, :n, :n], Z[:, :n, n:n + m] = A * H[:, None, None], B * H[:, None, None]
            Z[:, range(n, n + m), range(n + m, n + 2 * m)] = 1
            R = micro_steps(Z, q["method"], q["substeps"])[:, :n]
            found.append((R[:, :, :n], R[:, :, n:n + m], R[:, :, n + m:], C, D))
        return found

    def whole(self, blocks):
        """C and D of all subsystems together."""
        count = len(blocks[0][0])
        C, D = np.zeros((count, self.y[-1], self.x[-1])), np.zeros((count, self.y[-1], self.u[-1]))
        for i, b in enumerate(blocks):
            rows = slice(self.y[i], self.y[i + 1])
            C[:, rows, self.x[i]:self.x[i + 1]], D[:, rows, self.u[i]:self.u[i + 1]] = b[3], b[4]
        return C, D

    def maps(self, values):
        """The maps, and those of guesses to guesses (None but for iterated)."""
        blocks, L, count = self.blocks(values), self.L, len(values)
        C, D = self.whole(blocks)
        N, U, Y = self.x[-1], self.u[-1], self.y[-1]
        solved = self.made["feedthrough"] == "solved"
        held = self.feedthrough and not solved
        former = self.smoothed or self.ahead and self.scheme == "jacobi"
        size = N + (U if held else 0) + (Y if former else 0)
        one = np.eye(size)
        x = np.broadcast_to(one[:N], (count, N, size))
        y0 = C @ x
        if held:
            y0 = y0 + D @ one[N:N + U]
        elif self.feedthrough:
            y0 = np.linalg.solve(np.eye(Y) - D @ L, y0)
        begin = one[size - Y:] if self.smoothed else y0
        y1 = 2 * y0 - one[size - Y:] if former and not self.smoothed else y0
        advance = lambda i, u0, u1: (blocks[i][0] @ x[:, self.x[i]:self.x[i + 1]] + blocks[i][1] @ u0[:, self.u[i]:self.u[i + 1]]
                                     + blocks[i][2] @ (u1 - u0)[:, self.u[i]:self.u[i + 1]])
        J = None
        if self.scheme == "iterated":
            F, G0, G1 = np.zeros((count, N, N)), np.zeros((count, N, U)), np.zeros((count, N, U))
            for i, b in enumerate(blocks):
                r, c = slice(self.x[i], self.x[i + 1]), slice(self.u[i], self.u[i + 1])
                F[:, r, r], G0[:, r, c], G1[:, r, c] = b[0], b[1], b[2]
            G = (G1 if self.linear else G0) @ L
            start = F @ x + ((G0 - G1) @ (L @ y0) if self.linear else 0)
            J = C @ G + D @ L
            guess = np.linalg.solve(np.eye(Y) - J, C @ start)
            new, end = start + G @ guess, L @ guess
        else:
            known, now, new, end = np.zeros(Y, bool), y0.copy(), [], np.zeros((count, U, size))
            for i, b in enumerate(blocks):
                seen = known[:, None]
                u0, u1 = L @ np.where(seen, y0 if self.linear else now, begin), L @ np.where(seen, now, y1)
                new.append(advance(i, u0, u1))
                own, mine = slice(self.u[i], self.u[i + 1]), slice(self.y[i], self.y[i + 1])
                end[:, own] = u1[:, own]
                if self.scheme == "gauss-seidel":
                    now[:, mine], known[mine] = b[3] @ new[-1] + b[4] @ u1[:, own], True
            new = np.concatenate(new, 1)
        M = np.concatenate([new] + ([end] if held else []) + ([y0] if former else []), 1)
        return M, J

    def margin(self, values):
        """max(radius, iteration radius) - 1 at all values."""
        with np.errstate(all="ignore"):
            M, J = self.maps(np.asarray(values, float))
        M = np.where(np.isfinite(M), M, 1e150)
        radius = np.abs(np.linalg.eigvals(M)).max(1)
        return (radius if J is None else np.maximum(radius, np.abs(np.linalg.eigvals(J)).max(1))) - 1

    def continuous_margin(self, values):
        """The abscissa of the coupled system."""
        values = np.asarray(values, float)
        found = [self.matrices(q, values)[0] for q in self.parts]
        A, B = np.zeros((len(values), self.x[-1], self.x[-1])), np.zeros((len(values), self.x[-1], self.u[-1]))
        C, D = self.whole([(m[0], m[1], None, m[2], m[3]) for m in found])
        for i, m in enumerate(found):
            r = slice(self.x[i], self.x[i + 1])
            A[:, r, r], B[:, r, self.u[i]:self.u[i + 1]] = m[0], m[1]
        loop = np.linalg.solve(np.eye(self.u[-1]) - self.L @ D, self.L @ C)
        return np.linalg.eigvals(A + B @ loop).real.max(1)


def pieces(f, values):
    return np.concatenate([f(values[i:i + 4000]) for i in range(0, len(values), 4000)])


def sampled(f, low, high, samples=SAMPLES):
    """Values from low to high, and f there."""
    x = np.unique(np.concatenate([np.linspace(low, high, samples), np.geomspace(low, high, samples // 10)]))
    x[0], x[-1] = low, high
    return x, pieces(f, x)


def intervals(f, low, high, samples=SAMPLES):
    """Where f < 0: samples, golden section at their extrema, bisection of all sign changes."""
    return intervals_of(f, *sampled(f, low, high, samples))


def intervals_of(f, x, m):
    """The same from samples: values x, and m, f there."""
    low, high = float(x[0]), float(x[-1])
    for sign in (1, -1):  # maxima below 0, minima above
        s = sign * m
        peak = np.nonzero((s[1:-1] >= s[:-2]) & (s[1:-1] >= s[2:]) & (s[1:-1] < 0)
                          & (-s[1:-1] <= 4 * (2 * s[1:-1] - s[:-2] - s[2:])))[0] + 1
        if len(peak) == 0:
            continue
        a, b, g = x[peak - 1], x[peak + 1], (np.sqrt(5) - 1) / 2
        for _ in range(45):
            p, q = b - g * (b - a), a + g * (b - a)
            left = sign * pieces(f, p) > sign * pieces(f, q)
            a, b = np.where(left, a, p), np.where(left, q, b)
        x, at = np.concatenate([x, (a + b) / 2]), np.concatenate([m, pieces(f, (a + b) / 2)])
        order = np.argsort(x, kind="stable")
        x, m = x[order], at[order]
    change = np.nonzero((m[1:] < 0) != (m[:-1] < 0))[0]
    a, b, stable = x[change].copy(), x[change + 1].copy(), m[change] < 0
    for _ in range(50 if len(change) else 0):
        middle = (a + b) / 2
        same = (f(middle) < 0) == stable
        a, b = np.where(same, middle, a), np.where(same, b, middle)
    ends = [low] * bool(m[0] < 0) + [float(e) for e in (a + b) / 2] + [high] * bool(m[-1] < 0)
    return [[ends[i], ends[i + 1]] for i in range(0, len(ends), 2)]
