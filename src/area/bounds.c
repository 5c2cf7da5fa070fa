/* Stability conditions of a row as polynomials over Z[sqrt D] (docs/explanation/algorithms.md, Rows and
 * areas).
 *
 * 1. Functions of each subsystem's macro step: denominator, phi, P0, P1, z phi and z P1, times a common
 *    factor.
 * 2. Each condition (det, flip, contracting, converging, window ends) is x0 + x1 Delta > 0. Over the product
 *    of both denominators, x0 and x1 are sums of products of these polynomials (planar/row.h).
 * 3. Two bounds -x0 / x1 and -x0' / x1' are equal if x0 x1' - x0' x1 = 0.
 *
 * Exact. Cost: products of polynomials of degree O(stages times micro steps). cells.c determines which bounds
 * end a row's stable interval. */
#include "area/bounds.h"

/* ---- Functions of one subsystem ---- */

static void function_list(area_subsystem *s, surd_poly **list) {
    surd_poly *const all[6] = {&s->den, &s->phi, &s->p0, &s->p1, &s->zphi, &s->zp1};
    for (int k = 0; k < 6; k++) list[k] = all[k];
}

void area_subsystem_init(area_subsystem *s) {
    surd_poly *list[6];
    function_list(s, list);
    for (int k = 0; k < 6; k++) surd_init(list[k]);
}

void area_subsystem_clear(area_subsystem *s) {
    surd_poly *list[6];
    function_list(s, list);
    for (int k = 0; k < 6; k++) surd_clear(list[k]);
}

void area_subsystem_set(area_subsystem *s, const method_exact *exact) {
    surd_set(&s->den, &exact->den);
    surd_set(&s->phi, &exact->phi);
    surd_set(&s->p0, &exact->p0);
    surd_set(&s->p1, &exact->p1);
    fmpz_poly_shift_left(s->zphi.u, exact->phi.u, 1);
    fmpz_poly_shift_left(s->zphi.v, exact->phi.v, 1);
    fmpz_poly_shift_left(s->zp1.u, exact->p1.u, 1);
    fmpz_poly_shift_left(s->zp1.v, exact->p1.v, 1);
}

/* den^length f(num / den) */
static void value_at(surd_poly *value, const surd_poly *f, const fmpq_t x, slong length) {
    flint_local(surd_number, number);
    surd_value(number, f, x, length);
    fmpz_poly_set_fmpz(value->u, number->u);
    fmpz_poly_set_fmpz(value->v, number->v);
}

void area_subsystem_set_value(area_subsystem *s, const area_subsystem *of, const fmpq_t x) {
    area_subsystem source = *of; /* borrowed */
    surd_poly *from[6], *to[6];
    function_list(&source, from);
    function_list(s, to);
    slong length = 0;
    for (int k = 0; k < 6; k++)
        if (surd_degree(from[k]) > length) length = surd_degree(from[k]);
    for (int k = 0; k < 6; k++) value_at(to[k], from[k], x, length);
    surd_remove_content(to, 6);
}

/* ---- Bounds ---- */

static void bounds_list(area_bounds *b, surd_poly **list) {
    int n = 0;
    list[n++] = &b->den;
    list[n++] = &b->fold;
    list[n++] = &b->gamma;
    for (int k = 0; k < BOUND_COUNT; k++) {
        list[n++] = &b->bound[k].x0;
        list[n++] = &b->bound[k].x1;
    }
}

enum { LIST = 3 + 2 * BOUND_COUNT };

void area_bounds_init(area_bounds *bounds) {
    surd_poly *list[LIST];
    *bounds = (area_bounds){.root = 0};
    bounds_list(bounds, list);
    for (int k = 0; k < LIST; k++) surd_init(list[k]);
    fmpq_init(bounds->a);
}

void area_bounds_clear(area_bounds *bounds) {
    surd_poly *list[LIST];
    bounds_list(bounds, list);
    for (int k = 0; k < LIST; k++) surd_clear(list[k]);
    fmpq_clear(bounds->a);
}

/* Sets det, flip and both conditions of the iteration for the scheme strong. */
static void set_strong(area_bounds *b, const area_subsystem *A, const area_subsystem *D, surd_poly *trace) {
    area_bound *det = &b->bound[BOUND_DET], *flip = &b->bound[BOUND_FLIP];
    flint_local(surd, a, d);
    surd_add_product(trace, &A->zp1, &D->zphi, 1, b->root);
    surd_add_product(trace, &A->zphi, &D->zp1, 1, b->root);
    surd_add_product(&det->x1, &A->p1, &D->p1, 1, b->root);
    surd_add_product(&det->x1, &A->p0, &D->p0, -1, b->root);
    surd_add_product(&flip->x0, &A->zp1, &D->zp1, -4, b->root);
    surd_sub(a, &A->p1, &A->p0);
    surd_sub(d, &D->p1, &D->p0);
    surd_add_product(&flip->x1, a, d, 1, b->root);
    for (int k = BOUND_CONTRACTING; k <= BOUND_CONVERGING; k++) {
        int sign = k == BOUND_CONTRACTING ? 1 : -1;
        b->bound[k].used = true;
        surd_add_product(&b->bound[k].x0, &A->den, &D->den, 1, b->root);
        surd_add_product(&b->bound[k].x0, &A->zp1, &D->zp1, -sign, b->root);
        surd_add_product(&b->bound[k].x1, &A->p1, &D->p1, sign, b->root);
    }
}

