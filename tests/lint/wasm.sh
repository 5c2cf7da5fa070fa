#!/usr/bin/env bash
# The kernels need a C library alone, and no threads of their own: each file of their rooms compiles for WebAssembly, which has no signals, processes, LAPACK
# or FLINT, but for those that include a header by which such a thing is known, and for the ones listed here. What is listed and
# compiles has to be struck off. Needs clang and Debian's wasi-libc. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"

rooms='base formula method planar network'
headers='method/lapack\.h|base/flint\.h|flint/|gmp\.h'
# Files of the system (file, io), signals (guard), threads and children (remains).
listed='src/base/file.c src/base/io.c src/base/guard.c src/base/remains.c'

compiles() {
    clang --target=wasm32-wasi -fsyntax-only -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -I"$project/include" \
        -I"$project/src" -Igen "$project/$1" 2>>err
}

if ! echo '#include <stdlib.h>' | clang --target=wasm32-wasi -fsyntax-only -x c - 2>/dev/null; then
    skipped 'the kernels compile for WebAssembly' 'clang or wasi-libc is missing'
    finish
    exit
fi
mkdir gen
printf '#define BUILD_REVISION ""\n#define BUILD_FLAGS ""\n' >gen/version.h
for room in $rooms; do
    : >err
    failures=0
    for path in "$project/src/$room"/*.c; do
        file=src/$room/${path##*/}
        case " $listed " in *" $file "*) continue ;; esac
        grep -qE "^#include [<\"]($headers)" "$path" && continue
        compiles "$file" || failures=$((failures + 1))
    done
    ok $failures "all of $room compiles for WebAssembly, but for what is behind a header for a library"
done
: >err
for file in $listed; do
    [ -e "$project/$file" ] && ! compiles "$file"
    ok $? "$file is there, and does not compile for WebAssembly"
done
rm err
(cd "$project" && grep -rl 'pragma omp' src --include='*.[ch]' | grep -v '^src/sweep/') >out
ok $((! $?)) "OpenMP's pragmas stand in sweep alone"
finish
