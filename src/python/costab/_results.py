"""Sweeps, results files and figures."""
import contextlib
import functools
import json
import os
import pathlib
import re
import tempfile
from html import escape
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._library import PROGRESS, STOPPED, FileError, InputError, call, ffi, file_path, filled, lib, listed, long, own_words, owned, placeless, real, text, warn, word
from ._show import Interface, draw_field, html_table, pandas, xarray

Path = Union[str, "os.PathLike[str]"]


class Axis(NamedTuple):
    """An axis of a grid: its values (float64), or its labels (str)."""
    name: str
    values: NDArray
    attributes: Dict[str, str]


class Grid(Dict[str, NDArray], Interface):
    """Contents of a results file without xarray: a dict of arrays by the names of their fields."""

    #: The names of the axes of each field, and all axes by their names.
    dims: Dict[str, Tuple[str, ...]]
    axes: Dict[str, Axis]
    attrs: Dict[str, str]
    #: The results file, for explore().
    path: str

    def _repr_html_(self) -> str:
        rows = [(name, array.dtype, " x ".join(f"{dim} {len(self.axes[dim].values)}" for dim in self.dims[name])) for name, array in self.items()]
        return html_table(("field", "type", "axes"), rows, self.attrs.get("title", ""))

    def to_frame(self) -> Any:
        """All fields over all axes of the first one, as a pandas.DataFrame with these axes as its index."""
        dims = next(iter(self.dims.values()))
        index = pandas().MultiIndex.from_product([self.axes[d].values for d in dims], names=dims)
        return pandas().DataFrame({name: array.ravel() for name, array in self.items() if self.dims[name] == dims}, index)

    def to_xarray(self) -> Any:
        """The contents as an xarray.Dataset, if xarray is installed."""
        xarray()
        return open(self.path, list(self))

    def plot(self, field: Optional[str] = None, x: Optional[str] = None, y: Optional[str] = None, axes: Any = None, **select: Any) -> Any:
        """A field (the first one) over one axis or two (the last two with several values) with matplotlib; keywords choose values of the
        others, such as coupling="jacobi". Returns the Axes. costab.plot draws results files as the program does."""
        name = field if field is not None else next(iter(self))
        return draw_field(name, self[name], self.dims[name], {d: self.axes[d].values for d in self.dims[name]}, select, x, y, axes)

    def explore(self) -> "Page":
        """The results file as a page to look around in, which a notebook shows; costab.explore of a path does the same."""
        return _explore_file(self.path)


