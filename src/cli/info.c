/* costab info: prints the contents of a results file, an FMU, a model (subsystems, connections, parameters,
 * signals, methods and couplings, a table each), a spec of the planar system, or the number of tiles in a
 * checkpoint or a slice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/results.h"
#include "cli/table.h"
#include "costab/fmu.h"
#include "costab/modes.h"
#include "costab/store.h"
#include "costab/study.h"
#include "network/words.h"
#include "study/create.h"
#include "sweep/run.h"

/* ---- Models ---- */

/* Prints the names of a subsystem's signals of one kind in one cell. */
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

/* Prints a method. The tableau is empty for a method that is not a Runge-Kutta method. */
static void put_method(const costab_method *method, bool tableau) {
    double A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX];
    int stages = method->kind == COSTAB_RUNGE_KUTTA ? method->stages : 0;
    size_t count = 0;
    for (int i = 0; i < stages; i++)
        for (int j = 0; j < stages; j++) A[count++] = method->A[i][j];
    table_text(method->name);
    table_numbers(method->order, method->stages);
    table_yes(method->implicit);
    if (!tableau) return;
    table_series(A, count);
    table_series(method->b, (size_t)stages);
    table_series(method->c, (size_t)stages);
}

/* Prints each method once. */
static void put_methods(const costab_network *network, bool tableau) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_method *method = &network->subsystems[s].method;
        bool known = method->kind == COSTAB_SAMPLED; /* an FMU's own steps */
        for (int k = 0; k < s && !known; k++)
            known = strcmp(network->subsystems[k].method.name, method->name) == 0;
        if (!known) put_method(method, tableau);
    }
}

/* Returns how many of a0, a1, b0, b1 an extrapolation uses. */
static int weights_of(costab_hold hold) {
    return hold == COSTAB_TUNED ? 2 : hold == COSTAB_TUNED_2 ? 4 : 0;
}

static void put_weights(const costab_extrapolation *of) {
    const double weights[] = {of->a0, of->a1, of->b0, of->b1};
    for (int i = 0; i < 4; i++) table_maybe(i < weights_of(of->hold) ? weights[i] : (double)NAN);
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
        table_number(of->dead_time);
        table_text(of->extrapolates ? network_hold_words[of->extrapolation.hold] : "");
        put_weights(&of->extrapolation);
    }
}

/* Prints the subsystems in the order of gauss-seidel; nothing for other schemes. */
static costab_status put_order(const costab_network *network, const costab_coupling *coupling,
                               costab_error *error) {
    const int count = coupling->scheme == COSTAB_GAUSS_SEIDEL ? network->subsystem_count : 0;
    memory_local_array(const char *, names, (size_t)count + 1, error);
    for (int i = 0; i < count; i++)
        names[i] = network->subsystems[coupling->order != NULL ? coupling->order[i] : i].name;
    table_names(names, count);
    return COSTAB_OK;
}

/* Prints an option: yes or no for `smoothed`, otherwise a number; empty for 0, except for used weights. */
static void put_number(const costab_coupling *coupling, int option, double value) {
    const int weight = option - COUPLING_OF_a0;
    const bool used = weight >= 0 && weight < weights_of(coupling->extrapolation);
    if (option == COUPLING_OF_smoothed)
        table_yes(value != 0);
    else
        table_maybe(value != 0 || used ? value : (double)NAN);
}

/* Prints all options, in the order of COUPLING_CHOICES. */
static costab_status put_couplings(const cli_network *network, costab_error *error) {
    const costab_network *of = costab_model_instance_network(network->instance);
#define WORD(member, words, count) "," #member
#define NAME(member)               "," #member
    table_again("coupling,newton" COUPLING_CHOICES(WORD, NAME, NAME));
#undef WORD
#undef NAME
    for (int c = 0; c < network->coupling_count; c++) {
        costab_coupling coupling;
        TRY(cli_network_coupling(network, c, &coupling, error));
        const bool newton = coupling.iterations == COSTAB_NEWTON;
        if (newton) coupling.iterations = 0;
        table_text(network->couplings[c].name);
        table_yes(newton);
#define WORD(member, words, count) table_text((words)[coupling.member]);
#define NUMBER(member)             put_number(&coupling, COUPLING_OF_##member, (double)coupling.member);
#define LIST(member)               TRY(put_order(of, &coupling, error));
        COUPLING_CHOICES(WORD, NUMBER, LIST)
#undef WORD
#undef NUMBER
#undef LIST
    }
    return COSTAB_OK;
}

/* Prints label and unit of a parameter or a signal. */
static void put_words(const costab_model_words *words) {
    table_text(words != NULL && words->label != NULL ? words->label : "");
    table_text(words != NULL && words->unit != NULL ? words->unit : "");
}

