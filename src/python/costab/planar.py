"""The planar test system z' = [a b; c d] z in variables scaled by the macro step: a, the trace Gamma = a + d and the determinant
Delta = ad - bc, all dimensionless. include/costab/planar.h and area.h say what the functions mean.

In all functions `scheme` is simulation, cross, zigzag, strong or an alias (monolithic, jacobi, gauss-seidel-linear, iterated-linear); `method` a name
such as "rk4", or a tableau {"A": ..., "b": ..., "c": ...} (c may be left out) of numbers, fractions or texts such as "1/2" and
"sqrt(3)/6"; `substeps` the number of micro steps per macro step, one or a pair (of the subsystems a and d)."""
from fractions import Fraction
from typing import Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import SHARE, InputError, call, ffi, filled, lib, listed, long, real, reals, text, two_ends, whole, word

__all__ = ["Areas", "CAUSES", "Critical", "Curve", "area", "boundary", "classify", "critical"]

Method = Union[str, Mapping[str, object]]
Number = Union[float, str, Fraction]
Substeps = Union[int, Sequence[int]]

_FLOATS = ("trace", "determinant", "spectral_radius", "iteration_radius")
_BYTES = {"class": "class_code", "cause": "cause"}
_SEARCHES = {lib.COSTAB_SEARCH_COMPLETE: "complete", lib.COSTAB_SEARCH_NOT_COMPLETE: "not complete",
             lib.COSTAB_SEARCH_UNDECIDED: "undecided"}

#: Flags of the field `cause`: the conditions that an unstable map violates.
CAUSES = {"det": lib.COSTAB_CAUSE_DET, "fold": lib.COSTAB_CAUSE_FOLD, "flip": lib.COSTAB_CAUSE_FLIP,
          "iteration": lib.COSTAB_CAUSE_ITERATION}
_CAUSE_NAMES = {flag: name for name, flag in CAUSES.items()}


class Areas(NamedTuple):
    """Areas of SS and US in the whole (Gamma, Delta) plane, 0 and inf included, and bounds of their errors."""
    ss: object
    us: object
    error_ss: object
    error_us: object


class Curve(NamedTuple):
    """A polyline on which a stability condition is an equality; a single point is isolated."""
    cause: str
    gamma: NDArray[np.float64]
    delta: NDArray[np.float64]


class Critical(NamedTuple):
    """A value of a at which an area changes its kind; search: complete, not complete or undecided."""
    a: float
    event: str
    search: str


def _nearest(written: str) -> float:
    """The double nearest to a decimal or a fraction."""
    return float(Fraction(written)) if "/" in written else float(written)


def _entries(values, keep: list):
    """costab_entry for each value of a list. Texts and fractions stand for themselves."""
    entries = ffi.new("costab_entry[]", max(len(values), 1))
    for entry, value in zip(entries, values):
        if isinstance(value, (str, Fraction, int)):
            written = word(str(value))
            keep.append(ffi.new("char[]", written))
            entry.text, entry.size = keep[-1], len(written)
        try:
            entry.value = _nearest(value) if isinstance(value, str) else float(real(value, "method"))
        except (ValueError, ArithmeticError):
            entry.value = float("nan")  # a root, or no number at all: its text counts
    keep.append(entries)
    return entries


def _method(method: Method):
    found = ffi.new("costab_method *")
    if isinstance(method, str):
        call(lib.costab_method_find, word(method), found)
        return found
    keep: list = []
    if not isinstance(method, Mapping) or not {"A", "b"} <= set(method) <= {"A", "b", "c"}:
        raise ValueError(f"method: expected a name, or a tableau {{'A': .., 'b': .., 'c': ..}}, of which c may be left out; found {method!r}")
    matrix, b, c = [list(row) for row in method["A"]], list(method["b"]), method.get("c")
    if any(len(row) != len(matrix) for row in matrix) or len(b) != len(matrix) or (c is not None and len(list(c)) != len(matrix)):
        raise ValueError("a tableau needs a square A, and b and c with as many entries as A has rows")
    call(lib.costab_method_from_entries, len(matrix), _entries([entry for row in matrix for entry in row], keep), _entries(b, keep),
         ffi.NULL if c is None else _entries(list(c), keep), found)
    return found


def _planar(scheme: str, method: Method, substeps: Substeps):
    planar = ffi.new("costab_planar *")
    found = ffi.new("costab_scheme *")
    call(lib.costab_scheme_find, word(scheme), found)
    pair = tuple(substeps) if np.ndim(substeps) else (substeps, substeps)  # type: ignore[arg-type]
    if len(pair) != 2:
        raise ValueError("substeps: one number, or one per subsystem")
    call(lib.costab_planar_init, planar, found[0], _method(method), *(whole(count, "substeps") for count in pair))
    return planar


