/* A spring that only pushes back where x > 0, with an event indicator x: it starts at the event. */
#include "kit.h"

#define MODEL "stop"
enum { STATES = 2, INPUTS = 1, OUTPUTS = 1, PARAMETERS = 1, INDICATORS = 1, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x", "v"}, *const input_names[] = {"force"},
                         *const output_names[] = {"position"}, *const parameter_names[] = {"k"};
static const double state_starts[] = {0, 0}, parameter_starts[] = {10};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->x[1];
    dx[1] = a->u[0] - (a->x[0] > 0 ? a->p[0] * a->x[0] : 0) - a->x[1];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
}

#include "kit.c"
