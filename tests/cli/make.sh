#!/usr/bin/env bash
# make itself, in small trees that have the project's makefiles and a stand-in for the program: names of files and values of variables
# are never run as shell text; two makes in one tree; figures interrupted and continued; a source tree that is read-only; paths with
# blanks and quotes to install to. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
unset CC LDFLAGS MAKEFLAGS MFLAGS MAKELEVEL VARIANT PAGES PREFIX LIBDIR DESTDIR BUILDDIR SPEC OUT TITLE JOBS CI V
# FMU=0 and STATIC_LIBS=0 build the tree in half the time; tests of the other values set them.
export DEPS=skip CCACHE_DISABLE=1 FMU=0 STATIC_LIBS=0 CFLAGS="-O0 -DTEXT='\"a b\"'"
chmod 755 "$work"

# A tree whose program is a shell script, $STANDIN.
tree() { # folder
    local file
    for file in .ci/deps src/build.mk src/install.mk src/python/python.mk packaging/debian/deb.mk sweeps/figures.mk tests/tests.mk \
        tests/fuzz/run src/cli/batch/batch.mk src/cli/batch/merge.sh src/cli/batch/status src/cli/batch/sweep.sh src/cli/batch/write; do
        mkdir -p "$1/${file%/*}" && cp "$project/$file" "$1/$file"
    done
    cp "$project/Makefile" "$1"
    cd "$1" && mkdir -p include/costab src/base src/fmu src/claims plots sweeps/x/models docs/reference tests/support || exit 1
    echo '#define COSTAB_VERSION "1.2.3"' >include/costab/base.h
    echo '__attribute__((visibility("default"))) int one(void); int one(void) { return 1; }' >src/base/one.c
    echo 'int memory(void); int memory(void) { return 1; }' >tests/support/memory.c
    for file in calls guardian linearise protocol; do echo "int $file(void); int $file(void) { return 1; }" >src/fmu/$file.c; done
    echo 'int main(void) { return 0; }' >src/fmu/child.c
    printf '#include <stddef.h>\nextern const char child_program[];\nextern const size_t child_program_size;\n' >src/fmu/child.h
    printf 'typedef struct { const char *name, *text; } claims_text;\nextern const claims_text claims_models[], claims_sources[];\n' >src/claims/claims.h
    printf '%s\n' '#include <stdlib.h>' '#include <unistd.h>' '#include "version.h"' 'int main(int count, char **words) {' '(void)count;' \
        'char *script = getenv("STANDIN"), *all[64] = {"sh", script ? script : "/dev/null"};' \
        'for (int k = 1; k < count && k < 60; k++) all[k + 1] = words[k];' 'execv("/bin/sh", all);' 'return 1;' '}' >src/cli/main.c
    echo x >plots/figure.gp
    echo x >plots/page.css
    echo '/* page.css */' >plots/page.html
    for file in a b; do half 9 >sweeps/x/$file.yaml; done
    echo 'a: 1' >sweeps/x/models/m.yaml
    echo 'a,b' >sweeps/x/claims.csv
    echo 'import sys; open(sys.argv[1], "w").write("int module(void); int module(void) { return 1; }")' >src/python/declare.py
    touch README.md LICENSE CITATION.cff docs/page.md
    cd "$work" || exit 1
}
# The stand-in notes its words in $work/words, one to a line, and writes what it is asked for.
export STANDIN=$work/standin WORDS=$work/words
cat >"$STANDIN" <<'END'
printf '%s\n' "$@" >>"$WORDS"
out= formats= first=${2:-} command=${1:-}
while [ $# -gt 0 ]; do
    case $1 in -o) out=$2 ;; --format) formats=$2 ;; esac
    shift
