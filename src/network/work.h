/* network/work.h - the workspace: how a network's numbers lie in memory, made ready for one point.
 *
 * Signals are rows: a state or an output is `width` doubles, one a column of the problem: the map is a macro
 * step of the unit states (width = size of the map), a simulation one of a single state (width = 1). With
 * real powers of micro steps the numbers are complex: a row then has its real parts in the first half and its
 * imaginary parts in the second.
 *
 * The map's state: all x, then the inputs held for delayed feedthrough, then former outputs. */
#ifndef NETWORK_WORK_H
#define NETWORK_WORK_H

#include "costab/network.h"
#include "method/matrix.h"
#include "network/clock.h"

typedef struct network_arena {
    unsigned char *base;
    size_t used, capacity;
} network_arena;

/* `count` items of `size` bytes; NULL while the arena only measures (base NULL). */
void *arena_take(network_arena *arena, size_t count, size_t size);

/* Lets `lay` take all that `owner` needs, in memory that is kept from the last time where it is large enough.
 * What stands in it is undefined. */
costab_status arena_fill(network_arena *arena, void (*lay)(void *owner, network_arena *arena), void *owner,
                         costab_error *error);

/* One subsystem as it lies in the workspace. */
typedef struct network_part {
    int n, m, q;  /* states, inputs, outputs */
    int x, u, y;  /* first row of each among all */
    int held;     /* first row of the held input in the map's state; -1: none */
    int position; /* in the gauss-seidel order */
    network_clock clock;
    network_beat beat; /* of the macro step at hand */
    int shape[8];      /* what its place in memory was laid out for */
    int block_count;
    int64_t counts[2];
    matrix_block blocks[2]; /* of counts[0] and counts[1] micro steps */
    const matrix_block *block;
    /* Of the last point: copies of A, B, C, D, and what the blocks were made from. */
    double *seen[4];
    bool moved, blocks_known; /* A or B differ from it */
    network_clock seen_clock;
    double seen_step;
    costab_method seen_method;
} network_part;

/* What replaces the linear algebra in a simulation: rows of width 1. */
typedef struct network_hooks {
    void *context;
    /* x1 = the states of part s at its local end under the input line u0 -> u1. */
    costab_status (*advance)(void *context, int s, const double *x, const double *u0, const double *u1,
                             double *x1, costab_error *error);
    /* y of part s at its local end (`end`) or at the macro step's begin, from x and u (sources not yet in it:
     * they are added to u). */
    costab_status (*output)(void *context, int s, bool end, const double *x, double *u, double *y,
                            costab_error *error);
    /* All y0 of the loop of connections without delay; given: inputs from delayed connections. */
    costab_status (*solve)(void *context, const double *x, const double *delayed, double *y0,
                           costab_error *error);
    bool iterate; /* a nonlinear part: converge by iterating */
} network_hooks;

struct costab_network_work {
    network_arena structure, numbers;
    const costab_network *network;
    costab_coupling coupling;
    const network_hooks *hooks;
    bool final_sweep; /* the sweep at hand ends the macro step */

    network_part *parts;
    int count;                   /* of parts */
    int states, inputs, outputs; /* sums */
    int size;                    /* of the map's state */
    int lanes;                   /* 2 where complex, else 1 */
    int *history, *depth;        /* per output: row of y_{n-1} in the state (-1: none), former values kept */
    int *order;                  /* parts in the order of their advance */
    int *guess;                  /* per output: its number among the guesses; -1: not guessed */
    int guesses;
    int64_t period;
    bool loop; /* feedthrough solved: `loop_*` are there */

    int max_width; /* of a row */
    double *y0, *y1, *u0, *u1, *end, *x1, *scratch;
    double *map, *next;  /* size rows */
    double *loop_matrix; /* outputs x outputs */
    int *loop_pivots;
    double *guess_matrix, *guess_rows; /* (lanes guesses)^2; lanes guesses rows */
    int *guess_pivots;
    bool guess_known, guess_singular;
    double guess_radius;
    double *block_work;
    int *block_iwork;

    int shape[8]; /* sums that the memory was laid out for */
    costab_connection *seen_connections;
    int seen_count;  /* of connections */
    bool mono_known; /* `mono` is that of the numbers at hand, and its abscissa known */
    double mono_abscissa, mono_rounding;
    double *mono, *mono_loop,
        *mono_rows;        /* states^2; inputs^2; inputs x states: the inputs from the states */
    bool mono_feedthrough; /* mono_loop holds factors of I - L D */
    int *mono_pivots, *condition_iwork;
    double *condition_work;
    double *eigen_real, *eigen_imaginary, *eigen_work, *eigen_complex;
    int *eigen_iwork;
    double *result_real, *result_imaginary; /* the map with its imaginary part split off */
};

/* Whether a coupling's choices are those of the model: all that costab_coupling_check looks at but the
 * clocks, without words, as it is asked at every point. */
bool work_takes(const costab_network *network, const costab_coupling *coupling);

/* Lays the workspace out for a network and makes the numbers of this point ready. */
costab_status work_prepare(costab_network_work *work, const costab_network *network,
                           const costab_coupling *coupling, const network_hooks *hooks, costab_error *error);

/* COSTAB_NUMERIC: this subsystem cannot take steps of length h. */
costab_status work_singular(const costab_subsystem *subsystem, double h, costab_error *error);

/* Notes which numbers differ from those of the last point: parts[].moved, and mono_known where none. */
void work_compare(costab_network_work *work);
/* The micro steps of all parts, as far as they are not known from the last point or from a part that is
 * alike.
 */
costab_status work_make_blocks(costab_network_work *work, costab_error *error);

/* The beats of macro step `index`. */
void work_select(costab_network_work *work, int64_t index);

/* A connection whose output is seen at the macro step's end by its target. */
bool work_known(const costab_network_work *work, const costab_connection *connection);

/* ---- step.c ---- */

/* One macro step of `width` columns (lanes included): next = step(state). Both `size` rows. */
costab_status work_step(costab_network_work *work, int64_t index, int width, const double *state,
                        double *next, costab_error *error);

/* With hooks, after a step from `state`: what a connection delivered to its target at the target's local end.
 */
double work_delivered(const costab_network_work *work, const costab_connection *connection,
                      const double *state);

#endif
