#!/usr/bin/env python3
"""sweeps/methods: every figure's numbers against stability functions in NumPy, and the page's table against them. Prints TAP."""
import pathlib
import re
import tempfile

import h5py
import numpy as np

from tap import costab, finish, ok

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "sweeps/methods"
G = 1 - 1 / np.sqrt(2)


def taylor(*coefficients):
    return lambda z: sum(c * z**k for k, c in enumerate(coefficients))


QUADRATIC, CUBIC, QUARTIC = taylor(1, 1, 1 / 2), taylor(1, 1, 1 / 2, 1 / 6), taylor(1, 1, 1 / 2, 1 / 6, 1 / 24)


def bdf2(z):
    """The larger root of (3/2 - z) w^2 - 2 w + 1/2."""
    root = np.sqrt(4 - 2 * (1.5 - z) + 0j)
    return np.maximum(abs(2 + root), abs(2 - root)) / abs(3 - 2 * z)


FUNCTIONS = {
    "euler": taylor(1, 1), "heun": QUADRATIC, "midpoint": QUADRATIC, "ralston": QUADRATIC, "kutta3": CUBIC, "ssprk3": CUBIC, "bs3": CUBIC,
    "rk4": QUARTIC, "rk38": QUARTIC, "dopri5": taylor(1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 600),
    "own": taylor(1, 1, 1 / 2, 1 / 6, 1 / 48), "backward-euler": lambda z: 1 / (1 - z), "trapezoidal": lambda z: (2 + z) / (2 - z),
    "gauss2": lambda z: (12 + 6 * z + z**2) / (12 - 6 * z + z**2), "radau2": lambda z: (6 + 2 * z) / (6 - 4 * z + z**2),
    "sdirk2": lambda z: (1 + (1 - 2 * G) * z) / (1 - G * z) ** 2, "exact": np.exp, "bdf2": bdf2}


def newmark(w, zeta, rho):
    """Generalized alpha of this radius (1: Newmark's, by 0 of both alphas): from (q, v, a) to the next, h = 1."""
    am, af = ((2 * rho - 1) / (rho + 1), rho / (rho + 1)) if rho < 1 else (0, 0)
    gamma = 1 / 2 - am + af
    beta = (1 - am + af) ** 2 / 4
    k, d = w**2, 2 * zeta * w
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - af) * k, (1 - af) * d, 1 - am]])
    right = np.array([[1, 1, 1 / 2 - beta], [0, 1, 1 - gamma], [-af * k, -af * d, -am]])
    return np.linalg.solve(left, right)


SECOND_ORDER = {
    "newmark": lambda w, zeta: newmark(w, zeta, 1), "generalized-alpha": lambda w, zeta: newmark(w, zeta, 0.8),
    "semi-implicit-euler": lambda w, zeta: np.array([[1 - w**2, 1 - 2 * zeta * w], [-w**2, 1 - 2 * zeta * w]])}


def radius(name, one, two):
    if name in FUNCTIONS:
        return abs(FUNCTIONS[name](one + 1j * two))
    values = np.linalg.eigvals(SECOND_ORDER[name](one, two))
    moving = values[abs(values) > 1e-9]
    return abs(moving).max()


def test_figures(folder):
    named = sorted(p.stem for p in FOLDER.glob("*.yaml"))
    ok(named == sorted([*FUNCTIONS, *SECOND_ORDER]), "a spec for each function, and no other", named)
    told = costab("help", "--markdown", "keys").stdout
    table = re.findall(r"^\| `([\w-]+)` \|", told[told.index("## Methods\n"):], re.M)
    ok(len(table) > 15 and set(table) == set(named) - {"own"}, "of every method that there is, and one of a tableau",
       f"methods without a spec in sweeps/methods, or the reverse: {set(table) ^ set(named) - {'own'}}")
    for name in named:
        file = pathlib.Path(folder, name + ".h5")
        done = costab("sweep", str(FOLDER / f"{name}.yaml"), "-o", str(file))
        with h5py.File(file) as h5:
            axes = ("x", "y") if name in FUNCTIONS else ("w", "zeta")
            one, two, found = h5[axes[0]][:], h5[axes[1]][:], h5["spectral_radius"][0]
        some = [(i, j) for i in range(0, 160, 7) for j in range(0, 160, 7)]
        off = max(abs(found[i, j] - radius(name, one[i], two[j])) / max(1, found[i, j]) for i, j in some)
        ok(done.returncode == 0 and off < 1e-7, f"{name}: {len(some)} points against its stability function", off)


def end(function, direction):
    """Where |R| first passes 1 going out from 0, or None: |R| stays at most 1 on the way to 100."""
    t = np.linspace(1e-3, 100, 40001)
    with np.errstate(over="ignore"):
        above = np.flatnonzero(abs(function(direction * t)) > 1 + 1e-12)
    if len(above) == 0:
        return None
    if t[above[0]] < 0.01:
        return 0
    low, high = t[above[0] - 1], t[above[0]]
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if abs(function(direction * middle)) > 1 else (middle, high)
    return low


def test_page():
    rows = re.findall(r"^\| `([\w-]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|", (FOLDER / "README.md").read_text(), re.M)
    ok(sorted(name for name, _, _ in rows) == sorted(FUNCTIONS), "the page's table has every method", rows)
    for name, real, imaginary in rows:
        wanted = [end(FUNCTIONS[name], direction) for direction in (-1, 1j)]
        shown = [None if cell == "all" else float(cell) for cell in (real, imaginary)]
        ok(all((a is None) == (b is None) and (a is None or abs(a - abs(b)) < 6e-6) for a, b in zip(wanted, shown)),
           f"{name}: the ends on both axes", (wanted, shown))


with tempfile.TemporaryDirectory() as temporary:
    test_figures(temporary)
    test_page()
finish()
