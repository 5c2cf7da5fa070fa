/* Margins of a model: every quantity asked for, of every coupling, on both sides. */
#include "study/margin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/modes.h"

const char *costab_margin_kind_name(costab_margin_kind kind) {
    static const char *const names[COSTAB_MARGIN_KIND_COUNT] = {"parameter", "connection", "delay"};
    return (unsigned)kind < COSTAB_MARGIN_KIND_COUNT ? names[kind] : NULL;
}

const char *costab_passes_name(costab_passes cause) {
    static const char *const names[COSTAB_PASSES_COUNT] = {"",          "fold",       "flip", "oscillation",
                                                           "iteration", "continuous", "own",  "ill-posed"};
    return (unsigned)cause < COSTAB_PASSES_COUNT ? names[cause] : NULL;
}

typedef struct finder {
    study_variant variant;
    const costab_margin_options *options;
    margin_item item;
    uint8_t code; /* the nominal class of the coupling at hand */
    int *parameters, parameter_count;
    size_t done, total;
    costab_margins *margins;
    text notes;
} finder;

/* ---- Rows ---- */

static costab_status add_row(finder *f, int side, costab_margin **row, costab_error *error) {
    costab_margins *margins = f->margins;
    const margin_item *item = &f->item;
    costab_margin *grown =
        memory_grow(margins->rows, &margins->capacity, margins->count + 1, sizeof *margins->rows);
    if (grown == NULL) return error_memory(error);
    margins->rows = grown;
    *row = &grown[margins->count++];
    **row = (costab_margin){.kind = item->kind,
                            .coupling = item->coupling,
                            .nominal = item->nominal,
                            .side = side,
                            .value = (double)NAN,
                            .factor = (double)NAN,
                            .class_code = f->code,
                            .frequency = (double)NAN,
                            .growth = (double)NAN,
                            .blame = -1,
                            .share = (double)NAN,
                            .undecided = {(double)NAN, (double)NAN}};
    if (item->kind == COSTAB_MARGIN_PARAMETER) {
        (void)snprintf((*row)->name, COSTAB_MARGIN_NAME_MAX, "%s",
                       f->variant.model->parameters[item->number].name);
        return COSTAB_OK;
    }
    char label[COSTAB_MARGIN_NAME_MAX - 8];
    costab_connection_label(&item->network, item->number, label, sizeof label);
    (void)snprintf((*row)->name, COSTAB_MARGIN_NAME_MAX, "%s %s",
                   item->kind == COSTAB_MARGIN_DELAY ? "delay" : "gain", label);
    return COSTAB_OK;
}

static costab_status find_side(finder *f, int side, costab_error *error) {
    margin_change change;
    costab_margin *row = NULL;
    costab_status status = margin_search(&f->item, side, f->code, &change, error);
    if (!status) status = add_row(f, side, &row, error);
    if (status) return status;
    memcpy(row->undecided, change.undecided, sizeof row->undecided);
    if (!change.found) return COSTAB_OK;
    row->value = change.value;
    if (f->item.nominal != 0) row->factor = change.value / f->item.nominal;
    return margin_blame(&f->item, &change, f->code, row, error);
}

/* ---- Quantities ---- */

static costab_status find_both(finder *f, costab_error *error) {
    bool smooth = true;
    const costab_margin_options *options = f->options;
    if (options->progress != NULL && options->progress(options->progress_context, f->done, f->total))
        return error_set(error, COSTAB_CANCELLED, "the search for margins was cancelled");
    f->done++;
    costab_status status = margin_item_begin(&f->item, error);
    if (!status && f->item.kind == COSTAB_MARGIN_PARAMETER) {
        status = margin_item_smooth(&f->item, &smooth, error);
        if (!smooth && f->item.coupling == 0)
            text_printf(&f->notes,
                        "%s is skipped: it is a count or a delay, or only single values make sense\n",
                        f->variant.model->parameters[f->item.number].name);
    }
    bool delay = f->item.kind == COSTAB_MARGIN_DELAY;
    if (!status && smooth && !delay) status = find_side(f, -1, error);
    if (!status && smooth) status = find_side(f, 1, error);
    costab_error at_end;
    costab_status ended = margin_item_end(&f->item, &at_end);
    return status || !ended ? status : error_set(error, ended, "%s", at_end.message);
}

