/* Grids of sweeps, of networks or of the planar system, for figures, from a results file.
 *   1. The axes of a panel: logarithmic where the values grow by one factor rather than by one step.
 *   2. All fields of use over them (codes, radii, their crossings of 1, the field that is drawn), at one
 *      index of every other axis.
 *   3. Over two axes values are transposed, where needed, so that y is the fastest. */
#include "figure/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/names.h"
#include "figure/read.h"

/* ---- Axes */

/* Whether the values grow by one factor rather than by one step: then so goes the axis. */
static bool is_geometric(const double *values, size_t count) {
    if (count < 3 || !(values[0] > 0) || values[count - 1] < 2 * values[0]) return false;
    double factor = pow(values[count - 1] / values[0], 1 / (double)(count - 1));
    for (size_t i = 1; i < count; i++)
        if (fabs(values[i] / values[i - 1] / factor - 1) > 0.1 * (factor - 1)) return false;
    return true;
}

static costab_status read_axis(const costab_plan *plan, int number, double low, grid_axis *axis,
                               costab_error *error) {
    const costab_axis *stored = &plan->axes[number];
    *axis = (grid_axis){.number = number, .count = stored->count, .values = stored->values};
    TRY(memory_make(&axis->places, axis->count, error));
    axis->log = low > 0 && is_geometric(axis->values, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        axis->places[i] = axis->log ? log10(axis->values[i]) : axis->values[i];
        if (isfinite(axis->places[i]) && (i == 0 || axis->places[i] > axis->places[i - 1])) continue;
        return error_invalid(error, "the values of the axis '%s' do not ascend", stored->name);
    }
    return COSTAB_OK;
}

static void set_axis(const figure_request *r, scene *s, const grid_axis *axis, scene_axis *to) {
    const char *name = r->plan->axes[axis->number].name;
    bool gamma = strcmp(name, "gamma") == 0, delta = strcmp(name, "delta") == 0;
    to->label = figure_axis_label(r, s, axis->number, gamma ? "Γ" : delta ? "Δ" : NULL);
    to->log = axis->log;
    const double *range = axis->number == r->x ? r->x_range : r->y_range;
    for (int k = 0; k < 2; k++) to->range[k] = axis->log ? log10(range[k]) : range[k];
}

scene_panel *grid_panel(const figure_request *r, scene *s, const figure_kind *kind, const grid_frame *frame,
                        const size_t *at) {
    scene_panel *panel = figure_panel(r, s, kind, at);
    panel->proportion = 0.9;
    set_axis(r, s, &frame->x, &panel->x);
    if (frame->y.count > 0) set_axis(r, s, &frame->y, &panel->y);
    return panel;
}

double grid_crossing(const grid_axis *axis, size_t i, const double *ones, size_t at) {
    double value = ones ? ones[at] : (double)NAN, place = !axis->log  ? value
                                                          : value > 0 ? log10(value)
                                                                      : (double)NAN;
    return place >= axis->places[i] && place <= axis->places[i + 1] ? place : (double)NAN;
}

/* ρ, or with an index; nothing where there is no symbol. */
static void put_symbol(text *to, const figure_field *of) {
    if (of->symbol != NULL) text_printf(to, NAMES_ITALIC("%s"), of->symbol);
    if (of->index != NULL) text_printf(to, NAMES_INDEX("%s"), of->index);
}

const char *grid_label(const figure_request *r, scene *s, const figure_field *of, bool symbol) {
    text label = {0};
    bool words = !symbol || of->symbol == NULL;
    if (words) text_append(&label, of->label);
    if (words && of->symbol != NULL) text_append(&label, " ");
    put_symbol(&label, of);
    const char *unit = r->plan->fields[costab_plan_field(r->plan, of->name)].unit;
    if (unit != NULL && strcmp(unit, "1") != 0) text_printf(&label, " (%s)", unit);
    return scene_keep_text(s, &label);
}

costab_status grid_frame_make(const figure_request *r, bool plane, grid_frame *frame, costab_error *error) {
    *frame = (grid_frame){.of = figure_field_find(r->of)};
    TRY(read_axis(r->plan, r->x, r->x_range[0], &frame->x, error));
    return plane ? read_axis(r->plan, r->y, r->y_range[0], &frame->y, error) : COSTAB_OK;
}

void grid_frame_free(grid_frame *frame) {
    memory_free_all(frame->x.places, frame->y.places);
}

/* ---- Grids */

/* Results have the later axis of the plan fastest, a grid y. */
static costab_status transpose(void *values, size_t size, size_t nx, size_t ny, costab_error *error) {
    if (!values) return COSTAB_OK;
    char *to = values;
    memory_local char *from = memory_alloc(nx * ny, size);
    if (!from) return error_memory(error);
    memcpy(from, to, nx * ny * size);
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++) memcpy(to + (i * ny + j) * size, from + (j * nx + i) * size, size);
    return COSTAB_OK;
}

costab_status grid_read(const figure_request *r, const grid_frame *frame, const size_t *at, size_t first,
                        size_t count, grid *g, costab_error *error) {
    const int along[2] = {frame->x.number, frame->y.number}, rank = frame->y.count > 0 ? 2 : 1;
    char ones[4][2 * COSTAB_NAME_MAX] = {""};
    for (int k = 0; k < 2 * rank; k++)
        snprintf(ones[k], sizeof ones[k], "%s_%s", k % 2 == 0 ? "level_one" : "iteration_one",
                 r->plan->axes[along[k / 2]].name);
    *g = (grid){.x = frame->x, .y = frame->y};
    g->x.count = count;
    g->x.values += first;
    g->x.places += first;
    if (strcmp(r->of, "spectral_radius") == 0) g->ones = &g->radius;
    if (strcmp(r->of, "iteration_radius") == 0) g->ones = &g->iteration;
    read_item items[] = {{"class", along, rank, .codes = &g->codes, .optional = true},
                         {"spectral_abscissa", along, rank, &g->abscissa, .optional = true},
                         {"spectral_radius", along, rank, &g->radius.values, .optional = true},
                         {ones[0], along, rank, &g->radius.one_x, .optional = true},
                         {ones[2], along, rank, &g->radius.one_y, .optional = true},
                         {"iteration_radius", along, rank, &g->iteration.values, .optional = true},
                         {ones[1], along, rank, &g->iteration.one_x, .optional = true},
                         {ones[3], along, rank, &g->iteration.one_y, .optional = true},
                         {r->of, along, rank, &g->drawn, .optional = true},
                         {"error_bound", along, rank, &g->bound, .optional = true}};
    const size_t read = sizeof items / sizeof *items - (strcmp(r->of, "error") != 0);
    for (size_t i = 0; i < read; i++) {
        items[i].first = first;
        items[i].count = count;
    }
    TRY(read_items(r->results, at, items, read, error));
    for (const read_item *i = items; i < items + read && rank == 2 && along[0] > along[1]; i++)
        TRY(transpose(i->codes ? (void *)*i->codes : (void *)*i->numbers,
                      i->codes ? sizeof **i->codes : sizeof **i->numbers, g->x.count, g->y.count, error));
    return COSTAB_OK;
}

bool grid_has_numbers(const double *values, size_t count) {
    for (size_t i = 0; values && i < count; i++)
        if (!isnan(values[i])) return true;
    return false;
}

void grid_free(grid *g) {
    memory_free_all(g->abscissa, g->radius.values, g->radius.one_x, g->radius.one_y, g->iteration.values,
                    g->iteration.one_x, g->iteration.one_y, g->drawn, g->bound, g->codes);
}
