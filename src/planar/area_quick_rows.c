#include "planar/area_quick_rows.h"

#include <math.h>

#include "method/exact_step.h"

/* What ends an interval besides a bound. */
enum { END_ZERO = -1, END_INFINITE = -2 };

/* In the order of area_bounds.h, of which a scheme uses the first ones. */
enum { DET, FLIP, CONTRACTING, CONVERGING };

/* ---- sides: of a as numbers, of d as polynomials, each times one factor ---- */

enum { DEN, PHI, P0, P1, Z_PHI, Z_P1, SIDE };

typedef struct sides {
    integer_poly a[SIDE], d[SIDE];
} sides;

static void sides_clear(sides *s) {
    for (int k = 0; k < SIDE; k++) {
        integer_clear(&s->a[k]);
        integer_clear(&s->d[k]);
    }
}

/* False where the functions are irrational. */
static bool sides_make(const costab_method *method, double a, sides *s) {
    static const int of[SIDE] = {STEP_DEN, STEP_PHI, STEP_P0, STEP_P1, STEP_PHI, STEP_P1};
    exact_step step;
    mpz_t num, value;
    bool rational = true;
    int length = 0;
    mpz_init(num);
    mpz_init(value);
    exact_step_make(method, &step);
    for (int k = 0; k < SIDE; k++) {
        integer_init(&s->a[k]);
        integer_init(&s->d[k]);
        integer_set(&s->d[k], &step.of[of[k]][0]);
        if (k >= Z_PHI) integer_times_x(&s->d[k]);
        if (s->d[k].length > length) length = s->d[k].length;
        rational = rational && step.of[of[k]][1].length == 0;
    }
    const unsigned long shift = quick_split(num, a);
    for (int k = 0; k < SIDE; k++) {
        integer_value(value, &s->d[k], num, shift, length - 1);
        integer_set_coefficient(&s->a[k], 0, value);
    }
    exact_step_clear(&step);
    mpz_clear(num);
    mpz_clear(value);
    return rational;
}

/* ---- bounds ---- */

static void set_strong(quick_rows *r, const sides *s, integer_poly *trace) {
    quick_bound *det = &r->bound[DET], *flip = &r->bound[FLIP];
    integer_add_product(trace, &s->a[Z_P1], &s->d[Z_PHI], 1);
    integer_add_product(trace, &s->a[Z_PHI], &s->d[Z_P1], 1);
    integer_add_product(&det->x1, &s->a[P1], &s->d[P1], 1);
    integer_add_product(&det->x1, &s->a[P0], &s->d[P0], -1);
    integer_add_product(&flip->x0, &s->a[Z_P1], &s->d[Z_P1], -4);
    for (int i = P0; i <= P1; i++) /* (P1 - P0)(a) (P1 - P0)(d) */
        for (int j = P0; j <= P1; j++) integer_add_product(&flip->x1, &s->a[i], &s->d[j], i == j ? 1 : -1);
    for (int k = CONTRACTING; k <= CONVERGING; k++) {
        const int sign = k == CONTRACTING ? 1 : -1;
        integer_add_product(&r->bound[k].x0, &s->a[DEN], &s->d[DEN], 1);
        integer_add_product(&r->bound[k].x0, &s->a[Z_P1], &s->d[Z_P1], -sign);
        integer_add_product(&r->bound[k].x1, &s->a[P1], &s->d[P1], sign);
    }
}

