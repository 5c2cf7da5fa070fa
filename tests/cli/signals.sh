#!/usr/bin/env bash
# A sweep ended by a signal: it dies of that signal and leaves its checkpoint only; an older result stays. Prints TAP.
set -um
. "$(dirname "$0")/../support/tap.sh"

# hours of work, so that the signal always comes in the middle
cat >long.yaml <<'Y'
system: planar
schemes: all
axes:
  a: {from: -3, to: 3, points: 2000}
  gamma: {from: -6, to: 2, points: 4001}
  delta: {from: -2, to: 14, points: 4001}
fields: [class, trace]
Y

older=$(mktemp)
at_end() { rm -f "$older"; }
"$costab" sweep - -o "$older" >out 2>err <<Y
system: planar
schemes: [zigzag]
axes: {a: 0, gamma: [0, 1], delta: [0, 1]}
Y
for signal in INT TERM HUP USR1; do
    cp "$older" long.h5
    "$costab" sweep long.yaml -o long.h5 >out 2>err &
    pid=$!
    holds long.h5.checkpoint 100000
    kill -$signal $pid
    wait $pid
    status=$?
    [ $status -eq $((128 + $(kill -l $signal))) ]
    ok $? "SIG$signal: the program dies of it"
    cmp -s long.h5 "$older" && [ "$(ls -A | tr '\n' ' ')" = 'err long.h5 long.h5.checkpoint long.yaml out ' ] &&
        grep -q 'tiles are kept in .long.h5.checkpoint.: the same command with --resume' err
    ok $? "SIG$signal: the older result stays, the finished tiles are kept, and a word says so"
    rm long.h5.checkpoint
done
finish
