/* Part of the report on couplings: largest macro step and cost of each coupling, and the recommendation
 * (costab advise).
 *   1. All couplings are compared; for maps with more than REPORT_SMALL rows only the basic couplings and
 *      today's.
 *   2. With the requested errors. If errors cannot be computed, without them, and the part gives the reason.
 *   3. A row for each coupling, and the sentence of the recommendation.
 *
 * Cost: that of costab advise. */
#include <math.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/memory.h"
#include "network/network.h"
#include "page/report.h"

/* Returns the options of the comparison. errors: with the allowed errors. */
static costab_advise_options options_of(report *r, bool errors) {
    return (costab_advise_options){.parameter = r->name,
                                   .lower = r->range[0],
                                   .upper = r->range[1],
                                   .errors = r->errors,
                                   .error_count = errors ? r->error_count : 0,
                                   .until = errors ? r->until : 0,
                                   .tune = r->options->tune,
                                   .progress = report_counts,
                                   .progress_context = r};
}

/* Lists the compared couplings: for large models today's and the basic couplings; an empty list means all.
 * Returns their number. */
static int compared(const report *r, const char *names[ADVISE_BASIC + 1]) {
    if (!r->large) return 0;
    names[0] = r->variant.couplings[0].name;
    int count = 1;
    for (int i = 0; i < ADVISE_BASIC; i++)
        if (strcmp(advise_basic_names[i], names[0]) != 0) names[count++] = advise_basic_names[i];
    return count;
}

/* Compares with errors or, if these cannot be computed, without. [out] why: the reason in the latter case,
 * otherwise "". */
static costab_status advise(report *r, const char *const *names, int count, bool all, costab_advice *advice,
                            costab_error *why, costab_error *error) {
    costab_variant variant = r->requested;
    variant.couplings = count > 0 ? names : NULL;
    variant.coupling_count = count;
    costab_advise_options options = options_of(r, true);
    options.all = all;
    why->message[0] = '\0';
    TRY(network_refuse_dead_time(report_network(r), "couplings",
                                 "to compare them may take minutes; take costab advise", error));
    costab_status status = costab_advise(&variant, &options, advice, why);
    /* If the time is over, the best coupling so far is reported. */
    r->unfinished = status == COSTAB_CANCELLED && r->late && advice->count > 0;
    r->cut = r->cut || r->unfinished;
    if (r->unfinished) status = COSTAB_OK;
    if (!status) why->message[0] = '\0';
    if (!status || status == COSTAB_MEMORY || status == COSTAB_CANCELLED)
        return status ? error_set(error, status, "%s", why->message) : status;
    costab_advice_free(advice);
    options = options_of(r, false);
    return costab_advise(&variant, &options, advice, error);
}

/* ---- Rows ---- */

static void put_row(report *r, const costab_advice_row *row) {
    static const char *const limits[] = {[COSTAB_LIMITED_UNKNOWN] = "",
                                         [COSTAB_LIMITED_COUPLING] = "coupling",
                                         [COSTAB_LIMITED_OWN] = "own",
                                         [COSTAB_LIMITED_ACCURACY] = "accuracy",
                                         [COSTAB_LIMITED_RANGE] = "range"};
    json *out = &r->out;
    json_text(out, "coupling", row->name);
    json_maybe(out, "stable_to", row->stable_to);
    json_maybe(out, "accurate_to", row->accurate_to);
    json_maybe(out, "step", row->step);
    json_maybe(out, "cost", row->cost);
    json_text(out, "limited_by", limits[row->limited_by]);
    if (row->limited_by == COSTAB_LIMITED_OWN)
        json_text(out, "own", report_network(r)->subsystems[row->own].name);
    json_bool(out, "recommended", row->recommended);
    report_intervals(r, row->intervals, row->interval_count, NULL);
}

