/* Shared code of the network commands: the model of the operand, the parameters of --set, the requested
 * couplings, and the output of rows into results files. */
#include "cli/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/delays.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/path.h"
#include "cli/results.h"
#include "cli/value.h"
#include "costab/fmu.h"
#include "model/body.h"
#include "model/instance.h"
#include "spec/spec.h"

costab_status cli_couplings(const char *given, cli_names *names, costab_error *error) {
    if (given == NULL || strcmp(given, "all") != 0) {
        TRY(cli_names_read(given, ',', names, error));
        return cli_names_differ(names, &opt_coupling, error);
    }
    TRY(memory_make(&names->of, (size_t)costab_coupling_count(), error));
    for (; names->count < costab_coupling_count(); names->count++)
        names->of[names->count] = costab_coupling_name(names->count);
    return COSTAB_OK;
}

enum { RANGES_MAX = CLI_REPEATS_MAX };

/* Returns the i-th range NAME=LO:HI of a parameter, or NULL after the last. */
static const char *given_range(const cli_arguments *arguments, int i) {
    const cli_option *over = cli_option_named(arguments->command, opt_over.name);
    return over != NULL ? cli_value_at(arguments, over, i) : NULL;
}

/* Finds the parameter and the range of NAME=LO:HI or of a list NAME=X,Y, whose range is from its first value
 * to its last. Returns false for anything else. */
static bool find_range(const cli_network *network, const char *given, int *parameter, double range[2]) {
    memory_local char *name = NULL;
    memory_local double *list = NULL;
    const char *numbers;
    size_t count = 0;
    if (cli_network_range(network, &opt_over, given, parameter, range, NULL) == COSTAB_OK) return true;
    if (!cli_divide(given, &name, &numbers) || name == NULL || !cli_lists_points(numbers) ||
        cli_list_read(&opt_over, numbers, &list, &count, NULL) != COSTAB_OK ||
        costab_model_find_parameter(network->model, name, parameter, NULL) != COSTAB_OK)
        return false;
    range[0] = list[0];
    range[1] = list[count - 1];
    return true;
}

/* Makes the instance. If the model has no numbers at its own values, starts in a range of --over NAME=LO:HI.
 */
static costab_status make_instance(cli_network *network, costab_error *error) {
    const char *given;
    costab_status status = analysis_variant_instance(&network->variant, &network->instance, error);
    for (int k = 0; (given = given_range(network->arguments, k)) != NULL && status == COSTAB_INVALID &&
                    network->instance != NULL;
         k++) {
        int parameter;
        double range[2];
        costab_model_instance *in_range = NULL;
        if (!find_range(network, given, &parameter, range)) continue;
        status = analysis_variant_instance_in(&network->variant, parameter, range, &in_range, NULL, error);
        costab_model_instance_destroy(&network->instance);
        network->instance = in_range;
    }
    return status;
}

costab_status cli_network_reset(cli_network *network, costab_error *error) {
    costab_model_instance_destroy(&network->instance);
    return make_instance(network, error);
}

/* Returns COSTAB_INVALID, without a message, if it is no number in the unit. */
static costab_status read_with_unit(const char *given, size_t size, const char *unit, double *value,
                                    costab_error *error) {
    text_local plain = {0};
    const bool read = cli_without_unit(given, size, unit, &plain);
    if (plain.failed) return error_memory(error);
    return read && number_parse(plain.data, plain.size, value) ? COSTAB_OK : COSTAB_INVALID;
}

/* Returns H of --set, because reading a system of FMUs may need it; 0 if not given. */
static double macro_step_of(const cli_arguments *arguments) {
    const char *given;
    double step = 0;
    for (int i = 0; (given = cli_value_at(arguments, &opt_set, i)) != NULL; i++)
        if (strncmp(given, "H=", 2) == 0)
            (void)read_with_unit(given + 2, strlen(given + 2), "s", &step, NULL);
    return step;
}

/* Reads the model of the command line: a model file, or a system of FMUs. runs: the command simulates only.
 */
static costab_status read_model(const cli_arguments *arguments, bool runs, costab_spec **spec,
                                costab_error *error) {
    const char *path = arguments->operands[0];
    const costab_foreign *foreign = runs ? costab_fmu_foreign_for_runs() : costab_fmu_foreign();
    return costab_ssp_is(path) ? costab_spec_read_system(path, macro_step_of(arguments), foreign, spec, error)
                               : costab_spec_read_with(path, foreign, spec, error);
}

/* Reads LO:HI of a parameter. unit: NULL for a parameter without a unit. Returns COSTAB_INVALID, without a
 * message, if it is not that; what was read is then in *range. */
