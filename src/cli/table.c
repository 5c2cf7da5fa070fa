/* Rows of cells in four forms: text for people (aligned.c), CSV, Markdown and JSON. A command names its
 * columns once, and gives each row cell by cell; the form decides how numbers and words are written. */
#include "cli/table.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/aligned.h"
#include "cli/print.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "cli/value.h"

/* Names of the formats, and the strings before the first cell of a row, between cells, and after the last.
 * JSON has its own writer; text collects rows (aligned.c). */
static const struct {
    const char *name, *first, *between, *last;
} formats[] = {
    [CLI_CSV] = {"csv", "", ",", "\n"},
    [CLI_JSON] = {"json", "", "", ""},
    [CLI_MARKDOWN] = {"md", "| ", " | ", " |\n"},
    [CLI_TEXT] = {"text", "", "", ""},
};

static struct {
    cli_format format;
    const char *columns; /* all names, joined by commas */
    const char *next;    /* the names from the next cell's column on */
    char column[64];     /* the name of the cell's column; set in JSON and text only */
    json json;           /* its outermost array is open */
    bool headed;         /* the header is printed, which happens before the first cell or at the end */
    bool open;           /* the table has begun and not ended */
} table;

/* Locked while a row is printed, so that the thread of a signal finds complete rows only. */
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool prints_end; /* this thread prints the end and keeps the lock for ever */
static _Thread_local bool in_row;     /* this thread has begun a row, and has the lock */

static void lock(void) {
    if (!prints_end) (void)pthread_mutex_lock(&printing);
}

static void unlock(void) {
    if (!prints_end) (void)pthread_mutex_unlock(&printing);
}

costab_status cli_format_find(const char *name, cli_format *format, costab_error *error) {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (strcmp(name, formats[k].name) == 0) {
            *format = (cli_format)k;
            return COSTAB_OK;
        }
    return error_invalid(error, "--format: '%s' is not text, csv, json or md", name);
}

/* Prints a string. Only one thread prints, so putc_unlocked is safe; fputs takes the stream's lock each time,
 * which costs more than a short cell. */
static void put(const char *string) {
    if (!cli_printed())
        return; /* after a missing cell nothing more is printed, so earlier output stays valid */
    for (; *string != '\0'; string++) (void)putc_unlocked(*string, stdout);
}

static void put_escaped(escape_target target, const char *string) {
    text_local escaped = {0};
    if (escape_keeps(target, string)) {
        put(string);
        return;
    }
    escape(&escaped, target, string);
    if (escaped.failed) cli_print_stop();
    if (!escaped.failed) put(escaped.data);
}

static void put_header(void) {
    if (table.headed || table.format == CLI_TEXT) return;
    table.headed = true;
    if (table.format == CLI_JSON) {
        json_array(&table.json, NULL);
        return;
    }
    for (const char *rest = table.columns, *name; rest != NULL;) {
        fputs(rest == table.columns ? formats[table.format].first : formats[table.format].between, stdout);
        size_t length = cli_next_piece(&rest, &name);
        fwrite(name, 1, length, stdout);
    }
    fputs(formats[table.format].last, stdout);
    if (table.format != CLI_MARKDOWN) return;
    for (const char *rest = table.columns, *name; rest != NULL; cli_next_piece(&rest, &name))
        fputs("| --- ", stdout);
    fputs("|\n", stdout);
}

static void take_columns(const char *columns) {
    table.columns = table.next = columns;
    if (table.format != CLI_JSON) table.headed = false;
    if (table.format == CLI_TEXT) aligned_begin(columns);
}

static void begin(cli_format format, const char *columns) {
    table.format = format;
    table.headed = false;
    table.json = (json){.print = put};
    take_columns(columns);
}

costab_status table_check(const char *columns, costab_error *error) {
    for (const char *rest = columns, *name; rest != NULL;) {
        char one[sizeof table.column] = "";
        const size_t length = cli_next_piece(&rest, &name);
        if (length < sizeof one) memcpy(one, name, length);
        if (rest != NULL && one[0] != '\0' && cli_has_word(rest, one))
            return error_invalid(error, "two columns have the name '%s': rename the parameter of the axis",
                                 one);
    }
    return COSTAB_OK;
}

