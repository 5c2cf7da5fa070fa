/* The lines on which a field of a network sweep has its limit, such as spectral radius 1, as coordinates for
 * Python and exports: the lines of the figure `contour`, in values, with the axes in the plan's order. Cost
 * and limitations: plane.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/figure.h"
#include "figure/plane.h"

typedef struct level_search {
    costab_levels *levels;
    bool turned; /* the horizontal axis is the later one of the plan */
} level_search;

static costab_status add_line(const plane *w, const level_search *search, const outline *lines,
                              const outline_run *run, costab_error *error) {
    costab_levels *levels = search->levels;
    TRY(memory_reserve(&levels->lines, &levels->capacity, levels->count + 1, error));
    double *values;
    TRY(memory_make(&values, 2 * run->count, error));
    costab_level *line = &levels->lines[levels->count++];
    *line = (costab_level){.closed = run->closed, .count = run->count, .x = values, .y = values + run->count};
    memcpy(line->at, w->at, sizeof line->at);
    for (size_t i = 0; i < run->count; i++) {
        const outline_point *p = &lines->points[run->first + i];
        const double x = w->frame->x.log ? pow(10, p->x) : p->x, y = w->frame->y.log ? pow(10, p->y) : p->y;
        line->x[i] = search->turned ? y : x;
        line->y[i] = search->turned ? x : y;
    }
    return COSTAB_OK;
}

static costab_status find_lines(plane *w, void *context, costab_error *error) {
    ends_by(outline_free) outline region = {0}, lines = {0};
    TRY(plane_below(w, w->frame->of->limit, &region, error));
    outline_curves(&region, false, &lines);
    if (lines.failed) return error_memory(error);
    for (size_t l = 0; l < lines.loop_count; l++) TRY(add_line(w, context, &lines, &lines.loops[l], error));
    return COSTAB_OK;
}

static costab_status check(const costab_plan *plan, const char *field, costab_error *error) {
    int wide = 0;
    if (plan->axis_count == 0 || strcmp(plan->axes[0].name, "coupling") != 0)
        return error_invalid(error, "the results are no sweep of a network");
    for (int k = 1; k < plan->swept; k++) wide += plan->axes[k].count > 1 && plan->axes[k].values;
    if (costab_plan_field(plan, field) < 0 || wide < 2)
        return error_invalid(error,
                             "the results have no field '%s' over two axes of several values; sweep "
                             "a network with `fields: [%s]` over two axes",
                             field, field);
    return COSTAB_OK;
}

costab_status costab_levels_find(const costab_results *results, const char *field, costab_levels *levels,
                                 costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    figure_request r;
    *levels = (costab_levels){.count = 0};
    memory_local_array(costab_figure, figure, 1, error);
    if (field == NULL) field = "spectral_radius";
    figure->kind_count = 1;
    (void)text_format(figure->kinds[0].word, sizeof figure->kinds[0].word, "contour");
    (void)text_format(figure->of.word, sizeof figure->of.word, "%s", field);
    TRY(check(plan, field, error));
    TRY(figure_request_make(figure, plan, costab_results_spec_path(results), &r, error));
    r.results = results;
    TRY(grid_frame_make(&r, true, &frame, error));
    level_search search = {levels, frame.x.number > frame.y.number};
    levels->x = search.turned ? frame.y.number : frame.x.number;
    levels->y = search.turned ? frame.x.number : frame.y.number;
    const plane like = {.request = &r, .kind = &kind_contour, .linear = frame.of->limit < 1};
    return planes_draw(&like, &frame, find_lines, &search, error);
}

void costab_levels_free(costab_levels *levels) {
    for (size_t l = 0; l < levels->count; l++) memory_free(levels->lines[l].x);
    memory_free(levels->lines);
    *levels = (costab_levels){.count = 0};
}
