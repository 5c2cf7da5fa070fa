/* The tables of keys of all mappings in one list, in the order in which docs/reference/keys.md tells of them.
 */
#include "model/body.h"
#include "spec/sections.h"

static const struct {
    const char *mapping;
    const spec_keys *keys; /* NULL: a file's own */
    costab_system system;
} mappings[] = {
    {"A spec of the planar system", NULL, COSTAB_SYSTEM_PLANAR},
    {"axes of the planar system", &spec_axes_keys, 0},
    {"history of the planar system", &spec_case_keys, 0},
    {"A network", NULL, COSTAB_SYSTEM_NETWORK},
    {"A parameter", &spec_parameter_keys, 0},
    {"A subsystem", &spec_subsystem_keys, 0},
    {"A state, input or output", &spec_signal_keys, 0},
    {"A matrix of another file", &spec_file_keys, 0},
    {"A connection", &spec_connection_keys, 0},
    {"A coupling", &spec_coupling_keys, 0},
    {"The weights of an extrapolation", &spec_extrapolation_keys, 0},
    {"history of a network", &spec_history_keys, 0},
    {"refine", &spec_refine_keys, 0},
    {"An axis", &spec_range_keys, 0},
    {"An uncertain axis", &spec_uncertain_keys, 0},
    {"uncertain", &spec_distribution_keys, 0},
    {"best", &spec_best_keys, 0},
    {"operating_point", &spec_rest_keys, 0},
    {"figure", &spec_figure_keys, 0},
    {"method: a tableau", &spec_tableau_keys, 0},
    {"method: {newmark: ..}", &spec_newmark_keys, 0},
    {"method: {generalized_alpha: ..}", &spec_alpha_keys, 0},
    {"method: {nystrom: ..}", &spec_nystrom_keys, 0},
};

bool costab_key_at(int i, costab_key *key) {
    for (size_t m = 0; m < sizeof mappings / sizeof *mappings; m++) {
        spec_key own[SPEC_KEYS_MAX];
        spec_keys keys = {own, 0};
        if (mappings[m].keys != NULL)
            keys = *mappings[m].keys;
        else
            keys.count = spec_section_keys(mappings[m].system, own);
        if (i >= 0 && (size_t)i < keys.count) {
            const spec_key *row = &keys.rows[i];
            *key = (costab_key){mappings[m].mapping, row->name, row->example, row->help, row->required};
            return true;
        }
        i -= (int)keys.count;
    }
    return false;
}
