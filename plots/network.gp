
# Fill and hatching of areas.
TINT_uu = '#ffffff'
TINT_su = '#fbf3c0'
TINT_ss = '#cfe4f3'; HATCH_ss = '#0072b2'
TINT_us = '#f8d5bd'; HATCH_us = '#d55e00'
TINT_failed = '#c0c0c0'

# Lines: colour, width in pt, dashes.
LINE_unit = '#404040';  WIDTH_unit = 0.5;      DASH_unit = 1         # over one axis: radius 1, or 0
LINE_bound = '#404040'; WIDTH_bound = 0.6;     DASH_bound = 1        # of an error
LINE_level = '#606060'; WIDTH_level = 0.4;     DASH_level = 1        # other levels of it, over two
LINE_one = '#000000';   WIDTH_one = 1.6;       DASH_one = 1          # and 1
LINE_edge = '#000000';  WIDTH_edge = 1.2;      DASH_edge = 1
LINE_continuous = '#707070'; WIDTH_continuous = 0.7; DASH_continuous = '-'
LINE_frame = '#404040'; WIDTH_frame = 0.5;     DASH_frame = 1        # also around the panels
LINE_frame_bar = LINE_frame; WIDTH_frame_bar = WIDTH_frame; DASH_frame_bar = 1

# ---- Drawing -----------------------------------------------------------------

# Letters are half as wide as high (1 pt is 0.0353 cm): what is too long is set smaller.
fit(letters, width) = letters*0.5*0.0353*FONTSIZE < width ? FONTSIZE : \
    letters*0.5*0.0353*3 < width ? width/(0.5*0.0353*letters) : 3
CAPTION_SIZE = fit(CAPTION_LETTERS, PANEL_WIDTH + 0.5*GAP_X)
# Words of a panel's lists, the block of the data that a word names, and the part of the word that names its look.
# gnuplot looks the block up even where a list is empty: the block `nothing` is for that.
fill(i, j)  = word(FILLS[i], j)
hatch(i, j) = word(HATCHES[i], j)
curve(i, j) = word(CURVES[i], j)
point(i, j) = word(POINTS[i], j)
label(i, j) = word(LABELS[i], j)
block(panel, layer, key) = strlen(key) ? sprintf('%d.%s.%s:', panel, layer, key) : 'nothing:'
look(key) = key[1:strstrt(key.'.', '.') - 1]

set minussign
set border 31 front linecolor rgb ink(LINE_frame) linewidth WIDTH_frame*LW
set tics front out nomirror scale 0.5, 0.25
set style textbox opaque margins 0.6, 0.6 fillcolor rgb '#ffffff' noborder
unset key
set multiplot
do for [i = 1:PANELS + 1] {                    # the last one is the legend
    unset label
    if (i <= PANELS) {
        column = (i - 1) % COLUMNS
        line = (i - 1) / COLUMNS
        x0 = LEFT + column*(PANEL_WIDTH + GAP_X)
        y1 = HEIGHT - TOP - line*(PANEL_HEIGHT + GAP_Y)
        set lmargin at screen x0/WIDTH
        set rmargin at screen (x0 + PANEL_WIDTH)/WIDTH
        set tmargin at screen y1/HEIGHT
        set bmargin at screen (y1 - PANEL_HEIGHT)/HEIGHT
        if (XLOG) { set logscale x }
        if (YLOG) { set logscale y }
        set xrange [XMIN:XMAX]
        set yrange [YMIN:YMAX]
        above = 2*YMAX - YMIN
        eval 'set xtics '.XTICS
        eval 'set ytics '.YTICS
        outer_left = column == 0
        outer_bottom = i + COLUMNS > PANELS
        set format x outer_bottom ? XFORMAT : ''
        set format y outer_left ? YFORMAT : ''
        set xlabel outer_bottom ? XNAME : '' offset 0, 0.35
        set ylabel outer_left ? YNAME : '' offset 0.2, 0 rotate by 90
        set label 1 CAPTION[i] at graph 0, 1 offset 0, 0.7 left font sprintf(',%.3g', CAPTION_SIZE)
        if (i == 1 && SHOW_TITLE && strlen(TITLE) > 0) {
            set label 2 TITLE at screen 0.5, 1 offset 0, -0.8 center noenhanced font sprintf(',%.3g', fit(strlen(TITLE), 0.95*WIDTH))
        }
    } else {
        unset logscale
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
                set label 100 + j LEGEND_TEXT[j] at LEGEND_X[j], LEGEND_Y[j] center
            } else {
                set label 100 + j LEGEND_TEXT[j] at LEGEND_X[j], LEGEND_Y[j] left
            }
        }
    }
    # The last element is out of sight; it is there for panels with nothing in them.
    plot for [j = 1:words(FILLS[i])] DATA index block(i, 'fill', fill(i, j)) using 1:2 with filledcurves closed \
             fillstyle solid noborder fillcolor rgb tint(look(fill(i, j))), \
         for [j = 1:(HATCHING ? words(HATCHES[i]) : 0)] DATA index block(i, 'hatch', hatch(i, j)) using 1:2:3:4 with vectors nohead \
             linecolor rgb stroke('HATCH', look(hatch(i, j))) linewidth HATCH_WIDTH*LW, \
         for [j = 1:words(CURVES[i])] DATA index block(i, 'curve', curve(i, j)) using 1:2 with lines \
             linecolor rgb stroke('LINE', look(curve(i, j))) linewidth value('WIDTH_'.look(curve(i, j)))*LW \
             dashtype value('DASH_'.look(curve(i, j))), \
         for [j = 1:words(POINTS[i])] DATA index block(i, 'point', point(i, j)) using 1:2 with points \
             pointtype value('POINT_'.look(point(i, j))) pointsize value('SIZE_'.look(point(i, j))) \
             linecolor rgb stroke('LINE', look(point(i, j))), \
         for [j = 1:words(LABELS[i])] DATA index block(i, 'label', label(i, j)) using 1:2:3 \
             with labels center boxed font sprintf(',%g', label(i, j) eq 'levels' ? 0.8*FONTSIZE : FONTSIZE), \
         above with lines
}
