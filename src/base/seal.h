/* base/seal.h - the last line of a file of numbers: its size without the line, and its checksum. It tells
 * accidents and additions, not forgeries: who wants can seal what was changed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How each seal begins, and the bytes of each. */
#define SEAL_BEGIN "\ncostab results"
#define SEAL_SIZE  (sizeof "\ncostab results, size 0123456789abcdef, crc32 01234567\n" - 1)

/* The seal of so many bytes with this CRC-32. */
void seal_line(char line[SEAL_SIZE + 1], size_t size, uint32_t sum);

/* Goes on with the sum (0: of nothing) of what is before `from`, up to `to`. 0, an errno, or -1 where the
 * file ends before. */
int seal_sum(int descriptor, size_t from, size_t to, uint32_t *sum);

/* Whether the file ends with the seal of all bytes before. */
bool seal_is_whole(int descriptor);
