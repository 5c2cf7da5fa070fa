/* Variants of a model: some parameter values, and the requested couplings. Resolves names to indices; a
 * coupling is the model's own or a standard one. A bound variant adds an instance of the model, a workspace,
 * and the parameter to be searched. */
#include "analysis/variant.h"

#include <math.h>
#include <string.h>

#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "base/text.h"
#include "model/body.h"
#include "model/instance.h"
#include "network/network.h"
#include "network/work.h"

static costab_status resolve_settings(analysis_variant *v, const costab_variant *asked, costab_error *error) {
    TRY(memory_make(&v->settings, (size_t)asked->setting_count, error));
    for (int k = 0; k < asked->setting_count; k++) {
        analysis_parameter_value *setting = &v->settings[v->setting_count++];
        setting->value = asked->settings[k].value;
        TRY(costab_model_find_parameter(v->model, asked->settings[k].name, &setting->parameter, error));
    }
    return COSTAB_OK;
}

/* Adds the names of the model's own couplings to an error message, unless it suggests one. */
static costab_status add_own_names(const costab_model *model, costab_error *error) {
    text_local all = {0};
    if (error == NULL || error->status != COSTAB_INVALID)
        return error != NULL ? error->status : COSTAB_INVALID;
    if (strstr(error->message, "did you mean") != NULL) return error->status;
    const int few = model->coupling_count < SPELLING_FEW ? model->coupling_count : SPELLING_FEW;
    text_printf(&all, "%s; the model's own:", error->message);
    for (int i = 0; i < few; i++) text_printf(&all, "%s %s", i > 0 ? "," : "", model->coupling_names[i]);
    return all.failed ? error_memory(error) : error_invalid(error, "%s", all.data);
}

/* Resolves a standard coupling; an order in its name lists the model's subsystems. */
static costab_status resolve_standard(const costab_model *model, analysis_named_coupling *choice,
                                      costab_error *error) {
    ends_by(costab_model_instance_destroy) costab_model_instance *instance = NULL;
    choice->choices = (costab_coupling){.macro_step = 1};
    if (strchr(choice->name, '(') == NULL) {
        costab_status status = costab_coupling_find(choice->name, &choice->choices, error);
        return !status ? status : add_own_names(model, error);
    }
    TRY(model_instance_make(model, &instance, error));
    const costab_network *network = costab_model_instance_network(instance);
    TRY(memory_make(&choice->order, (size_t)network->subsystem_count, error));
    return costab_coupling_find_ordered(choice->name, network, choice->order, &choice->choices, error);
}

static costab_status resolve_couplings(analysis_variant *v, const costab_variant *asked,
                                       costab_error *error) {
    bool own = asked->couplings == NULL;
    int count = own ? v->model->coupling_count : asked->coupling_count;
    TRY(memory_make(&v->couplings, (size_t)count, error));
    for (int c = 0; c < count; c++) {
        const char *name = own ? v->model->coupling_names[c] : asked->couplings[c];
        analysis_named_coupling *choice = &v->couplings[v->coupling_count++];
        choice->name = memory_copy(name);
        if (choice->name == NULL) return error_memory(error);
        choice->own = own ? c : costab_model_coupling(v->model, name);
        if (choice->own < 0) TRY(resolve_standard(v->model, choice, error));
        if (choice->own >= 0) continue;
        memory_local char *given = choice->name;
        choice->name = NULL;
        TRY(costab_coupling_plain_name(given, &choice->name, error));
    }
    return COSTAB_OK;
}

static bool is_complete(const costab_variant *asked) {
    bool complete = asked->model != NULL && asked->setting_count >= 0 &&
                    (asked->setting_count == 0 || asked->settings != NULL) &&
                    (asked->couplings == NULL || asked->coupling_count > 0);
    for (int k = 0; complete && k < asked->setting_count; k++) complete = asked->settings[k].name != NULL;
    for (int c = 0; complete && asked->couplings != NULL && c < asked->coupling_count; c++)
        complete = asked->couplings[c] != NULL;
    return complete;
}

