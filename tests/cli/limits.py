#!/usr/bin/env python3
"""`costab limit` against intervals found by dense samples of an independent program (tests/reference/limits.json): none
missed, none invented. A sample of them here; tests/long/limits.py takes all, and renews some. Prints TAP."""
import json
import pathlib
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(here / "support"))
import limits  # noqa: E402
from tap import COSTAB, finish, ok  # noqa: E402

entries = json.loads((here / "reference/limits.json").read_text())["limits"]
with tempfile.TemporaryDirectory() as folder:
    for family in ("structure", "chain", "hydraulics", "drive"):
        said = []
        for entry in [e for e in entries if e["family"] == family][::5]:
            wrong, _ = limits.hold(COSTAB, folder, entry)
            said += [f"{family} {entry['seed']} {entry['coupling']}: {w}" for w in wrong]
        ok(not said, f"{family}: every fifth model", "\n".join(said))
finish()
