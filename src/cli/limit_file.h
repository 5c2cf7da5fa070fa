/* cli/limit_file.h - the intervals of `limit` as a results file, which `costab plot` draws as bars. */
#pragma once

#include "cli/network.h"
#include "costab/margin.h"

/* An interval, and where it belongs. */
typedef struct limit_row {
    int coupling, over; /* numbers of the coupling and of the limit_over */
    costab_piece piece;
    costab_limit_cause causes[2]; /* of its begin and its end */
    bool limits[2];               /* whether these are limits that a search has found */
} limit_row;

/* What was searched: a parameter and its range. */
typedef struct limit_over {
    const char *parameter;
    double from, to;
} limit_over;

typedef struct limit_rows {
    size_t count, capacity;
    limit_row *of;
    size_t searched; /* how many searches are done: range by range, in each coupling by coupling */
} limit_rows;

/* Adds a row. Free the rows with memory_free. */
costab_status limit_rows_add(limit_rows *rows, const limit_row *row, costab_error *error);

/* Writes the file that --output names. */
costab_status limit_file_write(const cli_network *network, const limit_rows *rows, const limit_over *overs,
                               int over_count, const cli_arguments *arguments, costab_error *error);
