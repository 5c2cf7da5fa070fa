/* costab reproduce: compares published numbers and results of independent programs with computed numbers. */
#include <string.h>

#include "base/error.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/claims.h"

static const cli_takes sources = {.kind = CLI_WORDS, .each = costab_claims_source};
static CLI_OPTION(opt_source, "source", 0, "LIST", &sources, "of {} (default: all)");

typedef struct counter {
    size_t with[COSTAB_CHECKED + 1]; /* number of claims with each verdict */
} counter;

static costab_status print_claim(void *context, const costab_claim *c, costab_error *error) {
    counter *counted = context;
    (void)error;
    counted->with[c->verdict]++;
    table_text(c->source);
    table_text(c->quantity);
    table_text(c->printed);
    table_text(c->checked);
    table_number(c->computed);
    table_text(costab_verdict_name(c->verdict));
    table_text(c->reason);
    return COSTAB_OK;
}

static costab_status check_sources(const char *list, costab_error *error) {
    for (const char *rest = list, *piece; rest != NULL;) {
        size_t n = cli_next_piece(&rest, &piece);
        bool found = false;
        for (int k = 0; costab_claims_source(k) != NULL; k++)
            found = found ||
                    (n == strlen(costab_claims_source(k)) && memcmp(costab_claims_source(k), piece, n) == 0);
        if (found) continue;
        text known = cli_option_help(&opt_source);
        error_invalid(error, "--source: '%.*s' is not one %s", (int)n, piece,
                      known.failed ? "of the sources" : known.data);
        text_free(&known);
        return COSTAB_INVALID;
    }
    return COSTAB_OK;
}

static costab_status cli_reproduce(const cli_arguments *arguments, costab_error *error) {
    const char *list = cli_value(arguments, &opt_source);
    counter counted = {{0}};
    TRY(check_sources(list, error));
    table_begin(arguments, "source,quantity,printed,checked,computed,verdict,reason");
    for (int k = 0; costab_claims_source(k) != NULL; k++)
        if (list == NULL || cli_has_word(list, costab_claims_source(k)))
            TRY(costab_claims(costab_claims_source(k), print_claim, &counted, error));
    table_say(
        "%zu numbers agree with their sources, %zu differ. %zu numbers that are not printed there agree with "
        "a second program, %zu have no comparison.",
        counted.with[COSTAB_AGREES], counted.with[COSTAB_DIFFERS], counted.with[COSTAB_CHECKED],
        counted.with[COSTAB_NOT_PRINTED]);
    return table_end(error);
}

const cli_command cli_reproduce_command = {
    .name = "reproduce",
    .summary = "published numbers compared with computed numbers",
    .details =
        "Computes every number that a source publishes and prints both: `agrees` where they are equal to "
        "the printed digits, `differs` otherwise, with the reason. Where a source prints none, `checked` "
        "is what a second program, written on its own, found.",
    .options = {&opt_source, CLI_TABLE, CLI_COMMON},
    .run = cli_reproduce};
