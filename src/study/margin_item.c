/* The quantity that margins are searched over, as one free number of a model.
 *   1. A parameter is set in the instance, and derived ones follow. Of a connection the gain is multiplied
 *      by the number, or that many macro steps of delay are added, in a copy of the connections.
 *   2. The network as a function of the number is a family of maps for the complete search of limits
 *      (costab/proof.h).
 *   3. The search needs a continuous function. Where the model cannot be analysed at values close to the
 *      nominal one, or a delay in seconds changes with the number, single values are tried instead.
 * At the end the parameters have their nominal values again. Not guaranteed: a dependence that begins
 * further from the nominal value than NUDGE is not seen. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "study/margin.h"

/* A parameter is moved by this share, an irrational number, to see what depends on it. */
#define NUDGE 1.4142135623730951e-3

/* ---- Workers ---- */

costab_status margin_item_crew(margin_item *item, int threads, costab_error *error) {
    costab_status status = study_crew_make(item->family.instance, threads, &item->crew, error);
    if (status) return status;
    item->others = memory_alloc((size_t)item->crew.of.size + 1, sizeof *item->others);
    return item->others != NULL ? COSTAB_OK : error_memory(error);
}

/* ---- One quantity ---- */

static costab_status begin_one(margin_item *item, costab_error *error) {
    const costab_network network = costab_study_family_network(&item->family);
    size_t count = (size_t)network.connection_count;
    item->network = network;
    item->connections = memory_alloc(count + 1, sizeof *item->connections);
    if (item->connections == NULL) return error_memory(error);
    if (count > 0) memcpy(item->connections, network.connections, count * sizeof *item->connections);
    item->network.connections = item->connections;
    item->nominal = 0;
    if (item->kind == COSTAB_MARGIN_PARAMETER)
        item->nominal = costab_model_instance_value(item->family.instance, item->number);
    if (item->kind == COSTAB_MARGIN_CONNECTION) item->nominal = 1;
    return COSTAB_OK;
}

costab_status margin_item_begin(margin_item *item, costab_error *error) {
    costab_status status = begin_one(item, error);
    for (int w = 0; w < item->crew.of.size && !status; w++) {
        margin_item *other = &item->others[w];
        *other = (margin_item){.family = item->family,
                               .variant = item->variant,
                               .coupling = item->coupling,
                               .kind = item->kind,
                               .number = item->number};
        other->family.instance = item->crew.workers[w].instance;
        other->family.work = item->crew.workers[w].work;
        item->crew.families[w] = margin_item_family(other);
        status = begin_one(other, error);
    }
    return status;
}

/* The variant's parameters again, a derived one following its expression where it did. */
static costab_status end_one(margin_item *item, costab_error *error) {
    memory_free(item->connections);
    item->connections = NULL;
    if (item->kind != COSTAB_MARGIN_PARAMETER || item->family.instance == NULL || item->variant == NULL)
        return COSTAB_OK;
    costab_model_instance_reset(item->family.instance);
    for (int k = 0; k < item->variant->setting_count; k++)
        costab_model_instance_set(item->family.instance, item->variant->settings[k].parameter,
                                  item->variant->settings[k].value);
    return costab_model_instance_update(item->family.instance, error);
}

costab_status margin_item_end(margin_item *item, costab_status status, costab_error *error) {
    for (int w = -1; w < item->crew.of.size; w++) {
        costab_error at_end;
        costab_status ended = end_one(w < 0 ? item : &item->others[w], &at_end);
        if (!status && ended) status = error_set(error, ended, "%s", at_end.message);
    }
    return status;
}

/* A delay in seconds becomes whole macro steps. */
static void delay_more(costab_connection *connection, double macro_step, double more) {
    double whole = connection->delay;
    if (connection->delay_time > 0) {
        double ratio = connection->delay_time / macro_step, near = round(ratio);
        whole = fabs(ratio - near) <= 1e-12 * ratio ? near : ceil(ratio);
    }
    connection->delay_time = 0;
    connection->delay = (int)fmin(whole + more, COSTAB_DELAY_MAX);
}

costab_status margin_item_at(margin_item *item, double value, const costab_network **network,
                             costab_coupling *coupling, costab_error *error) {
    *network = costab_model_instance_network(item->family.instance);
    if (item->kind == COSTAB_MARGIN_PARAMETER) {
        costab_model_instance_set(item->family.instance, item->number, value);
        costab_status status = costab_model_instance_update(item->family.instance, error);
        if (status) return status;
    }
    *coupling = study_family_coupling(&item->family);
    if (!(coupling->macro_step > 0))
        return error_set(error, COSTAB_INVALID, "the macro step is not positive");
    if (item->family.alone > 0) {
        item->network = costab_study_family_network(&item->family);
        *network = &item->network;
    }
    if (item->kind == COSTAB_MARGIN_PARAMETER) return COSTAB_OK;
    costab_connection *changed = &item->connections[item->number];
    *changed = (*network)->connections[item->number];
    if (item->kind == COSTAB_MARGIN_CONNECTION)
        changed->gain *= value;
    else if (value > 0)
        delay_more(changed, coupling->macro_step, value);
    *network = &item->network;
    return COSTAB_OK;
}

