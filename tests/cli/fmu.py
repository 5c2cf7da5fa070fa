#!/usr/bin/env python3
"""FMUs as subsystems from the command line: the same answers as their matrices, parameters as axes, and what is said where
an FMU crashes, hangs or is no FMU. Nothing may be left over. Prints TAP."""
import contextlib
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import zipfile

from tap import COSTAB, costab, csv_rows, finish, note, ok, ROOT, stride, waits, processes

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
FAULTS = ("none", "crash", "hang", "exit", "print", "round", "nan", "error", "abort", "fatal", "children", "trap",
          "grid", "forgets", "flag", "late", "memory", "warn", "clock", "early")

MATRICES = """
  - {name: a, A: [[0, 1], [-k/m, -d/m]], B: [[0], [1/m]], C: [[1, 0], [0, 1]], inputs: [force], outputs: [position, speed]}
  - name: b
    A: [[0, 1], [-(5 + kc)/0.5, -(0.3 + 0.4)/0.5]]
    B: [[0, 0], [kc/0.5, 0.4/0.5]]
    C: [[kc, 0.4]]
    D: [[-kc, -0.4]]
    inputs: [position, speed]
    outputs: [reaction]
    substeps: 3
"""
UNITS = """
  - {name: a, fmu: FOLDER/mass-V.fmu, kind: model-exchange, start: {k: k, m: m, d: d, x: 0}}
  - {name: b, fmu: FOLDER/coupled-W.fmu, kind: model-exchange, start: {kc: kc}, substeps: 3}
"""
MODEL = """system: network
parameters: {k: 12, m: 1.5, d: 0.5, kc: 20, H: 0.05}
subsystems:SUBSYSTEMS
connections:
  - {from: a.position, to: b.position}
  - {from: a.speed, to: b.speed}
  - {from: b.reaction, to: a.force}
coupling: {scheme: jacobi, macro_step: H}
"""


def model(folder, name, subsystems, more=""):
    path = pathlib.Path(folder) / name
    path.write_text(MODEL.replace("SUBSYSTEMS", subsystems.rstrip()) + more)
    return path


def units(v, w):
    return UNITS.replace("FOLDER", str(FMUS)).replace("-V", f"-{v}").replace("-W", f"-{w}")


def numbers(done):
    return [[float(x) for x in row["value"].split()] for row in csv_rows(done)
            if row["name"].startswith(("row", "spectral")) and row["value"]]


def near(a, b, tolerance):
    scale = max(abs(x) for row in b for x in row)
    return len(a) == len(b) and all(abs(x - y) <= tolerance * scale for r, s in zip(a, b) for x, y in zip(r, s))


def empty(folder):
    return [str(p) for p in pathlib.Path(folder).iterdir()]


