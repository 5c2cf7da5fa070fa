#!/usr/bin/env python3
"""Where each subsystem's own solver is stable (`limit --alone`): 200 random subsystems against closed forms, which are left out, and what
`limit`, `margin` and `advise` say where a coupling ends at such a limit. Prints TAP.

A step of a method multiplies a mode x' = lambda x by R(h lambda) = P(z) / Q(z), so that micro steps of length h are stable where
|P|^2 - |Q|^2 < 0 along the ray of lambda: a polynomial in h, whose real roots are all ends. P and Q stand here by their coefficients,
not by tableaux."""
import csv
import json
import math
import pathlib
import random
import re
from fractions import Fraction as F

import numpy as np

from tap import costab, effort, finish, note, ok, refused, seed, stride, workplace

S = math.sqrt(2)
G = 1 - 1 / S
# P and Q of R = P / Q, by rising powers of z.
FUNCTIONS = {
    "euler": ([1, 1], [1]),
    "heun": ([1, 1, F(1, 2)], [1]),
    "ralston": ([1, 1, F(1, 2)], [1]),
    "kutta3": ([1, 1, F(1, 2), F(1, 6)], [1]),
    "rk38": ([1, 1, F(1, 2), F(1, 6), F(1, 24)], [1]),
    "rk4": ([1, 1, F(1, 2), F(1, 6), F(1, 24)], [1]),
    "bs3": ([1, 1, F(1, 2), F(1, 6)], [1]),
    "dopri5": ([1, 1, F(1, 2), F(1, 6), F(1, 24), F(1, 120), F(1, 600)], [1]),
    "backward-euler": ([1], [1, -1]),
    "trapezoidal": ([1, F(1, 2)], [1, -F(1, 2)]),
    "gauss2": ([1, F(1, 2), F(1, 12)], [1, -F(1, 2), F(1, 12)]),
    "radau2": ([1, F(1, 3)], [1, -F(2, 3), F(1, 6)]),
    "sdirk2": ([1, 1 - 2 * G], [1, -2 * G, G * G]),
}
EXPLICIT = [name for name, (_, Q) in FUNCTIONS.items() if len(Q) == 1]
# Tableaux of three stages one after the other, R = 1 + z + p z^2 + p q z^3: some leave the unit disk and come back.
SHAPES = [(p, q) for p in (0.15, 0.18, 0.21, 0.26) for q in (0.03, 0.04, 0.05, 0.06)]
CHAINS = ["{A: [[0, 0, 0], [%r, 0, 0], [0, %r, 0]], b: [0, 0, 1]}" % (q, p) for p, q in SHAPES]
FUNCTIONS.update((name, ([1, 1, p, p * q], [1])) for name, (p, q) in zip(CHAINS, SHAPES))
LOW, HIGH = 1e-4, 20.0


def squared(P, direction):
    """|P(x direction)|^2 as a polynomial in x, by rising powers."""
    c = np.array([float(p) * direction**k for k, p in enumerate(P)])
    return np.convolve(c, c.conj()).real


def growth(method, direction):
    """|P|^2 - |Q|^2 along a ray, without its factor x."""
    P, Q = (squared(p, direction) for p in FUNCTIONS[method])
    both = np.zeros(max(len(P), len(Q)))
    both[:len(P)] += P
    both[:len(Q)] -= Q
    return both[1:]


def mode_ends(method, value):
    """The micro steps at which a mode of eigenvalue `value` changes, and how sharply: x d(|P|^2 - |Q|^2)/dx there."""
    found = []
    c = growth(method, value / abs(value))
    c = np.trim_zeros(c, "b")
    for root in np.roots(c[::-1]) if len(c) > 1 else ():
        if root.real > 0 and abs(root.imag) < 1e-9 * abs(root):
            x = root.real
            slope = abs(x * x * np.polyval(np.polyder(c[::-1]), x))
            found.append((x / abs(value), slope))
    return found