/* Prints the signals with a label or a unit. Their names have a dot, as in "motor.angle"; names of parameters
 * have none. */
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
    table_again("connection,gain,delay,delay_time,dead_time,extrapolation,a0,a1,b0,b1");
    put_connections(of);
    table_again("parameter,value,label,unit");
    for (int p = 0; p < network->model->parameter_count; p++) {
        table_text(network->model->parameters[p].name);
        table_number(costab_model_instance_value(network->instance, p));
        put_words(costab_model_find_words(network->model, network->model->parameters[p].name));
    }
    table_again("signal,label,unit");
    put_signals(network->model);
    const bool tableau = arguments->format != CLI_TEXT || arguments->verbose;
    table_again(tableau ? "method,order,stages,implicit,A,b,c" : "method,order,stages,implicit");
    put_methods(of, tableau);
    costab_status status = put_couplings(network, error);
    text_local words = {0};
    cli_network_words(arguments, false, &words);
    if (!words.failed) table_say("How it behaves at these numbers: costab map %s", words.data);
    return status ? status : table_end(error);
}

static costab_status cli_info_model(const cli_arguments *arguments, costab_error *error) {
    return cli_network_with(put_model, true, arguments, error);
}

/* ---- Results files ---- */

static const cli_takes info_files = {.kind = CLI_FILE, .words = ".h5 .yaml .yml .fmu .ssp .ssd .xml"};

/* Refuses options that only the tables of a model have. */
static costab_status check_plain(const cli_arguments *arguments, costab_error *error) {
    const char *format = cli_value(arguments, &opt_format_table);
    if (cli_value(arguments, &opt_set) != NULL)
        return error_invalid(error, "--set: '%s' is not a model", arguments->operands[0]);
    if ((format != NULL || arguments->table != NULL) && arguments->format != CLI_TEXT)
        return error_invalid(error, "%s: only a model's contents are tables; those of '%s' are text: give %s",
                             format != NULL ? "--format" : "--output", arguments->operands[0],
                             format != NULL ? "no --format" : "a name that ends in .txt");
    return COSTAB_OK;
}

static void print_axis(const costab_axis *axis) {
    cli_print(stdout, "  %-10s %zu: ", axis->name, axis->count);
    if (axis->labels != NULL)
        for (size_t i = 0; i < axis->count; i++)
            cli_print(stdout, "%s%s", i > 0 ? ", " : "", axis->labels[i]);
    else if (axis->values == NULL) /* of a planned sweep, whose run counts them */
        cli_print(stdout, "numbered");
    else if (axis->count <= 8)
        for (size_t i = 0; i < axis->count; i++)
            cli_print(stdout, "%s%g", i > 0 ? ", " : "", axis->values[i]);
    else
        cli_print(stdout, "%g ... %g", axis->values[0], axis->values[axis->count - 1]);
    cli_print(stdout, "\n");
}

static void print_field(const costab_plan *plan, const costab_field *field) {
    cli_print(stdout, "  %-16s %-7s (", field->name, field->type == COSTAB_U8 ? "uint8" : "float64");
    for (int r = 0; r < field->rank; r++)
        cli_print(stdout, "%s%s", r > 0 ? ", " : "", plan->axes[field->axes[r]].name);
    cli_print(stdout, ")\n");
}

/* Prints how many points of a refined sweep were analysed. */
static costab_status print_computed(const costab_results *results, int field, costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    size_t tiles, points, counts[256];
    TRY(costab_plan_size(plan, &tiles, &points, error));
    TRY(cli_count_codes(results, field, counts, error));
    cli_print(stdout, "\nrefined: %zu of %zu points analysed (%.3g %%), the others filled\n", counts[1],
              points, 100 * (double)counts[1] / (double)points);
    return COSTAB_OK;
}

static void print_plan(const costab_plan *plan) {
    cli_print(stdout, "\naxes\n");
    for (int k = 0; k < plan->axis_count; k++) print_axis(&plan->axes[k]);
    cli_print(stdout, "\nfields\n");
    for (int f = 0; f < plan->field_count; f++) print_field(plan, &plan->fields[f]);
}

/* ---- Specs of the planar system ---- */

static costab_status print_planar(const costab_spec *spec, const cli_arguments *arguments,
                                  costab_error *error) {
    const costab_planar_body *body = &spec->planar;
    ends_by(costab_study_destroy) costab_study *study = NULL;
    size_t tiles, points = 0;
    TRY(check_plain(arguments, error));
    TRY(costab_study_create(spec, &study, error));
    TRY(costab_plan_size(costab_study_plan(study), &tiles, &points, error));
    cli_print(stdout, "title   %s\nsystem  planar\n", spec->title);
    cli_print(stdout, "method  %s, micro steps per macro step: %d", body->method.name, body->substeps[0]);
    if (body->substeps[1] != body->substeps[0]) cli_print(stdout, " and %d", body->substeps[1]);
    cli_print(stdout, "\npoints  %zu\n", points);
    print_plan(costab_study_plan(study));
    cli_print(stdout, "\nto compute it: costab sweep %s\n", cli_word(spec->path));
    return cli_flush(error);
}

