/* Rows of cells in four forms: text for people (page.c), CSV, Markdown and JSON. */
#include "cli/table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/page.h"
#include "cli/print.h"
#include "cli/results.h"
#include "cli/value.h"

/* What stands before the first and before every other cell of a row, and behind its last one. JSON has a
 * writer of its own, and text for people a page. */
static const struct {
    const char *name, *first, *between, *last;
} formats[] = {
    [TABLE_CSV] = {"csv", "", ",", "\n"},
    [TABLE_JSON] = {"json", "", "", ""},
    [TABLE_MARKDOWN] = {"md", "| ", " | ", " |\n"},
    [TABLE_TEXT] = {"text", "", "", ""},
};

/* The program's one thread that prints: fputs, which takes the stream's lock each time, costs more than a
 * short cell. */
static void put(const char *string) {
    if (!cli_printed()) return; /* a cell is missing: what stands before it stays whole */
    for (; *string != '\0'; string++) (void)putc_unlocked(*string, stdout);
}

static void put_header(cli_table *table) {
    if (table->format == TABLE_TEXT) {
        page_begin(table->columns);
        return;
    }
    for (const char *rest = table->columns, *name; rest != NULL;) {
        fputs(rest == table->columns ? formats[table->format].first : formats[table->format].between, stdout);
        size_t length = cli_next_piece(&rest, &name);
        fwrite(name, 1, length, stdout);
    }
    fputs(formats[table->format].last, stdout);
    if (table->format != TABLE_MARKDOWN) return;
    for (const char *rest = table->columns, *name; rest != NULL; cli_next_piece(&rest, &name))
        fputs("| --- ", stdout);
    fputs("|\n", stdout);
}

static const char *chosen_format(const cli_arguments *arguments) {
    const char *format = arguments->values[OPTION_FORMAT_TABLE];
    return format != NULL ? format : isatty(STDOUT_FILENO) ? "text" : "csv";
}

bool cli_table_is_text(const cli_arguments *arguments) {
    return strcmp(chosen_format(arguments), formats[TABLE_TEXT].name) == 0;
}

costab_status cli_table_begin(cli_table *table, const cli_arguments *arguments, const char *columns,
                              costab_error *error) {
    const char *format = chosen_format(arguments);
    *table = (cli_table){.columns = columns, .next = columns, .json = {.print = cli_put_json}};
    for (int k = 0; k < (int)(sizeof formats / sizeof formats[0]); k++) {
        if (strcmp(format, formats[k].name) != 0) continue;
        table->format = (cli_table_format)k;
        if (table->format == TABLE_JSON)
            json_array(&table->json, NULL);
        else
            put_header(table);
        return COSTAB_OK;
    }
    return error_set(error, COSTAB_INVALID, "--format: '%s' is not text, csv, json or md", format);
}

void cli_table_again(cli_table *table, const char *columns) {
    table->columns = table->next = columns;
    if (table->format == TABLE_JSON) return;
    if (table->format == TABLE_TEXT) page_end();
    fputc('\n', stdout);
    put_header(table);
}

void cli_table_say(const cli_table *table, const char *format, ...) {
    if (table->format != TABLE_TEXT) return;
    va_list arguments;
    va_start(arguments, format);
    page_say(format, arguments);
    va_end(arguments);
}

/* Begins the next cell. Of JSON: table->column is its key, and the row's object is open. */
void cli_table_nest(cli_table *table) {
    bool first = table->next == table->columns;
    const char *name;
    size_t length = cli_next_piece(&table->next, &name);
    if (table->format == TABLE_JSON || table->format == TABLE_TEXT)
        snprintf(table->column, sizeof table->column, "%.*s", (int)length, name);
    if (table->format == TABLE_JSON && first) json_object(&table->json, NULL);
    put(first ? formats[table->format].first : formats[table->format].between);
}

void cli_table_nested(cli_table *table) {
    if (table->next != NULL) return;
    table->next = table->columns;
    if (table->format == TABLE_JSON) json_end_object(&table->json);
    put(formats[table->format].last);
}

void cli_table_number(cli_table *table, double value) {
    char shown[NUMBER_SHOWN_MAX];
    cli_table_nest(table);
    if (table->format == TABLE_JSON)
        json_number(&table->json, table->column, value);
    else if (table->format == TABLE_TEXT)
        page_number(value);
    else if (table->format == TABLE_MARKDOWN && isfinite(value))
        printf("%.10g", value);
    else
        put(number_shortest(value, shown));
    cli_table_nested(table);
}

void cli_table_maybe(cli_table *table, double value) {
    if (isnan(value))
        cli_table_empty(table);
    else
        cli_table_number(table, value);
}

void cli_table_number_list(cli_table *table, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) cli_table_number(table, values[i]);
}

static bool is_printable(const char *string) {
    while (*string >= ' ' && *string <= '~') string++;
    return *string == '\0';
}

void cli_table_text(cli_table *table, const char *string) {
    char made[4096]; /* longer than any name or reason */
    const char *words = string;
    if (!is_printable(string) || strlen(string) >= sizeof made) {
        (void)snprintf(made, sizeof made, "%s", string);
        text_make_plain(made, sizeof made);
        words = made;
    }
    cli_table_nest(table);
    if (table->format == TABLE_JSON) {
        json_text(&table->json, table->column, words);
    } else if (table->format == TABLE_TEXT) {
        page_text(table->column, words);
    } else {
        cli_put(table->format == TABLE_CSV ? ESCAPE_CSV : ESCAPE_MARKDOWN, words);
    }
    cli_table_nested(table);
}

