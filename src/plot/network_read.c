/* What a figure of a network sweep draws, from the results file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/network.h"

double network_value(const network_axis *axis, double place) {
    return axis->log ? pow(10, place) : place;
}

/* Whether the values grow by one factor rather than by one step: then so goes the axis. */
static bool is_geometric(const double *values, size_t count) {
    if (count < 3 || !(values[0] > 0) || values[count - 1] < 2 * values[0]) return false;
    double factor = pow(values[count - 1] / values[0], 1 / (double)(count - 1));
    for (size_t i = 1; i < count; i++)
        if (fabs(values[i] / values[i - 1] / factor - 1) > 0.1 * (factor - 1)) return false;
    return true;
}

static costab_status read_axis(const costab_plan *plan, int number, network_axis *axis, costab_error *error) {
    const costab_axis *stored = &plan->axes[number];
    *axis = (network_axis){.number = number, .count = stored->count, .values = stored->values};
    axis->places = memory_alloc(axis->count, sizeof *axis->places);
    if (!axis->places) return error_memory(error);
    axis->log = is_geometric(axis->values, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        axis->places[i] = axis->log ? log10(axis->values[i]) : axis->values[i];
        if (isfinite(axis->places[i]) && (i == 0 || axis->places[i] > axis->places[i - 1])) continue;
        return error_set(error, COSTAB_INVALID, "the values of the axis '%s' do not ascend", stored->name);
    }
    return COSTAB_OK;
}

/* A coupling and a value of the second axis for every curve. */
static costab_status label_curves(network_figure *f, const costab_axis *second, costab_error *error) {
    size_t couplings = (size_t)f->coupling_count, count = couplings * second->count;
    char *const *names = f->couplings;
    f->labels = memory_alloc(count, sizeof *f->labels);
    f->label_words = memory_alloc(count, sizeof *f->label_words);
    if (!f->labels || !f->label_words) return error_memory(error);
    f->coupling_count = (int)count;
    f->couplings = f->label_words;
    f->second_count = second->count;
    for (size_t i = 0; i < count; i++) {
        if (couplings > 1) text_printf(&f->labels[i], "%s, ", names[i / second->count]);
        text_printf(&f->labels[i], "%s = %.6g", second->name, second->values[i % second->count]);
        if (f->labels[i].failed) return error_memory(error);
        f->label_words[i] = f->labels[i].data;
    }
    return COSTAB_OK;
}

static costab_status read_axes(network_figure *f, costab_error *error) {
    const costab_plan *plan = costab_results_plan(f->results);
    int wide[COSTAB_AXES_MAX], count = 0;
    bool grid = f->kinds[0] != NETWORK_CURVE;
    if (plan->axis_count < 2 || !plan->axes[0].labels)
        return error_set(error, COSTAB_INVALID, "%s: the results are not those of a network sweep",
                         costab_results_spec_path(f->results));
    f->coupling_count = (int)plan->axes[0].count;
    f->couplings = plan->axes[0].labels;
    f->second_count = 1;
    for (int i = 1; i < plan->swept; i++)
        if (plan->axes[i].values && plan->axes[i].count > 1) wide[count++] = i;
    if (count != 2 && (grid || count != 1))
        return error_set(error, COSTAB_INVALID,
                         "%s: a figure of kind '%s' needs %s of several values, the sweep has %d",
                         costab_results_spec_path(f->results), f->spec->figure.kinds[0].word,
                         grid ? "two axes" : "one axis or two", count);
    /* Curves go along the longer axis. */
    int along = !grid && count == 2 && plan->axes[wide[0]].count < plan->axes[wide[1]].count;
    costab_status status = read_axis(plan, wide[along], &f->x, error);
    if (!status && grid) status = read_axis(plan, wide[1], &f->y, error);
    if (status || grid || count == 1) return status;
    f->second = wide[!along];
    return label_curves(f, &plan->axes[f->second], error);
}