costab_status report_coupling(report *r, const char *key, const char *coupling, costab_error *error) {
    ends_by(costab_advice_free) costab_advice advice = {.count = 0};
    costab_error why, reason = {.status = COSTAB_OK};
    text_local options = {0};
    json_object(&r->out, key);
    costab_status status = advise(r, &coupling, 1, true, &advice, &reason, &why);
    if (!status) put_row(r, &advice.rows[0]);
    if (status) status = report_refused(r, status, &why, error);
    report_add_over(r, &options);
    if (reason.message[0] == '\0') report_add_error(r, &options);
    if (reason.message[0] == '\0') text_append(&options, " --all");
    report_command_alone(r, "advise", coupling, &options);
    json_end_object(&r->out);
    return status;
}

/* ---- The part ---- */

static void put_commands(report *r, const char *const *names, int count, bool errors) {
    text_local options = {0}, list = {0};
    for (int i = 0; i < count; i++) text_printf(&list, "%s%s", i > 0 ? "," : "", names[i]);
    report_add_over(r, &options);
    json_array(&r->out, "commands");
    report_command(r, "limit", count > 0 && !list.failed ? list.data : "all", &options);
    report_command(r, "limit --alone", "", &options);
    if (errors) report_add_error(r, &options);
    if (r->options->tune && count == 0) text_append(&options, " --tune");
    report_command(r, "advise", count > 0 && !list.failed ? list.data : "", &options);
    json_end_array(&r->out);
    if (count > 0) {
        json_object(&r->out, "few");
        report_command_alone(r, "advise", "", &options);
        json_end_object(&r->out);
    }
    if (list.failed) r->data.failed = true;
}

static costab_status put_all(report *r, costab_error *error) {
    ends_by(costab_advice_free) costab_advice advice = {.count = 0};
    costab_error why, reason = {.status = COSTAB_OK};
    json *out = &r->out;
    const char *names[ADVISE_BASIC + 1];
    int count = compared(r, names);
    costab_status status = advise(r, names, count, false, &advice, &reason, &why);
    if (status) return report_refused(r, status, &why, error);
    if (reason.message[0] != '\0') report_text(r, "no_errors", reason.message);
    json_text(out, "says", advice.sentence);
    if (r->unfinished) json_number(out, "unfinished", r->options->seconds);
    if (r->options->tune) json_bool(out, "tuned", count == 0);
    if (advice.today.name != NULL && strcmp(advice.today.name, r->variant.couplings[0].name) == 0)
        json_maybe(out, "today_cost", advice.today.cost);
    json_array(out, "rows");
    for (size_t i = 0; i < advice.count; i++) {
        json_object(out, NULL);
        put_row(r, &advice.rows[i]);
        json_end_object(out);
        if (!advice.rows[i].recommended) continue;
        r->recommended = memory_copy(advice.rows[i].name);
        r->recommended_step = advice.rows[i].step;
        if (r->recommended == NULL) return error_memory(error);
    }
    json_end_array(out);
    TRY(report_coupling(r, "today", r->variant.couplings[0].name, error));
    TRY(report_own(r, error));
    put_commands(r, names, count, reason.message[0] == '\0');
    return COSTAB_OK;
}

/* Refuses the comparison, and gives the command that measures macro steps one by one. */
static void put_measured(report *r) {
    text_local over = {0};
    json_text(
        &r->out, "refused",
        "Couplings are not compared: an FMU steps by itself, so that each macro step of each coupling is "
        "measured separately, which takes long. The command with --coupling compares three.");
    report_add_over(r, &over);
    report_command_alone(r, "limit", "jacobi,gauss-seidel,iterated", &over);
}

costab_status report_couplings(report *r, costab_error *error) {
    costab_status status = COSTAB_OK;
    json_object(&r->out, "couplings");
    json_numbers(&r->out, "range", r->range, 2);
    if (r->parameter < 0)
        json_text(&r->out, "refused", r->refusal);
    else if (analysis_is_sampled(report_network(r)))
        put_measured(r);
    else
        status = put_all(r, error);
    json_end_object(&r->out);
    return status;
}
