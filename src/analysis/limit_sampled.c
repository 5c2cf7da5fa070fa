/* Limits of networks with a subsystem known only by the measured map of its own steps.
 * 1. Values. For the macro step, if the step of the solvers inside FMUs is known: all its multiples. If it is
 *    unknown and at least two of three macro steps (the upper end and two irrational parts of it) have no
 *    map, a solver's step is searched: the smallest of 1, 2 and 5 times powers of 10, over six decades, with
 *    a map, or the smallest of its fractions 1/10 to 1/2 with a map. Otherwise, and for more than
 *    MULTIPLES_MOST multiples of the step found: STUDY_SAMPLES values, equidistant (logarithmically in a
 *    positive range), refined as below; STUDY_CHEAP_SAMPLES if all share the same maps, as over a gain.
 * 2. Verdict at each value: stable, unstable, or undecided if the measurement fails or if the value is on the
 *    limit within its error; and the excess, ln(radius) of the map or of its iteration.
 * 3. Refinement: an interval next to an unmeasurable value is halved DEPTH_MOST times, since the verdict may
 *    change before it. An interval between equal verdicts is halved while the excess may pass 0 inside. This
 *    is possible unless both values are clearly (CURVATURE_FACTOR) further from 0 than the deviation of a
 *    curve with the local second differences from its chord. No interval becomes narrower than 1/2^DEPTH_MOST
 *    of the first ones.
 * 4. Ends: between neighbours of different verdicts, with up to NEUTRAL_MOST marginal values in between,
 *    Brent's method finds the root of the excess, up to the error of the maps (`rounding`). Next to undecided
 *    values the end is bisected to END_TOLERANCE. Multiples have no ends in between.
 * 5. Intervals: runs of one verdict.
 * FMUs are checked by long runs (fmu/measure.h) at roots and at every CHECKED_EACH-th value. Cost: a
 * measurement per value, about 6 per root and up to 20 per bisected end; up to 30 in the search for a step.
 * Limitation: misses intervals between two neighbours invisible
 * to second differences, and macro steps with a map that are not multiples of the step found. */
#include "analysis/limit_sampled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "limit/limit.h"
#include "method/root.h"
#include "model/instance.h"

/* Relative accuracy of ends next to undecided values. */
#define END_TOLERANCE 1e-6
/* Safety factor of second differences between their values. */
#define CURVATURE_FACTOR 4.0
/* Share of its error at which the excess counts as zero. */
#define END_SHARE 0.1
/* Excess of a map with zero eigenvalues only. */
#define EXCESS_LEAST (-50.0)
enum { EVALUATIONS_MAX = 60, DEPTH_MOST = 5, CHECKED_EACH = 10, NEUTRAL_MOST = 2, MULTIPLES_MOST = 1000 };

bool analysis_is_sampled(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind == COSTAB_SAMPLED) return true;
    return false;
}

typedef enum verdict { STABLE, UNSTABLE, UNDECIDED } verdict;

typedef struct sample {
    double value;
    verdict verdict;
    double excess, error; /* ln(radius), and its error bound; NaN if the value could not be measured */
} sample;

typedef struct sampler {
    const analysis_family *family;
    const costab_analysis_limit_options *options;
    costab_analysis_limit *limit;
    double *values; /* the first values, before the refinement */
    size_t count;
    bool single;     /* only these values are possible: multiples of a step */
    sample *samples; /* these values and those of the refinement, ascending */
    size_t sample_count;
    double done; /* completed share of the first values */
} sampler;

/* Records the value of the smallest radius, for results without a stable value. */
static void note_nearest(costab_limit *found, double value, const costab_network_point *point) {
    double radius = point->spectral_radius;
    bool diverges = point->iteration_radius > radius;
    if (diverges) radius = point->iteration_radius;
    if (isnan(radius) || !(isnan(found->nearest) || radius < found->nearest_radius)) return;
    found->nearest = value;
    found->nearest_radius = radius;
    found->nearest_diverges = diverges;
}

costab_status analysis_limit_analyse(const analysis_family *family, double value,
                                     costab_analysis_limit *limit, costab_network_point *point, bool *defined,
                                     costab_error *error) {
    costab_coupling coupling;
    costab_error why = {.message = ""};
    costab_status status = analysis_family_set(family, value, &coupling, &why);
    costab_network network = analysis_family_network(family);
    if (!status) status = costab_network_analyse(family->work, &network, &coupling, point, &why);
    if (error_ends_search(status)) return error_set(error, status, "%s", why.message);
    *defined = status == COSTAB_OK;
    char shown[NUMBER_SHOWN_MAX];
    if (status && limit->refusal[0] == '\0')
        (void)snprintf(limit->refusal, sizeof limit->refusal, "at %s: %.500s", number_shortest(value, shown),
                       why.message);
    return COSTAB_OK;
}

