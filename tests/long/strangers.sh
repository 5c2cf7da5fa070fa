#!/usr/bin/env bash
# A hundred thousand results files with changed bytes: each is read or refused in words (TAP).
set -u
. "$(dirname "$0")/../support/tap.sh"
cd "$project" || exit 1
EFFORT=400 exec "$(dirname "$costab")/tests/property/strangers"
