/* Distinct real roots of several polynomials over Z, in order, computed exactly.
 *
 * 1. Each polynomial is made primitive and squarefree, and its roots are isolated (real_roots_isolate.c).
 * 2. The intervals of all roots are sorted. Two overlapping intervals are narrowed by bisection, or by
 *    Newton's interval method once it doubles their bits.
 * 3. If two narrow intervals still overlap, the greatest common divisor of both polynomials decides. If its
 *    sign changes in the overlap, both intervals hold the same root; otherwise narrowing continues.
 *
 * Exact. Cost: isolation, and one greatest common divisor per pair of roots of different polynomials with a
 * relative distance below 2^-40. */
#include "area/real_roots.h"

#include <stdlib.h>

#include "area/surd.h"
#include "base/memory.h"

void real_roots_clear(real_roots *roots) {
    for (int k = 0; k < roots->polynomial_count; k++)
        flint_each(fmpz_poly_clear, roots->polynomial[k].f, roots->polynomial[k].slope);
    for (int i = 0; i < roots->count; i++) flint_each(arf_clear, roots->root[i].low, roots->root[i].high);
    memory_free_all(roots->polynomial, roots->root);
    *roots = (real_roots){.count = 0};
}

void real_roots_add(real_roots *roots, const fmpz_poly_t f) {
    if (fmpz_poly_degree(f) < 1) return;
    const size_t needed = (size_t)roots->polynomial_count + 1;
    roots->failed |= !memory_grows(&roots->polynomial, &roots->polynomial_capacity, needed);
    if (roots->failed) return;
    int last = roots->polynomial_count++;
    fmpz_poly_struct *g = roots->polynomial[last].f, *slope = roots->polynomial[last].slope;
    flint_local(fmpz_poly, gcd);
    flint_each(fmpz_poly_init, g, slope);
    fmpz_poly_primitive_part(g, f);
    fmpz_poly_derivative(slope, g);
    fmpz_poly_gcd(gcd, g, slope);
    if (fmpz_poly_degree(gcd) > 0) {
        fmpz_poly_div(g, g, gcd);
        fmpz_poly_primitive_part(g, g);
        fmpz_poly_derivative(slope, g);
    }
    for (int k = 0; k < last; k++) {
        if (!fmpz_poly_equal(roots->polynomial[k].f, g)) continue;
        flint_each(fmpz_poly_clear, g, slope);
        roots->polynomial_count--;
        return;
    }
}

void real_roots_add_surd(real_roots *roots, const surd_poly *f, int radicand) {
    flint_local(fmpz_poly, norm);
    surd_norm(norm, f, radicand);
    real_roots_add(roots, norm);
}

void real_roots_add_number(real_roots *roots, const fmpq_t number) {
    flint_local(fmpz_poly, f);
    fmpz_poly_set_coeff_fmpz(f, 1, fmpq_denref(number));
    fmpz_poly_set_coeff_fmpz(f, 0, fmpq_numref(number));
    fmpz_neg(f->coeffs, f->coeffs);
    real_roots_add(roots, f);
}

/* ---- narrowing ---- */

static bool is_exact(const real_root *root) {
    return arf_equal(root->low, root->high) != 0;
}

/* The sign of a polynomial over Z[sqrt radicand] at a dyadic number. */
static int surd_sign_of(const surd_poly *f, int radicand, const arf_t x) {
    flint_local(fmpq, number);
    arf_get_fmpq(number, x);
    return surd_sign_at(f, radicand, number);
}

static int sign_at(const fmpz_poly_t f, const arf_t x) {
    surd_poly g = {{*f}, {{NULL, 0, 0}}}; /* borrowed */
    return surd_sign_of(&g, 0, x);
}

/* Halves the interval of a root. */
static void bisect(real_roots *roots, real_root *root) {
    flint_local(arf, middle);
    arf_add(middle, root->low, root->high, ARF_PREC_EXACT, ARF_RND_NEAR);
    arf_mul_2exp_si(middle, middle, -1);
    int sign = sign_at(roots->polynomial[root->polynomial].f, middle);
    if (sign == 0 || sign == root->sign) arf_set(root->low, middle);
    if (sign == 0 || sign != root->sign) arf_set(root->high, middle);
}

/* The interval as a ball whose midpoint is exact. */
static void interval_ball(const real_root *root, slong precision, arb_t ball) {
    arb_set_interval_arf(ball, root->low, root->high, precision);
}

