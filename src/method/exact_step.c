/* The same derivation as in method.c (Newton's identities, and the numerator as a series that ends), in
 * integers: with A' = L A, b' = M b and c' = N c integer, det(I - zA) = sum den'_k (z/L)^k and b A^k c = b'
 * A'^k c' / (L^k M N). In GMP's integers, not in FLINT's as method/surd.h: see method/integer_poly.h. */
#include "method/exact_step.h"

enum { S = COSTAB_STAGES_MAX };

/* u + v sqrt(root) */
typedef struct number {
    mpz_t u, v;
} number;

typedef struct derivation {
    int stages, root;
    number A[S][S], b[S], one[S], c[S], trace[S + 1], den[S + 1], x[S], y[S];
    mpz_t L, M, N;
} derivation;

static void number_init(number *x) {
    mpz_init(x->u);
    mpz_init(x->v);
}

static void number_clear(number *x) {
    mpz_clear(x->u);
    mpz_clear(x->v);
}

static void number_set(number *x, const number *y) {
    mpz_set(x->u, y->u);
    mpz_set(x->v, y->v);
}

/* sum += x y */
static void add_product(number *sum, const number *x, const number *y, int root) {
    mpz_addmul(sum->u, x->u, y->u);
    if (root == 0) return;
    mpz_t both;
    mpz_init(both);
    mpz_mul_si(both, x->v, root);
    mpz_addmul(sum->u, both, y->v);
    mpz_addmul(sum->v, x->u, y->v);
    mpz_addmul(sum->v, x->v, y->u);
    mpz_clear(both);
}

/* Everything in a derivation that is a number, in one row. */
static void for_all(derivation *d, void (*each)(number *)) {
    for (int i = 0; i < d->stages; i++)
        for (int j = 0; j < d->stages; j++) each(&d->A[i][j]);
    number *const rows[] = {d->b, d->one, d->c, d->trace, d->den, d->x, d->y};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int i = 0; i < d->stages + (rows[r] == d->trace || rows[r] == d->den); i++) each(&rows[r][i]);
}

/* The least common multiple with the denominators of an entry. */
static void common(mpz_t multiple, const costab_exact *x) {
    mpz_lcm_ui(multiple, multiple, (unsigned long)x->den);
    mpz_lcm_ui(multiple, multiple, (unsigned long)x->root_den);
}

/* y = scale x */
static void scaled(number *y, const costab_exact *x, const mpz_t scale) {
    mpz_divexact_ui(y->u, scale, (unsigned long)x->den);
    mpz_mul_si(y->u, y->u, x->num);
    mpz_divexact_ui(y->v, scale, (unsigned long)x->root_den);
    mpz_mul_si(y->v, y->v, x->root_num);
}

static void derivation_start(derivation *d, const costab_method *m) {
    d->stages = m->stages;
    d->root = m->exact_root;
    for_all(d, number_init);
    mpz_init_set_ui(d->L, 1);
    mpz_init_set_ui(d->M, 1);
    mpz_init_set_ui(d->N, 1);
    for (int i = 0; i < m->stages; i++) {
        for (int j = 0; j < m->stages; j++) common(d->L, &m->exact_A[i][j]);
        common(d->M, &m->exact_b[i]);
        common(d->N, &m->exact_c[i]);
    }
    for (int i = 0; i < m->stages; i++) {
        for (int j = 0; j < m->stages; j++) scaled(&d->A[i][j], &m->exact_A[i][j], d->L);
        scaled(&d->b[i], &m->exact_b[i], d->M);
        scaled(&d->c[i], &m->exact_c[i], d->N);
        mpz_set(d->one[i].u, d->N);
    }
}

static void derivation_end(derivation *d) {
    for_all(d, number_clear);
    mpz_clear(d->L);
    mpz_clear(d->M);
    mpz_clear(d->N);
}

/* x = A x */
static void apply_A(derivation *d) {
    for (int i = 0; i < d->stages; i++) {
        mpz_set_ui(d->y[i].u, 0);
        mpz_set_ui(d->y[i].v, 0);
        for (int j = 0; j < d->stages; j++) add_product(&d->y[i], &d->A[i][j], &d->x[j], d->root);
    }
    for (int i = 0; i < d->stages; i++) number_set(&d->x[i], &d->y[i]);
}

