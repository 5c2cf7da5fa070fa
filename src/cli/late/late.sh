#!/bin/sh
# late.sh LACKING GROUP OPTION... [-- GROUP OPTION...]...: which functions of late libraries the program calls, as the rows that
# src/cli/late.c includes. LACKING is a file with the names that the program's objects do not define; each group is a name and
# what the linker is told to find its libraries. CC, NM and READELF may name the tools.
set -eu
lacking=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
: >"$folder/taken"

# The shared libraries that the linker finds with these options, one path per line.
found() {
    ${CC:-gcc} -shared -nostdlib -o "$folder/none.so" -Wl,--no-as-needed -Wl,--trace "$@" 2>/dev/null | grep '^/.*\.so[.0-9]*$' || :
}

# Of one library: name, type and size (hexadecimal) of each symbol, without versions.
symbols() { LC_ALL=C ${NM:-nm} -D -P --defined-only "$1" | sed 's/@[^ ]*//' | awk '{ print $1, $2, $4 }' | sort -u -k1,1; }

group_rows() {
    group=$1
    shift
    found "$@" >"$folder/libraries"
    while read -r path; do
        [ "$(head -c 4 "$path" | tail -c 3)" = ELF ] || continue # a script of the linker
        file=$(LC_ALL=C ${READELF:-readelf} -d "$path" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
        [ "$file" ] || continue
        symbols "$path" | join - "$lacking" | join -v 1 - "$folder/taken" >"$folder/rows"
        [ -s "$folder/rows" ] || continue
        cut -d' ' -f1 "$folder/rows" | sort - "$folder/taken" >"$folder/more"
        mv "$folder/more" "$folder/taken"
        echo "LATE_LIBRARY($group, \"$file\")"
        while read -r name type size; do
            case $type in
            T | W | i) echo "LATE_FUNCTION($group, $name)" ;;
            *) echo "LATE_COPY($group, $name, 0x$size)" ;;
            esac
        done <"$folder/rows"
    done <"$folder/libraries"
}

export LC_ALL=C
echo '/* Made by src/cli/late/late.sh. */'
while [ $# -gt 0 ]; do
    group=$1 options=
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    [ $# = 0 ] || shift
    # shellcheck disable=SC2086
    group_rows "$group" $options
done
