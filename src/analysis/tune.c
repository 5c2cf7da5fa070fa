/* Tunes extrapolation weights to a model and compares the result with the best fixed coupling
 * (docs/explanation/algorithms.md, Extrapolation by weights).
 * 1. Fixed couplings: complete limits for the model and its varied models (numbers changed to both ends).
 * 2. Search: tune_search.c, then complete limits of all varied models with the new weights. If a limit ends
 *    before the claimed macro step, a node is added in the unstable interval and the weights are polished
 *    again (an exchange method).
 * 3. Check between ends: at some macro steps a complete search over each varied number. An unstable value
 *    becomes a new varied model.
 * Cost: some hundred sets of weights, or some thousand with three or four unknowns, at up to 130 macro steps
 * per relevant varied model, and complete limits of each model. Limitation: the weights may not be optimal;
 * values between the ends are checked only at the macro steps of phase 3. */
#include "analysis/tune.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/analysis.h"
#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/memory.h"
#include "costab/modes.h"
#include "model/instance.h"
#include "network/network.h"

/* Numbers of nodes, the macro steps used by the search, with equal and with logarithmic spacing; rounds of
 * polishing. */
enum { EVEN = 96, LOGARITHMIC = 32, ROUNDS = 6 };
/* Check between ends: numbers of macro steps, and of bisections of an unstable one. */
enum { LINES = 16, LINE_BISECTIONS = 10 };
/* Smallest gain that counts; relative distance to the claimed macro step that indicates a gap between
 * nodes. */
#define LEAST_GAIN 1.05
#define SHORT      1e-3

/* Names without -solved. */
static const char *const fixed_names[] = {
    "jacobi",          "jacobi-linear",   "jacobi-quadratic",      "jacobi-cubic",
    "jacobi-spectral", "jacobi-smoothed", "jacobi-linear-smoothed"};
static const char *const fixed_solved[] = {
    "jacobi-solved",          "jacobi-linear-solved",   "jacobi-quadratic-solved",      "jacobi-cubic-solved",
    "jacobi-spectral-solved", "jacobi-smoothed-solved", "jacobi-linear-smoothed-solved"};
enum { FIXED = sizeof fixed_names / sizeof *fixed_names };

/* ---- Models and macro steps ---- */

costab_status tune_set_model(tuner *t, const tune_model *model, costab_error *error) {
    if (t->varied.parameter >= 0)
        costab_model_instance_set(t->instance, t->varied.parameter, t->varied.value);
    t->varied = *model;
    if (model->parameter >= 0) {
        t->varied.value = costab_model_instance_value(t->instance, model->parameter);
        costab_model_instance_set(t->instance, model->parameter, model->value);
    }
    return costab_model_instance_update(t->instance, error);
}

static costab_status add_node(tuner *t, double H) {
    TRY(memory_reserve(&t->nodes, &t->node_capacity, t->node_count + 1, t->error));
    size_t k = t->node_count++;
    for (; k > 0 && t->nodes[k - 1] > H; k--) t->nodes[k] = t->nodes[k - 1];
    t->nodes[k] = H;
    return COSTAB_OK;
}

static costab_status list_nodes(tuner *t) {
    double lower = t->options->lower, upper = t->options->upper;
    for (int k = 0; k < EVEN; k++) TRY(add_node(t, lower + (upper - lower) * k / (EVEN - 1)));
    for (int k = 1; k < LOGARITHMIC; k++)
        TRY(add_node(t, lower * pow(upper / lower, (double)k / LOGARITHMIC)));
    return COSTAB_OK;
}

/* Analyses the instance at macro step H. */
static costab_status analyse_at(tuner *t, double H, const costab_coupling *choices,
                                costab_network_point *point, costab_error *error) {
    costab_model_instance_set(t->instance, t->parameter, H);
    TRY(costab_model_instance_update(t->instance, error));
    const costab_coupling coupling = analysis_coupling_at(t->instance, -1, choices);
    if (coupling.macro_step != H)
        return error_invalid(error, "the macro step is not the parameter '%.200s'", t->options->parameter);
    TRY(costab_coupling_check(t->network, &coupling, error));
    return costab_network_analyse(t->work, t->network, &coupling, point, error);
}

