/* figure/script.h - a scene with its layout as a gnuplot script and its data. */
#pragma once

#include "figure/layout.h"

typedef struct figure_names {
    const char *name;   /* of the files, without ending */
    const char *source; /* program and version that computed the results */
} figure_names;

/* Writes both. The data has blocks `# PANEL.LAYER.STYLE: what it is`, by which the script finds them, each
 * ended by two empty lines; polygons and lines of one block are apart by one. */
costab_status script_write(scene *s, const figure_layout *l, const costab_style *style,
                           const figure_names *names, text *script, text *data, costab_error *error);
