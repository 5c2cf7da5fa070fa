/* Margins of a model: for every coupling, every quantity (a parameter, a connection's gain or delay) and both
 * sides of its nominal value, the nearest value with a change of the stability class.
 * 1. Classifies the nominal values.
 * 2. Searches limits in blocks of a quantity's values, from the nominal one outwards on each side
 *    (margin_search.c). The quantity is the number of a family of maps (margin_quantity.c).
 * 3. At a change, determines the eigenvalue that passes the limit, and the subsystem with the largest
 *    participation in its mode (margin_blame.c).
 * 4. Computes the stability radius of the nominal map and, for each connection, radius and disk margin
 *    (costab/limit.h).
 * Cost: two complete limits per block, of the map and of the continuous system
 * (docs/explanation/algorithms.md, Complete limits). Limitation: quantities are varied one at a time. */
#include "analysis/margin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/modes.h"
#include "limit/limit.h"
#include "model/instance.h"
#include "network/by_connection.h"
#include "network/network.h"

const char *costab_margin_kind_name(costab_margin_kind kind) {
    static const char *const names[COSTAB_MARGIN_KIND_COUNT] = {"parameter", "connection", "delay", "radius",
                                                                "disk"};
    return (unsigned)kind < COSTAB_MARGIN_KIND_COUNT ? names[kind] : NULL;
}

const char *costab_passes_name(costab_passes cause) {
    static const char *const names[COSTAB_PASSES_COUNT] = {"",          "fold",       "flip", "oscillation",
                                                           "iteration", "continuous", "own",  "ill-posed"};
    return (unsigned)cause < COSTAB_PASSES_COUNT ? names[cause] : NULL;
}

typedef struct finder {
    analysis_variant variant;
    const costab_margin_options *options;
    margin_quantity quantity;
    uint8_t code; /* nominal class of the current coupling */
    long period;  /* macro steps per period of its map */
    int *parameters, parameter_count;
    size_t done, total;
    costab_margins *margins;
    text notes;
} finder;

/* Reports the number of completed searches. Returns true if the caller ends them. */
static bool is_stopped(void *context) {
    const finder *f = context;
    const costab_margin_options *options = f->options;
    return options->progress != NULL && options->progress(options->progress_context, f->done - 1, f->total);
}

/* Starts one of f->total searches. Returns COSTAB_CANCELLED on request. */
static costab_status begin_search(finder *f, costab_error *error) {
    f->done++;
    if (is_stopped(f)) return error_set(error, COSTAB_CANCELLED, "the search for margins was cancelled");
    return COSTAB_OK;
}

/* ---- Rows ---- */

/* Appends an empty row for the quantity of f->quantity. *row is borrowed until the next call. */
static costab_status add_row(finder *f, int side, costab_margin **row, costab_error *error) {
    costab_margins *margins = f->margins;
    const margin_quantity *quantity = &f->quantity;
    TRY(memory_reserve(&margins->rows, &margins->capacity, margins->count + 1, error));
    *row = &margins->rows[margins->count++];
    **row = (costab_margin){.kind = quantity->kind,
                            .coupling = quantity->coupling,
                            .nominal = quantity->nominal,
                            .side = side,
                            .value = (double)NAN,
                            .factor = (double)NAN,
                            .class_code = f->code,
                            .frequency = (double)NAN,
                            .growth = (double)NAN,
                            .blame = -1,
                            .share = (double)NAN,
                            .undecided = {(double)NAN, (double)NAN}};
    if (quantity->kind == COSTAB_MARGIN_PARAMETER) {
        (void)snprintf((*row)->name, COSTAB_MARGIN_NAME_MAX, "%s",
                       f->variant.model->parameters[quantity->number].name);
        return COSTAB_OK;
    }
    if (quantity->network.connection_count == 0) return COSTAB_OK;
    char label[COSTAB_MARGIN_NAME_MAX - 8];
    costab_connection_label(&quantity->network, quantity->number, label, sizeof label);
    (void)snprintf((*row)->name, COSTAB_MARGIN_NAME_MAX, "%s %s",
                   quantity->kind == COSTAB_MARGIN_DELAY ? "delay" : "gain", label);
    return COSTAB_OK;
}

