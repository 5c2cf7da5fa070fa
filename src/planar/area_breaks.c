/* Break points of a row's stable interval.
 *
 * The line of all d, infinity included, is cut into boxes on which the six functions of d are power series to
 * rounding; then every function of interest, a combination of them or a difference of two products of such,
 * is a polynomial on the box, and polynomial_roots finds all its changes of sign. Points where it only comes
 * close to 0 are taken as well. Each root is then refined in extended precision. Nothing depends on a guess
 * of where the stable set may end. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planar/area_rows.h"
#include "planar/polynomial.h"

enum { BOXES_MAX = 20000, STACK_MAX = 128, PRODUCT = 2 * SERIES_ORDER };

/* A function whose roots are wanted: the form `first`, or first * third - second * fourth. */
typedef struct target {
    const area_form *first, *second, *third, *fourth;
} target;

enum { TARGETS_MAX = 40 };

typedef struct search {
    const area_plan *plan;
    int target_count;
    target targets[TARGETS_MAX];
    wide *points;
    int count, max;
    bool failed;
} search;

static bool is_zero(const area_form *form) {
    for (int k = 0; k < BASIS_COUNT; k++)
        if (form->factor[k] != 0) return false;
    return true;
}

static bool is_constant(const area_form *form) {
    for (int k = 1; k < BASIS_COUNT; k++)
        if (form->factor[k] != 0) return false;
    return true;
}

static void add_target(search *s, target t) {
    if (t.second == NULL && is_constant(t.first)) return;
    if (t.second != NULL && (is_zero(t.first) || is_zero(t.third)) &&
        (is_zero(t.second) || is_zero(t.fourth)))
        return;
    s->targets[s->target_count++] = t;
}

static void list_targets(search *s) {
    const area_plan *plan = s->plan;
    add_target(s, (target){.first = &plan->fold});
    for (int i = 0; i < BOUND_COUNT; i++) {
        const area_bound *b = &plan->bound[i];
        if (!b->used) continue;
        add_target(s, (target){.first = &b->x0});
        if (i != BOUND_CONVERGING) add_target(s, (target){.first = &b->x1});
        for (int j = i + 1; j < BOUND_COUNT; j++) {
            const area_bound *c = &plan->bound[j];
            bool parallel = (i == BOUND_CONTRACTING && j == BOUND_CONVERGING) || i == BOUND_LOW;
            if (!c->used || parallel) continue;
            add_target(s, (target){&b->x0, &c->x0, &c->x1, &b->x1});
        }
    }
}

static void add_point(search *s, wide d) {
    if (!isfinite(d)) return;
    if (s->count == s->max) {
        s->failed = true;
        return;
    }
    s->points[s->count++] = d;
}

/* ---- one target at one d, in extended precision ---- */

static wide target_value(const search *s, const target *t, wide d) {
    wide basis[BASIS_COUNT];
    area_basis_values(s->plan, d, basis);
    wide first = area_form_value(t->first, basis);
    if (t->second == NULL) return first;
    return first * area_form_value(t->third, basis) -
           area_form_value(t->second, basis) * area_form_value(t->fourth, basis);
}

/* Narrows a bracket by the Illinois rule until it is as narrow as the precision allows. */
static wide narrow(const search *s, const target *t, wide low, wide high, wide at_low, wide at_high) {
    int side = 0;
    for (int i = 0; i < 200 && high - low > 2 * LDBL_EPSILON * fmaxl(fabsl(low), fabsl(high)); i++) {
        wide x =
            i % 8 == 7 ? low + 0.5L * (high - low) : (low * at_high - high * at_low) / (at_high - at_low);
        if (!(x > low && x < high)) x = low + 0.5L * (high - low);
        if (!(x > low && x < high)) break;
        wide value = target_value(s, t, x);
        if (value == 0) return x;
        if ((value < 0) == (at_low < 0)) {
            low = x;
            at_low = value;
            if (side == -1) at_high *= 0.5L;
            side = -1;
        } else {
            high = x;
            at_high = value;
            if (side == 1) at_low *= 0.5L;
            side = 1;
        }
    }
    return low + 0.5L * (high - low);
}

static wide refined(const search *s, const target *t, wide d) {
    wide step = 8 * DBL_EPSILON * fabsl(d);
    for (int i = 0; i < 9 && step > 0; i++, step *= 16) {
        wide low = d - step, high = d + step, at_low = target_value(s, t, low),
             at_high = target_value(s, t, high);
        if ((at_low < 0 && at_high > 0) || (at_low > 0 && at_high < 0))
            return narrow(s, t, low, high, at_low, at_high);
    }
    return d;
}

/* ---- one target on a box ---- */

/* The d at which the box's variable is centre + radius u. */
static wide box_place(const area_box *box, wide scale, wide u) {
    wide x = box->centre + box->radius * u;
    return box->inverse ? scale / x : scale * x;
}

