#!/usr/bin/env python3
"""200 interrupts over all commands that print tables or a page. COSTAB_TEST_SEED draws other moments. Prints TAP."""
import os

import partial_runs
from tap import finish

partial_runs.run(int(200 * float(os.environ.get("COSTAB_TEST_EFFORT", 1))), int(os.environ.get("COSTAB_TEST_SEED", 1)))
finish()
