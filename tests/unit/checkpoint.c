/* Checkpoints: what is kept comes back, in one log or several, however it was interrupted; an allocation that
 * fails loses nothing. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "store/checkpoint.h"
#include "store/log.h"
#include "support/memory.h"
#include "support/support.h"
#include "sweep/packed.h"
#include "sweep/run.h"

enum { X = 7, Y = 40 };

static char folder[] = "/tmp/costab-checkpoint-XXXXXX";
static double x_values[X], y_values[Y];
static const costab_store_info info = {
    .title = "A test", .spec_path = "test.yaml", .spec_text = "title: A test\n"};

static const char *in_folder(const char *name) {
    static char paths[64][256];
    static int next;
    next = (next + 1) % 64;
    (void)snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

/* Bytes and numbers over both axes, and a number for each x, which some tiles do not carry. */
static costab_plan make_plan(void) {
    costab_plan plan = {.axis_count = 2,
                        .swept = 2,
                        .axes = {{.name = "x", .count = X, .values = x_values},
                                 {.name = "y", .count = Y, .values = y_values}},
                        .field_count = 3,
                        .fields = {{.name = "code", .type = COSTAB_U8, .rank = 2, .axes = {0, 1}},
                                   {.name = "value", .type = COSTAB_F64, .rank = 2, .axes = {0, 1}},
                                   {.name = "mean", .type = COSTAB_F64, .rank = 1, .axes = {0}}},
                        .tile_shape = {1, 9}};
    for (size_t i = 0; i < X; i++) x_values[i] = (double)i;
    for (size_t i = 0; i < Y; i++) y_values[i] = 0.5 * (double)i;
    return plan;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    (void)context;
    uint8_t *code = blocks[0];
    double *value = blocks[1], *mean = blocks[2];
    for (size_t j = 0; j < tile->count[1]; j++) {
        code[j] = (uint8_t)(tile->start[0] == 3 ? 1 : (tile->start[1] + j) % 5);
        value[j] = (double)tile->start[0] + 1e-3 * (double)(tile->start[1] + j);
    }
    if (mean) *mean = 10.0 * (double)tile->start[0];
    /* Every third tile has a note, its number. */
    return tile->index % 3 == 0 ? packed_set(tile->note, &tile->index, sizeof tile->index, error) : COSTAB_OK;
}

/* Notes that were given back. */
typedef struct notebook {
    size_t given, wrong;
} notebook;

static costab_status give(void *context, const costab_tile *tile, const void *bytes, size_t size,
                          costab_error *error) {
    notebook *book = context;
    (void)error;
    book->given++;
    book->wrong += size != sizeof tile->index || memcmp(bytes, &tile->index, size) != 0;
    return COSTAB_OK;
}

static bool is_end(void *context, size_t done, size_t total) {
    (void)total;
    return done == *(const size_t *)context;
}

/* Tiles from `first` on, by `step`; 0 < count: that number of tiles, then the run is cancelled. */
static costab_status run(const costab_plan *plan, const costab_sink *sink, size_t first, size_t step,
                         size_t count, costab_error *error) {
    costab_evaluator evaluator = {.context = NULL, .evaluate = evaluate};
    costab_run_options options = {
        .threads = 2, .first = first, .step = step, .progress = is_end, .progress_context = &count};
    costab_status status = costab_run(plan, &evaluator, sink, &options, error);
    return status == COSTAB_CANCELLED && count > 0 ? COSTAB_OK : status;
}

static void slurp(const char *path, text *bytes) {
    costab_error error = {0};
    *bytes = (text){0};
    check_true(text_read_file(path, (size_t)1 << 28, bytes, &error) == COSTAB_OK, "read: %s", error.message);
}

static void check_file(const char *path, const char *expected) {
    text one, other;
    slurp(path, &one);
    slurp(expected, &other);
    assert_int_equal(one.size, other.size);
    assert_memory_equal(one.data, other.data, one.size);
    text_free(&one);
    text_free(&other);
}

