/* The monolithic simulation: D = R(A); its eigenvalues are R at the eigenvalues of A.
 *
 * 1. With u = z phi(z) = R(z) - 1 at the two eigenvalues z of A,
 *
 *         Tr D - 2 = u1 + u2,    1 - Tr D + Det D = u1 u2,    1 + Tr D + Det D = (2 + u1)(2 + u2),
 *         1 - Det D = -(u1 + u2 + u1 u2).
 *
 * 2. Real eigenvalues are stable if both are in S = {z real: |R(z)| < 1}, a union of intervals. Its ends, the
 *    real roots of R - 1 and R + 1, are computed once.
 * 3. A complex pair x +- iy is stable if Det D = |R(x + iy)|^2 < 1, that is if a polynomial in v = y^2 is
 *    negative.
 * 4. A row is the line Delta = x^2 + v at fixed x = Gamma / 2, with real pairs for v < 0 and complex pairs
 *    for v > 0. Its stable intervals are those of real and of complex pairs, joined at v = 0.
 * 5. m micro steps only change the scale: D(Gamma, Delta) = D1(Gamma/m, Delta/m^2)^m is stable if and only if
 *    D1 is.
 *
 * Cost: the roots of a polynomial of degree `stages` per row. Limitation: rounding may change the class of
 * points close to an end; planar_simulation_row reports these zones. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "planar/row.h"

/* ---- Roots of polynomials ----
 * Real roots of a polynomial p of degree n from those of its derivatives.
 *
 * 1. The derivative of degree 1 has its root in closed form, or none in the range.
 * 2. Between consecutive sign changes of a derivative its antiderivative in the chain is monotone, so it has
 *    at most one sign change there. The signs at both ends bracket it, and Laguerre's method, restricted to
 *    the bracket, finds it.
 * 3. This is repeated for increasing degrees up to p.
 *
 * Sign changes are missed only by rounding. Double roots are not reported, but are close to a sign change of
 * p' (turns). Cost: n^2 brackets; a microsecond at degree 4. Real arithmetic only. */

#define POLYNOMIAL_DEGREE_MAX 40

/* Value of a polynomial with ascending coefficients. */
static double polynomial_value(const double *coefficients, int degree, double x) {
    double sum = coefficients[degree];
    for (int k = degree - 1; k >= 0; k--) sum = sum * x + coefficients[k];
    return sum;
}

/* Replaces the coefficients by Taylor coefficients about x: shifted[k] = p^(k)(x) / k!. */
static void polynomial_shift(double *coefficients, int degree, double x) {
    for (int i = 0; i < degree; i++)
        for (int k = degree - 1; k >= i; k--) coefficients[k] += x * coefficients[k + 1];
}

/* A number between two: the geometric mean if they have equal signs and very different magnitudes. */
static double middle(double left, double right) {
    if (left > 0 && right > 4 * left) return sqrt(left) * sqrt(right);
    if (right < 0 && left < 4 * right) return -sqrt(-left) * sqrt(-right);
    if (left < -2 && right > 2) return 0;
    return left + 0.5 * (right - left);
}

/* Sign change of p in (left, right); p is negative at the left end if `rising`, otherwise positive. */
static double bracketed_root(const double *p, int degree, double left, double right, bool rising) {
    if (degree == 1) return -p[0] / p[1];
    double x = middle(left, right), n = degree, last = INFINITY;
    for (int i = 1; i < 2200; i++) {
        double value = p[degree], slope = 0, half_bend = 0;
        for (int k = degree - 1; k >= 0; k--) {
            half_bend = half_bend * x + slope;
            slope = slope * x + value;
            value = value * x + p[k];
        }
        if (value == 0) return x;
        if ((value < 0) == rising)
            left = x;
        else
            right = x;
        double square = (n - 1) * ((n - 1) * slope * slope - 2 * n * value * half_bend);
        double step = square >= 0 ? n * value / (slope + copysign(sqrt(square), slope)) : value / slope;
        /* steps shrink cubically until rounding dominates */
        double next = x - step, share = fabs(step) / fabs(x);
        bool inside = next > left && next < right;
        if (share <= 4 * DBL_EPSILON || (inside && share < 1e-10 && share > 0.125 * last)) return next;
        last = share;
        if (!inside || (i % 12 == 0 && share > 0.01)) next = middle(left, right);
        if (next <= left || next >= right || right - left <= DBL_EPSILON * fabs(x)) return next;
        x = next;
    }
    return x;
}

