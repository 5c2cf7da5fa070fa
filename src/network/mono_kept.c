/* What is known of monolithic matrices that come again: across the tiles of a sweep, and along an axis that
 * is inside another one that moves them. Matrices are compared, so that it does not matter why they are the
 * same. */
#include <stdint.h>
#include <string.h>

#include "network/spectrum.h"
#include "network/work.h"

/* As many matrices as these, and no more numbers than those; where one of them may stand. */
enum { KEPT_MOST = 256, KEPT_NUMBERS = 65536, PLACES = 4 };

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

static uint64_t key_of(const costab_network_work *work) {
    uint64_t sum = 0, bits;
    for (size_t e = 0; e < cells_of(work); e++) {
        memcpy(&bits, work->mono + e, sizeof bits);
        sum += bits * (0x9e3779b97f4a7c15u * (2 * e + 1));
    }
    return sum;
}

static double *matrix_at(const costab_network_work *work, int slot) {
    return work->mono_matrices + (size_t)slot * cells_of(work);
}

static bool is_at(const costab_network_work *work, int slot, uint64_t key) {
    const mono_found *found = &work->mono_found[slot];
    return found->known && found->key == key &&
           memcmp(matrix_at(work, slot), work->mono, cells_of(work) * sizeof(double)) == 0;
}

/* The slot of work->mono, or one for it: the first free one of its few places, or else the first of them. */
static int slot_of(const costab_network_work *work, uint64_t key) {
    int home = (int)((key >> 32) % (uint64_t)work->mono_slots);
    for (int i = 0; i < PLACES; i++) {
        int slot = (home + i) % work->mono_slots;
        if (!work->mono_found[slot].known || is_at(work, slot, key)) return slot;
    }
    return home;
}

bool mono_recall(costab_network_work *work) {
    if (work->mono_slots == 0 || spectrum_doubt(work) > 0) return false;
    uint64_t key = key_of(work);
    int slot = slot_of(work, key);
    const mono_found *found = &work->mono_found[slot];
    if (!is_at(work, slot, key)) return false;
    work->mono_reach = found->reach;
    work->mono_least = found->least;
    work->mono_most = found->most;
    work->mono_norm = found->norm;
    work->mono_regular = found->regular;
    return true;
}

void mono_remember(costab_network_work *work) {
    if (work->mono_slots == 0 || spectrum_doubt(work) > 0) return;
    uint64_t key = key_of(work);
    int slot = slot_of(work, key);
    memcpy(matrix_at(work, slot), work->mono, cells_of(work) * sizeof(double));
    work->mono_found[slot] = (mono_found){.known = true,
                                          .key = key,
                                          .reach = work->mono_reach,
                                          .least = work->mono_least,
                                          .most = work->mono_most,
                                          .norm = work->mono_norm,
                                          .regular = work->mono_regular};
}
