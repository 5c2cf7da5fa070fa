/* The matrices of a point: for searches, which find their spectra themselves (limit/sample_cache.c).
 *
 * 1. The map of a period, not scaled; the iteration's matrix J; the loop L D of signals without delay.
 * 2. A_mono; where the network is ill-posed there is none, nor an increment.
 * 3. Structural modes are removed from A_mono and from a real map (neutral.h).
 * 4. Where asked for, the map of a short step by its parts (short_step.h).
 *
 * Cost: that of the map, and n^3. */
#include <math.h>

#include "base/error.h"
#include "network/analyse.h"
#include "network/loop.h"
#include "network/neutral.h"
#include "network/spectrum.h"

static void set_loop(costab_network_work *work, analyse_parts *parts) {
    bool direct = loop_gain(work->network, work->inputs, false, work->mono.gain);
    bool closed = direct && loop_closed(work->inputs, work->mono.gain, 0, work->loop_room.iwork);
    parts->loop = closed ? work->inputs : 0;
    parts->gain = work->mono.gain;
}

static void set_guesses(costab_network_work *work, const costab_coupling *coupling, double radius,
                        analyse_parts *parts) {
    if (coupling->scheme != COSTAB_ITERATED || coupling->iterations > 0 || work->guesses == 0) return;
    /* Over a period a 1 x 1 matrix, the largest radius, stands for the iterations of all macro steps. */
    parts->guesses = work->period > 1 ? 1 : work->halves * work->guesses;
    parts->guess = work->iteration.matrix;
    parts->solved = coupling->iterations == COSTAB_NEWTON;
    if (work->period > 1) work->iteration.matrix[0] = radius;
}

/* Steps 2 and 3; `map`: the map may be reduced, too. */
static costab_status set_rest(costab_network_work *work, bool map, neutral_rest *rest, costab_error *error) {
    *rest = (neutral_rest){
        .map_size = work->size, .mono_size = work->states, .map = work->map, .mono = work->mono.matrix};
    costab_status status = analyse_continuous(work, error);
    return status || !map ? status : neutral_set_aside(work, work->map, rest, error);
}

costab_status analyse_parts_make(costab_network_work *work, const costab_network *network,
                                 const costab_coupling *coupling, bool increment, analyse_parts *parts,
                                 costab_error *error) {
    long exponent = 0;
    double radius;
    neutral_rest rest;
    *parts = (analyse_parts){.size = 0};
    TRY(work_prepare(work, network, coupling, NULL, error));
    TRY(map_make(work, &radius, &exponent, error));
    analyse_scale(cells(work->size, work->size * work->halves), work->map, exponent);
    if (work->halves > 1) map_split(work);
    for (int c = 0; c < network->connection_count; c++)
        parts->waits = parts->waits * (COSTAB_DELAY_MAX + 1) + (uint32_t)work->delays[c];
    parts->size = work->size;
    costab_network_matrix(work, &parts->map, &parts->map_imaginary);
    set_guesses(work, coupling, radius, parts);
    parts->loop_in_map = coupling->feedthrough == COSTAB_SOLVED;
    set_loop(work, parts);
    costab_error ignored;
    parts->posed = set_rest(work, work->halves == 1 && exponent == 0, &rest, &ignored) == COSTAB_OK;
    if (!parts->posed) return ignored.status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
    parts->states = rest.mono_size;
    parts->mono = rest.mono;
    parts->mono_noise = rest.mono_noise;
    if (rest.equilibria > 0) {
        parts->size = rest.map_size;
        parts->map = rest.map;
        parts->map_noise = rest.map_noise;
    }
    if (!increment || exponent != 0) return COSTAB_OK;
    costab_status status = short_step_make(work, &rest, &parts->increment, error);
    set_guesses(work, coupling, radius, parts);
    return status;
}

costab_status analyse_turn(costab_network_work *work, const costab_network *network, double macro_step,
                           double *turn, costab_error *error) {
    *turn = 0;
    for (int s = 0; s < work->count; s++) {
        double radius, abscissa;
        int n = work->subs[s].n;
        TRY(spectrum_radius(work, n, network->subsystems[s].A, &radius, &abscissa, error));
        for (int i = 0; i < n; i++) *turn = fmax(*turn, fabs(work->eigen.imaginary[i]));
    }
    *turn *= macro_step;
    return COSTAB_OK;
}
