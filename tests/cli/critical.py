#!/usr/bin/env python3
"""costab critical of several schemes, which are searched on threads (TAP): however many there are, the rows of each scheme are
those of that scheme alone, in the usual order of the schemes. In a
window: against macro steps in NumPy."""
import csv
import os
import random
import resource

import numpy as np

from tap import costab, EFFORT, effort, finish, ok, seed, stride

SCHEMES = ["cross", "zigzag", "strong"]


def rows(threads, *options):
    done = costab("critical", *options, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    return done.returncode, done.stdout.splitlines(), done.stderr


# complete, and by samples
for options in [[], ["--method", "trapezoidal"], ["--method", "heun", "--a=-3:3"],
                ["--substeps", "2", "--a=-1:1"], ["--method", "exact"]][::stride(2)]:
    alone = [rows(1, "--scheme", scheme, *options) for scheme in SCHEMES]
    ok(all(status == 0 for status, _, _ in alone) and sum(len(lines) > 1 for _, lines, _ in alone) > 1,
       f"{options}: more than one scheme has critical values", alone)
    if not options:
        ok(abs(float(alone[0][1][-1].split(",")[3]) - 0.548155220383393130) < 1e-15, "cross ends at a known value", *alone[0][1])
    wanted = alone[0][1][:1] + [line for _, lines, _ in alone for line in lines[1:]]
    for threads in (1, 2, 3)[::stride(2)]:
        status, lines, said = rows(threads, *options)
        ok((status, lines) == (0, wanted), f"{options}: all at once, {threads} threads", said, *lines)

# what goes wrong is said once, whoever comes upon it
for threads in (1, 3):
    status, lines, said = rows(threads, "--substeps", "300")
    ok(status == 2 and len(lines) < 2 and said.count("error:") == 1, f"too many micro steps, {threads} threads", said)

# threads in a limited address space: some times, as it would fail now and then (no sanitizer works in a limited one)
if not {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys():
    SPACE = 700 << 20
    few = ["critical", "--substeps", "2", "--a=-0.5:-0.3"]
    calm = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    limited = [costab(*few, env=calm, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))) for _ in range(effort(1))]
    free = costab(*few).stdout
    ok(all((done.returncode, done.stdout) == (0, free) for done in limited), "an address space of 700 MiB is enough",
       *[done.stderr for done in limited])


# ---- Windows ----

