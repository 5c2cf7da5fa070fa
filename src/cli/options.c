/* The options: what their values can be, and their rows. */
#include <string.h>

#include "cli/command.h"
#include "costab/claims.h"
#include "costab/figure.h"
#include "costab/network.h"
#include "costab/style.h"

static const char *scheme(int i) {
    return costab_scheme_name((costab_scheme)i);
}

static const char *method(int i) {
    return i < costab_method_count() ? costab_method_name(i) : NULL;
}

static const char *coupling(int i) {
    return i < costab_coupling_count() ? costab_coupling_name(i) : NULL;
}

static const char *colours_name(int i) {
    return costab_colours_name((costab_colours)i);
}

const cli_takes cli_yaml_files = {.kind = CLI_FILE, .words = ".yaml .yml"};
const cli_takes cli_results_files = {.kind = CLI_FILE, .words = ".h5"};
static const cli_takes csv_files = {.kind = CLI_FILE, .words = ".csv"};
static const cli_takes schemes = {.kind = CLI_WORDS, .words = "all", .each = scheme};
static const cli_takes couplings = {.kind = CLI_WORDS, .words = "all", .each = coupling};
static const cli_takes sources = {.kind = CLI_WORDS, .each = costab_claims_source};
static const cli_takes a_method = {.kind = CLI_WORD, .each = method};
static const cli_takes references = {.kind = CLI_WORD, .words = "commands keys"};
static const cli_takes a_shell = {.kind = CLI_WORD, .words = "bash"};
static const cli_takes table_format = {.kind = CLI_WORD, .words = "text csv json md"};
static const cli_takes page_files = {.kind = CLI_FILE, .words = ".html"};
static const cli_takes table_files = {.kind = CLI_FILE, .words = ".csv .json .md .txt"};
static const cli_takes table_or_results_files = {.kind = CLI_FILE, .words = ".h5 .csv .json .md .txt"};
static const cli_takes table_or_yaml_files = {.kind = CLI_FILE, .words = ".yaml .yml .csv .json .md .txt"};
static const cli_takes export_format = {.kind = CLI_WORD, .words = "csv"};
static const cli_takes a_spacing = {.kind = CLI_WORD, .words = "log linear"};
static const cli_takes an_order = {.kind = CLI_WORD, .words = "1 2 3"};
static const cli_takes a_memory = {.kind = CLI_WORD, .words = "1 2"};
static const cli_takes some_groups = {.kind = CLI_WORD, .words = "all target connection"};
static const cli_takes a_panels = {.kind = CLI_WORD, .words = "none all"};
static const cli_takes some_kinds = {.kind = CLI_WORDS, .each = costab_figure_kind_name};
static const cli_takes some_colours = {.kind = CLI_WORD, .each = colours_name};
static const cli_takes some_legends = {.kind = CLI_WORD, .words = "right below inside none"};
static const cli_takes figure_formats = {.kind = CLI_WORDS, .each = costab_format_name};
static const cli_takes figure_files = {.kind = CLI_FILE, .words = "gp", .each = costab_format_name};

#define OPTION(row, ...) [OPTION_##row] = {__VA_ARGS__},
static const cli_option_row options[OPTION_COUNT] = {
#include "cli/options.h"
};
#undef OPTION

const cli_option_row *cli_option_at(cli_option option) {
    return &options[option];
}

text cli_option_help(const cli_option_row *row) {
    text help = {0};
    const char *names = strstr(row->help, "{}"), *name;
    text_append_n(&help, row->help, names != NULL ? (size_t)(names - row->help) : strlen(row->help));
    for (int i = 0; names != NULL && (name = row->takes->each(i)) != NULL; i++)
        text_printf(&help, "%s%s", i > 0 ? ", " : "", name);
    if (names != NULL) text_append(&help, names + 2);
    return help;
}

const char *cli_option_name(cli_option option) {
    return options[option].name;
}

int cli_option_number(const cli_command *of) {
    int count = 0;
    while (of->options[count] != OPTION_HELP) count++;
    return count + 1;
}
