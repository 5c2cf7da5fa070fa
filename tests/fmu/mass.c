/* A mass on a spring and a damper: m v' = force - k x - d v. It gives its derivatives. */
#include "kit.h"

#define MODEL       "mass"
#define LINES       1
#define DERIVATIVES 1
enum { STATES = 2, INPUTS = 1, OUTPUTS = 2, PARAMETERS = 3, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x", "v"}, *const input_names[] = {"force"},
                         *const output_names[] = {"position", "speed"},
                         *const parameter_names[] = {"m", "k", "d"};
static const double state_starts[] = {1, 0}, parameter_starts[] = {1, 10, 0.5};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->x[1];
    dx[1] = (a->u[0] - a->p[1] * a->x[0] - a->p[2] * a->x[1]) / a->p[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
    y[1] = a->x[1];
}

static void jacobian(const kit_values *a, double *J) {
    const double rows[4][3] = {
        {0, 1, 0}, {-a->p[1] / a->p[0], -a->p[2] / a->p[0], 1 / a->p[0]}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 12; i++) J[i] = rows[i / 3][i % 3];
}

#include "kit.c"