done
case $command in
plot) for f in ${formats:+$(echo "$formats" | tr , ' ')}; do stem=${first##*/}; echo "${NEW:-figure}" >"$out/${stem%.*}.$f"; [ -z "${SLOW:-}" ] || sleep 30; done ;;
sweep) [ -z "$out" ] || echo sweep >"$out" ;;
info) echo 'tiles   5 of 10, as one thread' ;;
*) echo text ;;
esac
END
make() { command make -s --no-print-directory -C "$tree" PKG_CFLAGS= PKG_LIBS= "$@" >out 2>err </dev/null; }
# harmless STATUS WHAT: one test, failed also if something was run that makes a file `pwned`.
harmless() {
    local found status=$1
    found=$(find "$work" -name pwned)
    [ -z "$found" ] || { echo "it ran: $found" >>err && rm -f "$work"/pwned "$work"/*/pwned "$work"/*/*/pwned "$work"/*/*/*/pwned && status=1; }
    ok "$status" "$2"
}

tree=$work/tree
tree "$tree"
make all
ok $? 'the small tree is built; quotes in CFLAGS are those of the shell'

# ---- Names of files

stride=$(stride 13)
strange=('`touch${IFS}pwned`' '$(touch${IFS}pwned)' ';touch${IFS}pwned;' "';touch pwned;'" '";touch pwned;"' '|touch${IFS}pwned' 'a b' $'a\n\ttouch pwned\nb'
    '$(shell touch pwned)' 'a#b' "it's" '%')
# strange_names WHAT PATTERN GOAL...: with a file of each strange name every goal is refused, and the message names the file's folder.
# With EFFORT 1 each thirteenth pair of them is tried, and so of other lists of hostile words.
pair=0
strange_names() {
    local what=$1 pattern=$2 name file goal status=0
    shift 2
    for name in "${strange[@]}"; do
        file=$tree/${pattern/NAME/$name}
        half 9 >"$file"
        for goal; do
            [ $((pair++ % stride)) = 0 ] || continue
            make "$goal"
            [ $? = 2 ] && grep -q "^Makefile:.*${pattern%/*}/.*Rename it" err || { status=1 && echo "$name, $goal" >>err && break 2; }
        done
        rm -f "$file"
    done
    rm -f "$file"
    harmless $status "$what of a name that make or the shell would read otherwise: refused, with what to do"
}
strange_names 'a spec' sweeps/x/NAME.yaml all figures pages install sweep
strange_names 'a model' sweeps/x/models/NAME.yaml all
strange_names 'a page of the documentation' docs/NAME.md install
strange_names 'a source' src/base/NAME.c all
touch "$tree/sweeps/x/.#a b.yaml" "$tree/sweeps/x/a.yaml~" "$tree/src/base/one.c~"
make -n all pages
ok $? 'files that editors leave are not among them'
mkdir -p "$tree/results"
for name in "${strange[@]}"; do
    [ $((pair++ % stride)) = 0 ] || continue
    echo x >"$tree/results/$name.h5"
    make -- "results/$name.pdf"
done
harmless 0 'targets of such names run nothing'

for name in '`touch pwned` $(touch pwned)' "it's; touch pwned" '$(shell touch pwned)' '-x' 'a"b c'; do
    for folder in "$work/" ''; do
        [ $((pair++ % stride)) = 0 ] || continue
        : >"$WORDS"
        make sweep SPEC="$folder$name.yaml"
        printf '%s\n' sweep -o "results/$name.h5" -- "$folder$name.yaml" | cmp - "$WORDS" >>err && [ -e "$tree/results/$name.h5" ]
        harmless $? "make sweep of ${folder:+FOLDER/}$name.yaml"
    done
done
make sweep SPEC=sweeps/x/a.yaml && [ -e "$tree/results/x/a.h5" ] && make sweep SPEC=y.yml && [ -e "$tree/results/y.h5" ] &&
    make sweep SPEC=y.yml OUT="$work/it's \$(touch pwned)/out.h5" && [ -e "$work/it's \$(touch pwned)/out.h5" ]
harmless $? 'make sweep writes to the folder of the spec in results/, or to OUT'

