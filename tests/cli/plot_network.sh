#!/usr/bin/env bash
# costab plot of network sweeps: curves, contours, classes, from the model file to the figure. Where gnuplot or the
# PDF tools are not there, what needs them is skipped.
set -u
. "$(dirname "$0")/../support/tap.sh"
. "$project/tests/support/figures.sh"

# Two integrators that feed each other: x' = y, y' = -k x, both solved exactly between exchanges.
model() { # KIND AXES FIELDS
    cat <<END
title: Two integrators, it's a test
system: network
parameters: {k: 1, d: 0.5, H: 0.5}
subsystems:
  - {name: one, A: [[-d]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact, substeps: 1}
  - {name: two, A: [[-d]], B: [[-k]], C: [[1]], x0: [0], inputs: [u], outputs: [y], method: exact, substeps: 1}
connections:
  - {from: one.y, to: two.u}
  - {from: two.y, to: one.u}
coupling:
  - {name: jacobi, scheme: jacobi, macro_step: H}
  - {name: gauss_seidel, scheme: gauss-seidel, macro_step: H}
axes: {$2}
fields: [class, spectral_radius, spectral_abscissa]
figure: {kind: $1}
END
}
model curve 'H: {from: 0.05, to: 4, points: 41}' >curve.yaml
model contour 'k: {from: -0.2, to: 3, points: 21}, H: [0.1, 0.2, 0.4, 0.8, 1.6, 3.2]' >contour.yaml
model classes 'k: {from: -0.5, to: 3, points: 21}, H: {from: 0.05, to: 3, points: 21}' >classes.yaml
mkdir script again figures
for kind in curve contour classes; do
    "$COSTAB" sweep $kind.yaml -o $kind.h5 2>sweep.txt || { shows sweep.txt && exit 1; }
done

# ---- Script and data alone
script_only() {
    run 0 "$COSTAB" plot curve.h5 contour.h5 classes.h5 -o script --script-only &&
        holds script "classes.dat classes.gp contour.dat contour.gp curve.dat curve.gp "
}
check "--script-only writes script and data, nothing else" script_only
same_bytes() {
    run 0 "$COSTAB" plot curve.h5 contour.h5 classes.h5 -o again --script-only && diff -r script again
}
check "the same results give the same bytes" same_bytes
has_blocks() { # FILE BLOCK...
    local file=$1
    shift
    for block in "$@"; do
        grep -q "^# $block: " "$file" || { echo "# no $block" && return 1; }
    done
    ! grep -qiE '^[^#].*(nan|inf)' "$file"
}
check "curve: a block for each coupling" has_blocks script/curve.dat 1.curve.unit 1.curve.c1 1.curve.c2
check "contour: bands, level 1" has_blocks script/contour.dat 1.curve.one 2.curve.one '1.fill.b[0-9]'
check "classes: regions, hatching, both boundaries, names" has_blocks script/classes.dat 1.fill.ss 1.hatch.ss \
    1.curve.edge 1.curve.continuous 2.curve.edge
names() { grep -qF "set label 'SS' at" script/classes.gp && grep -qF "set label 'SU' at" script/classes.gp; }
check "classes: names where there is room" names

# The places on the lines of level 1 are those of the map: M = [[e, g], [-k g, e]] (jacobi) with e = exp(-d H),
# g = (1 - e)/d and d = 0.5 has rho^2 = e^2 + k g^2 for k > 0. On lines of the grid they are exact, between them interpolated.
level_one() { # FILE BLOCK TOLERANCE [TOLERANCE_BETWEEN]
    awk -v block="# $2:" -v tolerance="$3" -v between="${4:-$3}" '
        index($0, "# ") == 1 { inside = index($0, block) == 1; next }
        function whole(x) { return x - int(x + 0.5) < 1e-6 && int(x + 0.5) - x < 1e-6 }
        inside && NF == 2 && $1 > 0 {
            stored = whole(($1 + 0.2)/0.16) || whole(log($2/0.1)/log(2) + 20)
            within = stored ? tolerance : between
            exact += stored || between == tolerance
            e = exp(-0.5*$2); g = (1 - e)/0.5; r = sqrt(e*e + $1*g*g); n++
            if (r < 1 - within || r > 1 + within) { print "# " $0 ": " r; bad++ }
        }
        END { exit !(exact > 5 && !bad) }' "$1"
}
check "level 1 of a contour is where the map's spectral radius is 1" level_one script/contour.dat 1.curve.one 1e-8 5e-3
check "so is the boundary of the classes" level_one script/classes.dat 1.curve.edge 1e-8
crossing() { # k = 1 and H > 0: e^2 + g^2 = 1 has the one root e = 3/5
    awk '/^# / { inside = index($0, "# 1.point.c1:") == 1; next }
         inside && NF == 2 { off = exp(-0.5*$1) - 0.6; n++; if (off*off > 1e-16 || $2 != 1) bad = 1 }
         END { exit !(n == 1 && !bad) }' script/curve.dat
}
check "a curve passes 1 where the map does" crossing
log_axis() { grep -q '^set logscale y' script/contour.gp && ! grep -q '^set logscale x' script/contour.gp && ! grep -q '^set logscale' script/classes.gp; }
check "an axis that grows by a factor is logarithmic" log_axis
decades() { # FROM TO FORMAT: powers of ten alone stand at wide axes of small numbers, whose other ticks have no numbers
    model curve "H: [$(awk "BEGIN { for (k = 0; k < 29; k++) printf \"%s%.17g\", k ? \", \" : \"\", $1 * ($2 / $1) ^ (k / 28) }")]" >powers.yaml
    run 0 "$COSTAB" sweep --quiet powers.yaml -o powers.h5 &&
        run 0 "$COSTAB" plot powers.h5 -o again --script-only --size 30cm,12cm || return 1
    grep '^set logscale x' again/powers.gp | grep -F "$3" | grep -q "$4"
}
check "an axis of small numbers: powers of 10" decades 1e-5 1e-2 "set format x T('10^{%T}'" 'set xrange .[^(]*set format'
check "fewer decades have numbers within them" decades 1e-4 5e-3 'set format x NUMBER' 'xtics (0.0001, 0.0002, 0.0005, 0.001'
check "an axis of usual numbers" decades 0.002 0.4 'set format x NUMBER' ''

