#!/usr/bin/env bash
# make install and uninstall: what is installed where, with which permissions; the example programs against the
# installed library with pkg-config alone, shared and static; the headers from C and C++; the man page. Prints TAP.
set -u
. "$(dirname "$0")/../support/tap.sh"
cc=${CC:-gcc}
unset CC CFLAGS LDFLAGS MAKEFLAGS MFLAGS MAKELEVEL VARIANT PREFIX LIBDIR DESTDIR LD_LIBRARY_PATH PKG_CONFIG_PATH
case $(basename "$(dirname "$costab")") in
build) ;;
*) echo '1..0 # SKIP builds for tests are not installed'; exit 0 ;;
esac
export DEPS=skip
folder=$work
at_end() { chmod -R u+w "$work"; }

# Runs a command; what it says goes to out and err.
quietly() { "$@" >"$folder/out" 2>"$folder/err"; }
install() { quietly make -C "$project" install "$@"; }
# The value of a condition, for `ok`; what it compared is shown if it fails.
same() { [ "$1" = "$2" ] || { printf 'found:    %s\nexpected: %s\n' "$1" "$2" >"$folder/err"; false; }; }
files() { (cd "$1" && find . ! -type d | LC_ALL=C sort); }

# ---- A staged build ----

stage=$folder/stage
umask 077
install DESTDIR="$stage" PREFIX=/usr LIBDIR=/usr/lib/here
ok $? 'a staged installation'
umask 022
cat >"$folder/expected" <<EOF
./usr/bin/costab
./usr/lib/here/libcostab.a
./usr/lib/here/libcostab.so
./usr/lib/here/libcostab.so.1
./usr/lib/here/pkgconfig/costab.pc
./usr/share/bash-completion/completions/costab
./usr/share/doc/costab/CITATION.cff
./usr/share/doc/costab/LICENSE
./usr/share/man/man1/costab.1
EOF
(cd "$project" && ls include/costab/*.h) | sed 's|^|./usr/|' >>"$folder/expected"
files "$stage" >"$folder/found"
missing=$(LC_ALL=C sort "$folder/expected" | LC_ALL=C comm -23 - "$folder/found")
same "$missing" ''
ok $? 'program, libraries, all headers, costab.pc, man page, completion, licence'
version=$("$stage/usr/bin/costab" --version | sed -n 's/^costab \([0-9.]*\) .*/\1/p')
same "$(readlink "$stage/usr/lib/here/libcostab.so")" libcostab.so.1 && [ ! -L "$stage/usr/lib/here/libcostab.so.1" ]
ok $? 'the library has the number of its interface in its name, and a link leads to it'
readelf -d "$stage/usr/lib/here/libcostab.so" >"$folder/err" && grep -q 'soname: \[libcostab.so.1\]' "$folder/err" &&
    ! grep -qE 'RPATH|RUNPATH' "$folder/err"
ok $? 'its soname is libcostab.so.1; no path is compiled in'
same "$(cd "$stage/usr/share/costab" && find sweeps -type f | LC_ALL=C sort)" \
    "$(cd "$project" && find sweeps -type f ! -name '*.h5' ! -name '*.mk' | LC_ALL=C sort)"
ok $? 'the sweeps of the papers, with their models and what is said about them'
same "$(find "$stage" -type d ! -perm 755; find "$stage" -type f -perm /111 ! -perm 755; \
    find "$stage" -type f ! -perm /111 ! -perm 644)" ''
ok $? 'permissions do not depend on the umask'
same "$(find "$stage" -name '*.pc' -exec grep -l "$folder" {} + ; grep -rlI "$stage" "$stage")" ''
ok $? 'nothing installed names the stage'

quietly "$stage/usr/bin/costab" sweep "$stage/usr/share/costab/sweeps/kns2014/fig04.yaml" -o "$folder/fig04.h5"
ok $? 'the installed program runs an installed sweep'

# Names that the library brings into a program, and what it must not call.
nm -D --defined-only "$stage/usr/lib/here/libcostab.so" >"$folder/err" &&
    same "$(awk '$3 !~ /^costab_/ { print $3 }' "$folder/err")" ''
ok $? 'the shared library exports costab_ names only'
nm -g --defined-only "$stage/usr/lib/here/libcostab.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^costab_/' >"$folder/err" &&
    [ ! -s "$folder/err" ]
ok $? 'so does the static one'
nm -D --undefined-only "$stage/usr/lib/here/libcostab.so" | awk '{ sub(/@.*/, "", $2); print $2 }' |
    grep -xE 'exit|abort|printf|__printf_chk|vprintf|puts|putchar|perror|stdout|stderr|signal|sigaction|raise|setlocale' >"$folder/err"
[ ! -s "$folder/err" ]
ok $? 'the library does not print, exit, handle signals or change the locale'

touch "$stage/usr/include/costab/mine.h"
quietly make -C "$project" uninstall DESTDIR="$stage" PREFIX=/usr LIBDIR=/usr/lib/here
same "$(files "$stage")" ./usr/include/costab/mine.h
ok $? 'uninstalling leaves nothing behind but for what was not installed'
same "$(find "$stage" -name '*costab*')" "$stage/usr/include/costab"
ok $? 'and no folder of its own'

shared=$folder/shared static=$folder/static
before=$(find "$(dirname "$costab")" -type f -newer "$folder/found")
CC=false CFLAGS=-O1 LDFLAGS=-lnone AR=false install PREFIX="$shared"
ok $? 'another environment does not matter to what was built'
same "$(find "$(dirname "$costab")" -type f -newer "$folder/found")" "$before"
ok $? 'and makes nothing again'
mkdir "$folder/closed" && chmod a-w "$folder/closed"
if [ -w "$folder/closed" ]; then # root
    touch "$folder/closed/file"
    ! install DESTDIR="$folder/closed/file" && grep -q closed/file "$folder/err"
else
    ! install DESTDIR="$folder/closed" && grep -q "$folder/closed" "$folder/err"
fi
ok $? 'where nothing can be written, it fails and says where'

# ---- Programs against the library, from a folder of their own ----

mkdir "$folder/own" && cp "$project"/tests/examples/*.c "$folder/own" && cd "$folder/own" || exit 1
ln -s ../out out && ln -s ../err err
linked='' # options of the linker
warnings='-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
build() { # prefix pkg-config-options compiler files...: the program is named after the first file
    local prefix=$1 more=$2 compiler=$3
    shift 3
    local name=${1##*/}
    # shellcheck disable=SC2046,SC2086
    quietly $compiler $linked -o "${name%.*}" "$@" $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config $more --cflags --libs costab)
}
with() { LD_LIBRARY_PATH=$shared/lib "$@"; }

