/* figure/fields.h - how figures draw the fields of numbers that a sweep can store. */
#pragma once

#include <stdbool.h>

typedef struct figure_field {
    const char *name, *label;
    const char *symbol, *index; /* before the unit, with an index or without; NULL: none */
    bool reference;             /* a line across curves, where it is `limit` */
    double limit;
    bool rising;  /* it is stable above the limit */
    bool decades; /* over a logarithmic axis where the values allow it */
} figure_field;

/* The field of this name, and the i-th one of networks or of the planar system; NULL where there is none. The
 * first one that is stored is drawn where none is asked for. */
const figure_field *figure_field_find(const char *name);
const figure_field *figure_field_at(bool planar, int i);
