"""Networks of coupled subsystems: models, and everything that can be asked of one."""
import contextlib
import dataclasses
import os
import pathlib
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import PROGRESS, SEARCH, SHARE, STOPPED, call, class_name, ffi, file_path, filled, lib, long, number, owned, real, reals, text, word
from ._results import Page, into_dataset, json_text, settings_of, study_of
from ._show import Interface, Table, bars, colour_of, new_axes, shares_text

Path = Union[str, "os.PathLike[str]"]
Couplings = Union[None, str, Sequence[str]]
AllowedError = Union[float, str, Mapping[str, Union[float, str]]]


class Mode(NamedTuple):
    """A mode: frequency in Hz, damping (1: nothing oscillates), growth in 1/s, the condition of its eigenvalue, the eigenvalue, and the
    shares of the subsystems and of the connections in it, each of which add up to 1. sums: the subsystems' shares, products added
    before the modulus is taken."""
    frequency: float
    damping: float
    growth: float
    condition: float
    eigenvalue: complex
    shares: Dict[str, float]
    sums: Dict[str, float]
    connections: Dict[str, float]


@dataclasses.dataclass(frozen=True)
class Map(Table):
    """The map of one macro step. matrix: size x size, float64 (complex128 with a real number of micro steps); labels: what each entry of
    its state is; eigenvalues: complex128, largest modulus first; set_aside: which of them are the 1 of an equilibrium. radius is the spectral radius, beyond is radius - 1 without
    cancellation: the co-simulation is stable where beyond + rounding < 0. abscissa is that of the continuous system, in 1/s;
    iteration_radius is nan but for iterated couplings; growth and decay are in 1/s. verdict: two letters, the continuous system first,
    S stable, U unstable, N on the limit or not known."""
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


class Piece(NamedTuple):
    """An interval of a parameter in which the co-simulation does not grow. from_is and to_is: limit, range, ill-posed, undecided, whole.
    At an end that is a crossing: the cause as in Margin, the frequency in Hz of what passes, and the subsystem to blame."""
    coupling: str
    parameter: str
    lower: float
    upper: float
    verdict: str
    from_is: str
    to_is: str
    from_cause: str
    from_frequency: Optional[float]
    from_blame: str
    to_cause: str
    to_frequency: Optional[float]
    to_blame: str


class Limits(List[Piece], Table):
    """The intervals of all couplings that were asked for, as a list of Piece."""

    def _columns(self):
        return Piece._fields

    def _rows(self):
        return list(self)

    def plot(self, axes: Any = None) -> Any:
        """The intervals as bars, one row per coupling. Returns matplotlib's Axes."""
        names = list(dict.fromkeys(piece.coupling for piece in self))
        axes = new_axes(axes, len(names))
        bars(axes, names, ((p.coupling, p.lower, p.upper, colour_of(p.verdict)) for p in self))
        axes.set(xlabel=self[0].parameter if self else "", title="where the co-simulation does not grow")
        return axes


class Uncertainty(NamedTuple):
    """The probability of stability, and the share of what decides it that each parameter makes alone, with standard errors. The shares
    are None where all samples are alike."""
    coupling: str
    probability: float
    error: float
    alone: Dict[str, Optional[float]]
    errors: Dict[str, Optional[float]]


class Margin(NamedTuple):
    """The nearest change of class on one side of one quantity. None where there is none. frequency in Hz."""
    coupling: str
    kind: str
    name: str
    nominal: Optional[float]
    side: str
    value: Optional[float]
    factor: Optional[float]
    verdict: str
    cause: str
    frequency: Optional[float]
    blame: str
    share: Optional[float]
    shares: Dict[str, float]


class Margins(List[Margin], Table):
    """The margins of all couplings and quantities that were asked for, as a list of Margin."""

    def _columns(self):
        return Margin._fields[:-1]

    def _rows(self):
        return [row[:-1] for row in self]

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
    """The largest difference between a state or output and the monolithic one, when it is so large, and how large that one is at most.
    Infinite where the run diverges. worst: the state with the largest one, which is the error of the run."""
    subsystem: str
    signal: str
    error: float
    t: float
    largest: float
    worst: bool


