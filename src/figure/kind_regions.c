/* Kind `regions`: the stable set of one scheme, hatched, as in [KNS].
 *   1. SS and US as areas, and the outline of the stable set (chart.c). Each part of the outline has the
 *      style of the condition that is an equality there.
 *   2. The rest of these curves, where they bound nothing, is thin; points of them that belong to no curve
 *      are dots. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/chart.h"
#include "figure/clip.h"
#include "figure/read.h"

/* The conditions where they bound nothing: NaN parts the curves, and a single point is an isolated one. */
static costab_status draw_beyond(chart *c, costab_error *error) {
    const figure_request *r = c->request;
    const int along = costab_plan_axis(r->plan, "beyond");
    const size_t count = figure_values(r, "beyond");
    memory_local double *x = NULL, *y = NULL;
    memory_local uint8_t *cause = NULL;
    const read_item items[] = {{"beyond_x", &along, 1, .numbers = &x},
                               {"beyond_y", &along, 1, .numbers = &y},
                               {"beyond_cause", &along, 1, .codes = &cause}};
    TRY(read_items(r->results, c->at, items, sizeof items / sizeof *items, error));
    outline isolated = {0}, curves[CHART_CAUSES] = {{0}};
    for (size_t from = 0, to; from < count; from = to + 1) {
        for (to = from; to < count && !isnan(x[to]);) to++;
        if (to == from || cause[from] >= CHART_CAUSES) continue;
        clip_polyline(&x[from], &y[from], to - from, &c->box, &curves[cause[from]]);
        if (to - from == 1 && scene_shows(c->panel, x[from], y[from]))
            outline_add_point(&isolated, x[from], y[from], OUTLINE_CUT);
    }
    for (uint8_t k = 0; k < CHART_CAUSES; k++) {
        if (curves[k].loop_count > 0) scene_mention(c->panel->scene, chart_cause_style(k, false));
        scene_put(c->panel, SCENE_CURVE, chart_cause_style(k, true), &curves[k]);
    }
    scene_put_points(c->panel, "isolated", &isolated);
    return COSTAB_OK;
}

static costab_status draw(chart *c, costab_error *error) {
    ends_by(outline_free) outline whole = {0};
    TRY(chart_outline(c, &whole, error));
    chart_quadrant(c, "quadrant");
    chart_classes(c, &whole, NULL, NULL);
    chart_axes(c->panel);
    TRY(draw_beyond(c, error));
    chart_boundary(c->panel, &whole, NULL);
    return COSTAB_OK;
}

const figure_kind kind_regions = {
    .name = "regions", .caption = "stability chart", .along = 2, .fault = chart_fault, .chart = draw};
