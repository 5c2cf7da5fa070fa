#include "planar/area_quick_rows.h"

#include <math.h>

static void add_break(quick_rows *r, const integer_poly *f, quick_form *form) {
    quick_form_set(form, f);
    quick_roots_add(&r->roots, f);
}

/* The trace at Delta = 0, which Gamma divides in the strong coupling: it is added without Gamma. */
static void add_trace(quick_rows *r, const integer_poly *f, quick_form *form) {
    integer_poly rest;
    integer_init(&rest);
    integer_set(&rest, f);
    if (f->length > 0) (void)integer_divide_out(&rest, &r->gamma);
    quick_form_set(form, f);
    quick_roots_add(&r->roots, &rest);
    integer_clear(&rest);
}

static bool are_opposite(const integer_poly *f, const integer_poly *g) {
    bool opposite = f->length > 0 && f->length == g->length;
    for (int k = 0; k < f->length && opposite; k++)
        opposite = mpz_cmpabs(f->c[k], g->c[k]) == 0 && mpz_sgn(f->c[k]) == -mpz_sgn(g->c[k]);
    return opposite;
}

/* Where two bounds meet; without x1, of which the breaks are known, where theirs are opposite. */
static void add_meeting(quick_rows *r, int i, int j) {
    const quick_bound *first = &r->bounds.bound[i], *second = &r->bounds.bound[j];
    integer_poly *meeting = &r->meeting[i][j];
    r->opposite[i][j] = are_opposite(&first->x1, &second->x1);
    if (r->opposite[i][j]) {
        integer_poly one;
        integer_init(&one);
        integer_set_si(&one, 1);
        integer_add_product(meeting, &first->x0, &one, 1);
        integer_add_product(meeting, &second->x0, &one, 1);
        integer_clear(&one);
    } else {
        quick_bounds_meeting(&r->bounds, i, j, meeting);
    }
    add_break(r, meeting, &r->meeting_form[i][j]);
}

static void add_breaks(quick_rows *r, const mpz_t num, const mpz_t den) {
    integer_set_coefficient(&r->gamma, 0, num);
    integer_set_coefficient(&r->gamma, 1, den);
    add_break(r, &r->gamma, &r->gamma_form);
    add_break(r, &r->bounds.den, &r->den_form);
    add_break(r, &r->bounds.fold, &r->fold_form);
    for (int i = 0; i < r->bounds.count; i++) {
        (i == QUICK_DET ? add_trace : add_break)(r, &r->bounds.bound[i].x0, &r->bounds.bound[i].x0_form);
        add_break(r, &r->bounds.bound[i].x1, &r->bounds.bound[i].x1_form);
    }
    for (int i = 0; i < r->bounds.count; i++)
        for (int j = i + 1; j < r->bounds.count; j++) add_meeting(r, i, j);
}

/* ---- one row ---- */

/* The signs at one d, and the interval that they leave. */
typedef struct row {
    double d;
    bool empty, positive; /* it lies in Delta > 0, else in Delta < 0 */
    int lower, upper, x0[QUICK_BOUNDS], x1[QUICK_BOUNDS];
} row;

/* The sign of end i - end j. */
static int compare_ends(const quick_rows *r, const row *at, int i, int j) {
    if (i == j) return 0;
    if (i == QUICK_END_ZERO) return at->x0[j] * at->x1[j];
    if (j == QUICK_END_ZERO) return -at->x0[i] * at->x1[i];
    const int first = i < j ? i : j, second = i < j ? j : i;
    int sign = quick_sign(&r->meeting_form[first][second], at->d);
    if (r->opposite[first][second]) sign *= at->x1[first];
    return (i < j ? sign : -sign) * at->x1[i] * at->x1[j];
}

static row row_at(const quick_rows *r, double d) {
    const int den = quick_sign(&r->den_form, d);
    row at = {.d = d, .positive = quick_sign(&r->fold_form, d) * den > 0};
    at.lower = at.positive ? QUICK_END_ZERO : QUICK_END_INFINITE;
    at.upper = at.positive ? QUICK_END_INFINITE : QUICK_END_ZERO;
    for (int k = 0; k < r->bounds.count; k++) {
        at.x0[k] = quick_sign(&r->bounds.bound[k].x0_form, d);
        at.x1[k] = quick_sign(&r->bounds.bound[k].x1_form, d);
        const int x0 = at.x0[k] * den, x1 = at.x1[k] * den;
        if (x1 == 0 && x0 <= 0) at.empty = true;
        if (x1 > 0 && (at.lower == QUICK_END_INFINITE || compare_ends(r, &at, k, at.lower) > 0)) at.lower = k;
        if (x1 < 0 && (at.upper == QUICK_END_INFINITE || compare_ends(r, &at, k, at.upper) < 0)) at.upper = k;
    }
    if (at.lower != QUICK_END_INFINITE && at.upper != QUICK_END_INFINITE)
        at.empty = at.empty || compare_ends(r, &at, at.lower, at.upper) >= 0;
    return at;
}

