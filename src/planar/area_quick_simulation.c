#include "planar/area_quick_simulation.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/exact_step.h"
#include "planar/area_quick_curves.h"
#include "planar/area_rule.h"
#include "planar/quick_roots.h"

enum { DEGREE_MAX = COSTAB_STAGES_MAX, SHIFT = 160 };

/* ---- places ---- */

/* Root i to 2^-SHIFT and 2^-103 of itself. */
static area_pair place_of(quick_roots *roots, int i) {
    mpz_t num;
    bool exact;
    mpz_init(num);
    quick_roots_place(roots, i, SHIFT, num);
    const area_pair place = area_rule_number(num, -SHIFT, &exact);
    mpz_clear(num);
    return place;
}

/* f = f[0] R without content; false where it does not fit. */
static bool curves_make(const costab_method *method, integer_poly *f, quick_curves *c) {
    exact_step step;
    exact_step_make(method, &step);
    bool fine = step.of[STEP_DEN][0].length == 1 && step.of[STEP_DEN][1].length == 0 &&
                step.of[STEP_PHI][0].length > 0 && step.of[STEP_PHI][1].length == 0;
    integer_set(f, &step.of[STEP_PHI][0]);
    integer_times_x(f);
    integer_set_coefficient(f, 0, step.of[STEP_DEN][0].c[0]);
    integer_remove_content(f);
    exact_step_clear(&step);
    c->degree = f->length - 1;
    for (int k = 0; k <= c->degree && fine; k++) {
        fine = mpz_sizeinbase(f->c[k], 2) < 300;
        if (fine) c->f[k] = area_rule_number(f->c[k], 0, &fine);
    }
    double size = 0;
    for (int k = 0; k < c->degree && fine; k++)
        size = fmax(size, pow(fabs(c->f[k].hi / c->f[c->degree].hi), 1.0 / (c->degree - k)));
    for (int k = 0; k < c->degree; k++) c->z[k] = size * cexp((0.4 + 2 * M_PI * k / c->degree) * _Complex_I);
    return fine;
}

/* An interval of the real axis where |R| < 1. */
typedef struct interval {
    area_pair from, width;
    bool positive;
} interval;

/* Pairs within one interval of the width w: w^3 / 6; in two: their widths times the distance of their
 * middles. */
static void add_pair(const interval *i, const interval *j, quick_halves *area) {
    const area_pair both = pair_multiply(i->width, j->width), sixth = {1.0 / 6, 0x1.5555555555555p-57};
    area_pair value = pair_multiply(pair_multiply(both, i->width), sixth);
    if (i != j) {
        const area_pair further = pair_add(j->width, pair_negative(i->width));
        value = pair_add(j->from, pair_negative(i->from));
        value = pair_add(value, (area_pair){further.hi / 2, further.lo / 2});
        value = pair_multiply(value, both);
    }
    const int ss = !i->positive && !j->positive;
    const double reach = fabs(i->from.hi) + fabs(j->from.hi) + i->width.hi + j->width.hi;
    area->value[ss] = pair_add(area->value[ss], value);
    /* rounding, and places that are known to 2^-SHIFT at best */
    area->error[ss] += (reach * 0x1p-96 + ldexp(8, -SHIFT)) * reach * reach;
    area->some[ss] = true;
}

/* Between the roots of f - f[0] and f + f[0]. False where something is in doubt. */
static bool add_real_pairs(const integer_poly *f, quick_roots *roots, quick_halves *area) {
    enum { MOST = 2 * DEGREE_MAX + 1 };
    integer_poly level[2];
    quick_form form[2];
    interval found[MOST];
    int count = 0;
    for (int k = 0; k < 2; k++) {
        integer_init(&level[k]);
        integer_set(&level[k], f);
        (k == 0 ? mpz_sub : mpz_add)(level[k].c[0], level[k].c[0], f->c[0]);
        quick_form_set(&form[k], &level[k]);
        quick_roots_add(roots, &level[k]);
    }
    quick_roots_find(roots);
    for (int i = 0; i + 1 < roots->count && !roots->doubt; i++) {
        const double x = quick_roots_between(roots, i);
        const int side = mpz_sgn(f->c[0]);
        if (quick_sign(&form[0], x) * side >= 0 || quick_sign(&form[1], x) * side <= 0) continue;
        const area_pair from = place_of(roots, i), to = place_of(roots, i + 1);
        found[count++] = (interval){from, pair_add(to, pair_negative(from)), x > 0};
    }
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) add_pair(&found[i], &found[j], area);
    for (int k = 0; k < 2; k++) integer_clear(&level[k]);
    return !roots->doubt;
}

/* |f(iy)|^2 - f[0]^2 as a polynomial in v = y^2. */
static void set_growth(const integer_poly *f, integer_poly *growth) {
    integer_poly part[2]; /* f(iy) = part[0](v) + i y part[1](v) */
    mpz_t c;
    mpz_init(c);
    for (int k = 0; k < 2; k++) integer_init(&part[k]);
    for (int k = 0; k < f->length; k++) {
        (k % 4 < 2 ? mpz_set : mpz_neg)(c, f->c[k]);
        integer_set_coefficient(&part[k % 2], k / 2, c);
    }
    integer_add_product(growth, &part[1], &part[1], 1);
    integer_times_x(growth);
    integer_add_product(growth, &part[0], &part[0], 1);
    mpz_mul(c, f->c[0], f->c[0]);
    mpz_sub(c, growth->c[0], c);
    integer_set_coefficient(growth, 0, c);
    mpz_clear(c);
    for (int k = 0; k < 2; k++) integer_clear(&part[k]);
}

