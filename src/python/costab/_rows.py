"""Rows of results as the library describes them (costab/record.h): named tuples, tables and files of them."""
import collections
import math
import pathlib
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ._library import call, ffi, file_path, lib, long, text, word
from ._results import open as open_results
from ._show import Table, rounded, rounded_range, text_table, xarray

# Names that are words of Python, and what version 0.1.0 called columns.
_KEYWORDS = {"class": "verdict"}
_BEFORE = {"from_is": "lower_kind", "to_is": "upper_kind", "from_cause": "lower_cause", "to_cause": "upper_cause", "from_frequency": "lower_frequency",
           "to_frequency": "upper_frequency", "from_blame": "lower_subsystem", "to_blame": "upper_subsystem", "blame": "subsystem", "share": "participation",
           "stable_to": "max_stable_step", "accurate_to": "max_accurate_step"}


def before(self, name: str) -> Any:
    """__getattr__ of rows: a column by its name in version 0.1.0."""
    if name in _BEFORE and _BEFORE[name] in self._fields:
        return getattr(self, _BEFORE[name])
    raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")


def _columns(record) -> List[Any]:
    return [record.columns[c] for c in range(record.column_count)]


def _shown(record) -> List[str]:
    """The columns of tables."""
    names = [(_KEYWORDS.get(text(c.name), text(c.name)), c.hidden & lib.COSTAB_HIDDEN_ROWS) for c in _columns(record)]
    return [name for name, hidden in names if not hidden]


def row_class(name: str, record) -> Any:
    """A named tuple with an attribute per column of the record, whose docstring lists them; `shown` are the columns of tables."""
    columns = _columns(record)
    fields = [_KEYWORDS.get(text(c.name), text(c.name)) for c in columns]
    lines = [f"{field}{f' [{text(c.unit)}]' if text(c.unit) else ''}: {text(c.meaning)}" for field, c in zip(fields, columns) if text(c.unit) or text(c.meaning)]

    def describe(cls):
        cls.__doc__ = "\n".join([cls.__doc__ or "", "", *lines])

    return type(name, (collections.namedtuple(name, fields),), {"__getattr__": before, "__init_subclass__": classmethod(describe), "shown": _shown(record)})


def _value(record, column, row, names: "Names") -> Any:
    """The value of a column. An array over subsystems is a dict by their names, another array a tuple."""
    if not column.stride:
        return _entry(column, row, names.c, 0)
    at = ffi.cast("char *", row)
    axis = record.axes[column.over.bit_length() - 1]  # axes of arrays are the last ones
    if axis.place == lib.COSTAB_PLACE_ARRAY:
        return tuple(_entry(column, row, names.c, k) for k in range(ffi.cast("size_t *", at + axis.offset)[0]))
    filled = ffi.cast("char **", at + column.offset)[0]
    return {name: lib.costab_column_number(ffi.addressof(column), row, k) for k, name in enumerate(names.subsystems)} if filled else {}


def _entry(column, row, names, entry: int) -> Any:
    """One value of a column."""
    if column.type == lib.COSTAB_COLUMN_YES:
        return bool(lib.costab_column_number(ffi.addressof(column), row, entry))
    if column.type not in (lib.COSTAB_COLUMN_REAL, lib.COSTAB_COLUMN_WHOLE):
        return text(lib.costab_column_word(ffi.addressof(column), row, entry, names, ffi.new("char[]", lib.COSTAB_CELL_MAX)))
    value = lib.costab_column_number(ffi.addressof(column), row, entry)
    if math.isnan(value):
        return None
    return int(value) if column.type == lib.COSTAB_COLUMN_WHOLE else value


def _side(record, columns, c: int, row) -> int:
    """The side to which a number may be rounded (-1 down, 1 up, 0 nearest), so that a printed bound holds, too."""
    outward = -1 if record.outward and record.outward(row) else 1
    if columns[c].range:
        return outward
    if c > 0 and columns[c - 1].range:
        return -outward
    return columns[c].side(row) if columns[c].side else 0


class Names:
    """costab_names, with what it points to."""

    def __init__(self, couplings: Sequence[str], subsystems: Sequence[str] = (), parameters: Sequence[str] = (), unit: Any = ffi.NULL):
        self.couplings, self.subsystems = list(couplings), list(subsystems)
        self.c = ffi.new("costab_names *", {"unit": unit})
        self._kept: List[Any] = []
        for kind, names in ((lib.COSTAB_LIST_COUPLINGS, couplings), (lib.COSTAB_LIST_PARAMETERS, parameters), (lib.COSTAB_LIST_SUBSYSTEMS, subsystems)):
            words = [ffi.new("char[]", word(name)) for name in names]
            pointers = ffi.new("char *[]", words or 1)
            self.c.counts[kind], self.c.of[kind] = len(words), ffi.cast("char const * *", pointers)
            self._kept += [words, pointers]


