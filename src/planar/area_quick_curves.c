/* L = (1 + it) / (1 - it) with t = tan(theta/2), 0 < t < 1, on side 1, and its mirror image -conj L on side
 * -1.
 *
 * In an ellipse around a panel the roots are enclosed by discs (Rouche's theorem), which bounds the integrand
 * there and with it the error of Gauss's rules (area_rule.h). At a rule's points each root is known in pairs
 * of doubles from a step of Newton's method, whose error the same discs bound. */
#include "planar/area_quick_curves.h"

#include <math.h>

#include "planar/area_rule.h"

enum { DEGREE_MAX = COSTAB_STAGES_MAX, RADII = 4, DISCS = 8, HALVINGS = 12 };

static const double radii[RADII] = {1.5, 2, 2.8, 4};

static pair_complex multiply(pair_complex x, pair_complex y) {
    return (pair_complex){pair_add(pair_multiply(x.re, y.re), pair_negative(pair_multiply(x.im, y.im))),
                          pair_add(pair_multiply(x.re, y.im), pair_multiply(x.im, y.re))};
}

static double complex rounded(pair_complex x) {
    return x.re.hi + x.im.hi * _Complex_I;
}

/* ---- levels ---- */

/* L = (side (1 - t^2) + 2it) / (1 + t^2) and dL/dt = (2i (1 - t^2) - 4 side t) / (1 + t^2)^2 */
static void level_at(int side, area_pair t, pair_complex *level, pair_complex *slope) {
    const area_pair one = {1, 0}, square = pair_multiply(t, t);
    const area_pair below = pair_divide(one, pair_add(one, square));
    const area_pair less = pair_multiply(pair_add(one, pair_negative(square)), below);
    const area_pair twice = pair_multiply((area_pair){2 * t.hi, 2 * t.lo}, below);
    *level = (pair_complex){side > 0 ? less : pair_negative(less), twice};
    const area_pair re = pair_multiply((area_pair){-2 * side * twice.hi, -2 * side * twice.lo}, below);
    *slope = (pair_complex){re, pair_multiply((area_pair){2 * less.hi, 2 * less.lo}, below)};
}

/* |z|, known to 2^-50 of it */
static double modulus(double complex z) {
    return sqrt(creal(z) * creal(z) + cimag(z) * cimag(z));
}

/* All roots of f = f[0] level by the method of Weierstrass, from those found before. */
static bool find_roots(quick_curves *c, double complex level) {
    enum { STEPS = 200 };
    const int n = c->degree;
    for (int step = 0; step < STEPS; step++) {
        double moved = 0;
        for (int k = 0; k < n; k++) {
            double complex value = c->f[n].hi, apart = c->f[n].hi;
            for (int j = n - 1; j >= 0; j--) value = value * c->z[k] + c->f[j].hi;
            for (int j = 0; j < n; j++)
                if (j != k) apart *= c->z[k] - c->z[j];
            const double complex by = (value - c->f[0].hi * level) / apart;
            c->z[k] -= by;
            moved = fmax(moved, modulus(by) / (modulus(c->z[k]) + 1));
        }
        if (moved < 0x1p-46) return true;
        if (!(moved < 0x1p40)) return false;
    }
    return false;
}

/* ---- enclosures ---- */

/* |f^(j)(z)| / j!, each known to `slack`: from above, but for j = 1 from below. */
typedef struct expansion {
    double size[DEGREE_MAX + 1], slack;
} expansion;

static expansion expand(const quick_curves *c, double complex z) {
    const int n = c->degree;
    double complex d[DEGREE_MAX + 1];
    expansion e = {.slack = 0};
    for (int k = n; k >= 0; k--) {
        d[k] = c->f[k].hi;
        e.slack = e.slack * (modulus(z) + 1) + fabs(c->f[k].hi);
    }
    e.slack *= 0x1p-44;
    for (int i = 0; i < n; i++)
        for (int k = n - 1; k >= i; k--) d[k] += z * d[k + 1];
    for (int k = 0; k <= n; k++) e.size[k] = modulus(d[k]) + (k == 1 ? -e.slack : e.slack);
    return e;
}

