/* The network and the couplings of a model's variant, for programs with their own analysis. */
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"

struct costab_setup {
    analysis_variant variant;
    costab_model_instance *instance;
};

costab_status costab_setup_create(const costab_variant *variant, costab_setup **setup, costab_error *error) {
    TRY(memory_make(setup, 1, error));
    costab_status status = analysis_variant_make(&(*setup)->variant, variant, error);
    if (!status) status = analysis_variant_instance(&(*setup)->variant, &(*setup)->instance, error);
    if (status) costab_setup_destroy(setup);
    return status;
}

void costab_setup_destroy(costab_setup **setup) {
    if (setup == NULL || *setup == NULL) return;
    analysis_variant_free(&(*setup)->variant);
    costab_model_instance_destroy(&(*setup)->instance);
    memory_free(*setup);
    *setup = NULL;
}

const costab_network *costab_setup_network(const costab_setup *setup) {
    return costab_model_instance_network(setup->instance);
}

int costab_setup_coupling_count(const costab_setup *setup) {
    return setup->variant.coupling_count;
}

const char *costab_setup_coupling_name(const costab_setup *setup, int c) {
    return c >= 0 && c < setup->variant.coupling_count ? setup->variant.couplings[c].name : NULL;
}

costab_status costab_setup_coupling(const costab_setup *setup, int c, costab_coupling *coupling,
                                    costab_error *error) {
    if (costab_setup_coupling_name(setup, c) == NULL)
        return error_invalid(error, "the model has no coupling number %d", c);
    return analysis_variant_fitting(&setup->variant, setup->instance, c, coupling, error);
}
