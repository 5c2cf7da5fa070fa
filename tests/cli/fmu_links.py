#!/usr/bin/env python3
"""FMUs as a master steps them: flags, whole numbers and texts at ports, parts with outputs or inputs only, events of model
exchange, steps that end early, solvers with an error. What a simulation gives is computed here step by step. Prints TAP."""
import os
import pathlib
import tempfile

from systems import component, connection, system
from tap import costab, csv_rows, finish, ok, ROOT

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
H = 0.25


def rk4(x, u, h=H):
    """x' = u - x"""
    k1 = u - x
    k2 = u - (x + h / 2 * k1)
    k3 = u - (x + h / 2 * k2)
    k4 = u - (x + h * k3)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def heated(count, heat=0.0):
    """Room a is on, and warm above 0.5; room b is on where a is warm, its level the steps that a has taken: Jacobi."""
    a = b = warm = steps = 0
    rows = []
    for _ in range(count):
        a, b = rk4(a, 1 + heat), rk4(b, warm + steps)
        warm, steps = int(a > 0.5), steps + 1
        rows.append((a, b))
    return rows


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)

    def write(name, subsystems, connections="", step=H):
        path = folder / name
        path.write_text(f"system: network\nsubsystems:\n{subsystems}" + (f"connections:\n{connections}" if connections else "") +
                        f"coupling: {{scheme: jacobi, macro_step: {step}}}\n")
        return path

    def signal(done, name, local=False):
        return [float(r["value"]) for r in csv_rows(done)
                if f"{r['subsystem']}.{r['signal']}" == name and (local or r["point"] == "communication")]

    def value(done, name):
        return [float(r["value"]) for r in csv_rows(done) if r["name"] == name][0]

    rooms = "".join(f"  - {{name: {n}, fmu: {FMUS}/room-{v}.fmu, kind: co-simulation, inputs: [heat, on, level], outputs: [y, warm, count]}}\n"
                    for n, v in (("a", 2), ("b", 3), ("c", 2)))
    ties = "  - {from: a.warm, to: b.on}\n  - {from: a.count, to: b.level}\n  - {from: one.y, to: a.on}\n"
    one = "  - {name: one, A: [[0]], B: [[0]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}\n"
    path = write("links.yaml", rooms + one, ties)
    done = costab("simulate", path, "--until", "5")
    truth = heated(20)
    ok(done.returncode == 0 and all(abs(x - y) < 1e-12 for x, (y, _) in zip(signal(done, "a.y")[1:], truth)) and
       all(abs(x - y) < 1e-11 for x, (_, y) in zip(signal(done, "b.y")[1:], truth)) and truth[-1][1] > 10,
       "simulate: a flag and a whole number are passed", signal(done, "b.y"), done.stderr)
    ok(done.stderr.count("are not continuous numbers: the analysis holds them") >= 3, "warned: held ports", done.stderr)
    done = costab("map", path)
    ok(done.returncode == 0 and abs(value(done, "spectral_radius") - rk4(1, 0)) < 1e-12 and value(done, "removed_modes") == 1,
       "map: the links are held; what remains beside the constant is a room", done.stderr)
    loop = write("loop.yaml", rooms, "  - {from: a.y, to: b.heat, gain: 0.5}\n  - {from: b.y, to: a.heat, gain: -2}\n  - {from: b.warm, to: a.on}\n")
    plain = write("plain.yaml", "".join(
        f"  - {{name: {n}, A: [[-1]], B: [[1]], C: [[1]], inputs: [heat], outputs: [y], method: rk4}}\n" for n in "ab"),
        "  - {from: a.y, to: b.heat, gain: 0.5}\n  - {from: b.y, to: a.heat, gain: -2}\n")
    pair = [value(costab("map", p), "spectral_radius") for p in (loop, plain)]
    ok(abs(pair[0] - pair[1]) < 1e-11, "map: beside held links the real ones count", pair)

    exchange = [write(f"exchange{v}.yaml", rooms.replace("co-simulation", "model-exchange").replace("room-2", f"room-{v}") + one, ties) for v in (2, 3)]
    for v, path in zip((2, 3), exchange):
        done = costab("simulate", path, "--until", "5")
        warm = signal(done, "b.on")
        ok(done.returncode == 0 and warm[0] == 0 and warm[-1] == 1 and abs(signal(done, "b.y")[-1] - 1) < 0.05,
           f"simulate: a flag is passed in event mode, FMI {v}", warm, signal(done, "b.y")[-1:], done.stderr)

    # ---- outputs only, inputs only
    path = write("ends.yaml", "".join(f"  - {{name: {n}, fmu: {FMUS}/{f}.fmu, kind: co-simulation}}\n" for n, f in
                                      (("s", "source-2"), ("k", "sink-3"), ("r", "room-3"))),
                 "  - {from: s.y, to: r.heat}\n  - {from: r.y, to: k.u}\n")
    done = costab("simulate", path, "--until", "2")
    x = 0.0
    for i in range(8):
        x = rk4(x, i * H)
    ok(done.returncode == 0 and abs(signal(done, "r.y")[-1] - x) < 1e-12, "simulate: a source is stepped", signal(done, "r.y"), x, done.stderr)
    done = costab("map", path)
    ok(done.returncode == 0 and abs(value(done, "spectral_radius") - rk4(1, 0)) < 1e-12 and "has no inputs" in done.stderr and
       "has no outputs" in done.stderr, "map: source and sink are held", done.stdout, done.stderr)

    # ---- the same of a system, with a text that is left out
    parts = "".join(component(n, f"{FMUS}/{f}.fmu", "".join(
        f'<ssd:Connector name="{c}" kind="{k}"><ssc:{t}/></ssd:Connector>' for c, k, t in
        (("heat", "input", "Real"), ("on", "input", "Boolean"), ("level", "input", "Integer"), ("y", "output", "Real"),
         ("warm", "output", "Boolean"), ("count", "output", "Integer"), ("label", "output", "String"))), "", ' implementation="CoSimulation"')
        for n, f in (("a", "room-2"), ("b", "room-3")))
    (folder / "links.ssd").write_text(system(parts, connection("a.warm", "b.on") + connection("a.count", "b.level") + connection("a.label", "b.on")))
    done = costab("simulate", folder / "links.ssd", "--set", f"H={H}", "--until", "5")
    b = 0.0
    for i in range(20):
        b = rk4(b, i)
    ok(done.returncode == 0 and abs(signal(done, "b.y")[-1] - b) < 1e-11 and "keeps its start value" in done.stderr,
       "a system with flags, whole numbers and texts", signal(done, "b.y")[-1:], b, done.stderr)
    ok("give a step size" not in done.stderr, "its FMUs give a step size", done.stderr)

    # ---- events: a ball falls 1 in 0.5 s, and rises to a quarter
    for v in (2, 3):
        path = write("ball.yaml", f"  - {{name: a, fmu: {FMUS}/bounce-{v}.fmu, kind: model-exchange, method: rk4, substeps: 40}}\n", step=0.05)
        done = costab("simulate", path, "--until", "1.4")
        local = signal(done, "a.h", True)
        low = next(i for i, h in enumerate(local) if h < 0.02)
        ok(done.returncode == 0 and min(local) > -0.01 and abs(max(local[low:]) - 0.25) < 0.01, f"simulate: a ball bounces, FMI {v}",
           min(local), max(local[low:]), done.stderr)
        ok([r["monolithic"] for r in csv_rows(done)][-1] == "", "the monolithic solution ends at an event")

    # ---- steps that end early: two of half the length
    def damped(v, start):
        done = costab("map", write("early.yaml", f"  - {{name: a, fmu: {FMUS}/mass-{v}.fmu, kind: co-simulation, start: {{x: 0, {start}}}}}\n",
                                   "  - {from: a.position, to: a.force, gain: -1}\n"))
        return value(done, "spectral_radius") if done.returncode == 0 else done.stderr
    for v in (2, 3):
        pair = damped(v, "fault: 19"), damped(v, "steps: 2")
        ok(isinstance(pair[0], float) and abs(pair[0] - pair[1]) < 1e-11, f"steps that end early go on, FMI {v}", pair)

    # ---- accuracy
    for given, code in (("1e-13", 2), ("0.1", 2), ("x", 2), ("1e-3", 0)):
        ok(costab("map", loop, "--fmu-accuracy", given).returncode == code, f"--fmu-accuracy {given}")

finish()