# The numbers of CSV lines in the form that the program prints, which has as few digits as read back.
shortest() { awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9.]+(e[-+][0-9]+)?$/)
    for (digits = 15; digits <= 17; digits++) { short = sprintf("%." digits "g", $i); if (short + 0 == $i + 0) { $i = short; break } } print }'; }

build "$shared" '' "$cc $warnings" classify.c && with ./classify >classify.csv 2>"$folder/err"
ok $? 'classify.c: built with pkg-config alone, runs'
# That link resolved what all libraries below libcostab.so need, which takes half a second; the others leave it out.
linked=-Wl,--allow-shlib-undefined
head -5 classify.csv >points.csv
"$costab" classify --points points.csv --scheme zigzag | cut -d, -f4-6,9,11 >expected.csv
"$costab" area --a -0.5 --scheme zigzag | cut -d, -f5,6 >>expected.csv
{ head -5 classify.csv; tail -2 classify.csv; } | shortest | diff - expected.csv >"$folder/err"
ok $? 'classify.c: points and areas as the program prints them'
sed -n 7p classify.csv | tr , '\n' >ends
"$costab" boundary --a -0.5 --scheme zigzag --gamma -2.5:-1.5 --delta -1:20 >"$folder/err"
[ "$(wc -l <ends)" = 2 ] && awk -F, -v from="$(sed -n 1p ends)" -v to="$(sed -n 2p ends)" 'NR > 1 {
    # where a curve passes gamma = -2, an end of the interval must lie; both ends are met
    if ($5 == curve && $6 == piece && (x - -2) * ($7 - -2) <= 0 && x != $7) {
        d = y + ($8 - y) * (-2 - x) / ($7 - x)
        if (d - from < 2e-3 && from - d < 2e-3) low = 1
        if (d - to < 2e-3 && to - d < 2e-3) high = 1
    }
    curve = $5; piece = $6; x = $7; y = $8
} END { exit !(low && high) }' "$folder/err"
ok $? 'classify.c: the ends of the row lie on the boundary curves'

