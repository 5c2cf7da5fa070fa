/* A ball that falls from h = 1 and keeps half of its speed where it meets the ground, an event. */
#include "kit.h"

#define MODEL "bounce"
#define EVENT 1
enum { STATES = 2, INPUTS = 1, OUTPUTS = 1, PARAMETERS = 1, INDICATORS = 1, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"h", "v"}, *const input_names[] = {"force"},
                         *const output_names[] = {"height"}, *const parameter_names[] = {"g"};
static const double state_starts[] = {1, 0}, parameter_starts[] = {8};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->x[1];
    dx[1] = a->u[0] - a->p[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
}

static int event(double *x) {
    int meets = x[0] < 0 && x[1] < 0;
    if (meets) x[0] = 0;
    if (meets) x[1] /= -2;
    return meets;
}

#include "kit.c"
