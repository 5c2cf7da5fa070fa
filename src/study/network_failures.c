/* Points that cannot be analysed: how many, and why the first of them; and the same for each tile, so that a
 * run which goes on from kept tiles knows of theirs. */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "study/network_parts.h"

/* In the log: the numbers, then the text without a final NUL. */
typedef struct numbers {
    uint64_t count, first;
} numbers;

struct network_note {
    struct network_note *next;
    size_t tile;
    numbers numbers;
    char *why; /* of the tile's first failure, whatever other tiles have: parts do not depend on timing */
};

static struct network_note **find(network_pool *pool, size_t tile) {
    struct network_note **at = &pool->notes;
    while (*at != NULL && (*at)->tile != tile) at = &(*at)->next;
    return at;
}

static void note_free(struct network_note *note) {
    if (note != NULL) memory_free(note->why);
    memory_free(note);
}

/* The list has the tiles in flight only. */
static costab_status add_note(network_pool *pool, size_t tile, size_t index, const char *why,
                              costab_error *error) {
    struct network_note **at = find(pool, tile);
    if (*at == NULL) *at = memory_alloc(1, sizeof **at);
    struct network_note *note = *at;
    if (note == NULL) return error_memory(error);
    note->tile = tile;
    if (note->numbers.count++ > 0 && index >= note->numbers.first) return COSTAB_OK;
    note->numbers.first = index;
    memory_free(note->why);
    note->why = memory_copy(why);
    return note->why != NULL ? COSTAB_OK : error_memory(error);
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

static costab_status write_note(const struct network_note *note, costab_packed *to, costab_error *error) {
    size_t length = note->why != NULL ? strlen(note->why) : 0, size = sizeof(numbers) + length;
    if (to->capacity < size) {
        void *bytes = memory_resize(to->bytes, size, 1);
        if (bytes == NULL) return error_memory(error);
        to->bytes = bytes;
        to->capacity = size;
    }
    to->size = size;
    memcpy(to->bytes, &note->numbers, sizeof(numbers));
    if (length > 0) memcpy((char *)to->bytes + sizeof(numbers), note->why, length);
    return COSTAB_OK;
}

static costab_status take(void *context, const costab_tile *tile, costab_packed *to, costab_error *error) {
    network_pool *pool = (network_pool *)context;
    (void)pthread_mutex_lock(&pool->lock);
    struct network_note **at = find(pool, tile->index), *note = *at;
    if (note != NULL) *at = note->next;
    (void)pthread_mutex_unlock(&pool->lock);
    costab_status status = note != NULL ? write_note(note, to, error) : COSTAB_OK;
    note_free(note);
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
    struct network_note *note = memory_alloc(1, sizeof *note);
    if (note == NULL) return error_memory(error);
    *note = (struct network_note){
        .tile = tile->index, .numbers = n, .why = memory_copy_n((const char *)bytes + sizeof n, length)};
    if (note->why == NULL) {
        note_free(note);
        return error_memory(error);
    }
    (void)pthread_mutex_lock(&pool->lock);
    if (count(pool, (size_t)n.count, (size_t)n.first)) {
        pool->failure = (costab_error){.status = COSTAB_NUMERIC};
        memcpy(pool->failure.message, note->why, length);
    }
    note->next = pool->notes; /* to be taken again */
    pool->notes = note;
    (void)pthread_mutex_unlock(&pool->lock);
    return COSTAB_OK;
}

costab_notes network_pool_notes(network_pool *pool) {
    pool->noting = true;
    return (costab_notes){.context = pool, .take = take, .give = give};
}

void network_pool_forget(network_pool *pool) {
    while (pool->notes != NULL) {
        struct network_note *note = pool->notes;
        pool->notes = note->next;
        note_free(note);
    }
}
