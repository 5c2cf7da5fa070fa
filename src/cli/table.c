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
        table->json = true;
    else if (format != NULL && strcmp(format, "csv") != 0)
        return error_set(error, COSTAB_INVALID, "--format: '%s' is not csv or json", format);
    if (table->json) {
        fputc('[', stdout);
        return COSTAB_OK;
    }
    for (int c = 0; c < column_count; c++) printf("%s%s", c > 0 ? "," : "", columns[c]);
    fputc('\n', stdout);
    return COSTAB_OK;
}

static void begin_cell(cli_table *table) {
    bool first = table->column == 0;
    if (table->json)
        printf("%s\"%s\": ", first ? (table->rows > 0 ? ",\n {" : "\n {") : ", ",
               table->columns[table->column]);
    else if (!first)
        fputc(',', stdout);
}

static void end_cell(cli_table *table) {
    if (++table->column < table->column_count) return;
    table->column = 0;
    table->rows++;
    if (table->json)
        fputc('}', stdout);
    else
        fputc('\n', stdout);
}

void cli_table_number(cli_table *table, double value) {
    begin_cell(table);
    const char *quote = table->json && !isfinite(value) ? "\"" : "";
    if (isnan(value))
        printf("%snan%s", quote, quote); /* printf may give -nan */
    else
        printf("%s%.17g%s", quote, value, quote);
    end_cell(table);
}

void cli_table_text(cli_table *table, const char *text) {
    begin_cell(table);
    bool quoted = table->json || strpbrk(text, ",\"") != NULL;
    if (quoted) fputc('"', stdout);
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '"') fputc(table->json ? '\\' : '"', stdout);
        if (*s == '\\' && table->json) fputc('\\', stdout);
        fputc(*s, stdout);
    }
    if (quoted) fputc('"', stdout);
    end_cell(table);
}

void cli_table_empty(cli_table *table) {
    begin_cell(table);
    if (table->json) fputs("null", stdout);
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
    if (table->json) fputs("\n]\n", stdout);
    return cli_flush(error);
}
