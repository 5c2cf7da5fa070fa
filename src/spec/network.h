/* spec/network.h - what a spec's sweep asks of its network, read after the model. All note mistakes in the
 * reader's file. */
#pragma once

#include "model/body.h"
#include "spec/sections.h"

void network_read_axes(model_reader *r, const spec_node *node, costab_spec *spec);
void network_read_history(model_reader *r, const spec_node *node);
/* Checks what the fields need; after the history. */
void network_check_fields(model_reader *r, const spec_node *node, const spec_node *history,
                          costab_spec *spec);
/* The key `best`, after the axes; then whether it and the fields go together, either NULL where absent. */
void network_read_best(model_reader *r, const spec_node *node, costab_spec *spec);
void network_check_best(model_reader *r, const spec_node *node, const spec_node *fields,
                        const costab_spec *spec);