/* Lists the model itself and, for each number, the models with the number varied to both sides, if their
 * continuous system stays stable. */
static costab_status list_models(tuner *t, costab_error *error) {
    const costab_model *model = t->variant.model;
    TRY(memory_make(&t->models, 2 * (size_t)model->parameter_count + ROUNDS + 3, error));
    t->models[t->model_count++] = t->varied;
    for (int p = 0; p < model->parameter_count && t->options->vary > 0; p++) {
        double value = costab_model_instance_value(t->instance, p);
        if (p == t->parameter || model->parameters[p].derived || value == 0 ||
            costab_model_instance_counts(t->instance, p) || !costab_model_instance_shapes(t->instance, p))
            continue;
        for (int side = -1; side <= 1; side += 2) {
            const tune_model varied = {p, value * (1 + side * t->options->vary)};
            costab_network_point point;
            costab_status status = tune_set_model(t, &varied, NULL);
            if (!status) status = analyse_at(t, t->options->lower, &t->base, &point, NULL);
            if (!status && (point.class_code & COSTAB_CONTINUOUS_STABLE) != 0)
                t->models[t->model_count++] = varied;
            else
                t->left_out++;
            if (status == COSTAB_MEMORY) return error_memory(error);
        }
    }
    return tune_set_model(t, &t->models[0], error);
}

/* ---- Checks of options and model ---- */

static costab_status check_options(const costab_tune_options *o, costab_error *error) {
    const char *wrong = NULL;
    if (!(o->lower > 0 && o->lower < o->upper) || !isfinite(o->upper))
        wrong = "the range of macro steps must be 0 < LO < HI";
    else if (o->order < 0 || o->order > 3 || o->memory < 0 || o->memory > 2)
        wrong = "the order is 1, 2 or 3, and the memory 1 or 2";
    else if (o->order == 3 && o->memory == 1)
        wrong = "order 3 uses two former values: set memory 2";
    else if (!(o->vary >= 0 && o->vary < 1))
        wrong = "the share to vary numbers by must be at least 0 and below 1";
    else if ((unsigned)o->groups >= COSTAB_TUNE_GROUPS_COUNT)
        wrong = "unknown groups";
    else if ((o->error > 0) != (o->until > 0))
        wrong = "the largest allowed error and its time belong together, and must be positive";
    return wrong == NULL ? COSTAB_OK : error_invalid(error, "%s", wrong);
}

static costab_status check_model(const tuner *t, costab_error *error) {
    if (analysis_is_sampled(t->network))
        return error_invalid(error, "an FMU for co-simulation is measured at single macro steps: it cannot "
                                    "be tuned over them");
    TRY(network_refuse_dead_time(t->network, "tune",
                                 "weights are searched for outputs without delay; take limit", error));
    TRY(network_refuse_sampled_data(t->network, "tune",
                                    "weights are searched for continuous signals; take limit", error));
    for (int s = 0; s < t->network->subsystem_count; s++) {
        const costab_subsystem *of = &t->network->subsystems[s];
        if (of->stride > 1)
            return error_invalid(error, "weights of former values are not defined with strides");
        if (of->substeps <= 0)
            return error_invalid(error,
                                 "subsystem '%.200s' has micro steps of fixed length, which few "
                                 "macro steps are multiples of: give it `substeps`",
                                 of->name);
    }
    return COSTAB_OK;
}

