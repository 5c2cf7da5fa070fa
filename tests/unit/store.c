/* The store: what is written comes back bit for bit, the same inputs give the same bytes, a file appears
 * whole or not at all. Damaged and foreign files: store_damage.c. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "costab/store.h"
#include "store/log.h"
#include "store/store.h"
#include "support/stored.h"
#include "sweep/run.h"

static void check_plan(const costab_plan *found, const costab_plan *plan) {
    assert_int_equal(found->axis_count, plan->axis_count);
    assert_int_equal(found->swept, plan->axis_count);
    assert_int_equal(found->field_count, plan->field_count);
    for (int i = 0; i < AXES; i++) {
        const costab_axis *x = &found->axes[i], *y = &plan->axes[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->count, y->count);
        assert_int_equal(found->tile_shape[i], plan->tile_shape[i]);
        if (y->long_name) assert_string_equal(x->long_name, y->long_name);
        assert_true((x->unit == NULL) == (y->unit == NULL));
        if (y->unit) assert_string_equal(x->unit, y->unit);
        assert_true(!x->labels == !y->labels && !x->values == !y->values);
        if (y->values) assert_memory_equal(x->values, y->values, x->count * sizeof(double));
        for (size_t k = 0; y->labels && k < y->count; k++) assert_string_equal(x->labels[k], y->labels[k]);
    }
    for (int i = 0; i < FIELDS; i++) {
        const costab_field *x = &found->fields[i], *y = &plan->fields[i];
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->long_name, y->long_name);
        assert_true(x->type == y->type && x->rank == y->rank && x->codes == y->codes);
        assert_memory_equal(x->axes, y->axes, (size_t)x->rank * sizeof *x->axes);
        assert_int_equal(x->code_count, y->code_count);
        assert_memory_equal(x->code_values, y->code_values, (size_t)x->code_count);
        if (y->code_meanings) assert_string_equal(x->code_meanings, y->code_meanings);
        assert_int_equal(x->fill, y->fill);
    }
}

static void check_box(const costab_results *results, int field, const size_t *start, const size_t *count) {
    const costab_plan *plan = costab_results_plan(results);
    size_t size = costab_type_size(plan->fields[field].type);
    for (int r = 0; r < plan->fields[field].rank; r++) size *= count[r];
    void *expected = memory_alloc(size, 1), *found = memory_alloc(size, 1);
    assert_true(expected && found);
    stored_fill(plan, field, start, count, expected);
    check_ok(costab_results_read(results, field, start, count, found, &why));
    assert_memory_equal(found, expected, size);
    memory_free(expected);
    memory_free(found);
}

static void check_values(const costab_results *results, rng *random) {
    const costab_plan *plan = costab_results_plan(results);
    for (int f = 0; f < plan->field_count; f++)
        for (size_t box = 0; box < 1 + effort(10); box++) {
            size_t start[AXES] = {0}, count[AXES];
            for (int r = 0; r < plan->fields[f].rank; r++) {
                int all = (int)plan->axes[plan->fields[f].axes[r]].count;
                if (box > 0) start[r] = (size_t)rng_int(random, 0, all - 1);
                count[r] = box > 0 ? (size_t)rng_int(random, 1, all - (int)start[r]) : (size_t)all;
            }
            check_box(results, f, start, count);
        }
}

TEST(test_round_trip) {
    static const size_t targets[] = {1, 5, 20, 67, 200, 737, 1000000};
    (void)state;
    rng random = rng_start("store: boxes");
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i += effort_stride(2)) {
        costab_plan plan = stored_plan(targets[i]);
        const char *path = stored_path("round.h5");
        stored_write(path, &plan, 2);
        costab_results *results = stored_open(path);
        assert_string_equal(costab_results_title(results), stored_info.title);
        assert_string_equal(costab_results_spec_text(results), stored_info.spec_text);
        assert_string_equal(costab_results_spec_path(results), stored_info.spec_path);
        assert_non_null(strstr(costab_results_source(results), "costab " COSTAB_VERSION));
        assert_non_null(strstr(costab_results_source(results), costab_revision()));
        check_plan(costab_results_plan(results), &plan);
        check_values(results, &random);
        costab_results_close(&results);
        assert_null(results);
    }
    assert_int_equal(stored_entries(), 1);
}

/* A range outside the grid is refused and not read. */
TEST(test_boxes_outside) {
    costab_plan plan = stored_plan(200);
    stored_write(stored_path("round.h5"), &plan, 1);
    costab_results *results = stored_open(stored_path("round.h5"));
    uint8_t value[4];
    assert_int_equal(
        costab_results_read(results, WEIGHT, (const size_t[]){3}, (const size_t[]){1}, value, NULL),
        COSTAB_INVALID);
    assert_int_equal(
        costab_results_read(results, WEIGHT, (const size_t[]){1}, (const size_t[]){3}, value, NULL),
        COSTAB_INVALID);
    assert_int_equal(
        costab_results_read(results, WEIGHT, (const size_t[]){1}, (const size_t[]){SIZE_MAX}, value, NULL),
        COSTAB_INVALID);
    assert_int_equal(
        costab_results_read(results, WEIGHT, (const size_t[]){0}, (const size_t[]){0}, value, NULL),
        COSTAB_INVALID);
    assert_int_equal(
        costab_results_read(results, FIELDS, (const size_t[]){0}, (const size_t[]){1}, value, NULL),
        COSTAB_INVALID);
    costab_results_close(&results);
}

