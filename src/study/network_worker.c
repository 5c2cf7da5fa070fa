/* Computes one point of a network sweep on one thread (worker), at the present parameters of its model's
 * instance:
 *   1. the analysis: class and numbers of the map;
 *   2. the class alone, which is cheaper;
 *   3. fields that need a simulation (a run), the error bound, the bound of all sequences of two macro steps
 *      H1 and H2, and the statistics over samples of uncertain parameters.
 *
 * A failure marks its point, and the sweep goes on; exhausted memory ends it. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/pattern.h"
#include "model/body.h"
#include "model/instance.h"
#include "study/network_study.h"
#include "sweep/run.h"

/* Returns COSTAB_MEMORY, which ends the sweep. Any other error marks the point as failed. */
static costab_status point_status(costab_status status, bool *failed) {
    *failed = status != COSTAB_OK;
    return status == COSTAB_MEMORY ? status : COSTAB_OK;
}

/* If an analysis fails because the coupling does not fit the network, replaces the reason by one with the
 * line of the file. */
static costab_status explain(const network_worker *worker, size_t coupling, costab_status status,
                             costab_error *error) {
    if (status != COSTAB_INVALID && status != COSTAB_NUMERIC) return status;
    costab_status found = model_check_coupling(
        worker->instance, model_instance_model(worker->instance)->coupling_names[coupling], (int)coupling,
        coupling_of(worker, coupling), error);
    return found == COSTAB_OK ? status : found;
}

/* Returns COSTAB_INVALID if the model has no modes to analyse. [out] *moved: the check used the workspace
 * at other values of the parameters, and the analysis must be repeated. */
static costab_status check_modes(const network_worker *worker, const costab_coupling *choices, bool *moved,
                                 costab_error *error) {
    return costab_model_instance_check_modes(worker->instance, worker->work, choices, moved, error);
}

costab_status network_worker_analyse(const network_worker *worker, size_t coupling,
                                     costab_network_point *point, bool *failed, costab_error *error) {
    costab_status status = costab_model_instance_update(worker->instance, error);
    const costab_coupling *choices = coupling_of(worker, coupling);
    bool moved = false;
    if (!status)
        status =
            explain(worker, coupling,
                    costab_network_analyse(worker->work, network_of(worker), choices, point, error), error);
    if (!status) status = check_modes(worker, choices, &moved, error);
    if (!status && moved)
        status = costab_network_analyse(worker->work, network_of(worker), choices, point, error);
    return point_status(status, failed);
}

costab_status network_worker_classify(const network_worker *worker, size_t coupling, uint8_t *class_code,
                                      bool *failed, costab_error *error) {
    costab_status status = costab_model_instance_update(worker->instance, error);
    const costab_coupling *choices = coupling_of(worker, coupling);
    bool moved = false;
    if (!status)
        status = explain(
            worker, coupling,
            costab_network_classify(worker->work, network_of(worker), choices, class_code, error), error);
    if (!status) status = check_modes(worker, choices, &moved, error);
    if (!status && moved)
        status = costab_network_classify(worker->work, network_of(worker), choices, class_code, error);
    return point_status(status, failed);
}

void network_copy_values(const network_study *study, field_layer layer, const void *result,
                         double values[NETWORK_FIELDS_MOST]) {
    for (int i = 0; i < study->number_count; i++) {
        int k = study->numbers[i];
        const network_field *field = network_field_at(k);
        if (field->layer == layer) values[k] = network_field_value(field, result);
    }
}

static bool is_stopped(void *tile) {
    return costab_tile_stopped(tile);
}

/* [out] *upper: upper bound of the growth of all sequences of the macro steps H1 and H2
 * (docs/explanation/algorithms.md, Sequences of steps). The gap between the bounds is larger than in
 * `pattern`, because a chart has many points. */
static costab_status pair_radius(const network_box *box, const costab_coupling *choices, double *upper,
                                 costab_error *error) {
    const costab_pattern_options options = {.gap = 1e-3, .products = 1000, .per_step = true};
    const costab_model_instance *instance = box->worker->instance;
    static const char *const names[2] = {"H1", "H2"};
    double steps[2] = {0, 0};
    ends_by(costab_pattern_free) costab_pattern pattern = {.length = 0};
    for (int k = 0; k < 2; k++) {
        int parameter;
        TRY(costab_model_find_parameter(box->study->model, names[k], &parameter, error));
        steps[k] = costab_model_instance_value(instance, parameter);
    }
    TRY(costab_pattern_steps(network_of(box->worker), choices, steps, 2, &options, &pattern, error));
    *upper = pattern.upper;
    return COSTAB_OK;
}

costab_status network_worker_run(const network_box *box, size_t coupling, network_known *known, bool *failed,
                                 costab_error *error) {
    const network_worker *worker = box->worker;
    const costab_network *network = network_of(worker);
    const costab_coupling *choices = coupling_of(worker, coupling);
    costab_tile tile = *box->tile;
    unsigned fields = box->study->base.spec->fields;
    costab_measure_options wanted = {.horizon = box->study->model->history.until,
                                     .error = (fields & COSTAB_NETWORK_ERROR) != 0,
                                     .energy_residual = (fields & COSTAB_NETWORK_ENERGY_RESIDUAL) != 0,
                                     .energy_made = (fields & COSTAB_NETWORK_ENERGY_MADE) != 0,
                                     .stop = is_stopped,
                                     .stop_context = &tile};
    /* The bound of the error is factor * H; the step for an error of 1, which follows, is not used. */
    costab_bound_options options = {.error = 1, .horizon = wanted.horizon};
    costab_measures measures = {
        .error = (double)NAN, .energy_residual = (double)NAN, .energy_made = (double)NAN};
    costab_bound bound = {.factor = (double)NAN};
    costab_status status = COSTAB_OK, bounded = COSTAB_OK;
    if (wanted.error || wanted.energy_residual || wanted.energy_made)
        status = costab_network_measure(worker->simulator, network, choices, &wanted, &measures, error);
    if (status != COSTAB_MEMORY && status != COSTAB_CANCELLED && (fields & COSTAB_NETWORK_ERROR_BOUND) != 0)
        bounded = costab_network_simulator_bound(worker->simulator, network, &options, &bound,
                                                 !status ? error : NULL);
    if (bounded) bound.factor = (double)NAN;
    double error_bound = bound.factor * choices->macro_step, upper = (double)NAN;
    if (!status && !bounded && (fields & COSTAB_NETWORK_PATTERN_RADIUS) != 0)
        status = pair_radius(box, choices, &upper, error);
    network_copy_values(box->study, FIELD_RUN, &measures, known->values);
    network_copy_values(box->study, FIELD_BOUND, &error_bound, known->values);
    network_copy_values(box->study, FIELD_STEPS, &upper, known->values);
    *failed = status != COSTAB_OK || bounded;
    if (!*failed && box->study->samples != NULL) {
        network_sampled sampled;
        status = network_worker_sample(box, coupling, &sampled, failed, error);
        if (!status && !*failed) network_copy_values(box->study, FIELD_SAMPLES, &sampled, known->values);
    }
    if (status == COSTAB_CANCELLED) return status;
    return status == COSTAB_MEMORY || bounded == COSTAB_MEMORY ? COSTAB_MEMORY : COSTAB_OK;
}
