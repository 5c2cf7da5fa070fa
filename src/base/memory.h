/* base/memory.h - allocation. All of costab's own code allocates here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* count * size bytes, zeroed; NULL where that overflows or memory is out. Free with memory_free. */
void *memory_alloc(size_t count, size_t size);

/* realloc to count * size bytes (not zeroed); NULL, the old block untouched, where that fails. */
void *memory_resize(void *block, size_t count, size_t size);

/* Makes room for at least `needed` items in *list, which may move. [in, out] *capacity: for how many it has
 * room. False where memory is out; both are then as they were. A list grows by half at least, so that adding
 * items one by one copies it rarely. */
#define memory_grows(list, capacity, needed) memory_grow_list((list), (capacity), (needed), sizeof **(list))
bool memory_grow_list(void *list, size_t *capacity, size_t needed, size_t size);

/* As statuses (base/error.h): *list gets room for `count` items, zeroed, and is NULL where memory is out; and
 * memory_grows. */
#define memory_make(list, count, error)                                                                      \
    ((*(list) = memory_alloc((count), sizeof **(list))) != NULL ? COSTAB_OK : error_memory(error))
#define memory_room(list, capacity, needed, error)                                                           \
    (memory_grows((list), (capacity), (needed)) ? COSTAB_OK : error_memory(error))

/* A copy of a string, and of its first `length` bytes; NULL where memory is out. */
char *memory_copy(const char *text);
char *memory_copy_n(const char *text, size_t length);

void memory_free(void *block);

/* Frees all of several blocks. */
#define memory_free_all(...)                                                                                 \
    memory_free_list((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void memory_free_list(void *const *blocks, size_t count);

/* Before a local that a function ends, such as ends_by(costab_spec_destroy) costab_spec *spec = NULL: the
 * function is called with its address where its block is left, on whatever way. Locals end in reverse order.
 */
#define ends_by(function) __attribute__((cleanup(function)))

/* Before a local pointer, such as memory_local double *x = NULL: what it points to in the end is freed where
 * its block is left, on whatever way. */
#define memory_local ends_by(memory_free_pointed)
static inline void memory_free_pointed(const void *pointer) {
    void *block;
    memcpy(&block, pointer, sizeof block);
    memory_free(block);
}

/* Such a local, of memory_make; where that fails the function around it returns its status. */
#define memory_local_array(type, name, count, error)                                                         \
    memory_local type *name = NULL;                                                                          \
    TRY(memory_make(&name, count, error))
