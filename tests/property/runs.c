/* Bytes as runs: appended and changed one by one they are what an array of bytes is, and no shorter list
 * holds it; the classes of planar charts as runs are those in rasters, and packed they are the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runs.h"
#include "costab/store.h"
#include "costab/study.h"
#include "support/support.h"

/* Runs, neighbours different, that spread out to these bytes. */
static void check_runs(const costab_runs *runs, const uint8_t *bytes, size_t size, const char *where) {
    size_t at = 0;
    check_true(!runs->full && runs->count > 0 && runs->ends[runs->count - 1] == size,
               "%s: %zu runs of %zu bytes", where, runs->count, size);
    for (size_t i = 0; i < runs->count; at = runs->ends[i++]) {
        check_true(runs->ends[i] > at, "%s: run %zu is empty", where, i);
        check_true(i == 0 || runs->values[i] != runs->values[i - 1], "%s: runs %zu and %zu are one", where,
                   i - 1, i);
        for (size_t k = at; k < runs->ends[i]; k++)
            check_true(bytes[k] == runs->values[i], "%s: byte %zu is %d in run %zu of %d", where, k, bytes[k],
                       i, runs->values[i]);
    }
}

TEST(changed_bytes) {
    rng random = rng_start("runs");
    for (int round = 0; round < 300; round++) {
        enum { SIZE = 120 };
        uint8_t bytes[SIZE];
        char where[32];
        costab_runs runs;
        size_t size = 0;
        assert_true(runs_make(&runs, SIZE));
        snprintf(where, sizeof where, "round %d", round);
        while (size < SIZE) {
            size_t end = size + (size_t)rng_int(&random, 1, 20);
            uint8_t value = (uint8_t)rng_int(&random, 0, 2);
            if (end > SIZE) end = SIZE;
            memset(bytes + size, value, end - size);
            runs_put(&runs, end, value);
            size = end;
            for (int k = rng_int(&random, 0, 12); k > 0; k--) {
                size_t place = (size_t)rng_int(&random, 0, (int)size - 1);
                bytes[place] = (uint8_t)rng_int(&random, 0, 2);
                runs_set(&runs, place, bytes[place]);
                check_runs(&runs, bytes, size, where);
            }
        }
        check_runs(&runs, bytes, size, where);
        runs_free(&runs);
    }
}

/* What does not fit is said, and nothing is written beyond the room. */
TEST(no_room) {
    costab_runs runs;
    assert_true(runs_make(&runs, 3));
    for (int i = 1; i <= 3; i++) runs_put(&runs, (size_t)(10 * i), (uint8_t)i);
    assert_false(runs.full);
    runs_set(&runs, 15, 2);
    assert_false(runs.full);
    runs_set(&runs, 15, 7);
    assert_true(runs.full && runs.count == 3);
    runs_clear(&runs);
    for (int i = 1; i <= 4; i++) runs_put(&runs, (size_t)(10 * i), (uint8_t)i);
    assert_true(runs.full && runs.count == 3);
    runs_free(&runs);
}

/* One chart, tile by tile, as rasters and as runs. Returns how many tiles came as runs. */
static size_t compare(const char *text, const char *compression) {
    costab_study *study = NULL;
    costab_packer *packer = NULL;
    costab_error error = {.message = ""};
    char spec[600];
    snprintf(spec, sizeof spec, "%scompression: %s\n", text, compression);
    if (costab_study_parse("s.yaml", spec, strlen(spec), &study, &error)) fail_msg("%s", error.message);
    const costab_plan *plan = costab_study_plan(study);
    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_packed packed[2] = {{.bytes = NULL}, {.bytes = NULL}};
    size_t tiles, points, values, count = 0;
    const int field = costab_plan_field(plan, "class");
    assert_int_equal(costab_packer_create(plan, &packer, NULL), COSTAB_OK);
    assert_int_equal(costab_plan_size(plan, &tiles, &points, NULL), COSTAB_OK);
    for (size_t i = 0; i < tiles; i++) {
        costab_tile tile;
        costab_runs runs[COSTAB_FIELDS_MAX] = {{.most = 0}};
        costab_plan_tile(plan, i, &tile);
        values = costab_tile_values(plan, field, &tile);
        uint8_t *raster = malloc(values), *unused = malloc(values);
        void *blocks[COSTAB_FIELDS_MAX] = {NULL};
        assert_true(raster && unused && runs_make(&runs[field], runs_most(values)));
        blocks[field] = raster;
        assert_int_equal(evaluator.evaluate(evaluator.context, &tile, blocks, NULL), COSTAB_OK);
        tile.runs = runs;
        blocks[field] = unused;
        assert_int_equal(evaluator.evaluate(evaluator.context, &tile, blocks, NULL), COSTAB_OK);
        if (runs[field].count > 0)
            check_runs(&runs[field], raster, values, text);
        else
            assert_memory_equal(raster, unused, values);
        bool whole = true;
        for (int k = 0; k < plan->swept; k++) whole = whole && tile.count[k] == plan->tile_shape[k];
        for (int k = 0; k < 2 && whole && runs[field].count > 0; k++) {
            tile.runs = k == 0 ? NULL : runs;
            assert_int_equal(costab_packer_pack(packer, &tile, field, raster, &packed[k], NULL), COSTAB_OK);
            count += (size_t)k;
        }
        assert_int_equal(packed[0].size, packed[1].size);
        assert_int_equal(packed[0].flags, packed[1].flags);
        if (packed[0].size > 0) assert_memory_equal(packed[0].bytes, packed[1].bytes, packed[0].size);
        runs_free(&runs[field]);
        free(raster);
        free(unused);
    }
    for (int k = 0; k < 2; k++) free(packed[k].bytes);
    costab_packer_destroy(&packer);
    costab_study_destroy(&study);
    return count;
}

/* Ends on points of the grid, where points are decided one by one; the whole plane and small windows; rows so
 * short that runs are not worth it. */
TEST(charts) {
    static const char *const axes[] = {
        "axes: {a: [-0.5, 0, 0.5], gamma: {from: -6, to: 2, points: 201}, delta: {from: -2, to: 14, points: 1001}}",
        "axes: {a: [-1], gamma: {from: -4, to: 1, points: 900}, delta: {from: 0, to: 8, points: 321}}",
        "axes: {a: [0.25], gamma: {from: -3, to: 3, points: 40}, delta: {from: -9, to: 9, points: 7}}",
        "axes: {a: [0], gamma: {from: -1e-7, to: 1e-7, points: 300}, delta: {from: -1e-7, to: 1e-7, points: 500}}"};
    static const char *const methods[] = {"rk4", "heun", "gauss2", "euler"};
    size_t runs = 0;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
            char text[400];
            snprintf(text, sizeof text, "system: planar\nschemes: all\nsubsteps: %d\nmethod: %s\n%s\n",
                     (int)(k % 2) + 1, methods[m], axes[k]);
            runs += compare(text, k == 2 ? "none" : "fast");
        }
    assert_true(runs > 60);
}
