/* costab info of a model: its subsystems, connections, parameters, methods and couplings, as one table each.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/network.h"
#include "cli/table.h"
#include "costab/modes.h"

static costab_status put_names(cli_table *table, const costab_network *network, int s,
                               costab_signal_kind kind, int count, costab_error *error) {
    const char **names = memory_alloc((size_t)count + 1, sizeof *names);
    char(*made)[COSTAB_SIGNAL_NAME_MAX] = memory_alloc((size_t)count + 1, sizeof *made);
    costab_status status = names == NULL || made == NULL ? error_memory(error) : COSTAB_OK;
    for (int i = 0; i < count && !status; i++) names[i] = costab_signal_name(network, s, kind, i, made[i]);
    if (!status) status = cli_table_names(table, names, count, error);
    memory_free_all(names, made);
    return status;
}

static costab_status put_subsystems(cli_table *table, const costab_network *network, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int s = 0; s < network->subsystem_count && !status; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        cli_table_text(table, of->name);
        status = put_names(table, network, s, COSTAB_SIGNAL_STATE, of->states, error);
        if (!status) status = put_names(table, network, s, COSTAB_SIGNAL_INPUT, of->inputs, error);
        if (!status) status = put_names(table, network, s, COSTAB_SIGNAL_OUTPUT, of->outputs, error);
        if (status) break;
        cli_table_text(table, of->method.name);
        cli_table_number(table, of->stride > 1 ? of->stride : 1);
        cli_table_maybe(table, of->substeps > 0 ? of->substeps : (double)NAN);
        cli_table_maybe(table, of->substeps > 0 ? (double)NAN : of->step);
    }
    return status;
}

/* Its tableau, row by row; of a method that is no Runge-Kutta method there is none. */
static costab_status put_method(cli_table *table, const costab_method *method, costab_error *error) {
    double A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX];
    int stages = method->kind == COSTAB_RUNGE_KUTTA ? method->stages : 0;
    size_t count = 0;
    for (int i = 0; i < stages; i++)
        for (int j = 0; j < stages; j++) A[count++] = method->A[i][j];
    cli_table_text(table, method->name);
    cli_table_numbers(table, method->order, method->stages);
    cli_table_text(table, method->implicit ? "yes" : "no");
    costab_status status = cli_table_series(table, A, count, error);
    if (!status) status = cli_table_series(table, method->b, (size_t)stages, error);
    if (!status) status = cli_table_series(table, method->c, (size_t)stages, error);
    return status;
}

/* Each method once. */
static costab_status put_methods(cli_table *table, const costab_network *network, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int s = 0; s < network->subsystem_count && !status; s++) {
        const costab_method *method = &network->subsystems[s].method;
        bool known = method->kind == COSTAB_SAMPLED; /* an FMU's own steps */
        for (int k = 0; k < s && !known; k++)
            known = strcmp(network->subsystems[k].method.name, method->name) == 0;
        if (!known) status = put_method(table, method, error);
    }
    return status;
}

/* a0, a1, b0, b1; empty where the extrapolation is not by weights of one's own. */
static void put_weights(cli_table *table, const costab_extrapolation *of) {
    const double weights[] = {of->a0, of->a1, of->b0, of->b1};
    int count = of->hold == COSTAB_TUNED ? 2 : of->hold == COSTAB_TUNED_2 ? 4 : 0;
    for (int i = 0; i < 4; i++) cli_table_maybe(table, i < count ? weights[i] : (double)NAN);
}

static void put_connections(cli_table *table, const costab_network *network) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *of = &network->connections[c];
        char label[2 * COSTAB_SIGNAL_NAME_MAX + 200];
        costab_connection_label(network, c, label, sizeof label);
        cli_table_text(table, label);
        cli_table_number(table, of->gain);
        cli_table_number(table, of->delay);
        cli_table_number(table, of->delay_time);
        cli_table_text(table, of->extrapolates ? costab_hold_name(of->extrapolation.hold) : "");
        put_weights(table, &of->extrapolation);
    }
}