/* Checks the first coupling, its macro step's parameter, and the stability of the model itself. */
static costab_status check_coupling(tuner *t, costab_error *error) {
    const analysis_named_coupling *choice = &t->variant.couplings[0];
    costab_network_point point;
    const costab_coupling own = analysis_coupling_at(t->instance, choice->own, &choice->choices);
    if (own.scheme != COSTAB_JACOBI || own.area_correction != 0)
        return error_invalid(error,
                             "coupling '%.200s' cannot be tuned: weights are for jacobi, without "
                             "area_correction; take --coupling jacobi or jacobi-solved",
                             choice->name);
    t->base = (costab_coupling){.scheme = COSTAB_JACOBI, .feedthrough = own.feedthrough};
    TRY(analyse_at(t, t->options->lower, &t->base, &point, error));
    if ((point.class_code & COSTAB_CONTINUOUS_STABLE) == 0)
        return error_invalid(error,
                             "the model is not stable itself (%s): no weights make its "
                             "co-simulation stable over a range",
                             costab_class_name(point.class_code));
    return COSTAB_OK;
}

/* ---- Complete limits ---- */

static bool is_search_ended(void *context, double share, size_t evaluations) {
    (void)share, (void)evaluations;
    return tune_is_ended(context);
}

/* Finds the complete limit over a parameter; all other parameters keep their values. */
static costab_status find_limit(tuner *t, int parameter, double lower, double upper,
                                const costab_coupling *choices, costab_limit *found) {
    const costab_analysis_limit_options options = {
        .lower = lower, .upper = upper, .progress = is_search_ended, .progress_context = t, .threads = 1};
    const analysis_family family = {
        .instance = t->instance, .work = t->work, .own = -1, .choices = choices, .parameter = parameter};
    costab_analysis_limit limit;
    costab_status status = analysis_limit_find(&family, &options, &limit, t->error);
    *found = limit.found;
    return status;
}

/* Finds the end of the stable interval of model m, searched up to `upper`; 0: unstable at `lower`. [out] *gap
 * (may be NULL): the middle of the unstable interval beyond it. */
static costab_status stable_end(tuner *t, int m, const costab_coupling *choices, double upper, double *end,
                                double *gap) {
    double lower = t->options->lower, next = upper;
    ends_by(costab_limit_free) costab_limit limit = {.count = 0};
    *end = 0;
    TRY(tune_set_model(t, &t->models[m], t->error));
    TRY(find_limit(t, t->parameter, lower, upper, choices, &limit));
    *end = fmax(*end, advise_stable_to(&limit, lower)); /* ignores NaN */
    for (size_t i = 0; i < limit.count; i++)
        if (limit.pieces[i].from > *end) next = fmin(next, limit.pieces[i].from);
    if (gap != NULL) *gap = *end > 0 ? (*end + next) / 2 : lower;
    return COSTAB_OK;
}

/* Returns a tried value between `from` and `to` with a stable continuous system and an unstable
 * co-simulation; NaN: none. */
static double unstable_between(tuner *t, int parameter, double from, double to,
                               const costab_coupling *choices) {
    static const double shares[] = {0.5, 0.25, 0.75, 0.05, 0.95, 1e-3, 1 - 1e-3};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        costab_network_point point;
        double value = from + shares[i] * (to - from);
        costab_model_instance_set(t->instance, parameter, value);
        double H = costab_model_instance_value(t->instance, t->parameter);
        costab_status status = analyse_at(t, H, choices, &point, NULL);
        if (!status && point.class_code == COSTAB_SU) return value;
    }
    return (double)NAN;
}

/* Finds a value of the number varied in model m, between its ends, with a stable continuous system and an
 * unstable co-simulation at macro step H. NaN: none, except close to instability of the system itself. */
static costab_status unstable_along(tuner *t, int m, double H, const costab_coupling *choices,
                                    double *unstable) {
    static const double thin = 1e-6; /* of the range; ignores contacts with the limit */
    int p = t->models[m].parameter;
    ends_by(costab_limit_free) costab_limit limit = {.count = 0};
    *unstable = (double)NAN;
    TRY(tune_set_model(t, &t->models[0], t->error));
    double nominal = costab_model_instance_value(t->instance, p), width = fabs(nominal) * t->options->vary;
    double end = nominal - width;
    t->varied = (tune_model){p, nominal};
    costab_model_instance_set(t->instance, t->parameter, H);
    TRY(find_limit(t, p, end, nominal + width, choices, &limit));
    for (size_t i = 0; i <= limit.count && isnan(*unstable); i++) {
        double next = i < limit.count ? limit.pieces[i].from : nominal + width;
        if (next - end > thin * width) *unstable = unstable_between(t, p, end, next, choices);
        if (i < limit.count) end = limit.pieces[i].to;
    }
    return COSTAB_OK;
}

