#!/usr/bin/env python3
"""Long time histories: nothing is computed before the run, a run stops and goes on, and the file is the same. Prints TAP."""
import os
import pathlib
import re
import signal
import subprocess
import sys

from tap import COSTAB, computing, costab, finish, note, ok, preload, waits, workplace

MODEL = """system: network
parameters: {H: 0.01}
subsystems:
  - {name: plant, A: [[0, 1], [-5, -0.5]], B: [[0], [0.5]], C: [[0, 1]], x0: [5, 0],
     inputs: [force], outputs: [speed], method: euler, substeps: 1}
  - {name: regulator, A: [[-0.1]], B: [[-0.5]], C: [[1]], x0: [2],
     inputs: [speed], outputs: [force], method: heun, substeps: 2}
connections:
  - {from: plant.speed, to: regulator.speed}
  - {from: regulator.force, to: plant.force}
coupling:
  - {name: parallel, scheme: jacobi, macro_step: H}
  - {name: in-turn, scheme: gauss-seidel, macro_step: 2*H}
"""
LONG = MODEL + "history: {until: UNTIL}\n"
ERROR = MODEL + "axes: {H: [0.01]}\nfields: [error]\nhistory: {until: 1e7}\n"


def write(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


def stopped(spec, output, tile=False, **environment):
    """Interrupts a sweep in its midst, or when its log has a tile; its exit status, and what it said."""
    run = subprocess.Popen([COSTAB, "sweep", "-q", spec, "-o", output], stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    log = pathlib.Path(output + ".checkpoint")
    if tile:
        waits(lambda: run.poll() is not None or log.exists() and log.stat().st_size > 100000)
    else:
        computing(run)
    run.send_signal(signal.SIGINT)
    try:
        said = run.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        said = "does not stop"
    return run.returncode, said


def peak(*command):
    """MiB of resident memory that the program needs at most."""
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen([COSTAB, *map(str, command)], stdout=nothing)
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20)


with workplace():
    # Only tiles in flight are kept. Each of two threads has one as numbers and once more while it packs them; four packed ones per
    # thread may wait for their turn (sweep/run.c), and one for the disk, in a text whose room doubles: 2 x 2 + 2 x 4 + 2.
    spec = write("memory.yaml", LONG.replace("UNTIL", "4800"))
    said = costab("sweep", "--dry-run", spec).stdout
    size, tiles = (int(re.search(rf"^{what} +(\d+)", said, re.M)[1]) for what in ("bytes", "tiles"))
    # A short history shows what the program and HDF5 themselves take.
    short = write("short.yaml", LONG.replace("UNTIL", "48"))
    most = peak("sweep", short, "-o", "short.h5", "-q") + 14 * size / tiles / 2**20
    used = peak("sweep", spec, "-o", "memory.h5", "--threads", 2, "-q")
    if {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys():
        note("a sanitizer keeps freed memory")
    else:
        ok(used < most < size / 2**20, "a history's file takes no memory for its length", used, most, size / 2**20)
    # A table is written line by line: of its numbers, three a line, not even a quarter is kept.
    model = write("model.yaml", MODEL)
    lines = 20 * costab("simulate", model, "--until", 10).stdout.count("\n")
    short, long = (peak("simulate", model, "--until", until) for until in (10, 200))
    ok(long < short + lines * 3 * 8 / 4 / 2**20, "a table of 20 times the rows takes no more memory", short, long, lines)
    done = costab("sweep", "--dry-run", write("endless.yaml", LONG.replace("UNTIL", "1e12")), timeout=60)
    ok(done.returncode == 0 and "100000000000001 step" in done.stdout, "a history of 1e14 steps is described at once", done.stderr)
    done = costab("sweep", "--dry-run", write("local.yaml", LONG.replace("UNTIL", "1e12, local: true")), timeout=60)
    ok(done.returncode == 2 and "local" in done.stderr, "values at 2e14 micro steps would not fit into memory", done.stderr)

    status, said = stopped(write("error.yaml", ERROR), "error.h5")
    ok(status == -signal.SIGINT and "stopped by a signal" in said and not os.path.exists("error.h5"), "a signal stops a tile of 1e9 steps", status, said)
    status, said = stopped(write("long.yaml", LONG.replace("UNTIL", "1e7")), "long.h5", tile=True)
    ok(status == -signal.SIGINT and "are kept" in said, "a signal stops a history of 1e9 steps, whose tiles are kept", status, said)

    slow = MODEL.replace("method: heun, substeps: 2", "method: heun, substeps: 1000000").replace("A: [[-0.1]], B: [[-0.5]], C: [[1]],",
                                                                                           "states: [z], f: [-0.1*z - sin(speed)], g: [z],")
    status, said = stopped(write("slow.yaml", slow + "history: {until: 1e7}\n"), "slow.h5")
    ok(status == -signal.SIGINT and "stopped by a signal" in said, "a signal stops a macro step of 1e6 micro steps", status, said)

    spec = write("history.yaml", LONG.replace("UNTIL", "400"))
    ok(costab("sweep", spec, "--threads", 1).returncode == 0, "a history in several tiles")
    with open("history.h5", "rb") as file:
        whole = file.read()
    for threads in (3,):
        costab("sweep", spec, "--threads", threads, "-o", "again.h5")
        with open("again.h5", "rb") as file:
            ok(file.read() == whole, f"the same file with {threads} threads")
    status, said = stopped(spec, "resumed.h5", tile=True, COSTAB_FAULT_DELAY="30", LD_PRELOAD=preload("faults"))
    done = costab("sweep", "--resume", spec, "-o", "resumed.h5")
    with open("resumed.h5", "rb") as file:
        ok(status == -signal.SIGINT and "are kept" in said and done.returncode == 0 and file.read() == whole,
           "the same file, stopped in its midst and gone on with", status, said, done.stderr)
    for k in (1, 2):
        done = costab("sweep", spec, "--slice", f"{k}/2")
        ok(done.returncode == 0, f"slice {k} of 2", done.stderr)
    done = costab("merge", "-o", "merged.h5", *(f"history.{k}-of-2.part" for k in (2, 1)))
    ok(done.returncode == 0, "the slices are merged", done.stderr)
    with open("merged.h5", "rb") as file:
        ok(file.read() == whole, "to the same file")
finish()