costab_status margin_item_class(margin_item *item, double value, uint8_t *class_code, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_status status = margin_item_at(item, value, &network, &coupling, error);
    return status ? status
                  : costab_network_classify(item->family.work, network, &coupling, class_code, error);
}

/* ---- What can be searched ---- */

/* What is tried of a count beyond its value; of one that adds delay less, as it makes maps larger. */
enum { COUNTS_BEYOND = 1000, DELAYS_BEYOND = 50 };

/* The sum of all delays in macro steps where the item has a value; 0 where the model is not defined. */
static int steps_at(margin_item *item, double value) {
    const costab_network *network;
    costab_coupling coupling;
    costab_error ignored;
    int sum = 0;
    if (margin_item_at(item, value, &network, &coupling, &ignored) != COSTAB_OK) return 0;
    for (int c = 0; c < network->connection_count; c++) sum += network->connections[c].delay;
    return sum;
}

costab_status margin_item_values(margin_item *item, const double range[2], costab_study_values *values,
                                 costab_error *error) {
    costab_study_family family = item->family;
    double kept[2] = {range[0], range[1]};
    family.count = 1;
    family.parameters[0] = item->number;
    *values = (costab_study_values){.denominator = 1};
    if (item->kind != COSTAB_MARGIN_PARAMETER || !(range[1] > 0)) return COSTAB_OK;
    if (costab_model_instance_counts(item->family.instance, item->number)) {
        const bool delays = steps_at(item, item->nominal + 1) != steps_at(item, item->nominal);
        const int beyond = delays ? DELAYS_BEYOND : COUNTS_BEYOND;
        kept[0] = fmax(fmin(floor(range[0]), item->nominal), item->nominal - COUNTS_BEYOND);
        kept[1] = fmin(range[1], item->nominal + beyond);
    }
    return costab_study_values_find(&family, kept, values, error);
}

/* The sum of all delays in seconds, which act in jumps of whole macro steps and what they leave. */
static double delays_of(const costab_network *network) {
    double sum = 0;
    for (int c = 0; c < network->connection_count; c++) sum += network->connections[c].delay_time;
    return sum;
}

/* Whether only single values of the parameter make sense. */
static costab_status has_values(margin_item *item, bool *has, costab_error *error) {
    costab_study_values values;
    double range[2] = {item->nominal / 2, 2 * item->nominal};
    *has = costab_model_instance_counts(item->family.instance, item->number);
    if (*has || !(item->nominal > 0)) return COSTAB_OK;
    costab_status status = margin_item_values(item, range, &values, error);
    *has = values.at != NULL;
    costab_study_values_free(&values);
    return status;
}

costab_status margin_item_smooth(margin_item *item, bool *smooth, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_error ignored;
    uint8_t code;
    costab_status status = has_values(item, smooth, &ignored);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (!status && *smooth) return margin_item_at(item, item->nominal, &network, &coupling, error);
    status = margin_item_at(item, item->nominal, &network, &coupling, error);
    if (status) return status;
    double before = delays_of(network);
    *smooth = false;
    for (int side = -1; side <= 1; side += 2) {
        double nudged = item->nominal == 0 ? side * NUDGE : item->nominal * (1 + side * NUDGE);
        costab_status there = margin_item_at(item, nudged, &network, &coupling, &ignored);
        if (there == COSTAB_MEMORY) return error_memory(error);
        if (there) continue;
        if (delays_of(network) != before) {
            *smooth = false;
            break;
        }
        if (margin_item_class(item, nudged, &code, &ignored) == COSTAB_OK) *smooth = true;
    }
    return margin_item_at(item, item->nominal, &network, &coupling, error);
}

/* ---- As a family ---- */

static costab_status at(void *context, const double *values, unsigned wanted, costab_family_point *point,
                        costab_error *error) {
    margin_item *item = context;
    const costab_network *network;
    costab_coupling coupling;
    costab_status status = margin_item_at(item, values[0], &network, &coupling, error);
    return status ? status
                  : costab_network_family_point(item->family.work, network, &coupling, wanted, point, error);
}

costab_family margin_item_family(margin_item *item) {
    return (costab_family){.at = at, .context = item};
}
