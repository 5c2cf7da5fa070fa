/* Modulo primes of 30 bits until their product is beyond twice the largest coefficient that there can be.
 *
 * The resultant is the determinant of Sylvester's matrix. With |f| the sum of |f[k]| t^k, |f[k]| summed up
 * over its coefficients, those of the resultant are at most |f|^deg g |g|^deg f / t^(deg f deg g), for any t
 * > 0. With u(f) the largest deg f[k] + s k, its degree is at most u(f) deg g + u(g) deg f - s deg f deg g,
 * for any s. */
#include "planar/resultant.h"

#include "base/memory.h"

/* The largest deg f[k] + s k. */
static slong weighted_degree(const resultant_pair *pair, int which, slong s) {
    slong most = WORD_MIN;
    for (slong k = 0; k <= pair->degree[which]; k++) {
        slong degree = fmpz_poly_degree(&pair->f[which][k]);
        if (degree >= 0 && degree + s * k > most) most = degree + s * k;
    }
    return most;
}

/* A number of bits that holds the sum of |f[k]| 2^(s k) (for s < 0, a bit above it). */
static slong weighted_bits(const resultant_pair *pair, int which, slong s) {
    const fmpz_poly_struct *f = pair->f[which];
    fmpz_t sum, term;
    fmpz_init(sum);
    slong shift = s < 0 ? -s * pair->degree[which] : 0; /* so that all powers are integers */
    fmpz_init(term);
    for (slong k = 0; k <= pair->degree[which]; k++) {
        fmpz_zero(term);
        for (slong i = 0; i < fmpz_poly_length(&f[k]); i++) {
            const fmpz *c = fmpz_poly_get_coeff_ptr(&f[k], i);
            (fmpz_sgn(c) < 0 ? fmpz_sub : fmpz_add)(term, term, c);
        }
        fmpz_mul_2exp(term, term, (ulong)(shift + s * k));
        fmpz_add(sum, sum, term);
    }
    slong bits = (slong)fmpz_bits(sum) - shift;
    fmpz_clear(sum);
    fmpz_clear(term);
    return bits;
}

typedef slong weighted(const resultant_pair *pair, int which, slong s);

enum { WEIGHTS = 12 };

/* The smallest bound of the kind that both have, for s from -weights to weights. */
static slong least_bound(const resultant_pair *pair, weighted *bound_of, slong weights) {
    const slong *degree = pair->degree;
    slong least = WORD_MAX;
    for (slong s = -weights; s <= weights; s++) {
        slong bound =
            bound_of(pair, 0, s) * degree[1] + bound_of(pair, 1, s) * degree[0] - s * degree[0] * degree[1];
        if (bound < least) least = bound;
    }
    return least;
}

/* As many values of a as the degree asks for, a power of 2. */
static size_t points_for(const resultant_pair *pair) {
    slong degree = least_bound(pair, weighted_degree, WEIGHTS);
    size_t points = 1;
    while ((slong)points <= degree) points *= 2;
    return points;
}

double resultant_cost(const resultant_pair *pair) {
    double product = (double)(pair->degree[0] + 1) * (double)(pair->degree[1] + 1);
    return (double)points_for(pair) * (double)least_bound(pair, weighted_bits, 0) * product;
}

/* All images, and what is made of them. */
typedef struct images {
    resultant_image at;
    slong count;
    mp_limb_t *prime, *value; /* count; points x count */
} images;

/* The primes; false where there are too few. */
static bool choose_primes(images *all, slong bits) {
    uint32_t prime = 0;
    for (slong k = 0; k < all->count; k++) {
        prime = resultant_image_prime(all->at.points, prime);
        if (prime == 0) return false;
        all->prime[k] = prime;
        bits -= (slong)FLINT_BIT_COUNT(prime) - 1;
        if (bits <= 0) all->count = k + 1;
    }
    return bits <= 0;
}

/* The integers of which all residues are known. */
static void join(fmpz_poly_t resultant, const images *all) {
    fmpz_comb_t comb;
    fmpz_comb_temp_t room;
    fmpz_t value;
    fmpz_init(value);
    fmpz_comb_init(comb, all->prime, all->count);
    fmpz_comb_temp_init(room, comb);
    fmpz_poly_zero(resultant);
    for (slong i = (slong)all->at.points - 1; i >= 0; i--) {
        fmpz_multi_CRT_ui(value, &all->value[i * all->count], comb, room, 1);
        fmpz_poly_set_coeff_fmpz(resultant, i, value);
    }
    fmpz_comb_temp_clear(room);
    fmpz_comb_clear(comb);
    fmpz_clear(value);
}

static resultant_outcome find(images *all, slong bits, planar_watch *watch) {
    if (!choose_primes(all, bits)) return RESULTANT_TOO_LARGE;
    for (slong k = 0; k < all->count; k++) {
        if (planar_watch_stops(watch, (double)k / (double)all->count)) return RESULTANT_STOPPED;
        resultant_image_find(&all->at, (uint32_t)all->prime[k]);
        for (size_t i = 0; i < all->at.points; i++) all->value[(slong)i * all->count + k] = all->at.value[i];
    }
    return RESULTANT_FOUND;
}

resultant_outcome resultant_in_d(fmpz_poly_t resultant, const resultant_pair *pair, planar_watch *watch) {
    slong bits = least_bound(pair, weighted_bits, WEIGHTS) + 2;
    images all = {.count = bits / 20 + 1}; /* at least: choose_primes counts them */
    size_t points = points_for(pair);
    bool fine = resultant_image_init(&all.at, pair, points);
    all.prime = memory_alloc((size_t)all.count, sizeof *all.prime);
    all.value = memory_alloc((size_t)all.count * points, sizeof *all.value);
    fine = fine && all.prime != NULL && all.value != NULL;
    resultant_outcome outcome = fine ? find(&all, bits, watch) : RESULTANT_MEMORY;
    if (outcome == RESULTANT_FOUND) join(resultant, &all);
    resultant_image_clear(&all.at);
    memory_free(all.prime);
    memory_free(all.value);
    return outcome;
}
