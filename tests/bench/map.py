"""costab map of networks of 1,000 states, whole process, beside one dgeev of a matrix of that size with left and right vectors: of
random numbers, and of the map itself (the chain's eigenvalues are many times alike). One thread, processor time, run in turn, the
best of some rounds; the difference is of the largest moduli. Usage: map.py COSTAB FOLDER, with OPENBLAS_NUM_THREADS=1."""
import json
import os
import random
import resource
import subprocess
import sys
import time

ROUNDS, STATES = 3, 1000


def model(subsystems, links):
    return "\n".join(["system: network", "subsystems:", *subsystems, "connections:", *links, "coupling: {scheme: jacobi, macro_step: 0.05}", ""])


def chain(count=STATES // 2):
    """Oscillators between two neighbours each."""
    subsystems = [f"  - {{name: s{i}, A: [[0, 1], [-{3 + i % 7 / 2}, -0.{1 + i % 5}]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], "
                  "method: rk4}" for i in range(count)]
    links = [f"  - {{from: s{j}.x, to: s{i}.{port}}}" for i in range(count) for j, port in ((i - 1, "l"), (i + 1, "r")) if 0 <= j < count]
    return model(subsystems, links)


def dense(count=20, states=STATES // 20, ports=10):
    """Full random subsystems, each of which feeds two others."""
    draw = random.Random(7).gauss

    def matrix(rows, columns, size, shift=0):
        return str([[round(draw(0, size) - (shift if i == j else 0), 6) for j in range(columns)] for i in range(rows)])

    names = [f"{{}}{k}" for k in range(ports)]
    subsystems = [f"  - {{name: s{i}, A: {matrix(states, states, states**-0.5, 3)}, B: {matrix(states, ports, ports**-0.5)}, "
                  f"C: {matrix(ports, states, states**-0.5)}, inputs: [{', '.join(n.format('u') for n in names)}], "
                  f"outputs: [{', '.join(n.format('y') for n in names)}], method: rk4}}" for i in range(count)]
    links = [f"  - {{from: s{(i + 1 + 3 * t) % count}.y{k}, to: s{i}.u{(k + t) % ports}, gain: {round(draw(0, 0.5), 6)}}}"
             for i in range(count) for k in range(ports) for t in range(2)]
    return model(subsystems, links)


def spent(command):
    """Seconds of processor time of a child."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(costab, folder):
    import numpy as np
    from scipy.linalg.lapack import dgeev

    def driver(matrix):
        begin = time.process_time()
        dgeev(matrix, 1, 1)
        return time.process_time() - begin

    path, any_matrix = os.path.join(folder, "large.yaml"), np.random.default_rng(7).standard_normal((STATES, STATES))
    for what, text in (("a chain of 500 oscillators", chain()), ("20 full subsystems of 50 states", dense())):
        with open(path, "w") as file:
            file.write(text)
        found = json.loads(subprocess.run([costab, "map", path, "--matrix", "--format", "json"], check=True, capture_output=True).stdout)[0]
        M = np.array(found["matrix"])
        apart = abs(found["spectral_radius"] - abs(np.linalg.eigvals(M)).max())
        times = [(spent([costab, "map", path]), driver(any_matrix), driver(M)) for _ in range(ROUNDS)]
        ours, random_one, own = (min(column) for column in zip(*times))
        print(f"map of {what}, {len(M)} states, {len(found['modes'])} modes with shares of {len(found['modes'][0]['connections'])} connections, whole "
              f"process: {ours:.2f} s; dgeev with vectors of a random matrix {random_one:.2f} s, ratio {ours / random_one:.2f}; of the map itself "
              f"{own:.2f} s, ratio {ours / own:.2f}; radii apart by {apart:.1g}, its rounding {found['rounding']:.1g}")


main(*sys.argv[1:])