/* The bounds of area_bounds_combine. */
static void set_bounds(quick_rows *r, costab_scheme scheme, const sides *s) {
    quick_bound *det = &r->bound[DET], *flip = &r->bound[FLIP];
    integer_poly trace, one; /* K (Tr D - 2) at Delta = 0 */
    integer_init(&trace);
    integer_init(&one);
    integer_set_si(&one, 1);
    integer_add_product(&r->den, &s->a[DEN], &s->d[DEN], 1);
    integer_add_product(&r->fold, &s->a[PHI], &s->d[PHI], 1);
    integer_add_product(&trace, &s->a[Z_PHI], &s->d[DEN], 1);
    integer_add_product(&trace, &s->a[DEN], &s->d[Z_PHI], 1);
    integer_add_product(&flip->x0, &s->a[DEN], &s->d[DEN], 4);
    if (scheme == COSTAB_STRONG) {
        set_strong(r, s, &trace);
    } else if (scheme == COSTAB_ZIGZAG) {
        integer_add_product(&trace, &s->a[Z_PHI], &s->d[Z_P1], 1);
        integer_add_product(&det->x1, &s->a[PHI], &s->d[P0], -1);
        integer_add_product(&flip->x1, &s->a[PHI], &s->d[P0], 1);
        integer_add_product(&flip->x1, &s->a[PHI], &s->d[P1], -1);
    } else {
        integer_add_product(&det->x1, &s->a[PHI], &s->d[PHI], -1);
        integer_add_product(&flip->x1, &s->a[PHI], &s->d[PHI], 1);
    }
    integer_add_product(&det->x0, &trace, &one, -1);
    integer_add_product(&flip->x0, &trace, &one, 2);
    integer_clear(&trace);
    integer_clear(&one);
}

/* x0_j x1_i - x0_i x1_j */
static void set_meeting(const quick_rows *r, int i, int j, integer_poly *meeting) {
    integer_add_product(meeting, &r->bound[j].x0, &r->bound[i].x1, 1);
    integer_add_product(meeting, &r->bound[i].x0, &r->bound[j].x1, -1);
}

static void add_break(quick_rows *r, const integer_poly *f, quick_form *form) {
    quick_form_set(form, f);
    quick_roots_add(&r->roots, f);
}

static void add_breaks(quick_rows *r, double a) {
    mpz_t num;
    mpz_init_set_ui(num, 1);
    const unsigned long shift = quick_split(r->gamma.c[0], a);
    mpz_mul_2exp(num, num, shift);
    integer_set_coefficient(&r->gamma, 1, num);
    mpz_clear(num);
    add_break(r, &r->gamma, &r->gamma_form);
    add_break(r, &r->den, &r->den_form);
    add_break(r, &r->fold, &r->fold_form);
    for (int i = 0; i < r->bound_count; i++) {
        add_break(r, &r->bound[i].x0, &r->bound[i].x0_form);
        add_break(r, &r->bound[i].x1, &r->bound[i].x1_form);
    }
    for (int i = 0; i < r->bound_count; i++)
        for (int j = i + 1; j < r->bound_count; j++) {
            set_meeting(r, i, j, &r->meeting[i][j]);
            add_break(r, &r->meeting[i][j], &r->meeting_form[i][j]);
        }
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
    if (i == END_ZERO) return at->x0[j] * at->x1[j];
    if (j == END_ZERO) return -at->x0[i] * at->x1[i];
    const int sign = quick_sign(&r->meeting_form[i < j ? i : j][i < j ? j : i], at->d);
    return (i < j ? sign : -sign) * at->x1[i] * at->x1[j];
}

static row row_at(const quick_rows *r, double d) {
    const int den = quick_sign(&r->den_form, d);
    row at = {.d = d, .positive = quick_sign(&r->fold_form, d) * den > 0};
    at.lower = at.positive ? END_ZERO : END_INFINITE;
    at.upper = at.positive ? END_INFINITE : END_ZERO;
    for (int k = 0; k < r->bound_count; k++) {
        at.x0[k] = quick_sign(&r->bound[k].x0_form, d);
        at.x1[k] = quick_sign(&r->bound[k].x1_form, d);
        const int x0 = at.x0[k] * den, x1 = at.x1[k] * den;
        if (x1 == 0 && x0 <= 0) at.empty = true;
        if (x1 > 0 && (at.lower == END_INFINITE || compare_ends(r, &at, k, at.lower) > 0)) at.lower = k;
        if (x1 < 0 && (at.upper == END_INFINITE || compare_ends(r, &at, k, at.upper) < 0)) at.upper = k;
    }
    if (at.lower != END_INFINITE && at.upper != END_INFINITE)
        at.empty = at.empty || compare_ends(r, &at, at.lower, at.upper) >= 0;
    return at;
}

