#!/usr/bin/env bash
# Slices of a sweep, computed one by one, and costab merge: together they are the file of the sweep alone, byte for byte; parts
# that are missing, foreign, overlapping, unfinished or damaged are refused, and nothing is written. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"

cat >planar.yaml <<'Y'
system: planar
schemes: [zigzag, strong]
axes:
  a: [-0.5, 0.25]
  gamma: {from: -6, to: 2, points: 41}
  delta: {from: -2, to: 14, points: 41}
fields: [class, trace, areas]
Y
half 60 >network.yaml
half 61 >other.yaml
sed 's/k: 10, H/k: 10.5, H/' network.yaml >changed.yaml # the same grid

for spec in planar network; do
    "$costab" sweep $spec.yaml -o whole.h5 2>err
    words err >whole.err
    counts='1 7 20' # 20 are more than the tiles of network.yaml, and than files that may be open
    [ "$(stride 2)" = 1 ] || case $spec in planar) counts=3 ;; network) counts='1 20' ;; esac
    for n in $counts; do
        mkdir parts
        for ((k = n; k >= 1; k--)); do "$costab" sweep $spec.yaml --slice $k/$n -o parts/ --threads 2 >>out 2>err || break; done
        (cd parts && ulimit -Sn 16 && "$costab" merge ./*.part >../out 2>../err) # in the order of their names, into the spec's
        [ $? = 0 ] && cmp whole.h5 parts/$spec.h5 >>err && [ "$(ls -A parts | wc -l)" = $((n + 1)) ] &&
            [ "$(sed 's/^[^:]*: //' whole.err)" = "$(words err | sed 's/^[^:]*: //')" ]
        ok $? "$spec: $n slices, merged: the same file and warnings"
        rm -r parts
    done
done

for k in 1 2 3; do "$costab" sweep network.yaml --slice $k/3 2>err || ok 1 "slice $k/3"; done
same=0
for threads in 1 2 5 $([ "$(stride 2)" -gt 1 ] || echo 2 2 2 2); do
    "$costab" sweep network.yaml --slice 2/3 -o threads.part --threads $threads 2>err && cmp network.2-of-3.part threads.part && rm threads.part ||
        same=1
done
OMP_PROC_BIND=close OMP_PLACES=cores "$costab" sweep network.yaml --slice 2/3 -o threads.part --threads 3 2>err &&
    cmp network.2-of-3.part threads.part || same=1
rm -f threads.part
ok $same 'a part has the same bytes with any number of threads, those of its failures too'
"$costab" sweep network.yaml --slice 1/2
"$costab" sweep other.yaml --slice 2/3 -o other.part
"$costab" sweep changed.yaml --slice 2/3 -o changed.part
one=network.1-of-3.part two=network.2-of-3.part three=network.3-of-3.part
refused() { # what message part...
    local what=$1 message=$2 status
    shift 2
    "$costab" merge "$@" -o x.h5 >out 2>err
    status=$?
    [ $status = 2 ] && grep -q -- "$message" err && [ ! -s out ] && [ ! -e x.h5 ] && [ ! -e x.h5.checkpoint ]
    ok $? "$what (exit status $status)"
}
refused 'the first part missing' 'slice 1 of 3 is missing' $two $three
refused 'a part in the middle missing' 'slice 2 of 3 is missing' $one $three
refused 'the last part missing' 'slice 3 of 3 is missing' $one $two
refused 'two parts missing' 'slices 1, 3 of 3 are missing' $two
refused 'a part given twice' "are both slice 2 of 3" $one $two $two $three
refused 'parts of two cuts' "network.1-of-2.part' is slice 1 of 2, and '.*' slice 2 of 3" network.1-of-2.part $two $three
refused 'a part of another grid' "other.part' is of another sweep than" $one other.part $three
refused 'a part of another spec with the same grid' "changed.part' is of another sweep than" $one changed.part $three
sed 's/H: 0.1}/H: 0.1, d: 1}/; s/-k, -1/-k, -d/' network.yaml >damped.yaml
for k in 1 2 3; do "$costab" sweep damped.yaml --slice $k/3 --set d=2 2>err; done
"$costab" sweep damped.yaml --slice 2/3 -o other-d.part --set d=3 2>err
refused 'a part with another value set' "other-d.part' is of another sweep than" damped.1-of-3.part other-d.part damped.3-of-3.part
"$costab" sweep damped.yaml -o whole.h5 --set d=2 2>err && "$costab" merge damped.?-of-3.part -o merged.h5 2>err &&
    cmp whole.h5 merged.h5 && sed -i 's/d: 1}/d: 2}/' damped.yaml && "$costab" sweep damped.yaml -o said.h5 2>err && ! cmp -s whole.h5 said.h5
ok $? 'parts with a value set are merged, and its value is in the file'
for k in 1 2; do "$costab" sweep - --slice $k/2 -o read.$k.part -q <damped.yaml; done
"$costab" merge read.1.part read.2.part >out 2>err
[ $? = 2 ] && grep -q 'give the results one with --output' err && [ ! -e ./-.h5 ] && "$costab" merge read.1.part read.2.part -o read.h5 2>err
ok $? 'parts of a spec from the standard input need a name for their results'
refused 'a file that is not there' 'nowhere.part' $one nowhere.part $three
refused 'a spec as a part' 'network.yaml' $one network.yaml $three
"$costab" sweep network.yaml 2>err
refused 'a results file as a part' 'network.h5' $one network.h5 $three
: >empty.part
refused 'an empty part' 'empty.part' $one empty.part $three
size=$(wc -c <$two)
head -c $((size - 1)) $two >bad.part
refused 'a part that lost its last byte' "bad.part' is \(damaged\|not finished\)" $one bad.part $three
head -c 100 $two >bad.part
refused 'a part cut in its head' 'bad.part' $one bad.part $three
# Half of the part's tiles, as a stopped run leaves them.
bad=0
for at in 20 50 $((size / 3)) $((size / 2)) $((size - 10)); do
    { head -c "$at" $two && printf '\377' && tail -c +$((at + 2)) $two; } >bad.part
    cmp -s bad.part $two && continue
    "$costab" merge $one bad.part $three -o x.h5 >out 2>err
    [ $? = 2 ] && grep -q bad.part err && [ ! -e x.h5 ] || bad=$((bad + 1))
done
ok $bad 'a part with one wrong byte, at five places'

"$costab" merge $one $two $three -o $two >out 2>err
[ $? = 2 ] && [ "$(wc -c <$two)" = "$size" ]
ok $? 'a part is not written over'
"$costab" merge $one $two $three -o nowhere/x.h5 >out 2>err
[ $? = 1 ] && grep -q 'nowhere/x.h5' err
ok $? 'a folder that is not there'

# A slice that was stopped, and one that is whole already.
sed 's/points: 60/points: 300/' network.yaml >long.yaml
killed long.part.checkpoint sweep long.yaml --slice 2/3 -o long.part
[ ! -e long.part ] && [ -e long.part.checkpoint ]
ok $? 'a slice that is killed leaves no part, but a checkpoint'
refused 'a checkpoint as a part' 'is not finished: it has' long.part.checkpoint
"$costab" sweep long.yaml --slice 2/3 -o long.part --resume >out 2>err
[ $? = 0 ] && grep -q 'continues after tile' err && [ ! -e long.part.checkpoint ]
ok $? 'with --resume it goes on'
cp long.part again.part
touch -d '2001-01-01' long.part
"$costab" sweep long.yaml --slice 2/3 -o long.part --resume >out 2>err
[ $? = 0 ] && grep -q 'is up to date' err && [ "$(find long.part -newermt 2002-01-01)" = '' ] && cmp -s long.part again.part
ok $? 'and is not computed again'
"$costab" sweep long.yaml -o whole.h5 2>err && words err >whole.err && "$costab" sweep long.yaml --slice 1/3 && "$costab" sweep long.yaml --slice 3/3 &&
    "$costab" merge long.1-of-3.part long.part long.3-of-3.part -o x.h5 >out 2>err && cmp whole.h5 x.h5 >>err &&
    [ "$(sed 's/^[^:]*: //' whole.err)" = "$(words err | sed 's/^[^:]*: //')" ]
ok $? 'merged it is the same file, with the same warnings'
"$costab" sweep network.yaml --slice 2/3 -o long.part --resume >out 2>err
[ $? = 0 ] && cmp -s long.part $two
ok $? 'a finished part of another sweep is no reason not to compute'

echo 'refine: true' | cat network.yaml - >fine.yaml
sum=0
for k in 1 2 3; do
    "$costab" sweep fine.yaml --slice $k/3 2>err && of=$(sed -n 's/.*this run analysed [0-9]* points of \([0-9]*\) .*/\1/p' err) && sum=$((sum + of))
done
[ "$sum" = 2340 ]
ok $? 'shares of refined slices are of their own points'

cat >runs.yaml <<'Y'
system: network
subsystems: [{name: tank, A: [[-1]], B: [[-40]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}]
connections: [{from: tank.y, to: tank.u}]
coupling: [{name: short, macro_step: 0.01}, {name: long, macro_step: 0.1}]
history: {until: 60}
Y
"$costab" sweep runs.yaml -o runs.h5 2>err && "$costab" sweep runs.yaml --slice 1/2 2>err && "$costab" sweep runs.yaml --slice 2/2 2>err &&
    "$costab" merge runs.1-of-2.part runs.2-of-2.part -o merged.h5 2>err && cmp runs.h5 merged.h5 && grep -q "warning: long ended early: 'x1' of subsystem 'tank' passed" err
ok $? 'merge reports a history that ended early'

cp $two whole.h5
"$costab" sweep network.yaml -o whole.h5 --dry-run >out && grep -q 'not up to date' out && "$costab" sweep network.yaml -o whole.h5 2>err && "$costab" merge $one $two $three -o merged.h5 && cmp whole.h5 merged.h5
ok $? 'a slice is not taken for the results of the whole sweep'

"$costab" sweep network.yaml --slice 2/3 -o $two --dry-run >out && grep -q '^slice   2 of 3: .* points, .* tiles' out && grep -q ': up to date' out &&
    "$costab" sweep network.yaml --slice 1/3 -o $two --dry-run >out && grep -q "exists  $two: not up to date: .*the slice" out
ok $? '--dry-run says how large the slice is, and takes no other slice for it'

number=0
for slice in 4/3 '' a/b 0/3 1/0 1 -1/3 1/ /3 1/3x 1.5/3; do
    [ $((number++ % $(stride 3))) = 0 ] || continue
    "$costab" sweep network.yaml --slice "$slice" -o y.part >out 2>err
    [ $? = 2 ] && grep -q 'K/N' err && [ ! -e y.part ] || { ok 1 "--slice '$slice' is refused" && continue; }
done
ok 0 'slices that are none are refused'
finish
