/* Computes the matrices of a network and a coupling at one point of a family (costab_family_point): the map,
 * its increment, J, D L and A_mono. All are borrowed from the network's workspace. */
#include "base/error.h"
#include "costab/limit.h"
#include "limit/limit.h"
#include "network/analyse.h"
#include "network/network.h"

costab_status network_family_point(costab_network_work *work, const costab_network *network,
                                   const costab_coupling *coupling, unsigned wanted,
                                   costab_family_point *point, costab_error *error) {
    analyse_parts parts;
    *point = (costab_family_point){.turn = 0};
    if (monolithic_unknown(network))
        return error_invalid(
            error, "a subsystem is an FMU for co-simulation: only its measured map is known, not its "
                   "dependence on a parameter; take map, limit, simulate or a sweep");
    bool increment = (wanted & COSTAB_FAMILY_INCREMENT) != 0;
    costab_network seen = *network;
    if ((wanted & COSTAB_FAMILY_SHORT_DELAYS) != 0)
        TRY(short_delays(work, network, coupling->macro_step, (wanted & COSTAB_FAMILY_MAP) == 0, &seen,
                         error));
    TRY(analyse_parts_make(work, &seen, coupling, increment, (wanted & COSTAB_FAMILY_CONTINUOUS) != 0, &parts,
                           error));
    if ((wanted & COSTAB_FAMILY_CONTINUOUS) != 0 && !parts.posed)
        return error_invalid(error, "the network is not well posed: I - L D is singular");
    point->continuous =
        (costab_matrix){.size = parts.states, .entries = parts.mono, .noise = parts.mono_noise};
    point->span = parts.span;
    point->map = (costab_matrix){
        .size = parts.size, .entries = parts.map, .imaginary = parts.map_imaginary, .noise = parts.map_noise};
    point->increment[0] = (costab_matrix){
        .size = parts.increment.slow_size, .entries = parts.increment.slow, .noise = parts.increment.noise};
    point->increment[1] = (costab_matrix){.size = parts.increment.fast_size, .entries = parts.increment.fast};
    point->guesses = (costab_matrix){.size = parts.guesses, .entries = parts.guess};
    point->solved = parts.solved;
    point->loop = (costab_matrix){.size = parts.loop, .entries = parts.gain};
    point->loop_in_map = parts.loop_in_map;
    point->waits = parts.waits;
    return (wanted & COSTAB_FAMILY_TURN) != 0
               ? analyse_turn(work, network, coupling->macro_step, &point->turn, error)
               : COSTAB_OK;
}

double network_family_stored(costab_network_work *work, const costab_network *network,
                             const costab_coupling *coupling) {
    costab_network seen;
    costab_status status = short_delays(work, network, coupling->macro_step, false, &seen, NULL);
    return status ? 0 : short_delays_stored(&seen, coupling->macro_step);
}
