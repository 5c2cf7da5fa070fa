/* base/first_cells.h - initial cells of a search along one parameter. On each cell every number of the model
 * is close to a polynomial of degree 16 in the parameter. model/resolve.c makes them, limit/search.c uses
 * them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct first_cell {
    double from, to;
    bool open; /* a number could not be bounded on the cell: no verdict of stability holds */
} first_cell;

typedef struct first_cells {
    first_cell *of; /* ascending, without gaps; memory_free */
    size_t count, capacity;
    const char *open_entry; /* a number without a good polynomial on some cells; NULL: none. Borrowed from the
                               model */
    size_t compared; /* number of values at which numbers without a formula were compared with interpolants;
                        0: none */
} first_cells;

static inline void first_cells_free(first_cells *cells) {
    memory_free(cells->of);
}
