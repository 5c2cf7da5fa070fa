/* cli/points.h - points from a CSV file. */
#ifndef CLI_POINTS_H
#define CLI_POINTS_H

#include "costab/base.h"

typedef struct cli_points {
    size_t count;
    double *a, *gamma, *delta; /* `count` values each; free with cli_points_free */
} cli_points;

/* No points yet, with room for some. */
costab_status cli_points_create(cli_points *points, size_t room, costab_error *error);

/* Reads a CSV file ("-": the standard input) with a header that names at least a, gamma and delta, in any
 * order. Errors as FILE:LINE:COLUMN. */
costab_status cli_points_read(const char *path, cli_points *points, costab_error *error);
/* The same from memory; `path` is used in messages. */
costab_status cli_points_parse(const char *path, const char *bytes, size_t size, cli_points *points,
                               costab_error *error);

void cli_points_free(cli_points *points);

#endif
