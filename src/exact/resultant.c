/* Evaluation and interpolation modulo primes (Collins, The calculation of multivariate polynomial resultants,
 * 1971):
 *
 *  1. The degree in a is bounded. A resultant of degrees m and n in d is a sum of products of n coefficients
 *     f[k] and m coefficients g[l], the sum of all k and l being m n; a discriminant of degree n of 2n - 2
 *     coefficients, the sum of all k being n (n - 1). With u(f) the largest deg f[k] + s k the degree is at
 *     most n u(f) + m u(g) - s m n, or (2n - 2) u(f) - s n (n - 1), for any s.
 *  2. Its coefficients are bounded by the largest value on |a| = 1, and that by Hadamard's inequality: the
 *     resultant is the determinant of Sylvester's matrix, whose rows have at most the lengths N(f) and N(g)
 *     if column k is multiplied by t^k, N(f)^2 the sum of (|f[k]| t^k)^2 and |f[k]| summed up over its
 *     coefficients. So they are at most N(f)^n N(g)^m / t^(m n), for any t > 0. A discriminant has the bound
 *     of the resultant of f and f': it is that after a column is divided by the leading coefficient.
 *  3. Modulo primes of 62 bits, until their product is beyond twice that: at one value of a more than the
 *     degree the resultant of two polynomials in d alone, by Euclid's algorithm; the polynomial by
 *     interpolation. Left out are values of a at which a leading coefficient is 0, and primes modulo which
 *     one becomes 0.
 *  4. The integers from what they are modulo all primes (Chinese remainders).
 *
 * All is exact. With N values of a and P primes it takes N P resultants of m n operations each. */
#include "exact/resultant.h"

#include <limits.h>
#include <math.h>

/* WEIGHTS: s and log2 t that are tried, on both sides of 0. */
enum { WEIGHTS = 12, PRIME_BITS = 62 };

static const double ROUNDING = 0x1p-30; /* of logarithms: far above what there is */

/* The largest deg f[k] + s k. */
static long weighted_degree(const bivariate *f, long s) {
    long most = LONG_MIN;
    for (int k = 0; k <= f->degree; k++) {
        const long degree = (long)fmpz_poly_degree(&f->coefficient[k]);
        if (degree >= 0 && degree + s * k > most) most = degree + s * k;
    }
    return most;
}

static long degree_bound(const bivariate *f, const bivariate *g) {
    const long m = f->degree, n = g->degree;
    long least = LONG_MAX;
    for (long s = -WEIGHTS; s <= WEIGHTS; s++) {
        const long bound = f == g ? (2 * n - 2) * weighted_degree(f, s) - s * n * (n - 1)
                                  : n * weighted_degree(f, s) + m * weighted_degree(g, s) - s * m * n;
        if (bound < least) least = bound;
    }
    return least > 0 ? least : 0;
}

double resultant_cost(const bivariate *f, const bivariate *g) {
    const double m = f->degree + 1, n = g->degree + 1;
    return ((double)degree_bound(f, g) + 1) * (m + n) * m * n; /* primes are as many as m + n, about */
}

/* ---- the size of coefficients ---- */

/* The binary logarithm of |f[k]|, at least; of 0 a number far below. */
static double log_sum(const fmpz_poly_struct *f) {
    slong exponent;
    fmpz_t sum;
    fmpz_init(sum);
    for (slong i = 0; i < fmpz_poly_length(f); i++) {
        const fmpz *c = fmpz_poly_get_coeff_ptr(f, i);
        (fmpz_sgn(c) < 0 ? fmpz_sub : fmpz_add)(sum, sum, c);
    }
    const double mantissa = fmpz_get_d_2exp(&exponent, sum);
    fmpz_clear(sum);
    return mantissa > 0 ? log2(mantissa) + (double)exponent + ROUNDING : -1e300;
}

/* The binary logarithm of N(f), or with slope of N(f'), for t = 2^s. */
static double log_length(const bivariate *f, bool slope, double s) {
    double most = -HUGE_VAL, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = slope; k <= f->degree; k++) {
            const double size = log_sum(&f->coefficient[k]) + (slope ? log2(k) : 0) + s * (k - slope);
            if (pass == 0) most = fmax(most, size);
            if (pass == 1) sum += exp2(2 * (size - most));
        }
    return most + log2(sum) / 2;
}

/* The bits of the largest coefficient, at most. */
static double coefficient_bits(const bivariate *f, const bivariate *g) {
    const bool slope = f == g;
    const double m = f->degree, n = g->degree - slope;
    double least = HUGE_VAL;
    for (int s = -WEIGHTS; s <= WEIGHTS; s++)
        least = fmin(least, n * log_length(f, false, s) + m * log_length(g, slope, s) - s * m * n);
    return fmax(least, 0) * (1 + ROUNDING) + ROUNDING;
}

/* ---- values ---- */

