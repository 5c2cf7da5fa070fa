/* sweep/hash.h - hash of a plan, by which a checkpoint recognises its sweep: equal for equal plans. It does
 * not protect against forgery. */
#pragma once

#include "costab/sweep.h"

/* Returns the hash of a plan: its axes, fields and tiles with their names, values, codes and shapes, and its
 * compression. Units of fields are not included. */
uint64_t hash_plan(const costab_plan *plan);