class AdviceRow(NamedTuple):
    """A coupling: every macro step up to stable_to is stable, up to accurate_to accurate too; cost in subsystem steps per second of the
    simulation, at the macro step `step`; margin: stable_to over the nominal macro step; growth in 1/s; limited_by: what ends the macro
    steps, "coupling", "own:NAME" (a subsystem's solver), "accuracy", "range" or "". None: there is none, or the coupling cannot win."""
    coupling: str
    stable_to: Optional[float]
    accurate_to: Optional[float]
    step: Optional[float]
    cost: Optional[float]
    margin: Optional[float]
    growth: Optional[float]
    limited_by: str
    recommended: bool


class _Advice(NamedTuple):
    rows: List[AdviceRow]
    sentence: str


class Advice(_Advice, Table):
    """All couplings (rows), the recommended first, then by cost, and what is recommended and why (sentence)."""

    def _columns(self):
        return AdviceRow._fields

    def _rows(self):
        return self.rows

    def _says(self):
        return self.sentence

    def plot(self, axes: Any = None, most: int = 10) -> Any:
        """How far the first `most` (10) couplings are stable (light) and accurate (dark), the recommended on top. Returns matplotlib's
        Axes."""
        rows = [row for row in self.rows[:most] if row.stable_to is not None]
        axes = new_axes(axes, len(rows))
        for k, row in enumerate(rows):
            axes.barh(k, row.stable_to, color="#bbccee", height=0.6)
            axes.barh(k, row.accurate_to or 0, color=colour_of("SS"), height=0.6)
        if rows:
            axes.set_xlim(min(row.accurate_to or row.stable_to for row in rows) / 3, None)
        axes.set_yticks(range(len(rows)), [row.coupling + (" (recommended)" if row.recommended else "") for row in rows])
        axes.set(xscale="log", xlabel="macro step", title="stable and accurate up to")
        axes.set_ylim(len(rows) - 0.5, -0.5)
        return axes


class Pattern(NamedTuple):
    """Bounds of the growth over all sequences of macro steps, per step (lower, upper) and per second; the steps of the cycle that attains
    `lower`; the range in which all sequences are stable (None where a list of steps was asked for, or none was found)."""
    lower: float
    upper: float
    rate_lower: float
    rate_upper: float
    pattern: NDArray[np.float64]
    safe_from: Optional[float]
    safe_to: Optional[float]
    proved: bool
    neutral: int


class Locus(NamedTuple):
    """Eigenvalues of the macro step's map, or of the "continuous system", along a parameter: one row per curve over `values`, NaN where there is
    none. joined: whether an eigenvalue continues the curve from the value before; curves are broken where two meet. crossings: (value,
    eigenvalue, Hz, "ends" or "begins" where stability does, else None) where one passes the unit circle, or the imaginary axis."""
    coupling: str
    parameter: str
    values: NDArray[np.float64]
    eigenvalues: NDArray[np.complex128]
    joined: NDArray[np.bool_]
    crossings: List[Tuple[float, complex, Optional[float], Optional[str]]]


class Tuned(NamedTuple):
    """Weights tuned to a model (a0, a1, b0, b1; None: a fixed coupling without such weights) by the name of the group of connections that share
    them, the steps up to which they are stable, in the model and in the worst varied one, and the best fixed coupling beside them."""
    weights: Dict[str, Optional[Tuple[float, float, float, float]]]
    stable_to: float
    robust_to: float
    fixed: str
    fixed_to: float
    gain: float
    robust_gain: float
    error: Optional[float]
    fixed_error: Optional[float]
    better: bool


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


