/* Resultant in d of two polynomials f and g in a and d, or the discriminant of one (g = f): a polynomial in a
 * with integer coefficients, by evaluation and interpolation modulo primes (G. E. Collins, The calculation of
 * multivariate polynomial resultants, 1971). f[k] and g[k] are the coefficients of d^k, polynomials in a.
 *
 * 1. The degree in a, the size of the coefficients and a common divisor are bounded from the degrees and
 *    sizes of all f[k] and g[k] (docs/explanation/algorithms.md, Bounds of resultants).
 * 2. f and g are evaluated at consecutive integers a, one more than the degree bound, without a zero leading
 *    coefficient.
 * 3. For primes above 2^62, until their product exceeds twice the coefficient bound: the resultant in d at
 *    each a, by Euclid's algorithm without inverses (inverses would dominate the cost); then interpolation in
 *    a. Primes that divide a leading coefficient are skipped.
 * 4. The integer coefficients are reconstructed from the remainders (Chinese remainder theorem), then
 *    multiplied by the common divisor.
 *
 * Exact. Cost: N P resultants of m n operations, with N values of a and P primes. */
#include "area/resultant.h"

#include <limits.h>
#include <math.h>

/* WEIGHTS: the free parameters of both bounds, s and log2 t, are tried from -WEIGHTS to WEIGHTS. */
enum { WEIGHTS = 12, WEIGHT_COUNT = 2 * WEIGHTS + 1, PRIME_BITS = 62 };

static const double ROUNDING = 0x1p-30; /* margin for logarithms, much larger than their rounding errors */

/* ---- degree and common divisor ---- */

/* Valuation of a nonzero polynomial: how often the prime divides all coefficients; for prime
 * = 0, minus its degree. */
static long valuation(const fmpz_poly_t f, ulong prime) {
    if (prime == 0) return -(long)fmpz_poly_degree(f);
    flint_local(fmpz, content, divisor);
    fmpz_set_ui(divisor, prime);
    fmpz_poly_content(content, f);
    return (long)fmpz_remove(content, content, divisor);
}

/* [out] least: w(f), the minimum of valuation(f[k]) + s k, for each s. */
static void least_weights(const bivariate *f, ulong prime, long least[WEIGHT_COUNT]) {
    for (int i = 0; i < WEIGHT_COUNT; i++) least[i] = LONG_MAX;
    for (int k = 0; k <= f->degree; k++) {
        if (fmpz_poly_is_zero(&f->coefficient[k])) continue;
        const long here = valuation(&f->coefficient[k], prime);
        for (int i = 0; i < WEIGHT_COUNT; i++) {
            const long weighted = here + (long)(i - WEIGHTS) * k;
            if (weighted < least[i]) least[i] = weighted;
        }
    }
}

/* Lower bound of the resultant's valuation. */
static long resultant_valuation(const bivariate *f, const bivariate *g, ulong prime) {
    const long m = f->degree, n = g->degree;
    long of_f[WEIGHT_COUNT], of_g[WEIGHT_COUNT], most = LONG_MIN;
    least_weights(f, prime, of_f);
    if (f != g) least_weights(g, prime, of_g);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        const long s = i - WEIGHTS;
        const long bound =
            f == g ? (2 * n - 2) * of_f[i] - s * n * (n - 1) : n * of_f[i] + m * of_g[i] - s * m * n;
        if (bound > most) most = bound;
    }
    return most;
}

/* Upper bound of the resultant's degree. */
static long degree_bound(const bivariate *f, const bivariate *g) {
    const long degree = -resultant_valuation(f, g, 0);
    return degree > 0 ? degree : 0;
}

/* A divisor of all coefficients of the resultant. */
static void common_divisor(const bivariate *f, const bivariate *g, fmpz_t divisor) {
    static const ulong primes[] = {2, 3, 5, 7};
    flint_local(fmpz, power);
    fmpz_one(divisor);
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) {
        const long exponent = resultant_valuation(f, g, primes[i]);
        fmpz_ui_pow_ui(power, primes[i], exponent > 0 ? (ulong)exponent : 0);
        fmpz_mul(divisor, divisor, power);
    }
}

double resultant_cost(const bivariate *f, const bivariate *g) {
    const double m = f->degree + 1, n = g->degree + 1;
    return ((double)degree_bound(f, g) + 1) * (m + n) * m * n; /* about m + n primes */
}

/* ---- the size of coefficients ---- */

/* Upper bound of the binary logarithm of the sum of |coefficients|; for f = 0 a number far below all
 * others. */
