"""Tables and fields for notebooks: as HTML, as pandas' frames, and drawn with matplotlib. pandas and matplotlib are needed for nothing else."""
import decimal
import html
import numbers
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from ._library import CLASSES

# Classes with the colours that figures and pages have: colour-blind eyes tell them apart, and in grey their lightness does.
_COLOURS = {"SS": "#b5d6ee", "SU": "#f9e9ad", "US": "#e08f60", "UU": "#ffffff", "NS": "#8fcfb4", "XS": "#b5d6ee", "XU": "#ffffff", "NU": "#e0e0e0"}
_OTHER = "#b0b0b0"


def pandas() -> Any:
    try:
        import pandas as found
    except ImportError:
        raise ImportError("to_frame() needs pandas, which is not installed") from None
    return found


def xarray() -> Any:
    try:
        import xarray as found
    except ImportError:
        raise ImportError("to_xarray() needs xarray, which is not installed") from None
    return found


def new_axes(axes: Any, rows: int = 0) -> Any:
    """Returns the given Axes, or the Axes of a new figure that is high enough for `rows` rows."""
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot() needs matplotlib, which is not installed; costab.plot draws results files with gnuplot") from None
    return pyplot.subplots(figsize=(6.4, max(2.4, 1.2 + 0.32 * rows)) if rows else None, layout="constrained")[1]


def rounded(value: float, side: int = 0, digits: int = 6) -> str:
    """A number of some digits that is not above (-1) or not below (1) the value; 0: the nearest."""
    nearest = f"{value:.{digits}g}"
    if side == 0 or not np.isfinite(value) or float(nearest) == value:
        return nearest
    mode = decimal.ROUND_FLOOR if side < 0 else decimal.ROUND_CEILING
    return f"{float(decimal.Context(digits, mode).create_decimal(value)):.{digits}g}"


def rounded_range(lower: float, upper: float, side: int) -> Tuple[str, str]:
    """The ends of an interval, rounded into it (1) or out of it (-1), with more digits for a narrow interval."""
    for digits in range(6, 16):
        ends = rounded(lower, side, digits), rounded(upper, -side, digits)
        if float(ends[0]) <= float(ends[1]):
            return ends
    return repr(lower), repr(upper)


def shown(value: Any) -> str:
    if value is None or isinstance(value, float) and np.isnan(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, (float, complex)) else str(value)


def cell(value: Any) -> str:
    return html.escape(shown(value))


def text_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], says: str = "") -> str:
    """Aligned columns, without empty columns."""
    lines = [list(columns), *([shown(value) for value in row] for row in rows)]
    used = [k for k in range(len(columns)) if any(line[k] for line in lines[1:])]
    width = {k: max(len(line[k]) for line in lines) for k in used}
    table = ["  ".join(line[k].ljust(width[k]) for k in used).rstrip() for line in lines if used]
    return "\n".join([*table, *([says] if says else [])])


def html_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], says: str = "") -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    below = f"<p>{html.escape(says)}</p>" if says else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


