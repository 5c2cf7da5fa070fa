/* costab advise: compares couplings and recommends one with its macro step. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/advise.h"
#include "network/network.h"

static CLI_OPTION(
    opt_all_rows, "all", 0, NULL, NULL,
    "all rows instead of the first ten and the model's own coupling, and the error of every coupling, also of those that cannot win");

/* Rows printed without --all. The cheapest coupling so far is printed after PRINT_AFTER seconds, then each
 * time after twice as long. */
enum { ROWS = 10 };
#define PRINT_AFTER 0.5

typedef struct advise_run {
    costab_advise_options options;
    cli_errors errors;
    double seconds; /* --time; 0: as long as it takes */
    progress bar;
    text better;        /* sentence on the cheapest coupling so far; empty once it is printed */
    double print_after; /* time of the next such sentence, in seconds from the start */
} advise_run;

static costab_status read_options(const cli_network *network, const cli_arguments *arguments, advise_run *a,
                                  costab_error *error) {
    costab_advise_options *options = &a->options;
    const char *given = cli_value(arguments, &opt_over);
    int parameter;
    double range[2];
    TRY(cli_network_range(network, &opt_over, given, &parameter, range, error));
    options->lower = range[0];
    options->upper = range[1];
    options->parameter = network->model->parameters[parameter].name;
    options->tune = cli_value(arguments, &opt_tune) != NULL;
    if (options->tune && cli_value(arguments, &opt_coupling) != NULL)
        return error_invalid(error, "--tune: where --coupling names couplings, name jacobi(phi,theta) as "
                                    "costab tune finds it");
    options->all = cli_value(arguments, &opt_all_rows) != NULL;
    options->shown = options->all ? 0 : ROWS;
    TRY(cli_errors_read(arguments, &a->errors, error));
    options->errors = a->errors.list;
    options->error_count = a->errors.count;
    TRY(cli_positive(arguments, &opt_until, &options->until, error));
    if ((options->until > 0) != (options->error_count > 0))
        return error_invalid(error, "%s",
                             options->until > 0
                                 ? "--until requires --error E, the allowed error"
                                 : "--error requires --until T, the end time of the simulation");
    return cli_positive(arguments, &opt_time, &a->seconds, error);
}

static void print_better(advise_run *a) {
    if (a->better.data == NULL || a->bar.label == NULL || progress_elapsed(&a->bar) < a->print_after) return;
    progress_end(&a->bar);
    cli_print(stderr, "costab advise: best so far: %s\n", a->better.data);
    a->print_after = 2 * progress_elapsed(&a->bar);
    text_free(&a->better);
}

/* Progress of the search: prints the cheapest coupling so far. Returns true if the time is over. */
static bool follow(void *context, size_t done, size_t total) {
    advise_run *a = context;
    print_better(a);
    return progress_follow(&a->bar, done, total) ||
           (a->seconds > 0 && progress_elapsed(&a->bar) > a->seconds);
}

/* Stores the sentence on a new cheapest coupling. */
static void note_better(void *context, const costab_advice_row *best) {
    advise_run *a = context;
    text_free(&a->better);
    text_printf(&a->better, "%s with %s = %.4g, %.4g subsystem steps per simulated second", best->name,
                a->options.parameter, best->step, best->cost);
}

/* ---- Output ---- */

/* Returns true if a row is printed: the first ROWS rows, the model's own coupling, and with --all every row.
 */
static bool is_shown(const costab_advice *advice, size_t i, const advise_run *a) {
    const char *own = advice->today.name;
    return a->options.all || i < ROWS || (own != NULL && strcmp(advice->rows[i].name, own) == 0);
}

static void put_today(json *out, const costab_advice_today *today) {
    json_object(out, "today");
    if (today->name != NULL) {
        json_text(out, "coupling", today->name);
        json_number(out, "macro_step", today->step);
        json_text(out, "class", costab_class_name(today->class_code));
        json_maybe(out, "cost", today->cost);
    }
    json_end_object(out);
}

static void put_intervals(const costab_advice_row *row) {
    const char *key;
    json *out = table_nest(&key);
    json_array(out, key);
    for (size_t k = 0; k < row->interval_count; k++) {
        const costab_piece *piece = &row->intervals[k];
        json_object(out, NULL);
        json_number(out, "lower", piece->from);
        json_number(out, "upper", piece->to);
        json_text(out, "class", costab_class_name(piece->class_code));
        json_text(out, "lower_kind", costab_end_name(piece->from_is));
        json_text(out, "upper_kind", costab_end_name(piece->to_is));
        json_end_object(out);
    }
    json_end_array(out);
    table_nested();
}

