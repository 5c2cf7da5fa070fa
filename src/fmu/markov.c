/* Markov parameters G_k = K F^k E of an FMU's own steps (fmu/measure.h), from impulse responses:
 * 1. Run: a new instance with changed inputs during one of its steps (fmu/child.h, FMU_RESPONSE). Excluded
 *    outputs count as 0.
 * 2. G_k: an input changes by an amplitude during one step. The difference of the outputs k + 1 steps later
 *    to those without the change (one-sided) or with the opposite change is divided by the difference of the
 *    inputs. Differences below the rounding of the outputs are 0.
 * 3. Amplitude: of 1, 0.1, .. 1e-6 nominal values and, if none is good to TRY_LARGER, of 10, 100, .. 1e5, the
 *    amplitude with the least deviation of G_k from half the amplitude (`nonlinearity`) and from the same
 * impulse MEASURE_LATER steps later (`time_variance`). Large impulses show nonlinearity; small ones are lost
 * in the solver's error. The first amplitude with time dependence ends the search. Cost: one run more than
 * columns if one-sided, otherwise two per column; up to three times as many for each amplitude tried. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmu/measure.h"

/* Deviation that ends the search for an amplitude. */
#define GOOD_ENOUGH 1e-12
/* Deviation above which amplitudes beyond nominal values are tried, and the largest of them. */
#define TRY_LARGER      1e-9
#define LARGEST_IMPULSE 1e5

/* Ratio of time_variance to nonlinearity at which no other amplitude can help. */
#define CLEARLY 100

/* Amplitudes of 1 and below. */
enum { AMPLITUDES = 7 };

/* ---- Runs ---- */

double measure_output_difference(double one, double other, int steps) {
    double off = one - other;
    return fabs(off) > 8 * DBL_EPSILON * steps * (fabs(one) + fabs(other)) ? off : 0;
}

bool measure_grow(measure *m, size_t steps) {
    size_t outputs = (size_t)m->output_count, inputs = (size_t)m->columns;
    if (steps <= m->capacity) return true;
    double **blocks[] = {&m->outputs, &m->compared, &m->G, &m->G_other};
    const size_t columns[] = {2 * inputs, 1, inputs, inputs};
    for (int i = 0; i < 4; i++) {
        memory_free(*blocks[i]);
        *blocks[i] = memory_alloc(steps * outputs * columns[i], sizeof(double));
    }
    m->capacity = steps;
    return m->outputs != NULL && m->compared != NULL && m->G != NULL && m->G_other != NULL;
}

double measure_nominal(const measure *m, int column) {
    const fmu_part *part = m->s->part;
    int first = 0;
    bool rise = column >= part->inputs.count;
    int input = rise ? column - part->inputs.count : column;
    if (m->loops_only && (m->numbers->idle[input] || (rise && m->numbers->found.held))) return 0;
    for (int k = 0; k < part->inputs.variable_count; k++) {
        const fmu_variable *v = &part->fmu->variables[part->inputs.variables[k]];
        first += (int)v->size;
        if (input < first) return fmu_part_is_usual(part->kind, v) ? v->nominal : 0;
    }
    return 1;
}

costab_status measure_run(const measure *m, const fmu_request *request, const double *change, double *outputs,
                          costab_error *error) {
    double *asked = m->s->asked, *inputs = asked + m->s->part->starts.count;
    measure_copy_starts(m->s->part, m->numbers, asked);
    size_t values = (size_t)m->s->part->inputs.count;
    memcpy(inputs, m->numbers->point, values * sizeof *inputs);
    memcpy(inputs + values, change, (size_t)m->columns * sizeof *inputs);
    TRY(fmu_run_ask(m->s->run, request, asked, outputs, error));
    size_t count = child_answer_size(m->s->part, request);
    for (size_t i = 0; i < count; i++) {
        size_t output = i % (size_t)m->output_count;
        bool idle = m->loops_only && m->numbers->idle[values + output];
        if (idle || m->s->part->outputs.held[output]) outputs[i] = 0;
    }
    return COSTAB_OK;
}

void measure_copy_starts(const fmu_part *part, const costab_foreign_numbers *numbers, double *to) {
    for (int i = 0; i < part->starts.count; i++) to[i] = numbers->starts[i];
}

/* ---- Impulses ---- */

/* Runs the FMU with a change of one column (-1: none) during step `at`. */
static costab_status run_impulse(const measure *m, int steps, int at, int column, double change,
                                 double *outputs, costab_error *error) {
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = m->s->start_time,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .at = at};
    memset(m->change, 0, (size_t)m->columns * sizeof *m->change);
    if (column >= 0) m->change[column] = change;
    return measure_run(m, &request, m->change, outputs, error);
}

/* Makes the runs of FMU_IMPULSE_PAIRS or (one-sided) FMU_IMPULSES_UP in m->outputs, in one process or, for
 * FMUs with limited instances, in one process each. */