def changed(source, target, edit):
    """A copy of an FMU, its entries as `edit` makes them of a dictionary of names and bytes."""
    with zipfile.ZipFile(source) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    entries = edit(entries) or entries
    with zipfile.ZipFile(target, "w") as new:
        for name, data in entries if isinstance(entries, list) else entries.items():
            new.writestr(name, data)
    return target


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
    env = {**os.environ, "TMPDIR": temporary}

    def run(*words, **options):
        return costab(*words, env=env, **options)

    plain = model(folder, "plain.yaml", MATRICES)

    # ---- the same answers
    truth = numbers(run("map", plain, "--matrix"))
    for v, w in ((2, 2), (3, 3), (2, 3)):
        done = run("map", model(folder, "units.yaml", units(v, w)), "--matrix")
        ok(done.returncode == 0 and near(numbers(done), truth, 1e-7), f"map: FMI {v} and {w}", done.stderr)
    both = model(folder, "units.yaml", units(2, 3))
    checks = {r["name"]: float(r["value"]) for r in csv_rows(run("map", both)) if r["name"].startswith("check ")}
    ok(checks.keys() == {"check a derivatives_apart", "check b derivative_error"} and all(v < 1e-8 for v in checks.values()) and
       checks["check b derivative_error"] > 0, "map: how far derivatives can be trusted", checks)
    for v, w in ((2, 3), (3, 2)):
        done = run("map", model(folder, "slopes.yaml", units(v, w).replace("x: 0", "x: 0, fault: 22")), "--matrix")
        ok(done.returncode == 0 and near(numbers(done), truth, 1e-7) and re.search("gives are 0.0[0-9]* apart, .* which are taken", done.stderr),
           f"map: FMI {v} and {w}, directional derivatives that are off by 1 %", done.stderr)
    ends = [run("limit", path, "--over", "H=0.01:1", "--coupling", "jacobi,gauss-seidel,iterated-linear") for path in (plain, both)]
    rows = [csv_rows(done) for done in ends]
    same = len(rows[0]) == len(rows[1]) > 3 and all(
        a["coupling"] == b["coupling"] and a["class"] == b["class"] and abs(float(a["upper"]) / float(b["upper"]) - 1) < 1e-7
        for a, b in zip(*rows))
    ok(same, "limit: the same pieces", *(done.stdout + done.stderr for done in ends))
    moving = model(folder, "moving.yaml", MATRICES.replace("inputs: [force]", "x0: [1, 0], inputs: [force]"))
    ends = [run("simulate", path, "--until", "0.15") for path in (moving, model(folder, "moved.yaml", units(3, 2).replace("x: 0", "x: 1")))]
    a, b = ([float(row["value"]) for row in csv_rows(done)] for done in ends)
    ok(len(a) == len(b) > 30 and max(abs(x - y) for x, y in zip(a, b)) < 1e-6, "simulate: the same values", a, b, ends[1].stderr)

    # ---- parameters of FMUs as axes
    grid = "axes: {k: [5, 10, 20, 40], kc: {from: 1, to: 400, points: 30}}\nfields: [class, spectral_radius]\n"
    values = []
    for name, subsystems in (("plain", MATRICES), ("units", units(3, 2))):
        done = run("sweep", model(folder, f"{name}_grid.yaml", subsystems, grid), "-o", f"{folder}/{name}.h5", "-q")
        ok(done.returncode == 0, f"sweep: {name}", done.stderr)
        done = run("info", f"{folder}/{name}.h5")
        ok(done.returncode == 0, f"info: {name}", done.stderr)
    try:
        import h5py
        with h5py.File(f"{folder}/plain.h5") as a, h5py.File(f"{folder}/units.h5") as b:
            ok((a["class"][...] == b["class"][...]).all() and abs(a["spectral_radius"][...] - b["spectral_radius"][...]).max() < 1e-7
               and len(set(a["class"][...].ravel())) > 1, "sweep: the same classes and radii")
    except ImportError:
        note("no h5py here")
    done = run("plot", f"{folder}/units.h5", "--script-only", "--kind", "classes", "-o", folder)
    ok(done.returncode == 0, "plot: a figure of a sweep over FMUs needs none of them", done.stderr)

    # ---- an FMU sees its own symbols and the C library's alone: the system's matrix is [[-2, 1], [0.1, -1]]
    alone = pathlib.Path(folder) / "alone.yaml"
    for version in (2, 3):
        alone.write_text(f"system: network\nsubsystems:\n  - {{name: a, fmu: {FMUS}/private-{version}.fmu, kind: model-exchange, start: {{x: 0}}}}\n"
                         "  - {name: b, A: [[-1]], B: [[1]], C: [[0.1]], inputs: [u], outputs: [y]}\n"
                         "connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]\ncoupling: {scheme: jacobi, macro_step: 0.1}\n")
        done = run("map", alone)
        found = {row["name"]: row["value"] for row in csv_rows(done)}
        ok(done.returncode == 0 and abs(float(found["spectral_abscissa"]) - (-3 + 1.4**0.5) / 2) < 1e-8,
           f"symbols of an FMU of FMI {version} that libraries of costab have, too", done.stdout, done.stderr)

    # ---- a job that is suspended for longer than the FMU may take goes on as if nothing had been
    alone.write_text(f"system: network\nsubsystems:\n  - {{name: a, fmu: {FMUS}/duffing-2.fmu, kind: model-exchange, start: {{x: 0, fault: 23}}}}\n"
                     "  - {name: b, A: [[-1]], B: [[1]], C: [[0.1]], inputs: [u], outputs: [y]}\n"
                     "connections: [{from: a.energy, to: b.u}, {from: b.y, to: a.force}]\ncoupling: {scheme: jacobi, macro_step: 0.1}\n")
    words = ["map", str(alone), "--fmu-timeout", "1"]
    (quick := pathlib.Path(folder) / "quick.yaml").write_text(alone.read_text().replace("fault: 23", "fault: 0"))
    undisturbed = run("map", quick)
    with subprocess.Popen([COSTAB, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as job:
        waits(lambda: len(processes(temporary)) > 1, 5)
        time.sleep(0.05)
        suspended = [int(process) for process in processes(temporary)]
        for number, then in ((signal.SIGSTOP, 1.5), (signal.SIGCONT, 0)):
            for process in suspended:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
            time.sleep(then)
        said = job.communicate(timeout=60)
    ok(undisturbed.returncode == job.returncode == 0 and said[0] == undisturbed.stdout and suspended, "a suspended job gives the same answer",
       job.returncode, *said, undisturbed.stderr, suspended)

    # ---- coefficients that vary in time: v' = force - 0.1 v - (1 + e cos(w t)) x + a sqrt(end - t)
    varying = pathlib.Path(folder) / "varying.yaml"

    def mathieu(kind, version=2, start="", subsystem="", e="e"):
        varying.write_text("system: network\nparameters: {e: 0.5, H: 0.05}\n"
                           f"subsystems:\n  - {{name: mass, fmu: {FMUS}/mathieu-{version}.fmu, kind: {kind}, start: {{e: {e}{start}}}{subsystem}}}\n"
                           "  - {name: b, A: [[-1]], B: [[1]], C: [[0]], inputs: [u], outputs: [y]}\n"
                           "connections: [{from: mass.position, to: b.u}, {from: b.y, to: mass.force}]\n"
                           "coupling: {scheme: jacobi, macro_step: H}\n")
        return varying

    stating = (["map"], ["limit", "--over", "H=0.01:0.1"], ["limit", "--over", "e=0:1"], ["limit", "--over", "e=0:1", "--set", "e=0"], ["margin"],
               ["advise", "--over", "H=0.01:0.1"], ["tune", "--over", "H=0.01:0.1"], ["pattern", "--steps", "0.01,0.02"],
               ["report", "-o", f"{folder}/page.html"], ["sweep", "--axis", "e=0:5:11", "-o", f"{folder}/chart.h5"])
    said = "mathieu-2.fmu: the derivative of 'der(v)' by 'x' depends on time: it is -"
    for command, *more in stating[::stride(2)]:
        done = run(command, mathieu("model-exchange"), *more)
        ok(done.returncode == 2 and said in done.stderr and "costab simulate runs this model" in done.stderr and done.stdout.count("\n") < 2,
           " ".join([command, *more]) + " refuses coefficients that vary in time", done.returncode, done.stdout, done.stderr)
    for version, start, what in ((3, "", "of FMI 3"), (2, ", fault: 22", "found by differences"), (2, f", w: {2 * math.pi}", "with a period of 1 s"),
                                 (2, ", a: 1", "beside a force"), (2, ", a: 1, end: 70", "up to a time at which the FMU fails")):
        done = run("map", mathieu("model-exchange", version, start))
        ok(done.returncode == 2 and "of 'der(v)' by 'x' depends on time: it is -1.5 " in done.stderr, f"map refuses coefficients {what}", done.stdout, done.stderr)
    # With e = 0 the eigenvalues are those of v' = -0.1 v - x, whatever the force.
    maps = [run("map", mathieu("model-exchange", start=start, e="0*e")) for start in ("", ", a: 1", ", a: 1, end: 70")]
    found_of = [[row for row in csv_rows(done) if row["name"] != "check mass derivatives_apart"] for done in maps]
    found = {row["name"]: row["value"] for row in csv_rows(maps[0])}
    ok(abs(float(found["spectral_abscissa"]) + 0.05) < 1e-8, "with e = 0 map answers", maps[0].stdout, maps[0].stderr)
    ok(found_of[0] == found_of[1] == found_of[2], "a force that varies in time changes nothing", *found_of)
    ok(run("map", mathieu("model-exchange"), "--set", "e=0").stdout == maps[0].stdout, "nor does --set e=0 differ")
    ok("derivatives by states and inputs are the same" in maps[1].stderr and "whether its derivatives depend on time is not known" in maps[2].stderr,
       "a warning says what was tried", maps[1].stderr, maps[2].stderr)

    def oscillator(until, n):
        """x of Mathieu's equation from x = 1 at rest, by Runge-Kutta steps of fourth order."""
        x, v, h = 1.0, 0.0, until / n
        slope = lambda t, x, v: (v, -0.1 * v - (1 + 0.5 * math.cos(2 * t)) * x)
        for step in range(n):
            t = step * h
            a = slope(t, x, v)
            b = slope(t + h / 2, x + h / 2 * a[0], v + h / 2 * a[1])
            c = slope(t + h / 2, x + h / 2 * b[0], v + h / 2 * b[1])
            d = slope(t + h, x + h * c[0], v + h * c[1])
            x, v = (y + h / 6 * (p + 2 * q + 2 * r + s) for y, p, q, r, s in zip((x, v), a, b, c, d))
        return x

    end = oscillator(2, 800)
    for kind, more in (("model-exchange", ", substeps: 10"), ("co-simulation", "")):
        done = run("simulate", mathieu(kind, 2, ", x: 1, steps: 10" if more == "" else ", x: 1", more), "--until", "2")
        rows = [float(row["value"]) for row in csv_rows(done) if row["signal"] == "position"]
        ok(done.returncode == 0 and abs(rows[-1] - end) < 1e-6, f"simulate runs an FMU for {kind} that varies in time",
           rows[-1:], end, done.stderr)
    done = run("map", mathieu("co-simulation"))
    ok(done.returncode == 2 and "depends on time" in done.stderr and "costab simulate runs this model" in done.stderr,
       "map refuses it for co-simulation, too", done.stdout, done.stderr)
    done = run("simulate", mathieu("model-exchange", 2, ", x: 1", ", method: exact"), "--until", "1")
    ok(done.returncode == 0 and "shows its linearisation at its start, not the FMU" in done.stderr, "a warning where simulate shows matrices", done.stderr)

    # ---- faults: a message with name and call, exit 1
    words = {"crash": "crashed (SIGSEGV)", "hang": "no answer within 0.4 s", "exit": "exit status 3", "abort": "crashed (SIGABRT)",
             "round": "changed the rounding mode", "nan": "not a finite number", "error": "the spring broke",
             "fatal": "all is lost", "children": "mass", "trap": "crashed (SIGFPE)",
             "memory": "no memory left (--fmu-memory)"}
    if {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys():
        note("a sanitizer leaves no limit of memory")
        del words["memory"]
    for version in (2, 3):
        call = "fmi2GetDerivatives" if version == 2 else "fmi3GetContinuousStateDerivatives"
        for fault, expected in list(words.items())[::1 if version == 2 else stride(4)]:
            path = model(folder, "fault.yaml", units(version, 2).replace("x: 0", f"x: 0, fault: {FAULTS.index(fault)}"))
            done = run("map", path, "--fmu-timeout", "0.4", *(("--fmu-memory", "0.3") if fault == "memory" else ()), timeout=30)
            said = done.stderr
            ok(done.returncode == 1 and expected in said and call in said and f"mass-{version}.fmu" in said and not done.stdout,
               f"fault: {fault} with FMI {version}", done.returncode, said, done.stdout)
        for fault, stream in (("print", "output"), ("warn", "error")):
            path = model(folder, "fault.yaml", units(version, 2).replace("x: 0", f"x: 0, fault: {FAULTS.index(fault)}"))
            done = run("map", path)
            ok(done.returncode == 0 and "mass" in done.stderr and f"wrote to its standard output or error: 'what an FMU says on the standard {stream}" in done.stderr
               and "FMU says" not in done.stdout, f"words on the standard {stream} with FMI {version}", done.stderr)
    for size in ("-1", "0", "x"):
        ok(run("map", plain, "--fmu-memory", size).returncode == 2, f"--fmu-memory {size}")
    ok(not empty(temporary), "no temporary folder is left", empty(temporary))
    waits(lambda: not processes(temporary), 5)
    ok(not processes(temporary), "no process is left", processes(temporary))

    # ---- files that are wrong: exit 2
    mass = FMUS / "mass-2.fmu"
    description = "modelDescription.xml"

    def text(edit):
        return lambda e: e.update({description: edit(e[description].decode()).encode()})

    wrong = {
        "no description": (lambda e: {n: d for n, d in e.items() if n != description}, "there is no 'modelDescription.xml'"),
        "no XML": (text(lambda s: s[:200]), "it is not valid XML"),
        "FMI 1.0": (text(lambda s: s.replace('"2.0"', '"1.0"', 1)), "FMI 1.0 is not supported"),
        "entities": (text(lambda s: s.replace("<fmiModel", '<!DOCTYPE x [<!ENTITY e SYSTEM "/etc/passwd">]><fmiModel', 1)), "document type"),
        "a wrong word": (text(lambda s: s.replace('"input"', '"inputt"', 1)), "causality = 'inputt'"),
        "a state that is not there": (text(lambda s: s.replace('derivative="1"', 'derivative="99"', 1)), "is missing, or has a different type"),
        "an identifier that leads out": (text(lambda s: s.replace('"model"', '"../model"')), "modelIdentifier"),
        "another machine": (lambda e: {n.replace("linux64", "win64"): d for n, d in e.items()}, "it has binaries for win64"),
        "folders whose names are part of others'": (lambda e: {n.replace("linux64", "win64"): d for n, d in e.items()} | {"binaries/win/x": b"x", "binaries/64/x": b"x"},
                                                    "it has binaries for win64, win, 64\n"),
        "a name of two lines": (text(lambda s: s.replace('name="force"', 'name="for&#10;ce"')), f"{folder}/bad.fmu/modelDescription.xml:"),
        "no binary": (lambda e: {n: d for n, d in e.items() if "binaries" not in n}, "no binary for any machine"),
        "no program": (lambda e: e.update({"binaries/linux64/model.so": b"nothing"}), "cannot be loaded"),
        "two programs, both under other names": (lambda e: {n.replace("model.so", "a.so"): d for n, d in e.items()} | {"binaries/linux64/b.so": b"x"},
                                                 "there is no binaries/linux64/model.so in it"),
        "a name twice, once with \\": (lambda e: e.update({"resources\\data.txt": b"x"}), "is in it twice"),
        "a path that leads out with \\": (lambda e: e.update({"binaries\\..\\..\\out": b"x"}), "leads out of the archive"),
        "two entries of one name": (lambda e: [*e.items(), (description, b"<other/>")], "is in it twice, with different contents"),
        "a path that leads out": (lambda e: e.update({"binaries/../../out": b"x"}), "leads out of the archive"),
        "an absolute path": (lambda e: e.update({"/tmp/out": b"x"}), "leads out of the archive"),
    }
    rename = lambda old, new: lambda e: {n.replace(old, new): d for n, d in e.items()}  # noqa: E731
    for name, edit in {"a lone library under another name": rename("model.so", "libwheel.so"),
                       "an entry that is not needed, twice": lambda e: [*e.items(), ("extra/x", b"1"), ("extra/x", b"1")],
                       "a resource twice": lambda e: [*e.items(), ("resources/x", b"1"), ("resources/x", b"1")],
                       "a library twice": lambda e: [*e.items(), *((n, d) for n, d in e.items() if n.endswith("model.so"))],
                       "- and . in a modelIdentifier": text(lambda s: s.replace('"model"', '"my-model.v2"')),
                       "\\ between folders": rename("/", "\\")}.items():
        if "modelIdentifier" in name:
            edit = (lambda first: lambda e: rename("model.so", "my-model.v2.so")(first(e) or e))(edit)
        done = run("map", model(folder, "lax.yaml", units(2, 2).replace(str(mass), str(changed(mass, f"{folder}/lax.fmu", edit)))), "--matrix")
        ok(done.returncode == 0 and near(numbers(done), truth, 1e-7), f"read: {name}", done.returncode, done.stderr)
    # ---- units: of the variable, of its type; the model's own words come first
    for version, types, inner in ((2, '<SimpleType name="Length"><Real unit="m"/></SimpleType>', '<Real '), (3, '<Float64Type name="Length" unit="m"/>', "")):
        source, path = FMUS / f"mass-{version}.fmu", f"{folder}/measured.fmu"
        measured = changed(source, path, text(lambda s: re.sub(f'(name="position".*?{inner or " "})', r'\1declaredType="Length" ', re.sub(
            '(name="force".*?start="0")', r'\1 unit="N"', s.replace("<ModelVariables>", f"<TypeDefinitions>{types}</TypeDefinitions><ModelVariables>")))))
        plain_text = units(version, 2).replace(str(source), path)
        for words, expected in (("", ["N", "m", ""]), (", outputs: [{name: position, unit: mm}, speed]", ["N", "mm", ""])):
            shown = json.loads(run("info", model(folder, "measured.yaml", plain_text.replace("x: 0}", "x: 0}" + words)), "-f", "json").stdout)
            told = {row["signal"]: row["unit"] for row in shown if "signal" in row}
            ok([told.get(f"a.{port}", "") for port in ("force", "position", "speed")] == expected, f"units of an FMU of FMI {version}{words}", told)
    coupled = FMUS / "coupled-2.fmu"
    denied = changed(coupled, f"{folder}/denied.fmu", text(lambda s: s.replace('<Unknown index="7"/>', '<Unknown index="7" dependencies=""/>')))
    done = run("map", model(folder, "denied.yaml", units(2, 2).replace(str(coupled), denied)))
    ok(done.returncode == 2 and "'reaction' depends on the input 'position', but its 'dependencies' in the description deny this" in done.stderr, "wrong: dependencies", done.stderr)
    for name, (edit, expected) in wrong.items():
        bad = changed(mass, f"{folder}/bad.fmu", edit)
        done = run("map", model(folder, "bad.yaml", units(2, 2).replace(str(mass), str(bad))))
        ok(done.returncode == 2 and expected in done.stderr, f"wrong: {name}", done.returncode, done.stderr)
    (pathlib.Path(folder) / "bad.fmu").write_bytes(mass.read_bytes()[:-200])
    done = run("map", path := model(folder, "bad.yaml", units(2, 2).replace(str(mass), f"{folder}/bad.fmu")))
    ok(done.returncode == 2 and "not a readable zip archive" in done.stderr, "wrong: cut short", done.stderr)
    for key, expected in (("start: {fautl: 1}", "did you mean"), ("start: {speed: 1}", "cannot be given a value"),
                          ("outputs: [force]", "is not a variable output"), ("kind: other", "is not a kind"),
                          ("inputs: [nothing]", "no variable 'nothing'"), ("A: [[1]]", "cannot be combined with 'fmu'")):
        text_ = units(2, 2).replace("kind: model-exchange, start: {k: k, m: m, d: d, x: 0}",
                                    key if key.startswith("kind") else f"kind: model-exchange, {key}")
        done = run("map", model(folder, "bad.yaml", text_))
        ok(done.returncode == 2 and expected in done.stderr, f"wrong: {key}", done.returncode, done.stderr)
    changed(FMUS / "mass-3.fmu", f"{folder}/bad.fmu", text(lambda s: s.replace('valueReference="403" causality="parameter"', 'valueReference="403" causality="structuralParameter"')))
    done = run("map", model(folder, "bad.yaml", units(2, 2).replace(str(mass), f"{folder}/bad.fmu").replace("x: 0", "steps: 2")))
    ok(done.returncode == 2 and "'steps' is a structural parameter" in done.stderr, "wrong: a structural parameter", done.stderr)
    ok(not empty(temporary), "no temporary folder is left by wrong files", empty(temporary))

    # ---- a run goes on behind an event
    (pathlib.Path(folder) / "event.yaml").write_text("system: network\nsubsystems:\n  - {name: a, fmu: FOLDER/stop-3.fmu, kind: model-exchange, start: {x: 0.5},"
                                                     " operating_point: {x: 0.5}}\ncoupling: {scheme: jacobi, macro_step: 0.1}\n".replace("FOLDER", str(FMUS)))
    done = run("simulate", f"{folder}/event.yaml", "--until", "0.2")
    ok(done.returncode == 0 and len(csv_rows(done)) > 10, "simulate: before an event", done.stderr)
    done = run("simulate", f"{folder}/event.yaml", "--until", "5")
    ok(done.returncode == 0 and csv_rows(done)[-1]["t"] == "5", "simulate: beyond an event", done.returncode, done.stderr)

    # ---- an exact solver is for what is linear
    for name, start, warned in (("duffing", "{x: 0.5}", True), ("mass", "{x: 0.5}", False)):
        (pathlib.Path(folder) / "exact.yaml").write_text(f"system: network\nsubsystems:\n  - {{name: a, fmu: {FMUS}/{name}-2.fmu, kind: model-exchange, "
                                                         f"start: {start}, method: exact}}\ncoupling: {{scheme: jacobi, macro_step: 0.1}}\n")
        done = run("map", f"{folder}/exact.yaml")
        ok(done.returncode == 0 and ("is not linear around 0" in done.stderr) == warned, f"method: exact of {name}", done.stderr)

    # ---- an FMU in the place of a model: nobody has seen the lines of the text that is made of it
    done = run("map", mass, "--set", "mass_m=0")
    ok(done.returncode == 1 and f"{mass}: warning: nothing feeds the input mass.force" in done.stderr and f"{mass}: error: subsystem 'mass'" in done.stderr,
       "an FMU's own name is the place of what is wrong in it", done.stderr)
    sweep = pathlib.Path(folder) / "own.yaml"
    sweep.write_text(f"system: network\nmodel: {mass}\naxes: {{stiff: [1, 2]}}\n")
    done = run("sweep", sweep)
    ok(done.returncode == 2 and f"{sweep}:3:8: error: axes: 'stiff' is not a parameter of the model; its parameters are: H, mass_m, mass_k" in done.stderr,
       "an axis has the name of a parameter: these are listed", done.stderr)
    done = run("map", f"{folder}/nothing.fmu")
    ok(done.returncode == 2 and "nothing.fmu': No such file" in done.stderr and "folder" not in done.stderr.replace(folder, ""), "no such FMU", done.stderr)

    # ---- what one says of itself
    done = run("info", FMUS / "coupled-3.fmu")
    ok(done.returncode == 0 and "body.v" in done.stdout and "reaction" in done.stdout and "kc  start 20" in done.stdout, "info", done.stdout)
finish()
