/* The nearest change of class on one side of a nominal value.
 *   1. Blocks outwards: to 2, 8 and 1000 times the value and as many parts of it; of gains through 0 to the
 *      other sign; from 0 by factors of 1000.
 *   2. In a block the complete search (docs/explanation/algorithms.md, Complete limits) of the map and of the
 * continuous system: stretches with and without the nominal verdict, of which the first that differs is the
 *      change.
 *      Delays in seconds are ever more macro steps as the macro step becomes shorter: where they are
 *      too many to be searched (limit/limit.c) the search ends, and the rest is undecided.
 *   3. Delays and counts: value by value; of values at which the model is not defined nothing is said.
 * Cost: two limits a block, up to the block with the change. Complete within rounding in those blocks;
 * stretches that were undecided on the way are told. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/margin.h"
#include "base/error.h"
#include "base/memory.h"
#include "limit/limit.h"

enum { DELAYS_MAX = 50, BLOCKS_MAX = 8 };

/* A gain this near to 0 is 0: the connection is cut. */
#define CUT 1e-9
/* Ends that are this near to each other, relative, are one. */
#define SAME 1e-8

/* The verdict of one system, map or continuous system, on a stretch. */
typedef enum verdict { OUTSIDE, INSIDE, ON_LIMIT, UNDECIDED } verdict;

static verdict verdict_of_code(uint8_t code, margin_measure measure) {
    if (code == COSTAB_CLASS_UNDECIDED) return UNDECIDED;
    bool discrete = measure == MARGIN_DISCRETE;
    if ((code & (discrete ? COSTAB_DISCRETE_STABLE : COSTAB_CONTINUOUS_STABLE)) != 0) return INSIDE;
    int on = discrete ? COSTAB_DISCRETE_NEUTRAL : COSTAB_CONTINUOUS_NEUTRAL | COSTAB_CONTINUOUS_UNKNOWN;
    return (code & on) != 0 ? ON_LIMIT : OUTSIDE;
}

/* ---- Stretches of one search ---- */

typedef struct stretch {
    double from, to;
    verdict verdict;
    bool posed_from, posed_to; /* not ill-posed at its ends */
} stretch;

/* Pieces and what lies between them, ascending. `stretches` has room for twice the pieces and one. */
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

/* The first stretch with another verdict, from the nominal value outwards. */
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

static costab_status search_measure(margin_quantity *quantity, const double range[2], int side, uint8_t code,
                                    margin_measure measure, margin_change *change, costab_error *error) {
    const costab_family family = margin_quantity_family(quantity);
    const costab_limit_options options = {.lower = range[0],
                                          .upper = range[1],
                                          .crew = &quantity->crew.of,
                                          .stable = measure == MARGIN_DISCRETE ? COSTAB_FAMILY_CONTINUOUS
                                                                               : COSTAB_FAMILY_MAP};
    ends_by(costab_limit_free) costab_limit limit = {.count = 0};
    costab_error first;
    *change = (margin_change){.measure = measure, .undecided = {(double)NAN, (double)NAN}};
    costab_status status = costab_limit_find(&family, &options, &limit, &first);
    if (status && first.status == COSTAB_INVALID) {
        change->found = change->ill_posed = true; /* all over */
        change->value = range[side > 0 ? 0 : 1];
        return COSTAB_OK;
    }
    if (status) return error_set(error, status, "%s", first.message);
    memory_local_array(stretch, stretches, 2 * limit.count + 1, error);
    change->why = limit.undecided[COSTAB_REASON_DELAYS] > 0 ? COSTAB_REASON_DELAYS : COSTAB_REASON_ROUNDING;
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

/* Values at which the model is not defined are passed over. */
static costab_status search_values(margin_quantity *quantity, const costab_study_values *values, int side,
                                   uint8_t code, margin_change *change, costab_error *error) {
    for (size_t k = 0; k < values->count && !change->found; k++) {
        double value = values->at[side > 0 ? k : values->count - 1 - k];
        if (side * (value - quantity->nominal) <= 1e-12 * fabs(quantity->nominal)) continue;
        TRY(try_value(quantity, value, code, change, error));
        if (change->ill_posed) *change = (margin_change){.undecided = {(double)NAN, (double)NAN}};
    }
    return COSTAB_OK;
}

/* ---- Blocks of the range, the nearest first ---- */

static int list_blocks(const margin_quantity *quantity, int side, double ends[BLOCKS_MAX + 1]) {
    static const double out[] = {1, 2, 8, 1000}, in[] = {1, 0.5, 0.125, 1e-3},
                        cut[] = {1, 0.5, 0.125, 1e-3, -1e-3, -0.125, -1, -8, -1000},
                        zero[] = {0, 1e-6, 1e-3, 1, 1e3, 1e6};
    const double *list = side > 0 ? out : in;
    int count = 4;
    double unit = fabs(quantity->nominal);
    bool away = (quantity->nominal > 0) == (side > 0);
    if (quantity->nominal == 0) {
        list = zero;
        count = 6;
        unit = side;
    } else if (quantity->kind == COSTAB_MARGIN_CONNECTION && side < 0) {
        list = cut;
        count = 9;
    } else {
        list = away ? out : in;
        unit = quantity->nominal;
    }
    for (int k = 0; k < count; k++) ends[k] = unit * list[k];
    return count - 1;
}

/* Which of two changes is nearer to the nominal value. At the same value the continuous system's counts:
 * where it has an eigenvalue 0 the map has an eigenvalue 1. */
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
    *change = (margin_change){.undecided = {(double)NAN, (double)NAN}};
    if (quantity->kind == COSTAB_MARGIN_DELAY)
        return side < 0 ? COSTAB_OK : search_delays(quantity, code, change, error);
    double ends[BLOCKS_MAX + 1];
    int blocks = list_blocks(quantity, side, ends);
    for (int b = 0; b < blocks && !change->found; b++) {
        double range[2] = {fmin(ends[b], ends[b + 1]), fmax(ends[b], ends[b + 1])};
        ends_by(costab_study_values_free) costab_study_values values = {.at = NULL};
        TRY(margin_quantity_values(quantity, range, &values, error));
        TRY(values.at != NULL ? search_values(quantity, &values, side, code, change, error)
                              : search_block(quantity, range, side, code, change, error));
        if (change->why != COSTAB_REASON_DELAYS || isnan(change->undecided[0])) continue;
        change->undecided[side > 0 ? 1 : 0] = ends[blocks];
        break;
    }
    if (quantity->kind == COSTAB_MARGIN_CONNECTION && change->found && fabs(change->value) < CUT)
        change->value = 0;
    /* What is hidden around the change itself is its rounding. */
    double scale = fmax(fabs(change->value), 1e-3 * fabs(quantity->nominal));
    if (change->found && fabs(change->undecided[0] - change->value) < 1e-6 * scale &&
        fabs(change->undecided[1] - change->value) < 1e-6 * scale)
        change->undecided[0] = change->undecided[1] = (double)NAN;
    return COSTAB_OK;
}
