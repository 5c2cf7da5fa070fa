/* Finds the stable intervals of all rows at one a, cell by cell (docs/explanation/algorithms.md, Rows and
 * areas).
 *
 * 1. Cuts: the roots in d of every x0 and x1, of phi_d, the denominator, Gamma, and the difference of any two
 *    bounds. They are isolated and ordered exactly (real_roots.c).
 * 2. Intervals: at one rational d between adjacent roots the exact signs of all bounds determine the row's
 *    stable interval, from the largest lower bound to the smallest upper bound.
 * 3. Pieces: adjacent cells with equal bounds, region and sign of Gamma are merged, unless the interval's
 *    length has a pole at the root between them.
 * 4. Finiteness: the length of a piece's interval is a rational function of d. The area is infinite if an
 *    interval has no end, if the reduced denominator vanishes at an end of the piece, or if the piece is
 *    unbounded and the function does not decrease faster than 1 / d.
 *
 * Exact. Cost: dominated by the isolation of roots. */
#include "area/cells.h"

#include "base/memory.h"

/* ---- Bounds ----
 * The stability conditions of a row as polynomials over Z[sqrt D]:
 * 1. Functions of each subsystem's macro step: denominator, phi, P0, P1, z phi and z P1, times a common
 *    factor.
 * 2. Each condition (det, flip, contracting, converging, window ends) is x0 + x1 Delta > 0. Over the product
 *    of both denominators, x0 and x1 are sums of products of these polynomials (planar/row.h).
 * 3. Two bounds -x0 / x1 and -x0' / x1' are equal if x0 x1' - x0' x1 = 0.
 *
 * The polynomials have degrees O(stages times micro steps). */

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
    *bounds = (area_bounds){.radicand = 0};
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
    surd_add_product(trace, &A->zp1, &D->zphi, 1, b->radicand);
    surd_add_product(trace, &A->zphi, &D->zp1, 1, b->radicand);
    surd_add_product(&det->x1, &A->p1, &D->p1, 1, b->radicand);
    surd_add_product(&det->x1, &A->p0, &D->p0, -1, b->radicand);
    surd_add_product(&flip->x0, &A->zp1, &D->zp1, -4, b->radicand);
    surd_sub(a, &A->p1, &A->p0);
    surd_sub(d, &D->p1, &D->p0);
    surd_add_product(&flip->x1, a, d, 1, b->radicand);
    for (int k = BOUND_CONTRACTING; k <= BOUND_CONVERGING; k++) {
        int sign = k == BOUND_CONTRACTING ? 1 : -1;
        b->bound[k].used = true;
        surd_add_product(&b->bound[k].x0, &A->den, &D->den, 1, b->radicand);
        surd_add_product(&b->bound[k].x0, &A->zp1, &D->zp1, -sign, b->radicand);
        surd_add_product(&b->bound[k].x1, &A->p1, &D->p1, sign, b->radicand);
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
    surd_add_product(&b->den, &A->den, &D->den, 1, b->radicand);
    surd_add_product(&b->fold, &A->phi, &D->phi, 1, b->radicand);
    surd_add_product(trace, &A->zphi, &D->den, 1, b->radicand);
    surd_add_product(trace, &A->den, &D->zphi, 1, b->radicand);
    surd_add_product(&flip->x0, &A->den, &D->den, 4, b->radicand);
    switch (scheme) {
    case COSTAB_ZIGZAG:
        surd_add_product(trace, &A->zphi, &D->zp1, 1, b->radicand);
        surd_add_product(&det->x1, &A->phi, &D->p0, -1, b->radicand);
        surd_add_product(&flip->x1, &A->phi, &D->p0, 1, b->radicand);
        surd_add_product(&flip->x1, &A->phi, &D->p1, -1, b->radicand);
        break;
    case COSTAB_STRONG:
        set_strong(b, A, D, trace);
        break;
    default:
        surd_add_product(&det->x1, &A->phi, &D->phi, -1, b->radicand);
        surd_add_product(&flip->x1, &A->phi, &D->phi, 1, b->radicand);
        break;
    }
    surd_sub(&det->x0, &det->x0, trace);
    surd_add_product(&flip->x0, trace, two, 1, b->radicand);
    for (int k = BOUND_LOW; delta != NULL && k <= BOUND_HIGH; k++) set_window(b, k, &delta[k - BOUND_LOW]);
}

