/* Computes FNV-1a with 64 bits (Fowler, Noll, Vo): h = (h xor byte) 1099511628211. */
#include "base/hash.h"

uint64_t hash_bytes(uint64_t from, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) from = (from ^ b[i]) * UINT64_C(0x100000001b3);
    return from;
}
