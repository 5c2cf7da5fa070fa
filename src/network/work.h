/* network/work.h - the workspace: all arrays for one network, and their layout.
 *
 * A state or an output is a row of `width` doubles, one per column of the problem. The map is a macro step of
 * the unit states (width = size of the map); a simulation advances one state (width = 1). With real powers of
 * micro steps the numbers are complex: the first half of a row holds real parts, the second half imaginary
 * parts (halves = 2).
 *
 * The map's state consists of all x, then the history values that the options need: inputs at the ends of the
 * previous steps, previous outputs (and slopes), the slopes of those inputs, histories of multistep methods,
 * and, under area correction, inputs sent and mean outputs.
 *
 * Signals are numbered: all outputs, then, if slopes are exchanged, the outputs a second time for their
 * slopes. */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/eigen_lanes.h"
#include "method/matrix.h"
#include "network/arena.h"
#include "network/iterate.h"
#include "network/loop.h"
#include "network/monolithic.h"
#include "network/polynomial.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/subsystem.h"

/* ---- Batches of points ---- */

/* Up to work->width points, and data reused by the next call. Matrices and macro steps store the values of
 * all lanes of an entry contiguously. */
typedef struct network_batch {
    /* True if lanes can compute maps of this structure; set with the layout. */
    bool usable;

    int count;                                          /* points of this call */
    costab_network_point *points;                       /* results, owned by the caller */
    double *maps, *monos;                               /* M, size^2 entries; A_mono, states^2 entries */
    bool map_waits[LANES_MOST], mono_waits[LANES_MOST]; /* eigenvalues of this matrix are pending */

    /* Numbers of the continuous system for all points with equal `shared` numbers; copied to each point. Set
     * by the first call. common_of: network_numbers.shared of `common`; 0: unknown. */
    costab_network_point common;
    uint64_t common_of;
    /* Set with common_of. True if A_mono has no equilibria and no inexact entries; otherwise the scalar code
     * analyses these points. */
    bool common_regular;
    /* Powers of A_mono left most points undecided: skip them. Reset when eigenvalues find most points
     * stable. */
    bool powers_fail;

    /* Workspace: */
    double *spare;           /* size^2 entries: a copy for code that overwrites matrices */
    double *eigen_work;      /* eigen_lanes_work(size) */
    eigen_lanes_found found; /* eigenvalues of the matrices copied to `spare` */
    eigen_lanes_components map_components, mono_components;
} network_batch;

typedef struct step_program step_program;         /* program.h */
typedef struct neutral_space neutral_space;       /* neutral.h */
typedef struct short_step_space short_step_space; /* short_step.h */
typedef struct pencil_space pencil_space;         /* pencil.h */
typedef struct dead_time_space dead_time_space;   /* dead_time.h */

struct costab_network_work {
    /* ---- The point, and data reused by the next point ---- */
    network_arena structure, numbers; /* memory of lists, memory of doubles */
    const costab_network *network;
    costab_coupling coupling;
    const network_hooks *hooks; /* of a simulation; NULL otherwise */
    const network_past *past;   /* NULL: all macro steps have the same length; otherwise all multirate factors
                                 * are 1 */
    /* For the last point (versions.c): */
    uint64_t structure_version; /* of the present layout; 0: no layout, or unknown */
    uint64_t gains_version;
    costab_structure modes; /* equilibria -1: not given */
#ifdef COSTAB_CHECK_VERSIONS
    uint64_t hashes[2]; /* of gains and structure */
#endif
    bool delays_in_seconds; /* some delays or dead times are in seconds */
    int removed;            /* costab_network_removed */
    bool final_sweep;       /* the current sweep ends the macro step */

    /* ---- Layout of rows, and clocks ---- */
    network_subsystem *subs;
    int count;                   /* number of subsystems */
    int states, inputs, outputs; /* sums over all subsystems */
    int signals;                 /* outputs, or twice as many with slopes */
    int advanced_rows;           /* rows of x1: states and additional rows of all subsystems */
    int degree;                  /* of the polynomials of inputs */
    bool slopes;                 /* slopes are exchanged */
    bool strided;                /* some multirate factor exceeds 1 */
    bool area;                   /* area correction: outputs are integrated */
    bool uneven_times;           /* a delay in seconds with unequal steps: nodes are not one step apart */
    bool has_loop;               /* feedthrough is solved, by output_loop */
    int size;                    /* rows of the map's state */
    int halves;                  /* 2 if numbers are complex, otherwise 1 */
    map_row *rows;               /* of the map's state */
    int *newest_row;             /* per signal: row of its latest history value; -1: no history */
    int *remembered;             /* per signal: number of history values */
    int *guess_number;           /* per signal: index among the iteration variables; -1: not iterated */
    int guesses;
    int *order;             /* subsystems in the order of their steps */
    int *delays;            /* per connection: macro steps */
    double *dead;           /* per connection: dead time in macro steps; 0: none */
    int *first_to;          /* per subsystem: the first connection to it; -1: none */
    int *next_to;           /* per connection: the next connection to the same subsystem; -1: last */
    int64_t period;         /* macro steps after which clocks and multirate pattern repeat */
    int64_t cycle;          /* macro steps after which the multirate pattern repeats */
    int64_t step_index;     /* of the current macro step */
    step_program *programs; /* PROGRAMS slots for the macro steps of the cycle */
    step_program *program;  /* of the current macro step */