class Filed:
    """A result that write() writes into a results file. A pickled copy has the same numbers, but cannot be written."""
    #: Objects of the library.
    _own = "_stored", "_asked"

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self._own}

    def to_xarray(self) -> Any:
        """The arrays of the results file that write() writes, as an xarray.Dataset."""
        xarray()
        with tempfile.TemporaryDirectory(prefix="costab-") as folder:
            path = pathlib.Path(folder, "result.h5")
            self.write(path)
            return open_results(path)


class Stored(Filed, Table):
    """Rows of the library, kept by _keep() with `alive`, which owns them: a table, as the program prints it, and a results file."""
    _stored: Optional[Dict[str, Any]] = None

    def _keep(self, model, record, rows, count: int, names: Names, alive: Any = None, notes: str = "") -> Any:
        stored = {"model": model, "record": record, "rows": rows, "count": count, "names": names, "alive": alive, "notes": notes}
        object.__setattr__(self, "_stored", stored)
        return self

    def _kept(self) -> Dict[str, Any]:
        if self._stored is None:
            raise ValueError("only what a model returned is a table and can be written")
        return self._stored

    def _each(self) -> Iterator[Tuple[Any, int]]:
        """The rows of the table: a row of the library, and the entry of its arrays."""
        kept, record = self._kept(), self._kept()["record"]
        for i in range(kept["count"]):
            row = kept["rows"] + i
            entries = lib.costab_record_entries(ffi.addressof(record), record.rows_axis, row, kept["names"].c) if record.rows_axis else 1
            yield from ((row, entry) for entry in range(entries))

    def _columns(self) -> Sequence[str]:
        return _shown(self._kept()["record"])

    def _rows(self) -> List[Sequence[Any]]:
        columns = [c for c in _columns(self._kept()["record"]) if not c.hidden & lib.COSTAB_HIDDEN_ROWS]
        return [[_entry(c, row, self._kept()["names"].c, entry) for c in columns] for row, entry in self._each()]

    def _printed(self) -> Tuple[List[str], List[List[str]]]:
        kept, record = self._kept(), self._kept()["record"]
        columns = _columns(record)
        chosen = [(c, column) for c, column in enumerate(columns) if not column.hidden]
        space = ffi.new("char[]", lib.COSTAB_CELL_MAX)

        def printed(c, column, row, entry):
            if column.words:
                return text(column.words(row, kept["names"].c, space))
            value, side = _entry(column, row, kept["names"].c, entry), _side(record, columns, c, row)
            first = c if column.range else c - 1 if c > 0 and columns[c - 1].range else None
            if first is None:
                return rounded(value, side) if isinstance(value, float) else value
            ends = [_entry(columns[k], row, kept["names"].c, entry) for k in (first, first + 1)]
            return None if None in ends else rounded_range(*ends, side if c == first else -side)[c - first]

        units = [text(kept["names"].c.unit) if text(column.unit) == "" and column.unit else text(column.unit) for _, column in chosen]
        heads = [f"{text(column.name)}{f' [{unit}]' if unit else ''}" for (_, column), unit in zip(chosen, units)]
        return heads, [[printed(c, column, row, entry) for c, column in chosen] for row, entry in self._each()]

    def write(self, path: Any, *, force: bool = False) -> None:
        """Writes the results file that the program's -o FILE.h5 writes, which costab.open and costab.plot read. A file that costab did not
        write is replaced with force=True only. Parts of a list, and rows that a model did not return, cannot be written."""
        kept = self._kept()
        notes = ffi.new("char[]", word(kept["notes"]))
        long(lambda run: call(lib.costab_record_write, file_path(path), kept["model"]._spec, notes, ffi.addressof(kept["record"]), kept["rows"], kept["count"],
                              kept["names"].c, force), hdf5=True)


class Listed(list, Stored):
    """A list that write() writes."""

    def __repr__(self) -> str:
        return text_table(*self._printed(), self._says()) if self._stored is not None else list.__repr__(self)

    __str__ = __repr__

    def __getattr__(self, name: str) -> Any:
        if not self or name.startswith("_") or not hasattr(self[0], name):
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")
        couplings = self._stored["names"].couplings if self._stored is not None else []
        several = len(couplings) == len(self) > 1
        raise AttributeError(f"{len(self)} {'couplings' if several else 'rows'}: use [0]" + (f", or coupling='{couplings[0]}'" if several else "") + f" for '{name}'")


def rows_of(kind, record, rows, count: int, names: Names) -> List[Any]:
    """Rows of the library as named tuples."""
    columns = _columns(record)
    return [kind(*(_value(record, column, rows + i, names) for column in columns)) for i in range(count)]
