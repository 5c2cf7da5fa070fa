/* figure/fields.h - the fields of numbers that figures draw. */
#pragma once

#include <stdbool.h>

typedef struct figure_field {
    const char *name, *label;
    const char *symbol, *index; /* the symbol and its index; NULL: none */
    bool reference;             /* stability ends at `limit` */
    double limit;
    bool rising;  /* values above the limit are stable */
    bool decades; /* values over decades get a logarithmic axis */
} figure_field;

/* The field of this name; the i-th field of networks or of the planar system. NULL if there is none. By
 * default figures draw the first field that is stored. */
const figure_field *figure_field_find(const char *name);
const figure_field *figure_field_at(bool planar, int i);
