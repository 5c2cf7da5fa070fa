# figures.sh - what the shell tests of costab plot share, sourced after tap.sh.
# shellcheck shell=bash
# run EXIT COMMAND...: the command ends with this exit status; its messages are in messages.txt.
run() {
    local wanted=$1 status
    shift
    "$@" >output.txt 2>messages.txt
    status=$?
    [ $status -eq "$wanted" ] || { echo "# exit $status instead of $wanted" && shows messages.txt; }
}
files() { (cd "$1" && ls -A | LC_ALL=C sort | tr '\n' ' '); }
holds() { [ "$(files "$1")" = "$2" ] || { echo "# $(files "$1")" && return 1; }; }
