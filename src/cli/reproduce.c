/* costab reproduce: published numbers, and second programs', beside computed ones. */
#include <string.h>

#include "base/error.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/claims.h"

typedef struct counter {
    size_t with[COSTAB_CHECKED + 1]; /* this verdict */
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
        text known = cli_option_help(cli_option_at(OPTION_SOURCE));
        error_invalid(error, "--source: '%.*s' is not one %s", (int)n, piece,
                      known.failed ? "of the sources" : known.data);
        text_free(&known);
        return COSTAB_INVALID;
    }
    return COSTAB_OK;
}

costab_status cli_reproduce(const cli_arguments *arguments, costab_error *error) {
    const char *list = arguments->values[OPTION_SOURCE];
    counter counted = {{0}};
    TRY(check_sources(list, error));
    table_begin(arguments, "source,quantity,printed,checked,computed,verdict,reason");
    for (int k = 0; costab_claims_source(k) != NULL; k++)
        if (list == NULL || cli_has_word(list, costab_claims_source(k)))
            TRY(costab_claims(costab_claims_source(k), print_claim, &counted, error));
    table_say(
        "%zu numbers agree with their sources, %zu differ. Of those that are not printed %zu agree with "
        "a second program, %zu have none.",
        counted.with[COSTAB_AGREES], counted.with[COSTAB_DIFFERS], counted.with[COSTAB_CHECKED],
        counted.with[COSTAB_NOT_PRINTED]);
    return table_end(error);
}