/* Prints a model, or a spec of either system. Errors are those of reading a model. */
static costab_status print_spec(const cli_arguments *arguments, costab_error *error) {
    ends_by(costab_spec_destroy) costab_spec *spec = NULL;
    costab_status status = costab_spec_read(arguments->operands[0], &spec, NULL);
    if (!status && spec->system == COSTAB_SYSTEM_PLANAR) return print_planar(spec, arguments, error);
    return cli_info_model(arguments, error);
}

/* ---- FMUs ---- */

static void print_variables(const costab_fmu *fmu, int count, const char *causality, const char *title) {
    bool first = true;
    costab_fmu_variable v;
    for (int i = 0; i < count && costab_fmu_get_variable(fmu, i, &v); i++) {
        text_local name = {0};
        if (causality != NULL ? strcmp(v.causality, causality) != 0 : !v.state) continue;
        text_append_plain(&name, v.name);
        cli_print(stdout, "%s  %s", first ? title : "", name.data != NULL ? name.data : "");
        if (v.size > 1) cli_print(stdout, "[%zu]", v.size);
        if (v.has_start) cli_print(stdout, "  start %.10g", v.start);
        cli_print(stdout, "%s\n",
                  causality != NULL && !v.continuous && v.causality[0] != 'p' ? "  (not continuous)" : "");
        first = false;
    }
}

static costab_status print_fmu(const char *path, const cli_arguments *arguments, costab_error *error) {
    ends_by(costab_fmu_free) costab_fmu *fmu = NULL;
    costab_fmu_info info;
    TRY(check_plain(arguments, error));
    TRY(costab_fmu_read(path, &fmu, error));
    costab_fmu_get_info(fmu, &info);
    text_local name = {0};
    text_append_plain(&name, info.name);
    cli_print(stdout, "model     %s\nFMI       %s\nbinaries  %s\n", name.data != NULL ? name.data : "",
              info.version, info.platforms[0] != '\0' ? info.platforms : "none");
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT; k++)
        if (info.offers[k])
            cli_print(stdout, "kind      %s%s%s%s\n", costab_fmu_kind_name((costab_fmu_kind)k),
                      info.derivatives[k] ? ", gives derivatives" : "",
                      info.keeps_state[k] ? ", its state can be set back" : "",
                      info.runs[k] ? "" : ", without a binary for this machine");
    print_variables(fmu, info.variables, NULL, "\nstates\n");
    print_variables(fmu, info.variables, "input", "\ninputs\n");
    print_variables(fmu, info.variables, "output", "\noutputs\n");
    print_variables(fmu, info.variables, "parameter", "\nparameters\n");
    return cli_flush(error);
}

/* Prints the number of finished tiles (blocks of the grid) in a checkpoint or a slice. */
static costab_status print_checkpoint(const char *path, const cli_arguments *arguments, costab_error *error) {
    costab_checkpoint_state state;
    TRY(check_plain(arguments, error));
    TRY(costab_study_kept(path, &state, error));
    cli_print(stdout, "tiles   %zu of %zu, those of slice %zu of %zu\n", state.done, state.count,
              state.first + 1, state.step);
    return cli_flush(error);
}

static costab_status cli_info(const cli_arguments *arguments, costab_error *error) {
    const char *path = arguments->operands[0];
    ends_by(costab_results_close) costab_results *results = NULL;
    if (file_ends_in(path, ".fmu")) return print_fmu(path, arguments, error);
    if (file_ends_in(path, ".checkpoint") || file_ends_in(path, ".part"))
        return print_checkpoint(path, arguments, error);
    costab_status status = costab_results_open(path, &results, error);
    if (status && (file_ends_in(path, ".yaml") || file_ends_in(path, ".yml") || costab_ssp_is(path)))
        return print_spec(arguments, error);
    if (status) return status;
    TRY(check_plain(arguments, error));
    const costab_plan *plan = costab_results_plan(results);
    cli_print(stdout, "title   %s\nsource  %s\nspec    %s\n", costab_results_title(results),
              costab_results_source(results), costab_results_spec_path(results));
    print_plan(plan);
    for (int f = 0; f < plan->field_count; f++)
        if (strcmp(plan->fields[f].name, "computed") == 0 && plan->fields[f].type == COSTAB_U8 &&
            plan->fields[f].rank == plan->axis_count)
            TRY(print_computed(results, f, error));
    cli_print(stdout, "\nspec text\n%s", costab_results_spec_text(results));
    return cli_flush(error);
}

static const cli_operands operand = {"FILE", 1, 1, &info_files};

const cli_command cli_info_command = {
    .name = "info",
    .operands = &operand,
    .summary = "print what a results file, a model or an FMU holds",
    .details = "Prints title, origin, axes, fields and the spec of a results file; the states, inputs, "
               "outputs and parameters of an FMU; subsystems, connections, "
               "parameters, methods and couplings of a model or a system of FMUs; of a checkpoint or a slice "
               "how many of its tiles are there. No FMU is run.",
    .examples = "costab info chart.h5\n"
                "costab info model.yaml\n"
                "costab info plant.fmu",
    .options = {CLI_TABLE, &opt_set, &opt_no_fmu, CLI_COMMON},
    .run = cli_info,
    .reads = true};
