#!/usr/bin/env python3
"""`costab advise --error` on 50 random models of two and three subsystems, beside every coupling simulated. Prints TAP."""
import pathlib
import sys
import tempfile

import advice_error
import families
from tap import COSTAB, finish, note, ok

sys.path.insert(0, str(pathlib.Path(COSTAB).resolve().parent / "python"))
import costab

with tempfile.TemporaryDirectory() as folder:
    for family, name in enumerate(families.NAMES):
        said, couplings, count = [], 0, 13 if family < 2 else 12
        for seed in range(200, 200 + count):
            wrong, rows = advice_error.hold(costab, folder, name, seed)
            said, couplings = said + wrong, couplings + rows
        note(f"{name}: {couplings} couplings of {count} models")
        ok(not said, f"{name}: what is recommended is stable, accurate, and within 5 % of the cheapest; each row is as accurate as it says", "\n".join(said))
finish()
