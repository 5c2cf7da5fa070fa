/* costab bound: the largest macro step for an error by [MS], and its actual error.
 *   1. The published bound and its Lipschitz numbers (costab_bound) give a macro step.
 *   2. Simulations give the actual error at that step, the largest stable step and the largest step within
 *      the error.
 *   3. A published step beyond these causes a warning.
 *   4. With --at: the errors at these macro steps. */
#include <math.h>
#include <stdio.h>

#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/limit.h"

static CLI_OPTION(opt_error, "error", 0, "E", NULL, "the error that is allowed");
static CLI_OPTION(opt_horizon, "horizon", 0, "T", NULL,
                  "time up to which suprema are taken (default 20 slowest time constants)");
static CLI_OPTION(opt_printed, "printed", 0, NULL, NULL,
                  "follow [MS] section 5 to the letter: M_f is the largest later extremum, M_g = M_f");
static CLI_OPTION(opt_at, "at", 0, "LIST", NULL,
                  "macro steps at which the error that is really made is measured");

static void row(const char *name, double value) {
    table_text(name);
    table_maybe(value);
}

static void subsystem_rows(const costab_network *network, const costab_bound *bound, int i) {
    char name[120];
    snprintf(name, sizeof name, "M_f %.80s", network->subsystems[i].name);
    row(name, bound->f[i]);
    snprintf(name, sizeof name, "M_g %.80s", network->subsystems[i].name);
    row(name, bound->g[i]);
}

/* Prints the error of the distributed run at macro step T. */
static costab_status error_row(cli_network *network, double T, double horizon, costab_error *error) {
    costab_coupling coupling;
    double found;
    char name[60], shown[NUMBER_SHOWN_MAX];
    TRY(cli_network_coupling(network, 0, &coupling, error));
    coupling.macro_step = T;
    const costab_network *model = costab_model_instance_network(network->instance);
    TRY(costab_coupling_check(model, &coupling, error));
    TRY(costab_network_error(model, &coupling, horizon, &found, error));
    snprintf(name, sizeof name, "error at %s", number_shortest(T, shown));
    row(name, found);
    return COSTAB_OK;
}

/* Warns of errors that were not measured. */
static void warn_unmeasured(double macro_step, double horizon, const costab_made *made) {
    const char *why =
        "a run up to the horizon takes too many of them; a shorter --horizon allows smaller ones";
    if (isnan(made->error_at_macro_step))
        fprintf(stderr, "costab bound: note: error_at_macro_step was not measured: %s\n",
                made->taken > horizon
                    ? "the horizon is before the end of the first of them; give a longer --horizon"
                    : why);
    if (isnan(made->macro_step_made))
        fprintf(stderr,
                "costab bound: note: macro_step_actual was not looked for, as no error is measured below the "
                "macro step %.6g: %s\n",
                made->lowest, why);
    else if (made->lowest > 0.011 * macro_step)
        fprintf(stderr, "costab bound: note: errors were measured from the macro step %.6g on: below it %s\n",
                made->lowest, why);
    if (made->macro_step_made == 0 && made->stable_to > 0)
        fprintf(
            stderr,
            "costab bound: note: macro_step_actual is 0: the smallest macro step from %.6g on makes a larger "
            "error than --error\n",
            made->lowest);
}

/* Warns if the published step is larger than the actual limits. */
static void warn(double macro_step, double horizon, const costab_made *made) {
    char to[NUMBER_SHOWN_MAX];
    if (macro_step > made->stable_to)
        fprintf(
            stderr,
            "costab bound: warning: macro_step %.6g is larger than max_stable_step %s: larger steps may be "
            "unstable\n",
            macro_step, number_rounded(made->stable_to, NUMBER_LIMIT_DIGITS, -1, to));
    if (macro_step > made->macro_step_made)
        fprintf(
            stderr,
            "costab bound: warning: macro_step %.6g is larger than macro_step_actual %s: larger steps may "
            "make larger errors\n",
            macro_step, number_rounded(made->macro_step_made, NUMBER_LIMIT_DIGITS, -1, to));
    if (made->kept_up_to > made->macro_step_made)
        fprintf(
            stderr,
            "costab bound: note: some macro steps above macro_step_actual keep the error again, %.6g for one\n",
            made->kept_up_to);
    warn_unmeasured(macro_step, horizon, made);
    if (made->stable_to >= made->highest)
        fprintf(stderr, "costab bound: note: max_stable_step is the largest macro step that was tried\n");
    if (made->taken > 0 && made->taken < macro_step)
        fprintf(stderr,
                "costab bound: note: error_at_macro_step is that of %.6g, the largest whole number of micro "
                "steps\n",
                made->taken);
}

