/* Kind `comparison` of the planar system: the exact outlines (chart.c) of the stable sets of all schemes
 * over each other, each with the hatching or ticks of its scheme on the inside. */
#include "base/error.h"
#include "base/memory.h"
#include "figure/chart.h"

static costab_status draw(chart *c, costab_error *error) {
    chart_quadrant(c, "quadrant");
    chart_axes(c->panel);
    for (int s = 0; s < c->scheme_count; s++) {
        costab_planar_slice slice = costab_planar_at(&c->planars[s], c->a);
        const char *style = costab_scheme_name(c->schemes[s]);
        ends_by(outline_free) outline whole = {0};
        TRY(outline_trace(&slice, &c->box, CHART_TOLERANCE, &whole, error));
        chart_boundary(c->panel, &whole, style);
        scene_put_side(c->panel, style, c->plain, &whole);
    }
    return COSTAB_OK;
}

const figure_kind kind_planar_comparison = {.name = "comparison",
                                            .caption = "stability chart",
                                            .along = 2,
                                            .overlaid = true,
                                            .fault = chart_fault,
                                            .chart = draw};
