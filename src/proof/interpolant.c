/* Interpolants of a function, and of what it is beside a trend. */
#include "proof/interpolant.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Crossing functions, products over all eigenvalues, show more of what is between nodes than one eigenvalue
 * does: its error counts so many times. */
#define FOLLOWED 32.0

double interpolant_check(const chebyshev_table *table, int k, int i) {
    int next = k + 1;
    if (next < CHEBYSHEV_DEGREES) return table->points[next][i == 0 ? 1 : chebyshev_degree(next) - 1];
    double quarter = (1 + table->points[k][1]) / 4; /* x ~ -1 + t^2/2: half of t */
    return i == 0 ? -1 + quarter : 1 - quarter;
}

/* Is the interpolant right at the places after the nodes: at the checks where it is `checked` there, and at
 * the one beside an end? */
static bool holds(const interpolant_nodes *nodes, const double *coefficients, const double *values,
                  bool checked, double error) {
    for (int i = checked ? 0 : nodes->checks; i < nodes->checks + nodes->beside; i++) {
        double x = i < nodes->checks ? interpolant_check(nodes->table, nodes->k, i) : nodes->beside_at, slope,
               found = chebyshev_value(nodes->count - 1, coefficients, x, &slope);
        if (!(fabs(found - values[nodes->count + i]) <= error)) return false;
    }
    return true;
}

static double least_of(int count, const double *values) {
    double least = fabs(values[0]);
    for (int i = 1; i < count; i++) least = fmin(least, fabs(values[i]));
    return least;
}

/* `checked`: the values are those beside a trend, and the interpolant has to be right at the checks. */
static void read_values(const interpolant_nodes *nodes, const crossing_value *at, bool checked,
                        interpolant_reading *r) {
    double values[INTERPOLANT_PLACES], coefficients[CHEBYSHEV_MOST + 1], most;
    int degree = nodes->count - 1, more = checked || nodes->beside > 0 ? nodes->checks + nodes->beside : 0;
    *r = (interpolant_reading){.count = 1, .grey = {{.from = -1, .to = 1}}, .width = 2};
    r->neutral = !crossing_scale(at, 1, nodes->count + more, values, &most);
    if (r->neutral) return;
    chebyshev_coefficients(nodes->table, nodes->k, values, coefficients);
    bool fitted = checked || nodes->careful || nodes->divided;
    double rounding = most + 16 * DBL_EPSILON,
           tail = chebyshev_error(degree, coefficients, fitted ? 0 : rounding);
    double known = tail + rounding, safe = nodes->meeting > 0 ? FOLLOWED * known : known;
    double error = fmax(safe, sqrt(known * nodes->meeting));
    bool final = nodes->narrow && rounding > 0.5;
    if (!holds(nodes, coefficients, values, checked, known)) return;
    if (nodes->careful && least_of(nodes->count, values) <= error) return;
    if (error < 2 && !final) {
        r->count = chebyshev_grey(degree, coefficients, error, r->grey);
        r->width = 0;
        for (int i = 0; i < r->count; i++) r->width += r->grey[i].to - r->grey[i].from;
        final = nodes->narrow && tail <= 4 * rounding && r->width > 0.5;
    }
    r->final = final;
    for (int i = 0; i < r->count; i++) r->grey[i].final = final;
}

void interpolant_read(const interpolant_nodes *nodes, const crossing_value *at, interpolant_reading *r) {
    int all = nodes->count + nodes->checks + nodes->beside;
    read_values(nodes, at, false, r);
    double spread = r->count > 0 && !r->neutral ? trend_spread(at, nodes->count) : 0;
    bool trend_asked = nodes->checks > 0 && spread >= INTERPOLANT_TREND;
    r->spread = spread;
    for (int degree = 1; degree <= nodes->count / (nodes->careful ? 2 : 4) && trend_asked && r->count > 0;
         degree *= 2) {
        crossing_value beside[INTERPOLANT_PLACES];
        interpolant_reading other;
        trend t;
        memcpy(beside, at, (size_t)all * sizeof *at);
        trend_make(&t, nodes->count, nodes->checks + nodes->beside, nodes->p, degree);
        trend_divide(&t, beside);
        read_values(nodes, beside, true, &other);
        other.spread = spread;
        if (!other.neutral && other.width < r->width) *r = other;
    }
}
