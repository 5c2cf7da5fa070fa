#include "planar/critical_quick.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "planar/area_quick_rows.h"
#include "planar/projection_quick.h"
#include "planar/row_kinds.h"

/* PLACE_BITS: to which a place is known. NEAR_BITS: what is kept at a place is looked for at a distance of
 * 2^-NEAR_BITS, and of 2^-LESS_BITS, where doubles tell more. */
enum { PLACE_BITS = 100, NEAR_BITS = 20, LESS_BITS = 12, SHIFT_MAX = 2000 };

typedef struct quick_scan {
    costab_scheme scheme;
    quick_side side;    /* of both subsystems */
    quick_roots places; /* where kinds may change, and both ends of the range */
    apart plane;        /* bounds, and what cuts the rows, in doubles */
    row_kinds row;      /* of the number after the place at hand, or of one next to it */
    quick_rows rows;    /* the same in integers, where that is `filled` */
    bool filled;
    planar_watch watch;
    critical_events *events;
} quick_scan;

/* ---- kinds at one a ---- */

static void clear_rows(quick_scan *s) {
    if (s->filled) quick_rows_clear(&s->rows);
    s->filled = false;
}

static void find_rows(quick_scan *s, const mpz_t num, const mpz_t den) {
    clear_rows(s);
    s->filled = true;
    quick_rows_find(&s->rows, s->scheme, &s->side, num, den);
    s->places.doubt = s->places.doubt || s->rows.roots.doubt;
}

static critical_kinds kinds_at(quick_scan *s, const mpz_t num, const mpz_t den) {
    critical_kinds kinds = {{KIND_NONE, KIND_NONE, KIND_NONE}};
    find_rows(s, num, den);
    for (int i = 0; !s->places.doubt && i < s->rows.count; i++) {
        const quick_piece *piece = &s->rows.piece[i];
        critical_add_piece(&kinds, piece->ss, piece->right, piece->infinite);
    }
    return kinds;
}

/* ---- one place ---- */

/* A place: it is `value` after rounding, and lies between low and high. */
typedef struct place {
    bool rational; /* it is num / den, in lowest terms */
    mpz_t num, den;
    double value, low, high;
} place;

/* num / 2^shift, to the nearest double; num may be beyond all doubles. */
static double nearest(const mpz_t num, unsigned long shift) {
    long exponent, less;
    mpz_t rest;
    mpz_init(rest);
    const double most = mpz_get_d_2exp(&exponent, num);
    quick_scaled(rest, most, (unsigned long)exponent);
    mpz_sub(rest, num, rest);
    const double more = mpz_get_d_2exp(&less, rest);
    mpz_clear(rest);
    return ldexp(most + ldexp(more, (int)(less - exponent)), (int)(exponent - (long)shift));
}

/* Whether the root num / 2^shift, known to 2^-shift, of a polynomial is rational. Then its denominator
 * divides the leading coefficient: [in, out] num, den: the only such number so near, in lowest terms. */
static bool find_rational(const integer_poly *f, unsigned long shift, mpz_t num, mpz_t den) {
    mpz_t value, off;
    mpz_init(value);
    mpz_init(off);
    mpz_abs(den, f->c[f->length - 1]);
    mpz_mul(off, num, den);
    mpz_fdiv_q_2exp(num, off, shift - 1); /* rounded: twice it, and 1, halved without the fraction */
    mpz_add_ui(num, num, 1);
    mpz_fdiv_q_2exp(num, num, 1);
    mpz_mul_2exp(value, num, shift);
    mpz_sub(off, off, value);
    const bool near = mpz_cmpabs(off, den) <= 0; /* else it may be another root of f */
    integer_value_at(value, f, num, den, f->length - 1);
    const bool is = near && mpz_sgn(value) == 0;
    mpz_gcd(value, num, den);
    mpz_divexact(num, num, value);
    mpz_divexact(den, den, value);
    mpz_clear(value);
    mpz_clear(off);
    return is;
}

/* Whether place i is seen to be irrational, from the interval that holds it: the leading coefficient times a
 * rational root is an integer. */
static bool is_irrational(const quick_scan *s, int i) {
    const quick_root *root = &s->places.root[i];
    const integer_poly *f = &s->places.factor[root->factor];
    const double lead = fabs(mpz_get_d(f->c[f->length - 1])), low = lead * root->low,
                 high = lead * root->high;
    const double off = 0x1p-50 * (fabs(low) + fabs(high)); /* rounding */
    return off < 1 && floor(low - off) == floor(high + off);
}

static void set_value(place *p, double value) {
    p->value = value;
    p->low = nextafter(value, -HUGE_VAL);
    p->high = nextafter(value, HUGE_VAL);
}

