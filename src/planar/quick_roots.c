/* Isolation by Descartes' rule of signs in doubles: a coefficient of f(low + width u) and of (1 + x)^n f(low
 * + width / (1 + x)) errs by less than (n + 2) 2^-49 of what the same operations make of the coefficients'
 * magnitudes. Intervals are cut at odd places, which are no roots of usual polynomials. Roots are known as
 * one or as two by common divisors in integers. */
#include "planar/quick_roots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SHORT: a factor of this length is looked for in others. FEW: intervals for the roots of a factor that are
 * simple. */
enum { SHORT = 8, FEW = 8 };

/* ---- factors ---- */

void quick_roots_init(quick_roots *roots) {
    roots->factor_count = roots->count = 0;
    roots->budget = 20000;
    roots->low = -HUGE_VAL;
    roots->high = HUGE_VAL;
    roots->doubt = false;
}

void quick_roots_clear(quick_roots *roots) {
    for (int k = 0; k < roots->factor_count; k++) integer_clear(&roots->factor[k]);
    roots->factor_count = 0;
}

/* f without multiple roots. */
static void make_simple(integer_poly *f) {
    if (integer_seen_simple(f)) return;
    integer_poly slope, common;
    integer_init(&slope);
    integer_init(&common);
    integer_derivative(&slope, f);
    integer_gcd(&common, f, &slope);
    if (common.length > 1) integer_divide(f, &common);
    integer_clear(&slope);
    integer_clear(&common);
}

static bool same_polynomial(const integer_poly *f, const integer_poly *g) {
    bool same = f->length == g->length;
    for (int k = 0; k < f->length && same; k++) same = mpz_cmpabs(f->c[k], g->c[k]) == 0;
    for (int k = 0; k + 1 < f->length && same; k++) /* up to one sign for all */
        same = mpz_sgn(f->c[k]) * mpz_sgn(f->c[f->length - 1]) ==
               mpz_sgn(g->c[k]) * mpz_sgn(g->c[f->length - 1]);
    return same;
}

static void widen(planar_range *range, const planar_range *by) {
    *range = (planar_range){fmin(range->low, by->low), fmax(range->high, by->high)};
}

/* Adds f unless it is known. */
static void add(quick_roots *roots, const integer_poly *f, const planar_range *range) {
    if (f->length < 2) return;
    if (roots->factor_count == QUICK_FACTORS_MAX) {
        roots->doubt = true;
        return;
    }
    integer_poly *next = &roots->factor[roots->factor_count];
    integer_init(next);
    integer_set(next, f);
    integer_remove_content(next);
    int k = 0;
    while (k < roots->factor_count && !same_polynomial(next, &roots->factor[k])) k++;
    if (k < roots->factor_count) {
        widen(&roots->range[k], range);
        integer_clear(next);
    } else {
        quick_form_set(&roots->form[k], next);
        roots->range[roots->factor_count++] = *range;
    }
}

void quick_roots_add(quick_roots *roots, const integer_poly *f) {
    add(roots, f, &(planar_range){-HUGE_VAL, HUGE_VAL});
}

void quick_roots_add_between(quick_roots *roots, integer_poly *f, const planar_range *range) {
    integer_remove_content(f);
    for (int k = 0; k < roots->factor_count; k++) {
        const integer_poly *factor = &roots->factor[k];
        if (factor->length <= SHORT && quick_sign_between(&roots->form[k], range->low, range->high) == 0 &&
            integer_divide_out(f, factor))
            widen(&roots->range[k], range);
    }
    add(roots, f, range);
}

/* ---- isolation ---- */

/* f(x + shift) */
static void taylor_shift(double *f, int length, double shift) {
    for (int i = 0; i < length - 1; i++)
        for (int k = length - 2; k >= i; k--) f[k] += shift * f[k + 1];
}

/* Changes of sign in the coefficients of (1 + x)^n f(low + width / (1 + x)): 0 and 1 are the number of f's
 * roots between the ends, which are none themselves; 2: more; -1: not known. */
