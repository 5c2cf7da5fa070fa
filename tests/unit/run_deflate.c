/* Streams of runs: zlib's own inflate gives the bytes back, with its checksum, and they are about as short as
 * those of zlib's run-length strategy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "store/run_deflate.h"
#include "support/support.h"

/* Ends exactly behind the bytes, so that reading further is seen by the sanitizers. */
static uint8_t *copy_of(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return copy;
}

static size_t zlib_size(const uint8_t *bytes, size_t size) {
    z_stream s = {.next_in = NULL};
    assert_int_equal(deflateInit2(&s, 1, Z_DEFLATED, 15, 8, Z_RLE), Z_OK);
    size_t bound = deflateBound(&s, (uLong)size);
    uint8_t *out = malloc(bound), *in = copy_of(bytes, size);
    assert_non_null(out);
    s.next_in = in;
    s.avail_in = (uInt)size;
    s.next_out = out;
    s.avail_out = (uInt)bound;
    assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
    size_t found = s.total_out;
    assert_int_equal(deflateEnd(&s), Z_OK);
    free(out);
    free(in);
    return found;
}

/* The stream's size. */
static size_t check_stream(const uint8_t *from, size_t size) {
    uint8_t *bytes = copy_of(from, size), *back = malloc(size);
    size_t expected = 1;
    costab_runs runs, few;
    for (size_t i = 1; i < size; i++) expected += bytes[i] != bytes[i - 1];
    assert_non_null(back);
    assert_true(runs_make(&runs, expected) && runs_make(&few, expected - 1));
    assert_true(run_deflate_find(bytes, size, &runs));
    assert_int_equal(runs.count, expected);
    assert_int_equal(runs.ends[expected - 1], size);
    for (size_t i = 0, at = 0; i < expected; at = runs.ends[i++])
        for (size_t j = at; j < runs.ends[i]; j++) assert_int_equal(bytes[j], runs.values[i]);
    assert_false(run_deflate_find(bytes, size, &few));
    size_t bound = run_deflate_bound(size, expected);
    uint8_t *stream = malloc(bound);
    assert_non_null(stream);
    size_t found = run_deflate(&runs, stream);
    assert_true(found <= bound);
    uLongf inflated = (uLongf)size;
    uLong taken = (uLong)found;
    assert_int_equal(uncompress2(back, &inflated, stream, &taken), Z_OK);
    assert_int_equal(inflated, size);
    assert_int_equal(taken, found);
    assert_memory_equal(back, bytes, size);
    free(stream);
    runs_free(&runs);
    runs_free(&few);
    free(back);
    free(bytes);
    return found;
}

static void single_runs(void **state) {
    (void)state;
    static uint8_t bytes[70000];
    for (size_t size = 1; size <= 1100; size++) {
        memset(bytes, (int)(size * 37), size);
        (void)check_stream(bytes, size);
    }
    for (size_t size = 65000; size < 70000; size += 251) (void)check_stream(bytes, size);
}

/* Two runs, the border at every place of a block and word. */
static void borders(void **state) {
    (void)state;
    static uint8_t bytes[1200];
    for (size_t first = 1; first < sizeof bytes; first++) {
        memset(bytes, 0, first);
        memset(bytes + first, 255, sizeof bytes - first);
        (void)check_stream(bytes, sizeof bytes);
        (void)check_stream(bytes, first + 1);
    }
}

static void all_values(void **state) {
    (void)state;
    static uint8_t bytes[256 * 300];
    for (size_t run = 1; run <= 300; run += 13) {
        for (size_t i = 0; i < 256 * run; i++) bytes[i] = (uint8_t)(i / run);
        (void)check_stream(bytes, 256 * run);
    }
}

/* The values occur as often as Fibonacci numbers say: the deepest trees, which are cut at 15 bits. */
static void deep_trees(void **state) {
    (void)state;
    static uint8_t bytes[400000];
    size_t size = 0, one = 1, next = 1;
    for (int value = 0; value < 24; value++) {
        for (size_t i = 0; i < one; i++) {
            bytes[size++] = (uint8_t)(2 * value);
            bytes[size++] = (uint8_t)(2 * value + 1);
        }
        size_t sum = one + next;
        one = next;
        next = sum;
    }
    (void)check_stream(bytes, size);
}

/* Rows of a chart: few values, runs of any length. A stream is at most a tenth and 40 bytes longer than
 * zlib's. */
static void random_runs(void **state) {
    (void)state;
    rng random = rng_start("runs");
    size_t room = (size_t)1 << 18;
    uint8_t *bytes = malloc(room);
    assert_non_null(bytes);
    for (size_t round = 0; round < effort(300); round++) {
        size_t size = (size_t)rng_int(&random, 1, (int)room), at = 0;
        int values = rng_int(&random, 1, 9), longest = 1 << rng_int(&random, 5, 17);
        if (round % 7 == 0) values = 256;
        while (at < size) {
            size_t run = (size_t)rng_int(&random, 1, longest);
            if (run > size - at) run = size - at;
            memset(bytes + at, rng_int(&random, 0, values - 1), run);
            at += run;
        }
        size_t found = check_stream(bytes, size), theirs = zlib_size(bytes, size);
        check_true(found <= theirs + theirs / 10 + 40, "%zu bytes against zlib's %zu for %zu", found, theirs,
                   size);
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_runs), cmocka_unit_test(borders),     cmocka_unit_test(all_values),
        cmocka_unit_test(deep_trees),  cmocka_unit_test(random_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