/* Prints the actual properties of the published step. */
static costab_status made_rows(cli_network *network, const cli_arguments *arguments,
                               const costab_bound *bound, double allowed, costab_error *error) {
    ends_by(progress_end) progress bar = {.label = NULL};
    costab_coupling coupling;
    costab_made made;
    costab_made_options options = {.error = allowed,
                                   .macro_step = bound->macro_step,
                                   .horizon = bound->horizon,
                                   .progress = progress_follow,
                                   .progress_context = &bar};
    const costab_network *model = costab_model_instance_network(network->instance);
    TRY(cli_network_coupling(network, 0, &coupling, error));
    progress_start_file(&bar, arguments, "macro steps");
    TRY(costab_bound_made(model, &coupling, &options, &made, error));
    progress_end(&bar);
    table_text("max_stable_step");
    table_rounded(made.stable_to, -1);
    row("error_at_macro_step", made.error_at_macro_step);
    table_text("macro_step_actual");
    table_rounded(made.macro_step_made, -1);
    warn(bound->macro_step, bound->horizon, &made);
    return COSTAB_OK;
}

static costab_status cli_bound(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    const costab_network *model = costab_model_instance_network(network->instance);
    costab_bound_options options = {.printed = cli_value(arguments, &opt_printed) != NULL};
    costab_bound bound;
    memory_local double *at = NULL;
    size_t count = 0;
    if (network->names.count > 1)
        return error_invalid(error, "--coupling: a bound has one coupling, not %d", network->names.count);
    TRY(cli_number(arguments, &opt_error, &options.error, error));
    TRY(cli_positive(arguments, &opt_horizon, &options.horizon, error));
    if (cli_value(arguments, &opt_at) != NULL) TRY(cli_list(arguments, &opt_at, &at, &count, error));
    TRY(analysis_check_steps(network->instance, error));
    TRY(costab_network_bound(model, &options, &bound, error));
    for (size_t i = 0; i < count; i++)
        if (!(at[i] > 0 && at[i] <= bound.horizon))
            return error_invalid(error, "--at: %g s is not above 0 and at most the horizon, %g s", at[i],
                                 bound.horizon);
    table_begin(arguments, "name,value");
    subsystem_rows(model, &bound, 0);
    subsystem_rows(model, &bound, 1);
    row("horizon", bound.horizon);
    row("error_per_macro_step", bound.factor);
    row("macro_step", bound.macro_step);
    if (isfinite(bound.macro_step))
        TRY(made_rows(network, arguments, &bound, options.error, error));
    else
        fprintf(stderr,
                "costab bound: note: no macro step makes an error by [MS] eq. 30, as f or g of a subsystem "
                "stays 0: does its x0 leave it at rest?\n");
    for (size_t i = 0; i < count; i++) TRY(error_row(network, at[i], bound.horizon, error));
    text_local words = {0};
    cli_network_words(arguments, true, &words);
    if (isfinite(bound.macro_step) && !words.failed)
        table_say("Published, not proved: macro steps up to %.6g. Which are stable: costab limit %s "
                  "--over %s=LO:HI",
                  bound.macro_step, words.data, cli_step_name(network));
    return table_end(error);
}

const cli_command cli_bound_command = {
    .name = "bound",
    .operands = &cli_a_model,
    .summary = "largest macro step for an error, and its actual error",
    .details = "For two subsystems, the plant first: the published bound of the error per macro step ([MS] "
               "eq. 30) and the macro step that it allows; then the actual error of this step and the "
               "largest macro step that keeps the error.",
    .examples = "costab bound model.yaml --error 0.5 --at 0.1,0.15,0.2",
    .options = {&opt_error, &opt_horizon, &opt_printed, &opt_at, CLI_MODEL, CLI_TABLE, CLI_COMMON},
    .with_model = cli_bound};
