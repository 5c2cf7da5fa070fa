/* Couplings compared: how far each is stable and accurate, what it costs, and which one to take. */
#include "costab/advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "proof/kept.h"
#include "study/advise.h"

enum { ERROR_SAMPLES = 300, COST_SAMPLES = 300, NEWTON_SWEEPS = 2 };

/* An iteration has converged where a guess is this share of the first one. */
#define CONVERGED 1e-6

typedef struct adviser {
    study_variant variant;
    const costab_advise_options *options;
    costab_model_instance *instance;
    costab_network_work *work;
    costab_network_simulator *simulator;
    int parameter;
    double nominal;
    int coupling;               /* at hand */
    costab_study_values values; /* at which the model is defined: macro steps that micro steps of fixed length
                                   allow */
} adviser;

static costab_study_family family_of(const adviser *a) {
    costab_study_family family = study_variant_family(&a->variant, a->instance, a->work, a->coupling);
    family.parameters[0] = a->parameter;
    return family;
}

/* The network and the coupling at a macro step. */
static costab_status at_step(const adviser *a, double H, const costab_network **network,
                             costab_coupling *coupling, costab_error *error) {
    costab_study_family family = family_of(a);
    *network = costab_model_instance_network(a->instance);
    return costab_study_family_set(&family, &H, coupling, error);
}

/* ---- Stable ---- */

static costab_status find_stable(adviser *a, costab_advice_row *row, costab_error *error) {
    costab_study_family family = family_of(a);
    costab_study_limit_options options = {.lower = a->options->lower, .upper = a->options->upper};
    costab_study_limit limit;
    costab_status status = costab_study_limit_find(&family, &options, &limit, error);
    if (!status && limit.found.count > 0) {
        const costab_piece *piece = &limit.found.pieces[0];
        bool begins = a->values.at != NULL ? a->values.count > 0 && piece->from <= a->values.at[0]
                                           : piece->from <= a->options->lower;
        bool stable =
            piece->class_code != COSTAB_CLASS_UNDECIDED && (piece->class_code & COSTAB_DISCRETE_STABLE) != 0;
        if (begins && stable) row->stable_to = piece->to;
        /* A change of the continuous system alone divides a piece. */
        for (size_t i = 1; i < limit.found.count && !isnan(row->stable_to); i++) {
            const costab_piece *next = &limit.found.pieces[i];
            if (next->from > row->stable_to || next->from_is == COSTAB_END_ILL_POSED ||
                next->class_code == COSTAB_CLASS_UNDECIDED ||
                (next->class_code & COSTAB_DISCRETE_STABLE) == 0)
                break;
            row->stable_to = next->to;
        }
    }
    costab_limit_free(&limit.found);
    return status;
}

/* ---- Accurate ---- */

/* The largest macro step up to H that micro steps of fixed length allow; 0: none. */
static double allowed(const adviser *a, double H) {
    double found = a->values.at == NULL ? H : 0;
    for (size_t i = 0; i < a->values.count && a->values.at[i] <= H * (1 + 1e-12); i++)
        found = a->values.at[i];
    return found;
}

static costab_status error_at(void *context, double H, double *found, costab_error *error) {
    adviser *a = context;
    const costab_network *network;
    costab_coupling coupling;
    costab_measures measures;
    costab_measure_options wanted = {.horizon = a->options->until, .error = true, .exchanges = true};
    *found = 0;
    H = allowed(a, H);
    if (H == 0) return COSTAB_OK;
    costab_status status = at_step(a, H, &network, &coupling, error);
    if (!status) status = costab_coupling_check(network, &coupling, error);
    if (!status) status = costab_network_measure(a->simulator, network, &coupling, &wanted, &measures, error);
    if (!status) *found = isnan(measures.error) ? (double)INFINITY : measures.error;
    return status;
}

