/* Packs a block, the values of a field in a tile, into a chunk, the unit of storage of an HDF5 dataset, in
 * the format of HDF5's filters.
 *   1. All chunks of a field have the size of a full tile. A smaller tile at the end of an axis is padded
 *      with the field's fill value or NaN.
 *   2. For compressed fields, doubles are shuffled like in HDF5's filter (first the lowest bytes of all
 *      values, then the next bytes, ...) and compressed by zlib at level 1. Bytes (classes) are compressed
 *      unshuffled; their long runs are matches at distance 1 (Z_RLE).
 *   3. A Fletcher checksum is appended; HDF5 compares it when it reads the chunk.
 *
 * Chunks go to results files (writer.c) and checkpoints (checkpoint.c). Also: checks of a plan before the
 * file is made, and the checksum of checkpoints. HDF5 can pack itself, but on one thread only. Equal values
 * give equal bytes with the same version of zlib. Cost: linear in the values. */
#include "store/chunk.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/store.h"
#include "store/hdf5.h"
#include "sweep/packed.h"
#include "sweep/run.h"

/* HDF5's limit for a chunk is 4 GiB. Half of it, compressed or not, also fits zlib's counters. */
#define CHUNK_BYTES_MAX ((size_t)1 << 31)

/* Shape and size of all chunks of a field. */
typedef struct chunks {
    costab_type type;
    int rank;
    size_t shape[COSTAB_AXES_MAX];
    size_t values, bytes; /* of a chunk before it is packed */
} chunks;

static costab_status chunks_of(const costab_plan *plan, int field, chunks *c, costab_error *error) {
    const costab_field *f = &plan->fields[field];
    *c = (chunks){.type = f->type, .rank = f->rank, .values = 1};
    costab_tile_shape(plan, field, NULL, c->shape);
    for (int i = 0; i < c->rank; i++) {
        if (c->shape[i] == 0 || c->shape[i] > CHUNK_BYTES_MAX / costab_type_size(f->type) / c->values)
            return error_invalid(error, "field '%s': a tile is empty or larger than 2 GiB", f->name);
        c->values *= c->shape[i];
    }
    c->bytes = c->values * costab_type_size(f->type);
    return COSTAB_OK;
}

/* Returns true if an object of a file can have this name: HDF5 reads '/' and '.' as parts of a path. */
static bool fits_file(const char *name) {
    return strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, STORE_SPEC) != 0;
}

costab_status store_plan_check(const costab_plan *plan, costab_error *error) {
    size_t tiles, points;
    chunks unused;
    TRY(costab_plan_size(plan, &tiles, &points, error));
    for (int i = 0; i < plan->axis_count + plan->field_count; i++) {
        const char *name =
            i < plan->axis_count ? plan->axes[i].name : plan->fields[i - plan->axis_count].name;
        if (!fits_file(name))
            return error_invalid(error, "'%s' cannot be the name of an axis or field in a file", name);
    }
    for (int i = 0; i < plan->field_count; i++) TRY(chunks_of(plan, i, &unused, error));
    return COSTAB_OK;
}

uint32_t store_sum(const void *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32(0, NULL, 0), bytes, size);
}

/* Copies a block of extent `shape`, row by row of its last axis, into the corner of a whole chunk, and fills
 * the rest with `fill` or NaN. */
static void fill_up(const chunks *c, uint8_t fill, const size_t *shape, const unsigned char *block,
                    unsigned char *full) {
    size_t size = costab_type_size(c->type), index[COSTAB_AXES_MAX] = {0};
    int last = c->rank - 1;
    size_t row = shape[last] * size, rows = 1;
    for (int i = 0; i < last; i++) rows *= shape[i];
    if (c->type == COSTAB_U8)
        memset(full, fill, c->bytes);
    else {
        static const double nothing = (double)NAN;
        for (size_t i = 0; i < c->values; i++) memcpy(full + i * size, &nothing, size);
    }
    for (size_t r = 0; r < rows; r++) {
        size_t at = 0;
        for (int i = 0; i < last; i++) at = (at + index[i]) * c->shape[i + 1];
        memcpy(full + at * size, block + r * row, row);
        for (int i = last - 1; i >= 0 && ++index[i] == shape[i]; i--) index[i] = 0;
    }
}

/* Shuffles the bytes of doubles, in groups that fit into the first-level cache. */
static void shuffle(const unsigned char *from, size_t values, unsigned char *to) {
    enum { GROUP = 512, BYTES = 8 };
    for (size_t begin = 0; begin < values; begin += GROUP) {
        size_t end = values - begin < GROUP ? values : begin + GROUP;
        for (size_t k = 0; k < BYTES; k++)
            for (size_t i = begin; i < end; i++) to[k * values + i] = from[BYTES * i + k];
    }
}

