# tap.sh - what the shell tests share; bash tests source it first: . "$(dirname "$0")/../support/tap.sh"
#
# Sets $project, $costab and $COSTAB (the program) and $work, a new folder which the test then stands in; it is removed at the end,
# after `at_end` if the test has such a function. Tests end with `finish`.
# shellcheck shell=bash disable=SC2034
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
costab=${COSTAB:-$project/build/costab}
case $costab in /*) ;; *) costab=$PWD/$costab ;; esac
COSTAB=$costab
work=$(mktemp -d) || exit 1
at_end() { :; }
trap 'at_end; rm -rf "$work"' EXIT
cd "$work" || exit 1
count=0

# What a file says, for the reader of the report; false, so that it can end a test.
shows() {
    [ ! -s "$1" ] || sed 's/^/# /' "$1"
    return 1
}
# ok STATUS WHAT: one test; where it failed, what the files out and err hold.
ok() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else
        echo "not ok $count - $2"
        shows out
        shows err
    fi
}
# check WHAT COMMAND...: one test, passed if the command succeeds.
check() {
    local what=$1
    shift
    if "$@"; then ok 0 "$what"; else ok 1 "$what"; fi
}
# skipped WHAT WHY: counts as neither passed nor failed.
skipped() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}
# skip PROGRAM WHAT COMMAND...: a check that needs another program; skipped where that is not there.
skip() {
    local program=$1
    shift
    if command -v "$program" >/dev/null; then check "$@"; else skipped "$1" "$program is not installed"; fi
}
# stride N: the stride through many cases: N with EFFORT 1, and 1, for all of them, from EFFORT 10 on.
stride() { awk -v n="$1" -v effort="${EFFORT:-1}" 'BEGIN { s = int(n / effort); print (effort >= 10 || s < 1 ? 1 : s) }'; }
# half POINTS: the spec of a network, half of whose points cannot be analysed, POINTS along its first axis.
half() { sed "s/POINTS/$1/" "$project/tests/support/half.yaml"; }
# run ARGUMENT...: the program, into out and err. refused STATUS PATTERN WHAT ARGUMENT...: one test, passed if it ends with that
# status, without output, and with an error that the extended pattern matches.
run() { "$costab" "$@" >out 2>err; }
refused() {
    local status=$1 pattern=$2 what=$3 got
    shift 3
    run "$@"
    got=$?
    [ "$got" -eq "$status" ] && grep -qE -- "$pattern" err && [ ! -s out ]
    ok $? "$what (exit $status)"
}
# words FILE: what the program said there, without its lines of progress, of which there are some on a slow machine.
words() { sed -E '/ points\/s(, .* left)?$/d; /^wrote /d' "$1"; }
# preload [PROGRAM]: sets $preload, what is preloaded to it so that the disk fails or is slow, as tests/shim/faults.c says.
preload() {
    local shim=${COSTAB_SHIMS:-$project/build/tests/shim}/faults.so asan
    if [ ! -e "$shim" ]; then
        shim=$work/faults.so
        ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -fPIC -shared -o "$shim" "$project/tests/shim/faults.c" -ldl
    fi
    # A sanitizer's library has to stay the first.
    asan=$(ldd "${1:-$costab}" | awk '/lib(a|t)san|libclang_rt/ { print $3; exit }')
    preload=${asan:+$asan:}$shim
}
# holds CHECKPOINT BYTES: waits until it holds so much, or the last job has ended.
holds() {
    for _ in $(seq 1000); do
        [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -lt "$2" ] || return
        kill -0 $! 2>/dev/null || return
        sleep 0.03
    done
}
# killed CHECKPOINT ARGUMENT...: the program on a slow disk, killed with -9 as soon as its checkpoint holds more than its head.
killed() {
    local checkpoint=$1
    shift
    preload
    COSTAB_FAULT_DELAY=30 LD_PRELOAD=$preload "$costab" "$@" >out 2>err &
    holds "$checkpoint" 10000
    kill -9 $!
    wait $! 2>/dev/null
}
finish() { echo "1..$count"; }
