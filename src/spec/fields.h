/* spec/fields.h - what a sweep of a network can store of every point.
 *
 * One table, from which the reading of specs, the study, help and docs/reference follow. A row that
 * is a member of costab_network_point needs no more than the member. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "costab/network.h"

/* What computes a field, and where its number then is. */
typedef enum field_layer {
    FIELD_CLASS,
    FIELD_POINT,   /* the analysis: costab_network_point */
    FIELD_RUN,     /* a simulation: costab_measures */
    FIELD_BOUND,   /* the bound of errors: a double */
    FIELD_STEPS,   /* steps in any order: a double */
    FIELD_SAMPLES, /* over uncertain parameters: network_sampled */
    FIELD_BEST,    /* which coupling is the best: costab_best_code */
    FIELD_BEST_OF  /* what it is compared by: network_best */
} field_layer;

/* What samples of the uncertain parameters tell. */
typedef struct network_sampled {
    double probability, probability_error, worst_radius;
} network_sampled;

/* What is found of one of the couplings that are compared. */
typedef struct network_best {
    double step, cost; /* NaN: there is none, or it cannot be the best */
    uint8_t code;
} network_best;

typedef struct network_field {
    const char *name, *unit; /* unit: NULL for none */
    const char *meaning;     /* in results files and in the help */
    field_layer layer;
    size_t at;      /* of the number in what the layer computes, in bytes */
    unsigned asked; /* of FIELD_POINT: its numbers in lanes, network/batch.h; 0: lanes do not know it */
} network_field;

enum { NETWORK_FIELDS_MOST = 20 };

/* The i-th row, whose flag is 1 << i; NULL outside the range. */
const network_field *network_field_at(int i);
int network_field_count(void);
const network_field *network_field_find(const char *name);

/* The field's number in what its layer has computed. */
static inline double network_field_value(const network_field *field, const void *result) {
    return *(const double *)((const char *)result + field->at);
}