TABLEAUS = {"rk4": ([[0, 0, 0, 0], [1 / 2, 0, 0, 0], [0, 1 / 2, 0, 0], [0, 0, 1, 0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]), "heun": ([[0, 0], [1, 0]], [1 / 2, 1 / 2]),
            "trapezoidal": ([[0, 0], [1 / 2, 1 / 2]], [1 / 2, 1 / 2]), "{A: [[1/4, 0], [1/3, 1/4]], b: [1/3, 2/3]}": ([[1 / 4, 0], [1 / 3, 1 / 4]], [1 / 3, 2 / 3])}


def functions(name, z):
    """phi, P0 and P1 of one step at each z, from the stages of x' = z x + 1 and x' = z x + t."""
    A, b = (np.array(part) for part in TABLEAUS[name])
    stages = np.zeros((len(z), len(b), 2))
    for i in range(len(b)):  # A is lower triangular
        stages[:, i] = ([1, A[i].sum()] + z[:, None] * (A[i] @ stages)) / (1 - A[i, i] * z)[:, None]
    phi, p1 = (b @ stages).T
    return phi, phi - p1, p1


def stable(scheme, name, a, gamma, delta):
    """Whether the macro step of z' = [a ad - Delta; 1 d] z is stable: for each Gamma (rows) and Delta."""
    d, delta = (gamma - a)[:, None], delta[None, :]
    (phi_a, a0, a1), (phi_d, d0, d1) = (np.array(functions(name, z))[:, :, None] for z in (np.array([a]), gamma - a))
    R_a, R_d, w = 1 + a * phi_a, 1 + d * phi_d, a * d - delta
    # x+ = R_a x + w (y terms), y+ = R_d y + (x terms): M x+ = N x, as rows of the two equations
    y_now, y_next, x_now, x_next = {"cross": (phi_a, 0, phi_d, 0), "zigzag": (phi_a, 0, d0, d1), "strong": (a0, a1, d0, d1)}[scheme]
    det_m = 1 - w * y_next * x_next
    # the inverse of M = [1, -w y_next; -x_next, 1] times N = [R_a, w y_now; x_now, R_d]
    with np.errstate(all="ignore"):
        trace = (R_a + w * y_next * x_now + x_next * w * y_now + R_d) / det_m
        det = (R_a * R_d - w * y_now * x_now) / det_m
        good = (abs(det) < 1) & (abs(trace) < 1 + det)
    return good & (abs(w * y_next * x_next) < 1) if scheme == "strong" else good


def regions(scheme, name, a, gamma, delta):
    """Whether a point of the grid is in SS, US, and US right of Gamma = 0."""
    good, exact = stable(scheme, name, a, gamma, delta), (gamma < 0)[:, None] & (delta > 0)[None, :]
    return [(good & exact).any(), (good & ~exact).any(), (good & ~exact & (gamma > 0)[:, None]).any()]


def check_window(scheme, name, gamma, delta, search="complete"):
    """Rows of the command: wherever the grid has a point of a region its area is positive, and elsewhere it has none a little away
    from the events. Returns the rows."""
    done = costab("critical", "--a=-5:5", "--scheme", scheme, "--method", name, f"--gamma={gamma[0]}:{gamma[1]}", f"--delta={delta[0]}:{delta[1]}")
    found = [(float(row["a"]), row["event"], row["search"]) for row in csv.DictReader(done.stdout.splitlines())]
    grid = [low + (high - low) * (np.arange(150) + 0.5) / 150 for low, high in (gamma, delta)]
    if gamma[0] < 0 < gamma[1]:  # strips of US right of Gamma = 0 can be narrow
        grid[0] = np.append(grid[0], np.geomspace(1e-6, 1e-2, 30))
    wrong, seen = [], 0
    for a in np.linspace(-3.99, 3.99, 100 if EFFORT > 1 else 60):
        for region, there in zip(("ss", "us", "us_right"), regions(scheme, name, a, *grid)):
            own = [(at, event) for at, event, _ in found if event in (f"{region}_begins", f"{region}_ends")]
            before, after = ([event for at, event in own if at < a][-1:], [event for at, event in own if at > a][:1])
            positive = before == [f"{region}_begins"] or (not before and after == [f"{region}_ends"]) or (not own and there)
            contradicts = (before == [f"{region}_begins"]) if after == [f"{region}_begins"] else before == after == [f"{region}_ends"]
            seen += bool(there)
            if contradicts or (there and not positive) or (positive and not there and own and min(abs(at - a) for at, _ in own) > 0.25):
                wrong.append((region, a, bool(there), before, after))
    return done.returncode == 0 and not wrong and all(how == search for *_, how in found), found, seen, wrong, done.stderr


draw = random.Random(seed(1))
for case in range(effort(12)):
    scheme, name = draw.choice(SCHEMES), draw.choice(list(TABLEAUS))
    gamma, delta = (sorted((round(draw.uniform(low, high), 2), round(draw.uniform(low, high), 2) + 0.5)) for low, high in ((-3, 2), (-2, 6)))
    good, found, seen, *more = check_window(scheme, name, gamma, delta)
    ok(good, f"{scheme}, {name}, Gamma {gamma}, Delta {delta}: {len(found)} events, {seen} sets with points", found, *more)

# cross: rows with Gamma = -1 have stable points with Delta > 0 up to R(a) + R(d) = 2, where Det D = 1 passes through Delta = 0
low, high = 0.5, 0.6
for _ in range(60):
    middle = (low + high) / 2
    (phi_a, phi_d) = functions("rk4", np.array([middle, -1 - middle]))[0]
    low, high = (middle, high) if middle * phi_a + (-1 - middle) * phi_d < 0 else (low, middle)
_, found, *_ = check_window("cross", "rk4", (-1, 1), (-1, 2))
ok([event for _, event, _ in found] == ["ss_begins", "ss_ends"] and abs(found[1][0] - low) < 1e-14 and abs(found[0][0] + 1 + low) < 1e-14,
   "the ends of SS in a window that cuts it", found, low)

for options, words in ((["--gamma", "-1:1"], "belong together"), (["--gamma", "-1:1", "--delta", "2:1"], "LO < HI"), (["--gamma=-1e300:1", "--delta", "0:1e300"], "exceeds the largest number"), (["--method", "{A: [[0, 0], [sqrt(5)/4, 0]], b: [0, 1]}"], "roots of either 2 or 3"),
                       (["--method", "exact", "--gamma", "-1:1", "--delta", "0:1"], "transcendental")):
    done = costab("critical", "--scheme", "cross", *options)
    ok(done.returncode == 2 and words in done.stderr, f"refused: {options}", done.stderr)
done = costab("critical", "--scheme", "cross", "--substeps", "5", "--gamma=-1:1", "--delta=-1:2")
ok("not complete" in done.stdout and "ss_ends" in done.stdout, "by samples, too", done.stdout)

done = costab("critical", "--scheme", "simulation")
ok(done.returncode == 0 and "the same for every a" in done.stderr, "simulation has none, and stderr tells why", done.stdout, done.stderr)
finish()