/* Searches each varied number between its ends, at LINES macro steps up to *robust, more densely near it.
 * The first unstable value becomes a varied model, its macro step a node, and bisection lowers *robust
 * below it. */
static costab_status check_between_ends(tuner *t, const costab_coupling *choices, double *robust,
                                        bool *added) {
    double lower = t->options->lower, most = *robust * (1 - SHORT), H = lower;
    for (int k = LINES - 1; k >= 0 && most > lower; k--) {
        double good = H, value = (double)NAN;
        int m = 0;
        H = most - (most - lower) * k * k / (LINES * LINES);
        while (isnan(value) && ++m < t->model_count)
            if (t->models[m].parameter != t->models[m - 1].parameter)
                TRY(unstable_along(t, m, H, choices, &value));
        if (isnan(value)) continue;
        *added = true;
        t->models[t->model_count++] = (tune_model){t->models[m].parameter, value};
        TRY(add_node(t, H));
        for (int i = 0; i < LINE_BISECTIONS; i++) {
            double middle = (good + H) / 2;
            TRY(unstable_along(t, m, middle, choices, &value));
            *(isnan(value) ? &good : &H) = middle;
        }
        *robust = good;
        break;
    }
    return COSTAB_OK;
}

/* Lowers *robust to the smallest stable_end of all varied models. An end before `claimed` adds its gap as a
 * node. */
static costab_status stable_end_of_all(tuner *t, const costab_coupling *choices, double claimed,
                                       double *robust, bool *added) {
    double least = t->options->lower, gap;
    for (int m = 1; m<t->model_count && * robust> least; m++) {
        TRY(stable_end(t, m, choices, *robust, robust, &gap));
        if (*robust >= claimed * (1 - SHORT)) continue;
        *added = true;
        TRY(add_node(t, gap));
    }
    return COSTAB_OK;
}

/* Finds stable_to of the model and robust_to of all models with the new weights. [out] *added: a node or
 * model was added, so polishing is necessary. */
static costab_status confirm_weights(tuner *t, const double *best, double claimed, costab_tuned *tuned,
                                     bool *added) {
    double gap;
    *added = false;
    tune_set_weights(t, best);
    TRY(stable_end(t, 0, &t->base, t->options->upper, &tuned->stable_to, &gap));
    if (tuned->stable_to < claimed * (1 - SHORT)) {
        *added = true;
        TRY(add_node(t, gap));
    }
    tuned->robust_to = tuned->stable_to;
    TRY(stable_end_of_all(t, &t->base, claimed, &tuned->robust_to, added));
    return *added ? COSTAB_OK : check_between_ends(t, &t->base, &tuned->robust_to, added);
}

/* Searches weights and polishes them until complete limits confirm the claimed macro step, at most ROUNDS
 * times. */
static costab_status search_and_confirm(tuner *t, double *best, costab_tuned *tuned) {
    double claimed = tune_search(t, false, best);
    for (int round = 0; !t->status && claimed > 0; round++) {
        bool added;
        costab_status status = confirm_weights(t, best, claimed, tuned, &added);
        if (status || !added || round == ROUNDS) return status;
        claimed = tune_search(t, true, best);
    }
    return t->status;
}

/* Finds the best fixed coupling of the model. *robust: the smallest, over the varied models, of the end of
 * each model's best fixed coupling. */