/* Bound of the moduli of all roots (Cauchy). */
static double root_bound(const double *p, int degree) {
    double largest = 0;
    for (int k = 0; k < degree; k++) largest = fmax(largest, fabs(p[k] / p[degree]));
    return fmin(1 + largest, DBL_MAX / 4);
}

/* Finds the points of (lower, upper), which may be infinite, at which the polynomial changes its sign, in
 * ascending order. Returns their number. [out] roots: space for `degree`; turns: NULL, or space for `degree`,
 * and *turn_count: sign changes of the derivative; every double root is close to one of them. Leading
 * coefficients may be 0. */
static int polynomial_roots(const double *coefficients, int degree, double lower, double upper, double *roots,
                            double *turns, int *turn_count) {
    if (turn_count != NULL) *turn_count = 0;
    while (degree > 0 && coefficients[degree] == 0) degree--;
    if (degree < 1) return 0;

    double chain[POLYNOMIAL_DEGREE_MAX + 1][POLYNOMIAL_DEGREE_MAX + 1];
    memcpy(chain[0], coefficients, (size_t)(degree + 1) * sizeof(double));
    for (int d = 1; d < degree; d++)
        for (int k = 0; k <= degree - d; k++) chain[d][k] = (k + 1) * chain[d - 1][k + 1];

    double found[POLYNOMIAL_DEGREE_MAX + 2], next[POLYNOMIAL_DEGREE_MAX + 2];
    int count = 0;
    for (int d = degree - 1; d >= 0; d--) {
        const double *p = chain[d];
        int n = degree - d, fresh = 0;
        double bound = root_bound(p, n);
        double left = fmax(lower, -bound);
        double end = fmin(upper, bound);
        double value = polynomial_value(p, n, left);
        for (int i = 0; i <= count && left < end; i++) {
            double right = i < count ? found[i] : end;
            if (right <= left) continue;
            right = fmin(right, end);
            double at_right = polynomial_value(p, n, right);
            if ((value < 0 && at_right > 0) || (value > 0 && at_right < 0))
                next[fresh++] = bracketed_root(p, n, left, right, value < 0);
            left = right;
            if (at_right != 0) value = at_right;
        }
        if (d == 0 && turns != NULL && turn_count != NULL) {
            memcpy(turns, found, (size_t)count * sizeof(double));
            *turn_count = count;
        }
        memcpy(found, next, (size_t)fresh * sizeof(double));
        count = fresh;
    }
    memcpy(roots, found, (size_t)count * sizeof(double));
    return count;
}

/* ---- Rows ---- */

enum { DEGREE = COSTAB_STAGES_MAX };

/* P and Q of R - 1 = P / Q, both of degree at most `stages`. */
static void increment_quotient(const costab_method *method, double *P, double *Q) {
    P[0] = 0;
    memcpy(P + 1, method->phi, (size_t)method->stages * sizeof(double));
    memcpy(Q, method->denominator, (size_t)(method->stages + 1) * sizeof(double));
}

/* Returns true if rounding in Horner's rule, including underflow, may change the sign of G at v. */
static bool sign_is_doubtful(const double *G, int n, double v) {
    double value = 0, size = 0;
    for (int k = n; k >= 0; k--) {
        value = value * v + G[k];
        size = size * fabs(v) + fabs(G[k]);
    }
    return fabs(value) <= 4 * (n + 1) * DBL_EPSILON * size + 1e-290;
}

/* Finds up to n real roots of a polynomial, unordered: sign changes, and double roots, which are local
 * extrema with value 0 within rounding. Sign changes caused by rounding next to a double root are dropped. */
