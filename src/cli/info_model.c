/* costab info of a model: its subsystems, connections, parameters, methods and couplings, as one table each.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/network.h"
#include "cli/table.h"
#include "costab/modes.h"

static costab_status put_names(const costab_network *network, int s, costab_signal_kind kind, int count,
                               costab_error *error) {
    memory_local char(*made)[COSTAB_SIGNAL_NAME_MAX] = NULL;
    memory_local_array(const char *, names, (size_t)count + 1, error);
    TRY(memory_make(&made, (size_t)count + 1, error));
    for (int i = 0; i < count; i++) names[i] = costab_signal_name(network, s, kind, i, made[i]);
    table_names(names, count);
    return COSTAB_OK;
}

static costab_status put_subsystems(const costab_network *network, costab_error *error) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        table_text(of->name);
        TRY(put_names(network, s, COSTAB_SIGNAL_STATE, of->states, error));
        TRY(put_names(network, s, COSTAB_SIGNAL_INPUT, of->inputs, error));
        TRY(put_names(network, s, COSTAB_SIGNAL_OUTPUT, of->outputs, error));
        table_text(of->method.name);
        table_number(of->stride > 1 ? of->stride : 1);
        table_maybe(of->substeps > 0 ? of->substeps : (double)NAN);
        table_maybe(of->substeps > 0 ? (double)NAN : of->step);
    }
    return COSTAB_OK;
}

/* Its tableau, row by row; of a method that is no Runge-Kutta method there is none. */
static void put_method(const costab_method *method) {
    double A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX];
    int stages = method->kind == COSTAB_RUNGE_KUTTA ? method->stages : 0;
    size_t count = 0;
    for (int i = 0; i < stages; i++)
        for (int j = 0; j < stages; j++) A[count++] = method->A[i][j];
    table_text(method->name);
    table_numbers(method->order, method->stages);
    table_yes(method->implicit);
    table_series(A, count);
    table_series(method->b, (size_t)stages);
    table_series(method->c, (size_t)stages);
}

/* Each method once. */
static void put_methods(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_method *method = &network->subsystems[s].method;
        bool known = method->kind == COSTAB_SAMPLED; /* an FMU's own steps */
        for (int k = 0; k < s && !known; k++)
            known = strcmp(network->subsystems[k].method.name, method->name) == 0;
        if (!known) put_method(method);
    }
}

/* a0, a1, b0, b1; empty where the extrapolation is not by weights of one's own. */
static void put_weights(const costab_extrapolation *of) {
    const double weights[] = {of->a0, of->a1, of->b0, of->b1};
    int count = of->hold == COSTAB_TUNED ? 2 : of->hold == COSTAB_TUNED_2 ? 4 : 0;
    for (int i = 0; i < 4; i++) table_maybe(i < count ? weights[i] : (double)NAN);
}

static void put_connections(const costab_network *network) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *of = &network->connections[c];
        char label[2 * COSTAB_SIGNAL_NAME_MAX + 200];
        costab_connection_label(network, c, label, sizeof label);
        table_text(label);
        table_number(of->gain);
        table_number(of->delay);
        table_number(of->delay_time);
        table_text(of->extrapolates ? costab_hold_name(of->extrapolation.hold) : "");
        put_weights(&of->extrapolation);
    }
}

/* The subsystems in gauss-seidel's order. */
static costab_status put_order(const costab_network *network, const costab_coupling *coupling,
                               costab_error *error) {
    const int count = coupling->scheme == COSTAB_GAUSS_SEIDEL ? network->subsystem_count : 0;
    memory_local_array(const char *, names, (size_t)count + 1, error);
    for (int i = 0; i < count; i++)
        names[i] = network->subsystems[coupling->order != NULL ? coupling->order[i] : i].name;
    table_names(names, count);
    return COSTAB_OK;
}

static costab_status put_couplings(const cli_network *network, costab_error *error) {
    for (int c = 0; c < network->coupling_count; c++) {
        costab_coupling coupling;
        TRY(cli_network_coupling(network, c, &coupling, error));
        table_text(network->couplings[c].name);
        table_number(coupling.macro_step);
        table_text(costab_coupling_scheme_name(coupling.scheme));
        table_text(costab_hold_name(coupling.extrapolation));
        table_text(costab_hold_name(coupling.interpolation));
        table_text(costab_feedthrough_name(coupling.feedthrough));
        table_text(costab_micro_steps_name(coupling.micro_steps));
        table_maybe(coupling.iterations > 0 ? coupling.iterations : (double)NAN);
        table_yes(coupling.iterations == COSTAB_NEWTON);
        table_yes(coupling.smoothed);
        table_text(coupling.scheme == COSTAB_JACOBI ? "" : costab_hold_name(coupling.predictor));
        table_maybe(coupling.relaxation > 0 ? coupling.relaxation : (double)NAN);
        table_maybe(coupling.area_correction != 0 ? coupling.area_correction : (double)NAN);
        put_weights(&(costab_extrapolation){coupling.extrapolation, coupling.a0, coupling.a1, coupling.b0,
                                            coupling.b1});
        TRY(put_order(costab_model_instance_network(network->instance), &coupling, error));
    }
    return COSTAB_OK;
}

/* Label and unit of a parameter or a signal. */
static void put_words(const costab_model_words *words) {
    table_text(words != NULL && words->label != NULL ? words->label : "");
    table_text(words != NULL && words->unit != NULL ? words->unit : "");
}

/* The signals that have a label or a unit; as "motor.angle", which no parameter is called. */
static void put_signals(const costab_model *model) {
    for (int i = 0; i < model->words_count; i++) {
        if (strchr(model->words[i].name, '.') == NULL) continue;
        table_text(model->words[i].name);
        put_words(&model->words[i]);
    }
}

static costab_status put_model(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    const costab_network *of = costab_model_instance_network(network->instance);
    table_begin(arguments, "subsystem,states,inputs,outputs,method,stride,substeps,step");
    TRY(put_subsystems(of, error));
    table_again("connection,gain,delay,delay_time,extrapolation,a0,a1,b0,b1");
    put_connections(of);
    table_again("parameter,value,label,unit");
    for (int p = 0; p < network->model->parameter_count; p++) {
        table_text(network->model->parameters[p].name);
        table_number(costab_model_instance_value(network->instance, p));
        put_words(costab_model_find_words(network->model, network->model->parameters[p].name));
    }
    table_again("signal,label,unit");
    put_signals(network->model);
    table_again("method,order,stages,implicit,A,b,c");
    put_methods(of);
    table_again("coupling,macro_step,scheme,extrapolation,interpolation,feedthrough,micro_steps,"
                "iterations,newton,smoothed,predictor,relaxation,area_correction,a0,a1,b0,b1,order");
    costab_status status = put_couplings(network, error);
    table_say("How it behaves at these numbers: costab map %s", cli_word(arguments->operands[0]));
    return status ? status : table_end(error);
}

costab_status cli_info_model(const cli_arguments *arguments, costab_error *error) {
    return cli_network_with(put_model, true, arguments, error);
}