# Number of points classified between two checks for Ctrl-C: some milliseconds.
_BLOCK = 1 << 14


def _pointer(array: NDArray):
    return ffi.from_buffer("uint8_t[]" if array.dtype == np.uint8 else "double[]", array)


def _check_finite(block: List[NDArray], start: int) -> None:
    finite = np.logical_and.reduce([np.isfinite(x) for x in block])
    if not finite.all():
        k = int(np.argmin(finite))
        raise InputError("point {} is not finite: a = {:g}, gamma = {:g}, delta = {:g}".format(start + k, *(x[k] for x in block)))


def classify(a: ArrayLike, gamma: ArrayLike, delta: ArrayLike, scheme: str = "zigzag", method: Method = "rk4", substeps: Substeps = 1,
             fields: Optional[Sequence[str]] = None) -> Union[NDArray[np.uint8], Dict[str, NDArray]]:
    """Classes of points. a, gamma and delta, dimensionless and finite, broadcast to one shape, which the result has: uint8 codes UU 0,
    US 1, SU 2, SS 3 (the continuous system first, then its simulation). With fields=("class", "trace", ...) a dict of arrays of that
    shape instead: class and cause (uint8; the flags are those of CAUSES), trace, determinant, spectral_radius and iteration_radius
    (float64; nan except for strong) of the macro step's map."""
    planar = _planar(scheme, method, substeps)
    names = ("class",) if fields is None else listed(fields)
    for name in names:
        if name not in _BYTES and name not in _FLOATS:
            raise ValueError(f"fields: '{name}' is none of {', '.join([*_BYTES, *_FLOATS])}")

    def work(run):
        arrays = np.broadcast_arrays(*(reals(x, name) for name, x in (("a", a), ("gamma", gamma), ("delta", delta))))
        found = {name: np.empty(arrays[0].shape, dtype=np.uint8 if name in _BYTES else np.float64) for name in names}
        flat = {name: array.reshape(-1) for name, array in found.items()}
        columns = ffi.new("costab_planar_columns *")
        for start in range(0, arrays[0].size, _BLOCK):
            if run.stop:
                break
            block = [array.flat[start:start + _BLOCK].astype(np.float64) for array in arrays]
            _check_finite(block, start)
            parts = {name: _pointer(array[start:start + _BLOCK]) for name, array in flat.items()}
            for name, part in parts.items():
                setattr(columns, _BYTES.get(name, name), part)
            call(lib.costab_planar_fill, planar, block[0].size, *map(_pointer, block), columns)
        return found

    found = long(work)
    return found["class"] if fields is None else found


def _written(value, name: str) -> Optional[bytes]:
    """The text of a number that is no float, for costab_planar_areas_at; None for a float."""
    if isinstance(value, str):
        return word(value)
    if isinstance(real(value, name), (float, np.floating)):
        return None
    try:
        return word(str(Fraction(value)))
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: expected a number or a text such as '1/3', found {value!r}") from None


def _exact(a, name: str, write: Callable[[float], object]) -> bytes:
    """The text of a number; write() writes a float."""
    number = a[()] if isinstance(a, np.ndarray) else a  # an array without axes
    exact = _written(number, name)
    if exact is None and not np.isfinite(number):
        raise InputError(f"{name}: expected a finite number, found {number}")
    return exact if exact is not None else word(str(write(float(number))))


def _digits(planar, exact: bytes, digits: int) -> Areas:
    found = ffi.new("costab_area_digits *")
    call(lib.costab_planar_area_digits, planar, exact, digits, found)
    areas = Areas(text(found.ss), text(found.us), found.error_ss, found.error_us)
    lib.costab_area_digits_free(found)
    return areas


