#!/usr/bin/env bash
# The same spec gives the same bytes: every spec of sweeps/, swept by programs that gcc and clang made, with and without much
# optimising, by 1, 2 and 5 threads, killed and gone on with, and in slices. Prints TAP.
#
# All on one machine: OpenBLAS and the C library choose their kernels by the processor. With those of an older one
# (OPENBLAS_CORETYPE=NEHALEM; GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA) two of the 43 specs got other numbers in November 2026:
# skjong2019/example2 in the last bits of 90 of 522 spectral radii, and four crossings of the level 1 by 2e-8 of themselves;
# kns2014/fig05 in the last bit of 4 of 8004 exact states. How a sweep is cut into tiles follows from its spec alone.
set -u
. "$(dirname "$0")/../support/tap.sh"
unset CC CFLAGS LDFLAGS MAKEFLAGS MFLAGS MAKELEVEL VARIANT
shim=${COSTAB_SHIMS:-$project/build/tests/shim}/faults.so

build() { # name setting...
    local name=$1
    shift
    make -C "$project" -j"${JOBS:-2}" DEPS=skip BUILDDIR="$work/$name" "$@" "$work/$name/costab" >out 2>err
    ok $? "built with $*"
}
build plain CC=gcc
build low CC=gcc CFLAGS=-O1
if command -v clang >/dev/null; then build clang CC=clang; else skipped 'built with CC=clang' 'clang is not installed'; fi

# kept/N.h5 is the file of the N-th spec, by the first program on one thread.
specs=("$project"/sweeps/*/*.yaml)
mkdir kept
bad=0
for n in "${!specs[@]}"; do
    plain/costab sweep "${specs[n]}" -o kept/$n.h5 --quiet --threads 1 >out 2>err || { bad=1 && break; }
done
[ $bad = 0 ] && [ ${#specs[@]} -gt 30 ]
ok $? "${#specs[@]} specs, swept on one thread"

# each WHAT COMMAND: one test, passed if COMMAND SPEC makes of each spec the same file other.h5.
each() {
    local n different=()
    for n in "${!specs[@]}"; do
        rm -f other.h5 other.h5.checkpoint
        "$2" "${specs[n]}" >>said 2>&1 && cmp -s kept/$n.h5 other.h5 || different+=("${specs[n]#"$project"/}")
    done
    : >out
    printf '%s\n' "${different[@]}" >err
    [ ${#different[@]} = 0 ]
    ok $? "$1: the same bytes"
}

low() { low/costab sweep "$1" -o other.h5 --quiet; }
clang() { clang/costab sweep "$1" -o other.h5 --quiet; }
each 'gcc -O1' low
[ ! -d clang ] || each 'clang' clang
for threads in 2 5; do
    threaded() { plain/costab sweep "$1" -o other.h5 --quiet --threads $threads; }
    each "$threads threads" threaded
done

# Killed before the twelfth call to the disk, where some tiles are kept; short sweeps are finished before.
resumed=0
killed() {
    COSTAB_FAULT_AT=12 COSTAB_FAULT_SIGNAL=9 LD_PRELOAD="$shim" plain/costab sweep "$1" -o other.h5 --quiet --threads 2
    plain/costab sweep "$1" -o other.h5 --quiet --resume >words 2>&1 || return 1
    ! grep -q 'continues after tile' words || resumed=$((resumed + 1))
}
each 'kill -9, then --resume' killed
[ $resumed -gt 5 ]
ok $? "$resumed of them went on from a checkpoint"

slices() {
    local k count
    count=$(plain/costab sweep "$1" --dry-run | awk '$1 == "tiles" { print $2 < 3 ? $2 : 3 }')
    rm -rf parts && mkdir parts
    for ((k = 1; k <= count; k++)); do plain/costab sweep "$1" --slice $k/"$count" -o parts/ --quiet || return 1; done
    plain/costab merge parts/*.part -o other.h5
}
each 'up to three slices, merged' slices
finish
