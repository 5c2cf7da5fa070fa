/* The effect of uncertain parameters on a model's stability, in total and individually.
 * 1. Samples: low-discrepancy points with two coordinates per parameter, in COSTAB_SCRAMBLINGS scramblings,
 *    mapped by the inverse distributions. A and B are the halves of their coordinates.
 * 2. Probability: the mean of f(A). f is 1 if the co-simulation is stable, otherwise 0, also for an
 *    overflowing map.
 * 3. Share of a parameter alone: A' is A with the parameter's values from B. The share is the mean of (f(B) -
 *    mean) (f(A') - f(A)) divided by the variance of f (A. Saltelli et al., Computer Physics Communications
 *    181, 2010).
 * 4. Errors: the scatter of the scramblings divided by the root of their number.
 * Cost: parameters + 2 classifications per sample. Limitation: islands between the samples are missed; joint
 * effects of parameters are in no share. */
#include <math.h>

#include "analysis/analysis.h"
#include "analysis/sobol.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "costab/margin.h"

_Static_assert(2 * COSTAB_UNCERTAIN_MAX <= SOBOL_DIMENSIONS, "two halves");

/* Creates and classifies samples. */
typedef struct sampler {
    analysis_variant variant;
    analysis_family family;
    const costab_uncertainty_options *options; /* borrowed */
    double nominal[COSTAB_UNCERTAIN_MAX];      /* model's own values of the uncertain parameters */
} sampler;

/* Classifies the i-th sample of one scrambling: A, with the values of parameter `other` (-1: none; count:
 * all) from B. */
static costab_status is_stable(sampler *s, int i, int scrambling, int other, double *stable,
                               costab_error *error) {
    uint8_t code;
    costab_coupling coupling;
    int count = s->options->uncertain_count;
    for (int u = 0; u < count; u++) {
        bool of_b = other == u || other == count;
        double share = sobol_coordinate(u + (of_b ? count : 0), (uint32_t)i, (uint32_t)scrambling);
        double value = uncertain_value(&s->options->uncertain[u], s->nominal[u], share);
        costab_model_instance_set(s->family.instance, s->options->uncertain[u].parameter, value);
    }
    TRY(costab_model_instance_update(s->family.instance, error));
    coupling = analysis_family_coupling(&s->family);
    costab_network network = analysis_family_network(&s->family);
    costab_status status = costab_network_classify(s->family.work, &network, &coupling, &code, error);
    *stable = !status && (code & COSTAB_DISCRETE_STABLE) != 0;
    return status == COSTAB_NUMERIC ? COSTAB_OK : status;
}

/* Sums over one scrambling, exact because f is 0 or 1; A' is A with the values of one parameter from B. */
typedef struct sums {
    double a;                                /* of f(A) */
    double both;                             /* of f(A) + f(B) */
    double change[COSTAB_UNCERTAIN_MAX];     /* of f(A') - f(A), for each parameter */
    double covariance[COSTAB_UNCERTAIN_MAX]; /* of f(B) (f(A') - f(A)), for each parameter */
} sums;

static costab_status find_sums(sampler *s, int scrambling, sums *sum, costab_error *error) {
    int count = s->options->uncertain_count, each = s->options->samples / COSTAB_SCRAMBLINGS;
    *sum = (sums){.a = 0};
    for (int i = 0; i < each; i++) {
        double a = 0, b = 0, moved = 0;
        if (s->options->progress != NULL &&
            s->options->progress(s->options->progress_context, (size_t)(scrambling * each + i),
                                 (size_t)s->options->samples))
            return error_set(error, COSTAB_CANCELLED, "the samples were cancelled");
        TRY(is_stable(s, i, scrambling, -1, &a, error));
        TRY(is_stable(s, i, scrambling, count, &b, error));
        sum->a += a;
        sum->both += a + b;
        for (int u = 0; u < count; u++) {
            TRY(is_stable(s, i, scrambling, u, &moved, error));
            sum->change[u] += moved - a;
            sum->covariance[u] += b * (moved - a);
        }
    }
    return COSTAB_OK;
}