/* Returns ln of the decisive radius: the map's; of a stable value the larger of the map's and the
 * iteration's; the iteration's if that alone makes the value unstable. */
static double excess_of(const costab_network_point *point, verdict said) {
    const double beyond = point->beyond, iteration = point->iteration_radius;
    double excess = fabs(beyond) < 0.5 ? log1p(beyond) : log(point->spectral_radius);
    if ((said == STABLE && iteration < 1) || (said == UNSTABLE && beyond <= 0))
        excess = fmax(excess, log(iteration));
    return fmax(excess, EXCESS_LEAST);
}

/* Analyses one value. Undecided: the measurement fails, or the value is on the limit within its error.
 * `thorough`: with the long runs of FMUs. */
static costab_status take_sample(sampler *s, double value, bool thorough, sample *taken,
                                 costab_error *error) {
    costab_network_point point;
    bool defined;
    *taken = (sample){value, UNDECIDED, (double)NAN, (double)NAN};
    if (s->options->progress != NULL &&
        s->options->progress(s->options->progress_context, s->done, s->limit->found.evaluations))
        return error_set(error, COSTAB_CANCELLED, "the search was stopped");
    s->limit->found.evaluations++;
    costab_model_instance_measure_briefly(s->family->instance, !thorough);
    costab_status status = analysis_limit_analyse(s->family, value, s->limit, &point, &defined, error);
    costab_model_instance_measure_briefly(s->family->instance, false);
    if (status) return status;
    s->limit->refused += !defined;
    if (!defined) return COSTAB_OK;
    note_nearest(&s->limit->found, value, &point);
    if ((point.class_code & COSTAB_DISCRETE_STABLE) != 0)
        taken->verdict = STABLE;
    else if ((point.class_code & COSTAB_DISCRETE_NEUTRAL) == 0)
        taken->verdict = UNSTABLE;
    taken->excess = excess_of(&point, taken->verdict);
    taken->error = point.rounding;
    return COSTAB_OK;
}

/* ---- Refinement ---- */

static bool is_measured(const sample *at) {
    return !isnan(at->excess);
}

/* Returns the second divided difference of the excess at sample i; 0 unless both neighbours are measured. */
static double second_difference(const sampler *s, size_t i) {
    if (i == 0 || i + 1 >= s->sample_count) return 0;
    const sample *a = &s->samples[i - 1], *b = a + 1, *c = a + 2;
    if (!is_measured(a) || !is_measured(b) || !is_measured(c)) return 0;
    double left = (b->excess - a->excess) / (b->value - a->value);
    double right = (c->excess - b->excess) / (c->value - b->value);
    return (right - left) / (c->value - a->value);
}

/* Returns true if the interval between samples i and i + 1 must be halved: only one of the two is measured,
 * or both have the same verdict and the excess may pass 0 twice in between. */
static bool may_cross(const sampler *s, size_t i) {
    const sample *a = &s->samples[i], *b = a + 1;
    if (is_measured(a) != is_measured(b)) return true;
    if (a->verdict != b->verdict || a->verdict == UNDECIDED) return false;
    double width = b->value - a->value;
    double curvature = fmax(fabs(second_difference(s, i)), fabs(second_difference(s, i + 1)));
    double departs = CURVATURE_FACTOR * curvature * width * width / 4;
    return departs >= fmin(fabs(a->excess), fabs(b->excess));
}

/* Inserts the middles of all intervals to be refined, at most DEPTH_MOST times. */
static costab_status refine(sampler *s, costab_error *error) {
    for (int depth = 0; depth < DEPTH_MOST; depth++) {
        memory_local_array(bool, halved, s->sample_count + 1, error);
        memory_local_array(sample, finer, 2 * s->sample_count + 1, error);
        size_t count = 0;
        for (size_t i = 0; i + 1 < s->sample_count; i++) halved[i] = may_cross(s, i);
        for (size_t i = 0; i < s->sample_count; i++) {
            finer[count++] = s->samples[i];
            if (i + 1 == s->sample_count || !halved[i]) continue;
            double low = s->samples[i].value, high = s->samples[i + 1].value;
            double middle = s->options->lower > 0 ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
            TRY(take_sample(s, middle, false, &finer[count++], error));
        }
        bool refined = count > s->sample_count;
        sample *grown = memory_resize(s->samples, count + 1, sizeof *grown);
        if (grown == NULL) return error_memory(error);
        s->samples = grown;
        memcpy(grown, finer, count * sizeof *finer);
        s->sample_count = count;
        if (!refined) break;
    }
    return COSTAB_OK;
}

