/* spec/parts.h - the parts of a sweep spec, each read in a file of its own. All return false after
 * complaining. */
#ifndef SPEC_PARTS_H
#define SPEC_PARTS_H

#include "costab/spec.h"
#include "spec/reader.h"

/* An axis from a number, a list, or a range {from, to, points}. `name` is "a", "gamma" or "delta". */
bool spec_read_axis(spec_file *file, const spec_node *node, const char *name, costab_axis *axis);

/* A method from a name or a tableau {A, b, c}. */
bool spec_read_method(spec_file *file, const spec_node *node, costab_method *method);

/* The cases of a time history: a mapping, or a list of them. */
bool spec_read_history(spec_file *file, const spec_node *node, costab_sweep_spec *spec);

/* The key `figure`. */
bool spec_read_figure(spec_file *file, const spec_node *node, costab_figure *figure);

#endif