static bool print_end(void);

void table_begin(const cli_arguments *arguments, const char *columns) {
    lock();
    begin(arguments->format, columns);
    table.open = true;
    unlock();
    signals_finish(print_end);
}

void table_again(const char *columns) {
    lock();
    put_header();
    const bool rows = table.format != CLI_TEXT || aligned_has_rows();
    if (table.format == CLI_TEXT) aligned_end();
    if (table.format != CLI_JSON && rows) fputc('\n', stdout);
    take_columns(columns);
    unlock();
}

void table_say(const char *format, ...) {
    if (table.format != CLI_TEXT) return;
    va_list arguments;
    va_start(arguments, format);
    lock();
    aligned_say(format, arguments);
    unlock();
    va_end(arguments);
}

/* ---- Described rows ---- */

enum { HEAD_UNIT_MAX = 40 }; /* bytes */

static bool is_shown(const costab_column *column) {
    const unsigned hides =
        table.format == CLI_TEXT ? COSTAB_HIDDEN_TEXT | COSTAB_HIDDEN_ROWS : COSTAB_HIDDEN_ROWS;
    return (column->hidden & hides) == 0;
}

/* Returns true if a column's name can show a unit (NULL: none): it is short, and has none of the commas that
 * separate columns. */
static bool fits_into_head(const char *unit) {
    return unit != NULL && unit[0] != '\0' && strlen(unit) <= HEAD_UNIT_MAX && strchr(unit, ',') == NULL;
}

/* Returns the columns of described rows, joined by commas; in text with their units, `parameter` that of the
 * parameter that varies (NULL: none). Valid until the next call. */
static const char *heads_of(const costab_record *of, cli_format format, const char *parameter,
                            const char *more) {
    static char heads[1024];
    size_t used = 0;
    table.format = format;
    for (int c = 0; c < of->column_count; c++) {
        const costab_column *column = &of->columns[c];
        const bool varies = column->unit != NULL && strcmp(column->unit, COSTAB_UNIT_OF_PARAMETER) == 0;
        const char *shown = varies ? parameter : column->unit;
        const bool unit = format == CLI_TEXT && fits_into_head(shown);
        if (is_shown(column))
            used += (size_t)snprintf(heads + used, sizeof heads - used, "%s%s%s%s%s", used > 0 ? "," : "",
                                     column->name, unit ? " [" : "", unit ? shown : "", unit ? "]" : "");
    }
    if (more != NULL) (void)snprintf(heads + used, sizeof heads - used, ",%s", more);
    return heads;
}

void table_begin_rows(const cli_arguments *arguments, const costab_record *of, const char *parameter) {
    table_begin(arguments, heads_of(of, arguments->format, parameter, NULL));
}

json *table_begin_rows_object(const costab_record *of, const char *more, const char *key) {
    begin(CLI_JSON, heads_of(of, CLI_JSON, NULL, more));
    table.headed = true;
    json_object(&table.json, NULL);
    json_array(&table.json, key);
    return &table.json;
}

void table_again_rows(const costab_record *of, const char *parameter) {
    table_again(heads_of(of, table.format, parameter, NULL));
}

/* Prints the cell of column c; for the first end of an interval also the next cell. Returns the number of
 * columns. */
static int put_column(const costab_record *of, int c, const void *row, size_t entry,
                      const costab_names *names) {
    const costab_column *column = &of->columns[c];
    const double number = costab_column_number(column, row, entry);
    char space[COSTAB_CELL_MAX];
    if (column->words != NULL && table.format == CLI_TEXT) {
        table_text(column->words(row, names, space));
    } else if (column->range) {
        table_range(number, costab_column_number(&of->columns[c + 1], row, entry),
                    of->outward == NULL || !of->outward(row));
        return 2;
    } else if (column->type != COSTAB_COLUMN_REAL && column->type != COSTAB_COLUMN_WHOLE) {
        table_text(costab_column_word(column, row, entry, names, space));
    } else if (column->side != NULL) {
        table_rounded(number, column->side(row));
    } else {
        table_maybe(number);
    }
    return 1;
}

