/* Finds the nearest change of class on one side of a nominal value.
 * 1. Divides the side into blocks, to 2, 8 and 1000 times the value or the same fractions of it. Gains
 *    continue through 0 to the other sign, to -1000. From a nominal value 0 the blocks end at 1e-6, 1e-3, 1,
 *    1e3 and 1e6.
 * 2. Searches each block with the complete limits of the map and of the continuous system
 *    (docs/explanation/algorithms.md, Complete limits) for the first interval with another class. A shorter
 *    macro step makes delays in seconds longer in macro steps; if they become too long, the search ends and
 *    the rest is undecided.
 * 3. Tries single values and extra delays one by one. It skips single values at which the model is
 *    undefined.
 * Cost: two limits per block, up to the block with the change. Complete within rounding in those blocks;
 * undecided intervals before the change are reported. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/margin.h"
#include "base/error.h"
#include "base/memory.h"
#include "limit/limit.h"

enum { DELAYS_MAX = 50, BLOCKS_MAX = 8 };

/* Absolute gain up to which a connection counts as cut. */
#define CUT 1e-9
/* Relative difference up to which ends are equal. */
#define SAME 1e-8

/* Class of one system, map or continuous system, on an interval. */
typedef enum verdict { OUTSIDE, INSIDE, ON_LIMIT, UNDECIDED } verdict;

static verdict verdict_of_code(uint8_t code, margin_measure measure) {
    if (code == COSTAB_CLASS_UNDECIDED) return UNDECIDED;
    bool discrete = measure == MARGIN_DISCRETE;
    if ((code & (discrete ? COSTAB_DISCRETE_STABLE : COSTAB_CONTINUOUS_STABLE)) != 0) return INSIDE;
    int on = discrete ? COSTAB_DISCRETE_NEUTRAL : COSTAB_CONTINUOUS_NEUTRAL | COSTAB_CONTINUOUS_UNKNOWN;
    return (code & on) != 0 ? ON_LIMIT : OUTSIDE;
}

/* ---- Intervals of one search ---- */

typedef struct stretch {
    double from, to;
    verdict verdict;
    bool posed_from, posed_to; /* well-posed at the ends */
} stretch;

/* Lists the pieces and the gaps between them in ascending order. `stretches` has space for twice the pieces
 * and one. */
static size_t list_stretches(const costab_limit *limit, const costab_limit_options *range,
                             margin_measure measure, stretch *stretches) {
    size_t count = 0;
    double at = range->lower;
    for (size_t i = 0; i < limit->count; i++) {
        const costab_piece *piece = &limit->pieces[i];
        if (piece->from > at) stretches[count++] = (stretch){at, piece->from, OUTSIDE, true, true};
        stretches[count++] =
            (stretch){piece->from, piece->to, verdict_of_code(piece->class_code, measure),
                      piece->from_is != COSTAB_END_ILL_POSED, piece->to_is != COSTAB_END_ILL_POSED};
        at = piece->to;
    }
    if (at < range->upper) stretches[count++] = (stretch){at, range->upper, OUTSIDE, true, true};
    return count;
}

/* Finds the first interval of another class, outwards from the nominal value. */
static void first_change(const stretch *all, size_t count, int side, verdict now, margin_change *change) {
    bool posed = true;
    for (size_t k = 0; k < count && !change->found; k++) {
        const stretch *one = &all[side > 0 ? k : count - 1 - k];
        double near = side > 0 ? one->from : one->to, far = side > 0 ? one->to : one->from;
        posed = posed && (k == 0 || (side > 0 ? one->posed_from : one->posed_to));
        if (one->verdict == UNDECIDED) {
            if (isnan(change->undecided[0])) change->undecided[0] = fmin(near, far);
            if (isnan(change->undecided[1])) change->undecided[1] = fmax(near, far);
        }
        if ((one->verdict != now && one->verdict != UNDECIDED) || !posed) {
            change->found = true;
            change->ill_posed = !posed;
            change->value = near;
        }
        posed = side > 0 ? one->posed_to : one->posed_from;
    }
}

