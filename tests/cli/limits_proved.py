#!/usr/bin/env python3
"""`costab limit --prove` with every choice that a coupling or a solver has: each interval that the search in floating point
finds is shown in ball arithmetic, up to its ends. Prints TAP."""
import pathlib
import subprocess
import tempfile

from tap import COSTAB, csv_rows, finish, ok

here = pathlib.Path(__file__).resolve().parents[1]

MODEL = """system: network
parameters: {H: 0.5, k: 2, w: 0.7, d: 0.55, S: 1}
subsystems:
  - {name: one, states: [x], A: [[-1]], B: [[1]], C: [[1]], D: [[0.1]], inputs: [u], outputs: [y], method: %s, substeps: 2}
  - {name: two, states: [x, v], A: [[0, 1], [-4, -1]], B: [[0], [1]], C: [[-k, 0]], inputs: [u], outputs: [y], method: %s,
     positions: [x], velocities: [v], substeps: 1, stride: S}
connections:
  - {from: one.y, to: two.u%s}
  - {from: two.y, to: one.u}
coupling: {macro_step: H, %s}
"""
CASES = {  # methods, what follows the first connection, coupling
    "slopes": ("gauss2", "radau2", "", "scheme: jacobi, extrapolation: hermite"),
    "slopes both ways": ("rk4", "rk4", "", "scheme: gauss-seidel, interpolation: hermite, extrapolation: hermite, feedthrough: solved"),
    "smoothed": ("exact", "rk4", "", "scheme: jacobi, extrapolation: quadratic, smoothed: true"),
    "predictor and relaxation": ("rk4", "exact", "", "scheme: iterated, iterations: 3, predictor: linear, relaxation: w, interpolation: linear"),
    "converged, relaxed": ("rk4", "exact", "", "scheme: iterated, iterations: converged, relaxation: w, interpolation: hermite"),
    "newton": ("rk4", "exact", "", "scheme: iterated, iterations: newton, interpolation: cubic"),
    "area correction": ("rk4", "heun", "", "scheme: jacobi, area_correction: 0.4"),
    "delay in seconds": ("rk4", "exact", ", delay: d s", "scheme: jacobi, extrapolation: linear"),
    "newmark": ("exact", "newmark", "", "scheme: gauss-seidel, interpolation: linear"),
    "generalized-alpha": ("exact", "generalized-alpha", "", "scheme: jacobi"),
    "bdf2": ("bdf2", "semi-implicit-euler", ", delay: 1", "scheme: jacobi"),
}


def limit(path, *words, low=0.05):
    p = subprocess.run([COSTAB, "limit", path, "--over", "H=%r:2.5" % low, "--quiet", *words], capture_output=True, text=True, check=True)
    return [(float(r["from"]), float(r["to"]), r["class"], r["proved"]) for r in csv_rows(p)]


def same(found, proved):
    """The same intervals, all proved; ends up to 2e-8 before, points where delays jump left out as in the search."""
    found = [r for r in found if r[2] != "undecided"]
    shown = [r for r in proved if r[2] != "undecided"]
    return len(found) == len(shown) > 0 and all(
        a[2] == b[2] and b[3] == "yes" and abs(a[0] - b[0]) <= 2e-8 * a[0] and abs(a[1] - b[1]) <= 2e-8 * a[1]
        for a, b in zip(found, shown))


