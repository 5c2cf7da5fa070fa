/* Chebyshev interpolation on [-1, 1], p = sum c_k T_k, and the intervals on which |p| may not exceed an error
 * (Trefethen, Approximation Theory and Approximation Practice).
 * 1. Coefficients follow from the values at the extreme points of T_n by the cosine transform.
 * 2. The interpolation error is estimated as eight times the sum of the magnitudes of the last half of the
 *    coefficients.
 * 3. On a segment with middle m and half width w, |p| > error if |p(m)| - w |p'(m)| - w^2/2 max |p''| > error
 *    (Taylor). If |p| <= error on all of it, it is unresolved. Otherwise it is halved, down to 2^-18 of the
 *    initial width. max |p''| is bounded by
 *    the coefficients, or by |p''(m)| and the coefficients' bound of |p'''|. The second bound is sharper at
 *    small p, with little curvature.
 * Cost: n^2 for the coefficients, and n for each of about 50 segments, eight at a time. Limitation: the error
 * is an estimate. */
#include "method/chebyshev.h"

#include <math.h>

#include "base/clones.h"

/* Factor from the sum of the last coefficients to the error estimate. */
#define TAIL_FACTOR 8.0

#define PI 3.14159265358979323846

/* HALVINGS: limit of the number of halvings. SEGMENTS: limit of the number of segments of one width. */
enum { HALVINGS = 18, SEGMENTS = 1024 }; /* a multiple of EIGHT */

void chebyshev_points(int n, double *points) {
    for (int i = 0; i <= n; i++) points[i] = sin(PI * (2 * i - n) / (2 * n));
}

void chebyshev_shares(int n, const double *points, double x, double *shares) {
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        if (x == points[i]) {
            for (int j = 0; j <= n; j++) shares[j] = j == i;
            return;
        }
        shares[i] = (i % 2 == 0 ? 1 : -1) * (i == 0 || i == n ? 0.5 : 1) / (x - points[i]);
        sum += shares[i];
    }
    for (int i = 0; i <= n; i++) shares[i] /= sum;
}

double chebyshev_derivative(int n, int i, int j) {
    if (i == j) { /* rows sum to 0 */
        double sum = 0;
        for (int l = 0; l <= n; l++) sum -= l != i ? chebyshev_derivative(n, i, l) : 0;
        return sum;
    }
    double ci = i == 0 || i == n ? 2 : 1, cj = j == 0 || j == n ? 2 : 1;
    /* x_i - x_j without cancellation */
    double difference = 2 * sin((i + j) * PI / (2 * n)) * sin((i - j) * PI / (2 * n));
    return ((i + j) % 2 == 0 ? 1 : -1) * ci / (cj * difference);
}

void chebyshev_table_make(chebyshev_table *table) {
    for (int k = 0; k < CHEBYSHEV_DEGREES; k++) chebyshev_points(chebyshev_degree(k), table->points[k]);
    for (int t = 0; t < CHEBYSHEV_COSINES; t++) table->cosines[t] = cos(2 * PI * t / CHEBYSHEV_COSINES);
}

/* c_m = 2/n sum'' f(x_j) T_m(x_j); '' halves the first and last term of the sum, and the first and last
 * coefficient. For ascending points T_m(x_j) = cos(m (n - j) pi/n) = +-cos(m j pi/n), so the terms j and n -
 * j are added first. */
void chebyshev_coefficients(const chebyshev_table *table, int n, const double *values, double *coefficients) {
    double folded[2][CHEBYSHEV_MOST / 2 + 1];
    for (int j = 0; j <= n / 2; j++) {
        double weight = j == 0 || j == n / 2 ? 0.5 : 1;
        folded[0][j] = weight * (values[n - j] + values[j]);
        folded[1][j] = weight * (values[n - j] - values[j]);
    }
    for (int m = 0; m <= n; m++) {
        int step = m * (CHEBYSHEV_COSINES / (2 * n)), at = 0;
        double sum = 0;
        for (int j = 0; j <= n / 2; j++, at += step)
            sum += table->cosines[at % CHEBYSHEV_COSINES] * folded[m % 2][j];
        coefficients[m] = sum * (m == 0 || m == n ? 1.0 : 2.0) / n;
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

/* Clenshaw's recurrence and its derivative. */
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

/* Number of points evaluated together, which hides the latency of floating-point operations. */
enum { EIGHT = 8, FOUR = 4 };
typedef double four __attribute__((vector_size(8 * FOUR), aligned(8), may_alias));

/* Computes p, p' and p'' at eight points by Clenshaw's recurrence and its derivatives. */
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

/* Appends [from, to] to a list. If the list is full, joins all its intervals. */
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

int chebyshev_unresolved(int degree, const double *c, double error, chebyshev_interval *unresolved) {
    double middles[2][SEGMENTS], derivatives[3][EIGHT], bend = 0, twist = 0, half = 1.0 / (degree + 1);
    int open = degree + 1, count = 0;
    for (int k = 2; k <= degree; k++) {
        double square = (double)k * k, bent = fabs(c[k]) * square * (square - 1) / 3;
        bend += bent;
        twist += bent * (square - 4) / 5;
    }
    for (int i = 0; i < open; i++) middles[0][i] = -1 + (2 * i + 1) * half;
    for (int turn = 0; open > 0; turn++) {
        const double *now = middles[turn % 2];
        double *next = middles[(turn + 1) % 2];
        int kept = 0;
        for (int i = open; i % EIGHT != 0; i++) middles[turn % 2][i] = 0; /* padding, evaluated and ignored */
        for (int i = 0; i < open; i++) {
            int e = i % EIGHT;
            if (e == 0) evaluate(degree, c, now + i, derivatives);
            double value = fabs(derivatives[0][e]), bent = fabs(derivatives[2][e]) + half / 3 * twist;
            double reach = half * fabs(derivatives[1][e]) + half * half / 2 * fmin(bend, bent);
            if (value - reach > error) continue;
            bool sure = value + reach <= error;
            if (sure || turn == HALVINGS || 2 * kept + 2 > SEGMENTS) {
                if (count == CHEBYSHEV_INTERVALS) count = chebyshev_join(unresolved, count);
                count = add(unresolved, count, now[i] - half, now[i] + half);
                continue;
            }
            next[2 * kept] = now[i] - half / 2;
            next[2 * kept + 1] = now[i] + half / 2;
            kept++;
        }
        open = 2 * kept;
        half /= 2;
    }
    return chebyshev_join(unresolved, count);
}
