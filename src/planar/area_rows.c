#include "planar/area_rows.h"

#include <float.h>
#include <math.h>

static void set(area_form *form, int function, wide scale, area_value factor) {
    form->factor[function] += scale * factor.value;
    form->size[function] += fabsl(scale) * factor.size;
}

static void set_all(area_form *form, const area_form *other, wide scale) {
    for (int k = 0; k < BASIS_COUNT; k++) set(form, k, scale, (area_value){other->factor[k], other->size[k]});
}

/* phi_a is 0 to the precision of a: then a is meant to be a root of phi. */
static bool vanishes(const costab_planar *planar, double a, wide phi) {
    wide step = fabsl((wide)a) * DBL_EPSILON;
    wide next = area_weights_at(&planar->method, planar->substeps[0], a + step).phi.value;
    wide last = area_weights_at(&planar->method, planar->substeps[0], a - step).phi.value;
    return phi == 0 || (next > 0 && last < 0) || (next < 0 && last > 0);
}

static void set_strong(area_plan *plan, const area_weights *A, area_form *trace0) {
    area_bound *det = &plan->bound[BOUND_DET], *flip = &plan->bound[BOUND_FLIP];
    wide a = plan->a;
    set(trace0, BASIS_DPHI, a, A->p1);
    set(trace0, BASIS_DP1, a, A->phi);
    set(&det->x1, BASIS_P1, 1, A->p1);
    set(&det->x1, BASIS_P0, -1, A->p0);
    set(&flip->x0, BASIS_DP1, -4 * a, A->p1);
    area_value difference = {A->p1.value - A->p0.value, A->p1.size + A->p0.size};
    set(&flip->x1, BASIS_P1, 1, difference);
    set(&flip->x1, BASIS_P0, -1, difference);
    for (int k = BOUND_CONTRACTING; k <= BOUND_CONVERGING; k++) {
        wide sign = k == BOUND_CONTRACTING ? 1 : -1;
        plan->bound[k].used = true;
        set(&plan->bound[k].x0, BASIS_ONE, 1, (area_value){1, 0});
        set(&plan->bound[k].x0, BASIS_DP1, -sign * a, A->p1);
        set(&plan->bound[k].x1, BASIS_P1, sign, A->p1);
    }
}

area_plan area_plan_make(const costab_planar *planar, double a, const double *delta) {
    area_plan plan = {.planar = planar, .a = a};
    area_weights A = area_weights_at(&planar->method, planar->substeps[0], a);
    plan.nothing = vanishes(planar, a, A.phi.value);
    set(&plan.fold, BASIS_PHI, 1, A.phi);

    /* K (Tr D - 2) = s + (ad - Delta) g */
    area_form trace0 = {{0}, {0}};
    area_bound *det = &plan.bound[BOUND_DET], *flip = &plan.bound[BOUND_FLIP];
    const area_value one = {1, 0};
    set(&trace0, BASIS_ONE, a, A.phi);
    set(&trace0, BASIS_DPHI, 1, one);
    set(&flip->x0, BASIS_ONE, 4, one);
    switch (planar->scheme) {
    case COSTAB_ZIGZAG:
        set(&trace0, BASIS_DP1, a, A.phi);
        set(&det->x1, BASIS_P0, -1, A.phi);
        set(&flip->x1, BASIS_P0, 1, A.phi);
        set(&flip->x1, BASIS_P1, -1, A.phi);
        break;
    case COSTAB_STRONG:
        set_strong(&plan, &A, &trace0);
        break;
    default:
        set(&det->x1, BASIS_PHI, -1, A.phi);
        set(&flip->x1, BASIS_PHI, 1, A.phi);
        break;
    }
    set_all(&det->x0, &trace0, -1);
    set_all(&flip->x0, &trace0, 2);
    det->used = flip->used = true;
    for (int k = BOUND_LOW; delta != NULL && k <= BOUND_HIGH; k++) {
        wide sign = k == BOUND_LOW ? 1 : -1;
        plan.bound[k].used = true;
        set(&plan.bound[k].x0, BASIS_ONE, -sign * delta[k - BOUND_LOW], one);
        set(&plan.bound[k].x1, BASIS_ONE, sign, one);
    }
    return plan;
}