/* sum over j >= 2 of size[j] radius^(j - lowered), times j where lowered is 1 */
static double beyond(const quick_curves *c, const expansion *e, double radius, int lowered) {
    double sum = 0;
    for (int j = c->degree; j >= 2; j--) sum = sum * radius + e->size[j] * (lowered ? j : 1);
    return sum * (lowered ? radius : radius * radius) * (1 + 0x1p-40);
}

/* The radius of a disc around z that holds one root of f - w for every w within `off` of f(z) (Rouche's
 * theorem); infinite where there is none. */
static double disc_radius(const quick_curves *c, const expansion *e, double off) {
    for (double share = 1.125; share < 4; share *= 1.33) {
        const double radius = share * off / e->size[1];
        if (radius >= 0 && off + beyond(c, e, radius, 0) < e->size[1] * radius * (1 - 0x1p-40)) return radius;
    }
    return (double)INFINITY;
}

/* Whether discs of these radii around all roots are apart. */
static bool are_apart(const quick_curves *c, const double *radius) {
    for (int j = 0; j < c->degree; j++)
        for (int k = 0; k < j; k++)
            if (!(modulus(c->z[j] - c->z[k]) > (radius[j] + radius[k]) * (1 + 0x1p-40))) return false;
    return true;
}

/* A bound of what all roots contribute to the integrand for |t - center| <= reach: |L - L(center)| and
 * |dL/dt| are bounded there, as |1 - it| >= |1 - i center| - reach. */
static double bound_near(quick_curves *c, int side, double center, double reach) {
    pair_complex level, slope;
    double least = sqrt(1 + center * center) * (1 - 0x1p-40) - reach, most = 0, own[DEGREE_MAX];
    level_at(side, (area_pair){center, 0}, &level, &slope);
    if (!(least > 0) || !find_roots(c, rounded(level))) return (double)INFINITY;
    const double off = 2 * reach / (least * sqrt(1 + center * center)) * (1 + 0x1p-40);
    for (int k = 0; k < c->degree; k++) {
        const expansion e = expand(c, c->z[k]);
        double complex value = 0;
        for (int j = c->degree; j >= 0; j--) value = value * c->z[k] + c->f[j].hi;
        const double here = modulus(value - c->f[0].hi * rounded(level)) + e.slack;
        own[k] = disc_radius(c, &e, here);
        const double radius = disc_radius(c, &e, here + fabs(c->f[0].hi) * off);
        const double steep = e.size[1] - beyond(c, &e, radius, 1), height = fabs(cimag(c->z[k])) + radius;
        if (!(steep > 0)) return (double)INFINITY;
        most += 2 * height * height * 2 / (least * least) * fabs(c->f[0].hi) / steep;
    }
    return are_apart(c, own) ? most * (1 + 0x1p-30) : (double)INFINITY;
}

/* The same in an ellipse around the middle of a panel. */
static double bound_in(quick_curves *c, int side, double middle, double half, double r) {
    const double a = (r + 1 / r) / 2 * half, b = (r - 1 / r) / 2 * half, step = a / DISCS;
    double most = 0;
    for (int i = 0; i < DISCS && !isinf(most); i++)
        most = fmax(most, bound_near(c, side, middle - a + (2 * i + 1) * step,
                                     sqrt(step * step + b * b) * (1 + 0x1p-30)));
    return most;
}

/* ---- one point ---- */

void quick_curves_evaluate(const quick_curves *c, pair_complex z, pair_complex value[2], double size[2]) {
    const area_pair none = {0, 0};
    const double reach = modulus(rounded(z)) * (1 + 0x1p-50);
    value[0] = (pair_complex){c->f[c->degree], none};
    value[1] = (pair_complex){none, none};
    size[0] = fabs(c->f[c->degree].hi);
    size[1] = 0;
    for (int k = c->degree - 1; k >= 0; k--) {
        value[1] = multiply(value[1], z);
        value[1].re = pair_add(value[1].re, value[0].re);
        value[1].im = pair_add(value[1].im, value[0].im);
        value[0] = multiply(value[0], z);
        value[0].re = pair_add(value[0].re, c->f[k]);
        size[1] = size[1] * reach + size[0];
        size[0] = size[0] * reach + fabs(c->f[k].hi);
    }
    for (int k = 0; k < 2; k++) size[k] *= (c->degree + 2) * 0x1p-96;
}

