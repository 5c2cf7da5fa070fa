"""Trace, determinant and spectral radius of 4 schemes x 2001 x 2001 points as a NumPy + h5py script: vectorised over whole
(gamma, delta) planes, the maps for RK4 as in class_sweep.py, doubles written with shuffle and lzf, h5py's fast filter, in the
chunks of costab. Usage: float_sweep.py FILE.h5"""
import sys

import h5py
import numpy as np

from class_sweep import DELTA, GAMMA, coupled, simulation

SCHEMES = {"simulation": simulation, **{s: coupled(s) for s in ("cross", "zigzag", "strong")}}


def main():
    with h5py.File(sys.argv[1], "w") as file:
        fields = [file.create_dataset(name, (4, 1, 2001, 2001), np.float64, chunks=(1, 1, 65, 2001), shuffle=True, compression="lzf")
                  for name in ("trace", "determinant", "spectral_radius")]
        for s, maps in enumerate(SCHEMES.values()):
            trace, determinant, _ = maps(0.5)
            trace, determinant = np.broadcast_arrays(trace, determinant)
            half = trace / 2
            discriminant = half * half - determinant
            root = np.sqrt(np.abs(discriminant))
            radius = np.where(discriminant < 0, np.sqrt(np.abs(determinant)), np.abs(half) + root)
            for field, values in zip(fields, (trace, determinant, radius)):
                field[s, 0] = values


main()
