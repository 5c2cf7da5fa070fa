/* Compares couplings for `advise`: stability, accuracy and cost, and a recommendation.
 * 1. Lists the couplings (advise_names.c). Of equal couplings, and of couplings with equal maps at the
 * nominal macro step and at the end of the range, the first is kept.
 * 2. Compares the basic couplings first, for an early answer, then all others.
 * 3. Without error limits the cost of a coupling is the least up to its largest stable macro step
 *    (advise_cost.c), which a complete limit gives. With error limits advise_search.c finds the cheapest
 *    coupling that meets them; limits are computed only for couplings that can be the cheapest.
 * 4. Sorts the couplings and recommends one (advise_rank.c). Limits of other displayed couplings follow.
 * A cancelled comparison ranks the finished rows. Cost: two maps and a complete limit per coupling; with
 * error limits the runs of advise_search.c, but fewer limits. */
#include "costab/advise.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/analysis.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/tune.h"
#include "network/network.h"

/* Relative difference up to which maps are equal. */
#define SAME_MAP 1e-12

/* ---- Candidates ---- */

/* Stores a copy of the map at a macro step; nothing if there is none, or if it is complex. */
static costab_status keep_map(adviser *a, advise_candidate *c, int k, double H, costab_error *error) {
    const costab_network *network;
    const double *real, *imaginary;
    costab_coupling coupling;
    costab_network_point point;
    costab_error why;
    costab_status status = advise_network_at(a, c, H, &network, &coupling, &why);
    if (!status) status = costab_network_analyse(a->work, network, &coupling, &point, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status) return COSTAB_OK;
    if (k == 0) {
        c->row.growth = a->moved ? (double)NAN : point.growth;
        c->memory = point.size;
    }
    costab_network_matrix(a->work, &real, &imaginary);
    if (imaginary != NULL || !isfinite(point.spectral_radius)) return COSTAB_OK;
    size_t cells = (size_t)point.size * (size_t)point.size;
    TRY(memory_make(&c->maps[k], cells + 1, error));
    memcpy(c->maps[k], real, cells * sizeof *real);
    c->sizes[k] = point.size;
    return COSTAB_OK;
}

static bool same_maps(const advise_candidate *a, const advise_candidate *b) {
    if (a->choices.iterations != b->choices.iterations) return false;
    if ((a->choices.scheme == COSTAB_ITERATED) != (b->choices.scheme == COSTAB_ITERATED)) return false;
    if (a->choices.relaxation != b->choices.relaxation) return false; /* another number of sweeps */
    for (int k = 0; k < 2; k++) {
        if (a->maps[k] == NULL || b->maps[k] == NULL || a->sizes[k] != b->sizes[k]) return false;
        size_t cells = (size_t)a->sizes[k] * (size_t)a->sizes[k];
        double most = 0, difference = 0;
        for (size_t e = 0; e < cells; e++) {
            most = fmax(most, fabs(a->maps[k][e]));
            difference = fmax(difference, fabs(a->maps[k][e] - b->maps[k][e]));
        }
        if (!(difference <= SAME_MAP * most)) return false;
    }
    return true;
}

static void free_candidate(advise_candidate *c) {
    memory_free_all(c->row.name, c->row.intervals, c->maps[0], c->maps[1]);
    analysis_values_free(&c->values);
}

/* Adds a line to the notes, once. */
static costab_status note(adviser *a, const char *before, const char *what, costab_error *error) {
    text_local line = {0};
    text_printf(&line, "%s%.*s\n", before, (int)strcspn(what, "\n"), what);
    if (line.failed) return error_memory(error);
    if (a->notes.data == NULL || strstr(a->notes.data, line.data) == NULL) text_append(&a->notes, line.data);
    return a->notes.failed ? error_memory(error) : COSTAB_OK;
}

/* Notes which macro steps of a coupling are tried, unless all are possible. */
static costab_status note_values(adviser *a, const advise_candidate *c, costab_error *error) {
    const costab_analysis_limit tried = {.single = c->values.at != NULL,
                                         .whole = c->values.whole,
                                         .values = c->values.count,
                                         .denominator = c->values.denominator};
    char words[COSTAB_TRIED_MAX];
    costab_limit_tried(&tried, a->options->parameter, words);
    return words[0] != '\0' ? note(a, "", words, error) : COSTAB_OK;
}

