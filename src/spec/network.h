/* spec/network.h - the sweep of a network's spec, read after the model. All functions record errors in the
 * reader's file. */
#pragma once

#include "model/body.h"
#include "spec/sections.h"

void network_read_axes(model_reader *r, const spec_node *node, costab_spec *spec);
void network_read_history(model_reader *r, const spec_node *node);
/* Checks the requirements of the fields. Call after the history. */
void network_check_fields(model_reader *r, const spec_node *node, const spec_node *history,
                          costab_spec *spec);
/* Read the key `best`, after the axes, and check its consistency with the fields; either may be NULL. */
void network_read_best(model_reader *r, const spec_node *node, costab_spec *spec);
void network_check_best(model_reader *r, const spec_node *node, const spec_node *fields,
                        const costab_spec *spec);
