# One job, or one task of an array: `task` is its number. Stopped two minutes before its time ends, it keeps what it has and
# goes back into the queue; it always continues from what was kept. Of several ranks each computes a slice; at the end one process
# merges them.
set -u
cd "$project" || exit 1
task=${SLURM_ARRAY_TASK_ID:-1}
case $task in *[!0-9]* | 0*) echo "costab: SLURM_ARRAY_TASK_ID is '$task', and should be a task's number" >&2 && exit 2 ;; esac
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-$threads} OMP_PROC_BIND=close OMP_PLACES=cores OPENBLAS_NUM_THREADS=1

command=("$program" sweep)
parts=()
if [ "$slices" -gt 0 ]; then
    output=${outputs[0]%.h5}.$task-of-$slices.part
    command+=("${specs[0]}" --slice "$task/$slices" -o "$output")
elif [ "$ranks" -gt 1 ]; then
    output=${outputs[task - 1]}
    command+=("${specs[task - 1]}" --slice auto -o "$(dirname "$output")/")
    for ((k = 1; k <= ranks; k++)); do parts+=("${output%.h5}.$k-of-$ranks.part"); done
else
    output=${outputs[task - 1]}
    command+=("${specs[task - 1]}" -o "$output")
fi
command+=(--resume)
case $ranks:$launcher in
1:*) ;;
*:mpirun) command=(mpirun -n "$ranks" --bind-to core --map-by "slot:PE=$OMP_NUM_THREADS" "${command[@]}") ;;
*:srun) command=(srun --ntasks="$ranks" --cpus-per-task="$OMP_NUM_THREADS" "${command[@]}") ;;
*) command=($launcher "${command[@]}") ;; # with its own options
esac
for path in "${outputs[@]}"; do mkdir -p "$(dirname "$path")" || exit 1; done

# For `make batch-status`: when the job began, which it is, with how many tiles; and if it fails, how.
id=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
id=${id:-${SLURM_JOB_ID:--}}
kept=0
for path in "${parts[@]:-$output}"; do
    [ -e "$path" ] || path=$path.checkpoint
    kept=$((kept + $([ ! -e "$path" ] || "$program" info "$path" 2>/dev/null | sed -n 's/^tiles *\([0-9]*\) of.*/\1/p') + 0))
done
note="$(date +%s) $id $kept"
printf '%s\n' "$note" >"$output.job"

again=no
trap 'again=yes; kill -USR1 "$job" 2>/dev/null' USR1
trap 'kill -TERM "$job" 2>/dev/null' TERM
echo "costab: ${command[*]}"
"${command[@]}" &
job=$!
while :; do # a trap ends a wait early
    wait "$job"
    status=$?
    kill -0 "$job" 2>/dev/null || break
done
if [ $again = yes ] && [ $status != 0 ]; then
    echo "costab: the time is nearly up; back into the queue"
    rm -f "$output.job"
    scontrol requeue "$id" && exit 0
fi
if [ $status = 0 ] && [ ${#parts[@]} -gt 0 ]; then
    "$program" merge "${parts[@]}" -o "$output" && rm -f -- "${parts[@]}"
    status=$?
fi
if [ $status = 0 ]; then rm -f "$output.job"; else printf '%s %s\n' "$note" "$status" >"$output.job"; fi
exit $status