/* Relative accuracy of the interval in bits: root / width. */
static slong known_bits(const real_root *root) {
    if (is_exact(root)) return WORD_MAX / 4;
    flint_local(arb, ball);
    interval_ball(root, 64, ball);
    slong bits = arf_sgn(root->low) * arf_sgn(root->high) <= 0 ? 0 : arb_rel_accuracy_bits(ball);
    if (bits >= 30) { /* a ball of 64 bits cannot represent narrower intervals */
        flint_local(arf, width);
        arf_sub(width, root->high, root->low, 30, ARF_RND_UP);
        bits = arf_abs_bound_lt_2exp_si(root->low) - arf_abs_bound_lt_2exp_si(width);
    }
    return bits;
}

/* One step of Newton's interval method. Returns false if the interval did not become much narrower. */
static bool newton(real_roots *roots, real_root *root, slong precision) {
    const fmpz_poly_struct *f = roots->polynomial[root->polynomial].f,
                           *slope = roots->polynomial[root->polynomial].slope;
    flint_local(arb, X, m, value, step);
    flint_local(arf, low, high);
    interval_ball(root, precision, X);
    arb_get_mid_arb(m, X);
    arb_fmpz_poly_evaluate_arb(value, f, m, precision);
    arb_fmpz_poly_evaluate_arb(step, slope, X, precision);
    slong before = known_bits(root);
    bool better = false;
    if (!arb_contains_zero(step)) {
        arb_div(value, value, step, precision);
        arb_sub(m, m, value, precision);
        /* a little wider, so that neither end is a root */
        arf_mul_2exp_si(high, arb_midref(m), -precision);
        arb_add_error_arf(m, high);
        arb_get_interval_arf(low, high, m, precision);
        if (arf_cmp(low, root->low) > 0) arf_set(root->low, low);
        if (arf_cmp(high, root->high) < 0) arf_set(root->high, high);
        better = known_bits(root) >= before + 2 + before / 2;
    }
    return better;
}

/* Narrows an interval until the root is known to `bits` bits. */
static void narrow(real_roots *roots, real_root *root, slong bits) {
    slong extra = 64;
    for (slong have = known_bits(root); have < bits; have = known_bits(root)) {
        if (have >= 2 && newton(roots, root, 2 * have + extra)) continue;
        if (have >= 8 && extra < 4096) extra *= 2;
        bisect(roots, root);
    }
}

void real_roots_refine(real_roots *roots, int i, slong bits) {
    narrow(roots, &roots->root[i], bits);
}

void real_roots_ball(real_roots *roots, int i, slong bits, arb_t ball) {
    real_roots_refine(roots, i, bits);
    interval_ball(&roots->root[i], bits + 30, ball);
}

/* ---- Separating roots ---- */

/* Returns true if the sign of f changes from low to high, or if f vanishes at low = high. */
static bool changes_sign(const fmpz_poly_t f, const arf_t low, const arf_t high) {
    int first = sign_at(f, low);
    return first == 0 ? arf_equal(low, high) : first == -sign_at(f, high);
}

/* Returns true if the root may be in the overlap [low, high] of two intervals. A single common number must be
 * interior, because the ends of an open interval are not roots. */
static bool may_be_between(const real_root *root, const arf_t low, const arf_t high) {
    return is_exact(root) || arf_cmp(low, high) < 0 ||
           (arf_cmp(root->low, low) < 0 && arf_cmp(high, root->high) < 0);
}

/* Returns true if two roots of different polynomials with overlapping intervals are equal. The common divisor
 * then has exactly one root in the overlap. */
static bool is_same_root(const real_roots *roots, const real_root *a, const real_root *b) {
    flint_local(fmpz_poly, gcd);
    fmpz_poly_gcd(gcd, roots->polynomial[a->polynomial].f, roots->polynomial[b->polynomial].f);
    const arf_struct *low = arf_cmp(a->low, b->low) > 0 ? a->low : b->low;
    const arf_struct *high = arf_cmp(a->high, b->high) < 0 ? a->high : b->high;
    return fmpz_poly_degree(gcd) > 0 && may_be_between(a, low, high) && may_be_between(b, low, high) &&
           changes_sign(gcd, low, high);
}

static int by_low(const void *left, const void *right) {
    const real_root *a = left, *b = right;
    int order = arf_cmp(a->low, b->low);
    return order != 0 ? order : arf_cmp(a->high, b->high);
}

static void sort(real_roots *roots) {
    if (roots->count > 1) qsort(roots->root, (size_t)roots->count, sizeof *roots->root, by_low);
}

