#!/usr/bin/env bash
# The programs in C that try random cases, with COSTAB_TEST_EFFORT (8) times as many as in `make check`. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
export COSTAB_TEST_EFFORT=${COSTAB_TEST_EFFORT:-8}
for source in $(cd "$project" && grep -l 'effort(' tests/{unit,property,literature}/*.c); do
    case $source in */strangers.c) continue ;; esac # strangers.sh runs it, with many more
    (cd "$project" && "$(dirname "$costab")/${source%.c}") >out 2>err
    ok $? "${source%.c}: $COSTAB_TEST_EFFORT times as many random cases"
done
finish
