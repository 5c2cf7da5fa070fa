/* Finds delays in seconds that are not multiples of the macro step. The co-simulation rounds such a delay up
 * to an integer number of macro steps, so its map belongs to a longer delay.
 * 1. Nominal: delay and macro step of each connection under each coupling at the variant's parameters.
 * 2. Lists: the same at each value of each list, with the factor of the growth of the delay.
 * 3. Report: one line per connection and macro step. It refers to the value with the largest factor if a list
 *    changes the ratio of delay and macro step, otherwise to the variant's parameters.
 * Cost: one update of the instance per value. Limitation: lists are not combined. */
#include "analysis/delays.h"

#include <math.h>

#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/body.h"
#include "network/exchange.h"

/* A delay under one coupling, and its rounded value. */
typedef struct rounded {
    double delay, step, whole; /* in seconds, seconds, macro steps */
} rounded;

/* A connection under one coupling. */
typedef struct late {
    int connection, coupling;
    rounded nominal, worst, here; /* here: the worst of the current list */
    int list;                     /* the list with `worst`, if a list changes the ratio; otherwise -1 */
    double value, value_here;     /* of its parameter, at `worst` and `here` */
    bool moved;                   /* changed by the current list */
} late;

static double factor(const rounded *r) {
    return r->whole * r->step / r->delay;
}

static rounded look(const costab_model_instance *instance, const analysis_variant *variant, int connection,
                    int coupling) {
    const analysis_named_coupling *choice = &variant->couplings[coupling];
    rounded r = {.delay = costab_model_instance_network(instance)->connections[connection].delay_time,
                 .step = analysis_coupling_at(instance, choice->own, &choice->choices).macro_step};
    r.whole = exchange_whole_delay(r.delay, r.step);
    return r;
}

static bool is_listed(const late *all, size_t count, int connection, const rounded *r) {
    for (size_t i = 0; i < count; i++)
        if (all[i].connection == connection && all[i].nominal.step == r->step) return true;
    return false;
}

/* Lists the delays at the variant's parameters. Returns their number. */
static size_t list_delays(const costab_model_instance *instance, const analysis_variant *variant, late *all) {
    const costab_network *network = costab_model_instance_network(instance);
    size_t count = 0;
    for (int c = 0; c < network->connection_count; c++)
        for (int k = 0; k < variant->coupling_count; k++) {
            rounded r = look(instance, variant, c, k);
            if (!(r.delay > 0 && r.step > 0) || is_listed(all, count, c, &r)) continue;
            all[count++] = (late){.connection = c, .coupling = k, .nominal = r, .worst = r, .list = -1};
        }
    return count;
}

/* Compares an entry with its values at one parameter value. */
static void compare(late *of, const rounded *r, double value) {
    if (!(r->delay > 0 && r->step > 0)) return;
    const double moved = r->delay * of->nominal.step / (of->nominal.delay * r->step) - 1;
    of->moved = of->moved || fabs(moved) > 1e-12;
    if (of->here.delay > 0 && !(factor(r) > factor(&of->here))) return;
    of->here = *r;
    of->value_here = value;
}

/* Compares all entries over one list. */
static void follow(costab_model_instance *instance, const analysis_variant *variant,
                   const parameter_values *lists, int l, late *all, size_t count) {
    const double before = costab_model_instance_value(instance, lists[l].parameter);
    for (size_t i = 0; i < count; i++) {
        all[i].moved = false;
        all[i].here = (rounded){.delay = 0};
    }
    for (size_t v = 0; v < lists[l].count; v++) {
        costab_model_instance_set(instance, lists[l].parameter, lists[l].values[v]);
        if (costab_model_instance_update(instance, NULL) != COSTAB_OK) continue;
        for (size_t i = 0; i < count; i++) {
            const rounded r = look(instance, variant, all[i].connection, all[i].coupling);
            compare(&all[i], &r, lists[l].values[v]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        late *of = &all[i];
        /* The first list that changes the ratio replaces the nominal result. */
        if (!of->moved || (of->list >= 0 && !(factor(&of->here) > factor(&of->worst)))) continue;
        of->list = l;
        of->worst = of->here;
        of->value = of->value_here;
    }
    costab_model_instance_set(instance, lists[l].parameter, before);
}

/* Appends the warning about an entry, if its delay grows. */
static void put_line(const costab_model_instance *instance, const costab_model *model,
                     const parameter_values *lists, const late *of, text *to) {
    const costab_network *network = costab_model_instance_network(instance);
    const costab_connection *c = &network->connections[of->connection];
    char output[COSTAB_SIGNAL_NAME_MAX], input[COSTAB_SIGNAL_NAME_MAX];
    const rounded *r = &of->worst;
    if (!(factor(r) > 1 + 1e-12)) return;
    text_printf(to, "%s%s: warning: connection %s.%s -> %s.%s: ", to->size > 0 ? "\n" : "", model->path,
                network->subsystems[c->from].name,
                costab_signal_name(network, c->from, COSTAB_SIGNAL_OUTPUT, c->output, output),
                network->subsystems[c->to].name,
                costab_signal_name(network, c->to, COSTAB_SIGNAL_INPUT, c->input, input));
    if (of->list >= 0)
        text_printf(to, "at %s = %.10g ", model->parameters[lists[of->list].parameter].name, of->value);
    text_printf(
        to,
        "its delay of %.10g s is rounded up to %.10g s, %.0f macro steps of %.10g s; choose a macro step "
        "that divides it",
        r->delay, r->whole * r->step, r->whole, r->step);
}

static costab_status collect(const analysis_variant *variant, costab_model_instance *instance,
                             const parameter_values *lists, int list_count, text *to, costab_error *error) {
    const costab_network *network = costab_model_instance_network(instance);
    const size_t capacity = (size_t)network->connection_count * (size_t)variant->coupling_count;
    memory_local_array(late, all, capacity + 1, error);
    const size_t count = list_delays(instance, variant, all);
    for (int l = 0; l < list_count && count > 0; l++) follow(instance, variant, lists, l, all, count);
    for (size_t i = 0; i < count; i++) put_line(instance, variant->model, lists, &all[i], to);
    return to->failed ? error_memory(error) : COSTAB_OK;
}

static bool has_seconds(const costab_model *model) {
    for (int c = 0; c < model->body->connection_count; c++)
        if (model->body->connections[c].delay_time >= 0) return true;
    return false;
}

costab_status analysis_warn_of_delays(costab_spec *spec, const costab_variant *asked,
                                      const parameter_values *lists, int count, costab_error *error) {
    ends_by(analysis_variant_free) analysis_variant variant = {.model = asked->model};
    ends_by(costab_model_instance_destroy) costab_model_instance *instance = NULL;
    text_local all = {0};
    if (!has_seconds(asked->model)) return COSTAB_OK;
    TRY(analysis_variant_make(&variant, asked, error));
    variant.time_varying = true;
    /* The command itself reports parameters without a valid instance. */
    if (analysis_variant_instance(&variant, &instance, NULL) != COSTAB_OK) return COSTAB_OK;
    text_append(&all, spec->warnings);
    TRY(collect(&variant, instance, lists, count, &all, error));
    memory_free(spec->warnings);
    spec->warnings = all.data;
    all.data = NULL; /* owned by the spec */
    return COSTAB_OK;
}