static int changes_between(const quick_form *form, double low, double high) {
    const int length = form->of->length;
    double c[INTEGER_LENGTH_MAX], size[INTEGER_LENGTH_MAX], width = high - low, power = 1;
    memcpy(c, form->c, (size_t)length * sizeof c[0]);
    memcpy(size, form->size, (size_t)length * sizeof size[0]);
    taylor_shift(c, length, low);
    taylor_shift(size, length, fabs(low));
    for (int k = 0; k < length; k++, power *= width) {
        c[k] *= power;
        size[k] *= power;
    }
    for (int k = 0; 2 * k < length - 1; k++) {
        const double first = c[k], first_size = size[k];
        c[k] = c[length - 1 - k];
        size[k] = size[length - 1 - k];
        c[length - 1 - k] = first;
        size[length - 1 - k] = first_size;
    }
    taylor_shift(c, length, 1);
    taylor_shift(size, length, 1);
    int changes = 0, last = 0;
    for (int k = 0; k < length; k++) {
        const int sign = quick_sure_sign(c[k], size[k], length);
        if (sign == 0) return -1;
        if (last != 0 && sign != last) changes++;
        last = sign;
    }
    return changes < 2 ? changes : 2;
}

/* A place between two numbers that is no root of usual polynomials. */
static double cut_between(double low, double high) {
    const double part = 0.48631;
    return low + (high - low) * part;
}

/* A number near x with a few binary digits below those of `of`, the last of them 1: differences of such
 * numbers mostly are doubles, and it is none of the numbers of fewer digits that roots may be. */
static double shortened(double x, double of) {
    enum { DIGITS = 12 };
    if (of == 0) return x;
    const double unit = ldexp(1, ilogb(of) - DIGITS);
    return (2 * floor(x / unit / 2) + 1) * unit;
}

/* A root between two numbers, mostly, by Newton's method in doubles. */
static double guess(const quick_form *form, double low, double high) {
    double x = low + (high - low) / 2;
    for (int k = 0; k < 5; k++) {
        double value = 0, slope = 0;
        for (int i = form->of->length - 1; i >= 0; i--) {
            slope = slope * x + value;
            value = value * x + form->c[i];
        }
        const double next = x - value / slope;
        if (!(low < next && next < high)) break;
        x = next;
    }
    return x;
}

/* Moves an end of a root's interval to a number in it; false where that is the root, or no double. */
static bool cut_at(const quick_form *form, quick_root *root, int side, double cut) {
    const int sign = quick_sign(form, cut);
    if (sign == 0 || !(root->low < cut && cut < root->high)) return false;
    *(sign == side ? &root->low : &root->high) = cut;
    return true;
}

static bool is_wide(const quick_root *root, double share, double least) {
    return root->high - root->low > fmax(share * fabs(root->low), least);
}

/* Narrows a root's interval to a share of its place, as far as doubles go: around a guess, or to a half. */
static void narrow(const quick_form *form, quick_root *root, double share) {
    const double least = 0x1p-60 * (root->high - root->low); /* for the root 0 */
    const int side = quick_sign(form, root->low), steps = 60;
    for (int k = 0; k < steps && is_wide(root, share, least); k++) {
        const double at = guess(form, root->low, root->high), off = 0.3871 * fmax(share * fabs(at), least);
        if (root->low < at - off) (void)cut_at(form, root, side, at - off);
        if (at + off < root->high) (void)cut_at(form, root, side, at + off);
        if (!is_wide(root, share, least)) return;
        if (!cut_at(form, root, side, cut_between(root->low, root->high))) return;
    }
}

/* A polynomial f(origin + t) of t, made for an interval of some width. */
typedef struct local {
    integer_poly f;
    quick_form form;
    double origin, width;
} local;

/* x - y; *exact becomes false where that is rounded (Knuth's sum with its error). */
static double difference(double x, double y, bool *exact) {
    const double d = x - y, part = d - x;
    *exact = *exact && (x - (d - part)) + (-y - part) == 0;
    return d;
}

