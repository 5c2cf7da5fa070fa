
# ---- Colours, dashes, points: change them here.

# Fill and hatching of areas.
TINT_quadrant = '#f0f0f0'
TINT_uu = '#ffffff'
TINT_su = '#fbf3c0'
TINT_ss = '#cfe4f3'; HATCH_ss = '#0072b2'
TINT_us = '#f8d5bd'; HATCH_us = '#d55e00'
HATCH_simulation = '#0072b2'
HATCH_cross      = '#000000'
HATCH_zigzag     = '#009e73'
HATCH_strong     = '#d55e00'

# Lines: colour, width in pt, dashes.
LINE_axes = '#404040';  WIDTH_axes = 0.5;      DASH_axes = 1
LINE_edge = '#000000';  WIDTH_edge = 1.0;      DASH_edge = 1
LINE_isolated = '#000000'; SIZE_isolated = 0.5; POINT_isolated = 7    # points
LINE_det  = '#000000';  WIDTH_det  = 1.2;      DASH_det  = 1
LINE_fold = '#0072b2';  WIDTH_fold = 1.4;      DASH_fold = '-'
LINE_flip = '#d55e00';  WIDTH_flip = 1.4;      DASH_flip = '-.'
LINE_iteration  = '#009e73'; WIDTH_iteration  = 1.6; DASH_iteration  = '.'
# The same beyond the region, where they bound nothing.
LINE_det_beyond  = LINE_det;  WIDTH_det_beyond  = 0.5; DASH_det_beyond  = DASH_det
LINE_fold_beyond = LINE_fold; WIDTH_fold_beyond = 0.5; DASH_fold_beyond = DASH_fold
LINE_flip_beyond = LINE_flip; WIDTH_flip_beyond = 0.5; DASH_flip_beyond = DASH_flip
LINE_iteration_beyond = LINE_iteration; WIDTH_iteration_beyond = 0.6; DASH_iteration_beyond = DASH_iteration
LINE_simulation = '#0072b2'; WIDTH_simulation = 1.2; DASH_simulation = 1
LINE_cross      = '#000000'; WIDTH_cross      = 1.2; DASH_cross      = '-'
LINE_zigzag     = '#009e73'; WIDTH_zigzag     = 1.4; DASH_zigzag     = '-.'
LINE_strong     = '#d55e00'; WIDTH_strong     = 1.6; DASH_strong     = '.'
# Areas against a: where one is infinite, jumps, and A_US.
TINT_infinite_simulation = '#e6f0f7'; LINE_infinite_simulation = LINE_simulation
TINT_infinite_cross      = '#eeeeee'; LINE_infinite_cross      = LINE_cross
TINT_infinite_zigzag     = '#e3f4ee'; LINE_infinite_zigzag     = LINE_zigzag
TINT_infinite_strong     = '#fbeadf'; LINE_infinite_strong     = LINE_strong
LINE_shelf = '#a0a0a0'; WIDTH_shelf = 0.4;     DASH_shelf = 1
LINE_jump = '#707070';  WIDTH_jump = 0.5;      DASH_jump = '.'
do for [s in 'simulation cross zigzag strong'] {
    eval sprintf("WIDTH_infinite_%s = 1.2; DASH_infinite_%s = DASH_%s", s, s, s)
    eval sprintf("LINE_area_%s = LINE_%s; WIDTH_area_%s = WIDTH_%s; DASH_area_%s = DASH_%s", s, s, s, s, s, s)
    eval sprintf("LINE_area_us_%s = LINE_%s; WIDTH_area_us_%s = 0.7", s, s, s)
}
DASH_area_us_simulation = '_'; DASH_area_us_cross = '.'; DASH_area_us_zigzag = 1; DASH_area_us_strong = '-'
# Time histories.
LINE_exact = '#808080';  WIDTH_exact = 0.8;    DASH_exact = 1
do for [s in 'simulation cross zigzag strong'] {
    eval sprintf("LINE_steps_%s = LINE_%s; WIDTH_steps_%s = 0.4; DASH_steps_%s = 1; SIZE_steps_%s = 0.35", s, s, s, s, s)
}
POINT_steps_simulation = 7; POINT_steps_cross = 5; POINT_steps_zigzag = 9; POINT_steps_strong = 13
LINE_frame = '#404040'; WIDTH_frame = 0.5;      DASH_frame = 1   # also around the panels

# ---- Drawing -----------------------------------------------------------------

