#!/usr/bin/env python3
"""Every wait ends at the first INT, TERM or HUP, within half a second of processors, and leaves no file, folder or process; with EFFORT above 1 on a
machine whose processors are busy. tests/cli/signals.sh holds what sweeps keep then. Prints TAP."""
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time

from tap import COSTAB, EFFORT, NETWORK, ROOT, computing, costab, finish, ok, preload, used, waits, workplace

MOST = 0.5
SIGNALS = itertools.cycle((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))


def ring(count, more=""):
    """Oscillators in a ring, a subsystem each."""
    parts = "\n".join(f"  - {{name: s{i}, A: [[0, 1], [-3, -0.1]], B: [[0, 0], [1, 1]], C: [[1, 0]], x0: [1, 0], inputs: [l, r], outputs: [x], method: rk4}}"
                      for i in range(count))
    wires = "\n".join(f"  - {{from: s{i}.x, to: s{(i + d) % count}.{port}}}" for i in range(count) for d, port in ((1, "l"), (-1, "r")))
    return (f"system: network\nparameters: {{H: 0.01}}\nsubsystems:\n{parts}\nconnections:\n{wires}\n"
            f"coupling: {{scheme: jacobi, macro_step: H}}\n{more}")


def pair(delay):
    return f"""system: network
parameters: {{H: 0.01}}
subsystems:
  - {{name: mass, A: [[0, 1], [-10, -1]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0], inputs: [force], outputs: [place], method: rk4}}
  - {{name: other, A: [[0, 1], [-10, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [force], outputs: [place], method: rk4}}
connections: [{{from: mass.place, to: other.force, delay: {delay}}}, {{from: other.place, to: mass.force}}]
coupling: {{scheme: jacobi, macro_step: H}}
"""


def busy(process):
    computing(process, 0.1)


def begun(process):
    """For commands that take a second at most."""
    computing(process, 0.02)


