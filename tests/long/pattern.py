#!/usr/bin/env python3
"""`costab pattern` of couplings that remember the steps before, against all cycles of seven steps. Prints TAP."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from sequences import DRIVE, FS, LIM2, hold_list  # noqa: E402
from tap import finish  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    for model, coupling, steps, more in (
            (LIM2, "jacobi-linear", (0.01, 0.06), {}), (LIM2, "jacobi", (0.02, 0.15), {"delays": ((0, 1), (1, 2))}),
            (FS, "jacobi-linear", (0.01, 0.05), {"delays": ((1, 1),)}), (LIM2, "jacobi-cubic", (0.02, 0.06), {}),
            (FS, "jacobi-quadratic", (0.02, 0.1), {"delays": ((1, 1),)}), (LIM2, "jacobi-linear-smoothed", (0.02, 0.1), {}),
            (LIM2, "jacobi-cubic-smoothed", (0.01, 0.03), {"delays": ((1, 1),), "gap": 1.1}), (DRIVE, "gauss-seidel-quadratic", (0.02, 0.1), {}),
            (DRIVE, "gauss-seidel-cubic", (0.02, 0.1), {}), (LIM2, "jacobi", (0.02, 0.05), {"seconds": ((0, 0.05),)}),
            (LIM2, "jacobi-linear", (0.015, 0.025), {"seconds": ((1, 0.03),)})):
        hold_list(folder, model, coupling, steps, **more)
finish()
