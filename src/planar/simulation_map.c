/* Trace, determinant and spectral radius of D = R(A) along a row. A polynomial in A is alpha A + b I, as A^2
 * = Gamma A - Delta I.
 *
 *  1. Once per row: alpha and b of the numerator N and the denominator Q of R, as polynomials in Delta.
 *  2. One micro step: trace and determinant of N / Q, again as alpha A + b I; of an explicit method without a
 *     quotient.
 *  3. Several: D - I is composed by squaring, so that a short step's small increment is not lost beside 1.
 *  4. The radius from half the trace and the discriminant.
 *
 * The kernels are loops over blocks that stay in the first cache and vectorise. A point has the same bits
 * alone and in a row. Not computed: rows with a trace beyond 1e8, which are left to the point kernel
 * (field.c). */
#include "planar/simulation_map.h"

#include "base/clones.h"

/* Up to here |z| of a micro step is at most 2e8, and no product of two polynomials of degree 16 in it
 * overflows. */
#define LARGEST_TRACE       1e8
#define LARGEST_DETERMINANT 1e16

/* The polynomial with coefficients c[0 ... degree] in A, but for c[0]: alpha A + beta I, which must be 0 at
 * first. */
static void combine(const double *c, int degree, double gamma, double *alpha, double *beta) {
    double u[MAP_TERMS] = {1}, last[MAP_TERMS] = {0}; /* A^k = u A - Delta last */
    int top = degree / 2;
    for (int k = 1; k <= degree; k++) {
        for (int i = 0; i <= top; i++) {
            alpha[i] += c[k] * u[i];
            if (i > 0) beta[i] -= c[k] * last[i - 1];
        }
        for (int i = top; i >= 0; i--) {
            double next = gamma * u[i] - (i > 0 ? last[i - 1] : 0);
            last[i] = u[i];
            u[i] = next;
        }
    }
}

map_row map_row_at(const costab_planar *planar, double gamma) {
    const costab_method *method = &planar->method;
    double m = planar->substeps[0];
    map_row map = {.substeps = planar->substeps[0], .gamma = gamma / m, .scale = m * m};
    map.usable = method->kind != COSTAB_EXACT && fabs(map.gamma) <= LARGEST_TRACE;
    if (!map.usable) return map;
    map.rational = method->denominator_degree > 0;
    map.half = 0.5 * map.gamma;
    map.square = map.half * map.half;
    map.square_low = fma(map.half, map.half, -map.square);

    int n = method->phi_degree + 1;
    double P[COSTAB_STAGES_MAX + 1] = {0};
    for (int k = 0; k < n; k++) P[k + 1] = method->phi[k];
    combine(P, n, map.gamma, map.alpha, map.b);
    for (int k = 0; k < MAP_TERMS; k++) {
        map.alpha_n[k] = map.alpha[k];
        map.beta_n[k] = map.b[k] + (k == 0);
        map.trace[k] = map.alpha[k] * map.gamma + 2 * map.beta_n[k];
    }
    if (map.rational) {
        combine(method->denominator, method->denominator_degree, map.gamma, map.alpha_q, map.beta_q);
        map.beta_q[0] += 1;
        if (method->denominator_degree > n) n = method->denominator_degree;
        double N[COSTAB_STAGES_MAX + 1];
        for (int k = 0; k <= n; k++) N[k] = P[k] + method->denominator[k];
        for (int k = 0; k < MAP_TERMS; k++) map.alpha_n[k] = map.beta_n[k] = 0;
        combine(N, n, map.gamma, map.alpha_n, map.beta_n);
        map.beta_n[0] += 1;
    }
    map.terms = n <= 4 ? 3 : n <= 8 ? 5 : MAP_TERMS; /* the kernels there are */
    return map;
}

bool map_row_holds(const map_row *map, double delta) {
    return map->usable && fabs(delta) <= LARGEST_DETERMINANT * map->scale;
}

/* ---- what the kernels do at one point ---- */

/* The matrix alpha A + b I. */
typedef struct affine {
    double alpha, b;
} affine;

