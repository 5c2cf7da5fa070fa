/* figure/paper.h - the sizes of a figure on paper: panels, margins, key.
 *
 * Lengths are in cm for 8 pt type; with other type the same layout is made in units of so many cm. */
#pragma once

#include "costab/style.h"
#include "figure/hatch.h"
#include "figure/scene.h"

typedef struct paper {
    double unit;                      /* cm that one unit of all lengths below is */
    double width, height;             /* of the figure */
    double left, right, top, bottom;  /* from its edges to the panels */
    double gap_x, gap_y;              /* between panels */
    double panel_width, panel_height; /* of each panel */
    int columns, rows;                /* of panels */
    bool plain;                       /* a single panel, whose margins and key gnuplot places */
    bool same_x, same_y;              /* all panels have this axis: only the outer ones need numbers */
    bool inside;                      /* the key is in the first panel, in the corner where it hides least: */
    bool corner_left, corner_low;
    int key_count, *key; /* styles with an entry in the key, in their order; owned */
    int key_columns;
    double key_height;
} paper;

/* COSTAB_INVALID where the size leaves too little for a panel. `path` is the spec's. Captions and title are
 * broken into lines. */
costab_status paper_make(scene *s, const costab_style *style, const char *path, paper *p,
                         costab_error *error);
void paper_free(paper *p);

/* How a panel lies on it. */
hatch_frame paper_frame(const paper *p, const scene_panel *panel);

/* The step of an axis' numbers, `length` cm long, where gnuplot's own numbers would meet; 0: they do not. */
double paper_step(const scene_axis *axis, double length, bool across);

/* The least of 1, 2, 5, 10, ... times a power of ten that is not less. */
double paper_round(double least);