with tempfile.TemporaryDirectory() as folder:
    for name, (one, two, delay, coupling) in CASES.items():
        path = folder + "/model.yaml"
        pathlib.Path(path).write_text(MODEL % (one, two, delay, coupling))
        low = 0.3 if delay.endswith(" s") else 0.05  # every jump of a delay in steps takes many narrow cells
        found, proved = limit(path, low=low), limit(path, "--prove", low=low)
        ok(same(found, proved), name, found, proved)
    for name, coupling in (("strides", "scheme: jacobi, extrapolation: linear"),
                           ("strides, one after the other", "scheme: gauss-seidel, interpolation: linear, extrapolation: linear")):
        pathlib.Path(path).write_text(MODEL % ("rk4", "exact", "", coupling))
        found, proved = limit(path, "--set", "S=3"), limit(path, "--set", "S=3", "--prove")
        ok(same(found, proved), name, found, proved)
    # A parameter of the coupling itself.
    pathlib.Path(path).write_text(MODEL % ("rk4", "exact", "", "scheme: iterated, iterations: 3, relaxation: w"))
    p = subprocess.run([COSTAB, "limit", path, "--over", "w=0.1:1.9", "--prove", "--quiet"], capture_output=True, text=True, check=True)
    ok("yes" in p.stdout and "undecided" not in p.stdout, "over the relaxation", p.stdout, p.stderr)
    # Means of outputs change with C alone: the intervals are those of the same number as the connection's gain.
    intervals = []
    for output, gain in (("-k", 1), (-1, "k")):
        pathlib.Path(path).write_text((MODEL % ("rk4", "heun", "", "scheme: jacobi, area_correction: 0.4")).replace(
            "[-k, 0]", f"[{output}, 0]").replace("to: one.u}", f"to: one.u, gain: {gain}}}"))
        p = subprocess.run([COSTAB, "limit", path, "--over", "k=0.1:40", "--prove", "--quiet"], capture_output=True, text=True, check=True)
        intervals.append([(float(row["from"]), float(row["to"]), row["class"], row["proved"]) for row in csv_rows(p)])
    ok(same(*intervals) and all(row[3] == "yes" for row in intervals[0]), "over an entry of C, with an area correction", *intervals)
    # One that is 0 at its nominal value, where the map is another one: the proof is of the values that are tried.
    pathlib.Path(path).write_text(MODEL % ("rk4", "exact", "", "scheme: jacobi, area_correction: w"))
    nominal = [[row.split(",")[2:] for row in subprocess.run(
        [COSTAB, "limit", path, "--over", "w=-9:9", "--set", f"w={w}", "--prove", "--quiet"],
        capture_output=True, text=True, check=True).stdout.splitlines()] for w in ("0", "0.5")]
    ok(nominal[0] == nominal[1] and nominal[0][1][2] == "SS" and nominal[0][1][5] == "yes" and float(nominal[0][1][0]) > -9,
       "an area correction that is 0 at its nominal value", *nominal)
    # Own clocks: two macro steps are three micro steps of one and five of the other.
    CLOCKS = """system: network
parameters: {k: 1}
subsystems:
  - {name: one, states: [x, v], A: [[0, 1], [-k, -0.5]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: rk4, step: 0.1}
  - {name: two, states: [x, v], A: [[0, 1], [-4, -0.5]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: heun, step: %r}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {macro_step: 0.25, scheme: jacobi, extrapolation: linear, micro_steps: clocks}
"""
    pathlib.Path(path).write_text(CLOCKS % (0.5 / 3))
    plain, shown = (csv_rows(subprocess.run(
        [COSTAB, "limit", path, "--over", "k=0.3:3000", *more, "--quiet"], capture_output=True, text=True, check=True))
        for more in ([], ["--prove"]))
    stable = [row for row in plain if row["class"] == "SS"]
    ok(stable and len(stable) == len(shown) and all(
        b["proved"] == "yes" and abs(float(a[end]) - float(b[end])) < 2e-8 * float(a[end])
        for a, b in zip(stable, shown) for end in ("from", "to")), "own clocks", plain, shown)
    pathlib.Path(path).write_text((MODEL % ("rk4", "exact", "", "scheme: jacobi, micro_steps: real-power")).replace(
        "substeps: 2}", "step: 0.03}"))
    p = subprocess.run([COSTAB, "limit", path, "--over", "H=0.05:1", "--prove"], capture_output=True, text=True, check=False)
    ok(p.returncode == 2 and "no ball arithmetic" in p.stderr and "micro_steps: real-power" in p.stderr, "real powers are refused, with the reason", p.stderr)
# What is printed for people lies within what is proved, also where the interval is narrow.
with tempfile.TemporaryDirectory() as folder:
    path = folder + "/model.yaml"
    pathlib.Path(path).write_text(MODEL % ("rk4", "exact", "", "scheme: jacobi, extrapolation: linear"))
    for given in ("0.0512345678:2.5", "0.0498765432:0.123456789", "0.100000012:0.100000013", "1e-4:0.7654321"):
        full, text, table = (subprocess.run([COSTAB, "limit", path, "--over", f"H={given}", "--prove", "--quiet", "--format", form],
                                            capture_output=True, text=True, check=True).stdout.splitlines() for form in ("csv", "text", "md"))
        exact = [float(word) for word in full[1].split(",")[2:4]]
        for shown in (text[1].split()[2:4], [word.strip() for word in table[2].split("|")[3:5]]):
            low, high = map(float, shown)
            ok(exact[0] <= low <= high <= exact[1] and max(low - exact[0], exact[1] - high) < 1e-5 * high, f"{given}: shown inside", exact, shown)