static costab_status read_range(const char *given, const char *unit, double range[2], costab_error *error) {
    const char *colon = strchr(given, ':');
    if (colon == NULL) return COSTAB_INVALID;
    TRY(read_with_unit(given, (size_t)(colon - given), unit, &range[0], error));
    TRY(read_with_unit(colon + 1, strlen(colon + 1), unit, &range[1], error));
    return range[0] < range[1] ? COSTAB_OK : COSTAB_INVALID;
}

/* range: the numbers that were read; NAN where there was none. */
static costab_status refuse_range(const cli_option *option, const char *given, const char *unit,
                                  const double range[2], costab_error *error) {
    const char *equals = strchr(given, '=');
    text_local more = {0};
    if (range[0] >= range[1])
        return error_invalid(error, "--%s: '%s' is not NAME=LO:HI with LO < HI", option->name, given);
    if (equals != NULL && cli_lists_points(equals + 1))
        text_append(&more, "; a search takes no points X, X,Y or LO:HI:N: costab map --set NAME=X has one, "
                           "costab sweep --axis NAME=LO:HI:N many");
    else if (unit != NULL)
        text_printf(&more, ", as numbers or with the unit: 1%s, 1m%s", unit, unit);
    else if (equals != NULL)
        text_append(&more, ", as numbers; a unit is possible if the model gives the parameter one, as in "
                           "{value: 0.01, unit: s}");
    return error_invalid(error, "--%s: '%s' is not NAME=LO:HI, a range with LO < HI%s", option->name, given,
                         more.failed || more.data == NULL ? "" : more.data);
}

costab_status cli_network_range(const cli_network *network, const cli_option *option, const char *given,
                                int *parameter, double range[2], costab_error *error) {
    memory_local char *name = NULL;
    const char *numbers, *unit = NULL;
    if (given == NULL) return error_invalid(error, "--%s is missing: NAME=LO:HI", option->name);
    const bool divided = cli_divide(given, &name, &numbers);
    if (divided && name == NULL) return error_memory(error);
    if (divided && costab_model_find_parameter(network->model, name, parameter, NULL) == COSTAB_OK)
        unit = costab_model_parameter_unit(network->model, *parameter);
    range[0] = range[1] = NAN;
    const costab_status status = divided ? read_range(numbers, unit, range, error) : COSTAB_INVALID;
    if (status == COSTAB_MEMORY) return status;
    if (status) return refuse_range(option, given, unit, range, error);
    return costab_model_find_parameter(network->model, name, parameter, error);
}

/* Warns if the operating points of the model do not fit the instance's parameters. [out] *warned. `where`
 * NULL: reading the model has warned already. */
static costab_status warn_misfit(const cli_network *network, const char *where, bool *warned,
                                 costab_error *error) {
    char words[COSTAB_MISFIT_MAX];
    TRY(costab_model_instance_misfit(network->instance, words, error));
    *warned = words[0] != '\0';
    if (*warned && where != NULL)
        cli_print(stderr, "%s: warning: at %s: %s\n", network->arguments->operands[0], where, words);
    return COSTAB_OK;
}

/* Like warn_misfit, at both ends of a range; leaves the instance at the last end. */
static costab_status warn_misfit_in_range(const cli_network *network, const char *given, bool *warned,
                                          costab_error *error) {
    int parameter;
    double range[2];
    if (given == NULL || cli_network_range(network, &opt_over, given, &parameter, range, NULL) != COSTAB_OK)
        return COSTAB_OK;
    const double before = costab_model_instance_value(network->instance, parameter);
    for (int end = 0; end < 2 && !*warned; end++) {
        char where[200];
        (void)snprintf(where, sizeof where, "%.100s = %.6g", network->model->parameters[parameter].name,
                       range[end]);
        costab_model_instance_set(network->instance, parameter, range[end]);
        if (costab_model_instance_update(network->instance, NULL) == COSTAB_OK)
            TRY(warn_misfit(network, where, warned, error));
    }
    costab_model_instance_set(network->instance, parameter, before);
    return COSTAB_OK;
}

/* Like warn_misfit, at the parameters of --set and --over. Warns once, because most ranges do not move the
 * points. */
static costab_status warn_misfits(cli_network *network, costab_error *error) {
    const cli_arguments *arguments = network->arguments;
    const bool set = cli_value(arguments, &opt_set) != NULL;
    const char *given = given_range(arguments, 0);
    bool warned = false;
    if ((!set && given == NULL) || !costab_model_instance_gives_points(network->instance)) return COSTAB_OK;
    TRY(warn_misfit(network, set ? "the parameters of --set" : NULL, &warned, error));
    for (int i = 0; !warned && (given = given_range(arguments, i)) != NULL; i++)
        TRY(warn_misfit_in_range(network, given, &warned, error));
    return cli_network_reset(network, error);
}