static bool is_stopped(void *context, double share, size_t evaluations) {
    (void)share, (void)evaluations;
    const margin_quantity *quantity = context;
    return quantity->stop(quantity->stop_context);
}

static costab_status search_measure(margin_quantity *quantity, const double range[2], int side, uint8_t code,
                                    margin_measure measure, margin_change *change, costab_error *error) {
    const costab_family family = margin_quantity_family(quantity);
    const costab_limit_options options = {.lower = range[0],
                                          .upper = range[1],
                                          .crew = &quantity->crew.of,
                                          .progress = is_stopped,
                                          .progress_context = quantity,
                                          .stable = measure == MARGIN_DISCRETE ? COSTAB_FAMILY_CONTINUOUS
                                                                               : COSTAB_FAMILY_MAP};
    ends_by(costab_limit_free) costab_limit limit = {.count = 0};
    costab_error first;
    *change = (margin_change){.measure = measure, .undecided = {(double)NAN, (double)NAN}};
    costab_status status = limit_find(&family, &options, &limit, &first);
    if (status && first.status == COSTAB_INVALID) {
        change->found = change->ill_posed = true; /* in the whole range */
        change->value = range[side > 0 ? 0 : 1];
        return COSTAB_OK;
    }
    if (status) return error_set(error, status, "%s", first.message);
    if (limit.compared > 0) quantity->compared = limit.compared;
    memory_local_array(stretch, stretches, 2 * limit.count + 1, error);
    for (int r = 0; r < COSTAB_REASON_COUNT && change->why != COSTAB_REASON_DELAYS; r++)
        if (limit.undecided[r] > limit.undecided[change->why] ||
            (r == COSTAB_REASON_DELAYS && limit.undecided[r] > 0))
            change->why = (costab_reason)r;
    first_change(stretches, list_stretches(&limit, &options, measure, stretches), side,
                 verdict_of_code(code, measure), change);
    return COSTAB_OK;
}

/* ---- Single values ---- */

static costab_status try_value(margin_quantity *quantity, double value, uint8_t code, margin_change *change,
                               costab_error *error) {
    uint8_t there = code;
    costab_error why;
    costab_status status = margin_quantity_class(quantity, value, &there, &why);
    if (error_ends_search(status)) return error_set(error, status, "%s", why.message);
    change->ill_posed = status != COSTAB_OK;
    change->found = change->ill_posed || there != code;
    change->jumps = true;
    change->value = value;
    change->measure = (there ^ code) & (COSTAB_DISCRETE_STABLE | COSTAB_DISCRETE_NEUTRAL) ? MARGIN_DISCRETE
                                                                                          : MARGIN_CONTINUOUS;
    return COSTAB_OK;
}

static costab_status search_delays(margin_quantity *quantity, uint8_t code, margin_change *change,
                                   costab_error *error) {
    for (int more = 1; more <= DELAYS_MAX && !change->found; more++)
        TRY(try_value(quantity, more, code, change, error));
    return COSTAB_OK;
}

/* Skips values of an undefined model. */
static costab_status search_values(margin_quantity *quantity, const analysis_values *values, int side,
                                   uint8_t code, margin_change *change, costab_error *error) {
    for (size_t k = 0; k < values->count && !change->found; k++) {
        double value = values->at[side > 0 ? k : values->count - 1 - k];
        if (side * (value - quantity->nominal) <= 1e-12 * fabs(quantity->nominal)) continue;
        TRY(try_value(quantity, value, code, change, error));
        if (change->ill_posed)
            *change = (margin_change){.tried = (double)NAN, .undecided = {(double)NAN, (double)NAN}};
    }
    return COSTAB_OK;
}

/* ---- Blocks of the range, the nearest first ---- */

