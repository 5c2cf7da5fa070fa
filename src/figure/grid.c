/* Reading grids of network sweeps. */
#include "figure/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/read.h"
#include "figure/rich.h"

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
    axis->places = memory_alloc(axis->count, sizeof *axis->places);
    if (!axis->places) return error_memory(error);
    axis->log = low > 0 && is_geometric(axis->values, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        axis->places[i] = axis->log ? log10(axis->values[i]) : axis->values[i];
        if (isfinite(axis->places[i]) && (i == 0 || axis->places[i] > axis->places[i - 1])) continue;
        return error_set(error, COSTAB_INVALID, "the values of the axis '%s' do not ascend", stored->name);
    }
    return COSTAB_OK;
}

void grid_set_axis(const figure_request *r, scene *s, const grid_axis *axis, scene_axis *to) {
    const char *name = r->plan->axes[axis->number].name;
    bool gamma = strcmp(name, "gamma") == 0, delta = strcmp(name, "delta") == 0;
    to->label = figure_axis_label(r, s, axis->number, gamma ? "Γ" : delta ? "Δ" : NULL);
    to->log = axis->log;
    const double *range = axis->number == r->x ? r->x_range : r->y_range;
    for (int k = 0; k < 2; k++) to->range[k] = axis->log ? log10(range[k]) : range[k];
}

/* ρ, or with an index; nothing where there is no symbol. */
static void put_symbol(text *to, const network_field *of) {
    if (of->symbol != NULL) text_printf(to, RICH_ITALIC("%s"), of->symbol);
    if (of->index != NULL) text_printf(to, RICH_INDEX("%s"), of->index);
}

/* Of the planar system's map; its spectral radius is that of networks. */
static const network_field planar[] = {
    {.name = "trace", .unit = "", .label = "trace of the map", .reference = true},
    {.name = "determinant", .unit = "", .label = "determinant of the map", .reference = true},
};

const network_field *grid_find_field(const char *name) {
    for (size_t k = 0; k < sizeof planar / sizeof *planar; k++)
        if (strcmp(planar[k].name, name) == 0) return &planar[k];
    return network_field_find(name);
}

const char *grid_label(scene *s, const network_field *of, bool symbol) {
    text label = {0};
    bool words = !symbol || of->symbol == NULL;
    if (words) text_append(&label, of->label);
    if (words && of->symbol != NULL) text_append(&label, " ");
    put_symbol(&label, of);
    if (of->unit[0] != '\0') text_printf(&label, " (%s)", of->unit);
    return scene_keep_text(s, &label);
}

costab_status grid_frame_make(const figure_request *r, bool plane, grid_frame *frame, costab_error *error) {
    *frame = (grid_frame){.of = grid_find_field(r->of)};
    costab_status status = read_axis(r->plan, r->x, r->x_range[0], &frame->x, error);
    return status || !plane ? status : read_axis(r->plan, r->y, r->y_range[0], &frame->y, error);
}

void grid_frame_free(grid_frame *frame) {
    memory_free_all(frame->x.places, frame->y.places);
}

/* ---- Grids */

typedef struct reader {
    const figure_request *request;
    const size_t *at;
    int along[2], rank;
} reader;

static costab_status read_values(const reader *w, const char *field, double **values, costab_error *error) {
    return read_field(w->request->results, field, COSTAB_F64, w->at, w->along, w->rank, (void **)values,
                      error);
}

/* A radius, and the crossings of its level 1 along each axis. */
static costab_status read_radius(const reader *w, const char *field, const char *crossings,
                                 grid_radius *radius, costab_error *error) {
    costab_status status = read_values(w, field, &radius->values, error);
    for (int k = 0; k < w->rank && !status; k++) {
        char name[2 * COSTAB_NAME_MAX];
        snprintf(name, sizeof name, "%s_%s", crossings, w->request->plan->axes[w->along[k]].name);
        status = read_values(w, name, k == 0 ? &radius->one_x : &radius->one_y, error);
    }
    return status;
}

/* Results have the later axis of the plan fastest, a grid y. */
static costab_status transpose(void *values, size_t size, size_t nx, size_t ny, costab_error *error) {
    if (!values) return COSTAB_OK;
    char *from = memory_alloc(nx * ny, size), *to = values;
    if (!from) return error_memory(error);
    memcpy(from, to, nx * ny * size);
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++) memcpy(to + (i * ny + j) * size, from + (j * nx + i) * size, size);
    memory_free(from);
    return COSTAB_OK;
}

static costab_status turn(grid *g, costab_error *error) {
    double *all[] = {
        g->abscissa,        g->radius.values,   g->radius.one_x, g->radius.one_y, g->iteration.values,
        g->iteration.one_x, g->iteration.one_y, g->drawn,        g->bound};
    costab_status status = transpose(g->codes, 1, g->x.count, g->y.count, error);
    if (!status) status = transpose(g->certificates, 1, g->x.count, g->y.count, error);
    for (size_t k = 0; k < sizeof all / sizeof *all && !status; k++)
        status = transpose(all[k], sizeof *all[k], g->x.count, g->y.count, error);
    return status;
}

costab_status grid_read(const figure_request *r, const grid_frame *frame, const size_t *at, grid *g,
                        costab_error *error) {
    const reader w = {r, at, {frame->x.number, frame->y.number}, frame->y.count > 0 ? 2 : 1};
    *g = (grid){.x = frame->x, .y = frame->y};
    if (strcmp(r->of, "spectral_radius") == 0) g->ones = &g->radius;
    if (strcmp(r->of, "iteration_radius") == 0) g->ones = &g->iteration;
    costab_status status =
        read_field(r->results, "class", COSTAB_U8, at, w.along, w.rank, (void **)&g->codes, error);
    if (!status)
        status = read_field(r->results, figure_has_field(r, "cause") ? "cause" : "certificate", COSTAB_U8, at,
                            w.along, w.rank, (void **)&g->certificates, error);
    if (!status) status = read_values(&w, "spectral_abscissa", &g->abscissa, error);
    if (!status) status = read_radius(&w, "spectral_radius", "level_one", &g->radius, error);
    if (!status) status = read_radius(&w, "iteration_radius", "iteration_one", &g->iteration, error);
    if (!status) status = read_values(&w, r->of, &g->drawn, error);
    if (!status && strcmp(r->of, "error") == 0) status = read_values(&w, "error_bound", &g->bound, error);
    return status || w.rank == 1 || frame->x.number < frame->y.number ? status : turn(g, error);
}

bool grid_has_numbers(const double *values, size_t count) {
    for (size_t i = 0; values && i < count; i++)
        if (!isnan(values[i])) return true;
    return false;
}

void grid_free(grid *g) {
    memory_free_all(g->abscissa, g->radius.values, g->radius.one_x, g->radius.one_y, g->iteration.values,
                    g->iteration.one_x, g->iteration.one_y, g->drawn, g->bound);
    memory_free_all(g->codes, g->certificates);
}
