/* Kind `regions`: the stable set of one scheme, hatched, as in [KNS].
#include "base/memory.h"
 *   1. SS and US as areas, and the outline of the stable set, exact (chart.c). Each part of the outline has
#include "base/memory.h"
 *      the style of the condition that is an equality there.
#include "base/memory.h"
 *   2. The rest of these curves, where they bound nothing (planar/beyond.h), is thin; points of them that
#include "base/memory.h"
 *      belong to no curve are dots. */
#include "base/memory.h"
#include "figure/chart.h"
#include "planar/beyond.h"

#include "base/memory.h"
/* The zero sets where they bound nothing, and their isolated points. */
#include "base/memory.h"
static costab_status draw_beyond(chart *c, const costab_planar_slice *slice, costab_error *error) {
#include "base/memory.h"
    ends_by(costab_boundary_free) costab_boundary boundary = {0};
#include "base/memory.h"
    outline isolated = {0};
#include "base/memory.h"
    costab_status status =
#include "base/memory.h"
        costab_planar_boundary(slice->planar, slice->a, c->box.x, c->box.y, &boundary, error);
#include "base/memory.h"
    for (size_t k = 0; k < boundary.count && !status; k++) {
#include "base/memory.h"
        const costab_curve *curve = &boundary.curves[k];
#include "base/memory.h"
        outline rest = {0};
#include "base/memory.h"
        beyond_curve(slice, &c->box, curve, &rest);
#include "base/memory.h"
        if (rest.loop_count > 0) scene_mention(c->panel->scene, chart_cause_style(curve->cause, false));
#include "base/memory.h"
        scene_put(c->panel, SCENE_CURVE, chart_cause_style(curve->cause, true), &rest);
#include "base/memory.h"
        if (curve->count == 1) outline_add_point(&isolated, curve->gamma[0], curve->delta[0], OUTLINE_CUT);
#include "base/memory.h"
    }
#include "base/memory.h"
    scene_put_points(c->panel, "isolated", &isolated);
#include "base/memory.h"
    return status;
#include "base/memory.h"
}
#include "base/memory.h"

#include "base/memory.h"
static costab_status draw(chart *c, costab_error *error) {
#include "base/memory.h"
    costab_planar_slice slice = costab_planar_at(&c->planars[0], c->a);
#include "base/memory.h"
    ends_by(outline_free) outline whole = {0};
#include "base/memory.h"
    chart_quadrant(c, "quadrant");
#include "base/memory.h"
    costab_status status = chart_classes(c, &slice, NULL, error);
#include "base/memory.h"
    chart_axes(c->panel);
#include "base/memory.h"
    if (!status) status = draw_beyond(c, &slice, error);
#include "base/memory.h"
    if (!status) status = outline_trace(&slice, &c->box, CHART_TOLERANCE, &whole, error);
#include "base/memory.h"
    chart_boundary(c->panel, &whole, NULL);
#include "base/memory.h"
    return status;
#include "base/memory.h"
}
#include "base/memory.h"

#include "base/memory.h"
const figure_kind kind_regions = {
#include "base/memory.h"
    .name = "regions", .caption = "stability chart", .along = 2, .fault = chart_fault, .chart = draw};
#include "base/memory.h"
