"""Systems of other Python packages as subsystems of a model.

1. A system with A, B, C, D is taken as it is. A system with num and den becomes controllable companion forms, one for each input
   and denominator. A function is linearised.
2. Names of inputs, outputs and states are those of the system; otherwise u and y, or u1, u2, ..
3. The result is a dict with the keys of a subsystem (docs/reference/keys.md): A, B, C, D and method, or for a discrete system Ad, Bd,
   Cd, Dd and sample_time.

The linearisation is Richardson's extrapolation of central differences, with an error of O(h^4) + O(eps/h). If two step sizes
disagree, the function has a corner and is refused."""
import re
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import InputError, real, reals

# Relative difference of the derivatives for h and h/2 at which a corner is assumed, and the relative size of h.
_CORNER, _STEP = 1e-3, 2.0**-9

# The names that python-control gives to signals without a name.
_UNNAMED = re.compile(r"[uyx]\[\d+\]")


class _System(NamedTuple):
    """A linear system. dt: 0 for a continuous system. signals: names of inputs, outputs and states, if it has names. warning: "" if there
    is none."""
    A: NDArray
    B: NDArray
    C: NDArray
    D: NDArray
    dt: Any
    signals: Mapping[str, Sequence[str]]
    warning: str = ""


def matrices(what: str, A: ArrayLike, B: ArrayLike, C: ArrayLike, D: Optional[ArrayLike] = None) -> Tuple[NDArray, NDArray, NDArray, NDArray]:
    """A, B, C, D as float64 of two dimensions. B may be one column, C one row without inner brackets, D None or 0."""
    a, b, c = (reals(m, f"{what}, {name}").astype(float) for name, m in (("A", A), ("B", B), ("C", C)))
    a = a.reshape(0, 0) if a.size == 0 else np.atleast_2d(a)
    d = reals(0 if D is None else D, f"{what}, D").astype(float)
    states = len(a)
    if b.ndim < 2:
        b = b.reshape(states, -1) if states > 0 and b.size % states == 0 else np.atleast_2d(b)
    if c.ndim < 2:
        c = c.reshape(-1, states) if states > 0 and c.size % states == 0 else np.atleast_2d(c)
    if states == 0:  # a gain
        d = np.atleast_2d(d)
        b, c = np.zeros((0, d.shape[1])), np.zeros((d.shape[0], 0))
    elif d.size == 1 and not d.any():
        d = np.zeros((c.shape[0], b.shape[1]))
    elif d.ndim < 2 and d.size == c.shape[0] * b.shape[1]:
        d = d.reshape(c.shape[0], b.shape[1])
    if a.shape != (states, states) or b.shape[:1] != (states,) or c.shape[1:] != (states,) or d.shape != (c.shape[0], b.shape[1]):
        raise InputError(f"{what}: the shapes of A, B, C, D do not fit: found {', '.join(' x '.join(map(str, m.shape)) or 'a number' for m in (a, b, c, d))}; "
                         "expected n x n, n x m, q x n, q x m")
    return a, b, c, d


# ---- Transfer functions

def _polynomials(num: Any, den: Any) -> List[List[Tuple[NDArray, NDArray]]]:
    """(numerator, denominator) for each output and input, of a system of scipy (one denominator, a row of num for each output) or
    of python-control."""
    if not hasattr(den[0], "__len__"):
        return [[(np.asarray(row, dtype=float), np.asarray(den, dtype=float))] for row in np.atleast_2d(num)]
    return [[(np.asarray(n, dtype=float), np.asarray(d, dtype=float)) for n, d in zip(*rows)] for rows in zip(num, den)]


def _monic(what: str, num: NDArray, den: NDArray) -> Tuple[NDArray, NDArray]:
    """Both divided by the leading coefficient of the denominator, and of equal length."""
    num, den = np.trim_zeros(np.atleast_1d(num), "f"), np.trim_zeros(np.atleast_1d(den), "f")
    if len(den) == 0:
        raise InputError(f"{what}: a denominator of its transfer function is zero")
    if len(num) > len(den):
        raise InputError(f"{what}: its transfer function is improper: the numerator has degree {len(num) - 1}, the denominator {len(den) - 1}; "
                         "add a pole, such as that of a filtered derivative")
    return np.concatenate([np.zeros(len(den) - len(num)), num]) / den[0], den / den[0]


def _realise(what: str, num: Any, den: Any) -> Tuple[NDArray, NDArray, NDArray, NDArray]:
    entries = [[_monic(what, *entry) for entry in row] for row in _polynomials(num, den)]
    outputs, inputs = len(entries), len(entries[0])
    blocks: Dict[Tuple[int, Tuple[float, ...]], List[Tuple[int, NDArray]]] = {}
    D = np.zeros((outputs, inputs))
    for i, row in enumerate(entries):
        for j, (n, d) in enumerate(row):
            D[i, j] = n[0]
            blocks.setdefault((j, tuple(d[1:])), []).append((i, n[1:] - n[0] * d[1:]))
    size = sum(len(d) for _, d in blocks)
    A, B, C = np.zeros((size, size)), np.zeros((size, inputs)), np.zeros((outputs, size))
    at = 0
    for (j, d), rows in blocks.items():
        end = at + len(d)
        A[at:end, at:end] = np.eye(len(d), k=-1)
        if len(d) > 0:
            A[at, at:end], B[at, j] = -np.array(d), 1
        for i, row in rows:
            C[i, at:end] = row
        at = end
    return A, B, C, D


# ---- Functions

