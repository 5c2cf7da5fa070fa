/* Kind `comparison` of the planar system: the stable sets of all schemes over each other. */
#include "figure/chart.h"

static costab_status draw(chart *c, costab_error *error) {
    costab_status status = chart_quadrant(c, "quadrant", error);
    if (!status) status = chart_axes(c->s, c->panel, error);
    for (int s = 0; s < c->scheme_count && !status; s++) {
        costab_planar_slice slice = costab_planar_at(&c->planars[s], c->a);
        const char *style = costab_scheme_name(c->schemes[s]);
        outline whole = {0};
        status = outline_trace(&slice, &c->box, CHART_TOLERANCE, &whole, error);
        if (!status) status = chart_boundary(c->s, c->panel, &whole, style, error);
        scene_put_side(c->s, c->panel, style, c->plain, &whole);
    }
    return status;
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    return chart_panels(r, s, &kind_planar_comparison, "stability chart", draw, error);
}

const figure_kind kind_planar_comparison = {.name = "comparison",
                                            .over = "scheme",
                                            .along = 2,
                                            .overlaid = true,
                                            .fault = chart_fault,
                                            .build = build};
