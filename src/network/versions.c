/* Decides by versions (costab_network) and the coupling which data of the last point remain valid in a
 * workspace.
 *
 * 1. Layout and program: the structure's version and all options except the macro step are equal. Delays in
 *    seconds take the same numbers of macro steps, and dead times have equal ratios to the macro step.
 *    Simulations, which have hooks, and unequal steps never reuse a layout.
 * 2. A_mono: the versions of all subsystems and gains, and the structural modes, are equal as well.
 * 3. Blocks of a subsystem: its version is equal (blocks.c).
 *
 * Reused data are equal to recomputed data to the last bit. Cost: a comparison per subsystem. */
#include <math.h>
#include <string.h>

#include "network/exchange.h"
#include "network/words.h"
#include "network/work.h"

#ifdef COSTAB_CHECK_VERSIONS
#include <assert.h>

/* Hash of versioned contents (FNV-1a). */
static uint64_t hash(uint64_t so_far, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size && byte != NULL; i++) so_far = (so_far ^ byte[i]) * 0x100000001b3U;
    return so_far;
}

static uint64_t hash_numbers(const costab_subsystem *of) {
    size_t n = (size_t)of->states, m = (size_t)of->inputs, q = (size_t)of->outputs, number = sizeof(double);
    uint64_t found = hash(0xcbf29ce484222325U, of->A, n * n * number);
    found = hash(hash(found, of->B, n * m * number), of->C, q * n * number);
    found = hash(hash(found, of->D, q * m * number), of->rise, n * m * number);
    return hash(found, &of->doubt, number);
}

static uint64_t hash_gains(const costab_network *network) {
    uint64_t found = 0xcbf29ce484222325U;
    for (int c = 0; c < network->connection_count; c++)
        found = hash(found, &network->connections[c].gain, sizeof(double));
    return found;
}

static uint64_t hash_structure(const costab_network *network) {
    uint64_t found = 0xcbf29ce484222325U;
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        const costab_method *method = &of->method;
        const int counts[] = {of->states,   of->inputs,     of->outputs,      of->pairs,
                              of->substeps, of->stride,     of->D != NULL,    of->rise != NULL,
                              method->kind, method->stages, method->implicit, method->former};
        size_t pairs = of->pairs > 0 ? (size_t)of->pairs * sizeof(int) : 0;
        found = hash(hash(found, counts, sizeof counts), &of->step, sizeof of->step);
        found = hash(hash(found, of->positions, pairs), of->velocities, pairs);
        found = hash(found, method->b, (size_t)method->stages * sizeof *method->b);
        for (int i = 0; i < method->stages; i++)
            found = hash(found, method->A[i], (size_t)method->stages * sizeof *method->A[i]);
    }
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *of = &network->connections[c];
        const int ends[] = {of->from, of->output, of->to, of->input, of->delay, of->extrapolates};
        const costab_extrapolation *own = &of->extrapolation;
        const double numbers[] = {of->delay_time, of->dead_time, own->a0, own->a1, own->b0, own->b1};
        found = hash(hash(found, ends, sizeof ends), numbers, sizeof numbers);
    }
    return found;
}

/* Aborts if contents changed under an equal version. */
static void check_versions(costab_network_work *work, const costab_network *network, bool kept) {
    for (int s = 0; s < network->subsystem_count; s++) {
        network_subsystem *sub = &work->subs[s];
        uint64_t found = hash_numbers(&network->subsystems[s]);
        assert(!(kept && sub->version != 0 && sub->version == network->subsystems[s].version) ||
               sub->hash == found);
        sub->hash = found;
    }
    uint64_t gains = hash_gains(network), structure = hash_structure(network);
    assert(!(kept && work->gains_version != 0 && work->gains_version == network->gains_version) ||
           work->hashes[0] == gains);
    assert(!kept || work->hashes[1] == structure);
    work->hashes[0] = gains;
    work->hashes[1] = structure;
}
#else
static void check_versions(const costab_network_work *work, const costab_network *network, bool kept) {
    (void)work, (void)network, (void)kept;
}
#endif

/* Compares all options except the macro step, and the entries of an order, which may have changed in
 * place. */
static bool same_choices(const costab_network_work *work, const costab_coupling *coupling) {
    costab_coupling at = *coupling;
    at.macro_step = work->coupling.macro_step;
    if (!coupling_same(&work->coupling, &at)) return false;
    for (int s = 0; s < work->count && coupling->order != NULL; s++)
        if (coupling->order[s] != work->order[s]) return false;
    return true;
}

bool work_delays_kept(const costab_network_work *work, const costab_network *network, double macro_step) {
    for (int c = 0; c < network->connection_count && work->delays_in_seconds; c++) {
        double seconds = network->connections[c].delay_time;
        if (seconds > 0 && exchange_whole_delay(seconds, macro_step) != work->delays[c]) return false;
        if (network->connections[c].dead_time / macro_step != work->dead[c]) return false;
    }
    return true;
}

bool work_is_kept(const costab_network_work *work, const costab_network *network,
                  const costab_coupling *coupling, const network_hooks *hooks) {
    if (hooks != NULL || work->past != NULL || network == NULL || work->structure_version == 0 ||
        network->structure_version != work->structure_version)
        return false;
    double H = coupling->macro_step;
    return same_choices(work, coupling) && H > 0 && isfinite(H) && work_delays_kept(work, network, H);
}

void work_take_versions(costab_network_work *work, bool kept) {
    const costab_network *network = work->network;
    const costab_structure modes =
        network->structure != NULL ? *network->structure : (costab_structure){.equilibria = -1};
    check_versions(work, network, kept);
    bool same = kept && network->gains_version != 0 && network->gains_version == work->gains_version &&
                modes.equilibria == work->modes.equilibria && modes.motions == work->modes.motions;
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        uint64_t version = network->subsystems[s].version;
        bool known = kept && version != 0 && version == sub->version;
        sub->version = version;
        sub->blocks_known = sub->blocks_known && known;
        same = same && known;
    }
    work->gains_version = network->gains_version;
    work->modes = modes;
    work->mono.known = work->mono.known && same;
}
