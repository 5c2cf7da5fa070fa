#!/usr/bin/env python3
"""20 interrupts (200 with EFFORT=10) over all commands that print tables or a page. SEED draws other moments. Prints TAP."""
import partial_runs
from tap import effort, finish, seed

partial_runs.run(effort(20), seed(1))
finish()