costab_status cli_table_joined(cli_table *table, text *joined, costab_error *error) {
    costab_status status = joined->failed ? error_memory(error) : COSTAB_OK;
    if (!status) cli_table_text(table, joined->size > 0 ? joined->data : "");
    text_free(joined);
    return status;
}

costab_status cli_table_names(cli_table *table, const char *const *names, int count, costab_error *error) {
    text joined = {0};
    if (table->format != TABLE_JSON) {
        for (int i = 0; i < count; i++) text_printf(&joined, "%s%s", i > 0 ? " " : "", names[i]);
        return cli_table_joined(table, &joined, error);
    }
    cli_table_nest(table);
    json_array(&table->json, table->column);
    for (int i = 0; i < count; i++) json_text(&table->json, NULL, names[i]);
    json_end_array(&table->json);
    cli_table_nested(table);
    return COSTAB_OK;
}

costab_status cli_table_series(cli_table *table, const double *values, size_t count, costab_error *error) {
    text joined = {0};
    if (table->format != TABLE_JSON) {
        for (size_t i = 0; i < count; i++) text_append_number(&joined, i > 0 ? " " : "", values[i]);
        return cli_table_joined(table, &joined, error);
    }
    cli_table_nest(table);
    json_numbers(&table->json, table->column, values, count);
    cli_table_nested(table);
    return COSTAB_OK;
}

void cli_table_digits(cli_table *table, const char *digits) {
    if (table->format != TABLE_JSON) {
        cli_table_text(table, digits);
        return;
    }
    cli_table_nest(table);
    json_digits(&table->json, table->column, digits);
    cli_table_nested(table);
}

void cli_table_empty(cli_table *table) {
    cli_table_nest(table);
    if (table->format == TABLE_JSON) json_null(&table->json, table->column);
    if (table->format == TABLE_TEXT) page_text(table->column, "");
    cli_table_nested(table);
}

void cli_table_planar(cli_table *table, const costab_planar *planar) {
    char substeps[32];
    const double both[2] = {planar->substeps[0], planar->substeps[1]};
    cli_table_text(table, costab_scheme_name(planar->scheme));
    cli_table_text(table, planar->method.name);
    snprintf(substeps, sizeof substeps, "%d,%d", planar->substeps[0], planar->substeps[1]);
    if (both[0] == both[1]) {
        cli_table_number(table, both[0]);
    } else if (table->format != TABLE_JSON) {
        cli_table_text(table, substeps);
    } else {
        cli_table_nest(table);
        json_numbers(&table->json, table->column, both, 2);
        cli_table_nested(table);
    }
}

static const char *const cause_names[] = {"det", "fold", "flip", "iteration"};
enum { CAUSES = sizeof cause_names / sizeof cause_names[0] };

const char *cli_cause_name(unsigned cause) {
    for (unsigned k = 0; k < CAUSES; k++)
        if (cause == 1u << k) return cause_names[k];
    return "";
}

void cli_table_causes(cli_table *table, unsigned causes) {
    char joined[64] = "";
    for (unsigned k = 0, used = 0; k < CAUSES && table->format != TABLE_JSON; k++)
        if (causes >> k & 1)
            used += (unsigned)snprintf(joined + used, sizeof joined - used, "%s%s", used > 0 ? "+" : "",
                                       cause_names[k]);
    if (table->format != TABLE_JSON) {
        cli_table_text(table, joined);
        return;
    }
    cli_table_nest(table);
    json_array(&table->json, table->column);
    for (unsigned k = 0; k < CAUSES; k++)
        if (causes >> k & 1) json_text(&table->json, NULL, cause_names[k]);
    json_end_array(&table->json);
    cli_table_nested(table);
}

/* The file that stands for the standard output; whether its table is whole. */
static file_draft draft = {.descriptor = -1};
static bool whole;

costab_status cli_flush(costab_error *error) {
    if (!page_end() || !cli_printed()) return error_memory(error);
    whole = fflush(stdout) == 0 && !ferror(stdout);
    if (whole) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "standard output cannot be written: %s", strerror(errno));
}

costab_status cli_table_end(cli_table *table, costab_error *error) {
    if (table->format == TABLE_JSON) json_end_array(&table->json);
    return table->json.failed ? error_memory(error) : cli_flush(error);
}

costab_status cli_table_redirect(const cli_arguments *arguments, costab_error *error) {
    const file_terms terms = {.force = arguments->values[OPTION_FORCE] != NULL, .table = true};
    if (arguments->table == NULL) return COSTAB_OK;
    costab_status status = file_create(arguments->table, &terms, &draft, error);
    if (!status && dup2(draft.descriptor, STDOUT_FILENO) < 0)
        status = error_set(error, COSTAB_IO, "cannot write '%s': %s", arguments->table, strerror(errno));
    return status;
}

costab_status cli_table_publish(const cli_arguments *arguments, costab_error *error) {
    if (draft.descriptor < 0 || !whole) {
        file_discard(&draft);
        return COSTAB_OK;
    }
    costab_status status = file_publish(&draft, arguments->table, error);
    if (!status) cli_tell_file(arguments->table, arguments);
    return status;
}
