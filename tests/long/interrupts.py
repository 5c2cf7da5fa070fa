#!/usr/bin/env python3
"""Signals at random moments while FMUs are unpacked, measured, stepped and swept: 20 commands (200 with EFFORT=10) end within a second and leave no process, no temporary folder and no unfinished file; a results file that is there is whole.
SEED draws other moments. Prints TAP."""
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

from tap import COSTAB, ROOT, costab, effort, finish, note, ok, processes, seed, waits

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
MODEL = f"""system: network
parameters: {{k: 12, H: 0.04}}
subsystems:
  - {{name: a, fmu: {FMUS}/mass-2.fmu, kind: KIND, start: {{k: k, m: 1.5, x: 1}}HOW}}
  - {{name: b, fmu: {FMUS}/coupled-3.fmu, kind: KINDHOW}}
connections:
  - {{from: a.position, to: b.position}}
  - {{from: a.speed, to: b.speed}}
  - {{from: b.reaction, to: a.force}}
coupling: {{scheme: jacobi, macro_step: H}}
"""
CHART = MODEL + "axes: {k: {from: 5, to: 40, points: 60}, H: {from: 0.01, to: 0.5, points: 60}}\nfields: [class, spectral_radius]\n"
COMMANDS = (("map", "cs.yaml"), ("map", "me.yaml"), ("limit", "cs.yaml", "--over", "H=0.01:0.5"), ("limit", "me.yaml", "--over", "H=0.01:0.5"),
            ("simulate", "cs.yaml", "--until", "500", "-o", "out.h5"), ("simulate", "me.yaml", "--until", "500", "-o", "out.h5"),
            ("sweep", "cs-chart.yaml", "-o", "out.h5"), ("sweep", "me-chart.yaml", "-o", "out.h5"), ("report", "cs.yaml", "-o", "out.html"),
            ("import", "me.yaml", "-o", "out.yaml"))
KEPT = "cs.yaml", "me.yaml", "cs-chart.yaml", "me-chart.yaml"

runs = effort(20)
note(f"{runs} runs")
dice = random.Random(seed(1))
early = 0
with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
    place = pathlib.Path(folder)
    for name, text in (("cs", MODEL), ("me", MODEL), ("cs-chart", CHART), ("me-chart", CHART)):
        kind, how = ("co-simulation", "") if name[0] == "c" else ("model-exchange", ", method: rk4")
        (place / f"{name}.yaml").write_text(text.replace("KIND", kind).replace("HOW", how))
    for i in range(runs):
        words, number = dice.choice(COMMANDS), dice.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        wait = 10 ** dice.uniform(-3, 0.3)
        process = subprocess.Popen([COSTAB, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": temporary}, start_new_session=True)
        time.sleep(wait)
        early += process.poll() is not None
        begun = time.monotonic()
        process.send_signal(number)
        try:
            said = process.communicate(timeout=30)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            said = "it did not end " + process.communicate()[1]
        took = time.monotonic() - begun
        waits(lambda: not processes(temporary) and not os.listdir(temporary), 2)
        left = [n for n in os.listdir(folder) if n not in KEPT]
        whole = all(n in ("out.h5", "out.html", "out.yaml") or n.startswith("out.h5.") for n in left)
        if "out.h5" in left and words[0] == "sweep":
            whole = whole and costab("info", place / "out.h5").returncode == 0
        ok(took < 1 and not processes(temporary) and not os.listdir(temporary) and whole, f"{signal.Signals(number).name} after {wait:.3f} s of {' '.join(words)}",
           f"{took:.2f} s", processes(temporary), os.listdir(temporary), left, said[-500:])
        for name in left:
            (place / name).unlink()
note(f"{early} of them had ended before")
ok(early < runs / 2, "most were under way", early)
finish()
