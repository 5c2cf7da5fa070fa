/* Kind `comparison` of the planar system: the outlines (chart.c) of the stable sets of all schemes over each
 * other, each with the hatching or ticks of its scheme on the inside. */
#include "base/error.h"
#include "base/memory.h"
#include "figure/chart.h"

static costab_status draw(chart *c, costab_error *error) {
    const char *style = c->request->plan->axes[0].labels[c->at[0]];
    outline whole = {0};
    if (c->panel->layer_count == 0) {
        chart_quadrant(c, "quadrant");
        chart_axes(c->panel);
    }
    costab_status status = chart_outline(c, &whole, error);
    if (!status) {
        chart_boundary(c->panel, &whole, style);
        scene_put_side(c->panel, style, c->request->figure->style.plain, &whole);
    }
    outline_free(&whole);
    return status;
}

const figure_kind kind_planar_comparison = {.name = "comparison",
                                            .caption = "stability chart",
                                            .along = 2,
                                            .overlaid = true,
                                            .fault = chart_fault,
                                            .chart = draw};
