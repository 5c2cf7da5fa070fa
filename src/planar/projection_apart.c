/* Boxes of the plane of a and e are halved in turn along one and the other. A polynomial's coefficients with
 * respect to Bernstein's polynomials of a box bound its values there, and halving a box takes their means (de
 * Casteljau). Where all have one sign there is no root in the box, and where all differences along e have one
 * there are no two that meet. A box is done with where nothing that is asked for is possible, and where a
 * bound is violated throughout whatever Delta is: there nothing is stable. Numbers up to infinity are those
 * from 0 to 1 of a and 1/a, of both signs.
 *
 * A coefficient is known to `error`: 2^-47 of the sum of magnitudes at first, and for each halving 2^-50 of
 * the largest one more. */
#include "planar/projection_apart.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "planar/projection_witness.h"

/* UNIT: a in units of it goes from 0 to 1. DEPTH: halvings on top of each other; LIGHT_DEPTH: of polynomials
 * whose resultant takes less than as many halvings. HEAVY: the product of two degrees in e from which on a
 * resultant takes more. WORK: halvings of polynomials in all. */
enum { N = APART_LENGTH, UNIT = APART_UNIT, LIGHT_DEPTH = 12, DEPTH = 16, WORK = 40000, HEAVY = 20 };

/* Coefficients [j][i], j along e and i along a. */
typedef double row __attribute__((vector_size(N * sizeof(double)), aligned(sizeof(double))));

typedef struct patch {
    row of[N];
} patch;

/* ---- patches ---- */

BASE_CLONES static void halve_e(const patch *restrict f, patch *restrict left, patch *restrict right) {
    patch g = *f;
    left->of[0] = g.of[0];
    right->of[N - 1] = g.of[N - 1];
    for (int level = 1; level < N; level++) {
        for (int j = 0; j < N - level; j++) g.of[j] = (g.of[j] + g.of[j + 1]) * 0.5;
        left->of[level] = g.of[0];
        right->of[N - 1 - level] = g.of[N - 1 - level];
    }
}

/* weight[k][i]: the share of coefficient k in coefficient i of the half. */
BASE_CLONES static void halve_a(const patch *restrict f, const patch *restrict weight, patch *restrict half) {
    for (int j = 0; j < N; j++) {
        row sum = f->of[j][0] * weight->of[0];
        for (int k = 1; k < N; k++) sum += f->of[j][k] * weight->of[k];
        half->of[j] = sum;
    }
}

typedef struct extent {
    double low, high;
} extent;

static extent whole(const double *low, const double *high) {
    extent all = {low[0], high[0]};
    for (int i = 1; i < N; i++) {
        all.low = low[i] < all.low ? low[i] : all.low;
        all.high = high[i] > all.high ? high[i] : all.high;
    }
    return all;
}

/* Of all coefficients. */
BASE_CLONES static extent extent_of(const patch *f) {
    double low[N], high[N];
    for (int i = 0; i < N; i++) low[i] = high[i] = f->of[0][i];
    for (int j = 1; j < N; j++)
        for (int i = 0; i < N; i++) {
            low[i] = f->of[j][i] < low[i] ? f->of[j][i] : low[i];
            high[i] = f->of[j][i] > high[i] ? f->of[j][i] : high[i];
        }
    return whole(low, high);
}

/* Of the differences along e. */
BASE_CLONES static extent rise_of(const patch *f) {
    double low[N], high[N];
    for (int i = 0; i < N; i++) low[i] = high[i] = f->of[1][i] - f->of[0][i];
    for (int j = 2; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double rise = f->of[j][i] - f->of[j - 1][i];
            low[i] = rise < low[i] ? rise : low[i];
            high[i] = rise > high[i] ? rise : high[i];
        }
    return whole(low, high);
}

static int sign_of(extent e, double error) {
    return e.low > error ? 1 : e.high < -error ? -1 : 0;
}

/* ---- boxes ---- */

/* A quarter of the plane, or of its outside. */
typedef struct quarter {
    bool minus_a, minus_e, far_a, far_e; /* far: 1 / a from 0 to 1, instead of a */
} quarter;