def is_stable(method, values, h):
    for value in values:
        P, Q = (sum(float(c) * (h * value) ** k for k, c in enumerate(p)) for p in FUNCTIONS[method])
        if abs(P) >= abs(Q):
            return False
    return True


def closed_form(q):
    """The stable intervals of H, and the tolerance of each end."""
    ends, scale = {}, q["substeps"] / q["stride"]
    for value in q["values"]:
        ends.update({h * scale: slope for h, slope in mode_ends(q["method"], value) if LOW < h * scale < HIGH})
    edges = [LOW, *sorted(ends), HIGH]
    pieces = []
    for a, b in zip(edges, edges[1:]):
        if not is_stable(q["method"], q["values"], math.sqrt(a * b) / scale):
            continue
        if pieces and pieces[-1][1] == a:
            pieces[-1][1] = b
        else:
            pieces.append([a, b])
    return pieces, ends


def drawn(r, number):
    """A subsystem of one to three modes."""
    blocks, values = [], []
    for _ in range(r.choice((1, 1, 2, 3))):
        rate = 10 ** r.uniform(0, 1.5)
        if r.random() < 0.4:
            blocks.append([[-rate]])
            values.append(complex(-rate))
        else:
            damping = 10 ** r.uniform(-4, -0.1)
            blocks.append([[0, 1], [-rate**2, -2 * damping * rate]])
            values.append(rate * complex(-damping, math.sqrt(1 - damping**2)))
    n = sum(map(len, blocks))
    A, at = np.zeros((n, n)), 0
    for block in blocks:
        A[at:at + len(block), at:at + len(block)] = block
        at += len(block)
    method = r.choice(r.choice((EXPLICIT, EXPLICIT, CHAINS, list(FUNCTIONS))))
    return {"name": "s%d" % number, "A": A, "values": values, "method": method, "substeps": r.choice((1, 2, 3, 7)), "stride": r.choice((1, 1, 2, 3))}


def model(parts):
    lines = ["system: network", "parameters: {H: 0.01}", "subsystems:"]
    for q in parts:
        n = len(q["A"])
        lines.append("  - {name: %s, A: %s, B: %s, C: %s, inputs: [u], outputs: [y], method: %s, substeps: %d, stride: %d}" % (
            q["name"], q["A"].tolist(), [[1.0]] * n, [[1.0] * n], q["method"], q["substeps"], q["stride"]))
    lines.append("connections: [{from: s0.y, to: s1.u}, {from: s1.y, to: s0.u}]")
    lines.append("coupling: {macro_step: H}")
    return "\n".join(lines) + "\n"


