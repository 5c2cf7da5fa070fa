#!/usr/bin/env python3
"""costab.planar.classify of a million points, against the bare call of the C library into memory that is there: alternately, the best of
each, in time of the processor. The module is taken from PYTHONPATH."""
import time

import costab
import numpy as np
from costab._library import ffi, lib

N, ROUNDS = 10**6, 15
random = np.random.default_rng(1)
a, gamma, delta = random.uniform(-1, 1, N), random.uniform(-4, 1, N), random.uniform(-2, 12, N)
planar = costab.planar._planar("zigzag", "rk4", 1)
points = ffi.new("costab_planar_point[]", N)
pointers = [ffi.from_buffer("double[]", x) for x in (a, gamma, delta)]
lib.costab_planar_points(planar, N, *pointers, points)  # the pages are there now
bare, module = [], []
for _ in range(ROUNDS):
    begin = time.thread_time()
    lib.costab_planar_points(planar, N, *pointers, points)
    bare.append(time.thread_time() - begin)
    begin = time.thread_time()
    found = costab.planar.classify(a, gamma, delta)
    module.append(time.thread_time() - begin)
assert all(found[i] == points[i].class_code for i in range(0, N, 997))
print(f"planar.classify in Python of 10^6 points: {min(module) * 1e3:.1f} ms; the C call costab_planar_points {min(bare) * 1e3:.1f} ms; "
      f"ratio {min(module) / min(bare):.2f}")
