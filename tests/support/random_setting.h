/* random_setting.h - random networks with random choices of everything that a master and its solvers can do.
 */
#pragma once

#include "network_model.h"

/* A random network with random choices, checked and analysed; *order is that of gauss-seidel. */
typedef struct setting {
    model m;
    costab_coupling c;
    int order[MODEL_PARTS];
    costab_network_point point;
    char where[400];
} setting;

/* A scheme with polynomials, feedthrough and iterations; what goes with strides, if wanted. */
costab_coupling random_polynomials(rng *r, bool strides);

/* The macro step is `longest` at most. `unlike`: such that macro steps of several lengths have a meaning, no
 * strides, and micro steps that are parts of the macro step. */
void random_setting(rng *r, costab_network_work *work, double longest, bool unlike, setting *s);