/* Determines if the parameter is the macro step of a coupling, at both ends of the range. */
static costab_status is_step_of(adviser *a, const advise_candidate *c, bool *is, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    *is = true;
    for (int end = 0; end < 2; end++) {
        const double H = end == 0 ? a->options->lower : a->options->upper;
        TRY(advise_network_at(a, c, H, &network, &coupling, error));
        *is = *is && coupling.macro_step == H;
    }
    return COSTAB_OK;
}

/* Adds a coupling if it fits the model and differs from all previous ones. Notes why one does not fit. */
static costab_status add_candidate(adviser *a, int number, costab_error *error) {
    const costab_network *network;
    costab_error why;
    TRY(memory_reserve(&a->candidates, &a->capacity, a->count + 1, error));
    advise_candidate *c = &a->candidates[a->count];
    *c = (advise_candidate){.memory = INT_MAX, .shortest_refused = (double)INFINITY};
    c->row = (costab_advice_row){.stable_to = (double)NAN,
                                 .accurate_to = (double)NAN,
                                 .step = (double)NAN,
                                 .cost = (double)NAN,
                                 .margin = (double)NAN,
                                 .growth = (double)NAN,
                                 .listed = number};
    bool is_step;
    TRY(is_step_of(a, c, &is_step, error));
    if (!is_step) {
        char reason[200];
        (void)text_format(reason, sizeof reason,
                          "the parameter is not the macro step of the coupling '%.100s'",
                          a->variant.couplings[number].name);
        return note(a, "left out: ", reason, error);
    }
    TRY(advise_network_at(a, c, a->nominal, &network, &c->choices, error));
    costab_status status = costab_coupling_check(network, &c->choices, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status) return note(a, "left out: ", why.message, error);
    status = keep_map(a, c, 0, a->nominal, error);
    if (!status) status = keep_map(a, c, 1, a->options->upper, error);
    bool known = false;
    for (size_t i = 0; i < a->count && !known; i++)
        known = advise_same_coupling(&a->candidates[i].choices, &c->choices, network->subsystem_count) ||
                same_maps(&a->candidates[i], c);
    if (!status && !known) {
        const analysis_family family = advise_family(a, c);
        const double range[2] = {a->options->lower, a->options->upper};
        c->row.name = memory_copy(a->variant.couplings[number].name);
        status = analysis_values_find(&family, range, &c->values, error);
        if (!status) status = note_values(a, c, error);
    }
    if (!status && !known && c->row.name == NULL) status = error_memory(error);
    a->count += !status && !known;
    if (status || known) free_candidate(c);
    return status;
}

/* ---- Comparison ---- */

/* Determines if a coupling fits the model at the macro step H. */
static costab_status is_usable(const adviser *a, double H, bool *usable, costab_error *error) {
    *usable = false;
    for (int i = 0; i < a->variant.coupling_count && !*usable; i++) {
        const advise_candidate c = {.row = {.listed = i}};
        const costab_network *network;
        costab_coupling coupling;
        costab_status status = advise_network_at(a, &c, H, &network, &coupling, NULL);
        if (!status) status = costab_coupling_check(network, &coupling, NULL);
        if (status == COSTAB_MEMORY) return error_memory(error);
        *usable = status == COSTAB_OK;
    }
    return COSTAB_OK;
}

/* If no coupling fits the model at its own macro step, for example because a micro step is longer, moves the
 * nominal macro step to an end of the range, or to the first value that is tried. */
static costab_status move_nominal(adviser *a, const advise_candidate *first, costab_error *error) {
    const double range[2] = {a->options->lower, a->options->upper};
    const analysis_family family = advise_family(a, first);
    ends_by(analysis_values_free) analysis_values values = {.at = NULL};
    bool usable;
    TRY(is_usable(a, a->nominal, &usable, error));
    if (usable) return COSTAB_OK;
    costab_status status = analysis_values_find(&family, range, &values, NULL);
    if (status == COSTAB_MEMORY) return error_memory(error);
    const double tried[3] = {range[0], range[1], values.count > 0 ? values.at[0] : range[0]};
    for (int k = 0; k < 3 && !usable; k++) {
        TRY(is_usable(a, tried[k], &usable, error));
        if (!usable) continue;
        a->nominal = tried[k];
        a->moved = true;
    }
    return COSTAB_OK;
}

static costab_status check(adviser *a, costab_error *error) {
    const costab_advise_options *o = a->options;
    const advise_candidate first = {.row = {.listed = 0}};
    const costab_network *network;
    costab_coupling coupling;
    a->nominal = costab_model_instance_value(a->instance, a->parameter);
    bool is_step;
    TRY(is_step_of(a, &first, &is_step, error));
    if (!is_step) return error_invalid(error, "the parameter '%s' is not the macro step", o->parameter);
    TRY(move_nominal(a, &first, error));
    return advise_network_at(a, &first, a->nominal, &network, &coupling, error);
}