def closed_forms():
    r, wrong, worst, count, several = random.Random(seed(28)), [], 0.0, 0, 0
    rounds = effort(10)
    for _ in range(rounds):
        parts = [drawn(r, k) for k in range(10)]
        pathlib.Path("ten.yaml").write_text(model(parts))
        done = costab("limit", "ten.yaml", "--over", "H=%r:%r" % (LOW, HIGH), "--alone", "-q", "--spacing", "log")
        rows = {}
        for row in csv.DictReader(done.stdout.splitlines()):
            rows.setdefault(row["coupling"], []).append(row)
        for q in parts:
            pieces, ends = closed_form(q)
            found = [(float(row["lower"]), float(row["upper"])) for row in rows.get("alone:" + q["name"], []) if row["class"] == "SS"]
            count += 1
            several += len(pieces) > 1
            good = len(found) == len(pieces)
            for a, b in zip(found, pieces) if good else ():
                for value, exact in zip(a, b):
                    off = abs(value / exact - 1)
                    worst = max(worst, off)
                    good = good and off <= 1e-10 + 1e-12 / ends.get(exact, 1)
            if not good:
                wrong.append((q["method"], q["substeps"], q["values"], found, pieces))
    note(f"{count} subsystems, {several} of them with several intervals; the furthest end is off by {worst:.2g} of its value")
    ok(count == 10 * rounds and several >= rounds // 2 and not wrong, f"{count} random subsystems against closed forms", *wrong[:5], done.stderr[:500])


# Two lags in a ring of gain -k, an integrator that hangs on it, and a subsystem that is unstable by itself. One's own solver ends at H = 2.
LOOP = """system: network
parameters: {k: 0, H: 0.1, a: 1, n: 1}
subsystems:
  - {name: one, A: [[-a]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: euler, substeps: n}
  - {name: two, A: [[-1]], B: [[-k]], C: [[1]], inputs: [u], outputs: [y], method: exact}
  - {name: sum, A: [[0]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler}
  - {name: grows, A: [[0.1]], B: [[0]], C: [[1]], inputs: [u], outputs: [y], method: euler}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}, {from: one.y, to: sum.u}, {from: sum.y, to: grows.u}]
coupling: {macro_step: H}
"""
RING = "\n".join(line for line in LOOP.splitlines() if "sum" not in line and "grows" not in line).replace(
    "coupling:", "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\ncoupling:")
SAYS = r"%s's own solver, euler with %d micro steps?, %s at %s = %s: more micro steps lift this"


def rows_of(*arguments):
    done = costab(*arguments)
    return list(csv.DictReader(done.stdout.splitlines())), done


def which_and_how():
    rows, done = rows_of("limit", "loop.yaml", "--over", "H=0.01:10", "--alone", "-q")
    ok([(r["coupling"], r["lower"], r["class"], r["lower_kind"], r["upper_kind"]) for r in rows] ==
       [("alone:one", "0.01", "SS", "range", "limit"), ("alone:two", "0.01", "SS", "range", "range")]
       and abs(float(rows[0]["upper"]) - 2) < 1e-12, "integrators and what is unstable by itself are left out", done.stdout)
    rows, done = rows_of("limit", "ring.yaml", "--over", "a=0.5:50", "--over", "n=1:5", "--set", "H=1", "--set", "a=5", "--alone", "-q")
    ok(abs(float(rows[0]["upper"]) - 2) < 1e-12, "of another parameter", done.stdout)
    tables = done.stdout.split("\n\n")
    ok(len(tables) == 2 and "alone:one,n,3,5,SS,whole,range" in tables[1], "and of a count of micro steps", done.stdout)
    shown = json.loads(costab("limit", "loop.yaml", "--over", "H=0.01:10", "--alone", "-q", "-f", "json").stdout)
    ok([r["coupling"] for r in shown] == ["alone:one", "alone:two"] and abs(shown[0]["upper"] - 2) < 1e-12, "in JSON", shown)
    shown = costab("limit", "loop.yaml", "--over", "H=0.01:10", "--alone", "-q", "-f", "text").stdout.splitlines()
    ok(re.fullmatch("The first to end: " + SAYS % ("one", 1, "ends", "H", "2 s") + "; no coupling will.", shown[-1]), "on a terminal the first to end is named", shown)
    shown = costab("limit", "ring.yaml", "--over", "H=0.01:10", "--over", "a=0.5:1.5", "--alone", "-q", "-f", "text").stdout.splitlines()
    ok(re.fullmatch("The first to end: " + SAYS % ("one", 1, "ends", "H", "2 s") + "; no coupling will.", shown[-1]), "in the first of several ranges", shown)
    done = costab("limit", "loop.yaml", "--over", "H=0.01:10", "--alone", "-q", "-o", "alone.h5")
    told = costab("info", "alone.h5")
    ok(done.returncode == 0 and "alone:one" in told.stdout, "as a results file", done.stderr, told.stdout)


def who_is_named():
    """An end is named within 10 % of the own limit and beyond; that no coupling lifts it, at equality."""
    named, wrong = [0, 0, 0], []
    for k in (0, 1e-9, 1e-8, 1e-7, 1e-6, 3e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)[::-min(stride(2), 2)]:
        for sign in (1, -1):
            rows, done = rows_of("limit", "ring.yaml", "--over", "H=0.01:10", "--set", "k=%r" % (sign * k))
            to = float(rows[0]["upper"])
            said = re.search(SAYS % ("one", 1, "ends", "H", "2 s") + "(; no coupling will)?", done.stderr)
            near, same = to >= 1.8, abs(to / 2 - 1) <= 1e-6
            named[0 if not near else 1 if not same else 2] += 1
            if (said is not None) != near or near and (said[1] is not None) != same:
                wrong.append((k, to, done.stderr))
    ok(min(named) >= 2 and not wrong, "the own limit is named where it is near, and what no coupling will lift at equality", named, *wrong)
    # A subsystem that becomes unstable itself: neither micro steps nor a coupling help.
    for method in ("exact", "euler"):
        pathlib.Path("itself.yaml").write_text(RING.replace("A: [[-a]]", "A: [[a-2]]").replace("euler, substeps: n", method))
        said = f"one's own solver, {method} with 1 micro step, ends at a = 2: the subsystem itself is unstable beyond"
        for command in (["limit", "--over", "a=1:3"], ["limit", "--over", "a=1:3", "--over", "H=0.1:1", "--alone", "-f", "text"]):
            done = costab(command[0], "itself.yaml", *command[1:])
            ok(said in done.stdout + done.stderr, f"{' '.join(command)}, {method}: a subsystem that is unstable itself", done.stdout, done.stderr)
    # An oscillator whose own solver (backward Euler) ends at a = H, and which the loop damps by 2: the continuous system ends at a = 2, the map at a = 2 + H.
    pathlib.Path("damped.yaml").write_text(RING.replace("A: [[-a]], B: [[1]], C: [[1]], x0: [1],", "A: [[0, 1], [-1, a]], B: [[0], [-2]], C: [[0, 1]], x0: [1, 0],")
                                           .replace("method: euler, substeps: n", "method: backward-euler").replace("A: [[-1]], B: [[-k]], C: [[1]],", "D: [[1]],"))
    for end, told in ((2.05, False), (2.2, True)):
        rows, done = rows_of("limit", "damped.yaml", "--over", f"a=-1:{end}", "--set", "a=-1", "-c", "gauss-seidel")
        ok([r["class"] for r in rows] == ["SS", "US"] and abs(float(rows[0]["upper"]) - 2) < 1e-9 and rows[0]["upper_cause"] == "continuous" and ("own solver" in done.stderr) == told,
           f"the own solver is named at an end of the map, not of the continuous system: up to {end}", done.stdout, done.stderr)
    # Without a loop (k = 0) all couplings end there: three are named, the others counted.
    for couplings in ("jacobi,gauss-seidel,jacobi-linear", "jacobi,gauss-seidel,jacobi-linear,gauss-seidel-linear,jacobi-quadratic"):
        done = costab("limit", "ring.yaml", "--over", "H=0.01:10", "--coupling", couplings)
        names = couplings.split(",")
        expected = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        ok(f"costab limit: {expected}: one's own solver, euler" in done.stderr, f"{len(names)} couplings end at an own limit", done.stderr)


def in_margin_and_advise():
    done = costab("margin", "ring.yaml", "--parameters", "H")
    ok(re.search(SAYS % ("one", 1, "ends", "H", "2 s"), done.stderr), "margin names it", done.stdout, done.stderr)
    for k, over, expected in (("0", "0.01:10", "own:one"), ("3", "0.01:10", "coupling"), ("3", "0.01:0.3", "range")):
        rows, done = rows_of("advise", "ring.yaml", "--over", "H=" + over, "--set", "k=" + k, "-c", "jacobi")
        ok(rows[0]["limited_by"] == expected, f"advise: limited by {expected}", done.stdout, done.stderr)
    rows, done = rows_of("advise", "ring.yaml", "--over", "H=0.01:10", "--set", "k=3", "-c", "jacobi", "--error", "1e-3", "--until", "3")
    ok(rows[0]["limited_by"] == "accuracy", "advise: limited by accuracy", done.stdout, done.stderr)
    done = costab("advise", "ring.yaml", "--over", "H=0.01:10", "--set", "k=0.1", "-c", "gauss-seidel")
    tried = re.search(r"tried: 2 times as many reach ([\d.]+) s, 4 times ([\d.]+) s, 10 times ([\d.]+) s\)", done.stderr)
    lifted = []
    for times in (2, 4, 10):
        rows, _ = rows_of("limit", "ring.yaml", "--over", "H=0.01:10", "--set", "k=0.1", "--set", "n=%d" % times, "-c", "gauss-seidel", "-q")
        lifted.append("%.4g" % float(rows[0]["upper"]))
    ok(tried is not None and list(tried.groups()) == lifted, "advise: what more micro steps give is what `limit` finds with them", done.stderr, lifted)


def other_macro_steps():
    """A coupling whose macro step is not the parameter is left out by advise, and refused by the field best."""
    for step in ("2*H", "0.1"):
        pathlib.Path("steps.yaml").write_text(RING.replace("coupling: {macro_step: H}", "coupling: [{name: own, scheme: jacobi, macro_step: H}, {name: other, scheme: gauss-seidel, macro_step: %s}]" % step))
        rows, done = rows_of("advise", "steps.yaml", "--over", "H=0.01:10", "--all", "-q")
        ok(rows and "other" not in [r["coupling"] for r in rows] and "left out: the parameter is not the macro step of the coupling 'other'" in done.stderr,
           f"advise leaves out a coupling with the macro step {step}", done.stdout, done.stderr)
        pathlib.Path("best.yaml").write_text("system: network\nmodel: steps.yaml\naxes: {k: [0, 1]}\nbest: {over: H, range: [0.01, 10]}\nfields: [best]\n")
        refused(f"the field best refuses it: {step}", "'H' is not the macro step of the coupling 'other'", "sweep", "best.yaml", "-q")


def couplings_alike():
    for k, words in (("0", ", as far as any."), ("3", ", the longest such range of these couplings.")):
        said = costab("limit", "ring.yaml", "--over", "H=0.01:10", "--set", "k=" + k, "-c", "jacobi,gauss-seidel", "-f", "text").stdout
        ok(words in said, f"limit: k = {k}{words}", said)


def double_eigenvalues():
    """At a double eigenvalue rounding hides a sliver next to the limit, which is an end all the same. Of rk4 the real limit is 2.785293563405282."""
    double = RING.replace("A: [[-a]], B: [[1]], C: [[1]], x0: [1],", "A: [[0, 1], [-1, -2]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0],").replace("method: euler, substeps: n", "method: rk4")
    pathlib.Path("double.yaml").write_text(double)
    said = costab("limit", "double.yaml", "--over", "H=0.01:10", "--alone", "-f", "text").stdout
    ok("The first to end: one's own solver, rk4 with 1 micro step, ends at H = 2.78529 s: more micro steps lift this" in said, "the end of a double eigenvalue is an own limit", said)
    rows, done = rows_of("limit", "double.yaml", "--over", "H=0.01:10", "--alone")
    ends = [float(r["upper"]) for r in rows if r["coupling"] == "alone:one"]
    ok(ends and 0 <= 2.785293563405282 - ends[0] < 1e-5 and abs(ends[-1] - 2.785293563405282) < 1e-5, "the sliver is at the limit, and narrow", rows)
    done = costab("limit", "double.yaml", "--over", "H=0.01:10", "--set", "k=0.01", "-c", "gauss-seidel")
    ok("one's own solver, rk4 with 1 micro step, ends at H = 2.78529 s" in done.stderr, "and named beside couplings", done.stderr)


with workplace():
    pathlib.Path("loop.yaml").write_text(LOOP)
    pathlib.Path("ring.yaml").write_text(RING)
    for test in (closed_forms, which_and_how, who_is_named, in_margin_and_advise, other_macro_steps, couplings_alike, double_eigenvalues):
        test()
finish()