redraw() { (cd again && gnuplot -d -e "FMT='png'" contour.gp) >messages.txt 2>&1 && [ ! -s messages.txt ] &&
    [ -s again/contour.png ] || shows messages.txt; }
skip gnuplot "the script alone redraws the figure, without a word" redraw

# ---- Time histories
history() { # K H LOCAL
    model time 'k: [1]' | sed "/^axes:/d; /^fields:/d; s/k: 1,/k: $1,/; s/H: 0.5/H: $2/"
    echo "history: {until: 6, signals: [one.y, two.y], local: $3}"
}
history 1 0.5 true >time.yaml
history 1 0.5 false >shared.yaml
history 40 3 true >diverges.yaml
for kind in time shared diverges; do
    sed -i "s/until: 6/until: $([ $kind = diverges ] && echo 3000 || echo 6)/" $kind.yaml
    "$COSTAB" sweep $kind.yaml -o $kind.h5 2>sweep.txt || { shows sweep.txt && exit 1; }
done
time_script() { run 0 "$COSTAB" plot time.h5 shared.h5 diverges.h5 -o again --script-only && words messages.txt | grep -qF "$note micro steps: ends at 300 in (a), (c); cut;" || shows messages.txt; }
note="Signals over 5 times the smallest are cut at 3 times its size."
check "time histories: script and data; what is cut is said on stderr" time_script
noted() {
    run 0 "$COSTAB" plot -q diverges.h5 -o again --script-only --notes && [ ! -s messages.txt ] &&
        grep -qF "'${note%% are*}" again/diverges.gp && grep -qF "'micro steps: ends at 300 in (a), (c); cut;" again/diverges.gp && run 0 "$COSTAB" plot -q diverges.h5 -o again --script-only &&
        ! grep -qF "$note" again/diverges.gp
}
check "--notes says it below the figure, too" noted
check "time, with micro steps: a panel for each signal and coupling" has_blocks again/time.dat 1.curve.exact 1.curve.local \
    1.point.points 4.curve.exact 4.curve.local 4.point.points