/* The same to many digits. */
static void find_digits(quick_scan *s, int i, place *p) {
    const quick_root *root = &s->places.root[i];
    const integer_poly *f = &s->places.factor[root->factor];
    const int width = ilogb(root->high - root->low);
    const unsigned long digits =
        mpz_sizeinbase(f->c[f->length - 1], 2) + (unsigned long)(width < 0 ? -width : 0);
    const unsigned long shift = PLACE_BITS + digits;
    if (shift > SHIFT_MAX) s->places.doubt = true;
    if (s->places.doubt) return;
    mpz_t beside;
    mpz_init(beside);
    quick_roots_place(&s->places, i, shift, p->num);
    set_value(p, nearest(p->num, shift));
    for (int side = -1; side <= 1; side += 2) { /* both ends of what it may be round to the same */
        mpz_set_si(beside, side);
        mpz_add(beside, beside, p->num);
        s->places.doubt = s->places.doubt || nearest(beside, shift) != p->value;
    }
    p->rational = find_rational(f, shift, p->num, p->den);
    mpz_clear(beside);
}

/* Place i, to be initialised numbers. places.doubt where it is not known well enough. */
static void get_place(quick_scan *s, int i, place *p) {
    const quick_root *root = &s->places.root[i];
    double value;
    p->rational = root->low < 0 && root->high > 0; /* narrowed as far as that: it is 0 */
    p->value = p->low = p->high = 0;
    mpz_set_ui(p->num, 0);
    mpz_set_ui(p->den, 1);
    if (p->rational)
        s->places.doubt = s->places.doubt || mpz_sgn(s->places.factor[root->factor].c[0]) != 0;
    else if (is_irrational(s, i) && quick_roots_round(&s->places, i, &value))
        set_value(p, value);
    else
        find_digits(s, i, p);
}

/* ---- stable points at one irrational a ---- */

/* -x0 / x1 at d, about. */
static double row_end(const quick_bounds *b, int which, double d) {
    if (which < 0) return 0;
    const integer_poly *x0 = &b->bound[which].x0, *x1 = &b->bound[which].x1;
    const int length = x0->length > x1->length ? x0->length : x1->length;
    mpz_t num, value;
    long exponent[2];
    mpz_init(num);
    mpz_init(value);
    const unsigned long shift = quick_split(num, d);
    integer_value(value, x0, num, shift, length - 1);
    const double top = mpz_get_d_2exp(&exponent[0], value);
    integer_value(value, x1, num, shift, length - 1);
    const double bottom = mpz_get_d_2exp(&exponent[1], value);
    mpz_clear(num);
    mpz_clear(value);
    const long by = exponent[0] - exponent[1];
    return labs(by) < 900 ? -ldexp(top / bottom, (int)by) : (double)NAN;
}

/* A Delta halfway between the ends of the row at d. */
static double middle_of_row(const quick_bounds *b, const quick_piece *p, double d) {
    const bool down = p->lower == QUICK_END_INFINITE, up = p->upper == QUICK_END_INFINITE;
    const double low = row_end(b, down ? p->upper : p->lower, d);
    const double high = row_end(b, up ? p->lower : p->upper, d);
    return (low - (down ? 2 : 0)) / 2 + (high + (up ? 2 : 0)) / 2;
}

static int sign_of(const integer_poly *f, const place *a) {
    quick_form form;
    quick_form_set(&form, f);
    return quick_sign_between(&form, a->low, a->high);
}

/* Whether the point (d, delta) is proved to be stable at a place. */
static bool is_stable(const quick_scan *s, const place *a, double d, double delta) {
    quick_bounds b; /* polynomials in a */
    quick_side D;
    integer_poly x;
    mpz_t num, power;
    mpz_init(num);
    mpz_init(power);
    quick_bounds_init(&b, s->scheme);
    quick_side_init(&D);
    integer_init(&x);
    quick_fraction(num, power, d);
    quick_side_set_value(&D, &s->side, num, power);
    quick_bounds_set(&b, s->scheme, &s->side, &D);
    quick_fraction(num, power, delta);
    const int den = sign_of(&b.den, a);
    bool stable = sign_of(&b.fold, a) * den * (delta > 0 ? 1 : -1) > 0;
    for (int k = 0; k < b.count && stable; k++) {
        integer_scale(&b.bound[k].x0, power);
        integer_scale(&b.bound[k].x1, num);
        integer_set_si(&x, 1);
        integer_add_product(&b.bound[k].x0, &b.bound[k].x1, &x, 1);
        stable = sign_of(&b.bound[k].x0, a) * den > 0;
    }
    mpz_clear(num);
    mpz_clear(power);
    quick_bounds_clear(&b);
    quick_side_clear(&D);
    integer_clear(&x);
    return stable;
}

