/* store/served.h - a results file, which HDF5 reads in a child process; answers of such processes. */
#pragma once

#include "base/guard.h"
#include "store/contents.h"

/* The file: a regular one, which begins as HDF5 files do. */
typedef struct store_serving {
    const char *path;
    size_t size;
} store_serving;

/* A box of a field that is asked for. */
typedef struct store_box {
    int field;
    size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
} store_box;

/* A child's answer: bytes, or its failure. False where the other side is gone. */
bool store_put_answer(int channel, costab_status status, const void *bytes, size_t size,
                      const costab_error *error);

/* Receives it: *size bytes follow, or else the failure is the caller's. */
costab_status store_get_answer(guard *child, size_t *size, costab_error *error);

/* The most bytes that a file's contents may take. */
size_t store_contents_most(size_t file_size);

/* The child's work (guard_work), `context` being a store_serving: answers with the contents, then with the
 * values of each box that it is asked for. */
void store_serve(int channel, void *context);
