#include "cli/network.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/fmu.h"

/* The names of --coupling: NULL for the model's own, which are all taken where the option is not given. */
static costab_status choose_couplings(cli_network *network, const char *given, int *count,
                                      costab_error *error) {
    *count = 0;
    if (given == NULL) return COSTAB_OK;
    bool all = strcmp(given, "all") == 0;
    size_t most = all ? (size_t)costab_coupling_count() : strlen(given) + 1;
    network->list = memory_copy(given);
    network->names = memory_alloc(most, sizeof *network->names);
    if (network->list == NULL || network->names == NULL) return error_memory(error);
    for (int i = 0; all && i < costab_coupling_count(); i++)
        network->names[(*count)++] = costab_coupling_name(i);
    int depth = 0; /* the commas of an order, as in gauss-seidel(b,a), separate nothing */
    for (char *s = network->list, *begin = s; !all; s++) {
        depth += (*s == '(') - (*s == ')');
        if (*s != '\0' && (*s != ',' || depth > 0)) continue;
        network->names[(*count)++] = begin;
        if (*s == '\0') break;
        *s = '\0';
        begin = s + 1;
    }
    return COSTAB_OK;
}

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

costab_status cli_network_reset(cli_network *network, costab_error *error) {
    costab_model_instance_destroy(&network->instance);
    return study_variant_instance(&network->variant, &network->instance, error);
}

/* H of --set, which a system of FMUs may need to be read at all; 0: not given. */
static double macro_step_of(const cli_arguments *arguments) {
    double step = 0;
    for (int i = 0; i < arguments->set_count; i++)
        if (strncmp(arguments->sets[i], "H=", 2) == 0)
            (void)number_parse_double(arguments->sets[i] + 2, strlen(arguments->sets[i] + 2), &step);
    return step;
}

costab_status cli_network_read(const cli_arguments *arguments, costab_spec **spec, costab_error *error) {
    const char *path = arguments->operands[0];
    char *made = NULL;
    if (!costab_ssp_is(path)) return costab_spec_read_with(path, costab_fmu_foreign(), spec, error);
    costab_status status = costab_ssp_text(path, macro_step_of(arguments), &made, error);
    if (!status) status = costab_spec_parse_with(path, made, strlen(made), costab_fmu_foreign(), spec, error);
    costab_ssp_free_text(&made);
    return status;
}

costab_status cli_network_range(const cli_network *network, cli_option option, const char *given,
                                int *parameter, double *lower, double *upper, costab_error *error) {
    const char *rest = NULL;
    costab_status status = cli_network_parameter(network, option, given, parameter, &rest, error);
    if (status) return status;
    const char *colon = strchr(rest, ':');
    if (colon == NULL || !number_parse_double(rest, (size_t)(colon - rest), lower) ||
        !number_parse_double(colon + 1, strlen(colon + 1), upper) || !(*lower < *upper))
        return error_set(error, COSTAB_INVALID, "--%s: '%s' is not NAME=LO:HI with LO < HI",
                         cli_option_name(option), given);
    return COSTAB_OK;
}

costab_status cli_network_open(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    *network = (cli_network){.model = NULL};
    const char *path = arguments->operands[0];
    costab_status status = cli_network_read(arguments, &network->spec, error);
    if (status) return status;
    if (network->spec->system != COSTAB_SYSTEM_NETWORK)
        return error_set(error, COSTAB_INVALID,
                         "%s: it is a spec of the planar system; a model of `system: network` is needed",
                         path);
    network->model = network->spec->model;
    if (network->spec->warnings[0] != '\0') cli_print(stderr, "%s\n", network->spec->warnings);
    costab_variant *asked = &network->asked;
    *asked = (costab_variant){.model = network->model, .setting_count = arguments->set_count};
    status = cli_settings_read(arguments, &network->settings, error);
    if (!status)
        status = choose_couplings(network, arguments->values[OPTION_COUPLING], &asked->coupling_count, error);
    asked->settings = network->settings.list;
    asked->couplings = network->names;
    if (!status) status = study_variant_make(&network->variant, asked, error);
    if (!status) status = study_variant_instance(&network->variant, &network->instance, error);
    if (!status) status = costab_network_work_create(&network->work, error);
    network->coupling_count = network->variant.coupling_count;
    network->couplings = network->variant.couplings;
    return status;
}

void cli_network_close(cli_network *network) {
    study_variant_free(&network->variant);
    cli_settings_free(&network->settings);
    memory_free(network->names);
    memory_free(network->list);
    costab_network_work_destroy(&network->work);
    costab_model_instance_destroy(&network->instance);
    costab_spec_destroy(&network->spec);
}

costab_status cli_network_coupling(const cli_network *network, int c, costab_coupling *coupling,
                                   costab_error *error) {
    return study_variant_coupling(&network->variant, network->instance, c, coupling, error);
}

costab_status cli_network_text(const cli_network *network, const cli_arguments *arguments, text *content,
                               costab_error *error) {
    char *whole = NULL;
    costab_status status = costab_spec_whole(network->spec, &whole, error);
    for (int k = 0; k < arguments->set_count && !status; k++)
        text_printf(content, "# --set %s\n", arguments->sets[k]);
    if (!status) text_append(content, whole);
    costab_spec_free_text(&whole);
    return !status && content->failed ? error_memory(error) : status;
}
