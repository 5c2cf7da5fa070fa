/* Recommends a coupling and gives the reason.
 * 1. Choice: among the settled couplings within ADVISE_WINS times the least cost, the simplest: fewest
 *    sweeps (newton counts more than any fixed number, an iteration to convergence most), then no solved
 *    algebraic loop, least memory, no smoothing, listed order, lowest degrees; among equals the cheaper.
 * 2. Reason for the end of its macro steps: the range, an error limit, a subsystem's stand-alone limit
 *    (own.c), or the coupling.
 * 3. For a stand-alone limit, reports the limits with 2, 4 and 10 times as many micro steps of that
 *    subsystem.
 * Cost: three limits in the last case, otherwise none. The 5 per cent are a convention. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/analysis.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "limit/limit.h"

/* ---- Simplicity ---- */

enum { MEASURES = 6 };

/* Relative difference of equal costs, twice the resolution of the macro steps; the first in the list is then
 * taken. */
#define SAME_COST 2e-3

/* Fills sweeps, solved algebraic loops, memory of the master, smoothing, order and degree, most important
 * first; less is simpler. */
static void measure(const costab_coupling *k, int memory, int measures[MEASURES]) {
    measures[0] = k->scheme != COSTAB_ITERATED     ? 1
                  : k->iterations == COSTAB_NEWTON ? INT_MAX - 1
                  : k->iterations == 0             ? INT_MAX
                                                   : k->iterations;
    measures[1] = k->feedthrough == COSTAB_SOLVED;
    measures[2] = memory;
    measures[3] = k->smoothed;
    measures[4] = k->scheme == COSTAB_GAUSS_SEIDEL && k->order != NULL;
    measures[5] = (int)k->interpolation + (int)k->extrapolation + (int)k->predictor;
}

int advise_compare_simplicity(const costab_coupling *a, int memory_a, const costab_coupling *b,
                              int memory_b) {
    int one[MEASURES], other[MEASURES];
    measure(a, memory_a, one);
    measure(b, memory_b, other);
    for (int i = 0; i < MEASURES; i++)
        if (one[i] != other[i]) return one[i] < other[i] ? -1 : 1;
    return 0;
}

static bool is_simpler(const advise_candidate *c, const advise_candidate *than) {
    int order = advise_compare_simplicity(&c->choices, c->memory, &than->choices, than->memory);
    if (order != 0) return order < 0;
    return c->least_cost < than->least_cost * (1 - SAME_COST);
}

static const advise_candidate *cheapest(const adviser *a) {
    const advise_candidate *least = NULL;
    for (size_t i = 0; i < a->count; i++) {
        const advise_candidate *c = &a->candidates[i];
        if (c->settled && c->least_cost < (double)INFINITY &&
            (least == NULL || c->least_cost < least->least_cost))
            least = c;
    }
    return least;
}

advise_candidate *advise_best(const adviser *a) {
    const advise_candidate *least = cheapest(a);
    advise_candidate *best = NULL;
    for (size_t i = 0; least != NULL && i < a->count; i++) {
        advise_candidate *c = &a->candidates[i];
        if (!c->settled || !(c->least_cost <= ADVISE_WINS * least->least_cost)) continue;
        if (best == NULL || is_simpler(c, best)) best = c;
    }
    return best;
}

