#!/usr/bin/env bash
# LaTeX sets every figure of sweeps/: each as \input in one document, without an error or a line too wide, titles as they
# are in the specs.
set -u
. "$(dirname "$0")/../support/tap.sh"
sweeps=$project/sweeps

{
    echo '\documentclass{article}'
    echo '\usepackage{graphicx,color,calc}'
    echo '\usepackage[paperwidth=24cm,paperheight=30cm,margin=1cm]{geometry}'
    echo '\begin{document}\noindent'
} >all.tex
figures=0
draw() { # SPEC NAME
    "$COSTAB" sweep "$1" -q -o "$2.h5" 2>messages.txt && "$COSTAB" plot "$2.h5" --format tex 2>>messages.txt &&
        [ -s "$2.tex" ] && return
    sed 's/^/# /' messages.txt
    return 1
}
for spec in "$sweeps"/*/*.yaml; do
    name=$(basename "$(dirname "$spec")")-$(basename "$spec" .yaml)
    check "$name is drawn for LaTeX" draw "$spec" "$name"
    echo "\\input{$name}\\par\\noindent" >>all.tex
    figures=$((figures + 1))
done
cat >odd.yaml <<'END'
title: '[1] It''s "50 %" of _a_ {b} ^c \d &f ~g `h` $i$ #1 <x> Γ Δ ρ'
system: planar
schemes: [zigzag]
axes: {a: 0, gamma: {from: -4, to: 1, points: 9}, delta: {from: -1, to: 13, points: 9}}
figure: {kind: regions, font: [Helvetica, 10]}
END
check "a title full of what LaTeX interprets is drawn" draw odd.yaml odd
echo '\input{odd}\end{document}' >>all.tex

compile() {
    pdflatex -halt-on-error -interaction=nonstopmode all.tex >log.txt 2>&1 && return
    grep -A3 '^!' log.txt | sed 's/^/# /'
    return 1
}
# As check: of what only pdflatex shows.
set_check() {
    if command -v pdflatex >/dev/null && command -v pdftotext >/dev/null; then check "$@"; else skipped "$1" 'pdflatex or pdftotext is not installed'; fi
}
set_check "pdflatex sets $((figures + 1)) figures" compile
narrow() { ! grep -q '^Overfull' log.txt || { grep '^Overfull' log.txt | sed 's/^/# /' && return 1; }; }
set_check "no figure is wider than it says" narrow
said() { pdftotext all.pdf all.txt && tr -s '\n ' '  ' <all.txt | grep -qF -- "$1" || { echo "# '$1' is not in the document" && return 1; }; }
set_check "a title is set as it is" said 'Case study: both masters'
set_check "characters that LaTeX interprets are set as they are" said '#1'
set_check "and Greek letters" said 'Γ ∆ ρ'
finish
