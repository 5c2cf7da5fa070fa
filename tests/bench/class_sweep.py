"""The class sweep of 4 schemes x 3 a x 2001 x 2001 points as a NumPy + h5py script: vectorised over whole (gamma, delta)
planes, the trace and determinant of every map for RK4 by Horner's rule in place, classes written compressed (shuffle off,
gzip level 1, the same chunks as costab's). Usage: class_sweep.py FILE.h5"""
import sys

import h5py
import numpy as np

GAMMA = np.linspace(-6, 2, 2001)[:, None]
DELTA = np.linspace(-2, 14, 2001)[None, :]
A = [-0.5, 0.0, 0.5]


def weights(z):
    phi = 1 + z * (1 / 2 + z * (1 / 6 + z / 24))
    p1 = 1 / 2 + z * (1 / 6 + z / 24)
    return 1 + z * phi, phi, phi - p1, p1


def simulation(a):
    g, d = GAMMA, DELTA
    trace = (g**4 + 4 * g**3 + 12 * g**2 + 24 * g + 48 - 4 * (g**2 + 3 * g + 6) * d + 2 * d**2) / 24
    determinant = d * (d * (d * (d + 4 * (g - 2)) + 12 * g * (g - 2)) + 24 * g**3)
    determinant = (determinant + 24 * (g**4 + 4 * g**3 + 12 * g**2 + 24 * g + 24)) / 576
    return trace, determinant, None


def coupled(scheme):
    def maps(a):
        d = GAMMA - a
        ra, fa, p0a, p1a = weights(a)
        rd, fd, p0d, p1d = weights(d)
        w = a * d - DELTA
        if scheme == "cross":
            return ra + rd, ra * rd - w * (fa * fd), None
        if scheme == "zigzag":
            return ra + rd + w * (fa * p1d), ra * rd - w * (fa * p0d), None
        k = 1 - w * (p1a * p1d)
        trace = (ra + rd + w * (p1a * p0d + p0a * p1d)) / k
        return trace, (ra * rd - w * (p0a * p0d)) / k, abs(1 - k) < 1

    return maps


def main():
    schemes = {"simulation": simulation, **{s: coupled(s) for s in ("cross", "zigzag", "strong")}}
    continuous = 2 * ((GAMMA < 0) & (DELTA > 0)).astype(np.uint8)
    with h5py.File(sys.argv[1], "w") as file:
        grid = file.create_dataset(
            "class", (4, 3, 2001, 2001), np.uint8, chunks=(1, 1, 65, 2001), compression="gzip", compression_opts=1
        )
        for s, maps in enumerate(schemes.values()):
            for k, a in enumerate(A):
                trace, determinant, contracts = maps(a)
                stable = (abs(trace) - 1 < determinant) & (determinant < 1)
                if contracts is not None:
                    stable &= contracts
                grid[s, k] = continuous + stable


if __name__ == "__main__":
    main()
