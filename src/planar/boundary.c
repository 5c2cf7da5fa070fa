/* Boundary curves: the zero set of each stability condition in a window of the (Gamma, Delta) plane, as
 * polylines.
 *
 * 1. Row (fixed Gamma): the zeros of the condition in Delta are the root of a linear function (co-simulation)
 *    or the roots of a polynomial (simulation, Det D = 1).
 * 2. Rows are taken at equal steps of Gamma and refined as in strips.c.
 * 3. The k-th zeros of the rows of a strip form a polyline, clipped to the window. Polylines end at a
 *    vertical line of the zero set, and the line is added.
 * 4. Polylines with a common end inside the window are joined.
 * 5. Curves in closed form are added directly: the co-simulation's fold, Delta phi_a phi_d = 0, and the
 *    simulation's fold and flip. The latter require an eigenvalue e of A with R(e)^m = 1 or -1: a real e
 *    gives the line Delta = e (Gamma - e), a complex e the isolated point (2 Re e, |e|^2).
 *
 * Cost: some thousand rows per curve. Limitation: features between two rows that agree with the row at their
 * middle are missed. */
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "planar/boundary.h"
#include "planar/row.h"
#include "planar/strips.h"

enum {
    ROWS = 1024, /* initial rows */
    FLAT = 10,   /* strip_row.kind */
    DEGREE = COSTAB_STAGES_MAX
};
#define STRAIGHT                                                                                             \
    2.5e-5              /* largest distance of a curve from its chord, relative to the window: a quarter     \
                         * of the accuracy in costab/planar.h */
#define JOINED     1e-6 /* largest distance of two ends to be joined, relative to the window */
#define RESOLUTION 0x1.1p-58 /* of Gamma, relative to the window: 48 halvings of a step, rounded up */

/* Traces the curves of a slice, one condition after the other. */
typedef struct tracer {
    const costab_planar *planar;
    costab_planar_slice slice;
    const double *gamma, *delta; /* the window */
    uint8_t cause;               /* flag COSTAB_CAUSE_ of the present condition */
    costab_boundary *out;
    costab_error *error;
} tracer;

/* ---- Zeros of a row ---- */

static int sign_of(double x) {
    return (x > 0) - (x < 0);
}

/* Linear condition x[0] + x[1] Delta; NaN if a coefficient overflows. */
static void linear_condition(const tracer *t, double gamma, double x[2]) {
    planar_row row = planar_row_make(&t->slice, gamma);
    bool det = t->cause == COSTAB_CAUSE_DET;
    x[0] = !row.finite ? NAN : det ? row.det0 : row.flip0;
    x[1] = !row.finite ? NAN : det ? row.det1 : row.flip1;
}

/* Zero of a linear condition; for the iteration both Delta with |w q| = 1. Kind of the row: the sign of the
 * condition's slope in Delta (for the iteration, of q). Slope 0 gives no zeros and the kind FLAT plus the
 * sign of the value. */
static void cosimulation_zeros(const tracer *t, double gamma, strip_row *s) {
    if (t->cause == COSTAB_CAUSE_ITERATION) {
        planar_row row = planar_row_make(&t->slice, gamma);
        s->kind = row.finite ? sign_of(row.contraction) : 0;
        if (s->kind == 0) return;
        double reach = 1 / fabs(row.contraction);
        s->value[s->count++] = row.product - reach;
        s->value[s->count++] = row.product + reach;
        return;
    }
    double x[2];
    linear_condition(t, gamma, x);
    s->kind = sign_of(x[1]);
    if (s->kind != 0)
        s->value[s->count++] = -x[0] / x[1];
    else if (x[1] == 0)
        s->kind = FLAT + sign_of(x[0]);
}

/* Zeros of Det D - 1 = (Det D1)^m - 1, D1 of one micro step: all v with Det D1 = 1 and, for even m, with Det
 * D1 = -1, in ascending order of Delta. */
