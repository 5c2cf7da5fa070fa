/* Chebyshev interpolation on [-1, 1], p = sum c_k T_k, and where |p| exceeds an error (Trefethen,
 * Approximation Theory and Approximation Practice).
 *
 * 1. Coefficients from values at the extreme points of T_n, by the cosine transform as a matrix.
 * 2. The interpolation's error is taken as eight times the sum of the last half of the coefficients' sizes.
 * 3. On a segment with middle m and half width w, p(m + t) = p(m) + t p'(m) + r, |r| <= b = w^2/2 max |p''|
 *    (Taylor). max |p''| is bounded by the coefficients, or by |p''(m)| and what they bound |p'''| by.
 *    |p| > error there if |p(m)| - w |p'(m)| - b > error. Else what remains of it is where |p(m) + t p'(m)|
 * <= error + b, if that is less than half of it, as next to a simple zero (Newton's method for intervals: R.
 * E. Moore 1966); else it is halved. Down to a width of 2^-18 of the first ones.
 *
 * Cost: n^2, and n for each of some 50 segments, eight at a time. Not guaranteed: step 2 is an estimate. */
#include "proof/chebyshev.h"

#include <math.h>

#include "base/clones.h"

/* The interpolation's error is taken as so many times the last coefficients. */
#define TAIL_FACTOR 8.0

#define PI 3.14159265358979323846

/* Segments are halved HALVINGS times at most; there are no more of them at a time than SEGMENTS. */
enum { HALVINGS = 18, SEGMENTS = 1024 }; /* a multiple of EIGHT */

/* c_m = 2/n sum'' f(x_j) T_m(x_j), the first and last term of sums and coefficients halved; T_m(x_j) = cos(m
 * (n - j) pi/n) for ascending points. */
void chebyshev_points(int n, double *points, double *transform) {
    double cosines[2 * CHEBYSHEV_MOST];
    for (int t = 0; t < 2 * n; t++) cosines[t] = cos(PI * t / n);
    for (int i = 0; i <= n; i++) points[i] = sin(PI * (2 * i - n) / (2 * n));
    for (int m = 0; m <= n; m++)
        for (int j = 0; j <= n; j++) {
            double weight = (j == 0 || j == n ? 0.5 : 1) * (m == 0 || m == n ? 0.5 : 1);
            transform[m * (n + 1) + j] = 2.0 / n * weight * cosines[m * (n - j) % (2 * n)];
        }
}

void chebyshev_table_make(chebyshev_table *table) {
    for (int k = 0; k < CHEBYSHEV_DEGREES; k++)
        chebyshev_points(chebyshev_degree(k), table->points[k], table->transform[k]);
}

void chebyshev_coefficients(const chebyshev_table *table, int k, const double *values, double *coefficients) {
    int n = chebyshev_degree(k);
    for (int m = 0; m <= n; m++) {
        const double *row = table->transform[k] + m * (n + 1);
        double sum = 0;
        for (int j = 0; j <= n; j++) sum += row[j] * values[j];
        coefficients[m] = sum;
    }
}

double chebyshev_error(int degree, const double *coefficients, double hidden) {
    int last = degree / 4;
    double sum = 0;
    for (int k = degree - 2 * last + 1; k <= degree - last; k++)
        sum += fmax(0, fabs(coefficients[k]) - hidden);
    for (int k = degree - last + 1; k <= degree; k++) sum += fabs(coefficients[k]);
    return TAIL_FACTOR * sum;
}

bool chebyshev_dense(double width, int parts, double most) {
    static const double loss = 1e-9; /* more than rounding of halved intervals */
    return width / parts <= (1 + loss) * most;
}

/* By Clenshaw's recurrence and its derivative. */
double chebyshev_value(int degree, const double *c, double x, double *slope) {
    double b1 = 0, b2 = 0, d1 = 0, d2 = 0;
    for (int k = degree; k >= 1; k--) {
        double b = c[k] + 2 * x * b1 - b2, d = 2 * b1 + 2 * x * d1 - d2;
        b2 = b1;
        b1 = b;
        d2 = d1;
        d1 = d;
    }
    *slope = b1 + x * d1 - d2;
    return c[0] + x * b1 - b2;
}

/* Points that are looked at together: one alone waits for each of its operations. */
enum { EIGHT = 8, FOUR = 4 };
typedef double four __attribute__((vector_size(8 * FOUR), aligned(8), may_alias));

/* p, p' and p'' at eight points, by Clenshaw's recurrence and its derivatives. */
BASE_CLONES
static void evaluate(int degree, const double *c, const double *x, double (*derivatives)[EIGHT]) {
    for (int e = 0; e < EIGHT; e += FOUR) {
        const four at = *(const four *)(const void *)(x + e), twice = 2 * at;
        four b1 = {0}, b2 = {0}, d1 = {0}, d2 = {0}, f1 = {0}, f2 = {0};
        for (int k = degree; k >= 1; k--) {
            const four b = twice * b1 + (c[k] - b2), d = twice * d1 + (2 * b1 - d2);
            const four f = twice * f1 + (4 * d1 - f2);
            b2 = b1;
            b1 = b;
            d2 = d1;
            d1 = d;
            f2 = f1;
            f1 = f;
        }
        *(four *)(void *)(derivatives[0] + e) = at * b1 + (c[0] - b2);
        *(four *)(void *)(derivatives[1] + e) = at * d1 + (b1 - d2);
        *(four *)(void *)(derivatives[2] + e) = at * f1 + (2 * d1 - f2);
    }
}

