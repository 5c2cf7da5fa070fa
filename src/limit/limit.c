/* Finds the intervals of one parameter with a stable coupling (docs/explanation/algorithms.md, Complete
 * limits).
 * 1. Division: the family may divide the range into first cells, on each of which its numbers are close to
 *    polynomials.
 * 2. Search (search.h): first of the co-simulation's map, then of A_mono, each into cells with verdicts.
 *  - Single values, such as multiples of micro steps, are evaluated one by one.
 *  - If the parameter does not affect A_mono, one value decides, unless rounding leaves it open.
 *  - Values whose map stores more than STORED_MAX delayed values remain undecided. If both ends of the range
 *    have more, the smaller of their numbers replaces STORED_MAX.
 * 3. Result: joins cells of one verdict and forms classes from both lists (pieces.h).
 * Cost: 100 to 2,000 eigenvalue problems. Limitation: the interpolation error is an estimate. */
#include <math.h>

#include "base/error.h"
#include "base/first_cells.h"
#include "base/memory.h"
#include "limit/cell.h"
#include "limit/limit.h"
#include "limit/pieces.h"

/* Default limit of the evaluations of one search: EVALUATIONS, or if that is more, the number of discrete
 * values, or EVALUATIONS_PER_CELL for each first cell if the family could bound its numbers on all of them.
 */
enum { EVALUATIONS = 50000, EVALUATIONS_PER_CELL = 32 };
/* Largest number of discrete values by default: each needs about a kilobyte. */
enum { PLACES = 1000000 };
/* Largest number of delayed values of a searched map. An eigenvalue problem with n values
 * costs n^3, and a delay of up to n macro steps gives n different maps to search, so the cost grows with the
 * fourth power of this number. */
#define STORED_MAX 128.0

const char *costab_spacing_name(costab_spacing spacing) {
    static const char *const names[] = {"linear", "log"};
    return (unsigned)spacing < sizeof names / sizeof *names ? names[spacing] : NULL;
}

const char *costab_end_name(costab_end end) {
    static const char *const names[COSTAB_END_COUNT] = {"limit",     "range", "ill-posed",
                                                        "undecided", "whole", "lost"};
    return (unsigned)end < COSTAB_END_COUNT ? names[end] : NULL;
}

void costab_limit_free(costab_limit *limit) {
    memory_free_all(limit->pieces, limit->discrete.items, limit->continuous.items);
    *limit = (costab_limit){.count = 0};
}

/* ---- Single values ---- */

/* Emits a cell with from = to for each value. Values are undecided once the evaluations are exhausted. */
static costab_status look_at_places(search *s, const costab_limit_options *options, costab_error *error) {
    for (size_t i = 0; i < options->place_count; i++) {
        double at = options->places[i];
        s->share = (double)i / (double)options->place_count;
        costab_cell found = {.from = at, .to = at, .reason = COSTAB_REASON_PLACE};
        if (sample_evaluations(s->cache) >= s->evaluations) {
            found.verdict = COSTAB_OUTCOME_UNDECIDED;
            found.reason = COSTAB_REASON_CAP;
        } else {
            const sample *p;
            TRY(sample_find(s->cache, at, &p, error));
            found.verdict = sample_outcome(p);
        }
        TRY(search_emit(s->cells, found, error));
    }
    return COSTAB_OK;
}

static costab_status intervals_of_cells(const costab_cells *cells, interval **intervals, size_t *count,
                                        costab_error *error) {
    *intervals = memory_alloc(cells->count + 1, sizeof **intervals);
    *count = 0;
    if (*intervals == NULL) return error_memory(error);
    for (size_t i = 0; i < cells->count; i++)
        (*intervals)[(*count)++] = (interval){cells->items[i].from,
                                              cells->items[i].to,
                                              cells->items[i].verdict,
                                              cells->items[i].reason,
                                              false,
                                              0};
    return COSTAB_OK;
}

/* Summarises a search. Map: the value closest to stability. Continuous system: its least abscissa, and the
 * common verdict of its cells. */
