/* costab reproduce: published numbers beside computed ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/claims.h"
#include "cli/table.h"
#include "cli/value.h"

static const struct {
    const char *name;
    costab_status (*claims)(claim_taker *take, void *context, costab_error *error);
} sources[] = {
    {"kns2014", claims_kns2014},
    {"skjong2019", claims_skjong2019},
    {"gomes2018", claims_gomes2018},
    {"ma2015", claims_ma2015},
};

enum { SOURCES = sizeof sources / sizeof sources[0] };

const char *cli_source_name(int index) {
    return index >= 0 && index < SOURCES ? sources[index].name : NULL;
}

/* Half a unit of the last printed digit, and the rounding of the decimal number itself. */
static double printed_error(const char *printed, double value) {
    const char *point = strchr(printed, '.');
    double digits = point != NULL ? (double)strlen(point + 1) : 0;
    return 0.5 * pow(10, -digits) + 1e-15 * fabs(value);
}

static const char *verdict_of(const claim *c) {
    double printed;
    if (c->printed[0] == '\0') return "not printed";
    if (c->statement) return c->holds ? "agrees" : "differs";
    if (!number_parse_double(c->printed, strlen(c->printed), &printed)) return "differs";
    return fabs(c->computed - printed) <= printed_error(c->printed, printed) ? "agrees" : "differs";
}

typedef struct printer {
    cli_table *table;
    const char *source;
} printer;

static costab_status print_claim(void *context, const claim *c, costab_error *error) {
    printer *p = context;
    if (isnan(c->computed))
        return error_set(error, COSTAB_NUMERIC, "%s: '%s' could not be computed", p->source, c->quantity);
    const char *verdict = verdict_of(c);
    cli_table_text(p->table, p->source);
    cli_table_text(p->table, c->quantity);
    cli_table_text(p->table, c->printed);
    cli_table_number(p->table, c->computed);
    cli_table_text(p->table, verdict);
    cli_table_text(p->table, c->reason);
    return COSTAB_OK;
}

/* Whether the comma-separated list names the source; NULL names all. */
static bool named(const char *list, const char *source) {
    if (list == NULL) return true;
    for (const char *rest = list, *piece; rest != NULL;) {
        size_t n = cli_next_piece(&rest, &piece);
        if (n == strlen(source) && memcmp(piece, source, n) == 0) return true;
    }
    return false;
}

static costab_status check_sources(const char *list, costab_error *error) {
    if (list == NULL) return COSTAB_OK;
    for (const char *rest = list, *piece; rest != NULL;) {
        size_t n = cli_next_piece(&rest, &piece);
        bool known = false;
        for (int k = 0; k < SOURCES; k++)
            known = known || (n == strlen(sources[k].name) && memcmp(piece, sources[k].name, n) == 0);
        if (known) continue;
        text names = {0};
        for (int k = 0; k < SOURCES; k++) text_printf(&names, "%s%s", k > 0 ? ", " : "", sources[k].name);
        error_set(error, COSTAB_INVALID, "--source: '%.*s' is not one of: %s", (int)n, piece,
                  names.failed ? "" : names.data);
        text_free(&names);
        return COSTAB_INVALID;
    }
    return COSTAB_OK;
}

costab_status cli_reproduce(const cli_arguments *arguments, costab_error *error) {
    static const char *const columns[] = {"source", "quantity", "printed", "computed", "verdict", "reason"};
    const char *list = arguments->values[OPTION_SOURCE];
    cli_table table;
    costab_status status = check_sources(list, error);
    if (status == COSTAB_OK)
        status =
            cli_table_begin(&table, arguments, columns, (int)(sizeof columns / sizeof columns[0]), error);
    for (int k = 0; k < SOURCES && status == COSTAB_OK; k++) {
        printer p = {&table, sources[k].name};
        if (named(list, sources[k].name)) status = sources[k].claims(print_claim, &p, error);
    }
    return status == COSTAB_OK ? cli_table_end(&table, error) : status;
}