/* A polynomial on a box; size[k]: the magnitudes that coefficient[k] was added up from. */
typedef struct box_series {
    double coefficient[PRODUCT + 1], size[PRODUCT + 1];
    double rest;
} box_series;

static void add_form(box_series *out, const area_form *form, const area_basis *basis) {
    for (int k = 0; k < BASIS_COUNT; k++) {
        double factor = (double)form->factor[k];
        if (factor == 0) continue;
        const series *f = &basis->of[k];
        for (int i = 0; i <= SERIES_ORDER; i++) {
            double term = factor * f->coefficient[i];
            out->coefficient[i] += term;
            out->size[i] += fabs(term);
        }
        out->rest += fabs(factor) * f->rest;
    }
}

static void add_product(box_series *out, const area_form *f, const area_form *g, const area_basis *basis,
                        double sign) {
    box_series p = {.rest = 0}, q = {.rest = 0};
    add_form(&p, f, basis);
    add_form(&q, g, basis);
    double p_norm = 0, q_norm = 0;
    int top = SERIES_ORDER;
    while (top > 0 && q.size[top] == 0) top--;
    for (int i = 0; i <= SERIES_ORDER; i++) {
        p_norm += p.size[i];
        q_norm += q.size[i];
        if (p.size[i] == 0) continue;
        double c = sign * p.coefficient[i];
        for (int j = 0; j <= top; j++) {
            out->coefficient[i + j] += c * q.coefficient[j];
            out->size[i + j] += p.size[i] * q.size[j];
        }
    }
    out->rest += p.rest * (q_norm + q.rest) + q.rest * p_norm;
}

static box_series target_series(const target *t, const area_basis *basis) {
    box_series out = {.rest = 0};
    if (t->second == NULL) {
        add_form(&out, t->first, basis);
        return out;
    }
    add_product(&out, t->first, t->third, basis, 1);
    add_product(&out, t->second, t->fourth, basis, -1);
    return out;
}

/* What rounding and the rest may do to the value at u. */
static double noise_at(const box_series *f, int degree, double u) {
    return 32 * DBL_EPSILON * polynomial_value(f->size, degree, fabs(u)) + f->rest;
}

/* ---- two roots close together ---- */

enum { ZOOM = 6 };

/* The polynomial of degree ZOOM through values at the Chebyshev points of (-1, 1), by divided differences. */
static void interpolate(const wide *node, const wide *value, double *coefficient) {
    wide difference[ZOOM + 1], sum[ZOOM + 1] = {0}, largest = 0;
    for (int j = 0; j <= ZOOM; j++) {
        difference[j] = value[j];
        largest = fmaxl(largest, fabsl(value[j]));
    }
    for (int level = 1; level <= ZOOM; level++)
        for (int j = ZOOM; j >= level; j--)
            difference[j] = (difference[j] - difference[j - 1]) / (node[j] - node[j - level]);
    for (int j = ZOOM; j >= 0; j--) {
        for (int k = ZOOM; k >= 1; k--) sum[k] = sum[k - 1] - node[j] * sum[k];
        sum[0] = difference[j] - node[j] * sum[0];
    }
    for (int k = 0; k <= ZOOM; k++) coefficient[k] = largest > 0 ? (double)(sum[k] / largest) : 0;
}

/* Searches a narrow zone again in extended precision: where a target turns, and the sign changes between. */
static void zoom(search *s, const target *t, const area_box *box, double from, double to) {
    const wide step = 0.224399475256413802747L; /* pi / (2 (ZOOM + 1)) */
    double scale = area_basis_scale(&s->plan->planar->method, s->plan->planar->substeps[1]);
    wide node[ZOOM + 1], value[ZOOM + 1], half = 0.5L * ((wide)to - from), middle = from + half;
    wide place[ZOOM + 3];
#define D_OF(u) box_place(box, scale, middle + half * (wide)(u))
    for (int j = 0; j <= ZOOM; j++) {
        node[j] = cosl(step * (2 * j + 1));
        value[j] = target_value(s, t, D_OF(node[j]));
    }
    double coefficient[ZOOM + 1], roots[ZOOM + 1], turns[ZOOM + 1];
    interpolate(node, value, coefficient);
    int turn_count, count = 0;
    (void)polynomial_roots(coefficient, ZOOM, -1, 1, roots, turns, &turn_count);
    place[count++] = D_OF(-1);
    for (int k = 0; k < turn_count; k++) {
        place[count] = D_OF(turns[k]);
        add_point(s, place[count++]);
    }
    place[count++] = D_OF(1);
#undef D_OF
    for (int k = 0; k + 1 < count; k++) {
        wide low = fminl(place[k], place[k + 1]), high = fmaxl(place[k], place[k + 1]);
        wide at_low = target_value(s, t, low), at_high = target_value(s, t, high);
        if ((at_low < 0 && at_high > 0) || (at_low > 0 && at_high < 0))
            add_point(s, narrow(s, t, low, high, at_low, at_high));
    }
}

