#!/usr/bin/env bash
# The scripts that make batch writes, without Slurm: where results go, what is refused before anything is written, and what of
# the settings stands in them. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"

mkdir -p a b/c
half 60 >a/x.yaml
cp a/x.yaml b/x.yml
cp a/x.yaml b/c/y.yaml
half 60 | sed 's/^axes/axs/' >a/wrong.yaml
batch() { # SETTING=VALUE...
    rm -rf results
    env PROGRAM="$costab" SUBMIT=0 "$@" "$project/src/cli/batch/write" >out 2>err
}
outputs() { sed -n 's/^outputs=//p' results/batch/*.sh; }

batch SPEC='a/x.yaml b/x.yml b/c/y.yaml'
[ $? = 0 ] && [ "$(outputs)" = "('results/a/x.h5' 'results/b/x.h5' 'results/b/c/y.h5' )" ]
ok $? 'results go to results/ and the path of the spec, .yml as .yaml' || shows results/batch/x-and-2-more.sh
batch SPEC="$work/a/x.yaml"
[ $? = 0 ] && [ "$(outputs)" = "('results$work/a/x.h5' )" ]
ok $? 'an absolute path stays below results/'
(cd b && mkdir -p ../results && env PROGRAM="$costab" SUBMIT=0 SPEC='../a/x.yaml ./c/../x.yml' "$project/src/cli/batch/write" >../out 2>../err && sed -n 's/^outputs=//p' results/batch/*.sh) >got
[ "$(cat got)" = "('results/a/x.h5' 'results/x.h5' )" ]
ok $? 'no .. leads out of results/' || shows got
rm -rf b/results

refused() { # what, words of the message, SETTING=VALUE...
    local what=$1 message=$2 status
    shift 2
    batch "$@"
    status=$?
    [ $status = 2 ] && grep -q -- "$message" err && [ ! -e results ]
    ok $? "$what is refused, and nothing is written (exit status $status)"
}
refused 'two specs of one output' "would be 'results/a/x.h5'" SPEC='a/x.yaml ./a/x.yaml'
refused 'slices and ranks' 'give one of them, such as SLICES=6' SPEC=a/x.yaml SLICES=3 RANKS=2
refused 'a spec that cannot be swept' "'a/wrong.yaml' cannot be swept" SPEC='a/x.yaml a/wrong.yaml'
refused 'a spec that is not there' "no file 'a/none.yaml'" SPEC='a/x.yaml a/none.yaml'
number=0
for wrong in 'NOTICE=soon' 'NOTICE=0' 'SUBMIT=no' 'LAUNCHER=srun;id' 'LAUNCHER=$(id)' 'SBATCH=--qos=$(id)' 'THREADS=2;id' 'ACCOUNT=a b' 'MEM=much' 'MEM=4GB' 'MODULES=gcc;id' 'SBATCH=qos=long' 'PARTITION=$(id)' 'RANKS=0' 'TIME=1 hour'; do
    [ $((number++ % $(stride 3))) != 0 ] || refused "$wrong" "${wrong%%=*}" SPEC=a/x.yaml "$wrong"
done

batch SPEC=a/x.yaml ACCOUNT=proj-7 MEM=4G PARTITION=long MODULES='gcc/12.2 openmpi' SBATCH='--qos=high --mail-type=END' SLICES=2
[ $? = 0 ] && for script in results/batch/x.sh results/batch/x-merge.sh; do
    for line in '#SBATCH --account=proj-7' '#SBATCH --mem=4G' '#SBATCH --partition=long' '#SBATCH --qos=high' '#SBATCH --mail-type=END' \
        'module load gcc/12.2 openmpi || exit 1'; do
        grep -qx -- "$line" $script || exit 1
    done
done
ok $? 'account, memory, partition, modules and further options stand in both scripts' || shows results/batch/x.sh

batch SPEC=a/x.yaml SLICES=2
"$costab" sweep a/x.yaml -o whole.h5 2>>err
for task in 1 2; do SLURM_ARRAY_TASK_ID=$task bash results/batch/x.sh >>out 2>>err; done
bash results/batch/x-merge.sh >>out 2>>err && cmp whole.h5 results/a/x.h5 && [ "$(ls results/a)" = x.h5 ]
ok $? 'the scripts of two slices and their merge make the same file' || shows err
batch SPEC='a/x.yaml b/x.yml'
for task in 1 2; do SLURM_ARRAY_TASK_ID=$task bash results/batch/x-and-1-more.sh >>out 2>>err; done
cmp whole.h5 results/a/x.h5 && "$costab" info results/b/x.h5 >info
ok $? 'the script of two specs writes both'

# Several ranks: a slice for each, by a stand-in for the launcher.
mkdir -p bin && ln -sf "$project/tests/support/launch" bin/srun && ln -sf "$project/tests/support/launch" bin/mpirun
for launcher in srun 'srun --exact --ntasks=3' $([ "$(stride 2)" -gt 1 ] || echo mpirun); do # launchers.py holds mpirun, too
    batch SPEC='b/x.yml a/x.yaml' RANKS=3 LAUNCHER="$launcher"
    PATH=$work/bin:$PATH SLURM_ARRAY_TASK_ID=2 bash results/batch/x-and-1-more.sh >>out 2>>err && cmp whole.h5 results/a/x.h5 && [ "$(ls results/a)" = x.h5 ]
    ok $? "three ranks by '$launcher': a part of each, merged into the same file" || shows err
done

# ---- How far they are

again() { env PROGRAM="$costab" SUBMIT=0 "$@" "$project/src/cli/batch/write" >out 2>err; } # beside what is there
status() { env PROGRAM="$costab" "$@" "$project/src/cli/batch/status" >told 2>err; }
says() { # what, lines that are said
    local what=$1 line good=0
    shift
    for line; do grep -qxE -- " *$line" told || good=1; done
    ok $good "$what" || shows told
}
half 200 >a/large.yaml
batch SPEC=a/large.yaml SLICES=4
status
says 'nothing has begun' 'results/batch/large.sh' 'results/a/large.1-of-4.part +waiting *' '0 of 4 done, 0 failed, 0 running, 4 waiting'
SLURM_ARRAY_TASK_ID=1 bash results/batch/large.sh >>out 2>>err
shim=${COSTAB_SHIMS:-$project/build/tests/shim}/faults.so
LD_PRELOAD=$shim COSTAB_FAULT_DELAY=800 SLURM_ARRAY_TASK_ID=2 bash results/batch/large.sh >>out 2>>err &
running=$!
for _ in $(seq 200); do [ -s results/a/large.2-of-4.part.checkpoint ] && break || sleep 0.05; done
echo mine >results/a/large.3-of-4.part # a file that costab did not write
SLURM_ARRAY_TASK_ID=3 bash results/batch/large.sh >>out 2>>err
status SPEC=a/large.yaml
kept='results/a/large.2-of-4.part +running +[0-9]+ of [0-9]+ tiles.*'
says 'one slice is done, one runs, one has failed, one waits' 'results/a/large.1-of-4.part +done *' "$kept" \
    'results/a/large.3-of-4.part +failed \(exit status [12]\) *' 'results/a/large.4-of-4.part +waiting *' '1 of 4 done, 1 failed, 1 running, 1 waiting.*'
kill -TERM $running && wait $running
status
says 'what was stopped has failed, and its tiles are counted' 'results/a/large.2-of-4.part +failed \(exit status [0-9]+\) +[0-9]+ of [0-9]+ tiles'
before=$(date +%s)
echo "$((before - 100)) - 0" >results/a/large.2-of-4.part.job
status
after=$(date +%s)
read -r have of < <(sed -n 's/.*large.2-of-4.part.* \([0-9]*\) of \([0-9]*\) tiles.*/\1 \2/p' told)
left=$(sed -n 's/.*large.2-of-4.part.*, \(.*\) left/\1/p' told)
IFS=: read -r h m s <<<"$left"
left_s=$((10#$h * 3600 + 10#$m * 60 + 10#$s))
[ "$left_s" -ge $((100 * (of - have) / have)) ] && [ "$left_s" -le $(((100 + after - before) * (of - have) / have)) ]
ok $? "the time left is that of the tiles left ($have of $of in 100 s: $left)" || shows told
rm results/a/large.3-of-4.part
again SPEC=b/c/y.yaml RANKS=2
mkdir -p results/b/c
for k in 1 2; do "$costab" sweep b/c/y.yaml --slice $k/2 -o results/b/c/y.$k-of-2.part 2>>err; done
mv results/b/c/y.2-of-2.part results/b/c/y.2-of-2.part.checkpoint # a slice has the form of a checkpoint
status SPEC=b/c/y.yaml
sum=$(for part in results/b/c/y.*; do "$costab" info "$part" | sed 's/tiles *\([0-9]*\) of \([0-9]*\),.*/\1 \2/'; done | awk '{ h += $1; a += $2 } END { print h " of " a }')
says 'the tiles of all ranks are counted' "results/b/c/y.h5 +waiting +$sum tiles"
rm -r results/b/c results/batch/y.sh
for task in 2 3 4; do SLURM_ARRAY_TASK_ID=$task bash results/batch/large.sh >>out 2>>err; done
status
says 'all slices are there' '4 of 4 done, 0 failed, 0 running, 0 waiting'
[ "$("$costab" info results/a/large.4-of-4.part | grep -cE '^tiles +([0-9]+) of \1, ')" = 1 ]
ok $? 'info tells the tiles of a slice'
bash results/batch/large-merge.sh >>out 2>>err
status
says 'and merged' 'results/a/large.h5 is whole: all 4 slices were merged'
# An edited spec or model: what is there is of the spec before.
sed -i 's/points: 200/points: 190/' a/large.yaml
status
says 'a merged file of the spec before it was edited is outdated' 'results/a/large.h5 of all 4 slices: outdated' '0 of 4 done, 0 failed, 0 running, 4 waiting'
SLURM_ARRAY_TASK_ID=1 bash results/batch/large.sh >>out 2>>err
rm results/a/large.h5
status
says 'a slice of the edited spec is done' 'results/a/large.1-of-4.part +done .*' '1 of 4 done, 0 failed, 0 running, 3 waiting'
sed -i 's/points: 190/points: 200/' a/large.yaml
status
says 'and outdated once the spec is edited back' 'results/a/large.1-of-4.part +outdated *' '0 of 4 done, 0 failed, 0 running, 3 waiting, 1 outdated'
mv a/large.yaml away.yaml
status
says 'without its spec nothing is done' 'results/a/large.1-of-4.part +spec cannot be read *' '0 of 4 done, 0 failed, 0 running, 0 waiting, 4 outdated'
mv away.yaml a/large.yaml
cat >model.yaml <<'END'
system: network
parameters: {k: 50}
subsystems:
  - {name: one, states: [x], inputs: [u], outputs: [y], A: [[-1]], B: [[1]], C: [[1]]}
  - {name: two, states: [x], inputs: [u], outputs: [y], A: [[-k]], B: [[1]], C: [[1]]}
connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]
coupling: {scheme: jacobi, macro_step: 0.01}
END
echo '{system: network, model: model.yaml, axes: {k: {from: 1, to: 2, points: 3}}, fields: [class]}' >net.yaml
batch SPEC=net.yaml RANKS=2
PATH=$work/bin:$PATH bash results/batch/net.sh >>out 2>>err
status
says 'a sweep of a model is done' 'results/net.h5 +done *' '1 of 1 done, 0 failed, 0 running, 0 waiting'
mkfifo results/batch/pipe.sh
PROGRAM=$costab timeout 20 "$project/src/cli/batch/status" >told 2>err
says 'a pipe among the scripts is left out' 'results/net.h5 +done *' && grep -q 'pipe.sh is left out: it is no regular file' err
ok $? 'with the reason'
rm results/batch/pipe.sh
sed -i 's/\[\[-1\]\]/[[-2]]/' model.yaml
status
says 'and outdated once the model is edited' 'results/net.h5 +outdated *' '0 of 1 done, 0 failed, 0 running, 0 waiting, 1 outdated'
"$costab" sweep net.yaml -o results/net.h5 --dry-run >told
says 'sweep --dry-run says so' 'exists +results/net.h5: not up to date: the spec, .*'
PATH=$work/bin:$PATH bash results/batch/net.sh >>out 2>>err
status
says 'the same script replaces it' 'results/net.h5 +done *'
rm -rf results
status
[ $? = 2 ] && grep -q 'no scripts' err
ok $? 'without scripts there is nothing to tell' || shows err

batch SPEC=a/x.yaml && again SPEC=b/x.yml && again SPEC=a/x.yaml && again SPEC='a/x.yaml b/x.yml' && again SPEC='a/x.yaml b/c/y.yaml'
[ $? = 0 ] && [ "$(outputs | sort)" = "('results/a/x.h5' 'results/b/c/y.h5' )
('results/a/x.h5' 'results/b/x.h5' )
('results/a/x.h5' )
('results/b/x.h5' )" ]
ok $? 'scripts of specs of one name stand beside each other, that of the same spec replaces its own' || shows out
cp a/x.yaml a/x-merge.yaml
batch SPEC=a/x-merge.yaml && again SPEC=a/x.yaml SLICES=2 && grep -q "'a/x-merge.yaml'" results/batch/x-merge.sh && [ -e results/batch/x-2-merge.sh ]
ok $? 'a merge script replaces no other one'
finish
