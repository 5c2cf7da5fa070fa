/* What an impulse does not show of an FMU for co-simulation.
 *   1. All inputs change their signs pseudo-randomly over so many steps (MEASURE_SHAKING), from a start
 * ELSEWHERE steps later; half the difference to a run with the opposite changes (of an FMU at rest: to that)
 * is held against the realised map. A hidden solver whose step nearly divides that of the map, and a
 * dependence on time, show so. Where it fails, the same from the usual start tells the two apart.
 *   2. A run that is set back to its start and taken again, and one that is told with every step that it may
 *      be set back, are held against a plain one.
 * Cost: one to four such runs per map, and three short ones once in the life of a subsystem. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmu/measure.h"
#include "method/matrix.h"

/* It starts so many steps later than others do: not more, as official FMUs compare times with a tolerance
 * that grows with them. */
#define ELSEWHERE 97
/* Its changes, beside the impulses': sums of many are not larger than these. */
#define SHARE 0.0625
/* Answers of a map may be missed by so many times the accuracy after these steps. */
#define LONG 10
/* An answer that grows to this, beside the first ones, says no more. */
#define GROWN 1e8

/* Changes of all inputs. */
static void change_all(const measure *m, double share) {
    for (int i = 0; i < m->m; i++) m->change[i] = share * m->amplitude * measure_nominal(m, i);
}

/* ---- A run with changing inputs ---- */

/* What the map answers into m->up; returns how many steps that is worth a comparison for. `work`: twice the
 * order. [out] scales: of each output the largest. */
static int predict(const measure *m, int order, const double *F, const double *E, const double *K,
                   double *work, double *scales) {
    double *z = work, *next = work + order, early = 0;
    memset(z, 0, (size_t)order * sizeof *z);
    memset(scales, 0, (size_t)m->q * sizeof *scales);
    for (int k = 0; k < m->shaking; k++) {
        double most = 0;
        matrix_multiply(order, order, 1, F, z, next);
        for (int a = 0; a < order; a++) {
            for (int j = 0; j < m->m; j++) next[a] += E[a * m->m + j] * m->change[j] * child_sign(k, j);
            z[a] = next[a];
        }
        for (int i = 0; i < m->q; i++) {
            double *y = &m->up[k * m->q + i];
            *y = 0;
            for (int a = 0; a < order; a++) *y += K[i * order + a] * z[a];
            scales[i] = fmax(scales[i], fabs(*y));
            most = fmax(most, fabs(*y));
        }
        if (k < m->blocks) early = fmax(early, most);
        if (!(most <= GROWN * early)) return k + 1;
    }
    return m->shaking;
}

/* Half the difference of two runs, with the changes and their opposites, into `found`. */
static costab_status shake(measure *m, int steps, double t, double *found, costab_error *error) {
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = t,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .manner = FMU_SHAKEN};
    size_t count = (size_t)steps * (size_t)m->q;
    costab_status status = measure_run(m, &request, m->change, found, error);
    bool rests = m->at_once && m->drift == 0; /* without changes it would stay where it starts */
    for (size_t i = 0; i < count && rests && !status; i++)
        found[i] = measure_difference(found[i], m->rest[i % (size_t)m->q], m->shaking);
    if (rests) return status;
    for (int i = 0; i < m->m; i++) m->change[i] = -m->change[i];
    if (!status) status = measure_run(m, &request, m->change, m->down, error);
    for (int i = 0; i < m->m; i++) m->change[i] = -m->change[i];
    for (size_t i = 0; i < count && !status; i++)
        found[i] = measure_difference(found[i], m->down[i], m->shaking) / 2;
    return status;
}

/* The largest difference to what the map answers, each output beside its largest. */
static double apart(const measure *m, int steps, const double *found, const double *scales) {
    double worst = 0;
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < m->q; i++) {
            double off = fabs(found[k * m->q + i] - m->up[k * m->q + i]);
            if (off > 0) worst = fmax(worst, scales[i] > 0 ? off / scales[i] : (double)INFINITY);
        }
    return worst;
}