/* The polynomials of which something is asked in a box. */
typedef struct box {
    int count, form[APART_FORMS];
    double error[APART_FORMS];
    const patch *patch[APART_FORMS];
    patch *room;           /* for the halves' patches: the next ones of the pool */
    double low, high;      /* a in the quarter */
    double from, to;       /* e in the quarter */
    int sign[APART_FORMS]; /* of all polynomials, 0: not known */
} box;

typedef struct search {
    apart *out;
    quarter at;
    int work;                     /* halvings left */
    uint32_t heavy[APART_CURVES]; /* whose resultants with a curve take long */
    patch weight[2];              /* of halve_a, of both halves */
    witness stable;
    patch *pool; /* (DEPTH + 1) x 2 x APART_FORMS */
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
static bool is_unstable(const search *s, const int *sign) {
    const int *of = &sign[APART_CURVES], den = of[0], side = of[0] * of[1];
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
    const int *of = &b->sign[APART_CURVES], den = of[0], side = of[0] * of[1];
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
    if (s->at.far_a || s->at.far_e || !small) return false;
    for (int k = 0; k < s->out->isolated_count; k++)
        if (s->out->isolated[k].curve == i && (curves >> s->out->isolated[k].line & 1) &&
            isolated_seen(&s->out->isolated[k].at, ball_of(range_of(s, b)), ball_of(d_of(s, b))))
            return true;
    return false;
}

/* Finds the signs, and takes the polynomials out that have one; returns the curves that are left. */
static uint32_t find_signs(const search *s, box *b, double *size) {
    uint32_t curves = 0;
    int kept = 0;
    for (int k = 0; k < b->count; k++) {
        const extent e = extent_of(b->patch[k]);
        b->sign[b->form[k]] = sign_of(e, b->error[k]);
        if (b->sign[b->form[k]] != 0 || is_isolated(s, b, b->form[k], curves)) continue;
        b->form[kept] = b->form[k];
        b->error[kept] = b->error[k];
        b->patch[kept] = b->patch[k];
        size[kept++] = fmax(-e.low, e.high);
        if (b->form[k] < APART_CURVES) curves |= UINT32_C(1) << b->form[k];
    }
    b->count = kept;
    return curves;
}

/* The curves of which something is still asked in a box of some depth. What is still possible is taken for
 * granted where asking on takes longer than a resultant. */
static uint32_t find_needed(const search *s, const box *b, uint32_t curves, const double *size, int depth) {
    const planar_range r = range_of(s, b);
    const uint32_t asked = depth == DEPTH || s->work < 0 ? 0 : ~UINT32_C(0);
    uint32_t needed = 0;
    for (int k = 0; k < b->count && b->form[k] < APART_CURVES; k++) {
        const int i = b->form[k];
        uint32_t with = s->out->wanted[i] & curves;
        if (with >> i & 1 && sign_of(rise_of(b->patch[k]), 2 * b->error[k] + 0x1p-51 * size[k]) != 0)
            with &= ~(UINT32_C(1) << i);
        for (uint32_t all = with; all != 0; all &= all - 1) {
            const planar_range *known = &s->out->range[i][__builtin_ctz(all)];
            if (known->low <= r.low && r.high <= known->high) with &= ~(all & -all);
        }
        const uint32_t on = depth < LIGHT_DEPTH ? asked : asked & s->heavy[i];
        needed |= with & on;
        for (with &= ~on; with != 0; with &= with - 1) add_range(&s->out->range[i][__builtin_ctz(with)], r);
    }
    return needed;
}

static void visit(search *s, box *b, int depth);

/* Visits both halves of a box, with the polynomials of bounds and of the curves that are needed. */
static void divide(search *s, const box *b, int depth, uint32_t needed, const double *size) {
    const bool along_a = depth % 2 != 0;
    const double middle = b->low + (b->high - b->low) / 2;
    patch *room = b->room;
    box half[2] = {*b, *b};
    int count = 0;
    for (int k = 0; k < b->count; k++) {
        if (b->form[k] < APART_CURVES && !(needed >> b->form[k] & 1)) continue;
        if (!along_a) halve_e(b->patch[k], &room[0], &room[1]);
        for (int h = 0; h < 2; h++) {
            if (along_a) halve_a(b->patch[k], &s->weight[h], &room[h]);
            half[h].form[count] = b->form[k];
            half[h].error[count] = b->error[k] + 0x1.1p-50 * size[k];
            half[h].patch[count] = &room[h];
        }
        room += 2;
        count++;
    }
    s->work -= count;
    half[0].count = half[1].count = count;
    half[0].room = half[1].room = room;
    if (along_a)
        half[0].high = half[1].low = middle;
    else
        half[0].to = half[1].from = b->from + (b->to - b->from) / 2;
    for (int h = 0; h < 2; h++) visit(s, &half[h], depth + 1);
}

static bool is_beyond(const search *s, const box *b) {
    const planar_range r = range_of(s, b);
    return r.low > s->out->high || r.high < s->out->low;
}

static void visit(search *s, box *b, int depth) {
    double size[APART_FORMS];
    if (is_beyond(s, b)) return;
    const uint32_t curves = find_signs(s, b, size);
    if (curves == 0 || is_unstable(s, b->sign) || is_harmless(s, b)) return;
    const uint32_t needed = find_needed(s, b, curves, size, depth);
    if (needed != 0) divide(s, b, depth, needed, size);
}

/* ---- the plane ---- */

/* of[j][k]: the share of coefficient k in Bernstein's coefficient j. */
static void set_shares(double of[N][N]) {
    for (int k = 0; k < N; k++) /* choose(j, k) / choose(N - 1, k) */
        for (int j = N - 1; j >= 0; j--) of[j][k] = j == N - 1 ? 1 : of[j + 1][k] * (j + 1 - k) / (j + 1);
}

/* A polynomial on a quarter; returns the error. */
static double set_patch(const apart_form *f, quarter at, patch *to) {
    double c[N][N] = {{0}}, of[N][N], size = 0, power = 1;
    patch half = {{{0}}};
    for (int i = 0; i <= f->degree_a; i++, power *= UNIT)
        for (int j = 0; j <= f->degree_e; j++) {
            const bool minus = (at.minus_a && i % 2 != 0) != (at.minus_e && j % 2 != 0);
            c[at.far_a ? f->degree_a - i : i][at.far_e ? f->degree_e - j : j] =
                (minus ? -power : power) * f->c[j][i];
            size += power * f->size[j][i];
        }
    set_shares(of);
    for (int j = 0; j < N; j++)
        for (int k = 0; k <= f->degree_a; k++)
            for (int i = 0; i < N; i++) half.of[j][i] += c[k][j] * of[i][k];
    *to = (patch){{{0}}};
    for (int j = 0; j < N; j++)
        for (int k = 0; k <= j; k++) to->of[j] += of[j][k] * half.of[k];
    return size * 0x1p-47;
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
        b.form[k] = k < s->out->curves ? k : APART_CURVES + k - s->out->curves;
        b.error[k] = set_patch(&s->out->form[b.form[k]], s->at, room);
        b.patch[k] = room;
    }
    b.room = room;
    visit(s, &b, 1);
}

