#!/usr/bin/env bash
# costab plot: script, data and figures from a small sweep. Where gnuplot or the PDF tools are not there, what needs
# them is skipped.
set -u
. "$(dirname "$0")/../support/tap.sh"
. "$project/tests/support/figures.sh"

cat >zigzag.yaml <<'END'
title: Zigzag coupling
system: planar
schemes: [zigzag]
method: rk4
axes:
  a: [-0.5, 0.5]
  gamma: {from: -4, to: 1, points: 41}
  delta: {from: -1, to: 13, points: 41}
fields: [class]
figure: {kind: regions, panels: a, size: [12cm, 7cm]}
END
sweep() { "$COSTAB" sweep "$1" -o "$2" 2>sweep.txt || { shows sweep.txt && exit 1; }; }
sweep zigzag.yaml zigzag.h5

# ---- Script and data alone
mkdir script again
script_only() { run 0 "$COSTAB" plot zigzag.h5 -o script --script-only && holds script "zigzag.dat zigzag.gp "; }
check "--script-only writes script and data, nothing else" script_only

same_bytes() {
    run 0 "$COSTAB" plot zigzag.h5 -o again --script-only &&
        cmp script/zigzag.gp again/zigzag.gp && cmp script/zigzag.dat again/zigzag.dat
}
check "the same results give the same bytes" same_bytes

blocks() {
    for block in 1.fill.ss 1.hatch.ss 1.curve.det 1.curve.fold 1.curve.flip 2.fill.ss; do
        grep -q "^# $block: " script/zigzag.dat || { echo "# no $block" && return 1; }
    done
    ! grep -qE '^[^#].*(nan|inf)' script/zigzag.dat
}
check "the data names its blocks" blocks

redraw() { (cd script && gnuplot -d -e "FMT='png'" zigzag.gp) >messages.txt 2>&1 && [ ! -s messages.txt ] &&
    holds script "zigzag.dat zigzag.gp zigzag.png " || shows messages.txt; }
skip gnuplot "the script alone redraws the figure, without a word" redraw

# says FILE WORD...: the SVG is well-formed and shows the words.
says() {
    /usr/bin/python3 - "$@" <<'END'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
said = ["".join(t.itertext()).replace("\u00a0", " ") for t in root.iter("{http://www.w3.org/2000/svg}text")]
said = [" ".join(s.split()) for s in said]
for word in sys.argv[2:]:
    assert any(word in s for s in said), (word, said)
END
}
# ---- Figures
mkdir figures
all_formats() {
    run 0 "$COSTAB" plot zigzag.h5 -o figures --format pdf,png,svg,tex &&
        holds figures "zigzag-inc.pdf zigzag-inc.tex zigzag.dat zigzag.gp zigzag.pdf zigzag.png zigzag.svg zigzag.tex "
}
skip gnuplot "every format is drawn, and nothing is left over" all_formats

if [ -e figures/zigzag.pdf ]; then
    # 12 cm x 7 cm are 340.16 x 198.43 points; gnuplot rounds down to whole ones.
    page() { pdfinfo figures/zigzag.pdf | grep -qE 'Page size: +340(\.[0-9]+)? x 198(\.[0-9]+)? pts'; }
    skip pdfinfo "the PDF has the size of the spec" page
    embedded() { pdffonts figures/zigzag.pdf | tail -n +3 | awk '{ n++; if ($(NF-4) != "yes") bad = 1 } END { exit bad || !n }'; }
    skip pdffonts "the PDF's fonts are embedded" embedded
    words() {
        pdftotext -layout figures/zigzag.pdf text.txt
        for word in 'Zigzag coupling' '(a) a = −0.5' '(b) a = 0.5' 'Γ' 'Δ' 'SS: both stable'; do
            grep -qF -- "$word" text.txt || { echo "# no '$word'" && shows text.txt || return 1; }
        done
    }
    skip pdftotext "the PDF says title, captions, axes and legend" words
    type_size() { # 8 pt type: the box of a word is 8 points high
        pdftotext -bbox figures/zigzag.pdf text.txt
        awk -F'"' '/>Zigzag</ { found = 1; h = $8 - $4; exit } END { exit !(found && h > 7 && h < 9.5) }' text.txt
    }
    skip pdftotext "type is 8 points high on paper" type_size
    # 12 cm and 7 cm at 300 dpi are 1417 and 827 pixels: bytes 16 to 23 of a PNG.
    pixels() { [ "$(od -An -tu1 -j16 -N8 figures/zigzag.png | tr -s ' ')" = " 0 0 5 137 0 0 3 59" ]; }
    check "the PNG has 300 dpi" pixels
    svg_text() {
        says figures/zigzag.svg 'Zigzag coupling' '(a) a = −0.5' '(b) a = 0.5' Γ Δ 'SS: both stable' &&
            tr '\n' ' ' <figures/zigzag.svg | grep -q '<svg[^>]* width="454" height="265"'
    }
    skip /usr/bin/python3 "the SVG is well-formed, has the size of the spec and says the same" svg_text
    tex() {
        grep -qF '\input{zigzag-inc}' figures/zigzag.tex && grep -qF '{zigzag-inc}' figures/zigzag-inc.tex &&
            grep -qF '$\Gamma$' figures/zigzag-inc.tex && grep -qF '(a) $a$ = $-$0.5' figures/zigzag-inc.tex
    }
    check "the LaTeX file includes its parts and sets mathematics as such" tex