hostile="$work/it's a \`touch pwned\`\$(touch pwned);tree"
tree "$hostile"
mv "$tree" away && tree=$hostile FMU=1
make all && make sweep SPEC=sweeps/x/a.yaml && make install PREFIX="$work/installed" && make batch SPEC=sweeps/x/a.yaml SUBMIT=0 &&
    bash "$tree/results/batch/a.sh" >>out 2>>err && [ -e "$tree/results/x/a.h5" ] && make batch-status && grep -q '1 of 1 done' out
harmless $? 'a tree in a folder with blanks, quotes and $(...) is built, installed, swept and asked how far it is'
tree=$work/tree FMU=0 && mv away "$tree"

# ---- Values of variables

# In no context of the shell, and not in one of make, may this be run.
value="; touch pwned; '; touch pwned; '\"; touch pwned; \"\`touch pwned\`\$(touch pwned)\$(shell touch pwned)"
# variables GOAL NAME...: each variable with that value on the command line, the first one in the environment as well. Some values are
# refused. With EFFORT 1 each thirteenth of them is tried.
variables() {
    local goal=$1 name where
    shift
    for name; do
        [ "$name" = "${1:-}" ] || set --
        # shellcheck disable=SC2086 # several goals
        for where in command ${1+environment}; do
            [ $((pair++ % stride)) = 0 ] || continue
            rm -rf "$tree"/results/x "$tree"/build/python
            ( [ "$name" = SPEC ] || export SPEC=sweeps/x/a.yaml
              [ "$name" = DESTDIR ] || export DESTDIR="$work/stage"
              [ "$name" = SUBMIT ] || export SUBMIT=0
              if [ $where = command ]; then make $goal "$name=$value"; else export "$name=$value" && make $goal; fi )
            harmless 0 "$name of the $where, make $goal"
        done
    done
}
variables 'install uninstall' PREFIX BINDIR LIBDIR INCLUDEDIR DATADIR DOCDIR DESTDIR
variables 'batch' RANKS THREADS SLICES TIME MEM ACCOUNT PARTITION SBATCH MODULES LAUNCHER SUBMIT NOTICE
variables 'sweep batch batch-status -k' SPEC
variables 'sweep' OUT
variables 'fuzz' FUZZ FUZZ_SECONDS
variables 'build/python/costab/_costab.abi3.so' MODULE_RPATH
variables 'all print-CFLAGS -k' CC AR CFLAGS LDFLAGS PYTHON PKG_CONFIG OBJCOPY INSTALL JOBS VARIANT FMU PAGES STATIC_LIBS BUILDDIR WERROR DEPS REVISION CI V MPI
variables 'results/x/a.pdf print-TITLE' TITLE
for setting in 'CFLAGS=-DX=`id`' 'CC=gcc; id' 'LDFLAGS=-L$(HOME)' 'BUILDDIR=a b' 'VARIANT=fast' 'FMU=2' 'STATIC_LIBS=no'; do
    [ $((pair++ % stride)) = 0 ] || continue
    make all "$setting"
    [ $? = 2 ] && grep -q "^Makefile:.*${setting#*=}'*" err && grep -qE 'expected|use asan' err
    ok $? "$setting is refused, with what was expected" 
done

printf '#!/bin/sh\ncase "$*" in *Bstatic*) exit 1 ;; esac\nexec gcc "$@"\n' >"$work/shared" && chmod +x "$work/shared"
program_libs() { command make -C "$project" --no-print-directory "$@" print-PROGRAM_LIBS; }
libs=$(program_libs) && [ -n "$libs" ] && [ "$(program_libs STATIC_LIBS=1 CC="$work/shared")" = "$libs" ]
ok $? 'a linker without the archives of HDF5 and LAPACKE takes the shared libraries'

# ---- Scripts and notes of jobs

rm -rf "$tree/results" && make batch SPEC='sweeps/x/a.yaml sweeps/x/b.yaml' SUBMIT=0 && make batch-status SPEC='sweeps/x/a.yaml sweeps/x/b.yaml' &&
    grep -q '0 of 2 done' out
