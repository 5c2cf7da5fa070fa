/* Counts the points of a network sweep that cannot be analysed, and keeps the reason of the first one in the
 * order of the grid. Both are also stored with each tile (its note), so that a resumed run includes the
 * failures of stored tiles. */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "study/network_study.h"
#include "sweep/packed.h"

/* Start of a tile's note: number of failures, and grid number of the first; its reason follows, without a
 * final NUL. */
typedef struct numbers {
    uint64_t count, first;
} numbers;

/* Adds a failure to a tile's note. The note does not depend on other tiles, nor on timing. */
static costab_status add_note(costab_packed *note, size_t index, const char *why, costab_error *error) {
    numbers n = {.count = 0};
    if (note->size > 0) memcpy(&n, note->bytes, sizeof n);
    if (n.count++ == 0 || index < n.first) {
        n.first = index;
        TRY(packed_size(note, sizeof n + strlen(why), error));
        memcpy((char *)note->bytes + sizeof n, why, strlen(why));
    }
    memcpy(note->bytes, &n, sizeof n);
    return COSTAB_OK;
}

/* Adds `number` failures to the report; first: grid number of the first. Returns true if the report has no
 * earlier failure, so that the caller must store this reason. */
static bool count(network_pool *pool, size_t number, size_t first) {
    bool leads = pool->report.failures == 0 || first < pool->first_failure;
    if (leads) pool->first_failure = first;
    pool->report.failures += number;
    return leads;
}

costab_status network_pool_fail(network_pool *pool, const costab_tile *tile, size_t index,
                                const costab_error *why, costab_error *error) {
    (void)pthread_mutex_lock(&pool->lock);
    if (count(pool, 1, index)) pool->report.failure = *why;
    (void)pthread_mutex_unlock(&pool->lock);
    return tile->note != NULL ? add_note(tile->note, index, why->message, error) : COSTAB_OK;
}

/* Adds the failures of a stored tile to the report (costab_notes.give). */
static costab_status give(void *context, const costab_tile *tile, const void *bytes, size_t size,
                          costab_error *error) {
    network_pool *pool = context;
    costab_error *failure = &pool->report.failure;
    numbers n;
    if (size < sizeof n) return error_invalid(error, "tile %zu has a note that is too short", tile->index);
    memcpy(&n, bytes, sizeof n);
    size_t length = size - sizeof n, most = sizeof failure->message - 1;
    (void)pthread_mutex_lock(&pool->lock);
    if (count(pool, (size_t)n.count, (size_t)n.first)) {
        *failure = (costab_error){.status = COSTAB_NUMERIC};
        memcpy(failure->message, (const char *)bytes + sizeof n, length < most ? length : most);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return COSTAB_OK;
}

costab_notes network_pool_notes(network_pool *pool) {
    return (costab_notes){.context = pool, .give = give};
}