/* One attempt to write a file, as a program does it: from what is kept up to the tile `stop` (0: all, and the
 * file is finished). */
static costab_status attempt_at(const char *path, const costab_plan *plan, costab_checkpoint_mode mode,
                                size_t stop, notebook *book, costab_error *error) {
    costab_checkpoint_key key = {.plan = plan, .info = &info};
    costab_notes notes = {.context = book, .give = give};
    costab_checkpoint *log = NULL;
    costab_sink sink;
    costab_status status = costab_checkpoint_open(path, &key, mode, &log, error);
    if (status) return status;
    status = costab_checkpoint_replay(log, NULL, &notes, error);
    if (!status) status = costab_checkpoint_sink(log, &sink, error);
    size_t next = costab_checkpoint_at(log).done;
    if (!status) status = run(plan, &sink, next, 1, stop > next ? stop - next : 0, error);
    if (!status && stop == 0) status = costab_checkpoint_finish(&log, path, error);
    assert_true(stop > 0 || (status != COSTAB_OK) == (log != NULL));
    costab_checkpoint_close(&log, true);
    return status;
}

static costab_status attempt(const costab_plan *plan, costab_checkpoint_mode mode, size_t stop,
                             notebook *book, costab_error *error) {
    return attempt_at(in_folder("x.h5"), plan, mode, stop, book, error);
}

/* The file that all others must equal. */
static const char *whole_file(const costab_plan *plan) {
    notebook book = {0};
    check_ok(attempt_at(in_folder("whole.h5"), plan, COSTAB_CHECKPOINT_NEW, 0, &book, &why));
    return in_folder("whole.h5");
}

static void check_none(const char *name) {
    check_true(access(in_folder(name), F_OK) != 0, "%s is there", name);
}

TEST(every_place) {
    costab_plan plan = make_plan();
    size_t tiles, points;
    char whole[256];
    (void)snprintf(whole, sizeof whole, "%s", whole_file(&plan));
    check_ok(costab_plan_size(&plan, &tiles, &points, &why));
    for (size_t stop = 1; stop < tiles; stop++) {
        notebook book = {0}, later = {0};
        check_ok(attempt(&plan, COSTAB_CHECKPOINT_NEW, stop, &book, &why));
        check_none("x.h5");
        check_ok(attempt(&plan, COSTAB_CHECKPOINT_RESUME, 0, &later, &why));
        assert_int_equal(later.given, (stop + 2) / 3);
        assert_int_equal(later.wrong, 0);
        check_file(in_folder("x.h5"), whole);
        check_none("x.h5.checkpoint");
        (void)unlink(in_folder("x.h5"));
    }
}

/* Logs of every N-th tile, made without any store, become one file; also where there are more of them than
 * tiles. */
