/* Modulo primes of 30 bits until their product is beyond twice the largest coefficient that there can be.
 *
 * The resultant is the determinant of Sylvester's matrix. With N(f) the sum of |f[k]|^2 t^2k, |f[k]| summed
 * up over its coefficients, those of the resultant are at most N(f)^(deg g / 2) N(g)^(deg f / 2) / t^(deg f
 * deg g), for any t > 0: rows have the lengths N^(1/2) (Hadamard). With u(f) the largest deg f[k] + s k, its
 * degree is at most u(f) deg g + u(g) deg f - s deg f deg g, for any s. */
#include "planar/resultant.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

/* WEIGHTS: of degrees, at most. */
enum { WEIGHTS = 12 };

static const double ROUNDING = 0x1p-30; /* of logarithms: far above what there is */

/* The largest deg f[k] + s k. */
static long weighted_degree(const resultant_pair *pair, int which, long s) {
    long most = LONG_MIN;
    for (long k = 0; k <= pair->degree[which]; k++) {
        const long degree = pair->f[which][k].length - 1;
        if (degree >= 0 && degree + s * k > most) most = degree + s * k;
    }
    return most;
}

/* The binary logarithms of |f[k]|, at least. */
static void set_logarithms(const resultant_pair *pair, int which, double *logarithm) {
    const resultant_poly *f = pair->f[which];
    mpz_t sum;
    mpz_init(sum);
    for (long k = 0; k <= pair->degree[which]; k++) {
        long exponent;
        mpz_set_ui(sum, 0);
        for (long i = 0; i < f[k].length; i++)
            (mpz_sgn(f[k].c[i]) < 0 ? mpz_sub : mpz_add)(sum, sum, f[k].c[i]);
        const double mantissa = mpz_get_d_2exp(&exponent, sum); /* without what is below a double */
        logarithm[k] = mantissa > 0 ? log2(mantissa) + (double)exponent + ROUNDING : -HUGE_VAL;
    }
    mpz_clear(sum);
}

/* The binary logarithm of N(f)^(1/2) for t = 2^s. */
static double log_length(const double *logarithm, long degree, double s) {
    double most = -HUGE_VAL, sum = 0;
    for (long k = 0; k <= degree; k++) most = fmax(most, logarithm[k] + s * (double)k);
    for (long k = 0; k <= degree; k++) sum += exp2(2 * (logarithm[k] + s * (double)k - most));
    return most + log2(sum) / 2;
}

/* The logarithms of a pair's |f[k]| and |g[k]|. */
typedef struct logarithms {
    double *of[2], degree[2];
} logarithms;

/* The bits of the largest coefficient, at most, by t = 2^s. */
static double bits_by(const logarithms *l, double s) {
    const double *degree = l->degree;
    return degree[1] * log_length(l->of[0], (long)degree[0], s) +
           degree[0] * log_length(l->of[1], (long)degree[1], s) - s * degree[0] * degree[1];
}

/* The same by the best t, about: it is convex in s. Below 0 where memory is out. */
static double largest_bits(const resultant_pair *pair) {
    const size_t m = (size_t)pair->degree[0], n = (size_t)pair->degree[1];
    double *room = memory_alloc(m + n + 2, sizeof *room), at = 0;
    if (room == NULL) return -1;
    const logarithms l = {{room, room + m + 1}, {(double)m, (double)n}};
    for (int k = 0; k < 2; k++) set_logarithms(pair, k, l.of[k]);
    double least = bits_by(&l, at);
    for (double step = 4; step >= 1; step /= 4)
        for (int side = -1; side <= 1; side += 2)
            for (double next = at + side * step; fabs(next) <= WEIGHTS; next += side * step) {
                const double bits = bits_by(&l, next);
                if (!(bits < least)) break;
                least = bits;
                at = next;
            }
    memory_free(room);
    return fmax(least, 0) * (1 + ROUNDING) + ROUNDING;
}

/* As many values of a as the degree asks for, a power of 2. */
static size_t points_for(const resultant_pair *pair) {
    const long *degree = pair->degree;
    long least = LONG_MAX;
    for (long s = -WEIGHTS; s <= WEIGHTS; s++) {
        const long bound = weighted_degree(pair, 0, s) * degree[1] + weighted_degree(pair, 1, s) * degree[0] -
                           s * degree[0] * degree[1];
        if (bound < least) least = bound;
    }
    size_t points = 1;
    while ((long)points <= least) points *= 2;
    return points;
}

double resultant_cost(const long degree[2], const long degree_in_a[2]) {
    const double m = (double)degree[0] + 1, n = (double)degree[1] + 1;
    const double points = m * (double)degree_in_a[1] + n * (double)degree_in_a[0] + 1;
    return points * (m + n) * m * n; /* primes are as many as m + n, about */
}

