/* Boundary curves at the number that is written:
 *
 *  1. R, phi, P0 and P1 of a macro step, in balls (weights.c), with twice the bits until each of the four is
 *     known to BALL_ENOUGH bits; then the doubles next to them.
 *  2. The curves are those of planar/boundary.c.
 *
 * Cost: that of the curves. Not guaranteed: a weight within 2^-BALL_ENOUGH of the middle of two doubles may
 * become either. At a pole of the method no number of bits is enough; the weights are then no numbers, as
 * those of doubles are not. */
#include "planar/boundary.h"
#include "area/number.h"
#include "area/weights.h"
#include "base/error.h"
#include "costab/area.h"

enum { PRECISION_MAX = 1 << 16 };

/* Step 1. False where memory is out. */
static bool find_weights(const costab_method *method, int substeps, const fmpq_t a, costab_weights *weights) {
    bool known = false;
    ends_by(method_exact_clear) method_exact exact = {.root = 0};
    const bool fine = weights_method(method, &exact);
    flint_local(ball_weights, w);
    for (slong precision = 2 * BALL_ENOUGH; fine && !known && precision <= PRECISION_MAX; precision *= 2) {
        weights_at(method, &exact, substeps, a, precision, w);
        const bool all[] = {ball_to_double(w->R, &weights->R), ball_to_double(w->phi, &weights->phi),
                            ball_to_double(w->p0, &weights->p0), ball_to_double(w->p1, &weights->p1)};
        known = all[0] && all[1] && all[2] && all[3];
    }
    return fine;
}

costab_status costab_planar_boundary_at(const costab_planar *planar, const char *a, const double gamma[2],
                                        const double delta[2], costab_boundary *boundary,
                                        costab_error *error) {
    costab_planar_slice slice = {.planar = planar};
    *boundary = (costab_boundary){0};
    flint_ends_with_thread();
    flint_local(fmpq, exact);
    TRY(rational_read(a, exact, error));
    slice.a = rational_nearest(fmpq_numref(exact), fmpq_denref(exact));
    if (planar->scheme != COSTAB_SIMULATION &&
        !find_weights(&planar->method, planar->substeps[0], exact, &slice.weights_a))
        return error_memory(error);
    return costab_planar_boundary_of(&slice, gamma, delta, boundary, error);
}
