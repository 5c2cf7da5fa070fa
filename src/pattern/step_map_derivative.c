/* Bounds the second derivative M'' of a map with respect to the step length h, for all lengths within a
 * radius (docs/explanation/algorithms.md, Sequences of steps, step 5). For exact solvers and constant inputs
 * only.
 *
 * 1. Within a step x' = A x + B u with constant u. So the state rows of M' are A X + B U, with X the state
 *    rows of M and U the inputs as linear forms of the state. M'' = A (A X + B U). All other rows of both are
 *    0.
 * 2. Computes ||T M'' T^-1|| at the middle length.
 * 3. M''(h + r) differs from M''(h) by at most r ||exp(A r') A M''||, 0 <= r' <= r, bounded by r e^(r ||A||)
 *    and Frobenius norms with balanced A.
 *
 * Cost: some products of n^3. Limitation: rounding is not bounded. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/loop.h"
#include "pattern/common_norm.h"
#include "pattern/step_map_parts.h"

/* Computes out = A in, or out += B in (`inputs`), for all subsystems; rows of `width`. */
static void apply(const step_map *m, bool inputs, const double *in, int width, double *out) {
    const costab_network_work *work = m->work;
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &m->network->subsystems[s];
        const double *from = in + (size_t)(inputs ? sub->u : sub->x) * (size_t)width;
        double *to = out + (size_t)sub->x * (size_t)width;
        if (inputs)
            matrix_multiply_add(sub->n, sub->m, width, subsystem->B, from, to);
        else
            matrix_multiply(sub->n, sub->n, width, subsystem->A, from, to);
    }
}

/* Returns ||L S^-1|| ||S D R|| in Frobenius norms. L maps states to the coordinates of T, R maps these to the
 * full state, S holds the scales that balance A. ||L e^(A t) D R|| is at most this times the norm of e^(A t)
 * in these scales. */
static double third_derivative_bound(const step_map *m, const double *D, const double *scales,
                                     const double *T, const double *inverse, double *room) {
    int n = m->whole, size = m->size, states = m->work->states;
    double *back = room, left = 0, right = 0; /* back: kept x size, the basis times T^-1 */
    if (m->basis != NULL)
        matrix_multiply(m->kept, size, size, m->basis, inverse, back);
    else
        memcpy(back, inverse, (size_t)(size * size) * sizeof *back);
    for (int i = 0; i < states; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < m->kept; k++) sum += D[i * n + m->read[k]] * back[k * size + j];
            right += scales[i] * sum * (scales[i] * sum);
        }
    for (int k = 0; k < m->kept; k++) {
        if (m->read[k] >= states) continue;
        for (int i = 0; i < size; i++) {
            double sum = m->basis == NULL ? T[i * size + k] : 0;
            for (int l = 0; l < size && m->basis != NULL; l++)
                sum += T[i * size + l] * m->basis[k * size + l];
            left += sum / scales[m->read[k]] * (sum / scales[m->read[k]]);
        }
    }
    return sqrt(left * right);
}

costab_status step_map_second_derivative(step_map *m, double step, double radius, const double *T,
                                         const double *inverse, double *bound, costab_error *error) {
    int n = m->whole, size = m->size, states = m->work->states;
    size_t cells = (size_t)(n * n), turned = (size_t)(size * size);
    double *whole = m->room;
    memory_local_array(double, derivative,
                       8 * cells + 2 * turned + norm_work(n) + (size_t)(states * (states + 1)) + 1, error);
    double *next = derivative + cells;
    double *out = next + cells, *room = out + cells, *work = room + 4 * cells;
    double *A = work + norm_work(n), *scales = A + states * states, *product = scales + states;
    common_norm norm = {.n = size, .T = (double *)(uintptr_t)T, .inverse = (double *)(uintptr_t)inverse};
    TRY(step_map_whole(m, &step, 1, whole, error));
    apply(m, false, whole, n, derivative);
    apply(m, true, m->work->u[0], n, derivative);
    apply(m, false, derivative, n, next);
    step_map_reduce(m, next, out, room);
    common_norm_transform(&norm, 0, 0, out, product, room);
    *bound = norm_of(size, product, work);
    memset(derivative, 0, cells * sizeof *derivative);
    apply(m, false, next, n, derivative);
    memset(A, 0, (size_t)(states * states) * sizeof *A);
    for (int s = 0; s < m->work->count; s++) {
        const network_subsystem *sub = &m->work->subs[s];
        for (int i = 0; i < sub->n; i++)
            memcpy(A + (sub->x + i) * states + sub->x, m->network->subsystems[s].A + i * sub->n,
                   (size_t)sub->n * sizeof *A);
    }
    loop_balance(states, A, scales);
    double rate = matrix_norm((size_t)(states * states), A);
    *bound += radius * exp(radius * rate) * third_derivative_bound(m, derivative, scales, T, inverse, room);
    return COSTAB_OK;
}
