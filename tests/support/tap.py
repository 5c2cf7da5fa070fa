"""What the Python tests of the command line share: TAP lines, the program, and running it."""
import contextlib
import csv
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

# Multiplies the number of random cases.
EFFORT = float(os.environ.get("EFFORT", 1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
COSTAB = os.environ.get("COSTAB", str(ROOT / "build" / "costab"))
# The same program with allocations that fail: support/memory.h.
FORGETFUL = os.path.join(os.path.dirname(COSTAB), "tests", "costab")
# A small chart of a network.
NETWORK = """system: network
parameters: {k: 10, H: 0.1}
subsystems:
  - {name: mass, A: [[0, 1], [-k, -1]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0], inputs: [force], outputs: [place], method: rk4}
connections: [{from: mass.place, to: mass.force}]
coupling: {macro_step: H}
axes: {k: {from: 1, to: 40, points: 9}, H: {from: 0.1, to: 2, points: 9}}
fields: [class, spectral_radius]
figure: {kind: contour}
"""
_count = 0
_failed = 0


def note(*words):
    """Words for whoever reads the report."""
    for line in "\n".join(map(str, words)).splitlines():
        print("#", line, flush=True)


def ok(good, what, *more):
    """One test; `more` is shown where it failed."""
    global _count, _failed
    _count += 1
    _failed += not good
    print("ok" if good else "not ok", _count, "-", what, flush=True)
    if not good:
        note(*more)
    return good


def attempt(what, check):
    """An exception is a failure of that test, not of the program."""
    try:
        ok(bool(check()), what)
    except Exception as problem:  # noqa: BLE001
        ok(False, what, type(problem).__name__, problem)


def spread(start, stop, count):
    """The values of a range: the doubles nearest to the exact fractions (Python divides whole numbers with one rounding)."""
    start, stop = Fraction(start), Fraction(stop)
    return [float(start + (stop - start) * k / (count - 1)) for k in range(count)]


def effort(base):
    """base times EFFORT, at least 1."""
    return max(int(base * EFFORT), 1)


def stride(base):
    """The stride through a list of cases: base with EFFORT 1, and 1, for all of them, from EFFORT 10 on."""
    return 1 if EFFORT >= 10 else max(int(base / EFFORT), 1)


def seed(default):
    """The seed of a test's random cases, printed: SEED or, if that is not set, the test's own."""
    number = int(os.environ.get("SEED", default))
    note(f"SEED={number}")
    return number


def skip(what, why):
    """Not run: counts as neither passed nor failed."""
    global _count
    _count += 1
    print("ok", _count, "-", what, "# SKIP", why, flush=True)


def costab(*arguments, program=COSTAB, **options):
    """Runs the program; text in and out unless `options` say otherwise."""
    options = {"capture_output": True, "text": True, "timeout": 300, "stdin": subprocess.DEVNULL, **options}
    if "input" in options:
        del options["stdin"]
    return subprocess.run([program, *map(str, arguments)], **options)


def csv_rows(printed):
    """The rows of a table in CSV, as it was printed or as the program that ran printed it."""
    return list(csv.DictReader(io.StringIO(printed if isinstance(printed, str) else printed.stdout)))


def refused(what, words, *arguments, status=2, lines=0, **options):
    """One test, passed if the program ends with that status, prints at most so many lines and says these words."""
    done = costab(*arguments, **options)
    good = done.returncode == status and words in done.stderr and len(done.stdout.splitlines()) <= lines
    return ok(good, what, done.returncode, done.stdout, done.stderr)


def preload(name):
    """The library tests/shim/NAME.c, for LD_PRELOAD; a sanitizer's has to stay the first."""
    needed = subprocess.run(["ldd", COSTAB], capture_output=True, text=True).stdout.splitlines()
    first = [line.split()[2] for line in needed if re.search(r"lib[at]san|libclang_rt", line)]
    return ":".join([*first[:1], str(pathlib.Path(os.environ.get("COSTAB_SHIMS", ROOT / "build/tests/shim")) / f"{name}.so")])


@contextlib.contextmanager
def workplace():
    """A new folder, in which the test stands until it is removed."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        yield folder
        os.chdir(ROOT)


def waits(event, seconds=60):
    """Waits until the event is there; whether it is."""
    until, pause = time.monotonic() + seconds, 0.005
    while not event() and time.monotonic() < until:
        time.sleep(pause)
        pause = min(1.3 * pause, 0.1)
    return event()


def used(process):
    """Seconds of processors that a program has used, 0 without /proc."""
    stat = pathlib.Path(f"/proc/{process.pid}/stat")
    return sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK") if stat.exists() else 0


def computing(process, seconds=0.1):
    """Waits until the program catches SIGINT and has used processors for so many seconds since then, or has ended: a moment in the
    midst of its work, however busy the machine is. Without /proc it sleeps."""
    folder = pathlib.Path(f"/proc/{process.pid}")

    def catches():
        caught = int(re.search(r"^SigCgt:\s*(\w+)", (folder / "status").read_text(), re.M)[1], 16)
        return caught >> (signal.SIGINT - 1) & 1

    if not folder.exists():
        return time.sleep(1)
    waits(lambda: process.poll() is not None or catches())
    before = used(process) if process.poll() is None else 0
    return waits(lambda: process.poll() is not None or used(process) >= before + seconds)


def processes(word):
    """Processes whose environment has this word."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if word.encode() in pathlib.Path("/proc", name, "environ").read_bytes() and int(name) != os.getpid():
                found.append(name)
        except OSError:  # it has ended
            pass
    return found


def words(said):
    """What the program said, without what it wrote and its lines of progress, of which there are some on a slow machine."""
    return "".join(line for line in said.splitlines(keepends=True) if not re.search(r" points/s(, .* left)?$|^wrote ", line))


def meanings(dataset):
    """What the codes of a dataset of a results file mean, code by code."""
    said = dataset.attrs["flag_meanings"]
    return dict(zip(dataset.attrs["flag_values"], (said.decode() if isinstance(said, bytes) else said).split()))


def half(points):
    """The spec of a network, half of whose points cannot be analysed, with so many along its first axis."""
    return (ROOT / "tests/support/half.yaml").read_text().replace("POINTS", str(points))


def finish():
    """The plan, at the end; the exit status says whether something failed."""
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)
