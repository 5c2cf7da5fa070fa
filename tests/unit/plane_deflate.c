/* Streams of shuffled doubles: zlib's own inflate gives the bytes back, with its checksum, whatever they are;
 * noise costs next to nothing more than itself, and what is smooth is about as short as zlib makes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "costab/planar.h"
#include "store/plane_deflate.h"
#include "support/support.h"

static void *room(size_t size) {
    void *block = malloc(size > 0 ? size : 1);
    assert_non_null(block);
    return block;
}

/* The stream's size. All blocks end where they must, so that the sanitizers see a step beyond. */
static size_t check_stream(const uint8_t *values, size_t count) {
    size_t size = 8 * count, bound = plane_deflate_bound(size);
    uint8_t *from = room(size), *planes = room(size), *back = room(size), *stream = room(bound),
            *again = room(bound);
    plane_work *work = room(plane_work_size());
    memcpy(from, values, size);
    plane_shuffle(from, count, planes);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 8; k++) assert_int_equal(planes[k * count + i], from[8 * i + k]);
    memset(work, 0xaa, plane_work_size());
    size_t found = plane_deflate(planes, count, work, stream);
    assert_true(found <= bound);
    assert_int_equal(plane_deflate(planes, count, work, again), found); /* whatever the work held */
    assert_memory_equal(again, stream, found);
    uLongf inflated = (uLongf)size;
    uLong taken = (uLong)found;
    assert_int_equal(uncompress2(back, &inflated, stream, &taken), Z_OK);
    assert_int_equal(inflated, size);
    assert_int_equal(taken, found);
    assert_memory_equal(back, planes, size);
    void *blocks[] = {from, planes, back, stream, again, work};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    return found;
}

static size_t zlib_size(const uint8_t *values, size_t count) {
    uLongf size = compressBound((uLong)(8 * count));
    uint8_t *planes = room(8 * count), *out = room(size);
    plane_shuffle(values, count, planes);
    assert_int_equal(compress2(out, &size, planes, (uLong)(8 * count), 1), Z_OK);
    free(planes);
    free(out);
    return size;
}

static void every_small_size(void **state) {
    (void)state;
    rng r = rng_start("planes of every small size");
    uint8_t values[8 * 80];
    for (size_t count = 1; count <= 80; count++)
        for (int kind = 0; kind < 4; kind++) {
            for (size_t i = 0; i < 8 * count; i++)
                values[i] = kind == 0   ? 7
                            : kind == 1 ? (uint8_t)rng_bits(&r)
                            : kind == 2 ? (uint8_t)(i / 24)
                                        : (uint8_t)(rng_bits(&r) & 1);
            (void)check_stream(values, count);
        }
}

/* Noise is stored: 5 bytes per block of 65535 more than itself, and the blocks' borders. */
static void noise(void **state) {
    (void)state;
    rng r = rng_start("planes of noise");
    for (size_t count = 8190; count < 200000; count = count * 3 + 1) {
        uint8_t *values = room(8 * count);
        for (size_t i = 0; i < 8 * count; i++) values[i] = (uint8_t)rng_bits(&r);
        size_t found = check_stream(values, count);
        assert_true(found <= 8 * count + 5 * (8 * count / 65535 + 2) + 10);
        free(values);
    }
}

/* The fields of planar sweeps, in chunks of a sweep's shape: together at most a tenth longer than zlib's
 * streams, none more than 0.35 of them. */
static void planar_fields(void **state) {
    (void)state;
    enum { ROWS = 65, WIDTH = 2001, COUNT = ROWS * WIDTH, CHUNKS = 2 };
    double *values[3] = {room(COUNT * sizeof(double)), room(COUNT * sizeof(double)),
                         room(COUNT * sizeof(double))};
    static double delta[WIDTH];
    size_t found = 0, other = 0;
    costab_method method;
    assert_int_equal(costab_method_find("rk4", &method, NULL), COSTAB_OK);
    for (int k = 0; k < WIDTH; k++) delta[k] = -2 + 16.0 * k / (WIDTH - 1);
    for (int i = 0; i < COSTAB_SCHEME_COUNT * CHUNKS; i++) {
        costab_planar planar;
        assert_int_equal(costab_planar_init(&planar, (costab_scheme)(i / CHUNKS), &method, 1, 1, NULL),
                         COSTAB_OK);
        costab_planar_slice slice = costab_planar_at(&planar, 0.5);
        for (int row = 0; row < ROWS; row++) {
            costab_planar_fields fields = {values[0] + row * WIDTH, values[1] + row * WIDTH,
                                           values[2] + row * WIDTH, NULL};
            costab_planar_field_row(&slice, -6 + 8.0 * (1000 * (i % CHUNKS) + 300 + row) / 2000, WIDTH, delta,
                                    &fields);
        }
        for (int field = 0; field < 3; field++) {
            size_t size = check_stream((const uint8_t *)values[field], COUNT);
            size_t theirs = zlib_size((const uint8_t *)values[field], COUNT);
            check_true(100 * size <= 135 * theirs, "chunk %d of field %d: %zu bytes, zlib %zu", i, field,
                       size, theirs);
            found += size;
            other += theirs;
        }
    }
    check_true(10 * found <= 11 * other, "%zu bytes, zlib %zu", found, other);
    for (int field = 0; field < 3; field++) free(values[field]);
}

/* One value, and none: what is not computed is NaN. */
static void constants(void **state) {
    (void)state;
    enum { COUNT = 130065 };
    double *values = room(COUNT * sizeof *values);
    for (int kind = 0; kind < 3; kind++) {
        for (int k = 0; k < COUNT; k++)
            values[k] = kind == 0 || (kind == 2 && k % 2001 < 700) ? (double)NAN : 0.1;
        check_true(check_stream((const uint8_t *)values, COUNT) < 8000, "kind %d is packed", kind);
    }
    free(values);
}

/* What one part holds does not matter to the next: noise, runs, counting, matches at every distance up to the
 * window. */
static void mixed(void **state) {
    (void)state;
    rng r = rng_start("planes of mixed parts");
    for (int round = 0; round < 5; round++) {
        size_t count = 20000 + (size_t)(rng_bits(&r) % 180000), at = 0;
        uint8_t *planes = room(8 * count), *values = room(8 * count);
        while (at < 8 * count) {
            size_t length = 1 + (size_t)(rng_bits(&r) % 40000), distance = 1 + (size_t)(rng_bits(&r) % 33000);
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
        (void)check_stream(values, count);
        free(planes);
        free(values);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_size), cmocka_unit_test(noise), cmocka_unit_test(planar_fields),
        cmocka_unit_test(constants),        cmocka_unit_test(mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