/* Compares the basic couplings, or all others with them. */
static costab_status compare(adviser *a, bool basic, costab_error *error) {
    const bool errors = a->options->error_count > 0;
    for (int i = 0; i < a->variant.coupling_count; i++) {
        if (advise_is_basic(a, i) != basic) continue;
        TRY(add_candidate(a, i, error));
        a->named++;
        TRY(advise_ask_progress(a, error));
    }
    for (size_t i = 0; i < a->count && (!errors || a->options->all); i++) {
        advise_candidate *c = &a->candidates[i];
        TRY(advise_find_stable(a, c, error));
        if (errors || c->settled) continue;
        c->settled = true;
        if (advise_best(a) == c) advise_report_better(a, c, c->row.step, c->least_cost);
    }
    if (!errors) return COSTAB_OK;
    if (!a->errors.known) TRY(advise_errors_make(a, error));
    return a->errors.known ? advise_search(a, !basic, error) : COSTAB_OK;
}

static costab_status compare_all(adviser *a, costab_error *error) {
    analysis_family family = analysis_variant_family(&a->variant, a->instance, a->work, 0);
    costab_analysis_limit_options options = advise_limit_options(a);
    TRY(advise_ask_progress(a, error));
    family.parameter = a->parameter;
    TRY(costab_own_limits_find(&family, &options, &a->own, error));
    TRY(compare(a, true, error));
    TRY(compare(a, false, error));
    if (a->count > 0) return COSTAB_OK;
    return error_invalid(error, "no coupling fits the model; %.*s", (int)strcspn(a->notes.data, "\n"),
                         a->notes.data);
}

/* Finds the limits of the displayed couplings after sorting. */
static costab_status find_shown_limits(adviser *a, costab_error *error) {
    const size_t shown = a->options->shown > 0 ? a->options->shown : a->count;
    for (size_t i = 0; i < a->count && i < shown; i++) TRY(advise_find_stable(a, &a->candidates[i], error));
    return COSTAB_OK;
}

/* Analyses the model's first coupling at the nominal macro step, independent of the compared couplings. */
static costab_status find_today(const adviser *a, const costab_variant *asked, costab_advice_today *today,
                                costab_error *error) {
    const costab_network *network;
    const costab_variant own = {
        .model = asked->model, .setting_count = asked->setting_count, .settings = asked->settings};
    adviser alone = *a;
    advise_candidate c = {.row = {.listed = 0}};
    costab_network_point point;
    costab_error why;
    *today = (costab_advice_today){.step = a->nominal, .cost = (double)NAN};
    costab_status status = analysis_variant_make(&alone.variant, &own, &why);
    if (!status) status = advise_network_at(&alone, &c, a->nominal, &network, &c.choices, &why);
    if (!status) status = costab_coupling_check(network, &c.choices, &why);
    if (!status) status = costab_network_analyse(a->work, network, &c.choices, &point, &why);
    if (!status) status = advise_cost_at(&alone, &c, a->nominal, &today->cost, &why);
    bool memory = status == COSTAB_MEMORY;
    if (!status) {
        today->class_code = point.class_code;
        today->name = memory_copy(alone.variant.couplings[0].name);
        memory = today->name == NULL;
    }
    analysis_variant_free(&alone.variant);
    return memory ? error_memory(error) : COSTAB_OK;
}

/* Adds jacobi with tuned weights, if tuning improves it; notes the reason if it is not possible. */
static costab_status name_tuned(adviser *a, const costab_variant *asked, const costab_network *network,
                                advise_names *names, costab_error *error) {
    const costab_advise_options *options = a->options;
    const char *const mark = advise_feeds_through(network) ? "-solved" : "";
    const char *const base = *mark != '\0' ? "jacobi-solved" : "jacobi";
    const costab_variant one = {.model = asked->model,
                                .setting_count = asked->setting_count,
                                .settings = asked->settings,
                                .coupling_count = 1,
                                .couplings = &base};
    const costab_tune_options how = {.parameter = options->parameter,
                                     .lower = options->lower,
                                     .upper = options->upper,
                                     .vary = 0.1,
                                     .progress = options->progress,
                                     .progress_context = options->progress_context};
    ends_by(costab_tuned_free) costab_tuned tuned = {.count = 0};
    text_local name = {0};
    costab_error why;
    costab_status status = costab_tune(&one, &how, &tuned, &why);
    if (!status && tuned.better) {
        text_printf(&name, "jacobi(%.6g,%.6g)%s", tuned.rows[0].by.a0, tuned.rows[0].by.a1, mark);
        status = name.failed ? error_memory(error) : advise_names_add(names, name.data, error);
    }
    if (status == COSTAB_MEMORY) return error_memory(error);
    return status == COSTAB_INVALID ? note(a, "left out: ", why.message, error) : COSTAB_OK;
}

