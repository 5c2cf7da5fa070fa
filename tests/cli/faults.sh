#!/usr/bin/env bash
# Faults of the machine: folders that cannot be written and full disks. Each must end with exit status 1 (2 where the
# command line is what is wrong), a message that names the file, nothing left behind, and an older file untouched.
set -u
. "$(dirname "$0")/../support/tap.sh"
mounted=
at_end() { [ -z "$mounted" ] || umount "$mounted"; }

spec() { # name fields points schemes
    cat >"$1.yaml" <<END
title: Faults
system: planar
schemes: $4
method: rk4
axes:
  a: [-0.5, 0, 0.5]
  gamma: {from: -6, to: 2, points: $3}
  delta: {from: -2, to: 14, points: $3}
fields: [$2]
END
}
spec classes class 41 all
spec doubles 'class, trace, row_intervals, cause' 41 '[zigzag, strong]'
spec large trace 201 all

"$costab" sweep - -o older.h5 >out 2>err <<END
system: planar
schemes: [zigzag]
axes: {a: 0, gamma: [0, 1], delta: [0, 1]}
END

# said PATTERN: a line that the program said has it. No process is started for it: a thousand runs are looked at here.
said() { [[ $(<err) =~ ${1//.\*/[^$'\n']*} ]]; }
# names FOLDER: what is in it.
names() { (cd "$1" && shopt -s nullglob dotglob && echo *); }

# left FOLDER: it has what it had `before`, and a checkpoint only where the message says so.
left() {
    local now
    now=$(names "$1")
    if [ -e "$1/x.h5.checkpoint" ]; then
        said 'tiles are kept in .*x\.h5\.checkpoint.*--resume' || return 1
        now=" $now "
        now=${now/ x.h5.checkpoint / }
        now=${now# } now=${now% }
    fi
    [ "$now" = "$before" ]
}

# refused LABEL FOLDER COMMAND...: exit status 1, a message, and in FOLDER only what was there before.
refused() {
    local what=$1 folder=$2 status
    shift 2
    "$@" >out 2>err </dev/null
    status=$?
    [ $status = 1 ] && said 'error: cannot .*x\.h5' && left "$folder"
    ok $? "$what (exit status $status)"
}

# Folders that cannot be written.
before=
mkdir empty
touch plain
refused 'a folder that is not there' empty "$costab" sweep classes.yaml -o nowhere/x.h5
refused 'a file in place of a folder' empty "$costab" sweep classes.yaml -o plain/x.h5
if [ -d /proc/self ]; then refused 'a file system that takes no files' empty "$costab" sweep classes.yaml -o /proc/x.h5; fi
mkdir x.h5
mkdir x.h5/x.h5
"$costab" sweep classes.yaml -o x.h5/x.h5/ >out 2>err
[ $? = 0 ] && [ "$(ls -A x.h5/x.h5)" = classes.h5 ]
ok $? 'a folder as the output takes the file under the name of the spec'
rm -rf x.h5
mkdir locked
chmod 555 locked
if [ "$(id -u)" != 0 ]; then
    refused 'a folder without permission to write' locked "$costab" sweep classes.yaml -o locked/x.h5
elif command -v setpriv >/dev/null; then
    # The program and the spec are copied: neither has to lie where somebody else may read.
    chmod 755 "$work"
    cp "$costab" costab.copy && chmod 755 costab.copy && chmod 644 classes.yaml
    refused 'a folder without permission to write' locked \
        setpriv --reuid=65534 --regid=65534 --clear-groups ./costab.copy sweep classes.yaml -o locked/x.h5
else
    skipped 'a folder without permission to write' 'runs as root, and setpriv is missing'
fi

# A disk that is full at the k-th call, for that call only or from there on. Each series begins with another call and tries every
# $stride-th one (all of them with EFFORT=10) until none fails. A series has some 110 calls: with EFFORT=1 each of the eight tries one, from
# the 14th on.
preload
stride=$(stride 110)
[ "$stride" -le 110 ] || stride=110
series=0

# full SPEC OLDER STAYS: and each time the sweep goes on when there is room again.
full() {
    local k status bad=0 calls=0 resumed=0 what
    [ -e "whole-$1.h5" ] || "$costab" sweep "$1.yaml" -o "whole-$1.h5" >out 2>err
    what="a full disk, $1.yaml$([ -z "$2" ] || echo ', an older file')$([ -z "$3" ] || echo ', and it stays full')"
    rm -rf full && mkdir full
    : >kept
    before=
    if [ -n "$2" ]; then
        cp older.h5 kept
        before=x.h5
    fi
    [ -z "$3" ] || export COSTAB_FAULT_STAYS=1
    for ((k = 1 + (13 + 12 * series++) % stride; k <= 2000; k += stride)); do
        rm -f full/* seen
        [ -z "$2" ] || cat kept >full/x.h5
        COSTAB_FAULT_AT=$k COSTAB_FAULT_SEEN=$work/seen LD_PRELOAD=$preload \
            "$costab" sweep "$1.yaml" -o full/x.h5 --threads 2 >out 2>err </dev/null
        status=$?
        [ -e seen ] || break
        calls=$k
        if [ $status != 1 ] || ! said 'error: cannot .*x\.h5.*disk is full' || said HDF5 || ! left full ||
            { [ -n "$2" ] && ! cmp -s full/x.h5 kept; }; then
            echo "# call $k: exit status $status, left behind: $(ls -A full | tr '\n' ' ')"
            sed 's/^/# /' err
            bad=$((bad + 1))
        fi
        [ ! -e full/x.h5.checkpoint ] || resumed=$((resumed + 1))
        if ! "$costab" sweep "$1.yaml" -o full/x.h5 --resume >out 2>err || ! cmp -s "whole-$1.h5" full/x.h5 || [ -e full/x.h5.checkpoint ]; then
            echo "# call $k: --resume does not end in the same file"
            sed 's/^/# /' err
            bad=$((bad + 1))
        fi
    done
    unset COSTAB_FAULT_STAYS
    echo "# faults up to call $calls, $bad not survived, $resumed times finished tiles were kept"
    [ $bad = 0 ] && [ $calls -gt 12 ] && [ $status = 0 ] && "$costab" info full/x.h5 >out 2>err
    ok $? "$what: $calls calls fail, one after another"
}
for sweep in classes doubles; do
    full $sweep '' ''
    full $sweep '' stays
    full $sweep older ''
done
full classes older stays
export COSTAB_FAULT_NAMED=1 # where a file must have a name from the beginning
full classes older ''
unset COSTAB_FAULT_NAMED

# The last step fails, and what would undo it: links cannot be made, either. No file is lost for that.
undone() {
    local k status bad=0 there=0 what number step=$((stride < 30 ? stride : 30))
    cp older.h5 kept
    rm -rf full && mkdir full
    cat kept >full/x.h5
    COSTAB_FAULT_LINKS=1 COSTAB_FAULT_CALLS=$work/number LD_PRELOAD=$preload "$costab" sweep classes.yaml -o full/x.h5 --threads 1 >out 2>err
    number=$(<number) # of calls, with one thread nearly the same in all runs
    for k in $(seq 1 $step $((number - 5))) $(for _ in $(seq 9); do seq $((number - 4)) $((number + 3)); done); do
        [ $there = 0 ] || break # one of them was the last step
        rm -f full/* seen
        cat kept >full/x.h5
        COSTAB_FAULT_STAYS=1 COSTAB_FAULT_LINKS=1 COSTAB_FAULT_AT=$k COSTAB_FAULT_SEEN=$work/seen LD_PRELOAD=$preload \
            "$costab" sweep classes.yaml -o full/x.h5 --threads 1 >out 2>err </dev/null
        status=$?
        [ -e seen ] || continue
        what=$(names full)
        if cmp -s full/x.h5 whole-classes.h5; then
            there=$((there + 1))
            said 'finished file is there' && { [ "$what" = x.h5 ] || said 'are kept'; }
        else
            cmp -s full/x.h5 kept && said 'cannot .*x\.h5' && { [ "$what" = x.h5 ] || said 'are kept'; }
        fi
        if [ $? != 0 ] || [ $status != 1 ]; then
            echo "# call $k: exit status $status, left behind: $what"
            sed 's/^/# /' err
            bad=$((bad + 1))
        fi
    done
    [ $bad = 0 ] && [ "$number" -gt 12 ] && [ $there -gt 0 ]
    ok $? "where nothing can be undone, the older file is there or the finished one: calls fail, up to the last one of some $number"
}
undone

# The disk fills again while a sweep goes on: what was kept is never lost. (Each of these tiles is written on its own.)
again() {
    local k status bad=0 calls=0 size tiles
    rm -rf full && mkdir full
    "$costab" sweep large.yaml -o whole.h5 >out 2>err
    COSTAB_FAULT_STAYS=1 COSTAB_FAULT_AT=5 LD_PRELOAD="$preload" "$costab" sweep large.yaml -o full/x.h5 --threads 2 >out 2>err </dev/null
    tiles=$(sed -n 's/.* \([0-9]*\) of 12 tiles are kept.*/\1/p' err)
    cp full/x.h5.checkpoint kept
    size=$(wc -c <kept)
    for ((k = 1 + 40 % stride; k <= 2000; k += stride)); do
        rm -f full/* seen
        cp kept full/x.h5.checkpoint
        COSTAB_FAULT_STAYS=1 COSTAB_FAULT_AT=$k COSTAB_FAULT_SEEN="$work/seen" LD_PRELOAD="$preload" \
            "$costab" sweep large.yaml -o full/x.h5 --resume >out 2>err </dev/null
        status=$?
        [ -e seen ] || break
        calls=$k
        if [ $status != 1 ] || ! said 'disk is full.*tiles are kept' || [ "$(names full)" != x.h5.checkpoint ] ||
            [ "$(stat -c %s full/x.h5.checkpoint)" -lt "$size" ] || ! "$costab" sweep large.yaml -o full/x.h5 --resume >out 2>>err ||
            ! cmp -s whole.h5 full/x.h5; then
            echo "# call $k: exit status $status, left behind: $(ls -A full | tr '\n' ' ')"
            sed 's/^/# /' err
            bad=$((bad + 1))
        fi
    done
    echo "# faults up to call $calls, $bad not survived"
    [ $bad = 0 ] && [ $calls -gt 10 ] && [ $status = 0 ] && [ "${tiles:-0}" -gt 0 ] && [ "$tiles" -lt 12 ]
    ok $? "a disk that fills again during --resume: $calls calls fail, one after another"
}
again

# Killed there, a run leaves its checkpoint and nothing hidden.
spec many 'class, trace, spectral_radius' 201 all
rm -rf killed && mkdir killed
COSTAB_FAULT_DELAY=30 COSTAB_FAULT_NAMED=1 LD_PRELOAD="$preload" "$costab" sweep many.yaml -o killed/x.h5 >out 2>err &
holds killed/x.h5.checkpoint 100000
{ kill -9 $! && wait $!; } 2>/dev/null
[ "$(ls -A killed)" = x.h5.checkpoint ]
ok $? "killed where files have names: $(ls -A killed | tr '\n' ' ')"
COSTAB_FAULT_NAMED=1 LD_PRELOAD="$preload" "$costab" sweep many.yaml -o killed/x.h5 --resume >out 2>err &&
    grep -q 'continues after tile' err && [ "$(ls -A killed)" = x.h5 ] && "$costab" info killed/x.h5 >out
ok $? 'and goes on with --resume'

# Room for the log and none for the file: said before it is begun, in numbers, and the sweep goes on from its tiles.
rm -rf room && mkdir room
before=
COSTAB_FAULT_ROOM=50000 LD_PRELOAD="$preload" "$costab" sweep large.yaml -o room/x.h5 >out 2>err
[ $? = 1 ] && said "cannot write 'room/x.h5': it needs .* MB, and 50 kB are free on its disk.* 12 of 12 tiles are kept" &&
    [ "$(ls -A room)" = x.h5.checkpoint ]
ok $? "a disk with too little room for the file: $(<err)"
"$costab" sweep large.yaml -o whole.h5 >out 2>err
"$costab" sweep large.yaml -o room/x.h5 --resume >out 2>err && cmp -s whole.h5 room/x.h5 && [ "$(ls -A room)" = x.h5 ]
ok $? 'and goes on when there is room'

# A small disk that is really full.
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
    mounted=$work/small
    before=
    refused 'a small disk' small "$costab" sweep large.yaml -o small/x.h5
    mount -o remount,ro small
    refused 'a disk that is read-only' small "$costab" sweep classes.yaml -o small/x.h5
else
    skipped 'a small disk' 'mounting is not allowed'
    skipped 'a disk that is read-only' 'mounting is not allowed'
fi

finish
