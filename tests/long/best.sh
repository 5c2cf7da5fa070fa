#!/bin/sh
# 20 random charts of the best coupling beside all limits.
BEST_CHARTS=20 exec tests/cli/best.py
