#!/bin/sh
# Every cell of the notebook, with matplotlib and pandas. Prints TAP.
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import matplotlib, pandas' || exit 1
exec "$python" tests/cli/notebook.py