costab_status analysis_variant_make(analysis_variant *variant, const costab_variant *asked,
                                    costab_error *error) {
    *variant = (analysis_variant){.model = asked->model, .time_varying = asked->time_varying};
    if (!is_complete(asked))
        return error_invalid(error, "a variant needs a model, a name for every setting, and a coupling");
    TRY(resolve_settings(variant, asked, error));
    return resolve_couplings(variant, asked, error);
}

void analysis_variant_free(analysis_variant *variant) {
    for (int c = 0; c < variant->coupling_count; c++)
        memory_free_all(variant->couplings[c].name, variant->couplings[c].order);
    memory_free_all(variant->couplings, variant->settings);
}

costab_status analysis_variant_has(const analysis_variant *variant, int c, costab_error *error) {
    if (c >= 0 && c < variant->coupling_count) return COSTAB_OK;
    return error_invalid(error, "the variant has %d couplings; coupling %d does not exist",
                         variant->coupling_count, c);
}

costab_status analysis_variant_instance(const analysis_variant *variant, costab_model_instance **instance,
                                        costab_error *error) {
    TRY(model_instance_make(variant->model, instance, error));
    if (variant->time_varying) costab_model_instance_allow_time_varying(*instance);
    for (int k = 0; k < variant->setting_count; k++)
        costab_model_instance_set(*instance, variant->settings[k].parameter, variant->settings[k].value);
    return costab_model_instance_update(*instance, error);
}

/* Sets the parameter to the first value of a range at which the model is defined: tries both ends, then
 * values between them, each unchanged and rounded to an integer. Returns false if there is none. */
static bool move_into(costab_model_instance *instance, int parameter, const double range[2]) {
    static const double shares[] = {0, 1, 0.5, 0.25, 0.75, 0.1, 0.9};
    for (size_t k = 0; k < 2 * sizeof shares / sizeof *shares; k++) {
        const double at = range[0] + shares[k / 2] * (range[1] - range[0]);
        const double value = k % 2 == 0 ? at : fmin(fmax(round(at), range[0]), range[1]);
        if (k % 2 != 0 && value == at) continue;
        costab_model_instance_set(instance, parameter, value);
        if (costab_model_instance_update(instance, NULL) == COSTAB_OK) return true;
    }
    return false;
}

costab_status analysis_variant_instance_in(const analysis_variant *variant, int parameter,
                                           const double range[2], costab_model_instance **instance,
                                           bool *moved, costab_error *error) {
    costab_status status = analysis_variant_instance(variant, instance, error);
    const bool tries = status == COSTAB_INVALID && *instance != NULL;
    const bool found = tries && move_into(*instance, parameter, range);
    if (moved != NULL) *moved = found;
    return found ? COSTAB_OK : status;
}

analysis_family analysis_variant_family(const analysis_variant *variant, costab_model_instance *instance,
                                        costab_network_work *work, int c) {
    const analysis_named_coupling *choice = &variant->couplings[c];
    return (analysis_family){
        .instance = instance, .work = work, .own = choice->own, .choices = &choice->choices};
}

costab_status analysis_owned_family_make(analysis_owned_family *owned, const costab_variant *asked, int c,
                                         const char *parameter, const double range[2], costab_error *error) {
    costab_model_instance *instance = NULL;
    costab_network_work *work = NULL;
    int number = 0;
    owned->family = (analysis_family){.instance = NULL};
    costab_status status = analysis_variant_make(&owned->variant, asked, error);
    if (!status) status = analysis_variant_has(&owned->variant, c, error);
    if (!status) status = costab_model_find_parameter(owned->variant.model, parameter, &number, error);
    if (!status)
        status = analysis_variant_instance_in(&owned->variant, number, range, &instance, NULL, error);
    if (!status) status = model_instance_check_range(instance, number, range, error);
    if (!status) status = costab_network_work_create(&work, error);
    if (!status) owned->family = analysis_variant_family(&owned->variant, instance, work, c);
    owned->family.instance = instance;
    owned->family.work = work;
    owned->family.parameter = number;
    return status;
}

void analysis_limit_free(costab_analysis_limit *limit) {
    costab_limit_free(&limit->found);
}

void analysis_owned_family_free(analysis_owned_family *owned) {
    costab_network_work_destroy(&owned->family.work);
    costab_model_instance_destroy(&owned->family.instance);
    analysis_variant_free(&owned->variant);
}