static int by_cost(const void *left, const void *right) {
    const costab_advice_row *a = &((const advise_candidate *)left)->row,
                            *b = &((const advise_candidate *)right)->row;
    if (a->recommended != b->recommended) return a->recommended ? -1 : 1;
    if (isnan(a->cost) != isnan(b->cost)) return isnan(a->cost) ? 1 : -1;
    if (!isnan(a->cost) && a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    /* At equal cost: the larger stable interval, then the first in the list, which starts with simple
     * ones. */
    if (!isnan(a->cost) && a->stable_to != b->stable_to) return a->stable_to > b->stable_to ? -1 : 1;
    return a->listed < b->listed ? -1 : a->listed > b->listed;
}

/* ---- Limiting factor ---- */

/* Returns true if the coupling is stable up to the largest macro step of the range. */
static bool reaches_end(const adviser *a, const advise_candidate *c, double stable_to) {
    return stable_to >= advise_largest_step(c, a->options->upper);
}

/* Returns true if the co-simulation is stable at a macro step, but the system is not. */
static bool hides_instability(const costab_advice_row *row, double H) {
    for (size_t i = 0; i < row->interval_count; i++)
        if (row->intervals[i].from <= H && H <= row->intervals[i].to)
            return row->intervals[i].class_code == COSTAB_US;
    return false;
}

static void find_limit(const adviser *a, advise_candidate *c) {
    costab_advice_row *row = &c->row;
    if (isnan(row->stable_to)) return;
    const costab_own_end *own = costab_own_limit_at(&a->own, row->stable_to, true);
    if (c->shortest_refused <= row->stable_to) {
        row->limited_by = COSTAB_LIMITED_ACCURACY;
    } else if (reaches_end(a, c, row->stable_to) || row->accurate_to >= a->options->until) {
        row->limited_by = COSTAB_LIMITED_RANGE;
    } else if (own != NULL) {
        row->limited_by = COSTAB_LIMITED_OWN;
        row->own = own->subsystem;
    } else {
        row->limited_by = COSTAB_LIMITED_COUPLING;
    }
}

/* ---- More micro steps ---- */

/* The family of a coupling with `times` as many micro steps of one subsystem. */
typedef struct lifted {
    analysis_family family;
    int subsystem, times;
    costab_subsystem *subsystems;
} lifted;

static costab_status lifted_at(void *context, double value, unsigned wanted, costab_family_point *point,
                               costab_error *error) {
    const lifted *l = context;
    costab_coupling coupling;
    TRY(analysis_family_set(&l->family, value, &coupling, error));
    costab_network network = analysis_family_network(&l->family);
    memcpy(l->subsystems, network.subsystems, (size_t)network.subsystem_count * sizeof *l->subsystems);
    l->subsystems[l->subsystem].substeps *= l->times;
    network.structure_version = 0;
    network.subsystems = l->subsystems;
    return network_family_point(l->family.work, &network, &coupling, wanted, point, error);
}

static costab_status divide(void *context, const double range[2], struct first_cells *cells,
                            costab_error *error) {
    lifted *l = context;
    return analysis_family_of(&l->family).divide(&l->family, range, cells, error);
}

/* Writes " (tried: 2 times as many reach 668.5, 4 times 823.1, 10 times 823.1)". */
static costab_status say_lifted(adviser *a, const advise_candidate *c, const costab_advice_row *row,
                                text *said, costab_error *error) {
    static const int times[] = {2, 4, 10};
    lifted l = {.family = advise_family(a, c), .subsystem = row->own};
    costab_network network = analysis_family_network(&l.family);
    if (network.subsystems[row->own].substeps == 0) return COSTAB_OK;
    memory_local_array(costab_subsystem, copies, (size_t)network.subsystem_count, error);
    l.subsystems = copies;
    double most = 0;
    char to[NUMBER_SHOWN_MAX];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const costab_limit_options options = {.lower = a->options->lower,
                                              .upper = a->options->upper,
                                              .places = c->values.at,
                                              .place_count = c->values.count};
        ends_by(costab_limit_free) costab_limit limit = {.count = 0};
        l.times = times[i];
        TRY(limit_find(&(costab_family){.at = lifted_at, .context = &l, .divide = divide}, &options, &limit,
                       error));
        double reach = advise_stable_to(&limit, advise_smallest_step(c, options.lower));
        text_printf(said, i == 0 ? " (tried: %d times as many reach %s s" : ", %d times %s s", l.times,
                    number_rounded(reach, NUMBER_LIMIT_DIGITS, -1, to));
        most = fmax(most, reach);
    }
    text_append(said, most > row->stable_to ? ")" : ": with these the coupling itself ends there)");
    return COSTAB_OK;
}

/* ---- The recommendation ---- */

enum { STEP_SHOWN_MAX = NUMBER_SHOWN_MAX + 2 };

/* Writes a macro step in seconds: of single values with all digits, because others are not defined. */
static const char *step_text(const advise_candidate *c, double H, char shown[STEP_SHOWN_MAX]) {
    char number[NUMBER_SHOWN_MAX];
    if (c->values.at == NULL)
        (void)text_format(shown, STEP_SHOWN_MAX, "%s s", number_rounded(H, NUMBER_LIMIT_DIGITS, -1, number));
    else
        (void)text_format(shown, STEP_SHOWN_MAX, "%.15g s", H);
    return shown;
}

static void say_errors(const costab_advise_options *o, const advise_candidate *c,
                       const costab_advice_row *row, text *said) {
    const costab_advise_error *one = &o->errors[0];
    char to[STEP_SHOWN_MAX];
    step_text(c, row->accurate_to, to);
    if (o->error_count > 1)
        text_printf(said, ", and its errors stay within those allowed up to %s", to);
    else
        text_printf(said, ", and its error%s%s stays within %.4g%s up to %s",
                    one->signal != NULL ? " of " : "", one->signal != NULL ? one->signal : "",
                    one->error * (one->relative ? 100 : 1), one->relative ? " %" : "", to);
}

