#!/usr/bin/env python3
"""`costab advise` against an exhaustive search, on 50 random models. Prints TAP."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import advice  # noqa: E402
import families  # noqa: E402
from tap import finish, ok  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    for family, name in enumerate(families.NAMES):
        said, count = [], 13 if family < 2 else 12
        for seed in range(200, 200 + count):
            said += advice.hold(folder, name, seed, 2500)
        ok(not said, f"{name}: {count} models", "\n".join(said))
finish()
