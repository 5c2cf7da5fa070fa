/* store/chunk.h - what chunks of results files are. */
#pragma once

#include "costab/sweep.h"

/* The level of compression, also in the file's description of its filters. */
#define STORE_DEFLATE_LEVEL 1

/* COSTAB_INVALID for a plan that contradicts itself, or whose names or tiles a results file cannot have. */
costab_status store_plan_check(const costab_plan *plan, costab_error *error);

/* CRC-32. */
uint32_t store_sum(const void *bytes, size_t size);
