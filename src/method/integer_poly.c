/* Two polynomials whose images modulo a prime, which does not divide both leading coefficients, have no
 * common divisor have none: that decides most cases. The others are found by Euclid's algorithm with
 * primitive remainders. */
#include "method/integer_poly.h"

#include <stdint.h>

void integer_init(integer_poly *f) {
    f->length = 0;
    for (int k = 0; k < INTEGER_LENGTH_MAX; k++) mpz_init(f->c[k]);
}

void integer_clear(integer_poly *f) {
    for (int k = 0; k < INTEGER_LENGTH_MAX; k++) mpz_clear(f->c[k]);
    f->length = 0;
}

/* Sets the length, from one that is at least as large. */
static void set_length(integer_poly *f, int at_most) {
    f->length = at_most;
    while (f->length > 0 && mpz_sgn(f->c[f->length - 1]) == 0) f->length--;
}

void integer_set(integer_poly *f, const integer_poly *g) {
    const int most = f->length > g->length ? f->length : g->length;
    for (int k = 0; k < most; k++) mpz_set(f->c[k], g->c[k]);
    f->length = g->length;
}

void integer_set_si(integer_poly *f, long value) {
    for (int k = 0; k < f->length; k++) mpz_set_si(f->c[k], 0);
    mpz_set_si(f->c[0], value);
    f->length = value != 0;
}

void integer_set_coefficient(integer_poly *f, int k, const mpz_t value) {
    mpz_set(f->c[k], value);
    set_length(f, k < f->length ? f->length : k + 1);
}

void integer_scale(integer_poly *f, const mpz_t factor) {
    for (int k = 0; k < f->length; k++) mpz_mul(f->c[k], f->c[k], factor);
    set_length(f, f->length);
}

void integer_times_x(integer_poly *f) {
    if (f->length == 0) return;
    for (int k = f->length++; k > 0; k--) mpz_swap(f->c[k], f->c[k - 1]);
}

void integer_derivative(integer_poly *slope, const integer_poly *f) {
    integer_set_si(slope, 0);
    for (int k = 1; k < f->length; k++) mpz_mul_ui(slope->c[k - 1], f->c[k], (unsigned long)k);
    slope->length = f->length > 1 ? f->length - 1 : 0;
}

void integer_add_product(integer_poly *sum, const integer_poly *f, const integer_poly *g, long factor) {
    if (f->length == 0 || g->length == 0) return;
    mpz_t scaled;
    mpz_init(scaled);
    for (int i = 0; i < f->length; i++) {
        mpz_mul_si(scaled, f->c[i], factor);
        for (int j = 0; j < g->length; j++) mpz_addmul(sum->c[i + j], scaled, g->c[j]);
    }
    mpz_clear(scaled);
    const int length = f->length + g->length - 1;
    set_length(sum, length > sum->length ? length : sum->length);
}

void integer_remove_content(integer_poly *f) {
    mpz_t content;
    mpz_init(content);
    for (int k = f->length - 1; k >= 0 && mpz_cmp_ui(content, 1) != 0; k--)
        mpz_gcd(content, content, f->c[k]);
    for (int k = 0; k < f->length && mpz_cmp_ui(content, 1) != 0; k++)
        mpz_divexact(f->c[k], f->c[k], content);
    mpz_clear(content);
}

void integer_divide(integer_poly *f, const integer_poly *g) {
    const int steps = f->length - g->length + 1;
    mpz_t quotient[INTEGER_LENGTH_MAX];
    for (int k = steps - 1; k >= 0; k--) {
        mpz_init(quotient[k]);
        mpz_divexact(quotient[k], f->c[k + g->length - 1], g->c[g->length - 1]);
        for (int j = 0; j < g->length; j++) mpz_submul(f->c[k + j], quotient[k], g->c[j]);
    }
    for (int k = 0; k < steps; k++) {
        mpz_swap(f->c[k], quotient[k]);
        mpz_clear(quotient[k]);
    }
    f->length = steps;
}

/* ---- common divisors ---- */

/* A polynomial modulo 2^61 - 1. */
typedef struct image {
    int length;
    uint64_t c[INTEGER_LENGTH_MAX];
} image;

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

