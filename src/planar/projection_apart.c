/* Boxes of the plane of a and e are halved in turn along one and the other (projection_patch.h). Where all
 * coefficients have one sign there is no root in the box, and where all differences along e have one there
 * are no two that meet. A box is done with where nothing that is asked for is possible, and where a bound is
 * violated throughout whatever Delta is: there nothing is stable. Numbers up to infinity are those from 0 to
 * 1 of a and 1/a, of both signs.
 *
 * A coefficient is known to 2^-45 of the sum S of magnitudes, above all coefficients: to 2^-47 S at first,
 * and for each of 16 halvings to 2^-50 S more. */
#include "planar/projection_apart.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "planar/projection_patch.h"
#include "planar/projection_witness.h"

/* UNIT: a in units of it goes from 0 to 1. DEPTH: halvings on top of each other; FAR_DEPTH: of boxes
 * that reach infinity. WORK: halvings of
 * polynomials in all. STABLE: polynomials that tell what is stable. */
enum {
    N = APART_LENGTH,
    UNIT = APART_UNIT,
    DEPTH = PATCH_HALVINGS,
    FAR_DEPTH = 10,
    WORK = 40000,
    STABLE = APART_FORMS - APART_CURVES
};

/* ---- boxes ---- */

/* A quarter of the plane, or of its outside. */
typedef struct quarter {
    bool minus_a, minus_e, far_a, far_e; /* far: 1 / a from 0 to 1, instead of a */
} quarter;

/* The polynomials of which something is asked in a box. */
typedef struct box {
    int count;
    uint8_t form[APART_FORMS];
    patch *patch[APART_FORMS]; /* the box's own */
    patch *room;               /* for the patches of a half: the next ones of the pool */
    double low, high;          /* a in the quarter */
    double from, to;           /* e in the quarter */
    int8_t sign[STABLE];       /* of den, fold, and x0 and x1 of each bound; 0: not known */
} box;

typedef struct search {
    apart *out;
    quarter at;
    double error[APART_FORMS];               /* of coefficients */
    int work;                                /* halvings left */
    uint32_t asked[DEPTH + 1][APART_CURVES]; /* whose resultant with a curve takes longer than asking on */
    patch_tables tables;
    witness stable;
    patch *pool; /* DEPTH + 1 times APART_FORMS */
} search;

static planar_range range_of(const search *s, const box *b) {
    planar_range r = {b->low * UNIT, b->high * UNIT};
    if (s->at.far_a) {
        r.low = nextafter(UNIT / b->high, 0);
        r.high = b->low > 0 ? nextafter(UNIT / b->low, HUGE_VAL) : HUGE_VAL;
    }
    return s->at.minus_a ? (planar_range){-r.high, -r.low} : r;
}

/* Whether a bound is violated throughout for each sign of Delta that is possible: that of fold den, and of
 * both where it is not known. */
static bool is_unstable(const search *s, const int8_t *of) {
    const int den = of[0], side = of[0] * of[1];
    for (int delta = -1; delta <= 1; delta += 2) {
        bool violated = side == -delta;
        for (int k = 0; k < s->out->bounds && !violated; k++)
            violated = of[2 + 2 * k] * den < 0 && of[3 + 2 * k] * den * delta < 0;
        if (!violated) return false;
    }
    return true;
}

/* The values of d in a box, which does not reach infinity. */
static planar_range d_of(const search *s, const box *b) {
    const double unit = s->out->unit, slack = 0x1p-40;
    planar_range d = {b->from * unit, b->to * unit};
    if (s->at.far_e) d = (planar_range){unit / b->to, unit / b->from};
    d = (planar_range){d.low * (1 - slack), d.high * (1 + slack)};
    return s->at.minus_e ? (planar_range){-d.high, -d.low} : d;
}

/* Gamma's values in such a box. */
static planar_range gamma_of(const search *s, const box *b) {
    const planar_range a = range_of(s, b), d = d_of(s, b);
    const double off = 0x1p-50 * (fabs(a.low) + fabs(a.high) + fabs(d.low) + fabs(d.high));
    return (planar_range){a.low + d.low - off, a.high + d.high + off};
}

/* The regions that may have stable points in a box; *bounded: whether Delta is bounded there. */
static unsigned regions_in(const search *s, const box *b, bool *bounded) {
    const int8_t *of = b->sign;
    const int den = of[0], side = of[0] * of[1];
    const planar_range gamma = gamma_of(s, b);
    unsigned regions = 0;
    *bounded = true;
    for (int delta = -1; delta <= 1; delta += 2) {
        bool violated = side == -delta, bound = false;
        for (int k = 0; k < s->out->bounds && !violated; k++) {
            const bool ends = of[3 + 2 * k] * den * delta < 0;
            violated = of[2 + 2 * k] * den < 0 && ends;
            bound = bound || ends;
        }
        if (violated) continue;
        *bounded = *bounded && bound;
        if (gamma.low < 0) regions |= delta > 0 ? 1 : 2;
        if (gamma.high > 0) regions |= 6;
    }
    return regions;
}