/* The bytes depend neither on the number of threads nor on the time. */
TEST(test_same_bytes) {
    static const int threads[] = {1, 2, 7, 1};
    (void)state;
    text first, other;
    costab_plan plan = stored_plan(20);
    stored_write(stored_path("first.h5"), &plan, 1);
    stored_bytes(stored_path("first.h5"), &first);
    time_t then = time(NULL);
    while (time(NULL) == then) {
        struct timespec pause = {.tv_nsec = 50000000};
        (void)nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        stored_write(stored_path("other.h5"), &plan, threads[i]);
        stored_bytes(stored_path("other.h5"), &other);
        assert_int_equal(first.size, other.size);
        assert_memory_equal(first.data, other.data, first.size);
        text_free(&other);
    }
    text_free(&first);
    (void)unlink(stored_path("first.h5"));
    (void)unlink(stored_path("other.h5"));
}

/* A sweep run in pieces, one after the other, is the sweep. */
TEST(test_ranges) {
    text first, other;
    costab_plan plan = stored_plan(67);
    size_t tiles, points, at = 0;
    costab_checkpoint *log = NULL;
    const costab_checkpoint_key key = {.plan = &plan, .info = &stored_info};
    const char *other_path = stored_path("other.h5");
    check_ok(costab_plan_size(&plan, &tiles, &points, &why));
    stored_write(stored_path("first.h5"), &plan, 1);
    check_ok(costab_checkpoint_open(other_path, &key, COSTAB_CHECKPOINT_NEW, &log, &why));
    for (size_t width = 1; at < tiles; at += width, width *= 3)
        stored_run_range(log, &plan, at, at + width < tiles ? at + width : 0);
    stored_run_range(log, &plan, tiles, 0);
    check_ok(costab_checkpoint_finish(&log, other_path, &why));
    stored_bytes(stored_path("first.h5"), &first);
    stored_bytes(stored_path("other.h5"), &other);
    assert_int_equal(first.size, other.size);
    assert_memory_equal(first.data, other.data, first.size);
    text_free(&first);
    text_free(&other);
    (void)unlink(stored_path("first.h5"));
    (void)unlink(stored_path("other.h5"));
}

