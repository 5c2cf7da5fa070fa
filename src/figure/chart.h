/* figure/chart.h - what the charts of the planar system share: panels over Gamma and Delta, and their layers,
 * from the outlines that the sweep stored. */
#pragma once

#include "figure/kinds.h"

/* Codes of the fields boundary_cause and beyond_cause: the condition that is an equality. */
enum { CHART_DET = 1, CHART_FOLD = 2, CHART_FLIP = 4, CHART_ITERATION = 8, CHART_CAUSES = 9 };

typedef struct chart {
    const figure_request *request;
    scene_panel *panel;
    outline_box box;            /* the panel's window */
    size_t at[COSTAB_AXES_MAX]; /* the index along each axis that is not drawn */
} chart;

/* Adds a panel for each value of a and, unless the kind overlays them, each scheme, and lets the kind's
 * `chart` fill it, scheme by scheme. */
costab_status chart_panels(const figure_request *request, scene *s, const figure_kind *kind,
                           costab_error *error);

/* Why a sweep cannot be drawn as a chart; NULL if it can. */
const char *chart_fault(const figure_request *request);

/* The outline of the stable set in the window. */
costab_status chart_outline(const chart *c, outline *whole, costab_error *error);

/* Layers: where the continuous system is stable; axes through the origin; SS and US, whose outlines are
 * appended to *ss and *us (NULL: not wanted); the boundary of a stable set in one style, or (NULL) by what it
 * is. */
void chart_quadrant(chart *c, const char *style);
void chart_axes(scene_panel *panel);
void chart_classes(chart *c, const outline *whole, outline *ss, outline *us);
void chart_boundary(scene_panel *panel, const outline *whole, const char *style);

/* The style of a cause; `beyond`: where it bounds nothing. */
const char *chart_cause_style(uint8_t cause, bool beyond);