static void summarise_search(const search *s, costab_limit *limit) {
    double furthest = (double)NAN;
    bool guesses = false;
    const sample *nearest = s->cache != NULL ? sample_nearest(s->cache, &furthest, &guesses) : NULL;
    if (!s->continuous) {
        limit->nearest = nearest != NULL ? nearest->at : (double)NAN;
        limit->nearest_radius = 1 + furthest;
        limit->nearest_diverges = guesses;
        return;
    }
    bool sampled = nearest != NULL && nearest->span > 0;
    limit->least_abscissa = sampled ? log1p(furthest) / nearest->span : furthest;
    limit->continuous_class = s->cells->count > 0 ? s->cells->items[0].verdict : COSTAB_OUTCOME_UNDECIDED;
    for (size_t i = 1; i < s->cells->count; i++)
        if (s->cells->items[i].verdict != limit->continuous_class)
            limit->continuous_class = COSTAB_OUTCOME_UNDECIDED;
}

/* ---- One search ---- */

/* Emits one stable cell without a search, if the options declare the map or the continuous system stable. */
static costab_status leave_out(const costab_limit_options *options, costab_cells *cells, interval **intervals,
                               size_t *count, costab_error *error) {
    const costab_cell all = {.from = options->lower, .to = options->upper, .verdict = COSTAB_OUTCOME_STABLE};
    TRY(search_emit(cells, all, error));
    return intervals_of_cells(cells, intervals, count, error);
}

/* Emits one cell if the value at the lower end decides; otherwise nothing. */
static costab_status look_once(search *s, costab_error *error) {
    const sample *p;
    TRY(sample_find(s->cache, s->lower, &p, error));
    const costab_cell all = {.from = s->lower, .to = s->upper, .verdict = sample_outcome(p)};
    bool sure = all.verdict == COSTAB_OUTCOME_STABLE || all.verdict == COSTAB_OUTCOME_UNSTABLE;
    return sure ? search_emit(s->cells, all, error) : COSTAB_OK;
}

/* Cuts the range at maps with too many delayed values; a macro step towards 0, for example, needs ever more.
 * Moves that end of the search and emits the rest as undecided. */
static costab_status bound_delays(search *s, const costab_family *family, costab_error *error) {
    double few = s->lower, many = s->upper;
    if (s->continuous || family->stored == NULL) return COSTAB_OK;
    const double stored[2] = {family->stored(family->context, few), family->stored(family->context, many)};
    const double most = fmax(STORED_MAX, fmin(stored[0], stored[1]));
    if (stored[0] <= most && stored[1] <= most) return COSTAB_OK;
    double *end = stored[0] > most ? &s->lower : &s->upper;
    if (stored[0] > most) {
        few = s->upper;
        many = s->lower;
    }
    for (double middle = few + (many - few) / 2; middle != few && middle != many;
         middle = few + (many - few) / 2)
        *(family->stored(family->context, middle) <= most ? &few : &many) = middle;
    const costab_cell rest = {.from = fmin(few, *end),
                              .to = fmax(few, *end),
                              .verdict = COSTAB_OUTCOME_UNDECIDED,
                              .reason = COSTAB_REASON_DELAYS};
    *end = few;
    return search_emit(s->cells, rest, error);
}

static costab_status search_range(search *s, const costab_family *family, bool still, costab_error *error) {
    costab_status status = still && s->continuous ? look_once(s, error) : COSTAB_OK;
    if (status || s->cells->count > 0) return status;
    TRY(bound_delays(s, family, error));
    return search_run(s, decision_make, error);
}

static size_t default_evaluations(const costab_limit_options *options, const first_cells *first) {
    const size_t wanted = options->places != NULL     ? options->place_count
                          : first->open_entry == NULL ? EVALUATIONS_PER_CELL * first->count
                                                      : 0;
    return wanted > EVALUATIONS ? wanted : EVALUATIONS;
}

