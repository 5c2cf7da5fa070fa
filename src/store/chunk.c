/* zlib streams, as HDF5's deflate filter reads them:
 *
 * 1. Doubles are shuffled, as HDF5's filter does: first the lowest bytes of all values, then the next
 *    ones, and so on.
 * 2. The low bytes of a mantissa are noise, in which zlib finds little and takes long for that. Each part
 *    of 64 KiB is looked at. Where two of its bytes are equal less often than once in 2^7 pairs (its
 *    Renyi entropy of order 2 is above 7 bits: codes for bytes save an eighth or so), and less than half
 *    of the groups of four bytes at its beginning have occurred before, it is stored (level 0); the
 *    others are packed (level 1). deflateParams changes the level in between.
 * 3. Bytes are packed as they are; classes come in long runs, which are matches at distance 1 (Z_RLE).
 *
 * Which parts are noise depends on their bytes alone: the same values make the same stream, by one version of
 * zlib. */
#include "store/chunk.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "sweep/packed.h"

#define MEMORY_LEVEL 8
#define WINDOW_BITS  15

enum { PART = 1 << 16, SAMPLED = 8 /* of its bytes every 8th */, PAIRS = 1 << 7 };

/* packed->flags: the chunk has one value only, the low byte. */
#define UNIFORM 0x100u

/* Workspaces kept for reuse; more threads than that allocate afresh each time. */
#define IDLE_MAX 64

/* HDF5's limit for a chunk is 4 GiB; half of it also fits zlib's counters and an int. */
#define CHUNK_BYTES_MAX ((size_t)1 << 31)

typedef struct compressed {
    size_t size;
    uint32_t sum;
    unsigned char bytes[];
} compressed;

/* What one call of pack needs. */
typedef struct workspace {
    bool zlib; /* the stream is begun: at its first use */
    z_stream stream;
    unsigned char *full;     /* a block made up to a whole chunk */
    unsigned char *shuffled; /* doubles only */
} workspace;

struct store_chunk {
    costab_type type;
    costab_compression compression;
    int rank;
    size_t shape[COSTAB_AXES_MAX];
    size_t values, bytes;
    uint8_t fill;
    compressed *_Atomic uniform[UINT8_MAX + 1];
    workspace *_Atomic idle[IDLE_MAX];
};

static voidpf zlib_alloc(voidpf context, uInt count, uInt size) {
    (void)context;
    return memory_alloc(count, size);
}

static void zlib_free(voidpf context, voidpf block) {
    (void)context;
    memory_free(block);
}

static void workspace_free(workspace *w) {
    if (!w) return;
    if (w->zlib) (void)deflateEnd(&w->stream);
    memory_free_all(w->full, w->shuffled, w);
}

static workspace *workspace_create(const store_chunk *chunk) {
    bool doubles = chunk->type == COSTAB_F64 && chunk->compression != COSTAB_COMPRESSION_NONE;
    workspace *w = memory_alloc(1, sizeof *w);
    if (!w) return NULL;
    w->full = memory_alloc(chunk->bytes, 1);
    if (doubles) w->shuffled = memory_alloc(chunk->bytes, 1);
    if (w->full && (!doubles || w->shuffled)) return w;
    workspace_free(w);
    return NULL;
}

static workspace *workspace_take(store_chunk *chunk) {
    for (int i = 0; i < IDLE_MAX; i++) {
        workspace *w = atomic_exchange(&chunk->idle[i], NULL);
        if (w) return w;
    }
    return workspace_create(chunk);
}

static void workspace_give(store_chunk *chunk, workspace *w) {
    for (int i = 0; i < IDLE_MAX; i++) {
        workspace *none = NULL;
        if (atomic_compare_exchange_strong(&chunk->idle[i], &none, w)) return;
    }
    workspace_free(w);
}

