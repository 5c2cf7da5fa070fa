/* The same derivation as in method.c (Newton's identities, and the numerator as a series that ends), in
 * integers: with A' = L A, b' = M b and c' = N c integer, det(I - zA) = sum den'_k (z/L)^k and b A^k c = b'
 * A'^k c' / (L^k M N). */
#include "method/exact.h"

#include <math.h>

#include "method/exact_number.h"

enum { S = COSTAB_STAGES_MAX };

typedef struct derivation {
    int stages, root;
    surd_number A[S][S], b[S], one[S], c[S], trace[S + 1], den[S + 1], x[S], y[S];
    fmpz_t L, M, N;
} derivation;

/* Everything in a derivation that is an integer, in one row. */
static void for_all(derivation *d, void (*each)(surd_number *)) {
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) each(&d->A[i][j]);
    surd_number *const rows[] = {d->b, d->one, d->c, d->trace, d->den, d->x, d->y};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int i = 0; i < S + (rows[r] == d->trace || rows[r] == d->den); i++) each(&rows[r][i]);
}

/* The least common multiple with the denominators of an entry. */
static void common(fmpz_t multiple, const costab_exact *x) {
    fmpz_t den;
    fmpz_init(den);
    fmpz_set_si(den, (slong)x->den);
    fmpz_lcm(multiple, multiple, den);
    fmpz_set_si(den, (slong)x->root_den);
    fmpz_lcm(multiple, multiple, den);
    fmpz_clear(den);
}

/* y = scale x */
static void scaled(surd_number *y, const costab_exact *x, const fmpz_t scale) {
    fmpz_divexact_si(y->u, scale, (slong)x->den);
    fmpz_mul_si(y->u, y->u, (slong)x->num);
    fmpz_divexact_si(y->v, scale, (slong)x->root_den);
    fmpz_mul_si(y->v, y->v, (slong)x->root_num);
}

static void derivation_start(derivation *d, const costab_method *m) {
    d->stages = m->stages;
    d->root = m->exact_root;
    for_all(d, surd_number_init);
    fmpz_init_set_ui(d->L, 1);
    fmpz_init_set_ui(d->M, 1);
    fmpz_init_set_ui(d->N, 1);
    for (int i = 0; i < m->stages; i++) {
        for (int j = 0; j < m->stages; j++) common(d->L, &m->exact_A[i][j]);
        common(d->M, &m->exact_b[i]);
        common(d->N, &m->exact_c[i]);
    }
    for (int i = 0; i < m->stages; i++) {
        for (int j = 0; j < m->stages; j++) scaled(&d->A[i][j], &m->exact_A[i][j], d->L);
        scaled(&d->b[i], &m->exact_b[i], d->M);
        scaled(&d->c[i], &m->exact_c[i], d->N);
        fmpz_set(d->one[i].u, d->N);
    }
}

static void derivation_end(derivation *d) {
    for_all(d, surd_number_clear);
    fmpz_clear(d->L);
    fmpz_clear(d->M);
    fmpz_clear(d->N);
}

/* x = A x */
static void apply_A(derivation *d) {
    for (int i = 0; i < d->stages; i++) {
        fmpz_zero(d->y[i].u);
        fmpz_zero(d->y[i].v);
        for (int j = 0; j < d->stages; j++)
            surd_number_add_product(&d->y[i], 1, &d->A[i][j], &d->x[j], d->root);
    }
    for (int i = 0; i < d->stages; i++) {
        fmpz_swap(d->x[i].u, d->y[i].u);
        fmpz_swap(d->x[i].v, d->y[i].v);
    }
}

static void set_vector(derivation *d, const surd_number *from) {
    for (int i = 0; i < d->stages; i++) {
        fmpz_set(d->x[i].u, from[i].u);
        fmpz_set(d->x[i].v, from[i].v);
    }
}

