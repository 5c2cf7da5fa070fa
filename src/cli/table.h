/* cli/table.h - rows on stdout: CSV, a JSON array of objects, a Markdown table, or aligned text for people.
 * There is one table at a time, as there is one standard output. Where memory is out nothing more is printed,
 * and table_end says so. */
#pragma once

#include "base/json.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"
#include "costab/record.h"

/* Begins the table in the format asked for. `columns` holds the names, joined by commas, and is borrowed. */
void table_begin(const cli_arguments *arguments, const char *columns);
/* The same in JSON, whose array is the value of `key` in an object: to be ended by whoever goes on with it.
 */
json *table_begin_object(const char *columns, const char *key);
/* Begins another table below, of these columns; in JSON the rows go on in the same array. */
void table_again(const char *columns);

/* The same for described rows (costab/record.h), which table_row prints; it prints the cells of the row's
 * columns alone if the table has further ones, `more`, which follow. NULL: none. */
void table_begin_rows(const cli_arguments *arguments, const costab_record *of);
json *table_begin_rows_object(const costab_record *of, const char *more, const char *key);
void table_again_rows(const costab_record *of);
void table_row(const costab_record *of, const void *row, const costab_names *names);
/* A row as several ones, "coupling,name,value", a row per column; and as members of an object. */
void table_row_list(const costab_record *of, const void *row, const costab_names *names);
void table_row_members(json *out, const costab_record *of, const void *row, const costab_names *names);

/* The next cells of the row; its last cell ends it. In CSV and JSON a number has the shortest form that reads
 * back as the same double; Markdown, for people, has ten digits, text six. Text must not hold control
 * characters. */
void table_text(const char *text);
void table_empty(void);
void table_number(double value);
/* The same; an empty cell where there is none, NaN. */
void table_maybe(double value);
/* "yes" or "no". */
void table_yes(bool is);
/* Words that were put together, which are freed. */
void table_joined(text *joined);
/* Names or numbers in one cell: an array in JSON, else with blanks between them. */
void table_names(const char *const *names, int count);
void table_series(const double *values, size_t count);
/* Of a row that is an object of its own: the outermost array of JSON; NULL in other formats. */
json *table_json(void);
/* Around such a row: no signal ends the table within it. */
void table_hold(void);
void table_release(void);
/* In JSON alone: a cell that is written by way of what is returned, with this key; and its end. */
json *table_nest(const char **key);
void table_nested(void);
/* A number that has more digits than a double, as text. */
void table_digits(const char *digits);
/* One cell per number. */
#define table_numbers(...)                                                                                   \
    table_number_list((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void table_number_list(const double *values, size_t count);

/* A bound, of which what is printed for people (text, Markdown) must not promise more: rounded to numbers
 * that are not above it (side -1) or not below it (side 1). NaN: an empty cell. */
void table_rounded(double value, int side);
/* Two cells, the ends of an interval, for people rounded into it or (not `inward`) out of it; with more
 * digits where it is narrow. */
void table_range(double from, double to, bool inward);

/* The three cells scheme, method, substeps; different substeps are an array in JSON, else "2,1". */
void table_planar(const costab_planar *planar);
/* The names of COSTAB_CAUSE_ flags, joined by +; in JSON an array. */
void table_causes(unsigned causes);
/* The name of one flag; "" where it is none. */
const char *cli_cause_name(unsigned cause);

/* In text alone: a sentence that stands below the table. */
void table_say(const char *format, ...) COSTAB_PRINTF(1, 2);

/* Ends the table. COSTAB_IO where stdout could not take it all. */
costab_status table_end(costab_error *error);

/* Where --output names a table: what is printed from here on goes into that file, which appears whole when it
 * is published, and not at all where the table was not ended. */
costab_status table_redirect(const cli_arguments *arguments, costab_error *error);
costab_status table_publish(const cli_arguments *arguments, costab_error *error);

/* Flushes stdout, with the rows of text that wait, and checks it. */
costab_status cli_flush(costab_error *error);