class Page(Interface):
    """A page for a browser, one HTML file that needs no network. A notebook shows it in a frame."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" style="width: 100%; height: 900px; border: 0" sandbox="allow-scripts allow-downloads"></iframe>'

    def save(self, path: Path, *, force: bool = False) -> pathlib.Path:
        """Writes the file, whole or not at all; force also replaces a file that costab did not write. Returns its path."""
        long(lambda run: call(lib.costab_page_write, file_path(path), word(self.html), force))
        return pathlib.Path(path)


def explore(results: Path) -> Page:
    """A results file as a page to look around in, as `costab plot FILE.h5 -o FILE.html` writes it: a chart of a sweep over two axes or more, or
    the curves over one."""
    def work(run):
        with _opened(results) as found, owned("char **", lib.costab_page_free) as page:
            call(lib.costab_explore, found, file_path(pathlib.Path(results).name), page)
            return Page(text(page[0]))

    return long(work, hdf5=True)


def _explore_file(path: str) -> Page:
    """explore() of results that were read from a file, which must still exist."""
    if not os.path.exists(path):
        raise FileError("explore() reads the results file, which is no longer there: give sweep() an output")
    return explore(path)


class Line(NamedTuple):
    """A polyline on which a field of a swept network is at its limit. at: the coupling and the values of the axes that it does not run
    over; points: the values of the two axes along it (float64). A closed line ends where it begins."""
    at: Dict[str, Any]
    points: Dict[str, NDArray[np.float64]]
    closed: bool


class Claim(NamedTuple):
    """A number or statement of a published paper (printed) or of a second program (checked), compared with the computed value: verdict agrees,
    differs (reason says why), checked or not printed."""
    source: str
    quantity: str
    printed: str
    checked: str
    computed: float
    verdict: str
    reason: str


@contextlib.contextmanager
def _opened(path: Path):
    """The results of a file, for functions that hold the lock of HDF5."""
    with owned("costab_results **", lib.costab_results_close) as box:
        call(lib.costab_results_open, file_path(path), box)
        yield box[0]


def _attributes(**words) -> Dict[str, str]:
    return {key: text(word) for key, word in words.items() if word}


def _axis(axis) -> Axis:
    if axis.labels:
        values: NDArray = np.array([text(axis.labels[i]) for i in range(axis.count)], dtype=object)
    elif axis.values:
        values = np.frombuffer(ffi.buffer(axis.values, axis.count * 8), dtype=np.float64).copy()
    else:
        values = np.arange(axis.count)
    return Axis(text(axis.name), values, _attributes(long_name=axis.long_name, units=axis.unit))


def _field(results, number: int, plan) -> NDArray:
    field = plan.fields[number]
    shape = [plan.axes[field.axes[k]].count for k in range(field.rank)]
    array = np.empty(shape, dtype=np.uint8 if field.type == lib.COSTAB_U8 else np.float64)
    call(lib.costab_results_read, results, number, [0] * field.rank, shape, ffi.from_buffer(array))
    return array


def _field_attributes(field) -> Dict[str, Any]:
    attributes: Dict[str, Any] = _attributes(long_name=field.long_name, units=field.unit)
    if field.codes != lib.COSTAB_CODES_NONE:
        key = "flag_values" if field.codes == lib.COSTAB_CODES_VALUES else "flag_masks"
        attributes[key] = np.array(list(field.code_values[0:field.code_count]), dtype=np.uint8)
        attributes["flag_meanings"] = text(field.code_meanings)
    return attributes


def _grid(path: Path, fields: Optional[Sequence[str]]):
    with _opened(path) as results:
        plan = lib.costab_results_plan(results)
        names = [text(plan.fields[i].name) for i in range(plan.field_count)]
        wanted = {name: lib.costab_plan_field(plan, word(name)) for name in listed(fields)}
        for name, number in wanted.items():
            if number < 0:
                raise KeyError(f"{os.fspath(path)} has no field '{name}'; it has {', '.join(names)}")
        grid, attributes = Grid(), {}
        grid.axes = {axis.name: axis for axis in (_axis(plan.axes[k]) for k in range(plan.axis_count))}
        order = list(grid.axes)
        grid.dims = {}
        for i, name in enumerate(names):
            if fields is None or i in wanted.values():
                grid[name] = _field(results, i, plan)
                grid.dims[name] = tuple(order[plan.fields[i].axes[k]] for k in range(plan.fields[i].rank))
                attributes[name] = _field_attributes(plan.fields[i])
        grid.attrs = _attributes(title=lib.costab_results_title(results), source=lib.costab_results_source(results),
                                 spec=lib.costab_results_spec_text(results), spec_path=lib.costab_results_spec_path(results))
        grid.path = os.path.abspath(os.fspath(path))
        return grid, attributes


@functools.lru_cache(None)
def _chart():
    """xarray's Dataset with to_frame(), plot() and explore() like a Grid; None if xarray is not installed."""
    try:
        import xarray
    except ImportError:
        return None

    class Plots(xarray.Dataset.plot):
        """plot() is costab's, plot.scatter() and others are xarray's."""
        __slots__ = ()

        def __call__(self, field: Optional[str] = None, x: Optional[str] = None, y: Optional[str] = None, axes: Any = None, **select: Any) -> Any:
            chart = self._ds
            name = field if field is not None else next(iter(chart.data_vars))
            array = chart[name]
            return draw_field(name, array.values, array.dims, {d: chart[d].values for d in array.dims}, select, x, y, axes)

        __call__.__doc__ = Grid.plot.__doc__

    class Chart(xarray.Dataset):
        """Contents of a results file: an xarray.Dataset."""
        __slots__ = ()
        __qualname__ = "Chart"  # for pickle, which asks __getattr__ below

        @property
        def plot(self) -> Plots:
            return Plots(self)

        def to_frame(self) -> Any:
            """All fields as a pandas.DataFrame with the axes as its index."""
            return self.to_dataframe()

        def to_xarray(self) -> Any:
            return self

        def explore(self) -> Page:
            return _explore_file(self.encoding.get("source", ""))

        explore.__doc__ = Grid.explore.__doc__

    return Chart