/* Changes of sign between two numbers; -1, too, where their distances from the origin are no doubles. */
static int local_changes(const local *at, double low, double high) {
    bool exact = true;
    const double from = difference(low, at->origin, &exact), to = difference(high, at->origin, &exact);
    return exact ? changes_between(&at->form, from, to) : -1;
}

static void isolate(quick_roots *roots, int factor, const local *at, double low, double high);

/* The same by the polynomial's exact expansion at low, whose coefficients are known better than what is
 * computed of those at an origin far away. */
static void isolate_closer(quick_roots *roots, int factor, double low, double high) {
    local near = {.origin = low, .width = high - low};
    mpz_t num, unit;
    mpz_init(num);
    mpz_init(unit);
    integer_init(&near.f);
    integer_set(&near.f, &roots->factor[factor]);
    const unsigned long shift = quick_split(num, low);
    mpz_setbit(unit, shift);
    integer_move(&near.f, num, unit, shift);
    integer_remove_content(&near.f);
    quick_form_set(&near.form, &near.f);
    isolate(roots, factor, &near, low, high);
    integer_clear(&near.f);
    mpz_clear(num);
    mpz_clear(unit);
}

/* The roots between two numbers that are none. */
static void isolate(quick_roots *roots, int factor, const local *at, double low, double high) {
    const double closer = 0.6; /* so much narrower is an interval with an expansion of its own */
    if (roots->doubt) return;
    const int changes = local_changes(at, low, high);
    if (changes == 0) return;
    const double cut = shortened(cut_between(low, high), high - low);
    if (roots->count == QUICK_ROOTS_MAX || --roots->budget < 0 || !(low < cut && cut < high)) {
        roots->doubt = true;
    } else if (changes == 1) {
        roots->root[roots->count++] = (quick_root){low, high, factor};
    } else if (changes < 0 && high - low < closer * at->width) {
        isolate_closer(roots, factor, low, high);
    } else {
        isolate(roots, factor, at, low, cut);
        isolate(roots, factor, at, cut, high);
    }
}

/* All roots have a magnitude below it: 2 max |c[n-i] / c[n]|^(1/i) (Fujiwara, 1916). */
static double root_bound(const quick_form *form) {
    const int n = form->of->length - 1;
    double most = 0;
    for (int i = 1; i <= n; i++) most = fmax(most, pow(form->size[n - i] / fabs(form->c[n]), 1.0 / i));
    return 2.0001 * most + 0x1p-20;
}

static int by_place(const void *left, const void *right) {
    const quick_root *a = left, *b = right;
    if (a->low != b->low) return a->low > b->low ? 1 : -1;
    return (a->high > b->high) - (a->high < b->high);
}

/* Whether two roots of different polynomials are one: then, and only then, their common divisor has a root
 * where the intervals overlap. It can have one there at most, and none at the ends, where one of the two
 * polynomials does not vanish. */
static bool are_same(const quick_roots *roots, const quick_root *a, const quick_root *b) {
    const double low = fmax(a->low, b->low), high = fmin(a->high, b->high);
    if (a->factor == b->factor || !(low < high)) return false;
    integer_poly common;
    quick_form form;
    integer_init(&common);
    integer_gcd(&common, &roots->factor[a->factor], &roots->factor[b->factor]);
    bool same = false;
    if (common.length > 1) {
        quick_form_set(&form, &common);
        same = quick_sign(&form, low) * quick_sign(&form, high) < 0;
    }
    integer_clear(&common);
    return same;
}

/* Of roots that are one the polynomial of least degree stays, in their common interval. */
static void join(quick_roots *roots) {
    int kept = 0;
    for (int i = 0; i < roots->count; i++) {
        quick_root *next = &roots->root[i], *one = NULL;
        for (int k = kept - 1; k >= 0 && one == NULL; k--)
            if (are_same(roots, &roots->root[k], next)) one = &roots->root[k];
        if (one == NULL) {
            roots->root[kept++] = *next;
            continue;
        }
        one->low = fmax(one->low, next->low);
        one->high = fmin(one->high, next->high);
        if (roots->factor[next->factor].length < roots->factor[one->factor].length)
            one->factor = next->factor;
    }
    roots->count = kept;
}