costab_status store_chunk_create(const costab_plan *plan, int field, store_chunk **chunk,
                                 costab_error *error) {
    const costab_field *f = &plan->fields[field];
    store_chunk *c = *chunk = memory_alloc(1, sizeof *c);
    if (!c) return error_memory(error);
    c->type = f->type;
    c->compression = plan->compression;
    c->rank = f->rank;
    c->fill = f->fill;
    costab_tile_shape(plan, field, NULL, c->shape);
    c->values = 1;
    for (int i = 0; i < c->rank; i++) {
        if (c->shape[i] == 0 || c->shape[i] > CHUNK_BYTES_MAX / costab_type_size(f->type) / c->values) {
            store_chunk_free(chunk);
            return error_set(error, COSTAB_INVALID, "field '%s': a tile is empty or larger than 2 GiB",
                             f->name);
        }
        c->values *= c->shape[i];
    }
    c->bytes = c->values * costab_type_size(f->type);
    return COSTAB_OK;
}

void store_chunk_free(store_chunk **chunk) {
    store_chunk *c = *chunk;
    *chunk = NULL;
    if (!c) return;
    for (size_t i = 0; i <= UINT8_MAX; i++) memory_free(atomic_load(&c->uniform[i]));
    for (int i = 0; i < IDLE_MAX; i++) workspace_free(atomic_load(&c->idle[i]));
    memory_free(c);
}