/* Whether a stable point of a piece of the rows at hand is proved to be one at a place, on the same side of
 * Gamma = 0. */
static bool is_kept(const quick_scan *s, const quick_piece *p, const place *a) {
    bool kept = false;
    for (int i = p->from; i < p->to && !kept; i++) {
        const double d = quick_roots_between(&s->rows.roots, i);
        const double delta = middle_of_row(&s->rows.bounds, p, d);
        const bool here = p->right ? d > -a->low : d < -a->high && (delta > 0) == p->ss;
        kept = here && isfinite(delta) && delta != 0 && is_stable(s, a, d, delta);
    }
    return kept;
}

/* Takes from `beside` to `at` what the rows at hand show to be kept at a place. */
static void keep_kinds(const quick_scan *s, const place *a, const critical_kinds *beside,
                       critical_kinds *at) {
    for (int k = 0; k < s->row.count; k++) {
        const row_witness *point = &s->row.witness[k];
        const bool ss = point->delta > 0 && !point->right;
        bool asked = false;
        for (int region = 0; region < CRITICAL_REGIONS; region++)
            asked =
                asked || (critical_belongs(region, ss, point->right) && at->of[region] != beside->of[region]);
        if (!asked || !row_holds(&s->plane, point, a->low, a->high)) continue;
        for (int region = 0; region < CRITICAL_REGIONS; region++)
            if (critical_belongs(region, ss, point->right)) at->of[region] = beside->of[region];
    }
    for (int k = 0; s->filled && k < s->rows.count; k++) {
        const quick_piece *piece = &s->rows.piece[k];
        for (int region = 0; region < CRITICAL_REGIONS; region++)
            if (critical_belongs(region, piece->ss, piece->right) && at->of[region] != beside->of[region] &&
                is_kept(s, piece, a))
                at->of[region] = beside->of[region];
    }
}

/* x towards 0, to some bits. */
static double rounded(double x, int bits) {
    int exponent;
    const double mantissa = frexp(x, &exponent);
    return ldexp(trunc(ldexp(mantissa, bits)), exponent - bits);
}

/* The kinds at a double, whose rows are at hand then, in integers. */
static critical_kinds kinds_in_integers(quick_scan *s, double a) {
    mpz_t num, den;
    mpz_init(num);
    mpz_init(den);
    s->row.count = 0;
    quick_fraction(num, den, a);
    const critical_kinds kinds = kinds_at(s, num, den);
    mpz_clear(num);
    mpz_clear(den);
    return kinds;
}

/* Whether it is seen that place i, with the same kinds on both sides, has them too, wherever it is in the
 * interval that holds it: then phi and its denominator have no root in there. */
static bool changes_nothing(const quick_scan *s, int i, const critical_kinds *beside) {
    const place anywhere = {.low = s->places.root[i].low, .high = s->places.root[i].high};
    critical_kinds at = {{KIND_NONE, KIND_NONE, KIND_NONE}};
    if (!is_irrational(s, i)) return false;
    keep_kinds(s, &anywhere, beside, &at);
    return memcmp(&at, beside, sizeof at) == 0;
}

/* The kinds at place i itself, where those beside it are the same for some region, with the rows of the
 * number behind it at hand. places.doubt where that is not seen. */
static critical_kinds kinds_at_place(quick_scan *s, int i, const place *a, const critical_kinds *beside) {
    critical_kinds at = {{KIND_NONE, KIND_NONE, KIND_NONE}};
    if (s->places.doubt) return at;
    if (a->rational && a->value == 0 && row_kinds_at(&s->plane, 0, &s->row)) return s->row.kinds;
    if (a->rational) return kinds_at(s, a->num, a->den);
    if (quick_roots_vanishes(&s->places, i, &s->side.of[QUICK_PHI]) ||
        quick_roots_vanishes(&s->places, i, &s->side.of[QUICK_DEN]))
        return at;
    keep_kinds(s, a, beside, &at);
    const double near = rounded(a->value, NEAR_BITS);
    const double number[4] = {near, rounded(a->value, LESS_BITS), quick_roots_between(&s->places, i), near};
    for (int way = 0; way < 4 && memcmp(&at, beside, sizeof at) != 0 && !s->places.doubt; way++) {
        clear_rows(s);
        if (way >= 2) /* in integers, too */
            (void)kinds_in_integers(s, number[way]);
        else if (!row_kinds_at(&s->plane, number[way], &s->row))
            continue;
        if (!s->places.doubt) keep_kinds(s, a, beside, &at);
    }
    if (memcmp(&at, beside, sizeof at) != 0) s->places.doubt = true;
    return at;
}

/* ---- the range ---- */

