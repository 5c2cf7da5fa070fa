"""Calls of the C library: errors, threads, Ctrl-C, and checks of arguments."""
import contextlib
import math
import os
import re
import sys
import threading
import time
import warnings

import numpy as np

from ._costab import ffi, lib

__all__ = ["CLASSES", "Error", "FileError", "InputError", "NumericError", "PROGRESS", "SEARCH", "SHARE", "STOPPED", "build_info", "call", "calm", "class_name", "ffi", "filled",
           "file_path", "floats", "lib", "listed", "long", "number", "own_words", "owned", "placeless", "real", "reals", "text", "two_ends", "version", "warn", "whole", "word"]


class Error(Exception):
    """Any error that the library reports."""


class InputError(Error, ValueError):
    """The input is wrong: a name, a number, or a mistake in a file, each at its FILE:LINE:COLUMN."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class NumericError(Error, ArithmeticError):
    """A computation did not reach its accuracy."""


_KINDS = {lib.COSTAB_INVALID: InputError, lib.COSTAB_UNSUPPORTED: InputError, lib.COSTAB_IO: FileError, lib.COSTAB_UNREADABLE: FileError, lib.COSTAB_NUMERIC: NumericError, lib.COSTAB_MEMORY: MemoryError,
          lib.COSTAB_CANCELLED: KeyboardInterrupt}

#: The names of the class codes in files and arrays: the continuous system first, then its co-simulation.
CLASSES = {code: ffi.string(lib.costab_class_name(code)).decode() for code in range(256) if lib.costab_class_name(code)}


def class_name(code: int) -> str:
    return CLASSES[code]


def text(pointer) -> str:
    """A C string; "" for NULL."""
    return ffi.string(pointer).decode() if pointer else ""


def version() -> str:
    """The version of the library that is loaded, such as "0.1.0"."""
    return text(lib.costab_version())


def build_info() -> str:
    """Version, revision, compiler and flags of the library."""
    return text(lib.costab_build_info())


def warn(message: str) -> None:
    """Warns, with the line of the user's program that called the module; within long(), at its end."""
    told = getattr(threading.current_thread(), "told", None)
    if told is not None:
        told.append(message)
        return
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def number(value: float):
    """Returns the value; None for NaN, the library's mark of a missing number."""
    return None if value != value else value


# ---- Arguments

def _whole(encoded: bytes) -> bytes:
    at = encoded.find(b"\0")
    if at >= 0:
        raise InputError(f"{encoded[:80]!r} has a NUL character at byte {at}, where the library's texts end: remove it")
    return encoded


def word(name: str) -> bytes:
    """A name or another text."""
    if not isinstance(name, str):
        raise TypeError(f"expected a text, found {name!r}")
    return _whole(name.encode())


def listed(names) -> list:
    """The names in a list, a tuple or an array. A text is one name, None is no name."""
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def file_path(path) -> bytes:
    return _whole(os.fsencode(path))


def _is_complex(value) -> bool:
    return isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c"


def real(value, what: str):
    """Returns the value. Refuses complex numbers, whose conversion to a double would lose the imaginary part, NumPy's times, whose
    conversion would lose the unit, and records."""
    if _is_complex(value):
        raise TypeError(f"{what}: expected real numbers, found complex ones")
    if getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M"):
        raise TypeError(f"{what}: expected real numbers, found times; divide a duration by np.timedelta64(1, 's')")
    if getattr(getattr(value, "dtype", None), "names", None):  # NumPy converts one field, and of a complex one the real part
        raise TypeError(f"{what}: expected real numbers, found records; take one field, such as array['{value.dtype.names[0]}']")
    return value


def reals(values, what: str) -> np.ndarray:
    """An array of real numbers."""
    array = np.asarray(values)
    if array.dtype.kind == "O":
        for value in array.flat:
            real(value, what)
    return real(array, what)


def floats(values, what: str) -> list:
    """Real numbers of any shape, in order."""
    array = np.ravel(reals(values, what))
    try:
        return array.astype(float).tolist()
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what}: expected numbers, found {values!r}") from None


def two_ends(pair, what: str) -> list:
    """The lower and the upper end of a range."""
    if not isinstance(pair, (tuple, list, np.ndarray)) or len(pair) != 2:
        raise ValueError(f"{what}: expected two ends, (lower, upper), found {pair!r}")
    return list(pair)


# What members of structs take, by their C types.
_TAKEN = {"double": "a number", "_Bool": "True or False", "int": "a whole number below 2**31", "long": "a whole number below 2**63",
          "size_t": "a whole number from 0, below 2**64"}


def _refused(wrong: Exception, name: str, kind: str, value) -> Exception:
    """The error of a value that does not fit the C type `kind`."""
    return type(wrong)(f"{name}: expected {_TAKEN.get(kind, kind)}, found {value!r}")


def whole(value, name: str) -> int:
    """A whole number for a function that takes an int and checks its range."""
    fits = ffi.new("int *")
    try:
        fits[0] = value
        return fits[0]
    except (TypeError, OverflowError) as wrong:
        raise _refused(wrong, name, "int", value) from None