/* No file has the final name before publish; an older file stays until then, and after discard. */
TEST(test_whole_or_not_at_all) {
    costab_plan plan = stored_plan(200);
    costab_checkpoint *log = NULL;
    const costab_checkpoint_key key = {.plan = &plan, .info = &stored_info};
    struct stat before, after;
    const char *path = stored_path("round.h5");
    stored_write(path, &plan, 1);
    assert_int_equal(stat(path, &before), 0);
    check_ok(costab_checkpoint_open(path, &key, COSTAB_CHECKPOINT_NEW, &log, &why));
    stored_run_range(log, &plan, 0, 0);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size);
    assert_int_equal(stored_entries(), 2); /* the log */
    costab_checkpoint_close(&log, false);
    assert_null(log);
    assert_int_equal(stored_entries(), 1);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino);

    assert_int_equal(unlink(path), 0);
    mode_t mask = umask(027);
    stored_write(path, &plan, 1);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0664), 0);
    stored_write(path, &plan, 1);
    (void)umask(mask);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode & 0777, 0664);
    assert_int_equal(stored_entries(), 1);
}

/* A link stays a link, and what it points to is replaced. */
TEST(test_link_is_followed) {
    costab_plan plan = stored_plan(200);
    struct stat about;
    stored_write(stored_path("round.h5"), &plan, 1);
    assert_int_equal(symlink("round.h5", stored_path("link.h5")), 0);
    stored_write(stored_path("link.h5"), &plan, 1);
    assert_int_equal(lstat(stored_path("link.h5"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stored_entries(), 2);
    (void)unlink(stored_path("link.h5"));
}

TEST(test_targets_that_cannot_be) {
    static const char *const paths[] = {
        "", "/", "/tmp", "/dev/null", "/proc/self/none/x.h5", "/nowhere/x.h5"};
    (void)state;
    costab_plan plan = stored_plan(200);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        costab_error error = {0};
        costab_evaluator evaluator = {.context = &plan, .evaluate = stored_evaluate};
        costab_status status = costab_store_write(paths[i], &plan, &stored_info, &evaluator, 1, &error);
        check_true(status == COSTAB_IO || (i == 0 && status == COSTAB_INVALID), "'%s' was accepted",
                   paths[i]);
        assert_int_equal(error.status, status);
        check_true(strstr(error.message, paths[i]) != NULL, "'%s' is not in: %s", paths[i], error.message);
    }
}

TEST(test_plans_that_cannot_be) {
    for (int fault = 0; fault < 7; fault++) {
        costab_plan plan = stored_plan(200);
        costab_error error = {0};
        costab_evaluator evaluator = {.context = &plan, .evaluate = stored_evaluate};
        if (fault == 0) (void)strcpy(plan.axes[A].name, "spec");
        if (fault == 1) (void)strcpy(plan.axes[A].name, "gamma");
        if (fault == 2) (void)strcpy(plan.fields[TRACE].name, "a");
        if (fault == 3) (void)strcpy(plan.fields[TRACE].name, "x/y");
        if (fault == 4) plan.tile_shape[A] = 4;
        if (fault == 5) plan.fields[LOWER].axes[1] = SCHEME;
        if (fault == 6) plan.fields[WEIGHT].rank = 0;
        assert_int_equal(costab_store_write(stored_path("no.h5"), &plan, &stored_info, &evaluator, 1, &error),
                         COSTAB_INVALID);
        check_true(error.message[0] != '\0', "no message for fault %d", fault);
    }
    assert_int_equal(access(stored_path("no.h5"), F_OK), -1);
}

/* The reader of a file of axes only gets a message, not a field that is not there. */
TEST(test_export_without_fields) {
    costab_plan plan = stored_plan(200);
    costab_error error = {0};
    plan.field_count = 0;
    stored_write(stored_path("axes.h5"), &plan, 1);
    costab_results *results = stored_open(stored_path("axes.h5"));
    assert_int_equal(costab_export_csv(results, NULL, &(costab_text_sink){0}, &error), COSTAB_INVALID);
    assert_string_equal(error.message, "the file has no fields");
    costab_results_close(&results);
    (void)unlink(stored_path("axes.h5"));
}

TESTS_AROUND(stored_begin, stored_end)
