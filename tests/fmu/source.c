/* An output without inputs: y = x with x' = 1, so y = t. */
#include "kit.h"

#define MODEL "source"
enum { STATES = 1, INPUTS = 0, OUTPUTS = 1, PARAMETERS = 1, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x"}, *const input_names[] = {""}, *const output_names[] = {"y"},
                         *const parameter_names[] = {"rate"};
static const double state_starts[] = {0}, parameter_starts[] = {1};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->p[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
}

#include "kit.c"
