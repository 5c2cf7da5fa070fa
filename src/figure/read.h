/* figure/read.h - values from a results file. */
#pragma once

#include "costab/store.h"

/* One field of a read. Exactly one of `numbers` (doubles) and `codes` is set. */
typedef struct read_item {
    const char *field;
    double **numbers; /* [out] free with memory_free; NULL if the field is absent */
    uint8_t **codes;
    bool optional;
} read_item;

/* Reads fields along `rank` of the plan's axes; the last of `along` is the fastest. Three axes must be in the
 * plan's order. The indices along the other axes of a field are at[axis]. COSTAB_INVALID if a field that is
 * not optional is absent. */
costab_status read_items(const costab_results *results, const size_t *at, const int *along, int rank,
                         const read_item *items, size_t count, costab_error *error);

/* Reads one field of doubles that the figure needs. */
costab_status read_numbers(const costab_results *results, const char *field, const size_t *at,
                           const int *along, int rank, double **values, costab_error *error);

/* Returns COSTAB_INVALID with the message that the figure needs this field. */
costab_status read_missing(const costab_results *results, const char *field, costab_error *error);

/* Returns the meaning of a code of a field, a word of size 0 if the code is unknown. */
typedef struct read_word {
    const char *start;
    size_t size;
} read_word;
read_word read_meaning(const costab_field *field, uint8_t code);