class Interface:
    """dir() lists public names only."""

    def __dir__(self) -> List[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


class Table(Interface):
    """Rows with named columns. Subclasses define _columns, _rows and _says, and plot themselves."""

    def _columns(self) -> Sequence[str]:
        raise NotImplementedError

    def _rows(self) -> List[Sequence[Any]]:
        raise NotImplementedError

    def _says(self) -> str:
        return ""

    def __repr__(self) -> str:
        return text_table(self._columns(), self._rows(), self._says())

    def _repr_html_(self) -> str:
        return html_table(self._columns(), self._rows(), self._says())

    def to_frame(self) -> Any:
        """The rows as a pandas.DataFrame."""
        rows = [[np.nan if value is None else value for value in row] for row in self._rows()]
        return pandas().DataFrame.from_records(rows, columns=list(self._columns()))

    def to_xarray(self) -> Any:
        """The rows as an xarray.Dataset over `row`."""
        xarray()
        return self.to_frame().rename_axis("row").to_xarray()


class Tuples(list, Table):
    """A list of named tuples of one kind."""

    def __repr__(self) -> str:
        return Table.__repr__(self)

    def _columns(self):
        return self[0]._fields if self else ()

    def _rows(self):
        return list(self)


def bars(axes: Any, names: Sequence[str], pieces: Iterable[Tuple[str, float, float, str]]) -> None:
    """Horizontal bars (name, from, to, colour), one row per name, the first on top. The axis is logarithmic if all values are positive
    and span more than a decade."""
    low, high = np.inf, -np.inf
    for name, lower, upper, colour in pieces:
        axes.barh(names.index(name), upper - lower, left=lower, color=colour, height=0.6)
        low, high = min(low, lower), max(high, upper)
    if 0 < low and high > 10 * low:
        axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def colour_of(verdict: str) -> str:
    return _COLOURS.get(verdict, _OTHER)


def _chosen(dims: Sequence[str], coordinates: Mapping[str, np.ndarray], select: Mapping[str, Any], wanted: Sequence[str]) -> Tuple[Any, ...]:
    """An index that keeps the axes of a panel: the wanted axes, or the last two axes with several values."""
    for name in (*select, *wanted):
        if name not in dims:
            raise ValueError(f"there is no axis '{name}'; there are {', '.join(dims)}")
        if name in select and name in wanted:
            raise ValueError(f"the axis {name} is drawn; it cannot have one value, too")
    open_dims = [d for d in dims if d not in select and len(coordinates[d]) > 1]
    kept = list(wanted) or open_dims[-2:]
    index: List[Any] = []
    for d in dims:
        values = coordinates[d]
        if d in kept:
            index.append(slice(None))
        elif d in select or len(values) == 1:
            index.append(_position(d, values, select[d]) if d in select else 0)
        else:
            raise ValueError(f"choose one value of the axis {d}, such as {d}={values[0]!r}")
    return tuple(index)


def _position(name: str, values: np.ndarray, wanted: Any) -> int:
    """The index of a label, or of a number that equals the wanted one up to rounding, as in figures of the program."""
    if values.dtype.kind in "fiu":
        if not isinstance(wanted, numbers.Real):
            raise ValueError(f"the axis {name} has numbers, not {wanted!r}")
        nearest = int(np.argmin(np.abs(values - wanted)))
        if not np.isclose(values[nearest], wanted, rtol=1e-5, atol=0):
            raise ValueError(f"the axis {name} has no value {wanted!r}; the nearest is {values[nearest]:.6g}")
        return nearest
    if wanted not in list(values):
        raise ValueError(f"the axis {name} has no value {wanted!r}; it has {', '.join(map(str, values))}")
    return list(values).index(wanted)


def draw_field(name: str, array: np.ndarray, dims: Sequence[str], coordinates: Mapping[str, np.ndarray], select: Mapping[str, Any],
               x: Optional[str], y: Optional[str], axes: Any) -> Any:
    """One field over two axes as a map, or over one as a curve."""
    wanted = [d for d in (x, y) if d is not None]
    index = _chosen(dims, coordinates, select, wanted)
    left = [d for d, at in zip(dims, index) if isinstance(at, slice)]
    values = array[index]
    if not left:
        raise ValueError(f"the field {name} has one value there: {values}")
    across = x if x is not None else left[0]
    axes = new_axes(axes)
    axes.set_xlabel(across)
    if len(left) == 1:
        axes.plot(coordinates[across], values)
        axes.set_ylabel(name)
        return axes
    up = y if y is not None else next(d for d in left if d != across)
    values = values if left == [up, across] else values.T
    axes.set_ylabel(up)
    if name == "class":
        _draw_classes(axes, coordinates[across], coordinates[up], values)
    else:
        mesh = axes.pcolormesh(coordinates[across], coordinates[up], values, shading="nearest")
        axes.figure.colorbar(mesh, ax=axes, label=name)
    return axes


def _draw_classes(axes: Any, x: np.ndarray, y: np.ndarray, codes: np.ndarray) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    present = np.unique(codes)
    names = [CLASSES.get(int(code), str(code)) for code in present]
    colours = [colour_of(name) for name in names]
    axes.pcolormesh(x, y, np.searchsorted(present, codes), shading="nearest", cmap=ListedColormap(colours), vmin=-0.5, vmax=len(present) - 0.5)
    axes.legend(handles=[Patch(color=colour, label=name) for name, colour in zip(names, colours)], loc="center left", bbox_to_anchor=(1, 0.5))


def shares_text(shares: Dict[str, float]) -> str:
    """The subsystems of a mode with shares of at least one per cent, the largest first."""
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in sorted(shares.items(), key=lambda item: -item[1]) if share >= 0.01)
