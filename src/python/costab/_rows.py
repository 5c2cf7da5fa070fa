"""Rows of results as the library describes them (costab/record.h): named tuples, and files of them."""
import collections
import math
from typing import Any, Dict, List, Optional, Sequence

from ._library import call, ffi, file_path, lib, long, text, word

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


def _value(record, column, row, names, subsystems: Sequence[str]) -> Any:
    numbers = lib.COSTAB_COLUMN_REAL, lib.COSTAB_COLUMN_WHOLE
    if column.stride:
        array = ffi.cast("char **", ffi.cast("char *", row) + column.offset)[0]
        return {name: lib.costab_column_number(ffi.addressof(column), row, k) for k, name in enumerate(subsystems)} if array else {}
    if column.type == lib.COSTAB_COLUMN_YES:
        return bool(lib.costab_column_number(ffi.addressof(column), row, 0))
    if column.type not in numbers:
        return text(lib.costab_column_word(ffi.addressof(column), row, 0, names, ffi.new("char[]", lib.COSTAB_CELL_MAX)))
    value = lib.costab_column_number(ffi.addressof(column), row, 0)
    if math.isnan(value):
        return None
    return int(value) if column.type == lib.COSTAB_COLUMN_WHOLE else value


class Names:
    """costab_names, with what it points to."""

    def __init__(self, couplings: Sequence[str], subsystems: Sequence[str] = (), parameters: Sequence[str] = (), unit: Any = ffi.NULL):
        self.subsystems = list(subsystems)
        self.c = ffi.new("costab_names *", {"unit": unit})
        self._kept: List[Any] = []
        for kind, names in ((lib.COSTAB_LIST_COUPLINGS, couplings), (lib.COSTAB_LIST_PARAMETERS, parameters), (lib.COSTAB_LIST_SUBSYSTEMS, subsystems)):
            words = [ffi.new("char[]", word(name)) for name in names]
            pointers = ffi.new("char *[]", words or 1)
            self.c.counts[kind], self.c.of[kind] = len(words), ffi.cast("char const * *", pointers)
            self._kept += [words, pointers]


class Stored:
    """What write() writes, if _keep() was called: rows of the library, which live as long as `alive`."""
    _stored: Optional[Dict[str, Any]] = None

    def _keep(self, model, record, rows, count: int, names: Names, alive: Any = None, notes: str = "") -> Any:
        stored = {"model": model, "record": record, "rows": rows, "count": count, "names": names, "alive": alive, "notes": notes}
        object.__setattr__(self, "_stored", stored)
        return self

    def write(self, path: Any, *, force: bool = False) -> None:
        """Writes the results file that the program's -o FILE.h5 writes, which costab.open and costab.plot read. A file that costab did not
        write is replaced with force=True only. Parts of a list, and rows that were made otherwise, have no such file."""
        kept = self._stored
        if kept is None:
            raise ValueError("only what a model returned can be written")
        notes = ffi.new("char[]", word(kept["notes"]))
        long(lambda run: call(lib.costab_record_write, file_path(path), kept["model"]._spec, notes, ffi.addressof(kept["record"]), kept["rows"], kept["count"],
                              kept["names"].c, force), hdf5=True)


class Listed(list, Stored):
    """A list that write() writes."""


def rows_of(kind, record, rows, count: int, names: Names) -> List[Any]:
    """Rows of the library as named tuples."""
    columns = _columns(record)
    return [kind(*(_value(record, column, rows + i, names.c, names.subsystems) for column in columns)) for i in range(count)]