/* Returns an error if the model does not allow its c-th coupling, with macro steps that are multiples of
 * micro steps. */
static costab_status check_choices(const cli_network *network, int c, costab_error *error) {
    return analysis_variant_takes(&network->variant, network->instance, c, error);
}

/* Leaves out the couplings of --coupling that a check refuses, unless it refuses all. */
static costab_status leave_out(cli_network *network,
                               costab_status (*check)(const cli_network *network, int c, costab_error *error),
                               costab_error *error) {
    cli_names *names = &network->names;
    costab_error first = {.status = COSTAB_OK};
    const char *left_out = NULL;
    int remaining = 0, count = names->count;
    for (int c = 0; c < count; c++) {
        costab_error why = {.status = COSTAB_OK};
        const costab_status status = check(network, c, &why);
        if (status == COSTAB_MEMORY) return error_memory(error);
        if (status && left_out == NULL) {
            left_out = names->of[c];
            first = why;
        }
        if (!status) names->of[remaining++] = names->of[c];
    }
    if (remaining == count) return COSTAB_OK;
    if (remaining == 0) return error_set(error, first.status, "%s", first.message);
    cli_print(stderr, "--coupling: %d of %d are left out, such as %s: %s\n", count - remaining, count,
              left_out, first.message);
    names->count = network->asked.coupling_count = remaining;
    analysis_variant_free(&network->variant);
    TRY(analysis_variant_make(&network->variant, &network->asked, error));
    network->coupling_count = network->variant.coupling_count;
    network->couplings = network->variant.couplings;
    return COSTAB_OK;
}

/* Warns of delays that are rounded up, at the parameters of --set or in the ranges of --over. */
static costab_status warn_of_delays(cli_network *network, costab_error *error) {
    const cli_arguments *arguments = network->arguments;
    const char *given;
    double values[RANGES_MAX][3];
    parameter_values lists[RANGES_MAX];
    const size_t shown = strlen(network->spec->warnings);
    int count = 0;
    for (int k = 0; (given = given_range(arguments, k)) != NULL; k++) {
        int parameter;
        double ends[2];
        if (cli_network_range(network, &opt_over, given, &parameter, ends, NULL) != COSTAB_OK) continue;
        /* The ends and a value between them, which is hardly ever a multiple. */
        double *of = values[count];
        of[0] = ends[0];
        of[1] = ends[0] + 0.6180339887 * (ends[1] - ends[0]);
        of[2] = ends[1];
        lists[count++] = (parameter_values){parameter, of, 3};
    }
    TRY(analysis_warn_of_delays(network->spec, &network->asked, lists, count, error));
    const char *more = network->spec->warnings + shown;
    if (*more != '\0') cli_print(stderr, "%s\n", more + (shown > 0));
    return COSTAB_OK;
}

static costab_status open_model(cli_network *network, bool time_varying, const cli_arguments *arguments,
                                costab_error *error) {
    *network = (cli_network){.arguments = arguments};
    const char *path = arguments->operands[0];
    TRY(read_model(arguments, time_varying, &network->spec, error));
    if (network->spec->system != COSTAB_SYSTEM_NETWORK)
        return error_invalid(
            error, "%s: it is a spec of the planar system; a model of `system: network` is needed", path);
    network->model = network->spec->model;
    if (network->spec->warnings[0] != '\0') cli_print(stderr, "%s\n", network->spec->warnings);
    costab_variant *asked = &network->asked;
    TRY(cli_settings_read(arguments, network->model, &network->settings, error));
    *asked = (costab_variant){
        .model = network->model, .setting_count = network->settings.count, .time_varying = time_varying};
    TRY(cli_couplings(cli_value(arguments, &opt_coupling), &network->names, error));
    asked->settings = network->settings.list;
    asked->couplings = network->names.of;
    asked->coupling_count = network->names.count;
    TRY(analysis_variant_make(&network->variant, asked, error));
    TRY(warn_of_delays(network, error));
    TRY(make_instance(network, error));
    TRY(warn_misfits(network, error));
    network->coupling_count = network->variant.coupling_count;
    network->couplings = network->variant.couplings;
    const char *couplings = cli_value(arguments, &opt_coupling);
    if (couplings != NULL && strcmp(couplings, "all") == 0) TRY(leave_out(network, check_choices, error));
    return costab_network_work_create(&network->work, error);
}

static void close_model(cli_network *network) {
    analysis_variant_free(&network->variant);
    cli_settings_free(&network->settings);
    cli_names_free(&network->names);
    costab_network_work_destroy(&network->work);
    costab_model_instance_destroy(&network->instance);
    costab_spec_destroy(&network->spec);
}

