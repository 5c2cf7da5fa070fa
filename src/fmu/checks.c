/* Checks of an FMU for co-simulation beyond impulses.
 * 1. Long run of MEASURE_LONG_RUN steps (MEASURE_BRIEF_RUN in a brief measurement), begun STARTS_LATER steps
 *    later: in each step every input changes by LONG_RUN_SHARE of the impulses' amplitude, in a second
 *    attempt by a hundredth of that, with a pseudo-random sign. Half the difference of the outputs to those
 *    under opposite changes (one-sided and without drift: the difference to those without changes) is
 *    compared with the outputs of the map (realise.c). This reveals a hidden solver whose step nearly divides
 *    that of the map, and time dependence. A run from the usual start time separates the two causes.
 * 2. Rollback: a run with a saved state, restored after some steps, is compared with a run without.
 * 3. Flag: a run with noSetFMUStatePriorToCurrentPoint false is compared with a run with true.
 * Cost: one to four long runs per map, up to eight if smaller changes are tried. Rollback and flag, checked
 * with the first map only, take four short runs, three if the FMU cannot save its state. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmu/measure.h"
#include "method/matrix.h"

/* Delay of the start of the long run, in steps. It is limited because official FMUs compare times with a
 * tolerance that grows with time. */
#define STARTS_LATER 97
/* Changes of the long run relative to the impulses, so sums of many changes stay comparable. */
#define LONG_RUN_SHARE 0.0625
/* Permitted deviation of a long run's outputs, as a multiple of the requested accuracy. */
#define LONG_RUN_FACTOR 10
/* Growth of the outputs that ends the comparison. */
#define GROWN 1e8

/* Sets m->change to this share of the impulses' amplitude in all columns. */
static void change_all(const measure *m, double share) {
    for (int i = 0; i < m->columns; i++) m->change[i] = share * m->amplitude * measure_nominal(m, i);
}

/* ---- Long run ---- */

/* Computes the map's outputs in m->outputs. Returns the number of compared steps. `work`: twice the order.
 * [out] scales: largest value of each output. */
static int predict(const measure *m, int order, const double *F, const double *E, const double *K,
                   double *work, double *scales) {
    double *z = work, *next = work + order, early = 0;
    memset(z, 0, (size_t)order * sizeof *z);
    memset(scales, 0, (size_t)m->output_count * sizeof *scales);
    for (int k = 0; k < m->long_run_steps; k++) {
        double most = 0;
        matrix_multiply(order, order, 1, F, z, next);
        for (int a = 0; a < order; a++) {
            for (int j = 0; j < m->columns; j++)
                next[a] += E[a * m->columns + j] * m->change[j] * child_random_sign(k, j);
            z[a] = next[a];
        }
        for (int i = 0; i < m->output_count; i++) {
            double *y = &m->outputs[k * m->output_count + i];
            *y = 0;
            for (int a = 0; a < order; a++) *y += K[i * order + a] * z[a];
            scales[i] = fmax(scales[i], fabs(*y));
            most = fmax(most, fabs(*y));
        }
        if (k < m->blocks) early = fmax(early, most);
        if (!(most <= GROWN * early)) return k + 1;
    }
    return m->long_run_steps;
}

/* Runs the FMU for the comparison and stores the output differences in `found`. */
static costab_status run_random_signs(measure *m, int steps, double t, double *found, costab_error *error) {
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = t,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .manner = FMU_RANDOM_SIGNS};
    size_t count = (size_t)steps * (size_t)m->output_count;
    TRY(measure_run(m, &request, m->change, found, error));
    bool rests = m->one_sided && m->drift == 0;
    for (size_t i = 0; i < count && rests; i++)
        found[i] = measure_output_difference(found[i], m->rest_outputs[i % (size_t)m->output_count],
                                             m->long_run_steps);
    if (rests) return COSTAB_OK;
    for (int i = 0; i < m->columns; i++) m->change[i] = -m->change[i];
    costab_status status = measure_run(m, &request, m->change, m->compared, error);
    for (int i = 0; i < m->columns; i++) m->change[i] = -m->change[i];
    for (size_t i = 0; i < count && !status; i++)
        found[i] = measure_output_difference(found[i], m->compared[i], m->long_run_steps) / 2;
    return status;
}

/* Returns the largest difference to the map's outputs, relative to the largest value of the same output. */
static double largest_difference(const measure *m, int steps, const double *found, const double *scales) {
    double worst = 0;
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < m->output_count; i++) {
            double off = fabs(found[k * m->output_count + i] - m->outputs[k * m->output_count + i]);
            if (off > 0) worst = fmax(worst, scales[i] > 0 ? off / scales[i] : (double)INFINITY);
        }
    return worst;
}

