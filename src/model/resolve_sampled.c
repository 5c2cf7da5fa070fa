/* Divides cells so that matrix entries without a formula are interpolated well: those of subsystems with
 * solved operating points, and of FMUs. Such entries cannot be bounded.
 * 1. Samples them at equidistant values of the range.
 * 2. Interpolates them on each cell through 17 Chebyshev points. A cell is halved if a sample inside differs
 *    from the interpolant by more than 1e-8 plus four times the largest uncertainty (doubt) of any subsystem,
 *    relative to the entry's largest magnitude; down to cells without samples.
 * Cost: one update of the model per sample and point. Limitation: features between samples. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/chebyshev.h"
#include "model/resolve.h"

#define AGREEMENT 1e-8
enum { DEGREE = 16, ENTRIES_MOST = 10000000 };

typedef struct sampler {
    costab_model_instance *instance;
    int parameter;
    size_t width, samples; /* numbers per sample; number of samples */
    double *rows, *values; /* samples x width; their parameters */
    double *nodes;         /* DEGREE + 1 rows */
    double *largest;       /* largest magnitude of each number */
    double doubt;
} sampler;

/* Returns true if a subsystem has affected matrices without formulas. */
static bool needs_samples(const costab_model_instance *instance, int s, const model_set *moving) {
    const model_subsystem *of = &model_instance_model(instance)->body->subsystems[s];
    if (of->sampled) return false;
    if (of->foreign) return model_set_meets(&of->uses, moving);
    return of->equations != NULL && of->solve &&
           !model_moves_only(model_instance_model(instance), moving, model_is_macro_step);
}

/* Copies the numbers of all such subsystems into a row and returns their count; row NULL: only counts. */
static size_t gather(const costab_model_instance *instance, const model_set *moving, double *row) {
    const costab_network *network = costab_model_instance_network(instance);
    size_t count = 0;
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        const double *const matrices[] = {of->A, of->B, of->C, of->D};
        const int sizes[] = {of->states * of->states, of->states * of->inputs, of->outputs * of->states,
                             of->outputs * of->inputs};
        if (!needs_samples(instance, s, moving)) continue;
        for (int m = 0; m < MODEL_MATRICES; m++)
            for (int i = 0; i < sizes[m] && matrices[m] != NULL; i++, count++)
                if (row != NULL) row[count] = matrices[m][i];
    }
    return count;
}

/* Samples a row at one value of the parameter; NaN if the model is undefined there. */
static costab_status sample(sampler *s, const model_set *moving, double value, double *row,
                            costab_error *error) {
    costab_error why = {.status = COSTAB_OK};
    costab_model_instance_set(s->instance, s->parameter, value);
    costab_status status = costab_model_instance_update(s->instance, &why);
    if (error_ends_search(status)) return error_set(error, status, "%s", why.message);
    const costab_network *network = costab_model_instance_network(s->instance);
    for (int k = 0; k < network->subsystem_count && !status; k++)
        s->doubt = fmax(s->doubt, network->subsystems[k].doubt);
    if (!status) (void)gather(s->instance, moving, row);
    for (size_t i = 0; i < s->width; i++) {
        if (status) row[i] = (double)NAN;
        if (isfinite(row[i])) s->largest[i] = fmax(s->largest[i], fabs(row[i]));
    }
    return COSTAB_OK;
}

/* Returns true if the barycentric interpolant through the nodes agrees with sample k at x in [-1, 1]. */
static bool agrees(const sampler *s, const double points[DEGREE + 1], double x, size_t k) {
    double shares[DEGREE + 1];
    chebyshev_shares(DEGREE, points, x, shares);
    for (size_t j = 0; j < s->width; j++) {
        double value = 0;
        for (int i = 0; i <= DEGREE; i++) value += shares[i] * s->nodes[(size_t)i * s->width + j];
        double apart = fabs(value - s->rows[k * s->width + j]);
        if (isnan(apart) || apart > (AGREEMENT + 4 * s->doubt) * s->largest[j]) return false;
    }
    return true;
}

/* Returns true if the model is undefined at all nodes and samples of a cell. */
static bool is_undefined(const sampler *s, size_t first, size_t last) {
    for (size_t i = 0; i <= DEGREE; i++)
        if (!isnan(s->nodes[i * s->width])) return false;
    for (size_t k = first; k < last; k++)
        if (!isnan(s->rows[k * s->width])) return false;
    return true;
}

/* Divides a cell until its interpolants agree with the samples inside. */
static costab_status divide(sampler *s, const model_set *moving, first_cell cell, first_cells *cells,
                            costab_error *error) {
    double points[DEGREE + 1];
    size_t first = 0, last = s->samples;
    bool agreed = true;
    while (first < last && s->values[first] <= cell.from) first++;
    while (last > first && s->values[last - 1] >= cell.to) last--;
    if (first == last || cell.open) return model_add_cell(cells, cell, error);
    chebyshev_points(DEGREE, points);
    for (int i = 0; i <= DEGREE; i++) {
        double value = cell.from + (cell.to - cell.from) * (points[i] + 1) / 2;
        TRY(sample(s, moving, value, s->nodes + (size_t)i * s->width, error));
    }
    for (size_t k = first; k < last && agreed; k++)
        agreed = agrees(s, points, chebyshev_coordinate(s->values[k], cell.from, cell.to), k);
    if (agreed || is_undefined(s, first, last)) return model_add_cell(cells, cell, error);
    double middle = cell.from + (cell.to - cell.from) / 2;
    TRY(divide(s, moving, (first_cell){cell.from, middle, false}, cells, error));
    return divide(s, moving, (first_cell){middle, cell.to, false}, cells, error);
}

costab_status model_resolve_samples(costab_model_instance *instance, int parameter, const model_set *moving,
                                    size_t samples, first_cells *cells, costab_error *error) {
    sampler s = {.instance = instance, .parameter = parameter, .width = gather(instance, moving, NULL)};
    double from = cells->of[0].from, to = cells->of[cells->count - 1].to;
    if (s.width == 0) return COSTAB_OK;
    s.samples = samples;
    if (s.samples > ENTRIES_MOST / s.width) s.samples = ENTRIES_MOST / s.width + 1;
    memory_local_array(double, rows, s.samples *s.width, error);
    memory_local_array(double, values, s.samples, error);
    memory_local_array(double, nodes, (DEGREE + 1) * s.width, error);
    memory_local_array(double, largest, s.width, error);
    s.rows = rows;
    s.values = values;
    s.nodes = nodes;
    s.largest = largest;
    for (size_t k = 0; k < s.samples; k++) {
        values[k] = from + (to - from) * ((double)k + 0.5) / (double)s.samples;
        TRY(sample(&s, moving, values[k], rows + k * s.width, error));
    }
    ends_by(first_cells_free) first_cells divided = {.count = 0};
    for (size_t i = 0; i < cells->count; i++) TRY(divide(&s, moving, cells->of[i], &divided, error));
    divided.open_entry = cells->open_entry;
    divided.compared = s.samples;
    const first_cells before = *cells;
    *cells = divided;
    divided = before;
    return COSTAB_OK;
}