/* Whether nothing in a box can change a kind. */
static bool is_harmless(search *s, const box *b) {
    bool bounded;
    if (s->at.far_a || (s->at.far_e && b->from == 0)) return false;
    const unsigned regions = regions_in(s, b, &bounded);
    if (!bounded) return false;
    int level = 0;
    frexp(b->high - b->low, &level); /* 2^-level of the unit: 1 = 1/2 2^1 */
    level = 1 - level;
    const unsigned seen = witness_regions(&s->stable, s->at.minus_a, level, (int)ldexp(b->low, level));
    return (regions & ~seen) == 0;
}

static void add_range(planar_range *to, planar_range r) {
    to->low = fmin(to->low, r.low);
    to->high = fmax(to->high, r.high);
}

static isolated_ball ball_of(planar_range r) {
    const double mid = r.low + (r.high - r.low) / 2;
    return (isolated_ball){mid, 1.001 * fmax(r.high - mid, mid - r.low)};
}

/* Whether curve i has no points in a box but isolated ones, at places that are known. */
static bool is_isolated(const search *s, const box *b, int i, uint32_t curves) {
    const bool small = b->high - b->low < 0.1 && b->to - b->from < 0.1;
    if (s->at.far_a || s->at.far_e || !small || s->out->unit == 0) return false;
    for (int k = 0; k < s->out->isolated_count; k++)
        if (s->out->isolated[k].curve == i && (curves >> s->out->isolated[k].line & 1) &&
            isolated_seen(&s->out->isolated[k].at, ball_of(range_of(s, b)), ball_of(d_of(s, b))))
            return true;
    return false;
}

/* Finds the signs, and takes the polynomials out that have one; returns the curves that are left. */
static uint32_t find_signs(const search *s, box *b) {
    uint32_t curves = 0;
    int kept = 0;
    for (int k = 0; k < b->count; k++) {
        const int form = b->form[k], sign = patch_sign(b->patch[k], s->error[form]);
        if (form >= APART_CURVES) b->sign[form - APART_CURVES] = (int8_t)sign;
        if (sign != 0 || is_isolated(s, b, form, curves)) continue;
        b->form[kept] = b->form[k];
        b->patch[kept++] = b->patch[k];
        if (form < APART_CURVES) curves |= UINT32_C(1) << form;
    }
    b->count = kept;
    return curves;
}

/* The curves of which something is still asked in a box of some depth. What is still possible is taken for
 * granted where asking on takes longer than a resultant. */
static uint32_t find_needed(const search *s, const box *b, uint32_t curves, int depth) {
    const planar_range r = range_of(s, b);
    const bool is_far = s->at.far_e && b->from == 0;
    uint32_t needed = 0;
    for (int k = 0; k < b->count && b->form[k] < APART_CURVES; k++) {
        const int i = b->form[k];
        uint32_t with = s->out->wanted[i] & curves;
        if (with >> i & 1 && patch_rise(b->patch[k], 2.1 * s->error[i]) != 0) with &= ~(UINT32_C(1) << i);
        for (uint32_t all = with; all != 0; all &= all - 1) {
            const planar_range *known = &s->out->range[i][__builtin_ctz(all)];
            if (known->low <= r.low && r.high <= known->high) with &= ~(all & -all);
        }
        if (is_far && (s->out->rising >> i & 1)) {
            if (depth < FAR_DEPTH && s->work >= 0)
                needed |= UINT32_C(1) << i;
            else
                add_range(&s->out->far[i], r);
        }
        const uint32_t on = s->work < 0 ? 0 : s->asked[depth][i];
        needed |= with & on;
        for (with &= ~on; with != 0; with &= with - 1) add_range(&s->out->range[i][__builtin_ctz(with)], r);
    }
    return needed;
}

static void visit(search *s, box *b, int depth);

/* Visits both halves of a box, with the polynomials of bounds and of the curves that are needed. The upper
 * half takes the box's own patches over. */
static void divide(search *s, box *b, int depth, uint32_t needed) {
    const bool along_a = depth % 2 != 0;
    int count = 0;
    box left = *b;
    for (int k = 0; k < b->count; k++) {
        if (b->form[k] < APART_CURVES && !(needed >> b->form[k] & 1)) continue;
        if (along_a)
            patch_halve_a(b->patch[k], left.room, &s->tables);
        else
            patch_halve_e(b->patch[k], left.room);
        left.form[count] = b->form[count] = b->form[k];
        left.patch[count] = left.room++;
        b->patch[count++] = b->patch[k];
    }
    s->work -= count;
    left.count = b->count = count;
    if (along_a)
        left.high = b->low = b->low + (b->high - b->low) / 2;
    else
        left.to = b->from = b->from + (b->to - b->from) / 2;
    visit(s, &left, depth + 1);
    visit(s, b, depth + 1);
}

