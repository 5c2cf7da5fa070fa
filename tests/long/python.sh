#!/bin/sh
# The Python module over all couplings and ranges, docs/python.md's program, and every cell of the notebook. Prints TAP.
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import matplotlib, pandas' || exit 1
"$python" tests/cli/notebook.py || exit 1
COSTAB_TEST_EFFORT=10 exec "$python" tests/cli/python.py
