"""Areas of the stability regions as a SciPy script would find them: for 1001 values of a and the four schemes, the row
length from the Jury conditions (linear in delta for the co-simulations; roots of the boundary polynomials for the
simulation, which does not depend on a), integrated over gamma with scipy.integrate.quad between break points found on a grid
and refined with brentq, relative tolerance 1e-10. Usage: areas.py EVERY; EVERY > 1 takes every EVERY-th value of a."""
import sys
import time
import warnings

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

warnings.filterwarnings("ignore")


def weights(z):
    phi = 1 + z * (1 / 2 + z * (1 / 6 + z / 24))
    p1 = 1 / 2 + z * (1 / 6 + z / 24)
    return 1 + z * phi, phi, phi - p1, p1


def bounds(scheme, a, gamma):
    """Ends of the stable interval of a row and which condition gives each."""
    d = gamma - a
    _, fa, p0a, p1a = weights(a)
    _, fd, p0d, p1d = weights(d)
    s, e = a * fa + d * fd, fa * fd
    g, q = {"cross": (0, 0), "zigzag": (fa * p1d, 0), "strong": (p1a * fd + fa * p1d, p1a * p1d)}[scheme]
    lower, upper = (-np.inf, -1), (np.inf, -1)
    lines = [(0, e), (-(s + a * d * g), g - e), (4 * (1 - a * d * q) + 2 * (s + a * d * g), 4 * q - 2 * g + e)]
    if q:
        lines += [(1 / abs(q) - a * d, 1), (1 / abs(q) + a * d, -1)]
    for k, (x0, x1) in enumerate(lines):
        if x1 > 0:
            lower = max(lower, (-x0 / x1, k))
        elif x1 < 0:
            upper = min(upper, (-x0 / x1, k))
        elif x0 <= 0:
            return (0, -2), (0, -2)
    return (lower, upper) if lower[0] < upper[0] else ((0, -2), (0, -2))


def length(scheme, a, gamma):
    (lower, _), (upper, _) = bounds(scheme, a, gamma)
    return max(0, upper) - max(0, lower) if gamma < 0 else 0


def area_ss(scheme, a):
    grid = np.linspace(-12, 0, 601)
    kinds = [tuple(b[1] for b in bounds(scheme, a, g)) for g in grid]
    breaks = [grid[0]]
    for left, right, k, l in zip(grid, grid[1:], kinds, kinds[1:]):
        if k != l:
            same = lambda g: 1.0 if tuple(b[1] for b in bounds(scheme, a, g)) == k else -1.0
            breaks.append(brentq(same, left, right, xtol=1e-14) if same(right) < 0 else right)
    breaks.append(0)
    return sum(quad(lambda g: length(scheme, a, g), l, r, epsabs=0, epsrel=1e-10)[0] for l, r in zip(breaks, breaks[1:]))


def main():
    every = int(sys.argv[1])
    values = np.linspace(-2.5, 2.5, 1001)[::every]
    begin = time.perf_counter()
    total = 0
    for scheme in ("cross", "zigzag", "strong"):
        for a in values:
            if scheme != "cross" or a >= 0:  # cross is infinite below: a script would have to know
                total += area_ss(scheme, a)
    print((time.perf_counter() - begin) * every)


main()
