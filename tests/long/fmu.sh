#!/bin/sh
# tests/cli/fmu_steps.py with the limits that take longer: against exact solvers, and of all couplings.
FMU_LONG=1 exec "${PYTHON:-python3}" tests/cli/fmu_steps.py
