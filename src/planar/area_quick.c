#include "planar/area_quick.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "planar/area_quick_rows.h"
#include "planar/area_quick_simulation.h"
#include "planar/area_rule.h"

/* BITS: of an integral. END_BITS: to which ends are known, beside the distance of the next. FAR_BITS: beyond
 * 2^FAR_BITS the variable is 1 / d. */
enum { BITS = 75, END_BITS = 120, FAR_BITS = 4, HALVINGS = 100, SHIFT_MAX = 2000 };

/* The sum of a region's pieces. */
typedef struct area_sum {
    area_pair value;
    double error;
    bool infinite, doubt;
} area_sum;

/* top / bottom between places in units of 2^-shift. */
typedef struct integral {
    const integer_poly *top, *bottom;
    unsigned long shift;
} integral;

/* What lies between `from` and `to`, of which each may be off by off[] units; in halves of halves where a
 * pole is near. */
static void add_between(const integral *q, const mpz_t from, const mpz_t to, const double off[2],
                        int halvings, area_sum *sum) {
    if (sum->doubt) return;
    const long shift = (long)q->shift + 1; /* of the middle, and of half the width */
    integer_poly top, bottom;
    area_rule_form above, below;
    mpz_t middle, half;
    mpz_init(middle);
    mpz_init(half);
    integer_init(&top);
    integer_init(&bottom);
    mpz_add(middle, from, to);
    mpz_sub(half, to, from);
    integer_set(&top, q->top);
    integer_set(&bottom, q->bottom);
    integer_move(&top, middle, half, (unsigned long)shift);
    integer_move(&bottom, middle, half, (unsigned long)shift);
    integer_scale(&top, half);
    area_pair part;
    double error, share = 2 * (off[0] + off[1]) / mpz_get_d(half) * (1 + 4 * DBL_EPSILON);
    bool fine = area_rule_load(&above, &top) && area_rule_load(&below, &bottom);
    if (fine && area_rule_pairs(&above, &below, share, BITS, &part, &error)) {
        const long exponent = above.exponent - below.exponent - shift * (top.length - bottom.length + 1);
        const double scale = labs(exponent) < 900 ? ldexp(1, (int)exponent) : 0;
        part.hi *= scale;
        part.lo *= scale;
        sum->value = pair_add(sum->value, part);
        sum->error += error * scale + fabs(sum->value.hi) * 0x1p-100;
        sum->doubt = sum->doubt || !(fabs(part.hi) > 0x1p-700 && fabs(part.hi) < 0x1p900);
    } else if (fine && halvings > 0) {
        const double first[2] = {off[0], 0}, second[2] = {0, off[1]};
        mpz_fdiv_q_2exp(middle, middle, 1);
        add_between(q, from, middle, first, halvings - 1, sum);
        add_between(q, middle, to, second, halvings - 1, sum);
    } else {
        sum->doubt = true;
    }
    mpz_clear(middle);
    mpz_clear(half);
    integer_clear(&top);
    integer_clear(&bottom);
}

/* From 2^bits to infinity, or from -infinity to -2^bits: with t = 1 / d, dd = -dt / t^2. The bottom's degree
 * is larger by 2 at least. */
static void add_far(const integral *q, bool left, int bits, area_sum *sum) {
    integer_poly top, bottom;
    mpz_t edge, zero;
    const double off[2] = {0, 0};
    integer_init(&top);
    integer_init(&bottom);
    mpz_init(edge);
    mpz_init(zero);
    const int degree = q->bottom->length - 1;
    for (int k = 0; k < q->top->length; k++) integer_set_coefficient(&top, degree - 2 - k, q->top->c[k]);
    for (int k = 0; k <= degree; k++) integer_set_coefficient(&bottom, degree - k, q->bottom->c[k]);
    const integral far = {&top, &bottom, q->shift};
    quick_scaled(edge, ldexp(left ? -1 : 1, -bits), q->shift);
    add_between(&far, left ? edge : zero, left ? zero : edge, off, HALVINGS, sum);
    integer_clear(&top);
    integer_clear(&bottom);
    mpz_clear(edge);
    mpz_clear(zero);
}

