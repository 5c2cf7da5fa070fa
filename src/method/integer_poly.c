#include "method/integer_poly.h"

void integer_init(integer_poly *f) {
    f->length = f->made = 0;
    integer_reserve(f, 1);
}

void integer_clear(integer_poly *f) {
    for (int k = 0; k < f->made; k++) mpz_clear(f->c[k]);
    f->length = f->made = 0;
}

void integer_reserve(integer_poly *f, int length) {
    for (; f->made < length; f->made++) mpz_init(f->c[f->made]);
}

/* Sets the length, from one that is at least as large. */
static void set_length(integer_poly *f, int at_most) {
    f->length = at_most;
    while (f->length > 0 && mpz_sgn(f->c[f->length - 1]) == 0) f->length--;
}

void integer_set(integer_poly *f, const integer_poly *g) {
    integer_reserve(f, g->length);
    for (int k = 0; k < g->length; k++) mpz_set(f->c[k], g->c[k]);
    for (int k = g->length; k < f->length; k++) mpz_set_ui(f->c[k], 0);
    f->length = g->length;
}

void integer_swap(integer_poly *f, integer_poly *g) {
    const int made = f->made > g->made ? f->made : g->made, length = f->length;
    integer_reserve(f, made);
    integer_reserve(g, made);
    for (int k = 0; k < made; k++) mpz_swap(f->c[k], g->c[k]);
    f->length = g->length;
    g->length = length;
}

void integer_set_si(integer_poly *f, long value) {
    for (int k = 0; k < f->length; k++) mpz_set_si(f->c[k], 0);
    mpz_set_si(f->c[0], value);
    f->length = value != 0;
}

void integer_set_coefficient(integer_poly *f, int k, const mpz_t value) {
    integer_reserve(f, k + 1);
    mpz_set(f->c[k], value);
    set_length(f, k < f->length ? f->length : k + 1);
}

void integer_scale(integer_poly *f, const mpz_t factor) {
    for (int k = 0; k < f->length; k++) mpz_mul(f->c[k], f->c[k], factor);
    set_length(f, f->length);
}

void integer_times_x(integer_poly *f) {
    if (f->length == 0) return;
    integer_reserve(f, f->length + 1);
    for (int k = f->length++; k > 0; k--) mpz_swap(f->c[k], f->c[k - 1]);
}

void integer_derivative(integer_poly *slope, const integer_poly *f) {
    integer_set_si(slope, 0);
    integer_reserve(slope, f->length - 1);
    for (int k = 1; k < f->length; k++) mpz_mul_ui(slope->c[k - 1], f->c[k], (unsigned long)k);
    slope->length = f->length > 1 ? f->length - 1 : 0;
}

void integer_add_product(integer_poly *sum, const integer_poly *f, const integer_poly *g, long factor) {
    if (f->length == 0 || g->length == 0) return;
    const int length = f->length + g->length - 1;
    mpz_t scaled;
    integer_reserve(sum, length);
    mpz_init(scaled);
    for (int i = 0; i < f->length; i++) {
        if (mpz_sgn(f->c[i]) == 0) continue;
        mpz_mul_si(scaled, f->c[i], factor);
        for (int j = 0; j < g->length; j++) mpz_addmul(sum->c[i + j], scaled, g->c[j]);
    }
    mpz_clear(scaled);
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

/* The quotient takes the place of the coefficients from g->length - 1 on, the remainder that of those below;
 * false, with anything in f, where the quotient is not one of integers, or leaves a remainder. */
static bool divide_in_place(integer_poly *f, const integer_poly *g) {
    const int below = g->length - 1;
    const bool monic = mpz_cmp_ui(g->c[below], 1) == 0;
    for (int k = f->length - g->length; k >= 0; k--) {
        mpz_t *const top = &f->c[k + below];
        if (!monic && !mpz_divisible_p(*top, g->c[below])) return false;
        if (!monic) mpz_divexact(*top, *top, g->c[below]);
        for (int j = 0; j < below && mpz_sgn(*top) != 0; j++) mpz_submul(f->c[k + j], *top, g->c[j]);
    }
    bool exact = f->length >= g->length;
    for (int k = 0; k < below && exact; k++) exact = mpz_sgn(f->c[k]) == 0;
    return exact;
}

void integer_divide_x(integer_poly *f, int count) {
    for (int k = 0; k + count < f->length && count > 0; k++) mpz_swap(f->c[k], f->c[k + count]);
    f->length -= count;
}

void integer_divide(integer_poly *f, const integer_poly *g) {
    if (f->length == 0) return;
    (void)divide_in_place(f, g);
    integer_divide_x(f, g->length - 1);
}

bool integer_divides(const integer_poly *g, const integer_poly *f) {
    integer_poly rest;
    integer_init(&rest);
    integer_set(&rest, f);
    const bool divides = divide_in_place(&rest, g);
    integer_clear(&rest);
    return divides;
}

bool integer_quotient(integer_poly *quotient, const integer_poly *f, const integer_poly *g) {
    if (f->length < g->length) return false;
    integer_set(quotient, f);
    const bool divides = divide_in_place(quotient, g);
    if (divides)
        integer_divide_x(quotient, g->length - 1);
    else
        integer_set_si(quotient, 0); /* what is left is not to lie beyond its length */
    return divides;
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

void integer_value_at(mpz_t value, const integer_poly *f, const mpz_t num, const mpz_t den, int length) {
    mpz_t power;
    mpz_init_set_ui(power, 1);
    mpz_set_ui(value, 0);
    for (int k = length; k >= 0; k--) {
        mpz_mul(value, value, num);
        if (k < f->length) mpz_addmul(value, f->c[k], power);
        mpz_mul(power, power, den);
    }
    mpz_clear(power);
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
