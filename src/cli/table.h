/* cli/table.h - rows on stdout: CSV, a JSON array of objects, a Markdown table, or aligned text for people.
 * The program prints one table at a time. After an allocation failure nothing more is printed, and table_end
 * returns the error. */
#pragma once

#include "base/json.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/print.h"
#include "costab/record.h"

/* Starts the table in the format of the command line. `columns` holds the names, joined by commas, and is
 * borrowed. */
void table_begin(const cli_arguments *arguments, const char *columns);
/* Returns COSTAB_INVALID if two of these columns have the same name. */
costab_status table_check(const char *columns, costab_error *error);
/* Begins another table below, with these columns; in JSON the rows follow in the same array. */
void table_again(const char *columns);

/* Like the functions above, for described rows (costab/record.h), which table_row prints. more: names of
 * further columns, whose cells the caller prints after table_row; parameter: the unit of a varied parameter,
 * for the names of columns in text; NULL: none. table_begin_rows_object starts a JSON table as the value of
 * `key` in an object, which the caller continues and ends. */
void table_begin_rows(const cli_arguments *arguments, const costab_record *of, const char *parameter);
json *table_begin_rows_object(const costab_record *of, const char *more, const char *key);
void table_again_rows(const costab_record *of, const char *parameter);
void table_row(const costab_record *of, const void *row, const costab_names *names);
/* Print a described row as several rows "coupling,name,value", a row per column, or as members of an object.
 */
void table_row_list(const costab_record *of, const void *row, const costab_names *names);
void table_row_members(json *out, const costab_record *of, const void *row, const costab_names *names);

/* Print the next cell; the last cell ends the row. In CSV and JSON a number has the shortest form that reads
 * back as the same double; Markdown, for people, has ten digits, text six. Text must not hold control
 * characters. */
void table_text(const char *text);
void table_empty(void);
void table_number(double value);
/* Prints a number, or an empty cell for NaN. */
void table_maybe(double value);
/* Prints "yes" or "no". */
void table_yes(bool is);
/* Prints a string and frees it. */
void table_joined(text *joined);
/* Print names or numbers in one cell: an array in JSON, otherwise separated by blanks. */
void table_names(const char *const *names, int count);
void table_series(const double *values, size_t count);
/* Returns the outermost array of JSON for a row as an object; NULL in other formats. */
json *table_json(void);
/* Call these before and after such a row, so that no signal ends the table within it. */
void table_hold(void);
void table_release(void);
/* JSON only: starts a cell with this key, written through the returned writer; table_nested ends it. */
json *table_nest(const char **key);
void table_nested(void);
/* Prints a number given as text, which may have more digits than a double. */
void table_digits(const char *digits);
/* Prints one cell per number. */
#define table_numbers(...)                                                                                   \
    table_number_list((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void table_number_list(const double *values, size_t count);

/* Prints a bound. For people (text, Markdown) it is rounded to a number not above it (side -1) or not below
 * it (side 1), so that the printed bound holds, too. NaN: an empty cell. */
void table_rounded(double value, int side);
/* Prints two cells with the ends of an interval. For people the ends are rounded into the interval or (not
 * `inward`) out of it, with more digits for a narrow interval, until both ends can be told apart. */
void table_range(double from, double to, bool inward);

/* Prints the three cells scheme, method, substeps. Different substeps are an array in JSON, otherwise "2,1".
 */
void table_planar(const costab_planar *planar);
/* Prints the names of COSTAB_CAUSE_ flags, joined by +; in JSON an array. */
void table_causes(unsigned causes);
/* Returns the name of one flag; "" for no flag. */
const char *cli_cause_name(unsigned cause);

/* Text only: adds a sentence below the table. */
void table_say(const char *format, ...) COSTAB_PRINTF(1, 2);

/* Ends the table. Returns COSTAB_IO if stdout could not take all of it, COSTAB_MEMORY if memory was out for a
 * part. */
costab_status table_end(costab_error *error);

/* If --output names a table, redirects further output into that file. table_publish makes it appear,
 * complete, or discards it if the table was not ended. */
costab_status table_redirect(const cli_arguments *arguments, costab_error *error);
costab_status table_publish(const cli_arguments *arguments, costab_error *error);

/* Prints the waiting rows of text, flushes stdout and checks it. */
costab_status cli_flush(costab_error *error);
