/* figure/paper.h - the sizes of a figure on paper: panels, margins, key. Lengths are in units of `unit` cm,
 * which is 1 for 8 pt type and grows with the type. */
#pragma once

#include "costab/style.h"
#include "figure/hatch.h"
#include "figure/scene.h"

typedef struct paper {
    double unit;                      /* cm */
    double width, height;             /* of the figure */
    double left, right, top, bottom;  /* from its edges to the panels */
    double gap_x, gap_y;              /* between panels */
    double panel_width, panel_height; /* of each panel */
    int columns, rows;                /* of panels */
    bool plain;                       /* a single panel without notes: gnuplot places its margins and key */
    bool same_x, same_y;              /* all panels have this axis: outer panels alone have numbers */
    bool inside;                      /* the key is in the first panel, in the emptiest corner: */
    bool corner_left, corner_low;
    int key_count, *key; /* the styles with an entry in the key (the legend), in order; owned */
    int key_columns;
    int key_excess; /* characters by which gnuplot's estimate of the widest entry is too large */
    double key_height;
} paper;

/* Chooses the sizes and breaks captions and title into lines. COSTAB_INVALID if the figure's size leaves too
 * little for a panel. path: of the spec, for the message. */
costab_status paper_make(scene *s, const costab_style *style, const char *path, paper *p,
                         costab_error *error);
void paper_free(paper *p);

/* Returns a panel's window and its size. */
hatch_frame paper_frame(const paper *p, const scene_panel *panel);

/* Returns the step of the numbers at an axis of this length if gnuplot's own numbers would overlap; otherwise
 * 0. across: the axis is horizontal. */
double paper_step(const scene_axis *axis, double length, bool across);

/* Returns true if a logarithmic axis of this length has the numbers 1, 2 and 5 of each decade, otherwise only
 * powers of ten. */
bool paper_has_digits(const scene_axis *axis, double length, bool across);

/* Rounds up to 1, 2 or 5 times a power of ten. */
double paper_round(double least);