void table_row(const costab_record *of, const void *row, const costab_names *names) {
    const size_t entries = of->rows_axis > 0 ? costab_record_entries(of, of->rows_axis, row, names) : 1;
    for (size_t e = 0; e < entries; e++)
        for (int c = 0; c < of->column_count;)
            c += is_shown(&of->columns[c]) ? put_column(of, c, row, e, names) : 1;
}

/* Prints the array over the last axis of the column. */
static void put_array(const costab_record *of, const costab_column *column, const void *row,
                      const costab_names *names) {
    text joined = {0};
    int axis = of->axis_count - 1;
    while ((column->over >> axis & 1) == 0) axis--;
    const size_t count = costab_record_entries(of, axis, row, names);
    for (size_t e = 0; e < count; e++)
        text_append_number(&joined, e > 0 ? " " : "", costab_column_number(column, row, e));
    table_joined(&joined);
}

void table_row_list(const costab_record *of, const void *row, const costab_names *names) {
    char space[COSTAB_CELL_MAX];
    for (int c = 1; c < of->column_count; c++) {
        const costab_column *column = &of->columns[c];
        if (!is_shown(column)) continue;
        table_text(costab_column_word(&of->columns[0], row, 0, names, space));
        table_text(column->name);
        if (column->stride > 0)
            put_array(of, column, row, names);
        else
            (void)put_column(of, c, row, 0, names);
    }
}

void table_row_members(json *out, const costab_record *of, const void *row, const costab_names *names) {
    char space[COSTAB_CELL_MAX];
    for (int c = 0; c < of->column_count; c++) {
        const costab_column *column = &of->columns[c];
        if ((column->hidden & COSTAB_HIDDEN_ROWS) != 0) continue;
        if (column->type == COSTAB_COLUMN_REAL || column->type == COSTAB_COLUMN_WHOLE)
            json_maybe(out, column->name, costab_column_number(column, row, 0));
        else
            json_text(out, column->name, costab_column_word(column, row, 0, names, space));
    }
}

json *table_json(void) {
    if (table.format != CLI_JSON) return NULL;
    put_header();
    return &table.json;
}

void table_hold(void) {
    lock();
}

void table_release(void) {
    unlock();
}

/* Begins the next cell; for JSON returns the writer with the row's object open. */
json *table_nest(const char **key) {
    const bool first = !in_row;
    const char *name;
    if (first) lock();
    in_row = true;
    size_t length = cli_next_piece(&table.next, &name);
    if (table.format == CLI_JSON || table.format == CLI_TEXT) {
        if (length >= sizeof table.column) length = sizeof table.column - 1;
        memcpy(table.column, name, length);
        table.column[length] = '\0';
    }
    if (first) put_header();
    if (table.format == CLI_JSON && first) json_object(&table.json, NULL);
    put(first ? formats[table.format].first : formats[table.format].between);
    *key = table.column;
    return &table.json;
}

void table_nested(void) {
    if (table.next != NULL) return;
    table.next = table.columns;
    in_row = false;
    if (table.format == CLI_JSON) json_end_object(&table.json);
    put(formats[table.format].last);
    unlock();
}

void table_number(double value) {
    char shown[NUMBER_SHOWN_MAX];
    const char *key;
    json *out = table_nest(&key);
    if (table.format == CLI_JSON)
        json_number(out, key, value);
    else if (table.format == CLI_TEXT)
        aligned_number(value);
    else if (table.format == CLI_MARKDOWN && isfinite(value))
        printf("%.10g", value);
    else
        put(number_shortest(value, shown));
    table_nested();
}

void table_maybe(double value) {
    if (isnan(value))
        table_empty();
    else
        table_number(value);
}

