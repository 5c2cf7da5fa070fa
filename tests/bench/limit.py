"""`costab limit` over the macro step of long chains of oscillators, whole process, in units of numpy.linalg.eigvals of one map of the same
size on one thread: what a script pays for each macro step that it samples. One chain is stable everywhere, one is damped so lightly that
its limit lies inside; there the script bisects the end that costab gives, between 1e-9 below and above. Usage: limit.py COSTAB FOLDER, or
limit.py STATES DAMPER STEP... for the script alone."""
import csv
import io
import os
import random
import subprocess
import sys
import time

LOW, HIGH = 0.001, 0.45


def springs(count, damper):
    """Stiffnesses and dampers, each up to 30 % from the same."""
    r = random.Random(1)
    return [(round(3 * (1 + 0.3 * r.uniform(-1, 1)), 6), round(damper * (1 + 0.3 * r.uniform(-1, 1)), 6)) for _ in range(count)]


def model(count, damper):
    lines = ["system: network", "parameters: {H: 0.01}", "subsystems:"]
    lines += [f"  - {{name: s{i}, A: [[0, 1], [{-k}, {-d}]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], "
              "method: rk4, substeps: 1}" for i, (k, d) in enumerate(springs(count, damper))]
    lines += ["connections:"] + [f"  - {{from: s{i}.x, to: s{j}.{port}}}"
                                 for i in range(count) for j, port in ((i + 1, "l"), (i - 1, "r")) if 0 <= j < count]
    return "\n".join(lines + ["coupling: {scheme: jacobi, macro_step: H}", ""])


def script(count, damper, steps):
    """Spectral radii of the chain's map, and the seconds that the fastest eigvals took."""
    import numpy as np

    radii, best = [], float("inf")
    for H in steps:
        M = np.zeros((2 * count, 2 * count))
        for i, (k, d) in enumerate(springs(count, damper)):
            Z = H * np.array([[0, 1], [-k, -d]])
            phi = np.eye(2) + Z @ (np.eye(2) / 2 + Z @ (np.eye(2) / 6 + Z / 24))
            M[2 * i:2 * i + 2, 2 * i:2 * i + 2] = np.eye(2) + Z @ phi
            for j in (i - 1, i + 1):
                if 0 <= j < count:
                    M[2 * i:2 * i + 2, 2 * j] = H * phi[:, 1]
        begin = time.perf_counter()
        radii.append(abs(np.linalg.eigvals(M)).max())
        best = min(best, time.perf_counter() - begin)
    return radii, best


def sampled(count, damper, steps):
    said = subprocess.run([sys.executable, __file__, str(2 * count), repr(damper), *map(repr, steps)], check=True, capture_output=True,
                          text=True, env=dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")).stdout.split()
    return list(map(float, said[:-1])), float(said[-1])


def measure(costab, folder, states, rounds):
    for damper in (1, 0.1):
        path, count = os.path.join(folder, "chain.yaml"), states // 2
        with open(path, "w") as file:
            file.write(model(count, damper))
        times = {}
        for threads in (1, None):
            for _ in range(rounds):
                begin = time.perf_counter()
                done = subprocess.run([costab, "limit", path, "--over", f"H={LOW}:{HIGH}", "--quiet",
                                       *(["--threads", str(threads)] if threads else [])], check=True, capture_output=True, text=True)
                times[threads] = min(times.get(threads, float("inf")), time.perf_counter() - begin)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        end = float(rows[-1]["upper"])
        inside = [end * (1 - 1e-9), end * (1 + 1e-9)] if end < HIGH else [LOW, (LOW + HIGH) / 2, HIGH]
        radii, unit = sampled(count, damper, inside + [0.1] * (3 if states < 500 else 0))
        right = len(rows) == 1 and (radii[0] < 1 <= radii[1] if end < HIGH else max(radii[:3]) < 1)
        print(f"limit of a chain of {states} states, H from {LOW} to {HIGH}, {'stable everywhere' if end == HIGH else f'its end at {end:.9g}'}: "
              f"{times[None]:.2f} s on all threads, {times[1]:.2f} s on one; eigvals of one map of that size on one thread {unit * 1e3:.1f} ms; "
              f"{times[None] / unit:.0f} and {times[1] / unit:.0f} of these{'' if right else '; THE SCRIPT DOES NOT AGREE'}")


if os.path.isdir(sys.argv[2]):
    measure(sys.argv[1], sys.argv[2], 200, 3)
    measure(sys.argv[1], sys.argv[2], 1000, 1)
else:
    found, seconds = script(int(sys.argv[1]) // 2, float(sys.argv[2]), list(map(float, sys.argv[3:])))
    print(*map(repr, map(float, found)), seconds)
