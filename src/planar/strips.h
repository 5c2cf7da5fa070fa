/* planar/strips.h - curves over Gamma: values of rows, taken at so many Gamma that straight segments between
 * them are good enough. */
#pragma once

#include "costab/planar.h"

enum { STRIP_VALUES_MAX = 2 * COSTAB_ROW_PIECES_MAX };

/* The values of some curves at one Gamma. Value k of a row is connected with value k of the next row if both
 * rows are of one kind: their kind, count and edges are equal. */
typedef struct strip_row {
    double gamma;
    int kind, count;
    double value[STRIP_VALUES_MAX];
    uint8_t edge[STRIP_VALUES_MAX]; /* the condition that a value is a bound of */
} strip_row;

/* Successive rows of one kind. */
typedef struct strip {
    int kind, count;    /* of its rows; count: of its curves */
    size_t first, rows; /* rows, from strips.values[first] on: 1 + count numbers each, gamma and the values */
    size_t edges;       /* its first curve among the curves of all strips: index in strips.edges */
} strip;

typedef struct strips {
    void (*row_at)(const void *source, double gamma, strip_row *row);
    const void *source;
    double width, height; /* of the window */
    double tolerance;     /* how far a value may be off its chord, as a fraction of the window's sides */
    double resolution;    /* of Gamma: how far a change of kind is bisected */
    bool probe;           /* each segment is checked at a second place as well */
    size_t most;          /* strips; 0: any number */
    strip *items;         /* from here on zero-initialised; free with strips_free */
    double *values;
    uint8_t *edges;
    size_t count, capacity, value_count, value_capacity, edge_count, edge_capacity;
    strip_row last; /* the row added last */
} strips;

/* Adds the row at gamma, which is right of the last one, and before it those that segments need. */
costab_status strips_trace(strips *s, double gamma, costab_error *error);
void strips_free(strips *s);

/* Row i of a strip. */
static inline const double *strips_row(const strips *s, const strip *of, size_t i) {
    return s->values + of->first + i * (1 + (size_t)of->count);
}