def __getattr__(name: str) -> Any:
    if name == "Chart" and _chart() is not None:
        return _chart()
    raise AttributeError(f"module {__name__} has no attribute '{name}'")


def _dataset(grid: Grid, attributes):
    make = _chart()
    if make is None:
        return grid
    used = {name for dims in grid.dims.values() for name in dims}
    dataset = make({name: (grid.dims[name], array, attributes[name]) for name, array in grid.items()},
                   {name: (name, axis.values, axis.attributes) for name, axis in grid.axes.items() if name in used}, grid.attrs)
    dataset.encoding["source"] = grid.path  # as xarray does: a copy in another file has no path of this machine
    return dataset


def open(path: Path, fields: Optional[Sequence[str]] = None):
    """A results file as an xarray.Dataset or, if xarray is not installed, as a Grid, which is a dict of arrays. All values are read;
    fields=("class", ...) reads some fields only. The checksums of these values are checked. class is uint8 with the codes of costab.CLASSES."""
    grid, attributes = long(lambda run: _grid(path, fields), hdf5=True)
    return _dataset(grid, attributes)


def study_of(make: Callable) -> Any:
    """The costab_study that make(box) creates, freed with the returned object."""
    box = ffi.new("costab_study **")
    call(make, box)
    return ffi.gc(box[0], lambda study: lib.costab_study_destroy(ffi.new("costab_study **", study)))


def run_study(study, run, output: Path, threads: int, force: bool, checkpoint: bool, resume: bool) -> None:
    options = filled("costab_study_run_options *", {"threads": threads, "force": force, "checkpoint": checkpoint, "resume": resume,
                                                     "progress": PROGRESS, "context": run})
    call(lib.costab_study_run, study, file_path(output), options, ffi.NULL)


def warn_of_gaps(study) -> None:
    """Warns of points that could not be analysed, and of time histories that ended early."""
    first = ffi.new("costab_error *")
    failures = lib.costab_study_failures(study, first)
    if failures > 0:
        warn(f"{failures} points cannot be analysed (class failed, or numbers of a run NaN); the first one: {placeless(text(first.message))}")
    couplings = lib.costab_study_plan(study).axes[0]
    for c in range(couplings.count):
        ending = lib.costab_study_ending(study, c)
        if ending != ffi.NULL:
            warn(f"{text(couplings.labels[c])} ended early: {text(ending)}")


def into_dataset(make: Callable, name: str, output: Optional[Path], threads: int, force: bool, resume: bool, known: Sequence[str] = ()):
    """Runs the study that make() returns into `output`, by default a temporary file, and opens that file. Warns of what is not known."""
    study = long(lambda run: make(), hdf5=True)
    for warning in placeless(text(lib.costab_study_origin_of(study).warnings)).splitlines():
        if warning not in known:
            warn(warning.replace("warning: ", "", 1))
    with contextlib.ExitStack() as stack:
        if output is None:
            output = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="costab-")), name)
            long(lambda run: run_study(study, run, output, threads, force, False, False), hdf5=True)
        else:
            long(lambda run: run_study(study, run, output, threads, force, True, resume), hdf5=True)
        warn_of_gaps(study)
        return open(output)


def settings_of(parameters: Mapping[str, float]):
    """costab_setting[], and what it points to."""
    keep = [ffi.new("char[]", word(name)) for name in parameters]
    settings = ffi.new("costab_setting[]", max(len(keep), 1))
    for setting, name, value in zip(settings, keep, parameters.values()):
        real(value, f"parameter {text(name)}")
        try:
            setting.name, setting.value = name, float(value)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"parameter {text(name)}: expected a number, found {value!r}") from None
    return settings, keep


def coupling_names(coupling: Union[None, str, Sequence[str]]) -> List[str]:
    """The requested names; "all" stands for those of every model."""
    if isinstance(coupling, str) and coupling == "all":
        return [text(lib.costab_coupling_name(i)) for i in range(lib.costab_coupling_count())]
    return listed(coupling)


