/* Limits of networks in which a subsystem is known by the measured map of its own steps only.
 *   1. Which values of the parameter are tried. Of the macro step, where the steps of the solvers inside
 *      FMUs are known: all multiples of these. Where they are not known, and two arbitrary macro steps
 *      have no map: a solver's step is searched, the smallest of 1, 2 and 5 times powers of 10 that has a
 *      map, or the smallest whole part of it that has one. Else STUDY_SAMPLES values, equidistant (in the
 *      logarithm, where the range is above 0).
 *   2. The verdict at each value: stable, unstable, or undecided where nothing can be measured.
 *   3. Between neighbours that differ the end is bisected to END_TOLERANCE; not between multiples.
 *   4. Runs of one verdict are the answer's pieces.
 * Cost: a measurement per value, and some 30 per end. Not guaranteed: a piece between two neighbours is
 * missed, and macro steps that have a map though they are no multiples of the step that was found. */
#include "study/limit_sampled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* Ends are bisected to this, relative. */
#define END_TOLERANCE 1e-12
enum { BISECTIONS_MAX = 60 };

bool study_is_sampled(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind == COSTAB_SAMPLED) return true;
    return false;
}

typedef enum verdict { STABLE, UNSTABLE, UNDECIDED } verdict;

typedef struct sampler {
    const costab_study_family *family;
    costab_study_limit *limit;
    double *values; /* that are tried */
    size_t count;
    bool single; /* there are no others */
} sampler;

/* Remembers the value of the smallest radius, for answers without a stable value. */
static void note_nearest(costab_limit *found, double value, const costab_network_point *point) {
    double radius = point->spectral_radius;
    bool diverges = point->iteration_radius > radius;
    if (diverges) radius = point->iteration_radius;
    if (isnan(radius) || !(isnan(found->nearest) || radius < found->nearest_radius)) return;
    found->nearest = value;
    found->nearest_radius = radius;
    found->nearest_diverges = diverges;
}

costab_status study_limit_analyse(const costab_study_family *family, double value, costab_study_limit *limit,
                                  costab_network_point *point, bool *defined, costab_error *error) {
    costab_coupling coupling;
    costab_error why = {.message = ""};
    costab_status status = costab_study_family_set(family, value, &coupling, &why);
    costab_network network = costab_study_family_network(family);
    if (!status) status = costab_network_analyse(family->work, &network, &coupling, point, &why);
    if (error_ends_search(status)) return error_set(error, status, "%s", why.message);
    *defined = status == COSTAB_OK;
    char shown[NUMBER_SHOWN_MAX];
    if (status && limit->refusal[0] == '\0')
        (void)snprintf(limit->refusal, sizeof limit->refusal, "at %s: %.500s", number_shortest(value, shown),
                       why.message);
    return COSTAB_OK;
}

/* The verdict at one value. What cannot be measured there, or lies on the limit within the measurement's
 * error, is undecided. */
static costab_status verdict_at(sampler *s, double value, verdict *said, costab_error *error) {
    costab_network_point point;
    bool defined;
    *said = UNDECIDED;
    s->limit->found.evaluations++;
    TRY(study_limit_analyse(s->family, value, s->limit, &point, &defined, error));
    s->limit->refused += !defined;
    if (!defined) return COSTAB_OK;
    note_nearest(&s->limit->found, value, &point);
    if ((point.class_code & COSTAB_DISCRETE_STABLE) != 0)
        *said = STABLE;
    else if ((point.class_code & COSTAB_DISCRETE_NEUTRAL) == 0)
        *said = UNSTABLE;
    return COSTAB_OK;
}

/* The place between `low` and `high`, of different verdicts, up to which the verdict of `low` holds. */
static costab_status bisect_end(sampler *s, double low, double high, verdict at_low, double *end,
                                costab_error *error) {
    for (int i = 0; i < BISECTIONS_MAX && high - low > END_TOLERANCE * fabs(high); i++) {
        double middle = low + (high - low) / 2;
        verdict said;
        TRY(verdict_at(s, middle, &said, error));
        *(said == at_low ? &low : &high) = middle;
    }
    *end = low + (high - low) / 2;
    return COSTAB_OK;
}

static costab_end end_next_to(verdict beside) {
    return beside == UNDECIDED ? COSTAB_END_UNDECIDED : COSTAB_END_LIMIT;
}

/* Ends of runs of one verdict: run i lies between ends[2 i] and ends[2 i + 1]. */
static void make_pieces(costab_limit *found, const verdict *runs, const double *ends, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (runs[i] == UNSTABLE) continue;
        costab_piece *piece = &found->pieces[found->count++];
        *piece = (costab_piece){.from = ends[2 * i],
                                .to = ends[2 * i + 1],
                                .from_is = i == 0 ? COSTAB_END_RANGE : end_next_to(runs[i - 1]),
                                .to_is = i + 1 == count ? COSTAB_END_RANGE : end_next_to(runs[i + 1]),
                                .class_code = runs[i] == STABLE ? COSTAB_XS : COSTAB_CLASS_UNDECIDED};
        if (runs[i] == UNDECIDED) found->undecided[COSTAB_REASON_ILL_POSED] += piece->to - piece->from;
    }
}

static double sample_at(const costab_study_limit_options *options, size_t i) {
    double share = (double)i / (STUDY_SAMPLES - 1), from = options->lower, to = options->upper;
    if (i == 0) return from;
    if (i == STUDY_SAMPLES - 1) return to;
    return from > 0 ? from * pow(to / from, share) : from + (to - from) * share;
}

