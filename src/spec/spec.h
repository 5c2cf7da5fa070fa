/* spec/spec.h - specs for other modules: stored texts, systems of FMUs, names of keys and fields. */
#pragma once

#include "costab/spec.h"

/* Does that with a system of other programs; H is macro_step where that is positive. */
costab_status costab_spec_read_system(const char *path, double macro_step, const costab_foreign *foreign,
                                      costab_spec **spec, costab_error *error);

/* Does the same with a text that a stranger may have written, such as the one stored with results. No file is
 * opened; a file that the text names but does not contain is a mistake. */
costab_status costab_spec_parse_stored(const char *path, const char *text, size_t size, costab_spec **spec,
                                       costab_error *error);

/* Makes the discretisation of one scheme of a planar spec, by the scheme's index in it. */
costab_status costab_spec_planar(const costab_spec *spec, int scheme_index, costab_planar *planar,
                                 costab_error *error);

/* Key i of all mappings, those of one mapping in a row. False behind the last one. */
bool costab_key_at(int i, costab_key *key);

/* The name of a network's field with the flag 1 << i: "class", "spectral_radius", ...; NULL outside the
 * range. */
const char *costab_network_field_name(int i);