ok $? 'batch-status of two specs'
mkdir -p "$tree/results/x" && touch "$tree/results/x/a.h5.checkpoint"
for note in 'a[$(>pwned)] - 0' '1 - a[$(>pwned)]' '1 $(touch pwned) 0' '1 - 0 a[$(>pwned)]' '08 - 09' "1 - 0 '; touch pwned; '" '1 --version 0' ''; do
    [ $((pair++ % stride)) = 0 ] || continue
    printf '%s\n' "$note" >"$tree/results/x/a.h5.job"
    make batch-status
    grep -qE 'is no note of a job|running' out
    harmless $? "the note of a job '$note'"
done
rm -f "$tree/results/x/a.h5.job" && mkfifo "$tree/results/x/a.h5.job"
(cd "$tree" && timeout 20 src/cli/batch/status >"$work/out" 2>"$work/err" </dev/null) && grep -q 'is no note of a job' out
ok $? 'a pipe in place of a note does not stop it'
rm "$tree/results/x/a.h5.job"
for line in 'specs=($(touch pwned))' "specs=('a' \$(touch pwned))" 'slices=a[$(touch pwned)]' 'ranks=$(touch pwned)' 'outputs=(); touch pwned; x=()' "specs=('a"; do
    [ $((pair++ % stride)) = 0 ] || continue
    { sed "/^${line%%=*}=/d" "$tree/results/batch/a-and-1-more.sh" && echo "$line"; } >"$tree/results/batch/other.sh"
    make batch-status
    harmless 0 "batch-status runs nothing of a script with $line"
done
rm -f "$tree/results/batch/other.sh"
SLURM_ARRAY_TASK_ID='a[$(touch pwned)]' bash "$tree/results/batch/a-and-1-more.sh" >out 2>err
[ $? = 2 ] && grep -q "SLURM_ARRAY_TASK_ID is 'a" err
harmless $? "a task's number that is none is refused"

# ---- What is to do, and what it needs

make all && make -n all && ! grep -v '^make: Nothing to be done' out >>err
ok $? 'nothing to do: make -n lists nothing'
touch "$tree/src/base/one.c" && make -n all && grep -q 'src/base/one.c' out && ! grep -qE 'src/cli/main.c|\.ci/deps|--no-print-directory' out
ok $? 'a source is touched: make -n lists what depends on it'
# A stand-in for the script that looks for packages: they are there once it was called to install.
mv "$tree/.ci/deps" deps
cat >"$tree/.ci/deps" <<'END'
#!/bin/sh
echo "$*" >>"$WORDS"
[ "$1" != --install ] || { sleep 0.5 && touch installed; }
[ -e installed ] || { echo 'gnuplot is missing' >&2; exit 1; }
END
chmod +x "$tree/.ci/deps" && mkdir -p "$tree/tests/lint" && cp "$project/tests/run" "$tree/tests/run"
printf '#!/bin/sh\necho ok 1 - one\necho 1..1\n' >"$tree/tests/lint/one.sh" && chmod +x "$tree/tests/lint/one.sh"
unset DEPS
for goal in all figures check lint; do
    : >"$WORDS"
    make "$goal" FIGURES=results/x/a FMU=1
    [ $? = 2 ] && grep -q '^build fmu' "$WORDS" && grep -q 'gnuplot is missing' err && grep -q '`make deps` installs it' err && ! grep -q install "$WORDS" && ! grep -q '^  ' out
    ok $? "something is missing: make $goal stops with what to do, installs nothing and makes nothing" || shows "$WORDS"
done
make figures FIGURES=results/x/a DEPS=skip && [ -e "$tree/results/x/a.pdf" ]
ok $? 'DEPS=skip goes on'
for goal in $([ "$stride" -gt 1 ] || echo figures) check; do
    rm -rf "$tree/results/x" "$tree/build" "$tree/installed" && : >"$WORDS"
    make -j4 $goal deps FIGURES=results/x/a && [ "$(head -n 1 "$WORDS")" = '--install build figures check' ] && grep -q "^build.* $goal" "$WORDS" &&
        { [ $goal = check ] || [ -e "$tree/results/x/a.png" ]; } && { [ $goal = figures ] || grep -qx '1 passed, 0 failed' out; }
    ok $? "make -j4 $goal deps: first what is missing is installed" || shows "$WORDS"
