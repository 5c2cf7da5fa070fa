/* spec/spec.h - specs for other modules: stored texts, systems of FMUs, names of keys and fields. */
#pragma once

#include "costab/spec.h"

/* Reads a spec from the system of FMUs (SSP) at `path`; the parameter H is macro_step if that is positive.
 * [out] *spec: free with costab_spec_destroy; NULL after an error. COSTAB_INVALID with all mistakes. */
costab_status costab_spec_read_system(const char *path, double macro_step, const costab_foreign *foreign,
                                      costab_spec **spec, costab_error *error);

/* Reads a spec from an untrusted text, for example of a results file. Opens no file; a file named but not
 * contained in the text is an error. [out] *spec: as costab_spec_read_system. */
costab_status costab_spec_parse_stored(const char *path, const char *text, size_t size, costab_spec **spec,
                                       costab_error *error);

/* Returns the document of the parameters changed by costab_spec_set, without a root if there are none. */
const struct spec_file *spec_settings(const costab_spec *spec);

/* Creates the discretisation of one scheme of a planar spec, by the scheme's index. */
costab_status costab_spec_planar(const costab_spec *spec, int scheme_index, costab_planar *planar,
                                 costab_error *error);

/* Returns key i of all mappings, mapping by mapping; false after the last one. */
bool costab_key_at(int i, costab_key *key);

/* Returns the name of a network's field with the flag 1 << i: "class", "spectral_radius", ...; NULL outside
 * the range. */
const char *costab_network_field_name(int i);