/* Searches the quantity of f->quantity on one side, -1 or 1, and adds its row. */
static costab_status find_side(finder *f, int side, costab_error *error) {
    margin_change change;
    costab_margin *row = NULL;
    TRY(margin_find_change(&f->quantity, side, f->code, &change, error));
    TRY(add_row(f, side, &row, error));
    memcpy(row->undecided, change.undecided, sizeof row->undecided);
    row->why = change.why;
    if (!isnan(row->undecided[0]))
        text_printf(&f->notes, "%s: %s: %.10g to %.10g is undecided, %s\n",
                    f->variant.couplings[row->coupling].name, row->name, row->undecided[0], row->undecided[1],
                    analysis_reason_words(row->why));
    if (!change.found && !isnan(change.tried))
        text_printf(&f->notes, "%s: %s: %s value that was tried is %.4g\n",
                    f->variant.couplings[row->coupling].name, row->name,
                    side < 0 ? "the lowest" : "the largest", change.tried);
    if (!change.found) return COSTAB_OK;
    row->value = change.value;
    if (f->quantity.nominal != 0) row->factor = change.value / f->quantity.nominal;
    return margin_fill_change(&f->quantity, &change, f->code, row, error);
}

/* ---- Stability radii and disk margins ---- */

/* Converts an angle in radians per period of the map to Hz. */
static double hertz(const finder *f, const costab_coupling *coupling, double turn) {
    return turn / (2 * acos(-1) * coupling->macro_step * (double)f->period);
}

/* Adds the row of a radius (side 0), or of one side of a disk margin alpha = value. The factor of the
 * latter is the end of the stable gains: (2 - alpha)/(2 + alpha) below, (2 + alpha)/(2 - alpha) above
 * (costab_loop). */
static costab_status add_radius(finder *f, costab_margin_kind kind, int side, const char *name, double value,
                                double frequency, costab_error *error) {
    costab_margin *row = NULL;
    f->quantity.kind = COSTAB_MARGIN_CONNECTION;
    f->quantity.number = 0;
    TRY(add_row(f, side, &row, error));
    row->kind = kind;
    row->nominal = (double)NAN;
    row->value = value;
    row->frequency = frequency;
    (void)snprintf(row->name, sizeof row->name, "%s", name);
    if (side != 0 && value < 2)
        row->factor = side > 0 ? (2 + value) / (2 - value) : (2 - value) / (2 + value);
    return COSTAB_OK;
}

/* Computes the stability radius of the nominal map, in the states' own units and scaled by powers of 2
 * (stability_radius); NaN if the map is complex or has non-finite entries. The network is rewritten with a
 * separate output per connection (network/by_connection.h), so the radius is independent of the sharing of
 * outputs. */
static costab_status find_map_radius(finder *f, const costab_coupling *coupling, costab_error *error) {
    costab_family_point point = {.turn = 0};
    ends_by(by_connection_destroy) by_connection *split = NULL;
    TRY(by_connection_create(costab_model_instance_network(f->quantity.family.instance), &split, error));
    TRY(network_family_point(f->quantity.family.work, &split->network, coupling, COSTAB_FAMILY_MAP, &point,
                             error));
    for (int scaled = 0; scaled < 2; scaled++) {
        double radius = (double)NAN, turn = (double)NAN, sum = 0;
        size_t cells = (size_t)point.map.size * (size_t)point.map.size;
        for (size_t e = 0; e < cells; e++) sum += 0 * point.map.entries[e]; /* NaN if one is not finite */
        if (sum == 0 && point.map.imaginary == NULL)
            TRY(stability_radius(point.map.size, point.map.entries, scaled == 1, &radius, &turn, error));
        TRY(add_radius(f, COSTAB_MARGIN_RADIUS, 0, scaled == 1 ? "scaled map" : "map", radius,
                       hertz(f, coupling, turn), error));
    }
    return COSTAB_OK;
}

static void note_unresolved(finder *f, const char *label, const char *what, double value, double above) {
    if (isnan(value))
        text_printf(&f->notes, "%s: %s: the %s cannot be resolved, only that it is above %.4g\n",
                    f->variant.couplings[f->quantity.coupling].name, label, what, above);
}

