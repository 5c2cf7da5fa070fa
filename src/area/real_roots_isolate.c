/* Isolation of the real roots of a squarefree polynomial f of degree n by Descartes' rule of signs and
 * bisection (Collins and Akritas, Polynomial real root isolation using Descartes' rule of signs, 1976).
 *
 * 1. The root 0 is divided out. Positive roots are searched in f(x), negative ones in f(-x).
 * 2. All relevant roots are smaller than 2^scale. x is scaled to 0 < x < 1.
 * 3. f is mapped from the interval (i, i + 1) 2^(scale - depth) to 0 < x < 1. The number of sign changes in
 *    the coefficients of (1 + x)^n f(1 / (1 + x)) exceeds the number of roots by 0 or an even number. No
 *    change: no root. One change: exactly one root. More changes: the interval is halved.
 *
 * Exact. Cost: n^2 coefficient additions per interval. */
#include "area/real_roots.h"
#include "base/memory.h"

/* Adds a root without its interval. Returns NULL if memory is exhausted. */
static real_root *new_root(real_roots *roots, int polynomial) {
    roots->failed |= !memory_grows(&roots->root, &roots->capacity, (size_t)roots->count + 1);
    if (roots->failed) return NULL;
    real_root *root = &roots->root[roots->count++];
    flint_each(arf_init, root->low, root->high);
    root->polynomial = polynomial;
    root->sign = 0;
    return root;
}

/* A search on the positive axis, or (mirror) on the negative axis with f(-x). */
typedef struct search {
    real_roots *roots;
    int polynomial;
    bool mirror;
    slong scale; /* all relevant roots are smaller than 2^scale */
} search;

/* x := i 2^(scale - depth), negated in a mirrored search. */
static void dyadic_end(const search *s, const fmpz_t i, ulong depth, arf_t x) {
    flint_local(fmpz, exponent);
    fmpz_set_si(exponent, s->scale - (slong)depth);
    arf_set_fmpz_2exp(x, i, exponent);
    if (s->mirror) arf_neg(x, x);
}

/* Returns true if the interval (i, i + 1) 2^(scale - depth) is outside the range. */
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

/* Adds the root in the interval (i, i + 1) 2^(scale - depth), or at its lower end (exact). sign: sign of f
 * next to the end closer to 0. */
static void record(search *s, const fmpz_t i, ulong depth, bool exact, int sign) {
    real_root *root = new_root(s->roots, s->polynomial);
    if (root == NULL) return;
    flint_local(fmpz, end);
    fmpz_add_ui(end, i, exact ? 0 : 1);
    dyadic_end(s, i, depth, s->mirror ? root->high : root->low);
    dyadic_end(s, end, depth, s->mirror ? root->low : root->high);
    root->sign = s->mirror ? -sign : sign; /* simple root: the sign changes there */
}

/* Number of sign changes in the coefficients, limited to 2. */
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

/* Finds the roots in (0, 1) of f, f(0) != 0, which represents (i, i + 1) 2^(scale - depth). Changes
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

/* Returns k with |root| < 2^k for all roots of f. */
static slong root_scale(const fmpz_poly_t f) {
    flint_local(fmpz, bound);
    fmpz_poly_bound_roots(bound, f);
    return (slong)fmpz_bits(bound);
}

/* Returns k with |x| < 2^k for all x in the range. */
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
        _fmpz_poly_scale_2exp(g->coeffs, g->length, s.scale); /* also divides by common powers of 2 */
        if (s.mirror)
            for (slong k = 1; k < fmpz_poly_length(g); k += 2)
                fmpz_neg(fmpz_poly_get_coeff_ptr(g, k), fmpz_poly_get_coeff_ptr(g, k));
        fmpz_zero(zero);
        int first = roots->count;
        search_interval(&s, g, zero, 0);
        /* the removed factor x changes the sign to the left of 0 */
        for (int i = first; i < roots->count; i++)
            if (s.mirror && fmpz_poly_degree(f) < fmpz_poly_degree(roots->polynomial[polynomial].f))
                roots->root[i].sign = -roots->root[i].sign;
    }
}