fi

# ---- A figure by name
mkdir named
by_name() { run 0 "$COSTAB" plot zigzag.h5 -o "$1" "${@:3}" && holds named "$2" && rm -r named && mkdir named; }
check "-o NAME.gp writes the script and its data" by_name named/chart.gp "chart.dat chart.gp "
check "-o NAME.gp --format LIST draws these, too" by_name named/chart.gp "chart.dat chart.gp chart.svg " --format svg
for format in pdf svg; do
    skip gnuplot "-o NAME.$format draws this format" by_name "named/a.b.$format" "a.b.dat a.b.gp a.b.$format "
done
skip gnuplot "-o NAME.eps draws this format" by_name named/c.eps "c.dat c.eps c.gp "
skip gnuplot "-o NAME.tex draws for LaTeX" by_name named/c.tex "c-inc.pdf c-inc.tex c.dat c.gp c.tex "
skip gnuplot "-o NAME.svg --format pdf,svg draws both" by_name named/c.svg "c.dat c.gp c.pdf c.svg " --format pdf,svg
redrawn() {
    run 0 "$COSTAB" plot zigzag.h5 -o "named/a b.png" && rm "named/a b.png" && command=$(sed -n 's/.*draw it again: //p' messages.txt) &&
        bash -c "$command" && [ -s "named/a b.png" ] && rm -r named && mkdir named
}
skip gnuplot "-o NAME.png draws this format; the command that plot prints draws the figure again" redrawn
not_both() { run 2 "$COSTAB" plot zigzag.h5 -o named/c.png --format pdf && grep -q 'leave one out' messages.txt; }
check "-o NAME.png --format pdf: exit 2" not_both
not_for_two() {
    cp zigzag.h5 two.h5 && run 2 "$COSTAB" plot zigzag.h5 two.h5 -o named/c.png && grep -q 'give a folder' messages.txt && holds named ""
}
check "-o NAME.png for two results files: exit 2" not_for_two