done
mv deps "$tree/.ci/deps" && export DEPS=skip

# ---- Two makes at once

# A compiler that writes its output slowly.
mkdir slow
cat >slow/gcc <<END
#!/bin/bash
words=("\$@") out= gcc='$(command -v gcc)' PATH='$PATH' # ccache looks for its compiler in PATH
END
cat >>slow/gcc <<'END'
for ((k = 0; k + 1 < $#; k++)); do [ "${words[k]}" != -o ] || { k=$((k + 1)) && out=${words[k]} && words[k]=$out.whole; }; done
[ -n "$out" ] && [ "$out" != /dev/null ] || exec "$gcc" "$@"
"$gcc" "${words[@]}" || exit
: >"$out" && sleep 0.05 && head -c 300 "$out.whole" >"$out" && sleep 0.1 && cat "$out.whole" >"$out" && chmod +x "$out"
rm "$out.whole"
END
chmod +x slow/gcc
slowly() { PATH=$work/slow:$PATH command make -C "$tree" -j4 PKG_CFLAGS= PKG_LIBS=; }
status=0
[ "$stride" -gt 1 ] || FMU=1
for delay in 0.1 $([ "$stride" -gt 1 ] || echo 0 0.3 0.6); do
    rm -rf "$tree/build"
    slowly >first 2>&1 &
    sleep $delay
    slowly >second 2>&1
    second=$?
    wait $! && [ $second = 0 ] || { status=1 && tail -n 5 first second >err; }
    slowly >third 2>&1 && ! grep -E '^  [A-Z]' third >>err || status=1
    nm "$tree/build/install/libcostab.a" 2>>err | grep -q ' one$' && [ "$("$tree/build/costab" --version)" = text ] || status=1
    find "$tree/build" -name '*.[0-9][0-9]*' >>err
    [ -z "$(find "$tree/build" -name '*.[0-9][0-9]*')" ] || status=1
done
FMU=0
ok $status 'two makes in one tree, with a compiler that writes slowly: both end well, all is whole, nothing is left over or to do'

# ---- Figures, interrupted and continued

half 200 >"$tree/sweeps/x/b.yaml"
# The program itself sweeps, on a slow disk if DELAY is set; the stand-in draws.
preload
cat >real <<END
[ "\$1" = sweep ] || exec sh '$STANDIN' "\$@"
COSTAB_FAULT_DELAY=\${DELAY:-0} LD_PRELOAD='$preload' exec '$costab' "\$@"
END
figures() { STANDIN=$work/real make figures FIGURES='results/x/a results/x/b' "$@"; }
rm -rf "$tree/results"
set -m
DELAY=30 figures -j1 &
holds "$tree/results/x/b.h5.checkpoint" 10000
kill -INT -- -$!
wait $! 2>/dev/null
set +m
first=$(stat -c %Y.%i "$tree/results/x/a.pdf" 2>>err)
[ -n "$first" ] && [ -s "$tree/results/x/a.png" ] && [ -s "$tree/results/x/b.h5.checkpoint" ] && [ ! -e "$tree/results/x/b.h5" ]
ok $? 'figures, interrupted: what was drawn is there, and what was computed'
figures && grep -q 'continues after tile' err && [ "$(stat -c %Y.%i "$tree/results/x/a.pdf")" = "$first" ] && [ ! -e "$tree/results/x/b.h5.checkpoint" ] &&
    "$costab" sweep "$tree/sweeps/x/b.yaml" -q -o whole.h5 2>>err && cmp whole.h5 "$tree/results/x/b.h5" >>err
ok $? 'continued: only the rest is computed, and the file is that of one run'
echo old >"$tree/results/x/b.h5.checkpoint" && touch -d '1 day ago' "$tree/results/x/b.h5.checkpoint" "$tree/results/x/b.h5"
figures && cmp whole.h5 "$tree/results/x/b.h5" >>err
ok $? 'a checkpoint that is older than the spec is not continued'
touch "$tree/results/x/a.h5"
set -m
NEW=new SLOW=1 command make -s -C "$tree" PKG_CFLAGS= PKG_LIBS= results/x/a.png >out 2>err &
for _ in $(seq 200); do [ "$(cat "$tree/results/x/a.pdf")" = new ] && break || sleep 0.05; done
kill -9 -- -$!
wait $! 2>/dev/null
set +m
NEW=new make results/x/a.png && [ "$(cat "$tree/results/x/a.png")" = new ]
ok $? 'killed between PDF and PNG: the old PNG is drawn anew'

# ---- A source tree that is read-only

as_user() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
if as_user true 2>/dev/null; then
    make all
    mkdir out-of-tree && chmod 777 out-of-tree && find "$tree" -exec chmod a-w,a+rX {} +
    make() { as_user env HOME="$work/out-of-tree" make -s --no-print-directory -C "$tree" PKG_CFLAGS= PKG_LIBS= "$@" >out 2>err </dev/null; }
    at_end() { chmod -R u+w "$tree"; }
    make all && make install DESTDIR="$work/out-of-tree/stage" && [ -x "$work/out-of-tree/stage/usr/local/bin/costab" ]
    ok $? 'a built tree that is read-only: nothing is to do, and it can be installed'
    make all BUILDDIR="$work/out-of-tree/build" && [ "$("$work/out-of-tree/build/costab" --version)" = text ]
    ok $? 'BUILDDIR builds elsewhere'
    chmod u+w "$tree" && mv "$tree/build" built && chmod u-w "$tree"
    ! make all && grep -q 'build cannot be written: make BUILDDIR=FOLDER builds elsewhere' err
    ok $? 'a tree that is not built and read-only: what to do is said'
    mv built "$tree/build" 2>/dev/null || { chmod u+w "$tree" && mv built "$tree/build"; }
    chmod -R u+w "$tree"
    make() { command make -s --no-print-directory -C "$tree" PKG_CFLAGS= PKG_LIBS= "$@" >out 2>err </dev/null; }
else
    skipped 'a source tree that is read-only' 'no other user can be had here'
fi

# ---- Where it is installed

stage="$work/a stage's \"folder\" \$(touch pwned)"
make install DESTDIR="$stage" PREFIX=/usr && [ -x "$stage/usr/bin/costab" ] && [ -e "$stage/usr/share/costab/sweeps/x/a.yaml" ] &&
    [ "$(readlink "$stage/usr/lib/libcostab.so")" = libcostab.so.1 ] && grep -qxF 'prefix=/usr' "$stage/usr/lib/pkgconfig/costab.pc" &&
    grep -qF "installed below $stage/usr" out && [ -z "$(find "$work" -maxdepth 1 -newer "$stage" -name 'a*' ! -path "$stage*")" ]
harmless $? 'make install to a folder with blanks, quotes and $(...)'
make uninstall DESTDIR="$stage" PREFIX=/usr && [ -z "$(find "$stage" ! -type d)" ]
harmless $? 'and make uninstall'
prefix="$work/it's a \"prefix\""
make install PREFIX="$prefix" LIBDIR="$prefix/my libs" && [ -x "$prefix/bin/costab" ]
harmless $? 'a PREFIX with blanks and quotes'
export PKG_CONFIG_PATH="$prefix/my libs/pkgconfig"
echo 'int one(void); int main(void) { return one() - 1; }' >own.c && eval "gcc -o own own.c $(pkg-config --cflags --libs costab)" >out 2>err &&
    [ "$(eval "printf '%s\n' $(pkg-config --cflags costab)" | head -n 1)" = "-I$prefix/include" ]
ok $? 'pkg-config has these paths as they are'
finish
