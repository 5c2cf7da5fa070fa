"""Networks of coupled subsystems: models, and the questions about them."""
import contextlib
import dataclasses
import os
import pathlib
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import InputError, PROGRESS, SEARCH, SHARE, STOPPED, call, class_name, ffi, file_path, filled, floats, lib, listed, long, number, owned, placeless, real, reals, text, two_ends, warn, whole, word
from ._results import Page, coupling_names, into_dataset, json_text, settings_of, study_of, yaml_text
from ._rows import Filed, Listed, Names, Stored, before, row_class, rows_of
from ._show import Interface, Table, Tuples, bars, colour_of, new_axes, pandas, rounded, shares_text, text_table
from ._systems import keys_of, matrices

Path = Union[str, "os.PathLike[str]"]
Couplings = Union[None, str, Sequence[str]]
AllowedError = Union[float, str, Mapping[str, Union[float, str]]]


class Mode(NamedTuple):
    """A mode: frequency in Hz, damping (1: nothing oscillates), growth in 1/s, the condition of its eigenvalue, the eigenvalue, and the
    shares of the subsystems and of the connections in the mode, which add up to 1 each. sums: the subsystems' shares with the products
    added before the modulus is taken."""
    frequency: float
    damping: float
    growth: float
    condition: float
    eigenvalue: complex
    shares: Dict[str, float]
    sums: Dict[str, float]
    connections: Dict[str, float]


@dataclasses.dataclass(frozen=True, repr=False)
class Map(Stored):
    """The map of one macro step. matrix: size x size, float64 (complex128 with a real number of micro steps); labels: what each entry of
    its state is; eigenvalues: complex128, largest modulus first; set_aside: which eigenvalues were removed as the 1 of an equilibrium or
    of a rigid motion. radius is the spectral radius, beyond is radius - 1 without cancellation: the co-simulation is stable if
    beyond + rounding < 0. abscissa is that of the continuous system, in 1/s; iteration_radius is nan except for iterated couplings;
    growth and decay are in 1/s. verdict: two letters, the continuous system first, S stable, U unstable, N on the limit, X not known."""
    coupling: str
    matrix: NDArray
    labels: List[str]
    eigenvalues: NDArray[np.complex128]
    set_aside: NDArray[np.bool_]
    radius: float
    beyond: float
    rounding: float
    iteration_radius: float
    abscissa: float
    period: int
    neutral: int
    motions: int
    kept: int
    growth: float
    decay: float
    verdict: str
    modes: List[Mode]

    @property
    def size(self) -> int:
        return len(self.labels)

    def _columns(self):
        return "frequency", "damping", "growth", "condition", "eigenvalue", "shares"

    def _rows(self):
        return [(m.frequency, m.damping, m.growth, m.condition, m.eigenvalue, shares_text(m.shares)) for m in self.modes]

    def _says(self):
        return f"{self.coupling}: {self.verdict}, spectral radius {self.radius:.6g}, {self.size} eigenvalues; the modes above are the slowest to decay."

    def plot(self, axes: Any = None) -> Any:
        """The eigenvalues in the complex plane, with the unit circle. Returns matplotlib's Axes."""
        axes = new_axes(axes)
        turn = np.linspace(0, 2 * np.pi, 361)
        axes.plot(np.cos(turn), np.sin(turn), color="0.6", lw=0.8)
        axes.plot(self.eigenvalues.real, self.eigenvalues.imag, "x", color=colour_of(self.verdict))
        axes.set(aspect="equal", xlabel="real part", ylabel="imaginary part", title=f"{self.coupling}: eigenvalues of the map")
        return axes


class Piece(row_class("Piece", lib.costab_limit_record)):
    """An interval of a parameter in which the co-simulation does not grow. The attributes are the columns of `costab limit`, `class` as verdict, and
    range_lower and range_upper, what was searched. lower_kind and upper_kind: limit, range, ill-posed, undecided, whole, lost. At an end that is a
    crossing: the cause as in Margin, the frequency in Hz of what passes, and the dominant subsystem."""


class Limits(Listed):
    """The intervals of all requested couplings, as a list of Piece. tried: a sentence on the single values of the parameter that were
    tried, if the parameter has single values only; otherwise "". notes: sentences on what is undecided, and on what the completeness of
    the answer does not cover, coupling by coupling; "" if there is nothing to say."""
    tried = notes = ""

    def _each(self):
        return ((row, entry) for row, entry in super()._each() if row.interval > 0)

    def _columns(self):
        return Piece.shown

    def _rows(self):
        return [[getattr(row, name) for name in Piece.shown] for row in self]

    def _says(self):
        first = [p for p in self if p.lower_kind == "range" and p.verdict.endswith("S") and p.verdict != "US"]
        hidden = [f"{p.coupling} from {rounded(p.lower, 1)} to {rounded(p.upper, -1)}" for p in self
                  if p.verdict == "US" and float(rounded(p.lower, 1)) < float(rounded(p.upper, -1))]
        upto = ", ".join(f"{p.coupling} {rounded(p.upper, -1)}" for p in first)
        none = ", ".join(name for name in self._kept()["names"].couplings if name not in {p.coupling for p in self})
        return " ".join([*([f"Stable from {first[0].parameter} = {first[0].lower:g} up to: {upto}."] if first else []),
                         *([f"Hides an instability of the system: {', '.join(hidden)}."] if hidden else []),
                         *([f"No interval: {none}."] if none else []), *([self.tried + "."] if self.tried else []), *(line + "." for line in self.notes.splitlines())])

    def plot(self, axes: Any = None) -> Any:
        """The intervals as bars, one row per coupling. Returns matplotlib's Axes."""
        names = list(dict.fromkeys(piece.coupling for piece in self))
        axes = new_axes(axes, len(names))
        bars(axes, names, ((p.coupling, p.lower, p.upper, colour_of(p.verdict)) for p in self))
        axes.set(xlabel=self[0].parameter if self else "", title="where the co-simulation does not grow")
        return axes


class Uncertainty(NamedTuple):
    """The probability of stability, and the share of its variance that each parameter makes alone, with standard errors. The shares are
    None if all samples are alike."""
    coupling: str
    probability: float
    error: float
    alone: Dict[str, Optional[float]]
    errors: Dict[str, Optional[float]]


class Margin(row_class("Margin", lib.costab_margin_record)):
    """The nearest change of class on one side of one quantity. The attributes are the columns of `costab margin`, `class` as verdict, and shares, the
    participation factors of all subsystems. None where there is none."""


