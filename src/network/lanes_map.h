/* network/lanes_map.h - the maps of a batch of points (base/lanes.h): the program of a macro step run on rows
 * of vectors.
 *
 * A lane does the operations of the scalar code in their order: its map has the same bits. */
#pragma once

#include "base/lanes.h"
#include "network/program.h"

/* The numbers of a subsystem in lanes, and its steps: Phi beside the input parts, row by row. */
typedef struct lane_part {
    const double *A, *B, *C, *D;
    double *block[2]; /* as network_subsystem.blocks */
    bool explicit;    /* its block is made in lanes, else by the scalar code */
} lane_part;

typedef struct lanes_room {
    double *banks[STEP_BANKS];  /* rows of vectors; of the map's state for periods alone */
    const double *steps;        /* macro steps */
    const double *const *gains; /* per connection */
    lane_part *parts;           /* per subsystem */
    bool explicit;              /* all blocks are made in lanes */
    bool feedthrough;           /* some subsystem has D */
    /* The numbers of one lane, for the scalar code: */
    costab_network one;
    costab_subsystem *one_subsystems;
    costab_connection *one_connections;
    double *one_matrices;
    double *scratch;
    double *inputs;              /* the rows of the monolithic systems' inputs */
    double *guess, *guess_spare; /* guesses x guesses: the maps of guesses */
    double *guess_rows;          /* guesses x size */
    double *numbers;             /* of one lane */
    eigen_lanes_components zeros;
    eigen_lanes_found found;
    double *eigen_work;
    bool alone[LANES_MOST];    /* a lane must be looked at alone */
    double radius[LANES_MOST]; /* of iterations */
    bool sided;                /* of the current iterations only their sides are known: */
    eigen_where sides[LANES_MOST];
} lanes_room;

/* Matrices of a subsystem at the points of a batch (base/lanes.h). */
typedef struct network_matrices {
    const double *A, *B, *C, *D; /* D: NULL if the subsystem has none */
} network_matrices;

/* All numbers of a batch of points of one structure, aligned to the batch's width. */
typedef struct network_numbers {
    const network_matrices *matrices; /* one per subsystem */
    const double *const *gains;       /* one per connection */
    const double *steps;              /* macro steps */
    /* 0, or the version of all other numbers, if nothing but the macro steps differs between the points:
     * equal versions promise equal numbers. */
    uint64_t shared;
} network_numbers;

/* The blocks that a subsystem's explicit steps make: Phi - I beside the parts of the input's powers. */
typedef struct lane_shape {
    int n, m, degree, width, substeps;
    const costab_method *method;
} lane_shape;

lane_shape lane_shape_of(const costab_network_work *work, int s);

/* A run of the program on rows of `width` entries; what the rows of the state are. */
typedef struct lanes_run {
    costab_network_work *work;
    int width;
    enum { LANES_ZERO, LANES_UNIT, LANES_GIVEN } state;
} lanes_run;

/* The kernels of one width (map_kernel.c): steps of explicit methods; instructions `first` to `last` - 1; the
 * monolithic matrices of systems without feedthrough. */
typedef struct map_kernels {
    int width;
    void (*blocks)(const costab_network_work *work);
    void (*run)(const lanes_run *run, int first, int last);
    void (*mono)(const costab_network_work *work, double *monos);
} map_kernels;

extern const map_kernels map_kernels_2, map_kernels_4, map_kernels_8;

/* Chooses the kernels of a width that the machine has; before work_prepare. */
void lanes_choose(costab_network_work *work, int width);

/* Solves the loop of feedthrough at the step's begin, lane by lane; rows: of the outputs. */
void lanes_solve_begin(const lanes_run *run, double *rows);

/* Memory of the batch and of work->lanes_room, which is NULL if maps are too large for lanes. */
void lanes_lay(costab_network_work *work, network_arena *arena);
/* Are maps of the workspace's structure computed in lanes? After it is laid out, and its program built. */
bool lanes_fit(const costab_network_work *work);

/* Takes the numbers of all lanes; those of work->network are no longer read. */
void lanes_take_numbers(costab_network_work *work, const network_numbers *numbers);

/* The maps of a period into `maps`, size x size; room->alone, and room->radius. If it is not requested the
 * radius of an iteration that must converge is any number on its side of 1 and of ANALYSE_QUICK_RADIUS. */
void lanes_make_maps(costab_network_work *work, double *maps, bool radius);
/* The monolithic matrices. [in, out] inexact: becomes true if terms of an entry cancel, as monolithic_errors
 * finds. A lane whose loops of feedthrough have no solution is to be looked at alone. */
void lanes_make_monos(costab_network_work *work, double *monos, bool inexact[LANES_MOST]);