/* Returns the number of digits of a number rounded to one side; 0: all digits. */
static int rounded_digits(void) {
    return table.format == CLI_TEXT ? NUMBER_LIMIT_DIGITS : table.format == CLI_MARKDOWN ? 10 : 0;
}

/* Rounds to one side; integers keep up to DBL_DIG digits. */
static const char *rounded(double value, int digits, int side, char shown[NUMBER_SHOWN_MAX]) {
    return number_rounded(value, value == floor(value) ? DBL_DIG : digits, side, shown);
}

void table_rounded(double value, int side) {
    char shown[NUMBER_SHOWN_MAX];
    if (rounded_digits() == 0 || !isfinite(value))
        table_maybe(value);
    else
        table_text(rounded(value, rounded_digits(), side, shown));
}

void table_range(double from, double to, bool inward) {
    char shown[2][NUMBER_SHOWN_MAX];
    int digits = rounded_digits(), side = inward ? 1 : -1;
    double low = from, high = to;
    if (digits == 0) {
        table_numbers(from, to);
        return;
    }
    do {
        rounded(from, digits, side, shown[0]);
        rounded(to, digits, -side, shown[1]);
        (void)number_parse_double(shown[0], strlen(shown[0]), &low);
        (void)number_parse_double(shown[1], strlen(shown[1]), &high);
    } while ((low > high || (low == high && from < to)) && ++digits <= DBL_DIG);
    table_text(digits > DBL_DIG ? number_shortest(from, shown[0]) : shown[0]);
    table_text(digits > DBL_DIG ? number_shortest(to, shown[1]) : shown[1]);
}

void table_number_list(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) table_number(values[i]);
}

static bool is_printable(const char *string) {
    while (*string >= ' ' && *string <= '~') string++;
    return *string == '\0';
}

void table_text(const char *string) {
    text_local made = {0};
    const char *words = string, *key;
    if (!is_printable(string)) {
        text_append_plain(&made, string);
        if (made.failed) cli_print_stop();
        words = made.failed ? "" : made.data;
    }
    json *out = table_nest(&key);
    if (table.format == CLI_JSON)
        json_text(out, key, words);
    else if (table.format == CLI_TEXT)
        aligned_text(key, words);
    else
        put_escaped(table.format == CLI_CSV ? ESCAPE_CSV : ESCAPE_MARKDOWN, words);
    table_nested();
}

void table_yes(bool is) {
    table_text(is ? "yes" : "no");
}

void table_joined(text *joined) {
    if (joined->failed) cli_print_stop();
    table_text(joined->size > 0 && !joined->failed ? joined->data : "");
    text_free(joined);
}

void table_names(const char *const *names, int count) {
    text joined = {0};
    const char *key;
    if (table.format != CLI_JSON) {
        for (int i = 0; i < count; i++) text_printf(&joined, "%s%s", i > 0 ? " " : "", names[i]);
        table_joined(&joined);
        return;
    }
    json *out = table_nest(&key);
    json_array(out, key);
    for (int i = 0; i < count; i++) json_text(out, NULL, names[i]);
    json_end_array(out);
    table_nested();
}

void table_series(const double *values, size_t count) {
    text joined = {0};
    const char *key;
    if (table.format != CLI_JSON) {
        for (size_t i = 0; i < count; i++) text_append_number(&joined, i > 0 ? " " : "", values[i]);
        table_joined(&joined);
        return;
    }
    json *out = table_nest(&key);
    json_numbers(out, key, values, count);
    table_nested();
}

void table_digits(const char *digits) {
    const char *key;
    if (table.format != CLI_JSON) {
        table_text(digits);
        return;
    }
    json *out = table_nest(&key);
    json_digits(out, key, digits);
    table_nested();
}

void table_empty(void) {
    const char *key;
    json *out = table_nest(&key);
    if (table.format == CLI_JSON) json_null(out, key);
    if (table.format == CLI_TEXT) aligned_text(key, "");
    table_nested();
}