bool apart_find(apart *a) {
    search *s = memory_alloc(1, sizeof *s);
    patch *pool = memory_resize(NULL, (DEPTH + 1) * 2 * APART_FORMS, sizeof *pool);
    for (int i = 0; i < APART_CURVES; i++)
        for (int j = 0; j < APART_CURVES; j++) a->range[i][j] = (planar_range){HUGE_VAL, -HUGE_VAL};
    if (s != NULL && pool != NULL) {
        s->out = a;
        s->pool = pool;
        s->work = WORK;
        witness_init(&s->stable, a);
        for (int i = 0; i < N; i++)
            for (int k = 0; k <= i; k++) {
                const double mean =
                    k == 0 ? ldexp(1, -i)
                           : s->weight[0].of[k - 1][i] * (i + 1 - k) / k; /* choose(i, k) / 2^i */
                s->weight[0].of[k][i] = s->weight[1].of[N - 1 - k][N - 1 - i] = mean;
            }
        for (int i = 0; i < a->curves; i++)
            for (int j = 0; j < a->curves; j++)
                if (a->form[i].degree_e * a->form[j].degree_e >= HEAVY) s->heavy[i] |= UINT32_C(1) << j;
        for (int which = 0; which < 16; which++) visit_quarter(s, which);
    }
    const bool fine = s != NULL && pool != NULL;
    memory_free(s);
    memory_free(pool);
    return fine;
}
