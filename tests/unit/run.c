/* run.c - a run over the tiles of a plan: what is committed must be, byte for byte and in order, what one
 * thread commits, whatever the number of threads; and the first failure, or progress, must end the run. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "costab/sweep.h"
#include "support/support.h"
#include "sweep/packed.h"
#include "sweep/run.h"

enum { THREADS_MAX = 4, SIDE_X = 37, SIDE_Y = 50 };

/* ---- A plan, what it computes, and a sink that keeps all that is committed ---- */

static double values_x[SIDE_X], values_y[SIDE_Y]; /* all 0: nothing depends on them */

static const costab_plan plan = {
    .axis_count = 2,
    .swept = 2,
    .axes = {{.name = "x", .count = SIDE_X, .values = values_x},
             {.name = "y", .count = SIDE_Y, .values = values_y}},
    .field_count = 3,
    .fields = {{.name = "codes", .type = COSTAB_U8, .rank = 2, .axes = {0, 1}},
               {.name = "numbers", .type = COSTAB_F64, .rank = 2, .axes = {0, 1}},
               {.name = "rows", .type = COSTAB_F64, .rank = 1, .axes = {0}}},
    .tile_shape = {2, 12},
};

/* Ways to make a run fail. */
typedef struct trouble {
    enum { NONE, IN_EVALUATE, IN_PACK, IN_COMMIT, IN_PROGRESS, IN_LONG_TILE, LATER } where;
    size_t tile; /* from this one on; LATER, in progress: once that number of fields is committed, slowly */
} trouble;

typedef struct log {
    unsigned char *bytes;
    size_t size, commits;
} log;

typedef struct run_state {
    trouble trouble;
    log log;
    atomic_int asking, at_once; /* calls of progress at present; at most, at the same time */
    size_t first, step;         /* which tiles it has */
    size_t done;                /* that progress was last told */
    costab_status status;
    costab_error error;
} run_state;

static bool troubled(const run_state *r, int where, size_t tile) {
    return (int)r->trouble.where == where && tile >= r->trouble.tile;
}

static costab_status refuse(costab_error *error, const char *what) {
    error->status = COSTAB_NUMERIC;
    strcpy(error->message, what);
    return COSTAB_NUMERIC;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const run_state *r = context;
    if (troubled(r, IN_EVALUATE, tile->index)) return refuse(error, "evaluate fails");
    while (troubled(r, IN_LONG_TILE, tile->index))
        if (costab_tile_stopped(tile)) return COSTAB_CANCELLED;
    /* tiles cost unequally, so that they come in another order than they go */
    nanosleep(&(struct timespec){.tv_nsec = (long)(tile->index * 7919 % 13) * 20000}, NULL);
    for (size_t i = 0; i < tile->count[0]; i++) {
        size_t x = tile->start[0] + i;
        if (blocks[2] != NULL) ((double *)blocks[2])[i] = (double)x / 3;
        for (size_t j = 0; j < tile->count[1]; j++) {
            size_t y = tile->start[1] + j, at = i * tile->count[1] + j;
            ((unsigned char *)blocks[0])[at] = (unsigned char)(x * y);
            ((double *)blocks[1])[at] = (double)x / (double)(y + 1);
        }
    }
    if (tile->index % 3 != 0) return COSTAB_OK;
    unsigned char note[50]; /* every third tile has one, of a length of its own */
    memset(note, (int)(tile->index % 251), sizeof note);
    return packed_set(tile->note, note, 1 + tile->index % 50, error);
}

/* Packed bytes are not as long as the block, and the sum matters. */
static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    const run_state *r = context;
    if (troubled(r, IN_PACK, tile->index)) return refuse(error, "pack fails");
    size_t size = costab_tile_values(&plan, field, tile) * costab_type_size(plan.fields[field].type);
    packed->sum = (uint32_t)(tile->index * 3 + (size_t)field);
    return packed_set(packed, block, tile->index % 5 == 0 ? 0 : size / 2, error);
}

static void append(log *l, const void *bytes, size_t size) {
    if (size == 0) return;
    l->bytes = realloc(l->bytes, l->size + size);
    memcpy(l->bytes + l->size, bytes, size);
    l->size += size;
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    run_state *r = context;
    if (troubled(r, IN_COMMIT, tile->index)) return refuse(error, "commit fails");
    append(&r->log, &tile->index, sizeof tile->index);
    append(&r->log, tile->start, sizeof tile->start);
    append(&r->log, tile->count, sizeof tile->count);
    append(&r->log, &field, sizeof field);
    append(&r->log, tile->note->bytes, tile->note->size);
    append(&r->log, &packed->sum, sizeof packed->sum);
    append(&r->log, packed->bytes, packed->size);
    r->log.commits++;
    if (r->trouble.where == LATER) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return COSTAB_OK;
}

static size_t tiles(void) {
    size_t count, points;
    check_ok(costab_plan_size(&plan, &count, &points, &why));
    return count;
}

