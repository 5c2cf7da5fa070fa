/* network/short_step.h - maps of short steps, by what they add to the states.
 *
 * As the macro step H tends to 0 the map M tends to I on the states, and what decides, |l| - 1, tends to 0
 * like H, while the rounding of M stays where it is. So M - I is formed without cancellation: the solvers'
 * blocks are kept as Phi - I, and the increments of the states are added up over a period. What the master
 * and the methods remember follows the states at once: there is a matrix Z such that the columns of [I; Z]
 * span an invariant subspace, on which the map is I + S, and the rest of the spectrum is that of a matrix F:
 *
 *     M - I = [K L; G N - I],   S = K + L Z,   (I - N) Z = G - Z S,   F = N - Z L.
 *
 * The rounding of S is relative to S: epsilon H ||A||, not epsilon. */
#pragma once

#include "network/neutral.h"
#include "network/spectrum.h"

/* Without equilibria and kept motions; row-major, borrowed until the workspace is used again. The map's
 * eigenvalues are those of I + slow and those of fast. */
typedef struct short_step_parts {
    int slow_size, fast_size; /* slow_size 0: the map is not near I, or it is not known how near */
    const double *slow, *fast;
    double noise; /* what rounding may have made of `slow`: a norm, in balanced coordinates */
} short_step_parts;

/* After map_make and neutral_set_aside, whose `rest` stays as it is. Makes the map again: the entries of
 * work->map are then off by other roundings. */
costab_status short_step_make(costab_network_work *work, const neutral_rest *rest, short_step_parts *parts,
                              costab_error *error);

/* How far the eigenvalues of both parts are beyond the circle, over a period. Leaves the map's eigenvalues
 * in the workspace. roundings: of eigen_found. */
costab_status short_step_reach(costab_network_work *work, const short_step_parts *parts, double roundings,
                               spectrum_reach *reach, costab_error *error);

void short_step_free(short_step_room *room);
