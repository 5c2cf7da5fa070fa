/* costab prove: the certificates of a results file, shown again in ball arithmetic. */
#include <limits.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/store.h"
#include "costab/study.h"

static costab_status print_outcome(const cli_arguments *arguments, const costab_prove_outcome *outcome,
                                   costab_error *error) {
    const struct {
        const char *name;
        size_t value;
    } rows[] = {
        {"confirmed", outcome->confirmed}, {"refuted", outcome->refuted}, {"undecided", outcome->undecided}};
    table_begin(arguments, "name,value");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        table_text(rows[i].name);
        table_numbers((double)rows[i].value);
    }
    table_say("%s",
              outcome->refuted > 0     ? "Some certificates are wrong."
              : outcome->undecided > 0 ? "None is wrong. More are decided with more --evaluations."
              : outcome->whole < outcome->confirmed
                  ? "None is wrong: each is proved at its point, and at the corners of its parcel at least."
                  : "Every certificate holds on all of its parcel.");
    return table_end(error);
}

costab_status cli_prove(const cli_arguments *arguments, costab_error *error) {
    const char *path = arguments->operands[0];
    ends_by(costab_results_close) costab_results *results = NULL;
    progress bar;
    costab_prove_options options = {.progress = progress_follow, .progress_context = &bar};
    costab_prove_outcome outcome;
    TRY(costab_results_open(path, &results, error));
    TRY(cli_whole(arguments, OPTION_EVALUATIONS, 1, LONG_MAX, 0, &options.evaluations, error));
    progress_begin(&bar, arguments, "blocks");
    costab_status status = costab_study_prove(results, path, &options, &outcome, error);
    progress_end(&bar);
    if (!status) status = print_outcome(arguments, &outcome, error);
    if (!status && outcome.refuted > 0)
        return error_set(
            error, COSTAB_NUMERIC,
            "%s: %zu of its certified points, or corners of their parcels, have another class than the file "
            "says; the first is (%.17g, %.17g) with class %s under coupling number %zu",
            path, outcome.refuted, outcome.first_refuted[0], outcome.first_refuted[1],
            costab_class_name(outcome.first_class), outcome.first_coupling + 1);
    return status;
}