/* Computes radius and disk margin of connection c. */
static costab_status find_loop(finder *f, const costab_coupling *coupling, int c, costab_error *error) {
    char label[COSTAB_MARGIN_NAME_MAX];
    costab_loop loop;
    f->quantity.kind = COSTAB_MARGIN_CONNECTION;
    f->quantity.number = c;
    costab_family family = margin_quantity_family(&f->quantity);
    costab_connection_label(&f->quantity.network, c, label, sizeof label);
    costab_status status = loop_find(&family, &loop, error);
    /* Restore the gain, scaled by the search in the quantity's copy of the connections. */
    f->quantity.connections[c] = costab_model_instance_network(f->quantity.family.instance)->connections[c];
    if (!status && (f->code & COSTAB_DISCRETE_STABLE) != 0) {
        note_unresolved(f, label, "radius", loop.radius, loop.above);
        note_unresolved(f, label, "disk margin", loop.disk, 2 * loop.above / (2 + loop.above));
    }
    if (!status)
        status = add_radius(f, COSTAB_MARGIN_RADIUS, 0, label, loop.radius,
                            hertz(f, coupling, loop.radius_turn), error);
    for (int side = -1; side <= 1 && !status; side += 2)
        status = add_radius(f, COSTAB_MARGIN_DISK, side, label, loop.disk, hertz(f, coupling, loop.disk_turn),
                            error);
    return status;
}

static costab_status find_radii(finder *f, const costab_coupling *coupling, costab_error *error) {
    const int count = costab_model_instance_network(f->quantity.family.instance)->connection_count;
    f->quantity.kind = COSTAB_MARGIN_CONNECTION;
    costab_status status = margin_quantity_begin(&f->quantity, error);
    if (!status) status = begin_search(f, error);
    if (!status) status = find_map_radius(f, coupling, error);
    for (int c = 0; c < count && !status; c++) {
        status = begin_search(f, error);
        if (!status) status = find_loop(f, coupling, c, error);
    }
    return margin_quantity_end(&f->quantity, status, error);
}

/* ---- Quantities ---- */

/* Notes that a margin is that of the tried values, if the model is defined between them. */
static costab_status note_values(finder *f, costab_error *error) {
    const costab_model_instance *instance = f->quantity.family.instance;
    const costab_network *network = costab_model_instance_network(instance);
    const bool samples = network_is_sampled_data(network);
    bool values;
    if (costab_model_instance_counts(instance, f->quantity.number) ||
        (!samples && analysis_family_coupling(&f->quantity.family).micro_steps != COSTAB_CLOCKS))
        return COSTAB_OK;
    TRY(margin_quantity_has_values(&f->quantity, &values, error));
    if (values)
        text_printf(&f->notes, "%s: only values at which %s were tried\n",
                    f->variant.model->parameters[f->quantity.number].name,
                    samples ? "macro step and sample time are whole multiples of one another"
                            : "macro step over micro step is a ratio of small whole numbers");
    return COSTAB_OK;
}

/* Searches the quantity of f->quantity on both sides; a delay only upwards. */
static costab_status find_both(finder *f, costab_error *error) {
    bool continuous = true;
    TRY(begin_search(f, error));
    costab_status status = margin_quantity_begin(&f->quantity, error);
    if (!status && f->quantity.kind == COSTAB_MARGIN_PARAMETER) {
        status = margin_quantity_is_continuous(&f->quantity, &continuous, error);
        if (!continuous && f->quantity.coupling == 0)
            text_printf(
                &f->notes,
                "%s is skipped: it is a delay in seconds, a whole number is computed from it, or the values next to it cannot be analysed\n",
                f->variant.model->parameters[f->quantity.number].name);
        if (!status && continuous && f->quantity.coupling == 0) status = note_values(f, error);
    }
    bool delay = f->quantity.kind == COSTAB_MARGIN_DELAY;
    if (!status && continuous && !delay) status = find_side(f, -1, error);
    if (!status && continuous) status = find_side(f, 1, error);
    if (!status && f->quantity.compared > 0 && f->quantity.kind == COSTAB_MARGIN_PARAMETER)
        text_printf(&f->notes,
                    "%s: %s: numbers without a formula (solved operating points, FMUs) were sampled at %zu "
                    "values of each stretch; a change between two of these may be missed\n",
                    f->variant.couplings[f->quantity.coupling].name,
                    f->variant.model->parameters[f->quantity.number].name, f->quantity.compared);
    return margin_quantity_end(&f->quantity, status, error);
}

