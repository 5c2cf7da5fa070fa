/* Where along a parameter the network has an operating point (costab_model_instance_unsolved).
 *   1. A value that has one: the model's own, or the middle one of the longest run of VALUES evenly spaced
 *      ones that have. If the model's own parameters have none, all later points are followed from there.
 *   2. From there the evenly spaced values towards each end of the range, up to the first one without a
 *      point. Points are followed without a gap, so that those beyond have none, either.
 *   3. The end between two values is bisected to BISECTION of the range, and rounded to a decimal, of ten
 *      to a hundred times as much. The branch turns back there; it is not followed round the fold.
 *   4. Eigenvalues go with the square root of the distance from a fold: the last MARGIN of the range
 *      takes the class beside it.
 *
 * Cost: VALUES updates, and some 40 for an end. Not guaranteed: a gap between two of the values, if the line
 * of the parameters jumps over it (model/rest.c). */
#include "analysis/limit_rest.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "model/body.h"
#include "model/instance.h"

enum { VALUES = 64 };
#define BISECTION 1e-13
#define MARGIN    1e-10

/* Whether the network has a point at a value, or fails for another reason, which the search finds. */
static costab_status has_point(const costab_study_family *family, double value, char reason[400], bool *has,
                               costab_error *error) {
    costab_error own = {.status = COSTAB_OK};
    costab_model_instance_set(family->instance, family->parameter, value);
    costab_status status = costab_model_instance_update(family->instance, &own);
    const char *why = costab_model_instance_unsolved(family->instance);
    *has = status == COSTAB_OK || why == NULL;
    if (!*has) (void)snprintf(reason, 400, "%s", why);
    if (status && error_ends_search(status)) return error_set(error, status, "%s", own.message);
    return COSTAB_OK;
}

static double value_at(const double range[2], int k) {
    return k == VALUES ? range[1] : range[0] + (range[1] - range[0]) * k / VALUES;
}

static costab_status find_inside(const costab_study_family *family, const double range[2], char reason[400],
                                 double *inside, costab_error *error) {
    const costab_model *model = model_instance_model(family->instance);
    bool found = false;
    *inside = model->parameters[family->parameter].value;
    if (*inside >= range[0] && *inside <= range[1]) TRY(has_point(family, *inside, reason, &found, error));
    int run = 0, longest = 0;
    for (int k = 0; k <= VALUES && !found; k++) {
        bool has;
        TRY(has_point(family, value_at(range, k), reason, &has, error));
        run = has ? run + 1 : 0;
        if (run > longest) *inside = value_at(range, k - run / 2);
        longest = run > longest ? run : longest;
    }
    if (!found && longest == 0)
        return error_invalid(error, "in the range there is no operating point: %s", reason);
    TRY(has_point(family, *inside, reason, &found, error));
    costab_model_instance_anchor(family->instance);
    return COSTAB_OK;
}

/* To what is known of it, in decimals. */
static double rounded(double value, double width) {
    const double power = pow(10, floor(-log10(10 * BISECTION * width)));
    const double at = rint(value * power) / power;
    return isfinite(at) ? at : value;
}

/* Finds the end of the values that have a point between `with` and `without`. */
static costab_status bisect(const costab_study_family *family, double with, double without, double width,
                            char reason[400], double *end, costab_error *error) {
    while (fabs(without - with) > BISECTION * width) {
        const double middle = with + (without - with) / 2;
        bool here;
        if (middle == with || middle == without) break;
        TRY(has_point(family, middle, reason, &here, error));
        if (here)
            with = middle;
        else
            without = middle;
    }
    *end = rounded(with, width);
    return COSTAB_OK;
}

static costab_status find_end(const costab_study_family *family, double inside, int end,
                              costab_study_limit *limit, const double range[2], costab_error *error) {
    const double width = range[1] - range[0];
    double with = inside;
    bool has = true;
    for (int k = 1; k <= VALUES && has; k++) {
        const double value = value_at(range, end == 0 ? VALUES - k : k);
        if (end == 0 ? value >= inside : value <= inside) continue;
        TRY(has_point(family, value, limit->lost_reason[end], &has, error));
        if (has) with = value;
        if (has) continue;
        limit->lost[end] = true;
        TRY(bisect(family, with, value, width, limit->lost_reason[end], &limit->lost_at[end], error));
    }
    return COSTAB_OK;
}

costab_status study_limit_rest(const costab_study_family *family, costab_study_limit *limit, double range[2],
                               costab_error *error) {
    double inside = 0;
    if (!costab_model_instance_solves(family->instance, family->parameter)) return COSTAB_OK;
    TRY(find_inside(family, range, limit->lost_reason[0], &inside, error));
    for (int end = 0; end < 2; end++) TRY(find_end(family, inside, end, limit, range, error));
    const double margin = MARGIN * (range[1] - range[0]);
    bool has;
    if (limit->lost[0]) range[0] = fmin(limit->lost_at[0] + margin, inside);
    if (limit->lost[1]) range[1] = fmax(limit->lost_at[1] - margin, inside);
    return has_point(family, inside, limit->refusal, &has, error);
}

void study_limit_mark_lost(costab_study_limit *limit, const double range[2]) {
    for (size_t i = 0; i < limit->found.count; i++) {
        costab_piece *piece = &limit->found.pieces[i];
        if (limit->lost[0] && piece->from == range[0]) {
            piece->from = limit->lost_at[0];
            piece->from_is = COSTAB_END_LOST;
        }
        if (limit->lost[1] && piece->to == range[1]) {
            piece->to = limit->lost_at[1];
            piece->to_is = COSTAB_END_LOST;
        }
    }
}
