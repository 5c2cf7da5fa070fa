#include "cli/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

costab_status cli_table_begin(cli_table *table, const cli_arguments *arguments, const char *const *columns,
                              int column_count, costab_error *error) {
    const char *format = arguments->values[OPTION_FORMAT_TABLE];
    *table = (cli_table){.columns = columns, .column_count = column_count};
    if (format != NULL && strcmp(format, "json") == 0)
        table->format = TABLE_JSON;
    else if (format != NULL && strcmp(format, "md") == 0)
        table->format = TABLE_MARKDOWN;
    else if (format != NULL && strcmp(format, "csv") != 0)
        return error_set(error, COSTAB_INVALID, "--format: '%s' is not csv, json or md", format);
    if (table->format == TABLE_JSON) fputc('[', stdout);
    for (int c = 0; c < column_count && table->format != TABLE_JSON; c++) {
        bool markdown = table->format == TABLE_MARKDOWN;
        printf("%s%s%s", markdown ? "| " : c > 0 ? "," : "", columns[c], markdown ? " " : "");
    }
    if (table->format == TABLE_CSV) fputc('\n', stdout);
    if (table->format == TABLE_MARKDOWN) {
        fputs("|\n", stdout);
        for (int c = 0; c < column_count; c++) fputs("| --- ", stdout);
        fputs("|\n", stdout);
    }
    return COSTAB_OK;
}

static void begin_cell(cli_table *table) {
    bool first = table->column == 0;
    if (table->format == TABLE_JSON)
        printf("%s\"%s\": ", first ? (table->rows > 0 ? ",\n {" : "\n {") : ", ",
               table->columns[table->column]);
    else if (table->format == TABLE_MARKDOWN)
        fputs("| ", stdout);
    else if (!first)
        fputc(',', stdout);
}

static void end_cell(cli_table *table) {
    bool markdown = table->format == TABLE_MARKDOWN;
    if (markdown) fputc(' ', stdout);
    if (++table->column < table->column_count) return;
    table->column = 0;
    table->rows++;
    fputs(table->format == TABLE_JSON ? "}" : markdown ? "|\n" : "\n", stdout);
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

costab_status cli_flush(costab_error *error) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "standard output cannot be written: %s", strerror(errno));
}

costab_status cli_table_end(cli_table *table, costab_error *error) {
    if (table->format == TABLE_JSON) fputs("\n]\n", stdout);
    return cli_flush(error);
}
