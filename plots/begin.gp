if (!exists("FONT")) FONT = 'Helvetica'
if (!exists("FONTSIZE")) FONTSIZE = 8          # pt, on paper
if (!exists("DPI")) DPI = 300                  # of the PNG
if (!exists("SHOW_TITLE")) SHOW_TITLE = 1      # 0: without the title
HATCH_WIDTH = 0.4                              # pt

# Colours are from the Okabe-Ito palette. In grey a colour keeps its lightness; lines and hatches are darker.
channel(c, k) = int('0x'.c[2*k:2*k + 1])
lightness(c) = 0.2126*channel(c, 1) + 0.7152*channel(c, 2) + 0.0722*channel(c, 3)
grey(light) = sprintf('#%02x%02x%02x', int(light), int(light), int(light))
area(c) = COLOURS eq 'colour' ? c : grey(lightness(c))
ink(c) = COLOURS eq 'colour' ? c : COLOURS eq 'grey' ? grey(0.7*lightness(c)) : '#000000'
# The colour of a key. gnuplot asks even where there is none.
tint(key) = strlen(key) ? area(value('TINT_'.key)) : '#ffffff'
stroke(kind, key) = strlen(key) ? ink(value(kind.'_'.key)) : '#000000'

set encoding utf8
stats DATA using 0 nooutput
if (!exists("STATS_records")) { exit error DATA.' is not here: run the script in the folder of its data' }
TEX = FMT eq 'tex'
CM = 1 / 2.54
if (FMT eq 'pdf') {
    set terminal pdfcairo size WIDTH*CM, HEIGHT*CM font FONT.','.FONTSIZE fontscale 0.75 linewidth 1 enhanced rounded
} else { if (FMT eq 'png') {
    set terminal pngcairo size int(WIDTH*CM*DPI + 0.5), int(HEIGHT*CM*DPI + 0.5) font FONT.','.FONTSIZE \
        fontscale DPI/96.0 linewidth DPI/144.0 pointscale DPI/72.0 enhanced rounded
} else { if (FMT eq 'svg') {
    set terminal svg size int(WIDTH*CM*96 + 0.5), int(HEIGHT*CM*96 + 0.5) font FONT.','.FONTSIZE \
        fontscale 4/3.0 linewidth 2/3.0 enhanced rounded
} else { if (FMT eq 'tex') {
    set terminal cairolatex pdf input size WIDTH*CM, HEIGHT*CM font ','.FONTSIZE linewidth 1
} else {
    exit error "FMT must be pdf, png, svg or tex"
}}}}
if (TEX) {
    set output NAME.'-inc.tex'
} else {
    set output NAME.'.'.FMT
}

LW = 2                                         # gnuplot's line width of one pt
PANEL_WIDTH  = (WIDTH - LEFT - RIGHT - (COLUMNS - 1)*GAP_X) / COLUMNS
PANEL_HEIGHT = (HEIGHT - TOP - BOTTOM - (ROWS - 1)*GAP_Y) / ROWS
