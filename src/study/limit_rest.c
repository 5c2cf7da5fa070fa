/* Where along a parameter the network has an operating point (costab_model_instance_unsolved).
 *   1. If both ends of the range have one, all of the range counts: the point is followed from the model's
 * own parameters, without a gap.
 *   2. Otherwise a value that has one is searched: the model's own, then evenly spaced ones.
 *   3. The end of the values that have one is bisected, to BISECTION of the range.
 * Cost: some 40 updates for an end. Not guaranteed: a second interval of values that have one, behind a gap.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "spec/model_body.h"
#include "study/limit_rest.h"

enum { TRIES = 16 };
#define BISECTION 1e-13

/* Whether the network has a point at a value, or fails for another reason, which the search finds. */
static costab_status has_point(const costab_study_family *family, double value, costab_study_limit *limit,
                               bool *has, costab_error *error) {
    costab_error own = {.status = COSTAB_OK};
    costab_model_instance_set(family->instance, family->parameter, value);
    costab_status status = costab_model_instance_update(family->instance, &own);
    const char *why = costab_model_instance_unsolved(family->instance);
    *has = status == COSTAB_OK || why == NULL;
    if (!*has) (void)snprintf(limit->lost_reason, sizeof limit->lost_reason, "%s", why);
    if (status && error_ends_search(status)) return error_set(error, status, "%s", own.message);
    return COSTAB_OK;
}

static costab_status find_inside(const costab_study_family *family, const double range[2],
                                 costab_study_limit *limit, double *inside, bool *found,
                                 costab_error *error) {
    const costab_model *model = model_instance_model(family->instance);
    *inside = model->parameters[family->parameter].value;
    *found = false;
    if (*inside > range[0] && *inside < range[1]) TRY(has_point(family, *inside, limit, found, error));
    for (int k = 0; k <= TRIES && !*found; k++) {
        *inside = range[0] + (range[1] - range[0]) * k / TRIES;
        TRY(has_point(family, *inside, limit, found, error));
    }
    return COSTAB_OK;
}

costab_status study_limit_rest(const costab_study_family *family, costab_study_limit *limit, double range[2],
                               costab_error *error) {
    bool has[2], found;
    double inside;
    for (int end = 0; end < 2; end++) TRY(has_point(family, range[end], limit, &has[end], error));
    if (has[0] && has[1]) return COSTAB_OK;
    TRY(find_inside(family, range, limit, &inside, &found, error));
    if (!found)
        return error_invalid(error, "in the range there is no operating point: %s", limit->lost_reason);
    const double width = range[1] - range[0];
    for (int end = 0; end < 2; end++) {
        double with = inside, without = range[end];
        while (!has[end] && fabs(without - with) > BISECTION * width) {
            const double middle = with + (without - with) / 2;
            bool here;
            if (middle == with || middle == without) break;
            TRY(has_point(family, middle, limit, &here, error));
            if (here)
                with = middle;
            else
                without = middle;
        }
        if (has[end]) continue;
        limit->lost[end] = true;
        range[end] = with;
    }
    return COSTAB_OK;
}

void study_limit_mark_lost(costab_study_limit *limit, const double range[2]) {
    for (size_t i = 0; i < limit->found.count; i++) {
        costab_piece *piece = &limit->found.pieces[i];
        if (limit->lost[0] && piece->from == range[0]) piece->from_is = COSTAB_END_LOST;
        if (limit->lost[1] && piece->to == range[1]) piece->to_is = COSTAB_END_LOST;
    }
}
