/* Kind `regions`: the stable set of one scheme, hatched, as in [KNS].
 *   1. SS and US as areas, and the outline of the stable set, exact (chart.c). Each part of the outline has
 *      the style of the condition that is an equality there.
 *   2. The rest of these curves, where they bound nothing (planar/beyond.h), is thin; points of them that
 *      belong to no curve are dots. */
#include "base/error.h"
#include "base/memory.h"
#include "figure/chart.h"
#include "planar/beyond.h"

/* The zero sets where they bound nothing, and their isolated points. */
static costab_status draw_beyond(chart *c, const costab_planar_slice *slice, costab_error *error) {
    ends_by(costab_boundary_free) costab_boundary boundary = {0};
    outline isolated = {0};
    TRY(costab_planar_boundary(slice->planar, slice->a, c->box.x, c->box.y, &boundary, error));
    for (size_t k = 0; k < boundary.count; k++) {
        const costab_curve *curve = &boundary.curves[k];
        outline rest = {0};
        beyond_curve(slice, &c->box, curve, &rest);
        if (rest.loop_count > 0) scene_mention(c->panel->scene, chart_cause_style(curve->cause, false));
        scene_put(c->panel, SCENE_CURVE, chart_cause_style(curve->cause, true), &rest);
        if (curve->count == 1) outline_add_point(&isolated, curve->gamma[0], curve->delta[0], OUTLINE_CUT);
    }
    scene_put_points(c->panel, "isolated", &isolated);
    return COSTAB_OK;
}

static costab_status draw(chart *c, costab_error *error) {
    costab_planar_slice slice = costab_planar_at(&c->planars[0], c->a);
    ends_by(outline_free) outline whole = {0};
    chart_quadrant(c, "quadrant");
    TRY(chart_classes(c, &slice, NULL, NULL, error));
    chart_axes(c->panel);
    TRY(draw_beyond(c, &slice, error));
    TRY(outline_trace(&slice, &c->box, CHART_TOLERANCE, &whole, error));
    chart_boundary(c->panel, &whole, NULL);
    return COSTAB_OK;
}

const figure_kind kind_regions = {
    .name = "regions", .caption = "stability chart", .along = 2, .fault = chart_fault, .chart = draw};