static void simulation_zeros(const tracer *t, double gamma, strip_row *s) {
    double m = t->planar->substeps[0], x = 0.5 * gamma / m, *delta = s->value;
    s->count = planar_determinant_roots(t->planar, x, 1, delta);
    if (t->planar->substeps[0] % 2 == 0)
        s->count += planar_determinant_roots(t->planar, x, -1, delta + s->count);
    for (int i = 0; i < s->count; i++) {
        double value = m * m * (x * x + delta[i]);
        int k = i;
        for (; k > 0 && delta[k - 1] > value; k--) delta[k] = delta[k - 1];
        delta[k] = value;
    }
}

/* Zeros of the present condition. Zeros far outside the window are moved to one window height from it, which
 * avoids rows near poles. */
static void find_zeros(const void *tracing, double gamma, strip_row *s) {
    const tracer *t = tracing;
    double height = t->delta[1] - t->delta[0];
    s->gamma = gamma;
    s->kind = s->count = 0;
    if (t->planar->scheme == COSTAB_SIMULATION)
        simulation_zeros(t, gamma, s);
    else
        cosimulation_zeros(t, gamma, s);
    for (int k = 0; k < s->count; k++) {
        s->value[k] = fmin(fmax(s->value[k], t->delta[0] - height), t->delta[1] + height);
        s->edge[k] = t->cause;
    }
}

/* ---- Polylines ---- */

static costab_status push_curve(tracer *t, const double *gamma, const double *delta, size_t count) {
    costab_boundary *out = t->out;
    TRY(memory_reserve(&out->curves, &out->capacity, out->count + 1, t->error));
    double *values = memory_alloc(2 * count, sizeof(double));
    if (values == NULL) return error_memory(t->error);
    memcpy(values, gamma, count * sizeof(double));
    memcpy(values + count, delta, count * sizeof(double));
    out->curves[out->count++] =
        (costab_curve){.cause = t->cause, .count = count, .gamma = values, .delta = values + count};
    return COSTAB_OK;
}

static bool is_in_window(const tracer *t, double gamma, double delta) {
    return gamma >= t->gamma[0] && gamma <= t->gamma[1] && delta >= t->delta[0] && delta <= t->delta[1];
}

/* Clips a segment to the window; returns false if it is outside. [out] from, to: parameters of the part
 * inside. */
static bool clip(const tracer *t, const double p[2], const double q[2], double *from, double *to) {
    const double *window[2] = {t->gamma, t->delta};
    *from = 0;
    *to = 1;
    for (int k = 0; k < 2; k++) {
        double step = q[k] - p[k];
        if (step == 0) {
            if (p[k] < window[k][0] || p[k] > window[k][1]) return false;
            continue;
        }
        double enter = (window[k][0] - p[k]) / step, leave = (window[k][1] - p[k]) / step;
        *from = fmax(*from, fmin(enter, leave));
        *to = fmin(*to, fmax(enter, leave));
    }
    return *from < *to;
}

/* Adds a polyline, clipped to the window. */
static costab_status push_clipped(tracer *t, const double *gamma, const double *delta, size_t count) {
    memory_local_array(double, part, 4 * count + 4, t->error);
    double *x = part, *y = part + 2 * count + 2;
    size_t n = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        const double p[2] = {gamma[i], delta[i]}, q[2] = {gamma[i + 1], delta[i + 1]};
        double from, to;
        bool seen = clip(t, p, q, &from, &to);
        if (seen && n == 0) {
            x[n] = p[0] + from * (q[0] - p[0]);
            y[n++] = p[1] + from * (q[1] - p[1]);
        }
        if (seen) {
            x[n] = to < 1 ? p[0] + to * (q[0] - p[0]) : q[0];
            y[n++] = to < 1 ? p[1] + to * (q[1] - p[1]) : q[1];
        }
        if (n > 0 && (!seen || to < 1 || i + 2 == count)) {
            TRY(push_curve(t, x, y, n));
            n = 0;
        }
    }
    return COSTAB_OK;
}

