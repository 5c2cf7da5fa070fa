#!/usr/bin/env python3
"""`costab margin` against dense samples, on 100 random models: no change of class is jumped over. Prints TAP."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import families  # noqa: E402
import margins  # noqa: E402
from tap import finish, ok  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    for name in families.NAMES:
        looked, said = 0, []
        for seed in range(25):
            count, wrong = margins.hold(folder, name, seed, 6000)
            looked += count
            said += wrong
        ok(not said, f"{name}: {looked} sides of 25 models", "\n".join(said))
finish()
