#!/usr/bin/env python3
"""--time, INT and TERM at random moments (tests/long/interrupted.py: 200 of them), and at moments when rows are surely complete. Prints TAP."""
import csv
import time

import partial_runs
from tap import costab, finish, ok

begun = time.monotonic()
whole = costab("limit", partial_runs.DRIVE, "-q", "-f", "csv", "--over", "H=0.001:0.5", "--coupling", "all")
seconds = time.monotonic() - begun
counts = []
for share in (0.4, 0.6, 0.8):
    done = costab("limit", partial_runs.DRIVE, "-q", "-f", "csv", "--over", "H=0.001:0.5", "--coupling", "all", "--time", f"{share * seconds:.3f}")
    rows = list(csv.reader(done.stdout.splitlines()))
    counts.append(len(rows) - 2 if done.returncode == 3 and rows[-1][0] == "unfinished" else len(rows) - 1 if done.returncode == 0 else -1)
ok(whole.returncode == 0 and min(counts) >= 0 and max(counts) > 10, "rows of limit by the time given", counts, seconds)
done = costab("limit", partial_runs.DRIVE, "-q", "--over", "H=0.001:0.5", "--time", "1e-5")
ok(done.returncode == 3 and "stopped by --time" in done.stderr and len(done.stdout.splitlines()) in (0, 2), "nothing complete", done.returncode, done.stdout, done.stderr)
partial_runs.run(16)
finish()