cat >drive.yaml <<'EOF'
title: Motor and load
system: network
parameters: {H: 0.01}
subsystems:
  - {name: motor, A: [[0, 1], [-200, -10]], B: [[0], [10]], C: [[1, 0], [0, 1]], inputs: [torque], outputs: [angle, speed], x0: [0.1, 0], method: rk4, substeps: 10}
  - {name: load, A: [[0, 1], [-100, -0.4]], B: [[0, 0], [100, 0.4]], C: [[50, 0.2]], D: [[-50, -0.2]], inputs: [angle, speed], outputs: [torque], method: rk4, substeps: 10}
connections: [{from: motor.angle, to: load.angle}, {from: motor.speed, to: load.speed}, {from: load.torque, to: motor.torque}]
coupling: {scheme: jacobi, macro_step: H}
EOF
{
    "$costab" map drive.yaml | awk -F, '$2 ~ /^(size|spectral_radius|class)$/ { v[$2] = $3 }
        END { print "size,spectral_radius,class"; print v["size"] "," v["spectral_radius"] "," v["class"] }'
    "$costab" limit drive.yaml --over H=0.0005:0.5 --coupling all 2>/dev/null | cut -d, -f1,3-5
} >expected.csv
build "$shared" '' "$cc $warnings" network.c && with ./network >network.csv 2>"$folder/err"
ok $? 'network.c: built with pkg-config alone, runs'
[ "$(wc -l <expected.csv)" -gt 8 ] && shortest <network.csv | diff - expected.csv >"$folder/err"
ok $? 'network.c: a network from arrays is the one from a file'

build "$shared" '' "$cc $warnings" sweep.c
ok $? 'sweep.c: built with pkg-config alone'
for spec in gomes2018/two-mass; do
    with ./sweep "$project/sweeps/$spec.yaml" own.h5 2>"$folder/err" && "$costab" sweep "$project/sweeps/$spec.yaml" -qo its.h5 &&
        cmp own.h5 its.h5 >>"$folder/err"
    ok $? "sweep.c: $spec, the program's file byte for byte"
done
rm -f own.h5
with ./sweep "$project/sweeps/kns2014/fig09.yaml" own.h5 0 2>"$folder/err"
[ $? -eq 3 ] && ! ls -A | grep -q own
ok $? 'sweep.c: cancelled from its progress callback, and nothing is left'
with ./sweep drive.yaml own.h5 2>"$folder/err"
[ $? -eq 1 ] && grep -q '^drive.yaml:.*axes' "$folder/err"
ok $? 'sweep.c: a mistake comes as a message'

build "$shared" '' "$cc $warnings" claims.c && with ./claims skjong2019 >claims.txt 2>"$folder/err" &&
    "$costab" reproduce --source skjong2019 >reproduced.csv && [ "$(tail -n 1 claims.txt)" = "$(grep -c ',differs,' reproduced.csv) differ" ] &&
    [ "$(wc -l <claims.txt)" = "$(wc -l <reproduced.csv)" ]
ok $? 'claims.c: built with pkg-config alone, as many claims and differences as the program prints'
with ./claims nobody >"$folder/err" 2>&1
[ $? -eq 1 ] && grep -q "no source 'nobody'" "$folder/err"
ok $? 'claims.c: an unknown source comes as a message'

build "$shared" '' "$cc $warnings" simulate.c && with ./simulate drive.yaml 0.5 H 0.02 2>"$folder/err" | shortest >simulate.csv
# (to 1e-10: the program records micro steps as well, and then takes each by itself)
tenth() {
    awk -F, -v OFS=, 'NR > 1 { for (i = 4; i <= 5; i++) $i = sprintf("%.10f", $i + 0) } { gsub(/-0\.0000000000/, "0.0000000000"); print }'
}
tenth <simulate.csv >simulate10.csv
"$costab" simulate drive.yaml --until 0.5 --set H=0.02 | grep -v ',local,' | cut -d, -f1-3,5,6 | tenth | diff - simulate10.csv >"$folder/err" &&
    [ "$(wc -l <simulate.csv)" -gt 100 ]
