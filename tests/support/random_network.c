#include "random_network.h"

#include <math.h>

void random_numbers(rng *r, double *values, int count, double scale) {
    for (int i = 0; i < count; i++) values[i] = rng_uniform(r, -scale, scale);
}

void random_order(rng *r, int count, int *order) {
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = rng_int(r, 0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

int random_subsystem(rng *r, model *m, const random_sizes *z, const char *method) {
    int s = model_add(m, z->states, z->inputs, z->outputs, method, z->substeps, z->step);
    random_numbers(r, m->A[s], z->states * z->states, 1.5 / sqrt(z->states > 0 ? z->states : 1));
    random_numbers(r, m->B[s], z->states * z->inputs, 1);
    random_numbers(r, m->C[s], z->outputs * z->states, 1);
    random_numbers(r, m->D[s], z->outputs * z->inputs, z->feedthrough);
    if (rng_int(r, 0, 1) == 0 || z->states == 0) model_feedthrough(m, s);
    return s;
}

void random_connections(rng *r, model *m, int wanted, int most_delay) {
    int count = m->network.subsystem_count;
    for (int i = 0; i < wanted; i++) {
        int from = rng_int(r, 0, count - 1), to = rng_int(r, 0, count - 1);
        int out = rng_int(r, 0, m->subsystems[from].outputs - 1),
            in = rng_int(r, 0, m->subsystems[to].inputs - 1);
        bool twice = false;
        for (int j = 0; j < m->network.connection_count; j++)
            twice = twice || (m->connections[j].from == from && m->connections[j].output == out &&
                              m->connections[j].to == to && m->connections[j].input == in);
        int delay = most_delay > 0 && rng_int(r, 0, 2) == 0 ? rng_int(r, 1, most_delay) : 0;
        if (!twice) model_connect(m, from, out, to, in, rng_uniform(r, -1, 1), delay);
    }
}
