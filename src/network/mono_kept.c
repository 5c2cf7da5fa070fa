/* What is known of monolithic matrices that come again: across the tiles of a sweep, and along an axis that
 * is inside another one that moves them. Matrices are compared, so that it does not matter why they are the
 * same. */
#include <stdint.h>
#include <string.h>

#include "network/spectrum.h"
#include "network/work.h"

/* As many matrices as these, and no more numbers than those. */
enum { KEPT_MOST = 64, KEPT_NUMBERS = 16384 };

static size_t cells_of(const costab_network_work *work) {
    return (size_t)work->states * (size_t)work->states;
}

void mono_lay(costab_network_work *work, network_arena *arena) {
    size_t cells = cells_of(work), count = cells > 0 ? KEPT_NUMBERS / cells : 0;
    work->mono_slots = (int)(count < KEPT_MOST ? count : KEPT_MOST);
    work->mono_matrices = arena_take(arena, (size_t)work->mono_slots * cells, sizeof(double));
    work->mono_found = arena_take(arena, (size_t)work->mono_slots, sizeof *work->mono_found);
    for (int i = 0; i < work->mono_slots && work->mono_found != NULL; i++) work->mono_found[i].known = false;
}

/* The place of work->mono. */
static int slot_of(const costab_network_work *work) {
    uint64_t sum = 0, bits;
    for (size_t e = 0; e < cells_of(work); e++) {
        memcpy(&bits, work->mono + e, sizeof bits);
        sum += bits * (0x9e3779b97f4a7c15u * (2 * e + 1));
    }
    return (int)((sum >> 32) % (uint64_t)work->mono_slots);
}

bool mono_recall(costab_network_work *work) {
    if (work->mono_slots == 0 || spectrum_doubt(work) > 0) return false;
    int slot = slot_of(work);
    const mono_found *found = &work->mono_found[slot];
    size_t cells = cells_of(work);
    if (!found->known ||
        memcmp(work->mono_matrices + (size_t)slot * cells, work->mono, cells * sizeof(double)) != 0)
        return false;
    work->mono_reach = found->reach;
    work->mono_least = found->least;
    work->mono_most = found->most;
    work->mono_norm = found->norm;
    work->mono_regular = found->regular;
    return true;
}

void mono_remember(costab_network_work *work) {
    if (work->mono_slots == 0 || spectrum_doubt(work) > 0) return;
    int slot = slot_of(work);
    size_t cells = cells_of(work);
    memcpy(work->mono_matrices + (size_t)slot * cells, work->mono, cells * sizeof(double));
    work->mono_found[slot] = (mono_found){
        true, work->mono_reach, work->mono_least, work->mono_most, work->mono_norm, work->mono_regular};
}