# ---- Another style
mkdir look
script_has() { grep -qF -- "$1" look/zigzag.gp || { echo "# no $1" && return 1; }; }
other_look() {
    run 0 "$COSTAB" plot zigzag.h5 -o look --script-only --size 16cm,160mm --font 'Nimbus Roman,12' --colours grey \
        --no-hatching --columns 1 --title 'a "b": [c], {d} # e' &&
        script_has 'W = 16; H = 16 ' && script_has "FONT = 'Nimbus Roman'" &&
        script_has 'FONTSIZE = 12' && script_has "COLOURS = 'grey'" && ! script_has 'with vectors' >/dev/null &&
        script_has 'layout 2, 1 ' && script_has "title T('a \"b\": [c], \{d\} # e', 'a \"b\": [c], \{d\} \# e')"
}
check "size, font, colours, hatching, columns and title come from the command line" other_look
# The spec asks for 12 cm x 7 cm and one panel beside the other; three columns of 4 cm are 12 cm.
fitted() { # WIDTH COLUMNS ROWS
    run 0 "$COSTAB" plot zigzag.h5 -o look --script-only --size "$1" && script_has "W = ${1%cm}; " &&
        script_has "layout $3, $2 " && ! script_has 'H = 7 ' >/dev/null
}
check "a width alone: panels side by side where there is room, the height as they need it" fitted 8.9cm 2 1
check "a width that has no room for two panels has them below each other" fitted 6cm 1 2
no_title() { run 0 "$COSTAB" plot zigzag.h5 -o look --script-only --title '' && ! grep -q 'multiplot.* title' look/zigzag.gp; }
check "--title '' leaves the title out" no_title
wrong() { # MESSAGE OPTION...
    local message=$1
    shift
    run 2 "$COSTAB" plot zigzag.h5 -o look --script-only "$@" && { grep -qF -- "$message" messages.txt || shows messages.txt; }
}
check "a length without its unit is refused" wrong 'such as 8.9cm' --size 9,6
sed -e 's/\[zigzag\]/[zigzag, strong]/' -e 's/panels: a/panels: all/' -e 's/12cm, 7cm/12cm, 12cm/' zigzag.yaml >both.yaml
sweep both.yaml both.h5
both_ways() { # one row per scheme, one column per value of a
    run 0 "$COSTAB" plot both.h5 -o look --script-only || return 1
    grep -q 'layout 2, 2 ' look/both.gp && grep -qF "set title T('(b) zigzag, {/:Italic a} = 0.5'" look/both.gp &&
        grep -qF "set title T('(c) strong, {/:Italic a} = −0.5'" look/both.gp
}
check "panels: all draws every scheme at every value of a" both_ways
check "an unknown name for the colours is refused" wrong "expected colour, grey or black" --colours pink
check "panels that do not go with the sweep are refused" wrong "write 'panels: a'" --panels scheme
elsewhere() {
    (cd / && gnuplot -d "$work/script/zigzag.gp") >output.txt 2>messages.txt && return 1
    grep -qF 'run the script in the folder of its data' messages.txt || shows messages.txt
}
skip gnuplot "a script in another folder than its data says so and fails" elsewhere
only_greys() { # every colour of the SVG has three equal parts
    run 0 "$COSTAB" plot zigzag.h5 -o look --format svg --colours "$1" || return 1
    /usr/bin/python3 - look/zigzag.svg <<'END'
import re, sys
text = open(sys.argv[1]).read()
found = {tuple(map(int, m)) for m in re.findall(r"rgb\( *(\d+), *(\d+), *(\d+)\)", text)}
assert len(found) > 2 and all(len(set(c)) == 1 for c in found), found
END
}
skip gnuplot "--colours grey has greys only" only_greys grey
skip gnuplot "--colours black has greys only" only_greys black

# ---- A title full of what gnuplot, TeX and the shell interpret
cat >title.yaml <<'END'
title: 'It''s "50 %" of _a_ {b} ^c \d @e &f ~g `touch pwned` $(touch pwned) $HOME #1 <x> Γ'
system: planar
schemes: [strong]
method: rk4
axes:
  a: [0]
  gamma: {from: -4, to: 1, points: 11}
  delta: {from: -1, to: 8, points: 11}
fields: [class]
figure: {kind: classes}
END
mkdir title
name="o'dd \`touch pwned\` na%me"
sweep title.yaml "$name.h5"
harmless() {
    run 0 "$COSTAB" plot -q "$name.h5" -o title --format svg,tex &&
        [ -e "title/$name.gp" ] && [ -z "$(find . -name 'pwned*')" ] && [ ! -s messages.txt ]
}
skip gnuplot "a title and a file name of special characters do no harm" harmless
verbatim() {
    says "title/$name.svg" 'It'"'"'s "50 %" of _a_ {b} ^c \d @e &f ~g `touch' 'pwned` $(touch pwned) $HOME #1 <x> Γ'
}
if [ -e "title/$name.svg" ]; then skip /usr/bin/python3 "the title shows as it is" verbatim; fi
quotes() { # gnuplot's reader takes a doubled quote only inside a string
    local name="'t '' names'"
    cp zigzag.h5 "$name.h5" && run 0 "$COSTAB" plot -q "$name.h5" -o title --format svg --title "'t Hooft's ''two'''" || return 1
    sed "s/&apos;/'/g; s/&#39;/'/g; s/\xc2\xa0/ /g" "title/$name.svg" | grep -qF "'t Hooft's ''two'''"
}
skip gnuplot "quotes that begin a title or a file's name, or stand side by side" quotes
if [ -e "title/$name-inc.tex" ]; then
    tex_title() { grep -qF '50 \%' "title/$name-inc.tex" && grep -qF '\_a\_ \{b\}' "title/$name-inc.tex"; }
    check "LaTeX gets the title escaped" tex_title