costab_status analysis_variant_coupling(const analysis_variant *variant,
                                        const costab_model_instance *instance, int c,
                                        costab_coupling *coupling, costab_error *error) {
    const analysis_named_coupling *choice = &variant->couplings[c];
    *coupling = analysis_coupling_at(instance, choice->own, &choice->choices);
    return coupling->macro_step > 0 ? COSTAB_OK : error_invalid(error, "the macro step is not positive");
}

costab_status analysis_variant_fitting(const analysis_variant *variant, const costab_model_instance *instance,
                                       int c, costab_coupling *coupling, costab_error *error) {
    TRY(analysis_variant_coupling(variant, instance, c, coupling, error));
    return model_check_coupling(instance, variant->couplings[c].name, variant->couplings[c].own, coupling,
                                error);
}

costab_status analysis_variant_takes(const analysis_variant *variant, const costab_model_instance *instance,
                                     int c, costab_error *error) {
    const costab_network *network = costab_model_instance_network(instance);
    costab_coupling coupling;
    TRY(analysis_variant_coupling(variant, instance, c, &coupling, error));
    return work_takes(network, &coupling) ? COSTAB_OK : costab_coupling_check(network, &coupling, error);
}

/* ---- For programs ---- */

/* The network and the couplings of a model's variant, for programs with their own analysis. */

struct costab_setup {
    analysis_variant variant;
    costab_model_instance *instance;
};

costab_status costab_setup_create(const costab_variant *variant, costab_setup **setup, costab_error *error) {
    TRY(memory_make(setup, 1, error));
    costab_status status = analysis_variant_make(&(*setup)->variant, variant, error);
    if (!status) status = analysis_variant_instance(&(*setup)->variant, &(*setup)->instance, error);
    if (status) costab_setup_destroy(setup);
    return status;
}

void costab_setup_destroy(costab_setup **setup) {
    if (setup == NULL || *setup == NULL) return;
    analysis_variant_free(&(*setup)->variant);
    costab_model_instance_destroy(&(*setup)->instance);
    memory_free(*setup);
    *setup = NULL;
}

const costab_network *costab_setup_network(const costab_setup *setup) {
    return costab_model_instance_network(setup->instance);
}

int costab_setup_coupling_count(const costab_setup *setup) {
    return setup->variant.coupling_count;
}

const char *costab_setup_coupling_name(const costab_setup *setup, int c) {
    return c >= 0 && c < setup->variant.coupling_count ? setup->variant.couplings[c].name : NULL;
}

costab_status costab_setup_coupling(const costab_setup *setup, int c, costab_coupling *coupling,
                                    costab_error *error) {
    TRY(analysis_variant_has(&setup->variant, c, error));
    return analysis_variant_fitting(&setup->variant, setup->instance, c, coupling, error);
}

costab_status costab_setup_takes(const costab_setup *setup, int c, costab_error *error) {
    TRY(analysis_variant_has(&setup->variant, c, error));
    return analysis_variant_takes(&setup->variant, setup->instance, c, error);
}

costab_status analysis_variant_check_modes(const analysis_variant *variant, costab_model_instance *instance,
                                           costab_network_work *work, int c, costab_error *error) {
    costab_coupling choices;
    costab_network_point point;
    bool unused;
    const costab_network *network = costab_model_instance_network(instance);
    costab_status status = analysis_variant_coupling(variant, instance, c, &choices, NULL);
    if (!status) status = costab_network_analyse(work, network, &choices, &point, NULL);
    if (status) return status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
    return costab_model_instance_check_modes(instance, work, &choices, &unused, error);
}

costab_status costab_setup_check_modes(const costab_setup *setup, int c, costab_error *error) {
    ends_by(costab_network_work_destroy) costab_network_work *work = NULL;
    TRY(analysis_variant_has(&setup->variant, c, error));
    TRY(costab_network_work_create(&work, error));
    return analysis_variant_check_modes(&setup->variant, setup->instance, work, c, error);
}

costab_status costab_setup_check_moves(const costab_setup *setup, costab_error *error) {
    return analysis_check_moves(setup->instance, error);
}

costab_status costab_setup_check_steps(const costab_setup *setup, costab_error *error) {
    return analysis_check_steps(setup->instance, error);
}