static int real_roots_of(const double *f, int n, double *roots) {
    double turns[DEGREE + 1];
    int turn_count, count = polynomial_roots(f, n, -INFINITY, INFINITY, roots, turns, &turn_count);
    for (int t = 0; t < turn_count; t++) {
        int kept = 0;
        if (!sign_is_doubtful(f, n, turns[t])) continue;
        for (int i = 0; i < count; i++)
            if (!sign_is_doubtful(f, n, turns[t] + 0.5 * (roots[i] - turns[t]))) roots[kept++] = roots[i];
        if (kept < n) roots[kept++] = turns[t];
        count = kept;
    }
    return count;
}

int planar_real_solutions(const costab_method *method, int value, double *roots) {
    int n = method->stages;
    double P[DEGREE + 1], Q[DEGREE + 1];
    if (value > 0) return real_roots_of(method->phi, n - 1, roots);
    increment_quotient(method, P, Q);
    for (int k = 0; k <= n; k++) P[k] += 2 * Q[k];
    return real_roots_of(P, n, roots);
}

/* Condition violated outside S at its end z: fold if R^m = 1, flip if R^m = -1. */
static uint8_t real_cause(const costab_planar *planar, double z) {
    if (isinf(z)) return 0;
    double phi = costab_method_weights(&planar->method, 1, z).phi;
    bool fold = fabs(z * phi) < 1 || planar->substeps[0] % 2 == 0;
    return fold ? COSTAB_CAUSE_FOLD : COSTAB_CAUSE_FLIP;
}

void planar_simulation_init(costab_planar *planar) {
    planar->real_count = 0;
    if (planar->method.kind == COSTAB_EXACT) {
        planar->real_lower[0] = -INFINITY;
        planar->real_upper[0] = 0;
        planar->real_upper_cause[0] = COSTAB_CAUSE_FOLD;
        planar->real_count = 1;
        return;
    }
    /* |R| < 1 if and only if P (P + 2Q) < 0 */
    int n = planar->method.stages;
    double P[DEGREE + 1], Q[DEGREE + 1], lifted[DEGREE + 1], ends[2 * DEGREE + 2] = {0};
    increment_quotient(&planar->method, P, Q);
    for (int k = 0; k <= n; k++) lifted[k] = P[k] + 2 * Q[k];
    int count = 1; /* R(0) = 1 */
    count += planar_real_solutions(&planar->method, 1, ends + count);
    count += planar_real_solutions(&planar->method, -1, ends + count);
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && ends[j] < ends[j - 1]; j--) {
            double swap = ends[j];
            ends[j] = ends[j - 1];
            ends[j - 1] = swap;
        }
    for (int i = 0; i <= count; i++) {
        double left = i > 0 ? ends[i - 1] : -INFINITY, right = i < count ? ends[i] : INFINITY;
        if (!(left < right)) continue;
        double inside = isinf(left) && isinf(right) ? 0
                        : isinf(left)               ? right - 1 - fabs(right)
                        : isinf(right)              ? left + 1 + fabs(left)
                                                    : left + 0.5 * (right - left);
        if (!(polynomial_value(P, n, inside) * polynomial_value(lifted, n, inside) < 0)) continue;
        planar->real_lower[planar->real_count] = left;
        planar->real_upper[planar->real_count] = right;
        planar->real_lower_cause[planar->real_count] = real_cause(planar, left);
        planar->real_upper_cause[planar->real_count++] = real_cause(planar, right);
    }
}

/* Adds p q to a coefficient, and |p q| to the sum of magnitudes. */
static void add_product(double *value, double *size, double p, double q) {
    *value += p * q;
    *size += fabs(p * q);
}

/* G := |P + Q|^2 - |Q|^2 = 2 Re(conj(Q) P) + |P|^2 at x + iy, a polynomial in v = y^2 of degree n; size: sums
 * of the magnitudes of its terms. P and Q: Taylor coefficients about x. In the sum of t_k (iy)^k even k form
 * the real part, with signs +-+-, odd k the imaginary part. */
