/* planar/quick_form.h - the sign of a polynomial with integer coefficients, in doubles whose rounding is
 * bounded, and in integers where that does not decide. */
#ifndef PLANAR_QUICK_FORM_H
#define PLANAR_QUICK_FORM_H

#include "method/integer_poly.h"

/* A polynomial, borrowed, and the same in doubles, over 2^exponent: c[k] is known to 2^-52 of size[k], at
 * least |c[k]|. */
typedef struct quick_form {
    const integer_poly *of;
    long exponent;
    double c[INTEGER_LENGTH_MAX], size[INTEGER_LENGTH_MAX];
} quick_form;

void quick_form_set(quick_form *form, const integer_poly *f);

/* The sign of the value at x: in integers where rounding might decide it. */
int quick_sign(const quick_form *form, double x);

/* The sign that all values from low to high have; 0: not known. */
int quick_sign_between(const quick_form *form, double low, double high);

/* The sign of a number that is known to (n + 2) 2^-49 of `size`; 0: not known. */
int quick_sure_sign(double value, double size, int n);

/* x 2^shift without its fraction; x = num / 2^shift, where shift is returned. */
void quick_scaled(mpz_t num, double x, unsigned long shift);
unsigned long quick_split(mpz_t num, double x);

/* x = num / den, in lowest terms. */
void quick_fraction(mpz_t num, mpz_t den, double x);

#endif
