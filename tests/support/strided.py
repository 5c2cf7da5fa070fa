"""A second program for strides: a master that passes messages. A subsystem with stride s is advanced at macro steps n = 0, s, 2s, ... from n to
n + s; a message is an output's value with the time of which it is. A subsystem that begins a step at n reads the messages of times up to n. With
gauss-seidel it also reads those of this macro step from subsystems before it in the order, if their time is not after the end of its own step.
Subsystems are exact, their inputs the newest message or the line through the newest two; an output with feedthrough takes the input that its
subsystem's last step ended with. By SciPy."""
import math

import numpy as np
from scipy.linalg import expm


class Part:
    """One subsystem: matrices (A, B, C, D), its stride, and its links: (input, source, output, gain)."""

    def __init__(self, matrices, stride, links):
        self.A, self.B, self.C, self.D = (np.atleast_2d(np.array(m, dtype=float)) for m in matrices)
        self.stride, self.links = stride, links

    def flow(self, length):
        """x at the end = E x + F u0 + G u', of an input u0 + u' t."""
        n, m = self.B.shape
        Z = np.zeros((n + 2 * m, n + 2 * m))
        Z[:n, :n], Z[:n, n:n + m], Z[n:n + m, n + m:] = self.A, self.B, np.eye(m)
        Z = expm(Z * length)
        return Z[:n, :n], Z[:n, n:n + m], Z[:n, n + m:]


def radius(parts, H, order=None, known=0, unknown=0):
    """The spectral radius per macro step; order: of gauss-seidel, None: jacobi. known, unknown: the degree, 0 or 1, of an input whose source's new
    value is read, and of others."""
    period = math.lcm(*(p.stride for p in parts))
    flows = [p.flow(p.stride * H) for p in parts]
    sizes = [p.A.shape[0] + p.B.shape[1] + 2 * p.C.shape[0] for p in parts]
    begins = np.concatenate([[0], np.cumsum(sizes)])
    images = []
    for unit in np.eye(begins[-1]):
        x, ends, messages = [], [], []
        for p, begin in zip(parts, begins):  # the two newest messages are of the steps before 0
            n, m, q = p.A.shape[0], p.B.shape[1], p.C.shape[0]
            own = unit[begin:begin + n + m + 2 * q]
            x.append(own[:n]), ends.append(own[n:n + m])
            messages.append([(-2 * p.stride, own[n + m + q:]), (-p.stride, own[n + m:n + m + q])])
        for n in range(period):
            due = [s for s in (order if order is not None else range(len(parts))) if n % parts[s].stride == 0]
            for s in due:
                messages[s].append((n, parts[s].C @ x[s] + parts[s].D @ ends[s]))
            fresh = {}
            for s in due:
                p, u, slope = parts[s], np.zeros(parts[s].B.shape[1]), np.zeros(parts[s].B.shape[1])
                for i, source, output, gain in p.links:
                    read, new = messages[source], order is not None and source in fresh and fresh[source][0] <= n + p.stride
                    if new:
                        read = read + [fresh[source]]
                    (t1, y1), (t2, y2) = read[-2:]
                    rise = (y2[output] - y1[output]) / (t2 - t1) if (known if new else unknown) else 0
                    u[i] += gain * (y2[output] + rise * (n - t2))
                    slope[i] += gain * rise / H
                E, F, G = flows[s]
                x[s] = E @ x[s] + F @ u + G @ slope
                ends[s] = u + slope * p.stride * H
                fresh[s] = (n + p.stride, p.C @ x[s] + p.D @ ends[s])
        images.append(np.concatenate([np.concatenate([x[s], ends[s], messages[s][-1][1], messages[s][-2][1]]) for s in range(len(parts))]))
    return np.abs(np.linalg.eigvals(np.array(images).T)).max() ** (1 / period)


def first_loss(of, low, high, count=60):
    """The first H at which a radius passes 1."""
    grid = np.geomspace(low, high, count)
    upper = next(k for k in range(count) if of(grid[k]) >= 1)
    a, b = grid[upper - 1], grid[upper]
    while b - a > 1e-15 * b:
        middle = (a + b) / 2
        if middle in (a, b):
            break
        a, b = (middle, b) if of(middle) < 1 else (a, middle)
    return a
