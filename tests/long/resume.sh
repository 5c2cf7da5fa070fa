#!/bin/sh
# kill -9 at 60 random moments, then --resume: tests/cli/resume.py with more of them.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/../cli/resume.py" --kills 60
