/* The first crossing of an error over a geometric scale of macro steps.
 *
 * 1. The error at macro steps that grow by one factor.
 * 2. Before a lower sample the maximum is looked for by golden section, if it may reach the error allowed.
 * 3. The first crossing is bisected.
 *
 * Not guaranteed: a hump narrower than two samples may be missed. */
#include "proof/kept.h"

#include <float.h>
#include <math.h>

enum { GOLDEN_STEPS = 40, HALVINGS = 60 };

/* ---- The first crossing ---- */

/* Where the error first passes the one allowed between low, where it is kept, and high, where it is not. */
static costab_status bisect(const kept_options *o, double low, double high, double *made,
                            costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int i = 0; i < HALVINGS && !status && high - low > 2 * DBL_EPSILON * high; i++) {
        double middle = 0.5 * (low + high), found;
        status = o->error_at(o->context, middle, &found, error);
        if (found <= o->error)
            low = middle;
        else
            high = middle;
    }
    *made = low;
    return status;
}

/* Climbs the maximum between low and high until the error is passed: *passed is a place where it is; 0: none.
 */
static costab_status climb(const kept_options *o, double low, double high, double *passed,
                           costab_error *error) {
    const double ratio = 0.5 * (sqrt(5) - 1);
    costab_status status = COSTAB_OK;
    *passed = 0;
    for (int i = 0; i < GOLDEN_STEPS && !status && *passed == 0; i++) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low), at_left, at_right = 0;
        status = o->error_at(o->context, left, &at_left, error);
        if (!status) status = o->error_at(o->context, right, &at_right, error);
        if (at_left > o->error || at_right > o->error) *passed = at_left > o->error ? left : right;
        if (at_left > at_right)
            high = right;
        else
            low = left;
    }
    return status;
}

/* The last two samples that kept the error. */
typedef struct samples {
    double T[2], e[2];
} samples;

/* The maximum at the newest of the two samples, before a third one that is lower: may it reach the error? */
static bool may_pass(const samples *past, double next, double allowed_error) {
    double rise = past->e[1] - past->e[0], fall = past->e[1] - next;
    return past->T[0] > 0 && rise > 0 && fall >= 0 && past->e[1] + fmax(rise, fall) > allowed_error;
}

costab_status kept_find(const kept_options *o, double *first, double *last, costab_error *error) {
    samples past = {{0, 0}, {0, 0}};
    bool over = false;
    costab_status status = COSTAB_OK;
    *first = *last = 0;
    for (int i = 0; i <= o->samples && !status; i++) {
        double T = fmin(o->lowest * pow(o->growth, i), o->end), found = 0, passed = 0;
        if (o->progress != NULL) o->progress(o->progress_context, (double)i / o->samples);
        status = o->error_at(o->context, T, &found, error);
        bool kept = found <= o->error;
        if (kept) *last = T;
        if (!status && !over && kept && may_pass(&past, found, o->error))
            status = climb(o, past.T[0], T, &passed, error);
        if (!status && !over && (!kept || passed > 0)) {
            over = true;
            if (i > 0) status = bisect(o, past.T[passed > 0 ? 0 : 1], passed > 0 ? passed : T, first, error);
        }
        past = (samples){{past.T[1], T}, {past.e[1], found}};
        if (T >= o->end) break;
    }
    if (!over) *first = *last;
    return status;
}
