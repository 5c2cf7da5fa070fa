/* support/memory.h - base/memory.h where allocations fail on purpose, and blocks are counted. */
#pragma once

#include "base/memory.h"

/* The k-th allocation from now on (1: the next) fails once; 0 switches it off. The environment variable
 * COSTAB_FAIL_ALLOC sets it at the program's start; then the counts of memory_kept are printed to stderr at
 * its end. */
void memory_fail_at(long k);

/* How many blocks are allocated now. [out] *total: how many ever were. */
size_t memory_kept(size_t *total);