/* ---- pieces ---- */

static void set_length(const quick_rows *r, quick_piece *p) {
    integer_poly one, common;
    integer_init(&one);
    integer_init(&common);
    integer_set_si(&one, 1);
    if (p->lower == QUICK_END_ZERO) {
        integer_add_product(&p->top, &r->bounds.bound[p->upper].x0, &one, -1);
        integer_set(&p->bottom, &r->bounds.bound[p->upper].x1);
    } else if (p->upper == QUICK_END_ZERO) {
        integer_set(&p->top, &r->bounds.bound[p->lower].x0);
        integer_set(&p->bottom, &r->bounds.bound[p->lower].x1);
    } else { /* upper - lower = x0_l / x1_l - x0_u / x1_u */
        quick_bounds_meeting(&r->bounds, p->upper, p->lower, &p->top);
        integer_add_product(&p->bottom, &r->bounds.bound[p->upper].x1, &r->bounds.bound[p->lower].x1, 1);
    }
    integer_gcd(&common, &p->top, &p->bottom);
    if (common.length > 1) {
        integer_divide(&p->top, &common);
        integer_divide(&p->bottom, &common);
    }
    integer_clear(&one);
    integer_clear(&common);
}

/* Whether f vanishes at root i: doubles mostly show that it does not. */
static bool vanishes(const quick_rows *r, int i, const integer_poly *f) {
    quick_form form;
    quick_form_set(&form, f);
    return quick_sign_between(&form, r->roots.root[i].low, r->roots.root[i].high) == 0 &&
           quick_roots_vanishes(&r->roots, i, f);
}

static bool is_infinite(const quick_rows *r, const quick_piece *p) {
    if (p->lower == QUICK_END_INFINITE || p->upper == QUICK_END_INFINITE) return true;
    const int ends[2] = {p->from, p->to};
    for (int k = 0; k < 2; k++) {
        const bool far = ends[k] < 0 || ends[k] == r->roots.count;
        if (far && p->top.length - p->bottom.length >= -1) return true;
        if (!far && vanishes(r, ends[k], &p->bottom)) return true;
    }
    return false;
}

/* The rows between roots i and i + 1: a new piece, or more of the last one. */
static void add_rows(quick_rows *r, int i) {
    const row at = row_at(r, quick_roots_between(&r->roots, i));
    if (at.empty || r->roots.doubt) return;
    const bool right = quick_sign(&r->gamma_form, at.d) > 0, ss = at.positive && !right;
    quick_piece *last = r->count > 0 ? &r->piece[r->count - 1] : NULL;
    if (last != NULL && last->to == i && last->lower == at.lower && last->upper == at.upper &&
        last->ss == ss && last->right == right && last->bottom.length > 0 && !vanishes(r, i, &last->bottom)) {
        last->to = i + 1;
        return;
    }
    if (r->count == QUICK_PIECES_MAX) {
        r->roots.doubt = true;
        return;
    }
    quick_piece *p = &r->piece[r->count++];
    *p = (quick_piece){i, i + 1, at.lower, at.upper, ss, right, .infinite = false};
    integer_init(&p->top);
    integer_init(&p->bottom);
    if (at.lower != QUICK_END_INFINITE && at.upper != QUICK_END_INFINITE) set_length(r, p);
}

/* Of all polynomials but those of pieces and roots. */
static void for_all(quick_rows *r, void (*each)(integer_poly *)) {
    each(&r->gamma);
    for (int i = 0; i < r->bounds.count; i++)
        for (int j = i + 1; j < r->bounds.count; j++) each(&r->meeting[i][j]);
}

void quick_rows_find(quick_rows *r, costab_scheme scheme, const quick_side *D, const mpz_t num,
                     const mpz_t den) {
    quick_side A;
    r->count = 0;
    quick_bounds_init(&r->bounds, scheme);
    for_all(r, integer_init);
    quick_roots_init(&r->roots);
    quick_side_init(&A);
    quick_side_set_value(&A, D, num, den);
    if (A.of[QUICK_DEN].length > 0 && A.of[QUICK_PHI].length > 0) { /* else nothing is stable */
        quick_bounds_set(&r->bounds, scheme, &A, D);
        add_breaks(r, num, den);
        quick_roots_find(&r->roots);
        for (int i = -1; i < r->roots.count && !r->roots.doubt; i++) add_rows(r, i);
        for (int k = 0; k < r->count; k++) r->piece[k].infinite = is_infinite(r, &r->piece[k]);
    }
    quick_side_clear(&A);
}

void quick_rows_clear(quick_rows *r) {
    for_all(r, integer_clear);
    quick_bounds_clear(&r->bounds);
    for (int k = 0; k < r->count; k++) {
        integer_clear(&r->piece[k].top);
        integer_clear(&r->piece[k].bottom);
    }
    quick_roots_clear(&r->roots);
}