static void growth_polynomial(const double *P, const double *Q, int n, double *G, double *size) {
    for (int k = 0; k <= n; k++) G[k] = size[k] = 0;
    for (int i = 0; i <= n; i++)
        for (int j = i % 2; j <= n; j += 2) {
            int power = (i + j) / 2;
            double sign = (i / 2 + j / 2) % 2 == 0 ? 1 : -1;
            add_product(&G[power], &size[power], sign * P[i], P[j] + 2 * Q[j]);
        }
}

/* G := the polynomial in v with roots where Det D1 = value (1 or -1) at half trace x. Coefficients within
 * rounding of 0 become 0; at x = 0 these can be all coefficients of an A-stable method. */
static void determinant_polynomial(const costab_planar *planar, double x, int value, double *G,
                                   double *size) {
    int n = planar->method.stages;
    double P[DEGREE + 1], Q[DEGREE + 1];
    increment_quotient(&planar->method, P, Q);
    polynomial_shift(P, n, x);
    polynomial_shift(Q, planar->method.denominator_degree, x);
    growth_polynomial(P, Q, n, G, size);
    for (int i = 0; value < 0 && i <= n; i++)
        for (int j = i % 2; j <= n; j += 2)
            add_product(&G[(i + j) / 2], &size[(i + j) / 2], (i / 2 + j / 2) % 2 == 0 ? 2 * Q[i] : -2 * Q[i],
                        Q[j]);
    for (int k = 0; k <= n; k++)
        if (fabs(G[k]) <= 16 * DBL_EPSILON * size[k]) G[k] = 0;
}

/* The two values u = R(z) - 1, real or a conjugate pair re +- i im. */
typedef struct increments {
    bool pair;
    double first, second; /* real: u1, u2; pair: re, im */
    double height;        /* pair: v = y^2 of one micro step */
    double large, small;  /* real: the eigenvalues of one micro step */
} increments;

static increments increments_at(const costab_planar *planar, double gamma, double delta) {
    const costab_method *method = &planar->method;
    int substeps = planar->substeps[0];
    double x = 0.5 * gamma, square = fma(x, x, -delta);
    if (square < 0) {
        costab_complex z = {x, sqrt(-square)};
        costab_weights_complex w = costab_method_weights_complex(method, substeps, z);
        double re = z.re * w.phi.re - z.im * w.phi.im, im = z.re * w.phi.im + z.im * w.phi.re;
        double height = -square / ((double)substeps * substeps);
        return (increments){true, re, im, height, 0, 0};
    }
    double root = sqrt(square);
    double large = x < 0 ? x - root : x + root, small = large != 0 ? delta / large : 0;
    double micro = small / substeps; /* keep the sign after underflow */
    if (micro == 0 && delta != 0) micro = copysign(DBL_TRUE_MIN, small);
    double u1 = large * costab_method_weights(method, substeps, large).phi;
    double u2 = small * costab_method_weights(method, substeps, small).phi;
    return (increments){false, u1, u2, 0, large / substeps, micro};
}

/* The exact solver is stable if and only if the continuous system is. */
static unsigned exact_cause(double gamma, double delta) {
    return (gamma < 0 ? 0U : COSTAB_CAUSE_DET) | (delta > 0 ? 0U : COSTAB_CAUSE_FOLD);
}

/* Returns 0 if z is in the real stability set of one micro step, otherwise the flag of the violated
 * condition. */
static unsigned real_point_cause(const costab_planar *planar, double z) {
    for (int i = 0; i < planar->real_count; i++)
        if (z > planar->real_lower[i] && z < planar->real_upper[i]) return 0;
    return isfinite(z) ? real_cause(planar, z) : COSTAB_CAUSE_DET;
}

/* Returns the violated conditions. As in rows, the set S and the sign of the complex pairs' polynomial decide
 * stability. The value of R cannot: near |R| = 1 its rounding error dominates. */