/* Returns the number of consecutive samples from i on that are on the limit within their errors. */
static size_t count_neutral(const sampler *s, size_t i) {
    size_t count = 0;
    while (i + count < s->sample_count && s->samples[i + count].verdict == UNDECIDED &&
           is_measured(&s->samples[i + count]))
        count++;
    return count;
}

/* Drops a few marginal samples between a stable and an unstable one; the end is then searched between these
 * two. */
static void drop_neutral(sampler *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->sample_count; i++) {
        size_t run = count_neutral(s, i), next = i + run;
        bool inside = run > 0 && run <= NEUTRAL_MOST && kept > 0 && next < s->sample_count;
        verdict before = inside ? s->samples[kept - 1].verdict : UNDECIDED;
        if (before != UNDECIDED && s->samples[next].verdict == (before == STABLE ? UNSTABLE : STABLE))
            i = next;
        s->samples[kept++] = s->samples[i];
    }
    s->sample_count = kept;
}

/* ---- Ends ---- */

/* Finds the root of the excess between a stable and an unstable sample, up to the error of the map. */
static costab_status find_root(sampler *s, const sample *low, const sample *high, double *end,
                               costab_error *error) {
    const double ends[2] = {low->value, high->value}, values[2] = {low->excess, high->excess};
    root r = root_start(ends, values);
    sample now = *low;
    double bracket[2];
    for (int i = 0; i < EVALUATIONS_MAX && root_next(&r, end); i++) {
        TRY(take_sample(s, *end, false, &now, error));
        if (!is_measured(&now)) break;
        root_set_value(&r, now.excess);
        if (fabs(now.excess) <= END_SHARE * now.error) break;
    }
    root_get_bracket(&r, bracket, (double[2]){0});
    double slope = (high->excess - low->excess) / (high->value - low->value);
    double off = is_measured(&now) ? now.error / fabs(slope) : bracket[1] - bracket[0];
    s->limit->end_error = fmax(s->limit->end_error, off);
    return COSTAB_OK;
}

/* Bisects the end of the lower sample's verdict if one of two samples is undecided. */
static costab_status bisect_end(sampler *s, double low, double high, verdict at_low, double *end,
                                costab_error *error) {
    for (int i = 0; i < EVALUATIONS_MAX && high - low > END_TOLERANCE * fabs(high); i++) {
        double middle = low + (high - low) / 2;
        sample now;
        TRY(take_sample(s, middle, false, &now, error));
        *(now.verdict == at_low ? &low : &high) = middle;
    }
    *end = low + (high - low) / 2;
    s->limit->end_error = fmax(s->limit->end_error, (high - low) / 2);
    return COSTAB_OK;
}

/* Finds the end between two samples of different verdicts. *checked: false if the long run at a root cannot
 * be measured. */
static costab_status find_end(sampler *s, const sample *low, const sample *high, double *end, bool *checked,
                              costab_error *error) {
    sample at;
    *checked = true;
    if (low->verdict == UNDECIDED || high->verdict == UNDECIDED)
        return bisect_end(s, low->value, high->value, low->verdict, end, error);
    TRY(find_root(s, low, high, end, error));
    TRY(take_sample(s, *end, true, &at, error));
    *checked = is_measured(&at);
    return COSTAB_OK;
}

/* ---- Intervals ---- */

/* Creates the interval of a run of samples of one verdict. */
static costab_piece piece_of(const sample *first, double to) {
    return (costab_piece){.from = first->value,
                          .to = to,
                          .from_is = COSTAB_END_RANGE,
                          .to_is = COSTAB_END_RANGE,
                          .class_code = first->verdict == STABLE ? COSTAB_XS : COSTAB_CLASS_UNDECIDED};
}

static void add_undecided(costab_limit *found, const sample *first, const costab_piece *piece) {
    bool measured = is_measured(first);
    if (first->verdict == UNDECIDED)
        found->undecided[measured ? COSTAB_REASON_ROUNDING : COSTAB_REASON_ILL_POSED] +=
            piece->to - piece->from;
}

