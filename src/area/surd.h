/* area/surd.h - polynomials with coefficients in Z[sqrt D], D = 2 or 3, or in Z (D = 0), in exact arithmetic.
 *
 * A surd_poly is u + v sqrt D. All polynomials of a method have the same D, passed as `radicand`. For D = 0,
 * v is the zero polynomial. Every surd_poly must be initialised and cleared. Results may be arguments. */
#pragma once

#include <stdbool.h>

#include "base/flint.h"

typedef struct surd_poly {
    fmpz_poly_t u, v;
} surd_poly, surd_t[1];

void surd_init(surd_poly *f);
void surd_clear(surd_poly *f);
FLINT_LOCAL(surd)
void surd_set(surd_poly *f, const surd_poly *g);
void surd_set_si(surd_poly *f, slong value);
void surd_swap(surd_poly *f, surd_poly *g);
void surd_zero(surd_poly *f);

bool surd_is_zero(const surd_poly *f);
slong surd_degree(const surd_poly *f); /* -1 for the zero polynomial */

void surd_add(surd_poly *sum, const surd_poly *f, const surd_poly *g);
void surd_sub(surd_poly *difference, const surd_poly *f, const surd_poly *g);
void surd_mul(surd_poly *product, const surd_poly *f, const surd_poly *g, int radicand);
void surd_scale(surd_poly *f, const fmpz_t factor); /* f := factor f */
/* sum += factor f g */
void surd_add_product(surd_poly *sum, const surd_poly *f, const surd_poly *g, slong factor, int radicand);

/* Divides n polynomials by the largest integer that divides all their coefficients. */
void surd_remove_content(surd_poly *const *f, int n);

/* f(x) := f(scale x); f(x) := f(x^power). */
void surd_scale_variable(surd_poly *f, const fmpz_t scale);
void surd_inflate(surd_poly *f, ulong power);
void surd_deflate(surd_poly *f, ulong power); /* the inverse of surd_inflate() */
/* f(x) := f(1/x) x^length, length >= degree. */
void surd_reverse(surd_poly *f, slong length);

/* A polynomial over Z that has all roots of f: f itself, or u^2 - D v^2. */
void surd_norm(fmpz_poly_t norm, const surd_poly *f, int radicand);

/* A number of Z[sqrt D]. */
typedef struct surd_number {
    fmpz_t u, v;
} surd_number, surd_number_t[1];

void surd_number_init(surd_number *x);
void surd_number_clear(surd_number *x);
FLINT_LOCAL(surd_number)
int surd_sign(const surd_number *x, int radicand);
/* value := den^length f(x), x = num / den, length >= degree. */
void surd_value(surd_number *value, const surd_poly *f, const fmpq_t x, slong length);
int surd_sign_at(const surd_poly *f, int radicand, const fmpq_t x); /* the sign of f(x) */
/* sum += sign x y, sign = 1 or -1 */
void surd_number_add_product(surd_number *sum, int sign, const surd_number *x, const surd_number *y,
                             int radicand);

/* The greatest common divisor over Q(sqrt D), up to a constant. */
void surd_gcd(surd_poly *gcd, const surd_poly *f, const surd_poly *g, int radicand);

/* Divides n <= 4 polynomials by a common divisor and keeps their ratios. */
void surd_divide_all(surd_poly *const *f, int n, const surd_poly *divisor, int radicand);

/* Divides the numerator and the denominator of a fraction by their greatest common divisor. */
void surd_reduce(surd_poly *top, surd_poly *bottom, int radicand);

/* balls := f with balls as coefficients. */
void surd_get_acb(acb_poly_t balls, const surd_poly *f, int radicand, slong precision);
