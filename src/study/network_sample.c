/* What is uncertain at a point of a network sweep:
 *
 *   1. The samples are drawn once, for all points: COSTAB_SCRAMBLINGS independent sets of low-discrepancy
 *      points (study/sobol.h), mapped by the inverse distributions.
 *   2. At a point each sample has its class, in lanes where the model is for them. The share of stable ones
 *      is the probability; the scatter of the sets' shares over the root of their number its standard error,
 *      at least one sample's share.
 *   3. The worst class: an unstable sample shows that the box is not stable. Where all are stable, the box
 *      is searched completely: one parameter as limits are, two by certified rectangles.
 *
 * Cost: a class per sample, and a search where all are stable. Not guaranteed: the error is that of 16
 * sets, itself known to a fifth; an island of instability that no sample meets counts for nothing in the
 * probability. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/batch.h"
#include "proof/chart.h"
#include "spec/model_body.h"
#include "study/network_study.h"
#include "study/sobol.h"
#include "study/variant.h"

/* Of the search over two parameters. */
enum { PARCELS = 32, EVALUATIONS = 20000 };

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

/* The samples of a point on their way. */
typedef struct sampling {
    const network_box *box;
    size_t coupling;
    double axes[COSTAB_SPEC_AXES_MAX]; /* values at the point */
    uint8_t *codes;
    double radius; /* the largest so far */
} sampling;