class Margins(Listed):
    """The margins of all requested couplings and quantities, as a list of Margin. notes: sentences on what was skipped, of which only
    single values were tried, and what is undecided; "" if there is nothing to say."""
    notes = ""

    def _columns(self):
        return Margin.shown

    def _rows(self):
        return [[getattr(row, name) for name in Margin.shown] for row in self]

    def _says(self):
        found = [m for m in self if m.kind not in ("radius", "disk") and m.factor is not None and m.factor > 0]
        if not found:
            said = "No single change of these by a positive factor changes the class." if self else "No parameter could be searched."
            return " ".join([said, *(line + "." for line in self.notes.splitlines())])
        nearest = min(found, key=lambda m: abs(np.log(m.factor)))
        return " ".join([f"Nearest change of class: {nearest.verdict} beyond {nearest.name} times {nearest.factor:.6g} with {nearest.coupling}.",
                         *(line + "." for line in self.notes.splitlines())])

    def plot(self, axes: Any = None, most: int = 15) -> Any:
        """A tornado: by which factor each quantity may change before the class does, the `most` (15) nearest, the nearest on top. Returns
        matplotlib's Axes."""
        found = [m for m in self if m.factor is not None and m.factor > 0]
        several = len({m.coupling for m in found}) > 1
        labels = {id(m): f"{m.coupling}: {m.name}" if several else m.name for m in found}
        nearest: Dict[str, float] = {}
        for m in found:
            nearest[labels[id(m)]] = min(nearest.get(labels[id(m)], np.inf), abs(np.log(m.factor)))
        names = sorted(nearest, key=lambda name: nearest[name])[:most]
        axes = new_axes(axes, len(names))
        bars(axes, names, ((labels[id(m)], min(1, m.factor), max(1, m.factor), colour_of(m.verdict)) for m in found if labels[id(m)] in names))
        axes.set(xscale="log", xlabel="factor from the nominal value", title="where the class changes")
        axes.axvline(1, color="black", lw=0.8)
        return axes


class SignalError(NamedTuple):
    """The largest difference between a state or output and its monolithic solution, the time of it, and the largest value of that solution.
    Infinite where the run diverges. worst: the state with the largest difference, the error of the run."""
    subsystem: str
    signal: str
    error: float
    t: float
    largest: float
    worst: bool


class AdviceRow(row_class("AdviceRow", lib.costab_advice_record)):
    """A coupling. The attributes are the columns of `costab advise`, and `step`. Every macro step up to max_stable_step is stable, up to
    max_accurate_step accurate too; cost in subsystem steps per second of the simulation, at the macro step `step`; margin: max_stable_step over the
    nominal macro step; growth in 1/s; limited_by: what ends the macro steps, "coupling", "own:NAME" (a subsystem's solver), "accuracy", "range" or
    "". None: there is none, or the coupling cannot win."""


class _Advice(NamedTuple):
    rows: List[AdviceRow]
    sentence: str
    notes: str


class Advice(_Advice, Table):
    """All couplings (rows), the recommended first, then by cost, and what is recommended and why (sentence). notes: sentences on the single
    macro steps that were tried, and on the couplings that are left out; "" if there is nothing to say."""

    def _columns(self):
        return AdviceRow.shown

    def _rows(self):
        return [[getattr(row, name) for name in AdviceRow.shown] for row in self.rows]

    def _says(self):
        return " ".join([self.sentence, *(line + "." for line in self.notes.splitlines())])

    def __repr__(self) -> str:
        first = self._rows()[:10]
        more = f"and {len(self.rows) - 10} couplings more\n" if len(self.rows) > 10 else ""
        return text_table(self._columns(), first, more + self._says())

    def plot(self, axes: Any = None, most: int = 10) -> Any:
        """How far the first `most` (10) couplings are stable (light) and accurate (dark), the recommended on top. Returns matplotlib's
        Axes."""
        rows = [row for row in self.rows[:most] if row.max_stable_step is not None]
        axes = new_axes(axes, len(rows))
        for k, row in enumerate(rows):
            axes.barh(k, row.max_stable_step, color="#bbccee", height=0.6)
            axes.barh(k, row.max_accurate_step or 0, color=colour_of("SS"), height=0.6)
        if rows:
            axes.set_xlim(min(row.max_accurate_step or row.max_stable_step for row in rows) / 3, None)
        axes.set_yticks(range(len(rows)), [row.coupling + (" (recommended)" if row.recommended else "") for row in rows])
        axes.set(xscale="log", xlabel="macro step", title="stable and accurate up to")
        axes.set_ylim(len(rows) - 0.5, -0.5)
        return axes


class _Pattern(NamedTuple):
    lower: float
    upper: float
    rate_lower: float
    rate_upper: float
    pattern: NDArray[np.float64]
    safe_from: Optional[float]
    safe_to: Optional[float]
    proved: bool
    neutral: int


class Pattern(_Pattern, Stored):
    """Bounds of the growth over all sequences of macro steps, per step (lower, upper) and per second; the steps of the cycle that attains
    `lower`; the range in which all sequences are stable (None for a list of steps, or if none was found)."""


class Locus(NamedTuple):
    """Eigenvalues of the macro step's map, or of the "continuous system", along a parameter: one row per curve over `values`, NaN where there is
    none. joined: whether an eigenvalue continues the curve from the value before; curves are broken where two meet. crossings: (value,
    eigenvalue, Hz, "ends" or "begins" where stability does, else None) where one passes the unit circle, or the imaginary axis. undecided:
    the limit has undecided intervals, in which crossings may be missing."""
    coupling: str
    parameter: str
    values: NDArray[np.float64]
    eigenvalues: NDArray[np.complex128]
    joined: NDArray[np.bool_]
    crossings: List[Tuple[float, complex, Optional[float], Optional[str]]]
    undecided: bool


class _Loci(Listed):
    def _says(self):
        return " ".join(f"{locus.coupling}: some ends of stability are undecided and may not be marked; limit lists them." for locus in self if locus.undecided)


class _Tuned(NamedTuple):
    weights: Dict[str, Optional[Tuple[float, float, float, float]]]
    max_stable_step: float
    robust_to: float
    fixed: str
    fixed_to: float
    gain: float
    robust_gain: float
    error: Optional[float]
    fixed_error: Optional[float]
    better: bool


class Tuned(_Tuned, Stored):
    """Weights tuned to a model (a0, a1, b0, b1; None: a fixed coupling without such weights) by the name of the group of connections that share
    them, the steps up to which they are stable, in the model and in the worst varied one, and the best fixed coupling."""
    __getattr__ = before


class Bound(NamedTuple):
    """[MS] eq. 30 and 31 for two subsystems: M_f and M_g of each, the factor, and the macro step that they allow."""
    f: Tuple[float, float]
    g: Tuple[float, float]
    factor: float
    macro_step: float
    horizon: float


_ROW = np.dtype({"names": ["t", "subsystem", "index", "kind", "communication", "value", "monolithic"],
                 "formats": ["f8", "i4", "i4", "i4", "?", "f8", "f8"],
                 "offsets": [ffi.offsetof("costab_row", name) for name in ("t", "subsystem", "index", "kind", "communication", "value",
                                                                          "monolithic")],
                 "itemsize": ffi.sizeof("costab_row")})


