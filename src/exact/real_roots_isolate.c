/* Isolation by Descartes' rule of signs and bisection (Collins and Akritas, Polynomial real root isolation
 * using Descartes' rule of signs, 1976), on the positive axis and, by f(-x), on the negative one:
 *
 *  1. All roots of interest lie below a power of 2, to which x is scaled.
 *  2. Of f((place + x) / 2^depth), 0 < x < 1, the signs of (1 + x)^n f(1 / (1 + x)) vary at least as often as
 *     there are roots: 0 and 1 variations tell exactly how many; with more the interval is halved.
 *
 * Exact, for squarefree polynomials. Each step shifts a polynomial by 1, n^2 additions. */
#include "base/memory.h"
#include "exact/real_roots.h"

/* A new root, its ends still to be set; NULL where memory is out. */
static real_root *new_root(real_roots *roots, int polynomial) {
    real_root *grown = memory_grow(roots->root, &roots->capacity, (size_t)roots->count + 1, sizeof *grown);
    if (grown == NULL) {
        roots->failed = true;
        return NULL;
    }
    roots->root = grown;
    real_root *root = &roots->root[roots->count++];
    flint_each(arf_init, root->low, root->high);
    root->polynomial = polynomial;
    root->side = 0;
    return root;
}

/* A search on the positive axis (mirror: on the negative one, by f(-x)). */
typedef struct search {
    real_roots *roots;
    int polynomial;
    bool mirror;
    slong scale; /* all roots of interest lie below 2^scale */
} search;

/* The dyadic number place 2^(scale - depth), on the search's side of 0. */
static void place_of(const search *s, const fmpz_t place, ulong depth, arf_t x) {
    fmpz_t exponent;
    fmpz_init_set_si(exponent, s->scale - (slong)depth);
    arf_set_fmpz_2exp(x, place, exponent);
    if (s->mirror) arf_neg(x, x);
    fmpz_clear(exponent);
}

/* Whether (place, place + 1) 2^(scale - depth) lies outside the range of interest. */
static bool outside(const search *s, const fmpz_t place, ulong depth) {
    if (s->roots->low == NULL) return false;
    arf_t near, far;
    fmpz_t next;
    flint_each(arf_init, near, far);
    fmpz_init(next);
    fmpz_add_ui(next, place, 1);
    place_of(s, place, depth, near);
    place_of(s, next, depth, far);
    if (s->mirror) arf_swap(near, far);
    bool is = arf_cmp(far, s->roots->low) < 0 || arf_cmp(near, s->roots->high) > 0;
    flint_each(arf_clear, near, far);
    fmpz_clear(next);
    return is;
}

static void record(search *s, const fmpz_t place, ulong depth, bool exact, int side) {
    real_root *root = new_root(s->roots, s->polynomial);
    if (root == NULL) return;
    fmpz_t end;
    fmpz_init(end);
    fmpz_add_ui(end, place, exact ? 0 : 1);
    place_of(s, place, depth, s->mirror ? root->high : root->low);
    place_of(s, end, depth, s->mirror ? root->low : root->high);
    root->side = s->mirror ? -side : side; /* one simple root between: the signs at the ends differ */
    fmpz_clear(end);
}

/* Changes of sign in the coefficients; counting stops at 2. */
static int variations(const fmpz_poly_t f) {
    int changes = 0, last = 0;
    for (slong k = 0; k < fmpz_poly_length(f) && changes < 2; k++) {
        int sign = fmpz_sgn(fmpz_poly_get_coeff_ptr(f, k));
        if (sign == 0) continue;
        if (last != 0 && sign != last) changes++;
        last = sign;
    }
    return changes;
}

static void shift_by_one(fmpz_poly_t f) {
    fmpz_t one;
    fmpz_init_set_ui(one, 1);
    fmpz_poly_taylor_shift(f, f, one);
    fmpz_clear(one);
}

bool real_roots_stopped(const real_roots *roots) {
    return roots->failed || (roots->watch != NULL && planar_watch_stops(roots->watch, roots->share));
}

static bool vanishes_at_one(const fmpz_poly_t f) {
    fmpz_t sum;
    fmpz_init(sum);
    _fmpz_vec_sum(sum, f->coeffs, f->length);
    bool vanishes = fmpz_is_zero(sum) != 0;
    fmpz_clear(sum);
    return vanishes;
}

