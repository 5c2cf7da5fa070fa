/* planar/strips.h - curves over Gamma: values of rows, sampled so that linear interpolation meets a
 * tolerance. */
#pragma once

#include "costab/planar.h"

enum { STRIP_VALUES_MAX = 2 * COSTAB_ROW_PIECES_MAX };

/* Values of several curves at one Gamma. Value k is connected with value k of the next row if kind, count and
 * edges of both rows are equal. */
typedef struct strip_row {
    double gamma;
    int kind, count;
    double value[STRIP_VALUES_MAX];
    uint8_t edge[STRIP_VALUES_MAX]; /* condition that bounds each value */
} strip_row;

/* Consecutive rows of one kind. */
typedef struct strip {
    int kind, count;    /* kind of its rows; number of its curves */
    size_t first, rows; /* number of rows, stored from strips.values[first]: 1 + count numbers each, gamma and
                         * the values */
    size_t edges;       /* index of its first curve in strips.edges */
} strip;

typedef struct strips {
    void (*row_at)(const void *source, double gamma, strip_row *row);
    const void *source;
    double width, height; /* of the window */
    double tolerance;     /* largest distance of a value from its chord, as a fraction of the window's
                           * sides */
    double resolution;    /* of Gamma: a change of kind is bisected to this width */
    bool probe;           /* check each segment at a second position */
    strip *items;         /* from here on zero-initialised; free with strips_free */
    double *values;
    uint8_t *edges;
    size_t count, capacity, value_count, value_capacity, edge_count, edge_capacity, row_count;
    strip_row last; /* the last added row */
} strips;

/* Adds the row at gamma, to the right of the last row, preceded by the rows that segments require.
 * COSTAB_NUMERIC if the curves require too many rows, COSTAB_MEMORY. */
costab_status strips_trace(strips *s, double gamma, costab_error *error);
void strips_free(strips *s);

/* Row i of a strip. */
static inline const double *strips_row(const strips *s, const strip *of, size_t i) {
    return s->values + of->first + i * (1 + (size_t)of->count);
}