static void take_sample(void *context, size_t i, const costab_network_point *point) {
    sampling *s = context;
    if (point == NULL) return;
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

/* LANES samples from the i-th on: what the lanes do not know is left open. */
static void sample_group(const sampling *s, size_t i, const network_results *results) {
    const network_box *b = s->box;
    const size_t samples = (size_t)b->study->base.spec->samples,
                 end = i + LANES < samples ? i + LANES : samples;
    network_group group = {.coupling = (int)s->coupling};
    for (size_t k = i; k < end && b->worker->lanes != NULL; k++) {
        set_values(b, sample_at(b->study, k));
        network_group_add(b, &group, s->axes, k);
    }
    if (b->worker->lanes != NULL && network_group_evaluate(b, &group, results)) return;
    for (size_t k = i; k < end; k++) { /* one by one into the lanes */
        set_values(b, sample_at(b->study, k));
        (void)network_worker_add_to_batch(b->worker, s->coupling, k, results);
    }
}

static costab_status sample_all(sampling *s, bool *failed, costab_error *error) {
    const network_box *b = s->box;
    size_t count = (size_t)b->study->base.spec->samples;
    const network_results results = {
        .context = s,
        .asked = (b->study->base.spec->fields & COSTAB_NETWORK_WORST_RADIUS) != 0 ? NETWORK_OF_RADIUS : 0,
        .take = take_sample};
    for (size_t i = 0; i < count; i++) s->codes[i] = NETWORK_NOT_COMPUTED;
    for (size_t i = 0; i < count; i += LANES) sample_group(s, i, &results);
    network_batch_finish(b->worker->work, &results);
    for (size_t i = 0; i < count && !*failed; i++) {
        costab_network_point point;
        if (s->codes[i] != NETWORK_NOT_COMPUTED) continue;
        if (costab_tile_stopped(b->tile)) return COSTAB_CANCELLED;
        set_values(b, sample_at(b->study, i));
        TRY(results.asked == 0 ? network_worker_classify(b->worker, s->coupling, &s->codes[i], failed, error)
                               : network_worker_analyse(b->worker, s->coupling, &point, failed, error));
        if (!*failed && results.asked != 0) take_sample(s, i, &point);
    }
    return COSTAB_OK;
}

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

/* ---- The worst class of the box */

static costab_outcome worse(costab_outcome a, costab_outcome b) {
    if (a == COSTAB_OUTCOME_UNSTABLE || b == COSTAB_OUTCOME_UNSTABLE) return COSTAB_OUTCOME_UNSTABLE;
    return a == COSTAB_OUTCOME_STABLE && b == a ? a : COSTAB_OUTCOME_UNDECIDED;
}

static costab_outcome worst_cell(const costab_cells *cells) {
    costab_outcome worst = cells->count > 0 ? COSTAB_OUTCOME_STABLE : COSTAB_OUTCOME_UNDECIDED;
    for (size_t i = 0; i < cells->count; i++) worst = worse(worst, cells->items[i].verdict);
    return worst;
}

static costab_status search_line(costab_study_family *family, const double range[2], costab_outcome worst[2],
                                 costab_error *error) {
    const costab_study_limit_options options = {.lower = range[0], .upper = range[1], .threads = 1};
    ends_by(study_limit_free) costab_study_limit limit = {.single = false};
    costab_status status = costab_study_limit_find(family, &options, &limit, error);
    worst[0] = worst_cell(&limit.found.discrete);
    worst[1] = worst_cell(&limit.found.continuous);
    return status;
}

/* Parcels of equal size; those through which a crossing may pass, and those left over, stay undecided. */
static costab_status search_box(costab_study_family *of, double ranges[2][2], bool continuous,
                                costab_outcome *worst, costab_error *error) {
    double edges[2][PARCELS + 1];
    bool decided[PARCELS][PARCELS] = {{false}};
    costab_family family = costab_study_family_of(of);
    chart_options options = {.family = &family,
                             .continuous = continuous,
                             .edges = {edges[0], edges[1]},
                             .count = {PARCELS, PARCELS},
                             .evaluations = EVALUATIONS};
    ends_by(chart_free) chart found = {.count = 0};
    for (int d = 0; d < 2; d++)
        for (int i = 0; i <= PARCELS; i++)
            edges[d][i] = ranges[d][0] + (ranges[d][1] - ranges[d][0]) * i / PARCELS;
    costab_status status = chart_cover(&options, &found, error);
    *worst = COSTAB_OUTCOME_STABLE;
    for (size_t r = 0; r < found.count; r++) {
        const chart_rectangle *rectangle = &found.rectangles[r];
        if (rectangle->verdict == COSTAB_OUTCOME_UNDECIDED) continue;
        *worst = worse(*worst, rectangle->verdict);
        for (size_t i = rectangle->first[0]; i < rectangle->end[0]; i++)
            for (size_t j = rectangle->first[1]; j < rectangle->end[1]; j++) decided[i][j] = true;
    }
    for (int i = 0; i < PARCELS * PARCELS; i++)
        if (!decided[i / PARCELS][i % PARCELS]) *worst = worse(*worst, COSTAB_OUTCOME_UNDECIDED);
    return status;
}

/* The verdicts on the box of the co-simulation and of the system, where all samples are stable. */
static costab_status search(const sampling *s, costab_outcome worst[2], costab_error *error) {
    const network_box *b = s->box;
    const costab_spec *spec = b->study->base.spec;
    costab_study_family family = network_family(b->worker, s->coupling, 0);
    double ranges[2][2];
    costab_outcome found[2];
    family.count = spec->uncertain_count;
    for (int u = 0; u < spec->uncertain_count; u++) {
        family.parameters[u] = spec->uncertain[u].parameter;
        uncertain_range(&spec->uncertain[u], b->study->nominal[u], ranges[u]);
    }
    if (spec->uncertain_count == 1)
        TRY(search_line(&family, ranges[0], found, error));
    else
        for (int k = 0; k < 2; k++) TRY(search_box(&family, ranges, k == 1, &found[k], error));
    for (int k = 0; k < 2; k++) worst[k] = worse(worst[k], found[k]);
    return COSTAB_OK;
}

static costab_status find_worst(const sampling *s, uint8_t code, uint8_t *worst, costab_error *error) {
    costab_outcome verdicts[2] = {COSTAB_OUTCOME_STABLE, COSTAB_OUTCOME_STABLE};
    static const unsigned stable[2] = {COSTAB_DISCRETE_STABLE, COSTAB_CONTINUOUS_STABLE},
                          neutral[2] = {COSTAB_DISCRETE_NEUTRAL, COSTAB_CONTINUOUS_NEUTRAL};
    bool unknown = (code & COSTAB_CONTINUOUS_UNKNOWN) != 0;
    for (int i = 0; i < s->box->study->base.spec->samples; i++)
        for (int k = 0; k < 2; k++)
            if ((s->codes[i] & stable[k]) == 0)
                verdicts[k] = worse(verdicts[k], (s->codes[i] & neutral[k]) != 0 ? COSTAB_OUTCOME_UNDECIDED
                                                                                 : COSTAB_OUTCOME_UNSTABLE);
    bool open = verdicts[0] == COSTAB_OUTCOME_STABLE || (!unknown && verdicts[1] == COSTAB_OUTCOME_STABLE);
    costab_status status = open ? search(s, verdicts, error) : COSTAB_OK;
    unsigned found = unknown ? COSTAB_CONTINUOUS_UNKNOWN : 0;
    bool undecided = false;
    for (int k = 0; k < 2; k++) {
        if (k == 1 && unknown) continue;
        undecided = undecided || verdicts[k] == COSTAB_OUTCOME_UNDECIDED;
        if (verdicts[k] == COSTAB_OUTCOME_STABLE) found |= stable[k];
    }
    *worst = undecided ? COSTAB_CLASS_UNDECIDED : (uint8_t)found;
    return status;
}

costab_status network_worker_sample(const network_box *b, size_t coupling, uint8_t code,
                                    network_sampled *sampled, bool *failed, costab_error *error) {
    const costab_spec *spec = b->study->base.spec;
    network_worker *worker = b->worker;
    sampling s = {.box = b, .coupling = coupling, .radius = -1};
    *sampled = (network_sampled){(double)NAN, (double)NAN, (double)NAN, NETWORK_FAILED};
    if (worker->sample_codes == NULL) TRY(memory_make(&worker->sample_codes, (size_t)spec->samples, error));
    s.codes = worker->sample_codes;
    for (int k = 0; k < spec->axis_count; k++)
        s.axes[k] = costab_model_instance_value(worker->instance, spec->axis_parameters[k]);
    set_values(b, b->study->nominal); /* derived ones do not follow from now on */
    costab_status status = network_box_lanes(b, error);
    for (int k = 0; k < spec->axis_count; k++) /* making the lanes moves them */
        costab_model_instance_set(worker->instance, spec->axis_parameters[k], s.axes[k]);
    if (!status) status = sample_all(&s, failed, error);
    if (!status && !*failed) count_samples(&s, sampled);
    if (!status && !*failed && (spec->fields & COSTAB_NETWORK_WORST) != 0)
        status = find_worst(&s, code, &sampled->worst, error);
    set_values(b, b->study->nominal);
    return status;
}
