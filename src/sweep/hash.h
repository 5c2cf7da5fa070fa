/* sweep/hash.h - hash of a plan, equal for equal plans. It does not protect against forgery. */
#pragma once

#include "costab/sweep.h"

/* Returns the hash of a plan: axes, fields and tiles, with everything written into a file about them. */
uint64_t hash_plan(const costab_plan *plan);
