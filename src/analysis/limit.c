/* Limits of a model's parameter, for all kinds of models and parameters.
 * 1. With FMUs for co-simulation, values are sampled, and ends found by Brent's method (limit_sampled.c).
 * 2. Single values, from micro steps or counts (single_values.c), are classified one by one.
 * 3. Otherwise the complete search of the module limit (docs/explanation/algorithms.md, Complete limits)
 *    covers the values with an operating point, found below.
 * Sampled results are incomplete. The complete search relies on an estimate of the interpolation error
 * (costab/limit.h). The result records which applies. */
#include <math.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "analysis/crew.h"
#include "analysis/limit_sampled.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/analysis.h"
#include "limit/limit.h"
#include "model/body.h"
#include "model/instance.h"

/* ---- Operating points ----
 * Finds the values of a parameter with an operating point of the network (costab_model_instance_unsolved).
 * 1. Inside value: the model's own, or the middle of the longest sequence with an operating point among
 *    VALUES + 1 equidistant values. It becomes the start of all later continuations.
 * 2. Scan: equidistant values from there towards each end of the range, up to the first one without a point.
 *    Points are followed continuously, so values beyond have none either.
 * 3. End: bisected between two values to BISECTION of the range, and rounded to a decimal of ten to a hundred
 *    times that width. The branch turns back there; it is not followed around the fold.
 * 4. Margin: near a fold eigenvalues vary like the square root of the distance, so the last MARGIN of the
 *    range takes the adjacent class.
 * Cost: VALUES + 1 updates, twice as many if the model's own value has no point, and about 40 per end.
 * Limitation: may miss a gap between two of the values if the parameter line jumps over it (model/rest.c). */

enum { VALUES = 64 };
#define BISECTION 1e-13
#define MARGIN    1e-10

/* *has: the network has an operating point at a value, or fails for another reason, which the search then
 * reports. [out] reason: why it has none. */
