/* store/served.h - HDF5 reading a results file in a child process, and answers of such processes. */
#pragma once

#include "base/guard.h"
#include "store/contents.h"

/* The file: a regular file with the signature of HDF5. */
typedef struct store_serving {
    const char *path;
    size_t size;
} store_serving;

/* A requested box of a field. */
typedef struct store_box {
    int field;
    size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
} store_box;

/* Sends a child's answer: bytes, or its failure. Returns false if the parent has ended. */
bool store_put_answer(int channel, costab_status status, const void *bytes, size_t size,
                      const costab_error *error);

/* Receives an answer. [out] *size: number of bytes to receive next. Returns the failure of the child. */
costab_status store_get_answer(guard *child, size_t *size, costab_error *error);

/* Largest number of bytes of a file's contents. */
size_t store_contents_most(size_t file_size);

/* The child's work (guard_work), with a store_serving as `context`: sends the contents, then the values of
 * each requested box. */
void store_serve(int channel, void *context);