void table_planar(const costab_planar *planar) {
    char substeps[32];
    const double both[2] = {planar->substeps[0], planar->substeps[1]};
    table_text(costab_scheme_name(planar->scheme));
    table_text(planar->method.name);
    snprintf(substeps, sizeof substeps, "%d,%d", planar->substeps[0], planar->substeps[1]);
    if (both[0] == both[1])
        table_number(both[0]);
    else if (table.format == CLI_JSON)
        table_series(both, 2);
    else
        table_text(substeps);
}

static const char *const cause_names[] = {"det", "fold", "flip", "iteration"};
enum { CAUSES = sizeof cause_names / sizeof cause_names[0] };

const char *cli_cause_name(unsigned cause) {
    for (unsigned k = 0; k < CAUSES; k++)
        if (cause == 1u << k) return cause_names[k];
    return "";
}

void table_causes(unsigned causes) {
    const char *names[CAUSES];
    char joined[64] = "";
    int count = 0;
    for (unsigned k = 0, used = 0; k < CAUSES; k++) {
        if ((causes >> k & 1) == 0) continue;
        names[count++] = cause_names[k];
        used += (unsigned)snprintf(joined + used, sizeof joined - used, "%s%s", used > 0 ? "+" : "",
                                   cause_names[k]);
    }
    if (table.format == CLI_JSON)
        table_names(names, count);
    else
        table_text(joined);
}

/* The file that replaces the standard output. */
static file_draft draft = {.descriptor = -1};
static bool whole; /* the last flush has written everything */

costab_status cli_flush(costab_error *error) {
    lock();
    const bool printed = aligned_end() && cli_printed();
    whole = printed && fflush(stdout) == 0 && !ferror(stdout);
    unlock();
    if (!printed) return error_memory(error);
    if (whole) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "standard output cannot be written: %s", strerror(errno));
}

costab_status table_end(costab_error *error) {
    lock();
    table.open = false;
    put_header();
    if (table.format == CLI_JSON) json_end_array(&table.json);
    unlock();
    return table.json.failed ? error_memory(error) : cli_flush(error);
}

/* ---- An end by a signal ---- */

static const cli_arguments *redirected;

/* Prints a last row whose first cell is "unfinished" (JSON: an object with this key); in text a sentence
 * below the table. */
static void put_unfinished(void) {
    if (table.format == CLI_TEXT) {
        table_say("Unfinished: the rows above are complete, others were not computed.");
    } else if (table.format == CLI_JSON) {
        put_header();
        json_object(&table.json, NULL);
        json_text(&table.json, "unfinished", "the rows above are complete, others were not computed");
        json_end_object(&table.json);
    } else {
        table_text("unfinished");
        while (table.next != table.columns) table_empty();
    }
}

/* Ends the table after its complete rows, and keeps the lock. Returns false without a table. */
static bool print_end(void) {
    costab_error ignored;
    lock();
    if (!table.open) {
        unlock();
        return false;
    }
    prints_end = true;
    put_unfinished();
    (void)table_end(&ignored);
    if (redirected != NULL) (void)table_publish(redirected, &ignored);
    return true;
}

/* ---- A file in place of the standard output ---- */

costab_status table_redirect(const cli_arguments *arguments, costab_error *error) {
    const file_terms terms = {.force = arguments->force};
    if (arguments->table == NULL) return COSTAB_OK;
    redirected = arguments;
    TRY(file_create(arguments->table, &terms, &draft, error));
    if (dup2(draft.descriptor, STDOUT_FILENO) < 0)
        return error_set(error, COSTAB_IO, "cannot write '%s': %s", arguments->table, strerror(errno));
    return COSTAB_OK;
}

costab_status table_publish(const cli_arguments *arguments, costab_error *error) {
    if (draft.descriptor < 0 || !whole) {
        file_discard(&draft);
        return COSTAB_OK;
    }
    TRY(file_publish(&draft, arguments->table, error));
    cli_tell_file(arguments->table, arguments);
    return COSTAB_OK;
}
