#!/usr/bin/env bash
# What may stand in a sweep's way: limits of memory and of a file's size, closed standard streams, pipes without a reader, names of
# great length, files of others under the output's name. Nothing of theirs or ours is lost, and nothing hangs. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
at_end() { chmod -R u+w "$work"; }

# points NAME POINTS: a spec of the planar system.
points() {
    cat >"$1.yaml" <<END
title: Hardening
system: planar
schemes: all
axes:
  a: [-0.5, 0, 0.5]
  gamma: {from: -6, to: 2, points: $2}
  delta: {from: -2, to: 14, points: $2}
fields: [class, trace]
END
}
points small 33
points large 151
cp "$project/sweeps/gomes2018/two-mass.yaml" network.yaml
cp -r "$project/sweeps/gomes2018/models" models
said() { grep -qE -- "$1" err; }

# ---- Stack and memory. A sanitizer takes more of both than there is. Smaller ones than these are the system's: its loader ends
# a program with a stack of 16 kB, and one whose libraries do not fit into its address space.
if ldd "$costab" | grep -qE 'lib(a|t)san|libclang_rt' || nm "$costab" 2>/dev/null | grep -q __tsan_init; then
    skipped 'a limited stack, a limited address space' 'a sanitizer does not run in one'
else
    commands=('--version' 'map network.yaml' 'critical --scheme cross' 'sweep network.yaml -o n.h5')
    bad=0
    for command in "${commands[@]}"; do
        # shellcheck disable=SC2086
        (ulimit -s 64 && timeout 30 "$costab" $command >out 2>err)
        [ $? = 1 ] && said 'out of memory: the stack is limited to 64 kB, and costab needs 1024 kB; .*ulimit -s' && [ ! -s out ] || bad=1
        [ $bad = 0 ] || break
    done
    ok $bad 'a stack of 64 kB: every command says what it lacks (exit 1)'
    bad=0
    for command in 'map network.yaml' 'area --a 0.5 --digits 20 --scheme strong' 'limit network.yaml --over H=0.002:0.003' 'reproduce --source gomes2018'; do
        # shellcheck disable=SC2086
        (ulimit -s 1024 && timeout 60 "$costab" $command >out 2>err) && [ "$(wc -l <out)" -gt 1 ] || bad=1
        [ $bad = 0 ] || break
    done
    ok $bad 'a stack of 1024 kB is enough'
    bad=0
    for megabytes in 336 350 420 500 650; do
        (ulimit -v $((megabytes * 1024)) && OPENBLAS_NUM_THREADS=1 timeout 30 "$costab" map network.yaml >out 2>err) &&
            [ "$(wc -l <out)" -gt 5 ] || bad=1
    done
    ok $bad 'an address space of 336 MB is enough for one thread'
    (ulimit -v $((700 * 1024)) && OPENBLAS_NUM_THREADS=1 timeout 120 "$costab" sweep network.yaml -o n.h5 --slice 1/26 --threads 2 -q >out 2>err) &&
        [ -s n.h5 ]
    ok $? '700 MB: a part of a sweep of a network on two threads'
fi

# ---- Names that share their first 200 bytes, where unfinished files have names.
long=$(printf 'x%.0s' $(seq 215))
points one 51
points two 53
preload
for name in one two; do # on a slow disk, so that they are written at the same time
    COSTAB_FAULT_NAMED=1 COSTAB_FAULT_DELAY=10 LD_PRELOAD=$preload "$costab" sweep $name.yaml -o "$long$name.h5" -q >out.$name 2>&1 &
done
wait
"$costab" sweep one.yaml -o one.h5 -q && "$costab" sweep two.yaml -o two.h5 -q && cmp -s one.h5 "${long}one.h5" && cmp -s two.h5 "${long}two.h5"
bad=$?
if ldd "$costab" | grep -qE 'lib(a|t)san'; then
    skipped 'two outputs with 215 bytes in common' 'a sanitizer wants to be preloaded first'
else
    ok $bad 'two outputs with 215 bytes in common: each has its own data'
fi

# ---- Standard streams that are closed.
"$costab" sweep large.yaml -o whole.h5 -q
descriptors() { # of a running sweep: what 0 to 2 are
    local i job=$1
    for _ in $(seq 300); do
        [ ! -e x.h5.checkpoint ] || break
        sleep 0.01
    done
    for i in 0 1 2; do readlink "/proc/$job/fd/$i"; done
}
if [ -d /proc/self/fd ]; then
    COSTAB_FAULT_DELAY=30 LD_PRELOAD=$preload "$costab" sweep large.yaml -o x.h5 <&- >&- 2>&- &
    descriptors $! >streams
    kill $!
    wait $! 2>/dev/null
    [ "$(sort -u streams)" = /dev/null ]
    ok $? 'closed standard streams are not taken by files of the sweep'
    rm -f x.h5*
fi
"$costab" sweep large.yaml -o x.h5 --verbose <&- 2>&- && cmp whole.h5 x.h5
ok $? 'standard input and error closed: the file is whole'
"$costab" sweep large.yaml -o x.h5 --verbose <&- >&- 2>&- && cmp whole.h5 x.h5
ok $? 'all three closed: the file is whole'
"$costab" classify --a 0 --gamma -1 --delta 1 >&- 2>err
[ $? = 1 ] && said 'standard output cannot be written'
ok $? 'results for a closed standard output are an error (exit 1)'

