/* base/memory.c once more, with allocations that can be made to fail. It precedes the library when a test is
 * linked, so that the library's own is left out; build/tests/costab is the program linked with it.
 */
#include "support/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* How many allocations are left until one fails; 0: none will. Atomic, because every thread allocates. */
static atomic_long fail_countdown;

/* How many blocks were allocated, and how many were freed. */
static atomic_size_t made, freed;

void memory_fail_at(long k) {
    atomic_store(&fail_countdown, k);
}

size_t memory_kept(size_t *total) {
    *total = atomic_load(&made);
    return *total - atomic_load(&freed);
}

static void report_memory(void) {
    size_t total, kept = memory_kept(&total);
    fprintf(stderr, "costab: %zu allocations, %zu not freed\n", total, kept);
}

__attribute__((constructor)) static void read_environment(void) {
    const char *setting = getenv("COSTAB_FAIL_ALLOC");
    if (setting == NULL) return;
    memory_fail_at(strtol(setting, NULL, 10));
    (void)atexit(report_memory);
}

/* One thread takes each number of the countdown, so that exactly one allocation fails. */
static bool fails_now(void) {
    long left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
    while (left > 0)
        if (atomic_compare_exchange_weak(&fail_countdown, &left, left - 1)) return left == 1;
    return false;
}

static void *counted(void *block) {
    if (block != NULL) atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
    return block;
}

static void *failing_calloc(size_t count, size_t size) {
    return fails_now() ? NULL : counted(calloc(count, size));
}

static void *failing_realloc(void *block, size_t bytes) {
    if (fails_now()) return NULL;
    void *resized = realloc(block, bytes);
    return block == NULL ? counted(resized) : resized;
}

static void counting_free(void *block) {
    if (block != NULL) atomic_fetch_add_explicit(&freed, 1, memory_order_relaxed);
    free(block);
}

#define calloc  failing_calloc
#define realloc failing_realloc
#define free    counting_free
#include "../../src/base/memory.c"