ok $? 'simulate.c: built with pkg-config alone, the rows are those of the program'
with ./simulate drive.yaml 0.5 K 1 2>"$folder/err"
[ $? -eq 1 ] && grep -q "'K'" "$folder/err"
ok $? 'simulate.c: an unknown parameter comes as a message'
build "$shared" '' "$cc $warnings" limit.c && with ./limit drive.yaml H 0.001 0.1 2>"$folder/err" | shortest >limit.csv
"$costab" limit drive.yaml --over H=0.001:0.1 | tail -n +2 | cut -d, -f3-7 | diff - limit.csv >"$folder/err" &&
    grep -q ',SS,range,limit$' limit.csv
ok $? 'limit.c: built with pkg-config alone, the intervals are those of the program'
build "$shared" '' "$cc $warnings" margin.c && with ./margin drive.yaml 2>"$folder/err" | shortest >margin.csv
{
    "$costab" margin drive.yaml --connections | tail -n +2 | cut -d, -f2,3,5-
    "$costab" map drive.yaml | sed -n 's/^jacobi,mode,\([^ ]*\) [^ ]* \([^ ]*\) motor:\([^ ]*\) load:\([^ ]*\) .*/\1,\2,\3,\4/p'
} | diff - margin.csv >"$folder/err" && grep -q ',upper,.*,SU,oscillation,' margin.csv
ok $? 'margin.c: built with pkg-config alone, margins and modes are those of the program'
build "$shared" '' "$cc $warnings" advise.c && with ./advise drive.yaml H 0.001 0.1 >advise.txt 2>"$folder/err"
"$costab" advise drive.yaml --over H=0.001:0.1 --quiet --all 2>sentence | tail -n +2 | sed -E "s,\,[^\,]*(\,[^\,]*)$,\1," | tr -d '"' | cat - sentence >expected.txt
shortest <advise.txt | diff - expected.txt >"$folder/err" && grep -q '^Take ' advise.txt
ok $? 'advise.c: built with pkg-config alone, rows and sentence are those of the program'
build "$shared" '' "$cc $warnings" pattern.c && with ./pattern drive.yaml 0.01 0.025 2>"$folder/err" | sed '$d' | shortest >pattern.csv
"$costab" pattern drive.yaml --steps 0.01,0.025 | sed -n '2,5p' | cut -d, -f2- | diff - pattern.csv >"$folder/err" &&
    grep -q '^lower,1\.' pattern.csv
ok $? 'pattern.c: built with pkg-config alone, the bounds are those of the program'
"$costab" sweep -q "$project/sweeps/kns2014/fig09.yaml" -o drawn.h5
build "$shared" '' "$cc $warnings" plot.c && with ./plot drawn.h5 drawn >out 2>"$folder/err" && [ -s drawn.gp ] && [ -s drawn.dat ] &&
    { [ -s drawn.pdf ] || ! command -v gnuplot >/dev/null; } && grep -q 'delta (' out
ok $? 'plot.c: built with pkg-config alone, draws a results file'
with ./plot drawn.h5 wrong '{colours: mauve}' >out 2>"$folder/err"
[ $? -eq 1 ] && grep -q mauve "$folder/err" && [ ! -e wrong.gp ]
ok $? 'plot.c: a style that there is not comes as a message'

# The archive, beside a program that uses the same names for its own things.
grep -rhoE '^(void|costab_status|bool) (error|text|memory|file|number)_[a-z_]+\(' "$project/src/base" | sed 's/.* \(.*\)(/int \1;/' |
    sort -u >own_names.c
cp -a "$shared" "$static" && rm "$static"/lib/libcostab.so* && sed -i "s|$shared|$static|g" "$static"/lib/pkgconfig/costab.pc
[ "$(wc -l <own_names.c)" -gt 10 ] && build "$static" --static "$cc -Wl,--strip-debug" limit.c own_names.c &&
    ./limit drive.yaml H 0.001 0.1 | shortest | diff - limit.csv >"$folder/err"
