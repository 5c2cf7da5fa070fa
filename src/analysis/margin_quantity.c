/* The quantity of margins, as one free number of a model.
 * 1. A parameter is set in the instance, with its derived parameters. For a connection, its gain is
 *    multiplied by the number, or that many macro steps of delay are added, in a copy of the connections.
 * 2. The network as a function of the number is a family of maps for the complete search of limits
 *    (costab/limit.h).
 * 3. The search needs a continuous function. Counts, and macro steps with micro steps of fixed length or
 *    sample times, are tried at single values instead. Other parameters are skipped if the model cannot be
 *    analysed close to the nominal value, or if a delay in seconds changes with the number.
 * At the end the parameters have their nominal values. Limitation: misses a dependence of delays in seconds
 * that starts further from the nominal value than NUDGE. */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/margin.h"
#include "base/error.h"
#include "base/memory.h"
#include "limit/limit.h"
#include "model/instance.h"
#include "network/exchange.h"
#include "network/network.h"

/* Relative change of a parameter, an irrational number, to detect its effects. */
#define NUDGE 1.4142135623730951e-3

/* ---- Workers ---- */

costab_status margin_quantity_make_crew(margin_quantity *quantity, int threads, costab_error *error) {
    TRY(analysis_crew_make(quantity->family.instance, threads, &quantity->crew, error));
    return memory_make(&quantity->others, (size_t)quantity->crew.of.size + 1, error);
}

/* ---- One quantity ---- */

static costab_status begin_one(margin_quantity *quantity, costab_error *error) {
    const costab_network network = analysis_family_network(&quantity->family);
    size_t count = (size_t)network.connection_count;
    quantity->network = network;
    TRY(memory_make(&quantity->connections, count + 1, error));
    if (count > 0) memcpy(quantity->connections, network.connections, count * sizeof *quantity->connections);
    quantity->network.connections = quantity->connections;
    if (quantity->kind == COSTAB_MARGIN_CONNECTION) quantity->network.gains_version = 0;
    if (quantity->kind == COSTAB_MARGIN_DELAY) quantity->network.structure_version = 0;
    quantity->compared = 0;
    quantity->nominal = 0;
    if (quantity->kind == COSTAB_MARGIN_PARAMETER)
        quantity->nominal = costab_model_instance_value(quantity->family.instance, quantity->number);
    if (quantity->kind == COSTAB_MARGIN_CONNECTION) quantity->nominal = 1;
    return COSTAB_OK;
}

costab_status margin_quantity_begin(margin_quantity *quantity, costab_error *error) {
    TRY(begin_one(quantity, error));
    for (int w = 0; w < quantity->crew.of.size; w++) {
        margin_quantity *other = &quantity->others[w];
        *other = (margin_quantity){.family = quantity->family,
                                   .variant = quantity->variant,
                                   .coupling = quantity->coupling,
                                   .kind = quantity->kind,
                                   .number = quantity->number};
        other->family.instance = quantity->crew.workers[w].instance;
        other->family.work = quantity->crew.workers[w].work;
        quantity->crew.families[w] = margin_quantity_family(other);
        TRY(begin_one(other, error));
    }
    return COSTAB_OK;
}

/* Restores the variant's parameters, including derived ones. */
static costab_status end_one(margin_quantity *quantity, costab_error *error) {
    memory_free(quantity->connections);
    quantity->connections = NULL;
    if (quantity->kind != COSTAB_MARGIN_PARAMETER || quantity->family.instance == NULL ||
        quantity->variant == NULL)
        return COSTAB_OK;
    costab_model_instance_reset(quantity->family.instance);
    for (int k = 0; k < quantity->variant->setting_count; k++)
        costab_model_instance_set(quantity->family.instance, quantity->variant->settings[k].parameter,
                                  quantity->variant->settings[k].value);
    return costab_model_instance_update(quantity->family.instance, error);
}

costab_status margin_quantity_end(margin_quantity *quantity, costab_status status, costab_error *error) {
    for (int w = -1; w < quantity->crew.of.size; w++) {
        costab_error at_end;
        costab_status ended = end_one(w < 0 ? quantity : &quantity->others[w], &at_end);
        if (!status && ended) status = error_set(error, ended, "%s", at_end.message);
    }
    return status;
}