static int list_blocks(const margin_quantity *quantity, int side, double ends[BLOCKS_MAX + 1]) {
    static const double out[] = {1, 2, 8, 1000}, in[] = {1, 0.5, 0.125, 1e-3},
                        cut[] = {1, 0.5, 0.125, 1e-3, -1e-3, -0.125, -1, -8, -1000},
                        zero[] = {0, 1e-6, 1e-3, 1, 1e3, 1e6};
    const bool away = (quantity->nominal > 0) == (side > 0);
    const double *list = away ? out : in;
    double unit = quantity->nominal;
    int count = 4;
    if (quantity->nominal == 0) {
        list = zero;
        count = 6;
        unit = side;
    } else if (quantity->kind == COSTAB_MARGIN_CONNECTION && side < 0) {
        list = cut;
        count = 9;
    }
    for (int k = 0; k < count; k++) ends[k] = unit * list[k];
    return count - 1;
}

/* Returns true if change `a` is at least as near to the nominal value as `b`. At equal values the continuous
 * system wins: its eigenvalue 0 gives the map an eigenvalue 1. */
static bool comes_first(const margin_change *a, const margin_change *b, int side, double scale) {
    return a->found && (!b->found || side * (a->value - b->value) <= SAME * scale);
}

static costab_status search_block(margin_quantity *quantity, const double range[2], int side, uint8_t code,
                                  margin_change *change, costab_error *error) {
    double hidden[2] = {change->undecided[0], change->undecided[1]};
    costab_reason why = change->why;
    for (int m = 0; m < MARGIN_MEASURES; m++) {
        margin_change one;
        TRY(search_measure(quantity, range, side, code, (margin_measure)m, &one, error));
        if (isnan(hidden[0])) {
            hidden[0] = one.undecided[0];
            hidden[1] = one.undecided[1];
            why = one.why;
        }
        if (comes_first(&one, change, side, fabs(one.value))) *change = one;
    }
    bool beyond = change->found && side * (hidden[side > 0 ? 0 : 1] - change->value) >= 0;
    change->undecided[0] = beyond ? (double)NAN : hidden[0];
    change->undecided[1] = beyond ? (double)NAN : hidden[1];
    change->why = why;
    return COSTAB_OK;
}

costab_status margin_find_change(margin_quantity *quantity, int side, uint8_t code, margin_change *change,
                                 costab_error *error) {
    *change = (margin_change){.tried = (double)NAN, .undecided = {(double)NAN, (double)NAN}};
    if (quantity->kind == COSTAB_MARGIN_DELAY)
        return side < 0 ? COSTAB_OK : search_delays(quantity, code, change, error);
    double ends[BLOCKS_MAX + 1];
    int blocks = list_blocks(quantity, side, ends);
    for (int b = 0; b < blocks && !change->found; b++) {
        double range[2] = {fmin(ends[b], ends[b + 1]), fmax(ends[b], ends[b + 1])};
        ends_by(analysis_values_free) analysis_values values = {.at = NULL};
        TRY(margin_quantity_values(quantity, range, &values, error));
        const double tried = range[side > 0 ? 1 : 0];
        const bool cut = side * (ends[b + 1] - tried) > 0;
        TRY(values.at != NULL ? search_values(quantity, &values, side, code, change, error)
                              : search_block(quantity, range, side, code, change, error));
        if (cut) {
            change->tried = tried;
            break;
        }
        if (change->why != COSTAB_REASON_DELAYS || isnan(change->undecided[0])) continue;
        change->undecided[side > 0 ? 1 : 0] = ends[blocks];
        break;
    }
    if (quantity->kind == COSTAB_MARGIN_CONNECTION && change->found && fabs(change->value) < CUT)
        change->value = 0;
    /* An undecided interval around the change itself is only its rounding. */
    double scale = fmax(fabs(change->value), 1e-3 * fabs(quantity->nominal));
    if (change->found && fabs(change->undecided[0] - change->value) < 1e-6 * scale &&
        fabs(change->undecided[1] - change->value) < 1e-6 * scale)
        change->undecided[0] = change->undecided[1] = (double)NAN;
    return COSTAB_OK;
}
