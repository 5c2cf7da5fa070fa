#!/usr/bin/env bash
# The scripts of make batch, run to the end by a real Slurm: one node, this machine, with daemons of the test's own. Where
# Slurm cannot be started, the scripts are run without it, and the tests that need it are shown as skipped. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm=isolated
export HWLOC_HIDE_ERRORS=2

network() { # points
    cat <<Y
system: network
parameters: {k: 10, H: 0.1}
subsystems:
  - {name: mass, A: [[0, 1], [-k, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [force], outputs: [place], method: rk4, substeps: 20}
  - {name: spring, A: [[-1]], B: [[1]], C: [[-1]], inputs: [x], outputs: [force], method: euler, substeps: 20}
connections: [{from: mass.place, to: spring.x}, {from: spring.force, to: mass.force}]
coupling: {macro_step: H}
axes:
  k: {from: 1, to: 40, points: $1}
  H: {from: 0.1, to: 2, points: 39}
fields: [class, spectral_radius]
Y
}
network 200 >short.yaml
network 250 >second.yaml
network 60000 >long.yaml
for name in short second long; do "$costab" sweep $name.yaml -o $name.whole.h5 2>err || ok 1 "the sweep of $name.yaml"; done

batch() { # SETTING=VALUE...
    env PROGRAM="$costab" TIME=10 "$@" "$project/src/cli/batch/write" >out 2>err
}

# ---- Slurm

pids=()
at_end() {
    local file pid
    for file in slurmd.pid slurmctld.pid munge/pid; do
        pid=$(cat "$work/$file" 2>/dev/null) && kill "$pid" 2>/dev/null && pids+=("$pid")
    done
    for _ in $(seq 50); do
        for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null && sleep 0.1 && continue 2; done
        break
    done
}
start_slurm() {
    local node
    export PATH=$PATH:/usr/sbin SLURM_CONF=$work/slurm.conf
    command -v sbatch >/dev/null && command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null ||
        { why='sbatch, slurmctld, slurmd or munged is not installed' && return 1; }
    [ "$(id -u)" = 0 ] || { why='slurmd needs root' && return 1; }
    node=$(uname -n) && node=${node%%.*}
    chmod 755 "$work"
    mkdir -p munge state spool
    chmod 711 munge
    (umask 077 && head -c 1024 /dev/urandom >munge/key)
    munged --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
        --log-file="$work/munge/log" --seed-file="$work/munge/seed" >daemons 2>&1 || { why="munged: $(tail -n 1 daemons)" && return 1; }
    cat >slurm.conf <<C
ClusterName=costab
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((20001 + $$ % 20000))
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=tests Nodes=$node Default=YES MaxTime=INFINITE State=UP
C
    slurmctld >>daemons 2>&1 && slurmd >>daemons 2>&1 || { why="the daemons: $(tail -n 1 daemons)" && return 1; }
    for _ in $(seq 60); do
        [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && return 0
        sleep 0.5
    done
    why="the node is '$(sinfo -h -o '%t %E' 2>&1 | head -n 1)' after 30 s"
    return 1
}
# Waits until no job is left.
drained() {
    for _ in $(seq 1200); do
        [ -n "$(squeue -h 2>/dev/null)" ] || return 0
        sleep 0.25
    done
    squeue >>err
    return 1
}
logs() { cat results/batch/*.log 2>/dev/null; }

if start_slurm; then
    batch SPEC=short.yaml OUTPUT=one/short.h5 RANKS=2 PARTITION=tests
    grep -q '^submitted job' out && drained && cmp short.whole.h5 one/short.h5 >>err && [ "$(ls -A one)" = short.h5 ]
    ok $? 'one job of two ranks' || logs

    batch SPEC=short.yaml OUTPUT=pmi/short.h5 RANKS=2 LAUNCHER='srun --mpi=pmi2'
    drained && cmp short.whole.h5 pmi/short.h5 >>err
    ok $? 'one job of two ranks that know each other by PMI'

    if command -v mpirun >/dev/null; then
        batch SPEC=short.yaml OUTPUT=mpi/short.h5 RANKS=2 LAUNCHER=mpirun
        drained && cmp short.whole.h5 mpi/short.h5 >>err
        ok $? 'one job of two ranks that mpirun starts'
    else
        skipped 'one job of two ranks that mpirun starts' 'mpirun is not installed'
    fi

    cat >array.sh <<A
#!/bin/sh
"$costab" sweep short.yaml --slice auto/4 -o parts/ -v
A
    mkdir parts
    sbatch --array=1-4 --output=array-%a.log array.sh >>out && drained && rm parts/short.[24]-of-4.part &&
        sbatch --array=2,4 --output=array-%a.log array.sh >>out && drained && grep -q '^slice   4 of 4 (SLURM_ARRAY_TASK_ID=4)' array-4.log &&
        "$costab" merge parts/*.part -o parts.h5 2>>err && cmp short.whole.h5 parts.h5 >>err
    ok $? 'an array with --slice auto/4, of which two tasks are submitted again'

    sbatch --ntasks=2 --output=step.log --wrap "'$costab' sweep short.yaml --slice auto -o step/" >>out && drained && grep -q 'no launcher started' step.log
    ok $? "a job's own shell is no step"

    batch SPEC='short.yaml second.yaml' OUTPUT='array/short.h5 array/second.h5' THREADS=2
    drained && cmp short.whole.h5 array/short.h5 >>err && cmp second.whole.h5 array/second.h5 >>err
    ok $? 'an array over two specs'

    batch SPEC=short.yaml OUTPUT=slices/short.h5 SLICES=3
    [ "$(grep -c '^submitted job' out)" = 2 ] && drained && cmp short.whole.h5 slices/short.h5 >>err && [ "$(ls -A slices)" = short.h5 ]
    ok $? 'an array over three slices, then the merge'

    # As Slurm does two minutes before the end of a job's time.
    batch SPEC=long.yaml OUTPUT=again/long.h5 RANKS=2
    id=$(sed -n 's/^submitted job //p' out)
    for _ in $(seq 400); do
        [ "$(cat again/long.1-of-2.part.checkpoint 2>/dev/null | wc -c)" -lt 20000 ] || break
        sleep 0.05
    done
    scancel --batch --signal=USR1 "$id"
    for _ in $(seq 200); do
        [ "$(squeue -h -j "$id" -o %T)" = PENDING ] && break
        sleep 0.1
    done
    [ "$(squeue -h -j "$id" -o %T)" = PENDING ] && [ ! -e again/long.h5 ] && [ -e again/long.1-of-2.part.checkpoint ]
    ok $? 'a signal before the time limit: kept, and back in the queue'
    sleep 5 # a job that comes back waits for two minutes, and is refused in the very second that it left
    for _ in $(seq 100); do
        scontrol update "JobId=$id" StartTime=now >/dev/null 2>&1
        sleep 0.2
        [ "$(squeue -h -j "$id" -o %T)" = PENDING ] || break
    done
    drained && cmp long.whole.h5 again/long.h5 >>err && [ "$(ls -A again)" = long.h5 ] && grep -q 'continues after tile' results/batch/long-*.log
    ok $? 'from there it goes on, to the same file'

    batch SPEC=long.yaml OUTPUT=wrong/long.h5 PARTITION=nowhere
    [ $? != 0 ] && grep -qi partition err
    ok $? 'what sbatch refuses is an error'
    for log in results/batch/*.log; do shows "$log"; done
else
    echo "# Slurm cannot be started here: $why. The scripts are run without it."
    for what in 'one job of two ranks' 'one job of two ranks that know each other by PMI' 'one job of two ranks that mpirun starts' \
        'an array with --slice auto/4, of which two tasks are submitted again' "a job's own shell is no step" 'an array over two specs' 'an array over three slices, then the merge' \
        'a signal before the time limit: kept, and back in the queue' 'from there it goes on, to the same file' 'what sbatch refuses is an error'; do
        skipped "$what" "$why"
    done
fi

# ---- The same scripts in a shell

env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$project" DEPS=skip batch SPEC='sweeps/gomes2018/two-mass.yaml sweeps/ma2015/missing.yaml' SUBMIT=0 >out 2>err
status=$?
[ $status != 0 ] && grep -q "no file 'sweeps/ma2015/missing.yaml'" err
ok $? 'make batch with a spec that is not there'
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$project" DEPS=skip batch SPEC=sweeps/gomes2018/two-mass.yaml RANKS=2 THREADS=3 SUBMIT=0 >out 2>err &&
    grep -q "^    sbatch 'results/batch/two-mass.sh'" out && grep -qx '#SBATCH --ntasks=2' "$project/results/batch/two-mass.sh" &&
    grep -qx '#SBATCH --cpus-per-task=3' "$project/results/batch/two-mass.sh" && grep -qx "outputs=('results/gomes2018/two-mass.h5' )" "$project/results/batch/two-mass.sh"
ok $? 'make batch writes the script'

mkdir -p bin && ln -sf "$project/tests/support/launch" bin/srun
PATH=$work/bin:$PATH
batch SPEC=short.yaml OUTPUT=plain/short.h5 RANKS=2 SUBMIT=0
grep -q "^    sbatch 'results/batch/short.sh'" out && bash results/batch/short.sh >>out 2>err && cmp short.whole.h5 plain/short.h5 >>err
ok $? 'without sbatch: says what it would submit; the script works in a shell'
batch SPEC=short.yaml OUTPUT=plain/parts.h5 SLICES=2 SUBMIT=0
for task in 2 1; do SLURM_ARRAY_TASK_ID=$task bash results/batch/short.sh >>out 2>err || break; done
grep -q 'dependency=afterok' out && bash results/batch/short-merge.sh >>out 2>>err && cmp short.whole.h5 plain/parts.h5 >>err
ok $? 'slices and their merge'
printf '#!/bin/sh\necho "$@" >requeued\n' >bin/scontrol
chmod +x bin/scontrol
batch SPEC=long.yaml OUTPUT=plain/long.h5 RANKS=2 SUBMIT=0
SLURM_JOB_ID=77 bash results/batch/long.sh >out 2>err &
job=$!
for _ in $(seq 400); do
    [ "$(cat plain/long.1-of-2.part.checkpoint 2>/dev/null | wc -c)" -lt 20000 ] || break
    sleep 0.05
done
kill -USR1 $job
wait $job
status=$?
[ $status = 0 ] && [ "$(cat requeued)" = 'requeue 77' ] && [ -e plain/long.1-of-2.part.checkpoint ] && [ ! -e plain/long.h5 ]
ok $? 'SIGUSR1: kept, and back into the queue'
bash results/batch/long.sh >out 2>err && cmp long.whole.h5 plain/long.h5 >>err && grep -q 'continues after tile' err
ok $? 'the next time it goes on, to the same file'

for wrong in SPEC=missing.yaml RANKS=0 RANKS=two THREADS=-1 SLICES=1.5 'TIME=1 hour' 'PARTITION=a b' 'SPEC=short.yaml second.yaml SLICES=2'; do
    case $wrong in *' SLICES'*) settings=("${wrong% *}" "${wrong##* }") ;; *) settings=("$wrong") ;; esac
    batch SPEC=short.yaml OUTPUT=x.h5 SUBMIT=0 "${settings[@]}"
    [ $? = 2 ] && [ -s err ] && [ ! -s out ]
    ok $? "$wrong is refused"
done
finish
