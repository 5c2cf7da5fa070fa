#!/usr/bin/env python3
"""--time, INT and TERM at random moments, and at moments when rows are surely complete: rows that were complete are printed, the rest is
marked, nothing is left behind. Prints TAP."""
import csv
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

import h5py
import numpy as np

from tap import COSTAB, ROOT, costab, effort, finish, note, ok, processes, seed, stride, waits

DRIVE = ROOT / "tests/reference/models/drive.yaml"
COMMANDS = (("limit", "--over", "H=0.001:0.5", "--over", "kd=1:500", "--coupling", "all"), ("margin", "--connections", "--coupling", "jacobi,gauss-seidel,iterated-linear"),
            ("map", "--over", "H=0.001:0.1", "--coupling", "jacobi,gauss-seidel,iterated,newton,jacobi-linear"), ("map", "--coupling", "all"),
            ("advise", "--over", "H=0.0005:0.5"), ("tune", "--over", "H=0.001:0.1", "--coupling", "jacobi", "--vary", "0"), ("pattern", "--steps", "0.005,0.01", "--coupling", "jacobi,gauss-seidel,iterated"),
            ("simulate", "--until", "10"), ("margin", "--uncertain", "--parameters", "kd,k"), ("report",))
FORMATS = "csv", "json", "md", "text", "table", "file"


def rows_of(printed, format):
    """(rows, whether the last one says unfinished)."""
    if format == "json":
        rows = json.loads(printed)
        rows = rows["rows"] if isinstance(rows, dict) else rows
        cut = bool(rows) and "unfinished" in rows[-1]
    elif format == "text":
        cut = "Unfinished: " in printed
        rows = []
    else:
        rows = [line for line in printed.splitlines() if line]
        cut = bool(rows) and ("unfinished" in next(csv.reader(io.StringIO(rows[-1]))) or rows[-1].startswith("| unfinished |"))
    return (rows[:-1] if cut and rows else rows), cut


def differs(path, whole):
    """Computed entries of a file that are not those of the whole one, its axes being a part of that one's."""
    wrong = []
    with h5py.File(path) as part, h5py.File(whole) as all_of_it:
        for name in part:
            if name not in all_of_it or part[name].dtype.kind not in "fu" or part[name].ndim == 0:
                continue
            here, there = part[name][...], all_of_it[name][...]
            if here.ndim != there.ndim or any(a > b for a, b in zip(here.shape, there.shape)):
                wrong.append((name, here.shape, there.shape))
                continue
            there = there[tuple(slice(0, n) for n in here.shape)]
            computed = ~np.isnan(here) if here.dtype.kind == "f" else ~np.isin(here, (4, 255) if name == "class" else (255,))  # not_computed
            if (here[computed] != there[computed]).any():
                wrong.append((name, here, there))
    return wrong


def at_random_moments(count):
    dice, partial, died, ended = random.Random(seed(1)), 0, 0, 0
    full, seconds = {}, {}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(folder)

        def words_of(command, format, name):
            words = [COSTAB, command[0], str(DRIVE), *command[1:], "-q"]
            out = {"table": ["-o", f"{name}.csv"], "file": ["-o", f"{name}.h5"]}.get(format, ["-f", format])
            return words + (["-o", f"{name}.html"] if command[0] == "report" else out)

        for i in range(count):
            command, format, number = dice.choice(COMMANDS), dice.choice(FORMATS), dice.choice((signal.SIGINT, signal.SIGTERM, signal.SIGALRM))
            if format == "file" and command[0] not in ("limit", "margin") or "--uncertain" in command and format == "file":
                format = "csv"
            if (command, format) not in full:
                begun = time.monotonic()
                done = costab(*words_of(command, format, "whole")[1:], cwd=folder)
                seconds[command] = time.monotonic() - begun
                full[command, format] = (place / "whole.csv").read_text() if format == "table" and command[0] != "report" else done.stdout
                assert done.returncode == 0, (command, done.stderr)
                if format == "file":
                    (place / "whole.h5").rename(place / f"{command[0]}.h5")
                for rest in place.glob("whole.*"):
                    rest.unlink()
            known = set(os.listdir(folder))
            wait = dice.uniform(0.02, seconds[command])
            words = words_of(command, format, "part") + (["--time", f"{wait:.3f}"] if number == signal.SIGALRM else [])
            process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": temporary})
            if number != signal.SIGALRM:
                try:
                    process.wait(wait)
                except subprocess.TimeoutExpired:
                    process.send_signal(number)
            try:
                printed, said = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                printed, said = "", "it did not end" + process.communicate()[1]
            status, left = process.returncode, set(os.listdir(folder)) - known
            problems = []
            if format == "table" and command[0] != "report":
                printed = (place / "part.csv").read_text() if "part.csv" in left else ""
            allowed = {"csv": set(), "table": {"part.csv"}, "file": {"part.h5"}}.get(format, set()) if command[0] != "report" else {"part.html"}
            if left - allowed or os.listdir(temporary) or not waits(lambda: not processes(temporary), 2):
                problems.append(("left", left, os.listdir(temporary)))
            if status == 3 and format == "file":
                problems += differs(place / "part.h5", place / f"{command[0]}.h5") if "part.h5" in left else []
                partial += "part.h5" in left
            elif status == 3 and command[0] == "report":
                page = (place / "part.html").read_text() if "part.html" in left else ""
                partial += bool(page)
                if page and "Not found" not in page and "unfinished" not in page:
                    problems.append("a page that marks nothing")
            elif status == 3 and printed:
                rows, cut = rows_of(printed, format)
                whole, _ = rows_of(full[command, format], format)
                partial += 1
                if command[0] != "advise" and (not cut or rows != whole[:len(rows)]):
                    problems.append((rows[-2:], cut))
            elif status == 0:
                ended += 1
            elif status == -number or (status == 3 and not printed):
                died += 1
                if printed.strip():
                    problems.append(("printed, but died of the signal", printed[-200:]))
            else:
                problems.append(("status", status))
            ok(not problems, f"{number.name} after {wait:.2f} s of {' '.join(command)}, {format}: status {status}", problems, said[-400:])
            for name in left:
                (place / name).unlink()
    note(f"{partial} printed a part, {died} had nothing yet, {ended} had ended")
    ok(partial >= count / 6 or count < 6, "some of them printed a part", partial)


begun = time.monotonic()
whole = costab("limit", DRIVE, "-q", "-f", "csv", "--over", "H=0.001:0.5", "--coupling", "all")
seconds = time.monotonic() - begun
counts = []
for share in (0.6, 0.4, 0.8)[::stride(3)]:
    done = costab("limit", DRIVE, "-q", "-f", "csv", "--over", "H=0.001:0.5", "--coupling", "all", "--time", f"{share * seconds:.3f}")
    rows = list(csv.reader(done.stdout.splitlines()))
    counts.append(len(rows) - 2 if done.returncode == 3 and rows[-1][0] == "unfinished" else len(rows) - 1 if done.returncode == 0 else -1)
ok(whole.returncode == 0 and min(counts) >= 0 and max(counts) > 5, "rows of limit by the time given", counts, seconds)
done = costab("limit", DRIVE, "-q", "--over", "H=0.001:0.5", "--time", "1e-5")
ok(done.returncode == 3 and "stopped by --time" in done.stderr and len(done.stdout.splitlines()) in (0, 2), "nothing complete", done.returncode, done.stdout, done.stderr)
at_random_moments(effort(6))
finish()