__extension__ typedef unsigned __int128 wide;

static uint64_t product(uint64_t x, uint64_t y) {
    const wide xy = (wide)x * y;
    const uint64_t sum = (uint64_t)(xy & prime) + (uint64_t)(xy >> 61);
    return sum >= prime ? sum - prime : sum;
}

static void trim(image *f) {
    while (f->length > 0 && f->c[f->length - 1] == 0) f->length--;
}

static image image_of(const integer_poly *f) {
    image g = {.length = f->length};
    for (int k = 0; k < f->length; k++) g.c[k] = mpz_fdiv_ui(f->c[k], prime);
    trim(&g);
    return g;
}

/* Whether it is seen that f and g have no common root. */
static bool seen_coprime(const integer_poly *f, const integer_poly *g) {
    image room[2] = {image_of(f), image_of(g)}, *a = &room[0], *b = &room[1];
    if (a->length < f->length && b->length < g->length) return false;
    while (b->length > 1) {
        const uint64_t lead = b->c[b->length - 1];
        while (a->length >= b->length) {
            const uint64_t minus = prime - a->c[a->length - 1];
            const int shift = a->length - b->length;
            for (int k = 0; k < a->length; k++) a->c[k] = product(a->c[k], lead);
            for (int k = 0; k < b->length; k++)
                a->c[k + shift] = (a->c[k + shift] + product(b->c[k], minus)) % prime;
            trim(a);
        }
        image *spare = a;
        a = b;
        b = spare;
    }
    return b->length == 1;
}

/* a := the remainder of a divided by b, up to a factor, primitive. */
static void primitive_remainder(integer_poly *a, const integer_poly *b) {
    mpz_t lead;
    mpz_init(lead);
    while (a->length >= b->length) {
        const int shift = a->length - b->length;
        mpz_set(lead, a->c[a->length - 1]);
        for (int k = 0; k < a->length; k++) mpz_mul(a->c[k], a->c[k], b->c[b->length - 1]);
        for (int k = 0; k < b->length; k++) mpz_submul(a->c[k + shift], lead, b->c[k]);
        set_length(a, a->length);
    }
    mpz_clear(lead);
    integer_remove_content(a);
}

void integer_gcd(integer_poly *gcd, const integer_poly *f, const integer_poly *g) {
    if (seen_coprime(f, g)) {
        integer_set_si(gcd, 1);
        return;
    }
    integer_poly room[2], *a = &room[0], *b = &room[1];
    for (int k = 0; k < 2; k++) {
        integer_init(&room[k]);
        integer_set(&room[k], k == 0 ? f : g);
        integer_remove_content(&room[k]);
    }
    while (b->length > 1) {
        primitive_remainder(a, b);
        integer_poly *spare = a;
        a = b;
        b = spare;
    }
    if (b->length == 1)
        integer_set_si(gcd, 1);
    else
        integer_set(gcd, a);
    for (int k = 0; k < 2; k++) integer_clear(&room[k]);
}

/* ---- other variables ---- */

void integer_value(mpz_t value, const integer_poly *f, const mpz_t num, unsigned long shift, int length) {
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(value, 0);
    for (int k = f->length - 1; k >= 0; k--) {
        mpz_mul(value, value, num);
        mpz_mul_2exp(term, f->c[k], shift * (unsigned long)(length - k));
        mpz_add(value, value, term);
    }
    mpz_clear(term);
}

void integer_move(integer_poly *f, const mpz_t middle, const mpz_t half, unsigned long shift) {
    mpz_t power;
    mpz_init_set_ui(power, 1);
    for (int k = 0; k < f->length; k++)
        mpz_mul_2exp(f->c[k], f->c[k], shift * (unsigned long)(f->length - 1 - k));
    for (int i = 0; i < f->length - 1; i++)
        for (int k = f->length - 2; k >= i; k--) mpz_addmul(f->c[k], f->c[k + 1], middle);
    for (int k = 0; k < f->length; k++) {
        mpz_mul(f->c[k], f->c[k], power);
        mpz_mul(power, power, half);
    }
    mpz_clear(power);
    set_length(f, f->length);
}
