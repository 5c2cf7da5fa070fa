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
} else { if (FMT eq 'eps') {
    set terminal epscairo size WIDTH*CM, HEIGHT*CM font FONT.','.FONTSIZE fontscale 0.75 linewidth 1 enhanced rounded
} else {
    exit error "FMT must be pdf, png, svg, tex or eps"
}}}}}
if (TEX) {
    set output NAME.'-inc.tex'
} else {
    set output './'.NAME.'.'.FMT
}

LW = 2                                         # gnuplot's line width of one pt
PANEL_WIDTH  = (WIDTH - LEFT - RIGHT - (COLUMNS - 1)*GAP_X) / COLUMNS
PANEL_HEIGHT = (HEIGHT - TOP - BOTTOM - (ROWS - 1)*GAP_Y) / ROWS

# ---- Drawing -----------------------------------------------------------------

# Words of a panel's lists, the block of the data that a word names, and the part of the word that names its style.
# gnuplot looks the block up even where a list is empty: the block `nothing` is for that.
fill(i, j)  = word(FILLS[i], j)
hatch(i, j) = word(HATCHES[i], j)
curve(i, j) = word(CURVES[i], j)
point(i, j) = word(POINTS[i], j)
block(panel, layer, key) = strlen(key) ? sprintf('%d.%s.%s:', panel, layer, key) : 'nothing:'
style(key) = key[1:strstrt(key.'.', '.') - 1]

set minussign
set clip two                                   # lines that cross the panel with both ends outside
set border 31 front linecolor rgb ink(LINE_frame) linewidth WIDTH_frame*LW
set tics front out nomirror scale 0.5, 0.25
set style textbox opaque margins 0.6, 0.6 fillcolor rgb '#ffffff' noborder
unset key
set multiplot
do for [i = 1:PANELS + 1] {                    # the last one is the legend
    unset label
    unset logscale
    if (i <= PANELS) {
        column = (i - 1) % COLUMNS
        line = (i - 1) / COLUMNS
        x0 = LEFT + column*(PANEL_WIDTH + GAP_X)
        y1 = HEIGHT - TOP - line*(PANEL_HEIGHT + GAP_Y)
        set lmargin at screen x0/WIDTH
        set rmargin at screen (x0 + PANEL_WIDTH)/WIDTH
        set tmargin at screen y1/HEIGHT
        set bmargin at screen (y1 - PANEL_HEIGHT)/HEIGHT
        if (XLOG[i]) { set logscale x }
        if (YLOG[i]) { set logscale y }
        set xrange [XMIN[i]:XMAX[i]]
        set yrange [YMIN[i]:YMAX[i]]
        above = 2*YMAX[i] - YMIN[i]
        eval 'set xtics '.XTICS[i]
        eval 'set ytics '.YTICS[i]
        set xlabel XLABEL[i] offset 0, 0.35
        set ylabel YLABEL[i] offset YTURN[i] ? 0 : 0.6, 0 rotate by YTURN[i]
        do for [j = 1:NOTES] {
            if (NOTE_PANEL[j] == i) {
                options = (NOTE_SIDE[j] < 0 ? 'right' : NOTE_SIDE[j] > 0 ? 'left' : 'center').(NOTE_BOX[j] ? ' boxed' : '')
                eval 'set label 200 + j NOTE[j] at NOTE_X[j], NOTE_Y[j] front font sprintf(",%.3g", FONTSIZE*NOTE_SIZE[j]) '.options
            }
        }
        set label 1 CAPTION[i] at graph 0, 1 offset 0, 0.7 + (TEX ? 0 : CAPTION_LINES[i] - 1) left
        if (i == 1 && SHOW_TITLE && strlen(TITLE) > 0) {
            set label 2 TITLE at screen 0.5, 1 offset 0, -0.8 center noenhanced
        }
    } else {
        set margins at screen 0, at screen 1, at screen 0, at screen 1
        set xrange [0:WIDTH/UNIT]
        set yrange [0:HEIGHT/UNIT]
        above = 2*HEIGHT/UNIT
        unset border
        unset tics
        unset xlabel
        unset ylabel
        do for [j = 1:LEGEND] {
            if (LEGEND_CENTRED[j]) {
                set label 100 + j LEGEND_TEXT[j] at LEGEND_X[j], LEGEND_Y[j] center front
            } else {
                set label 100 + j LEGEND_TEXT[j] at LEGEND_X[j], LEGEND_Y[j] left front
            }
        }
    }
    # The last element is out of sight; it is there for panels with nothing in them.
    plot for [j = 1:words(FILLS[i])] DATA index block(i, 'fill', fill(i, j)) using 1:2 with filledcurves closed \
             fillstyle solid noborder fillcolor rgb tint(style(fill(i, j))), \
         for [j = 1:(HATCHING ? words(HATCHES[i]) : 0)] DATA index block(i, 'hatch', hatch(i, j)) using 1:2:3:4 with vectors nohead \
             linecolor rgb stroke('HATCH', style(hatch(i, j))) linewidth HATCH_WIDTH*LW, \
         for [j = 1:words(CURVES[i])] DATA index block(i, 'curve', curve(i, j)) using 1:2 with lines \
             linecolor rgb stroke('LINE', style(curve(i, j))) linewidth value('WIDTH_'.style(curve(i, j)))*LW \
             dashtype value('DASH_'.style(curve(i, j))), \
         for [j = 1:words(POINTS[i])] DATA index block(i, 'point', point(i, j)) using 1:2 with points \
             pointtype value('POINT_'.style(point(i, j))) pointsize value('SIZE_'.style(point(i, j))) \
             linecolor rgb stroke('LINE', style(point(i, j))), \
         above with lines
}
unset multiplot
unset output
if (TEX) {
    set print NAME.'.tex'
    print '% Needs the packages graphicx, color and calc. In another folder: \graphicspath.'
    print sprintf('\begingroup\fontsize{%g}{%g}\selectfont', FONTSIZE, 1.2*FONTSIZE)
    print '\input{'.NAME.'-inc}'
    print '\endgroup'
    unset print
}
