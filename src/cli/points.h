/* cli/points.h - points of the planar system from a CSV file (costab classify --points). */
#pragma once

#include "costab/base.h"

typedef struct cli_points {
    size_t count;
    double *a, *gamma, *delta; /* `count` values each */
} cli_points;

/* Makes an empty list with space for `space` points. Free it with cli_points_free. */
costab_status cli_points_create(cli_points *points, size_t space, costab_error *error);

/* Reads a CSV file ("-": the standard input). Its header names at least a, gamma and delta, in any order.
 * Errors name FILE:LINE:COLUMN. Free the points with cli_points_free. */
costab_status cli_points_read(const char *path, cli_points *points, costab_error *error);
/* Like cli_points_read, from memory; `path` is used in messages. */
costab_status cli_points_parse(const char *path, const char *bytes, size_t size, cli_points *points,
                               costab_error *error);

void cli_points_free(cli_points *points);