static void descend(search *s, fmpz_poly_t f, const fmpz_t place, ulong depth);

/* The same for both halves. */
static void halve(search *s, fmpz_poly_t f, const fmpz_t place, ulong depth) {
    fmpz_poly_t right;
    fmpz_t half;
    fmpz_poly_init(right);
    fmpz_init(half);
    _fmpz_poly_scale_2exp(f->coeffs, f->length, -1);
    bool middle = vanishes_at_one(f);
    fmpz_poly_set(right, f);
    shift_by_one(right);
    if (middle) fmpz_poly_shift_right(right, right, 1);
    fmpz_mul_2exp(half, place, 1);
    descend(s, f, half, depth + 1);
    fmpz_add_ui(half, half, 1);
    if (middle) record(s, half, depth + 1, true, 0);
    descend(s, right, half, depth + 1);
    fmpz_poly_clear(right);
    fmpz_clear(half);
}

/* Roots of f in (0, 1), f(0) != 0, which stand for (place, place + 1) 2^(scale - depth). Changes f. */
static void descend(search *s, fmpz_poly_t f, const fmpz_t place, ulong depth) {
    if (real_roots_stopped(s->roots) || variations(f) == 0 || outside(s, place, depth)) return;
    fmpz_poly_t reversed;
    fmpz_poly_init(reversed);
    fmpz_poly_reverse(reversed, f, fmpz_poly_length(f));
    shift_by_one(reversed);
    int changes = variations(reversed);
    fmpz_poly_clear(reversed);
    if (changes == 1) record(s, place, depth, false, fmpz_sgn(fmpz_poly_get_coeff_ptr(f, 0)));
    if (changes > 1) halve(s, f, place, depth);
}

/* All roots have a magnitude below 2^k. */
static slong root_scale(const fmpz_poly_t f) {
    fmpz_t bound;
    fmpz_init(bound);
    fmpz_poly_bound_roots(bound, f);
    const slong scale = (slong)fmpz_bits(bound);
    fmpz_clear(bound);
    return scale;
}

/* All roots of interest lie below 2^k in magnitude. */
static slong interest_scale(const real_roots *roots) {
    if (roots->low == NULL) return WORD_MAX;
    slong low = arf_abs_bound_lt_2exp_si(roots->low), high = arf_abs_bound_lt_2exp_si(roots->high);
    return low > high ? low : high;
}

void real_roots_isolate(real_roots *roots, int polynomial) {
    search s = {.roots = roots, .polynomial = polynomial};
    fmpz_poly_t f, g;
    fmpz_t zero;
    flint_each(fmpz_poly_init, f, g);
    fmpz_init(zero);
    fmpz_poly_set(f, roots->polynomial[polynomial].f);
    if (fmpz_is_zero(fmpz_poly_get_coeff_ptr(f, 0))) {
        record(&s, zero, 0, true, 0);
        fmpz_poly_shift_right(f, f, 1);
    }
    for (int mirror = 0; mirror < 2 && fmpz_poly_degree(f) > 0; mirror++) {
        s.mirror = mirror == 1;
        slong scale = root_scale(f), interest = interest_scale(roots);
        s.scale = scale < interest ? scale : interest;
        fmpz_poly_set(g, f);
        _fmpz_poly_scale_2exp(g->coeffs, g->length, s.scale); /* and divides by powers of 2 */
        if (s.mirror)
            for (slong k = 1; k < fmpz_poly_length(g); k += 2)
                fmpz_neg(fmpz_poly_get_coeff_ptr(g, k), fmpz_poly_get_coeff_ptr(g, k));
        fmpz_zero(zero);
        int first = roots->count;
        descend(&s, g, zero, 0);
        /* the zero that was divided out gives f the other sign on the left */
        for (int i = first; i < roots->count; i++)
            if (s.mirror && fmpz_poly_degree(f) < fmpz_poly_degree(roots->polynomial[polynomial].f))
                roots->root[i].side = -roots->root[i].side;
    }
    flint_each(fmpz_poly_clear, f, g);
    fmpz_clear(zero);
}
