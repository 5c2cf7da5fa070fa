/* What an explorer of a network shows beside the grid: the names of its parts, and its parameters. */
#include "base/error.h"
#include "base/memory.h"
#include "costab/modes.h"
#include "page/explore.h"
#include "page/page.h"

static void put_network(json *out, const costab_network *network) {
    json_array(out, "subsystems");
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        json_object(out, NULL);
        json_text(out, "name", of->name);
        json_bool(out, "linear", of->dynamics == NULL);
        page_signals(out, "states", network, s, COSTAB_SIGNAL_STATE, of->states);
        page_signals(out, "outputs", network, s, COSTAB_SIGNAL_OUTPUT, of->outputs);
        json_end_object(out);
    }
    json_end_array(out);
    json_array(out, "connections");
    for (int c = 0; c < network->connection_count; c++) {
        char label[2 * COSTAB_SIGNAL_NAME_MAX + 200];
        costab_connection_label(network, c, label, sizeof label);
        json_text(out, NULL, label);
    }
    json_end_array(out);
}

costab_status explore_network(json *out, const costab_spec *spec, costab_error *error) {
    ends_by(costab_model_instance_destroy) costab_model_instance *instance = NULL;
    TRY(costab_model_instance_create(spec->model, &instance, error));
    json_object(out, "network");
    put_network(out, costab_model_instance_network(instance));
    page_words(out, spec->model, instance);
    json_array(out, "couplings");
    for (int c = 0; c < spec->model->coupling_count; c++)
        json_text(out, NULL, spec->model->coupling_names[c]);
    json_end_array(out);
    json_number(out, "until", spec->model->history.until);
    json_end_object(out);
    return COSTAB_OK;
}
