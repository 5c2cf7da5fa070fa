#!/usr/bin/env python3
"""Progress and reports on stderr, in a pseudo-terminal and without one; the program's clock runs fast (tests/shim/clock.c), so that
little work has lines of progress. Prints TAP."""
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import termios

from tap import COSTAB, costab, finish, ok, preload, workplace

FAST = {**os.environ, "LD_PRELOAD": preload("clock"), "COSTAB_CLOCK_RATE": "20"}


# What a sweep says at its end.
WROTE = re.compile(r"wrote [^\r\n]*\r?\n")


def on_terminal(words, columns=80, interrupt_after=None, **environment):
    """Runs costab with stderr on a terminal of so many columns; exit status, stdout, what the terminal got. With
    interrupt_after it gets SIGINT after so many shares."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    settings = {**FAST, "TERM": "xterm", **environment}
    with subprocess.Popen([COSTAB, *words], stdout=subprocess.PIPE, stderr=theirs, env=settings) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            said += more
            if interrupt_after and said.count(b" left") >= interrupt_after:
                process.send_signal(signal.SIGINT)
                interrupt_after = None
        out = process.stdout.read()
    os.close(ours)
    return process.returncode, out.decode(), WROTE.sub("", said.decode())


def unwatched(words):
    done = costab(*words, env=FAST)
    return done.returncode, done.stdout, WROTE.sub("", done.stderr)


model = """title: Motor and load
system: network
parameters: {H: 0.01, k: 50}
subsystems:
  - {name: motor, A: [[0, 1], [-200, -10]], B: [[0], [10]], C: [[1, 0], [0, 1]], inputs: [torque], outputs: [angle, speed], method: rk4, substeps: 10}
  - {name: load, A: [[0, 1], [-2*k, -0.4]], B: [[0, 0], [2*k, 0.4]], C: [[k, 0.2]], D: [[-k, -0.2]], inputs: [angle, speed], outputs: [torque], method: rk4, substeps: 10}
connections: [{from: motor.angle, to: load.angle}, {from: motor.speed, to: load.speed}, {from: load.torque, to: motor.torque}]
coupling: {scheme: jacobi, macro_step: H}
"""
axes = """axes:
  H: {from: 0.001, to: 0.1, points: 1000}
  k: {from: 1, to: 100, points: POINTS}
