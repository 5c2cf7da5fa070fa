/* network/subsystem.h - a subsystem in the workspace: its rows, its clock, the matrices of its micro steps;
 * the functions that replace these matrices in a simulation; the lengths of previous macro steps. */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/matrix.h"
#include "network/clock.h"

/* One subsystem in the workspace. */
typedef struct network_subsystem {
    int n, m, q;          /* states, inputs, outputs */
    bool discrete;        /* a discrete-time system: its output is constant between samples */
    int64_t every;        /* grains per sample (monodromy.h); 0: continuous */
    int x, u, y;          /* first row of each in the arrays of all subsystems */
    int held, held_slope; /* map's state: first rows of stored inputs and of their slopes; -1: not stored */
    int sent;             /* map's state: first row of the inputs last sent (area correction); -1: not
                           * stored */
    int extra;            /* additional rows of a micro step: history of the method, or integrals */
    int extra_row;        /* map's state: their first row; for integrals: their means over a step */
    bool integrates_outputs; /* the additional rows are the integrals of the outputs (area correction) */
    int advanced_row;        /* first row of states and additional rows in work->x1 */
    int stride;              /* multirate factor: macro steps per step of this subsystem */
    bool active;             /* it exchanges at the current macro step */
    int position;            /* in the gauss-seidel order */
    network_clock clock;
    network_clock_step micro_steps; /* of the current macro step */
    int block_count;                /* 1, or 2 if the clock alternates between two numbers of micro steps */
    int64_t counts[2];              /* these numbers of micro steps */
    matrix_block blocks[2];         /* matrices of counts[0] and counts[1] micro steps */
    const matrix_block *block;      /* the block of the current macro step */
    double *with_integrals;         /* A and B, extended by the outputs' integrals as states */
    /* For the last point: */
    uint64_t version;  /* of its numbers; 0: unknown */
    bool blocks_known; /* `blocks` belong to the present numbers, seen_clock and seen_step */
    network_clock seen_clock;
    double seen_step; /* length of this subsystem's step in seconds */
#ifdef COSTAB_CHECK_VERSIONS
    uint64_t hash; /* of its numbers */
#endif
} network_subsystem;

static inline void subsystem_set_clock(network_subsystem *sub, const network_clock *clock) {
    sub->clock = *clock;
    sub->counts[0] = clock->real ? 1 : clock->p / clock->q;
    sub->counts[1] = sub->counts[0] + 1;
}

/* Functions that replace the matrices in a simulation. Rows then have width 1. */
typedef struct network_hooks {
    void *context;
    /* Advances subsystem s. input: coefficients of the powers of local time up to work->degree, `inputs`
     * values each. [out] x1: states and additional rows at the local end. */
    costab_status (*advance)(void *context, int s, const double *x, const double *const input[MATRIX_POWERS],
                             double *x1, costab_error *error);
    /* Computes the outputs y of subsystem s from x and u, at its local end (`end`) or at the start of the
     * macro step. At the local end u lacks the sources: the function adds them to u, and their slopes to
     * work->end_slope. */
    costab_status (*output)(void *context, int s, bool end, const double *x, double *u, double *y,
                            costab_error *error);
    /* Computes the outputs' slopes. u contains the sources, and u_slope (NULL: 0) their slopes. */
    costab_status (*slope)(void *context, int s, bool end, const double *x, const double *u,
                           const double *u_slope, double *dy, costab_error *error);
    /* Solves the algebraic loop of connections without delay between active subsystems for all y0; delayed:
     * the other inputs. */
    costab_status (*solve)(void *context, const double *x, const double *delayed, double *y0,
                           costab_error *error);
    bool iterate; /* some subsystem is nonlinear or has a stepper: iterate until convergence */
} network_hooks;

/* Lengths of the previous macro steps if they differ from the current length. */
typedef struct network_past {
    int count;             /* number of lengths; older steps have the last length */
    const double *lengths; /* in seconds, latest first */
    double shortest;       /* the shortest step of the whole run: it bounds the history of delays in
                            * seconds */
} network_past;