@dataclasses.dataclass(frozen=True, repr=False)
class History(Filed):
    """A time history. rows: a NumPy record array in order of time with t (s), subsystem, index, kind, communication (at a communication
    point, else at a micro step's end), value and monolithic. history["motor.angle"] gives the record array of one signal. diverged: the
    run ended early, as a state passed 1e100 or an equation has no finite value; `reason` says which, when, and with which arguments."""
    rows: np.ndarray
    names: Dict[Tuple[int, int, int], str]
    end: float
    macro_steps: int
    diverged: bool
    reason: str = ""

    def write(self, path: Path, *, force: bool = False) -> None:
        """Simulates again, into a results file as of costab simulate -o FILE.h5, which costab.plot draws."""
        if not hasattr(self, "_asked"):
            raise ValueError("only what a model returned can be written")
        model, asked, name, until, steps, count = self._asked
        turns = ffi.new("costab_history_steps *", {"steps": steps, "count": count})
        wanted = ffi.new("costab_network_history *", {"until": until, "local": True, "turn_count": count > 0, "turns": turns})
        couplings = ffi.new("char *[]", [name])
        history = ffi.new("costab_study_history *", {"variant": asked.variant[0], "wanted": wanted})
        history.variant.couplings, history.variant.coupling_count = couplings, 1
        notes = ffi.new("char[]", word(asked.notes))
        long(lambda run: call(lib.costab_history_write, file_path(path), model._spec, notes, history, force), hdf5=True)

    def __repr__(self) -> str:
        end = f"diverged: {self.reason}" if self.diverged else f"up to {self.end:g} s"
        return f"{self.macro_steps} macro steps {end}; signals: {', '.join(self.signals())}"

    def to_frame(self) -> Any:
        """The rows as a pandas.DataFrame, with the name of the signal."""
        r = self.rows
        return pandas().DataFrame({"t": r["t"], "signal": [self.names[s, k, i] for s, k, i in zip(r["subsystem"], r["kind"], r["index"])],
                                   "communication": r["communication"], "value": r["value"], "monolithic": r["monolithic"]})

    def signals(self) -> List[str]:
        """The names of all signals, such as "motor.angle"; of bonds "bond1.power"."""
        return list(self.names.values())

    def __getitem__(self, signal: str) -> np.ndarray:
        for (subsystem, kind, index), name in self.names.items():
            if name == signal:
                r = self.rows
                return r[(r["subsystem"] == subsystem) & (r["kind"] == kind) & (r["index"] == index)]
        raise KeyError(f"no signal '{signal}'; there are {', '.join(self.signals())}")


@dataclasses.dataclass
class Subsystem:
    """x' = A x + B u, y = C x + D u in arrays: A n x n, B n x m, C q x n, D q x m or None. Ports are called u1, u2, ... and y1, y2, ...
    unless inputs and outputs name them. `more` has further keys of docs/reference/keys.md, such as {"step": 0.001}."""
    name: str
    A: ArrayLike
    B: ArrayLike
    C: ArrayLike
    D: Optional[ArrayLike] = None
    inputs: Optional[Sequence[str]] = None
    outputs: Optional[Sequence[str]] = None
    x0: Optional[ArrayLike] = None
    method: Any = "rk4"
    substeps: Optional[int] = None
    more: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def as_dict(self) -> Dict[str, Any]:
        what = f"subsystem {self.name}"
        A, B, C, D = matrices(what, self.A, self.B, self.C, self.D)
        keys: Dict[str, Any] = {"name": self.name, "A": A, "B": B, "C": C,
                                "inputs": listed(self.inputs) or [f"u{i + 1}" for i in range(B.shape[1])],
                                "outputs": listed(self.outputs) or [f"y{i + 1}" for i in range(C.shape[0])], "method": self.method}
        if self.D is not None:
            keys["D"] = D
        if self.x0 is not None:
            keys["x0"] = reals(self.x0, f"{what}, x0").astype(float)
        if self.substeps is not None:
            keys["substeps"] = self.substeps
        return {**keys, **self.more}


def _spec(make):
    """The costab_spec that make(box, error) creates."""
    box = ffi.new("costab_spec **")
    call(make, box)
    return ffi.gc(box[0], lambda spec: lib.costab_spec_destroy(ffi.new("costab_spec **", spec)))


def _read(path: Path):
    name = file_path(path)
    return _spec(lambda box, error: lib.costab_spec_read_with(name, lib.costab_fmu_foreign(), box, error))


def _parse(name: bytes, content: bytes):
    return _spec(lambda box, error: lib.costab_spec_parse_with(name, content, len(content), lib.costab_fmu_foreign(), box, error))


def _whole(spec) -> str:
    """The text of a spec and of the files that it reads."""
    whole = ffi.new("char **")
    call(lib.costab_spec_whole, spec, whole)
    content = text(whole[0])
    lib.costab_spec_free_text(whole)
    return content


