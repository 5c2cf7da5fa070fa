/* network/subsystem.h - a subsystem as it lies in the workspace: where its rows are, its clock, and its micro
 * steps as blocks; what replaces these in a simulation; and macro steps that
 * are not all alike. */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/matrix.h"
#include "network/clock.h"

/* One subsystem as it lies in the workspace. */
typedef struct network_subsystem {
    int n, m, q;          /* states, inputs, outputs */
    int x, u, y;          /* first row of each among all */
    int held, held_slope; /* map's state: first rows of held inputs and of their slopes; -1: none */
    int sent;             /* map's state: first row of the inputs sent before (area correction); -1: none */
    int extra;            /* rows beside the states in a micro step: what the method carries, or integrals */
    int extra_row;        /* map's state: their first row; of integrals: their means over a step */
    bool integrates_outputs; /* they are the integrals of the outputs (area correction) */
    int advanced_row;        /* work->x1: first row of states and extra rows */
    int stride;              /* macro steps per step of its own */
    bool active;             /* it exchanges at the macro step at hand */
    int position;            /* in the gauss-seidel order */
    network_clock clock;
    network_clock_step micro_steps; /* of the macro step at hand */
    int block_count;                /* 1; or 2 where a clock takes one of two numbers of micro steps */
    int64_t counts[2];              /* those numbers */
    matrix_block blocks[2];         /* counts[0] and counts[1] micro steps */
    const matrix_block *block;      /* of the macro step at hand: one of both */
    double *with_integrals;         /* A and B with the outputs' integrals as further states */
    /* Of the last point: */
    uint64_t version;  /* of its numbers; 0: unknown */
    bool blocks_known; /* `blocks` are those of the numbers at hand, if the clock and the step are: */
    network_clock seen_clock;
    double seen_step; /* seconds of a step of its own */
#ifdef COSTAB_CHECK_VERSIONS
    uint64_t hash; /* of these numbers */
#endif
} network_subsystem;

static inline void subsystem_set_clock(network_subsystem *sub, const network_clock *clock) {
    sub->clock = *clock;
    sub->counts[0] = clock->real ? 1 : clock->p / clock->q;
    sub->counts[1] = sub->counts[0] + 1;
}

/* What replaces the linear algebra in a simulation: rows of width 1. */
typedef struct network_hooks {
    void *context;
    /* x1 = the states and extra rows of subsystem s at its local end; input: the coefficients of the powers
     * of local time up to work->degree, `inputs` values each. */
    costab_status (*advance)(void *context, int s, const double *x, const double *const input[MATRIX_POWERS],
                             double *x1, costab_error *error);
    /* y of subsystem s at its local end (`end`) or at the macro step's begin, from x and u. At the local end
     * the sources are not yet in u: they are added to it, and their slopes to work->end_slope. */
    costab_status (*output)(void *context, int s, bool end, const double *x, double *u, double *y,
                            costab_error *error);
    /* y' likewise; the sources are in u, and their slopes in u_slope (NULL: 0). */
    costab_status (*slope)(void *context, int s, bool end, const double *x, const double *u,
                           const double *u_slope, double *dy, costab_error *error);
    /* All y0 of the loop of connections without delay between active subsystems; given: inputs from the
     * others. */
    costab_status (*solve)(void *context, const double *x, const double *delayed, double *y0,
                           costab_error *error);
    bool iterate; /* a nonlinear subsystem: converge by iterating */
} network_hooks;

/* The macro steps before the one at hand, where they are not all as long as it is. */
typedef struct network_past {
    int count;             /* of those given; earlier ones are as long as the last of them */
    const double *lengths; /* in seconds, the latest first */
    double shortest;       /* of all steps that are ever taken: what delays in seconds may need to remember */
} network_past;
