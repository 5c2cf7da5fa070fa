/* base/hash.h - hash of bytes (FNV-1a, 64 bits), for names of files and comparisons. It does not protect
 * against forgery. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Start value of a hash. */
#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Continues the hash `from` with these bytes. */
uint64_t hash_bytes(uint64_t from, const void *bytes, size_t size);