check "time, without: couplings in one panel" has_blocks again/shared.dat 1.curve.exact 1.curve.c1 1.curve.c2 1.point.c2 2.point.c1
# Where k = 1 and d = 1/2 the solution is exp(-t/2) cos t.
solution() {
    awk '/^# / { inside = index($0, "# 1.curve.exact:") == 1; next }
         inside && NF == 2 { off = exp(-0.5*$1)*cos($1) - $2; n++; if (off*off > 1e-16) bad = 1; last = $1 }
         END { exit !(n == 13 && last == 6 && !bad) }' again/time.dat
}
check "the monolithic solution is drawn" solution
jacobi_points() { # the first signal under jacobi: points of the map, above
    awk '/^# / { inside = index($0, "# 1.point.points:") == 1; next }
         inside && NF == 2 {
             if (n == 0) { x = 1; y = 0 }
             off = x - $2; if (off*off > 1e-16 || $1 != 0.5*n) bad = 1
             e = exp(-0.25); g = (1 - e)/0.5; next_x = e*x + g*y; y = e*y - g*x; x = next_x; n++
         }
         END { exit !(n == 13 && !bad) }' again/time.dat
}
check "points are those of the map" jacobi_points
diverging() { # 9 times a macro step; what is drawn is of the size of what stays
    has_blocks again/diverges.dat 1.curve.exact 1.point.points &&
        awk '/^[0-9-]/ && NF == 2 && ($2 > 1e3 || $2 < -1e3) { bad = 1 } END { exit bad }' again/diverges.dat
}
check "what diverges leaves the panel, and neither spreads it nor is infinite" diverging

# ---- Figures
all_formats() {
    local formats endings
    for kind in curve contour classes time shared diverges; do
        formats=pdf,svg,tex endings='-inc.pdf -inc.tex .dat .gp .pdf .svg .tex'
        if [ $kind = classes ] || [ "$(stride 2)" = 1 ]; then formats+=,png endings+=' .png'; fi
        run 0 "$COSTAB" plot $kind.h5 -o figures --format $formats || return 1
        for ending in $endings; do
            [ -s figures/$kind$ending ] || { echo "# no $kind$ending" && return 1; }
        done
        [ -z "$(words messages.txt | grep -vF "$note")" ] || shows messages.txt || return 1
        [ "$(ls -A figures | grep -c "^$kind[-.]")" -eq "$(wc -w <<<"$endings")" ] || return 1
    done
}
skip gnuplot "every format is drawn, and nothing is left over" all_formats
mkdir black
dashes() { # FILE COUNT: so many kinds of lines
    run 0 "$COSTAB" plot "$1.h5" -o black --format svg --colours black || return 1
    local found
    found=$(grep -o "stroke-dasharray='[^']*'" black/$1.svg | sort -u | wc -l)
    [ "$found" -eq "$2" ] || { echo "# $found kinds of dashes" && return 1; }
}
skip gnuplot "without colours micro steps are dashed, the solution is not" dashes time 1
skip gnuplot "without colours each coupling has dashes of its own" dashes shared 2
if [ -e figures/classes.pdf ]; then
    says() { # FILE WORD...
        local file=$1
        shift
        pdftotext -layout "$file" text.txt
        for word in "$@"; do grep -qF -- "$word" text.txt || { echo "# no '$word'" && shows text.txt || return 1; }; done
    }
    skip pdftotext "classes: title, captions, axes, legend" says figures/classes.pdf "Two integrators, it's a test" \
        '(a) jacobi' '(b) gauss_seidel' 'SS: both stable' 'SU: system only'
    skip pdftotext "curve: couplings in the legend" says figures/curve.pdf jacobi gauss_seidel
    skip pdftotext "contour: levels in the legend" says figures/contour.pdf '(b) gauss_seidel' 0.8
    skip pdftotext "time: captions, legend" says figures/time.pdf '(b) gauss_seidel' 'monolithic solution' \
        'micro steps' 'communication points'
    embedded() { pdffonts figures/contour.pdf | tail -n +3 | awk '{ n++; if ($(NF-4) != "yes") bad = 1 } END { exit bad || !n }'; }
    skip pdffonts "the PDF's fonts are embedded" embedded
fi

# ---- What cannot be drawn
model curve 'H: {from: 0.05, to: 4, points: 11}' | grep -v '^figure' >plain.yaml
no_figure() {
    "$COSTAB" sweep plain.yaml -o plain.h5 2>sweep.txt || { shows sweep.txt && return 1; }
    mkdir plain && run 0 "$COSTAB" plot plain.h5 -o plain --script-only && grep -q '^# 1.curve.c1: ' plain/plain.dat
}
check "no figure key: the kind that suits the axes" no_figure
small() {
    sed 's/figure: .*/figure: {kind: curve, size: [2cm, 2cm]}/' curve.yaml >small.yaml
    "$COSTAB" sweep small.yaml -o small.h5 2>sweep.txt || { shows sweep.txt && return 1; }
    run 2 "$COSTAB" plot small.h5 -o figures && grep -q 'leaves .* for a panel' messages.txt
}
check "too small a size: exit 2, with the room that is left" small
finish