def _connection(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    if isinstance(given, str) or not 2 <= len(given) <= 3:
        raise InputError(f"connection {given!r}: expected (from, to) or (from, to, gain)")
    return dict(zip(("from", "to", "gain"), given))


def _one_coupling(coupling: Couplings) -> Couplings:
    """Refuses several couplings where the answer is about one."""
    if len(coupling_names(coupling)) > 1:
        raise ValueError(f"coupling: expected one, found {coupling!r}")
    return coupling


class _Asked:
    """A costab_variant with the data that it points to. one: whether the answer is a single result instead of a list."""

    def __init__(self, model, coupling: Couplings, parameters: Optional[Mapping[str, float]], more: Mapping[str, float],
                 time_varying: bool = False, modes: bool = False):
        names = coupling_names(coupling)
        if coupling is not None and not names:
            raise ValueError("coupling: there is none; None takes the model's")
        twice = sorted(set(parameters or {}) & set(more))
        if twice:
            raise ValueError(f"parameter {twice[0]}: it has two values, one of them in parameters")
        settings, self._kept = settings_of({**(parameters or {}), **more})
        words = [ffi.new("char[]", word(name)) for name in names]
        pointers = ffi.new("char *[]", words) if words else ffi.NULL
        self.variant = filled("costab_variant *", {"model": model, "setting_count": len(self._kept), "settings": settings,
                                                    "coupling_count": len(words), "couplings": pointers, "time_varying": time_varying})
        self._kept += [settings, *words, pointers]
        choose = isinstance(coupling, str) and coupling == "all"
        if choose or modes:
            self._check(words, choose, modes)
        self.notes = "".join(f"# --set {key}={float(value)!r}\n" for key, value in {**(parameters or {}), **more}.items())
        self.one = (isinstance(coupling, str) and coupling != "all") or (coupling is None and model.coupling_count == 1)

    def _check(self, words: List[Any], choose: bool, modes: bool) -> None:
        """Refuses couplings whose maps have no `modes` to analyse. choose: leaves out these couplings, and those that the model does not
        allow, unless none is left."""
        taken: List[Any] = []
        refused: List[Tuple[str, InputError]] = []
        with owned("costab_setup **", lib.costab_setup_destroy) as box:
            call(lib.costab_setup_create, self.variant, box)
            for c in range(lib.costab_setup_coupling_count(box[0])):
                try:
                    if choose:
                        call(lib.costab_setup_takes, box[0], c)
                    if modes:
                        call(lib.costab_setup_check_modes, box[0], c)
                    taken += words[c:c + 1]
                except InputError as why:
                    if not choose:
                        raise
                    refused.append((text(words[c]), why))
        if not refused:
            return
        if not taken:
            raise refused[0][1]
        warn(f"coupling='all': {len(refused)} of {len(words)} are left out, such as {refused[0][0]}: {refused[0][1]}")
        pointers = ffi.new("char *[]", taken)
        self.variant.couplings, self.variant.coupling_count = pointers, len(taken)
        self._kept.append(pointers)


class Model(Interface):
    """A network: from a file (.yaml, .ssp, .ssd, OspSystemStructure.xml, .fmu), from a dict with the keys of such a file, or from arrays with
    Model.from_arrays.

    All methods take values of parameters as keywords (map(H=0.01), or parameters={"a.k": 20} for names that are not Python identifiers), and
    `coupling`: a name of the model's couplings or of those that `costab limit --help` lists, a list of names, or "all"; by default the
    model's own. Methods with one answer per coupling return a list if coupling is a list or "all", or if the model has several.

    Results of limit, margin, map, locus, pattern, tune and simulate have write(path, force=False): it writes the program's results file
    of -o FILE.h5. A file that costab did not write is replaced with force=True only."""

    def __init__(self, source: Union[Path, Mapping[str, Any]]):
        self._keys: Optional[Dict[str, Any]] = None
        self._of_systems: List[str] = []  # warnings of connect
        if isinstance(source, Mapping):
            self.path = "model"
            self._keys = {"system": "network", **source}
            content = json_text(self._keys)
            self._spec = long(lambda run: _parse(b"model", content), hdf5=True)
        else:
            self.path = os.fspath(source)
            self._spec = long(lambda run: _read(source), hdf5=True)
        if self._spec.system != lib.COSTAB_SYSTEM_NETWORK:
            raise ValueError(f"{self.path}: it is a spec of the planar system; a model of `system: network` is needed")
        self._model = self._spec.model
        for warning in self.warnings:
            warn(warning.replace("warning: ", "", 1))

    @classmethod
    def from_arrays(cls, subsystems: Sequence[Subsystem], connections: Sequence[Any], *, macro_step: Optional[float] = None,
                    coupling: Union[str, Sequence[str], Mapping[str, Any]] = "jacobi", parameters: Optional[Mapping[str, Any]] = None, **keys: Any) -> "Model":
        """As `connect`, of a list of Subsystem. The macro step is 0.01 s by default."""
        systems = {s.name: s.as_dict() for s in subsystems}
        if len(systems) < len(subsystems):
            raise InputError(f"subsystems: two have the same name; found {', '.join(s.name for s in subsystems)}")
        step = 0.01 if macro_step is None and "H" not in (parameters or {}) else macro_step
        return cls.connect(systems, connections, macro_step=step, coupling=coupling, parameters=parameters, **keys)

    @classmethod
    def connect(cls, systems: Mapping[str, Any], connections: Sequence[Any], *, macro_step: Optional[float] = None,
                coupling: Union[str, Sequence[str], Mapping[str, Any]] = "jacobi", parameters: Optional[Mapping[str, Any]] = None, **keys: Any) -> "Model":
        """A network of systems by name, such as connect({"plant": P, "controller": K}, [("plant.y", "controller.u"), ("controller.y", "plant.u", -1.0)]).
        A system is

        - an object with A, B, C, D or with num and den, such as those of scipy.signal and python-control;
        - (A, B, C, D), or (A, B, C, D, dt);
        - (function, x0, u0): function(x, u) returns (x', y) and is linearised there; signals are then deviations from this point;
        - a dict with the keys of a subsystem in docs/reference/keys.md, whose key `system` is one of the above in place of matrices, such as
          {"system": P, "method": "rk4", "step": 0.01, "x0": [1, 0], "outputs": [{"name": "speed", "unit": "m/s"}]}.

        Discrete systems, whose dt is a sample time in seconds, are sampled subsystems; a dict may add their computation_delay.

        Ports have the names that the system gives them; otherwise u and y, or u1, u2, .. where there are several. The method of continuous systems is
        exact unless a dict says otherwise. A connection is (from, to), (from, to, gain), or a dict with the keys of a connection. The macro step is the parameter H, by
        default 1 s, or the shortest sample time; `coupling` is a name of `costab help couplings`, a list of such names, or has keys of docs/reference/keys.md. `keys` are those of
        the model, such as sources."""
        if macro_step is not None and "H" in (parameters or {}):
            raise ValueError("parameter H: it has two values, one of them in macro_step")
        chosen = {"macro_step": "H", **coupling} if isinstance(coupling, Mapping) else coupling
        told: List[str] = []
        parts = [keys_of(name, system, told) for name, system in systems.items()]
        samples = [part["sample_time"] for part in parts if isinstance(part.get("sample_time"), float)]
        step = {"value": macro_step if macro_step is not None else min(samples, default=1.0), "unit": "s"}
        model = cls({"parameters": {"H": step, **(parameters or {})}, "subsystems": parts,
                     "connections": [_connection(c) for c in connections], "coupling": chosen, **keys})
        model._of_systems = told
        for warning in told:
            warn(warning)
        return model

    def to_yaml(self) -> str:
        """The text of the model's file, for the program and for costab.Model(path)."""
        if self._keys is not None:
            return yaml_text(self._keys)
        return _whole(self._spec)

    def __repr__(self) -> str:
        return f"<costab.Model {self.path}: parameters {', '.join(self.parameters)}>"

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters and their defaults."""
        return {text(p.name): p.value for p in self._model.parameters[0:self._model.parameter_count]}

    @property
    def couplings(self) -> List[str]:
        """The names of the model's own couplings."""
        return [text(name) for name in self._model.coupling_names[0:self._model.coupling_count]]

    @property
    def warnings(self) -> List[str]:
        """Warnings: allowed, but probably not intended."""
        return self._of_systems + placeless(text(self._spec.warnings)).splitlines()

    # ---- What the methods share

    @staticmethod
    @contextlib.contextmanager
    def _setup(asked: _Asked) -> Iterator[Tuple[Any, int]]:
        with owned("costab_setup **", lib.costab_setup_destroy) as box:
            call(lib.costab_setup_create, asked.variant, box)
            yield box[0], lib.costab_setup_coupling_count(box[0])

    def _names(self, asked: _Asked) -> Tuple[List[str], List[str]]:
        """Names of the requested couplings, and of the subsystems."""
        with self._setup(asked) as (setup, count):
            return [text(lib.costab_setup_coupling_name(setup, c)) for c in range(count)], _subsystems(lib.costab_setup_network(setup))

    def _row_names(self, setup, parameters: Sequence[str] = (), more: Sequence[str] = ()) -> Names:
        """The names of what rows number: of the setup's couplings and `more`, of the subsystems, of parameters."""
        index = ffi.new("int *")
        unit = ffi.NULL
        for name in parameters:
            call(lib.costab_model_find_parameter, self._model, word(name), index)
            unit = lib.costab_model_parameter_unit(self._model, index[0])
        couplings = [text(lib.costab_setup_coupling_name(setup, c)) for c in range(lib.costab_setup_coupling_count(setup))]
        return Names([*couplings, *more], _subsystems(lib.costab_setup_network(setup)), parameters, unit)

    @staticmethod
    def _choices(setup, c: int):
        choices = ffi.new("costab_coupling *")
        call(lib.costab_setup_coupling, setup, c, choices)
        return choices

    # ---- One point

    def map(self, coupling: Couplings = None, *, modes: int = 6, parameters: Optional[Mapping[str, float]] = None,
            **settings: float) -> Union[Map, List[Map]]:
        """The map of one macro step: matrix, eigenvalues, radius, verdict, and at most `modes` modes, largest modulus first."""
        most = whole(modes, "modes")

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings, modes=True)
            with self._setup(asked) as (setup, count):
                maps = Listed(self._map(setup, c, most) for c in range(count))
                names = self._row_names(setup)
            rows = ffi.new("costab_map_row[]", [{"coupling": c, "point": m._stored["rows"][0], "eigenvalue_count": m.size,
                                                 "eigenvalues": ffi.cast("costab_complex *", ffi.from_buffer(m.eigenvalues))} for c, m in enumerate(maps)])
            for c, m in enumerate(maps):
                m._keep(self, lib.costab_map_record, rows + c, 1, names, (rows, maps), asked.notes)
            maps._keep(self, lib.costab_map_record, rows, len(maps), names, rows, asked.notes)
            return maps[0] if asked.one else maps

        return long(work)

    def _map(self, setup, c: int, most: int) -> Map:
        network, choices = lib.costab_setup_network(setup), self._choices(setup, c)
        point = ffi.new("costab_network_point *")
        with owned("costab_network_work **", lib.costab_network_work_destroy) as box:
            call(lib.costab_network_work_create, box)
            call(lib.costab_network_analyse, box[0], network, choices, point)
            n = point.size
            parts = ffi.new("double *[2]")
            lib.costab_network_matrix(box[0], parts, parts + 1)
            real, imaginary = (np.frombuffer(ffi.buffer(p, n * n * 8)).reshape(n, n).copy() if p else None for p in parts)
            spectrum = np.empty(n, dtype=np.complex128)
            set_aside = np.empty(n, dtype=np.bool_)
            lib.costab_network_spectrum(box[0], ffi.cast("costab_complex *", ffi.from_buffer(spectrum)), ffi.cast("bool *", ffi.from_buffer(set_aside)))
            labels = [_label(lib.costab_network_label, box[0], i) for i in range(n)]
        return Map(text(lib.costab_setup_coupling_name(setup, c)), real if imaginary is None else real + 1j * imaginary, labels, spectrum, set_aside,
                   point.spectral_radius, point.beyond, point.rounding, point.iteration_radius, point.spectral_abscissa, point.period, point.neutral,
                   point.motions, point.kept, point.growth, point.decay, class_name(point.class_code),
                   self._modes(network, choices, most))._keep(self, lib.costab_map_record, point, 1, None)

    @staticmethod
    def _modes(network, choices, most: int) -> List[Mode]:
        with owned("costab_modes *", lib.costab_modes_free) as found:
            call(lib.costab_network_modes, network, choices, lib.COSTAB_MODES_MAP, most, found)
            subsystems = _subsystems(network)
            connections = [_label(lib.costab_connection_label, network, c) for c in range(found.connections)]

            def row(values, names, m):
                return {name: values[m * len(names) + k] for k, name in enumerate(names)}

            return [Mode(mode.frequency, mode.damping, mode.growth, mode.condition, complex(mode.re, mode.im),
                         row(found.shares, subsystems, m), row(found.sums, subsystems, m), row(found.links, connections, m))
                    for m, mode in enumerate(found.modes[0:found.count])]

    # ---- Ranges

    def limit(self, parameter: str, lower: float, upper: float, coupling: Couplings = None, *,
              spacing: str = "linear", threads: int = 0, parameters: Optional[Mapping[str, float]] = None,
              **settings: float) -> Limits:
        """The intervals of a parameter, between lower and upper, in which the co-simulation does not grow, coupling by coupling. A coupling
        may have no interval. spacing="log" suits ranges over many decades. Large networks are evaluated on several threads (0: all
        cores)."""
        kinds = {"linear": lib.COSTAB_SPACING_LINEAR, "log": lib.COSTAB_SPACING_LOG}
        if spacing not in kinds:
            raise ValueError(f"spacing: '{spacing}' is not log or linear")

        tried: List[str] = []
        notes: List[str] = []
        single: List[Any] = []  # arrays of tried values, to which the rows point

        def one(run, asked, c, names):
            """The rows of a coupling; one without an interval if there is none."""
            options = filled("costab_analysis_limit_options *", {"lower": lower, "upper": upper, "spacing": kinds[spacing],
                                                               "threads": threads, "progress": SEARCH, "progress_context": run})
            with owned("costab_analysis_limit *", lambda found: lib.costab_limit_free(ffi.addressof(found, "found"))) as found:
                call(lib.costab_model_limit, asked.variant, c, word(parameter), options, found)
                count = found.found.count
                words = ffi.new("char[]", max(lib.COSTAB_TRIED_MAX, lib.COSTAB_LIMIT_NOTES_MAX))
                lib.costab_limit_tried(found, word(parameter), words)
                tried.append(text(words))
                lib.costab_limit_notes(found, word(parameter), names.c.unit, words)
                notes.extend(f"{names.couplings[c]}: {line}" for line in text(words).splitlines())
                values = [getattr(cell, "from") for cell in found.found.discrete.items[0:found.found.discrete.count]] if found.single else []
                single.append(ffi.new("double[]", values))
                causes = ffi.new("costab_limit_cause[]", 2 * count + 1)
                call(lib.costab_model_limit_causes, asked.variant, c, word(parameter), options, found, causes)
                rows = ffi.new("costab_limit_row[]", [{"coupling": c, "range": [lower, upper], "interval": i + 1, "piece": found.found.pieces[i],
                                                       "causes": [causes[2 * i], causes[2 * i + 1]]} for i in range(count)] or
                               [{"coupling": c, "range": [lower, upper]}])
                rows[0].tried, rows[0].tried_count = single[-1], len(values)
                return rows

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings, modes=True)
            with self._setup(asked) as (setup, couplings):
                names = self._row_names(setup, [parameter])
            arrays = []  # which own the rows
            for c in range(couplings):
                if run.stop:
                    break
                arrays.append(one(run, asked, c, names))
            found = [row for array in arrays for row in array]
            rows = ffi.new("costab_limit_row[]", found)
            pieces = Limits(piece for piece, row in zip(rows_of(Piece, lib.costab_limit_record, rows, len(found), names), rows) if row.interval > 0)
            pieces.tried, pieces.notes = " ".join(filter(None, dict.fromkeys(tried))), "\n".join(notes)
            return pieces._keep(self, lib.costab_limit_record, rows, len(found), names, single, asked.notes)

        return long(work)

    def margin(self, over: Optional[Sequence[str]] = None, *, connections: bool = False, coupling: Couplings = None, threads: int = 0,
               parameters: Optional[Mapping[str, float]] = None, **settings: float) -> Margins:
        """The nearest changes of class when parameters (`over`: these only) move, and what passes its limit there; with connections=True gains
        and delays of the connections too. threads: of large networks, as in limit."""
        words = [ffi.new("char[]", word(name)) for name in listed(over)]
        pointers = ffi.new("char *[]", words) if words else ffi.NULL

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            options = filled("costab_margin_options *", {"parameter_count": len(words), "parameters": pointers, "connections": connections,
                                                          "threads": threads, "progress": PROGRESS, "progress_context": run})
            found = ffi.gc(ffi.new("costab_margins *"), lib.costab_margins_free)
            call(lib.costab_margins_find, asked.variant, options, found)
            with self._setup(asked) as (setup, _):
                names = self._row_names(setup)
            rows = rows_of(Margin, lib.costab_margin_record, found.rows, found.count, names)
            margins = Margins(rows)
            margins.notes = text(found.notes) if found.notes else ""
            return margins._keep(self, lib.costab_margin_record, found.rows, found.count, names, found, asked.notes)

        return long(work)

    def uncertainty(self, uncertain: Mapping[str, Any], *, samples: int = 4096, coupling: Couplings = None,
                    parameters: Optional[Mapping[str, float]] = None, **settings: float) -> List[Uncertainty]:
        """How likely stability is where parameters are uncertain, coupling by coupling, and whose spread decides. uncertain: of each
        parameter 0.1 (evenly within 10 % of its value), (from, to), or {"mean": m, "deviation": s}; samples: a multiple of 16."""
        kinds = ffi.new("costab_uncertain[]", len(uncertain))
        for at, (name, spread) in zip(kinds, uncertain.items()):
            which = ffi.new("int *")
            call(lib.costab_model_find_parameter, self._model, word(name), which)
            at.parameter, (at.distribution, at.first, at.second) = which[0], _spread(name, spread)

        def work(run):
            options = filled("costab_uncertainty_options *", {"uncertain_count": len(uncertain), "uncertain": kinds, "samples": samples,
                                                               "progress": PROGRESS, "progress_context": run})
            asked = _Asked(self._model, coupling, parameters, settings)
            out = Tuples()
            for c, name in enumerate(self._names(asked)[0]):
                found = ffi.new("costab_uncertainty *")
                call(lib.costab_uncertainty_find, asked.variant, c, options, found)
                alone = {key: found.alone[u] for u, key in enumerate(uncertain)}
                out.append(Uncertainty(name, found.probability.value, found.probability.error, {key: number(s.value) for key, s in alone.items()},
                                       {key: number(s.error) for key, s in alone.items()}))
            return out

        return long(work)

    def advise(self, parameter: str, lower: float, upper: float, *, error: AllowedError = 0, until: float = 0, all: bool = False, tune: bool = False,
               coupling: Couplings = None, parameters: Optional[Mapping[str, float]] = None, **settings: float) -> Advice:
        """All couplings compared, for macro steps (the parameter) between lower and upper; with error and until (s) only those steps count
        whose error stays within `error` up to that time: 1e-3 of every state, "1%" of the largest value of every state and exchanged output, or by signal, such as
        {"vehicle.v": 0.01, "load.x1": "1%"}. With all=True the errors of those that cannot win are found, too; with tune=True jacobi
        with tuned weights is compared, where no couplings are named."""
        name = ffi.new("char[]", word(parameter))
        errors, _words = errors_of(error)
        if (len(errors) > 0) != (real(until, "until") != 0):
            raise ValueError("error and until belong together: the allowed error, and the time (s) up to which it counts")
        if tune and coupling is not None:
            raise ValueError("tune: where couplings are named, name jacobi(phi,theta) as tune() finds it")

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            options = filled("costab_advise_options *", {"parameter": name, "lower": lower, "upper": upper, "errors": errors,
                                                          "error_count": len(errors), "until": until, "all": all, "tune": tune, "progress": PROGRESS,
                                                          "progress_context": run})
            with owned("costab_advice *", lib.costab_advice_free) as found:
                call(lib.costab_advise, asked.variant, options, found)
                with self._setup(asked) as (setup, _):
                    names = self._row_names(setup)
                rows = rows_of(AdviceRow, lib.costab_advice_record, found.rows, found.count, names)
                return Advice(rows, text(found.sentence), text(found.notes) if found.notes else "")

        return long(work)

    def report(self, *, over: Optional[Tuple[str, float, float]] = None, error: AllowedError = 0, until: float = 0,
               coupling: Optional[str] = None, tune: bool = False, threads: int = 0, parameters: Optional[Mapping[str, float]] = None,
               **settings: float) -> Page:
        """All of the model on one page, about one coupling (the model's first). over=("H", 1e-3, 0.5): the macro step's parameter and its
        range; error and until as of advise (1 % of each signal's largest value; three of the slowest time constants); tune as of advise."""
        if over is not None and (not isinstance(over, (tuple, list)) or len(over) != 3):
            raise ValueError(f"over: expected (parameter, lower, upper), found {over!r}")
        name, lower, upper = over if over is not None else (None, 0.0, 0.0)
        named = ffi.new("char[]", word(name)) if name is not None else ffi.NULL
        errors, _words = errors_of(error)

        def work(run):
            asked = _Asked(self._model, _one_coupling(coupling), parameters, settings)
            options = filled("costab_report_options *", {"spec": self._spec, "parameter": named, "lower": lower, "upper": upper, "errors": errors,
                                                          "error_count": len(errors), "until": until, "threads": threads, "tune": tune,
                                                          "progress": PROGRESS, "progress_context": run})
            with owned("char **", lib.costab_page_free) as page:
                call(lib.costab_report, asked.variant, options, page)
                return Page(text(page[0]))

        return long(work, hdf5=True)

    def locus(self, parameter: str, lower: float, upper: float, coupling: Couplings = None, *, points: int = 0, continuous: bool = False,
              parameters: Optional[Mapping[str, float]] = None, **settings: float) -> List[Locus]:
        """The eigenvalues of each coupling's map along a parameter, at `points` values at least (0: 129); `continuous`: followed by those of the
        continuous system."""

        def one(run, asked, c, name, at, whole=False):
            options = filled("costab_locus_options *", {"lower": lower, "upper": upper, "points": points, "continuous": whole, "progress": SHARE,
                                                         "progress_context": run})
            row = ffi.gc(ffi.new("costab_locus_row *", {"coupling": at, "continuous": whole}), lambda row: lib.costab_locus_free(ffi.addressof(row, "locus")))
            found = row.locus
            call(lib.costab_model_locus, asked.variant, c, word(parameter), options, ffi.addressof(row, "locus"))
            size = found.curves * found.count
            re, im = (np.frombuffer(ffi.buffer(x, 8 * size)).reshape(found.curves, -1) for x in (found.re, found.im))
            return row, Locus(name, parameter, np.frombuffer(ffi.buffer(found.at, 8 * found.count)).copy(), re + 1j * im,
                              np.frombuffer(ffi.buffer(found.joined, size), dtype=np.bool_).reshape(found.curves, -1).copy(),
                              [(x.value, complex(x.re, x.im), number(x.frequency), (None, "ends", "begins")[x.stability])
                               for x in found.crossings[0:found.crossing_count]], found.undecided)

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            last = ["continuous system"] if continuous else []
            with self._setup(asked) as (setup, count):
                names = self._row_names(setup, [parameter], last)
            every = [one(run, asked, c, name, c) for c, name in enumerate(self._names(asked)[0])]
            every += [one(run, asked, 0, name, count, True) for name in last]
            rows = ffi.new("costab_locus_row[]", [row[0] for row, _ in every])
            return _Loci(locus for _, locus in every)._keep(self, lib.costab_locus_record, rows, len(every), names, every, asked.notes)

        return long(work)

    def pattern(self, steps: Optional[ArrayLike] = None, *, over: Optional[Tuple[float, float]] = None, coupling: Couplings = None,
                parameters: Optional[Mapping[str, float]] = None, **settings: float) -> Union[Pattern, List[Pattern]]:
        """Bounds over all sequences of macro steps (s): of a list of `steps`, or of all steps in the range `over`."""
        if (steps is None) == (over is None):
            raise ValueError("give either steps or over=(lower, upper)")
        values = floats(steps, "steps") if steps is not None else floats(two_ends(over, "over"), "over")
        if not values:
            raise ValueError("steps: there is none")

        def one(setup, c, run):
            options = filled("costab_pattern_options *", {"stop": STOPPED, "stop_context": run})
            network, choices = lib.costab_setup_network(setup), self._choices(setup, c)
            row = ffi.gc(ffi.new("costab_pattern_row *", {"coupling": c, "range": [min(values), max(values)]}),
                         lambda row: lib.costab_pattern_free(ffi.addressof(row, "pattern")))
            found = row.pattern
            if over is None:
                call(lib.costab_pattern_steps, network, choices, values, len(values), options, ffi.addressof(row, "pattern"))
            else:
                call(lib.costab_pattern_over, network, choices, values, options, ffi.addressof(row, "pattern"))
            cycle = np.array(list(found.steps[0:found.length]) if found.length else [])
            return row, Pattern(found.lower, found.upper, found.rate_lower, found.rate_upper, cycle, number(found.safe_from) if over else None,
                                number(found.safe_to) if over else None, found.proved, found.neutral)

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            with self._setup(asked) as (setup, count):
                call(lib.costab_setup_check_steps, setup)
                every, names = [one(setup, c, run) for c in range(count)], self._row_names(setup)
            rows = ffi.new("costab_pattern_row[]", [row[0] for row, _ in every])
            patterns = Listed(pattern._keep(self, lib.costab_pattern_record, rows + c, 1, names, (rows, every), asked.notes)
                              for c, (_, pattern) in enumerate(every))
            patterns._keep(self, lib.costab_pattern_record, rows, len(every), names, every, asked.notes)
            return patterns[0] if asked.one else patterns

        return long(work)

    def tune(self, parameter: str, lower: float, upper: float, *, order: int = 2, memory: int = 0, vary: float = 0.1, groups: str = "all",
             error: float = 0, until: float = 0, coupling: Optional[str] = None,
             parameters: Optional[Mapping[str, float]] = None, **settings: float) -> Tuned:
        """Weights of former values with which jacobi is stable up to the longest macro step (the parameter) between lower and upper, where each
        number of the model may be off by the share `vary`; groups: "all", "target" or "connection" share weights. error, until (s): no state may
        be further off at half of the best fixed coupling's step."""
        words = "all", "target", "connection"
        name = ffi.new("char[]", word(parameter))
        if groups not in words:
            raise ValueError(f"groups: {groups!r} is none of {', '.join(words)}")

        def work(run):
            asked = _Asked(self._model, _one_coupling(coupling), parameters, settings)
            options = filled("costab_tune_options *", {"parameter": name, "lower": lower, "upper": upper, "order": order, "memory": memory,
                                                        "vary": vary, "groups": words.index(groups), "error": error, "until": until,
                                                        "progress": PROGRESS, "progress_context": run})
            found = ffi.gc(ffi.new("costab_tuned *"), lib.costab_tuned_free)
            call(lib.costab_tune, asked.variant, options, found)
            with self._setup(asked) as (setup, _):
                names = self._row_names(setup)
            groups_ = found.rows[0:found.count]
            stored = ffi.new("costab_tune_result[]", [{"order": order, "group": row, "tuned": found[0]} for row in groups_])
            weights = {text(row.name): (row.by.a0, row.by.a1, row.by.b0, row.by.b1) for row in groups_}
            tuned = Tuned({key: of if of[0] == of[0] else None for key, of in weights.items()}, found.stable_to, found.robust_to, text(found.fixed),
                          found.fixed_to, found.gain, found.robust_gain, number(found.error), number(found.fixed_error), found.better)
            return tuned._keep(self, lib.costab_tune_record, stored, len(groups_), names, found, asked.notes)

        return long(work)

    # ---- Time

    def simulate(self, until: float, coupling: Optional[str] = None, *, local: bool = True, monolithic: bool = True, points: int = 0,
                 steps: Optional[Sequence[float]] = None, parameters: Optional[Mapping[str, float]] = None, **settings: float) -> History:
        """A time history up to `until` (s) with the coupling (default: the model's first). local: values at the ends of micro steps too;
        monolithic: also the whole system's own solution. points: number of communication points, spread evenly (0: all).
        steps: macro steps (s) that are taken in turn, over and over, in place of the coupling's."""
        macro_steps = floats(steps, "steps") if steps is not None else []
        if steps is not None and not macro_steps:
            raise ValueError("steps: there is none; None takes the coupling's")

        def work(run):
            outcome = ffi.new("costab_simulate_outcome *")
            turns = ffi.new("double[]", macro_steps)
            options = filled("costab_simulate_options *", {"until": until, "local": local, "monolithic": monolithic, "points": points,
                                                            "steps": turns, "step_count": len(macro_steps), "energy_made": True, "stop": STOPPED, "stop_context": run})
            asked = _Asked(self._model, _one_coupling(coupling), parameters, settings, time_varying=True)
            if macro_steps:
                asked.notes += f"# --steps {','.join(map(repr, macro_steps))}\n"
            with self._setup(asked) as (setup, _), owned("costab_rows *", lib.costab_rows_free) as rows:
                network, choices = lib.costab_setup_network(setup), self._choices(setup, 0)
                call(lib.costab_setup_check_moves, setup)
                if macro_steps:
                    call(lib.costab_setup_check_steps, setup)
                call(lib.costab_network_rows, network, choices, options, rows, outcome)
                found = np.frombuffer(ffi.buffer(rows.items, rows.count * _ROW.itemsize), dtype=_ROW).copy() if rows.count else np.empty(0, _ROW)
                history = History(found, _signal_names(network, found), outcome.t, outcome.macro_steps, outcome.diverged,
                                  ffi.string(outcome.reason).decode())
                name = ffi.new("char[]", ffi.string(lib.costab_setup_coupling_name(setup, 0)))
                object.__setattr__(history, "_asked", (self, asked, name, until, turns, len(macro_steps)))
                return history

        return long(work)

    def errors(self, until: float, coupling: Optional[str] = None, *, parameters: Optional[Mapping[str, float]] = None,
               **settings: float) -> List[SignalError]:
        """How far every state and output is from the whole system's own solution, at most, over all micro steps up to `until` (s)."""
        def work(run):
            options = filled("costab_simulate_options *", {"until": until, "stop": STOPPED, "stop_context": run})
            with self._setup(_Asked(self._model, _one_coupling(coupling), parameters, settings, time_varying=True)) as (setup, _), owned("costab_signal_errors *", lib.costab_signal_errors_free) as found:
                network, name = lib.costab_setup_network(setup), ffi.new("char[]", lib.COSTAB_SIGNAL_NAME_MAX)
                call(lib.costab_setup_check_moves, setup)
                call(lib.costab_network_signal_errors, network, self._choices(setup, 0), options, found)
                return Tuples(SignalError(text(network.subsystems[row.signal.subsystem].name),
                                    text(lib.costab_signal_name(network, row.signal.subsystem, row.signal.kind, row.signal.index, name)),
                                    row.error, row.t, row.largest, k == found.worst) for k, row in enumerate(found.rows[0:found.count]))

        return long(work)

    def bound(self, error: float, *, horizon: float = 0, printed: bool = False, parameters: Optional[Mapping[str, float]] = None,
              **settings: float) -> Bound:
        """The macro step (s) that [MS] eq. 31 allows for an error, for a network of two subsystems."""
        def work(run):
            found = ffi.new("costab_bound *")
            options = filled("costab_bound_options *", {"error": error, "horizon": horizon, "printed": printed})
            with self._setup(_Asked(self._model, None, parameters, settings)) as (setup, _):
                call(lib.costab_setup_check_steps, setup)
                call(lib.costab_network_bound, lib.costab_setup_network(setup), options, found)
            return Bound(tuple(found.f), tuple(found.g), found.factor, found.macro_step, found.horizon)

        return long(work)

    # ---- Grids

    def sweep(self, axes: Mapping[str, Any], fields: Sequence[str] = ("class",), *, output: Optional[Path] = None,
              coupling: Couplings = None, parameters: Optional[Mapping[str, float]] = None, threads: int = 0, force: bool = False, resume: bool = False,
              **keys: Any):
        """Sweeps parameters: axes={"H": np.geomspace(1e-3, 0.1, 50), "k": {"from": 1, "to": 100, "points": 200}}, over the model's own
        couplings; fields and further keys (history, refine) as in docs/reference/keys.md. Returns what costab.sweep does: an
        xarray.Dataset over `coupling` and the axes, in their order."""
        if self._model.base_text:
            raise ValueError(f"{self.path} takes its system from another file, which its key `model` names: make a Model of that file")
        values = dict(parameters or {})
        if coupling is not None:
            keys["coupling"] = coupling if isinstance(coupling, Mapping) else coupling_names(coupling)
        own = json_text({"system": "network", "model": os.path.basename(self.path), "axes": axes, "fields": listed(fields), **keys})
        settings, keep = settings_of(values)

        def make():
            content = own + ffi.string(lib.COSTAB_JOINT_MODEL) + word(_whole(self._spec))
            path = file_path(pathlib.Path(self.path).with_suffix(".sweep"))
            changes = {"settings": settings, "setting_count": len(keep)}
            return study_of(lambda box, error: lib.costab_study_parse_set(path, content, len(content), ffi.new("costab_changes *", changes), box, error))

        return into_dataset(make, "sweep.h5", output, threads, force, resume, self.warnings)


