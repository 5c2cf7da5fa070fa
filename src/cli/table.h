/* cli/table.h - rows on stdout: CSV, a JSON array of objects, a Markdown table, or aligned text for people.
 */
#pragma once

#include "base/json.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"

typedef enum cli_table_format { TABLE_CSV, TABLE_JSON, TABLE_MARKDOWN, TABLE_TEXT } cli_table_format;

typedef struct cli_table {
    cli_table_format format;
    const char *columns; /* all names, joined by commas */
    const char *next;    /* the names from the next cell's column on */
    char column[64];     /* the name of the cell's column; in JSON and text alone */
    json json;           /* open: its outermost array, for commands that print objects of their own */
} cli_table;

/* Begins the table in the format that --format names (where it is not given: text on a terminal, else csv).
 * `columns` holds the names, joined by commas, and is borrowed. */
costab_status cli_table_begin(cli_table *table, const cli_arguments *arguments, const char *columns,
                              costab_error *error);

/* Whether that format is text. */
bool cli_table_is_text(const cli_arguments *arguments);

/* The next cells of the row; its last cell ends it. In CSV and JSON a number has the shortest form that reads
 * back as the same double; Markdown, for people, has ten digits, text six. Text must not hold control
 * characters. */
void cli_table_text(cli_table *table, const char *text);
void cli_table_empty(cli_table *table);
void cli_table_number(cli_table *table, double value);
/* The same; an empty cell where there is none, NaN. */
void cli_table_maybe(cli_table *table, double value);
/* Words that were put together, which are freed. COSTAB_MEMORY, and no cell, where that failed. */
costab_status cli_table_joined(cli_table *table, text *joined, costab_error *error);
/* Names or numbers in one cell: an array in JSON, else with blanks between them. */
costab_status cli_table_names(cli_table *table, const char *const *names, int count, costab_error *error);
costab_status cli_table_series(cli_table *table, const double *values, size_t count, costab_error *error);
/* In JSON alone: a cell that is written by way of table->json, with the key table->column; and its end. */
void cli_table_nest(cli_table *table);
void cli_table_nested(cli_table *table);
/* A number that has more digits than a double, as text. */
void cli_table_digits(cli_table *table, const char *digits);
/* One cell per number. */
#define cli_table_numbers(table, ...)                                                                        \
    cli_table_number_list(table, (const double[]){__VA_ARGS__},                                              \
                          sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void cli_table_number_list(cli_table *table, const double *values, size_t count);

/* The three cells scheme, method, substeps; different substeps are an array in JSON, else "2,1". */
void cli_table_planar(cli_table *table, const costab_planar *planar);
/* The names of COSTAB_CAUSE_ flags, joined by +; in JSON an array. */
void cli_table_causes(cli_table *table, unsigned causes);
/* The name of one flag; "" where it is none. */
const char *cli_cause_name(unsigned cause);

/* Begins another table below, of these columns; in JSON the rows go on in the same array. */
void cli_table_again(cli_table *table, const char *columns);

/* In text alone: a sentence that stands below the table. */
void cli_table_say(const cli_table *table, const char *format, ...) COSTAB_PRINTF(2, 3);

/* Ends the table. COSTAB_IO where stdout could not take it all. */
costab_status cli_table_end(cli_table *table, costab_error *error);

/* Where --output names a table: what is printed from here on goes into that file, which appears whole when it
 * is published, and not at all where the table was not ended. */
costab_status cli_table_redirect(const cli_arguments *arguments, costab_error *error);
costab_status cli_table_publish(const cli_arguments *arguments, costab_error *error);

/* Flushes stdout, with the rows of text that wait, and checks it. */
costab_status cli_flush(costab_error *error);
