/* play_micro.h - micro steps of a play: every equation as it is written, solved by Newton's method with
 * differences. */
#pragma once

#include "play.h"

enum { PLAY_UNKNOWNS = 64 };

/* Values and slopes that an iteration guesses at the end of the macro step. */
typedef struct play_guesses {
    real v[MODEL_PARTS][MODEL_PORTS], w[MODEL_PARTS][MODEL_PORTS];
} play_guesses;

/* r(z) = 0, from z = 0. */
typedef void (*play_residual)(void *context, const real *z, real *r);
void play_solve(int n, play_residual r, void *context, real *z);

/* dx = f(t, x, u), y = g(t, x, u), and y' along the solution, where u changes by `bend` per second. */
void play_f(const play *p, int s, real t, const real *x, const real *u, real *dx);
void play_g(const play *p, int s, real t, const real *x, const real *u, real *y);
typedef struct play_place {
    real t;
    const real *x, *u, *bend;
} play_place;
void play_g_slope(const play *p, int s, const play_place *at, real *dy);

/* Adds the sources to the inputs of subsystem s, or their derivatives to the inputs' slopes. */
void play_sources(const play *p, int s, real t, bool derivative, real *u);

/* One micro step: length h (seconds), from local time `begin` over `span` steps of its own. */
typedef struct play_micro {
    const play *p;
    int s, n;
    const play_guesses *g;
    real begin, span, h;
    real *x, *carried, *area; /* area: integrals of the outputs, which grow */
} play_micro;
void play_micro_step(play_micro *m);

/* ---- play.c ---- */

int play_stride(const play *p, int s);
real play_seconds(const play *p, int n, real t);
/* What the master delivers to subsystem s in its step from macro step n on, at local time `at`, in its own
 * steps; sources are not in it. */
void play_input(const play *p, int s, int n, const play_guesses *g, real at, real *u);
