/* The point kernel: every quantity of one point from the conditions of its row (row.h). Rows are tested
 * against it.
 *
 *  1. The signs of K (1 - Det D), K (1 - Tr D + Det D), K (1 + Tr D + Det D) and K tell which conditions
 *     fail.
 *  2. Scheme strong: where |w q| >= 1 the iteration does not converge.
 *  3. Trace, determinant and spectral radius are computed as well. A condition that overflows counts as
 *     failed. */
#include <math.h>

#include "planar/row.h"

/* The flag of a condition that fails: one whose value is not positive, or is nan. */
static unsigned flag_unless(double margin, unsigned flag) {
    return margin > 0 ? 0 : flag;
}

costab_planar_point planar_cosimulation_point(const planar_row *row, double gamma, double delta) {
    double K = planar_divisor(row, delta);
    double sign = K > 0 ? 1 : K < 0 ? -1 : NAN;
    double det = row->det0 + row->det1 * delta, flip = row->flip0 + row->flip1 * delta;
    double fold = row->fold1 > 0   ? delta
                  : row->fold1 < 0 ? -delta
                                   : 0; /* its sign: a product may underflow */

    costab_planar_point point = {.iteration_radius = NAN};
    point.trace = planar_trace(row, delta);
    point.determinant = planar_determinant(row, delta);
    point.spectral_radius = planar_radius(row, delta);
    unsigned cause = flag_unless(det * sign, COSTAB_CAUSE_DET) | flag_unless(fold * sign, COSTAB_CAUSE_FOLD) |
                     flag_unless(flip * sign, COSTAB_CAUSE_FLIP);
    if (row->iterated) {
        point.iteration_radius = planar_iteration_radius(row, delta);
        cause |= flag_unless(1 - fabs((row->product - delta) * row->contraction), COSTAB_CAUSE_ITERATION);
    }
    if (!row->finite && cause == 0) cause = COSTAB_CAUSE_DET;
    point.cause = (uint8_t)cause;
    point.class_code = planar_class(gamma, delta, cause);
    return point;
}

costab_planar_point planar_point(const costab_planar_slice *slice, double gamma, double delta) {
    if (slice->planar->scheme == COSTAB_SIMULATION) {
        planar_simulation_line line = planar_simulation_at(slice->planar, gamma);
        return planar_simulation_point(&line, delta);
    }
    planar_row row = planar_row_make(slice, gamma);
    return planar_cosimulation_point(&row, gamma, delta);
}
