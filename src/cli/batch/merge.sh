# After all slices: their parts become one file.
set -u
cd "$project" || exit 1
parts=()
for ((k = 1; k <= slices; k++)); do parts+=("${outputs[0]%.h5}.$k-of-$slices.part"); done
"$program" merge "${parts[@]}" -o "${outputs[0]}" && rm -f -- "${parts[@]}"
