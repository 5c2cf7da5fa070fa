/* A value of Horner's rule errs by less than (n + 2) 2^-49 of what the same operations make of the
 * coefficients' magnitudes. */
#include "planar/quick_form.h"

#include <math.h>

void quick_form_set(quick_form *form, const integer_poly *f) {
    long most = 0, exponent;
    form->of = f;
    for (int k = 0; k < f->length; k++) {
        const long bits = (long)mpz_sizeinbase(f->c[k], 2);
        if (bits > most) most = bits;
    }
    form->exponent = most;
    for (int k = 0; k < f->length; k++) {
        const double mantissa = mpz_get_d_2exp(&exponent, f->c[k]);
        form->c[k] = exponent - most > -900 ? ldexp(mantissa, (int)(exponent - most)) : 0;
        form->size[k] = fabs(form->c[k]) + (mantissa != 0 && form->c[k] == 0 ? 0x1p-840 : 0);
    }
}

int quick_sure_sign(double value, double size, int n) {
    return fabs(value) > (n + 2) * 0x1p-49 * size + 1e-280 ? (value > 0 ? 1 : -1) : 0;
}

void quick_scaled(mpz_t num, double x, unsigned long shift) {
    int exponent;
    const double mantissa = frexp(x, &exponent);
    mpz_set_d(num, ldexp(mantissa, 53));
    const long by = (long)shift + exponent - 53;
    if (by >= 0)
        mpz_mul_2exp(num, num, (unsigned long)by);
    else
        mpz_tdiv_q_2exp(num, num, (unsigned long)-by);
}

unsigned long quick_split(mpz_t num, double x) {
    int exponent;
    (void)frexp(x, &exponent);
    const unsigned long shift = exponent < 53 ? (unsigned long)(53 - exponent) : 0;
    quick_scaled(num, x, shift);
    const unsigned long zeros = mpz_sgn(num) != 0 ? mpz_scan1(num, 0) : shift;
    const unsigned long drop = zeros < shift ? zeros : shift;
    mpz_fdiv_q_2exp(num, num, drop);
    return shift - drop;
}

void quick_fraction(mpz_t num, mpz_t den, double x) {
    const unsigned long shift = quick_split(num, x);
    mpz_set_ui(den, 0);
    mpz_setbit(den, shift);
}

int quick_sign(const quick_form *form, double x) {
    const int length = form->of->length;
    double value = 0, size = 0;
    for (int k = length - 1; k >= 0; k--) {
        value = value * x + form->c[k];
        size = size * fabs(x) + form->size[k];
    }
    int sign = quick_sure_sign(value, size, length);
    if (sign != 0 || length == 0) return sign;
    mpz_t num, exact;
    mpz_init(num);
    mpz_init(exact);
    const unsigned long shift = quick_split(num, x);
    integer_value(exact, form->of, num, shift, length - 1);
    sign = mpz_sgn(exact);
    mpz_clear(num);
    mpz_clear(exact);
    return sign;
}

int quick_sign_between(const quick_form *form, double low, double high) {
    const int length = form->of->length;
    const double x = low + (high - low) / 2, most = fmax(fabs(low), fabs(high));
    double value = 0, size = 0, rise = 0; /* rise: of the sum of size[k] x^k, at most */
    for (int k = length - 1; k >= 0; k--) {
        rise = rise * most + size;
        value = value * x + form->c[k];
        size = size * most + form->size[k];
    }
    const double slack = 1.001; /* for the rounding of positive numbers */
    const double off = slack * (high - low) * rise;
    return fabs(value) > off ? quick_sure_sign(value > 0 ? value - off : value + off, slack * size, length)
                             : 0;
}
