#!/usr/bin/env bash
# Sweeps shared by the ranks of mpirun: the file is that of the program alone, byte for byte, whatever the number of ranks;
# ranks that are killed leave no false result, and --resume goes on with another number of them; what goes wrong on any rank
# is said once. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
ranked=${COSTAB_MPI:-$project/build-mpi/costab}
forgetful=${ranked%/*}/tests/costab # the same, with allocations that fail
revision() { "$1" --version 2>/dev/null | sed 's/.*(\([^,]*\),.*/\1/'; }
# make check builds it; files of another revision would be other files.
if [ -z "${COSTAB_MPI:-}" ] && { [ "$(revision "$ranked")" != "$(revision "$costab")" ] || [ ! -e "$forgetful" ]; }; then
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CC make -s -C "$project" MPI=1 VARIANT= build-mpi/costab build-mpi/tests/costab >out 2>err ||
        { ok 1 'make MPI=1' && finish && exit; }
fi

# More ranks than cores, as root, in a sandbox without a remote shell or leave to read each other's memory.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm=isolated
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
export HWLOC_HIDE_ERRORS=2 # such as a machine without /sys
export OMP_NUM_THREADS=2
ranks() { # number command...
    local n=$1
    shift
    timeout -k 5 200 mpirun -n "$n" "$@" </dev/null
}

said() { grep -c -- "$1" err; } # how often

cat >planar.yaml <<'Y'
title: Ranks
system: planar
schemes: all
axes:
  a: [-0.5, 0.25, 0.5]
  gamma: {from: -6, to: 2, points: 301}
  delta: {from: -2, to: 14, points: 301}
fields: [class, trace, cause, row_intervals]
Y
half 600 >network.yaml
half 3000 >long.yaml

for spec in planar network; do
    "$costab" sweep $spec.yaml -o alone.h5 2>err
    words err >alone.err
    "$ranked" sweep $spec.yaml -o ranked.h5 2>err
    cmp -s alone.h5 ranked.h5 && words err | cmp -s alone.err -
    ok $? "$spec: built with MPI, without mpirun: the same file and words"
    for size in 1 2 3 4; do
        rm -f ranked.h5
        ranks $size "$ranked" sweep $spec.yaml -o ranked.h5 >out 2>err
        [ $? = 0 ] && cmp alone.h5 ranked.h5 >>err && words err | cmp -s alone.err - && [ ! -s out ]
        ok $? "$spec: $size ranks: the same file and words"
    done
done

mkdir both
ranks 3 "$ranked" sweep planar.yaml network.yaml -o both/ --threads 1 >out 2>err
[ $? = 0 ] && cmp -s alone.h5 both/network.h5 && "$costab" sweep planar.yaml && cmp planar.h5 both/planar.h5 >>err
ok $? 'several specs in one command'

# ---- Ranks that are killed

"$costab" sweep long.yaml -o whole.h5 2>err
words err >whole.err
# Starts the long sweep, on a slow disk, and waits until some of it is kept: 2 % of the whole, so that it is in the middle of
# its work. Processes write their ids: `launcher`, and `rank.K` for the rank K.
preload "$ranked"
start() { # ranks
    rm -f x.h5 x.h5.checkpoint launcher rank.*
    timeout -k 5 200 sh -c 'echo $$ >launcher && exec "$@"' launcher mpirun -n "$1" \
        sh -c 'echo $$ >rank.$OMPI_COMM_WORLD_RANK && exec "$@"' rank \
        env COSTAB_FAULT_DELAY=30 LD_PRELOAD="$preload" "$ranked" sweep long.yaml -o x.h5 --threads 1 >out 2>err </dev/null &
    job=$!
    holds x.h5.checkpoint $(($(stat -c %s whole.h5) / 50))
}
resumed() { # what command...
    local what=$1
    shift
    "$@" sweep long.yaml -o x.h5 --resume >out 2>err
    [ $? = 0 ] && cmp whole.h5 x.h5 >>err && [ ! -e x.h5.checkpoint ] && grep -q 'continues after tile' err &&
        grep 'cannot be analysed' err | cmp -s - whole.err
    ok $? "$what: goes on and ends in the same file and words"
}

for victim in 2 0; do
    start 3
    kill -9 "$(cat rank.$victim)"
    wait $job
    status=$?
    [ $status != 0 ] && [ ! -e x.h5 ] && [ -s x.h5.checkpoint ] && grep -q "rank $victim .*signal 9" err
    ok $? "rank $victim of 3 killed (kill -9): the job ends and says so, no result, the checkpoint stays"
    resumed "4 ranks after 3" ranks 4 "$ranked"
done

start 2
kill -TERM "$(cat launcher)"
wait $job
status=$?
[ $status != 0 ] && [ ! -e x.h5 ] && [ "$(said 'tiles are kept in')" = 1 ] && [ "$(said 'stopped by a signal')" = 1 ]
ok $? 'mpirun ended by SIGTERM: one word of what is kept'
resumed 'alone after 2 ranks' "$costab"

start 3
kill -TERM "$(cat rank.1)"
wait $job
status=$?
[ $status != 0 ] && [ ! -e x.h5 ] && [ "$(said 'rank 1: stopped; .* tiles are kept in')" = 1 ]
ok $? 'one rank ended by SIGTERM: all stop, and rank 0 says which one it was'
resumed '2 ranks after 3' ranks 2 "$ranked"

rm -f x.h5
killed x.h5.checkpoint sweep long.yaml -o x.h5 --threads 1
resumed '3 ranks after one process alone' ranks 3 "$ranked"

# ---- What goes wrong is said once

rm -f x.h5 x.h5.checkpoint
nothing() { [ ! -e x.h5 ] && [ ! -e x.h5.checkpoint ]; }
printf 'system: planar\nschemes: [none]\naxes: {a: [0], gamma: [0], delta: [0]}\n' >wrong.yaml
ranks 3 "$ranked" sweep wrong.yaml -o x.h5 >out 2>err
[ $? = 2 ] && [ "$(said 'wrong.yaml:2:')" = 1 ] && nothing
ok $? 'a mistake in the spec: exit status 2'
ranks 3 "$ranked" sweep missing.yaml -o x.h5 >out 2>err
[ $? = 2 ] && [ "$(said 'missing.yaml')" = 1 ] && nothing
ok $? 'a spec that is not there: exit status 2'
ranks 3 "$ranked" sweep planar.yaml -o nowhere/x.h5 >out 2>err
[ $? = 1 ] && [ "$(said 'error: cannot .*x.h5')" = 1 ] && nothing
ok $? 'a folder that is not there: exit status 1'
timeout 100 mpirun -n 1 "$ranked" sweep planar.yaml -o x.h5 : -n 2 "$ranked" sweep missing.yaml -o x.h5 >out 2>err </dev/null
[ $? != 0 ] && [ "$(said 'missing.yaml')" = 1 ] && nothing
ok $? 'a spec that other ranks cannot read'
timeout 100 mpirun -n 2 "$ranked" sweep planar.yaml -o x.h5 : -n 1 "$ranked" sweep network.yaml -o x.h5 >out 2>err </dev/null
[ $? != 0 ] && [ "$(said 'error: rank 2 has read another input')" = 1 ] && nothing
ok $? 'another spec on another rank'
half 40000 >longer.yaml # long enough for the other rank to get its share; it ends soon
timeout 100 mpirun -n 1 "$ranked" sweep longer.yaml -o x.h5 : -n 1 env COSTAB_FAIL_ALLOC=1000 "$forgetful" sweep longer.yaml -o x.h5 \
    >out 2>err </dev/null
[ $? != 0 ] && [ "$(said 'error: .*out of memory')" = 1 ] && [ ! -e x.h5 ]
ok $? 'another rank out of memory'
rm -f x.h5.checkpoint
ranks 2 "$costab" sweep planar.yaml -o x.h5 >out 2>err
[ $? = 2 ] && grep -q 'built without MPI' err && nothing
ok $? 'a program built without MPI does not do the same sweep twice'

# ---- Everything else is rank 0's

for arguments in '--version' '--help' 'sweep --help' 'classify --a 0.5 --gamma -2 --delta 3 --format csv' 'sweep --dry-run planar.yaml'; do
    # shellcheck disable=SC2086
    "$ranked" $arguments >alone.out 2>err
    # shellcheck disable=SC2086
    ranks 3 "$ranked" $arguments >out 2>err
    [ $? = 0 ] && cmp -s alone.out out && [ ! -s err ]
    ok $? "costab $arguments: once"
done
finish