def _jacobian(what: str, function: Callable, point: NDArray) -> NDArray:
    """The derivatives of function(point) by each entry of the point."""
    middle = function(point)
    columns = np.zeros((len(middle), len(point)))
    for k, value in enumerate(point):
        def differences(h: float) -> Tuple[NDArray, NDArray]:
            """The central difference, and the jump between the one-sided differences."""
            up, down = point.copy(), point.copy()
            up[k], down[k] = value + h, value - h
            after, before = function(up), function(down)
            return (after - before) / (up[k] - down[k]), abs(after - 2 * middle + before) / h

        h = _STEP * max(1.0, abs(value))
        (coarse, jump), (fine, jump_fine) = differences(h), differences(h / 2)
        if not np.isfinite([middle, coarse, fine]).all():
            raise InputError(f"{what}: the function is not finite at its operating point or near it")
        large = _CORNER * (1 + abs(fine))
        if ((abs(fine - coarse) > large) | (jump_fine > large) & (jump_fine > 0.75 * jump)).any():
            raise InputError(f"{what}: the function has no derivatives at its operating point, or changes too much within {h:g}: "
                             "move the operating point away from the corner, or scale the variables")
        columns[:, k] = (4 * fine - coarse) / 3
    return columns


def _linearise(what: str, function: Callable, x0: ArrayLike, u0: ArrayLike, dt: Any, signals: Mapping[str, Sequence[str]]) -> _System:
    x, u = (np.atleast_1d(reals(v, f"{what}, operating point").astype(float)).ravel() for v in (x0, u0))

    def values(point: NDArray) -> NDArray:
        derivative, output = function(point[:len(x)], point[len(x):])
        return np.concatenate([np.atleast_1d(reals(v, what)).astype(float).ravel() for v in (derivative, output)])

    point = np.concatenate([x, u])
    derivative = np.atleast_1d(function(x, u)[0])
    if derivative.shape != x.shape:
        raise InputError(f"{what}: the function has to return (x', y), where x' has {len(x)} entries as x0 has; found {len(derivative)}")
    moves = abs(derivative).max(initial=0) > 1e-6 * (1 + abs(point).max(initial=0))
    warning = f"{what}: the operating point is no equilibrium: x' is {derivative.tolist()} there" if moves else ""
    J = _jacobian(what, values, point)
    n = len(x)
    return _System(J[:n, :n], J[:n, n:], J[n:, :n], J[n:, n:], dt, signals, warning)


# ---- Systems

def _names(system: Any) -> Dict[str, Sequence[str]]:
    """The names of signals of python-control's systems, without names that python-control has made itself."""
    found = {kind: getattr(system, kind[:-1] + "_labels", None) for kind in ("inputs", "outputs", "states")}
    return {kind: list(labels) for kind, labels in found.items() if labels and not any(_UNNAMED.fullmatch(label) for label in labels)}


def _of_tuple(what: str, parts: Sequence[Any]) -> _System:
    if len(parts) in (4, 5):
        return _System(*matrices(what, *parts[:4]), parts[4] if len(parts) == 5 else 0, {})
    if len(parts) != 3 or not callable(parts[0]):
        raise InputError(f"{what}: found a tuple of {len(parts)}; expected (A, B, C, D), (A, B, C, D, dt), or (function, x0, u0)")
    own, x0, u0 = parts
    if hasattr(own, "dynamics") and hasattr(own, "output"):  # of python-control
        return _linearise(what, lambda x, u: (own.dynamics(0, x, u), own.output(0, x, u)), x0, u0, getattr(own, "dt", 0), _names(own))
    return _linearise(what, own, x0, u0, 0, {})


def _linear(what: str, system: Any) -> _System:
    if isinstance(system, (tuple, list)):
        return _of_tuple(what, system)
    if all(hasattr(system, name) for name in "ABCD"):
        return _System(*matrices(what, system.A, system.B, system.C, system.D), getattr(system, "dt", 0), _names(system))
    if hasattr(system, "num") and hasattr(system, "den"):
        return _System(*_realise(what, system.num, system.den), getattr(system, "dt", 0), _names(system))
    if hasattr(system, "to_ss"):
        return _linear(what, system.to_ss())
    if hasattr(system, "nstates") and hasattr(system, "ninputs"):
        return _of_tuple(what, (system, np.zeros(system.nstates), np.zeros(system.ninputs)))
    if callable(system):
        raise InputError(f"{what}: a function needs its operating point: (function, x0, u0), where function(x, u) returns (x', y)")
    raise InputError(f"{what}: found a {type(system).__name__}; expected a system with A, B, C, D or num, den, arrays (A, B, C, D), "
                     "(function, x0, u0), or a dict with keys of a subsystem")


def _ports(count: int, letter: str) -> List[str]:
    return [letter] if count == 1 else [f"{letter}{i + 1}" for i in range(count)]


def keys_of(name: str, system: Any, warnings: List[str]) -> Dict[str, Any]:
    """The keys of a subsystem. A dict has such keys itself; its key `system` stands for the matrices. Appends to warnings."""
    what = f"system '{name}'"
    more = dict(system) if isinstance(system, Mapping) else {"system": system}
    if "system" not in more:
        return {"name": name, **more}
    found = _linear(what, more.pop("system"))
    if found.warning:
        warnings.append(found.warning)
    if found.dt is True:
        raise InputError(f"{what}: it is discrete, but its sample time is not given: set dt to seconds")
    rest = {"sample_time": float(real(found.dt, f"{what}, dt"))} if found.dt else {"method": "exact"}
    keys = {key + "d" * bool(found.dt): value for key, value in zip("ABCD", found[:4]) if value.size > 0 and (key != "D" or value.any() or len(found.A) == 0)}
    return {"name": name, **keys, "inputs": _ports(found.B.shape[1], "u"), "outputs": _ports(found.C.shape[0], "y"), **rest, **found.signals, **more}