static costab_status find_fixed(tuner *t, costab_tuned *tuned, costab_coupling *fixed, double *robust) {
    costab_coupling all[FIXED];
    const char *const *names = t->base.feedthrough == COSTAB_SOLVED ? fixed_solved : fixed_names;
    for (int f = 0; f < FIXED; f++) {
        double end;
        all[f] = (costab_coupling){.macro_step = t->options->lower};
        TRY(costab_coupling_find(names[f], &all[f], t->error));
        TRY(stable_end(t, 0, &all[f], t->options->upper, &end, NULL));
        if (!(end > tuned->fixed_to)) continue;
        tuned->fixed = names[f];
        tuned->fixed_to = end;
        *fixed = all[f];
    }
    if (tuned->fixed == NULL)
        return error_invalid(t->error, "jacobi is not stable at %s = %g: start the range at a smaller value",
                             t->options->parameter, t->options->lower);
    *robust = tuned->fixed_to;
    for (int m = 1; m<t->model_count && * robust> t->options->lower; m++) {
        double most = 0, end;
        for (int f = 0; f < FIXED && most < *robust; f++) {
            TRY(stable_end(t, m, &all[f], *robust, &end, NULL));
            most = fmax(most, end);
        }
        *robust = fmin(*robust, most);
    }
    t->error_step = tuned->fixed_to / 2;
    return COSTAB_OK;
}

costab_status tune_find_error(tuner *t, const costab_coupling *choices, double *found, costab_error *error) {
    TRY(tune_set_model(t, &t->models[0], error));
    costab_model_instance_set(t->instance, t->parameter, t->error_step);
    TRY(costab_model_instance_update(t->instance, error));
    const costab_coupling coupling = analysis_coupling_at(t->instance, -1, choices);
    return costab_network_error(t->network, &coupling, t->options->until, found, error);
}

/* ---- Rows ---- */

static costab_status name_row(const tuner *t, int g, costab_tune_row *row) {
    char name[2 * COSTAB_SIGNAL_NAME_MAX + 200] = "all";
    for (int c = 0; c < t->network->connection_count && g < t->groups; c++) {
        if (t->group[c] != g || t->options->groups == COSTAB_TUNE_ALL) continue;
        if (t->options->groups == COSTAB_TUNE_CONNECTIONS)
            costab_connection_label(t->network, c, name, sizeof name);
        else
            (void)strncpy(name, t->network->subsystems[t->network->connections[c].to].name, sizeof name - 1);
        break;
    }
    row->name = memory_copy(g < t->groups ? name : "feedthrough");
    return row->name != NULL ? COSTAB_OK : error_memory(t->error);
}

static costab_status make_rows(tuner *t, const double *best, costab_tuned *tuned) {
    int holds = 0;
    for (int c = 0; c < tuned->connections; c++) holds |= t->group[c] == t->groups;
    TRY(memory_make(&tuned->rows, (size_t)t->groups + 1, t->error));
    for (int g = 0; g < t->groups + holds; g++) {
        costab_tune_row *row = &tuned->rows[tuned->count++];
        row->by = g == t->groups ? t->held : tune_weights_of(t, best + (ptrdiff_t)t->group_unknowns * g);
        TRY(name_row(t, g, row));
    }
    return COSTAB_OK;
}

/* Reports the fixed coupling as the result, with its weights if it has any (constant, linear and spectral
 * extrapolation, and smoothed constant extrapolation). */
static costab_status take_fixed(tuner *t, const costab_coupling *fixed, costab_tuned *tuned) {
    static const struct {
        costab_hold hold;
        bool smoothed;
        double a0, a1;
    } lines[] = {{COSTAB_CONSTANT, false, 0, 0},
                 {COSTAB_CONSTANT, true, -1, 1},
                 {COSTAB_LINEAR, false, 0, 1},
                 {COSTAB_SPECTRAL, false, 2.5, -4}};
    const double none = (double)NAN;
    bool added;
    costab_tune_row *row = tuned->rows = memory_alloc(1, sizeof *row);
    if (row == NULL) return error_memory(t->error);
    tuned->count = 1;
    *row = (costab_tune_row){.name = memory_copy("all"), .by = {COSTAB_TUNED, none, none, none, none}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].hold == fixed->extrapolation && lines[i].smoothed == fixed->smoothed)
            row->by = (costab_extrapolation){COSTAB_TUNED, lines[i].a0, lines[i].a1, 0, 0};
    for (int c = 0; c < tuned->connections; c++) t->group[c] = t->group[c] < 0 ? -1 : 0;
    tune_set_weights(t, NULL);
    tuned->stable_to = tuned->robust_to = tuned->fixed_to;
    tuned->gain = 1;
    tuned->error = tuned->fixed_error;
    if (row->name == NULL) return error_memory(t->error);
    TRY(stable_end_of_all(t, fixed, 0, &tuned->robust_to, &added));
    return check_between_ends(t, fixed, &tuned->robust_to, &added);
}

