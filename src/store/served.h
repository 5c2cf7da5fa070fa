/* store/served.h - work of the child process that reads a results file for reader.c; and the answers of child
 * processes, also of the writing process of writer.c. */
#pragma once

#include "base/guard.h"
#include "store/contents.h"

/* The file, which must be a regular file with the signature of HDF5. */
typedef struct store_serving {
    const char *path;
    size_t size; /* in bytes */
} store_serving;

/* A request: the values of a field from `start` on, `count` along each of its axes. */
typedef struct store_box {
    int field;
    size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
} store_box;

/* Sends a child's answer: bytes, or its failure. Returns false if the parent has ended. */
bool store_put_answer(int channel, costab_status status, const void *bytes, size_t size,
                      const costab_error *error);

/* Receives an answer. [out] *size: number of bytes to receive next. Returns the failure of the child. */
costab_status store_get_answer(guard *child, size_t *size, costab_error *error);

/* Returns the largest number of bytes of the contents (contents.h) of a file of this size. */
size_t store_contents_most(size_t file_size);

/* The child's work (guard_work), with a store_serving as `context`: sends the contents, then the values of
 * each requested box. */
void store_serve(int channel, void *context);