/* Coefficients of det(I - zA'). */
static void characteristic(derivation *d, bool implicit) {
    mpz_set_ui(d->den[0].u, 1);
    if (!implicit) return;
    for (int column = 0; column < d->stages; column++) {
        for (int i = 0; i < d->stages; i++) {
            mpz_set_ui(d->x[i].u, i == column);
            mpz_set_ui(d->x[i].v, 0);
        }
        for (int k = 1; k <= d->stages; k++) {
            apply_A(d);
            mpz_sub(d->trace[k].u, d->trace[k].u, d->x[column].u);
            mpz_sub(d->trace[k].v, d->trace[k].v, d->x[column].v);
        }
    }
    for (int k = 1; k <= d->stages; k++) {
        for (int i = 1; i <= k; i++) add_product(&d->den[k], &d->den[k - i], &d->trace[i], d->root);
        mpz_divexact_ui(d->den[k].u, d->den[k].u, (unsigned long)k);
        mpz_divexact_ui(d->den[k].v, d->den[k].v, (unsigned long)k);
    }
}

/* Coefficient k of both parts: value L^(stages - k), times `factor`. */
static void set_coefficient(const derivation *d, integer_poly f[2], int k, const number *value,
                            const mpz_t factor) {
    mpz_t scale, product;
    mpz_init(scale);
    mpz_init(product);
    mpz_pow_ui(scale, d->L, (unsigned long)(d->stages - k));
    mpz_mul(scale, scale, factor);
    mpz_mul(product, value->u, scale);
    integer_set_coefficient(&f[0], k, product);
    mpz_mul(product, value->v, scale);
    integer_set_coefficient(&f[1], k, product);
    mpz_clear(scale);
    mpz_clear(product);
}

/* The numerator of b (I - zA)^-1 v over den, times M N L^stages. */
static void numerator(derivation *d, const number *v, integer_poly out[2]) {
    number series[S], sum;
    mpz_t one;
    mpz_init_set_ui(one, 1);
    for (int i = 0; i < d->stages; i++) number_set(&d->x[i], &v[i]);
    for (int k = 0; k < d->stages; k++) {
        number_init(&series[k]);
        for (int i = 0; i < d->stages; i++) add_product(&series[k], &d->b[i], &d->x[i], d->root);
        apply_A(d);
        number_init(&sum);
        for (int j = 0; j <= k; j++) add_product(&sum, &d->den[j], &series[k - j], d->root);
        set_coefficient(d, out, k, &sum, one);
        number_clear(&sum);
    }
    for (int k = 0; k < d->stages; k++) number_clear(&series[k]);
    mpz_clear(one);
}

void exact_step_make(const costab_method *method, exact_step *step) {
    for (int f = 0; f < STEP_COUNT; f++)
        for (int part = 0; part < 2; part++) integer_init(&step->of[f][part]);
    derivation d;
    derivation_start(&d, method);
    characteristic(&d, method->implicit);
    numerator(&d, d.one, step->of[STEP_PHI]);
    numerator(&d, d.c, step->of[STEP_P1]);
    integer_poly one;
    integer_init(&one);
    integer_set_si(&one, 1);
    for (int part = 0; part < 2; part++) {
        integer_add_product(&step->of[STEP_P0][part], &step->of[STEP_PHI][part], &one, 1);
        integer_add_product(&step->of[STEP_P0][part], &step->of[STEP_P1][part], &one, -1);
    }
    integer_clear(&one);
    mpz_mul(d.M, d.M, d.N);
    for (int k = 0; k <= d.stages; k++) set_coefficient(&d, step->of[STEP_DEN], k, &d.den[k], d.M);
    derivation_end(&d);
}

void exact_step_clear(exact_step *step) {
    for (int f = 0; f < STEP_COUNT; f++)
        for (int part = 0; part < 2; part++) integer_clear(&step->of[f][part]);
}