/* Adds the polyline of zero k of the strip's rows from `first` to `end` - 1. */
static costab_status push_polyline(tracer *t, const strips *s, const strip *of, size_t first, size_t end,
                                   int k) {
    if (end - first < 2) return COSTAB_OK;
    size_t count = end - first;
    memory_local_array(double, values, 2 * count, t->error);
    for (size_t i = 0; i < count; i++) {
        values[i] = strips_row(s, of, first + i)[0];
        values[count + i] = strips_row(s, of, first + i)[1 + k];
    }
    return push_clipped(t, values, values + count, count);
}

/* Returns true if the zero set contains a vertical line at gamma, where the slope x1 of a linear condition x0
 * + x1 Delta changes its sign. The zero has a pole there unless x0 vanishes as well. Then the zeros on both
 * sides agree, at a distance from gamma beyond the effects of rounding. If the slope is identically 0 (zigzag
 * with P0 = 0), vertical lines are sign changes of x0 at which x0, unlike at its poles, becomes small. */
static bool is_vertical_at(const tracer *t, double gamma) {
    if (t->planar->scheme == COSTAB_SIMULATION || t->cause == COSTAB_CAUSE_ITERATION) return false;
    double offset = 1e-6 * (t->gamma[1] - t->gamma[0]), height = t->delta[1] - t->delta[0];
    double left[2], right[2], further[2];
    linear_condition(t, gamma - offset, left);
    linear_condition(t, gamma + offset, right);
    linear_condition(t, gamma + 2 * offset, further);
    /* a pole of the coefficients also changes their signs */
    bool flat = left[1] == 0 && right[1] == 0;
    if (!(fabs(right[!flat]) < fabs(further[further[1] != 0]))) return false;
    if (flat) return sign_of(left[0]) == -sign_of(right[0]) && left[0] != 0;
    return sign_of(left[1]) == -sign_of(right[1]) && left[1] != 0 &&
           fabs(right[0] / right[1] - left[0] / left[1]) < 1e-3 * height;
}

static costab_status push_line(tracer *t, double gamma0, double delta0, double gamma1, double delta1) {
    const double x[2] = {gamma0, gamma1}, y[2] = {delta0, delta1};
    return push_clipped(t, x, y, 2);
}

/* Returns true if the whole line Gamma = 0 belongs to Det D = 1 of the simulation: |R| = 1 on the imaginary
 * axis, as for symmetric methods. */
static bool is_symmetric(const tracer *t) {
    if (t->planar->scheme != COSTAB_SIMULATION || t->cause != COSTAB_CAUSE_DET) return false;
    const planar_simulation_line line = planar_simulation_at(t->planar, 0);
    bool zero = true;
    for (int k = 0; k <= t->planar->method.stages; k++) zero = zero && line.growth[k] == 0;
    return zero;
}

/* Adds the polylines of all zeros, and vertical lines. Rows next to a vertical line are omitted, because
 * their zeros and kinds result from rounding. */
static costab_status push_polylines(tracer *t, const strips *s) {
    const bool symmetric = is_symmetric(t);
    double near = 1e-12 * (t->gamma[1] - t->gamma[0]), line = -INFINITY; /* last vertical line */
    if (symmetric) TRY(push_line(t, 0, t->delta[0], 0, t->delta[1]));
    for (size_t i = 0; i < s->count; i++) {
        const strip *of = &s->items[i];
        bool end = i + 1 == s->count;
        double next = end ? INFINITY : strips_row(s, of + 1, 0)[0];
        bool vertical = !end && is_vertical_at(t, next);
        size_t from = 0, to = of->rows;
        while (from < to && strips_row(s, of, from)[0] - line < near) from++;
        while (vertical && to > from && next - strips_row(s, of, to - 1)[0] < near) to--;
        while (symmetric && from < to && fabs(strips_row(s, of, from)[0]) < near) from++;
        while (symmetric && to > from && fabs(strips_row(s, of, to - 1)[0]) < near) to--;
        for (int k = 0; k < of->count; k++) TRY(push_polyline(t, s, of, from, to, k));
        if (vertical && !(next - line < near)) {
            TRY(push_line(t, next, t->delta[0], next, t->delta[1]));
            line = next;
        }
    }
    return COSTAB_OK;
}

