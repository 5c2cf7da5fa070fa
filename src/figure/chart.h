/* figure/chart.h - what the charts of the planar system share: panels over Gamma and Delta, and their layers.
 */
#pragma once

#include "figure/kinds.h"

#define CHART_TOLERANCE 1e-5 /* of the window, for straight segments */

typedef struct chart {
    scene_panel *panel;
    bool plain;      /* without hatching */
    outline_box box; /* the panel's window */
    double a;
    int scheme_count;
    costab_scheme schemes[COSTAB_SCHEME_COUNT];
    costab_planar planars[COSTAB_SCHEME_COUNT]; /* of each scheme of the panel */
} chart;

/* Adds a panel for each value of a and, unless the kind overlays them, each scheme, and lets the kind's
 * `chart` fill it. */
costab_status chart_panels(const figure_request *request, scene *s, const figure_kind *kind,
                           costab_error *error);

/* Why a sweep cannot be drawn as a chart; NULL if it can. */
const char *chart_fault(const figure_request *request);

/* Layers: where the continuous system is stable; axes through the origin; SS and US, whose outlines are
 * appended to *ss and *us (NULL: not wanted); the boundary of a stable set in one style, or (NULL) by what it
 * is. */
void chart_quadrant(chart *c, const char *style);
void chart_axes(scene_panel *panel);
costab_status chart_classes(chart *c, const costab_planar_slice *slice, outline *ss, outline *us,
                            costab_error *error);
void chart_boundary(scene_panel *panel, const outline *whole, const char *style);

/* The style of a cause; `beyond`: where it bounds nothing. */
const char *chart_cause_style(uint8_t cause, bool beyond);
