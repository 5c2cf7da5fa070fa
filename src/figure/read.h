/* figure/read.h - values from a results file. */
#pragma once

#include "costab/store.h"

/* What is read of several fields at the same indices: the values of each along `rank` of its axes, ascending
 * in the plan (the last fastest), where the index along its other axes is at[axis]. To be freed with
 * memory_free. COSTAB_INVALID where one that is not optional is not there; NULL where one is that is. */
typedef struct read_item {
    const char *field;
    const int *along;
    int rank;
    double **numbers; /* [out] of a field of doubles; else NULL, */
    uint8_t **codes;  /* and of one of codes */
    bool optional;
    size_t first, count; /* of along[0]; a count of 0: all of it */
} read_item;
costab_status read_items(const costab_results *results, const size_t *at, const read_item *items,
                         size_t count, costab_error *error);

/* The same of one field of doubles that the figure needs. */
costab_status read_numbers(const costab_results *results, const char *field, const size_t *at,
                           const int *along, int rank, double **values, costab_error *error);

/* Hands all values of a field of doubles to `take`, some thousands at a time. */
costab_status read_all(const costab_results *results, const char *field,
                       void (*take)(void *context, const double *values, size_t count), void *context,
                       costab_error *error);

/* COSTAB_INVALID: what says that the figure needs this field. */
costab_status read_missing(const costab_results *results, const char *field, costab_error *error);

/* What a code of a field means: a word of the field's meanings; empty where it is none of its codes. */
typedef struct read_word {
    const char *start;
    size_t size;
} read_word;
read_word read_meaning(const costab_field *field, uint8_t code);
