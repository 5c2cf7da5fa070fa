/* A mass on a spring whose stiffness varies in time, and a force that varies, too, up to the time
 * `end`: v' = force - d v - (k + e cos(w t)) x + a sqrt(end - t). It gives its derivatives. */
#include "kit.h"

#include <math.h>

#define MODEL       "mathieu"
#define DERIVATIVES 1
enum { STATES = 2, INPUTS = 1, OUTPUTS = 1, PARAMETERS = 6, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x", "v"}, *const input_names[] = {"force"},
                         *const output_names[] = {"position"}, *const parameter_names[] = {"k", "d", "e",
                                                                                           "w", "a", "end"};
static const double state_starts[] = {0, 0}, parameter_starts[] = {1, 0.1, 0.5, 2, 0, 1000};

static double stiffness(const kit_values *a) {
    return a->p[0] + a->p[2] * cos(a->p[3] * a->t);
}

static void slopes(const kit_values *a, double *dx) {
    double varying = a->p[4] != 0 ? a->p[4] * sqrt(a->p[5] - a->t) : 0;
    dx[0] = a->x[1];
    dx[1] = a->u[0] - a->p[1] * a->x[1] - stiffness(a) * a->x[0] + varying;
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
}

static void jacobian(const kit_values *a, double *J) {
    const double rows[3][3] = {{0, 1, 0}, {-stiffness(a), -a->p[1], 1}, {1, 0, 0}};
    for (int i = 0; i < 9; i++) J[i] = rows[i / 3][i % 3];
}

#include "kit.c"