/* Adds [from, to] to a list; where there is no room for it all intervals are joined to one. */
static int add(chebyshev_interval *unresolved, int count, double from, double to) {
    chebyshev_interval *last = unresolved + count - 1;
    if (count > 0 && from >= last->from && from <= last->to + 1e-12) {
        last->to = fmax(last->to, to);
        return count;
    }
    if (count < CHEBYSHEV_INTERVALS) {
        unresolved[count] = (chebyshev_interval){.from = from, .to = to};
        return count + 1;
    }
    for (int i = 0; i < count; i++) {
        from = fmin(from, unresolved[i].from);
        to = fmax(to, unresolved[i].to);
    }
    unresolved[0] = (chebyshev_interval){.from = from, .to = to};
    return 1;
}

int chebyshev_join(chebyshev_interval *all, int count) {
    int kept = 0;
    for (int i = 1; i < count; i++) {
        chebyshev_interval moved = all[i];
        int at = i;
        for (; at > 0 && all[at - 1].from > moved.from; at--) all[at] = all[at - 1];
        all[at] = moved;
    }
    for (int i = 0; i < count; i++) {
        chebyshev_interval *last = all + kept - 1;
        if (kept > 0 && all[i].from <= last->to + 1e-12) {
            last->to = fmax(last->to, all[i].to);
            last->final = last->final && all[i].final;
        } else {
            all[kept++] = all[i];
        }
    }
    return kept;
}

int chebyshev_meet(chebyshev_interval *all, int count, const chebyshev_interval *others, int other_count) {
    chebyshev_interval met[2 * CHEBYSHEV_INTERVALS];
    int kept = 0;
    for (int i = 0, k = 0; i < count && k < other_count;) {
        double from = fmax(all[i].from, others[k].from), to = fmin(all[i].to, others[k].to);
        bool final = all[i].final && others[k].final;
        if (from < to) met[kept++] = (chebyshev_interval){from, to, final};
        if (all[i].to < others[k].to)
            i++;
        else
            k++;
    }
    if (kept > CHEBYSHEV_INTERVALS) return count;
    for (int i = 0; i < kept; i++) all[i] = met[i];
    return kept;
}

/* Segments of [-1, 1] by their middles and half widths. */
typedef struct segments {
    double middle[SEGMENTS], half[SEGMENTS];
    int count;
} segments;

static void put(segments *list, double middle, double half) {
    list->middle[list->count] = middle;
    list->half[list->count++] = half;
}

/* What remains of a segment: where |value + slope t| <= most, if that is less than half of it; else both
 * halves. */
static void narrow(double middle, double half, double value, double slope, double most, double least,
                   segments *next) {
    double zero = -value / slope, apart = most / fabs(slope);
    double from = fmax(zero - apart, -half), to = fmin(zero + apart, half);
    if (to - from < half) {
        put(next, middle + (from + to) / 2, fmax((to - from) / 2, least));
        return;
    }
    put(next, middle - half / 2, half / 2);
    put(next, middle + half / 2, half / 2);
}

int chebyshev_unresolved(int degree, const double *c, double error, chebyshev_interval *unresolved) {
    segments lists[2];
    double derivatives[3][EIGHT], bend = 0, twist = 0, least = ldexp(1.0 / degree, -HALVINGS);
    int count = 0;
    for (int k = 2; k <= degree; k++) {
        double square = (double)k * k, bent = fabs(c[k]) * square * (square - 1) / 3;
        bend += bent;
        twist += bent * (square - 4) / 5;
    }
    lists[0].count = 0;
    for (int i = 0; i < degree; i++) put(&lists[0], -1 + (2 * i + 1) / (double)degree, 1.0 / degree);
    for (segments *now = lists, *next = lists + 1; now->count > 0;) {
        next->count = 0;
        for (int i = now->count; i % EIGHT != 0; i++) now->middle[i] = 0; /* evaluated, and not looked at */
        for (int i = 0; i < now->count; i++) {
            int e = i % EIGHT;
            if (e == 0) evaluate(degree, c, now->middle + i, derivatives);
            double middle = now->middle[i], half = now->half[i], value = fabs(derivatives[0][e]);
            double bent = half * half / 2 * fmin(bend, fabs(derivatives[2][e]) + half / 3 * twist);
            double reach = half * fabs(derivatives[1][e]) + bent;
            if (value - reach > error) continue;
            bool sure = value + reach <= error;
            if (sure || half <= least || next->count + 2 > SEGMENTS) {
                if (count == CHEBYSHEV_INTERVALS) count = chebyshev_join(unresolved, count);
                count = add(unresolved, count, middle - half, middle + half);
                continue;
            }
            narrow(middle, half, derivatives[0][e], derivatives[1][e], error + bent, least, next);
        }
        segments *done = now;
        now = next;
        next = done;
    }
    return chebyshev_join(unresolved, count);
}
