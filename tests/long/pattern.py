#!/usr/bin/env python3
"""`costab pattern` of couplings that remember the steps before, against all cycles of seven steps; and of ranges, the values
that another program found. Prints TAP."""
import itertools
import tempfile

import numpy as np

from sequences import DRIVE, FS, LIM2, Player, hold_list, hold_ratio, told, written
from tap import finish, ok

with tempfile.TemporaryDirectory() as folder:
    for model, coupling, steps, more in (
            (LIM2, "jacobi-linear", (0.01, 0.06), {}), (LIM2, "jacobi", (0.02, 0.15), {"delays": ((0, 1), (1, 2))}),
            (FS, "jacobi-linear", (0.01, 0.05), {"delays": ((1, 1),)}), (LIM2, "jacobi-cubic", (0.02, 0.06), {}),
            (FS, "jacobi-quadratic", (0.02, 0.1), {"delays": ((1, 1),)}), (LIM2, "jacobi-linear-smoothed", (0.02, 0.1), {}),
            (LIM2, "jacobi-cubic-smoothed", (0.01, 0.03), {"delays": ((1, 1),), "gap": 1.1}), (DRIVE, "gauss-seidel-quadratic", (0.02, 0.1), {}),
            (DRIVE, "gauss-seidel-cubic", (0.02, 0.1), {}), (LIM2, "jacobi", (0.02, 0.05), {"seconds": ((0, 0.05),)}),
            (LIM2, "jacobi-linear", (0.015, 0.025), {"seconds": ((1, 0.03),)})):
        hold_list(folder, model, coupling, steps, **more)
    lim2, drive, player = written(folder, LIM2), written(folder, DRIVE, "rk4", 10), Player(LIM2, "jacobi")
    for longest, ratio in ((0.25, 1.41), (0.2, 1.61), (0.15, 6.0)):
        hold_ratio(lim2, longest, ratio)
    found = told(lim2, "--over", "H=0.0001:0.3")
    ok(0.08396 <= found["safe_to"] <= 0.229451 and found["safe_from"] == 0.0001, "short steps: all stable to 0.08396 at least, "
       "not from 0.22945 on", found)
    ok(found["proved"] == "yes" and player.radius([0.022808, 0.229451, 0.023390]) > 1, "proved; a cycle to 0.229451 grows")
    steps = np.linspace(found["safe_from"], found["safe_to"], 7)
    worst = max(player.radius(w) for k in range(1, 5) for w in itertools.product(steps, repeat=k))
    ok(worst < 1, "no cycle of four of seven safe steps grows", worst)
    found = told(drive, "--over", "H=0.0005:0.0158")
    ok(found["lower"] < 1, "README's drive: no bad cycle is found to 0.0158", found)
finish()