static unsigned cause_of(const planar_simulation_line *line, const increments *u) {
    const costab_planar *planar = line->planar;
    double det, fold, flip;
    unsigned real = 0;
    if (u->pair) {
        int n = planar->method.stages;
        double size = fabs(line->growth[n]);
        for (int k = n - 1; k >= 0; k--) size = size * u->height + fabs(line->growth[k]);
        det = -polynomial_value(line->growth, n, u->height) - (isfinite(size) ? PLANAR_TIE * size : 0);
        fold = fabs(u->first) + fabs(u->second);
        flip = fabs(2 + u->first) + fabs(u->second);
    } else {
        real = real_point_cause(planar, u->large) | real_point_cause(planar, u->small);
        if (real == 0) return 0;
        det = -(u->first + u->second + u->first * u->second);
        fold = u->first * u->second;
        flip = (2 + u->first) * (2 + u->second);
    }
    unsigned cause = (det > 0 ? 0U : COSTAB_CAUSE_DET) | (fold > 0 ? 0U : COSTAB_CAUSE_FOLD) |
                     (flip > 0 ? 0U : COSTAB_CAUSE_FLIP);
    return cause != 0 ? cause : real;
}

planar_simulation_line planar_simulation_at(const costab_planar *planar, double gamma) {
    planar_simulation_line line = {.planar = planar, .gamma = gamma};
    double size[DEGREE + 1];
    if (planar->method.kind != COSTAB_EXACT)
        determinant_polynomial(planar, 0.5 * gamma / planar->substeps[0], 1, line.growth, size);
    return line;
}

uint8_t planar_simulation_cause(const planar_simulation_line *line, double delta) {
    if (line->planar->method.kind == COSTAB_EXACT) return (uint8_t)exact_cause(line->gamma, delta);
    increments u = increments_at(line->planar, line->gamma, delta);
    return (uint8_t)cause_of(line, &u);
}

costab_planar_point planar_simulation_point(const planar_simulation_line *line, double delta) {
    costab_planar_point point = {.iteration_radius = NAN, .cause = planar_simulation_cause(line, delta)};
    point.class_code = planar_class(line->gamma, delta, point.cause);
    planar_eigenvalue_fields(line->planar, line->gamma, 1, &delta, &point.trace, &point.determinant,
                             &point.spectral_radius);
    return point;
}

/* The stable intervals of a row during construction, in units of one micro step. */
typedef struct row_builder {
    const costab_planar *planar;
    double x; /* half the trace */
    int count;
    costab_interval *pieces;
    bool touches; /* the last interval ends at v = 0, the double eigenvalue x */
} row_builder;

/* Adds the interval of real pairs with x - r in interval i of S and x + r in interval j, r >= 0, i <= j. */
static void add_real_piece(row_builder *b, int i, int j) {
    const costab_planar *p = b->planar;
    double x = b->x;
    double from_small = x - p->real_upper[i], to_small = x - p->real_lower[i];
    double from_large = p->real_lower[j] - x, to_large = p->real_upper[j] - x;
    double from = fmax(from_small, from_large), to = fmin(to_small, to_large);
    bool touches = from < 0;
    if (!(fmax(from, 0) < to)) return;

    costab_interval piece;
    bool small_ends = to_small<to_large, small_begins = from_small> from_large;
    double end = small_ends ? p->real_lower[i] : p->real_upper[j];
    piece.lower = isinf(end) ? -INFINITY : end * (2 * x - end);
    piece.lower_cause = small_ends ? p->real_lower_cause[i] : p->real_upper_cause[j];
    double begin = small_begins ? p->real_upper[i] : p->real_lower[j];
    piece.upper = touches ? x * x : begin * (2 * x - begin);
    piece.upper_cause = small_begins ? p->real_upper_cause[i] : p->real_lower_cause[j];
    if (touches) piece.upper_cause = COSTAB_CAUSE_DET;
    if (!(piece.lower < piece.upper)) return;

    int at = b->count++;
    for (; at > 0 && b->pieces[at - 1].lower > piece.lower; at--) b->pieces[at] = b->pieces[at - 1];
    b->pieces[at] = piece;
    b->touches = b->touches || touches;
}