/* Prints an object with rows, today and says. */
static costab_status put_json(const costab_names *names, const costab_advice *advice, const advise_run *a,
                              costab_error *error) {
    json *out = table_begin_rows_object(&costab_advice_record, "intervals", "rows");
    for (size_t i = 0; i < advice->count; i++) {
        if (!is_shown(advice, i, a)) continue;
        table_row(&costab_advice_record, &advice->rows[i], names);
        put_intervals(&advice->rows[i]);
    }
    json_end_array(out);
    put_today(out, &advice->today);
    json_text(out, "says", advice->sentence);
    json_end_object(out);
    return out->failed ? error_memory(error) : cli_flush(error);
}

static costab_status put_table(const cli_network *network, const costab_advice *advice,
                               const cli_arguments *arguments, const advise_run *a, costab_error *error) {
    ends_by(cli_row_names_free) costab_names names = {.unit = NULL};
    size_t shown = 0;
    for (const char *line = advice->notes; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1)
        cli_print(stderr, "costab advise: %.*s\n", (int)strcspn(line, "\n"), line);
    TRY(cli_row_names(network, &names, error));
    if (arguments->format == CLI_JSON) return put_json(&names, advice, a, error);
    table_begin_rows(arguments, &costab_advice_record, NULL);
    for (size_t i = 0; i < advice->count; i++)
        if (is_shown(advice, i, a)) {
            table_row(&costab_advice_record, &advice->rows[i], &names);
            shown++;
        }
    bool markdown = arguments->format == CLI_MARKDOWN;
    table_say("%s", advice->sentence);
    if (shown < advice->count)
        table_say("%zu of %zu couplings are shown; --all shows all.", shown, advice->count);
    TRY(table_end(error));
    if (arguments->format == CLI_CSV) cli_print(stderr, "%s\n", advice->sentence);
    if (markdown) cli_print(stdout, "\n%s\n", advice->sentence);
    return markdown ? cli_flush(error) : COSTAB_OK;
}

static costab_status cli_advise(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    ends_by(costab_advice_free) costab_advice advice = {.count = 0};
    advise_run a = {.options = {.progress = follow, .better = note_better, .progress_context = &a},
                    .print_after = PRINT_AFTER};
    costab_status status = read_options(network, arguments, &a, error);
    progress_start_file(&a.bar, arguments, "couplings");
    signals_orderly(NULL);
    if (!status) status = costab_advise(&network->asked, &a.options, &advice, error);
    progress_end(&a.bar);
    if (!status || advice.sentence != NULL) {
        costab_error why;
        costab_status put = put_table(network, &advice, arguments, &a, &why);
        if (status && !put) signals_set_unfinished();
        if (put || signals_caught() == 0) status = put;
        if (put) error_set(error, put, "%s", why.message);
    }
    if (!status && network->names.count == 0 && !a.options.tune && !arguments->quiet &&
        !network_is_sampled_data(costab_model_instance_network(network->instance)) &&
        !network_has_dead_time(costab_model_instance_network(network->instance)))
        cli_print(stderr,
                  "costab advise: with --tune jacobi with weights tuned to the model is compared, too, "
                  "after a search of seconds or minutes\n");
    cli_errors_free(&a.errors);
    text_free(&a.better);
    return status;
}

const cli_command cli_advise_command = {
    .name = "advise",
    .operands = &cli_a_model,
    .summary = "which coupling to take, and how large a macro step",
    .details =
        "Compares couplings over a range of the macro step, one row each, the recommended first, then "
        "by cost: up to where each is stable (max_stable_step) and keeps the error that is allowed "
        "(max_accurate_step), what a simulated second costs there in subsystem steps, and what ends it "
        "(limited_by). Within 5 % of the least cost the simplest is recommended; a sentence says why. "
        "--time and an interrupt end it with the best so far.",
    .examples = "costab advise model.yaml --over H=1e-4:0.1\n"
                "costab advise model.yaml --over H=1e-4:0.1 --error 1e-3 --until 5 --format md\n"
                "costab advise model.yaml --over H=1e-4:0.1 --error 1% --error load.x1=1e-3 --until 5",
    .options = {&opt_over, &opt_errors, &opt_until, &opt_tune, &opt_all_rows, CLI_MODEL, CLI_TABLE,
                CLI_COMMON},
    .with_model = cli_advise};
