/* Finds the intervals of possible zeros of a function by plain and scaled interpolants
 * (docs/explanation/algorithms.md, Complete limits).
 *
 * 1. Scales the values by one power of 2 and interpolates them. The error is eight times the sum of the last
 *    half of the coefficients, plus rounding.
 * 2. Compares the interpolant with the check points within that error.
 * 3. Lists the intervals of possible |interpolant| <= error as unresolved.
 * 4. A product of many factors may vary over more than 2^6 at the nodes. It is divided by 2^q, with a
 *    polynomial q fitted to its logarithm (scaling.h), and analysed by steps 1 to 3. Intervals cleared by the
 *    first interpolant stay clear.
 *
 * Cost: n^2 products for each of up to 5 interpolants through n nodes. Limitation: the error in step 1 is an
 * estimate. */
#include "limit/interpolant.h"

#include <float.h>
#include <math.h>
#include <string.h>

double interpolant_check(const chebyshev_table *table, int k, int i) {
    int next = k + 1;
    if (next < CHEBYSHEV_DEGREES) return table->points[next][i == 0 ? 1 : chebyshev_degree(next) - 1];
    double quarter = (1 + table->points[k][1]) / 4; /* x ~ -1 + t^2/2: half of t */
    return i == 0 ? -1 + quarter : 1 - quarter;
}

/* Returns true if the interpolant matches the check points: those between nodes if `checked`, and the one
 * next to a known zero. */
static bool is_right_at_checks(const interpolant_nodes *nodes, const double *coefficients,
                               const double *values, bool checked, double error) {
    for (int i = checked ? 0 : nodes->checks; i < nodes->checks + nodes->zero_check; i++) {
        double x = i < nodes->checks ? interpolant_check(nodes->table, nodes->k, i) : nodes->zero_check_at,
               slope, found = chebyshev_value(nodes->count - 1, coefficients, x, &slope);
        if (!(fabs(found - values[nodes->count + i]) <= error)) return false;
    }
    return true;
}

/* Analyses one interpolant. `checked`: the values are scaled, and the interpolant must match the check points
 * between nodes. */
static void read_values(const interpolant_nodes *nodes, const crossing_value *at, bool checked,
                        interpolant_reading *r) {
    double values[INTERPOLANT_SAMPLES], coefficients[CHEBYSHEV_MOST + 1], most;
    int degree = nodes->count - 1,
        more = checked || nodes->zero_check > 0 ? nodes->checks + nodes->zero_check : 0;
    *r = (interpolant_reading){.count = 1, .unresolved = {{.from = -1, .to = 1}}, .width = 2};
    r->neutral = !crossing_scale(at, 1, nodes->count + more, values, &most);
    if (r->neutral) return;
    chebyshev_coefficients(nodes->table, nodes->k, values, coefficients);
    bool fitted = checked || nodes->deflated;
    double rounding = most + 16 * DBL_EPSILON,
           tail = chebyshev_error(degree, coefficients, fitted ? 0 : rounding), error = tail + rounding;
    /* Next to a zero that was divided out, rounding may be as large as the value; elsewhere it is not. */
    bool final = nodes->narrow && rounding > 0.5 && !nodes->deflated;
    if (!is_right_at_checks(nodes, coefficients, values, checked, error)) return;
    if (error < 2 && !final) {
        r->count = chebyshev_unresolved(degree, coefficients, error, r->unresolved);
        r->width = 0;
        for (int i = 0; i < r->count; i++) r->width += r->unresolved[i].to - r->unresolved[i].from;
        final = nodes->narrow && tail <= 4 * rounding && r->width > 0.5;
    }
    r->final = final;
    for (int i = 0; i < r->count; i++) r->unresolved[i].final = final;
}

/* Intersects the unresolved intervals of two interpolants. */
static void meet(interpolant_reading *r, const interpolant_reading *other) {
    if (r->neutral || r->final || other->final) return;
    r->count = chebyshev_meet(r->unresolved, r->count, other->unresolved, other->count);
    r->width = 0;
    for (int i = 0; i < r->count; i++) r->width += r->unresolved[i].to - r->unresolved[i].from;
}

void interpolant_read(const interpolant_nodes *nodes, const crossing_value *at, interpolant_reading *r) {
    int all = nodes->count + nodes->checks + nodes->zero_check;
    read_values(nodes, at, false, r);
    const interpolant_reading plain = *r;
    double spread = r->count > 0 && !r->neutral ? scaling_spread(at, nodes->count) : 0;
    bool scaling_asked = nodes->checks > 0 && spread >= INTERPOLANT_SCALED;
    r->spread = spread;
    for (int degree = 1; degree <= nodes->count / 4 && scaling_asked && r->count > 0; degree *= 2) {
        crossing_value scaled[INTERPOLANT_SAMPLES];
        interpolant_reading other;
        scaling t;
        memcpy(scaled, at, (size_t)all * sizeof *at);
        scaling_make(&t, nodes->count, nodes->checks + nodes->zero_check, nodes->p, degree);
        scaling_divide(&t, scaled);
        read_values(nodes, scaled, true, &other);
        other.spread = spread;
        if (other.neutral || other.width >= r->width) continue;
        *r = other;
        meet(r, &plain);
    }
}
