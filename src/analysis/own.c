/* Stand-alone limits: intervals on which the solver of a single subsystem with inputs 0 is stable.
 *
 * The map of a single subsystem is a network of one subsystem without connections, so the complete search of
 * limits applies unchanged. A coupling changes only a subsystem's inputs. Beyond its stand-alone limit only
 * feedback from other subsystems can stabilise it, with less effect at longer macro steps.
 *
 * Cost: one limit per subsystem. */
#include <math.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "analysis/limit_sampled.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/instance.h"

/* An end of a coupling's limit is attributed to a stand-alone limit if it is beyond that or at most NEAR
 * (relative) before it. At most SAME apart, both count as equal. */
#define NEAR 0.1
#define SAME 1e-6

void costab_own_limits_free(costab_own_limits *limits) {
    memory_free(limits->ends);
    *limits = (costab_own_limits){.count = 0};
}

costab_status costab_own_limits_asked(const analysis_family *family, int subsystem, bool *asked,
                                      costab_error *error) {
    analysis_family alone = *family;
    costab_network_point point;
    costab_error why;
    alone.alone = subsystem + 1;
    costab_network network = analysis_family_network(&alone);
    costab_coupling coupling = analysis_family_coupling(&alone);
    *asked = analysis_is_sampled(&network);
    if (*asked || network.subsystems[0].method.kind == COSTAB_DISCRETE || network.subsystems[0].states == 0)
        return COSTAB_OK;
    costab_status status = costab_network_analyse(family->work, &network, &coupling, &point, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    *asked = !status && point.neutral < network.subsystems[0].states &&
             (point.class_code & COSTAB_CONTINUOUS_STABLE) != 0;
    return COSTAB_OK;
}

/* Relative uncertainty of a limit at a double eigenvalue, accurate to the root of rounding only. */
#define SLIVER 1e-5

bool costab_limit_ends(const costab_limit *found, size_t piece, bool upper) {
    const costab_piece *at = &found->pieces[piece];
    costab_end is = upper ? at->to_is : at->from_is;
    if (is != COSTAB_END_UNDECIDED) return is == COSTAB_END_LIMIT;
    if (upper ? piece + 1 >= found->count : piece == 0) return false;
    const costab_piece *next = upper ? at + 1 : at - 1;
    double place = upper ? at->to : at->from, far = upper ? next->to : next->from;
    return next->class_code == COSTAB_CLASS_UNDECIDED && fabs(far - place) <= SLIVER * fabs(place) &&
           (upper ? next->to_is : next->from_is) == COSTAB_END_LIMIT;
}

/* Returns true if the interval with this index exists, is decided and contains `value`. */
static bool continues(const costab_limit *found, size_t piece, double value) {
    const costab_piece *at = piece < found->count ? &found->pieces[piece] : NULL;
    return at != NULL && at->class_code != COSTAB_CLASS_UNDECIDED && at->from <= value && at->to >= value;
}

/* Adds the ends of one subsystem's stable intervals; a marginally stable neighbour continues an interval. */
static costab_status add_ends(costab_own_limits *limits, int subsystem, const costab_limit *found,
                              costab_error *error) {
    for (size_t i = 0; i < 2 * found->count; i++) {
        const costab_piece *piece = &found->pieces[i / 2];
        bool upper = i % 2 == 1, stable = piece->class_code != COSTAB_CLASS_UNDECIDED &&
                                          (piece->class_code & COSTAB_DISCRETE_STABLE) != 0;
        double value = upper ? piece->to : piece->from;
        if (!stable || !costab_limit_ends(found, i / 2, upper)) continue;
        if (upper && continues(found, i / 2 + 1, value)) continue;
        if (!upper && i / 2 > 0 && continues(found, i / 2 - 1, value)) continue;
        costab_own_end *grown = memory_resize(limits->ends, limits->count + 1, sizeof *grown);
        if (grown == NULL) return error_memory(error);
        limits->ends = grown;
        limits->ends[limits->count++] = (costab_own_end){subsystem, upper, value};
    }
    return COSTAB_OK;
}

costab_status costab_own_limits_find(const analysis_family *family,
                                     const costab_analysis_limit_options *options, costab_own_limits *limits,
                                     costab_error *error) {
    const costab_network *network = costab_model_instance_network(family->instance);
    costab_analysis_limit_options each = *options;
    *limits = (costab_own_limits){.count = 0};
    each.stable = COSTAB_FAMILY_CONTINUOUS;
    for (int s = 0; s < network->subsystem_count; s++) {
        analysis_family alone = *family;
        ends_by(analysis_limit_free) costab_analysis_limit limit = {.single = false};
        bool asked;
        alone.alone = s + 1;
        TRY(costab_own_limits_asked(family, s, &asked, error));
        if (!asked) continue;
        TRY(analysis_limit_find(&alone, &each, &limit, error));
        if (!limit.single) TRY(add_ends(limits, s, &limit.found, error));
    }
    return COSTAB_OK;
}

const costab_own_end *costab_own_limit_at(const costab_own_limits *limits, double end, bool upper) {
    const costab_own_end *nearest = NULL;
    for (size_t i = 0; i < limits->count; i++) {
        const costab_own_end *own = &limits->ends[i];
        double past = upper ? end - own->value : own->value - end;
        if (own->upper != upper || past < -NEAR * fabs(own->value)) continue;
        if (nearest == NULL || fabs(own->value - end) < fabs(nearest->value - end)) nearest = own;
    }
    return nearest;
}

bool costab_own_limit_equal(const costab_own_end *own, double end) {
    return fabs(own->value - end) <= SAME * fabs(own->value);
}

costab_status costab_own_sentence(const analysis_family *family, const char *unit, const costab_own_end *end,
                                  bool equal, char sentence[COSTAB_OWN_SENTENCE_MAX], costab_error *error) {
    const double kept = costab_model_instance_value(family->instance, family->parameter),
                 beyond = end->value + (end->upper ? SLIVER : -SLIVER) * fabs(end->value);
    char steps[64], at[NUMBER_SHOWN_MAX];
    costab_coupling unused;
    bool stable = false; /* the subsystem itself, beyond the end */
    if (analysis_family_set(family, beyond, &unused, NULL) == COSTAB_OK)
        TRY(costab_own_limits_asked(family, end->subsystem, &stable, error));
    (void)analysis_family_set(family, kept, &unused, NULL);
    const costab_subsystem *s = &costab_model_instance_network(family->instance)->subsystems[end->subsystem];
    const char *remedy = !stable           ? "the subsystem itself is unstable beyond"
                         : s->substeps > 0 ? "more micro steps lift this"
                                           : "shorter ones lift this";
    if (s->substeps > 0)
        (void)snprintf(steps, sizeof steps, "%d micro step%s", s->substeps, s->substeps == 1 ? "" : "s");
    else
        (void)snprintf(steps, sizeof steps, "micro steps of a fixed length");
    (void)snprintf(
        sentence, COSTAB_OWN_SENTENCE_MAX,
        "%.120s's own solver, %.40s with %s, %s at %.60s = %s%s%.60s: %s%s", s->name,
        s->method.kind == COSTAB_SAMPLED ? "an FMU's" : s->method.name, steps, end->upper ? "ends" : "begins",
        model_instance_model(family->instance)->parameters[family->parameter].name,
        number_rounded(end->value, NUMBER_LIMIT_DIGITS, end->upper ? -1 : 1, at), unit != NULL ? " " : "",
        unit != NULL ? unit : "", remedy, equal && stable ? "; no coupling will" : "");
    return COSTAB_OK;
}
