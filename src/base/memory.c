/* Allocates by calloc and realloc with checked products. Arrays grow by half, so that n appends cost O(n). */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool overflows(size_t count, size_t size) {
    return size > 0 && count > SIZE_MAX / size;
}

void *memory_alloc(size_t count, size_t size) {
    return overflows(count, size) ? NULL : calloc(count > 0 ? count : 1, size > 0 ? size : 1);
}

void *memory_resize(void *block, size_t count, size_t size) {
    size_t bytes = count * size;
    return overflows(count, size) ? NULL : realloc(block, bytes > 0 ? bytes : 1);
}

bool memory_grow_list(void *list, size_t *capacity, size_t needed, size_t size) {
    void *block;
    memcpy(&block, list, sizeof block);
    if (block != NULL && needed <= *capacity) return true;
    size_t wanted = *capacity + *capacity / 2 + 16;
    if (wanted < needed) wanted = needed;
    block = memory_resize(block, wanted, size);
    if (block == NULL) return false;
    memcpy(list, &block, sizeof block);
    *capacity = wanted;
    return true;
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

void memory_free_list(void *const *blocks, size_t count) {
    for (size_t k = 0; k < count; k++) memory_free(blocks[k]);
}
