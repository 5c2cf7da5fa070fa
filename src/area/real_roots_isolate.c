/* Isolation of the real roots of a squarefree polynomial f of degree n by Descartes' rule of signs and
 * bisection (Collins and Akritas, Polynomial real root isolation using Descartes' rule of signs, 1976):
 *
 *  1. The root 0 is divided out. Positive roots are searched for, and negative ones as positive ones of
 *     f(-x).
 *  2. All roots of interest lie below 2^scale, so that x is scaled to 0 < x < 1.
 *  3. An interval is (i, i + 1) 2^(scale - depth); f is mapped to it, 0 < x < 1. The coefficients of (1 +
 *     x)^n f(1 / (1 + x)) change their sign as often as there are roots in the interval, or more often by an
 *     even number. No change: there is no root. One: there is exactly one. More: the interval is halved.
 *
 * Exact. Cost: n^2 additions of coefficients for each interval. */
#include "area/real_roots.h"
#include "base/memory.h"

/* Adds a root whose interval is still to be set; NULL where memory is out. */
static real_root *new_root(real_roots *roots, int polynomial) {
    roots->failed |= !memory_grows(&roots->root, &roots->capacity, (size_t)roots->count + 1);
    if (roots->failed) return NULL;
    real_root *root = &roots->root[roots->count++];
    flint_each(arf_init, root->low, root->high);
    root->polynomial = polynomial;
    root->sign = 0;
    return root;
}

/* A search on the positive axis (mirror: on the negative one, by f(-x)). */
typedef struct search {
    real_roots *roots;
    int polynomial;
    bool mirror;
    slong scale; /* all roots of interest lie below 2^scale */
} search;

/* x := i 2^(scale - depth), or its negative where the search is mirrored. */
static void dyadic_end(const search *s, const fmpz_t i, ulong depth, arf_t x) {
    flint_local(fmpz, exponent);
    fmpz_set_si(exponent, s->scale - (slong)depth);
    arf_set_fmpz_2exp(x, i, exponent);
    if (s->mirror) arf_neg(x, x);
}

/* Whether the interval (i, i + 1) 2^(scale - depth) lies outside the range of interest. */
static bool outside(const search *s, const fmpz_t i, ulong depth) {
    if (s->roots->low == NULL) return false;
    flint_local(arf, near, far);
    flint_local(fmpz, next);
    fmpz_add_ui(next, i, 1);
    dyadic_end(s, i, depth, near);
    dyadic_end(s, next, depth, far);
    if (s->mirror) arf_swap(near, far);
    return arf_cmp(far, s->roots->low) < 0 || arf_cmp(near, s->roots->high) > 0;
}

/* Adds the root in the interval (i, i + 1) 2^(scale - depth), or (exact) at its lower end. sign: of f next to
 * the end that is nearer to 0. */
static void record(search *s, const fmpz_t i, ulong depth, bool exact, int sign) {
    real_root *root = new_root(s->roots, s->polynomial);
    if (root == NULL) return;
    flint_local(fmpz, end);
    fmpz_add_ui(end, i, exact ? 0 : 1);
    dyadic_end(s, i, depth, s->mirror ? root->high : root->low);
    dyadic_end(s, end, depth, s->mirror ? root->low : root->high);
    root->sign = s->mirror ? -sign : sign; /* the root is simple: the signs on both sides of it differ */
}

/* The number of changes of sign in the coefficients; counting stops at 2. */
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

/* f(x) := f(x + 1) */
static void shift_by_one(fmpz_poly_t f) {
    flint_local(fmpz, one);
    fmpz_set_ui(one, 1);
    fmpz_poly_taylor_shift(f, f, one);
}

bool real_roots_stopped(const real_roots *roots) {
    return roots->failed || (roots->watch != NULL && search_watch_stops(roots->watch, roots->share));
}

static bool vanishes_at_one(const fmpz_poly_t f) {
    flint_local(fmpz, sum);
    _fmpz_vec_sum(sum, f->coeffs, f->length);
    return fmpz_is_zero(sum) != 0;
}

static void search_interval(search *s, fmpz_poly_t f, const fmpz_t i, ulong depth);

/* Searches both halves of an interval, and its middle. */
static void halve(search *s, fmpz_poly_t f, const fmpz_t i, ulong depth) {
    flint_local(fmpz_poly, right);
    flint_local(fmpz, half);
    _fmpz_poly_scale_2exp(f->coeffs, f->length, -1);
    bool middle = vanishes_at_one(f);
    fmpz_poly_set(right, f);
    shift_by_one(right);
    if (middle) fmpz_poly_shift_right(right, right, 1);
    fmpz_mul_2exp(half, i, 1);
    search_interval(s, f, half, depth + 1);
    fmpz_add_ui(half, half, 1);
    if (middle) record(s, half, depth + 1, true, 0);
    search_interval(s, right, half, depth + 1);
}

/* Step 3: finds the roots of f in (0, 1), f(0) != 0, which stands for (i, i + 1) 2^(scale - depth). Changes
 * f. */
static void search_interval(search *s, fmpz_poly_t f, const fmpz_t i, ulong depth) {
    if (real_roots_stopped(s->roots) || variations(f) == 0 || outside(s, i, depth)) return;
    flint_local(fmpz_poly, reversed);
    fmpz_poly_reverse(reversed, f, fmpz_poly_length(f));
    shift_by_one(reversed);
    int changes = variations(reversed);
    if (changes == 1) record(s, i, depth, false, fmpz_sgn(fmpz_poly_get_coeff_ptr(f, 0)));
    if (changes > 1) halve(s, f, i, depth);
}

/* A k such that all roots of f are smaller than 2^k in magnitude. */
static slong root_scale(const fmpz_poly_t f) {
    flint_local(fmpz, bound);
    fmpz_poly_bound_roots(bound, f);
    return (slong)fmpz_bits(bound);
}

/* A k such that the range of interest lies within 2^k. */
static slong interest_scale(const real_roots *roots) {
    if (roots->low == NULL) return WORD_MAX;
    slong low = arf_abs_bound_lt_2exp_si(roots->low), high = arf_abs_bound_lt_2exp_si(roots->high);
    return low > high ? low : high;
}

void real_roots_isolate(real_roots *roots, int polynomial) {
    search s = {.roots = roots, .polynomial = polynomial};
    flint_local(fmpz_poly, f, g);
    flint_local(fmpz, zero);
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
        search_interval(&s, g, zero, 0);
        /* f(-x) has lost its factor x: left of 0 that changes its sign */
        for (int i = first; i < roots->count; i++)
            if (s.mirror && fmpz_poly_degree(f) < fmpz_poly_degree(roots->polynomial[polynomial].f))
                roots->root[i].sign = -roots->root[i].sign;
    }
}