/* ---- Joining ---- */

/* Distance between an end of p and an end of q, relative to the window. */
static double distance_of_ends(const tracer *t, const costab_curve *p, bool p_end, const costab_curve *q,
                               bool q_end) {
    size_t i = p_end ? p->count - 1 : 0, j = q_end ? q->count - 1 : 0;
    return hypot((p->gamma[i] - q->gamma[j]) / (t->gamma[1] - t->gamma[0]),
                 (p->delta[i] - q->delta[j]) / (t->delta[1] - t->delta[0]));
}

/* Appends q to p at the given ends, reversing either if necessary. */
static costab_status join_at_ends(tracer *t, costab_curve *p, bool p_end, costab_curve *q, bool q_end) {
    size_t count = p->count + q->count;
    double *values = memory_alloc(2 * count, sizeof(double));
    if (values == NULL) return error_memory(t->error);
    for (size_t i = 0; i < p->count; i++) {
        size_t from = p_end ? i : p->count - 1 - i;
        values[i] = p->gamma[from];
        values[count + i] = p->delta[from];
    }
    for (size_t i = 0; i < q->count; i++) {
        size_t from = q_end ? q->count - 1 - i : i;
        values[p->count + i] = q->gamma[from];
        values[count + p->count + i] = q->delta[from];
    }
    memory_free(p->gamma);
    *p = (costab_curve){.cause = p->cause, .count = count, .gamma = values, .delta = values + count};
    return COSTAB_OK;
}

/* Joins this condition's curves, from index `first`, that have common ends inside the window. */
static costab_status join_curves(tracer *t, size_t first) {
    costab_boundary *out = t->out;
    for (size_t i = first; i < out->count; i++)
        for (size_t j = i + 1; j < out->count;) {
            costab_curve *p = &out->curves[i], *q = &out->curves[j];
            int found = -1;
            for (int ends = 0; ends < 4; ends++) {
                size_t k = ends & 1 ? p->count - 1 : 0;
                if (p->count > 1 && q->count > 1 && distance_of_ends(t, p, ends & 1, q, ends & 2) < JOINED &&
                    p->gamma[k] > t->gamma[0] && p->gamma[k] < t->gamma[1] && p->delta[k] > t->delta[0] &&
                    p->delta[k] < t->delta[1])
                    found = ends;
            }
            if (found < 0) {
                j++;
                continue;
            }
            TRY(join_at_ends(t, p, found & 1, q, found & 2));
            memory_free(q->gamma);
            memmove(q, q + 1, (out->count - j - 1) * sizeof *q);
            out->count--;
            j = i + 1;
        }
    return COSTAB_OK;
}

/* Traces and joins the curves of one condition. */
static costab_status trace_condition(tracer *t, uint8_t cause) {
    const double width = t->gamma[1] - t->gamma[0];
    ends_by(strips_free) strips s = {.row_at = find_zeros,
                                     .source = t,
                                     .width = width,
                                     .height = t->delta[1] - t->delta[0],
                                     .tolerance = STRAIGHT,
                                     .resolution = RESOLUTION * width,
                                     .probe = true};
    size_t first = t->out->count;
    t->cause = cause;
    for (int i = 0; i <= ROWS; i++) {
        double share = (double)i / ROWS;
        TRY(strips_trace(&s, i < ROWS ? t->gamma[0] + share * width : t->gamma[1], t->error));
    }
    TRY(push_polylines(t, &s));
    return join_curves(t, first);
}

/* ---- Closed forms ---- */

/* Adds the set of points at which A has the eigenvalue e, in units of a macro step. */
static costab_status push_eigenvalue(tracer *t, double complex e) {
    if (cimag(e) == 0)
        return push_line(t, t->gamma[0], creal(e) * (t->gamma[0] - creal(e)), t->gamma[1],
                         creal(e) * (t->gamma[1] - creal(e)));
    double gamma = 2 * creal(e), delta = creal(e) * creal(e) + cimag(e) * cimag(e);
    return is_in_window(t, gamma, delta) ? push_curve(t, &gamma, &delta, 1) : COSTAB_OK;
}