/* The network at a value of the parameter, with the steps of solvers in place of measured maps; false where
 * the parameter is not the macro step, or no solver's step is known. */
static bool with_own_steps(const sampler *s, double value, costab_subsystem *list, costab_network *network,
                           costab_coupling *coupling) {
    costab_error ignored;
    bool any = false;
    if (costab_study_family_set(s->family, value, coupling, &ignored) != COSTAB_OK) return false;
    *network = costab_study_family_network(s->family);
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
    return any && coupling->macro_step == value;
}

/* Whether the network has a map at a macro step. */
static bool has_map(const sampler *s, double value) {
    costab_coupling coupling;
    costab_error ignored;
    return costab_study_family_set(s->family, value, &coupling, &ignored) == COSTAB_OK &&
           coupling.macro_step == value;
}

/* A step whose multiples, and no other macro steps, have maps: a solver inside takes it. 0: there is none. */
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

/* The multiples of a step in the range; false where there are none, or more than would be tried without. */
static bool take_multiples(sampler *s, double step, double lower, double upper) {
    const double slack = 1e-9, first = ceil(lower / step * (1 - slack)),
                 last = floor(upper / step * (1 + slack));
    if (!(step > 0 && last >= first && last - first < STUDY_SAMPLES)) return false;
    s->count = (size_t)(last - first) + 1;
    s->values = memory_alloc(s->count, sizeof *s->values);
    for (size_t i = 0; i < s->count && s->values != NULL; i++) s->values[i] = (first + (double)i) * step;
    return s->values != NULL;
}

/* The multiples of the solvers' own steps in the range, where these are known or found; else samples of it.
 */
static costab_status choose_values(sampler *s, const costab_study_limit_options *options,
                                   costab_error *error) {
    double range[2] = {options->lower, options->upper};
    costab_network network = costab_study_family_network(s->family);
    costab_coupling coupling = {.macro_step = 0}; /* it stays 0 where the upper end has no map */
    int denominator;
    memory_local_array(costab_subsystem, list, (size_t)network.subsystem_count + 1, error);
    s->single = with_own_steps(s, range[1], list, &network, &coupling);
    coupling.micro_steps = COSTAB_WHOLE;
    if (s->single)
        TRY(costab_limit_places(&network, &coupling, range, &s->values, &s->count, &denominator, error));
    if (!s->single && (coupling.macro_step == 0 || coupling.macro_step == range[1])) {
        double step = search_own_step(s, range[0], range[1]);
        s->single = take_multiples(s, step, range[0], range[1]);
        if (s->single) s->limit->own_step = step;
    }
    if (!s->single) {
        TRY(memory_make(&s->values, STUDY_SAMPLES, error));
        s->count = STUDY_SAMPLES;
        for (size_t i = 0; i < STUDY_SAMPLES; i++) s->values[i] = sample_at(options, i);
    }
    return COSTAB_OK;
}

/* The verdicts at all values, as runs: values next to each other with the same verdict. */
static costab_status verdicts_of_all(sampler *s, const costab_study_limit_options *options, verdict *runs,
                                     double *ends, size_t *count, costab_error *error) {
    verdict last = UNDECIDED;
    for (size_t i = 0; i < s->count; i++) {
        double value = s->values[i];
        verdict now;
        TRY(verdict_at(s, value, &now, error));
        if (i == 0) {
            runs[0] = now;
            ends[0] = value;
            *count = 1;
        } else if (now != last) {
            ends[2 * *count] = value;
            if (!s->single) TRY(bisect_end(s, s->values[i - 1], value, last, &ends[2 * *count], error));
            ends[2 * *count - 1] = s->single ? s->values[i - 1] : ends[2 * *count];
            runs[(*count)++] = now;
        }
        last = now;
        if (options->progress != NULL &&
            options->progress(options->progress_context, (double)i / (double)s->count,
                              s->limit->found.evaluations))
            return error_set(error, COSTAB_CANCELLED, "the search was stopped");
    }
    if (*count > 0) ends[2 * *count - 1] = s->single ? s->values[s->count - 1] : options->upper;
    return COSTAB_OK;
}

costab_status study_limit_sampled(const costab_study_family *family,
                                  const costab_study_limit_options *options, costab_study_limit *limit,
                                  costab_error *error) {
    sampler s = {.family = family, .limit = limit};
    size_t count = 0;
    limit->found.nearest = limit->found.nearest_radius = limit->found.least_abscissa = (double)NAN;
    limit->found.continuous_class = COSTAB_OUTCOME_UNDECIDED;
    costab_status status = choose_values(&s, options, error);
    memory_local verdict *runs = memory_alloc(s.count + 1, sizeof *runs);
    memory_local double *ends = memory_alloc(2 * s.count + 2, sizeof *ends);
    limit->found.pieces = memory_alloc(s.count + 1, sizeof *limit->found.pieces);
    if (s.single) limit->values = s.count;
    if (!s.single) limit->sampled = s.count;
    limit->single = s.single;
    if (!status && (runs == NULL || ends == NULL || limit->found.pieces == NULL))
        status = error_memory(error);
    if (!status) status = verdicts_of_all(&s, options, runs, ends, &count, error);
    if (!status) make_pieces(&limit->found, runs, ends, count);
    memory_free(s.values);
    return status;
}
