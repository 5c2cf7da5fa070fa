/* network/lanes_map.h - the maps of LANES points at once: the program of a macro step run on rows of vectors.
 *
 * A lane does the operations of the scalar code in their order: its map has the same bits. */
#pragma once

#include "base/lanes.h"
#include "network/program.h"

/* The numbers of a subsystem in lanes, and its steps: Phi beside the input parts, row by row. */
typedef struct lane_part {
    const double *A, *B, *C, *D;
    double *own[4];   /* room for them where points come one by one */
    double *block[2]; /* as network_subsystem.blocks */
    bool explicit;    /* its block is made in lanes, else by the scalar code */
} lane_part;

typedef struct lanes_room {
    double *banks[STEP_BANKS]; /* rows of vectors; of the map's state for periods alone */
    const double *steps;       /* macro steps */
    const double **gains;      /* per connection */
    double *own_gains;
    lane_part *parts;         /* per subsystem */
    uint64_t versions[LANES]; /* the work->version that the numbers in a lane are of */
    double *scratch;
    double *inputs;              /* the rows of the monolithic systems' inputs */
    double *guess, *guess_spare; /* guesses x guesses: the maps of guesses */
    double *guess_rows;          /* guesses x size */
    double *numbers;             /* of one lane */
    eigen_lanes_components zeros;
    eigen_lanes_found found;
    double *eigen_work;
    bool alone[LANES];    /* a lane must be looked at alone */
    double radius[LANES]; /* of iterations */
} lanes_room;

/* Matrices of a subsystem at LANES points, a number's LANES values one after the other (base/lanes.h). */
typedef struct network_matrices {
    const double *A, *B, *C;
} network_matrices;

/* All numbers of LANES points that are alike but for these; each begins at a line of the cache. */
typedef struct network_numbers {
    const network_matrices *matrices; /* one per subsystem */
    const double *const *gains;       /* one per connection */
    const double *steps;              /* macro steps */
    /* 0, or nothing but the macro steps differs between the points: a number of all the rest, which no other
     * has until network_batch_finish. */
    uint64_t shared;
} network_numbers;

/* The places of the batch and of the room, which is NULL where maps are too large for lanes. */
void lanes_lay(costab_network_work *work, network_arena *arena);
/* Are maps of the workspace's form made in lanes? Once it is laid out, and its program built. */
bool lanes_fit(const costab_network_work *work);

/* The numbers of the point at hand, as they were compared last, into a lane. False where it must be looked at
 * alone. */
bool lanes_put(costab_network_work *work, int lane);
/* Are all blocks made in lanes? Only then numbers of all lanes can be taken at once. */
bool lanes_explicit(const costab_network_work *work);
/* The numbers of all lanes are those that lanes_put has put there, with these macro steps; or others, of
 * subsystems without feedthrough and area correction. */
void lanes_take_own(costab_network_work *work, const double *steps);
void lanes_take_numbers(costab_network_work *work, const network_numbers *numbers);

/* The maps of a period into `maps`, size x size; room->alone, and where it is asked for or an iteration must
 * converge room->radius. */
void lanes_make_maps(costab_network_work *work, double *maps, bool radius);
/* The monolithic matrices of subsystems without feedthrough. [in, out] inexact: becomes true where terms of
 * an entry cancel, as monolithic_errors finds. */
void lanes_make_monos(costab_network_work *work, double *monos, bool inexact[LANES]);
