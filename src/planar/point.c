/* The point kernel: every quantity of one point from the conditions of its row (row.h). Rows are tested
 * against it.
 *
 *  1. The signs of K (1 - Det D), K (1 - Tr D + Det D), K (1 + Tr D + Det D) and K tell which conditions
 *     fail.
 *  2. Scheme strong: where |w q| >= 1 the iteration does not converge.
 *  3. Trace, determinant and spectral radius are computed as well. A condition that overflows counts as
 *     failed. */
#include <math.h>

#include "base/error.h"
#include "planar/row.h"

/* The flag of a condition that fails: one whose value is not positive, or is nan. */
static unsigned flag_unless(double margin, unsigned flag) {
    return margin > 0 ? 0 : flag;
}

costab_planar_point planar_cosimulation_point(const planar_row *row, double gamma, double delta) {
    double coupling = row->product - delta; /* w = bc */
    double K = planar_divisor(row, delta);
    double sign = K > 0 ? 1 : K < 0 ? -1 : NAN;
    double det = row->det0 + row->det1 * delta, flip = row->flip0 + row->flip1 * delta;
    double fold = row->fold1 > 0   ? delta
                  : row->fold1 < 0 ? -delta
                                   : 0; /* its sign: a product may underflow */

    costab_planar_point point = {.iteration_radius = NAN};
    point.trace = planar_trace(row, delta);
    point.determinant = planar_determinant(row, delta);
    point.spectral_radius = planar_radius(point.trace, point.determinant);
    unsigned cause = flag_unless(det * sign, COSTAB_CAUSE_DET) | flag_unless(fold * sign, COSTAB_CAUSE_FOLD) |
                     flag_unless(flip * sign, COSTAB_CAUSE_FLIP);
    if (row->iterated) {
        double square = fabs(coupling * row->contraction);
        point.iteration_radius = sqrt(square);
        cause |= flag_unless(1 - square, COSTAB_CAUSE_ITERATION);
    }
    if (!row->finite && cause == 0) cause = COSTAB_CAUSE_DET;
    point.cause = (uint8_t)cause;
    point.class_code = planar_class(gamma, delta, cause);
    return point;
}

void costab_planar_points(const costab_planar *planar, size_t n, const double *a, const double *gamma,
                          const double *delta, costab_planar_point *points) {
    for (size_t i = 0; i < n; i++) {
        if (planar->scheme == COSTAB_SIMULATION) {
            planar_simulation_line line = planar_simulation_at(planar, gamma[i]);
            map_row map = map_row_at(planar, gamma[i]);
            points[i] = planar_simulation_point(&line, &map, delta[i]);
            continue;
        }
        costab_planar_slice slice = costab_planar_at(planar, a[i]);
        planar_row row = planar_row_make(&slice, gamma[i]);
        points[i] = planar_cosimulation_point(&row, gamma[i], delta[i]);
    }
}

/* Points that are kept before they go to their columns: few enough for the cache. */
enum { BLOCK = 256 };

/* Writes the points from `at` on into columns. */
static void spread(const costab_planar_point *points, size_t n, size_t at, const costab_planar_columns *to) {
    for (size_t i = 0; i < n && to->trace != NULL; i++) to->trace[at + i] = points[i].trace;
    for (size_t i = 0; i < n && to->determinant != NULL; i++) to->determinant[at + i] = points[i].determinant;
    for (size_t i = 0; i < n && to->spectral_radius != NULL; i++)
        to->spectral_radius[at + i] = points[i].spectral_radius;
    for (size_t i = 0; i < n && to->iteration_radius != NULL; i++)
        to->iteration_radius[at + i] = points[i].iteration_radius;
    for (size_t i = 0; i < n && to->class_code != NULL; i++) to->class_code[at + i] = points[i].class_code;
    for (size_t i = 0; i < n && to->cause != NULL; i++) to->cause[at + i] = points[i].cause;
}

costab_status costab_planar_fill(const costab_planar *planar, size_t n, const double *a, const double *gamma,
                                 const double *delta, const costab_planar_columns *columns,
                                 costab_error *error) {
    costab_planar_point points[BLOCK];
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t count = n - at < BLOCK ? n - at : BLOCK;
        for (size_t i = at; i < at + count; i++)
            if (!isfinite(a[i]) || !isfinite(gamma[i]) || !isfinite(delta[i]))
                return error_invalid(error, "point %zu is not finite: a = %g, gamma = %g, delta = %g", i,
                                     a[i], gamma[i], delta[i]);
        costab_planar_points(planar, count, a + at, gamma + at, delta + at, points);
        spread(points, count, at, columns);
    }
    return COSTAB_OK;
}