ok $? 'the static archive: builds with pkg-config --static, its internal names are its own'
readelf -d limit >"$folder/err" && ! grep -q libcostab "$folder/err"
ok $? 'the program needs no shared costab'

# ---- The headers ----

for header in "$shared"/include/costab/*.h; do echo "#include <costab/${header##*/}>"; done >all.h
grep -v '<costab/costab.h>' all.h | sed 's/<\(.*\)>/"\1"/' | LC_ALL=C sort >listed
grep '^#include' "$shared/include/costab/costab.h" | LC_ALL=C sort | diff - listed >"$folder/err" &&
    sed -n 's|^ \*   \([a-z]*\.h\)  .*|#include "costab/\1"|p' "$shared/include/costab/costab.h" | LC_ALL=C sort | diff - listed >"$folder/err"
ok $? 'costab.h includes all headers and says what each is for'
status=0 number=0
while read -r line; do # each alone: it brings what it needs; with EFFORT 1 every fifth one
    [ $((number++ % $(stride 5))) = 0 ] || continue
    printf '%s\nint main(void) { return 0; }\n' "$line" >alone.c
    cp alone.c alone.cpp
    build "$shared" '' "$cc $warnings -Wstrict-prototypes -fsyntax-only" alone.c &&
        build "$shared" '' 'g++ -fsyntax-only -std=c++11 -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Werror' alone.cpp || { status=1; break; }
done <all.h
[ $status = 0 ]
ok $? 'every header stands alone, in C11 and in C++11, with warnings on'
cat >plus.cpp <<'EOF'
#include <costab/costab.h>
#include <cstdio>

int main() {
    costab_error error;
    costab_method method;
    costab_planar cross;
    if (costab_method_find("rk5", &method, &error) != COSTAB_INVALID) return 1;
    if (costab_method_find("euler", &method, &error) != COSTAB_OK) return 2;
    if (costab_planar_init(&cross, COSTAB_CROSS, &method, 1, 1, &error) != COSTAB_OK) return 3;
    const double a = -0.5, gamma = -1, delta = 0.5;
    costab_planar_point point;
    costab_planar_points(&cross, 1, &a, &gamma, &delta, &point);
    std::printf("%d.%d.%d %s %s ", COSTAB_VERSION_MAJOR, COSTAB_VERSION_MINOR, COSTAB_VERSION_PATCH, COSTAB_VERSION, costab_version());
    std::printf("%s\n", costab_class_name(point.class_code));
}
EOF
build "$shared" '' 'g++ -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror' plus.cpp &&
    same "$(with ./plus)" "$version $version $version SS"
ok $? 'a C++ program; the version of headers, macros and library is one'
same "$(sed -n 's/^version: //p' "$project/CITATION.cff") $(PKG_CONFIG_PATH=$shared/lib/pkgconfig pkg-config --modversion costab)" \
    "$version $version"
ok $? 'and that of CITATION.cff and costab.pc'

# ---- Man page and completion ----

page=$shared/share/man/man1/costab.1
LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 "$page" >page.txt 2>"$folder/err"
[ $? -eq 0 ] && [ ! -s "$folder/err" ] && [ -s page.txt ]
ok $? 'the man page renders without a warning'
"$costab" help --markdown commands | grep -oE '^## [a-z]+|`--[a-z-]+' | sed 's/^## /costab /; s/`//' | LC_ALL=C sort -u >words
sed 's/.\x08//g; s/\x1b\[[0-9;]*m//g' page.txt | grep -oE 'costab [a-z]+|--[a-z-]+' | LC_ALL=C sort -u | LC_ALL=C comm -13 - words >"$folder/err"
[ "$(wc -l <words)" -gt 50 ] && [ ! -s "$folder/err" ]
ok $? 'the man page has every command and option of the help'
bash -n "$shared/share/bash-completion/completions/costab" 2>"$folder/err" &&
    "$costab" help --completion bash | cmp - "$shared/share/bash-completion/completions/costab" >>"$folder/err"
ok $? 'the completion is the one that the program prints'

cd "$folder" || exit 1
finish