/* Coefficients of det(I - zA'). */
static void characteristic(derivation *d, bool implicit) {
    fmpz_one(d->den[0].u);
    if (!implicit) return;
    surd_number unit[S];
    for (int i = 0; i < d->stages; i++) surd_number_init(&unit[i]);
    for (int column = 0; column < d->stages; column++) {
        fmpz_one(unit[column].u);
        set_vector(d, unit);
        fmpz_zero(unit[column].u);
        for (int k = 1; k <= d->stages; k++) {
            apply_A(d);
            fmpz_sub(d->trace[k].u, d->trace[k].u, d->x[column].u);
            fmpz_sub(d->trace[k].v, d->trace[k].v, d->x[column].v);
        }
    }
    for (int k = 1; k <= d->stages; k++) {
        for (int i = 1; i <= k; i++)
            surd_number_add_product(&d->den[k], 1, &d->den[k - i], &d->trace[i], d->root);
        fmpz_divexact_si(d->den[k].u, d->den[k].u, k);
        fmpz_divexact_si(d->den[k].v, d->den[k].v, k);
    }
    for (int i = 0; i < d->stages; i++) surd_number_clear(&unit[i]);
}

static void set_coefficient(surd_poly *f, slong k, const surd_number *value, const fmpz_t factor) {
    fmpz_t product;
    fmpz_init(product);
    fmpz_mul(product, value->u, factor);
    fmpz_poly_set_coeff_fmpz(f->u, k, product);
    fmpz_mul(product, value->v, factor);
    fmpz_poly_set_coeff_fmpz(f->v, k, product);
    fmpz_clear(product);
}

/* The numerator of b (I - zA)^-1 v over den, times M N L^stages. */
static void numerator(derivation *d, const surd_number *v, surd_poly *out) {
    surd_number series[S], sum;
    fmpz_t factor;
    fmpz_init(factor);
    set_vector(d, v);
    for (int k = 0; k < d->stages; k++) {
        surd_number_init(&series[k]);
        for (int i = 0; i < d->stages; i++)
            surd_number_add_product(&series[k], 1, &d->b[i], &d->x[i], d->root);
        apply_A(d);
        surd_number_init(&sum);
        for (int j = 0; j <= k; j++) surd_number_add_product(&sum, 1, &d->den[j], &series[k - j], d->root);
        fmpz_pow_ui(factor, d->L, (ulong)(d->stages - k));
        set_coefficient(out, k, &sum, factor);
        surd_number_clear(&sum);
    }
    for (int k = 0; k < d->stages; k++) surd_number_clear(&series[k]);
    fmpz_clear(factor);
}

/* One micro step, from the exact tableau. */
static void derive(const costab_method *m, method_exact *e) {
    derivation *d = flint_malloc(sizeof *d);
    derivation_start(d, m);
    characteristic(d, m->implicit);
    numerator(d, d->one, &e->phi);
    numerator(d, d->c, &e->p1);
    surd_sub(&e->p0, &e->phi, &e->p1);
    fmpz_t factor, scale;
    fmpz_init(factor);
    fmpz_init(scale);
    fmpz_mul(scale, d->M, d->N);
    for (int k = 0; k <= d->stages; k++) {
        fmpz_pow_ui(factor, d->L, (ulong)(d->stages - k));
        fmpz_mul(factor, factor, scale);
        set_coefficient(&e->den, k, &d->den[k], factor);
    }
    fmpz_clear(factor);
    fmpz_clear(scale);
    derivation_end(d);
    flint_free(d);
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

/* Numbers in lowest terms are equal where their integers are. */
static bool sum_is(const costab_exact *numbers, int n, const costab_exact *expected) {
    costab_exact sum;
    return exact_number_sum(numbers, n, &sum) && sum.num == expected->num && sum.den == expected->den &&
           sum.root_num == expected->root_num && sum.root_den == expected->root_den;
}

bool method_exact_consistent(const costab_method *method) {
    static const costab_exact one = {1, 1, 0, 1};
    bool fine = sum_is(method->exact_b, method->stages, &one);
    for (int i = 0; i < method->stages && fine; i++)
        fine = sum_is(method->exact_A[i], method->stages, &method->exact_c[i]);
    return fine;
}