/* Merges the equal roots i and i + 1 and keeps the narrower interval. */
static void merge_with_next(real_roots *roots, int i) {
    real_root *a = &roots->root[i], *b = a + 1;
    if (known_bits(a) < known_bits(b)) {
        real_root spare = *a;
        *a = *b;
        *b = spare;
    }
    flint_each(arf_clear, b->low, b->high);
    for (int k = i + 1; k + 1 < roots->count; k++) roots->root[k] = roots->root[k + 1];
    roots->count--;
}

/* Narrows or merges the overlapping roots i and i + 1. */
static void separate(real_roots *roots, int i) {
    real_root *a = &roots->root[i], *b = a + 1;
    slong a_bits = known_bits(a), b_bits = known_bits(b), bits = a_bits < b_bits ? a_bits : b_bits;
    if (bits < 40) {
        narrow(roots, a_bits < b_bits ? a : b, bits < 10 ? bits + 2 : 40);
    } else if (a->polynomial != b->polynomial && is_same_root(roots, a, b)) {
        merge_with_next(roots, i);
    } else {
        narrow(roots, a, 2 * bits);
        narrow(roots, b, 2 * bits);
    }
}

/* Estimated cost of isolating a polynomial's roots, for the watch. */
static double isolation_cost(const real_roots *roots, int polynomial) {
    double degree = (double)fmpz_poly_degree(roots->polynomial[polynomial].f);
    return degree * degree * degree;
}

bool real_roots_find(real_roots *roots) {
    double done = 0, all = 0;
    for (int k = 0; k < roots->polynomial_count; k++) all += isolation_cost(roots, k);
    for (int k = 0; k < roots->polynomial_count && !real_roots_stopped(roots); k++) {
        real_roots_isolate(roots, k);
        done += isolation_cost(roots, k);
        roots->share = done / all;
    }
    if (real_roots_stopped(roots)) return false;
    sort(roots);
    for (bool clean = false; !clean;) {
        clean = true;
        for (int i = 0; i + 1 < roots->count; i++) {
            const real_root *a = &roots->root[i], *b = a + 1;
            if (arf_cmp(a->high, b->low) < 0) continue;
            clean = false; /* the roots overlap, or are no longer in order */
            if (arf_cmp(b->high, a->low) >= 0) separate(roots, i);
        }
        if (!clean) sort(roots);
    }
    return true;
}

/* Returns true if f may vanish in the root's interval, according to balls. */
static bool may_vanish(const real_root *root, const surd_poly *f, int surd) {
    enum { BITS = 128 };
    flint_local(acb_poly, balls);
    flint_local(acb, value);
    interval_ball(root, BITS, acb_realref(value));
    surd_get_acb(balls, f, surd, BITS);
    acb_poly_evaluate(value, balls, value, BITS);
    return acb_contains_zero(value) != 0;
}

bool real_roots_vanishes(real_roots *roots, int i, const surd_poly *f, int surd) {
    real_root *root = &roots->root[i];
    narrow(roots, root, 40);
    if (!may_vanish(root, f, surd)) return false;
    /* the common divisor of f and the root's polynomial has only simple roots, at most one in the interval */
    surd_poly known = {{*roots->polynomial[root->polynomial].f}, {{NULL, 0, 0}}}; /* borrowed */
    flint_local(surd, gcd);
    surd_gcd(gcd, f, &known, surd);
    int low = surd_sign_of(gcd, surd, root->low), high = surd_sign_of(gcd, surd, root->high);
    return is_exact(root) ? low == 0 : low == -high;
}

/* x := a number of few bits strictly between two numbers. */
static void between(const arf_t low, const arf_t high, arf_t x) {
    flint_local(arf, middle);
    arf_add(middle, low, high, ARF_PREC_EXACT, ARF_RND_NEAR);
    arf_mul_2exp_si(middle, middle, -1);
    for (slong bits = 4;; bits *= 2) {
        arf_set_round(x, middle, bits, ARF_RND_NEAR);
        if (arf_cmp(low, x) < 0 && arf_cmp(x, high) < 0) break;
    }
}

void real_roots_between(const real_roots *roots, int i, fmpq_t number) {
    flint_local(arf, x);
    if (i >= 0 && i + 1 < roots->count) {
        between(roots->root[i].high, roots->root[i + 1].low, x);
    } else if (roots->count > 0) { /* before the first or after the last root */
        arf_set(x, i < 0 ? roots->root[0].low : roots->root[roots->count - 1].high);
        (i < 0 ? arf_floor : arf_ceil)(x, x);
        arf_add_si(x, x, i < 0 ? -1 : 1, ARF_PREC_EXACT, ARF_RND_NEAR);
    }
    arf_get_fmpq(number, x);
}