/* The least k from FAR_BITS on for which 2^k is beyond twice a root. */
static int far_bits(const quick_root *root) {
    const double most = fmax(fabs(root->low), fabs(root->high));
    const int bits = most > 0 ? ilogb(most) + 2 : 0;
    return bits > FAR_BITS ? bits : FAR_BITS;
}

static void add_piece(quick_rows *rows, const quick_piece *p, area_sum *sum) {
    quick_roots *roots = &rows->roots;
    const bool left = p->from < 0, right = p->to == roots->count;
    const int left_bits = left && !right ? far_bits(&roots->root[p->to]) : FAR_BITS;
    const int right_bits = right && !left ? far_bits(&roots->root[p->from]) : FAR_BITS;
    const double from = left ? -ldexp(1, left_bits) : roots->root[p->from].high;
    const double to = right ? ldexp(1, right_bits) : roots->root[p->to].low;
    const int width = ilogb(to - from);
    integral q = {&p->top, &p->bottom, END_BITS + (unsigned long)(width < 0 ? -width : 0)};
    if (!(from < to) || q.shift > SHIFT_MAX) {
        sum->doubt = true;
        return;
    }
    const double off[2] = {left ? 0 : 1, right ? 0 : 1};
    mpz_t low, high;
    mpz_init(low);
    mpz_init(high);
    quick_scaled(low, from, q.shift);
    quick_scaled(high, to, q.shift);
    if (!left) quick_roots_place(roots, p->from, q.shift, low);
    if (!right) quick_roots_place(roots, p->to, q.shift, high);
    if (left) add_far(&q, true, left_bits, sum);
    add_between(&q, low, high, off, HALVINGS, sum);
    if (right) add_far(&q, false, right_bits, sum);
    mpz_clear(low);
    mpz_clear(high);
}

static void set_area(const area_sum *s, double *area, double *error) {
    *area = s->infinite ? (double)INFINITY : s->value.hi;
    /* rounding of at most 2^12 sums, too */
    *error = s->infinite ? 0 : (fabs(s->value.lo) + s->error * (1 + 0x1p-40)) * (1 + 4 * DBL_EPSILON);
}

costab_status area_quick(const costab_planar *planar, double a, costab_areas *areas, bool *decided,
                         costab_error *error) {
    *decided = false;
    if (planar->scheme == COSTAB_SIMULATION) return area_quick_simulation(planar, areas, decided, error);
    quick_side side;
    quick_side_init(&side);
    if (!quick_side_make(planar, &side)) {
        quick_side_clear(&side);
        return COSTAB_OK;
    }
    quick_rows *rows = memory_resize(NULL, 1, sizeof *rows); /* zeros in all of it would take a while */
    mpz_t num, den;
    mpz_init(num);
    mpz_init(den);
    quick_fraction(num, den, a);
    if (rows != NULL) quick_rows_find(rows, planar->scheme, &side, num, den);
    mpz_clear(num);
    mpz_clear(den);
    quick_side_clear(&side);
    if (rows == NULL) return error_memory(error);
    bool fine = !rows->roots.doubt;
    area_sum sums[2] = {{.infinite = false}, {.infinite = false}}; /* US and SS */
    for (int i = 0; fine && i < rows->count; i++)
        sums[rows->piece[i].ss].infinite = sums[rows->piece[i].ss].infinite || rows->piece[i].infinite;
    for (int i = 0; fine && i < rows->count; i++) {
        area_sum *s = &sums[rows->piece[i].ss];
        if (!s->infinite) add_piece(rows, &rows->piece[i], s);
        fine = !s->doubt && !rows->roots.doubt;
    }
    quick_rows_clear(rows);
    memory_free(rows);
    *decided = fine;
    if (!fine) return COSTAB_OK;
    set_area(&sums[0], &areas->us, &areas->error_us);
    set_area(&sums[1], &areas->ss, &areas->error_ss);
    return COSTAB_OK;
}