static costab_status search_one(const costab_family *family, const costab_limit_options *options,
                                const first_cells *first, bool continuous, costab_limit *limit,
                                interval **intervals, size_t *count, costab_error *error) {
    sample_options samples = {.family = family, .crew = options->crew, .continuous = continuous};
    *intervals = NULL;
    *count = 0;
    memory_local_array(search, s, 1, error);
    samples.ask = search_tell;
    samples.ask_context = s;
    s->lower = options->lower;
    s->upper = options->upper;
    s->continuous = continuous;
    s->logarithmic = options->spacing == COSTAB_SPACING_LOG;
    s->first = first;
    s->evaluations = options->evaluations > 0 ? options->evaluations : default_evaluations(options, first);
    s->cells = continuous ? &limit->continuous : &limit->discrete;
    s->first_end = options->first;
    s->progress = options->progress;
    s->progress_context = options->progress_context;
    s->evaluations_before = limit->evaluations;
    costab_status status = sample_cache_create(&samples, &s->cache, error);
    if (!status)
        status = options->places != NULL ? look_at_places(s, options, error)
                                         : search_range(s, family, options->still, error);
    if (!status && !sample_any_posed(s->cache) && sample_evaluations(s->cache) > 0) {
        const costab_error *failure = sample_first_failure(s->cache);
        status = error_set(error, failure->status, "%s", failure->message);
    }
    if (!status)
        status = options->places != NULL ? intervals_of_cells(s->cells, intervals, count, error)
                                         : pieces_intervals(s, intervals, count, error);
    if (s->cache != NULL)
        *(continuous ? &limit->continuous_evaluations : &limit->evaluations) = sample_evaluations(s->cache);
    summarise_search(s, limit);
    search_free(s);
    return status;
}

/* Divides the range into the family's first cells. */
static costab_status divide_range(const costab_family *family, const costab_limit_options *options,
                                  first_cells *first, costab_error *error) {
    const double range[2] = {options->lower, options->upper};
    if (family->divide != NULL && options->places == NULL)
        return family->divide(family->context, range, first, error);
    TRY(memory_make(&first->of, 1, error));
    first->of[0] = (first_cell){range[0], range[1], false};
    first->count = 1;
    return COSTAB_OK;
}

costab_status limit_check_range(double lower, double upper, costab_spacing spacing, costab_error *error) {
    if (!isfinite(lower) || !isfinite(upper) || !(lower < upper))
        return error_invalid(error, "the range %g:%g is empty or not finite; give LO:HI with LO < HI", lower,
                             upper);
    if (spacing == COSTAB_SPACING_LOG && !(lower > 0))
        return error_invalid(error,
                             "logarithmic spacing needs a range above 0, not %g:%g; begin above 0, or take "
                             "linear spacing",
                             lower, upper);
    return COSTAB_OK;
}

costab_status limit_find(const costab_family *family, const costab_limit_options *options,
                         costab_limit *limit, costab_error *error) {
    *limit = (costab_limit){.nearest = (double)NAN,
                            .nearest_radius = (double)NAN,
                            .least_abscissa = (double)NAN,
                            .continuous_class = COSTAB_OUTCOME_UNDECIDED};
    TRY(limit_check_range(options->lower, options->upper, options->spacing, error));
    if (options->evaluations == 0 && options->place_count > PLACES)
        return error_invalid(
            error, "the range %g:%g has %zu single values to try, more than %d; take a smaller range",
            options->lower, options->upper, options->place_count, PLACES);
    memory_local interval *discrete = NULL, *continuous = NULL;
    ends_by(first_cells_free) first_cells first = {.count = 0};
    size_t discrete_count = 0, continuous_count = 0;
    TRY(divide_range(family, options, &first, error));
    limit->unbounded = first.open_entry;
    limit->compared = first.compared;
    TRY((options->stable & COSTAB_FAMILY_MAP) != 0
            ? leave_out(options, &limit->discrete, &discrete, &discrete_count, error)
            : search_one(family, options, &first, false, limit, &discrete, &discrete_count, error));
    if ((options->stable & COSTAB_FAMILY_CONTINUOUS) != 0) {
        TRY(leave_out(options, &limit->continuous, &continuous, &continuous_count, error));
        limit->continuous_class = COSTAB_OUTCOME_STABLE;
    } else if (!options->first) {
        TRY(search_one(family, options, &first, true, limit, &continuous, &continuous_count, error));
    }
    return options->places != NULL
               ? pieces_of_places(discrete, continuous, discrete_count, limit, error)
               : pieces_combine(discrete, discrete_count, continuous, continuous_count, limit, error);
}
