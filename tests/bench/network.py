"""The network sweep of tests/bench/network.c in NumPy, class alone: whether the map's spectral radius is below 1. First as a
plain loop over points (every fourth stiffness and step), as one would write it: RK4's matrices, the map put together from
them, numpy.linalg.eigvals. Then batched over all points with matmul and eigvals. Both know what the general program has to
find out: that all oscillators are alike (their matrices are computed once per point), where each block of the map goes, that
there is one micro step and no power is needed. They leave out the continuous system's class, the rounding, the file. At last
eigvals alone, of the same matrices lying ready. eigvals works on one thread. Prints points per second of the three, the best
of three rounds. Usage: network.py OSCILLATORS [damping]; with damping the last alone, of the maps over stiffness and damping
at the macro step 0.1"""
import sys
import time

import numpy as np

count = int(sys.argv[1])
K = np.linspace(0.1, 10, 64)
H = np.linspace(0.01, 1.5, 256)


def macro_step(k, h, eye, c=1):
    """R(hA) and h phi(hA) B of one oscillator, RK4; k, h and c are numbers or arrays of points."""
    A = np.zeros(np.shape(k) + (2, 2))
    A[..., 0, 1], A[..., 1, 0], A[..., 1, 1] = h, h * (-1 - 2 * k), -h * c
    phi = eye + A @ (eye / 2 + A @ (eye / 6 + A / 24))
    B = np.zeros(np.shape(k) + (2, 1))
    B[..., 1, 0] = h * k
    return eye + A @ phi, phi @ B


def assemble(R, P, M):
    for i in range(count):
        M[..., 2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = R
        for j in {(i + 1) % count, (i - 1) % count}:
            M[..., 2 * i : 2 * i + 2, 2 * j : 2 * j + 1] = P
    return M


def loop(every):
    eye, points, begin = np.eye(2), 0, time.perf_counter()
    for k in K[::every]:
        for h in H[::every]:
            R, P = macro_step(k, h, eye)
            abs(np.linalg.eigvals(assemble(R, P, np.zeros((2 * count, 2 * count))))).max() < 1
            points += 1
    return points / (time.perf_counter() - begin)


def maps(damping=False):
    """Over the macro step; or over the damping, which has the same values."""
    k, h = (x.ravel() for x in np.meshgrid(K, H, indexing="ij"))
    R, P = macro_step(k, 0.1, np.eye(2), h) if damping else macro_step(k, h, np.eye(2))
    return assemble(R, P, np.zeros((k.size, 2 * count, 2 * count)))


def batched():
    begin = time.perf_counter()
    stable = abs(np.linalg.eigvals(maps())).max(axis=1) < 1
    return stable.size / (time.perf_counter() - begin)


def ready(M):
    begin = time.perf_counter()
    np.linalg.eigvals(M)
    return len(M) / (time.perf_counter() - begin)


M = maps(len(sys.argv) > 2)
if len(sys.argv) > 2:
    print(max(ready(M) for _ in range(3)))
    sys.exit()
print(max(loop(4) for _ in range(3)), max(batched() for _ in range(3)), max(ready(M) for _ in range(3)))