def hold(words, ready=busy, left=(), **environment):
    """The end comes within MOST seconds, of which those in which others have the processors do not count, and within 20 s in any case."""
    number = next(SIGNALS)
    before = {*os.listdir(), *left}
    earlier = sum(os.times()[2:4])
    process = subprocess.Popen([COSTAB, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    ready(process)
    earlier += used(process)
    start = time.monotonic()
    process.send_signal(number)
    try:
        said = process.communicate(timeout=20)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        said = process.communicate()[1]
    seconds = min(time.monotonic() - start, sum(os.times()[2:4]) - earlier)
    new = set(os.listdir()) - before
    ok(seconds < MOST and process.returncode in (3, -number) and "stopped by a signal" in said and not new, f"{number.name} ends costab {' '.join(words)}",
       seconds, process.returncode, said, new)


def running(folder):
    """Processes that work in a folder, or below."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "cwd").startswith(folder):
                found.append(entry.name)
        except OSError:
            continue
    return found


def test_fmu():
    """One that does not come back: its process ends, its folder is removed."""
    os.mkdir("temporary")
    temporary = os.path.realpath("temporary")
    unit = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu")).resolve() / "mass-3.fmu"
    pathlib.Path("hang.yaml").write_text(f"""system: network
parameters: {{H: 0.1}}
subsystems:
  - {{name: mass, fmu: {unit}, kind: model-exchange, start: {{fault: 2}}, method: rk4}} # it hangs
  - {{name: spring, A: [[-1]], B: [[1]], C: [[1]], inputs: [in], outputs: [out], method: rk4}}
connections: [{{from: spring.out, to: mass.force}}, {{from: mass.position, to: spring.in}}]
coupling: {{macro_step: H}}
""")
    hold(["map", "hang.yaml", "--fmu-timeout", "100"], ready=lambda process: (waits(lambda: running(temporary)), time.sleep(0.3)),
         TMPDIR=temporary)
    try:
        done = costab("map", "hang.yaml", "--fmu-timeout", "100", env={**os.environ, "TMPDIR": temporary, "LD_PRELOAD": preload("fork")}, timeout=20)
        ended = done.returncode == -signal.SIGTERM and "stopped by a signal" in done.stderr
    except subprocess.TimeoutExpired as late:
        ended, done = False, late
    ok(ended, "a signal to another thread while the process of an FMU begins", done)
    pathlib.Path("sampled.yaml").write_text(pathlib.Path("hang.yaml").read_text().replace("model-exchange", "co-simulation", 1).replace(", method: rk4} # it", "} # it"))
    for more, least, most, *said in ((["--fmu-timeout", "3", "-v"], 3, 10, "costab map: mass-3.fmu, H = 0.1: run 1 of 4, t = 0 of 0.1\n", "no answer within 3 s in fmi3DoStep"),
                                     (["--time", "0.7"], 0.7, 3, "costab map: stopped by --time, unfinished\n")):
        start = time.monotonic()
        done = costab("map", "sampled.yaml", *more, env={**os.environ, "TMPDIR": temporary})
        seconds = time.monotonic() - start
        ok((done.returncode == 3 if "--time" in more else done.returncode in (1, 2)) and least <= seconds < most and all(words in done.stderr for words in said) and ("run 1 of" in done.stderr) == ("-v" in more),
           f"map of an FMU that does not come back {' '.join(more)}", seconds, done.returncode, done.stderr)
    ok(not os.listdir(temporary) and not running(temporary), "no folder and no process of an FMU is left", os.listdir(temporary), running(temporary))


def test_all():
    for name, text in (("ring", ring(250)), ("ring12", ring(12)), ("ring30", ring(30)), ("best", ring(100, "axes: {H2: [1, 2]}\nbest: {over: H, range: [0.001, 0.4]}\nfields: [best]\n").replace("{H: 0.01}", "{H: 0.01, H2: 1}")),
                       ("delay300", pair(300)), ("delay1000", pair(1000)), ("pair", pair(1)),
                       ("slow", ring(150, "axes: {H: {from: 0.01, to: 1, points: 400}}\nfields: [class, spectral_radius]\n"))):
        pathlib.Path(f"{name}.yaml").write_text(text)
    pathlib.Path("large.yaml").write_text(NETWORK.replace("points: 9", "points: 2001").replace("kind: contour", "kind: classes"))
    pathlib.Path("many.csv").write_text("x,y,label\n" + "".join(f"{1 + 39 * (i * 0.618034 % 1):.6f},{0.1 + 1.9 * i / 300000:.6f},p{i % 7}\n" for i in range(300000)))
    for part in (1, 2):
        done = costab("sweep", "large.yaml", "--slice", f"{part}/2")
        ok(done.returncode == 0, "a slice of a large chart", done.stderr)
    large = costab("merge", "large.1-of-2.part", "large.2-of-2.part", "-o", "large.h5")
    ok(large.returncode == 0, "a large chart", large.stderr)
    pathlib.Path("planar.yaml").write_text("system: planar\nschemes: all\naxes: {a: 0.3, gamma: {from: -6, to: 2, points: 3001}, delta: {from: -2, to: 14, points: 3001}}\nfields: [class]\n")
    planar = costab("sweep", "planar.yaml")
    ok(planar.returncode == 0, "36 million points", planar.stderr)
    for words in ("boundary large.h5 -o boundary.csv", "compare planar.h5 planar.h5", "export large.h5 --format csv -o export.csv", "merge large.1-of-2.part large.2-of-2.part -o merged.h5"):
        hold(words.split(), ready=begun)
    for words in ("plot large.h5 -o .", "plot large.h5 --points many.csv -o ."):
        hold(words.split(), left=["large.gp", "large.dat"])
    for words in ("limit ring.yaml --over H=0.001:0.4", "margin ring.yaml", "tune ring12.yaml --over H=1e-3:0.4", "advise ring12.yaml --over H=1e-4:0.1 --error 1e-3 --until 500",
                  "pattern ring12.yaml --over H=0.0005:0.015", "tune ring12.yaml --over H=1e-4:0.1", "bound delay300.yaml --error 0.5", "critical --substeps 40",
                  "area --a 0.3 --digits 1000 --substeps 30", "simulate pair.yaml --until 4.3e9",
                  "simulate delay1000.yaml --until 1e4 -o history.h5", "report ring.yaml -o report.html", "sweep slow.yaml -o slow.h5",
                  "map ring30.yaml --over H=0.001:0.4", "sweep best.yaml -o best.h5"):
        hold(words.split(), left=["slow.h5.checkpoint", "best.h5.checkpoint"])
    for _ in range(1 if EFFORT <= 1 else 100):  # at any moment of a row
        hold("simulate delay1000.yaml --until 1e7".split())
    test_fmu()


with workplace() as folder:
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 if EFFORT > 1 else 0)]
    try:
        test_all()
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
finish()
