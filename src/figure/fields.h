/* figure/fields.h - the fields of numbers that figures draw. */
#pragma once

#include <stdbool.h>

typedef struct figure_field {
    const char *name, *label;
    const char *symbol, *index; /* the symbol and its index; NULL: none */
    bool reference;             /* there is a reference value, `limit`, at which for example stability ends */
    double limit;
    bool rising;  /* values above the limit are stable */
    bool decades; /* values over decades get a logarithmic axis */
} figure_field;

/* Return the field of this name, and the i-th field of networks or of the planar system; NULL if there is
 * none. By default figures draw the first field that is stored. */
const figure_field *figure_field_find(const char *name);
const figure_field *figure_field_at(bool planar, int i);