/* What a root contributes to the integrand: -2 y |y| dx/dt with dz/dt = f[0] dL/dt / f'. */
typedef struct contribution {
    area_pair value;
    double error, radius; /* radius: of a disc that holds no other root */
    int ss;               /* x < 0; -1: its sign is in doubt */
} contribution;

/* The root near c->z[k]. False where its place is not known well. */
static bool contribution_of(const quick_curves *c, int k, pair_complex level, pair_complex slope,
                            contribution *to) {
    const double complex start = c->z[k];
    pair_complex z = {{creal(start), 0}, {cimag(start), 0}}, value[2];
    double size[2];
    const expansion e = expand(c, start);
    quick_curves_evaluate(c, z, value, size);
    const pair_complex factor = {c->f[0], {0, 0}}, aim = multiply(factor, level);
    value[0].re = pair_add(value[0].re, pair_negative(aim.re));
    value[0].im = pair_add(value[0].im, pair_negative(aim.im));
    to->radius = disc_radius(c, &e, modulus(rounded(value[0])) * (1 + 0x1p-50) + size[0]);
    const double steep = e.size[1] - beyond(c, &e, to->radius, 1);
    if (!(steep > 0)) return false;
    const double complex by = rounded(value[0]) / rounded(value[1]);
    z.re = pair_add(z.re, (area_pair){-creal(by), 0});
    z.im = pair_add(z.im, (area_pair){-cimag(by), 0});
    /* what a step of Newton's method leaves, and the rounding of the step */
    double error = (beyond(c, &e, to->radius, 0) + size[0] + e.slack * modulus(by)) / e.size[1];
    error = (error + modulus(by) * 0x1p-48 + modulus(start) * 0x1p-100) * (1 + 0x1p-30);
    to->ss = fabs(z.re.hi) > 2 * error ? z.re.hi < 0 : -1;
    quick_curves_evaluate(c, z, value, size);
    const pair_complex mirrored = {value[1].re, pair_negative(value[1].im)};
    const area_pair top = multiply(multiply(factor, slope), mirrored).re,
                    bottom = multiply(value[1], mirrored).re;
    to->value = pair_multiply(pair_multiply(z.im, z.im), pair_divide(top, bottom));
    to->value = pair_multiply(to->value, (area_pair){z.im.hi > 0 ? -2 : 2, 0});
    /* f' at the root itself differs by less than the largest f'' there times the distance */
    const double wide = 2 * to->radius + 0x1p-60, turned = beyond(c, &e, wide, 1) / wide * c->degree * error;
    const double y = fabs(z.im.hi) + error, fast = modulus(rounded(slope)) * fabs(c->f[0].hi) / steep;
    to->error = fast * (4 * y * error + 2 * y * y * ((turned + size[1]) / steep + 0x1p-94)) * (1 + 0x1p-30);
    return fabs(z.im.hi) > 2 * error;
}

/* All roots at t. `expected` of them have x < 0, which tells where one is whose sign is in doubt; -1: not
 * known. Returns their number, or -1 where something is in doubt. */