def filled(kind: str, members: dict):
    """A new struct of `kind`, such as "costab_margin_options *"."""
    struct = ffi.new(kind)
    types = {name: field.type.cname for name, field in ffi.typeof(struct).item.fields}
    for name, value in members.items():
        real(value, name)
        try:
            setattr(struct, name, value)
        except (TypeError, OverflowError) as wrong:
            raise _refused(wrong, name, types[name], value) from None
    return struct


# Positions in the text of a dict, which is one line that the caller does not see.
_PLACE = re.compile(r"(?:\b(?:model|spec)|^.*\.sweep):1:\d+: (?:error: )?", re.M)


def placeless(message: str) -> str:
    """A message without positions in the text of a dict."""
    return _PLACE.sub("", message)


def own_words(message: str) -> str:
    """A message of the program in which options are arguments of Python's functions."""
    return re.sub(r"--(coupling|panels|select|vary)\b", r"\1", re.sub(r"--(continuous|force|resume)\b", r"\1=True", placeless(message)))


def call(function, *arguments) -> None:
    """Calls a function that returns a status and takes a costab_error last; raises what it reports."""
    if threading.current_thread().name != _THREAD:
        _settle()
    error = ffi.new("costab_error *")
    status = function(*arguments, error)
    if status != lib.COSTAB_OK:
        message = own_words(text(error.message) or text(lib.costab_status_text(status)))
        raise _KINDS.get(status, Error)(message)


@contextlib.contextmanager
def owned(kind: str, free):
    """A new `kind`, such as "costab_margins *", which the library fills and `free` frees."""
    found = ffi.new(kind)
    try:
        yield found
    finally:
        free(found)


# OpenBLAS's own threads slow small matrices down, and more of them may change the last digits. They are switched off while the
# library computes, and then given back to NumPy.
_calm_lock = threading.Lock()
_calm = {"depth": 0, "threads": 0}


@contextlib.contextmanager
def calm():
    with _calm_lock:
        if _calm["depth"] == 0:
            _calm["threads"] = lib.python_blas_threads(1)
        _calm["depth"] += 1
    try:
        yield
    finally:
        with _calm_lock:
            _calm["depth"] -= 1
            if _calm["depth"] == 0:
                lib.python_blas_threads(_calm["threads"])


# Long calls run on threads of their own while the caller's thread waits, so that Ctrl-C arrives: Python handles signals in its main
# thread only, between instructions. HDF5 has global state: one call at a time.
_hdf5 = threading.RLock()


def _forget():
    """For a forked process, which does not have the threads of its parent."""
    global _hdf5, _calm_lock
    _left.clear()
    _hdf5, _calm_lock = threading.RLock(), threading.Lock()
    _calm["depth"] = 0


os.register_at_fork(after_in_child=_forget)


STOPPED, PROGRESS, SHARE, SEARCH = (ffi.addressof(lib, "python_" + name) for name in ("stopped", "progress", "share", "search"))


class _Work:
    """A long call. Ctrl-C may come between any two instructions of the caller. So one lock shows whether the call has begun, and
    nothing else is shared before its end. (At its end Python would wait for a thread of an executor that Ctrl-C kept from being
    recorded.)"""

    def __init__(self, body):
        self.body, self.begun, self.over = body, threading.Lock(), threading.Lock()
        self.result = self.problem = None
        self.told: list = []  # warnings
        self.ended = False
        self.over.acquire()

    def begin(self):
        """Returns True for the first caller, who carries the call out or withdraws it."""
        return self.begun.acquire(blocking=False)

    def carry_out(self):
        if not self.begin():
            return
        threading.current_thread().told = self.told  # type: ignore[attr-defined]
        try:
            self.result = self.body()
        except BaseException as problem:  # noqa: BLE001
            self.problem = problem
        self.ended = True
        self.over.release()

    def wait(self, seconds=math.inf):
        until = time.monotonic() + seconds
        while not self.ended and time.monotonic() < until:
            self.over.acquire(timeout=min(0.2, seconds))  # a signal that comes just before Python waits does not wake it


# Name of the threads of long calls; seconds for which Ctrl-C waits for its work to end.
_THREAD, _GRACE = "costab", 0.3
# Work that Ctrl-C has stopped and that may not have ended yet. The next call waits for it.
_left = []


def _settle():
    while _left:
        _left[0].wait()
        _left.pop(0)


def long(work, hdf5: bool = False):
    """Runs work(run) on another thread; `run` is the context for STOPPED, PROGRESS, SHARE and SEARCH. Ctrl-C ends the work at its next
    call of one of these and raises KeyboardInterrupt. Work that does not end within _GRACE seconds continues on its thread, and the next
    call waits for it."""
    _settle()
    run = ffi.new("python_run *")

    def body():
        with contextlib.ExitStack() as stack:
            if hdf5:
                stack.enter_context(_hdf5)
            stack.enter_context(calm())
            return work(run)

    item = _Work(body)
    try:
        threading.Thread(target=item.carry_out, name=_THREAD, daemon=True).start()
        item.wait()
    except KeyboardInterrupt:
        run.stop = 1
        if not item.begin():
            _left.append(item)
            with contextlib.suppress(KeyboardInterrupt):
                item.wait(_GRACE)
        raise
    for message in item.told:
        warn(message)
    if item.problem is not None:
        raise item.problem
    return item.result