/* ---- pieces ---- */

static void set_length(const quick_rows *r, quick_piece *p) {
    integer_poly one, common;
    integer_init(&one);
    integer_init(&common);
    integer_set_si(&one, 1);
    if (p->lower == END_ZERO) {
        integer_add_product(&p->top, &r->bound[p->upper].x0, &one, -1);
        integer_set(&p->bottom, &r->bound[p->upper].x1);
    } else if (p->upper == END_ZERO) {
        integer_set(&p->top, &r->bound[p->lower].x0);
        integer_set(&p->bottom, &r->bound[p->lower].x1);
    } else { /* upper - lower = x0_l / x1_l - x0_u / x1_u */
        set_meeting(r, p->upper, p->lower, &p->top);
        integer_add_product(&p->bottom, &r->bound[p->upper].x1, &r->bound[p->lower].x1, 1);
    }
    integer_gcd(&common, &p->top, &p->bottom);
    if (common.length > 1) {
        integer_divide(&p->top, &common);
        integer_divide(&p->bottom, &common);
    }
    integer_clear(&one);
    integer_clear(&common);
}

static bool is_infinite(const quick_rows *r, const quick_piece *p) {
    if (p->lower == END_INFINITE || p->upper == END_INFINITE) return true;
    const int ends[2] = {p->from, p->to};
    for (int k = 0; k < 2; k++) {
        const bool far = ends[k] < 0 || ends[k] == r->roots.count;
        if (far && p->top.length - p->bottom.length >= -1) return true;
        if (!far && quick_roots_vanishes(&r->roots, ends[k], &p->bottom)) return true;
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
        last->ss == ss && last->right == right && last->bottom.length > 0 &&
        !quick_roots_vanishes(&r->roots, i, &last->bottom)) {
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
    if (at.lower != END_INFINITE && at.upper != END_INFINITE) set_length(r, p);
}

/* Of all polynomials but those of pieces and roots. */
static void for_all(quick_rows *r, void (*each)(integer_poly *)) {
    each(&r->den);
    each(&r->fold);
    each(&r->gamma);
    for (int i = 0; i < r->bound_count; i++) {
        each(&r->bound[i].x0);
        each(&r->bound[i].x1);
        for (int j = i + 1; j < r->bound_count; j++) each(&r->meeting[i][j]);
    }
}

void quick_rows_find(quick_rows *r, costab_scheme scheme, const costab_method *method, double a) {
    r->bound_count = scheme == COSTAB_STRONG ? CONVERGING + 1 : FLIP + 1;
    r->count = 0;
    for_all(r, integer_init);
    quick_roots_init(&r->roots);
    sides s;
    if (!sides_make(method, a, &s) || s.a[DEN].length + s.a[PHI].length == 0) {
        r->roots.doubt = true;
    } else if (s.a[DEN].length > 0 && s.a[PHI].length > 0) { /* else nothing is stable */
        set_bounds(r, scheme, &s);
        add_breaks(r, a);
        quick_roots_find(&r->roots);
        for (int i = -1; i < r->roots.count && !r->roots.doubt; i++) add_rows(r, i);
        for (int k = 0; k < r->count; k++) r->piece[k].infinite = is_infinite(r, &r->piece[k]);
    }
    sides_clear(&s);
}

void quick_rows_clear(quick_rows *r) {
    for_all(r, integer_clear);
    for (int k = 0; k < r->count; k++) {
        integer_clear(&r->piece[k].top);
        integer_clear(&r->piece[k].bottom);
    }
    quick_roots_clear(&r->roots);
}