/* Adds delay; a delay in seconds is first converted to macro steps. */
static void delay_more(costab_connection *connection, double macro_step, double more) {
    double whole = connection->delay;
    if (connection->delay_time > 0) whole = exchange_whole_delay(connection->delay_time, macro_step);
    connection->delay_time = 0;
    connection->delay = (int)fmin(whole + more, COSTAB_DELAY_MAX);
}

costab_status margin_quantity_network(margin_quantity *quantity, double value, const costab_network **network,
                                      costab_coupling *coupling, costab_error *error) {
    *network = costab_model_instance_network(quantity->family.instance);
    if (quantity->kind == COSTAB_MARGIN_PARAMETER) {
        costab_model_instance_set(quantity->family.instance, quantity->number, value);
        TRY(costab_model_instance_update(quantity->family.instance, error));
    }
    *coupling = analysis_family_coupling(&quantity->family);
    if (!(coupling->macro_step > 0)) return error_invalid(error, "the macro step is not positive");
    if (quantity->family.alone > 0) {
        quantity->network = analysis_family_network(&quantity->family);
        *network = &quantity->network;
    }
    if (quantity->kind == COSTAB_MARGIN_PARAMETER) return COSTAB_OK;
    costab_connection *changed = &quantity->connections[quantity->number];
    *changed = (*network)->connections[quantity->number];
    if (quantity->kind == COSTAB_MARGIN_CONNECTION)
        changed->gain *= value;
    else if (value > 0)
        delay_more(changed, coupling->macro_step, value);
    *network = &quantity->network;
    return COSTAB_OK;
}

costab_status margin_quantity_class(margin_quantity *quantity, double value, uint8_t *class_code,
                                    costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    TRY(margin_quantity_network(quantity, value, &network, &coupling, error));
    return costab_network_classify(quantity->family.work, network, &coupling, class_code, error);
}

/* ---- Values to be searched ---- */

/* Tried values of a count beyond its nominal value; fewer for delays, which enlarge maps. */
enum { COUNTS_BEYOND = 1000, DELAYS_BEYOND = 50 };
/* Largest factor between the nominal value and tried macro steps that fit sample times. */
enum { PARTS_BEYOND = 100 };
/* Largest number of cuts of a range with too many values. */
enum { CUTS_MAX = 20 };

/* Returns the sum of all delays in macro steps at a value of the quantity; 0 if the model is undefined. */
static int delay_steps_at(margin_quantity *quantity, double value) {
    const costab_network *network;
    costab_coupling coupling;
    costab_error ignored;
    int sum = 0;
    if (margin_quantity_network(quantity, value, &network, &coupling, &ignored) != COSTAB_OK) return 0;
    for (int c = 0; c < network->connection_count; c++) sum += network->connections[c].delay;
    return sum;
}

costab_status margin_quantity_values(margin_quantity *quantity, double range[2], analysis_values *values,
                                     costab_error *error) {
    analysis_family family = quantity->family;
    double kept[2] = {range[0], range[1]};
    family.parameter = quantity->number;
    *values = (analysis_values){.denominator = 1};
    if (quantity->kind != COSTAB_MARGIN_PARAMETER) return COSTAB_OK;
    const bool counts = costab_model_instance_counts(quantity->family.instance, quantity->number);
    if (!counts && !(range[1] > 0)) return COSTAB_OK;
    if (counts) {
        const bool delays =
            delay_steps_at(quantity, quantity->nominal + 1) != delay_steps_at(quantity, quantity->nominal);
        const int beyond = delays ? DELAYS_BEYOND : COUNTS_BEYOND;
        kept[0] = fmax(fmin(floor(range[0]), quantity->nominal), quantity->nominal - COUNTS_BEYOND);
        kept[1] = fmin(range[1], quantity->nominal + beyond);
    }
    if (network_is_sampled_data(costab_model_instance_network(quantity->family.instance))) {
        kept[0] = fmax(kept[0], quantity->nominal / PARTS_BEYOND);
        kept[1] = fmin(kept[1], quantity->nominal * PARTS_BEYOND);
    }
    const double near = fmin(fmax(quantity->nominal, kept[0]), kept[1]);
    costab_status status = analysis_values_find(&family, kept, values, error);
    for (int cut = 0; status == COSTAB_INVALID && kept[0] > 0 && cut < CUTS_MAX; cut++) {
        for (int k = 0; k < 2; k++)
            if (kept[k] != near) kept[k] = sqrt(kept[k] * near);
        status = analysis_values_find(&family, kept, values, error);
    }
    if (!status && values->at != NULL) memcpy(range, kept, sizeof kept);
    return status;
}