def sweep(spec: Union[Path, Mapping[str, Any]], output: Optional[Path] = None, *, coupling: Union[None, str, Sequence[str]] = None,
          parameters: Optional[Mapping[str, float]] = None, threads: int = 0, force: bool = False, resume: bool = False):
    """Runs a sweep spec, a file or a dict with the keys of docs/reference/keys.md, of the planar system or a network, and returns the
    same as `open`. coupling: names in place of the spec's couplings, as in Model. output: the results file to keep. Finished tiles are
    stored next to it while the run lasts; after Ctrl-C they stay, and resume=True continues from them. threads: 0 for all cores."""
    settings, keep = settings_of(parameters or {})
    names = [ffi.new("char[]", word(name)) for name in coupling_names(coupling)]
    changes = ffi.new("costab_changes *", {"settings": settings, "setting_count": len(keep), "couplings": ffi.new("char *[]", names), "coupling_count": len(names)})

    def make():
        if not isinstance(spec, Mapping):
            return study_of(lambda box, error: lib.costab_study_read_set(file_path(spec), changes, box, error))
        whole = json_text(spec)
        if keep or names:
            raise ValueError("parameters, coupling: change those of the dict itself")
        return study_of(lambda box, error: lib.costab_study_parse(b"spec", whole, len(whole), box, error))

    stem = "spec" if isinstance(spec, Mapping) else pathlib.Path(spec).stem
    return into_dataset(make, stem + ".h5", output, threads, force, resume)


# Largest number of numbers in a text of 64 MiB, each with a digit and a comma.
_ENTRIES_MOST = 1 << 25


