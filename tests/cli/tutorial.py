#!/usr/bin/env python3
"""docs/tutorial.md as a reader follows it: its files are written, its commands run in order in a terminal of 200 columns, and what they
print is what the page shows; "..." on the page is anything. Numbers may differ in the last digit shown. Its report, its chart of areas and
its slices are made with EFFORT above 1. Prints TAP.

read.py draws with matplotlib; a module that takes every call is in its place, so that what it reads from the file is tested."""
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from fcntl import ioctl

from tap import COSTAB, EFFORT, ROOT, finish, ok

PAGE = (ROOT / "docs/tutorial.md").read_text()
SLOW = re.compile(r"costab report|\barea\.(yaml|h5)|paper\.yaml --slice|merge")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
ANY_CALL = """class Any:
    def __getattr__(self, name): return self
    def __call__(self, *_, **__): return self
import sys
sys.modules[__name__] = Any()
"""


def on_terminal(command, folder, paths):
    """What a command prints to a terminal; of a progress line what stays of it. What advise prints only where it is slow is left out."""
    reader, writer = pty.openpty()
    ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=paths, stdin=subprocess.DEVNULL, stdout=writer, stderr=writer)
    os.close(writer)
    printed = b""
    while True:
        try:
            part = os.read(reader, 65536)
        except OSError:  # the terminal's other end is closed
            break
        if not part:
            break
        printed += part
    process.wait()
    os.close(reader)
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", printed.decode().replace("\r\n", "\n"))
    return [line.split("\r")[-1].rstrip() for line in plain.split("\n") if "advise: best so far: " not in line]


def same_number(shown, printed):
    """Within a unit of the last digit shown."""
    a, b = shown.replace(",", ""), printed.replace(",", "")
    mantissa, _, exponent = a.partition("e")
    return abs(float(a) - float(b)) <= 1.001 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) * ("." in mantissa)


def same_line(shown, printed):
    shown, printed = shown.split(), printed.split()
    if shown and shown[-1] == "...":
        shown, printed = shown[:-1], printed[:len(shown) - 1]
    return len(shown) == len(printed) and all(
        a == b or bool(NUMBER.fullmatch(a) and NUMBER.fullmatch(b) and same_number(a, b)) for a, b in zip(shown, printed))


def missing(shown, printed):
    """The first line of the page that was not printed; None: all were, and nothing else."""
    at, anything = 0, False
    for line in shown:
        if line == "...":
            anything = True
            continue
        found = [k for k in range(at, len(printed) if anything else min(at + 1, len(printed))) if same_line(line, printed[k])]
        if not found:
            return line
        at, anything = found[0] + 1, False
    return None if anything else next((line for line in printed[at:] if line), None)


with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    for name, content in re.findall(r"`(\w+\.(?:yaml|py))`[^\n]*\n\n```(?:yaml|python)\n(.*?)```", PAGE, re.S):
        (here / name).write_text(content)
    (here / "matplotlib").mkdir()
    (here / "matplotlib/__init__.py").touch()
    (here / "matplotlib/pyplot.py").write_text(ANY_CALL)
    (here / "bin").mkdir()
    (here / "bin/costab").symlink_to(COSTAB)
    (here / "bin/python3").symlink_to(sys.executable)
    paths = {**os.environ, "PATH": f"{here}/bin:{os.environ['PATH']}", "TERM": "xterm", "PYTHONPATH": folder}
    paths.pop("COLUMNS", None)
    for block in re.findall(r"^(?:    .*\n(?:\n(?=    ))?)+", PAGE, re.M):
        lines = [line[4:].rstrip() for line in block.splitlines()]
        starts = [k for k, line in enumerate(lines) if line.startswith("$ ")]
        for k, end in zip(starts, starts[1:] + [len(lines)]):
            if SLOW.search(lines[k]) and EFFORT <= 1:
                continue
            printed = on_terminal(lines[k][2:], folder, paths)
            wrong = missing(lines[k + 1:end], printed)
            ok(wrong is None, f"tutorial: {lines[k][2:]}", wrong, *printed)
    pictures = re.findall(r"!\[[^\]]*\]\(tutorial/(\w+\.png)\)", PAGE)
    ok(pictures and all((ROOT / "docs/tutorial" / name).exists() for name in pictures), "tutorial: its pictures are there", pictures)
finish()
