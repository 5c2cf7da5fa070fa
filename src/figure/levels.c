/* The lines on which a field of a network sweep has its limit (such as spectral radius 1), as coordinates:
 *   1. The figure `contour` of the field is asked for, without a scene.
 *   2. Of each panel the line of the cut at the limit is traced (plane.c).
 *   3. Its points are turned into the plan's order of axes, and from logarithms to values.
 * Cost and limits: those of plane.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/figure.h"
#include "figure/plane.h"

/* The plane comes first: `draw` gets a copy of it, and finds the levels through its request. */
typedef struct level_request {
    figure_request request;
    costab_levels *levels;
    double limit; /* of the field */
    bool turned;  /* the plane's x is the later axis of the plan */
} level_request;

static double value_of(const grid_axis *axis, double place) {
    return axis->log ? pow(10, place) : place;
}

static void add_line(plane *w, const level_request *r, const outline *lines, const outline_run *run) {
    costab_levels *levels = r->levels;
    bool room = memory_grows(&levels->lines, &levels->capacity, levels->count + 1);
    double *values = room ? memory_alloc(2 * run->count, sizeof *values) : NULL;
    if (!values) {
        w->status = error_memory(w->error);
        return;
    }
    costab_level *line = &levels->lines[levels->count++];
    *line = (costab_level){.closed = run->closed, .count = run->count, .x = values, .y = values + run->count};
    memcpy(line->at, w->at, sizeof line->at);
    for (size_t i = 0; i < run->count; i++) {
        const outline_point *p = &lines->points[run->first + i];
        double x = value_of(&w->frame->x, p->x), y = value_of(&w->frame->y, p->y);
        line->x[i] = r->turned ? y : x;
        line->y[i] = r->turned ? x : y;
    }
}

static void draw(plane *w) {
    const level_request *r = (const level_request *)w->request;
    ends_by(outline_free) outline lines = {0};
    plane_cut_level(w, r->limit);
    plane_trace(w);
    cell_line(&w->chords[0], &lines);
    for (size_t l = 0; l < lines.loop_count && !w->status; l++) add_line(w, r, &lines, &lines.loops[l]);
    if (lines.failed && !w->status) w->status = error_memory(w->error);
}

/* What the results lack, in words of their own: nothing is drawn here. */
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
    level_request r = {.levels = levels};
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    *levels = (costab_levels){.count = 0};
    memory_local_array(costab_figure, figure, 1, error);
    if (field == NULL) field = "spectral_radius";
    figure->kind_count = 1;
    (void)text_format(figure->kinds[0].word, sizeof figure->kinds[0].word, "contour");
    (void)text_format(figure->of.word, sizeof figure->of.word, "%s", field);
    TRY(check(costab_results_plan(results), field, error));
    TRY(figure_request_make(figure, costab_results_plan(results), costab_results_spec_path(results),
                            &r.request, error));
    r.request.results = results;
    TRY(grid_frame_make(&r.request, true, &frame, error));
    plane w = {.request = &r.request, .kind = &kind_contour, .frame = &frame, .plain = frame.of->limit < 1};
    r.limit = frame.of->limit;
    r.turned = frame.x.number > frame.y.number;
    levels->x = r.turned ? frame.y.number : frame.x.number;
    levels->y = r.turned ? frame.x.number : frame.y.number;
    return planes_draw(&w, draw, error);
}

void costab_levels_free(costab_levels *levels) {
    for (size_t l = 0; l < levels->count; l++) memory_free(levels->lines[l].x);
    memory_free(levels->lines);
    *levels = (costab_levels){.count = 0};
}
