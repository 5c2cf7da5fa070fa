/* store/served.h - a results file, which HDF5 reads in a child process. */
#pragma once

#include "store/contents.h"

/* The file: open for reading, its seal whole. */
typedef struct store_serving {
    int descriptor;
    const char *path; /* for messages */
    size_t size;      /* without the seal */
} store_serving;

/* A box of a field that is asked for. */
typedef struct store_box {
    int field;
    size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
} store_box;

/* What comes before each answer: the status, and the size of what follows: contents, values or a message. */
typedef struct store_answer {
    costab_status status;
    size_t size;
} store_answer;

/* The most bytes that a file's contents may take. */
size_t store_contents_most(size_t file_size);

/* The child's work (guard_work), `context` being a store_serving: answers with the contents, then with the
 * values of each box that it is asked for. */
void store_serve(int channel, void *context);
