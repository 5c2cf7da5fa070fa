/* cli/table.h - rows on stdout: CSV, a JSON array of objects, or a Markdown table. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli/command.h"

typedef struct cli_table {
    enum { TABLE_CSV, TABLE_JSON, TABLE_MARKDOWN } format;
    const char *const *columns;
    int column_count, column;
    size_t rows;
} cli_table;

/* Begins the table in the format that --format names (csv where it is not given). `columns` is borrowed. */
costab_status cli_table_begin(cli_table *table, const cli_arguments *arguments, const char *const *columns,
                              int column_count, costab_error *error);

/* The next cell of the row; the last one ends it. Text must not hold control characters. */
void cli_table_number(cli_table *table, double value);
void cli_table_text(cli_table *table, const char *text);
void cli_table_empty(cli_table *table);

/* The three cells scheme, method, substeps. */
void cli_table_planar(cli_table *table, const costab_planar *planar);

/* Ends the table. COSTAB_IO where stdout could not take it all. */
costab_status cli_table_end(cli_table *table, costab_error *error);

/* Flushes stdout and checks it. */
costab_status cli_flush(costab_error *error);

#endif