static costab_status prepare(tuner *t, const costab_variant *variant, costab_error *error) {
    TRY(check_options(t->options, error));
    costab_variant asked = *variant;
    if (t->options->vary > 0) {
        TRY(model_with_numbers_make(variant->model, &t->numbers, error));
        asked.model = model_with_numbers_model(t->numbers);
    }
    TRY(analysis_variant_make(&t->variant, &asked, error));
    TRY(costab_model_find_parameter(asked.model, t->options->parameter, &t->parameter, error));
    TRY(analysis_variant_instance_in(&t->variant, t->parameter,
                                     (const double[]){t->options->lower, t->options->upper}, &t->instance,
                                     NULL, error));
    TRY(costab_network_work_create(&t->work, error));
    t->order = t->options->order == 0 ? 2 : t->options->order;
    t->memory = t->options->memory > 0 ? t->options->memory : t->order == 3 ? 2 : 1;
    t->network = costab_model_instance_network(t->instance);
    TRY(check_model(t, error));
    TRY(check_coupling(t, error));
    TRY(tune_make_groups(t, error));
    TRY(list_models(t, error));
    return list_nodes(t);
}

static costab_status tune(tuner *t, costab_tuned *tuned) {
    costab_coupling fixed;
    double best[TUNE_UNKNOWNS] = {0}, robust = 0;
    TRY(find_fixed(t, tuned, &fixed, &robust));
    if (t->options->error > 0) TRY(tune_find_error(t, &fixed, &tuned->fixed_error, t->error));
    TRY(search_and_confirm(t, best, tuned));
    tuned->gain = tuned->stable_to / tuned->fixed_to;
    tuned->better = (t->options->vary > 0 ? tuned->robust_to / robust : tuned->gain) >= LEAST_GAIN;
    if (tuned->better) {
        TRY(make_rows(t, best, tuned));
        if (t->options->error > 0) TRY(tune_find_error(t, &t->base, &tuned->error, t->error));
    } else {
        TRY(take_fixed(t, &fixed, tuned));
    }
    tuned->robust_gain = tuned->robust_to / robust;
    return COSTAB_OK;
}

costab_status costab_tune(const costab_variant *variant, const costab_tune_options *options,
                          costab_tuned *tuned, costab_error *error) {
    costab_error own = {.status = COSTAB_OK};
    tuner t = {.options = options, .error = error != NULL ? error : &own, .varied = {.parameter = -1}};
    *tuned = (costab_tuned){.error = (double)NAN, .fixed_error = (double)NAN};
    if (variant->model == NULL) return error_missing(error, "a model");
    costab_status status = prepare(&t, variant, t.error);
    tuned->models = t.model_count;
    tuned->left_out = t.left_out;
    tuned->group = t.group;
    tuned->connections = t.network != NULL ? t.network->connection_count : 0;
    if (!status) status = tune(&t, tuned);
    memory_free_all(t.models, t.nodes);
    costab_network_work_destroy(&t.work);
    costab_model_instance_destroy(&t.instance);
    analysis_variant_free(&t.variant);
    model_with_numbers_free(&t.numbers);
    return status;
}

void costab_tuned_free(costab_tuned *tuned) {
    for (int i = 0; i < tuned->count; i++) memory_free(tuned->rows[i].name);
    memory_free_all(tuned->rows, tuned->group);
    *tuned = (costab_tuned){.count = 0};
}