/* All images, and what is made of them. */
typedef struct images {
    resultant_image at;
    long count;
    uint32_t *prime, *value; /* count; points x count */
} images;

/* The primes; false where there are too few. */
static bool choose_primes(images *all, long bits) {
    uint32_t prime = 0;
    for (long k = 0; k < all->count; k++) {
        prime = resultant_image_prime(all->at.points, prime);
        if (prime == 0) return false;
        all->prime[k] = prime;
        bits -= ilogb((double)prime);
        if (bits <= 0) all->count = k + 1;
    }
    return bits <= 0;
}

static uint32_t inverse(uint32_t x, uint32_t p) {
    int64_t a = x, b = p, u = 1, v = 0; /* Euclid's: a = u x and b = v x modulo p */
    while (b != 0) {
        const int64_t q = a / b, rest = a - q * b, next = u - q * v;
        a = b;
        b = rest;
        u = v;
        v = next;
    }
    return (uint32_t)(u < 0 ? u + p : u);
}

/* The integers of which all residues are known, of magnitudes below half of the primes' product M: x + M t
 * modulo the next prime (Garner, 1959). [in, out] resultant: with as many zeros as there are points. */
static void join(resultant_poly *resultant, const images *all) {
    mpz_t M;
    mpz_init_set_ui(M, 1);
    for (long k = 0; k < all->count; k++) {
        const uint32_t p = all->prime[k], over = inverse((uint32_t)mpz_fdiv_ui(M, p), p);
        for (size_t i = 0; i < all->at.points; i++) {
            const uint64_t have = mpz_fdiv_ui(resultant->c[i], p);
            const uint64_t t = (all->value[(size_t)k * all->at.points + i] + p - have) % p * over % p;
            mpz_addmul_ui(resultant->c[i], M, (unsigned long)t);
        }
        mpz_mul_ui(M, M, p);
    }
    mpz_t half;
    mpz_init(half);
    mpz_fdiv_q_2exp(half, M, 1);
    resultant->length = 0;
    for (size_t i = 0; i < all->at.points; i++) {
        if (mpz_cmp(resultant->c[i], half) > 0) mpz_sub(resultant->c[i], resultant->c[i], M);
        if (mpz_sgn(resultant->c[i]) != 0) resultant->length = (long)i + 1;
    }
    mpz_clear(half);
    mpz_clear(M);
}

bool resultant_poly_init(resultant_poly *f, size_t room) {
    *f = (resultant_poly){.c = memory_alloc(room > 0 ? room : 1, sizeof *f->c), .room = room};
    for (size_t i = 0; f->c != NULL && i < room; i++) mpz_init(f->c[i]);
    return f->c != NULL;
}

void resultant_poly_clear(resultant_poly *f) {
    for (size_t i = 0; f->c != NULL && i < f->room; i++) mpz_clear(f->c[i]);
    memory_free(f->c);
    *f = (resultant_poly){.length = 0};
}

static resultant_outcome find(images *all, long bits, planar_watch *watch) {
    if (!choose_primes(all, bits)) return RESULTANT_TOO_LARGE;
    for (long k = 0; k < all->count; k++) {
        if (planar_watch_stops(watch, (double)k / (double)all->count)) return RESULTANT_STOPPED;
        resultant_image_find(&all->at, all->prime[k]);
        memcpy(&all->value[(size_t)k * all->at.points], all->at.value, all->at.points * sizeof *all->value);
    }
    return RESULTANT_FOUND;
}

resultant_outcome resultant_in_d(resultant_poly *resultant, const resultant_pair *pair, planar_watch *watch) {
    const double largest = largest_bits(pair);
    *resultant = (resultant_poly){.length = 0};
    if (largest < 0) return RESULTANT_MEMORY;
    const long bits = (long)largest + 3;   /* beyond twice the largest coefficient, of both signs */
    images all = {.count = bits / 20 + 1}; /* at least: choose_primes counts them */
    const size_t points = points_for(pair);
    bool fine = resultant_image_init(&all.at, pair, points);
    all.prime = memory_alloc((size_t)all.count, sizeof *all.prime);
    all.value = memory_alloc((size_t)all.count * points, sizeof *all.value);
    fine = resultant_poly_init(resultant, points) && fine && all.prime != NULL && all.value != NULL;
    resultant_outcome outcome = fine ? find(&all, bits, watch) : RESULTANT_MEMORY;
    if (outcome == RESULTANT_FOUND) join(resultant, &all);
    resultant_image_clear(&all.at);
    memory_free(all.prime);
    memory_free(all.value);
    return outcome;
}