static bool is_beyond(const search *s, const box *b) {
    const planar_range r = range_of(s, b);
    return r.low > s->out->high || r.high < s->out->low;
}

static void visit(search *s, box *b, int depth) {
    if (is_beyond(s, b)) return;
    const uint32_t curves = find_signs(s, b);
    if (curves == 0 || is_unstable(s, b->sign) || is_harmless(s, b)) return;
    const uint32_t needed = find_needed(s, b, curves, depth);
    if (needed != 0) divide(s, b, depth, needed);
}

/* ---- the plane ---- */

/* A polynomial on a quarter; returns the error. */
static double set_patch(const search *s, const apart_form *f, patch *to) {
    const quarter at = s->at;
    patch c = {{{0}}};
    double size = 0, power = 1;
    for (int i = 0; i <= f->degree_a; i++, power *= UNIT)
        for (int j = 0; j <= f->degree_e; j++) {
            const bool minus = (at.minus_a && i % 2 != 0) != (at.minus_e && j % 2 != 0);
            c.of[at.far_e ? f->degree_e - j : j][at.far_a ? f->degree_a - i : i] =
                (minus ? -power : power) * f->c[j][i];
            size += power * f->size[j][i];
        }
    patch_set(to, &s->tables, &c);
    return size * 0x1p-45;
}

bool apart_form_set(apart_form *form, const integer_poly *packed, int pack) {
    quick_form doubles;
    *form = (apart_form){.degree_a = 0};
    quick_form_set(&doubles, packed);
    form->exponent = doubles.exponent;
    for (int k = 0; k < packed->length; k++) {
        const int i = k / pack, j = k % pack;
        if (mpz_sgn(packed->c[k]) == 0) continue;
        if (i >= N || j >= N) return false;
        form->c[j][i] = doubles.c[k];
        form->size[j][i] = doubles.size[k];
        if (i > form->degree_a) form->degree_a = i;
        if (j > form->degree_e) form->degree_e = j;
    }
    return true;
}

bool apart_forms_align(apart_form *form, int count) {
    const long range = 400; /* far from underflow */
    long most = form->exponent, least = most;
    for (int k = 1; k < count; k++) {
        if (form[k].exponent > most) most = form[k].exponent;
        if (form[k].exponent < least) least = form[k].exponent;
    }
    if (most - least > range) return false;
    for (int k = 0; k < count; k++) /* what is not 0 is to stay so */
        for (int j = 0; j < N * N; j++) {
            const double size = form[k].size[j / N][j % N];
            if (size > 0 && size < 0x1p-600) return false;
        }
    for (int k = 0; k < count; k++) {
        const double share = ldexp(1, (int)(form[k].exponent - most));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                form[k].c[j][i] *= share;
                form[k].size[j][i] *= share;
            }
        form[k].exponent = most;
    }
    return true;
}

static void visit_quarter(search *s, int which) {
    box b = {.count = s->out->curves + 2 + 2 * s->out->bounds, .high = 1, .to = 1};
    patch *room = s->pool;
    s->at = (quarter){which & 1, which & 2, which & 4, which & 8};
    if (is_beyond(s, &b)) return;
    for (int k = 0; k < b.count; k++, room++) {
        b.form[k] = (uint8_t)(k < s->out->curves ? k : APART_CURVES + k - s->out->curves);
        s->error[b.form[k]] = set_patch(s, &s->out->form[b.form[k]], room);
        b.patch[k] = room;
    }
    b.room = room;
    visit(s, &b, 1);
}

/* To how many halvings on top of each other it is asked whether curves meet whose degrees in e have a
 * product: then their resultant takes less. */
static int depth_for(int product) {
    return product <= 12 ? 10 : product < 20 ? 12 : DEPTH;
}

bool apart_find(apart *a) {
    search *s = memory_alloc(1, sizeof *s);
    patch *pool = memory_resize(NULL, (DEPTH + 1) * APART_FORMS, sizeof *pool);
    for (int i = 0; i < a->curves; i++) {
        a->far[i] = (planar_range){HUGE_VAL, -HUGE_VAL};
        for (int j = 0; j < a->curves; j++) a->range[i][j] = (planar_range){HUGE_VAL, -HUGE_VAL};
    }
    if (s != NULL && pool != NULL) {
        s->out = a;
        s->pool = pool;
        s->work = WORK;
        witness_init(&s->stable, a);
        patch_tables_set(&s->tables);
        for (int i = 0; i < a->curves; i++)
            for (int j = 0; j < a->curves; j++)
                for (int depth = 0; depth < depth_for(a->form[i].degree_e * a->form[j].degree_e); depth++)
                    s->asked[depth][i] |= UINT32_C(1) << j;
        for (int which = 0; which < 16; which++) visit_quarter(s, which);
    }
    const bool fine = s != NULL && pool != NULL;
    memory_free(s);
    memory_free(pool);
    return fine;
}