/* Delta > low or Delta < high, times den. */
static void set_window(area_bounds *b, int which, const fmpq *end) {
    area_bound *bound = &b->bound[which];
    int sign = which == BOUND_LOW ? 1 : -1;
    flint_local(fmpz, factor);
    bound->used = true;
    surd_set(&bound->x0, &b->den);
    surd_set(&bound->x1, &b->den);
    fmpz_mul_si(factor, fmpq_numref(end), -sign);
    surd_scale(&bound->x0, factor);
    fmpz_mul_si(factor, fmpq_denref(end), sign);
    surd_scale(&bound->x1, factor);
}

void area_bounds_combine(area_bounds *b, costab_scheme scheme, const area_subsystem *A,
                         const area_subsystem *D, const fmpq *delta) {
    area_bound *det = &b->bound[BOUND_DET], *flip = &b->bound[BOUND_FLIP];
    surd_poly *list[LIST];
    bounds_list(b, list);
    for (int k = 0; k < LIST; k++)
        if (list[k] != &b->gamma) surd_zero(list[k]);
    for (int k = 0; k < BOUND_COUNT; k++) b->bound[k].used = k <= BOUND_FLIP;
    flint_local(surd, trace, two); /* trace: K (Tr D - 2) at Delta = 0 */
    surd_set_si(two, 2);
    surd_add_product(&b->den, &A->den, &D->den, 1, b->root);
    surd_add_product(&b->fold, &A->phi, &D->phi, 1, b->root);
    surd_add_product(trace, &A->zphi, &D->den, 1, b->root);
    surd_add_product(trace, &A->den, &D->zphi, 1, b->root);
    surd_add_product(&flip->x0, &A->den, &D->den, 4, b->root);
    switch (scheme) {
    case COSTAB_ZIGZAG:
        surd_add_product(trace, &A->zphi, &D->zp1, 1, b->root);
        surd_add_product(&det->x1, &A->phi, &D->p0, -1, b->root);
        surd_add_product(&flip->x1, &A->phi, &D->p0, 1, b->root);
        surd_add_product(&flip->x1, &A->phi, &D->p1, -1, b->root);
        break;
    case COSTAB_STRONG:
        set_strong(b, A, D, trace);
        break;
    default:
        surd_add_product(&det->x1, &A->phi, &D->phi, -1, b->root);
        surd_add_product(&flip->x1, &A->phi, &D->phi, 1, b->root);
        break;
    }
    surd_sub(&det->x0, &det->x0, trace);
    surd_add_product(&flip->x0, trace, two, 1, b->root);
    for (int k = BOUND_LOW; delta != NULL && k <= BOUND_HIGH; k++) set_window(b, k, &delta[k - BOUND_LOW]);
}

void area_bounds_at(area_bounds *b, costab_scheme scheme, const area_subsystem subsystem[2], int root,
                    const fmpq_t a, const fmpq *delta) {
    flint_local(area_subsystem, A);
    area_subsystem_set_value(A, &subsystem[0], a);
    b->root = root;
    fmpq_set(b->a, a);
    b->no_stable = surd_is_zero(&A->phi) || surd_is_zero(&A->den);
    area_bounds_combine(b, scheme, A, &subsystem[1], delta);
    surd_zero(&b->gamma);
    fmpz_poly_set_coeff_fmpz(b->gamma.u, 0, fmpq_numref(a));
    fmpz_poly_set_coeff_fmpz(b->gamma.u, 1, fmpq_denref(a));
    /* divide by common factors to keep numbers small */
    for (int k = 0; k < BOUND_COUNT; k++) {
        surd_poly *const both[2] = {&b->bound[k].x0, &b->bound[k].x1};
        surd_remove_content(both, 2);
    }
    surd_poly *const den = &b->den, *const fold = &b->fold;
    surd_remove_content(&den, 1);
    surd_remove_content(&fold, 1);
}

void area_bounds_crossing(const area_bounds *b, int i, int j, surd_poly *crossing) {
    surd_zero(crossing);
    surd_add_product(crossing, &b->bound[i].x0, &b->bound[j].x1, 1, b->root);
    surd_add_product(crossing, &b->bound[j].x0, &b->bound[i].x1, -1, b->root);
}