fi

# ---- Areas against a: cross coupling is infinite on (p, 0), p = -2.7852936, and ends at 0.5481552
cat >areas.yaml <<'END'
title: Areas
system: planar
schemes: [cross, zigzag]
method: rk4
axes:
  a: {from: -4.5, to: 3, points: 51}
fields: [areas]
figure: {kind: areas, us: true, columns: 1}
END
sweep areas.yaml areas.h5
mkdir areas
area_data() { run 0 "$COSTAB" plot areas.h5 -o areas --script-only && holds areas "areas.dat areas.gp "; }
check "areas: script and data" area_data
# plain FILE: every row of the data has numbers of moderate size alone.
plain() { ! grep -vE '^(#|$)' "$1" | grep -viE '^(-?[0-9]+(\.[0-9]+)?(e-[0-9]+)?( |$))+( [A-Z]{2})?$' | sed 's/^/# /' | grep .; }
check "areas: no infinite, missing or huge value in the data" plain areas/areas.dat
# block FILE NAME: the rows of a block, an empty one between its parts.
block() { awk -v name="# $2:" 'index($0, name) == 1 { on = 1; next } on && /^$/ { if (blank) exit; blank = 1; next } on { if (blank) print ""; blank = 0; print }' "$1"; }
ends_of_infinity() {
    block areas/areas.dat 1.curve.infinite_cross | awk '
        function near(x, y) { return x - y < 1e-9 && y - x < 1e-9 }
        NF && ++n && (n % 2 == 1 && !near($1, -2.785293563) || n % 2 == 0 && !near($1, 0)) { bad = 1 }
        END { exit bad || n != 4 }' && [ "$(block areas/areas.dat 1.fill.infinite_cross | grep -c .)" -eq 10 ]
}
check "areas: infinite stretches are marked from their beginning to their end" ends_of_infinity
curve_ends() {
    block areas/areas.dat 1.curve.area_cross | awk '
        NR == 1 && ($1 != 0 || $2 < 3.8789 || $2 > 3.879) { bad = 1 }
        { a = $1; area = $2 }
        END { exit bad || a < 0.54815522 || a > 0.54815523 || area > 1e-6 }'
}
check "areas: a curve begins and ends at the critical values" curve_ends
no_chord() { # A_SS and A_US of zigzag coupling lie on both sides of p, A_US also of 1.3433301, but nothing leads across
    for curve in area_zigzag area_us_zigzag; do
        block areas/areas.dat 1.curve.$curve | awk '
            !NF { inside = 0; next }
            inside && last < -2.7852936 && $1 > -2.7852935 { bad = 1 }
            { last = $1; inside = 1; sides[$1 < -2.7852936]++ }
            END { exit bad || sides[0] < 5 || sides[1] < 5 }' || { echo "# $curve" && return 1; }
    done
}
check "areas: no chord joins what lies on the two sides of a divergence" no_chord
small() { grep -q '^# 2.curve.area_us_zigzag: ' areas/areas.dat && grep -q "set title '(b) magnified'" areas/areas.gp; }
check "areas: small ones are magnified in a panel of their own" small

area_figure() { run 0 "$COSTAB" plot -q areas.h5 -o areas --format svg,tex && [ ! -s messages.txt ]; }
skip gnuplot "areas: the figure is drawn without a word" area_figure
if [ -e areas/areas.svg ]; then
    skip /usr/bin/python3 "areas: the SVG says axes, schemes and infinity" says areas/areas.svg Areas a 'area ASS, AUS' \
        'cross: ASS = ∞' 'cross: AUS = ∞' 'ASS, zigzag' 'AUS, zigzag' '(b) magnified'
    area_tex() { grep -qF 'cross: $A_{\mathrm{US}}$ = $\infty$' areas/areas-inc.tex && grep -qF '$a$' areas/areas-inc.tex; }
    check "areas: LaTeX sets infinity as mathematics" area_tex
fi