void area_bounds_at(area_bounds *b, costab_scheme scheme, const area_subsystem subsystem[2], int radicand,
                    const fmpq_t a, const fmpq *delta) {
    flint_local(area_subsystem, A);
    area_subsystem_set_value(A, &subsystem[0], a);
    b->radicand = radicand;
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

void area_bound_at(const area_bound *bound, const fmpq_t delta, surd_poly *value) {
    flint_local(surd, x1);
    surd_set(value, &bound->x0);
    surd_set(x1, &bound->x1);
    surd_scale(value, fmpq_denref(delta));
    surd_scale(x1, fmpq_numref(delta));
    surd_add(value, value, x1);
}

void area_bounds_crossing(const area_bounds *b, int i, int j, surd_poly *crossing) {
    surd_zero(crossing);
    surd_add_product(crossing, &b->bound[i].x0, &b->bound[j].x1, 1, b->radicand);
    surd_add_product(crossing, &b->bound[j].x0, &b->bound[i].x1, -1, b->radicand);
}

/* ---- One row ---- */

/* x0 and x1 of all bounds at one d; each bound has its own positive factor. */
typedef struct row_values {
    int radicand;
    int den; /* sign of the denominator */
    surd_number x0[BOUND_COUNT], x1[BOUND_COUNT];
    int x0_sign[BOUND_COUNT], x1_sign[BOUND_COUNT];
} row_values;

/* The stable interval of one row, by the bounds at its ends. */
typedef struct area_row {
    bool empty, positive; /* it is in Delta > 0, otherwise in Delta < 0 */
    int lower, upper;
} area_row;

/* Sign of (bound i) - (bound j); END_ZERO is the bound 0. */
static int compare_ends(const row_values *r, int i, int j) {
    if (i == END_ZERO && j == END_ZERO) return 0;
    if (i == END_ZERO) return r->x0_sign[j] * r->x1_sign[j];
    if (j == END_ZERO) return -r->x0_sign[i] * r->x1_sign[i];
    flint_local(surd_number, difference);
    surd_number_add_product(difference, 1, &r->x0[j], &r->x1[i], r->radicand);
    surd_number_add_product(difference, -1, &r->x0[i], &r->x1[j], r->radicand);
    return surd_sign(difference, r->radicand) * r->x1_sign[i] * r->x1_sign[j];
}

/* Intersects the interval with condition k. */
static void apply_bound(const row_values *r, int k, area_row *row) {
    int x0 = r->x0_sign[k] * r->den, x1 = r->x1_sign[k] * r->den;
    if (x1 == 0 && x0 <= 0) row->empty = true;
    if (x1 > 0 && (row->lower == END_INFINITE || compare_ends(r, k, row->lower) > 0)) row->lower = k;
    if (x1 < 0 && (row->upper == END_INFINITE || compare_ends(r, k, row->upper) < 0)) row->upper = k;
}

/* Determines the stable interval of the row at d. */
static area_row row_at(const area_bounds *b, const fmpq_t d) {
    row_values r = {.radicand = b->radicand, .den = surd_sign_at(&b->den, b->radicand, d)};
    area_row row = {.positive = surd_sign_at(&b->fold, b->radicand, d) * r.den > 0};
    row.lower = row.positive ? END_ZERO : END_INFINITE;
    row.upper = row.positive ? END_INFINITE : END_ZERO;
    for (int k = 0; k < BOUND_COUNT; k++) {
        flint_each(surd_number_init, &r.x0[k], &r.x1[k]);
        if (!b->bound[k].used) continue;
        const surd_poly *x0 = &b->bound[k].x0, *x1 = &b->bound[k].x1;
        slong length = surd_degree(x0) > surd_degree(x1) ? surd_degree(x0) : surd_degree(x1);
        surd_value(&r.x0[k], x0, d, length);
        surd_value(&r.x1[k], x1, d, length);
        r.x0_sign[k] = surd_sign(&r.x0[k], r.radicand);
        r.x1_sign[k] = surd_sign(&r.x1[k], r.radicand);
        apply_bound(&r, k, &row);
    }
    if (row.lower != END_INFINITE && row.upper != END_INFINITE)
        row.empty = row.empty || compare_ends(&r, row.lower, row.upper) >= 0;
    for (int k = 0; k < BOUND_COUNT; k++) flint_each(surd_number_clear, &r.x0[k], &r.x1[k]);
    return row;
}

/* ---- Pieces ---- */

/* A bound as quotient top / bottom = -x0 / x1; 0 / 1 for END_ZERO. */
static void end_fraction(const area_bounds *b, int which, surd_poly *top, surd_poly *bottom) {
    surd_set_si(top, 0);
    surd_set_si(bottom, 1);
    if (which < 0) return;
    surd_sub(top, top, &b->bound[which].x0);
    surd_set(bottom, &b->bound[which].x1);
}

/* Sets the length of the piece's intervals, upper minus lower bound, as a reduced quotient. */
static void set_length(const area_bounds *b, area_piece *p) {
    flint_local(surd, low, low_bottom);
    end_fraction(b, p->upper, &p->top, &p->bottom);
    end_fraction(b, p->lower, low, low_bottom);
    surd_mul(&p->top, &p->top, low_bottom, b->radicand);
    surd_add_product(&p->top, low, &p->bottom, -1, b->radicand);
    surd_mul(&p->bottom, &p->bottom, low_bottom, b->radicand);
    surd_reduce(&p->top, &p->bottom, b->radicand);
}

/* Returns true if the piece's area is infinite. */
static bool is_infinite(area_cells *cells, const area_piece *p) {
    if (p->lower == END_INFINITE || p->upper == END_INFINITE) return true;
    const int ends[2] = {p->from, p->to};
    for (int k = 0; k < 2; k++) {
        bool far = ends[k] < 0 || ends[k] == cells->roots.count;
        if (far && surd_degree(&p->top) - surd_degree(&p->bottom) >= -1) return true;
        if (!far && real_roots_vanishes(&cells->roots, ends[k], &p->bottom, cells->bounds->radicand))
            return true;
    }
    return false;
}

static area_piece *new_piece(area_cells *cells) {
    cells->failed |= !memory_grows(&cells->piece, &cells->capacity, (size_t)cells->count + 1);
    if (cells->failed) return NULL;
    area_piece *piece = &cells->piece[cells->count++];
    flint_each(surd_init, &piece->top, &piece->bottom);
    return piece;
}

/* Adds the rows between roots i and i + 1, represented by d, to the last piece or as a new piece. */
static void add_cell(area_cells *cells, int i, const fmpq_t d) {
    const area_bounds *b = cells->bounds;
    area_row row = row_at(b, d);
    if (row.empty) return;
    bool right = surd_sign_at(&b->gamma, 0, d) > 0, ss = row.positive && !right;
    area_piece *last = cells->count > 0 ? &cells->piece[cells->count - 1] : NULL;
    if (last != NULL && last->to == i && last->lower == row.lower && last->upper == row.upper &&
        last->ss == ss && last->right == right &&
        !real_roots_vanishes(&cells->roots, i, &last->bottom, b->radicand)) {
        last->to = i + 1;
        return;
    }
    area_piece *p = new_piece(cells);
    if (p == NULL) return;
    p->from = i;
    p->to = i + 1;
    p->lower = row.lower;
    p->upper = row.upper;
    p->ss = ss;
    p->right = right;
    if (row.lower != END_INFINITE && row.upper != END_INFINITE) set_length(b, p);
}

/* Adds cuts at the roots of f. */
static void add_cut(area_cells *cells, const surd_poly *f) {
    real_roots_add_surd(&cells->roots, f, cells->bounds->radicand);
}

/* Adds all cuts at which the order of the bounds may change. */
static void add_cuts(area_cells *cells) {
    const area_bounds *b = cells->bounds;
    flint_local(surd, crossing);
    add_cut(cells, &b->gamma);
    add_cut(cells, &b->den);
    add_cut(cells, &b->fold);
    for (int i = 0; i < BOUND_COUNT; i++) {
        if (!b->bound[i].used) continue;
        add_cut(cells, &b->bound[i].x0);
        if (i != BOUND_CONVERGING) add_cut(cells, &b->bound[i].x1);
        for (int j = i + 1; j < BOUND_COUNT; j++) {
            bool parallel = (i == BOUND_CONTRACTING && j == BOUND_CONVERGING) || i == BOUND_LOW;
            if (!b->bound[j].used || parallel) continue;
            area_bounds_crossing(b, i, j, crossing);
            add_cut(cells, crossing);
        }
    }
}

/* Adds a cut at an end of the window. */
static void add_window_cut(area_cells *cells, const fmpq *end) {
    flint_local(fmpq, d);
    fmpq_sub(d, end, cells->bounds->a);
    real_roots_add_number(&cells->roots, d);
}

/* Returns true if d + a is in the window. */
static bool in_window(const area_bounds *b, const fmpq_t d, const fmpq *gamma) {
    if (gamma == NULL) return true;
    flint_local(fmpq, x);
    fmpq_add(x, d, b->a);
    return fmpq_cmp(&gamma[0], x) < 0 && fmpq_cmp(x, &gamma[1]) < 0;
}

bool area_cells_find(const area_bounds *bounds, const fmpq *gamma, area_cells *cells) {
    *cells = (area_cells){.bounds = bounds};
    if (bounds->no_stable) return true;
    add_cuts(cells);
    for (int k = 0; gamma != NULL && k < 2; k++) add_window_cut(cells, &gamma[k]);
    if (!real_roots_find(&cells->roots)) return false;
    flint_local(fmpq, d);
    for (int i = -1; i < cells->roots.count && !cells->failed; i++) {
        real_roots_between(&cells->roots, i, d);
        if (in_window(bounds, d, gamma)) add_cell(cells, i, d);
    }
    for (int k = 0; k < cells->count; k++) cells->piece[k].infinite = is_infinite(cells, &cells->piece[k]);
    return !cells->failed;
}

void area_cells_clear(area_cells *cells) {
    real_roots_clear(&cells->roots);
    for (int k = 0; k < cells->count; k++)
        flint_each(surd_clear, &cells->piece[k].top, &cells->piece[k].bottom);
    memory_free(cells->piece);
    *cells = (area_cells){.count = 0};
}