static costab_status refuse_long_run(const measure *m, double here, costab_error *error) {
    const char *name = m->s->part->name;
    double H = m->numbers->length;
    if (here <= LONG_RUN_FACTOR * fmu_accuracy(m->s->part))
        return error_invalid(error,
                             "%s: at H = %.9g its answers from a start %d steps later are %.2g "
                             "apart, relative, from those of its map: it depends on time",
                             name, H, STARTS_LATER, m->long_run);
    return error_invalid(error,
                         "%s: at H = %.9g its answers to changing inputs are, within %d steps, %.2g "
                         "apart, relative, from those of its map: H is near a multiple of its solver's "
                         "step but none, or it depends on time or on larger inputs",
                         name, H, m->long_run_steps, m->long_run);
}

/* Makes the long run with this share of the impulses' amplitude. */
static costab_status check_long_run(measure *m, double share, int order, const double *F, const double *E,
                                    const double *K, costab_error *error) {
    double t = m->s->start_time, here = 0;
    if (!measure_grow(m, (size_t)m->long_run_steps)) return error_memory(error);
    memory_local_array(double, work, 2 * (size_t)order + (size_t)(m->output_count * (m->long_run_steps + 1)),
                       error);
    double *scales = work + 2 * order, *found = scales + m->output_count;
    change_all(m, share);
    int steps = predict(m, order, F, E, K, work, scales);
    costab_status status = run_random_signs(m, steps, t + STARTS_LATER * m->numbers->length, found, error);
    m->starts_later = status == COSTAB_OK;
    m->long_run = status ? 0 : largest_difference(m, steps, found, scales);
    if (status != COSTAB_MEMORY &&
        !(m->long_run <= LONG_RUN_FACTOR * fmu_accuracy(m->s->part) && m->starts_later)) {
        status = run_random_signs(m, steps, t, found, error);
        here = status ? 0 : largest_difference(m, steps, found, scales);
        if (!m->starts_later) m->long_run = here;
    }
    if (!status && !(m->long_run <= LONG_RUN_FACTOR * fmu_accuracy(m->s->part)))
        status = refuse_long_run(m, here, error);
    return status;
}

/* If the outputs differ, tries changes 100 times smaller: accumulated changes may exceed the model's linear
 * range. One-sided maps have no second attempt. */
costab_status measure_check_long_run(measure *m, int order, const double *F, const double *E, const double *K,
                                     costab_error *error) {
    costab_error why = {.status = COSTAB_OK};
    costab_status status = check_long_run(m, LONG_RUN_SHARE, order, F, E, K, &why);
    if (status != COSTAB_INVALID || m->one_sided)
        return status ? error_set(error, status, "%s", why.message) : status;
    const double first = m->long_run;
    status = check_long_run(m, LONG_RUN_SHARE / 100, order, F, E, K, error);
    if (!status || status == COSTAB_MEMORY) return status;
    m->long_run = first;
    return error_set(error, status, "%s", why.message);
}

/* ---- Rollback and flag ---- */

/* Computes the largest deviation of a run in this manner from the plain run in m->outputs, relative to
 * `most`. */
static costab_status compare_with_plain(measure *m, int steps, fmu_manner manner, double most, double *off,
                                        costab_error *error) {
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = m->s->start_time,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .manner = manner};
    costab_error why = {.status = COSTAB_OK};
    costab_status status = measure_run(m, &request, m->change, m->compared, &why);
    *off = (double)INFINITY; /* for a failed run */
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status) return COSTAB_OK;
    *off = 0;
    for (int k = 0; k < steps * m->output_count; k++) *off = fmax(*off, fabs(m->outputs[k] - m->compared[k]));
    if (*off > 0) *off = most > 0 ? *off / most : (double)INFINITY;
    return COSTAB_OK;
}

costab_status measure_first_checks(measure *m, int steps, costab_error *error) {
    const fmu_part *part = m->s->part;
    fmu_first_checks *to = &m->s->first_checks[m->loops_only];
    const fmu_request plain = {
        .operation = FMU_RESPONSE, .t = m->s->start_time, .length = m->numbers->length, .count = steps};
    double most = 0;
    change_all(m, 0);
    costab_status status = measure_run(m, &plain, m->change, m->compared, error);
    change_all(m, 1);
    if (!status) status = measure_run(m, &plain, m->change, m->outputs, error);
    for (int k = 0; k < steps * m->output_count && !status; k++)
        most = fmax(most, fabs(m->outputs[k] - m->compared[k]));
    if (!m->one_sided) to->nonlinearity = to->time_variance = (double)NAN;
    to->rollback = (double)NAN;
    if (!status && part->fmu->interfaces[part->kind].keeps_state)
        status = compare_with_plain(m, steps, FMU_ROLLBACK, most, &to->rollback, error);
    if (!status) status = compare_with_plain(m, steps, FMU_ROLLBACK_ALLOWED, most, &to->flag, error);
    to->known = !status;
    return status;
}
