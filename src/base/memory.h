/* base/memory.h - allocation. All of costab's own code allocates here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Allocates count * size bytes, zeroed. Returns NULL on overflow or if memory is out. Free with memory_free.
 */
void *memory_alloc(size_t count, size_t size);

/* realloc to count * size bytes (not zeroed). On failure returns NULL and leaves the old block untouched. */
void *memory_resize(void *block, size_t count, size_t size);

/* Makes space for at least `needed` items in *list, which may move. [in, out] *capacity: number of items with
 * space. Returns false if memory is out; both are then unchanged. A list grows by half at least, so that
 * adding items one by one copies it rarely. */
#define memory_grows(list, capacity, needed) memory_grow_list((list), (capacity), (needed), sizeof **(list))
bool memory_grow_list(void *list, size_t *capacity, size_t needed, size_t size);

/* memory_alloc and memory_grows with a status (base/error.h). memory_make: sets *list to `count` zeroed
 * items, or to NULL if memory is out. */
#define memory_make(list, count, error)                                                                      \
    ((*(list) = memory_alloc((count), sizeof **(list))) != NULL ? COSTAB_OK : error_memory(error))
#define memory_reserve(list, capacity, needed, error)                                                        \
    (memory_grows((list), (capacity), (needed)) ? COSTAB_OK : error_memory(error))

/* Copy a string, or its first `length` bytes. Return NULL if memory is out. */
char *memory_copy(const char *text);
char *memory_copy_n(const char *text, size_t length);

void memory_free(void *block);

/* Frees all of several blocks. */
#define memory_free_all(...)                                                                                 \
    memory_free_list((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void memory_free_list(void *const *blocks, size_t count);

/* Before a local variable with a destructor, such as ends_by(costab_spec_destroy) costab_spec *spec = NULL:
 * the function is called with its address when its block is left, in any way. Locals end in reverse order. */
#define ends_by(function) __attribute__((cleanup(function)))

/* Before a local pointer, such as memory_local double *x = NULL: the block that it points to at the end is
 * freed when its scope is left, in any way. */
#define memory_local ends_by(memory_free_pointed)
static inline void memory_free_pointed(const void *pointer) {
    void *block;
    memcpy(&block, pointer, sizeof block);
    memory_free(block);
}

/* A memory_local array from memory_make. If that fails, the enclosing function returns its status. */
#define memory_local_array(type, name, count, error)                                                         \
    memory_local type *name = NULL;                                                                          \
    TRY(memory_make(&name, count, error))
