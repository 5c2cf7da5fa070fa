/* network_model.h - small networks from arrays, for tests. */
#pragma once

#include <string.h>

#include "costab/network.h"
#include "support.h"

enum { MODEL_PARTS = 6, MODEL_STATES = 8, MODEL_PORTS = 4, MODEL_CONNECTIONS = 40 };

/* A network with its numbers in place. Do not copy it: it points into itself. */
typedef struct model {
    costab_network network;
    costab_subsystem subsystems[MODEL_PARTS];
    costab_connection connections[MODEL_CONNECTIONS];
    double A[MODEL_PARTS][MODEL_STATES * MODEL_STATES], B[MODEL_PARTS][MODEL_STATES * MODEL_PORTS];
    double C[MODEL_PARTS][MODEL_PORTS * MODEL_STATES], D[MODEL_PARTS][MODEL_PORTS * MODEL_PORTS];
    double x0[MODEL_PARTS][MODEL_STATES];
} model;

static const char *const model_names[MODEL_PARTS] = {"s1", "s2", "s3", "s4", "s5", "s6"};
static const char *const model_inputs[MODEL_PORTS] = {"u1", "u2", "u3", "u4"};
static const char *const model_outputs[MODEL_PORTS] = {"y1", "y2", "y3", "y4"};

static inline void model_start(model *m) {
    memset(m, 0, sizeof *m);
    m->network.subsystems = m->subsystems;
    m->network.connections = m->connections;
}

/* Adds a subsystem without feedthrough; returns its number. Fill its matrices in place. */
static inline int model_add(model *m, int states, int inputs, int outputs, const char *method, int substeps,
                            double step) {
    int s = m->network.subsystem_count++;
    m->subsystems[s] = (costab_subsystem){.name = model_names[s],
                                          .states = states,
                                          .inputs = inputs,
                                          .outputs = outputs,
                                          .input_names = model_inputs,
                                          .output_names = model_outputs,
                                          .A = m->A[s],
                                          .B = m->B[s],
                                          .C = m->C[s],
                                          .x0 = m->x0[s],
                                          .method = method_named(method),
                                          .substeps = substeps,
                                          .step = step};
    return s;
}

/* x' = a x + b u, y = c x. */
static inline int model_scalar(model *m, double a, double b, double c, const char *method, int substeps,
                               double step) {
    int s = model_add(m, 1, 1, 1, method, substeps, step);
    m->A[s][0] = a;
    m->B[s][0] = b;
    m->C[s][0] = c;
    return s;
}

static inline void model_feedthrough(model *m, int s) {
    m->subsystems[s].D = m->D[s];
}

static inline void model_connect(model *m, int from, int output, int to, int input, double gain, int delay) {
    m->connections[m->network.connection_count++] = (costab_connection){
        .from = from, .output = output, .to = to, .input = input, .gain = gain, .delay = delay};
}

/* Checks and analyses; the workspace stays open. */
static inline costab_network_point model_analyse(costab_network_work *work, const model *m,
                                                 const costab_coupling *coupling) {
    costab_network_point point;
    check_ok(costab_network_check(&m->network, &why));
    check_ok(costab_coupling_check(&m->network, coupling, &why));
    check_ok(costab_network_analyse(work, &m->network, coupling, &point, &why));
    return point;
}

static inline costab_network_work *work_open(void) {
    costab_network_work *work;
    check_ok(costab_network_work_create(&work, &why));
    return work;
}

static inline costab_network_point model_point(const model *m, const costab_coupling *coupling) {
    costab_network_work *work = work_open();
    costab_network_point point = model_analyse(work, m, coupling);
    costab_network_work_destroy(&work);
    return point;
}