@dataclasses.dataclass(frozen=True)
class History:
    """A time history. rows: a NumPy record array in order of time with t (s), subsystem, index, kind, communication (at a communication
    point, else at a micro step's end), value and monolithic. history["motor.angle"] gives the record array of one signal. diverged: the
    run ended early, as a state passed 1e100 or an equation has no finite value; `reason` says which, when, and with which arguments."""
    rows: np.ndarray
    names: Dict[Tuple[int, int, int], str]
    end: float
    macro_steps: int
    diverged: bool
    reason: str = ""

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
        def matrix(name):
            return reals(getattr(self, name), f"subsystem {self.name}, {name}").astype(float)

        A, B, C = map(np.atleast_2d, map(matrix, "ABC"))
        keys: Dict[str, Any] = {"name": self.name, "A": A, "B": B, "C": C,
                                "inputs": list(self.inputs or [f"u{i + 1}" for i in range(B.shape[1])]),
                                "outputs": list(self.outputs or [f"y{i + 1}" for i in range(C.shape[0])]), "method": self.method}
        for name in ("D", "x0"):
            if getattr(self, name) is not None:
                keys[name] = matrix(name)
        if self.substeps is not None:
            keys["substeps"] = self.substeps
        return {**keys, **self.more}


def _spec(make):
    """What make(box, error) puts into a costab_spec **."""
    box = ffi.new("costab_spec **")
    call(make, box)
    return ffi.gc(box[0], lambda spec: lib.costab_spec_destroy(ffi.new("costab_spec **", spec)))


def _read(path: Path):
    name = file_path(path)
    return _spec(lambda box, error: lib.costab_spec_read_with(name, lib.costab_fmu_foreign(), box, error))


def _parse(name: bytes, content: bytes):
    return _spec(lambda box, error: lib.costab_spec_parse_with(name, content, len(content), lib.costab_fmu_foreign(), box, error))


class _Asked:
    """A costab_variant with what it points to; one: whether one answer is meant."""

    def __init__(self, model, coupling: Couplings, parameters: Optional[Mapping[str, float]], more: Mapping[str, float],
                 time_varying: bool = False):
        settings, self._kept = settings_of({**(parameters or {}), **more})
        names: List[str] = []
        if coupling == "all":
            names = [text(lib.costab_coupling_name(i)) for i in range(lib.costab_coupling_count())]
        elif coupling is not None:
            names = [coupling] if isinstance(coupling, str) else list(coupling)
        words = [ffi.new("char[]", word(name)) for name in names]
        pointers = ffi.new("char *[]", words) if words else ffi.NULL
        self.variant = filled("costab_variant *", {"model": model, "setting_count": len(self._kept), "settings": settings,
                                                    "coupling_count": len(words), "couplings": pointers, "time_varying": time_varying})
        self._kept += [settings, *words, pointers]
        self.one = (isinstance(coupling, str) and coupling != "all") or (coupling is None and model.coupling_count == 1)


