#!/bin/sh
# The Python module over all couplings and ranges, docs/python.md's program and the notebook. Prints TAP.
COSTAB_TEST_EFFORT=10 exec "${PYTHON:-/usr/bin/python3}" tests/cli/python.py