/* Returns the sum of all delays in seconds, which act in whole macro steps and a remainder. */
static double delays_of(const costab_network *network) {
    double sum = 0;
    for (int c = 0; c < network->connection_count; c++) sum += network->connections[c].delay_time;
    return sum;
}

costab_status margin_quantity_has_values(margin_quantity *quantity, bool *has, costab_error *error) {
    ends_by(analysis_values_free) analysis_values values = {.at = NULL};
    double range[2] = {quantity->nominal / 2, 2 * quantity->nominal};
    *has = costab_model_instance_counts(quantity->family.instance, quantity->number);
    if (*has || !(quantity->nominal > 0)) return COSTAB_OK;
    TRY(margin_quantity_values(quantity, range, &values, error));
    *has = values.at != NULL;
    return COSTAB_OK;
}

costab_status margin_quantity_is_continuous(margin_quantity *quantity, bool *continuous,
                                            costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_error ignored;
    uint8_t code;
    const costab_model_instance *instance = quantity->family.instance;
    *continuous = false;
    if (costab_model_instance_rounds(instance, quantity->number)) return COSTAB_OK;
    costab_status status = margin_quantity_has_values(quantity, continuous, &ignored);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (!status && *continuous)
        return margin_quantity_network(quantity, quantity->nominal, &network, &coupling, error);
    TRY(margin_quantity_network(quantity, quantity->nominal, &network, &coupling, error));
    double before = delays_of(network);
    *continuous = false;
    for (int side = -1; side <= 1; side += 2) {
        double nudged = quantity->nominal == 0 ? side * NUDGE : quantity->nominal * (1 + side * NUDGE);
        costab_status there = margin_quantity_network(quantity, nudged, &network, &coupling, &ignored);
        if (there == COSTAB_MEMORY) return error_memory(error);
        if (there) continue;
        if (delays_of(network) != before) {
            *continuous = false;
            break;
        }
        if (margin_quantity_class(quantity, nudged, &code, &ignored) == COSTAB_OK) *continuous = true;
    }
    return margin_quantity_network(quantity, quantity->nominal, &network, &coupling, error);
}

/* ---- The family ---- */

static costab_status at(void *context, double value, unsigned wanted, costab_family_point *point,
                        costab_error *error) {
    margin_quantity *quantity = context;
    const costab_network *network;
    costab_coupling coupling;
    TRY(margin_quantity_network(quantity, value, &network, &coupling, error));
    return network_family_point(quantity->family.work, network, &coupling, wanted, point, error);
}

static double stored(void *context, double value) {
    margin_quantity *quantity = context;
    const costab_network *network;
    costab_coupling coupling;
    if (margin_quantity_network(quantity, value, &network, &coupling, NULL) != COSTAB_OK) return 0;
    return network_family_stored(quantity->family.work, network, &coupling);
}

/* For parameters only: gains enter the numbers of the network linearly, and delays are tried one by one. */
static costab_status divide(void *context, const double range[2], struct first_cells *cells,
                            costab_error *error) {
    margin_quantity *quantity = context;
    analysis_family family = quantity->family;
    family.parameter = quantity->number;
    return analysis_family_of(&family).divide(&family, range, cells, error);
}

costab_family margin_quantity_family(margin_quantity *quantity) {
    return (costab_family){.at = at,
                           .context = quantity,
                           .divide = quantity->kind == COSTAB_MARGIN_PARAMETER ? divide : NULL,
                           .stored = stored};
}