def area(a: Union[ArrayLike, Number, Sequence[Number]], scheme: str = "zigzag", method: Method = "rk4",
         substeps: Substeps = 1, digits: Optional[int] = None) -> Areas:
    """Areas of the regions SS and US over the whole plane, each correct to a double's rounding, with a bound of its error; arrays of the
    shape of a, which is dimensionless. A float stands for the double that it is, a text such as "0.3" or "1/3" and a
    fractions.Fraction for the decimal or fraction that it is; the bound is of the area there. With digits=30, 1 to 1000, the areas are
    texts with this number of correct digits, and a is one number, of which a float stands for its shortest decimal."""
    planar = _planar(scheme, method, substeps)
    if digits is not None:
        exact, count = _exact(a, "a", repr), whole(digits, "digits")
        return long(lambda run: _digits(planar, exact, count))
    values = a if isinstance(a, np.ndarray) else np.asarray(a, dtype=object)
    rows = np.empty((values.size, 4))
    one = ffi.new("costab_areas *")
    # Areas of the simulation do not depend on a: further values are only checked, by areas that are computed 300 times as fast.
    same = planar.scheme == lib.COSTAB_SIMULATION
    further = _planar("cross", "euler", 1) if same else planar

    def work(run):
        for i, value in enumerate(values.flat):
            if run.stop:
                break
            exact, of = _written(value, "a"), further if i > 0 else planar
            if exact is None:
                call(lib.costab_planar_areas, of, float(value), one)
            else:
                call(lib.costab_planar_areas_at, of, exact, one)
            rows[i] = rows[0] if same and i > 0 else (one.ss, one.us, one.error_ss, one.error_us)

    long(work)
    return Areas(*(float(column[0]) if values.ndim == 0 else column.reshape(values.shape) for column in rows.T.copy()))


def boundary(a: Number, scheme: str = "zigzag", method: Method = "rk4", substeps: Substeps = 1, gamma: Tuple[float, float] = (-6, 2),
             delta: Tuple[float, float] = (-4, 14)) -> List[Curve]:
    """The curves Det D = 1 (det), 1 - Tr D + Det D = 0 (fold), 1 + Tr D + Det D = 0 (flip) and, for strong coupling, iteration radius 1,
    cut at the window gamma, delta. These are whole zero sets: not every piece of them bounds the stable region. A text such as "1/3" and
    a fractions.Fraction stand for the decimal or fraction that they are, a float for its double."""
    planar = _planar(scheme, method, substeps)
    found = ffi.new("costab_boundary *")
    exact = _exact(a, "a", Fraction)
    windows = [[_end(x, name)[0] for x in two_ends(window, name)] for name, window in (("gamma", gamma), ("delta", delta))]
    long(lambda run: call(lib.costab_planar_boundary_at, planar, exact, *windows, found))
    curves = []
    for i in range(found.count):
        curve = found.curves[i]
        x, y = (np.frombuffer(ffi.buffer(values, curve.count * 8), dtype=np.float64).copy() for values in (curve.gamma, curve.delta))
        curves.append(Curve(_CAUSE_NAMES[curve.cause], x, y))
    lib.costab_boundary_free(found)
    return curves


def _end(end: Number, name: str):
    """The double nearest to a number, and its text unless it is a float: the members of costab_number."""
    exact = _exact(end, name, float.hex)
    if isinstance(end, (float, np.floating)):
        return float(end), ffi.NULL
    try:
        return _nearest(exact.decode()), ffi.new("char[]", exact)
    except (ValueError, ArithmeticError):
        raise InputError(f"{name}: expected a decimal or a fraction such as 1/3, found {end!r}") from None


def critical(scheme: str = "zigzag", method: Method = "rk4", substeps: Substeps = 1, low: Number = -8, high: Number = 8,
             gamma: Optional[Tuple[Number, Number]] = None, delta: Optional[Tuple[Number, Number]] = None) -> List[Critical]:
    """The values of a in (low, high) at which the area of SS, of US, or of the part of US with Gamma > 0 (us_right) becomes positive or
    0, finite or infinite, in ascending order; in the whole plane or in the window gamma, delta. All ends are numbers as of `boundary`."""
    planar = _planar(scheme, method, substeps)
    found, count = ffi.new("costab_critical[]", lib.COSTAB_CRITICAL_MAX), ffi.new("size_t *")

    if (gamma is None) != (delta is None):
        raise ValueError("gamma and delta belong together: both ends of the window")
    (first, first_text), (last, last_text) = _end(low, "low"), _end(high, "high")
    ends = {name: None if pair is None else [_end(end, name) for end in two_ends(pair, name)]  # keeps the texts
            for name, pair in (("gamma", gamma), ("delta", delta))}
    window = {name: ffi.NULL if pair is None else ffi.new("costab_number[]", pair) for name, pair in ends.items()}

    def work(run):
        options = filled("costab_critical_options *", {"low": first, "high": last, "written": [first_text, last_text], "progress": SHARE,
                                                        "progress_context": run, **window})
        call(lib.costab_planar_critical, planar, options, found, count)

    long(work)
    return [Critical(c.a, text(lib.costab_event_name(c.event)), _SEARCHES[c.search]) for c in found[0:count[0]]]


def __dir__():
    return __all__
