/* costab limit: where along one parameter a coupling is stable. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/study.h"

/* What progress counts a coupling's range as. */
enum { STEPS = 1000 };

typedef struct scan {
    cli_network *network;
    int coupling, parameter;
    double lower, upper;
    bool prove;
    progress bar;
    size_t evaluations; /* of all couplings */
} scan;

static void show_progress(void *context, double share, size_t evaluations) {
    scan *s = context;
    size_t done = (size_t)s->coupling * STEPS + (size_t)(share * STEPS);
    if (done > 0) s->bar.per_step = (double)(s->evaluations + evaluations) / (double)done;
    progress_update(&s->bar, done, (size_t)s->network->coupling_count * STEPS);
}

/* NAME=LO:HI */
static costab_status read_over(scan *s, const cli_arguments *arguments, costab_error *error) {
    const char *given = arguments->values[OPTION_OVER], *rest = NULL;
    if (given == NULL) return error_set(error, COSTAB_INVALID, "--over is missing: NAME=LO:HI");
    costab_status status = cli_network_parameter(s->network, OPTION_OVER, given, &s->parameter, &rest, error);
    if (status) return status;
    const char *colon = strchr(rest, ':');
    if (colon == NULL || !number_parse_double(rest, (size_t)(colon - rest), &s->lower) ||
        !number_parse_double(colon + 1, strlen(colon + 1), &s->upper) || !(s->lower < s->upper))
        return error_set(error, COSTAB_INVALID, "--over: '%s' is not NAME=LO:HI with LO < HI", given);
    return COSTAB_OK;
}

static void piece_row(cli_table *table, const scan *s, const costab_piece *piece) {
    cli_table_text(table, s->network->couplings[s->coupling].name);
    cli_table_text(table, s->network->model->parameters[s->parameter].name);
    cli_table_numbers(table, piece->from, piece->to);
    cli_table_text(table, costab_class_name(piece->class_code));
    cli_table_text(table, costab_end_name(piece->from_is));
    cli_table_text(table, costab_end_name(piece->to_is));
    cli_table_text(table, piece->proved ? "yes" : "no");
}

/* What is undecided, and why, on stderr. */
static void tell_undecided(const scan *s, const costab_limit *limit) {
    static const char *const reasons[COSTAB_REASON_COUNT] = {
        [COSTAB_REASON_NARROW] = "where the limit is touched, or crossed so often that ends fall together",
        [COSTAB_REASON_ROUNDING] = "where rounding hides what happens",
        [COSTAB_REASON_CAP] = "where the evaluations ended: take a smaller range",
        [COSTAB_REASON_UNPROVED] = "found, but not proved"};
    for (int r = 0; r < COSTAB_REASON_COUNT; r++)
        if (limit->undecided[r] > 0)
            fprintf(stderr, "costab limit: %s: %.3g of %s is undecided, %s\n",
                    s->network->couplings[s->coupling].name, limit->undecided[r],
                    s->network->model->parameters[s->parameter].name,
                    reasons[r] != NULL ? reasons[r] : "for another reason");
}

static void tell_places(const costab_study_limit *limit) {
    if (limit->places == 0) return;
    if (limit->denominator == 1)
        fprintf(stderr, "costab limit: each of the %zu whole multiples of the micro steps\n", limit->places);
    else
        fprintf(stderr,
                "costab limit: the %zu macro steps that are p/q times the common multiple of the micro "
                "steps with q up to %d; other macro steps were not tried\n",
                limit->places, limit->denominator);
}

static costab_status coupling_rows(cli_table *table, scan *s, costab_error *error) {
    const study_choice *asked = &s->network->couplings[s->coupling];
    costab_study_family family = {.instance = s->network->instance,
                                  .work = s->network->work,
                                  .own = asked->own,
                                  .coupling = asked->name,
                                  .parameters = {s->parameter},
                                  .count = 1};
    costab_study_limit_options options = {.lower = s->lower,
                                          .upper = s->upper,
                                          .prove = s->prove,
                                          .progress = show_progress,
                                          .progress_context = s};
    costab_study_limit limit;
    costab_status status = costab_study_limit_find(&family, &options, &limit, error);
    progress_end(&s->bar);
    if (!status) tell_places(&limit);
    for (size_t i = 0; i < limit.found.count && !status; i++) piece_row(table, s, &limit.found.pieces[i]);
    if (!status) tell_undecided(s, &limit.found);
    s->evaluations += limit.found.evaluations;
    costab_limit_free(&limit.found);
    return status;
}

costab_status cli_limit(const cli_arguments *arguments, costab_error *error) {
    cli_network network;
    cli_table table;
    scan s = {.network = &network, .prove = arguments->values[OPTION_PROVE] != NULL};
    costab_status status = cli_network_open(&network, arguments, error);
    if (!status) status = read_over(&s, arguments, error);
    progress_start(&s.bar, file_name(arguments->operands[0]), "evaluations", 1,
                   arguments->values[OPTION_QUIET] != NULL);
    if (!status)
        status = cli_table_begin(&table, arguments, "coupling,parameter,from,to,class,from_is,to_is,proved",
                                 error);
    for (s.coupling = 0; s.coupling < network.coupling_count && !status; s.coupling++)
        status = coupling_rows(&table, &s, error);
    if (!status) status = cli_table_end(&table, error);
    if (!status && arguments->values[OPTION_VERBOSE] != NULL) {
        char seconds[PROGRESS_SHOWN_MAX];
        fprintf(stderr, "costab limit: %zu evaluations for %d coupling%s in %s, on one thread\n",
                s.evaluations, network.coupling_count, network.coupling_count == 1 ? "" : "s",
                progress_duration(progress_elapsed(&s.bar), seconds));
    }
    cli_network_close(&network);
    return status;
}