/* The subsystems in gauss-seidel's order. */
static costab_status put_order(cli_table *table, const costab_network *network,
                               const costab_coupling *coupling, costab_error *error) {
    const int count = coupling->scheme == COSTAB_GAUSS_SEIDEL ? network->subsystem_count : 0;
    const char **names = memory_alloc((size_t)count + 1, sizeof *names);
    if (names == NULL) return error_memory(error);
    for (int i = 0; i < count; i++)
        names[i] = network->subsystems[coupling->order != NULL ? coupling->order[i] : i].name;
    costab_status status = cli_table_names(table, names, count, error);
    memory_free(names);
    return status;
}

static costab_status put_couplings(cli_table *table, const cli_network *network, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int c = 0; c < network->coupling_count && !status; c++) {
        costab_coupling coupling;
        status = cli_network_coupling(network, c, &coupling, error);
        if (status) break;
        cli_table_text(table, network->couplings[c].name);
        cli_table_number(table, coupling.macro_step);
        cli_table_text(table, costab_coupling_scheme_name(coupling.scheme));
        cli_table_text(table, costab_hold_name(coupling.extrapolation));
        cli_table_text(table, costab_hold_name(coupling.interpolation));
        cli_table_text(table, costab_feedthrough_name(coupling.feedthrough));
        cli_table_text(table, costab_micro_steps_name(coupling.micro_steps));
        cli_table_maybe(table, coupling.iterations > 0 ? coupling.iterations : (double)NAN);
        cli_table_text(table, coupling.iterations == COSTAB_NEWTON ? "yes" : "no");
        cli_table_text(table, coupling.smoothed ? "yes" : "no");
        cli_table_text(table, coupling.scheme == COSTAB_JACOBI ? "" : costab_hold_name(coupling.predictor));
        cli_table_maybe(table, coupling.relaxation > 0 ? coupling.relaxation : (double)NAN);
        cli_table_maybe(table, coupling.area_correction > 0 ? coupling.area_correction : (double)NAN);
        put_weights(table, &(costab_extrapolation){coupling.extrapolation, coupling.a0, coupling.a1,
                                                   coupling.b0, coupling.b1});
        status = put_order(table, costab_model_instance_network(network->instance), &coupling, error);
    }
    return status;
}

/* Label and unit of a parameter or a signal. */
static void put_words(cli_table *table, const costab_model_words *words) {
    cli_table_text(table, words != NULL && words->label != NULL ? words->label : "");
    cli_table_text(table, words != NULL && words->unit != NULL ? words->unit : "");
}

/* The signals that have a label or a unit; as "motor.angle", which no parameter is called. */
static void put_signals(cli_table *table, const costab_model *model) {
    for (int i = 0; i < model->words_count; i++) {
        if (strchr(model->words[i].name, '.') == NULL) continue;
        cli_table_text(table, model->words[i].name);
        put_words(table, &model->words[i]);
    }
}

static costab_status put_model(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    const costab_network *of = costab_model_instance_network(network->instance);
    cli_table table;
    costab_status status = cli_table_begin(
        &table, arguments, "subsystem,states,inputs,outputs,method,stride,substeps,step", error);
    if (!status) status = put_subsystems(&table, of, error);
    if (status) return status;
    cli_table_again(&table, "connection,gain,delay,delay_time,extrapolation,a0,a1,b0,b1");
    put_connections(&table, of);
    cli_table_again(&table, "parameter,value,label,unit");
    for (int p = 0; p < network->model->parameter_count; p++) {
        cli_table_text(&table, network->model->parameters[p].name);
        cli_table_number(&table, costab_model_instance_value(network->instance, p));
        put_words(&table, costab_model_find_words(network->model, network->model->parameters[p].name));
    }
    cli_table_again(&table, "signal,label,unit");
    put_signals(&table, network->model);
    cli_table_again(&table, "method,order,stages,implicit,A,b,c");
    status = put_methods(&table, of, error);
    if (status) return status;
    cli_table_again(&table,
                    "coupling,macro_step,scheme,extrapolation,interpolation,feedthrough,micro_steps,"
                    "iterations,newton,smoothed,predictor,relaxation,area_correction,a0,a1,b0,b1,order");
    status = put_couplings(&table, network, error);
    cli_table_say(&table, "How it behaves at these numbers: costab map %s", cli_word(arguments->operands[0]));
    return status ? status : cli_table_end(&table, error);
}

costab_status cli_info_model(const cli_arguments *arguments, costab_error *error) {
    return cli_network_with(put_model, arguments, error);
}