def errors_of(error: AllowedError):
    """The argument `error` as an array of costab_advise_error, and the data that it points to."""
    asked = error if isinstance(error, Mapping) else {} if np.ndim(error) == 0 and error == 0 else {None: error}
    words = {signal: ffi.new("char[]", word(signal)) if signal is not None else ffi.NULL for signal in asked}
    errors = ffi.new("costab_advise_error[]", len(asked))
    for of, (signal, allowed) in zip(errors, asked.items()):
        of.signal, of.relative = words[signal], isinstance(allowed, str) and allowed.endswith("%")
        real(allowed, "error")
        try:
            of.error = float(allowed[:-1]) / 100 if of.relative else float(allowed)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"error: expected a number, or a percentage such as '1%', found {allowed!r}") from None
    return errors, words


def _spread(name: str, spread) -> Tuple[int, float, float]:
    """The distribution of an uncertain parameter, and its two numbers."""
    if isinstance(spread, Mapping) and set(spread) == {"mean", "deviation"}:
        return (lib.COSTAB_DISTRIBUTION_NORMAL, *floats([spread["mean"], spread["deviation"]], name))
    if np.shape(spread) == (2,):
        return (lib.COSTAB_DISTRIBUTION_RANGE, *floats(spread, name))
    if np.shape(spread) == () and not isinstance(spread, (str, Mapping, type(None))):
        return (lib.COSTAB_DISTRIBUTION_PART, *floats(spread, name), 0)
    raise ValueError(f"{name}: expected a share of its value such as 0.1, (from, to), or {{'mean': m, 'deviation': s}}, found {spread!r}")


def _subsystems(network) -> List[str]:
    return [text(network.subsystems[s].name) for s in range(network.subsystem_count)]


def _label(function, of, number: int) -> str:
    """The text that function(of, number, label, size) writes."""
    label = ffi.new("char[]", 300)
    function(of, number, label, len(label))
    return text(label)


def _signal_names(network, rows) -> Dict[Tuple[int, int, int], str]:
    names = {}
    buffer = ffi.new("char[]", lib.COSTAB_SIGNAL_NAME_MAX)
    _, first = np.unique(rows[["subsystem", "kind", "index"]], return_index=True)
    for i in np.sort(first):
        subsystem, kind, index = (int(rows[key][i]) for key in ("subsystem", "kind", "index"))
        name = text(lib.costab_signal_name(network, subsystem, kind, index, buffer))
        names[subsystem, kind, index] = name if subsystem < 0 else f"{text(network.subsystems[subsystem].name)}.{name}"
    return names
