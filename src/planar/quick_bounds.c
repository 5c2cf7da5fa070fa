#include "planar/quick_bounds.h"

#include "method/exact_step.h"

/* ---- sides ---- */

void quick_side_init(quick_side *side) {
    for (int k = 0; k < QUICK_SIDE; k++) integer_init(&side->of[k]);
}

void quick_side_clear(quick_side *side) {
    for (int k = 0; k < QUICK_SIDE; k++) integer_clear(&side->of[k]);
}

/* Divides all by what they have in common: stages that take no part have a share in the denominator. */
static void reduce(quick_side *side) {
    integer_poly common, next;
    integer_init(&common);
    integer_init(&next);
    integer_set(&common, &side->of[QUICK_DEN]);
    for (int k = QUICK_P0; k <= QUICK_P1; k++) {
        if (side->of[k].length == 0) continue;
        integer_gcd(&next, &common, &side->of[k]);
        integer_set(&common, &next);
    }
    for (int k = 0; k < QUICK_SIDE && common.length > 1; k++)
        if (side->of[k].length > 0) integer_divide(&side->of[k], &common);
    integer_clear(&common);
    integer_clear(&next);
}

bool quick_side_make(const costab_planar *planar, quick_side *side) {
    static const int of[QUICK_SIDE] = {STEP_DEN, STEP_PHI, STEP_P0, STEP_P1, STEP_PHI, STEP_P1};
    const costab_method *method = &planar->method;
    exact_step step;
    bool rational = true;
    if (method->kind != COSTAB_RUNGE_KUTTA || !method->exact || planar->substeps[0] != 1 ||
        planar->substeps[1] != 1)
        return false;
    exact_step_make(method, &step);
    for (int k = 0; k < QUICK_SIDE; k++) {
        integer_set(&side->of[k], &step.of[of[k]][0]);
        if (k >= QUICK_Z_PHI) integer_times_x(&side->of[k]);
        rational = rational && step.of[of[k]][1].length == 0;
    }
    exact_step_clear(&step);
    if (rational) reduce(side);
    return rational;
}

int quick_side_length(const quick_side *side) {
    int length = 0;
    for (int k = 0; k < QUICK_SIDE; k++)
        if (side->of[k].length > length) length = side->of[k].length;
    return length;
}

void quick_side_set_value(quick_side *value, const quick_side *side, const mpz_t num, const mpz_t den) {
    mpz_t at;
    mpz_init(at);
    const int length = quick_side_length(side);
    for (int k = 0; k < QUICK_SIDE; k++) {
        integer_value_at(at, &side->of[k], num, den, length - 1);
        integer_set_coefficient(&value->of[k], 0, at);
    }
    mpz_clear(at);
}

/* ---- bounds ---- */

static void for_each(quick_bounds *b, void (*each)(integer_poly *)) {
    each(&b->den);
    each(&b->fold);
    for (int i = 0; i < b->count; i++) {
        each(&b->bound[i].x0);
        each(&b->bound[i].x1);
    }
}

void quick_bounds_init(quick_bounds *b, costab_scheme scheme) {
    b->count = scheme == COSTAB_STRONG ? QUICK_CONVERGING + 1 : QUICK_FLIP + 1;
    for_each(b, integer_init);
}

void quick_bounds_clear(quick_bounds *b) {
    for_each(b, integer_clear);
}

static void set_strong(quick_bounds *b, const quick_side *A, const quick_side *D, integer_poly *trace) {
    quick_bound *det = &b->bound[QUICK_DET], *flip = &b->bound[QUICK_FLIP];
    integer_add_product(trace, &A->of[QUICK_Z_P1], &D->of[QUICK_Z_PHI], 1);
    integer_add_product(trace, &A->of[QUICK_Z_PHI], &D->of[QUICK_Z_P1], 1);
    integer_add_product(&det->x1, &A->of[QUICK_P1], &D->of[QUICK_P1], 1);
    integer_add_product(&det->x1, &A->of[QUICK_P0], &D->of[QUICK_P0], -1);
    integer_add_product(&flip->x0, &A->of[QUICK_Z_P1], &D->of[QUICK_Z_P1], -4);
    for (int i = QUICK_P0; i <= QUICK_P1; i++) /* (QUICK_P1 - QUICK_P0)(a) (QUICK_P1 - QUICK_P0)(d) */
        for (int j = QUICK_P0; j <= QUICK_P1; j++)
            integer_add_product(&flip->x1, &A->of[i], &D->of[j], i == j ? 1 : -1);
    for (int k = QUICK_CONTRACTING; k <= QUICK_CONVERGING; k++) {
        const int sign = k == QUICK_CONTRACTING ? 1 : -1;
        integer_add_product(&b->bound[k].x0, &A->of[QUICK_DEN], &D->of[QUICK_DEN], 1);
        integer_add_product(&b->bound[k].x0, &A->of[QUICK_Z_P1], &D->of[QUICK_Z_P1], -sign);
        integer_add_product(&b->bound[k].x1, &A->of[QUICK_P1], &D->of[QUICK_P1], sign);
    }
}

void quick_bounds_set(quick_bounds *b, costab_scheme scheme, const quick_side *A, const quick_side *D) {
    quick_bound *det = &b->bound[QUICK_DET], *flip = &b->bound[QUICK_FLIP];
    integer_poly trace, one; /* K (Tr D - 2) at Delta = 0 */
    integer_init(&trace);
    integer_init(&one);
    integer_set_si(&one, 1);
    integer_add_product(&b->den, &A->of[QUICK_DEN], &D->of[QUICK_DEN], 1);
    integer_add_product(&b->fold, &A->of[QUICK_PHI], &D->of[QUICK_PHI], 1);
    integer_add_product(&trace, &A->of[QUICK_Z_PHI], &D->of[QUICK_DEN], 1);
    integer_add_product(&trace, &A->of[QUICK_DEN], &D->of[QUICK_Z_PHI], 1);
    integer_add_product(&flip->x0, &A->of[QUICK_DEN], &D->of[QUICK_DEN], 4);
    if (scheme == COSTAB_STRONG) {
        set_strong(b, A, D, &trace);
    } else if (scheme == COSTAB_ZIGZAG) {
        integer_add_product(&trace, &A->of[QUICK_Z_PHI], &D->of[QUICK_Z_P1], 1);
        integer_add_product(&det->x1, &A->of[QUICK_PHI], &D->of[QUICK_P0], -1);
        integer_add_product(&flip->x1, &A->of[QUICK_PHI], &D->of[QUICK_P0], 1);
        integer_add_product(&flip->x1, &A->of[QUICK_PHI], &D->of[QUICK_P1], -1);
    } else {
        integer_add_product(&det->x1, &A->of[QUICK_PHI], &D->of[QUICK_PHI], -1);
        integer_add_product(&flip->x1, &A->of[QUICK_PHI], &D->of[QUICK_PHI], 1);
    }
    integer_add_product(&det->x0, &trace, &one, -1);
    integer_add_product(&flip->x0, &trace, &one, 2);
    integer_clear(&trace);
    integer_clear(&one);
}

void quick_bounds_meeting(const quick_bounds *b, int i, int j, integer_poly *meeting) {
    integer_add_product(meeting, &b->bound[j].x0, &b->bound[i].x1, 1);
    integer_add_product(meeting, &b->bound[i].x0, &b->bound[j].x1, -1);
}
