/* network/work.h - the workspace: how a network's numbers lie in memory, made ready for one point.
 *
 * Signals are rows: a state or an output is `width` doubles, one per column of the problem: the map is a
 * macro step of the unit states (width = size of the map), a simulation one of a single state (width = 1).
 * With real powers of micro steps the numbers are complex: a row then has its real parts in the first half
 * and its imaginary parts in the second.
 *
 * The map's state: all x, then what the master and the methods remember, as far as the choices need it: the
 * inputs with which the subsystems ended their last steps, outputs (and slopes) of former communication
 * points, those inputs' slopes, what methods carry from step to step, new outputs of subsystems in the middle
 * of a longer step, inputs sent and mean outputs under area correction.
 *
 * Signals that connections carry are numbered: all outputs, and where slopes are exchanged too, the outputs
 * again for their slopes. */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/eigen_lanes.h"
#include "method/matrix.h"
#include "network/arena.h"
#include "network/iterate.h"
#include "network/lane_points.h"
#include "network/loop.h"
#include "network/monolithic.h"
#include "network/polynomial.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/subsystem.h"

typedef struct step_program step_program;       /* program.h */
typedef struct neutral_room neutral_room;       /* neutral.h */
typedef struct short_step_room short_step_room; /* short_step.h */

struct costab_network_work {
    /* ---- What is asked, and what stays from point to point ---- */
    network_arena structure, numbers;
    const costab_network *network;
    costab_coupling coupling;
    const network_hooks *hooks;
    bool kept;                 /* the last point's numbering and place serve the next one of its form */
    bool kept_step;            /* with the same macro step alone */
    bool timed;                /* a delay is in seconds */
    costab_network kept_lists; /* the last point's: counts and pointers */
    const network_past *past;  /* NULL: all macro steps are alike; else without strides */
    costab_connection *seen_connections;
    int seen_count;   /* of connections */
    bool final_sweep; /* the sweep at hand ends the macro step */

    /* ---- Layout: who is where in the rows, and the clocks ---- */
    network_subsystem *subs;
    int count;                   /* of subsystems */
    int states, inputs, outputs; /* sums */
    int signals;                 /* outputs, or twice as many with slopes */
    int full;                    /* rows of work->x1: states and extra rows */
    int degree;                  /* of the polynomials delivered */
    bool slopes, strided, area;
    bool late; /* a delay in seconds, and unlike steps: nodes are not one step apart */
    int size;  /* of the map's state */
    int lanes; /* 2 where complex, else 1 */
    int *history,
        *depth; /* per signal: row of its newest former value in the state (-1: none), values kept */
    int *ahead; /* per signal: row of the new value of a step under way; -1: none */
    int *order; /* subsystems in the order of their advance */
    int *guess; /* per signal: its number among the guesses; -1: not guessed */
    int guesses;
    int *delays; /* per connection: macro steps */
    int *first_to,
        *next_to; /* per subsystem its first connection, per connection the target's next; -1: none */
    int64_t period, index;  /* index: of the macro step at hand */
    int64_t cycle;          /* macro steps after which all strides are as at first */
    bool loop;              /* feedthrough solved: `output_loop` is there */
    map_row *rows;          /* of the map's state */
    step_program *programs; /* PROGRAMS places for those of the cycle's macro steps */
    step_program *program;  /* of the macro step at hand */

    /* ---- The macro step's rows ----
     * y0, y1: signals at the macro step's begin and end; u: coefficients of the inputs' polynomials; end,
     * end_slope: inputs at the local ends; x1: states and extra rows at the local ends. */
    double *y0, *y1, *u[MATRIX_POWERS], *end, *end_slope, *x1, *scratch, *full_state;
    double *map, *next;       /* size rows */
    loop_factors output_loop; /* outputs: I - D L0 */
    iterate_room iteration;
    double *block_work;
    int *block_iwork;

    /* ---- The layers above the step ---- */
    monolithic_room mono;
    loop_room loop_room; /* for as many signals as inputs or outputs */
    spectrum_room eigen;
    neutral_room *neutral;       /* NULL until a network has equilibria */
    short_step_room *short_step; /* NULL until a map was near I */
    double *gained; /* states x size, of short_step_room: what steps add to the states; NULL: not asked for */
    network_batch batch;
    struct lanes_room *lanes_room; /* lanes_map.h */
    uint64_t version; /* counts the changes of numbers other than the macro step, and of the form */
    lanes_set set;    /* the machine's best; whichever it has gives the same */
    double *result_real, *result_imaginary; /* the map with its imaginary part split off */
    int rest; /* eigenvalues of the point that was analysed last; those behind are of what was set aside */
};

/* Has a network all that the workspace reads without asking: lists, matrices, ports that exist? */
bool work_sound(const costab_network *network);

/* Does the coupling go with the network, but for what clock.h tells of steps? costab_coupling_check says what
 * does not. */
bool work_takes(const costab_network *network, const costab_coupling *coupling);

/* Is a point like the last one but for its numbers? Then the workspace is laid out for it, and its choices
 * are checked. */
bool work_is_kept(const costab_network_work *work, const costab_network *network,
                  const costab_coupling *coupling, const network_hooks *hooks);
/* The same of the coupling alone. */
bool work_choices_kept(const costab_network_work *work, const costab_coupling *coupling);
/* Would delays in seconds be as many macro steps of that length? */
bool work_delays_kept(const costab_network_work *work, double macro_step);
/* Remembers what the workspace was laid out for. */
void work_keep(costab_network_work *work);

/* Lays the workspace out for a network and makes the numbers of this point ready. */
costab_status work_prepare(costab_network_work *work, const costab_network *network,
                           const costab_coupling *coupling, const network_hooks *hooks, costab_error *error);

/* COSTAB_NUMERIC: this subsystem cannot take steps of length h. */
costab_status work_singular(const costab_subsystem *subsystem, double h, costab_error *error);

/* Notes which numbers differ from those of the last point: subs[].blocks_known, version, and mono.known where
 * none. */
void work_compare(costab_network_work *work);
/* The micro steps of all subsystems, or of one, as far as they are not known from the last point. */
costab_status work_make_blocks(costab_network_work *work, costab_error *error);
costab_status work_make_block(costab_network_work *work, int s, costab_error *error);

/* Seconds of one step of subsystem s. */
static inline double work_length(const costab_network_work *work, const network_subsystem *sub) {
    return work->coupling.macro_step * sub->stride;
}

/* The linear system of subsystem s as its micro steps see it. */
matrix_system work_system(const costab_network_work *work, int s);