/* The zone about a turn in which double precision cannot tell two roots from none; false if it can. */
static bool blurred(const box_series *f, int degree, double turn, double *reach) {
    double taylor[PRODUCT + 1], noise = noise_at(f, degree, turn);
    memcpy(taylor, f->coefficient, (size_t)(degree + 1) * sizeof(double));
    polynomial_shift(taylor, degree, turn);
    if (fabs(taylor[0]) > 1e6 * noise) return false;
    *reach = fmin(1e-2, 4 * sqrt(1e6 * noise / fabs(taylor[2])));
    return degree >= 2;
}

static void search_target(search *s, const target *t, const area_box *box, const area_basis *basis) {
    box_series f = target_series(t, basis);
    double others = 0;
    int degree = 0;
    bool identically_zero = true;
    for (int k = PRODUCT; k >= 0; k--) {
        double magnitude = fabs(f.coefficient[k]);
        if (degree == 0 && magnitude > 4 * DBL_EPSILON * f.size[k]) degree = k;
        if (magnitude > 32 * DBL_EPSILON * f.size[k] + f.rest) identically_zero = false;
        if (k > 0) others += magnitude;
    }
    if (identically_zero || degree == 0 || fabs(f.coefficient[0]) > others + noise_at(&f, PRODUCT, 1)) return;

    double roots[PRODUCT + 2], turns[PRODUCT + 2];
    int turn_count, count = polynomial_roots(f.coefficient, degree, -1, 1, roots, turns, &turn_count);
    double scale = area_basis_scale(&s->plan->planar->method, s->plan->planar->substeps[1]);
    for (int k = 0; k < turn_count; k++) {
        double reach;
        if (!blurred(&f, degree, turns[k], &reach)) continue;
        double from = fmax(-1, turns[k] - reach), to = fmin(1, turns[k] + reach);
        if (box->inverse && from <= 0 && to >= 0) continue; /* infinity is a break point of its own */
        zoom(s, t, box, from, to);
        for (int i = 0; i < count; i++)
            if (roots[i] > from && roots[i] < to) roots[i] = NAN;
    }
    for (int k = 0; k < count; k++) {
        if (isnan(roots[k])) continue;
        wide d = box_place(box, scale, roots[k]);
        add_point(s, isfinite(d) ? refined(s, t, d) : d);
    }
}

static void search_boxes(search *s, bool inverse) {
    const costab_method *method = &s->plan->planar->method;
    int substeps = s->plan->planar->substeps[1];
    double joint = area_basis_joint(method), reach = inverse ? 1 / joint : joint;
    area_box stack[STACK_MAX];
    int height = 0;
    stack[height++] = (area_box){inverse, 0, reach}; /* about 0, powers keep their digits near 0 */
    double scale = area_basis_scale(method, substeps);
    for (int done = 0; height > 0; done++) {
        if (done == BOXES_MAX) {
            s->failed = true;
            return;
        }
        area_box box = stack[--height];
        wide edge = (wide)box.centre + box.radius;
        add_point(s, inverse ? scale / edge : scale * edge);
        area_basis basis;
        if (area_basis_make(method, substeps, &box, &basis)) {
            for (int k = 0; k < s->target_count; k++) search_target(s, &s->targets[k], &box, &basis);
        } else if (box.radius > 1e-15 * (fabs(box.centre) + 1e-3) && height + 2 <= STACK_MAX) {
            double half = 0.5 * box.radius;
            stack[height++] = (area_box){inverse, box.centre + half, half};
            stack[height++] = (area_box){inverse, box.centre - half, half};
        }
    }
}

static int ascending(const void *left, const void *right) {
    wide a = *(const wide *)left, b = *(const wide *)right;
    return (a > b) - (a < b);
}

int area_breaks(const area_plan *plan, wide *points, int max) {
    search s = {.plan = plan, .points = points, .max = max};
    list_targets(&s);
    const costab_method *method = &plan->planar->method;
    double scale = area_basis_scale(method, plan->planar->substeps[1]), poles[COSTAB_STAGES_MAX + 1];
    add_point(&s, 0);
    add_point(&s, -(wide)plan->a);
    add_point(&s, -scale * area_basis_joint(method));
    add_point(&s, scale * area_basis_joint(method));
    if (method->kind != COSTAB_EXACT) {
        int count =
            polynomial_roots(method->denominator, method->stages, -INFINITY, INFINITY, poles, NULL, NULL);
        for (int k = 0; k < count; k++) add_point(&s, (wide)scale * poles[k]);
    }
    search_boxes(&s, false);
    search_boxes(&s, true);
    if (s.failed) return -1;
    qsort(points, (size_t)s.count, sizeof *points, ascending);
    return s.count;
}