static costab_status run_impulses(const measure *m, int steps, int at, double amplitude,
                                  costab_error *error) {
    const fmu_part *part = m->s->part;
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = m->s->start_time,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .at = at,
                                 .manner = m->one_sided ? FMU_IMPULSES_UP : FMU_IMPULSE_PAIRS};
    for (int j = 0; j < m->columns; j++) m->change[j] = amplitude * measure_nominal(m, j);
    if (!part->fmu->interfaces[part->kind].single_instance) {
        costab_status status = measure_run(m, &request, m->change, m->outputs, error);
        if (!status || !fmu_run_limits_instances(m->s->run)) return status;
    }
    for (int r = 0; r < child_runs(part, &request); r++) {
        for (int j = 0; j < m->columns; j++) m->change[j] = amplitude * measure_nominal(m, j);
        int column;
        double change = child_impulse(&request, r, m->change, &column);
        TRY(run_impulse(m, steps, at, column, change,
                        m->outputs + (size_t)(r * steps) * (size_t)m->output_count, error));
    }
    return COSTAB_OK;
}

costab_status measure_markov(measure *m, int steps, int at, double amplitude, double *G,
                             costab_error *error) {
    size_t all = (size_t)(steps + at) * (size_t)m->output_count;
    if (m->uses_states) return measure_markov_by_states(m, steps, G, error);
    TRY(run_impulses(m, steps + at, at, amplitude, error));
    for (int j = 0; j < m->columns; j++) {
        const double *first = m->outputs + (size_t)(at * m->output_count);
        const double *up = first + (m->one_sided ? 1 + (size_t)j : 2 * (size_t)j) * all;
        const double *down = m->one_sided ? first : up + all;
        double apart = (m->one_sided ? 1 : 2) * amplitude * measure_nominal(m, j);
        for (int e = 0; e < steps * m->output_count; e++)
            G[e * m->columns + j] = apart > 0 ? measure_output_difference(up[e], down[e], 1) / apart : 0;
    }
    return COSTAB_OK;
}

double measure_markov_difference(const measure *m, int steps, const double *one, const double *two) {
    double worst = 0;
    int matrix = m->output_count * m->columns;
    for (int e = 0; e < matrix; e++) {
        double most = 0, off = 0;
        for (int k = 0; k < steps; k++) {
            most = fmax(most, fabs(one[k * matrix + e]));
            off = fmax(off, fabs(one[k * matrix + e] - two[k * matrix + e]));
        }
        if (off > 0) worst = fmax(worst, most > 0 ? off / most : (double)INFINITY);
    }
    return worst;
}

/* Compares impulses of an amplitude with half of them and with later ones. If the deviation is the least so
 * far, m stores the amplitude and the deviations. Always overwrites m->G. */
static costab_status try_amplitude(measure *m, int steps, double amplitude, costab_error *error) {
    TRY(measure_markov(m, steps, 0, amplitude / 2, m->G_other, error));
    TRY(measure_markov(m, steps, 0, amplitude, m->G, error));
    double half = measure_markov_difference(m, steps, m->G, m->G_other);
    bool first = isinf(m->nonlinearity + m->time_variance);
    if (!first && !(half < m->nonlinearity + m->time_variance)) return COSTAB_OK;
    TRY(measure_markov(m, steps, MEASURE_LATER, amplitude, m->G_other, error));
    double later = measure_markov_difference(m, steps, m->G, m->G_other);
    if (!first && !(half + later < m->nonlinearity + m->time_variance)) return COSTAB_OK;
    m->nonlinearity = half;
    m->time_variance = later;
    m->amplitude = amplitude;
    return COSTAB_OK;
}

/* Returns true if the responses clearly depend on time rather than on the amplitude. */
static bool depends_on_time(const measure *m) {
    return isfinite(m->time_variance) && m->time_variance > fmu_accuracy(m->s->part) &&
           m->time_variance > CLEARLY * m->nonlinearity;
}

costab_status measure_choose_amplitude(measure *m, int steps, costab_error *error) {
    double amplitude = 1, last = 1;
    costab_status status = COSTAB_OK;
    costab_error ignored;
    m->nonlinearity = m->time_variance = (double)INFINITY;
    for (int i = 0; i < AMPLITUDES && m->nonlinearity + m->time_variance > GOOD_ENOUGH &&
                    !depends_on_time(m) && !fmu_run_timed_out(m->s->run);
         i++) {
        status = try_amplitude(m, steps, last = amplitude, error); /* an excessive amplitude may fail */
        amplitude /= 10;
    }
    if (isinf(m->nonlinearity) && status) return status;
    for (amplitude = 10; m->nonlinearity + m->time_variance > TRY_LARGER && !depends_on_time(m) &&
                         amplitude <= LARGEST_IMPULSE;
         amplitude *= 10)
        (void)try_amplitude(m, steps, last = amplitude, &ignored);
    return m->amplitude == last ? COSTAB_OK : measure_markov(m, steps, 0, m->amplitude, m->G, error);
}

void measure_find_drift(measure *m, int steps) {
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < m->output_count; i++) {
            double first = m->outputs[i], off = fabs(m->outputs[k * m->output_count + i] - first);
            m->drift = fmax(m->drift, off / fmax(1, fabs(first)));
        }
}

costab_status measure_check_drift(measure *m, int steps, costab_error *error) {
    TRY(run_impulse(m, steps, steps, -1, 0, m->outputs, error));
    measure_find_drift(m, steps);
    return COSTAB_OK;
}
