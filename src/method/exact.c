/* Micro steps, and what the functions have in common. */
#include "method/exact.h"

#include <math.h>

#include "method/exact_step.h"

/* One micro step, from the exact tableau. */
static void derive(const costab_method *m, method_exact *e) {
    surd_poly *const to[STEP_COUNT] = {
        [STEP_PHI] = &e->phi, [STEP_P0] = &e->p0, [STEP_P1] = &e->p1, [STEP_DEN] = &e->den};
    exact_step step;
    fmpz_t c;
    fmpz_init(c);
    exact_step_make(m, &step);
    for (int f = 0; f < STEP_COUNT; f++)
        for (int part = 0; part < 2; part++)
            for (int k = step.of[f][part].length - 1; k >= 0; k--) {
                fmpz_set_mpz(c, step.of[f][part].c[k]);
                fmpz_poly_set_coeff_fmpz(part == 0 ? to[f]->u : to[f]->v, k, c);
            }
    exact_step_clear(&step);
    fmpz_clear(c);
}

/* One micro step, from the coefficients as doubles: integers after multiplication by 2^shift. */
static void from_doubles(const costab_method *m, method_exact *e) {
    const double *const from[3] = {m->p0, m->p1, m->denominator};
    surd_poly *const to[3] = {&e->p0, &e->p1, &e->den};
    int shift = 0, exponent;
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < m->stages + (f == 2); k++)
            if (frexp(from[f][k], &exponent), from[f][k] != 0 && 53 - exponent > shift) shift = 53 - exponent;
    fmpz_t value;
    fmpz_init(value);
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < m->stages + (f == 2); k++) {
            double mantissa = frexp(from[f][k], &exponent);
            if (mantissa == 0) continue;
            fmpz_set_d(value, ldexp(mantissa, 53));
            fmpz_mul_2exp(value, value, (ulong)(shift + exponent - 53));
            fmpz_poly_set_coeff_fmpz(to[f]->u, k, value);
        }
    fmpz_clear(value);
    surd_add(&e->phi, &e->p0, &e->p1);
}

/* Takes out what P0, P1 and the denominator have in common. */
static void reduce(method_exact *e) {
    surd_poly gcd;
    surd_init(&gcd);
    surd_gcd(&gcd, &e->p0, &e->p1, e->root);
    surd_gcd(&gcd, &gcd, &e->den, e->root);
    surd_poly *const all[4] = {&e->phi, &e->p0, &e->p1, &e->den};
    if (surd_degree(&gcd) > 0) surd_divide_all(all, 4, &gcd, e->root);
    surd_remove_content(all, 4);
    surd_clear(&gcd);
}

/* m micro steps: over den^m and m^2,
 *     P0_m = sum R^(m-1-j) den^j [(m - j) P0 + (m - j - 1) P1],  P1_m = sum R^(m-1-j) den^j [j P0 + (j + 1)
 * P1], with polynomials of z/m: R and the sums by Horner's rule, then coefficient k times m^(degree - k). */
static void repeat(method_exact *e, int m) {
    surd_poly R, power, first, second;
    surd_poly *const temporary[4] = {&R, &power, &first, &second};
    for (int k = 0; k < 4; k++) surd_init(temporary[k]);
    fmpz_poly_shift_left(R.u, e->phi.u, 1);
    fmpz_poly_shift_left(R.v, e->phi.v, 1);
    surd_add(&R, &R, &e->den);
    surd_set_si(&power, 1);
    for (int j = 0; j < m; j++) {
        surd_poly *const sums[2] = {&first, &second};
        const slong weight[2][2] = {{m - j, m - j - 1}, {j, j + 1}};
        for (int k = 0; k < 2; k++) {
            surd_mul(sums[k], sums[k], &R, e->root);
            surd_add_product(sums[k], &power, &e->p0, weight[k][0], e->root);
            surd_add_product(sums[k], &power, &e->p1, weight[k][1], e->root);
        }
        surd_mul(&power, &power, &e->den, e->root);
    }
    surd_swap(&e->p0, &first);
    surd_swap(&e->p1, &second);
    surd_swap(&e->den, &power);
    fmpz_t factor;
    fmpz_init_set_si(factor, m);
    fmpz_mul(factor, factor, factor);
    surd_scale(&e->den, factor);
    surd_add(&e->phi, &e->p0, &e->p1);
    slong degree = surd_degree(&e->den);
    surd_poly *const all[4] = {&e->phi, &e->p0, &e->p1, &e->den};
    for (int k = 0; k < 4; k++)
        if (surd_degree(all[k]) > degree) degree = surd_degree(all[k]);
    fmpz_set_si(factor, m);
    for (int k = 0; k < 4; k++) {
        surd_reverse(all[k], degree);
        surd_scale_variable(all[k], factor);
        surd_reverse(all[k], degree);
    }
    surd_remove_content(all, 4);
    fmpz_clear(factor);
    for (int k = 0; k < 4; k++) surd_clear(temporary[k]);
}

void method_exact_make(const costab_method *method, int substeps, method_exact *exact) {
    surd_init(&exact->phi);
    surd_init(&exact->p0);
    surd_init(&exact->p1);
    surd_init(&exact->den);
    exact->root = method->exact ? method->exact_root : 0;
    if (method->exact)
        derive(method, exact);
    else
        from_doubles(method, exact);
    reduce(exact);
    if (substeps > 1) repeat(exact, substeps);
    if (substeps > 1 && method->implicit) reduce(exact);
}

void method_exact_clear(method_exact *exact) {
    surd_clear(&exact->phi);
    surd_clear(&exact->p0);
    surd_clear(&exact->p1);
    surd_clear(&exact->den);
}