static inline double horner(const double *c, int terms, double x) {
    double sum = c[terms - 1];
    for (int k = terms - 2; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

/* alpha and b at one Delta. */
static inline affine affine_at(const double *alpha, const double *b, int terms, double x) {
    return (affine){horner(alpha, terms - 1, x), horner(b, terms, x)};
}

/* det P = alpha^2 Delta + alpha b Gamma + b^2 */
static inline double det(affine p, double gamma, double delta) {
    return p.alpha * (p.alpha * delta + p.b * gamma) + p.b * p.b;
}

/* tr(P adj Q) = det(P + Q) - det P - det Q */
static inline double mixed(affine p, affine q, double gamma, double delta) {
    return (p.alpha * q.b + p.b * q.alpha) * gamma + 2 * (p.alpha * q.alpha * delta + p.b * q.b);
}

/* P / Q = P adj Q / det Q, both as combinations of A and I; adj(alpha A + b I) = (alpha Gamma + b) I - alpha
 * A. */
static inline affine divided(affine p, affine q, double gamma, double delta) {
    double determinant = det(q, gamma, delta);
    return (affine){(p.alpha * q.b - p.b * q.alpha) / determinant,
                    (p.b * (q.b + q.alpha * gamma) + p.alpha * q.alpha * delta) / determinant};
}

/* det(I + P / Q) - 1 */
static inline double divided_excess(affine p, affine q, double gamma, double delta) {
    return (mixed(p, q, gamma, delta) + det(p, gamma, delta)) / det(q, gamma, delta);
}

/* (I + p)(I + q) - I */
static inline affine composed(affine p, affine q, double gamma, double delta) {
    double both = p.alpha * q.alpha;
    return (affine){p.alpha + q.alpha + (p.alpha * q.b + q.alpha * p.b) + both * gamma,
                    p.b + q.b + (p.b * q.b - both * delta)};
}

static inline double trace_of(affine s, double gamma) {
    return map_canonical(2 + (s.alpha * gamma + 2 * s.b));
}

/* det(I + P) - 1 */
static inline double excess_of(affine p, double gamma, double delta) {
    return (p.alpha * gamma + 2 * p.b) + det(p, gamma, delta);
}

/* (1 + e)(1 + f) - 1 */
static inline double excess_product(double e, double f) {
    return e + f + e * f;
}

/* The spectral radius of s + one I. A nan is an overflow of both eigenvalues. */
static inline double radius_of(affine s, double one, double half, double square, double square_low,
                               double delta) {
    double height = (delta - square) - square_low; /* y^2 of a pair, exact in its sign */
    double middle = one + (s.b + s.alpha * half);
    double pair = middle * middle + s.alpha * s.alpha * height;
    double root = sqrt(height > 0 ? pair : -height);
    double radius = height > 0 ? root : fabs(middle) + fabs(s.alpha) * root;
    return radius == radius ? radius : (double)INFINITY;
}

/* ---- blocks ---- */

enum { MAP_BLOCK = 128 };

typedef struct affines {
    _Alignas(64) double alpha[MAP_BLOCK];
    double b[MAP_BLOCK];
} affines;

static inline affine affine_of(const affines *s, size_t i) {
    return (affine){s->alpha[i], s->b[i]};
}

static inline void affine_put(affines *s, size_t i, affine one) {
    s->alpha[i] = one.alpha;
    s->b[i] = one.b;
}

/* A loop for each number of terms that a row may have, which the compiler must know to vectorise it. */
#define FOR_TERMS(number, put)                                                                               \
    if ((number) == 3)                                                                                       \
        for (size_t i = 0; i < n; i++) put(3);                                                               \
    else if ((number) == 5)                                                                                  \
        for (size_t i = 0; i < n; i++) put(5);                                                               \
    else                                                                                                     \
        for (size_t i = 0; i < n; i++) put(MAP_TERMS)

BASE_CLONES
static void affine_block(const double *restrict alpha, const double *restrict b, int terms, size_t n,
                         const double *restrict x, affines *restrict out) {
    double p[MAP_TERMS] = {0}, q[MAP_TERMS] = {0};
    for (int k = 0; k < terms; k++) p[k] = alpha[k], q[k] = b[k];
#define PUT_SHAPE(terms) affine_put(out, i, affine_at(p, q, terms, x[i]))
    FOR_TERMS(terms, PUT_SHAPE);
#undef PUT_SHAPE
}

BASE_CLONES
static void divide_block(double gamma, size_t n, const double *restrict x, const affines *restrict q,
                         affines *restrict p) {
    for (size_t i = 0; i < n; i++) affine_put(p, i, divided(affine_of(p, i), affine_of(q, i), gamma, x[i]));
}

BASE_CLONES
static void compose_block(double gamma, size_t n, const double *restrict x, const affines *restrict q,
                          affines *restrict p) {
    for (size_t i = 0; i < n; i++) affine_put(p, i, composed(affine_of(p, i), affine_of(q, i), gamma, x[i]));
}

BASE_CLONES
static void square_block(double gamma, size_t n, const double *restrict x, affines *restrict p) {
    for (size_t i = 0; i < n; i++) {
        affine one = affine_of(p, i);
        affine_put(p, i, composed(one, one, gamma, x[i]));
    }
}

static void power_block(int substeps, double gamma, size_t n, const double *x, affines *all) {
    affines one = *all;
    bool started = false;
    for (int bits = substeps; bits > 0; bits >>= 1) {
        if ((bits & 1) && started) compose_block(gamma, n, x, &one, all);
        if ((bits & 1) && !started) *all = one;
        started = started || (bits & 1);
        if (bits > 1) square_block(gamma, n, x, &one);
    }
}

BASE_CLONES
static void micro_block(double scale, size_t n, const double *restrict delta, double *restrict x) {
    for (size_t i = 0; i < n; i++) x[i] = delta[i] / scale;
}

BASE_CLONES
static void trace_block(double gamma, size_t n, const affines *restrict s, double *restrict trace) {
    for (size_t i = 0; i < n; i++) trace[i] = trace_of(affine_of(s, i), gamma);
}

/* Det D - 1 of one micro step */
BASE_CLONES
static void excess_block(double gamma, size_t n, const double *restrict x, const affines *restrict p,
                         double *restrict excess) {
    for (size_t i = 0; i < n; i++) excess[i] = excess_of(affine_of(p, i), gamma, x[i]);
}

BASE_CLONES
static void divided_excess_block(double gamma, size_t n, const double *restrict x, const affines *restrict p,
                                 const affines *restrict q, double *restrict excess) {
    for (size_t i = 0; i < n; i++) excess[i] = divided_excess(affine_of(p, i), affine_of(q, i), gamma, x[i]);
}

/* Det D from Det D1 - 1 in [in, out] determinant */
BASE_CLONES
static void determinant_block(int substeps, size_t n, double *restrict determinant) {
    double one[MAP_BLOCK];
    bool started = false;
    for (size_t i = 0; i < n; i++) one[i] = determinant[i];
    for (int bits = substeps; bits > 0; bits >>= 1) {
        if ((bits & 1) && started)
            for (size_t i = 0; i < n; i++) determinant[i] = excess_product(determinant[i], one[i]);
        if ((bits & 1) && !started)
            for (size_t i = 0; i < n; i++) determinant[i] = one[i];
        started = started || (bits & 1);
        for (size_t i = 0; i < n; i++) one[i] = excess_product(one[i], one[i]);
    }
    for (size_t i = 0; i < n; i++) determinant[i] = map_canonical(1 + determinant[i]);
}

BASE_CLONES
static void radius_block(const map_row *map, double one, size_t n, const double *restrict x,
                         const affines *restrict s, double *restrict radius) {
    const double half = map->half, square = map->square, low = map->square_low;
    for (size_t i = 0; i < n; i++) radius[i] = radius_of(affine_of(s, i), one, half, square, low, x[i]);
}

BASE_CLONES
static void polynomial_trace(const map_row *map, size_t n, const double *restrict x, double *restrict trace) {
    double p[MAP_TERMS];
    for (int k = 0; k < MAP_TERMS; k++) p[k] = map->trace[k];
#define PUT_TRACE(terms) trace[i] = horner(p, terms, x[i])
    FOR_TERMS(map->terms, PUT_TRACE);
#undef PUT_TRACE
}

BASE_CLONES
static void plain_determinant(double gamma, size_t n, const double *restrict x, const affines *restrict p,
                              double *restrict determinant) {
    for (size_t i = 0; i < n; i++) determinant[i] = det(affine_of(p, i), gamma, x[i]);
}

BASE_CLONES
static void quotient_trace(double gamma, size_t n, const double *restrict x, const affines *restrict p,
                           const affines *restrict q, double *restrict trace) {
    for (size_t i = 0; i < n; i++) {
        affine top = affine_of(p, i), bottom = affine_of(q, i);
        trace[i] = map_canonical(mixed(top, bottom, gamma, x[i]) / det(bottom, gamma, x[i]));
    }
}

BASE_CLONES
static void quotient_determinant(double gamma, size_t n, const double *restrict x, const affines *restrict p,
                                 const affines *restrict q, double *restrict determinant) {
    for (size_t i = 0; i < n; i++) {
        affine top = affine_of(p, i), bottom = affine_of(q, i);
        determinant[i] = map_canonical(det(top, gamma, x[i]) / det(bottom, gamma, x[i]));
    }
}

/* A single micro step: D = N / Q, without the detour over D - I; of an explicit method Q = I. */
static void single_block(const map_row *map, size_t n, const double *x, double *trace, double *determinant,
                         double *radius) {
    affines p, q;
    affine_block(map->alpha_n, map->beta_n, map->terms, n, x, &p);
    if (map->rational) affine_block(map->alpha_q, map->beta_q, map->terms, n, x, &q);
    if (trace != NULL && map->rational) quotient_trace(map->gamma, n, x, &p, &q, trace);
    if (trace != NULL && !map->rational) polynomial_trace(map, n, x, trace);
    if (determinant != NULL && map->rational) quotient_determinant(map->gamma, n, x, &p, &q, determinant);
    if (determinant != NULL && !map->rational) plain_determinant(map->gamma, n, x, &p, determinant);
    if (radius == NULL) return;
    if (map->rational) divide_block(map->gamma, n, x, &q, &p);
    radius_block(map, 0, n, x, &p, radius);
}

/* Several micro steps. */
static void micro_steps_block(const map_row *map, size_t n, const double *delta, double *trace,
                              double *determinant, double *radius) {
    _Alignas(64) double x[MAP_BLOCK];
    affines all, q;
    micro_block(map->scale, n, delta, x);
    affine_block(map->alpha, map->b, map->terms, n, x, &all);
    if (map->rational) affine_block(map->alpha_q, map->beta_q, map->terms, n, x, &q);
    if (determinant != NULL && map->rational) divided_excess_block(map->gamma, n, x, &all, &q, determinant);
    if (determinant != NULL && !map->rational) excess_block(map->gamma, n, x, &all, determinant);
    if (determinant != NULL) determinant_block(map->substeps, n, determinant);
    if (trace == NULL && radius == NULL) return;
    if (map->rational) divide_block(map->gamma, n, x, &q, &all);
    power_block(map->substeps, map->gamma, n, x, &all);
    if (trace != NULL) trace_block(map->gamma, n, &all, trace);
    if (radius != NULL) radius_block(map, 1, n, x, &all, radius);
}

static double *from(double *values, size_t i) {
    return values != NULL ? values + i : NULL;
}

void map_row_fields(const map_row *map, size_t n, const double *delta, double *trace, double *determinant,
                    double *radius) {
    for (size_t i = 0, size; i < n; i += size) {
        size = n - i < MAP_BLOCK ? n - i : MAP_BLOCK;
        if (map->substeps == 1)
            single_block(map, size, delta + i, from(trace, i), from(determinant, i), from(radius, i));
        else
            micro_steps_block(map, size, delta + i, from(trace, i), from(determinant, i), from(radius, i));
    }
}
