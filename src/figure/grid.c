/* Stored fields of sweeps over one or two axes, and the panels of these axes. An axis is logarithmic if its
 * three or more values grow by a constant factor, within a tenth of the growth, to the double or more. */
#include "figure/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/names.h"
#include "figure/read.h"

/* ---- Axes */

static bool is_geometric(const double *values, size_t count) {
    if (count < 3 || !(values[0] > 0) || values[count - 1] < 2 * values[0]) return false;
    const double factor = pow(values[count - 1] / values[0], 1 / (double)(count - 1));
    for (size_t i = 1; i < count; i++)
        if (fabs(values[i] / values[i - 1] / factor - 1) > 0.1 * (factor - 1)) return false;
    return true;
}

static costab_status read_axis(const costab_plan *plan, int number, double low, grid_axis *axis,
                               costab_error *error) {
    const costab_axis *stored = &plan->axes[number];
    *axis = (grid_axis){.number = number, .count = stored->count};
    TRY(memory_make(&axis->places, axis->count, error));
    axis->log = low > 0 && is_geometric(stored->values, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        axis->places[i] = axis->log ? log10(stored->values[i]) : stored->values[i];
        if (!isfinite(axis->places[i]) || (i > 0 && !(axis->places[i] > axis->places[i - 1])))
            return error_invalid(error, "the values of the axis '%s' do not ascend", stored->name);
    }
    return COSTAB_OK;
}

costab_status grid_frame_make(const figure_request *r, bool plane, grid_frame *frame, costab_error *error) {
    *frame = (grid_frame){.of = figure_field_find(r->of)};
    TRY(read_axis(r->plan, r->x, r->x_range[0], &frame->x, error));
    return plane ? read_axis(r->plan, r->y, r->y_range[0], &frame->y, error) : COSTAB_OK;
}

void grid_frame_free(grid_frame *frame) {
    memory_free_all(frame->x.places, frame->y.places);
}

double grid_crossing(const grid_axis *axis, size_t i, const double *ones, size_t at) {
    const double value = ones ? ones[at] : (double)NAN, place = axis->log ? log10(value) : value;
    return place >= axis->places[i] && place <= axis->places[i + 1] ? place : (double)NAN;
}

/* ---- Panels */

static void set_axis(const figure_request *r, scene *s, const grid_axis *axis, scene_axis *to) {
    const double *range = axis->number == r->x ? r->x_range : r->y_range;
    to->label = figure_axis_label(r, s, axis->number);
    to->scale = figure_axis_scale(r, axis->number);
    to->log = axis->log;
    for (int k = 0; k < 2; k++) to->range[k] = axis->log ? log10(range[k]) : range[k];
}

void grid_set_axes(const figure_request *r, const grid_frame *frame, scene_panel *panel) {
    panel->proportion = 0.9;
    set_axis(r, panel->scene, &frame->x, &panel->x);
    if (frame->y.count > 0) set_axis(r, panel->scene, &frame->y, &panel->y);
}

void grid_put_missing(const grid_frame *frame, scene_panel *panel) {
    const grid_axis *x = &frame->x, *y = &frame->y;
    outline all = {0};
    scene_box(&all, x->places[0], y->places[0], x->places[x->count - 1], y->places[y->count - 1]);
    scene_put(panel, SCENE_FILL, "failed", &all);
}

const char *grid_label(const figure_request *r, scene *s, const figure_field *of, bool symbol) {
    const bool words = !symbol || of->symbol == NULL;
    const char *unit = r->plan->fields[costab_plan_field(r->plan, of->name)].unit;
    text label = {0};
    if (words) text_append(&label, of->label);
    if (words && of->symbol) text_append(&label, " ");
    if (of->symbol) text_printf(&label, NAMES_ITALIC("%s"), of->symbol);
    if (of->index) text_printf(&label, NAMES_INDEX("%s"), of->index);
    if (unit && strcmp(unit, "1") != 0) text_printf(&label, " (%s)", unit);
    return scene_keep_text(s, &label);
}

/* ---- Fields */

/* Reads a field with its crossings, stored as NAME_AXIS (NULL: none). */
static costab_status read_crossed(const figure_request *r, const size_t *at, const int *along, int rank,
                                  const char *field, const char *ones, grid_field *to, costab_error *error) {
    char names[2][2 * COSTAB_NAME_MAX] = {"", ""};
    for (int k = 0; k < rank && ones; k++)
        snprintf(names[k], sizeof names[k], "%s_%s", ones, r->plan->axes[along[k]].name);
    const read_item items[] = {{field, .numbers = &to->values, .optional = true},
                               {names[0], .numbers = &to->one_x, .optional = true},
                               {names[1], .numbers = &to->one_y, .optional = true}};
    return read_items(r->results, at, along, rank, items, 3, error);
}

costab_status grid_read(const figure_request *r, const grid_frame *frame, const size_t *at, bool classes,
                        grid *g, costab_error *error) {
    const int along[2] = {frame->x.number, frame->y.number}, rank = frame->y.count > 0 ? 2 : 1;
    /* The decay passes 0 where the spectral radius passes 1. */
    const bool radius = strcmp(r->of, "spectral_radius") == 0 || strcmp(r->of, "decay") == 0,
               iteration = strcmp(r->of, "iteration_radius") == 0;
    *g = (grid){.codes = NULL};
    if (!classes) {
        TRY(read_crossed(r, at, along, rank, r->of,
                         radius      ? "level_one"
                         : iteration ? "iteration_one"
                                     : NULL,
                         &g->of, error));
        const read_item bound = {"error_bound", .numbers = &g->bound, .optional = true};
        if (strcmp(r->of, "error") == 0) TRY(read_items(r->results, at, along, rank, &bound, 1, error));
        return g->of.values ? COSTAB_OK : read_missing(r->results, r->of, error);
    }
    const read_item items[] = {{"class", .codes = &g->codes},
                               {"spectral_abscissa", .numbers = &g->abscissa, .optional = true}};
    TRY(read_items(r->results, at, along, rank, items, 2, error));
    TRY(read_crossed(r, at, along, rank, "spectral_radius", "level_one", &g->radius, error));
    return read_crossed(r, at, along, rank, "iteration_radius", "iteration_one", &g->iteration, error);
}

void grid_free(grid *g) {
    grid_field *fields[] = {&g->radius, &g->iteration, &g->of};
    for (int k = 0; k < 3; k++) memory_free_all(fields[k]->values, fields[k]->one_x, fields[k]->one_y);
    memory_free_all(g->codes, g->abscissa, g->bound);
    *g = (grid){.codes = NULL};
}