/* Between two ends, moved by up to 2^-11 of themselves. */
static void isolate_between(quick_roots *roots, int factor, double low, double high) {
    const planar_range *range = &roots->range[factor]; /* its ends may be usual numbers: let it be larger */
    const double beyond = 0x1p-9, width = range->high - range->low;
    local whole = {.width = HUGE_VAL};
    low = fmax(low, range->low - beyond * (width + fabs(range->low)));
    high = fmin(high, range->high + beyond * (width + fabs(range->high)));
    if (!(low < high)) return;
    whole.form = roots->form[factor];
    isolate(roots, factor, &whole, shortened(low, low), shortened(high, high));
}

static void isolate_all(quick_roots *roots, int factor) {
    const double bound = root_bound(&roots->form[factor]);
    if (!(bound < 1e100)) roots->doubt = true;
    isolate_between(roots, factor, fmax(-1.0371 * bound, roots->low), fmin(1.0219 * bound, roots->high));
}

/* The roots of a factor: at first as if they were simple, which mostly is so where they are asked for. */
static void find_of(quick_roots *roots, int factor) {
    const int count = roots->count, budget = roots->budget;
    roots->budget = FEW;
    isolate_all(roots, factor);
    roots->budget = budget;
    if (!roots->doubt) return;
    roots->doubt = false;
    roots->count = count;
    make_simple(&roots->factor[factor]);
    quick_form_set(&roots->form[factor], &roots->factor[factor]);
    isolate_all(roots, factor);
}

void quick_roots_find(quick_roots *roots) {
    for (int k = 0; k < roots->factor_count && !roots->doubt; k++) find_of(roots, k);
    const double shares[2] = {0x1p-30, 0x1p-51};
    for (int k = 0; k < 2 && !roots->doubt; k++) { /* the second time, where the first was not enough */
        bool apart = true;
        for (int i = 0; i < roots->count; i++)
            narrow(&roots->form[roots->root[i].factor], &roots->root[i], shares[k]);
        qsort(roots->root, (size_t)roots->count, sizeof roots->root[0], by_place);
        if (k == 0) join(roots);
        for (int i = 0; i + 1 < roots->count; i++) {
            const double between = quick_roots_between(roots, i);
            apart = apart && roots->root[i].high < between && between < roots->root[i + 1].low;
        }
        if (apart) return;
    }
    roots->doubt = true;
}

/* A number of few digits strictly between two, as far as there is one. */
static double few_digits(double low, double high) {
    const double middle = low + (high - low) / 2;
    for (int bits = 4; bits < 53; bits *= 2) {
        int exponent;
        const double mantissa = frexp(middle, &exponent);
        const double x = ldexp(round(ldexp(mantissa, bits)), exponent - bits);
        if (low < x && x < high) return x;
    }
    return middle;
}

double quick_roots_between(const quick_roots *roots, int i) {
    if (roots->count == 0) return 0;
    if (i < 0) return roots->root[0].low - 1 - fabs(roots->root[0].low);
    const double end = roots->root[i].high;
    return i + 1 < roots->count ? few_digits(end, roots->root[i + 1].low) : end + 1 + fabs(end);
}

bool quick_roots_vanishes(const quick_roots *roots, int i, const integer_poly *f) {
    const quick_root *root = &roots->root[i];
    integer_poly common;
    quick_form form;
    integer_init(&common);
    integer_gcd(&common, f, &roots->factor[root->factor]);
    bool vanishes = common.length == roots->factor[root->factor].length;
    if (common.length > 1 && !vanishes) {
        quick_form_set(&form, &common);
        vanishes = quick_sign(&form, root->low) * quick_sign(&form, root->high) < 0;
    }
    integer_clear(&common);
    return vanishes;
}

/* ---- places ---- */

/* num := num - f(x) / f'(x) in units of 2^-shift, rounded; whether it moved by more than a unit. False where
 * f' is 0. */
