#include "cli/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/value.h"

/* What stands before the first and before every other cell of a row, and behind its last one. */
static const struct {
    const char *name, *first, *between, *last;
} formats[] = {
    [TABLE_CSV] = {"csv", "", ",", "\n"},
    [TABLE_JSON] = {"json", "\n {", ", ", "}"},
    [TABLE_MARKDOWN] = {"md", "| ", " | ", " |\n"},
};

static void put_header(cli_table *table) {
    for (const char *rest = table->columns, *name; rest != NULL;) {
        fputs(rest == table->columns ? formats[table->format].first : formats[table->format].between, stdout);
        fwrite(name, 1, cli_next_piece(&rest, &name), stdout);
    }
    fputs(formats[table->format].last, stdout);
    if (table->format != TABLE_MARKDOWN) return;
    for (const char *rest = table->columns, *name; rest != NULL; cli_next_piece(&rest, &name))
        fputs("| --- ", stdout);
    fputs("|\n", stdout);
}

costab_status cli_table_begin(cli_table *table, const cli_arguments *arguments, const char *columns,
                              costab_error *error) {
    const char *format = arguments->values[OPTION_FORMAT_TABLE];
    *table = (cli_table){.columns = columns, .next = columns};
    for (int k = 0; k < (int)(sizeof formats / sizeof formats[0]); k++) {
        if (strcmp(format != NULL ? format : "csv", formats[k].name) != 0) continue;
        table->format = k;
        if (table->format == TABLE_JSON)
            fputc('[', stdout);
        else
            put_header(table);
        return COSTAB_OK;
    }
    return error_set(error, COSTAB_INVALID, "--format: '%s' is not csv, json or md", format);
}

static void begin_cell(cli_table *table) {
    bool first = table->next == table->columns;
    const char *name;
    size_t length = cli_next_piece(&table->next, &name);
    if (first && table->format == TABLE_JSON && table->rows > 0) fputc(',', stdout);
    fputs(first ? formats[table->format].first : formats[table->format].between, stdout);
    if (table->format == TABLE_JSON) printf("\"%.*s\": ", (int)length, name);
}

static void end_cell(cli_table *table) {
    if (table->next != NULL) return;
    table->next = table->columns;
    table->rows++;
    fputs(formats[table->format].last, stdout);
}

void cli_table_number(cli_table *table, double value) {
    begin_cell(table);
    const char *quote = table->format == TABLE_JSON && !isfinite(value) ? "\"" : "";
    if (isnan(value))
        printf("%snan%s", quote, quote); /* printf may give -nan */
    else
        printf(table->format == TABLE_MARKDOWN ? "%s%.10g%s" : "%s%.17g%s", quote, value, quote);
    end_cell(table);
}

void cli_table_number_list(cli_table *table, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) cli_table_number(table, values[i]);
}

void cli_table_text(cli_table *table, const char *text) {
    begin_cell(table);
    bool json = table->format == TABLE_JSON;
    bool quoted = json || (table->format == TABLE_CSV && strpbrk(text, ",\"") != NULL);
    if (quoted) fputc('"', stdout);
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '"' && quoted) fputc(json ? '\\' : '"', stdout);
        if ((*s == '\\' && json) || (*s == '|' && table->format == TABLE_MARKDOWN)) fputc('\\', stdout);
        fputc(*s, stdout);
    }
    if (quoted) fputc('"', stdout);
    end_cell(table);
}

void cli_table_empty(cli_table *table) {
    begin_cell(table);
    if (table->format == TABLE_JSON) fputs("null", stdout);
    end_cell(table);
}

void cli_table_planar(cli_table *table, const costab_planar *planar) {
    char substeps[32];
    cli_table_text(table, costab_scheme_name(planar->scheme));
    cli_table_text(table, planar->method.name);
    if (planar->substeps[0] == planar->substeps[1]) {
        cli_table_number(table, planar->substeps[0]);
        return;
    }
    snprintf(substeps, sizeof substeps, "%d,%d", planar->substeps[0], planar->substeps[1]);
    cli_table_text(table, substeps);
}

void cli_table_causes(cli_table *table, unsigned causes) {
    static const char *const names[] = {"det", "fold", "flip", "iteration"};
    char joined[64] = "";
    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
        if ((causes >> k & 1) == 0) continue;
        if (joined[0] != '\0') strcat(joined, "+");
        strcat(joined, names[k]);
    }
    if (joined[0] != '\0')
        cli_table_text(table, joined);
    else
        cli_table_empty(table);
}

costab_status cli_flush(costab_error *error) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "standard output cannot be written: %s", strerror(errno));
}

costab_status cli_table_end(cli_table *table, costab_error *error) {
    if (table->format == TABLE_JSON) fputs("\n]\n", stdout);
    return cli_flush(error);
}