static costab_status refuse(const measure *m, double here, costab_error *error) {
    const char *name = m->s->part->name;
    double H = m->numbers->length;
    if (here <= LONG * fmu_accuracy())
        return error_set(
            error, COSTAB_INVALID,
            "%s: at H = %.9g its answers from a start %d steps later are %.2g apart, relative, from "
            "those of its map: it depends on time",
            name, H, ELSEWHERE, m->shaken);
    return error_set(
        error, COSTAB_INVALID,
        "%s: at H = %.9g its answers to changing inputs are, within %d steps, %.2g apart, relative, "
        "from those of its map: H is near a multiple of its solver's step but none, or it depends "
        "on time or on larger inputs",
        name, H, m->shaking, m->shaken);
}

static costab_status shake_by(measure *m, double share, int order, const double *F, const double *E,
                              const double *K, costab_error *error) {
    double t = m->s->start_time, here = 0;
    if (!measure_room_for(m, (size_t)m->shaking)) return error_memory(error);
    double *work = memory_alloc(2 * (size_t)order + (size_t)(m->q * (m->shaking + 1)), sizeof *work);
    if (work == NULL) return error_memory(error);
    double *scales = work + 2 * order, *found = scales + m->q;
    change_all(m, share);
    int steps = predict(m, order, F, E, K, work, scales);
    costab_status status = shake(m, steps, t + ELSEWHERE * m->numbers->length, found, error);
    m->starts_elsewhere = status == COSTAB_OK;
    m->shaken = status ? 0 : apart(m, steps, found, scales);
    if (status != COSTAB_MEMORY && !(m->shaken <= LONG * fmu_accuracy() && m->starts_elsewhere)) {
        status = shake(m, steps, t, found, error);
        here = status ? 0 : apart(m, steps, found, scales);
        if (!m->starts_elsewhere) m->shaken = here;
    }
    if (!status && !(m->shaken <= LONG * fmu_accuracy())) status = refuse(m, here, error);
    memory_free(work);
    return status;
}

/* Sums of many changes may be more than a model is linear for, smaller ones not. */
costab_status measure_shake(measure *m, int order, const double *F, const double *E, const double *K,
                            costab_error *error) {
    costab_error why = {.status = COSTAB_OK};
    costab_status status = shake_by(m, SHARE, order, F, E, K, &why);
    if (status != COSTAB_INVALID || m->at_once)
        return status ? error_set(error, status, "%s", why.message) : status;
    const double first = m->shaken;
    status = shake_by(m, SHARE / 100, order, F, E, K, error);
    if (!status || status == COSTAB_MEMORY) return status;
    m->shaken = first;
    return error_set(error, status, "%s", why.message);
}

/* ---- Its state and its flag ---- */

/* How far a run in this manner is from a plain one in m->up, relative to the largest answer to the changes.
 */
static costab_status compare(measure *m, int steps, fmu_manner manner, double most, double *off,
                             costab_error *error) {
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = m->s->start_time,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .manner = manner};
    costab_error why = {.status = COSTAB_OK};
    costab_status status = measure_run(m, &request, m->change, m->down, &why);
    *off = (double)INFINITY; /* it fails where it should not */
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status) return COSTAB_OK;
    *off = 0;
    for (int k = 0; k < steps * m->q; k++) *off = fmax(*off, fabs(m->up[k] - m->down[k]));
    if (*off > 0) *off = most > 0 ? *off / most : (double)INFINITY;
    return COSTAB_OK;
}

costab_status measure_conduct(measure *m, int steps, costab_error *error) {
    const fmu_part *part = m->s->part;
    fmu_conduct *to = &m->s->conduct[m->narrow];
    const fmu_request plain = {
        .operation = FMU_RESPONSE, .t = m->s->start_time, .length = m->numbers->length, .count = steps};
    double most = 0;
    change_all(m, 1);
    for (int k = 0; k < steps * m->q; k++) {
        double y = 0;
        for (int j = 0; j < m->m; j++) y += m->G[k * m->m + j] * m->change[j];
        most = fmax(most, fabs(y));
    }
    costab_status status = measure_run(m, &plain, m->change, m->up, error);
    if (!m->at_once) to->nonlinear = to->changing = (double)NAN;
    to->rollback = (double)NAN;
    if (!status && part->fmu->interfaces[part->kind].keeps_state)
        status = compare(m, steps, FMU_ROLLED, most, &to->rollback, error);
    if (!status) status = compare(m, steps, FMU_MAY_GO_BACK, most, &to->flag, error);
    to->known = !status;
    return status;
}
