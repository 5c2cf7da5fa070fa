/* method/table.h - the named Runge-Kutta methods, and the exact solution, as data. Methods without a Butcher
 * tableau are in solver.c. */
#pragma once

#include <stdbool.h>

#define METHOD_TABLE_STAGES 6 /* at most */

typedef struct method_entry {
    const char *name, *title;
    bool exact; /* the exact solution: without tableau and order */
    int order, stages;
    /* expressions of exact numbers (formula_constant), written without cancellation; NULL means 0 */
    const char *A[METHOD_TABLE_STAGES][METHOD_TABLE_STAGES];
    const char *b[METHOD_TABLE_STAGES];
    const char *c[METHOD_TABLE_STAGES];
} method_entry;

extern const method_entry method_table[];
extern const int method_table_count;
