/* store/run_deflate.h - zlib streams for bytes that come in long runs: the classes of a grid.
 *
 * A match at distance 1 repeats the byte before it, so a run costs a literal and a match for every 258 bytes.
 * Runs are found many bytes at a time, the checksum takes one step per run, and one dynamic block has codes
 * made for what is there: two bits for 258 bytes of a long run. */
#ifndef STORE_RUN_DEFLATE_H
#define STORE_RUN_DEFLATE_H

#include "base/runs.h"

/* Finds the runs of equal bytes; false where there are more than `runs` has room for. size: 1 to UINT32_MAX.
 */
bool run_deflate_find(const uint8_t *bytes, size_t size, costab_runs *runs);

/* The most bytes that a stream of `count` runs, `size` bytes in all, may have. */
size_t run_deflate_bound(size_t size, size_t count);

/* Writes the zlib stream of these runs; returns its size. The same on every machine. */
size_t run_deflate(const costab_runs *runs, uint8_t *stream);

#endif