static bool newton(const integer_poly *f, const integer_poly *slope, unsigned long shift, mpz_t num) {
    mpz_t value, rise;
    mpz_init(value);
    mpz_init(rise);
    integer_value(value, f, num, shift, f->length - 1);
    integer_value(rise, slope, num, shift, f->length - 2);
    const bool steep = mpz_sgn(rise) != 0;
    mpz_mul_2exp(value, value, 1);
    mpz_add(value, value, rise);
    mpz_mul_2exp(rise, rise, 1);
    if (steep) mpz_fdiv_q(value, value, rise);
    if (steep) mpz_sub(num, num, value);
    const bool moved = steep && mpz_cmpabs_ui(value, 1) > 0;
    mpz_clear(value);
    mpz_clear(rise);
    return moved;
}

/* The sign of f at (num + step) / 2^shift, 0 where that is not between low and high. */
static int sign_beside(const integer_poly *f, const mpz_t num, long step, unsigned long shift,
                       const quick_root *root) {
    mpz_t place, value;
    mpz_init(place);
    mpz_init(value);
    mpz_set_si(place, step);
    mpz_add(place, place, num);
    quick_scaled(value, root->low, shift);
    bool inside = mpz_cmp(value, place) < 0;
    quick_scaled(value, root->high, shift);
    inside = inside && mpz_cmp(place, value) < 0;
    integer_value(value, f, place, shift, f->length - 1);
    const int sign = inside ? mpz_sgn(value) : 0;
    mpz_clear(place);
    mpz_clear(value);
    return sign;
}

void quick_roots_place(quick_roots *roots, int i, unsigned long shift, mpz_t num) {
    const quick_root *root = &roots->root[i];
    const integer_poly *f = &roots->factor[root->factor];
    integer_poly slope;
    integer_init(&slope);
    integer_derivative(&slope, f);
    quick_scaled(num, root->low + (root->high - root->low) / 2, shift);
    for (int k = 0; k < 10 && newton(f, &slope, shift, num); k++) {
    }
    if (sign_beside(f, num, -1, shift, root) * sign_beside(f, num, 1, shift, root) >= 0) roots->doubt = true;
    integer_clear(&slope);
}

/* The sign of f halfway between two neighbouring doubles. */
static int sign_halfway(const integer_poly *f, double x, double next) {
    mpz_t sum, value;
    mpz_init(sum);
    mpz_init(value);
    const int exponent = ilogb(fmin(fabs(x), fabs(next))), digits = 53;
    const unsigned long shift = exponent < digits ? (unsigned long)(digits - exponent) : 0;
    quick_scaled(sum, x, shift);
    quick_scaled(value, next, shift);
    mpz_add(sum, sum, value);
    integer_value(value, f, sum, shift + 1, f->length - 1);
    const int sign = mpz_sgn(value);
    mpz_clear(sum);
    mpz_clear(value);
    return sign;
}

/* A step of Newton's method with the exact value of f, rounded. */
static double improved(const quick_form *form, double x) {
    mpz_t num, value;
    long exponent;
    double slope = 0;
    mpz_init(num);
    mpz_init(value);
    const int n = form->of->length - 1;
    const unsigned long shift = quick_split(num, x);
    integer_value(value, form->of, num, shift, n);
    for (int k = n; k > 0; k--) slope = slope * x + k * form->c[k];
    const double most = mpz_get_d_2exp(&exponent, value);
    mpz_clear(num);
    mpz_clear(value);
    const double by = (double)exponent - (double)shift * n - (double)form->exponent;
    return fabs(by) < 1000 ? x - ldexp(most / slope, (int)by) : x;
}

bool quick_roots_round(const quick_roots *roots, int i, double *value) {
    const quick_root *root = &roots->root[i];
    const quick_form *form = &roots->form[root->factor];
    const double x = improved(form, guess(form, root->low, root->high));
    const double below = nextafter(x, -HUGE_VAL), above = nextafter(x, HUGE_VAL);
    *value = x;
    if (!(root->low <= below && above <= root->high) || !isnormal(below) || !isnormal(above)) return false;
    return sign_halfway(form->of, below, x) * sign_halfway(form->of, x, above) < 0;
}
