#!/usr/bin/env python3
"""How `costab limit` is asked and answers: spacing, several ranges, and why an answer is empty. Prints TAP."""
import json
import pathlib
import resource
import signal
import subprocess
import tempfile

import h5py

from random_charts import ARM
import scripts
from tap import computing, COSTAB, costab, csv_rows, finish, meanings, ok, stride

here = pathlib.Path(__file__).resolve().parents[1]

SPRINGS = str(here.parent / "sweeps/lim/models/springs.yaml")
OSCILLATOR = str(here.parent / "sweeps/precice/models/oscillator.yaml")


def run(*words):
    return subprocess.run([COSTAB, "limit", *words], capture_output=True, text=True, check=False)


def same(one, other):
    return len(one) == len(other) > 0 and all(
        a["class"] == b["class"] and a["coupling"] == b["coupling"] and
        all(abs(float(a[k]) - float(b[k])) <= 1e-10 * abs(float(a[k])) for k in ("lower", "upper")) for a, b in zip(one, other))


# The first cells do not change what is found: transversal limits are found to 1e-10 either way.
for over in ("H=1e-6:0.5", "kc=1:1e6")[::stride(2)]:
    asked = [SPRINGS, "--over", over, "--coupling", "jacobi-hermite,newton-linear,gauss-seidel-linear"]
    ok(same(csv_rows(run(*asked).stdout), csv_rows(run(*asked, "--spacing", "log").stdout)), f"--spacing log finds what linear does, {over}")

two = run(SPRINGS, "--over", "H=1e-4:0.2", "--over", "kc=1:1e6", "--coupling", "jacobi")
alone = [run(SPRINGS, "--over", over, "--coupling", "jacobi").stdout for over in ("H=1e-4:0.2", "kc=1:1e6")]
ok(two.stdout == "\n".join(alone), "two --over print the tables of one each, an empty line between", two.stdout)
two = run(SPRINGS, "--over", "H=1e-4:0.2", "--over", "kc=1:1e6", "--coupling", "jacobi", "--format", "json")
ok({row["parameter"] for row in json.loads(two.stdout)} == {"H", "kc"}, "in JSON they are one array", two.stdout)

# A large network: the same bytes from any number of threads, and a signal ends the search inside a coupling.
def ring(path, count):
    parts = "\n".join(f"  - {{name: s{i}, A: [[0, 1], [-3, -0.1]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], method: rk4}}"
                      for i in range(count))
    wires = "\n".join(f"  - {{from: s{i}.x, to: s{(i + d) % count}.{port}}}" for i in range(count) for d, port in ((1, "l"), (-1, "r")))
    path.write_text(f"system: network\nparameters: {{H: 0.01}}\nsubsystems:\n{parts}\nconnections:\n{wires}\n"
                    "coupling: {scheme: jacobi, macro_step: H}\n")
    return str(path)


