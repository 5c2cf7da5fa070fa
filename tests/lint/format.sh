#!/usr/bin/env bash
# Every source and header is as clang-format leaves it. Versions of clang-format differ: the one of Debian 12 counts. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
program=${CLANG_FORMAT:-clang-format}
version=$("$program" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
cd "$project" || exit 1
if [ "$version" = 14 ]; then
    "$program" --dry-run --Werror include/costab/*.h src/*/*.[ch] tests/*/*.[ch] >"$work/out" 2>"$work/err"
    ok $? 'all sources and headers are formatted: make format'
else
    skipped 'all sources and headers are formatted' "they are with clang-format 14; here is ${version:-none}"
fi
finish
