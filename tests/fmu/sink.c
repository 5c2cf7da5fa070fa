/* Inputs without an output: x' = u - x. */
#include "kit.h"

#define MODEL "sink"
enum { STATES = 1, INPUTS = 1, OUTPUTS = 0, PARAMETERS = 1, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x"}, *const input_names[] = {"u"}, *const output_names[] = {""},
                         *const parameter_names[] = {"unused"};
static const double state_starts[] = {0}, parameter_starts[] = {1};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->u[0] - a->x[0];
}

static void outputs(const kit_values *a, double *y) {
    (void)a, (void)y;
}

#include "kit.c"
