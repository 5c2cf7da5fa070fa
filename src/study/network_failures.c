/* Points that cannot be analysed: how many, and why the first of them; and the same for each tile, so that a
 * run that continues from kept tiles knows of theirs. */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "study/network_study.h"

/* In the log: the numbers, then the text without a final NUL. */
typedef struct numbers {
    uint64_t count, first;
} numbers;

/* The text is of the tile's first failure, whatever other tiles have: slices do not depend on timing. */
static costab_status add_note(network_pool *pool, size_t tile, size_t index, const char *why,
                              costab_error *error) {
    study_note *note = study_note_of(&pool->notes, tile);
    numbers n = {.count = 0};
    if (note == NULL) return error_memory(error);
    if (note->body.size > 0) memcpy(&n, note->body.data, sizeof n);
    bool leads = n.count++ == 0 || index < n.first;
    if (leads) {
        n.first = index;
        note->body.size = 0;
        text_append_n(&note->body, (const char *)&n, sizeof n);
        text_append(&note->body, why);
    }
    if (note->body.failed) return error_memory(error);
    memcpy(note->body.data, &n, sizeof n);
    return COSTAB_OK;
}

/* Counts failures, the first of them being number `first` of the grid; whether it leads. */
static bool count(network_pool *pool, size_t number, size_t first) {
    bool leads = pool->failures == 0 || first < pool->first_failure;
    if (leads) pool->first_failure = first;
    pool->failures += number;
    return leads;
}

costab_status network_pool_fail(network_pool *pool, size_t tile, size_t index, const costab_error *why,
                                costab_error *error) {
    costab_status status = COSTAB_OK;
    (void)pthread_mutex_lock(&pool->lock);
    if (count(pool, 1, index)) pool->failure = *why;
    if (pool->noting) status = add_note(pool, tile, index, why->message, error);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

static costab_status take(void *context, const costab_tile *tile, costab_packed *to, costab_error *error) {
    network_pool *pool = (network_pool *)context;
    (void)pthread_mutex_lock(&pool->lock);
    costab_status status = study_note_take(&pool->notes, tile->index, to, error);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

static costab_status give(void *context, const costab_tile *tile, const void *bytes, size_t size,
                          costab_error *error) {
    network_pool *pool = (network_pool *)context;
    numbers n;
    if (size < sizeof n)
        return error_set(error, COSTAB_INVALID, "tile %zu has a note that is too short", tile->index);
    memcpy(&n, bytes, sizeof n);
    size_t length = size - sizeof n, most = sizeof pool->failure.message - 1;
    if (length > most) length = most;
    (void)pthread_mutex_lock(&pool->lock);
    if (count(pool, (size_t)n.count, (size_t)n.first)) {
        pool->failure = (costab_error){.status = COSTAB_NUMERIC};
        memcpy(pool->failure.message, (const char *)bytes + sizeof n, length);
    }
    costab_status status = study_note_give(&pool->notes, tile->index, bytes, size, error);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

costab_notes network_pool_notes(network_pool *pool) {
    pool->noting = true;
    return (costab_notes){.context = pool, .take = take, .give = give};
}
