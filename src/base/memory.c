#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"

/* How many allocations are left until one fails on purpose; 0: none will; negative: the environment variable
 * was not read yet. Atomic, because every thread allocates. */
static atomic_long fail_countdown = -1;

/* How many blocks were allocated, and how many were freed. */
static atomic_size_t made, freed;

void memory_fail_at(long k) {
    atomic_store(&fail_countdown, k);
}

/* One thread takes each number of the countdown, so that exactly one allocation fails. */
static bool fails_now(void) {
    long left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
    if (left == 0) return false;
    if (left < 0) {
        const char *setting = getenv("COSTAB_FAIL_ALLOC");
        long k = setting != NULL ? strtol(setting, NULL, 10) : 0;
        if (atomic_compare_exchange_strong(&fail_countdown, &left, k > 0 ? k : 0)) left = k > 0 ? k : 0;
    }
    while (left > 0)
        if (atomic_compare_exchange_weak(&fail_countdown, &left, left - 1)) return left == 1;
    return false;
}

static void *counted(void *block) {
    if (block != NULL) atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
    return block;
}

static bool overflows(size_t count, size_t size) {
    return size > 0 && count > SIZE_MAX / size;
}

void *memory_alloc(size_t count, size_t size) {
    if (fails_now() || overflows(count, size)) return NULL;
    void *block = room_take(count * size, true);
    return counted(block != NULL ? block : calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

/* Of a block in the thread's room. */
static void *moved(void *block, size_t old, size_t bytes) {
    if (bytes <= old) return block;
    void *larger = room_take(bytes, false);
    if (larger == NULL) larger = malloc(bytes);
    if (larger == NULL) return NULL;
    memcpy(larger, block, old);
    room_leave(block);
    return larger;
}

void *memory_resize(void *block, size_t count, size_t size) {
    if (fails_now() || overflows(count, size)) return NULL;
    size_t bytes = count * size, old;
    if (block != NULL && room_has(block, &old)) return moved(block, old, bytes);
    void *resized = block == NULL ? room_take(bytes, false) : NULL;
    if (resized == NULL) resized = realloc(block, bytes > 0 ? bytes : 1);
    return block == NULL ? counted(resized) : resized;
}

void *memory_grow(void *block, size_t *capacity, size_t needed, size_t size) {
    if (block != NULL && needed <= *capacity) return block;
    size_t wanted = *capacity + *capacity / 2 + 16;
    if (wanted < needed) wanted = needed;
    void *grown = memory_resize(block, wanted, size);
    if (grown != NULL) *capacity = wanted;
    return grown;
}

char *memory_copy_n(const char *text, size_t length) {
    char *copy = memory_alloc(length + 1, 1);
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}

char *memory_copy(const char *text) {
    return memory_copy_n(text, strlen(text));
}

void memory_free(void *block) {
    size_t bytes;
    if (block == NULL) return;
    atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
    if (room_has(block, &bytes))
        room_leave(block);
    else
        free(block);
}

void memory_free_list(void *const *blocks, size_t count) {
    for (size_t k = 0; k < count; k++) memory_free(blocks[k]);
}

size_t memory_kept(size_t *total) {
    *total = atomic_load(&made);
    return *total - atomic_load(&freed);
}

void memory_gather(void) {
    room_open();
}

void memory_scatter(void) {
    room_close();
}