# Words of a panel's lists, and the block of the data that a word names. gnuplot looks the block up even where a
# list is empty: the block `nothing` is for that.
fill(i, j)  = word(FILLS[i], j)
hatch(i, j) = word(HATCHES[i], j)
curve(i, j) = word(CURVES[i], j)
block(panel, layer, key) = strlen(key) ? sprintf('%d.%s.%s:', panel, layer, key) : 'nothing:'

set minussign
set border 31 front linecolor rgb ink(LINE_frame) linewidth WIDTH_frame*LW
set tics front out nomirror scale 0.5
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
        set xrange [XMIN[i]:XMAX[i]]
        set yrange [YMIN[i]:YMAX[i]]
        above = 2*YMAX[i] - YMIN[i]
        set xtics XSTEP[i]
        set ytics YSTART[i], YSTEP[i], YEND[i]
        outer_left = !SHARED || column == 0
        outer_bottom = !SHARED || i + COLUMNS > PANELS
        set format x outer_bottom ? (TEX ? '$%g$' : '%g') : ''
        set format y outer_left ? (TEX ? '$%g$' : '%g') : ''
        triangle = KIND[i] eq 'triangle'
        areas = KIND[i] eq 'areas'
        times = KIND[i] eq 'time'
        xname = triangle ? TRACE : areas ? A : times ? TIME : GAMMA
        yname = triangle ? DETERMINANT : areas ? AREA : times ? STATE : DELTA
        set xlabel outer_bottom ? xname : '' offset 0, 0.35
        set ylabel outer_left ? yname : '' offset (areas ? -0.2 : 0.6), 0 rotate by (triangle || areas ? 90 : 0)
        do for [j = 1:NOTES] {
            if (NOTE_PANEL[j] == i) { set label 200 + j NOTE[j] at NOTE_X[j], NOTE_Y[j] center front boxed }
        }
        set label 1 CAPTION[i] at graph 0, 1 offset 0, 0.7 left
        if (i == 1 && SHOW_TITLE && strlen(TITLE) > 0) {
            # Letters are half as wide as high (1 pt is 0.0353 cm): a long title is set smaller.
            fits = 0.95*WIDTH/(0.5*0.0353*strlen(TITLE))
            title_size = fits > FONTSIZE ? FONTSIZE : fits > 3 ? fits : 3
            set label 2 TITLE at screen 0.5, 1 offset 0, -0.8 center noenhanced font sprintf(',%.3g', title_size)
        }
        if (KIND[i] eq 'quadrant') {
            set label 14 STABLE at -1.5, 1.5 center front boxed
        }
        if (triangle) {
            set label 14 STABLE at 0.6, 0.55 center front boxed
            set label 11 GAMMA1 at 1, 1 offset 0, 0.9 center front
            set label 12 GAMMA2 at 1.3, 0.3 offset 1, 0 left front
            set label 13 GAMMA3 at -1.3, 0.3 offset -1, 0 right front
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
            set label 100 + j LEGEND_TEXT[j] at LEGEND_X[j], LEGEND_Y[j] left
        }
    }
    # The last element is out of sight; it is there for panels with nothing in them.
    plot for [j = 1:words(FILLS[i])] DATA index block(i, 'fill', fill(i, j)) using 1:2 with filledcurves closed \
             fillstyle solid noborder fillcolor rgb tint(fill(i, j)), \
         for [j = 1:(HATCHING ? words(HATCHES[i]) : 0)] DATA index block(i, 'hatch', hatch(i, j)) using 1:2:3:4 with vectors nohead \
             linecolor rgb stroke('HATCH', hatch(i, j)) linewidth HATCH_WIDTH*LW, \
         for [j = 1:words(CURVES[i])] DATA index block(i, 'curve', curve(i, j)) using 1:2 with lines \
             linecolor rgb stroke('LINE', curve(i, j)) linewidth value('WIDTH_'.curve(i, j))*LW \
             dashtype value('DASH_'.curve(i, j)), \
         for [j = 1:words(POINTS[i])] DATA index block(i, 'point', word(POINTS[i], j)) using 1:2 with points \
             pointtype value('POINT_'.word(POINTS[i], j)) pointsize value('SIZE_'.word(POINTS[i], j)) \
             linecolor rgb stroke('LINE', word(POINTS[i], j)), \
         for [j = 1:words(LABELS[i])] DATA index block(i, 'label', word(LABELS[i], j)) using 1:2:3 \
             with labels center boxed, \
         above with lines
}