static costab_status find_accurate(adviser *a, costab_advice_row *row, costab_error *error) {
    const costab_advise_options *o = a->options;
    if (!(o->error > 0) || isnan(row->stable_to)) return COSTAB_OK;
    kept_options options = {.error = o->error,
                            .lowest = a->values.at != NULL ? a->values.at[0] : o->lower,
                            .end = row->stable_to,
                            .samples = ERROR_SAMPLES,
                            .error_at = error_at,
                            .context = a};
    options.growth = pow(o->upper / options.lowest, 1.0 / ERROR_SAMPLES);
    double found, last;
    costab_status status = error_at(a, options.lowest, &found, error);
    if (status || !(found <= o->error)) return status;
    status = kept_find(&options, &row->accurate_to, &last, error);
    row->accurate_to = allowed(a, row->accurate_to);
    return status;
}

/* ---- Cost ---- */

/* Subsystem steps per second at a macro step, each in one sweep. */
static costab_status steps_at(adviser *a, double H, double *steps, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_status status = at_step(a, H, &network, &coupling, error);
    *steps = 0;
    for (int s = 0; s < network->subsystem_count && !status; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        double stride = subsystem->stride > 0 ? subsystem->stride : 1;
        *steps += subsystem->substeps > 0 ? subsystem->substeps / (stride * H) : 1 / subsystem->step;
    }
    return status;
}

/* The sweeps of an iteration to convergence at a macro step; *radius: its radius, or the largest of the
 * smaller macro steps that were analysed before: where one eigenvalue happens to pass 0 there is nothing to
 * rely on. */
static costab_status sweeps_at(adviser *a, double H, double *radius, double *sweeps, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_network_point point;
    costab_status status = at_step(a, H, &network, &coupling, error);
    if (!status) status = costab_network_analyse(a->work, network, &coupling, &point, error);
    if (status) return status;
    *radius = fmax(*radius, point.iteration_radius);
    *sweeps = *radius < 1 ? 1 + ceil(fmax(0, log(CONVERGED) / log(*radius))) : (double)INFINITY;
    return COSTAB_OK;
}

/* The least cost among the macro steps that may be taken: the largest one, but where an iteration takes more
 * sweeps there. */
static costab_status find_cost(adviser *a, costab_advice_row *row, costab_error *error) {
    const study_choice *choice = &a->variant.couplings[a->coupling];
    const costab_coupling *choices =
        choice->own >= 0 ? costab_model_instance_coupling(a->instance, choice->own) : &choice->choices;
    bool iterated = choices->scheme == COSTAB_ITERATED, converged = iterated && choices->iterations == 0;
    double most = a->options->error > 0 ? row->accurate_to : row->stable_to, radius = 1e-300, sweeps = 1;
    costab_status status = COSTAB_OK;
    if (isnan(most) || !(most > 0)) return COSTAB_OK;
    if (iterated) sweeps = choices->iterations == COSTAB_NEWTON ? NEWTON_SWEEPS : choices->iterations;
    for (int i = converged ? 0 : COST_SAMPLES; i <= COST_SAMPLES && !status; i++) {
        double steps, H = allowed(a, most * pow(a->options->lower / most, 1 - (double)i / COST_SAMPLES));
        if (H == 0) continue;
        status = steps_at(a, H, &steps, error);
        if (!status && converged) status = sweeps_at(a, H, &radius, &sweeps, error);
        if (status || !(steps * sweeps <= row->cost) || !isfinite(steps * sweeps)) continue;
        row->cost = steps * sweeps;
        row->step = H;
    }
    return status;
}

/* ---- A row ---- */