static costab_status find_quantities(finder *f, costab_error *error) {
    const costab_network *network = costab_model_instance_network(f->quantity.family.instance);
    f->quantity.kind = COSTAB_MARGIN_PARAMETER;
    for (int p = 0; p < f->parameter_count; p++) {
        f->quantity.number = f->parameters[p];
        TRY(find_both(f, error));
    }
    for (int c = 0; f->options->connections && c < network->connection_count; c++) {
        f->quantity.number = c;
        f->quantity.kind = COSTAB_MARGIN_CONNECTION;
        TRY(find_both(f, error));
        f->quantity.kind = COSTAB_MARGIN_DELAY;
        TRY(find_both(f, error));
    }
    return COSTAB_OK;
}

static bool wants_radii(const costab_margin_options *options) {
    return options->parameter_count == 0 || options->connections;
}

static costab_status find_coupling(finder *f, int c, costab_error *error) {
    const costab_network *network = costab_model_instance_network(f->quantity.family.instance);
    costab_coupling coupling;
    if (analysis_is_sampled(network))
        return error_invalid(error,
                             "a subsystem is an FMU for co-simulation: only its measured map is known, so "
                             "a complete search is impossible; take limit");
    f->quantity.coupling = c;
    f->quantity.family =
        analysis_variant_family(&f->variant, f->quantity.family.instance, f->quantity.family.work, c);
    TRY(analysis_variant_fitting(&f->variant, f->quantity.family.instance, c, &coupling, error));
    costab_network_point point;
    TRY(costab_network_analyse(f->quantity.family.work, network, &coupling, &point, error));
    f->code = point.class_code;
    f->period = point.period;
    TRY(find_quantities(f, error));
    return wants_radii(f->options) ? find_radii(f, &coupling, error) : COSTAB_OK;
}

/* ---- The search ---- */

static costab_status choose_parameters(finder *f, costab_error *error) {
    const costab_model *model = f->variant.model;
    int asked = f->options->parameter_count;
    f->parameter_count = asked > 0 ? asked : model->parameter_count;
    TRY(memory_make(&f->parameters, (size_t)f->parameter_count + 1, error));
    for (int p = 0; p < f->parameter_count; p++) {
        f->parameters[p] = p;
        if (asked == 0) continue;
        TRY(costab_model_find_parameter(model, f->options->parameters[p], &f->parameters[p], error));
    }
    return COSTAB_OK;
}

costab_status costab_margins_find(const costab_variant *variant, const costab_margin_options *options,
                                  costab_margins *margins, costab_error *error) {
    finder f = {.options = options, .margins = margins};
    *margins = (costab_margins){.count = 0};
    costab_status status = analysis_variant_make(&f.variant, variant, error);
    f.quantity.variant = &f.variant;
    f.quantity.stop = is_stopped;
    f.quantity.stop_context = &f;
    if (!status) status = choose_parameters(&f, error);
    analysis_family *family = &f.quantity.family;
    if (!status) status = analysis_variant_instance(&f.variant, &family->instance, error);
    if (!status) status = costab_network_work_create(&family->work, error);
    const bool sampled =
        !status && analysis_is_sampled(costab_model_instance_network(f.quantity.family.instance));
    if (!status && !sampled) status = margin_quantity_make_crew(&f.quantity, options->threads, error);
    if (!status) {
        size_t connections =
            (size_t)costab_model_instance_network(f.quantity.family.instance)->connection_count;
        size_t each = (size_t)f.parameter_count + (options->connections ? 2 * connections : 0) +
                      (wants_radii(options) ? 1 + connections : 0);
        f.total = (size_t)f.variant.coupling_count * each;
    }
    for (int c = 0; c < f.variant.coupling_count && !status; c++) status = find_coupling(&f, c, error);
    if (!status && f.notes.failed) status = error_memory(error);
    if (!status && f.notes.data != NULL) margins->notes = memory_copy(f.notes.data);
    if (!status && f.notes.data != NULL && margins->notes == NULL) status = error_memory(error);
    text_free(&f.notes);
    memory_free(f.parameters);
    analysis_crew_free(&f.quantity.crew);
    memory_free(f.quantity.others);
    costab_network_work_destroy(&f.quantity.family.work);
    costab_model_instance_destroy(&f.quantity.family.instance);
    analysis_variant_free(&f.variant);
    return status;
}

void costab_margins_free(costab_margins *margins) {
    for (size_t i = 0; i < margins->count; i++) memory_free(margins->rows[i].shares);
    memory_free_all(margins->rows, margins->notes);
    *margins = (costab_margins){.count = 0};
}
