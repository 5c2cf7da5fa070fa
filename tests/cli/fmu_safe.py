#!/usr/bin/env python3
"""FMUs are strangers' programs: which commands run them and how that is forbidden, what they leave on disk and in memory, and that
nothing of them outlives costab. Prints TAP."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

from tap import COSTAB, EFFORT, costab, csv_rows, finish, note, ok, processes, ROOT, waits

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
BUILT = ROOT / "build/python"
SLOW, BYTES, SCRIBBLE, SESSION, STOP, SUSPEND, HANG = 23, 24, 25, 26, 27, 28, 2  # enum faults of tests/fmu/kit.h
GRID = "axes: {k: [5, 10, 20, 40], H: {from: 0.01, to: 0.05, points: 8}}\nfields: [class, spectral_radius]\n"


def found(folder, word):
    """Paths below a folder that somebody may be removing."""
    return sorted(os.path.join(parent, name) for parent, folders, files in os.walk(folder) for name in [*folders, *files] if name.startswith(word))


def filled(folder):
    return [str(path) for path in pathlib.Path(folder).iterdir()]


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(folder)
    loaded = folder / "loaded"
    env = {**os.environ, "TMPDIR": temporary, "KIT_LOADED": str(loaded)}

    def run(*words, **more):
        return costab(*words, env={**env, **more}, cwd=folder)

    def was_loaded():
        there = loaded.exists()
        loaded.unlink(missing_ok=True)
        return there

    def write(name, a="", b="", kind="model-exchange", rest="", first=FMUS / "mass-2.fmu", second=FMUS / "coupled-3.fmu"):
        (folder / name).write_text(
            f"system: network\nparameters: {{k: 12, H: 0.05}}\nsubsystems:\n"
            f"  - {{name: a, fmu: {first}, kind: {kind}, start: {{k: k{a}}}}}\n  - {{name: b, fmu: {second}, kind: {kind}, start: {{kc: 20{b}}}}}\n"
            "connections: [{from: a.position, to: b.position}, {from: a.speed, to: b.speed}, {from: b.reaction, to: a.force}]\n"
            f"coupling: {{scheme: jacobi, macro_step: H}}\n{rest}")
        return name

    # ---- which commands run FMUs
    for kind in ("model-exchange", "co-simulation"):
        model, grid = write("model.yaml", kind=kind), write("grid.yaml", kind=kind, rest=GRID)
        paired = write("solved.yaml", kind=kind, rest="operating_point: solve\n" if kind == "model-exchange" else "")
        for words in (["info", model], ["info", grid], ["info", paired], ["info", FMUS / "mass-2.fmu"], ["import", FMUS / "mass-3.fmu"],
                      ["import", FMUS / "mass-2.fmu", "-o", "imported.yaml", "--force"], ["sweep", grid, "--dry-run"],
                      ["sweep", paired, "--axis", "k=1:2:3", "--dry-run"], ["sweep", model, "--axis", "k=1:2:3", "--set", "H=0.02", "--dry-run"],
                      ["sweep", write("error.yaml", kind=kind, rest="history: {until: 1}\n" + GRID.replace("class", "class, error")), "--dry-run"]):
            for more in ({}, {"COSTAB_NO_FMU": "1"}) if EFFORT >= 10 else ({"COSTAB_NO_FMU": "1"} if kind == "co-simulation" else {},):
                done = run(*words, **more)
                ok(done.returncode == 0 and (done.stdout or "-o" in words) and "rror" not in done.stderr and not was_loaded(),
                   f"{words[0]} of {pathlib.Path(words[1]).name}, {kind}, runs none {more or ''}", done.returncode, done.stdout, done.stderr)
        done = run("map", model)
        ok(done.returncode == 0 and was_loaded(), f"map runs them, {kind}", done.stderr)
    model, grid = write("model.yaml"), write("grid.yaml", rest=GRID)
    planned, really = run("sweep", grid, "--dry-run").stdout, run("sweep", grid, "-o", "grid.h5", "-v").stderr
    ok(planned.splitlines()[1:] == really.splitlines()[1:len(planned.splitlines())], "--dry-run says what the sweep says", planned, really)
    imported = run("import", FMUS / "mass-2.fmu", "--set", "mass_k=3", "--set", "H=0.02", "-o", "imported.yaml", "--force")
    text = (folder / "imported.yaml").read_text()
    ok("  H: 0.02\n" in text and "  mass_k: 3\n" in text and f'fmu: "{FMUS}/mass-2.fmu"' in text, "import writes the FMU's path and what --set gives", text, imported.stderr)
    ok(run("map", "imported.yaml").stdout == run("map", FMUS / "mass-2.fmu", "--set", "mass_k=3", "--set", "H=0.02").stdout, "an imported model is the FMU")
    was_loaded()

    # ---- what forbids it
    asked = {"map": [], "limit": ["--over", "H=0.01:0.1"], "margin": [], "advise": ["--over", "H=0.01:0.1"], "tune": ["--over", "H=0.01:0.1"],
             "pattern": ["--over", "H=0.01,0.02"], "report": ["-o", "page.html"], "simulate": ["--until", "1"],
             "bound": ["--error", "0.1"], "sweep": ["-o", "x.h5"], "plot": []}
    overview = run("--help").stdout
    told = re.search(r"These commands run them.*?: (.*?)\. All others", " ".join(overview.split()))[1]
    listed = {name.split()[0] for name in told.split(", ")}
    ok(listed == set(asked), "the help lists the commands that run FMUs", listed, sorted(asked))
    for command in sorted(listed & set(asked)):
        file = grid if command in ("sweep", "plot") else model
        ways = [(["--no-fmu"], {}), ([], {"COSTAB_NO_FMU": "1"})]
        for words, more in ways if EFFORT >= 10 else [ways[len(command) % 2]]:
            done = run(command, file, *asked[command], *words, **more)
            ok(done.returncode == 2 and f"{file}:4:" in done.stderr and "mass-2.fmu" in done.stderr and "remove that if you trust" in done.stderr and
               not was_loaded() and not filled(temporary), f"{command} {' '.join(words)}{more or ''} runs no FMU", done.returncode, done.stderr)
    ok(all(run("map", model, COSTAB_NO_FMU=word).returncode == 0 for word in ("0", "")), "COSTAB_NO_FMU=0 forbids nothing")
    was_loaded()
    if (BUILT / "costab").is_dir():
        write("measured.yaml", kind="co-simulation")
        code = (f"import costab\nfor name, call, values in (({model!r}, 'map', ()), ('measured.yaml', 'limit', ('H', 0.01, float('inf')))):\n"
                "    try:\n        getattr(costab.Model(name), call)(*values)\n    except Exception as problem:\n        print(problem)\n")
        for word, forbidden in (("1", True), ("0", False)):
            done = subprocess.run([sys.executable, "-c", code], env={**env, "PYTHONPATH": str(BUILT), "COSTAB_NO_FMU": word}, cwd=folder, capture_output=True, text=True)
            ok(done.returncode == 0 and ("model.yaml:4:" in done.stdout and "COSTAB_NO_FMU" in done.stdout) == forbidden and was_loaded() != forbidden,
               f"from Python, COSTAB_NO_FMU={word}", done.stdout, done.stderr)
        ok("the range 0.01:inf is empty or not finite" in done.stdout, "from Python, a limit over an infinite range is refused", done.stdout, done.stderr)
        was_loaded()
    else:
        note("no Python module here")

    # ---- on disk: once for all processes, with one limit
    def weighty(name, declared, packed=b"\0" * 1000):
        path = folder / name
        with zipfile.ZipFile(FMUS / "mass-2.fmu") as old, zipfile.ZipFile(path, "w") as new:
            for entry in old.namelist():
                new.writestr(entry, old.read(entry))
            new.writestr("resources/weight", packed)
            new.infolist()[-1].file_size = declared
        return path

    for what, sizes, expected in (("two of 2.5 GiB", (5 << 29, 5 << 29), "2.fmu': unpacked, the FMUs in use would take 5 GiB; at most 4 GiB"),
                                  ("one of 5 GiB", (5 << 30, 1000), "1.fmu': unpacked, the FMUs in use would take 5 GiB"),
                                  ("an entry that is longer than the archive says", (10, 1000), "resources/weight' is ")):
        first, second = (weighty(f"{k + 1}.fmu", size) for k, size in enumerate(sizes))
        (folder / "weighty.yaml").write_text("system: network\nsubsystems:\n" + "".join(
            f"  - {{name: {name}, fmu: {path}, kind: model-exchange}}\n" for name, path in (("a", first), ("b", second))) +
            "connections: [{from: a.position, to: b.force}, {from: b.position, to: a.force}]\ncoupling: {scheme: jacobi, macro_step: 0.05}\n")
        done = run("map", "weighty.yaml")
        ok(done.returncode == 2 and expected in done.stderr and not filled(temporary), f"refused: {what}", done.returncode, done.stderr)
    slow = write("slow.yaml", f", fault: {SLOW}", rest=GRID.replace("points: 8", "points: 3"))
    most, running, copies = 0, set(), set()
    with subprocess.Popen([COSTAB, "sweep", slow, "-o", "slow.h5", "-q", "-t", "3"], env=env, cwd=folder, stderr=subprocess.PIPE, text=True) as job:
        while job.poll() is None:
            there = found(temporary, "model.so")
            copies |= set(there)
            most = max(most, len(there))
            running |= set(processes(temporary))
            time.sleep(0.05)
        said = job.stderr.read()
    ok(job.returncode == 0 and most == 2 and len(copies) == 2 and len(running) > 4 and not filled(temporary), "two FMUs on three threads are unpacked once each",
       job.returncode, said, most, copies, len(running), filled(temporary))

    # ---- processes and folders that an FMU leaves behind
    def gone():
        return not processes(temporary) and not filled(temporary)

    for version in (2, 3):
        for kind in ("model-exchange", "co-simulation"):
            done = run("map", write("session.yaml", f", fault: {SESSION}", kind=kind, first=FMUS / f"mass-{version}.fmu"))
            ok(done.returncode == 0 and gone(), f"a process in a session of its own ends with costab, FMI {version}, {kind}", done.stderr,
               processes(temporary), filled(temporary))
    hanging = write("hanging.yaml", f", fault: {SESSION}", f", fault: {HANG}")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        with subprocess.Popen([COSTAB, "map", hanging, "--fmu-timeout", "100"], env=env, cwd=folder, stderr=subprocess.PIPE, text=True) as job:
            made = waits(lambda: found(temporary, "of-an-fmu-") and len(processes(temporary)) > 4, 60)
            there = [job.poll(), processes(temporary), found(temporary, "")]
            job.send_signal(number)
            said = job.communicate(timeout=20)[1]
        ok(made and waits(gone, 10), f"nothing is left after {signal.Signals(number).name}", made, there, said, processes(temporary), filled(temporary))
    done = run("map", hanging, "--fmu-timeout", "0.5")
    ok(done.returncode == 1 and "no answer within 0.5 s" in done.stderr and waits(gone, 5), "nor after an FMU that hangs", done.stderr, processes(temporary), filled(temporary))

    for fault, what in ((STOP, "its guardian"), (SUSPEND, "itself")):
        stopping = write("stopping.yaml", f", fault: {fault}")
        start = time.monotonic()
        done = run("map", stopping, "--fmu-timeout", "0.5")
        ok(done.returncode == 1 and "no answer within 0.5 s" in done.stderr and time.monotonic() - start < 60 and waits(gone, 5),
           f"nor after an FMU that suspends {what}", done.stderr, time.monotonic() - start, processes(temporary), filled(temporary))
        with subprocess.Popen([COSTAB, "map", stopping, "--fmu-timeout", "100"], env=env, cwd=folder, stderr=subprocess.PIPE, text=True) as job:
            made = waits(lambda: len(processes(temporary)) > 2, 60)
            time.sleep(0.2)
            job.send_signal(signal.SIGTERM)
            said = job.communicate(timeout=60)[1]
        ok(made and waits(gone, 10), f"nor after SIGTERM, where it suspends {what}", said, processes(temporary), filled(temporary))
    group = subprocess.Popen([sys.executable, "-c", "import os, sys, signal; signal.signal(15, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])", COSTAB, "map", hanging,
                              "--fmu-timeout", "100"], env=env, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True)
    made = waits(lambda: found(temporary, "of-an-fmu-") and len(processes(temporary)) > 4, 60)
    for number in (signal.SIGXCPU, signal.SIGKILL):  # neither is handled: the processes of the FMUs see the end of costab
        os.killpg(group.pid, number)
    group.communicate(timeout=20)
    ok(made and waits(gone, 10), "nor after signals to all processes of the group", processes(temporary), filled(temporary))

    # ---- a folder in which no program can be run
    mounted = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o noexec none "$1" && shift && exec "$@"', "-", temporary]
    if subprocess.run([*mounted, "true"], capture_output=True).returncode == 0:
        done = subprocess.run([*mounted, COSTAB, "map", FMUS / "mass-2.fmu"], env=env, cwd=folder, capture_output=True, text=True)
        ok(done.returncode == 2 and "cannot be run" in done.stderr and "set TMPDIR to a folder" in done.stderr, "a noexec TMPDIR", done.returncode, done.stderr)
    else:
        note("nothing can be mounted here")

    # ---- bytes that FMUs write
    (folder / "room.yaml").write_text(f"system: network\nsubsystems:\n  - {{name: a, fmu: {FMUS}/room-3.fmu, kind: co-simulation, inputs: [heat, on], outputs: [y, warm],"
                                      f" start: {{fault: {BYTES}}}}}\n  - {{name: one, A: [[0]], B: [[0]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}}\n"
                                      "connections: [{from: one.y, to: a.on}]\ncoupling: {scheme: jacobi, macro_step: 0.25}\n")
    done = run("simulate", "room.yaml", "--until", "5")
    values = {float(row["value"]) for row in csv_rows(done) if row["signal"] == "warm"}
    ok(done.returncode == 0 and values == {0, 1}, "a flag whose byte is 2 is 1", values, done.stderr)
    for kind in ("model-exchange", "co-simulation"):
        done = run("map", write("bytes.yaml", f", fault: {BYTES}", kind=kind, first=FMUS / "mass-3.fmu"))
        ok(done.returncode == 0, f"flags whose byte is 2, {kind}", done.stderr)
        done = run("map", write("bytes.yaml", f", fault: {SCRIBBLE}", kind=kind, first=FMUS / "mass-3.fmu"))
        ok(done.returncode in (1, 2) and "mass-3.fmu" in done.stderr and "runtime error" not in done.stderr, f"an FMU that writes where its messages go, {kind}",
           done.returncode, done.stderr)
    ok(gone(), "nothing is left", filled(temporary))
finish()