# ---- A limit of a file's size, pipes without a reader.
rm -f x.h5
points tiles 201
(ulimit -f 200 && "$costab" sweep tiles.yaml -o x.h5 -q >out 2>err)
[ $? = 1 ] && said "cannot write .x\.h5.*ulimit -f" && [ ! -e x.h5 ]
ok $? 'a limit of a file'"'"'s size ends a sweep with a message (exit 1)'
"$costab" sweep tiles.yaml -o x.h5 --resume -q >out 2>err && "$costab" sweep tiles.yaml -o y.h5 -q && cmp x.h5 y.h5 &&
    [ "$(ls -A | grep -c '^\.')" = 0 ]
ok $? 'nothing is lost: --resume ends in the same file'
bash -c '"$1" help --man 2>err | true; exit ${PIPESTATUS[0]}' - "$costab"
status=$?
[ $status = 0 ] && [ ! -s err ]
ok $? "a pipe that nobody reads ends it silently (exit $status)"
{ until [ -e gone ]; do sleep 0.01; done; "$costab" classify --a 0 --gamma -1 --delta 1 2>err; echo $? >status; } | { exec <&- && : >gone; }
[ "$(cat status)" = 0 ] && [ ! -s err ]
ok $? 'a pipe whose reader is gone: exit 0, no message'

# ---- No further thread and process; as another user, since root has no such limit.
limited() {
    local as=()
    [ "$(id -u)" != 0 ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    "${as[@]}" bash -c 'ulimit -u 1; exec "$@"' - "$@" 2>err
}
mkdir -m 755 open && cp whole.h5 open && chmod 644 open/whole.h5 && chmod 755 .
if [ "$(id -u)" = 0 ] && ! setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$costab"; then
    skipped 'ulimit -u 1' 'another user cannot run the program here'
elif ldd "$costab" | grep -qE 'lib(a|t)san'; then
    skipped 'ulimit -u 1' 'a sanitizer starts a thread'
else
    limited "$costab" classify --a 0 --gamma -1 --delta 1 >out
    status=$?
    "$costab" classify --a 0 --gamma -1 --delta 1 | cmp - out && [ $status = 0 ] && said 'ulimit -u'
    ok $? "ulimit -u 1: what needs no thread is computed (exit $status)"
    limited "$costab" info open/whole.h5 >out
    status=$?
    [ $status = 1 ] && said 'cannot start a process'
    ok $? "ulimit -u 1: a process that cannot be started is an error (exit $status)"
fi

# ---- Files of others.
kept() { # FILE COMMAND...: exit status 2, the file as it was, and no other one
    local file=$1 status
    shift
    cp "$file" copy
    ls -A >before
    "$costab" "$@" >out 2>err
    status=$?
    ls -A | cmp -s before - && cmp -s "$file" copy && [ $status = 2 ] && said "'$file' (is there already.*--force|is the spec itself|is one of the parts)"
    ok $? "$1 ... $file: refused, and the file stays (exit $status)"
}
touch before copy
printf '# costab, my notes\nwork: none\n' >notes.yaml
printf 'mine\n' >notes.csv
printf '\\documentclass{article}\n' >paper.tex
cat >model.yaml <<END
system: network
subsystems:
  - {name: mass, A: [[0, 1], [-10, -1]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0], inputs: [force], outputs: [place], method: rk4}
connections: [{from: mass.place, to: mass.force}]
coupling: {macro_step: 0.1}
END
"$costab" sweep small.yaml --slice 1/1 -o all.part -q
kept notes.csv limit model.yaml --over k=1:2 -o notes.csv
kept small.yaml sweep small.yaml -o small.yaml
kept model.yaml sweep small.yaml -o model.yaml
kept notes.yaml sweep small.yaml -o notes.yaml
kept paper.tex sweep small.yaml --slice 1/1 -o paper.tex
kept notes.yaml merge all.part -o notes.yaml
kept small.yaml sweep small.yaml -o small.yaml --force
/usr/bin/env python3 - <<'END'
import pathlib
pathlib.Path("other.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"source\0\0someone else's " * 100)
END
kept other.h5 sweep small.yaml -o other.h5
"$costab" sweep small.yaml -o notes.yaml --force -q && "$costab" info notes.yaml >out
ok $? '--force replaces it'
"$costab" sweep small.yaml -o own.h5 -q && chmod 640 own.h5 && "$costab" sweep small.yaml -o own.h5 -q && [ "$(stat -c %a own.h5)" = 640 ]
ok $? 'a results file is replaced, and keeps its mode'
head -c 3000 own.h5 >cut.h5
kept cut.h5 sweep small.yaml -o cut.h5
"$costab" sweep small.yaml -o cut.h5 -q --force && cmp own.h5 cut.h5
ok $? 'one that was cut short is replaced with --force alone'
"$costab" merge all.part -o own.h5 && "$costab" sweep small.yaml --slice 1/1 -o all.part -q
ok $? 'and a part'
chmod 444 own.h5
cp own.h5 copy
bad=0
sed 's/points: /points: 1/' small.yaml >other.yaml # the file is not up to date
for force in '' --force; do
    # shellcheck disable=SC2086
    run sweep other.yaml -o own.h5 $force
    [ $? = 1 ] && said 'no permission to be written' && cmp -s own.h5 copy || bad=1
done
ok $bad 'a file without write permission stays, with --force, too (exit 1)'
finish
