/* figure/script.h - the gnuplot script of a scene, and its data. */
#pragma once

#include "figure/paper.h"

typedef struct figure_names {
    const char *name;   /* of the files, without ending */
    const char *source; /* program and version that computed the results */
} figure_names;

/* Writes script and data (figure/blocks.h). */
costab_status script_write(scene *s, const paper *p, const costab_style *style, const figure_names *names,
                           text *script, text *data, costab_error *error);
