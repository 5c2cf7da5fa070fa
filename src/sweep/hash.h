/* sweep/hash.h - numbers that stand for plans and texts: equal for equal ones. They do not protect against
 * forgery.
 */
#pragma once

#include "costab/sweep.h"

/* Adds a text to the hash *h; NULL and "" differ. */
void hash_text(uint64_t *h, const char *string);

/* The hash of a plan: axes, fields and tiles, with everything that is written into a file about them. */
uint64_t hash_plan(const costab_plan *plan);
