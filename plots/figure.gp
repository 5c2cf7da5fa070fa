
# ---- Output
stats DATA using 0 nooutput
if (!exists("STATS_records")) { exit error DATA.' is not here: run the script in the folder of its data' }
if (!strstrt('pdf eps png svg tex', FMT)) { exit error "FMT must be pdf, png, svg, tex or eps" }
CM = 1/2.54; TEX = FMT eq 'tex'; TYPE = FONT.','.FONTSIZE
if (FMT eq 'pdf') set terminal pdfcairo size W*CM, H*CM font TYPE fontscale 0.75 rounded
if (FMT eq 'eps') set terminal epscairo size W*CM, H*CM font TYPE fontscale 0.75 rounded
if (FMT eq 'png') set terminal pngcairo size int(W*CM*DPI + 0.5), int(H*CM*DPI + 0.5) font TYPE fontscale DPI/96. lw DPI/144. ps DPI/72. rounded
if (FMT eq 'svg') set terminal svg size int(W*CM*96 + 0.5), int(H*CM*96 + 0.5) font TYPE fontscale 4/3. lw 2/3. rounded
if (TEX) set terminal cairolatex pdf input size W*CM, H*CM font ','.FONTSIZE
if (TEX) { set print NAME.'.tex'; print '% Needs the packages graphicx, color and calc. In another folder: \graphicspath.' }
if (TEX) { print sprintf('\begingroup\fontsize{%g}{%g}\selectfont\input{%s-inc}\endgroup', FONTSIZE, 1.2*FONTSIZE, NAME); unset print }
set output TEX ? NAME.'-inc.tex' : './'.NAME.'.'.FMT
set encoding utf8; if (!TEX) set minussign
# T('text of pictures', 'text of LaTeX'): an edit needs both. NAME also names the data, unless DATA does.
T(text, latex) = TEX ? latex : text; NUMBER = T('%h', '$%h$')
light(c) = 0.2126*(c >> 16) + 0.7152*(c >> 8 & 255) + 0.0722*(c & 255)
area(c) = COLOURS eq 'colour' ? c : 0x10101*int(light(c))    # areas keep their lightness, lines are darker
line(c) = COLOURS eq 'colour' ? c : COLOURS eq 'grey' ? 0x10101*int(0.7*light(c)) : 0
set clip two                              # draw lines that cross the panel with both ends outside
set border 31 front lw 1 lc rgb line(0x404040); set tics front out nomirror scale 0.5
set style fill solid noborder; set style textbox opaque noborder margins 0.6, 0.6 fillcolor rgb 'white'