# Equilibria are set aside, exactly: two masses on one spring rest anywhere together, as only speeds are damped.
FREE = """system: network
parameters: {H: 0.1, d: 1}
subsystems:
  - {name: one, states: [x, v], A: [[0, 1], [-2, -d]], B: [[0], [2]], C: [[1, 0]], D: [[%s]], inputs: [u], outputs: [y], method: exact}
  - {name: two, states: [x, v], A: [[0, 1], [-2, -d]], B: [[0], [2]], C: [[1, 0]], inputs: [u], outputs: [y], method: rk4, substeps: 2}
connections:
  - {from: one.y, to: two.u%s}
  - {from: two.y, to: one.u}
coupling: {macro_step: H, %s}
"""
with tempfile.TemporaryDirectory() as folder:
    path = folder + "/free.yaml"
    for feedthrough, delay, coupling in (("0", "", "scheme: jacobi, extrapolation: quadratic"), ("0", ", delay: 2", "scheme: jacobi"),
                                         ("0", "", "scheme: gauss-seidel, interpolation: linear, extrapolation: linear, smoothed: true")):
        pathlib.Path(path).write_text(FREE % (feedthrough, delay, coupling))
        found, proved = limit(path, low=0.01), limit(path, "--prove", low=0.01)
        ok(same(found, proved) and found[0][2] == "SS", f"an equilibrium, {coupling}{delay}", found, proved)
    pathlib.Path(path).write_text(FREE % ("0", "", "scheme: jacobi, extrapolation: linear"))
    found, proved = (limit(path, "--set", "d=0.5", *more, low=0.05)[0] for more in ([], ["--prove"]))
    ok(found[2] == "SS" and proved[3] == "yes", "with little damping", found, proved)

# From short steps on: [LIM]'s oscillator, damped by 1e-3 of its frequencies, up to the critical step 0.0143025659 that a dense
# search of another program found.
SPRINGS = str(here.parent / "sweeps/lim/models/springs.yaml")
p = subprocess.run([COSTAB, "limit", SPRINGS, "--over", "H=1e-5:0.03", "--prove", "--quiet", "--coupling", "jacobi-linear"],
                   capture_output=True, text=True, check=True)
row = csv_rows(p)[0]
ok(p.stdout.count("\n") == 2 and row["from"] == "1e-05" and row["proved"] == "yes" and abs(float(row["to"]) - 0.0143025659) < 1e-9,
   "from H = 1e-5 on", p.stdout)
# Implicit stages of a wide range of steps are one linear system of wide balls: what is found unstable is shown to be so, too.
FIVE = ("{A: [[-25/32, -41/64, -43/64, 7/16, -21/64], "
        "[7/32, 0, -5/32, -55/64, -3/8], "
        "[23/32, 9/16, 31/64, 49/64, 1], "
        "[1/16, -55/64, -57/64, 29/64, 55/64], "
        "[17/64, 33/64, 11/16, -11/32, -19/64]], "
        "b: [-1/16, -5/64, -29/32, -19/64, 75/32]}")
IMPLICIT = """system: network
parameters: {H: 0.1}
subsystems:
  - {name: one, A: [[0, 1], [-20, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: %s, substeps: 2}
  - {name: two, A: [[0, 1], [-10, -2]], B: [[0], [1]], C: [[20, 0]], inputs: [u], outputs: [y], method: rk4, substeps: 1}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {macro_step: H}
"""
with tempfile.TemporaryDirectory() as folder:
    path = folder + "/implicit.yaml"
    pathlib.Path(path).write_text(IMPLICIT % FIVE)
    found, proved = limit(path, low=0.01), limit(path, "--prove", low=0.01)
    ok(same(found, proved) and not any(row[2] == "undecided" for row in proved), "five implicit stages", found, proved)
# Narrow spikes that the search in floating point may miss. What it finds must not be called proved: the class there is another one,
# or there is none as a number is out of its range.
TWO = ("- {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"
       "  - {name: b, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}",
       "- {from: a.y, to: b.u, gain: 0.5}\n  - {from: b.y, to: a.u, gain: 0.5}")
