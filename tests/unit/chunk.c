/* Chunks as HDF5's filters read them: Fletcher's checksum follows the bytes, zlib's own inflate gives the
 * bytes back, whatever they are, and they are about as short as zlib makes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "costab/planar.h"
#include "store/chunk.h"
#include "support/support.h"
#include "sweep/run.h"

static void *room(size_t size) {
    void *block = malloc(size > 0 ? size : 1);
    assert_non_null(block);
    return block;
}

/* Packs one chunk of a field of one axis, twice. Returns its size; *stream is to be freed. */
static size_t pack(costab_type type, const void *values, size_t count, uint8_t **stream) {
    costab_plan plan = {.axis_count = 1,
                        .swept = 1,
                        .field_count = 1,
                        .tile_shape = {count},
                        .compression = COSTAB_COMPRESSION_FAST};
    plan.axes[0].count = count;
    plan.fields[0] = (costab_field){.name = "field", .type = type, .rank = 1};
    const costab_tile tile = {.count = {count}};
    costab_packed packed[2] = {{.bytes = NULL}, {.bytes = NULL}};
    for (int k = 0; k < 2; k++) check_ok(store_pack(&plan, &tile, 0, values, &packed[k], &why));
    assert_int_equal(packed[0].size, packed[1].size);
    assert_memory_equal(packed[0].bytes, packed[1].bytes, packed[0].size);
    free(packed[1].bytes);
    *stream = packed[0].bytes;
    return packed[0].size;
}

/* HDF5's shuffle filter for values of 8 bytes. */
static uint8_t *shuffled(const uint8_t *values, size_t count) {
    uint8_t *planes = room(8 * count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 8; k++) planes[k * count + i] = values[8 * i + k];
    return planes;
}

/* Fletcher's checksum of 32 bits by its definition, of words of two bytes, the first one the higher. As in
 * HDF5, a sum that is 0 modulo 65535 is 65535 unless all words are 0. */
static uint32_t checksum(const uint8_t *bytes, size_t size) {
    uint64_t one = 0, two = 0;
    bool any = false;
    for (size_t at = 0; at < size; at += 2) {
        uint64_t word = (uint64_t)bytes[at] << 8 | (at + 1 < size ? bytes[at + 1] : 0);
        any = any || word > 0;
        one = (one + word) % 65535;
        two = (two + one) % 65535;
    }
    if (any && one == 0) one = 65535;
    if (any && two == 0) two = 65535;
    return (uint32_t)(two << 16 | one);
}

/* The stream's size. */
static size_t check_stream(costab_type type, const uint8_t *values, size_t count) {
    size_t size = count * costab_type_size(type);
    uint8_t *stream, *back = room(size), *planes = type == COSTAB_F64 ? shuffled(values, count) : NULL;
    size_t found = pack(type, values, count, &stream);
    uLongf inflated = (uLongf)size;
    uLong taken = (uLong)found;
    assert_int_equal(uncompress2(back, &inflated, stream, &taken), Z_OK);
    assert_int_equal(inflated, size);
    assert_int_equal(taken + 4, found);
    assert_int_equal(checksum(stream, taken), stream[taken] | (uint32_t)stream[taken + 1] << 8 |
                                                  (uint32_t)stream[taken + 2] << 16 |
                                                  (uint32_t)stream[taken + 3] << 24);
    assert_memory_equal(back, planes != NULL ? planes : values, size);
    free(stream);
    free(back);
    free(planes);
    return found;
}

static size_t zlib_size(const uint8_t *bytes, size_t size) {
    uLongf found = compressBound((uLong)size);
    uint8_t *out = room(found);
    assert_int_equal(compress2(out, &found, bytes, (uLong)size, 1), Z_OK);
    free(out);
    return found;
}

TEST(every_small_size) {
    rng r = rng_start("chunks of every small size");
    uint8_t values[8 * 80];
    for (size_t count = 1; count <= 80; count++)
        for (int kind = 0; kind < 4; kind++) {
            for (size_t i = 0; i < 8 * count; i++)
                values[i] = kind == 0   ? 7
                            : kind == 1 ? (uint8_t)rng_bits(&r)
                            : kind == 2 ? (uint8_t)(i / 24)
                                        : (uint8_t)(rng_bits(&r) & 1);
            (void)check_stream(COSTAB_F64, values, count);
            (void)check_stream(COSTAB_U8, values, count);
        }
}