static int add_point(quick_curves *c, int side, area_pair t, area_pair weight, int expected,
                     quick_halves *sum) {
    pair_complex level, slope;
    contribution part[DEGREE_MAX];
    double radius[DEGREE_MAX];
    int found = 0, open = 0;
    level_at(side, t, &level, &slope);
    if (!find_roots(c, rounded(level))) return -1;
    for (int k = 0; k < c->degree; k++) {
        if (!contribution_of(c, k, level, slope, &part[k])) return -1;
        radius[k] = part[k].radius;
        found += part[k].ss == 1;
        open += part[k].ss < 0;
    }
    const int missing = expected < 0 ? 0 : expected - found;
    if (!are_apart(c, radius) || open > 1 || (expected < 0 && open > 0) || missing < 0 || missing > open)
        return -1;
    for (int k = 0; k < c->degree; k++) {
        const int ss = part[k].ss < 0 ? missing : part[k].ss;
        sum->value[ss] = pair_add(sum->value[ss], pair_multiply(part[k].value, weight));
        sum->error[ss] += weight.hi * part[k].error * (1 + 0x1p-30) + fabs(sum->value[ss].hi) * 0x1p-99;
        sum->some[ss] = true;
    }
    return found + missing;
}

/* ---- panels ---- */

/* By the smallest rule that is good enough. False where none is, and, with *doubt, where a point is not
 * known.
 */
static bool add_by_rule(quick_curves *c, const quick_panel *p, double tolerance, bool *doubt,
                        quick_halves *area) {
    const area_pair middle = pair_multiply(pair_add(p->from, p->to), (area_pair){0.5, 0});
    const area_pair half = pair_multiply(pair_add(p->to, pair_negative(p->from)), (area_pair){0.5, 0});
    const double off = (p->off[0] + p->off[1]) / half.hi, moved = 0x1p-102 / half.hi;
    double most[RADII], own = (double)INFINITY;
    for (int i = 0; i < RADII; i++)
        most[i] =
            i > 0 && isinf(most[i - 1]) ? most[i - 1] : bound_in(c, p->side, middle.hi, half.hi, radii[i]);
    int count = 4;
    while (count < 32 && !(own * half.hi <= tolerance)) {
        count *= 2;
        for (int i = 0; i < RADII; i++) own = fmin(own, area_rule_error(radii[i], most[i], count, off));
    }
    if (!(own * half.hi <= tolerance)) return false;
    quick_halves sum = {.error = {0, 0}};
    const int expected = add_point(c, p->side, middle, (area_pair){0, 0}, -1, &sum);
    *doubt = expected < 0;
    for (int j = 0; j < 2 * count && !*doubt; j++) { /* from left to right */
        const double *point = area_rule_points[count - 8 + (j < count ? j : 2 * count - 1 - j)];
        const double sign = j < count ? -1 : 1;
        const area_pair at = pair_multiply(half, (area_pair){sign * point[0], sign * point[1]});
        const area_pair weight = {point[2], point[3]};
        *doubt = add_point(c, p->side, pair_add(middle, at), weight, expected, &sum) < 0;
    }
    own += 2 * most[0] / ((radii[0] + 1 / radii[0]) / 2 - 1) * moved;
    const area_pair scale = {p->side * half.hi, p->side * half.lo};
    for (int k = 0; k < 2 && !*doubt; k++) {
        if (!sum.some[k]) continue;
        area->some[k] = true;
        area->value[k] = pair_add(area->value[k], pair_multiply(sum.value[k], scale));
        area->error[k] += half.hi * (own + sum.error[k]) * (1 + 0x1p-30) +
                          (fabs(sum.value[k].hi) + fabs(area->value[k].hi)) * 0x1p-99;
    }
    return true;
}

/* False where the integral is left in doubt. */
static bool add_panel(quick_curves *c, const quick_panel *p, double tolerance, int halvings,
                      quick_halves *area) {
    bool doubt = false;
    if (add_by_rule(c, p, tolerance, &doubt, area)) return !doubt;
    if (halvings == 0) return false;
    quick_panel first = *p, second = *p;
    first.to = second.from = (area_pair){(p->from.hi + p->to.hi) / 2, 0};
    first.off[1] = second.off[0] = 0;
    return add_panel(c, &first, tolerance, halvings - 1, area) &&
           add_panel(c, &second, tolerance, halvings - 1, area);
}

bool quick_curves_add(quick_curves *curves, const quick_panel *panel, double tolerance, quick_halves *area) {
    return add_panel(curves, panel, tolerance, HALVINGS, area);
}
