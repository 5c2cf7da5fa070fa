/* base/memory.h - allocation; every allocation of costab's own code passes here. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* count * size bytes, zeroed; NULL where that overflows or memory is out. Free with memory_free. */
void *memory_alloc(size_t count, size_t size);

/* realloc to count * size bytes (not zeroed); NULL, the old block untouched, where that fails. */
void *memory_resize(void *block, size_t count, size_t size);

/* The block, which may have moved, with room for at least `needed` items; *capacity is what it has room for.
 * NULL, the old block and *capacity untouched, where that fails. A block that grows step by step is copied
 * rarely. */
void *memory_grow(void *block, size_t *capacity, size_t needed, size_t size);

/* A copy of a string, of `length` bytes of one. */
char *memory_copy(const char *text);
char *memory_copy_n(const char *text, size_t length);

void memory_free(void *block);

/* Test hook: the k-th allocation from now on (1: the next) fails once; 0 switches it off. The environment
 * variable COSTAB_FAIL_ALLOC sets it at the first allocation. */
void memory_fail_at(long k);

/* How many blocks are not freed now, for tests. [out] *total: how many there have been. */
size_t memory_kept(size_t *total);

#endif