/* Largest relative distance from the real axis of double and triple real solutions with rounding; they exist
 * for real omega only. */
#define MULTIPLE 1e-4

/* Complex z with R(z) = omega and Im z > 0: eigenvalues of the companion matrix of P + (1 - omega) Q. */
static int complex_solutions(const costab_method *method, double complex omega, double complex *z) {
    int n = method->stages;
    double complex c[DEGREE + 1], companion[DEGREE * DEGREE] = {0}, values[DEGREE], work[2 * DEGREE];
    double real[2 * DEGREE];
    for (int k = 0; k <= n; k++)
        c[k] = (k > 0 ? method->phi[k - 1] : 0) + (1 - omega) * method->denominator[k];
    while (n > 0 && cabs(c[n]) == 0) n--;
    if (n == 0) return 0;
    for (int k = 0; k < n; k++) {
        companion[(n - 1) * n + k] = -c[k] / c[n];
        if (k > 0) companion[(k - 1) * n + k] = 1;
    }
    if (LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, companion, n, values, NULL, 1, NULL, 1, work, 2 * n,
                           real) != 0)
        return -1;
    int count = 0;
    const double least = cimag(omega) == 0 ? MULTIPLE : 0;
    for (int k = 0; k < n; k++)
        if (cimag(values[k]) > least * (1 + cabs(values[k]))) z[count++] = values[k];
    return count;
}

/* Bound of |R(z) - 1| for |z| <= radius; infinite if there may be a pole. */
static double largest_increment(const costab_method *method, double radius) {
    double phi = 0, rest = 0;
    for (int k = method->stages - 1; k >= 0; k--) {
        phi = phi * radius + fabs(method->phi[k]);
        rest = rest * radius + fabs(method->denominator[k + 1]);
    }
    double least = fabs(method->denominator[0]) - radius * rest;
    return least > 0 ? 1.001 * radius * phi / least : (double)INFINITY;
}

/* Adds the simulation's fold (R^m = 1) or flip (R^m = -1). Real eigenvalues are the ends of the real
 * stability set and other real solutions; complex eigenvalues give isolated points. */
static costab_status simulation_eigenvalues(tracer *t, uint8_t cause) {
    t->cause = cause;
    const costab_method *method = &t->planar->method;
    int m = t->planar->substeps[0];
    bool fold = cause == COSTAB_CAUSE_FOLD;
    if (fold) TRY(push_eigenvalue(t, 0));
    double roots[2 * DEGREE + 2];
    int count = 0;
    if (fold) count += planar_real_solutions(method, 1, roots);
    if (fold ? m % 2 == 0 : m % 2 == 1) count += planar_real_solutions(method, -1, roots + count);
    for (int k = 0; k < count; k++) TRY(push_eigenvalue(t, m * roots[k]));

    /* isolated points in the window have |m z|^2 = Delta */
    const double reach = largest_increment(method, sqrt(fmax(t->delta[1], 0)) / m);
    for (int k = 0; k < m; k++) {
        double angle = (2 * k + (fold ? 0 : 1)) * 3.14159265358979323846 / m;
        if (2 * sin(angle / 2) > reach) continue; /* |omega - 1| */
        double complex omega = cos(angle) + sin(angle) * (double complex)I, z[DEGREE];
        if ((2 * k + (fold ? 0 : 1)) % m == 0) omega = (2 * k + (fold ? 0 : 1)) / m % 2 == 0 ? 1 : -1;
        int found = complex_solutions(method, omega, z);
        if (found < 0)
            return error_set(t->error, COSTAB_NUMERIC, "eigenvalues of a companion matrix did not converge");
        for (int i = 0; i < found; i++) TRY(push_eigenvalue(t, m * z[i]));
    }
    return COSTAB_OK;
}

