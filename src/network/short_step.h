/* network/short_step.h - maps of short steps, split into a part near I and the rest, without cancellation.
 *
 * As the macro step H tends to 0, the map M tends to I on the states. The decisive quantity |l| - 1 tends to
 * 0 like H, but the rounding error of M does not. M - I is therefore computed without cancellation: blocks
 * store Phi - I, and the increments of the states are summed over a period of macro steps. The map also acts
 * on stored values (previous outputs, delays), with the blocks
 *
 *     M = [I + K, L; G, N]   for (states; stored values).
 *
 * After a few steps the stored values are functions of the states: there is a matrix Z such that the columns
 * of [I; Z] span an invariant subspace. The map on it is I + S; the rest of the spectrum belongs to a matrix
 * F:
 *
 *     S = K + L Z,   (I - N) Z = G - Z S,   F = N - Z L.
 *
 * The rounding error of S is relative to S: epsilon H ||A||, not epsilon. */
#pragma once

#include "network/neutral.h"
#include "network/spectrum.h"

/* The map's eigenvalues are those of I + slow and those of fast. Equilibria and preserved motions are
 * removed. Row-major, borrowed until the workspace is used again. */
typedef struct short_step_parts {
    int slow_size,
        fast_size; /* slow_size 0: no split, the map is not near I, or is that of an FMU, measured */
    const double *slow, *fast;
    double noise; /* error bound of `slow`: a norm in balanced coordinates */
} short_step_parts;

/* Computes the parts after map_make and neutral_set_aside; `rest` is unchanged. If the step is short,
 * work->map is recomputed with different rounding errors. Errors as map_make. */
costab_status short_step_make(costab_network_work *work, const neutral_rest *rest, short_step_parts *parts,
                              costab_error *error);

/* Excess of the moduli of both parts' eigenvalues over 1, for the map of a period. The map's eigenvalues are
 * then in the workspace. roundings: as in eigen_found. */
costab_status short_step_reach(costab_network_work *work, const short_step_parts *parts, double roundings,
                               spectrum_reach *reach, costab_error *error);

void short_step_free(short_step_space *space);
