/* Modulo primes of 62 bits, from the values at as many a as the degree asks for, until the product of the
 * primes is beyond twice the largest coefficient that there can be.
 *
 * The resultant is the determinant of Sylvester's matrix. With |f| the sum of |f[k]| t^k, |f[k]| summed up
 * over its coefficients, those of the resultant are at most |f|^deg g |g|^deg f / t^(deg f deg g), for any t
 * > 0. With u(f) the largest deg f[k] + s k, its degree is at most u(f) deg g + u(g) deg f - s deg f deg g,
 * for any s. */
#include "planar/resultant.h"

/* One of the two polynomials, and its image modulo the current prime. */
typedef struct operand {
    const fmpz_poly_struct *coefficient;
    slong degree;
    nmod_poly_struct *image;
    nmod_poly_t at; /* its value at one a, a polynomial in d */
} operand;

/* The largest deg f[k] + s k. */
static slong weighted_degree(const operand *f, slong s) {
    slong most = WORD_MIN;
    for (slong k = 0; k <= f->degree; k++) {
        slong degree = fmpz_poly_degree(&f->coefficient[k]);
        if (degree >= 0 && degree + s * k > most) most = degree + s * k;
    }
    return most;
}

/* A number of bits that holds the sum of |f[k]| 2^(s k) (for s < 0, a bit above it). */
static slong weighted_bits(const operand *f, slong s) {
    fmpz_t sum, term;
    fmpz_init(sum);
    slong shift = s < 0 ? -s * f->degree : 0; /* so that all powers are integers */
    fmpz_init(term);
    for (slong k = 0; k <= f->degree; k++)
        for (slong i = 0; i < fmpz_poly_length(&f->coefficient[k]); i++) {
            fmpz_abs(term, fmpz_poly_get_coeff_ptr(&f->coefficient[k], i));
            fmpz_mul_2exp(term, term, (ulong)(shift + s * k));
            fmpz_add(sum, sum, term);
        }
    slong bits = (slong)fmpz_bits(sum) - shift;
    fmpz_clear(sum);
    fmpz_clear(term);
    return bits;
}

/* The smallest bound of the kind that both have. */
static slong least_bound(const operand *f, const operand *g, slong weighted(const operand *, slong)) {
    enum { WEIGHTS = 12 };
    slong least = WORD_MAX;
    for (slong s = -WEIGHTS; s <= WEIGHTS; s++) {
        slong bound = weighted(f, s) * g->degree + weighted(g, s) * f->degree - s * f->degree * g->degree;
        if (bound < least) least = bound;
    }
    return least;
}

static void operand_reduce(operand *f, mp_limb_t prime) {
    for (slong k = 0; k <= f->degree; k++) {
        nmod_poly_init(&f->image[k], prime);
        fmpz_poly_get_nmod_poly(&f->image[k], &f->coefficient[k]);
    }
    nmod_poly_init(f->at, prime);
}

static void operand_release(operand *f) {
    for (slong k = 0; k <= f->degree; k++) nmod_poly_clear(&f->image[k]);
    nmod_poly_clear(f->at);
}

/* Sets the value at a; false where the degree falls. */
static bool operand_evaluate(operand *f, mp_limb_t a, mp_limb_t prime) {
    mp_limb_t ready = n_mulmod_precomp_shoup(a, prime);
    nmod_poly_zero(f->at);
    for (slong k = f->degree; k >= 0; k--) {
        const nmod_poly_struct *c = &f->image[k];
        mp_limb_t value = 0;
        for (slong i = c->length - 1; i >= 0; i--)
            value = n_addmod(n_mulmod_shoup(a, value, ready, prime), c->coeffs[i], prime);
        nmod_poly_set_coeff_ui(f->at, k, value);
    }
    return nmod_poly_degree(f->at) == f->degree;
}

/* The resultant modulo a prime, from `count` values; false where the prime takes a leading term away. */
static bool modulo(nmod_poly_t result, operand *f, operand *g, mp_limb_t prime, slong count, mp_ptr place,
                   mp_ptr value) {
    operand_reduce(f, prime);
    operand_reduce(g, prime);
    bool fine = !nmod_poly_is_zero(&f->image[f->degree]) && !nmod_poly_is_zero(&g->image[g->degree]);
    slong n = 0;
    for (mp_limb_t a = 0; fine && n < count; a++) {
        if (!operand_evaluate(f, a, prime) || !operand_evaluate(g, a, prime)) continue;
        place[n] = a;
        value[n++] = nmod_poly_resultant(f->at, g->at);
    }
    if (fine) nmod_poly_interpolate_nmod_vec(result, place, value, count);
    operand_release(f);
    operand_release(g);
    return fine;
}

void resultant_in_d(fmpz_poly_t resultant, const fmpz_poly_struct *f, slong f_degree,
                    const fmpz_poly_struct *g, slong g_degree) {
    operand both[2] = {{.coefficient = f, .degree = f_degree}, {.coefficient = g, .degree = g_degree}};
    slong count = least_bound(&both[0], &both[1], weighted_degree) + 1;
    slong bits = least_bound(&both[0], &both[1], weighted_bits) + 2;
    mp_ptr place = _nmod_vec_init(count), value = _nmod_vec_init(count);
    for (int k = 0; k < 2; k++)
        both[k].image = flint_malloc((size_t)(both[k].degree + 1) * sizeof *both[k].image);
    fmpz_t product;
    fmpz_init_set_ui(product, 1);
    fmpz_poly_zero(resultant);
    mp_limb_t prime = UWORD(1) << 61;
    while ((slong)fmpz_bits(product) <= bits) {
        nmod_poly_t part;
        prime = n_nextprime(prime, 0);
        nmod_poly_init(part, prime);
        if (modulo(part, &both[0], &both[1], prime, count, place, value)) {
            fmpz_poly_CRT_ui(resultant, resultant, product, part, 1);
            fmpz_mul_ui(product, product, prime);
        }
        nmod_poly_clear(part);
    }
    fmpz_clear(product);
    for (int k = 0; k < 2; k++) flint_free(both[k].image);
    _nmod_vec_clear(place);
    _nmod_vec_clear(value);
}
