#!/usr/bin/env bash
# Doxygen renders the public headers without a warning, and finds the comments of functions and members.
. "$(dirname "$0")/../support/tap.sh"
page() { grep -q "$2" "$work/docs-c/html/$1"; }
if command -v doxygen >/dev/null; then
    make -C "$project" docs-c DEPS=skip BUILDDIR="$work" >out 2>err
    ok $? "make docs-c: no warning"
    check "members have their comments" page structcostab__subsystem.html 'micro steps per step of the subsystem'
    check "functions have their comments" page network_8h.html 'the name may contain an order for gauss-seidel'
else
    skipped "the public headers by Doxygen" "doxygen is not installed"
fi
finish
