/* base/runs.h - bytes as runs of equal ones. */
#pragma once

#include "costab/base.h"

/* How many runs are worth being kept as such, of `size` bytes: up to one for every 16 bytes. */
size_t runs_most(size_t size);

/* Makes room; false where memory is out. Free with runs_free in any case. */
bool runs_make(costab_runs *runs, size_t most);
void runs_free(costab_runs *runs);

void runs_clear(costab_runs *runs);

/* Appends bytes up to place `end`, beyond all that are there. */
void runs_put(costab_runs *runs, size_t end, uint8_t value);

/* Changes one byte that is there. */
void runs_set(costab_runs *runs, size_t place, uint8_t value);