def plain(value: Any) -> Any:
    """NumPy's arrays and numbers as lists and numbers; -0.0 as 0.0."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        if value.size > _ENTRIES_MOST:
            raise InputError(f"an array of {value.size} numbers in a model or spec: its text would be longer than 64 MiB")
        return plain(real(value, "a model or spec").tolist())
    if isinstance(value, (list, tuple, range)):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value + 0.0 if isinstance(value, float) else real(value, "a model or spec")


# A text that is a number is written without quotes, because YAML reads a number in quotes as a text.
_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?"
_QUOTED = re.compile(rf'([\[, ]*)"({_NUMBER})"', re.I)


def json_text(value: Any) -> bytes:
    """A dict as YAML, of which JSON is a part. Doubles are written such that they read back."""
    pieces = json.JSONEncoder(ensure_ascii=False).iterencode(plain(value))  # one by one: Ctrl-C ends it
    return word("".join(_QUOTED.sub(r"\1\2", piece) if _QUOTED.fullmatch(piece) else piece for piece in pieces))


# Texts that YAML reads unchanged, except words with a special meaning.
_WORD = re.compile(rf"(?!(?:true|false|yes|no|on|off|null)$)[A-Za-z_][A-Za-z0-9_./-]*|{_NUMBER}", re.I)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return value if isinstance(value, str) and _WORD.fullmatch(value) else json.dumps(value, ensure_ascii=False)


def yaml_text(value: Mapping[str, Any], indent: str = "") -> str:
    """A dict as YAML for people: a line per key, and lists of dicts item by item. Doubles are written such that they read back."""
    lines = []
    for key, item in plain(value).items():
        if isinstance(item, list) and item and all(isinstance(entry, dict) for entry in item):
            lines.append(f"{indent}{_flow(key)}:")
            for entry in item:
                flow = f"{indent}  - {_flow(entry)}"
                lines.append(flow if len(flow) <= 80 else f"{indent}  - " + yaml_text(entry, indent + "    ").strip())
        else:
            lines.append(f"{indent}{_flow(key)}: {_flow(item)}")
    return "\n".join(lines) + "\n"


def _choices(figure: Mapping):
    """Keys of `figure` as a costab_figure_choice[], and what it points to."""
    def shown(value):
        return ("true" if value else "false") if isinstance(value, bool) else str(value)

    def words(value):
        if isinstance(value, Mapping):
            return [f"{key}={item}" for key, items in value.items() for item in words(items)]
        return [shown(item) for item in (value if isinstance(value, list) else [value])]

    keep = [(ffi.new("char[]", word(key)), [ffi.new("char[]", word(item)) for item in words(value)]) for key, value in plain(figure).items()]
    lists = [ffi.new("char *[]", values) for _, values in keep]
    choices = ffi.new("costab_figure_choice[]", [
        {"key": key, "values": values, "count": len(own)} for (key, own), values in zip(keep, lists)])
    return choices, (keep, lists)


def plot(results: Path, output: Optional[Path] = None, *, force: bool = False, **figure) -> pathlib.Path:
    """Draws a results file with gnuplot, like `costab plot`, into `output`, whose ending is the format (pdf, png, svg, tex, ...; gp: the
    script and its data alone); by default NAME.pdf in the current folder. Keywords are keys of `figure` in docs/reference/keys.md: kind="contour", of="error",
    x="H", y="k", select={"k": 50}, size=["8.9cm", "6.4cm"], title="". Returns the path of the figure. Existing files that were edited,
    or that costab did not write, are replaced with force=True only."""
    target = pathlib.Path(output) if output is not None else pathlib.Path(pathlib.Path(results).stem + ".pdf")
    draws = target.suffix != ".gp"
    keep = [file_path(target.parent), word(target.stem), word(target.suffix[1:])]
    chars = [ffi.new("char[]", part) for part in keep]
    outcome = ffi.new("costab_plot_outcome *")
    choices, kept = _choices(figure)

    def work(run):
        options = filled("costab_plot_options *", {
            "folder": chars[0], "name": chars[1], "formats": chars[2] if draws else ffi.NULL, "script_only": not draws, "force": force,
            "stop": STOPPED, "context": run, "choices": choices, "choice_count": len(figure)})
        with _opened(results) as found:
            call(lib.costab_plot, found, options, outcome)

    long(work, hdf5=True)
    if outcome.notes[0] != b"\0":
        warn(own_words(text(outcome.notes)))
    if outcome.gnuplot_missing:
        raise FileError(f"gnuplot was not found: wrote {target.with_suffix('.gp')} and its data only; install gnuplot")
    return target


def compare(a: Path, b: Path, field: str = "class") -> Dict[str, NDArray]:
    """The points at which the codes of a field differ between two results files: `index` (n x axes, whole numbers) and the codes `a` and
    `b` (uint8)."""
    def work(run):
        with _opened(a) as first, _opened(b) as second:
            call(lib.costab_results_comparable, first, second, word(field))
            arrays = []
            for results in (first, second):
                plan = lib.costab_results_plan(results)
                number = next(i for i in range(plan.field_count) if text(plan.fields[i].name) == field)
                arrays.append(_field(results, number, plan))
            one, two = arrays
            where = one != two
            return {"index": np.argwhere(where), "a": one[where], "b": two[where]}

    return long(work, hdf5=True)


def lines(path: Path, of: str = "spectral_radius") -> List[Line]:
    """The lines of level 1 of a radius (0 of growth and decay) of a network's sweep over two axes, as `costab boundary FILE.h5` prints
    them: through the places that the sweep found on the grid's edges, straight between them."""
    def work(run):
        with _opened(path) as results, owned("costab_levels *", lib.costab_levels_free) as found:
            call(lib.costab_levels_find, results, word(of), found)
            plan = lib.costab_results_plan(results)
            axes = [_axis(plan.axes[k]) for k in range(plan.swept)]
            return [_line(found, found.lines[i], axes) for i in range(found.count)]

    return long(work, hdf5=True)


def _line(found, line, axes: List[Axis]) -> Line:
    points = {}
    for number, values in ((found.x, line.x), (found.y, line.y)):
        array = np.frombuffer(ffi.buffer(values, line.count * 8), dtype=np.float64)
        points[axes[number].name] = np.append(array, array[:1]) if line.closed else array.copy()
    at = {axis.name: axis.values[line.at[k]] for k, axis in enumerate(axes) if k not in (found.x, found.y)}
    return Line(at, points, line.closed)


_taken: List[Claim] = []


@ffi.def_extern()
def python_claim(context, claim, error):
    _taken.append(Claim(text(claim.source), text(claim.quantity), text(claim.printed), text(claim.checked), claim.computed,
                        text(lib.costab_verdict_name(claim.verdict)), text(claim.reason)))
    return lib.COSTAB_OK


def claims(source: str) -> List[Claim]:
    """The numbers and statements of a source, such as ``kns2014``, compared with computed values."""
    def work(run):
        _taken.clear()
        call(lib.costab_claims, word(source), lib.python_claim, ffi.NULL)
        return list(_taken)

    return long(work, hdf5=True)
