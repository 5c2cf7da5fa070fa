/* random_network.h - what random networks are made of. */
#pragma once

#include "network_model.h"

/* Numbers between -scale and scale. */
void random_numbers(rng *r, double *values, int count, double scale);

/* A random order of 0 .. count - 1. */
void random_order(rng *r, int count, int *order);

/* A subsystem with random matrices, of a stable size, and in half of all cases with feedthrough (always
 * without states). Returns its number. */
typedef struct random_sizes {
    int states, inputs, outputs, substeps; /* substeps 0: `step` */
    double step, feedthrough;              /* the largest entry of D */
} random_sizes;
int random_subsystem(rng *r, model *m, const random_sizes *sizes, const char *method);

/* Up to `wanted` connections from anywhere to anywhere, no two of them alike; a third have a delay of up to
 * `most_delay` macro steps. */
void random_connections(rng *r, model *m, int wanted, int most_delay);