static void check_parts(const costab_plan *plan, const char *whole, size_t n) {
    notebook book = {0};
    costab_notes notes = {.context = &book, .give = give};
    costab_checkpoint *logs[64], *joined;
    costab_sink sink;
    for (size_t k = 0; k < n; k++) {
        costab_checkpoint_key key = {.plan = plan, .info = &info, .first = k, .step = n};
        char name[16], path[300];
        (void)snprintf(name, sizeof name, "part%zu", k);
        (void)snprintf(path, sizeof path, "%s", in_folder(name));
        check_ok(costab_checkpoint_open(path, &key, COSTAB_CHECKPOINT_NEW, &logs[k], &why));
        check_ok(costab_checkpoint_sink(logs[k], &sink, &why));
        check_ok(run(plan, &sink, k, n, 0, &why));
        check_ok(costab_checkpoint_flush(logs[k], &why));
        costab_checkpoint_state at = costab_checkpoint_at(logs[k]);
        assert_true(at.done == at.count && at.first == k && at.step == n);
        check_ok(costab_checkpoint_publish(&logs[k], path, &why));
        assert_null(logs[k]);
        check_ok(costab_checkpoint_read(path, &logs[k], &why));
        assert_string_equal(costab_checkpoint_info(logs[k])->spec_text, info.spec_text);
        assert_string_equal(costab_checkpoint_info(logs[k])->title, info.title);
        assert_null(costab_checkpoint_info(logs[k])->references);
        check_ok(costab_checkpoint_plan(logs[k], plan, &why));
    }
    const costab_checkpoint_key all = {.plan = plan, .info = &info};
    check_ok(costab_checkpoint_open(in_folder("x.h5"), &all, COSTAB_CHECKPOINT_NEW, &joined, &why));
    check_ok(costab_checkpoint_sink(joined, &sink, &why));
    check_ok(costab_checkpoint_replay_all(logs, n, &sink, &notes, &why));
    for (size_t k = 0; k < n; k++) {
        char name[16];
        costab_checkpoint_state at = costab_checkpoint_at(logs[k]);
        assert_true(at.done == at.count && !at.damaged);
        costab_checkpoint_close(&logs[k], false);
        (void)snprintf(name, sizeof name, "part%zu", k);
        assert_int_equal(unlink(in_folder(name)), 0); /* a log that was read stays */
    }
    assert_int_equal(book.given, 12); /* of 35 tiles */
    assert_int_equal(book.wrong, 0);
    check_ok(costab_checkpoint_finish(&joined, in_folder("x.h5"), &why));
    check_file(in_folder("x.h5"), whole);
    (void)unlink(in_folder("x.h5"));
}

TEST(parts) {
    static const size_t counts[] = {1, 2, 4, 34, 35, 36, 64};
    costab_plan plan = make_plan();
    char whole[256];
    (void)snprintf(whole, sizeof whole, "%s", whole_file(&plan));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) check_parts(&plan, whole, counts[i]);
}

TEST(slices_that_are_none) {
    costab_plan plan = make_plan();
    costab_checkpoint *log = NULL;
    const size_t wrong[][2] = {{1, 0}, {4, 3}, {4, 4}, {0, SIZE_MAX}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        costab_checkpoint_key key = {.plan = &plan, .info = &info, .first = wrong[i][0], .step = wrong[i][1]};
        assert_int_equal(costab_checkpoint_open(in_folder("x.h5"), &key, COSTAB_CHECKPOINT_NEW, &log, &why),
                         COSTAB_INVALID);
        assert_null(log);
    }
    check_none("x.h5.checkpoint");
}

/* Only the log of the same sweep is continued; none is changed by being refused. */
TEST(refused) {
    costab_plan plan = make_plan(), other = make_plan();
    costab_store_info others = info;
    costab_checkpoint *log = NULL;
    costab_error error = {0};
    notebook book = {0};
    double elsewhere[X] = {1, 2, 3, 4, 5, 6, 8};
    check_ok(attempt(&plan, COSTAB_CHECKPOINT_NEW, 11, &book, &why));
    text before;
    slurp(in_folder("x.h5.checkpoint"), &before);
    other.axes[0].values = elsewhere;
    others.spec_text = "title: Another test\n";
    const costab_checkpoint_key keys[] = {{.plan = &other, .info = &info},
                                          {.plan = &plan, .info = &others},
                                          {.plan = &plan, .info = &info, .step = 2},
                                          {.plan = &plan, .info = &info, .first = 1, .step = 2}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_int_equal(
            costab_checkpoint_open(in_folder("x.h5"), &keys[i], COSTAB_CHECKPOINT_RESUME, &log, &error),
            COSTAB_INVALID);
        assert_null(log);
        assert_non_null(strstr(error.message, "x.h5.checkpoint"));
    }
    check_ok(costab_checkpoint_read(in_folder("x.h5.checkpoint"), &log, &why));
    assert_int_equal(costab_checkpoint_plan(log, &other, &error), COSTAB_INVALID);
    costab_checkpoint_close(&log, false);
    text after;
    slurp(in_folder("x.h5.checkpoint"), &after);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, before.size);
    text_free(&before);
    text_free(&after);
    assert_int_equal(unlink(in_folder("x.h5.checkpoint")), 0);
    assert_int_equal(costab_checkpoint_read(in_folder("x.h5.checkpoint"), &log, &error), COSTAB_UNREADABLE);
    assert_int_equal(costab_checkpoint_read(folder, &log, &error), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_read("/dev/null", &log, &error), COSTAB_INVALID);
    costab_checkpoint_close(NULL, true);
}