/* Combines samples into intervals; `roots`: ends are searched between samples instead of taken from them. */
static costab_status make_pieces(sampler *s, bool roots, costab_limit *found, costab_error *error) {
    memory_free(found->pieces);
    found->count = 0;
    memset(found->undecided, 0, sizeof found->undecided);
    TRY(memory_make(&found->pieces, s->sample_count + 1, error));
    const sample *first = s->samples;
    costab_piece now = piece_of(first, first->value);
    for (size_t i = 1; i <= s->sample_count; i++) {
        const sample *last = &s->samples[i - 1], *next = &s->samples[i];
        bool ended = i == s->sample_count || next->verdict != first->verdict, checked = true;
        if (!ended) continue;
        costab_piece later = i < s->sample_count ? piece_of(next, next->value) : now;
        now.to = last->value;
        if (i < s->sample_count && roots && !s->single) {
            TRY(find_end(s, last, next, &now.to, &checked, error));
            later.from = now.to;
        }
        if (i < s->sample_count) {
            bool undecided = last->verdict == UNDECIDED || next->verdict == UNDECIDED || !checked;
            now.to_is = later.from_is = undecided ? COSTAB_END_UNDECIDED : COSTAB_END_LIMIT;
        }
        if (first->verdict != UNSTABLE) found->pieces[found->count++] = now;
        add_undecided(found, first, &now);
        first = next;
        now = later;
    }
    return COSTAB_OK;
}

/* ---- Values ---- */

static double sample_at(const costab_analysis_limit_options *options, size_t i, size_t count) {
    double share = (double)i / (double)(count - 1), from = options->lower, to = options->upper;
    if (i == 0) return from;
    if (i == count - 1) return to;
    return from > 0 ? from * pow(to / from, share) : from + (to - from) * share;
}

/* Returns the network at a value with the steps of solvers instead of measured maps; false if the parameter
 * is not the macro step, or if no solver's step is known. */
static bool with_own_steps(const sampler *s, double value, costab_subsystem *list, costab_network *network,
                           costab_coupling *coupling) {
    costab_error ignored;
    bool any = false;
    if (analysis_family_set(s->family, value, coupling, &ignored) != COSTAB_OK) return false;
    *network = analysis_family_network(s->family);
    memcpy(list, network->subsystems, (size_t)network->subsystem_count * sizeof *list);
    for (int i = 0; i < network->subsystem_count; i++) {
        if (list[i].method.kind != COSTAB_SAMPLED) continue;
        any = any || list[i].own_step > 0;
        list[i].method.kind = COSTAB_EXACT;
        list[i].stepper = NULL;
        list[i].rise = NULL;
        list[i].substeps = list[i].own_step > 0 ? 0 : 1;
        list[i].step = list[i].own_step;
    }
    network->subsystems = list;
    network->structure_version = 0;
    return any && coupling->macro_step == value;
}

/* Returns true if the network has a map at a macro step. */
static bool has_map(const sampler *s, double value) {
    costab_coupling coupling;
    costab_error ignored;
    return analysis_family_set(s->family, value, &coupling, &ignored) == COSTAB_OK &&
           coupling.macro_step == value;
}

/* Searches a step such that only its multiples have maps, the step of a solver inside. Returns 0 if there is
 * none. */
static double search_own_step(const sampler *s, double lower, double upper) {
    static const double digits[] = {1, 2, 5};
    enum { DECADES = 6, PARTS = 10 };
    const double golden = 0.618033988749895;
    double found = 0, first = upper * golden, second = first * golden * 1.01;
    if (!(lower > 0) || has_map(s, upper) + has_map(s, first) + has_map(s, second) > 1) return 0;
    for (int d = 0, power = (int)floor(log10(upper)); d < DECADES; d++, power--)
        for (int i = 2; i >= 0; i--) {
            double step = digits[i] * pow(10, power);
            if (step <= upper && has_map(s, step)) found = step;
        }
    for (int part = PARTS; part > 1 && found > 0; part--)
        if (has_map(s, found / part)) return found / part;
    return found;
}

/* Lists the multiples of a step in the range; returns false if there are none, or too many. */
static bool take_multiples(sampler *s, double step, double lower, double upper) {
    const double slack = 1e-9, first = ceil(lower / step * (1 - slack)),
                 last = floor(upper / step * (1 + slack));
    if (!(step > 0 && last >= first && last - first < MULTIPLES_MOST)) return false;
    s->count = (size_t)(last - first) + 1;
    s->values = memory_alloc(s->count, sizeof *s->values);
    for (size_t i = 0; i < s->count && s->values != NULL; i++) s->values[i] = (first + (double)i) * step;
    return s->values != NULL;
}

