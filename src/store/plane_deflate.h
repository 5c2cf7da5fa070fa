/* store/plane_deflate.h - zlib streams for doubles as HDF5's shuffle filter leaves them: the first bytes of
 * all values, then the second bytes, and so on.
 *
 * The low bytes of a mantissa are noise, which a search for matches leaves as long as it is: such parts are
 * stored. Exponents and high bytes are packed by matches and Huffman codes. What is noise is decided by a
 * sample of each part of 64 KiB. */
#ifndef STORE_PLANE_DEFLATE_H
#define STORE_PLANE_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* HDF5's shuffle filter for values of 8 bytes. from and to do not overlap. */
void plane_shuffle(const uint8_t *from, size_t values, uint8_t *to);

/* What one call needs; allocate plane_work_size() bytes, whose content does not matter. One call at a time.
 */
typedef struct plane_work plane_work;
size_t plane_work_size(void);

/* The most bytes that a stream of `size` bytes may have. */
size_t plane_deflate_bound(size_t size);

/* Writes the zlib stream of 8 planes of `values` bytes each, at most 2^31 bytes in all; returns its size. The
 * same on every machine. */
size_t plane_deflate(const uint8_t *planes, size_t values, plane_work *work, uint8_t *stream);

#endif
