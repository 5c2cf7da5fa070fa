/* A spring that hardens: v' = force - k x - c x^3 - d v, and an output that is curved too. */
#include "kit.h"

#define MODEL "duffing"
enum { STATES = 2, INPUTS = 1, OUTPUTS = 1, PARAMETERS = 3, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x", "v"}, *const input_names[] = {"force"},
                         *const output_names[] = {"energy"}, *const parameter_names[] = {"k", "c", "d"};
static const double state_starts[] = {0.5, 0}, parameter_starts[] = {2, 3, 0.7};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->x[1];
    dx[1] = a->u[0] - a->p[0] * a->x[0] - a->p[1] * a->x[0] * a->x[0] * a->x[0] - a->p[2] * a->x[1];
}

static void outputs(const kit_values *a, double *y) {
    double x = a->x[0], v = a->x[1];
    y[0] = v * v / 2 + a->p[0] * x * x / 2 + a->p[1] * x * x * x * x / 4;
}

#include "kit.c"