fields: [class]
"""
LINE = re.compile(r"(?:(?P<label>\S+) )?(?P<bar>\[#*\.*\] )?(?P<share> *[\d.]+) %, (?P<rate>[\d.]+( [kMGT])?) (points|evaluations|margins|%)/s(?:, (?P<left>.+) left)?")


def lines_of(said):
    return [part.split("\r\n")[0] for part in said.split("\r\x1b[K") if "%" in part]


with workplace():
    pathlib.Path("model.yaml").write_text(model)

    size = 100

    def shown(words, columns=80):
        """Runs with work enough for several lines of progress with the time left, however fast this machine is just now."""
        global size
        while True:
            pathlib.Path("drive.yaml").write_text(model + axes.replace("POINTS", str(size)))
            result = on_terminal([word.replace("SIZE", str(size)) for word in words], columns)
            if result[0] != 0 or (len(lines_of(result[2])) > 3 and (columns < 80 or " left" in result[2])) or size > 10**7:
                return result
            size *= 2

    status, out, said = shown(["sweep", "drive.yaml", "--force"])
    lines = lines_of(said)
    matches = [LINE.fullmatch(line) for line in lines]
    ok(status == 0 and out == "" and len(lines) > 3 and all(matches), "a sweep shows rate, share and time left in a line", said)
    ok(all(m and m["label"] == "drive.h5" and m["bar"] and len(m["bar"]) == 23 for m in matches), "with its name and a bar")
    shares = [float(m["share"]) for m in matches if m]
    ok(shares == sorted(shares) and 0 <= shares[0] and shares[-1] <= 100, "the share grows", shares)
    ok(all(m["bar"].count("#") == int(float(m["share"]) / 5 + 1e-9) for m in matches if m and m["bar"] and
           float(m["share"]) % 5 > 0.1), "the bar is as long as the share says", lines)
    ok(said.endswith("\r\x1b[K") and said.count("\n") == 0, "the line is taken away at the end", repr(said[-40:]))
    ok(re.fullmatch(r"(?:\r\x1b\[K[^\x1b\r\n]*)*", said) is not None, "no colours, nothing but one line", repr(said))
    lefts = [m["left"] for m in matches if m]
    ok(any(lefts) and None not in lefts[lefts.count(None):], "no estimate in the first seconds, then always one", lefts)
    for columns in (40, 12):
        lines = lines_of(shown(["sweep", "drive.yaml", "--force"], columns)[2])
        ok(lines and max(map(len, lines)) < columns, f"the line fits {columns} columns", lines)
    ok(on_terminal(["sweep", "drive.yaml", "--force"], TERM="dumb")[2].count("\r\x1b") == 0, "nothing renews itself where TERM is dumb")
    ok(on_terminal(["sweep", "drive.yaml", "--quiet", "--force"]) == (0, "", ""), "--quiet: nothing")
    status, out, said = unwatched(["sweep", "drive.yaml", "--force"])
    ok(status == 0 and out == "" and all(LINE.fullmatch(line.removeprefix("drive.h5: ")) for line in said.splitlines()) and
       "\r" not in said, "without a terminal: whole lines, or none", said)

    status, out, said = unwatched(["sweep", "drive.yaml", "--force", "--verbose", "--quiet", "--threads", "2"])
    told = dict(re.findall(r"^(\w+) +(.*)$", said, re.M))
    ok(status == 0 and out == "" and told.get("output") == "drive.h5" and told.get("threads") == "2" and
       told.get("points", "").startswith(f"{1000 * size} (") and
       re.fullmatch(rf"{os.path.getsize('drive.h5')} bytes in [\w. ]+ m?s?, [\d.]+( [kMG])? points/s", told.get("written", "")) is not None,
       "sweep --verbose: points, threads, bytes, time", said)
    ok(unwatched(["sweep", "drive.yaml", "--dry-run"])[1].startswith("output  drive.h5\npoints"), "as --dry-run has them")

    limit = ["limit", "model.yaml", "--over", "H=0.001:0.5", "--coupling", "jacobi,gauss-seidel,iterated-linear"]
    few = unwatched(limit)
    many = [*limit[:-3], "H=0.001:SIZE", *limit[-2:]]
    size = 4
    status, out, said = shown(many)
    lines = [line for line in lines_of(said) if "undecided" not in line]
    ok(status == 0 and len(lines) > 3 and all(LINE.fullmatch(line) for line in lines), "limit shows the same", said)
    ok(not re.search(r"left[^\r]*\r\n", said), "a message takes the line's place", said)
    ok(few[1].splitlines()[0] == out.splitlines()[0] and few[2] == "", "a short one does not", few[2])
    said = on_terminal([word.replace("SIZE", str(size)) for word in many] + ["--quiet"])[2]
    ok("%" not in said, "limit --quiet: no progress", said)
    status, out, said = unwatched([*limit, "--verbose"])
    ok(out == few[1] and re.search(r"^costab limit: \d+ evaluations for 3 couplings in [\d.]+ m?s", said, re.M), "limit --verbose: what was done", said)

    # every search of a coupling is counted: two parameters, the map, three loops
    status, out, said = on_terminal(["margin", "model.yaml", "--coupling", "jacobi,gauss-seidel"], COSTAB_CLOCK_RATE="5000")
    lines = lines_of(said)
    matches = [LINE.fullmatch(line) for line in lines]
    shares = [float(m["share"]) for m in matches if m]
    ok(status == 0 and len(shares) > 3 and all(matches) and shares == sorted(shares) and 90 < shares[-1] <= 100,
       "margin shows the same, up to the end", said)

    # three schemes at a time: their shares are added
    status, out, said = on_terminal(["critical", "--substeps", "4"], interrupt_after=4)
    lines = lines_of(said)
    matches = [LINE.fullmatch(line) for line in lines[:4]]
    shares = [float(m["share"]) for m in matches if m]
    ok(len(lines) > 3 and all(matches) and shares == sorted(shares), "critical shows the same", said)
    finished = len(out.splitlines()) > 1  # a table whose finished rows are printed, and one that marks the rest
    ok(status == (3 if finished else -signal.SIGINT) and finished == ("unfinished" in out) and said.endswith("\ncostab critical: stopped by a signal\r\n"),
       "SIGINT ends it in the middle", status, out, said)

finish()
