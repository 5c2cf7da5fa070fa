/* Estimates the probability of stability at a point of a network sweep with uncertain parameters, and finds
 * the largest spectral radius of the samples.
 *   1. The samples are drawn once for all points: COSTAB_SCRAMBLINGS independent sets of low-discrepancy
 *      points (analysis/sobol.h), mapped by the inverse distributions.
 *   2. At a point each sample has its class, in lanes if the model allows it. The share of stable samples is
 *      the probability. The standard error is the scatter of the sets' shares over the root of their number,
 *      but at least one sample's share.
 *
 * Cost: a class per sample, or a spectral radius if worst_radius is requested. Limitations: the error is
 * estimated from 16 sets and is itself known to a fifth; an island of instability between the samples does
 * not enter the probability. */
#include <math.h>
#include <string.h>

#include "analysis/sobol.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "network/batch.h"
#include "study/network_study.h"
#include "sweep/run.h"

costab_status network_samples_make(network_study *study, const costab_model_instance *instance,
                                   costab_error *error) {
    const costab_spec *spec = study->base.spec;
    int count = spec->uncertain_count, each = spec->samples / COSTAB_SCRAMBLINGS;
    for (int u = 0; u < count; u++) {
        study->nominal[u] = costab_model_instance_value(instance, spec->uncertain[u].parameter);
        if (spec->uncertain[u].distribution == COSTAB_DISTRIBUTION_PART && study->nominal[u] == 0)
            return error_invalid(error,
                                 "%s: error: axes, %s: a share of its value 0 is 0; give "
                                 "{uncertain: {from: .., to: ..}}",
                                 spec->path, study->model->parameters[spec->uncertain[u].parameter].name);
    }
    TRY(memory_make(&study->samples, (size_t)spec->samples * (size_t)count, error));
    for (int i = 0; i < spec->samples; i++)
        for (int u = 0; u < count; u++)
            study->samples[i * count + u] =
                uncertain_value(&spec->uncertain[u], study->nominal[u],
                                sobol_coordinate(u, (uint32_t)(i % each), (uint32_t)(i / each)));
    return COSTAB_OK;
}

/* Evaluation of a point's samples. */
typedef struct sampling {
    const network_box *box;
    size_t coupling;
    double axes[COSTAB_SPEC_AXES_MAX]; /* values of the axes at the point */
    uint8_t *codes;                    /* class of each sample */
    double radius;                     /* largest spectral radius so far */
} sampling;

static void take_sample(sampling *s, size_t i, const costab_network_point *point) {
    s->codes[i] = point->class_code;
    if (!(point->spectral_radius <= s->radius)) s->radius = point->spectral_radius;
}

static void set_values(const network_box *b, const double *values) {
    const costab_spec *spec = b->study->base.spec;
    for (int u = 0; u < spec->uncertain_count; u++)
        costab_model_instance_set(b->worker->instance, spec->uncertain[u].parameter, values[u]);
}

static const double *sample_at(const network_study *study, size_t i) {
    return &study->samples[i * (size_t)study->base.spec->uncertain_count];
}

/* Analyses a sample in the scalar code. asked: the numbers of network/batch.h; 0: its class alone. */
static costab_status sample_alone(sampling *s, size_t i, unsigned asked, bool *failed, costab_error *error) {
    const network_box *b = s->box;
    costab_network_point point;
    if (costab_tile_stopped(b->tile)) return COSTAB_CANCELLED;
    set_values(b, sample_at(b->study, i));
    if (asked == 0) return network_worker_classify(b->worker, s->coupling, &s->codes[i], failed, error);
    TRY(network_worker_analyse(b->worker, s->coupling, &point, failed, error));
    if (!*failed) take_sample(s, i, &point);
    return COSTAB_OK;
}

/* Analyses `count` samples from the i-th on in lanes, then one by one the samples that lanes leave open. */
static costab_status sample_some(sampling *s, size_t i, int count, bool *failed, costab_error *error) {
    const network_box *b = s->box;
    const costab_spec *spec = b->study->base.spec;
    const unsigned asked = (spec->fields & COSTAB_NETWORK_WORST_RADIUS) != 0 ? NETWORK_OF_RADIUS : 0;
    costab_network_point points[LANES_MOST];
    bool decided[LANES_MOST] = {false};
    for (int l = 0; l < count && b->worker->lanes != NULL; l++) {
        network_lanes_set(b->worker, l, 0, s->axes, spec->axis_count);
        network_lanes_set(b->worker, l, spec->axis_count, sample_at(b->study, i + (size_t)l),
                          spec->uncertain_count);
    }
    if (b->worker->lanes == NULL || !network_lanes_run(b, s->coupling, count, asked, points, decided))
        memset(decided, 0, sizeof decided);
    for (int l = 0; l < count && !*failed; l++)
        if (!decided[l])
            TRY(sample_alone(s, i + (size_t)l, asked, failed, error));
        else if (asked != 0)
            take_sample(s, i + (size_t)l, &points[l]);
        else
            s->codes[i + (size_t)l] = points[l].class_code;
    return COSTAB_OK;
}

/* Computes the probability and its error from the classes of all samples. */
static void count_samples(const sampling *s, network_sampled *sampled) {
    int samples = s->box->study->base.spec->samples, each = samples / COSTAB_SCRAMBLINGS;
    double shares[COSTAB_SCRAMBLINGS];
    for (int k = 0; k < COSTAB_SCRAMBLINGS; k++) {
        int stable = 0;
        for (int i = 0; i < each; i++) stable += (s->codes[k * each + i] & COSTAB_DISCRETE_STABLE) != 0;
        shares[k] = (double)stable / each;
    }
    const costab_sampled found = sampled_share(shares, samples);
    sampled->probability = found.value;
    sampled->probability_error = found.error;
    sampled->worst_radius = s->radius;
}

costab_status network_worker_sample(const network_box *b, size_t coupling, network_sampled *sampled,
                                    bool *failed, costab_error *error) {
    const costab_spec *spec = b->study->base.spec;
    network_worker *worker = b->worker;
    sampling s = {.box = b, .coupling = coupling, .radius = -1};
    *sampled = (network_sampled){(double)NAN, (double)NAN, (double)NAN};
    if (worker->sample_codes == NULL) TRY(memory_make(&worker->sample_codes, (size_t)spec->samples, error));
    s.codes = worker->sample_codes;
    for (int k = 0; k < spec->axis_count; k++)
        s.axes[k] = costab_model_instance_value(worker->instance, spec->axis_parameters[k]);
    set_values(b, b->study->nominal); /* a parameter that was set no longer follows its formula */
    costab_status status = network_box_lanes(b, error);
    for (int k = 0; k < spec->axis_count; k++) /* network_box_lanes has changed them */
        costab_model_instance_set(worker->instance, spec->axis_parameters[k], s.axes[k]);
    const size_t samples = (size_t)spec->samples, width = (size_t)network_lanes_width(worker);
    for (size_t i = 0; i < samples && !status && !*failed; i += width)
        status = sample_some(&s, i, (int)(samples - i < width ? samples - i : width), failed, error);
    if (!status && !*failed) count_samples(&s, sampled);
    set_values(b, b->study->nominal);
    return status;
}