/* Lists the multiples of the solvers' own steps in the range, if known or found; otherwise samples it. */
static costab_status choose_values(sampler *s, const costab_analysis_limit_options *options,
                                   costab_error *error) {
    double range[2] = {options->lower, options->upper};
    costab_network network = analysis_family_network(s->family);
    costab_coupling coupling = {.macro_step = 0}; /* stays 0 if the upper end has no map */
    int denominator;
    memory_local_array(costab_subsystem, list, (size_t)network.subsystem_count + 1, error);
    s->single = with_own_steps(s, range[1], list, &network, &coupling);
    coupling.micro_steps = COSTAB_WHOLE;
    if (s->single) TRY(limit_places(&network, &coupling, range, &s->values, &s->count, &denominator, error));
    if (!s->single && (coupling.macro_step == 0 || coupling.macro_step == range[1])) {
        double step = search_own_step(s, range[0], range[1]);
        s->single = take_multiples(s, step, range[0], range[1]);
        if (s->single) s->limit->own_step = step;
    }
    if (!s->single) {
        bool measures = costab_model_instance_measures(s->family->instance, s->family->parameter);
        s->count = measures ? STUDY_SAMPLES : STUDY_CHEAP_SAMPLES;
        TRY(memory_make(&s->values, s->count, error));
        for (size_t i = 0; i < s->count; i++) s->values[i] = sample_at(options, i, s->count);
    }
    return COSTAB_OK;
}

/* Analyses all values. Discrete neighbours of different verdicts are checked by long runs. */
static costab_status take_all(sampler *s, costab_error *error) {
    TRY(memory_make(&s->samples, s->count + 1, error));
    s->sample_count = s->count;
    for (size_t i = 0; i < s->count; i++) {
        bool thorough = i % CHECKED_EACH == 0 || i + 1 == s->count;
        s->done = (double)i / (double)s->count;
        TRY(take_sample(s, s->values[i], thorough, &s->samples[i], error));
    }
    for (size_t i = 1; i < s->count && s->single; i++) {
        if (s->samples[i - 1].verdict == s->samples[i].verdict) continue;
        for (size_t k = i - 1; k <= i; k++)
            if (is_measured(&s->samples[k])) TRY(take_sample(s, s->values[k], true, &s->samples[k], error));
    }
    return COSTAB_OK;
}

/* Reports the result of the first values early, if requested. */
static costab_status report_coarse(sampler *s, costab_error *error) {
    if (s->options->coarse == NULL) return COSTAB_OK;
    TRY(make_pieces(s, false, &s->limit->found, error));
    s->options->coarse(s->options->progress_context, &s->limit->found, s->count);
    return COSTAB_OK;
}

/* Stores single values with their verdicts, as the complete search does. */
static costab_status list_single(sampler *s, costab_cells *cells, costab_error *error) {
    static const costab_outcome outcomes[] = {[STABLE] = COSTAB_OUTCOME_STABLE,
                                              [UNSTABLE] = COSTAB_OUTCOME_UNSTABLE,
                                              [UNDECIDED] = COSTAB_OUTCOME_UNDECIDED};
    TRY(memory_reserve(&cells->items, &cells->capacity, s->sample_count, error));
    for (size_t i = 0; i < s->sample_count; i++) {
        const sample *at = &s->samples[i];
        cells->items[cells->count++] =
            (costab_cell){at->value, at->value, outcomes[at->verdict], COSTAB_REASON_PLACE};
    }
    return COSTAB_OK;
}

static costab_status search_all(sampler *s, costab_error *error) {
    TRY(choose_values(s, s->options, error));
    TRY(take_all(s, error));
    if (!s->single) {
        TRY(report_coarse(s, error));
        TRY(refine(s, error));
    }
    s->limit->single = s->single;
    *(s->single ? &s->limit->values : &s->limit->sampled) = s->sample_count;
    if (s->single) TRY(list_single(s, &s->limit->found.discrete, error));
    if (!s->single) drop_neutral(s);
    return make_pieces(s, true, &s->limit->found, error);
}

costab_status analysis_limit_sampled(const analysis_family *family,
                                     const costab_analysis_limit_options *options,
                                     costab_analysis_limit *limit, costab_error *error) {
    sampler s = {.family = family, .options = options, .limit = limit};
    limit->found.nearest = limit->found.nearest_radius = limit->found.least_abscissa = (double)NAN;
    limit->found.continuous_class = COSTAB_OUTCOME_UNDECIDED;
    costab_status status = search_all(&s, error);
    memory_free_all(s.values, s.samples);
    return status;
}
