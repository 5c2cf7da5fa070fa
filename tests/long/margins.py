#!/usr/bin/env python3
"""`costab margin` against dense samples, on 100 random models: no change of class is jumped over. Prints TAP."""
import tempfile

import families
import margin_truth as margins
from tap import finish, ok

with tempfile.TemporaryDirectory() as folder:
    for name in families.NAMES:
        looked, said = 0, []
        for seed in range(25):
            count, wrong = margins.hold(folder, name, seed, 6000)
            looked += count
            said += wrong
        ok(not said, f"{name}: {looked} sides of 25 models", "\n".join(said))
finish()
