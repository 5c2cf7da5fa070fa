/* A wheel below the suspension of a chassis, whose speed it is given and integrates itself: with z the place
 * of the chassis and w that of the wheel, force = -k (z - w) - d (z' - w'), m w'' = -force - tyre w. Its
 * states cannot be set (HIDDEN), so that its map is measured by impulses. */
#include "kit.h"

#define MODEL  "wheel"
#define HIDDEN 1
enum { STATES = 3, INPUTS = 1, OUTPUTS = 1, PARAMETERS = 4, INDICATORS = 0, FEEDTHROUGH = 1 };
static const char *const state_names[] = {"z", "w", "v"}, *const input_names[] = {"speed"},
                         *const output_names[] = {"force"},
                         *const parameter_names[] = {"m", "k", "d", "tyre"};
static const double state_starts[] = {0, 0, 0}, parameter_starts[] = {40, 15000, 1000, 150000};

static double force_of(const kit_values *a) {
    return -a->p[1] * (a->x[0] - a->x[1]) - a->p[2] * (a->u[0] - a->x[2]);
}

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->u[0];
    dx[1] = a->x[2];
    dx[2] = (-force_of(a) - a->p[3] * a->x[1]) / a->p[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = force_of(a);
}

#include "kit.c"