class Model(Interface):
    """A network: from a file (.yaml, .ssp, .ssd, OspSystemStructure.xml, .fmu), from a dict with the keys of such a file, or from arrays with
    Model.from_arrays.

    All methods take values of parameters as keywords (map(H=0.01), or parameters={"a.k": 20} for names that are no words of Python), and
    `coupling`: a name of the model's couplings or of those that `costab limit --help` lists, a list of names, or "all"; by default the
    model's own. What has one answer per coupling returns a list where coupling is a list or "all", or where the model has several."""

    def __init__(self, source: Union[Path, Mapping[str, Any]]):
        if isinstance(source, Mapping):
            self.path = "model"
            content = json_text({"system": "network", **source})
            self._spec = long(lambda run: _parse(b"model", content), hdf5=True)
        else:
            self.path = os.fspath(source)
            self._spec = long(lambda run: _read(source), hdf5=True)
        if self._spec.system != lib.COSTAB_SYSTEM_NETWORK:
            raise ValueError(f"{self.path}: it is a spec of the planar system; a model of `system: network` is needed")
        self._model = self._spec.model

    @classmethod
    def from_arrays(cls, subsystems: Sequence[Subsystem], connections: Sequence[Any], *, macro_step: float = 0.01,
                    coupling: Optional[Mapping[str, Any]] = None, parameters: Optional[Mapping[str, float]] = None, **keys: Any) -> "Model":
        """A network from arrays. connections: ("motor.angle", "load.angle"), or with a gain as the third entry, or a dict with the keys
        from, to, gain, delay. The macro step is the parameter H; `coupling` has keys of docs/reference/keys.md (default: jacobi)."""
        lines = [c if isinstance(c, Mapping) else dict(zip(("from", "to", "gain"), c)) for c in connections]
        return cls({"parameters": {"H": macro_step, **(parameters or {})}, "subsystems": [s.as_dict() for s in subsystems],
                    "connections": lines, "coupling": {"macro_step": "H", **(coupling or {"scheme": "jacobi"})}, **keys})

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
        """What is allowed but probably not meant."""
        return text(self._spec.warnings).splitlines()

    # ---- What the methods share

    @staticmethod
    @contextlib.contextmanager
    def _setup(asked: _Asked) -> Iterator[Tuple[Any, int]]:
        with owned("costab_setup **", lib.costab_setup_destroy) as box:
            call(lib.costab_setup_create, asked.variant, box)
            yield box[0], lib.costab_setup_coupling_count(box[0])

    def _names(self, asked: _Asked) -> Tuple[List[str], List[str]]:
        """Of the couplings asked for, and of the subsystems."""
        with self._setup(asked) as (setup, count):
            return [text(lib.costab_setup_coupling_name(setup, c)) for c in range(count)], _subsystems(lib.costab_setup_network(setup))

    @staticmethod
    def _choices(setup, c: int):
        choices = ffi.new("costab_coupling *")
        call(lib.costab_setup_coupling, setup, c, choices)
        return choices

    # ---- One point

    def map(self, coupling: Couplings = None, *, modes: int = 6, parameters: Optional[Mapping[str, float]] = None,
            **settings: float) -> Union[Map, List[Map]]:
        """The map of one macro step: matrix, eigenvalues, radius, verdict, and at most so many modes, largest modulus first."""
        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            with self._setup(asked) as (setup, count):
                maps = [self._map(setup, c, modes) for c in range(count)]
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
                   point.motions, point.kept, point.growth, point.decay, class_name(point.class_code), self._modes(network, choices, most))

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
        """The complete intervals of a parameter, between lower and upper, in which the co-simulation does not grow, coupling by coupling;
        none for a coupling that has none. spacing="log" suits ranges over many decades. Large
        networks are evaluated on several threads (0: all cores)."""
        kinds = {"linear": lib.COSTAB_SPACING_LINEAR, "log": lib.COSTAB_SPACING_LOG}
        if spacing not in kinds:
            raise ValueError(f"spacing: '{spacing}' is not log or linear")

        def cause(one, subsystems):
            return text(lib.costab_passes_name(one.cause)), number(one.frequency), subsystems[one.blame] if one.blame >= 0 else ""

        def one(run, asked, c, name, subsystems):
            options = filled("costab_study_limit_options *", {"lower": lower, "upper": upper, "spacing": kinds[spacing],
                                                               "threads": threads, "progress": SEARCH, "progress_context": run})
            with owned("costab_study_limit *", lambda found: lib.costab_limit_free(ffi.addressof(found, "found"))) as found:
                call(lib.costab_model_limit, asked.variant, c, word(parameter), options, found)
                causes = ffi.new("costab_limit_cause[]", 2 * found.found.count + 1)
                call(lib.costab_model_limit_causes, asked.variant, c, word(parameter), options, found, causes)
                return [Piece(name, parameter, getattr(p, "from"), p.to, class_name(p.class_code), text(lib.costab_end_name(p.from_is)),
                              text(lib.costab_end_name(p.to_is)), *cause(causes[2 * i], subsystems),
                              *cause(causes[2 * i + 1], subsystems)) for i, p in enumerate(found.found.pieces[0:found.found.count] if found.found.count else ())]

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            names, subsystems = self._names(asked)
            pieces = Limits()
            for c, name in enumerate(names):
                if run.stop:
                    break
                pieces += one(run, asked, c, name, subsystems)
            return pieces

        return long(work)

    def margin(self, over: Optional[Sequence[str]] = None, *, connections: bool = False, coupling: Couplings = None, threads: int = 0,
               parameters: Optional[Mapping[str, float]] = None, **settings: float) -> Margins:
        """The nearest changes of class when parameters (`over`: these only) move, and what is to blame there; with connections=True gains
        and delays of the connections too. threads: of large networks, as in limit."""
        names = [over] if isinstance(over, str) else list(over or [])
        words = [ffi.new("char[]", word(name)) for name in names]
        pointers = ffi.new("char *[]", words) if words else ffi.NULL

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            options = filled("costab_margin_options *", {"parameter_count": len(words), "parameters": pointers, "connections": connections,
                                                          "threads": threads, "progress": PROGRESS, "progress_context": run})
            with owned("costab_margins *", lib.costab_margins_free) as found:
                call(lib.costab_margins_find, asked.variant, options, found)
                names = self._names(asked)
                return Margins(_margin(row, *names) for row in (found.rows[0:found.count] if found.count else ()))

        return long(work)

    def uncertainty(self, uncertain: Mapping[str, Any], *, samples: int = 4096, coupling: Couplings = None,
                    parameters: Optional[Mapping[str, float]] = None, **settings: float) -> List[Uncertainty]:
        """How likely stability is where parameters are uncertain, coupling by coupling, and whose spread decides. uncertain: of each
        parameter 0.1 (evenly within 10 % of its value), (from, to), or {"mean": m, "deviation": s}; samples: a multiple of 16."""
        kinds = ffi.new("costab_uncertain[]", len(uncertain))
        for at, (name, spread) in zip(kinds, uncertain.items()):
            which = ffi.new("int *")
            call(lib.costab_model_find_parameter, self._model, word(name), which)
            at.parameter = which[0]
            if isinstance(spread, Mapping):
                at.distribution, at.first, at.second = lib.COSTAB_DISTRIBUTION_NORMAL, real(spread["mean"], name), real(spread["deviation"], name)
            elif isinstance(spread, (tuple, list)):
                at.distribution, (at.first, at.second) = lib.COSTAB_DISTRIBUTION_RANGE, (real(end, name) for end in spread)
            else:
                at.distribution, at.first = lib.COSTAB_DISTRIBUTION_PART, real(spread, name)

        def work(run):
            options = filled("costab_uncertainty_options *", {"uncertain_count": len(uncertain), "uncertain": kinds, "samples": samples,
                                                               "progress": PROGRESS, "progress_context": run})
            asked = _Asked(self._model, coupling, parameters, settings)
            out = []
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

        def limited(row, subsystems):
            names = {lib.COSTAB_LIMITED_COUPLING: "coupling", lib.COSTAB_LIMITED_ACCURACY: "accuracy", lib.COSTAB_LIMITED_RANGE: "range"}
            return "own:" + subsystems[row.own] if row.limited_by == lib.COSTAB_LIMITED_OWN else names.get(row.limited_by, "")

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            options = filled("costab_advise_options *", {"parameter": name, "lower": lower, "upper": upper, "errors": errors,
                                                          "error_count": len(errors), "until": until, "all": all, "tune": tune, "progress": PROGRESS,
                                                          "progress_context": run})
            with owned("costab_advice *", lib.costab_advice_free) as found:
                call(lib.costab_advise, asked.variant, options, found)
                subsystems = self._names(asked)[1]
                rows = [AdviceRow(text(r.name), *map(number, (r.stable_to, r.accurate_to, r.step, r.cost, r.margin, r.growth)),
                                  limited(r, subsystems), r.recommended) for r in (found.rows[0:found.count] if found.count else ())]
                return Advice(rows, text(found.sentence))

        return long(work)

    def report(self, *, over: Optional[Tuple[str, float, float]] = None, error: AllowedError = 0, until: float = 0,
               coupling: Optional[str] = None, tune: bool = False, threads: int = 0, parameters: Optional[Mapping[str, float]] = None,
               **settings: float) -> Page:
        """All of the model on one page, about one coupling (the model's first). over=("H", 1e-3, 0.5): the macro step's parameter and its
        range; error and until as of advise (1 % of each signal's largest value; three of the slowest time constants); tune as of advise."""
        name, lower, upper = over if over is not None else (None, 0.0, 0.0)
        named = ffi.new("char[]", word(name)) if name is not None else ffi.NULL
        errors, _words = errors_of(error)

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            options = filled("costab_report_options *", {"spec": self._spec, "parameter": named, "lower": lower, "upper": upper, "errors": errors,
                                                          "error_count": len(errors), "until": until, "threads": threads, "tune": tune,
                                                          "progress": PROGRESS, "progress_context": run})
            with owned("char **", lib.costab_page_free) as page:
                call(lib.costab_report, asked.variant, options, page)
                return Page(text(page[0]))

        return long(work, hdf5=True)

    def locus(self, parameter: str, lower: float, upper: float, coupling: Couplings = None, *, points: int = 0, continuous: bool = False,
              parameters: Optional[Mapping[str, float]] = None, **settings: float) -> List[Locus]:
        """The eigenvalues of each coupling's map along a parameter, at so many values at least (0: 129); `continuous`: behind them those of the
        continuous system."""

        def one(run, asked, c, name, whole=False):
            options = filled("costab_locus_options *", {"lower": lower, "upper": upper, "points": points, "continuous": whole, "progress": SHARE,
                                                         "progress_context": run})
            with owned("costab_locus *", lib.costab_locus_free) as found:
                call(lib.costab_model_locus, asked.variant, c, word(parameter), options, found)
                size = found.curves * found.count
                re, im = (np.frombuffer(ffi.buffer(x, 8 * size)).reshape(found.curves, -1) for x in (found.re, found.im))
                return Locus(name, parameter, np.frombuffer(ffi.buffer(found.at, 8 * found.count)).copy(), re + 1j * im,
                             np.frombuffer(ffi.buffer(found.joined, size), dtype=np.bool_).reshape(found.curves, -1).copy(),
                             [(x.value, complex(x.re, x.im), number(x.frequency), (None, "ends", "begins")[x.stability])
                              for x in found.crossings[0:found.crossing_count]])

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            every = [one(run, asked, c, name) for c, name in enumerate(self._names(asked)[0])]
            return every + [one(run, asked, 0, "continuous system", True)] if continuous else every

        return long(work)

    def pattern(self, steps: Optional[ArrayLike] = None, *, over: Optional[Tuple[float, float]] = None, coupling: Couplings = None,
                parameters: Optional[Mapping[str, float]] = None, **settings: float) -> Union[Pattern, List[Pattern]]:
        """Bounds over all sequences of macro steps (s): of a list of `steps`, or of all steps in the range `over`."""
        if (steps is None) == (over is None):
            raise ValueError("give either steps or over=(lower, upper)")
        values = [float(x) for x in np.ravel(reals(steps if steps is not None else over, "steps" if steps is not None else "over"))]

        def one(setup, c, run):
            options = filled("costab_pattern_options *", {"stop": STOPPED, "stop_context": run})
            network, choices = lib.costab_setup_network(setup), self._choices(setup, c)
            with owned("costab_pattern *", lib.costab_pattern_free) as found:
                if over is None:
                    call(lib.costab_pattern_steps, network, choices, values, len(values), options, found)
                else:
                    call(lib.costab_pattern_over, network, choices, values, options, found)
                cycle = np.array(list(found.steps[0:found.length]) if found.length else [])
                return Pattern(found.lower, found.upper, found.rate_lower, found.rate_upper, cycle, number(found.safe_from) if over else None,
                               number(found.safe_to) if over else None, found.proved, found.neutral)

        def work(run):
            asked = _Asked(self._model, coupling, parameters, settings)
            with self._setup(asked) as (setup, count):
                patterns = [one(setup, c, run) for c in range(count)]
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
            asked = _Asked(self._model, coupling, parameters, settings)
            options = filled("costab_tune_options *", {"parameter": name, "lower": lower, "upper": upper, "order": order, "memory": memory,
                                                        "vary": vary, "groups": words.index(groups), "error": error, "until": until,
                                                        "progress": PROGRESS, "progress_context": run})
            with owned("costab_tuned *", lib.costab_tuned_free) as found:
                call(lib.costab_tune, asked.variant, options, found)
                rows = {text(row.name): (row.by.a0, row.by.a1, row.by.b0, row.by.b1) for row in found.rows[0:found.count]}
                return Tuned({key: of if of[0] == of[0] else None for key, of in rows.items()}, found.stable_to, found.robust_to, text(found.fixed),
                             found.fixed_to, found.gain, found.robust_gain, number(found.error), number(found.fixed_error), found.better)

        return long(work)

    # ---- Time

    def simulate(self, until: float, coupling: Optional[str] = None, *, local: bool = True, monolithic: bool = True, points: int = 0,
                 steps: Optional[Sequence[float]] = None, parameters: Optional[Mapping[str, float]] = None, **settings: float) -> History:
        """A time history up to `until` (s) with the coupling (default: the model's first). local: values at the ends of micro steps too;
        monolithic: the whole system's own solution beside. points: so many communication points only, spread evenly (0: all).
        steps: macro steps (s) that are taken in turn, over and over, in place of the coupling's."""
        def work(run):
            outcome = ffi.new("costab_simulate_outcome *")
            turns = ffi.new("double[]", [float(step) for step in reals(steps, "steps")]) if steps is not None else ffi.NULL
            turn_count = len(turns) if steps is not None else 0
            options = filled("costab_simulate_options *", {"until": until, "local": local, "monolithic": monolithic, "points": points,
                                                            "steps": turns, "step_count": turn_count, "energy_made": True, "stop": STOPPED, "stop_context": run})
            with self._setup(_Asked(self._model, coupling, parameters, settings, time_varying=True)) as (setup, _), owned("costab_rows *", lib.costab_rows_free) as rows:
                network = lib.costab_setup_network(setup)
                call(lib.costab_network_rows, network, self._choices(setup, 0), options, rows, outcome)
                found = np.frombuffer(ffi.buffer(rows.items, rows.count * _ROW.itemsize), dtype=_ROW).copy() if rows.count else np.empty(0, _ROW)
                return History(found, _signal_names(network, found), outcome.t, outcome.macro_steps, outcome.diverged,
                               ffi.string(outcome.reason).decode())

        return long(work)

    def errors(self, until: float, coupling: Optional[str] = None, *, parameters: Optional[Mapping[str, float]] = None,
               **settings: float) -> List[SignalError]:
        """How far every state and output is from the whole system's own solution, at most, over all micro steps up to `until` (s)."""
        def work(run):
            options = filled("costab_simulate_options *", {"until": until, "stop": STOPPED, "stop_context": run})
            with self._setup(_Asked(self._model, coupling, parameters, settings, time_varying=True)) as (setup, _), owned("costab_signal_errors *", lib.costab_signal_errors_free) as found:
                network, name = lib.costab_setup_network(setup), ffi.new("char[]", lib.COSTAB_SIGNAL_NAME_MAX)
                call(lib.costab_network_signal_errors, network, self._choices(setup, 0), options, found)
                return [SignalError(text(network.subsystems[row.signal.subsystem].name),
                                    text(lib.costab_signal_name(network, row.signal.subsystem, row.signal.kind, row.signal.index, name)),
                                    row.error, row.t, row.largest, k == found.worst) for k, row in enumerate(found.rows[0:found.count])]

        return long(work)

    def bound(self, error: float, *, horizon: float = 0, printed: bool = False, parameters: Optional[Mapping[str, float]] = None,
              **settings: float) -> Bound:
        """The macro step (s) that [MS] eq. 31 allows for an error, for a network of two subsystems."""
        def work(run):
            found = ffi.new("costab_bound *")
            options = filled("costab_bound_options *", {"error": error, "horizon": horizon, "printed": printed})
            with self._setup(_Asked(self._model, None, parameters, settings)) as (setup, _):
                call(lib.costab_network_bound, lib.costab_setup_network(setup), options, found)
            return Bound(tuple(found.f), tuple(found.g), found.factor, found.macro_step, found.horizon)

        return long(work)

    # ---- Grids

    def sweep(self, axes: Mapping[str, Any], fields: Sequence[str] = ("class",), *, output: Optional[Path] = None,
              parameters: Optional[Mapping[str, float]] = None, threads: int = 0, force: bool = False, resume: bool = False, **keys: Any):
        """Sweeps parameters: axes={"H": np.geomspace(1e-3, 0.1, 50), "k": {"from": 1, "to": 100, "points": 200}}, over the model's own
        couplings; fields and further keys (coupling, history, refine) as in docs/reference/keys.md. Returns what costab.sweep does: an
        xarray.Dataset over `coupling` and the axes, in their order."""
        if self._model.base_text:
            raise ValueError(f"{self.path} takes its system from another file, which its key `model` names: make a Model of that file")
        values = dict(parameters or {})
        own = json_text({"system": "network", "model": os.path.basename(self.path), "axes": axes, "fields": list(fields), **keys})
        settings, keep = settings_of(values)

        def make():
            whole = ffi.new("char **")
            call(lib.costab_spec_whole, self._spec, whole)
            content = own + ffi.string(lib.COSTAB_JOINT_MODEL) + ffi.string(whole[0])
            lib.costab_spec_free_text(whole)
            path = file_path(pathlib.Path(self.path).with_suffix(".sweep"))
            return study_of(lambda box, error: lib.costab_study_parse_set(path, content, len(content), settings, len(keep), box, error))

        return into_dataset(make, "sweep.h5", output, threads, force, resume)


