/* The key `best`: over which macro steps couplings are compared at each point, and for which error. */
#include <math.h>
#include <string.h>

#include "spec/network.h"

typedef struct best_values {
    const spec_node *over;
    double range[2], error, until;
} best_values;

static const spec_key best_keys[] = {
    {"over", true, "over: H", "the parameter that is the macro step; it is no axis",
     SPEC_VALUE(SPEC_NODE, best_values, over)},
    {"range", true, "range: [0.001, 0.1]",
     "the macro steps that are looked at: every one from the first number on has to be stable",
     SPEC_VALUE(SPEC_NUMBERS, best_values, range), .most = 2},
    {"error", false, "error: 0.001",
     "the coupling is the best that costs least with errors of at most this, as `advise` counts; without it the one that is stable up to the largest macro step",
     SPEC_VALUE(SPEC_POSITIVE, best_values, error)},
    {"until", false, "until: 2", "up to this time errors count; needed with `error`",
     SPEC_VALUE(SPEC_POSITIVE, best_values, until)},
};
const spec_keys spec_best_keys = {SPEC_TABLE(best_keys)};

bool network_is_axis(const costab_spec *spec, int parameter) {
    for (int i = 0; i < spec->axis_count; i++)
        if (spec->axis_parameters[i] == parameter) return true;
    for (int i = 0; i < spec->uncertain_count; i++)
        if (spec->uncertain[i].parameter == parameter) return true;
    return false;
}

void network_read_best(model_reader *r, const spec_node *node, costab_spec *spec) {
    costab_best *best = &spec->best;
    best_values values = {.error = (double)NAN, .until = (double)NAN};
    char name[SPEC_WORD_MAX];
    costab_error why;
    if (!spec_read_mapping(r->file, node, "best", SPEC_TABLE(best_keys), &values)) return;
    if (!spec_word(r->file, values.over, "best, over", name)) return;
    if (costab_model_find_parameter(r->model, name, &best->parameter, &why))
        spec_complain(r->file, values.over, "best, over: %s", why.message);
    else if (r->model->parameters[best->parameter].derived)
        spec_complain(r->file, values.over, "best, over: '%s' is computed from others; name one of those",
                      name);
    else if (network_is_axis(spec, best->parameter))
        spec_complain(r->file, values.over,
                      "best, over: '%s' is an axis, too; at each point all macro steps are looked at", name);
    if (!(values.range[0] > 0 && values.range[0] < values.range[1]))
        spec_complain(r->file, spec_find(r->file, node, "range"),
                      "best, range: expected two numbers above 0, the smaller first");
    if (isnan(values.error) != isnan(values.until))
        spec_complain(r->file, node, "best: 'error' and 'until' go together");
    best->lower = values.range[0];
    best->upper = values.range[1];
    best->error = values.error;
    best->until = values.until;
}

void network_check_best(model_reader *r, const spec_node *node, const spec_node *fields,
                        const costab_spec *spec) {
    unsigned asked = spec->fields & COSTAB_NETWORK_OF_BEST;
    if (asked != 0 && node == NULL)
        spec_complain(r->file, fields,
                      "fields: the best coupling is that of a range of macro steps; write for instance "
                      "'best: {over: H, range: [0.001, 0.1]}'");
    if (asked == 0 && node != NULL)
        spec_complain(r->file, node, "best: no field asks for it; write for instance 'fields: [best]'");
    if ((asked & COSTAB_NETWORK_BEST_COST) != 0 && node != NULL && isnan(spec->best.error))
        spec_complain(r->file, fields,
                      "fields: 'best_cost' is that of an error; give 'best' the keys 'error' and 'until'");
}
