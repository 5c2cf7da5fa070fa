/* network/rows.h - table of the rows of the map's state. It determines their indices, labels, initial values,
 * values in equilibrium and in motion, units, and subsystems. */
#pragma once

#include <stddef.h>

#include "costab/network.h"

typedef enum row_kind {
    ROW_STATE,
    ROW_HELD, /* input at the end of the subsystem's last step */
    ROW_HELD_SLOPE,
    ROW_PAST, /* output at a previous communication point */
    ROW_PAST_SLOPE,
    ROW_BEFORE, /* history of a method: a state `back` micro steps ago */
    ROW_BEFORE_SLOPE,
    ROW_MEAN, /* area correction: mean of an output over the last step */
    ROW_SENT, /* area correction: input of the last step */
    ROW_KINDS
} row_kind;

typedef struct map_row {
    row_kind kind;
    int subsystem;
    int index; /* index of the subsystem's state, input or output */
    int back;  /* age: of previous values in steps of the subsystem, 1 or more; of method histories in micro
                * steps */
} map_row;

/* The quantity that a row is a value or slope of. */
typedef enum row_port { ROW_OF_STATE, ROW_OF_INPUT, ROW_OF_OUTPUT } row_port;

row_port row_port_of(row_kind kind);
bool row_is_slope(row_kind kind);

/* States, inputs and outputs of all subsystems in the order of the workspace. */
typedef struct row_values {
    const double *x, *u, *y;
} row_values;

/* The entry of `values` that row i is a value or a slope of. */
double row_value_of(const costab_network_work *work, int i, const row_values *values);

/* Value of row i at the start of a macro step if signals have the value `values` there and constant slopes
 * (per second). Rows of the area correction take `values`, without the change during the last step. */
double row_at(const costab_network_work *work, int i, const row_values *values, const row_values *slopes);

/* Numbers the rows: sets work->rows and the sizes that follow. COSTAB_INVALID if the map has too many rows,
 * and as exchange_delays; COSTAB_MEMORY. */
costab_status rows_number(costab_network_work *work, costab_error *error);

/* Index of such a row in the workspace, or -1. */
int rows_find(const costab_network_work *work, const map_row *row);

/* ---- Rows of `width` numbers ---- */

static inline size_t cells(int rows, int width) {
    return (size_t)rows * (size_t)width;
}

static inline void add_row(double *to, double factor, const double *from, int width) {
    for (int j = 0; j < width; j++) to[j] += factor * from[j];
}
