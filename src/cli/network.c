#include "cli/network.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/value.h"

/* ---- Couplings
 * ---------------------------------------------------------------------------------------------- */

static costab_status too_many(costab_error *error) {
    return error_set(error, COSTAB_INVALID, "--coupling: more than %d couplings", CLI_COUPLINGS_MAX);
}

static costab_status add_own(cli_network *network, int own, costab_error *error) {
    if (network->coupling_count == CLI_COUPLINGS_MAX) return too_many(error);
    network->couplings[network->coupling_count++] =
        (cli_coupling){.name = network->model->coupling_names[own], .own = own};
    return COSTAB_OK;
}

static costab_status add_standard(cli_network *network, int i, costab_error *error) {
    if (network->coupling_count == CLI_COUPLINGS_MAX) return too_many(error);
    network->couplings[network->coupling_count++] =
        (cli_coupling){.name = costab_coupling_name(i), .own = -1};
    return COSTAB_OK;
}

/* One name: the model's own first. */
static costab_status add_named(cli_network *network, const char *name, costab_error *error) {
    int own = costab_model_coupling(network->model, name);
    if (own >= 0) return add_own(network, own, error);
    for (int i = 0; i < costab_coupling_count(); i++)
        if (strcmp(name, costab_coupling_name(i)) == 0) return add_standard(network, i, error);
    text names = {0};
    for (int i = 0; i < network->model->coupling_count; i++)
        text_printf(&names, "%s, ", network->model->coupling_names[i]);
    for (int i = 0; i < costab_coupling_count(); i++) text_printf(&names, "%s, ", costab_coupling_name(i));
    error_set(error, COSTAB_INVALID, "--coupling: unknown coupling '%s'; expected some of: %sor all", name,
              names.failed ? "" : names.data);
    text_free(&names);
    return COSTAB_INVALID;
}

static costab_status choose_couplings(cli_network *network, const char *given, costab_error *error) {
    costab_status status = COSTAB_OK;
    if (given == NULL) {
        for (int i = 0; i < network->model->coupling_count && status == COSTAB_OK; i++)
            status = add_own(network, i, error);
        return status;
    }
    if (strcmp(given, "all") == 0) {
        for (int i = 0; i < costab_coupling_count() && status == COSTAB_OK; i++)
            status = add_standard(network, i, error);
        return status;
    }
    const char *rest = given;
    while (rest != NULL && status == COSTAB_OK) {
        const char *piece;
        size_t length = cli_next_piece(&rest, &piece);
        char *name = memory_copy_n(piece, length);
        if (name == NULL) return error_memory(error);
        status = add_named(network, name, error);
        memory_free(name);
    }
    return status;
}

costab_status cli_network_coupling(const cli_network *network, int c, costab_coupling *coupling,
                                   costab_error *error) {
    const cli_coupling *asked = &network->couplings[c];
    *coupling = *costab_model_instance_coupling(network->instance, asked->own >= 0 ? asked->own : 0);
    return asked->own >= 0 ? COSTAB_OK : costab_coupling_find(asked->name, coupling, error);
}

/* ---- Parameters
 * --------------------------------------------------------------------------------------------- */

costab_status cli_network_parameter(const cli_network *network, cli_option option, const char *given,
                                    int *parameter, const char **rest, costab_error *error) {
    const char *sign = strchr(given, '=');
    if (sign == NULL || sign == given)
        return error_set(error, COSTAB_INVALID, "--%s: '%s' is not NAME=VALUE", cli_option_name(option),
                         given);
    char *name = memory_copy_n(given, (size_t)(sign - given));
    if (name == NULL) return error_memory(error);
    costab_status status = costab_model_find_parameter(network->model, name, parameter, error);
    memory_free(name);
    *rest = sign + 1;
    return status;
}

static costab_status set_parameters(cli_network *network, const cli_arguments *arguments,
                                    costab_error *error) {
    network->settings = memory_alloc((size_t)arguments->set_count, sizeof *network->settings);
    if (network->settings == NULL) return error_memory(error);
    for (int i = 0; i < arguments->set_count; i++) {
        const char *rest;
        int parameter;
        double value;
        costab_status status =
            cli_network_parameter(network, OPTION_SET, arguments->sets[i], &parameter, &rest, error);
        if (status != COSTAB_OK) return status;
        if (!number_parse_double(rest, strlen(rest), &value))
            return error_set(error, COSTAB_INVALID, "--set: '%s' is not a finite decimal number%s", rest,
                             strchr(rest, ',') != NULL ? " (write a decimal point, not a comma)" : "");
        network->settings[i] =
            (costab_setting){.name = network->model->parameters[parameter].name, .value = value};
        costab_model_instance_set(network->instance, parameter, value);
    }
    return arguments->set_count > 0 ? costab_model_instance_update(network->instance, error) : COSTAB_OK;
}

costab_status cli_network_open(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    *network = (cli_network){.model = NULL};
    const char *path = arguments->operands[0];
    costab_status status = costab_spec_read(path, &network->spec, error);
    if (status != COSTAB_OK) return status;
    if (network->spec->system != COSTAB_SYSTEM_NETWORK)
        return error_set(error, COSTAB_INVALID,
                         "%s: it is a spec of the planar system; a model of `system: network` is needed",
                         path);
    network->model = network->spec->model;
    if (network->spec->warnings[0] != '\0') fprintf(stderr, "%s\n", network->spec->warnings);
    status = costab_model_instance_create(network->model, &network->instance, error);
    if (status == COSTAB_OK) status = costab_network_work_create(&network->work, error);
    if (status == COSTAB_OK) status = set_parameters(network, arguments, error);
    if (status == COSTAB_OK) status = choose_couplings(network, arguments->values[OPTION_COUPLING], error);
    return status;
}

void cli_network_close(cli_network *network) {
    memory_free(network->settings);
    costab_network_work_destroy(&network->work);
    costab_model_instance_destroy(&network->instance);
    costab_spec_destroy(&network->spec);
}

const char *cli_network_class(const costab_network_point *point) {
    static const char *const names[] = {"UU", "US", "SU", "SS"};
    return names[point->class_code & 3];
}
