/* plot/network_time.h - figures of the time histories of a network. */
#ifndef PLOT_NETWORK_TIME_H
#define PLOT_NETWORK_TIME_H

#include "base/text.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "plot/outline.h"
#include "plot/series.h"

/* Script and data of a figure of kind `time`. `name`: of the files, without ending. */
costab_status network_time_make(const costab_results *results, const costab_spec *spec, const char *name,
                                text *script, text *data, costab_error *error);

/* ---- Between its own files */

/* One signal under one coupling. Without micro steps `local` is empty. */
typedef struct time_track {
    series points, local;
} time_track;

typedef struct time_panel {
    int signal, first, count; /* the couplings shown */
    series monolithic;
    time_track *tracks; /* of the couplings shown; owned */
    outline_box box;    /* the window */
    double tick_x, tick_y;
    text caption, caption_tex, curves, points; /* the words of the blocks that were written */
} time_panel;

/* What the legend can show: the monolithic solution, then micro steps and communication points or, where
 * couplings share a panel, the couplings. */
typedef struct time_entry {
    char key[16];
    bool line, dot;
    text shown, shown_tex;
} time_entry;

typedef struct time_figure_network {
    const costab_results *results;
    const costab_spec *spec;
    const char *name;
    int signal_count, coupling_count;
    char *const *signals, *const *couplings;
    bool local, shared; /* values at micro steps; several couplings in one panel */
    double until;
    int panel_count;
    time_panel *panels;
    int entry_count;
    time_entry *entries;
    text legend_curves, legend_points;
    double width, height, left, right, top, bottom, gap_x, gap_y;
    int columns, rows, legend_columns;
    double legend_step;
    text data;
} time_figure_network;

#define TIME_SAMPLE_WIDTH  0.75 /* cm, of the legend */
#define TIME_SAMPLE_HEIGHT 0.28

/* The i-th entry of the legend: its lower left corner. */
void network_time_place(const time_figure_network *f, int i, double *x, double *y);

void network_time_script(const time_figure_network *f, text *script);

#endif
