/* base/hash.h - numbers that stand for bytes (FNV-1a, 64 bits): equal for equal ones. They do not protect
 * against forgery. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Where a hash begins. */
#define HASH_START UINT64_C(0xcbf29ce484222325)

/* The hash of what `from` stands for and these bytes behind it. */
uint64_t hash_bytes(uint64_t from, const void *bytes, size_t size);