/* The fields of planar sweeps, in chunks of a sweep's shape: as long as zlib's streams of level 1. */
TEST(planar_fields) {
    enum { ROWS = 65, WIDTH = 2001, COUNT = ROWS * WIDTH, CHUNKS = 2 };
    double *values[3] = {room(COUNT * sizeof(double)), room(COUNT * sizeof(double)),
                         room(COUNT * sizeof(double))};
    static double delta[WIDTH];
    costab_method method;
    check_ok(costab_method_find("rk4", &method, &why));
    for (int k = 0; k < WIDTH; k++) delta[k] = -2 + 16.0 * k / (WIDTH - 1);
    for (int i = 0; i < COSTAB_SCHEME_COUNT * CHUNKS; i += (int)effort_stride(3)) {
        costab_planar planar;
        check_ok(costab_planar_init(&planar, (costab_scheme)(i / CHUNKS), &method, 1, 1, &why));
        costab_planar_slice slice = costab_planar_at(&planar, 0.5);
        for (int row = 0; row < ROWS; row++) {
            costab_planar_fields fields = {values[0] + row * WIDTH, values[1] + row * WIDTH,
                                           values[2] + row * WIDTH, NULL};
            costab_planar_field_row(&slice, -6 + 8.0 * (1000 * (i % CHUNKS) + 300 + row) / 2000, WIDTH, delta,
                                    &fields);
        }
        for (int field = 0; field < 3; field++) {
            uint8_t *planes = shuffled((const uint8_t *)values[field], COUNT);
            size_t size = check_stream(COSTAB_F64, (const uint8_t *)values[field], COUNT);
            size_t theirs = zlib_size(planes, 8 * (size_t)COUNT);
            check_true(size <= theirs + 16, "chunk %d of field %d: %zu bytes, zlib %zu", i, field, size,
                       theirs);
            free(planes);
        }
    }
    for (int field = 0; field < 3; field++) free(values[field]);
}

/* One value, and none: what is not computed is NaN. */
TEST(constants) {
    enum { COUNT = 130065 };
    double *values = room(COUNT * sizeof *values);
    for (int kind = 0; kind < 3; kind++) {
        for (int k = 0; k < COUNT; k++)
            values[k] = kind == 0 || (kind == 2 && k % 2001 < 700) ? (double)NAN : 0.1;
        check_true(check_stream(COSTAB_F64, (const uint8_t *)values, COUNT) < 8000, "kind %d is packed",
                   kind);
    }
    free(values);
}

/* Noise, runs, counting, matches at every distance up to the
 * window. */
TEST(mixed) {
    rng r = rng_start("chunks of mixed parts");
    for (int round = 0; round < 5; round++) {
        size_t count = 20000 + (size_t)(rng_bits(&r) % 180000), at = 0;
        uint8_t *planes = room(8 * count), *values = room(8 * count);
        while (at < 8 * count) {
            size_t length = 1 + (size_t)(rng_bits(&r) % 200000),
                   distance = 1 + (size_t)(rng_bits(&r) % 33000);
            int kind = (int)(rng_bits(&r) % 4);
            for (size_t i = 0; i < length && at < 8 * count; i++, at++)
                planes[at] = kind == 0                       ? (uint8_t)rng_bits(&r)
                             : kind == 1                     ? 3
                             : kind == 2                     ? (uint8_t)(i / 7)
                             : at >= distance && i % 97 != 0 ? planes[at - distance]
                                                             : (uint8_t)rng_bits(&r);
        }
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < 8; k++) values[8 * i + k] = planes[k * count + i];
        (void)check_stream(COSTAB_F64, values, count);
        free(planes);
        free(values);
    }
}

/* Rows of a chart: few values, runs of any length. A stream is at most a tenth and 40 bytes longer than
 * zlib's with a search for matches. */
TEST(random_runs) {
    rng random = rng_start("runs");
    size_t most = (size_t)1 << 18;
    uint8_t *bytes = room(most);
    for (size_t round = 0; round < effort(60); round++) {
        size_t size = (size_t)rng_int(&random, 1, (int)most), at = 0;
        int values = round % 7 == 0 ? 256 : rng_int(&random, 1, 9), longest = 1 << rng_int(&random, 5, 17);
        while (at < size) {
            size_t run = (size_t)rng_int(&random, 1, longest);
            if (run > size - at) run = size - at;
            memset(bytes + at, rng_int(&random, 0, values - 1), run);
            at += run;
        }
        size_t found = check_stream(COSTAB_U8, bytes, size), theirs = zlib_size(bytes, size);
        check_true(found <= theirs + theirs / 10 + 40, "%zu bytes against zlib's %zu for %zu", found, theirs,
                   size);
    }
    free(bytes);
}