    /* ---- Rows of a macro step ---- */
    double *y0, *y1;          /* signals at the start and at the end of the macro step */
    double *u[MATRIX_POWERS]; /* coefficients of the inputs' polynomials in local time */
    double *end, *end_slope;  /* inputs at the local ends: values, slopes */
    double *x1;               /* advanced_rows: states and additional rows at the local ends */
    double *scratch;          /* states x 2, or inputs x (degree + 1) rows */
    double *full_state;       /* states and additional rows of one subsystem, for a hook */
    double *map, *next;       /* size rows each: the map; the new state of a step */
    loop_factors output_loop; /* outputs: I - D L0 */
    iterate_space iteration;
    double *block_work; /* for matrix_steps and matrix_real_power */
    int *block_iwork;

    /* ---- Analysis ---- */
    monolithic_space mono;
    loop_space loop_space; /* for as many signals as there are inputs or outputs */
    spectrum_space eigen;
    int eigenvalue_count;         /* of the last analysed point; removed eigenvalues follow after them */
    neutral_space *neutral;       /* NULL until a network has equilibria */
    short_step_space *short_step; /* NULL until a map was close to I */
    pencil_space *pencil;         /* NULL until an eigenvalue was refined */
    dead_time_space *dead_time;   /* NULL until a network has dead time */
    double *gained; /* states x size, in short_step_space: increments of the states; NULL: not requested */
    network_batch batch;
    struct lanes_space *lanes_space;    /* lanes_map.h */
    int width;                          /* lanes of a batch: the fastest on this machine; results do not
                                         * depend on it */
    const eigen_kernels *eigen_kernels; /* for that width */
    const struct map_kernels *map_kernels;
    double *map_real, *map_imaginary;     /* size^2 each: real and imaginary part of a complex map */
    costab_connection *short_connections; /* short_delays.c */
    size_t short_capacity;
};

/* Returns true if all lists, matrices and ports that the workspace reads exist. */
bool work_sound(const costab_network *network);

/* Returns true if work_sound holds and the coupling fits the network; step ratios (clock.h) are not checked.
 * costab_coupling_check reports the reason otherwise. */
bool work_takes(const costab_network *network, const costab_coupling *coupling);

/* Returns true if the workspace is laid out for this point and its options are checked. */
bool work_is_kept(const costab_network_work *work, const costab_network *network,
                  const costab_coupling *coupling, const network_hooks *hooks);
/* Returns true if delays in seconds take as many macro steps of this length as in the present layout. */
bool work_delays_kept(const costab_network_work *work, const costab_network *network, double macro_step);
/* Takes the versions of work->network and invalidates results of other numbers: subs[].blocks_known,
 * mono.known. kept: the layout is still valid. */
void work_take_versions(costab_network_work *work, bool kept);

/* Adapts the clocks of micro steps to a new macro step. Returns false if the layout does not
 * fit: a step ratio has another denominator, or is not rational. */
bool work_take_clocks(costab_network_work *work, const costab_network *network,
                      const costab_coupling *coupling);

/* Lays out the workspace for a network and prepares the numbers of this point. The network, the coupling's
 * order and the hooks are borrowed until the next point. COSTAB_INVALID if the coupling does not fit the
 * network or a feedthrough loop is singular; COSTAB_NUMERIC as work_singular and work_overflows;
 * COSTAB_MEMORY. */
costab_status work_prepare(costab_network_work *work, const costab_network *network,
                           const costab_coupling *coupling, const network_hooks *hooks, costab_error *error);

/* COSTAB_NUMERIC: this subsystem's method cannot take steps of length h. */
costab_status work_singular(const costab_subsystem *subsystem, double h, costab_error *error);

/* Returns true if the matrices of a subsystem's micro steps are finite. */
bool work_block_finite(const costab_network_work *work, int s);
/* COSTAB_NUMERIC: the matrices of subsystem s overflow. */
costab_status work_overflows(const costab_network_work *work, int s, costab_error *error);

/* Computes the matrices of the micro steps of all subsystems, or of one, unless the last point's are
 * valid. */
costab_status work_make_blocks(costab_network_work *work, costab_error *error);
costab_status work_make_block(costab_network_work *work, int s, costab_error *error);

/* Length in seconds of a step of this subsystem. */
static inline double work_length(const costab_network_work *work, const network_subsystem *sub) {
    return work->coupling.macro_step * sub->stride;
}

/* The linear system that the micro steps of subsystem s integrate. */
matrix_system work_system(const costab_network_work *work, int s);