with tempfile.TemporaryDirectory() as folder:
    model = ring(pathlib.Path(folder) / "ring.yaml", 16)
    said = [run(model, "--over", "H=0.01:0.4", "--threads", threads, "--verbose") for threads in ("1", "3")]
    ok(len(said[0].stdout.splitlines()) > 1 and said[0].stdout == said[1].stdout and "on 1 thread\n" in said[0].stderr and
       "on 3 threads" in said[1].stderr, "three threads print what one does", *(s.stdout + s.stderr for s in said))
    # So does a first thread with a short stack.
    stack = (2**20,) * 2
    large = ring(pathlib.Path(folder) / "large.yaml", 24)
    short, ordinary = (costab("limit", large, "--over", "H=0.01:0.4", "--threads", 1,
                              preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_STACK, stack)) if limited else None)
                       for limited in (True, False))
    ok(short.returncode == 0 and short.stdout == ordinary.stdout and len(short.stdout.splitlines()) > 1, "a stack of 1024 kB is enough",
       short.returncode, short.stdout + short.stderr)
    child = subprocess.Popen([COSTAB, "limit", ring(pathlib.Path(folder) / "large.yaml", 250), "--over", "H=0.001:0.4"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    computing(child)
    child.send_signal(signal.SIGINT)
    printed, told = child.communicate()
    ok(child.returncode == -signal.SIGINT and len(printed.splitlines()) < 2 and told == "costab limit: stopped by a signal\n", "a signal ends a search",
       child.returncode, printed, told)

# Why there is none, with the numbers: [PRE]'s undamped oscillator under jacobi grows by (1 + x) a step, x ~ H^2.
said = run(OSCILLATOR, "--over", "H=0.001:0.2", "--coupling", "jacobi")
ok(said.returncode == 0 and len(said.stdout.splitlines()) == 1 and "grows at every H from 0.001 to 0.2 s" in said.stderr and
   "continuous system is neutral" in said.stderr and "at H = 0.001 s," in said.stderr, "a neutral system that grows", said.stderr)
said = run(OSCILLATOR, "--over", "H=0.001:0.2", "--coupling", "newton", "--set", "d=-1")
ok(said.returncode == 0 and "continuous system is unstable itself" in said.stderr, "an unstable system", said.stderr)
with tempfile.TemporaryDirectory() as folder:
    # A ring of x' = -x + u, gains 1 and -k: jacobi is stable for k from -1 to some number.
    model = pathlib.Path(folder) / "ring.yaml"
    model.write_text("""system: network
parameters: {k: 1, H: 0.5}
subsystems:
  - {name: one, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: two, A: [[-1]], B: [[-k]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {scheme: jacobi, macro_step: H}
""")
    said = run(model, "--over", "k=-1e100:1e100")
    ok(said.returncode == 0 and len(said.stdout.splitlines()) == 1 and "narrower than the search resolves" in said.stderr and "grows at every" not in said.stderr,
       "stable values that are a tiny part of the range", said.stdout, said.stderr)
with tempfile.TemporaryDirectory() as folder:
    # Two gains in a loop, u1 = y2 = -g u2 = -g x: an iteration that multiplies the guesses' errors by g at every H.
    model = pathlib.Path(folder) / "gain.yaml"
    model.write_text("""system: network
parameters: {H: 0.1, g: 2}
subsystems:
  - {name: one, states: [x], A: [[-1]], B: [[0]], C: [[1]], D: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: two, inputs: [u], outputs: [y], D: [[-g]], method: exact}
connections:
  - {from: one.y, to: two.u}
  - {from: two.y, to: one.u}
coupling:
  - {name: iterated-solved, scheme: iterated, feedthrough: solved, macro_step: H}
""")
    said = run(str(model), "--over", "H=0.01:1")
    ok(said.returncode == 0 and len(said.stdout.splitlines()) == 1 and "iteration diverges at every H" in said.stderr and
       "continuous system is stable" in said.stderr, "an iteration that diverges", said.stdout, said.stderr)
    said = run(str(model), "--over", "g=-1:1", "--set", "H=0.1")
    ok(said.returncode == 0 and "ill-posed" in said.stdout, "a loop that is singular at one end is no error", said.stdout, said.stderr)

with tempfile.TemporaryDirectory() as folder:
    # An order in a coupling's name is that of a file that lists the subsystems so.
    parts = ["  - {name: wall, states: [x], A: [[-3]], B: [[2]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n",
             "  - {name: room, states: [x], A: [[-1]], B: [[-4]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"]
    model = pathlib.Path(folder) / "rooms.yaml"
    found = []
    for listed, name in ((parts, "gauss-seidel(room,wall)"), (parts[::-1], "gauss-seidel")):
        model.write_text("system: network\nparameters: {H: 0.1}\nsubsystems:\n" + "".join(listed) +
                         "connections:\n  - {from: wall.y, to: room.u}\n  - {from: room.y, to: wall.u}\n"
                         "coupling: {scheme: jacobi, macro_step: H}\n")
        said = run(str(model), "--over", "H=0.01:5", "--coupling", name)
        found.append([row | {"coupling": ""} for row in csv_rows(said.stdout)])
        ok(said.returncode == 0 and found[-1][0]["upper_kind"] == "limit", f"limit of {name}",
           said.stdout, said.stderr)
    ok(same(*found), "an order in the name is that of the file's list", found)

# What passes at an end: of what `map` prints a little beyond it, where the co-simulation grows, the first mode. Newton iterations
# do not need to converge by themselves.
DRIVE = str(here.parent / "sweeps/findings/models/drive.yaml")


def beyond(row, side):
    """(cause, frequency, blame) by map, 1e-5 of the value outside of the interval."""
    there = float(row[side]) * (1 + (1e-5 if side == "upper" else -1e-5))
    point, = json.loads(costab("map", DRIVE, "--set", f"H={there!r}", "--coupling", row["coupling"], "-f", "json").stdout)
    if row["coupling"].startswith("iterated") and (point["iteration_radius"] or 0) > 1:
        return "iteration", None, None
    real, imaginary = point["eigenvalues"][0]
    mode = point["modes"][0]
    return ("oscillation" if imaginary else "fold" if real > 0 else "flip"), mode["frequency"], max(mode["participation"], key=mode["participation"].get)


def agree(row, side):
    cause, frequency, blame = beyond(row, side)
    if cause == "iteration":
        return row[f"{side}_cause"] == cause
    return (row[f"{side}_cause"], row[f"{side}_subsystem"]) == (cause, blame) and abs(float(row[f"{side}_frequency"]) - frequency) <= 1e-4 * max(frequency, 1)


found = csv_rows(run(DRIVE, "--over", "H=0.0005:0.5", "--coupling", "all").stdout)
ends = [(row, side) for row in found for side in ("lower", "upper") if row[f"{side}_kind"] == "limit"]
some = sorted(ends, key=lambda end: end[0][f"{end[1]}_cause"])[::stride(3)]  # of every cause
wrong = [(row, side, beyond(row, side)) for row, side in some if not agree(row, side)]
ok(len(ends) > 60 and not wrong and {row[f"{side}_cause"] for row, side in ends} == {"oscillation", "flip", "fold", "iteration"},
   f"what passes at {len(some)} of {len(ends)} ends is what map says beyond them", len(ends), wrong[:4])
ok(all(row[f"lower_{column}"] == "" for row in found if row["lower_kind"] == "range" for column in ("cause", "frequency", "subsystem")), "nothing passes at the range's end")
for row in csv_rows(costab("margin", DRIVE, "--parameters", "k,d,kd", "-f", "csv").stdout):
    if row["value"] == "":
        continue
    lower, upper = sorted((float(row["nominal"]), float(row["value"]) * (1.01 if row["side"] == "upper" else 0.99)))
    piece, = csv_rows(run(DRIVE, "--over", f"{row['name']}={lower}:{upper}").stdout)
    side = row["side"]
    ok([piece[f"{side}_{column}"] for column in ("cause", "subsystem")] == [row["cause"], row["subsystem"]] and
       abs(float(piece[f"{side}_frequency"]) - float(row["frequency"])) <= 1e-6 * max(float(row["frequency"]), 1), f"limit and margin name the same, {row['name']}",
       piece, row)
shown = run(DRIVE, "--over", "H=0.0005:0.5", "-f", "text").stdout
ok("oscillation 4.246 Hz, motor" in shown and "upper_cause" not in shown, "text has them in lower_kind and upper_kind", shown)

# -o keeps what the table says; plot draws it.
with tempfile.TemporaryDirectory() as folder:
    asked = [SPRINGS, "--over", "H=1e-4:0.2", "--over", "kc=1:1e6", "--coupling", "jacobi,newton-linear"]
    printed = csv_rows(run(*asked, "--format", "csv").stdout.replace("\n\n", "\n"))
    printed = [row for row in printed if row["coupling"] != "coupling"]
    results = pathlib.Path(folder) / "limits.h5"
    said = run(*asked, "-o", str(results))
    kept = []
    with h5py.File(results) as file:
        meaning = {field: meanings(file[field]) for field in ("class", "lower_kind", "upper_kind", "lower_cause", "upper_cause")}
        filler = 0
        for p, parameter in enumerate(file["parameter"][:]):
            for c, coupling in enumerate(file["coupling"][:]):
                for k in range(len(file["interval"])):
                    cell = {field: meaning[field][file[field][c, p, k]] for field in meaning}
                    if "not_computed" in cell.values():
                        filler += set(cell.values()) == {"not_computed"} and file["lower"][c, p, k] != file["lower"][c, p, k] != file["upper"][c, p, k]
                        continue
                    for side in ("lower", "upper"):
                        frequency, blame = (float(file[f"{side}_{column}"][c, p, k]) for column in ("frequency", "subsystem"))
                        cell |= {f"{side}_frequency": frequency if frequency == frequency else "",
                                 f"{side}_subsystem": ("first", "second")[int(blame)] if blame == blame else ""}
                    kept.append(cell | {"coupling": coupling.decode(), "parameter": parameter.decode(),
                                        "lower": float(file["lower"][c, p, k]), "upper": float(file["upper"][c, p, k])})
        ranges = [(file["range_lower"][1, p], file["range_upper"][1, p]) for p in range(2)]
    wanted = [row | {"lower": float(row["lower"]), "upper": float(row["upper"])} |
              {side: {"": "nothing"}.get(row[side], row[side].replace("-", "_")) for side in ("lower_cause", "upper_cause")} |
              {side: float(row[side]) if row[side] else "" for side in ("lower_frequency", "upper_frequency")} for row in printed]
    ok(said.returncode == 0 and said.stdout == "" and kept == wanted and len(kept) >= 4 and ranges == [(1e-4, 0.2), (1, 1e6)],
       "-o: the tables as a results file", said.stderr, kept, wanted)
    with h5py.File(results) as file:
        ok(filler == file["class"].size - len(kept) > 0, "-o: an interval that a coupling does not have is not_computed in all arrays", filler, len(kept))
    free = pathlib.Path(folder) / "free.yaml"
    free.write_text("system: network\nparameters: {H: 0.1}\nsubsystems:\n"
                    "  - {name: swing, A: [[0, 1], [-4, 0]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}\n"
                    "  - {name: lag, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"
                    "connections: [{from: swing.y, to: lag.u}]\ncoupling: {scheme: jacobi, macro_step: H}\n")
    said = costab("map", free, "-o", results.with_name("map.h5"))
    with h5py.File(results.with_name("map.h5")) as file:
        ok(said.returncode == 0 and meanings(file["class"])[file["class"][0]] == "NN", "map -o: a class on the limit has its name", said.stderr)
    drawn = subprocess.run([COSTAB, "plot", str(results), "-o", folder, "--script-only"], capture_output=True, text=True, check=False)
    script = results.with_suffix(".gp").read_text()
    ok(drawn.returncode == 0 and scripts.panels(script) == 2 and "'newton-linear'" in script, "plot draws a panel per parameter",
       drawn.stderr)

# ---- Parameters of which only single values make sense ----

COUNTS = """system: network
parameters: {{H: 0.1, n: 4, j: 1, k: 1, h: 0.0125}}
subsystems:
  - {{name: stiff, A: [[0, 1], [-2000, -60]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: euler, substeps: n}}
  - {{name: soft, A: [[0, 1], [-40, -0.5]], B: [[0], [900]], C: [[1, 0]], inputs: [u], outputs: [y], method: euler, step: h}}
connections:
  - {{from: stiff.y, to: soft.u}}
  - {{from: soft.y, to: stiff.u, delay: j, gain: 1/n}}
coupling: {{scheme: {scheme}, macro_step: H{more}}}
"""


def classes(model, name, values, *more):
    """Of each value, by a sweep over them; None where the model is not defined."""
    points, swept = sorted(set(values)), pathlib.Path(model).with_suffix(".h5")
    done = costab("sweep", model, "--axis", f"{name}={','.join(map(repr, points))}", *more, "-o", swept, "--force", "-q")
    assert done.returncode == 0, done.stderr
    with h5py.File(swept) as file:
        words = meanings(file["class"])
        of = {value: words[code] for value, code in zip(points, file["class"][...].ravel(), strict=True)}
    return [None if of[value] == "failed" else of[value] for value in values]


def runs(values, said):
    """(first, last, class) of neighbouring values of one class, growing ones left out."""
    found = []
    for k, (value, code) in enumerate(zip(values, said)):
        if code is None or code[1] == "U":
            continue
        if k > 0 and said[k - 1] == code:
            found[-1][1] = value
        else:
            found.append([value, value, code])
    return found


def printed_runs(said):
    return [[float(r["lower"]), float(r["upper"]), r["class"]] for r in csv_rows(said.stdout)]


with tempfile.TemporaryDirectory() as folder:
    model = pathlib.Path(folder) / "counts.yaml"
    model.write_text(COUNTS.format(scheme="jacobi", more=""))
    for name, first, last in (("n", 1, 40), ("j", 0, 30)):
        told = run(str(model), "--over", f"{name}={first}:{last}")
        by_map = runs(range(first, last + 1), classes(str(model), name, range(first, last + 1)))
        ok(told.returncode == 0 and printed_runs(told) == by_map and len(by_map) > 0 and
           all((r[f"{side}_kind"], r[f"{side}_cause"] != "") == (("range", False) if float(r[side]) == end else ("whole", True))
               for r in csv_rows(told.stdout) for side, end in (("lower", first), ("upper", last))) and
           f"each of the {last - first + 1} whole numbers" in told.stderr,
           f"every whole number of {name} is tried", told.stdout, told.stderr, by_map)
    iterated = model.with_name("iterated.yaml")
    iterated.write_text(COUNTS.format(scheme="iterated", more=", iterations: k"))
    told = run(str(iterated), "--over", "k=0.5:12.5")
    by_map = runs(range(1, 13), classes(str(iterated), "k", range(1, 13)))
    ok(told.returncode == 0 and printed_runs(told) == by_map and "each of the 12 whole" in told.stderr, "iterations too; ends need not be whole",
       told.stdout, by_map)
    steps = [0.1 / k for k in range(60, 0, -1)]
    told = run(str(model), "--over", f"h={steps[0]}:0.1")
    by_map = runs(steps, classes(str(model), "h", steps))
    ok(told.returncode == 0 and len(by_map) > 0 and "each of the 60 values" in told.stderr and
       [[f"{a:.12g}", f"{b:.12g}", c] for a, b, c in printed_runs(told)] == [[f"{a:.12g}", f"{b:.12g}", c] for a, b, c in by_map],
       "every micro step that divides the macro step is tried", told.stdout, told.stderr, by_map)
    told = run(str(model), "--over", "n=0:5")
    ok(told.returncode == 0 and "not defined at 1 of the tried values, the first at 0" in told.stderr and "grow" not in told.stderr,
       "a value at which the model is not defined does not grow", told.stdout, told.stderr)
    told = run(str(model), "--over", "n=1:20001")
    ok(told.returncode == 2 and "more than 10000 whole numbers" in told.stderr, "more whole numbers than 10,000 are refused", told.stderr)
    told = run(str(model), "--over", "n=1.2:1.8")
    ok(told.returncode == 0 and csv_rows(told.stdout) == [] and "is a whole number" in told.stderr, "a range without a whole number", told.stderr)
    model.write_text(COUNTS.format(scheme="jacobi", more=", micro_steps: clocks"))
    told = run(str(model), "--over", "h=0.004:0.1")
    ok(told.returncode == 0 and "p/q with q up to" in told.stderr and len(csv_rows(told.stdout)) > 0, "clocks: ratios p/q of macro and micro step",
       told.stdout, told.stderr)
    model.write_text(COUNTS.format(scheme="jacobi", more=""))
    told = subprocess.run([COSTAB, "margin", str(model), "--parameters", "n", "-f", "json"], capture_output=True, text=True, check=False)
    nominal, = classes(str(model), "n", [4])
    below = [v for v in (3, 2, 1) if classes(str(model), "n", [v]) != [nominal]]
    row = [r for r in json.loads(told.stdout) if r["side"] == "lower"] if told.returncode == 0 else [{}]
    ok(told.returncode == 0 and row[0].get("value") == (below[0] if below else None), "margin: the nearest whole number of another class",
       told.stdout, told.stderr, below)
    for name, at, side, values in (("n", 400, "lower", range(399, 0, -1)), ("j", 4, "lower", range(3, -1, -1)), ("j", 5, "upper", range(6, 56))):
        told = subprocess.run([COSTAB, "margin", str(model), "--parameters", name, "--set", f"{name}={at}", "-f", "json"], capture_output=True, text=True, check=False)
        nominal, *others = classes(str(model), name, [at, *values])
        other = next(v for v, code in zip(values, others) if code != nominal)
        row = [r for r in json.loads(told.stdout) if r["side"] == side] if told.returncode == 0 else [{}]
        ok(row[0].get("value") == other, f"margin of {name} = {at}: {other}, however far", told.stdout, told.stderr)
    told = subprocess.run([COSTAB, "margin", str(model), "--parameters", "j", "--set", "j=1", "--set", "n=60", "-f", "json"], capture_output=True, text=True, check=False)
    zero, one = classes(str(model), "j", [0, 1], "--set", "n=60")
    ok(told.returncode == 0 and (json.loads(told.stdout)[0]["value"] == 0) == (zero != one), "margin of a delay of one step: no delay is beside it", told.stdout, zero, one)

# ---- A delay in seconds is whole macro steps: the map jumps where there is one more, and what is stable on both sides is one piece ----

LATE = """system: network
parameters: {{H: 0.1, d: {d}}}
subsystems:
  - {{name: a, A: [[0, 1], [-100, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: rk4, substeps: 2}}
  - {{name: b, A: [[0, 1], [-1, -3]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: rk4, substeps: 5}}
connections: [{{from: a.y, to: b.u, delay: d s}}, {{from: b.y, to: a.u, gain: {gain}}}]
coupling: {{scheme: jacobi, macro_step: H}}
"""
with tempfile.TemporaryDirectory() as folder:
    model = pathlib.Path(folder) / "late.yaml"
    for d, gain, over, values in ((0.05, -300, "H=0.001:1", [0.05 / k * side for k in range(1, 50) for side in (1 - 1e-9, 1, 1 + 1e-9)] + [0.5, 0.6, 0.9]),
                                  (0, -300, "d=0:3", [0.1 * k + 1e-9 * side for k in range(31) for side in (-1, 0, 1) if k + side > 0 and k + side < 31])):
        model.write_text(LATE.format(d=d, gain=gain))
        told = run(str(model), "--over", over)
        found, name = printed_runs(told), over[0]
        by_map = classes(str(model), name, values)
        wrong = [(v, code) for v, code in zip(values, by_map) if [c for low, high, c in found if low <= v <= high] != ([code] if code[1] == "S" else [])]
        ok(told.returncode == 0 and not wrong and 1 <= len(found) <= 2 and "undecided" not in told.stdout + told.stderr and {"SS", "SU"} == set(by_map),
           f"a delay in seconds over {over}: no piece ends where a step more is waited and nothing changes", told.stdout, told.stderr, wrong)
    # Jumps at the ends of the range, and where the search cuts it in two or four.
    model.write_text(LATE.format(d=0.05, gain=-300))
    for low, high in ((0.05, 0.09), (0.01, 0.05), (0.025, 0.075), (0.0125, 0.2), (0.05, 0.05000001)):
        told = run(str(model), "--over", f"H={low}:{high}")
        ok(printed_runs(told) == [[low, high, "SS"]], f"a jump at an end or in the middle of {low}:{high}", told.stdout, told.stderr)
    # Where another delay of the same output remembers more, the map has the same size on both sides.
    model.write_text("""system: network
parameters: {H: 0.1, d: 0.1}
subsystems:
  - {name: a, A: [[0, 1], [-39, -0.05]], B: [[0, 0], [1, 0.2]], C: [[1, 0]], inputs: [u, v], outputs: [y], method: exact}
  - {name: b, A: [[0, 1], [-1, -3]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u, gain: -18, delay: d s}, {from: b.y, to: a.v, gain: -0.9, delay: 2.05 s}]
coupling: {scheme: jacobi, macro_step: H}
""")
    told = run(str(model), "--over", "d=0.01:2")
    by_map = runs(range(20), classes(str(model), "d", [0.1 * k + 0.05 for k in range(20)]))
    ok(told.returncode == 0 and len(by_map) > 1 and [(round(low, 6), round(high, 6), c) for low, high, c in printed_runs(told)] ==
       [(max(0.01, round(0.1 * first, 6)), round(0.1 * last + 0.1, 6), c) for first, last, c in by_map], "nor where the memory is another delay's",
       told.stdout, told.stderr, by_map)

# Two ways to one model: means of outputs change with C alone, as with the connection's gain; an area correction that is 0 at its
# nominal value is searched like any other.
CORRECTED = """system: network
parameters: {k: 2, w: 0.7, H: 0.5}
subsystems:
  - {name: one, A: [[-1]], B: [[1]], C: [[1]], D: [[0.1]], inputs: [u], outputs: [y], method: rk4, substeps: 2}
  - {name: two, A: [[0, 1], [-4, -1]], B: [[0], [1]], C: [[OUTPUT, 0]], inputs: [u], outputs: [y], method: heun}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u, gain: GAIN}]
coupling: {macro_step: H, scheme: jacobi, area_correction: CORRECTION}
"""
with tempfile.TemporaryDirectory() as folder:
    model = pathlib.Path(folder) / "corrected.yaml"

    def found(output, gain, correction, *words):
        model.write_text(CORRECTED.replace("OUTPUT", output).replace("GAIN", gain).replace("CORRECTION", correction))
        return [(float(r["lower"]), float(r["upper"]), r["class"]) for r in csv_rows(run(str(model), *words).stdout)]

    one, two = (found(output, gain, "0.4", "--over", "k=0.1:40") for output, gain in (("-k", "1"), ("-1", "k")))
    ok(len(one) == len(two) > 0 and all(a[2] == b[2] and abs(a[0] / b[0] - 1) < 1e-11 and abs(a[1] / b[1] - 1) < 1e-11 for a, b in zip(one, two)),
       "over an entry of C, with an area correction", one, two)
    one, two = (found("-k", "1", "w", "--over", "w=-9:9", "--set", f"w={w}") for w in ("0", "0.5"))
    ok(one == two and one[0][2] == "SS" and one[0][0] > -9, "an area correction that is 0 at its nominal value", one, two)
    # What is printed for people lies within what was found, also where the interval is narrow.
    found("-k", "1", "0")
    for given in ("0.0512345678:2.5", "0.0498765432:0.123456789", "0.100000012:0.100000013", "0.09999999:0.10000001", "1e-4:0.7654321")[::stride(2)]:
        full, text, table = (run(str(model), "--over", f"H={given}", "--format", form).stdout.splitlines() for form in ("csv", "text", "md"))
        exact = [float(word) for word in full[1].split(",")[2:4]]
        for shown in (text[1].split()[2:4], [word.strip() for word in table[2].split("|")[3:5]]):
            low, high = map(float, shown)
            ok(exact[0] <= low < high <= exact[1] and max(low - exact[0], exact[1] - high) < 1e-5 * high, f"{given}: shown inside", exact, shown)

# Narrow tongues of instability: a gap of 1 % and both sides of it.
with tempfile.TemporaryDirectory() as folder:
    model = pathlib.Path(folder) / "arm.yaml"
    model.write_text(ARM % ("gauss-seidel", 2, 2))
    rows = csv_rows(run(str(model), "--over", "H=0.04:0.06").stdout)
    ok([row["class"] for row in rows] == ["SS"] * 2 and abs(float(rows[0]["upper"]) - 0.0521112345711) < 1e-10
       and abs(float(rows[1]["lower"]) - 0.0526151270585) < 1e-10, "a narrow gap and both sides of it", rows)

with tempfile.TemporaryDirectory() as folder:
    masses = str(here.parent / "sweeps/gomes2018/models/two-mass.yaml")
    out = f"{folder}/l.h5"
    begins = [f"{float(row['lower']):.4g}" for row in csv_rows(run(masses, "--over", "m1=0.001:5").stdout)]
    done = [run(masses, "--over", "m1=0.001:5", "-o", out), costab("plot", out, "-o", folder, "--script-only")]
    script = pathlib.Path(folder, "l.gp").read_text()
    ok(len(begins) == 2 and all(f"'{number}'" in script for number in begins), "a figure shows where bars begin", begins, *done)

for words, fault in (([], "--over is missing"), (["--over", "H=0:1", "--spacing", "log"], "above 0"),
                     (["--over", "H=0.1:1", "--spacing", "cubic"], "is not log or linear"),
                     (["--over", "H=0.1:1", "--over", "H=1:0.1"], "LO < HI")):
    said = run(SPRINGS, *words)
    ok(said.returncode == 2 and fault in said.stderr, f"refused: {fault}", said.stderr)

# A range whose ends are no macro steps is refused by limit, by map and in Python; of a micro step, too.
for words in ("H=0:1", "H=-1:1"):
    low = words[2:].split(":")[0]
    for said in (run(SPRINGS, "--over", words), costab("map", SPRINGS, "--over", words)):
        ok(said.returncode == 2 and said.stdout == "" and f"the range {words[2:]} of H: coupling, macro_step: expected a positive number, found {low} at H = {low}; start" in said.stderr,
           f"refused: {words}", said.stdout, said.stderr)
with tempfile.TemporaryDirectory() as folder:
    model = pathlib.Path(folder, "step.yaml")
    model.write_text("""system: network
parameters: {h: 0.01, half: 0.5*h, H: 0.1}
subsystems: [{name: a, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: rk4, step: half}, {name: b, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y]}]
connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u, gain: -1}]
coupling: {scheme: jacobi, macro_step: H}
""")
    said = run(str(model), "--over", "h=0:0.1")
    ok(said.returncode == 2 and "subsystem 'a', step: expected a positive number, found 0 at h = 0" in said.stderr, "refused: a micro step of 0", said.stderr)
    said = run(str(model), "--over", "h=0.01:0.1", "--over", "H=0.01:0.1")
    ok(said.returncode == 0 and len(csv_rows(said.stdout.split("\n\n")[1])) == 1, "positive ranges of both are searched", said.stdout, said.stderr)
finish()