def errors_of(error: AllowedError):
    """Of the argument `error`: an array of costab_advise_error, and what it points to."""
    asked = error if isinstance(error, Mapping) else {None: error} if error != 0 else {}
    words = {signal: ffi.new("char[]", word(signal)) if signal is not None else ffi.NULL for signal in asked}
    return ffi.new("costab_advise_error[]", [
        {"signal": words[signal], "error": float(e[:-1]) / 100 if isinstance(e, str) and e.endswith("%") else float(real(e, "error")),
         "relative": isinstance(e, str) and e.endswith("%")} for signal, e in asked.items()]), words


def _subsystems(network) -> List[str]:
    return [text(network.subsystems[s].name) for s in range(network.subsystem_count)]


def _label(function, of, number: int) -> str:
    """What function(of, number, label, size) writes."""
    label = ffi.new("char[]", 300)
    function(of, number, label, len(label))
    return text(label)


def _margin(row, couplings: List[str], subsystems: List[str]) -> Margin:
    shares = {name: row.shares[k] for k, name in enumerate(subsystems)} if row.shares else {}
    return Margin(couplings[row.coupling], text(lib.costab_margin_kind_name(row.kind)), text(row.name), number(row.nominal),
                  "lower" if row.side < 0 else "upper" if row.side > 0 else "", number(row.value), number(row.factor),
                  text(lib.costab_class_name(row.class_code)), text(lib.costab_passes_name(row.cause)), number(row.frequency),
                  subsystems[row.blame] if row.blame >= 0 else "", number(row.share), shares)


def _signal_names(network, rows) -> Dict[Tuple[int, int, int], str]:
    names = {}
    buffer = ffi.new("char[]", lib.COSTAB_SIGNAL_NAME_MAX)
    _, first = np.unique(rows[["subsystem", "kind", "index"]], return_index=True)
    for i in np.sort(first):
        subsystem, kind, index = (int(rows[key][i]) for key in ("subsystem", "kind", "index"))
        name = text(lib.costab_signal_name(network, subsystem, kind, index, buffer))
        names[subsystem, kind, index] = name if subsystem < 0 else f"{text(network.subsystems[subsystem].name)}.{name}"
    return names