static size_t size_of(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 ? (size_t)about.st_size : 0;
}

/* Memory runs out in the run that goes on, at one in five allocations and with EFFORT=10 at each: what was
 * kept is still there for the next one. */
TEST(no_memory) {
    costab_plan plan = make_plan();
    notebook book = {0};
    char whole[256], log[256], path[256];
    (void)snprintf(whole, sizeof whole, "%s", whole_file(&plan));
    (void)snprintf(log, sizeof log, "%s", in_folder("x.h5.checkpoint"));
    (void)snprintf(path, sizeof path, "%s", in_folder("x.h5"));
    size_t used = 1, total, died = 0;
    for (size_t k = 1; k <= used; k += effort_stride(10)) {
        check_ok(attempt(&plan, COSTAB_CHECKPOINT_NEW, 17, &book, &why));
        size_t before = size_of(log), kept = memory_kept(&total), now;
        memory_fail_at((long)k);
        costab_status status = attempt(&plan, COSTAB_CHECKPOINT_RESUME, 0, &book, NULL);
        memory_fail_at(0);
        assert_int_equal(memory_kept(&now), kept);
        if (!status)
            used = now - total; /* also where it did without that allocation */
        else {
            check_true(status == COSTAB_MEMORY || status == COSTAB_IO, "allocation %zu: status %d", k,
                       status);
            check_true(size_of(log) >= before, "allocation %zu: %zu bytes of %zu are left", k, size_of(log),
                       before);
            used = k + effort_stride(10) > used ? k + effort_stride(10) : used;
            died++;
            check_ok(attempt(&plan, COSTAB_CHECKPOINT_RESUME, 0, &book, &why));
        }
        check_file(path, whole);
        assert_int_equal(unlink(path), 0);
    }
    check_true(died * effort_stride(10) > 100, "%zu of %zu allocations", died, used);
}

/* In place of the system's: how often it is called. */
static int synchronised;

int fdatasync(int descriptor) {
    synchronised++;
    return fsync(descriptor);
}

/* The log is synchronised when ten seconds have passed since it was, and only then. */
TEST(survives_power_loss) {
    costab_plan plan = make_plan();
    costab_checkpoint_key key = {.plan = &plan, .info = &info};
    costab_checkpoint *log = NULL;
    costab_sink sink;
    check_ok(costab_checkpoint_open(in_folder("x.h5"), &key, COSTAB_CHECKPOINT_NEW, &log, &why));
    check_ok(costab_checkpoint_replay(log, NULL, NULL, &why));
    check_ok(costab_checkpoint_sink(log, &sink, &why));
    synchronised = 0;
    check_ok(run(&plan, &sink, 0, 1, 3, &why));
    check_ok(costab_checkpoint_flush(log, &why));
    assert_int_equal(synchronised, 0);
    log->sync_time -= 11;
    check_ok(run(&plan, &sink, 3, 1, 3, &why));
    check_ok(costab_checkpoint_flush(log, &why));
    assert_int_equal(synchronised, 1);
    costab_checkpoint_close(&log, false);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    (void)unlink(in_folder("whole.h5"));
    return rmdir(folder);
}

TESTS_AROUND(make_folder, remove_folder)