static costab_status has_point(const analysis_family *family, double value, char reason[400], bool *has,
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

static costab_status find_inside(const analysis_family *family, const double range[2], char reason[400],
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
        return error_invalid(error, "the range contains no operating point: %s", reason);
    TRY(has_point(family, *inside, reason, &found, error));
    costab_model_instance_anchor(family->instance);
    return COSTAB_OK;
}

/* Rounds to the known decimals. */
static double rounded(double value, double width) {
    const double power = pow(10, floor(-log10(10 * BISECTION * width)));
    const double at = rint(value * power) / power;
    return isfinite(at) ? at : value;
}

/* Bisects the end of the values with a point between `with` and `without`. */
static costab_status bisect(const analysis_family *family, double with, double without, double width,
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

static costab_status find_end(const analysis_family *family, double inside, int end,
                              costab_analysis_limit *limit, const double range[2], costab_error *error) {
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

/* Moves the ends of `range` to the last values with an operating point. limit->lost records the moved ends,
 * limit->lost_reason the reasons. The instance is left at a value with an operating point, which its copies
 * for workers require. Returns COSTAB_INVALID if no value with an operating point is found. */
static costab_status cut_to_operating_points(const analysis_family *family, costab_analysis_limit *limit,
                                             double range[2], costab_error *error) {
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

/* Marks the ends of intervals at ends of the range beyond which there is no operating point. */
static void mark_lost_ends(costab_analysis_limit *limit, const double range[2]) {
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

/* ---- Limits ---- */

/* Creates the family of each worker; [out] *own: the families' data, to be freed. */
static costab_status crew_for(const analysis_family *family, int threads, analysis_crew *crew,
                              analysis_family **own, costab_error *error) {
    TRY(analysis_crew_make(family->instance, threads, crew, error));
    TRY(memory_make(own, (size_t)crew->of.size + 1, error));
    for (int w = 0; w < crew->of.size; w++) {
        (*own)[w] = *family;
        (*own)[w].instance = crew->workers[w].instance;
        (*own)[w].work = crew->workers[w].work;
        crew->families[w] = analysis_family_of(&(*own)[w]);
    }
    return COSTAB_OK;
}

/* Counts single values without a defined model, and records the reason for the first. */
static costab_status count_undefined(const analysis_family *family, costab_analysis_limit *limit,
                                     costab_error *error) {
    const costab_cells *cells = &limit->found.discrete;
    costab_network_point point;
    bool defined;
    for (size_t i = 0; i < cells->count; i++)
        if (cells->items[i].verdict == COSTAB_OUTCOME_ILL_POSED && limit->refused++ == 0)
            TRY(analysis_limit_analyse(family, cells->items[i].from, limit, &point, &defined, error));
    return COSTAB_OK;
}

/* Marks the ends of intervals of tried values. An end with an unstable neighbour is no limit: of other values
 * than counts, the limit may be anywhere between the two. */
static void mark_neighbours(costab_analysis_limit *limit) {
    for (size_t i = 0; i < limit->found.count; i++) {
        costab_piece *piece = &limit->found.pieces[i];
        if (piece->from_is == COSTAB_END_LIMIT) piece->from_is = COSTAB_END_WHOLE;
        if (piece->to_is == COSTAB_END_LIMIT) piece->to_is = COSTAB_END_WHOLE;
    }
}

costab_status analysis_limit_find(const analysis_family *family, const costab_analysis_limit_options *options,
                                  costab_analysis_limit *limit, costab_error *error) {
    analysis_family copy = *family;
    costab_family maps = analysis_family_of(&copy);
    costab_limit_options asked = {.lower = options->lower,
                                  .upper = options->upper,
                                  .evaluations = options->evaluations,
                                  .progress = options->progress,
                                  .progress_context = options->progress_context,
                                  .spacing = options->spacing};
    ends_by(analysis_values_free) analysis_values values = {.at = NULL};
    double range[2] = {options->lower, options->upper};
    ends_by(analysis_crew_free) analysis_crew crew = {.workers = NULL};
    memory_local analysis_family *own = NULL;
    *limit = (costab_analysis_limit){.denominator = 1, .threads = 1};
    TRY(limit_check_range(options->lower, options->upper, options->spacing, error));
    costab_network network = analysis_family_network(family);
    if (analysis_is_sampled(&network)) {
        TRY(analysis_limit_sampled(family, options, limit, error));
        if (limit->single) mark_neighbours(limit);
        return COSTAB_OK;
    }
    TRY(analysis_values_find(family, range, &values, error));
    if (values.at == NULL) TRY(cut_to_operating_points(family, limit, range, error));
    asked.lower = range[0];
    asked.upper = range[1];
    if (values.at == NULL) TRY(crew_for(family, options->threads, &crew, &own, error));
    asked.places = values.at;
    asked.place_count = limit->values = values.count;
    limit->single = values.at != NULL;
    limit->whole = values.whole;
    limit->denominator = values.denominator;
    asked.crew = &crew.of;
    asked.first = options->first && values.at == NULL;
    asked.stable = values.at == NULL ? options->stable : 0;
    asked.still = !costab_model_instance_shapes(family->instance, family->parameter);
    if (crew.of.size > 1) limit->threads = crew.of.size;
    TRY(limit_find(&maps, &asked, &limit->found, error));
    mark_lost_ends(limit, range);
    if (limit->single) TRY(count_undefined(family, limit, error));
    if (limit->single) mark_neighbours(limit);
    return COSTAB_OK;
}

void costab_limit_tried(const costab_analysis_limit *limit, const char *parameter,
                        char words[COSTAB_TRIED_MAX]) {
    const size_t size = COSTAB_TRIED_MAX, count = limit->values;
    words[0] = '\0';
    if (!limit->single) return;
    if (limit->whole)
        (void)text_format(words, size, "%s: each of the %zu whole numbers of the range", parameter, count);
    else if (limit->own_step > 0)
        (void)text_format(words, size,
                          "%s: the %zu multiples of %.9g, the only ones that the solver in the FMU accepted; "
                          "write 'step: %.9g' in the subsystem",
                          parameter, count, limit->own_step, limit->own_step);
    else if (limit->denominator == 0)
        (void)text_format(words, size,
                          "%s: the %zu values at which macro step and sample time are whole multiples of one "
                          "another; others were not tried",
                          parameter, count);
    else if (limit->denominator == 1)
        (void)text_format(words, size,
                          "%s: each of the %zu values at which every subsystem takes a whole number of micro "
                          "steps between exchanges; others are not defined",
                          parameter, count);
    else
        (void)text_format(words, size,
                          "%s: the %zu values at which macro step over micro step is p/q with q up to %d; "
                          "others were not tried",
                          parameter, count, limit->denominator);
}

costab_status costab_model_limit(const costab_variant *asked, int c, const char *parameter,
                                 const costab_analysis_limit_options *options, costab_analysis_limit *limit,
                                 costab_error *error) {
    const double range[] = {options->lower, options->upper};
    ends_by(analysis_owned_family_free) analysis_owned_family owned = {.family = {.instance = NULL}};
    *limit = (costab_analysis_limit){.denominator = 1};
    TRY(analysis_owned_family_make(&owned, asked, c, parameter, range, error));
    return analysis_limit_find(&owned.family, options, limit, error);
}
