/* method/table.h - the named methods as data. */
#pragma once

#include <stdbool.h>

#define METHOD_TABLE_STAGES 6

typedef struct method_entry {
    const char *name, *title, *citation;
    bool exact; /* the exact solution: without tableau and order */
    int order, stages;
    /* exact numbers, written so that doubles lose nothing; NULL means 0 */
    const char *A[METHOD_TABLE_STAGES][METHOD_TABLE_STAGES];
    const char *b[METHOD_TABLE_STAGES];
    const char *c[METHOD_TABLE_STAGES];
} method_entry;

extern const method_entry method_table[];
extern const int method_table_count;
