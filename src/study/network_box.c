/* Provides indices and parameters of the points of a box (network_study.h: a rectangular part of the grid),
 * and analyses several points at once in SIMD lanes. */
#include "network/batch.h"
#include "study/network_study.h"

void network_box_set_strides(network_box *b) {
    b->points = 1;
    for (int k = b->study->base.plan.swept - 1; k >= 0; k--) {
        b->stride[k] = b->points;
        b->points *= b->count[k];
    }
}

network_box network_box_of(const network_study *study, network_worker *worker, const costab_tile *tile) {
    network_box b = {.study = study, .worker = worker, .tile = tile};
    for (int k = 0; k < study->base.plan.swept; k++) {
        b.start[k] = b.first_written[k] = tile->start[k];
        b.count[k] = b.written[k] = tile->count[k];
    }
    for (int e = 0; e < study->edge_count; e++) {
        int k = study->edge_axes[e];
        if (tile->start[k] + tile->count[k] < study->base.plan.axes[k].count) b.count[k]++;
    }
    network_box_set_strides(&b);
    return b;
}

size_t network_box_index(const network_box *b, int axis, size_t number) {
    return b->start[axis] + number / b->stride[axis] % b->count[axis];
}

/* Computes all indices with one division per axis. */
network_place network_box_place(const network_box *b, size_t number) {
    network_place place;
    for (int k = b->study->base.plan.swept - 1; k >= 0; k--) {
        size_t rest = number / b->count[k];
        place.index[k] = b->start[k] + number - rest * b->count[k];
        number = rest;
    }
    return place;
}

/* Sets all axes' parameters: setting a parameter to its present value costs nothing. */
void network_box_set_parameters_at(const network_box *b, const network_place *place) {
    const network_study *study = b->study;
    for (int k = NETWORK_FIRST_AXIS; k < study->base.plan.swept; k++)
        costab_model_instance_set(b->worker->instance,
                                  study->base.spec->axis_parameters[k - NETWORK_FIRST_AXIS],
                                  study->base.plan.axes[k].values[place->index[k]]);
}

void network_box_set_parameters(const network_box *b, size_t number) {
    network_place place = network_box_place(b, number);
    network_box_set_parameters_at(b, &place);
}

/* ---- Points in lanes */

/* Lists the parameters that differ between lanes: of the axes, and for samples the uncertain parameters.
 * Returns their number. */
static int list_lane_parameters(const network_study *study,
                                int parameters[COSTAB_SPEC_AXES_MAX + COSTAB_UNCERTAIN_MAX]) {
    const costab_spec *spec = study->base.spec;
    int count = 0;
    for (int k = 0; k < spec->axis_count; k++) parameters[count++] = spec->axis_parameters[k];
    for (int u = 0; u < spec->uncertain_count && study->samples != NULL; u++)
        parameters[count++] = spec->uncertain[u].parameter;
    return count;
}

costab_status network_box_lanes(const network_box *b, costab_error *error) {
    int parameters[COSTAB_SPEC_AXES_MAX + COSTAB_UNCERTAIN_MAX],
        count = list_lane_parameters(b->study, parameters);
    network_worker *worker = b->worker;
    if (worker->lanes_asked) return COSTAB_OK;
    network_box_set_parameters(b, 0); /* axes are set parameters, even if they are derived in the model */
    /* Lanes copy from the last update everything that the axes do not change. Before the first point that can
     * be updated, there is nothing to copy. */
    if (model_instance_version(worker->instance) == 0 &&
        costab_model_instance_update(worker->instance, NULL) != COSTAB_OK)
        return COSTAB_OK;
    worker->lanes_asked = true;
    return model_lanes_create(worker->instance, parameters, count, network_lanes_width(worker),
                              &worker->lanes, error);
}

int network_lanes_width(const network_worker *worker) {
    return worker->work->width;
}

void network_lanes_set(const network_worker *worker, int lane, int first, const double *values, int count) {
    double *to = model_lanes_values(worker->lanes) + first * network_lanes_width(worker) + lane;
    for (int k = 0; k < count; k++) to[k * network_lanes_width(worker)] = values[k];
}

bool network_lanes_run(const network_box *b, size_t coupling, int count, unsigned asked,
                       costab_network_point points[LANES_MOST], bool decided[LANES_MOST]) {
    int parameters[COSTAB_SPEC_AXES_MAX + COSTAB_UNCERTAIN_MAX];
    const network_worker *worker = b->worker;
    const int width = network_lanes_width(worker);
    double *values = model_lanes_values(worker->lanes);
    /* Lanes without a point repeat the last point. */
    for (int k = list_lane_parameters(b->study, parameters) - 1; k >= 0; k--)
        for (int l = count; l < width; l++) values[k * width + l] = values[k * width + count - 1];
    return model_lanes_update(worker->lanes) &&
           network_run_lanes(worker->work, network_of(worker), coupling_of(worker, coupling),
                             model_lanes_numbers(worker->lanes, (int)coupling), count, asked, points,
                             decided);
}
