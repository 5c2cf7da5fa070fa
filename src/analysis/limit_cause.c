/* Finds the cause of each end of a limit's intervals: margin_fill_cause (margin_blame.c) at each crossing.
 * 1. If the next interval starts at the same value and its co-simulation is equally stable, the continuous
 *    system passes its limit there; otherwise map or iteration.
 * 2. For single values (counts, multiples of micro steps) the class jumps from the last value of an
 *    interval to the next tried value (limit->found.discrete); the cause is determined there.
 * Cost and limitations: those of margin_fill_cause for each end. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/margin.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"

/* An end of an interval: side -1 its start, 1 its end. */
typedef struct piece_end {
    const costab_limit *limit;
    size_t piece;
    int side;
} piece_end;

static double value_of(const piece_end *end) {
    const costab_piece *piece = &end->limit->pieces[end->piece];
    return end->side < 0 ? piece->from : piece->to;
}

/* Returns true if the adjacent interval differs in the continuous system's class only. */
static bool is_continuous(const piece_end *end) {
    const uint8_t both = COSTAB_DISCRETE_STABLE | COSTAB_DISCRETE_NEUTRAL;
    const costab_limit *limit = end->limit;
    if (end->side < 0 ? end->piece == 0 : end->piece + 1 == limit->count) return false;
    const costab_piece *piece = &limit->pieces[end->piece], *next = piece + end->side;
    return next->class_code != COSTAB_CLASS_UNDECIDED &&
           value_of(end) == (end->side < 0 ? next->to : next->from) &&
           (piece->class_code & both) == (next->class_code & both);
}

/* Returns the next tried value beyond an end; NaN: none. */
static double next_value(const costab_cells *tried, double at, int side) {
    for (size_t k = 0; k < tried->count; k++) {
        double value = tried->items[side > 0 ? k : tried->count - 1 - k].from;
        if (side * (value - at) > 0) return value;
    }
    return (double)NAN;
}

/* Finds the cause of one end. `jumps`: the limit has single values. */
static costab_status find_cause(margin_quantity *quantity, const piece_end *end, bool jumps,
                                costab_limit_cause *cause, costab_error *error) {
    const costab_piece *piece = &end->limit->pieces[end->piece];
    costab_end is = end->side < 0 ? piece->from_is : piece->to_is;
    *cause = (costab_limit_cause){.frequency = (double)NAN, .blame = -1, .share = (double)NAN};
    margin_change change = {.found = true,
                            .jumps = jumps,
                            .value = value_of(end),
                            .measure = is_continuous(end) ? MARGIN_CONTINUOUS : MARGIN_DISCRETE};
    costab_margin row = {.side = end->side, .blame = -1, .frequency = (double)NAN, .share = (double)NAN};
    if (jumps) {
        quantity->nominal = change.value;
        change.value = next_value(&end->limit->discrete, change.value, end->side);
    }
    if (piece->class_code == COSTAB_CLASS_UNDECIDED || is == COSTAB_END_UNDECIDED || isnan(change.value) ||
        is == COSTAB_END_LOST || (is == COSTAB_END_RANGE && !jumps))
        return COSTAB_OK;
    if (is == COSTAB_END_ILL_POSED) {
        cause->cause = COSTAB_PASSES_ILL_POSED;
        return COSTAB_OK;
    }
    costab_status status = margin_fill_cause(quantity, &change, &row, error);
    *cause = (costab_limit_cause){row.cause, row.frequency, row.blame, row.share};
    memory_free(row.shares);
    return status;
}

costab_status analysis_limit_causes(const analysis_family *family, const costab_analysis_limit *limit,
                                    costab_limit_cause *causes, costab_error *error) {
    margin_quantity quantity = {
        .family = *family, .kind = COSTAB_MARGIN_PARAMETER, .number = family->parameter};
    costab_status status = margin_quantity_begin(&quantity, error);
    /* Long runs already checked the ends. */
    costab_model_instance_measure_briefly(family->instance, true);
    for (size_t i = 0; i < 2 * limit->found.count && !status; i++) {
        const piece_end end = {&limit->found, i / 2, i % 2 == 0 ? -1 : 1};
        status = find_cause(&quantity, &end, limit->single, &causes[i], error);
        if (!status && causes[i].blame >= 0 && family->alone > 0) causes[i].blame = family->alone - 1;
    }
    costab_model_instance_measure_briefly(family->instance, false);
    return margin_quantity_end(&quantity, status, error);
}

costab_status costab_model_limit_causes(const costab_variant *asked, int c, const char *parameter,
                                        const costab_analysis_limit_options *options,
                                        const costab_analysis_limit *limit, costab_limit_cause *causes,
                                        costab_error *error) {
    const double range[] = {options->lower, options->upper};
    ends_by(analysis_owned_family_free) analysis_owned_family owned = {.family = {.instance = NULL}};
    TRY(analysis_owned_family_make(&owned, asked, c, parameter, range, error));
    return analysis_limit_causes(&owned.family, limit, causes, error);
}