/* A field of one coupling; *values stays NULL where it is not stored. */
static costab_status read_field(const network_figure *f, const char *name, int coupling, costab_type type,
                                void **values, costab_error *error) {
    const costab_plan *plan = costab_results_plan(f->results);
    for (int i = 0; i < plan->field_count; i++) {
        const costab_field *field = &plan->fields[i];
        size_t start[COSTAB_AXES_MAX] = {0}, count[COSTAB_AXES_MAX], total = 1;
        if (strcmp(field->name, name) != 0 || field->type != type) continue;
        for (int r = 0; r < field->rank; r++) {
            int axis = field->axes[r];
            bool along = axis == f->x.number || (f->y.count > 0 && axis == f->y.number);
            count[r] = along ? plan->axes[axis].count : 1;
            if (axis == 0) start[r] = (size_t)coupling / f->second_count;
            if (axis > 0 && axis == f->second) start[r] = (size_t)coupling % f->second_count;
            total *= count[r];
        }
        if (total != f->x.count * (f->y.count > 0 ? f->y.count : 1)) continue;
        *values = memory_alloc(total, costab_type_size(type));
        if (!*values) return error_memory(error);
        return costab_results_read(f->results, i, start, count, *values, error);
    }
    return COSTAB_OK;
}

/* A radius with its crossings of 1, which stand in fields PREFIX_AXIS. */
static costab_status read_radius(const network_figure *f, const char *name, const char *prefix, int coupling,
                                 network_radius *radius, costab_error *error) {
    costab_status status =
        name ? read_field(f, name, coupling, COSTAB_F64, (void **)&radius->values, error) : COSTAB_OK;
    for (int k = 0; k < (f->y.count > 0 ? 2 : 1) && !status; k++) {
        char one[2 * COSTAB_NAME_MAX];
        int axis = k == 0 ? f->x.number : f->y.number;
        snprintf(one, sizeof one, "%s_%s", prefix, costab_results_plan(f->results)->axes[axis].name);
        status = read_field(f, one, coupling, COSTAB_F64, (void **)(k == 0 ? &radius->one_x : &radius->one_y),
                            error);
    }
    return status;
}

static costab_status read_plane(network_figure *f, int coupling, costab_error *error) {
    network_grid *g = &f->grids[coupling];
    costab_status status = read_field(f, "class", coupling, COSTAB_U8, (void **)&g->codes, error);
    if (!status)
        status = read_field(f, "spectral_abscissa", coupling, COSTAB_F64, (void **)&g->abscissa, error);
    if (!status) status = read_radius(f, "spectral_radius", "level_one", coupling, &g->radius, error);
    if (!status) status = read_radius(f, "iteration_radius", "iteration_one", coupling, &g->iteration, error);
    return status;
}

/* The curve's own values, and the crossings of the radius that it shows. */
static costab_status read_curve(network_figure *f, int coupling, costab_error *error) {
    network_grid *g = &f->grids[coupling];
    unsigned flag = 1U << f->of;
    costab_status status =
        read_field(f, costab_network_field_name(f->of), coupling, COSTAB_F64, (void **)&g->drawn, error);
    if (!status && flag == COSTAB_NETWORK_SPECTRAL_RADIUS)
        status = read_radius(f, NULL, "level_one", coupling, &g->radius, error);
    if (!status && flag == COSTAB_NETWORK_ITERATION_RADIUS)
        status = read_radius(f, NULL, "iteration_one", coupling, &g->radius, error);
    if (!status && flag == COSTAB_NETWORK_ERROR)
        status = read_field(f, "error_bound", coupling, COSTAB_F64, (void **)&g->bound, error);
    return status;
}

const network_radius *network_contoured(const network_figure *f, const network_grid *grid) {
    return 1U << f->of == COSTAB_NETWORK_ITERATION_RADIUS ? &grid->iteration : &grid->radius;
}

bool network_has_values(const network_figure *f, int coupling, network_kind kind) {
    const network_grid *g = &f->grids[coupling];
    const double *values = kind == NETWORK_CURVE ? g->drawn : network_contoured(f, g)->values;
    if (kind == NETWORK_CLASSES || !values) return true;
    for (size_t i = 0; i < g->nx * g->ny; i++)
        if (!isnan(values[i])) return true;
    return 1U << f->of != COSTAB_NETWORK_ITERATION_RADIUS;
}