/* Adds the curves of the exact solver: e^lambda = 1 or -1 for lambda = i pi k, and Det D = e^Gamma. */
static costab_status exact_boundary(tracer *t) {
    t->cause = COSTAB_CAUSE_DET;
    TRY(push_line(t, 0, t->delta[0], 0, t->delta[1]));
    t->cause = COSTAB_CAUSE_FOLD;
    TRY(push_line(t, t->gamma[0], 0, t->gamma[1], 0));
    for (int parity = 0; parity < 2; parity++) {
        t->cause = parity == 0 ? COSTAB_CAUSE_FOLD : COSTAB_CAUSE_FLIP;
        for (int k = 2 - parity; k < 1000000; k += 2) {
            double y = 3.14159265358979323846 * k;
            if (y * y > t->delta[1]) break;
            TRY(push_eigenvalue(t, y * (double complex)I));
        }
    }
    return COSTAB_OK;
}

/* Adds the co-simulation's fold, Delta phi_a phi_d = 0. */
static costab_status cosimulation_fold(tracer *t) {
    t->cause = COSTAB_CAUSE_FOLD;
    if (t->slice.weights_a.phi == 0) return COSTAB_OK;
    TRY(push_line(t, t->gamma[0], 0, t->gamma[1], 0));
    if (t->planar->method.kind == COSTAB_EXACT) return COSTAB_OK;
    double roots[2 * DEGREE + 2];
    int m = t->planar->substeps[1], count = planar_real_solutions(&t->planar->method, 1, roots);
    if (m % 2 == 0) count += planar_real_solutions(&t->planar->method, -1, roots + count);
    for (int k = 0; k < count; k++) {
        double gamma = t->slice.a + m * roots[k];
        TRY(push_line(t, gamma, t->delta[0], gamma, t->delta[1]));
    }
    return COSTAB_OK;
}

static costab_status all_curves(tracer *t) {
    const bool simulation = t->planar->scheme == COSTAB_SIMULATION;
    if (simulation && t->planar->method.kind == COSTAB_EXACT) return exact_boundary(t);
    TRY(trace_condition(t, COSTAB_CAUSE_DET));
    TRY(simulation ? simulation_eigenvalues(t, COSTAB_CAUSE_FOLD) : cosimulation_fold(t));
    if (simulation) return simulation_eigenvalues(t, COSTAB_CAUSE_FLIP);
    TRY(trace_condition(t, COSTAB_CAUSE_FLIP));
    return t->planar->scheme == COSTAB_STRONG ? trace_condition(t, COSTAB_CAUSE_ITERATION) : COSTAB_OK;
}

costab_status costab_planar_boundary(const costab_planar *planar, double a, const double gamma[2],
                                     const double delta[2], costab_boundary *boundary, costab_error *error) {
    const costab_planar_slice slice = costab_planar_at(planar, a);
    return costab_planar_boundary_of(&slice, gamma, delta, boundary, error);
}

costab_status costab_planar_boundary_of(const costab_planar_slice *slice, const double gamma[2],
                                        const double delta[2], costab_boundary *boundary,
                                        costab_error *error) {
    *boundary = (costab_boundary){0};
    if (!(gamma[0] < gamma[1]) || !(delta[0] < delta[1]) || !isfinite(gamma[1] - gamma[0]) ||
        !isfinite(delta[1] - delta[0]) || !isfinite(slice->a))
        return error_invalid(error, "the window must be finite and its bounds ascending");
    tracer t = {.planar = slice->planar,
                .slice = *slice,
                .gamma = gamma,
                .delta = delta,
                .out = boundary,
                .error = error};
    costab_status status = all_curves(&t);
    if (status) costab_boundary_free(boundary);
    return status;
}

void costab_boundary_free(costab_boundary *boundary) {
    for (size_t i = 0; i < boundary->count; i++) memory_free(boundary->curves[i].gamma);
    memory_free(boundary->curves);
    *boundary = (costab_boundary){0};
}