/* Values of a at which neither leading coefficient is 0: of 0, 1, 2, ... */
static void choose_points(const bivariate *f, const bivariate *g, slong count, mp_ptr a) {
    fmpz_t x, value;
    fmpz_init(x);
    fmpz_init(value);
    for (slong i = 0; i < count; fmpz_add_ui(x, x, 1)) {
        bool fine = true;
        for (int which = 0; which < 2 && fine; which++) {
            const bivariate *one = which == 0 ? f : g;
            fmpz_poly_evaluate_fmpz(value, &one->coefficient[one->degree], x);
            fine = !fmpz_is_zero(value);
        }
        if (fine) a[i++] = fmpz_get_ui(x);
    }
    fmpz_clear(x);
    fmpz_clear(value);
}

/* The values of a, and what FLINT makes of them modulo one prime for evaluation and interpolation. */
typedef struct points {
    nmod_t p;
    slong count;
    mp_ptr a, weights;
    mp_ptr *tree; /* of products of all a - a[i] */
} points;

/* The coefficients of f modulo p at all points: row k is that of d^k. False where a leading one is 0. */
static bool evaluate(const bivariate *f, const points *at, mp_ptr values) {
    nmod_poly_t reduced;
    nmod_poly_init_mod(reduced, at->p);
    for (int k = 0; k <= f->degree; k++) {
        fmpz_poly_get_nmod_poly(reduced, &f->coefficient[k]);
        _nmod_poly_evaluate_nmod_vec_fast_precomp(values + k * at->count, reduced->coeffs, reduced->length,
                                                  at->tree, at->count, at->p);
    }
    nmod_poly_clear(reduced);
    bool fine = true;
    for (slong i = 0; i < at->count && fine; i++) fine = values[f->degree * at->count + i] != 0;
    return fine;
}

/* Column i of the values, a polynomial in d. */
static void take_column(nmod_poly_t f, int degree, mp_srcptr values, slong count, slong i) {
    for (int k = degree; k >= 0; k--) nmod_poly_set_coeff_ui(f, k, values[k * count + i]);
}

/* The resultant modulo p; false where p divides a leading coefficient at one of the points. [in] room: of
 * a value at each point for each coefficient of f and g, and for the result. */
static bool resultant_modulo(nmod_poly_t resultant, const bivariate *f, const bivariate *g, const points *at,
                             mp_ptr room) {
    const slong count = at->count;
    mp_ptr const second = room + (f->degree + 1) * count, results = second + (g->degree + 1) * count;
    if (!evaluate(f, at, room) || (f != g && !evaluate(g, at, second))) return false;
    nmod_poly_t F, G;
    nmod_poly_init_mod(F, at->p);
    nmod_poly_init_mod(G, at->p);
    for (slong i = 0; i < count; i++) {
        take_column(F, f->degree, room, count, i);
        if (f != g) take_column(G, g->degree, second, count, i);
        results[i] = f == g ? nmod_poly_discriminant(F) : nmod_poly_resultant(F, G);
    }
    nmod_poly_clear(F);
    nmod_poly_clear(G);
    nmod_poly_fit_length(resultant, count);
    _nmod_poly_interpolate_nmod_vec_fast_precomp(resultant->coeffs, results, at->tree, at->weights, count,
                                                 at->p);
    resultant->length = count;
    _nmod_poly_normalise(resultant);
    return true;
}

/* Adds the next prime to what is known: the resultant modulo the product of primes. */
static void add_prime(fmpz_poly_t resultant, fmpz_t product, mp_limb_t prime, const bivariate *f,
                      const bivariate *g, points *at, mp_ptr room) {
    nmod_poly_t reduced;
    nmod_poly_init(reduced, prime);
    at->p = reduced->mod;
    _nmod_poly_tree_build(at->tree, at->a, at->count, at->p);
    _nmod_poly_interpolation_weights(at->weights, at->tree, at->count, at->p);
    if (resultant_modulo(reduced, f, g, at, room)) {
        fmpz_poly_CRT_ui(resultant, resultant, product, reduced, 1);
        fmpz_mul_ui(product, product, prime);
    }
    nmod_poly_clear(reduced);
}

bool resultant_in_d(fmpz_poly_t resultant, const bivariate *f, const bivariate *g, planar_watch *watch) {
    const double bits = coefficient_bits(f, g) + 2; /* beyond twice the largest coefficient */
    points at = {.count = degree_bound(f, g) + 1};
    at.a = _nmod_vec_init(at.count * (f->degree + g->degree + 5));
    at.weights = at.a + at.count;
    at.tree = _nmod_poly_tree_alloc(at.count);
    fmpz_t product;
    fmpz_init_set_ui(product, 1);
    fmpz_poly_zero(resultant);
    choose_points(f, g, at.count, at.a);
    mp_limb_t prime = UWORD(1) << PRIME_BITS;
    bool fine = true;
    while (fine && (double)fmpz_bits(product) <= bits) {
        prime = n_nextprime(prime, 1);
        add_prime(resultant, product, prime, f, g, &at, at.weights + at.count);
        fine = !planar_watch_stops(watch, fmin((double)fmpz_bits(product) / bits, 1));
    }
    fmpz_clear(product);
    _nmod_poly_tree_free(at.tree, at.count);
    _nmod_vec_clear(at.a);
    return fine;
}