static costab_status read_grid(network_figure *f, int coupling, costab_error *error) {
    network_grid *g = &f->grids[coupling];
    g->nx = f->x.count;
    g->ny = f->y.count > 0 ? f->y.count : 1;
    costab_status status = f->y.count > 0 ? read_plane(f, coupling, error) : read_curve(f, coupling, error);
    for (int k = 0; k < f->kind_count && !status; k++) {
        network_kind kind = f->kinds[k];
        bool there = kind == NETWORK_CLASSES ? g->codes != NULL
                     : kind == NETWORK_CURVE ? g->drawn != NULL
                                             : network_contoured(f, g)->values != NULL;
        const char *name = costab_network_field_name(kind == NETWORK_CLASSES ? 0 : f->of);
        if (!there)
            status =
                error_set(error, COSTAB_INVALID, "%s: the results have no field '%s', which the figure draws",
                          costab_results_spec_path(f->results), name);
    }
    return status;
}

costab_status network_read(network_figure *f, costab_error *error) {
    costab_status status = read_axes(f, error);
    if (status) return status;
    f->grids = memory_alloc((size_t)f->coupling_count, sizeof *f->grids);
    if (!f->grids) return error_memory(error);
    for (int c = 0; c < f->coupling_count && !status; c++) status = read_grid(f, c, error);
    if (!status && f->y.count == 0) f->y.log = network_curve_log(f);
    return status;
}

/* ---- Levels */

static int by_value(const void *p, const void *q) {
    const double *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

/* The radii between which nearly all are: the outer hundredths do not count. */
static costab_status radius_range(const network_figure *f, double *range, costab_error *error) {
    size_t points = f->x.count * f->y.count, count = 0;
    double *all = memory_alloc(points * (size_t)f->coupling_count, sizeof *all);
    if (!all) return error_memory(error);
    for (int c = 0; c < f->coupling_count; c++) {
        const double *values = network_contoured(f, &f->grids[c])->values;
        for (size_t i = 0; i < points; i++)
            if (!isnan(values[i])) all[count++] = values[i];
    }
    qsort(all, count, sizeof *all, by_value);
    range[0] = count > 0 ? all[count / 100] : 1;
    range[1] = count > 0 ? all[count - 1 - count / 100] : 1;
    memory_free(all);
    return COSTAB_OK;
}

/* The least of 1, 2, 5, 10, ... times a power of ten that is not less. */
static double round_step(double least) {
    double decade = pow(10, floor(log10(least)));
    for (int i = 0; i < 3; i++) {
        double step = decade * (i == 0 ? 1 : i == 1 ? 2 : 5);
        if (step >= least * (1 - 1e-9)) return step;
    }
    return 10 * decade;
}

#define EACH_SIDE    5    /* levels below 1, and above it */
#define SMALLEST     1e-4 /* part of 1 on either side that is worth levels */
#define STEPS_UP_TO  3.0  /* farther up levels are apart by factors */
#define NOTHING_NEAR 1e-9

costab_status network_choose_levels(network_figure *f, costab_error *error) {
    static const double far[][6] = {
        {1.5, 2, 3, 5, 10, 20}, {2, 5, 10, 20, 50, 100}, {2, 10, 100, 1e3, 1e4, 1e6}};
    double range[2] = {1, 1};
    costab_status status = radius_range(f, range, error);
    if (status) return status;
    f->level_count = 0;
    if (1 - range[0] > SMALLEST) {
        double step = round_step((1 - range[0]) / EACH_SIDE);
        for (int k = EACH_SIDE; k >= 1; k--)
            if (1 - k * step > fmax(range[0], NOTHING_NEAR)) f->levels[f->level_count++] = 1 - k * step;
    }
    f->level_one = f->level_count;
    f->levels[f->level_count++] = 1;
    if (range[1] - 1 > SMALLEST && range[1] <= STEPS_UP_TO) {
        double step = round_step((range[1] - 1) / EACH_SIDE);
        for (int k = 1; k <= EACH_SIDE; k++)
            if (1 + k * step < range[1]) f->levels[f->level_count++] = 1 + k * step;
    }
    const double *levels = far[range[1] <= 20 ? 0 : range[1] <= 200 ? 1 : 2];
    for (int k = 0; k < 6 && range[1] > STEPS_UP_TO; k++)
        if (levels[k] < range[1]) f->levels[f->level_count++] = levels[k];
    return COSTAB_OK;
}
