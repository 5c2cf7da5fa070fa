/* Adaptive Gauss-Kronrod quadrature with 21 nodes, halving the worst interval first.
 *
 * The truncation charged to an interval is the difference between the 21-point rule and the 10-point Gauss
 * rule within it. That is the error of the smaller rule: for an analytic integrand the larger rule's error is
 * about its square, so that the bound holds with much to spare. A. S. Kronrod, Nodes and Weights of
 * Quadrature Formulas, 1965; tests/unit/area.c derives the weights again. */
#include "planar/quadrature.h"

#include <math.h>

#include "planar/quadrature_nodes.h"

enum { PARTS_MAX = 256 };

typedef struct part {
    wide lower, upper, value, magnitude, noise, truncation;
} part;

static part measure(quadrature_function *function, void *context, wide lower, wide upper) {
    wide half = 0.5L * (upper - lower), centre = lower + half;
    part p = {.lower = lower, .upper = upper};
    wide small = 0;
    for (int k = 0; k < QUADRATURE_NODES; k++) {
        const quadrature_node *node = &quadrature_nodes[k];
        for (int side = -1; side <= (k > 0 ? 1 : -1); side += 2) {
            quadrature_sample s = function(context, centre + (wide)side * half * node->x);
            p.value += node->kronrod * s.value;
            p.magnitude += node->kronrod * fabsl(s.value);
            p.noise += node->kronrod * s.noise;
            small += node->gauss * s.value;
        }
    }
    p.truncation = half * fabsl(p.value - small);
    p.value *= half;
    p.magnitude *= half;
    p.noise *= half;
    return p;
}

static wide total_of(const part *parts, int count, wide (*get)(const part *)) {
    wide sum = 0;
    for (int i = 0; i < count; i++) sum += get(&parts[i]);
    return sum;
}

static wide get_value(const part *p) {
    return p->value;
}
static wide get_magnitude(const part *p) {
    return p->magnitude;
}
static wide get_noise(const part *p) {
    return p->noise;
}
static wide get_truncation(const part *p) {
    return p->truncation;
}

void quadrature_add(quadrature_function *function, void *context, wide lower, wide upper, wide relative,
                    quadrature_sum *sum) {
    part parts[PARTS_MAX];
    int count = 1;
    parts[0] = measure(function, context, lower, upper);
    wide magnitude = parts[0].magnitude, noise = parts[0].noise, truncation = parts[0].truncation;
    bool done = false;
    while (!done) {
        done = truncation <= fmaxl(relative * magnitude, 0.125L * noise);
        if (done || count == PARTS_MAX) break;
        int worst = 0;
        for (int i = 1; i < count; i++)
            if (parts[i].truncation > parts[worst].truncation) worst = i;
        part old = parts[worst];
        wide middle = old.lower + 0.5L * (old.upper - old.lower);
        if (!(middle > old.lower && middle < old.upper)) break;
        parts[worst] = measure(function, context, old.lower, middle);
        parts[count++] = measure(function, context, middle, old.upper);
        magnitude = total_of(parts, count, get_magnitude);
        noise = total_of(parts, count, get_noise);
        truncation = total_of(parts, count, get_truncation);
    }
    sum->value += total_of(parts, count, get_value);
    sum->noise += noise;
    sum->truncation += truncation;
    sum->converged = sum->converged && (done || truncation <= 1e-9L * magnitude);
}