static voidpf zlib_alloc(voidpf context, uInt count, uInt size) {
    (void)context;
    return memory_alloc(count, size);
}

static void zlib_free(voidpf context, voidpf block) {
    (void)context;
    memory_free(block);
}

static costab_status deflate_chunk(const chunks *c, const unsigned char *bytes, costab_packed *packed,
                                   costab_error *error) {
    enum { WINDOW_BITS = 15, MEMORY_LEVEL = 8 }; /* zlib's defaults, which HDF5's filter uses */
    const int strategy = c->type == COSTAB_F64 ? Z_DEFAULT_STRATEGY : Z_RLE;
    ends_by(deflateEnd) z_stream s = {.zalloc = zlib_alloc, .zfree = zlib_free};
    if (deflateInit2(&s, STORE_DEFLATE_LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, strategy) != Z_OK)
        return error_memory(error);
    size_t bound = deflateBound(&s, (uLong)c->bytes);
    TRY(packed_size(packed, bound, error));
    s.next_in = bytes;
    s.avail_in = (uInt)c->bytes;
    s.next_out = packed->bytes;
    s.avail_out = bound < UINT_MAX ? (uInt)bound : UINT_MAX;
    if (deflate(&s, Z_FINISH) != Z_STREAM_END)
        return error_set(error, COSTAB_IO, "zlib cannot compress a tile");
    packed->size = (size_t)s.total_out;
    return COSTAB_OK;
}

/* Fletcher's checksum as HDF5 computes it: of words of two bytes, the first one the higher, modulo 65535. */
static uint32_t fletcher(const unsigned char *bytes, size_t size) {
    enum { GROUP = 360 }; /* number of words whose sums stay below 2^32 */
    uint32_t one = 0, two = 0;
    for (size_t at = 0; at < size;) {
        size_t words = (size - at + 1) / 2;
        for (size_t k = words < GROUP ? words : GROUP; k > 0; k--, at += 2) {
            one += (uint32_t)bytes[at] << 8 | (at + 1 < size ? bytes[at + 1] : 0);
            two += one;
        }
        one = (one & 0xffff) + (one >> 16);
        two = (two & 0xffff) + (two >> 16);
    }
    one = (one & 0xffff) + (one >> 16);
    two = (two & 0xffff) + (two >> 16);
    return two << 16 | one;
}

static costab_status append_checksum(costab_packed *packed, costab_error *error) {
    enum { BYTES = 4 };
    size_t size = packed->size;
    uint32_t sum = fletcher(packed->bytes, size);
    TRY(packed_size(packed, size + BYTES, error));
    unsigned char *to = (unsigned char *)packed->bytes + size;
    for (int k = 0; k < BYTES; k++) to[k] = (unsigned char)(sum >> 8 * k);
    return COSTAB_OK;
}

bool store_is_compressed(const costab_plan *plan, int field) {
    return plan->compression == COSTAB_COMPRESSION_FAST ||
           (plan->compression == COSTAB_COMPRESSION_INTEGERS && plan->fields[field].type == COSTAB_U8);
}

/* Packs a block of extent `shape`, without a checksum. space: memory for a padded chunk, then for a shuffled
 * chunk. */
static costab_status pack(const costab_plan *plan, int field, const chunks *c, const size_t *shape,
                          const unsigned char *block, unsigned char *space, costab_packed *packed,
                          costab_error *error) {
    size_t values = 1;
    for (int i = 0; i < c->rank; i++) values *= shape[i];
    const unsigned char *bytes = values == c->values ? block : space;
    if (bytes == space) fill_up(c, plan->fields[field].fill, shape, block, space);
    if (!store_is_compressed(plan, field)) return packed_set(packed, bytes, c->bytes, error);
    if (c->type == COSTAB_U8) return deflate_chunk(c, bytes, packed, error);
    shuffle(bytes, c->values, space + c->bytes);
    return deflate_chunk(c, space + c->bytes, packed, error);
}

costab_status store_pack(const costab_plan *plan, const costab_tile *tile, int field, const void *block,
                         costab_packed *packed, costab_error *error) {
    size_t shape[COSTAB_AXES_MAX];
    chunks c;
    costab_tile_shape(plan, field, tile, shape);
    TRY(chunks_of(plan, field, &c, error));
    memory_local_array(unsigned char, space, 2 * c.bytes, error);
    TRY(pack(plan, field, &c, shape, block, space, packed, error));
    return append_checksum(packed, error);
}
