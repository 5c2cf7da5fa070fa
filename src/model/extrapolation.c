/* How inputs are extrapolated: a word, or weights of differences. */
#include <stdio.h>

#include "model/body.h"
#include "network/words.h"

typedef struct weight_nodes {
    const spec_node *phi, *theta, *a, *b;
} weight_nodes;

static const spec_key weight_keys[] = {
    {"phi", false, "phi: 0.5", "the input begins at y + phi (y - y1), y and y1 the last values (0)",
     SPEC_VALUE(SPEC_NODE, weight_nodes, phi)},
    {"theta", false, "theta: 0", "and changes by theta (y - y1) over the step (0)",
     SPEC_VALUE(SPEC_NODE, weight_nodes, theta)},
    {"a", false, "a: [0, 1]", "the same two in a list, [phi, theta]", SPEC_VALUE(SPEC_NODE, weight_nodes, a)},
    {"b", false, "b: [-1, 7/6]", "with a: the two of the second difference y - 2 y1 + y2",
     SPEC_VALUE(SPEC_NODE, weight_nodes, b)},
};
const spec_keys spec_extrapolation_keys = {SPEC_TABLE(weight_keys)};

static bool read_pair(model_reader *r, const spec_node *node, const char *what, int slot) {
    if (!spec_list(r->file, node, what, 2)) return false;
    bool fine = true;
    SPEC_EACH(item, r->file, node) fine = model_number(r, item, what, MODEL_ANY, slot++) && fine;
    return fine;
}

void model_read_extrapolation(model_reader *r, const spec_node *node, const char *of, costab_hold *hold,
                              int *weights) {
    char what[MODEL_WHAT_MAX];
    size_t word = 0;
    weight_nodes nodes = {.phi = NULL};
    snprintf(what, sizeof what, "%s, extrapolation", of);
    if (node->kind != SPEC_MAPPING) {
        if (spec_choice(r->file, node, what, network_hold_words, COSTAB_TUNED, &word))
            *hold = (costab_hold)word;
        return;
    }
    if (!spec_read_mapping(r->file, node, what, SPEC_TABLE(weight_keys), &nodes)) return;
    bool line = nodes.phi != NULL || nodes.theta != NULL;
    if (line == (nodes.a != NULL) || (line && nodes.b != NULL)) {
        spec_complain(r->file, node, "%s: expected phi and theta, or the lists a and b", what);
        return;
    }
    *hold = nodes.b != NULL ? COSTAB_TUNED_2 : COSTAB_TUNED;
    *weights = model_slots(r, MODEL_WEIGHTS);
    if (nodes.phi != NULL) (void)model_number(r, nodes.phi, what, MODEL_ANY, *weights);
    if (nodes.theta != NULL) (void)model_number(r, nodes.theta, what, MODEL_ANY, *weights + 1);
    if (nodes.a != NULL) (void)read_pair(r, nodes.a, what, *weights);
    if (nodes.b != NULL) (void)read_pair(r, nodes.b, what, *weights + 2);
}
