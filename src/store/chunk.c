/* Packing: a block of a field's values becomes a chunk, as HDF5's filters read it:
 *
 *  1. A chunk is a full tile. What a tile at the end of an axis lacks is filled up: with the block's value
 *     where it has one only, else with the field's fill value or NaN.
 *  2. Doubles are shuffled, as HDF5's filter does: first the lowest bytes of all values, then the next ones,
 *     and so on.
 *  3. They are compressed by zlib in parts of 64 KiB, at level 1. A part that is noise, as the low bytes of
 *     mantissas are, is stored (level 0), because zlib would take long and save little. It counts as noise
 *     where two of its bytes are equal less often than once in 2^7 pairs (a Renyi entropy of order 2 above 7
 *     bits: codes for bytes save an eighth at most), and less than half of the groups of four bytes at its
 *     beginning have occurred before. deflateParams changes the level.
 *  4. Bytes (classes) are compressed unshuffled; their long runs are matches at distance 1 (Z_RLE).
 *
 * The same values make the same bytes, by one version of zlib. Cost: linear in the values. */
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

/* Bits of zlib's window, and the bytes of it at which zlib does not look back. A chunk takes the smallest
 * window that it fits, with a memory level that is WINDOW_OVER_MEMORY less: a small chunk takes little
 * memory. */
enum { WINDOW_LEAST = 9, WINDOW_MOST = 15, WINDOW_UNUSED = 262, WINDOW_OVER_MEMORY = 7 };

enum { PART = 1 << 16, SAMPLED = 8 /* of its bytes every 8th */, PAIRS = 1 << 7 };

/* HDF5's limit for a chunk is 4 GiB; half of it also fits zlib's counters and an int. */
#define CHUNK_BYTES_MAX ((size_t)1 << 31)

/* The chunks of a field. */
typedef struct chunks {
    costab_type type;
    int rank;
    size_t shape[COSTAB_AXES_MAX];
    size_t values, bytes;
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

/* Copies a block of extent `shape`, row by row, into the corner of a whole chunk of `fill` or NaN. */
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

/* Shuffles blocks of values that are short enough to stay in the fastest cache. */
static void shuffle(const unsigned char *from, size_t values, unsigned char *to) {
    enum { BLOCK = 512, BYTES = 8 };
    for (size_t begin = 0; begin < values; begin += BLOCK) {
        size_t end = values - begin < BLOCK ? values : begin + BLOCK;
        for (size_t k = 0; k < BYTES; k++)
            for (size_t i = begin; i < end; i++) to[k * values + i] = from[BYTES * i + k];
    }
}

/* Whether its bytes are so evenly distributed that a Huffman code would hardly shorten it. */
static bool is_even(const unsigned char *part, size_t size) {
    uint64_t counts[UINT8_MAX + 1] = {0}, bytes = 0, equal = 0;
    for (size_t i = 0; i < size; i += SAMPLED, bytes++) counts[part[i]]++;
    for (int k = 0; k <= UINT8_MAX; k++) equal += counts[k] * counts[k];
    return (equal - bytes) * PAIRS < bytes * bytes;
}

/* Whether most groups of four bytes have occurred before: the last group of each hash is remembered. */
static bool is_repeated(const unsigned char *part, size_t size) {
    enum { LOOKED_AT = PART / 8, GROUP = 4, HASH_BITS = 12 };
    uint32_t last[1 << HASH_BITS] = {0};
    size_t count = 0, end = size < LOOKED_AT ? size : LOOKED_AT;
    for (size_t i = 0; i + GROUP <= end; i++) {
        uint32_t group =
            part[i] | (uint32_t)part[i + 1] << 8 | (uint32_t)part[i + 2] << 16 | (uint32_t)part[i + 3] << 24;
        uint32_t *known = &last[group * UINT32_C(2654435761) >> (32 - HASH_BITS)];
        count += *known == group;
        *known = group;
    }
    return 2 * count > end;
}

static bool is_noise(const unsigned char *part, size_t size) {
    return is_even(part, size) && !is_repeated(part, size);
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
    enum { PER_PART = 16 }; /* bytes, more than a change of the level takes */
    const int strategy = c->type == COSTAB_F64 ? Z_DEFAULT_STRATEGY : Z_RLE;
    ends_by(deflateEnd) z_stream s = {.zalloc = zlib_alloc, .zfree = zlib_free};
    int window_bits = WINDOW_LEAST;
    while (window_bits < WINDOW_MOST && (size_t)1 << window_bits < c->bytes + WINDOW_UNUSED) window_bits++;
    if (deflateInit2(&s, STORE_DEFLATE_LEVEL, Z_DEFLATED, window_bits, window_bits - WINDOW_OVER_MEMORY,
                     strategy) != Z_OK)
        return error_memory(error);
    size_t bound = deflateBound(&s, (uLong)c->bytes) + PER_PART * (c->bytes / PART + 1);
    TRY(packed_size(packed, bound, error));
    s.next_out = packed->bytes;
    s.avail_out = bound < UINT_MAX ? (uInt)bound : UINT_MAX;
    int result = Z_OK;
    for (size_t begin = 0; begin < c->bytes && result == Z_OK; begin += PART) {
        size_t size = c->bytes - begin < PART ? c->bytes - begin : PART;
        bool noise = c->type == COSTAB_F64 && is_noise(bytes + begin, size);
        result = deflateParams(&s, noise ? 0 : STORE_DEFLATE_LEVEL, strategy);
        s.next_in = bytes + begin;
        s.avail_in = (uInt)size;
        if (result == Z_OK) result = deflate(&s, begin + size < c->bytes ? Z_NO_FLUSH : Z_FINISH);
    }
    if (result != Z_STREAM_END) return error_set(error, COSTAB_IO, "zlib cannot compress a tile");
    packed->size = (size_t)s.total_out;
    return COSTAB_OK;
}

/* `room` holds a chunk filled up, and behind it one that is shuffled. */
static costab_status pack(const costab_plan *plan, int field, const chunks *c, const size_t *shape,
                          const unsigned char *block, unsigned char *room, costab_packed *packed,
                          costab_error *error) {
    size_t values = 1;
    for (int i = 0; i < c->rank; i++) values *= shape[i];
    bool uniform = c->type == COSTAB_U8 && memcmp(block, block + 1, values - 1) == 0;
    const unsigned char *bytes = values == c->values ? block : room;
    if (bytes == room) fill_up(c, uniform ? block[0] : plan->fields[field].fill, shape, block, room);
    if (plan->compression == COSTAB_COMPRESSION_NONE) return packed_set(packed, bytes, c->bytes, error);
    if (c->type == COSTAB_U8) return deflate_chunk(c, bytes, packed, error);
    shuffle(bytes, c->values, room + c->bytes);
    return deflate_chunk(c, room + c->bytes, packed, error);
}

costab_status costab_pack(const costab_plan *plan, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    size_t shape[COSTAB_AXES_MAX];
    chunks c;
    if (!plan || !block || !packed) return error_missing(error, "a plan, a block or room for it");
    if (field < 0 || field >= plan->field_count)
        return error_invalid(error, "the plan has no field number %d", field);
    costab_tile_shape(plan, field, tile, shape);
    TRY(chunks_of(plan, field, &c, error));
    memory_local_array(unsigned char, room, 2 * c.bytes, error);
    TRY(pack(plan, field, &c, shape, block, room, packed, error));
    packed->sum = store_sum(packed->bytes, packed->size);
    return COSTAB_OK;
}