static area_value combine(const area_form *form, const area_value *basis) {
    area_value v = {0, 0};
    for (int k = 0; k < BASIS_COUNT; k++) {
        if (form->size[k] == 0 && form->factor[k] == 0) continue;
        v.value += form->factor[k] * basis[k].value;
        v.size += form->size[k] * fabsl(basis[k].value) + fabsl(form->factor[k]) * basis[k].size;
    }
    return v;
}

static void basis_at(const area_plan *plan, wide d, area_value *basis) {
    area_weights w = area_weights_at(&plan->planar->method, plan->planar->substeps[1], d);
    basis[BASIS_ONE] = (area_value){1, 0};
    basis[BASIS_PHI] = w.phi;
    basis[BASIS_P0] = w.p0;
    basis[BASIS_P1] = w.p1;
    basis[BASIS_DPHI] = (area_value){d * w.phi.value, fabsl(d) * w.phi.size};
    basis[BASIS_DP1] = (area_value){d * w.p1.value, fabsl(d) * w.p1.size};
}

void area_basis_values(const area_plan *plan, wide d, wide *basis) {
    wide phi, p0, p1;
    area_weight_values(&plan->planar->method, plan->planar->substeps[1], d, &phi, &p0, &p1);
    basis[BASIS_ONE] = 1;
    basis[BASIS_PHI] = phi;
    basis[BASIS_P0] = p0;
    basis[BASIS_P1] = p1;
    basis[BASIS_DPHI] = d * phi;
    basis[BASIS_DP1] = d * p1;
}

wide area_form_value(const area_form *form, const wide *basis) {
    wide sum = 0;
    for (int k = 0; k < BASIS_COUNT; k++)
        if (form->factor[k] != 0) sum += form->factor[k] * basis[k];
    return sum;
}

area_row area_row_at(const area_plan *plan, wide d) {
    wide basis[BASIS_COUNT];
    area_basis_values(plan, d, basis);
    wide fold = area_form_value(&plan->fold, basis);
    area_row row = {.positive = fold > 0};
    row.lower = row.positive ? END_ZERO : END_INFINITE;
    row.upper = row.positive ? END_INFINITE : END_ZERO;
    wide low = row.positive ? 0 : -INFINITY, high = row.positive ? INFINITY : 0;
    row.empty = !(fold != 0) || !isfinite(fold);
    for (int k = 0; k < BOUND_COUNT; k++) {
        if (!plan->bound[k].used) continue;
        wide x0 = area_form_value(&plan->bound[k].x0, basis), x1 = area_form_value(&plan->bound[k].x1, basis);
        if (!isfinite(x0) || !isfinite(x1) || (x1 == 0 && !(x0 > 0))) row.empty = true;
        if (x1 == 0 || row.empty) continue;
        wide end = -x0 / x1;
        if (x1 > 0 && end > low) {
            low = end;
            row.lower = k;
        } else if (x1 < 0 && end < high) {
            high = end;
            row.upper = k;
        }
    }
    row.empty = row.empty || !(low < high);
    return row;
}

static quadrature_sample end_of(area_value x0, area_value x1) {
    wide end = -x0.value / x1.value;
    wide noise = (x0.size + fabsl(end) * x1.size) / fabsl(x1.value);
    return (quadrature_sample){end, 2 * DBL_EPSILON * noise};
}

void area_bound_at(const area_plan *plan, wide d, int bound, wide *x0, wide *x1) {
    wide basis[BASIS_COUNT];
    area_basis_values(plan, d, basis);
    *x0 = area_form_value(&plan->bound[bound].x0, basis);
    *x1 = area_form_value(&plan->bound[bound].x1, basis);
}

void area_ends_at(const area_plan *plan, wide d, int lower, int upper, quadrature_sample *low,
                  quadrature_sample *high) {
    area_value basis[BASIS_COUNT];
    basis_at(plan, d, basis);
    *low = *high = (quadrature_sample){0, 0};
    if (lower >= 0)
        *low = end_of(combine(&plan->bound[lower].x0, basis), combine(&plan->bound[lower].x1, basis));
    if (upper >= 0)
        *high = end_of(combine(&plan->bound[upper].x0, basis), combine(&plan->bound[upper].x1, basis));
}
