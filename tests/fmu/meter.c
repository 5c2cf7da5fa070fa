/* The mass of mass.c with what no loop needs: a brake, whose force is its position times the speed, and the
 * energy as an output. Neither is linear; what the force does to position and speed is. */
#include "kit.h"

#define MODEL "meter"
#define LINES 1
enum { STATES = 2, INPUTS = 2, OUTPUTS = 3, PARAMETERS = 3, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x", "v"}, *const input_names[] = {"force", "brake"},
                         *const output_names[] = {"position", "speed", "energy"},
                         *const parameter_names[] = {"m", "k", "d"};
static const double state_starts[] = {1, 0}, parameter_starts[] = {1, 10, 0.5};

static void slopes(const kit_values *a, double *dx) {
    dx[0] = a->x[1];
    dx[1] = (a->u[0] - a->p[1] * a->x[0] - (a->p[2] + a->u[1]) * a->x[1]) / a->p[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
    y[1] = a->x[1];
    y[2] = (a->p[0] * a->x[1] * a->x[1] + a->p[1] * a->x[0] * a->x[0]) / 2;
}

#include "kit.c"