/* Computes the probability and the shares from the sums of all scramblings. */
static void set_shares(const sampler *s, const sums all[COSTAB_SCRAMBLINGS], costab_uncertainty *found) {
    double values[COSTAB_SCRAMBLINGS], both = 0;
    const double each = (double)s->options->samples / COSTAB_SCRAMBLINGS;
    for (int k = 0; k < COSTAB_SCRAMBLINGS; k++) both += all[k].both;
    for (int k = 0; k < COSTAB_SCRAMBLINGS; k++) values[k] = all[k].a / each;
    const double mean = both / (2 * (double)s->options->samples), variance = mean * (1 - mean);
    found->probability = sampled_share(values, s->options->samples);
    for (int u = 0; u < s->options->uncertain_count; u++) {
        for (int k = 0; k < COSTAB_SCRAMBLINGS; k++)
            values[k] = (all[k].covariance[u] - mean * all[k].change[u]) / (each * variance);
        found->alone[u] = sampled_mean(values);
    }
}

static costab_status open_sampler(sampler *s, const costab_variant *variant, int coupling,
                                  costab_error *error) {
    TRY(analysis_variant_make(&s->variant, variant, error));
    TRY(analysis_variant_has(&s->variant, coupling, error));
    TRY(analysis_variant_instance(&s->variant, &s->family.instance, error));
    TRY(costab_network_work_create(&s->family.work, error));
    s->family = analysis_variant_family(&s->variant, s->family.instance, s->family.work, coupling);
    for (int u = 0; u < s->options->uncertain_count; u++) {
        int parameter = s->options->uncertain[u].parameter;
        if (parameter < 0 || parameter >= s->variant.model->parameter_count)
            return error_invalid(error, "the model has %d parameters; parameter %d does not exist",
                                 s->variant.model->parameter_count, parameter);
        s->nominal[u] = costab_model_instance_value(s->family.instance, parameter);
        if (s->options->uncertain[u].distribution == COSTAB_DISTRIBUTION_PART && s->nominal[u] == 0)
            return error_invalid(error,
                                 "'%s' is 0, and so is any share of it; give its distribution in numbers, "
                                 "or leave it out",
                                 s->variant.model->parameters[parameter].name);
    }
    return COSTAB_OK;
}

costab_status costab_uncertainty_find(const costab_variant *variant, int coupling,
                                      const costab_uncertainty_options *options, costab_uncertainty *found,
                                      costab_error *error) {
    sampler s = {.options = options};
    sums all[COSTAB_SCRAMBLINGS];
    *found = (costab_uncertainty){.probability = {(double)NAN, (double)NAN}};
    if (options->uncertain_count < 1 || options->uncertain_count > COSTAB_UNCERTAIN_MAX)
        return error_invalid(error, "%d uncertain parameters; expected 1 to %d", options->uncertain_count,
                             COSTAB_UNCERTAIN_MAX);
    for (int i = 0; i < options->uncertain_count; i++) {
        const costab_uncertain *u = &options->uncertain[i];
        if (u->distribution == COSTAB_DISTRIBUTION_RANGE
                ? !(u->first < u->second && isfinite(u->second - u->first))
            : u->distribution == COSTAB_DISTRIBUTION_NORMAL ? !(u->second > 0)
                                                            : !(u->first > 0))
            return error_invalid(
                error,
                "uncertain parameters: expected a share above 0, a range whose ends ascend, or a deviation above 0");
    }
    if (options->samples < COSTAB_SCRAMBLINGS || options->samples % COSTAB_SCRAMBLINGS != 0)
        return error_invalid(error, "%d samples; expected a multiple of %d", options->samples,
                             COSTAB_SCRAMBLINGS);
    costab_status status = open_sampler(&s, variant, coupling, error);
    for (int k = 0; k < COSTAB_SCRAMBLINGS && !status; k++) status = find_sums(&s, k, &all[k], error);
    if (!status) set_shares(&s, all, found);
    costab_network_work_destroy(&s.family.work);
    costab_model_instance_destroy(&s.family.instance);
    analysis_variant_free(&s.variant);
    return status;
}
