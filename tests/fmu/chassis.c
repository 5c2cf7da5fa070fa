/* A mass that a force moves, which gives its place and its speed: m v' = force, x' = v. */
#include "kit.h"

#define MODEL "chassis"
enum { STATES = 2, INPUTS = 1, OUTPUTS = 2, PARAMETERS = 1, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x", "v"}, *const input_names[] = {"force"},
                         *const output_names[] = {"place", "speed"}, *const parameter_names[] = {"m"};
static const double state_starts[] = {0, 0}, parameter_starts[] = {400};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->x[1];
    dx[1] = a->u[0] / a->p[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
    y[1] = a->x[1];
}

#include "kit.c"