static costab_status find_nominal(adviser *a, costab_advice_row *row, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_network_point point;
    costab_error why;
    row->margin = row->stable_to / a->nominal;
    costab_status status = at_step(a, a->nominal, &network, &coupling, error);
    if (status) return status;
    status = costab_network_analyse(a->work, network, &coupling, &point, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (!status) row->growth = point.growth;
    return COSTAB_OK;
}

static costab_status add_row(adviser *a, costab_advice *advice, costab_error *error) {
    costab_advice_row *grown =
        memory_grow(advice->rows, &advice->capacity, advice->count + 1, sizeof *advice->rows);
    if (grown == NULL) return error_memory(error);
    advice->rows = grown;
    costab_advice_row *row = &grown[advice->count];
    *row = (costab_advice_row){.name = memory_copy(a->variant.couplings[a->coupling].name),
                               .stable_to = (double)NAN,
                               .accurate_to = (double)NAN,
                               .step = (double)NAN,
                               .cost = (double)INFINITY,
                               .margin = (double)NAN,
                               .growth = (double)NAN,
                               .listed = a->coupling};
    if (row->name == NULL) return error_memory(error);
    advice->count++;
    double range[2] = {a->options->lower, a->options->upper};
    costab_study_family family = family_of(a);
    costab_status status = costab_study_values_find(&family, range, &a->values, error);
    if (!status) status = find_stable(a, row, error);
    if (!status) status = find_accurate(a, row, error);
    if (!status) status = find_cost(a, row, error);
    if (!status) status = find_nominal(a, row, error);
    if (!isfinite(row->cost)) row->cost = (double)NAN;
    costab_study_values_free(&a->values);
    return status;
}

/* Whether the coupling at hand fits the model, and was not evaluated before. */
static costab_status is_new(const adviser *a, bool *new_one, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling, before;
    costab_error why;
    *new_one = false;
    costab_status status = at_step(a, a->nominal, &network, &coupling, error);
    if (status) return status;
    status = costab_coupling_check(network, &coupling, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status) return COSTAB_OK;
    for (int c = 0; c < a->coupling; c++) {
        status = study_variant_coupling(&a->variant, a->instance, c, &before, error);
        if (status || advise_same(&before, &coupling, network->subsystem_count)) return status;
    }
    *new_one = true;
    return COSTAB_OK;
}

/* ---- Which one ---- */

static int by_cost(const void *left, const void *right) {
    const costab_advice_row *a = left, *b = right;
    if (isnan(a->cost) != isnan(b->cost)) return isnan(a->cost) ? 1 : -1;
    if (!isnan(a->cost) && a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    /* As dear: the one that is stable further, then the first of the list, which begins with the simple ones.
     */
    double one = isnan(a->stable_to) ? 0 : a->stable_to, other = isnan(b->stable_to) ? 0 : b->stable_to;
    if (one != other) return one > other ? -1 : 1;
    return a->listed < b->listed ? -1 : a->listed > b->listed;
}

static costab_status say_why(const adviser *a, costab_advice *advice, costab_error *error) {
    const costab_advise_options *o = a->options;
    text said = {0};
    size_t usable = 0;
    while (usable < advice->count && !isnan(advice->rows[usable].cost)) usable++;
    if (usable == 0) {
        text_printf(&said,
                    "None of the %zu couplings is stable%s at %s = %.6g: take a smaller one, or find "
                    "with `limit` where any is.",
                    advice->count, o->error > 0 ? " and accurate enough" : "", o->parameter, o->lower);
    } else {
        const costab_advice_row *best = &advice->rows[0], *next = usable > 1 ? &advice->rows[1] : NULL;
        text_printf(&said, "Take %s with %s = %.6g%s: that costs %.4g subsystem steps per second", best->name,
                    o->parameter, best->step, o->error > 0 ? "" : " at most, better less", best->cost);
        if (next != NULL && best->cost < next->cost)
            text_printf(&said, ", the least of %zu couplings that can be used (next is %s with %.4g)", usable,
                        next->name, next->cost);
        else if (next != NULL)
            text_printf(&said, ", no more than any of %zu couplings that can be used", usable);
        if (best->stable_to >= o->upper)
            text_printf(&said, "; it is stable up to the range's end");
        else
            text_printf(&said, "; it is stable up to %.6g", best->stable_to);
        if (o->error > 0)
            text_printf(&said, ", and its error stays within %.4g up to %.6g", o->error, best->accurate_to);
        text_append(&said, ".");
    }
    advice->sentence = said.data; /* freed with the advice */
    return said.failed ? error_memory(error) : COSTAB_OK;
}

/* ---- All of it ---- */

static costab_status check(adviser *a, costab_error *error) {
    const costab_advise_options *o = a->options;
    const costab_network *network;
    costab_coupling coupling;
    if (!(o->lower > 0 && o->lower < o->upper && isfinite(o->upper)))
        return error_set(error, COSTAB_INVALID, "the range %g:%g is empty or not positive", o->lower,
                         o->upper);
    if (o->error != 0 && !(o->error > 0 && o->until > 0 && isfinite(o->error) && isfinite(o->until)))
        return error_set(error, COSTAB_INVALID,
                         "the error and the time up to which it is measured must be positive");
    costab_status status = costab_model_find_parameter(a->variant.model, o->parameter, &a->parameter, error);
    if (status) return status;
    a->nominal = costab_model_instance_value(a->instance, a->parameter);
    for (int end = 0; end < 2; end++) {
        double H = end == 0 ? o->lower : o->upper;
        status = at_step(a, H, &network, &coupling, error);
        if (status) return status;
        if (coupling.macro_step != H)
            return error_set(error, COSTAB_INVALID, "the parameter '%s' is not the macro step", o->parameter);
    }
    return COSTAB_OK;
}

static costab_status compare_all(adviser *a, costab_advice *advice, costab_error *error) {
    const costab_advise_options *o = a->options;
    costab_status status = COSTAB_OK;
    for (a->coupling = 0; a->coupling < a->variant.coupling_count && !status; a->coupling++) {
        bool new_one;
        if (o->progress != NULL &&
            o->progress(o->progress_context, (size_t)a->coupling, (size_t)a->variant.coupling_count))
            return error_set(error, COSTAB_CANCELLED, "the comparison of couplings was cancelled");
        status = is_new(a, &new_one, error);
        if (!status && new_one) status = add_row(a, advice, error);
    }
    if (status) return status;
    if (advice->count > 0) qsort(advice->rows, advice->count, sizeof *advice->rows, by_cost);
    if (advice->count > 0) advice->rows[0].recommended = !isnan(advice->rows[0].cost);
    return say_why(a, advice, error);
}

/* All couplings by name, where the variant names none. */
static costab_status name_all(const costab_variant *asked, advise_names *names, costab_variant *all,
                              costab_error *error) {
    costab_model_instance *instance = NULL;
    *all = *asked;
    if (asked->couplings != NULL) return COSTAB_OK;
    costab_status status = costab_model_instance_create(asked->model, &instance, error);
    if (!status)
        status = advise_names_make(asked->model, costab_model_instance_network(instance), names, error);
    costab_model_instance_destroy(&instance);
    all->couplings = (const char *const *)names->names;
    all->coupling_count = (int)names->count;
    return status;
}

costab_status costab_advise(const costab_variant *variant, const costab_advise_options *options,
                            costab_advice *advice, costab_error *error) {
    adviser a = {.options = options};
    advise_names names = {.count = 0};
    costab_variant all;
    *advice = (costab_advice){.count = 0};
    if (variant->model == NULL) return error_missing(error, "a model");
    costab_status status = name_all(variant, &names, &all, error);
    if (!status) status = study_variant_make(&a.variant, &all, error);
    if (!status) status = study_variant_instance(&a.variant, &a.instance, error);
    if (!status) status = costab_network_work_create(&a.work, error);
    if (!status) status = costab_network_simulator_create(&a.simulator, error);
    if (!status) status = check(&a, error);
    if (!status) status = compare_all(&a, advice, error);
    costab_network_simulator_destroy(&a.simulator);
    costab_network_work_destroy(&a.work);
    costab_model_instance_destroy(&a.instance);
    study_variant_free(&a.variant);
    advise_names_free(&names);
    return status;
}

void costab_advice_free(costab_advice *advice) {
    for (size_t i = 0; i < advice->count; i++) memory_free(advice->rows[i].name);
    memory_free(advice->rows);
    memory_free(advice->sentence);
    *advice = (costab_advice){.count = 0};
}
