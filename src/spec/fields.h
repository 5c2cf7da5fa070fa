/* spec/fields.h - the quantities that a sweep of a network can store at every point.
 *
 * The table is the source for the reading of specs, the study, help and docs/reference. A row for a member of
 * costab_network_point needs only the member. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "costab/network.h"

/* The layer that computes a field, and the type of its result. */
typedef enum field_layer {
    FIELD_CLASS,
    FIELD_POINT,   /* the analysis: costab_network_point */
    FIELD_RUN,     /* a simulation: costab_measures */
    FIELD_BOUND,   /* the error bound: a double */
    FIELD_STEPS,   /* the bound of all sequences of macro steps: a double */
    FIELD_SAMPLES, /* over uncertain parameters: network_sampled */
    FIELD_BEST,    /* the best coupling: costab_best_code */
    FIELD_BEST_OF  /* its criteria: network_best */
} field_layer;

/* Results over samples of the uncertain parameters. */
typedef struct network_sampled {
    double probability, probability_error, worst_radius;
} network_sampled;

/* Result of one of the compared couplings. */
typedef struct network_best {
    double step, cost; /* NaN: there is none, or it cannot be the best */
    uint8_t code;
} network_best;

/* A row of the table. */
typedef struct network_field {
    const char *name, *unit; /* unit: NULL for none */
    const char *meaning;     /* in results files and in the help */
    field_layer layer;
    size_t at;      /* byte offset of the number in the result of the layer */
    unsigned asked; /* for FIELD_POINT: its numbers in lanes, network/batch.h; 0: unavailable in lanes */
} network_field;

/* Largest number of rows. */
enum { NETWORK_FIELDS_MOST = 20 };

/* Returns the i-th row, with the flag 1 << i; NULL outside the range. */
const network_field *network_field_at(int i);
/* Returns the number of rows. */
int network_field_count(void);
/* Returns the row with this name; NULL if there is none. */
const network_field *network_field_find(const char *name);

/* Returns the field's number in the result of its layer. */
static inline double network_field_value(const network_field *field, const void *result) {
    return *(const double *)((const char *)result + field->at);
}
