/* cli/slice.h - the option --slice: which share of a sweep this process computes. */
#pragma once

#include "base/text.h"
#include "cli/command.h"

typedef struct cli_slice {
    size_t k, n;    /* slice k of n, 1 <= k <= n; 0, 0: the whole sweep */
    bool automatic; /* k comes from the environment */
    text from;      /* the variables that it comes from, such as "A=1, B=4" */
} cli_slice;

/* Reads --slice K/N, auto or auto/N. COSTAB_INVALID for any other value, where the environment does not have
 * what auto needs, and for a process that a launcher started as one of several without --slice. Free
 * slice->from. */
costab_status cli_slice_read(const cli_arguments *arguments, cli_slice *slice, costab_error *error);
