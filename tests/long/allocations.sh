#!/bin/sh
# Every allocation of every command fails once: tests/cli/allocations.py without leaving any out.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/../cli/allocations.py" --all