costab_status cli_network_with(cli_network_run *run, bool time_varying, const cli_arguments *arguments,
                               costab_error *error) {
    ends_by(close_model) cli_network network = {.arguments = arguments};
    TRY(open_model(&network, time_varying, arguments, error));
    return run(&network, arguments, error);
}

costab_status cli_network_coupling(const cli_network *network, int c, costab_coupling *coupling,
                                   costab_error *error) {
    return analysis_variant_coupling(&network->variant, network->instance, c, coupling, error);
}

costab_status cli_network_fitting(const cli_network *network, int c, costab_coupling *coupling,
                                  costab_error *error) {
    return analysis_variant_fitting(&network->variant, network->instance, c, coupling, error);
}

static costab_status check_modes(const cli_network *network, int c, costab_error *error) {
    return analysis_variant_check_modes(&network->variant, network->instance, network->work, c, error);
}

costab_status cli_network_check_modes(cli_network *network, costab_error *error) {
    if (network->names.count > 1) return leave_out(network, check_modes, error);
    for (int c = 0; c < network->coupling_count; c++) TRY(check_modes(network, c, error));
    return COSTAB_OK;
}

const char *cli_step_name(const cli_network *network) {
    for (int i = 0; i < network->model->parameter_count; i++)
        if (model_parameter_is_step(network->model, i)) return network->model->parameters[i].name;
    return "NAME";
}

void cli_network_words(const cli_arguments *arguments, bool coupling, text *to) {
    const cli_option *const kept[] = {&opt_set, &opt_fmu_accuracy, &opt_coupling};
    const char *given;
    escape(to, ESCAPE_SHELL, arguments->operands[0]);
    for (int k = 0; k < (coupling ? 3 : 2); k++)
        for (int i = 0; (given = cli_value_at(arguments, kept[k], i)) != NULL; i++) {
            text_printf(to, " --%s ", kept[k]->name);
            escape(to, ESCAPE_SHELL, given);
        }
    if (to->failed) cli_print_stop();
}

void cli_append_note(const cli_arguments *arguments, const cli_option *option, text *notes) {
    const char *given;
    for (int i = 0; option != NULL && (given = cli_value_at(arguments, option, i)) != NULL; i++) {
        text_local plain = {0};
        text_append_plain(&plain, given);
        for (char *end = plain.data; !plain.failed && (end = strchr(end, '\n')) != NULL;) *end = ' ';
        text_printf(notes, "# --%s %s\n", option->name, plain.failed ? "" : plain.data);
    }
}

costab_status cli_network_notes(const cli_arguments *arguments, text *notes, costab_error *error) {
    cli_append_note(arguments, &opt_set, notes);
    cli_append_note(arguments, &opt_fmu_accuracy, notes);
    cli_append_note(arguments, &opt_turns, notes);
    cli_append_note(arguments, cli_option_named(arguments->command, "steps-file"), notes);
    return notes->failed ? error_memory(error) : COSTAB_OK;
}

costab_status cli_row_names(const cli_network *network, costab_names *names, costab_error *error) {
    const costab_network *model = costab_model_instance_network(network->instance);
    const char **couplings = NULL, **subsystems = NULL;
    TRY(memory_make(&couplings, (size_t)network->coupling_count + 1, error));
    names->of[COSTAB_LIST_COUPLINGS] = couplings;
    names->counts[COSTAB_LIST_COUPLINGS] = network->coupling_count;
    for (int c = 0; c < network->coupling_count; c++) couplings[c] = network->couplings[c].name;
    couplings[network->coupling_count] = "continuous system";
    TRY(memory_make(&subsystems, (size_t)model->subsystem_count, error));
    names->of[COSTAB_LIST_SUBSYSTEMS] = subsystems;
    names->counts[COSTAB_LIST_SUBSYSTEMS] = model->subsystem_count;
    for (int s = 0; s < model->subsystem_count; s++) subsystems[s] = model->subsystems[s].name;
    return COSTAB_OK;
}

void cli_row_names_free(costab_names *names) {
    memory_free_all(names->of[COSTAB_LIST_COUPLINGS], names->of[COSTAB_LIST_SUBSYSTEMS]);
}

costab_status cli_write_rows(const cli_network *network, const costab_record *of, const void *rows,
                             size_t count, const costab_names *names, costab_error *error) {
    const cli_arguments *arguments = network->arguments;
    text_local notes = {0}, target = {0};
    path_output(&target, cli_value(arguments, &opt_output_history), arguments->operands[0], ".h5");
    TRY(target.failed ? error_memory(error) : cli_network_notes(arguments, &notes, error));
    TRY(costab_record_write(target.data, network->spec, notes.data, of, rows, count, names, arguments->force,
                            error));
    cli_tell_drawable(target.data, arguments);
    return COSTAB_OK;
}