/* Adds the interval from < v < to of complex pairs, or joins it to the real pairs at v = 0. */
static void add_complex_piece(row_builder *b, double from, double to) {
    double square = b->x * b->x;
    bool joins = from == 0 && b->touches;
    costab_interval *piece = joins ? &b->pieces[b->count - 1] : &b->pieces[b->count++];
    if (!joins) {
        piece->lower = square + from;
        piece->lower_cause = from > 0 ? COSTAB_CAUSE_DET : real_cause(b->planar, b->x);
    }
    piece->upper = square + to;
    piece->upper_cause = (uint8_t)(isinf(to) ? 0 : COSTAB_CAUSE_DET);
}

int planar_determinant_roots(const costab_planar *planar, double x, int value, double *roots) {
    double G[DEGREE + 1], size[DEGREE + 1];
    determinant_polynomial(planar, x, value, G, size);
    return polynomial_roots(G, planar->method.stages, -INFINITY, INFINITY, roots, NULL, NULL);
}

/* Adds the zone around v in which the sign of G is uncertain. */
static void add_zone(const double *G, int n, double v, double *checks, int *check_count) {
    double step = fmax(64 * DBL_EPSILON * v, 1e-300), below = step, above = step;
    while (below < v && sign_is_doubtful(G, n, v - below)) below *= 4;
    while (above < 1e150 && sign_is_doubtful(G, n, v + above)) above *= 4;
    checks[(*check_count)++] = fmax(v - below, 0);
    checks[(*check_count)++] = v + above;
}

/* Adds the intervals of complex pairs, and the zones in which rounding may change a sign. */
static void add_complex_pieces(row_builder *b, double *checks, int *check_count) {
    int n = b->planar->method.stages;
    double G[DEGREE + 1], size[DEGREE + 1];
    determinant_polynomial(b->planar, b->x, 1, G, size);

    double roots[DEGREE + 2], turns[DEGREE + 2];
    int turn_count, count = polynomial_roots(G, n, 0, INFINITY, roots, turns, &turn_count);
    bool all_zero = true;
    for (int k = 0; k <= n; k++) all_zero = all_zero && G[k] == 0;
    if (!all_zero) add_zone(G, n, 0, checks, check_count);
    for (int k = 0; k < count; k++) add_zone(G, n, roots[k], checks, check_count);
    for (int k = 0; k < turn_count; k++)
        if (sign_is_doubtful(G, n, turns[k])) add_zone(G, n, turns[k], checks, check_count);

    for (int i = 0; i <= count; i++) {
        double from = i > 0 ? roots[i - 1] : 0, to = i < count ? roots[i] : INFINITY;
        double inside = isinf(to) ? 2 * from + 1 : 0.5 * (from + to);
        if (from < to && polynomial_value(G, n, inside) < 0) add_complex_piece(b, from, to);
    }
}

int planar_simulation_row(const costab_planar *planar, double gamma, costab_interval *pieces, double *checks,
                          int *check_count) {
    *check_count = 0;
    if (planar->method.kind == COSTAB_EXACT) {
        if (!(gamma < 0)) return 0;
        pieces[0] = (costab_interval){0, INFINITY, COSTAB_CAUSE_FOLD, 0};
        return 1;
    }
    double m = planar->substeps[0];
    row_builder b = {.planar = planar, .x = 0.5 * gamma / m, .pieces = pieces};
    if (!isfinite(b.x * b.x)) return 0;
    for (int i = 0; i < planar->real_count; i++)
        for (int j = i; j < planar->real_count; j++) add_real_piece(&b, i, j);
    add_complex_pieces(&b, checks, check_count);

    /* zones include the rounding of Delta = m^2 (x^2 + v); the first, at v = 0, also that of the
     * discriminant */
    for (int k = 0; k < *check_count; k++) {
        double v = checks[k], off = 16 * DBL_EPSILON * (b.x * b.x + v);
        checks[k] = m * m * (b.x * b.x + v + (k % 2 ? off : -off));
    }
    for (int k = 0; k < b.count; k++) {
        pieces[k].lower *= m * m;
        pieces[k].upper *= m * m;
    }
    return b.count;
}
