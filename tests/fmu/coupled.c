/* A mass on a spring and a damper whose other end is an input: m v' = f - k x - d v, where the force in the
 * coupling, f = kc (position - x) + dc (speed - v), is its output: it feeds through. No derivatives are
 * given. */
#include "kit.h"

#define MODEL "coupled"
#define LINES 1
enum { STATES = 2, INPUTS = 2, OUTPUTS = 1, PARAMETERS = 5, INDICATORS = 0, FEEDTHROUGH = 1 };
static const char *const state_names[] = {"body.x", "body.v"}, *const input_names[] = {"position", "speed"},
                         *const output_names[] = {"reaction"},
                         *const parameter_names[] = {"m", "k", "d", "kc", "dc"};
static const double state_starts[] = {0, 0}, parameter_starts[] = {0.5, 5, 0.3, 20, 0.4};

static double force(const kit_values *a) {
    return a->p[3] * (a->u[0] - a->x[0]) + a->p[4] * (a->u[1] - a->x[1]);
}

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->x[1];
    dx[1] = (force(a) - a->p[1] * a->x[0] - a->p[2] * a->x[1]) / a->p[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = -force(a);
}

#include "kit.c"
