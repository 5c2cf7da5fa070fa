/* network/rows.h - the rows of the map's state: one table, from which their numbers follow, their labels,
 * what they are at the start, in equilibrium and in motion, in which units they are counted and whose they
 * are. */
#pragma once

#include <stddef.h>

#include "costab/network.h"

typedef enum row_kind {
    ROW_STATE,
    ROW_HELD, /* the input that the subsystem ended its last step with */
    ROW_HELD_SLOPE,
    ROW_PAST, /* an output at a former communication point */
    ROW_PAST_SLOPE,
    ROW_BEFORE, /* what a method carries on: a state `back` micro steps ago */
    ROW_BEFORE_SLOPE,
    ROW_MEAN, /* area correction: an output's mean over the last step */
    ROW_SENT, /* area correction: the input of the last step */
    ROW_KINDS
} row_kind;

typedef struct map_row {
    row_kind kind;
    int subsystem;
    int index; /* of the subsystem's state, input or output */
    int back;  /* of a former value: steps of its subsystem, 1 or more; of what a method carries on: micro
                  steps */
} map_row;

/* What a row is a value of, or the slope of. */
typedef enum row_port { ROW_OF_STATE, ROW_OF_INPUT, ROW_OF_OUTPUT } row_port;

row_port row_port_of(row_kind kind);
bool row_is_slope(row_kind kind);

/* States, inputs and outputs of all subsystems, in the workspace's order. */
typedef struct row_values {
    const double *x, *u, *y;
} row_values;

/* The entry of `values` that row i is a value or a slope of. */
double row_value_of(const costab_network_work *work, int i, const row_values *values);

/* Row i where signals pass through `values` with those slopes per second; before, after and at a macro step's
 * begin they go on straight. */
double row_at(const costab_network_work *work, int i, const row_values *values, const row_values *slopes);

/* Numbers the rows: work->rows and what they begin with. COSTAB_INVALID where delays are too long,
 * COSTAB_MEMORY. */
costab_status rows_number(costab_network_work *work, costab_error *error);

/* Where the workspace has such a row; -1: nowhere. */
int rows_find(const costab_network_work *work, const map_row *row);

/* ---- Rows of `width` numbers, one after the other ---- */

static inline size_t cells(int rows, int width) {
    return (size_t)rows * (size_t)width;
}

static inline void add_row(double *to, double factor, const double *from, int width) {
    for (int j = 0; j < width; j++) to[j] += factor * from[j];
}
