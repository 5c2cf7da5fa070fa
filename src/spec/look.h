/* spec/look.h - the keys of `figure` that planar sweeps and networks share. */
#ifndef SPEC_LOOK_H
#define SPEC_LOOK_H

#include "costab/look.h"
#include "spec/reader.h"

/* Readers of single keys; the target is a costab_look, or a structure that begins with one. */
bool spec_read_size(spec_file *file, const spec_node *value, void *look);
bool spec_read_columns(spec_file *file, const spec_node *value, void *look);
bool spec_read_font(spec_file *file, const spec_node *value, void *look);
bool spec_read_colours(spec_file *file, const spec_node *value, void *look);
bool spec_read_hatching(spec_file *file, const spec_node *value, void *look);
bool spec_read_figure_title(spec_file *file, const spec_node *value, void *look);

/* Rows of a table of keys. */
#define SPEC_LOOK_KEYS                                                                                       \
    {"size", false, "size: [8.9cm, 6.4cm]", spec_read_size},                                                 \
        {"columns", false, "columns: 3", spec_read_columns},                                                 \
        {"font", false, "font: [Nimbus Sans, 8]", spec_read_font},                                           \
        {"colours", false, "colours: grey", spec_read_colours},                                              \
        {"hatching", false, "hatching: false", spec_read_hatching}, {                                        \
        "title", false, "title: My figure", spec_read_figure_title                                           \
    }

/* Reads a mapping by the table into the target, and then lets `check` (NULL: none) look at it.
 * Mistakes come without places. */
costab_status spec_restyle(const char *mapping, const spec_key *keys, size_t count, void *target,
                           bool (*check)(spec_file *file, const spec_node *root, void *context),
                           void *context, costab_error *error);

#endif
