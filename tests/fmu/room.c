/* A heated building, x' = heat + on + level - x, with flags and whole numbers at its ports. */
#include "kit.h"

#define MODEL "room"
#define LINKS 1
enum { STATES = 1, INPUTS = 1, OUTPUTS = 1, PARAMETERS = 1, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x"}, *const input_names[] = {"heat"},
                         *const output_names[] = {"y"}, *const parameter_names[] = {"bound"};
static const double state_starts[] = {0}, parameter_starts[] = {0.5};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->u[0] + a->on + a->level - a->x[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
}

static int warm(const kit_values *a) {
    return a->x[0] > a->p[0];
}

#include "kit.c"