/* Where a curve crosses the imaginary axis, t and how far it may be off; ascending, from 0 to 1. */
typedef struct cuts {
    int count;
    area_pair t[DEGREE_MAX + 3];
    double off[DEGREE_MAX + 3];
} cuts;

static void add_cut(cuts *to, area_pair t, double off) {
    int at = to->count++;
    for (; at > 0 && to->t[at - 1].hi > t.hi; at--) {
        to->t[at] = to->t[at - 1];
        to->off[at] = to->off[at - 1];
    }
    to->t[at] = t;
    to->off[at] = off;
}

/* At z = i sqrt v: t = |Im R| / (1 + |Re R|), on the side of Re R. */
static void cut_at(const quick_curves *c, area_pair v, cuts to[2]) {
    const area_pair root = {sqrt(v.hi), 0};
    area_pair y = pair_add(v, pair_negative(pair_multiply(root, root)));
    y = pair_add(root, (area_pair){y.hi / (2 * root.hi), 0}); /* to 2^-100 of it */
    pair_complex value[2];
    double size[2];
    quick_curves_evaluate(c, (pair_complex){{0, 0}, y}, value, size);
    const double scale = c->f[0].hi, below = fabs(scale);
    area_pair re = value[0].re, im = value[0].im;
    const int side = re.hi * scale >= 0;
    if (re.hi < 0) re = pair_negative(re);
    if (im.hi < 0) im = pair_negative(im);
    area_pair one = c->f[0];
    if (scale < 0) one = pair_negative(one);
    const double moved = y.hi * 0x1p-99 + 0x1p-150 / y.hi; /* of y */
    const double off = 4 * (hypot(value[1].re.hi, value[1].im.hi) * moved + size[0]) / below + 0x1p-96;
    add_cut(&to[side], pair_divide(im, pair_add(one, re)), off);
}

/* Complex pairs, panel by panel. */
static bool add_complex_pairs(quick_curves *c, const integer_poly *f, quick_roots *roots, double tolerance,
                              quick_halves *area) {
    cuts cut[2] = {{.count = 0}, {.count = 0}};
    integer_poly growth;
    integer_init(&growth);
    set_growth(f, &growth);
    quick_roots_add(roots, &growth);
    quick_roots_find(roots);
    bool fine = !roots->doubt;
    for (int i = 0; i < roots->count && fine; i++)
        if (roots->root[i].low > 0) cut_at(c, place_of(roots, i), cut);
    fine = fine && !roots->doubt;
    integer_clear(&growth);
    for (int side = 0; side < 2 && fine; side++) {
        add_cut(&cut[side], (area_pair){0, 0}, 0);
        add_cut(&cut[side], (area_pair){1, 0}, 0);
        for (int k = 0; k + 1 < cut[side].count && fine; k++) {
            const quick_panel p = {side == 1 ? 1 : -1,
                                   cut[side].t[k],
                                   cut[side].t[k + 1],
                                   {cut[side].off[k], cut[side].off[k + 1]}};
            fine = p.to.hi - p.from.hi > 0x1p-30 && quick_curves_add(c, &p, tolerance, area);
        }
    }
    return fine;
}

/* A region's area times m^3; false where it is not known as well as a double is. */
static bool set_area(const quick_halves *from, int which, double m, double *area, double *error) {
    const area_pair cube = pair_multiply(pair_product_of(m, m), (area_pair){m, 0});
    const area_pair value = pair_multiply(from->value[which], cube);
    *area = value.hi;
    *error = (fabs(value.lo) + from->error[which] * cube.hi + fabs(value.hi) * 0x1p-99) * (1 + 0x1p-40);
    return !from->some[which] || *error <= fabs(value.hi) * 0x1.01p-53;
}

costab_status area_quick_simulation(const costab_planar *planar, costab_areas *areas, bool *decided,
                                    costab_error *error) {
    *decided = false;
    if (planar->method.kind != COSTAB_RUNGE_KUTTA || !planar->method.exact || planar->method.implicit)
        return COSTAB_OK;
    quick_roots *roots = memory_alloc(1, sizeof *roots);
    if (roots == NULL) return error_memory(error);
    integer_poly f;
    quick_curves c;
    quick_halves area = {.error = {0, 0}};
    integer_init(&f);
    bool fine = curves_make(&planar->method, &f, &c);
    quick_roots_init(roots);
    fine = fine && add_real_pairs(&f, roots, &area);
    quick_roots_clear(roots);
    quick_roots_init(roots);
    fine = fine && add_complex_pairs(&c, &f, roots, area.value[1].hi * 0x1p-68, &area);
    quick_roots_clear(roots);
    integer_clear(&f);
    memory_free(roots);
    *decided = fine && set_area(&area, 0, planar->substeps[0], &areas->us, &areas->error_us) &&
               set_area(&area, 1, planar->substeps[0], &areas->ss, &areas->error_ss);
    return COSTAB_OK;
}
