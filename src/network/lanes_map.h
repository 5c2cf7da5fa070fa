/* network/lanes_map.h - maps of a batch of points (base/lanes.h): runs the program of a macro step on rows of
 * vectors.
 *
 * A lane does the operations of the scalar code in the same order: its map is equal to the last bit. */
#pragma once

#include "base/lanes.h"
#include "network/program.h"

/* Matrices of a subsystem at the points of a batch (base/lanes.h). */
typedef struct network_matrices {
    const double *A, *B, *C, *D; /* D: NULL if the subsystem has none */
} network_matrices;

/* A subsystem's blocks in lanes; a row of a block is Phi followed by the input parts. */
typedef struct lane_part {
    double *block[2]; /* like network_subsystem.blocks */
    bool explicit;    /* lanes compute the block; otherwise the scalar code */
} lane_part;

typedef struct lanes_space {
    double *banks[STEP_BANKS];  /* rows of vectors; BANK_STATE is used for periods of several steps only */
    const double *steps;        /* macro steps */
    const double *const *gains; /* per connection */
    const network_matrices *matrices; /* per subsystem */
    lane_part *parts;                 /* per subsystem */
    bool explicit;                    /* lanes compute all blocks */
    bool feedthrough;                 /* some subsystem has a matrix D */
    /* The numbers of one lane in scalar form: */
    costab_network one;
    costab_subsystem *one_subsystems;
    costab_connection *one_connections;
    double *one_matrices;
    double *scratch;
    double *inputs;              /* rows of inputs in the monolithic systems */
    double *guess, *guess_spare; /* guesses x guesses: iteration matrices */
    double *guess_rows;          /* guesses x size */
    double *numbers;             /* numbers of one lane */
    eigen_lanes_components zeros;
    eigen_lanes_found found;
    double *eigen_work;
    bool alone[LANES_MOST];    /* the scalar code must analyse this lane */
    double radius[LANES_MOST]; /* iteration radii */
    bool sided;                /* only the sides of the present iterations are known: */
    eigen_where sides[LANES_MOST];
} lanes_space;

/* All numbers of a batch of points of one structure, aligned to the width of the batch. */
typedef struct network_numbers {
    const network_matrices *matrices; /* per subsystem */
    const double *const *gains;       /* per connection */
    const double *steps;              /* macro steps */
    /* Version of all numbers except the macro steps if the points differ in macro steps only; otherwise 0.
     * Equal versions promise equal numbers. */
    uint64_t shared;
} network_numbers;

/* Shape of the blocks of an explicit method: n rows of `width` entries, Phi followed by the parts of the
 * input's powers 0..degree. While steps are composed, Phi - I replaces Phi. */
typedef struct lane_shape {
    int n, m, degree, width, substeps;
    const costab_method *method;
} lane_shape;

lane_shape lane_shape_of(const costab_network_work *work, int s);

/* A run of the program on rows of `width` entries; `state` describes the rows of the initial state. */
typedef struct lanes_run {
    costab_network_work *work;
    int width;
    enum { LANES_ZERO, LANES_UNIT, LANES_GIVEN } state;
} lanes_run;

/* Kernels of one width (map_kernel.c): blocks of explicit methods; instructions `first` to `last` - 1;
 * monolithic matrices of systems without feedthrough. */
typedef struct map_kernels {
    int width;
    void (*blocks)(const costab_network_work *work);
    void (*run)(const lanes_run *run, int first, int last);
    void (*mono)(const costab_network_work *work, double *monos);
} map_kernels;

extern const map_kernels map_kernels_2, map_kernels_4, map_kernels_8;

/* Selects the kernels of a width supported by the machine; to be called before work_prepare. */
void lanes_choose(costab_network_work *work, int width);

/* Solves the feedthrough loop at the start of the step, lane by lane. [in, out] rows: the outputs. */
void lanes_solve_begin(const lanes_run *run, double *rows);

/* Lays out the batch and work->lanes_space, which is NULL if lanes cannot compute such maps. */
void lanes_lay(costab_network_work *work, network_arena *arena);
/* Returns true if lanes compute maps of the present structure, and notes in work->lanes_space which blocks
 * they compute. Requires the layout and the program. */
bool lanes_fit(const costab_network_work *work);

/* Takes the numbers of all lanes, borrowed; the numbers in work->network are ignored afterwards. If scalar
 * code is needed, work->network becomes a network in work->lanes_space with the numbers of one lane. */
void lanes_take_numbers(costab_network_work *work, const network_numbers *numbers);

/* Computes the maps of a period. [out] maps: size x size; also work->lanes_space->alone and radius. `radius`:
 * iteration radii are requested; otherwise that of an iteration to convergence is only on the right side of 1
 * and of ANALYSE_QUICK_RADIUS. */
void lanes_make_maps(costab_network_work *work, double *maps, bool radius);
/* Computes the monolithic matrices. [in, out] inexact: set to true if terms of an entry cancel (as in
 * monolithic_errors). Lanes with a singular feedthrough loop are left to the scalar code. */
void lanes_make_monos(costab_network_work *work, double *monos, bool inexact[LANES_MOST]);