static costab_status find_quantities(finder *f, costab_error *error) {
    const costab_network *network = costab_model_instance_network(f->item.instance);
    costab_status status = COSTAB_OK;
    f->item.kind = COSTAB_MARGIN_PARAMETER;
    for (int p = 0; p < f->parameter_count && !status; p++) {
        f->item.number = f->parameters[p];
        status = find_both(f, error);
    }
    for (int c = 0; f->options->connections && c < network->connection_count && !status; c++) {
        f->item.number = c;
        f->item.kind = COSTAB_MARGIN_CONNECTION;
        status = find_both(f, error);
        f->item.kind = COSTAB_MARGIN_DELAY;
        if (!status) status = find_both(f, error);
    }
    return status;
}

static costab_status find_coupling(finder *f, int c, costab_error *error) {
    const costab_network *network = costab_model_instance_network(f->item.instance);
    costab_coupling coupling;
    f->item.coupling = c;
    costab_status status = study_variant_coupling(&f->variant, f->item.instance, c, &coupling, error);
    if (!status) status = costab_coupling_check(network, &coupling, error);
    if (!status) status = costab_network_classify(f->item.work, network, &coupling, &f->code, error);
    return status ? status : find_quantities(f, error);
}

/* ---- All of them ---- */

static costab_status choose_parameters(finder *f, costab_error *error) {
    const costab_model *model = f->variant.model;
    int asked = f->options->parameter_count;
    f->parameter_count = asked > 0 ? asked : model->parameter_count;
    f->parameters = memory_alloc((size_t)f->parameter_count + 1, sizeof *f->parameters);
    if (f->parameters == NULL) return error_memory(error);
    for (int p = 0; p < f->parameter_count; p++) {
        f->parameters[p] = p;
        if (asked == 0) continue;
        costab_status status =
            costab_model_find_parameter(model, f->options->parameters[p], &f->parameters[p], error);
        if (status) return status;
    }
    return COSTAB_OK;
}

costab_status costab_margins_find(const costab_variant *variant, const costab_margin_options *options,
                                  costab_margins *margins, costab_error *error) {
    finder f = {.options = options, .margins = margins};
    *margins = (costab_margins){.count = 0};
    costab_status status = study_variant_make(&f.variant, variant, error);
    f.item.variant = &f.variant;
    if (!status) status = choose_parameters(&f, error);
    if (!status) status = study_variant_instance(&f.variant, &f.item.instance, error);
    if (!status) status = costab_network_work_create(&f.item.work, error);
    if (!status) {
        const costab_network *network = costab_model_instance_network(f.item.instance);
        size_t connections = options->connections ? 2 * (size_t)network->connection_count : 0;
        f.total = (size_t)f.variant.coupling_count * ((size_t)f.parameter_count + connections);
    }
    for (int c = 0; c < f.variant.coupling_count && !status; c++) status = find_coupling(&f, c, error);
    if (!status && f.notes.failed) status = error_memory(error);
    if (!status && f.notes.data != NULL) margins->notes = memory_copy(f.notes.data);
    if (!status && f.notes.data != NULL && margins->notes == NULL) status = error_memory(error);
    text_free(&f.notes);
    memory_free(f.parameters);
    costab_network_work_destroy(&f.item.work);
    costab_model_instance_destroy(&f.item.instance);
    study_variant_free(&f.variant);
    return status;
}

void costab_margins_free(costab_margins *margins) {
    memory_free(margins->rows);
    memory_free(margins->notes);
    *margins = (costab_margins){.count = 0};
}
