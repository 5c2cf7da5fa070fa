#!/bin/sh
# tests/cli/fmu_steps.py and fmu_ssp.py with the limits that take longer: of all couplings, against exact solvers.
set -e
FMU_LONG=1 "${PYTHON:-python3}" tests/cli/fmu_steps.py
FMU_LONG=1 exec "${PYTHON:-python3}" tests/cli/fmu_ssp.py
