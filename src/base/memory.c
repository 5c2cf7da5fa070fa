#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Allocations left until one fails on purpose; negative: the environment was not asked yet. Atomic, because
 * tiles allocate on every thread. */
static atomic_long fail_countdown = -1;

void memory_fail_at(long k) {
    atomic_store(&fail_countdown, k);
}

static bool fails_now(void) {
    long left = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
    if (left == 0) return false;
    if (left < 0) {
        const char *setting = getenv("COSTAB_FAIL_ALLOC");
        long k = setting != NULL ? strtol(setting, NULL, 10) : 0;
        atomic_compare_exchange_strong(&fail_countdown, &left, k > 0 ? k : 0);
        if (k <= 0) return false;
    }
    return atomic_fetch_sub(&fail_countdown, 1) == 1;
}

void *memory_alloc(size_t count, size_t size) {
    if (fails_now()) return NULL;
    return calloc(count > 0 ? count : 1, size > 0 ? size : 1);
}

void *memory_resize(void *block, size_t count, size_t size) {
    if (fails_now() || (size > 0 && count > SIZE_MAX / size)) return NULL;
    size_t bytes = count * size;
    return realloc(block, bytes > 0 ? bytes : 1);
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
    free(block);
}
