/* network/work.h - the workspace: how a network's numbers lie in memory, made ready for one point.
 *
 * Signals are rows: a state or an output is `width` doubles, one per column of the problem: the map is a
 * macro step of the unit states (width = size of the map), a simulation one of a single state (width = 1).
 * With real powers of micro steps the numbers are complex: a row then has its real parts in the first half
 * and its imaginary parts in the second (halves = 2).
 *
 * The map's state: all x, then what the master and the methods remember, as far as the choices need it: the
 * inputs with which the subsystems ended their last steps, outputs (and slopes) of former communication
 * points, those inputs' slopes, what methods carry from step to step, inputs sent and mean
 * outputs under area correction.
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
typedef struct pencil_room pencil_room;         /* pencil.h */

struct costab_network_work {
    /* ---- What is asked, and what stays from point to point ---- */
    network_arena structure, numbers; /* memory of lists and of doubles */
    const costab_network *network;
    costab_coupling coupling;
    const network_hooks *hooks; /* of a simulation; else NULL */
    const network_past *past;   /* NULL: all macro steps are alike; else there are no strides */
    /* Of the last point (versions.c): */
    uint64_t structure_version; /* which the workspace is laid out for; 0: none, or unknown */
    uint64_t gains_version;
    costab_structure modes; /* equilibria -1: not given */
#ifdef COSTAB_CHECK_VERSIONS
    uint64_t hashes[2]; /* of gains and structure */
#endif
    bool delays_in_seconds; /* some are */
    int removed;            /* costab_network_removed */
    bool final_sweep;       /* the sweep at hand ends the macro step */

    /* ---- Layout: who is where in the rows, and the clocks ---- */
    network_subsystem *subs;
    int count;                   /* of subsystems */
    int states, inputs, outputs; /* sums */
    int signals;                 /* outputs, or twice as many with slopes */
    int advanced_rows;           /* rows of x1: states and extra rows of all subsystems */
    int degree;                  /* of the polynomials delivered */
    bool slopes;                 /* are exchanged */
    bool strided;                /* some subsystem exchanges at every few macro steps alone */
    bool area;                   /* area correction: outputs are integrated */
    bool uneven_times;           /* a delay in seconds, and unlike steps: nodes are not one step apart */
    bool has_loop;               /* feedthrough is solved: by output_loop */
    int size;                    /* rows of the map's state */
    int halves;                  /* 2 where numbers are complex, else 1 */
    map_row *rows;               /* of the map's state */
    int *newest_row;             /* per signal: row of its newest former value; -1: none */
    int *remembered;             /* per signal: how many former values are kept */
    int *guess_number;           /* per signal: its number among the guesses; -1: not guessed */
    int guesses;
    int *order;             /* subsystems in the order of their advance */
    int *delays;            /* per connection: macro steps */
    int *first_to;          /* per subsystem: the first connection to it; -1: none */
    int *next_to;           /* per connection: the next one to the same subsystem; -1: none */
    int64_t period;         /* macro steps after which all repeats: clocks and strides */
    int64_t cycle;          /* macro steps after which all strides are as at first */
    int64_t step_index;     /* of the macro step at hand */
    step_program *programs; /* PROGRAMS places for those of the cycle's macro steps */
    step_program *program;  /* of the macro step at hand */

    /* ---- The macro step's rows ---- */
    double *y0, *y1;          /* signals: at the macro step's begin and end */
    double *u[MATRIX_POWERS]; /* inputs: coefficients of their polynomials in local time */
    double *end, *end_slope;  /* inputs: values at the local ends, and slopes */
    double *x1;               /* advanced_rows: states and extra rows at the local ends */
    double *scratch;          /* states x 2, or inputs x (degree + 1) rows */
    double *full_state;       /* states and extra rows of one subsystem, for a hook */
    double *map, *next;       /* size rows: the map; a step's new state */
    loop_factors output_loop; /* outputs: I - D L0 */
    iterate_room iteration;
    double *block_work; /* of matrix_steps and matrix_real_power */
    int *block_iwork;

    /* ---- The layers above the step ---- */
    monolithic_room mono;
    loop_room loop_room; /* for as many signals as inputs or outputs */
    spectrum_room eigen;
    int eigenvalue_count;        /* of the point that was analysed last; those behind were set aside */
    neutral_room *neutral;       /* NULL until a network has equilibria */
    short_step_room *short_step; /* NULL until a map was near I */
    pencil_room *pencil;         /* NULL until an eigenvalue was refined */
    double *gained; /* states x size, of short_step_room: what steps add to the states; NULL: not asked for */
    network_batch batch;
    struct lanes_room *lanes_room;      /* lanes_map.h */
    int width;                          /* of a batch: the machine's best; each gives the same */
    const eigen_kernels *eigen_kernels; /* of that width */
    const struct map_kernels *map_kernels;
    double *map_real, *map_imaginary;     /* size^2 each: a complex map's parts */
    costab_connection *short_connections; /* short_delays.c */
    size_t short_capacity;
};

/* Has a network all that the workspace reads without asking: lists, matrices, ports that exist? */
bool work_sound(const costab_network *network);

/* Does the coupling go with the network, but for what clock.h tells of steps? costab_coupling_check says what
 * does not. */
bool work_takes(const costab_network *network, const costab_coupling *coupling);

/* Is the workspace laid out for a point, and are its choices checked? */
bool work_is_kept(const costab_network_work *work, const costab_network *network,
                  const costab_coupling *coupling, const network_hooks *hooks);
/* Would delays in seconds be as many macro steps of that length? */
bool work_delays_kept(const costab_network_work *work, const costab_network *network, double macro_step);
/* Takes the versions of work->network; what is known of other numbers is no longer: subs[].blocks_known,
 * mono.known. kept: the layout is the last point's. */
void work_take_versions(costab_network_work *work, bool kept);

/* Sets the clocks of micro steps of fixed length at another macro step. Returns false if the workspace is not
 * laid out for them: a step ratio has another denominator, or there is none. */
bool work_take_clocks(costab_network_work *work, const costab_network *network,
                      const costab_coupling *coupling);

/* Lays the workspace out for a network and makes the numbers of this point ready. */
costab_status work_prepare(costab_network_work *work, const costab_network *network,
                           const costab_coupling *coupling, const network_hooks *hooks, costab_error *error);

/* COSTAB_NUMERIC: this subsystem cannot take steps of length h. */
costab_status work_singular(const costab_subsystem *subsystem, double h, costab_error *error);

/* Are the blocks of a subsystem's micro steps finite? */
bool work_block_finite(const costab_network_work *work, int s);
/* COSTAB_NUMERIC: they are not. */
costab_status work_overflows(const costab_network_work *work, int s, costab_error *error);

/* The micro steps of all subsystems, or of one, as far as they are not known from the last point. */
costab_status work_make_blocks(costab_network_work *work, costab_error *error);
costab_status work_make_block(costab_network_work *work, int s, costab_error *error);

/* Seconds of one step of subsystem s. */
static inline double work_length(const costab_network_work *work, const network_subsystem *sub) {
    return work->coupling.macro_step * sub->stride;
}

/* The linear system of subsystem s as its micro steps see it. */
matrix_system work_system(const costab_network_work *work, int s);