static double log_sum(const fmpz_poly_struct *f) {
    slong exponent;
    flint_local(fmpz, sum);
    for (slong i = 0; i < fmpz_poly_length(f); i++) {
        const fmpz *c = fmpz_poly_get_coeff_ptr(f, i);
        (fmpz_sgn(c) < 0 ? fmpz_sub : fmpz_add)(sum, sum, c);
    }
    const double mantissa = fmpz_get_d_2exp(&exponent, sum);
    return mantissa > 0 ? log2(mantissa) + (double)exponent + ROUNDING : -1e300;
}

/* Binary logarithm of N(f), or of N(f') (slope), for t = 2^s. */
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

/* Upper bound of the coefficients' bits. */
static double coefficient_bits(const bivariate *f, const bivariate *g) {
    const bool slope = f == g;
    const double m = f->degree, n = g->degree - slope;
    double least = HUGE_VAL;
    for (int s = -WEIGHTS; s <= WEIGHTS; s++)
        least = fmin(least, n * log_length(f, false, s) + m * log_length(g, slope, s) - s * m * n);
    return fmax(least, 0) * (1 + ROUNDING) + ROUNDING;
}

/* ---- values ---- */

/* `count` consecutive integers a, the values of f and g there, and their remainders modulo one prime. */
typedef struct points {
    nmod_t p;
    slong count;
    mp_ptr a, values; /* values[i]: the resultant at a[i] modulo p */
    fmpz *f, *g;      /* coefficient k at a[i]: index i (degree + 1) + k; g: NULL for f's derivative */
    mp_ptr F, G;      /* f and g at one a, modulo p */
    fmpz_t divisor;   /* the common divisor of the resultant's coefficients */
} points;

/* Coefficients of f at a. Returns false if the leading one is 0. */
static bool evaluate(const bivariate *f, const fmpz_t a, fmpz *values) {
    for (int k = 0; k <= f->degree; k++) fmpz_poly_evaluate_fmpz(&values[k], &f->coefficient[k], a);
    return !fmpz_is_zero(&values[f->degree]);
}

/* Selects the first consecutive integers without a zero leading coefficient. */
static void choose_points(const bivariate *f, const bivariate *g, points *at) {
    flint_local(fmpz, a);
    for (slong i = 0; i < at->count; fmpz_add_ui(a, a, 1)) {
        const bool fine = evaluate(f, a, at->f + i * (f->degree + 1)) &&
                          (at->g == NULL || evaluate(g, a, at->g + i * (g->degree + 1)));
        at->a[i] = fmpz_get_ui(a);
        i = fine ? i + 1 : 0;
    }
}

static void points_init(points *at, const bivariate *f, const bivariate *g) {
    at->count = degree_bound(f, g) + 1;
    at->a = _nmod_vec_init(2 * at->count);
    at->values = at->a + at->count;
    at->f = _fmpz_vec_init(at->count * (f->degree + 1));
    at->g = f == g ? NULL : _fmpz_vec_init(at->count * (g->degree + 1));
    at->F = _nmod_vec_init(f->degree + 1 + g->degree + 1);
    at->G = at->F + f->degree + 1;
    fmpz_init(at->divisor);
    common_divisor(f, g, at->divisor);
    choose_points(f, g, at);
}

static void points_clear(points *at, const bivariate *f, const bivariate *g) {
    _nmod_vec_clear(at->a);
    _fmpz_vec_clear(at->f, at->count * (f->degree + 1));
    if (at->g != NULL) _fmpz_vec_clear(at->g, at->count * (g->degree + 1));
    _nmod_vec_clear(at->F);
    fmpz_clear(at->divisor);
}

/* ---- modulo one prime ---- */

/* f := l f - f[m] x^(m - n) g with l = g[n], for degrees m >= n >= 0. Returns the new degree of f, -1 for f =
 * 0. */
static slong eliminate(mp_ptr f, slong m, mp_srcptr g, slong n, nmod_t p) {
    const mp_limb_t l = g[n], minus = nmod_neg(f[m], p);
    mp_limb_t high, low, more, rest; /* numbers below 2 p^2 < 2^126 */
    for (slong k = 0; k < m - n; k++) f[k] = nmod_mul(f[k], l, p);
    for (slong k = m - n; k < m; k++) {
        umul_ppmm(high, low, f[k], l);
        umul_ppmm(more, rest, minus, g[k - (m - n)]);
        add_ssaaaa(high, low, high, low, more, rest);
        NMOD_RED2(f[k], high, low, p);
    }
    do m--;
    while (m >= 0 && f[m] == 0);
    return m;
}

