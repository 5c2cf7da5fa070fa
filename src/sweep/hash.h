/* sweep/hash.h - a number that stands for a plan: equal for equal ones. It does not protect against forgery.
 */
#pragma once

#include "costab/sweep.h"

/* The hash of a plan: axes, fields and tiles, with everything that is written into a file about them. */
uint64_t hash_plan(const costab_plan *plan);