static costab_status say_limit(adviser *a, const advise_candidate *c, const costab_advice_row *row,
                               bool ended, text *said, costab_error *error) {
    const costab_advise_options *o = a->options;
    const costab_own_end *own = costab_own_limit_at(&a->own, row->stable_to, true);
    const char *const which = c->values.at != NULL ? " at the tried values" : "";
    char to[STEP_SHOWN_MAX];
    if (reaches_end(a, c, row->stable_to))
        text_printf(said, "; it is stable%s up to the range's end", which);
    else
        text_printf(said, "; it is stable%s up to %s", which, step_text(c, row->stable_to, to));
    if (hides_instability(row, row->step)) text_append(said, ", where it hides an instability of the system");
    if (o->error_count > 0) say_errors(o, c, row, said);
    if (row->limited_by != COSTAB_LIMITED_OWN || own == NULL) return COSTAB_OK;
    char sentence[COSTAB_OWN_SENTENCE_MAX];
    const analysis_family family = advise_family(a, c);
    TRY(costab_own_sentence(&family, costab_model_parameter_unit(a->variant.model, a->parameter), own,
                            costab_own_limit_equal(own, row->stable_to), sentence, error));
    text_printf(said, "; %s", sentence);
    return ended ? COSTAB_OK : say_lifted(a, c, row, said, error);
}

static costab_status say_best(adviser *a, advise_candidate *best, const costab_advice *advice, bool ended,
                              text *said, costab_error *error) {
    const costab_advise_options *o = a->options;
    const costab_advice_row *row = &advice->rows[0];
    const advise_candidate *least = cheapest(a);
    size_t usable = 0, unknown = 0;
    for (size_t i = 0; i < a->count; i++) {
        usable += a->candidates[i].least_cost < (double)INFINITY;
        unknown += !a->candidates[i].limited;
    }
    char step[STEP_SHOWN_MAX];
    text_printf(said, "%s %s with %s = %s%s: that costs %.4g subsystem steps per simulated second",
                ended ? "Best so far, before the end of the comparison: take" : "Take", row->name,
                o->parameter, step_text(best, row->step, step),
                o->error_count > 0 ? "" : " at most, better less", row->cost);
    if (least != best && best->least_cost <= least->least_cost * (1 + SAME_COST))
        text_printf(said, ", within %.2g %% of the least, and it is the simplest of those that cost this",
                    100 * SAME_COST);
    else if (least != best)
        text_printf(said, ", the simplest within 5 %% of %s with %.4g",
                    a->variant.couplings[least->row.listed].name, least->least_cost);
    else if (usable > 1)
        text_printf(said, ", the least of %zu couplings%s", unknown > 0 ? a->count : usable,
                    unknown > 0 ? "" : " that can be used");
    return say_limit(a, best, row, ended, said, error);
}

static costab_status say_why(adviser *a, advise_candidate *best, bool ended, costab_advice *advice,
                             costab_error *error) {
    const costab_advise_options *o = a->options;
    text said = {0};
    costab_status status = COSTAB_OK;
    size_t stable = 0;
    char none[64] = "No coupling";
    if (advice->count != 1) snprintf(none, sizeof none, "None of the %zu couplings", advice->count);
    if (best != NULL) {
        status = say_best(a, best, advice, ended, &said, error);
        text_append(&said, ".");
    } else if (ended) {
        for (size_t i = 0; i < a->count; i++)
            if (!isnan(a->candidates[i].row.stable_to)) stable++;
        text_printf(&said, "%s was found to be %s so far", none,
                    stable > 0 && o->error_count > 0 ? "accurate enough" : "stable");
        if (stable > 0)
            text_printf(&said, ", though %zu are stable at %s = %.6g s", stable, o->parameter, o->lower);
        text_append(&said, ": give it more time, or fewer couplings.");
    } else {
        text_printf(&said, "%s is stable%s at %s = %.6g s: %s.", none,
                    o->error_count > 0 ? " and accurate enough" : "", o->parameter, o->lower,
                    o->error_count > 0 ? "start the range at a smaller value, or allow a larger error"
                                       : "take a smaller value, or find stable values with `limit`");
    }
    advice->sentence = said.data; /* freed with the advice */
    return !status && said.failed ? error_memory(error) : status;
}

void advise_sort(adviser *a) {
    const advise_candidate *best = advise_best(a);
    for (size_t i = 0; i < a->count; i++) {
        advise_candidate *c = &a->candidates[i];
        c->row.recommended = c == best;
        c->row.cost = c->settled && c->least_cost < (double)INFINITY ? c->least_cost : (double)NAN;
    }
    if (a->count > 0) qsort(a->candidates, a->count, sizeof *a->candidates, by_cost);
}

costab_status advise_rank(adviser *a, bool ended, costab_advice *advice, costab_error *error) {
    advise_candidate *best = a->count > 0 && a->candidates[0].row.recommended ? &a->candidates[0] : NULL;
    TRY(memory_make(&advice->rows, a->count + 1, error));
    for (size_t i = 0; i < a->count; i++) {
        advise_candidate *c = &a->candidates[i];
        find_limit(a, c);
        advice->rows[advice->count++] = c->row;
        c->row.name = NULL; /* owned by the advice */
        c->row.intervals = NULL;
    }
    return say_why(a, best, ended, advice, error);
}
