/* method/integer_poly.h - polynomials of low degree with integer coefficients, in GMP's integers: for what
 * must not wait until FLINT, a library of megabytes, is loaded. */
#ifndef METHOD_INTEGER_POLY_H
#define METHOD_INTEGER_POLY_H

#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>

enum { INTEGER_LENGTH_MAX = 96, INTEGER_PACK_MAX = 16 };

/* c[k] x^k, k < length <= INTEGER_LENGTH_MAX, c[length - 1] != 0; the zero polynomial has the length 0.
 * Initialise and clear each. */
typedef struct integer_poly {
    int length;
    int made; /* initialised coefficients, at least one; those from length on are 0 */
    mpz_t c[INTEGER_LENGTH_MAX];
} integer_poly;

void integer_init(integer_poly *f);
void integer_clear(integer_poly *f);
/* Initialises coefficients, so many in all; the functions here do it by themselves. */
void integer_reserve(integer_poly *f, int length);
void integer_set(integer_poly *f, const integer_poly *g);
void integer_swap(integer_poly *f, integer_poly *g);
void integer_set_si(integer_poly *f, long value);
void integer_set_coefficient(integer_poly *f, int k, const mpz_t value);

void integer_scale(integer_poly *f, const mpz_t factor);
void integer_times_x(integer_poly *f);
/* slope := f'; they differ. */
void integer_derivative(integer_poly *slope, const integer_poly *f);
/* sum += factor f g; sum is neither f nor g. */
void integer_add_product(integer_poly *sum, const integer_poly *f, const integer_poly *g, long factor);

/* Divides by the largest integer that divides all coefficients. */
void integer_remove_content(integer_poly *f);
/* Whether g, which is not 0, divides f with integers in the quotient. */
bool integer_divides(const integer_poly *g, const integer_poly *f);
/* f := f / x^count, which divides f. */
void integer_divide_x(integer_poly *f, int count);
/* quotient := f / g, f and g not 0; false, with any polynomial in it, where g does not divide f with integers
 * in the quotient. It is neither f nor g. */
bool integer_quotient(integer_poly *quotient, const integer_poly *f, const integer_poly *g);
/* f := f / g, g a primitive divisor of f. */
void integer_divide(integer_poly *f, const integer_poly *g);
/* Divides f, not 0, by g, primitive and no constant, as often as it divides; returns whether it does at all.
 */
bool integer_divide_out(integer_poly *f, const integer_poly *g);
/* Whether it is seen modulo a prime that f, no constant, has no multiple root; mostly that is so where it has
 * none. */
bool integer_seen_simple(const integer_poly *f);
/* A polynomial in a and x modulo a prime, at one number a. */
typedef struct integer_image {
    int length;
    bool keeps; /* its degree in x */
    uint64_t c[INTEGER_PACK_MAX];
} integer_image;

/* x^pack stands for a, and degrees in x are below pack <= INTEGER_PACK_MAX. */
void integer_image_set(integer_image *at, const integer_poly *f, int pack);
/* Whether it is seen that two such polynomials have no common divisor with x in it. */
bool integer_seen_coprime(const integer_image *f, const integer_image *g);
/* The same of one and its derivative with respect to x. */
bool integer_seen_simple_in_x(const integer_image *f);
/* The greatest common divisor over Q, primitive; f and g are not the zero polynomial. */
void integer_gcd(integer_poly *gcd, const integer_poly *f, const integer_poly *g);

/* 2^(shift length) f(num / 2^shift), length >= degree */
void integer_value(mpz_t value, const integer_poly *f, const mpz_t num, unsigned long shift, int length);
/* den^length f(num / den), length >= degree */
void integer_value_at(mpz_t value, const integer_poly *f, const mpz_t num, const mpz_t den, int length);
/* f := 2^(shift degree) f((middle + half u) / 2^shift), a polynomial in u. */
void integer_move(integer_poly *f, const mpz_t middle, const mpz_t half, unsigned long shift);

#endif