/* Creates the model at the variant's parameters or, if it has no numbers there, within the range of macro
 * steps. */
static costab_status make_instance(const costab_variant *asked, const costab_advise_options *options,
                                   costab_model_instance **instance, bool *moved, costab_error *error) {
    costab_variant own = *asked;
    ends_by(analysis_variant_free) analysis_variant variant = {.model = asked->model};
    int parameter;
    own.couplings = NULL;
    if (!(options->lower > 0 && options->lower < options->upper && isfinite(options->upper)))
        return error_invalid(error, "the range %g:%g is empty or not positive", options->lower,
                             options->upper);
    TRY(analysis_variant_make(&variant, &own, error));
    TRY(costab_model_find_parameter(asked->model, options->parameter, &parameter, error));
    return analysis_variant_instance_in(&variant, parameter, (const double[]){options->lower, options->upper},
                                        instance, moved, error);
}

/* Lists all couplings if the variant names none. */
static costab_status name_all(adviser *a, const costab_variant *asked, advise_names *names,
                              costab_variant *all, costab_error *error) {
    ends_by(costab_model_instance_destroy) costab_model_instance *instance = NULL;
    *all = *asked;
    if (asked->couplings != NULL) return COSTAB_OK;
    TRY(make_instance(asked, a->options, &instance, NULL, error));
    const costab_network *network = costab_model_instance_network(instance);
    TRY(advise_names_make(asked->model, network, names, error));
    if (a->options->tune) TRY(name_tuned(a, asked, network, names, error));
    all->couplings = (const char *const *)names->names;
    all->coupling_count = (int)names->count;
    return COSTAB_OK;
}

/* Compares the couplings and ranks the finished rows. */
static costab_status compare_and_rank(adviser *a, costab_advice *advice, costab_error *error) {
    costab_status status = compare_all(a, error);
    if (status && status != COSTAB_CANCELLED) return status;
    advise_sort(a);
    if (!status) status = find_shown_limits(a, error);
    bool ended = status == COSTAB_CANCELLED;
    if (status && !ended) return status;
    costab_error why;
    costab_status ranked = advise_rank(a, ended, advice, ended ? &why : error);
    if (ended && ranked == COSTAB_MEMORY) return error_memory(error);
    return ended ? COSTAB_CANCELLED : ranked;
}

costab_status costab_advise(const costab_variant *variant, const costab_advise_options *options,
                            costab_advice *advice, costab_error *error) {
    adviser a = {.options = options, .lists_all = variant->couplings == NULL};
    ends_by(advise_names_free) advise_names names = {.count = 0};
    costab_variant all;
    *advice = (costab_advice){.count = 0};
    if (variant->model == NULL) return error_missing(error, "a model");
    costab_status status = name_all(&a, variant, &names, &all, error);
    if (!status) status = analysis_variant_make(&a.variant, &all, error);
    if (!status) status = make_instance(variant, options, &a.instance, &a.moved, error);
    if (!status)
        status = costab_model_find_parameter(variant->model, options->parameter, &a.parameter, error);
    if (!status) status = costab_network_work_create(&a.work, error);
    if (!status) status = costab_network_simulator_create(&a.simulator, error);
    if (!status) status = check(&a, error);
    if (!status && !a.moved) status = find_today(&a, variant, &advice->today, error);
    if (!status) status = compare_and_rank(&a, advice, error);
    for (size_t i = 0; i < a.count; i++) free_candidate(&a.candidates[i]);
    memory_free(a.candidates);
    advice->notes = a.notes.data; /* freed with the advice */
    costab_own_limits_free(&a.own);
    advise_errors_free(&a.errors);
    costab_network_simulator_destroy(&a.simulator);
    costab_network_work_destroy(&a.work);
    costab_model_instance_destroy(&a.instance);
    analysis_variant_free(&a.variant);
    return status;
}

void costab_advice_free(costab_advice *advice) {
    for (size_t i = 0; i < advice->count; i++)
        memory_free_all(advice->rows[i].name, advice->rows[i].intervals);
    memory_free_all(advice->rows, advice->sentence, advice->notes, advice->today.name);
    *advice = (costab_advice){.count = 0};
}