# ---- Time histories: a simulation that diverges, one that overflows, and a title of special characters
cat >time.yaml <<'END'
title: Histories
system: planar
schemes: [simulation, strong]
method: rk4
history:
  - {title: SU, matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [1, 0], until: 0.1}
  - {title: 'US of {a}_b^c \d & @e ~f', matrix: [10, 3000, -2000, 290], h: 1e-3, x0: [1, 0], until: 0.015}
  - {title: overflow, matrix: [1000, 3000, -2000, 2900], h: 1e-2, x0: [1, 0], until: 3}
  - {title: rest, matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [0, 0], until: 0.1}
figure: {kind: time}
END
sweep time.yaml time.h5
mkdir time
time_data() { run 0 "$COSTAB" plot time.h5 -o time --script-only && holds time "time.dat time.gp "; }
check "time: script and data" time_data
check "time: no infinite, missing or huge value in the data" plain time/time.dat
# limits FILE PANEL: XMIN=.. XMAX=.. YMIN=.. YMAX=.. of a panel, whose axes are set before its plot.
limits() {
    awk -v panel="$2" -F'\\[|\\]|:' '/^plot/ { n++ } n == panel { exit }
        /set xrange/ { x = "XMIN=" $2 " XMAX=" $3 } /set yrange/ { y = "YMIN=" $2 " YMAX=" $3 } END { print x, y }' "$1"
}
inside() { # all dots of a panel lie between its limits; gnuplot cuts the lines
    for panel in 1 2 3 4; do
        eval "$(limits time/time.gp $panel)"
        for name in point.steps_simulation; do
            block time/time.dat $panel.$name | awk -v x0="$XMIN" -v x1="$XMAX" -v y0="$YMIN" -v y1="$YMAX" '
                NF == 2 && ($1 < x0 || $1 > x1 || $2 < y0 || $2 > y1) { bad = 1 }
                NF == 2 { n++ }
                END { exit bad || !n }' || { echo "# panel $panel, $name" && return 1; }
        done
    done
}
check "time: dots are inside the panels" inside
leaves() { # the system's solution is seen whole, and the simulation leaves the panel
    eval "$(limits time/time.gp 1)"
    block time/time.dat 1.curve.steps_simulation | awk -v y0="$YMIN" -v y1="$YMAX" '
        NF && ($2 < y0 || $2 > y1) { cut = 1 } END { exit !cut }' &&
        block time/time.dat 1.curve.exact | awk -v y0="$YMIN" -v y1="$YMAX" '
            NF && ($2 <= y0 || $2 >= y1) { bad = 1 } NF { t = $1 } END { exit bad || t != 0.1 || y1 > 5 }'
}
check "time: the bounded signal sets the range, the diverging one leaves it" leaves
time_figure() { run 0 "$COSTAB" plot -q time.h5 -o time --format svg,tex && [ ! -s messages.txt ]; }
skip gnuplot "time: the figure is drawn without a word" time_figure
if [ -e time/time.svg ]; then
    skip /usr/bin/python3 "time: the SVG says cases, axes and legend" says time/time.svg Histories '(a) SU' \
        '(b) US of {a}_b^c \d & @e ~f' '(d) rest' t x 'continuous system' simulation strong
fi

# ---- Faults
mkdir bare
missing() {
    run 0 env PATH=/nowhere "$COSTAB" plot zigzag.h5 -o bare --format pdf,png && grep -qi 'gnuplot' messages.txt &&
        holds bare "zigzag.dat zigzag.gp "
}
check "without gnuplot: script and data, and a word about it" missing

mkdir fake kept
printf '#!/bin/sh\necho "no such" >&2\necho terminal >/dev/stderr\nexit 3\n' >fake/gnuplot
chmod +x fake/gnuplot
echo old >kept/zigzag.pdf
failing() {
    run 1 env PATH="$work/fake:$PATH" "$COSTAB" plot zigzag.h5 -o kept --format pdf --force &&
        grep -q 'no such$' messages.txt && grep -qx terminal messages.txt && holds kept "zigzag.dat zigzag.gp zigzag.pdf " &&
        [ "$(cat kept/zigzag.pdf)" = old ]
}
check "gnuplot failing: its own words, exit 1, the old figure untouched" failing