/* Copies a block, row by row, into the corner of a whole chunk of fill values. */
static void fill_up(const store_chunk *c, const size_t *shape, const unsigned char *block,
                    unsigned char *full) {
    size_t size = costab_type_size(c->type), index[COSTAB_AXES_MAX] = {0};
    int last = c->rank - 1;
    size_t row = shape[last] * size, rows = 1;
    for (int i = 0; i < last; i++) rows *= shape[i];
    if (c->type == COSTAB_U8)
        memset(full, c->fill, c->bytes);
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

static int strategy_of(const store_chunk *c) {
    return c->type == COSTAB_F64 ? Z_DEFAULT_STRATEGY : Z_RLE;
}

static costab_status start_zlib(const store_chunk *c, workspace *w, costab_error *error) {
    if (w->zlib)
        return deflateReset(&w->stream) == Z_OK ? COSTAB_OK
                                                : error_set(error, COSTAB_IO, "zlib cannot be started again");
    w->stream.zalloc = zlib_alloc;
    w->stream.zfree = zlib_free;
    w->zlib = deflateInit2(&w->stream, STORE_DEFLATE_LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                           strategy_of(c)) == Z_OK;
    return w->zlib ? COSTAB_OK : error_memory(error);
}

/* Blocks of values are short enough to stay in the fastest cache. */
static void shuffle(const unsigned char *from, size_t values, unsigned char *to) {
    enum { BLOCK = 512, BYTES = 8 };
    for (size_t begin = 0; begin < values; begin += BLOCK) {
        size_t end = values - begin < BLOCK ? values : begin + BLOCK;
        for (size_t k = 0; k < BYTES; k++)
            for (size_t i = begin; i < end; i++) to[k * values + i] = from[BYTES * i + k];
    }
}

/* Whether a code that has the right length for each byte would hardly shorten them. */
static bool is_even(const unsigned char *part, size_t size) {
    uint64_t counts[UINT8_MAX + 1] = {0}, bytes = 0, equal = 0;
    for (size_t i = 0; i < size; i += SAMPLED, bytes++) counts[part[i]]++;
    for (int k = 0; k <= UINT8_MAX; k++) equal += counts[k] * counts[k];
    return (equal - bytes) * PAIRS < bytes * bytes;
}

/* Whether most groups of four bytes come again: the last one of each hash is remembered. */
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

static costab_status compress_bytes(const store_chunk *c, workspace *w, const unsigned char *bytes,
                                    costab_packed *packed, costab_error *error) {
    enum { PER_PART = 16 }; /* bytes, more than a change of the level takes */
    const int strategy = strategy_of(c);
    z_stream *s = &w->stream;
    costab_status status = start_zlib(c, w, error);
    if (status) return status;
    size_t bound = deflateBound(s, (uLong)c->bytes) + PER_PART * (c->bytes / PART + 1);
    status = packed_size(packed, bound, error);
    if (status) return status;
    s->next_out = packed->bytes;
    s->avail_out = bound < UINT_MAX ? (uInt)bound : UINT_MAX;
    int result = Z_OK;
    for (size_t begin = 0; begin < c->bytes && result == Z_OK; begin += PART) {
        size_t size = c->bytes - begin < PART ? c->bytes - begin : PART;
        bool noise = c->type == COSTAB_F64 && is_noise(bytes + begin, size);
        result = deflateParams(s, noise ? 0 : STORE_DEFLATE_LEVEL, strategy);
        s->next_in = bytes + begin;
        s->avail_in = (uInt)size;
        if (result == Z_OK) result = deflate(s, begin + size < c->bytes ? Z_NO_FLUSH : Z_FINISH);
    }
    if (result != Z_STREAM_END) return error_set(error, COSTAB_IO, "zlib cannot compress a tile");
    packed->size = (size_t)s->total_out;
    return COSTAB_OK;
}

static costab_status compress_chunk(const store_chunk *c, workspace *w, const unsigned char *bytes,
                                    costab_packed *packed, costab_error *error) {
    if (c->compression == COSTAB_COMPRESSION_NONE) return packed_set(packed, bytes, c->bytes, error);
    if (c->type == COSTAB_U8) return compress_bytes(c, w, bytes, packed, error);
    shuffle(bytes, c->values, w->shuffled);
    return compress_bytes(c, w, w->shuffled, packed, error);
}

static costab_status pack_full(store_chunk *c, const size_t *shape, const void *block, costab_packed *packed,
                               costab_error *error) {
    workspace *w = workspace_take(c);
    if (!w) return error_memory(error);
    bool whole = memcmp(shape, c->shape, (size_t)c->rank * sizeof *shape) == 0;
    const unsigned char *bytes = whole ? block : w->full;
    if (!whole) fill_up(c, shape, block, w->full);
    costab_status status = compress_chunk(c, w, bytes, packed, error);
    workspace_give(c, w);
    return status;
}

uint32_t store_sum(const void *bytes, size_t size) {
    return (uint32_t)crc32_z(crc32(0, NULL, 0), bytes, size);
}

static costab_status make_uniform(store_chunk *c, uint8_t value, costab_packed *packed, costab_error *error) {
    workspace *w = workspace_take(c);
    if (!w) return error_memory(error);
    memset(w->full, value, c->bytes);
    costab_status status = compress_chunk(c, w, w->full, packed, error);
    workspace_give(c, w);
    if (status) return status;
    compressed *made = memory_alloc(1, sizeof *made + packed->size), *none = NULL;
    if (!made) return error_memory(error);
    made->size = packed->size;
    made->sum = store_sum(packed->bytes, packed->size);
    memcpy(made->bytes, packed->bytes, made->size);
    if (!atomic_compare_exchange_strong(&c->uniform[value], &none, made)) memory_free(made);
    return COSTAB_OK;
}

/* A chunk of one value is compressed by the thread that needs it first. Where two threads do so at once, both
 * make the same bytes, and those of one are dropped. */
static costab_status get_uniform(store_chunk *c, uint8_t value, const compressed **made,
                                 costab_error *error) {
    costab_packed packed = {.bytes = NULL};
    costab_status status = COSTAB_OK;
    if (!(*made = atomic_load(&c->uniform[value]))) {
        status = make_uniform(c, value, &packed, error);
        memory_free(packed.bytes);
        *made = atomic_load(&c->uniform[value]);
    }
    return status;
}

costab_status store_chunk_pack(store_chunk *chunk, const size_t *shape, const void *block,
                               costab_packed *packed, costab_error *error) {
    packed->flags = packed->sum = 0;
    if (chunk->type == COSTAB_U8) {
        const uint8_t *values = block;
        size_t count = 1;
        for (int i = 0; i < chunk->rank; i++) count *= shape[i];
        if (memcmp(values, values + 1, count - 1) == 0) {
            packed->size = 0;
            packed->flags = UNIFORM | values[0];
            return COSTAB_OK;
        }
    }
    costab_status status = pack_full(chunk, shape, block, packed, error);
    if (!status) packed->sum = store_sum(packed->bytes, packed->size);
    return status;
}

costab_status store_chunk_bytes(store_chunk *chunk, const costab_packed *packed, store_bytes *found,
                                costab_error *error) {
    *found = (store_bytes){packed->bytes, packed->size, packed->sum};
    if (!(packed->flags & UNIFORM)) return COSTAB_OK;
    const compressed *made;
    costab_status status = get_uniform(chunk, (uint8_t)(packed->flags & UINT8_MAX), &made, error);
    if (status) return status;
    *found = (store_bytes){made->bytes, made->size, made->sum};
    return COSTAB_OK;
}
