/* play.h - a co-simulation played through in time, straight from its definition: all histories are kept
 * whole, polynomials are evaluated where they are asked for, every equation is solved by Newton's method with
 * differences. Slow, in long double, and without any of the library's algebra. */
#pragma once

#include "network_model.h"

enum { PLAY_PAST = 64, PLAY_FUTURE = 64, PLAY_TIMES = PLAY_PAST + PLAY_FUTURE };

/* A nonlinear subsystem: to f of a state that is no position, and to each output, a sine is added,
 * f_i = (A x + B u)_i + weight sin(t + x_i + u_0), g_o = (C x + D u)_o + weight sin(t + x_0 + u_0), u_0 where
 * D is not NULL. It has a state and an input at least. The functions are those of a costab_dynamics whose
 * context is such a curve. */
typedef struct play_curve {
    const costab_subsystem *subsystem;
    double weight;
} play_curve;
costab_status play_curve_f(void *context, double t, const double *x, const double *u, double *dx,
                           costab_error *error);
costab_status play_curve_g(void *context, double t, const double *x, const double *u, double *y,
                           costab_error *error);
costab_status play_curve_jacobian(void *context, double t, const double *x, const double *u, double *A,
                                  double *B, costab_error *error);
costab_status play_curve_output_jacobian(void *context, double t, const double *x, const double *u, double *C,
                                         double *D, double *rate, costab_error *error);

/* sin(rate t + phase): the context of every source of a play. */
typedef struct play_wave {
    double rate, phase;
} play_wave;
double play_wave_value(void *context, double t);
double play_wave_slope(void *context, double t);

/* At macro step n a signal stands at [n + PLAY_PAST]; past ones are filled in before the play. */
typedef struct play {
    const model *m;
    costab_coupling coupling;
    real begin[PLAY_TIMES + 1]; /* of macro steps, in seconds; without strides they need not be alike */
    /* Of subsystem s: micro steps p per q steps of its own. */
    int p[MODEL_PARTS], q[MODEL_PARTS];
    real x[MODEL_PARTS][MODEL_STATES], carried[MODEL_PARTS][MODEL_STATES];
    real held[MODEL_PARTS][MODEL_PORTS], bend[MODEL_PARTS][MODEL_PORTS];
    real y[MODEL_PARTS][MODEL_PORTS][PLAY_TIMES], slope[MODEL_PARTS][MODEL_PORTS][PLAY_TIMES];
    /* New outputs, known before they are published, where a longer step ends there. */
    real fresh[MODEL_PARTS][MODEL_PORTS], fresh_slope[MODEL_PARTS][MODEL_PORTS];
    real mean[MODEL_PARTS][MODEL_PORTS], sent[MODEL_PARTS][MODEL_PORTS];
} play;

/* Sets up for a network and choices that have been checked; signals are left at 0. */
void play_start(play *p, const model *m, const costab_coupling *coupling);

/* Makes macro step n, and so all after it begin later or earlier, this long. Micro steps of fixed length keep
 * it. */
void play_length(play *p, int n, real length);

/* Macro step n = 0, 1, .. in turn. */
void play_step(play *p, int n);

/* A random past, as far back as anything reaches. */
void play_past(play *p, rng *r);

/* The signal that a label of costab_network_label names, seen at the begin of macro step n. */
real *play_signal(play *p, const char *label, int n);

/* Goes on for one period from the past that is set, and compares all that the state of the map of the last
 * point analysed names, to `relative` times the largest number met. False, without a comparison, where the
 * map has entries so large, near a singular loop of feedthrough, that it would say nothing. */
typedef struct play_bound {
    real relative, worst; /* worst: the largest difference beside its bound so far */
} play_bound;
bool play_compare(play *p, const costab_network_work *work, const costab_network_point *point,
                  play_bound *bound, const char *where);