# One whose standard error is closed long before its end, as by a script around it.
mkdir quiet
printf '#!/bin/sh\nexec 2>&-\nsleep 1\necho new >figure.pdf\n' >fake/gnuplot
silent() { run 0 env PATH="$work/fake:$PATH" "$COSTAB" plot zigzag.h5 -o quiet --format pdf && [ "$(cat quiet/zigzag.pdf)" = new ]; }
check "a gnuplot that closes its standard error is waited for" silent

# Programs that gnuplot started hold its standard error for longer: one is silent, one writes without an end, one is in a session of its own.
mkdir left
[ "$(stride 2)" = 1 ] && every=yes || every=
for left in 'yes >&2 &' 'setsid sleep 30 &' ${every:+'sleep 30 &' 'setsid yes >&2 &'}; do
    printf '#!/bin/sh\n%s\necho "last words" >&2\necho new >figure.pdf\nexit $STATUS\n' "$left" >fake/gnuplot
    lasting() {
        local start=$SECONDS
        run 0 env STATUS=0 PATH="$work/fake:$PATH" timeout 20 "$COSTAB" plot zigzag.h5 -o left --format pdf && [ "$(cat left/zigzag.pdf)" = new ] &&
            [ $((SECONDS - start)) -lt 8 ] && run 1 env STATUS=3 PATH="$work/fake:$PATH" timeout 20 "$COSTAB" plot zigzag.h5 -o left --format pdf &&
            grep -q 'failed with exit code 3' messages.txt && [ $((SECONDS - start)) -lt 16 ]
    }
    check "gnuplot's end is the end, whatever it leaves behind: $left" lasting
done
left_behind() { # of this test: what has its folder in the environment and a session of its own
    /usr/bin/python3 - "$work/fake" <<'END'
import os, pathlib, signal, sys
for path in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        name = (path / "comm").read_text().strip()
        if sys.argv[1].encode() in (path / "environ").read_bytes() and name in ("sleep", "yes"):
            os.kill(int(path.name), signal.SIGKILL)
    except OSError:
        pass
END
}
left_behind

# Output that is no figure: the old figure stays, and nothing else is left.
mkdir output
for made in ': >figure.pdf' 'mkdir figure.pdf' 'mkfifo figure.pdf' 'ln -s /etc/passwd figure.pdf' ':'; do
    printf '#!/bin/sh\n%s\n' "$made" >fake/gnuplot
    unusable() {
        rm -rf output && mkdir output && echo old >output/zigzag.pdf && run 1 env PATH="$work/fake:$PATH" "$COSTAB" plot zigzag.h5 -o output --format pdf --force &&
            grep -Eq "its zigzag.pdf is (empty|missing|no regular file)" messages.txt && holds output "zigzag.dat zigzag.gp zigzag.pdf " &&
            [ "$(cat output/zigzag.pdf)" = old ]
    }
    check "output of gnuplot that is no figure is not kept: $made" unusable
done
printf '#!/bin/sh\necho x >zigzag.tex\necho x >zigzag-inc.tex\n: >zigzag-inc.pdf\n' >fake/gnuplot
together() {
    rm -rf output && mkdir output && run 1 env PATH="$work/fake:$PATH" "$COSTAB" plot zigzag.h5 -o output --format tex &&
        holds output "zigzag.dat zigzag.gp "
}
check "files that belong together are all kept or none" together

# ---- What is somebody's own is left alone
mkdir own
script_of_own() { run 0 "$COSTAB" plot zigzag.h5 -o own --script-only && run 0 "$COSTAB" plot zigzag.h5 -o own --script-only; }
check "script and data that costab wrote are replaced" script_of_own
for ending in gp dat; do
    edited() {
        run 0 "$COSTAB" plot zigzag.h5 -o own --script-only --force && sed -i '20s/^/# mine /' own/zigzag.$ending &&
            cp own/zigzag.$ending edited.txt && run 2 "$COSTAB" plot zigzag.h5 -o own --script-only &&
            grep -q "own/zigzag.$ending' is there already, and it was edited since costab wrote it.* --force" messages.txt && cmp own/zigzag.$ending edited.txt &&
            run 0 "$COSTAB" plot zigzag.h5 -o own --script-only --force && ! grep -q '^# mine' own/zigzag.$ending
    }
    check "an edited .$ending is kept, exit 2, but for --force" edited