/* den x - num for x = num / den. */
static void set_line(integer_poly *line, double x) {
    mpz_t num, den;
    mpz_init(num);
    mpz_init(den);
    quick_fraction(num, den, x);
    mpz_neg(num, num);
    integer_set_coefficient(line, 0, num);
    integer_set_coefficient(line, 1, den);
    mpz_clear(num);
    mpz_clear(den);
}

/* The number of the place at an end of the range, which is added first; the number of places where it was not
 * found. */
static int place_of(quick_scan *s, double x) {
    integer_poly line;
    integer_init(&line);
    set_line(&line, x);
    int which = 0;
    while (which < s->places.count && !(s->places.root[which].low < x && x < s->places.root[which].high &&
                                        quick_roots_vanishes(&s->places, which, &line)))
        which++;
    integer_clear(&line);
    return which;
}

static void add_end(quick_scan *s, double x) {
    integer_poly line;
    integer_init(&line);
    set_line(&line, x);
    quick_roots_add(&s->places, &line);
    integer_clear(&line);
}

/* The events at place i. */
static void pass(quick_scan *s, int i, const critical_kinds *before, const critical_kinds *after) {
    const bool open[CRITICAL_REGIONS] = {false};
    critical_kinds same, at = *before;
    const bool asked = critical_same(before, after, &same);
    if (memcmp(before, after, sizeof *before) == 0 && (!asked || changes_nothing(s, i, &same))) return;
    place a;
    mpz_init(a.num);
    mpz_init(a.den);
    get_place(s, i, &a);
    if (asked) at = kinds_at_place(s, i, &a, &same);
    critical_pass(s->events, a.value, before, after, &at, open);
    mpz_clear(a.num);
    mpz_clear(a.den);
}

/* The kinds between the places i and i + 1: at a number of few digits, and at another one where rows there
 * leave a doubt. */
static critical_kinds kinds_between(quick_scan *s, int i) {
    const double few = quick_roots_between(&s->places, i), part = 0.38197;
    const double other = few + part * (s->places.root[i + 1].low - few);
    clear_rows(s);
    if (row_kinds_at(&s->plane, few, &s->row) || row_kinds_at(&s->plane, other, &s->row)) return s->row.kinds;
    const critical_kinds kinds = kinds_in_integers(s, few);
    if (!s->places.doubt) return kinds;
    s->places.doubt = false;
    return kinds_in_integers(s, other);
}

/* The kinds between all places, and the events at them. */
static void decide(quick_scan *s, const costab_critical_options *options) {
    critical_kinds before = {{KIND_NONE}};
    const int first = place_of(s, options->low), last = place_of(s, options->high);
    if (last == s->places.count) s->places.doubt = true;
    for (int i = first; i < last && !s->places.doubt; i++) {
        if (planar_watch_stops(&s->watch, 0)) return;
        const critical_kinds after = kinds_between(s, i);
        if (i > first && !s->places.doubt) pass(s, i, &before, &after);
        before = after;
    }
}

static resultant_outcome search(quick_scan *s, const costab_critical_options *options) {
    const double beyond = 0.0371; /* so that an end is no root of usual polynomials */
    s->places.low = options->low - beyond * (1 + fabs(options->low));
    s->places.high = options->high + beyond * (1 + fabs(options->high));
    add_end(s, options->low);
    add_end(s, options->high);
    resultant_outcome outcome = projection_quick(&s->side, s->scheme, &s->places, &s->plane, &s->watch);
    if (outcome || s->places.doubt) return outcome;
    quick_roots_find(&s->places);
    if (!s->places.doubt) decide(s, options);
    return s->watch.stopped ? RESULTANT_STOPPED : RESULTANT_FOUND;
}

costab_status critical_quick(const costab_planar *planar, const costab_critical_options *options,
                             critical_events *events, bool *decided, costab_error *error) {
    *decided = false;
    quick_scan *s = memory_resize(NULL, 1, sizeof *s); /* zeros in all of it would take a while */
    if (s == NULL) return error_memory(error);
    s->filled = false;
    s->scheme = planar->scheme;
    s->events = events;
    s->watch = (planar_watch){.progress = options->progress, .context = options->progress_context};
    quick_side_init(&s->side);
    quick_roots_init(&s->places);
    resultant_outcome outcome = RESULTANT_TOO_LARGE;
    if (quick_side_make(planar, &s->side)) outcome = search(s, options);
    *decided = outcome == RESULTANT_FOUND && !s->places.doubt;
    if (!*decided) { /* all is found again */
        events->count = 0;
        events->full = false;
    }
    clear_rows(s);
    quick_roots_clear(&s->places);
    quick_side_clear(&s->side);
    memory_free(s);
    if (outcome == RESULTANT_STOPPED) return critical_cancelled(planar->scheme, error);
    return outcome == RESULTANT_MEMORY ? error_memory(error) : COSTAB_OK;
}