static bool progress(void *context, size_t done, size_t total) {
    run_state *r = context;
    const int now = atomic_fetch_add(&r->asking, 1) + 1;
    if (now > atomic_load(&r->at_once)) atomic_store(&r->at_once, now);
    assert_true(done >= r->done && done <= total && total == costab_plan_share(tiles(), r->first, r->step));
    r->done = done;
    bool stop =
        troubled(r, IN_PROGRESS, done) || troubled(r, IN_LONG_TILE, done) || troubled(r, LATER, 2 * done);
    atomic_fetch_sub(&r->asking, 1);
    return stop;
}

static run_state run_share(int threads, size_t first, size_t step, trouble with) {
    run_state r = {.trouble = with, .first = first, .step = step};
    costab_evaluator evaluator = {.context = &r, .evaluate = evaluate};
    costab_sink sink = {.context = &r, .pack = pack, .commit = commit};
    costab_run_options options = {
        .threads = threads, .first = first, .step = step, .progress = progress, .progress_context = &r};
    r.status = costab_run(&plan, &evaluator, &sink, &options, &r.error);
    return r;
}

static run_state run(int threads, trouble with) {
    return run_share(threads, 0, 0, with);
}

/* ---- Tests ---- */

TEST(threads_commit_what_one_does) {
    run_state alone = run(1, (trouble){NONE, 0});
    assert_int_equal(alone.status, COSTAB_OK);
    /* rows: only the first tile along y carries them */
    assert_int_equal(alone.log.commits, 2 * tiles() + (SIDE_X + 1) / 2);
    for (int threads = 1; threads <= THREADS_MAX; threads++) {
        run_state r = run(threads, (trouble){NONE, 0});
        assert_int_equal(r.status, COSTAB_OK);
        assert_int_equal(r.done, tiles());
        assert_int_equal(r.at_once, 1);
        assert_int_equal(r.log.size, alone.log.size);
        assert_memory_equal(r.log.bytes, alone.log.bytes, alone.log.size);
        free(r.log.bytes);
    }
    free(alone.log.bytes);
}

/* Every n-th tile, from each of the first n on: together all of them, each once. */
TEST(shares_cover_the_tiles) {
    run_state alone = run(1, (trouble){NONE, 0});
    for (size_t n = 1; n <= tiles() + 1; n += n < 4 ? 1 : 29) {
        size_t bytes = 0, commits = 0, done = 0;
        for (size_t k = 0; k < n; k++) {
            run_state r = run_share(2, k, n, (trouble){NONE, 0});
            assert_int_equal(r.status, COSTAB_OK);
            if (r.log.size > 0) assert_memory_equal(r.log.bytes, &k, sizeof k); /* the first tile's number */
            bytes += r.log.size, commits += r.log.commits, done += r.done;
            free(r.log.bytes);
        }
        assert_int_equal(done, tiles());
        assert_int_equal(commits, alone.log.commits);
        assert_int_equal(bytes, alone.log.size);
    }
    free(alone.log.bytes);
}

/* The committed part is the beginning of the whole. */
static void check_failure(trouble with, costab_status status, const char *message) {
    run_state alone = run(1, (trouble){NONE, 0});
    for (int threads = 1; threads <= THREADS_MAX; threads++) {
        run_state r = run(threads, with);
        assert_int_equal(r.status, status);
        assert_int_equal(r.error.status, status);
        assert_string_equal(r.error.message, message);
        assert_true(r.log.size < alone.log.size);
        if (r.log.size > 0) assert_memory_equal(r.log.bytes, alone.log.bytes, r.log.size);
        free(r.log.bytes);
    }
    free(alone.log.bytes);
}

TEST(a_failure_anywhere_ends_the_run) {
    size_t half = tiles() / 2;
    check_failure((trouble){IN_EVALUATE, half}, COSTAB_NUMERIC, "evaluate fails");
    check_failure((trouble){IN_EVALUATE, 0}, COSTAB_NUMERIC, "evaluate fails");
    check_failure((trouble){IN_PACK, 0}, COSTAB_NUMERIC, "pack fails");
    check_failure((trouble){IN_COMMIT, half}, COSTAB_NUMERIC, "commit fails");
}

TEST(progress_cancels) {
    check_failure((trouble){IN_PROGRESS, 0}, COSTAB_CANCELLED, "stopped");
    check_failure((trouble){IN_PROGRESS, tiles() / 2}, COSTAB_CANCELLED, "stopped");
}

/* Within a tile that does not end by itself. */
TEST(progress_cancels_a_long_tile) {
    check_failure((trouble){IN_LONG_TILE, 0}, COSTAB_CANCELLED, "stopped");
}

/* All tiles are computed and wait for a slow sink. */
TEST(progress_cancels_a_slow_sink) {
    for (int round = 0; round < 8; round++) check_failure((trouble){LATER, 6}, COSTAB_CANCELLED, "stopped");
}