SPIKES = {  # what the proof has to see, the parameter's nominal value, range and spike, subsystems and connections, coupling
    "an iteration in the second macro step of a period": (0.1, "-1:1", 0.35,
        "- {name: a, A: [[-5]], B: [[1]], C: [[1]], D: [['-0.5 - 0.62*exp(-((p - 0.35)*60)^2)']], inputs: [u], outputs: [y], method: euler, step: 0.1}",
        "- {from: a.y, to: a.u}", "scheme: iterated, macro_step: 0.15, iterations: converged, micro_steps: clocks"),
    "a map that is larger where D is not 0": (0.1, "-1:1", 0.35,
        "- {name: a, A: [[-1]], B: [[1]], C: [[1]], D: [[p]], inputs: [u], outputs: [y], method: exact}\n"
        "  - {name: z, A: [[-1]], B: [[1]], C: [[1e-6]], inputs: [u], outputs: [y], method: exact}",
        "- {from: z.y, to: z.u, gain: '-1e7*exp(-((p - 0.35)*100)^2)', delay: 1}", "scheme: jacobi, macro_step: 0.5"),
    "an equilibrium of the nominal value alone": (1, "3:4.1", 3.3,
        "- {name: a, A: [['max(p - 2, 0)*(0.2*exp(-((p - 3.3)*1e4)^2) - 0.1)']], C: [[1]], outputs: [y], method: exact}\n"
        "  - {name: b, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}",
        "- {from: b.y, to: b.u, gain: 0.5}", "scheme: jacobi, macro_step: 0.1"),
    "a relaxation below 0": (0, "-1:1", 0.35, *TWO,
        "scheme: iterated, macro_step: 0.1, iterations: 3, relaxation: '0.5 - 0.6*exp(-((p - 0.35)*60)^2)'"),
    "a relaxation above 2": (0, "-1:1", 0.35, *TWO,
        "scheme: iterated, macro_step: 0.1, iterations: 3, relaxation: '0.5 + 1.6*exp(-((p - 0.35)*60)^2)'"),
}
with tempfile.TemporaryDirectory() as folder:
    path = folder + "/spike.yaml"
    for name, (nominal, over, spike, subsystems, connections, coupling) in SPIKES.items():
        pathlib.Path(path).write_text(f"system: network\nparameters: {{p: {nominal}}}\nsubsystems:\n  {subsystems}\nconnections:\n  {connections}\ncoupling: {{{coupling}}}\n")
        rows = csv_rows(subprocess.run([COSTAB, "limit", path, "--over", f"p={over}", "--prove", "--quiet"], capture_output=True, text=True, check=True))
        there = subprocess.run([COSTAB, "map", path, "--set", f"p={spike}", "--quiet"], capture_output=True, text=True, check=False)
        ok((",class,SU" in there.stdout or ",class,UU" in there.stdout or ("relaxation" in there.stderr and there.returncode == 2)) and rows and
           not any(row["class"] == "SS" and row["proved"] == "yes" and float(row["from"]) <= spike <= float(row["to"]) for row in rows), name, rows, there)
    # The same larger map, at an end of the range where D is 0, and on the limit, of which nothing is proved.
    pathlib.Path(path).write_text("""system: network
parameters: {p: 0.1}
subsystems:
  - {name: a, A: [[0, 1], [-100, -1]], B: [[0], [1]], C: [[1, 0], [0, 1]], D: [[p], [0]], inputs: [u], outputs: [x, v], method: exact}
  - {name: b, A: [[0, 1], [-50, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}
  - {name: c, A: [[0, 1], [-5, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: exact}
connections: [{from: b.y, to: a.u, gain: 3}, {from: a.x, to: b.u, gain: 2}, {from: a.x, to: c.u, gain: 2}, {from: c.y, to: a.u, gain: 0.2}]
coupling: {macro_step: 0.001, extrapolation: linear}
""")
    rows = csv_rows(subprocess.run([COSTAB, "limit", path, "--over", "p=0:1", "--prove", "--quiet"], capture_output=True, text=True, check=True))
    ok([(row["class"], row["proved"]) for row in rows] == [("SS", "yes")], "D is 0 at an end of the range", rows)
    pathlib.Path(path).write_text("""system: network
parameters: {k: 1}
subsystems: [{name: a, A: [[0, 1], [-k, 0]], C: [[1, 0]], outputs: [y], method: exact}]
coupling: {macro_step: 0.1}
""")
    rows = csv_rows(subprocess.run([COSTAB, "limit", path, "--over", "k=0.5:2", "--prove", "--quiet"], capture_output=True, text=True, check=True))
    ok([(row["class"], row["proved"]) for row in rows] == [("NN", "no")], "nothing is proved of what is on the limit", rows)
finish()