done
foreign() {
    echo mine >own/zigzag.svg && run 2 "$COSTAB" plot zigzag.h5 -o own --format svg &&
        grep -q "own/zigzag.svg' is there already, and no script of costab in its folder names it.* --force" messages.txt &&
        [ "$(cat own/zigzag.svg)" = mine ] && run 0 "$COSTAB" plot zigzag.h5 -o own --format svg --force &&
        run 0 "$COSTAB" plot zigzag.h5 -o own --format svg && run 0 "$COSTAB" plot zigzag.h5 -o own --script-only &&
        run 0 "$COSTAB" plot zigzag.h5 -o own --format svg
}
skip gnuplot "a figure that no script of costab drew is kept; one that it drew is replaced" foreign
stems() {
    for name in '|touch pwned' '<touch pwned' '$x' '-x'; do
        cp zigzag.h5 "./$name.h5" && run 2 "$COSTAB" plot "./$name.h5" -o own && grep -q 'rename the results file' messages.txt ||
            { echo "# $name" && return 1; }
        rm "./$name.h5"
    done
    [ -z "$(find . -name 'pwned*')" ]
}
check "names that gnuplot takes for commands are refused" stems

# A gnuplot that does not come to an end.
mkdir slow stopped
printf '#!/bin/sh\necho $$ >"%s/slow/id"\nexec sleep 60\n' "$work" >slow/gnuplot
chmod +x slow/gnuplot
for signal in TERM INT HUP; do
    stopped() {
        rm -f slow/id
        (trap - INT; exec env PATH="$work/slow:$PATH" "$COSTAB" plot zigzag.h5 -o stopped --format pdf) 2>messages.txt &
        local id=$! k
        for k in $(seq 200); do [ -s slow/id ] && break; sleep 0.05; done
        kill -s $signal $id
        wait $id && return 1
        ! kill -0 "$(cat slow/id)" 2>kill.txt && holds stopped "zigzag.dat zigzag.gp "
    }
    check "SIG$signal ends gnuplot too, and leaves nothing half done" stopped
done

for absent in nowhere:1 nowhere/:1 nowhere/zigzag.pdf:1 figure.jpg:2; do
    status=${absent#*:} absent=${absent%:*}
    absent() { run "$status" "$COSTAB" plot zigzag.h5 -o "$absent" && grep -q -- "--output: .*${absent%/zigzag.pdf}" messages.txt; }
    check "-o $absent, where no such folder or format exists: exit $status" absent
done
if [ -d /proc/self ]; then
    unwritable() { run 1 "$COSTAB" plot zigzag.h5 -o /proc --format pdf && grep -q /proc messages.txt; }
    check "a folder that cannot be written: exit 1" unwritable
fi

sed '/^figure/d' zigzag.yaml >grid.yaml
sweep grid.yaml grid.h5
no_figure() { run 0 "$COSTAB" plot grid.h5 -o bare --script-only && grep -q '^# 1.curve.det: ' bare/grid.dat; }
check "a sweep that asks for no figure gets the kind that suits its axes" no_figure

# ---- Nothing that was given is written over
mkdir other twice
cp zigzag.yaml other/zigzag.yaml
ln -s zigzag.yaml linked.yaml
own_spec() {
    for output in zigzag.yaml ./linked.yaml "$work/other/../zigzag.yaml"; do
        run 2 "$COSTAB" sweep zigzag.yaml -o "$output" && grep -q 'the spec itself' messages.txt || return 1
    done
    cmp zigzag.yaml other/zigzag.yaml
}
check "a sweep does not replace its spec: exit 2" own_spec
same_names() {
    run 2 "$COSTAB" sweep zigzag.yaml other/zigzag.yaml -o twice && grep -q 'other/zigzag.yaml' messages.txt &&
        cp zigzag.h5 other/zigzag.h5 && run 2 "$COSTAB" plot zigzag.h5 other/zigzag.h5 -o twice &&
        grep -q 'other/zigzag.h5' messages.txt && holds twice ""
}
check "two inputs whose outputs have one name: exit 2, nothing written" same_names
own_data() {
    cp zigzag.h5 other/chart.dat &&
        run 2 "$COSTAB" plot other/chart.dat -o other --script-only && cmp zigzag.h5 other/chart.dat
}
check "a figure does not replace the results it is drawn from: exit 2" own_data
letters() { run 2 "$COSTAB" sweep -zigzag.yaml && grep -q 'unknown option -z' messages.txt; }
check "an unknown letter is named: exit 2" letters

finish