/* Returns `factor` times the resultant of f and g (degrees m and n) modulo a prime, by Euclid's algorithm.
 * Remainders are not divided by leading coefficients, which avoids inverses and causes the factor. Rules:
 *     res(c f, g) = c^n res(f, g) for a number c,
 *     res(f, g) = (-1)^((m - k) n) g[n]^(m - k) res(r, g) for r = f + q g of degree k,
 *     res(f, g) = (-1)^(m n) res(g, f).
 * Changes f and g. */
static mp_limb_t resultant_of(mp_ptr f, slong m, mp_ptr g, slong n, nmod_t p, mp_limb_t *factor) {
    mp_limb_t result = 1, scale = 1; /* the product of all l so far; each enters the factor n times, once per
                                      * degree removed from n afterwards */
    *factor = 1;
    while (n > 0) {
        const slong from = m, divisor = n;
        const mp_limb_t l = g[n];
        for (; m >= n; scale = nmod_mul(scale, l, p)) m = eliminate(f, m, g, n, p);
        if (m < 0) return 0;
        for (slong k = m; k < from; k++) result = nmod_mul(result, l, p);
        if (from % 2 != 0 && n % 2 != 0) result = nmod_neg(result, p);
        MP_PTR_SWAP(f, g);
        n = m;
        m = divisor;
        for (slong k = n; k < divisor; k++) *factor = nmod_mul(*factor, scale, p);
    }
    for (slong k = 0; k < m; k++) result = nmod_mul(result, g[0], p);
    return result;
}

/* to := a polynomial modulo p. Returns false if p divides its leading coefficient. */
static bool reduce(mp_ptr to, const fmpz *values, slong degree, nmod_t p) {
    for (slong k = 0; k <= degree; k++) to[k] = fmpz_fdiv_ui(&values[k], p.n);
    return to[degree] != 0;
}

/* Sets values[i]: the resultant at a[i], or the discriminant (-1)^(n (n - 1) / 2) res(f, f') / f[n]. Returns
 * false if p divides a leading coefficient. */
static bool resultant_at(const bivariate *f, const bivariate *g, points *at, slong i) {
    const slong m = f->degree;
    const nmod_t p = at->p;
    slong n = g->degree;
    mp_limb_t factor, leading = 1;
    if (!reduce(at->F, at->f + i * (m + 1), m, p)) return false;
    if (at->g != NULL && !reduce(at->G, at->g + i * (n + 1), n, p)) return false;
    if (at->g == NULL) {
        for (slong k = 1; k <= m; k++) at->G[k - 1] = nmod_mul(at->F[k], (mp_limb_t)k, p);
        leading = m * (m - 1) / 2 % 2 == 0 ? at->F[m] : nmod_neg(at->F[m], p);
        n = m - 1;
    }
    const mp_limb_t product = resultant_of(at->F, m, at->G, n, p, &factor);
    at->values[i] = nmod_div(product, nmod_mul(factor, leading, p), p);
    return true;
}

/* Extends the resultant, divided by the common divisor, from modulus `product` to `product` times prime. */
static void add_prime(fmpz_poly_t resultant, fmpz_t product, mp_limb_t prime, const bivariate *f,
                      const bivariate *g, points *at) {
    nmod_poly_t reduced;
    nmod_poly_init(reduced, prime);
    at->p = reduced->mod;
    bool fine = true;
    for (slong i = 0; i < at->count && fine; i++) fine = resultant_at(f, g, at, i);
    if (fine) {
        nmod_poly_interpolate_nmod_vec(reduced, at->a, at->values, at->count);
        nmod_poly_scalar_mul_nmod(reduced, reduced, nmod_inv(fmpz_fdiv_ui(at->divisor, prime), at->p));
        fmpz_poly_CRT_ui(resultant, resultant, product, reduced, 1);
        fmpz_mul_ui(product, product, prime);
    }
    nmod_poly_clear(reduced);
}

bool resultant_in_d(fmpz_poly_t resultant, const bivariate *f, const bivariate *g, search_watch *watch) {
    points at;
    points_init(&at, f, g);
    /* exceeds twice the largest coefficient */
    const double bits = coefficient_bits(f, g) + 3 - (double)fmpz_bits(at.divisor);
    flint_local(fmpz, product);
    fmpz_set_ui(product, 1);
    fmpz_poly_zero(resultant);
    mp_limb_t prime = UWORD(1) << PRIME_BITS;
    bool fine = true;
    while (fine && (double)fmpz_bits(product) <= bits) {
        prime = n_nextprime(prime, 1);
        add_prime(resultant, product, prime, f, g, &at);
        fine = !search_watch_stops(watch, fmin((double)fmpz_bits(product) / bits, 1));
    }
    fmpz_poly_scalar_mul_fmpz(resultant, resultant, at.divisor);
    points_clear(&at, f, g);
    return fine;
}
