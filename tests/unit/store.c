/* The store: what is written comes back bit for bit, the same inputs give the same bytes, a file appears
 * whole or not at all, and nothing but a whole results file is accepted. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/store.h"
#include "store/seal.h"
#include "support/support.h"

enum { SCHEME, A, GAMMA, DELTA, PIECE, AXES };
enum { CLASS, CAUSE, TRACE, LOWER, AREA, WEIGHT, FIELDS };

static char folder[] = "/tmp/costab-store-XXXXXX";
static char *labels[] = {(char[]){"simulation"}, (char[]){"zigzag"}, (char[]){"gr\xc3\xb6\xc3\x9f"},
                         (char[]){""}};
static double a_values[] = {-0.5, 0.1, 3e-300};
static double gamma_values[11], delta_values[67], piece_values[3];

static const costab_store_info info = {.title = "A test \xce\x93",
                                       .references = "nobody",
                                       .spec_path = "sweeps/test.yaml",
                                       .spec_text = "title: A test\n# \xce\x94\n"};

static const char *in_folder(const char *name) {
    static char paths[4][256];
    static int next;
    next = (next + 1) % 4;
    (void)snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static void set_field(costab_plan *plan, int field, const char *name, costab_type type, int rank,
                      const int *axes) {
    costab_field *f = &plan->fields[field];
    (void)snprintf(f->name, sizeof f->name, "%s", name);
    f->type = type;
    f->rank = rank;
    f->long_name = "a field";
    for (int i = 0; i < rank; i++) f->axes[i] = axes[i];
}

static void set_axis(costab_plan *plan, int axis, const char *name, size_t count, double *values) {
    costab_axis *x = &plan->axes[axis];
    (void)snprintf(x->name, sizeof x->name, "%s", name);
    x->count = count;
    x->values = values;
    x->long_name = axis == GAMMA ? "trace of A" : NULL;
    x->unit = axis == GAMMA ? "1/s" : NULL;
}

/* All kinds of fields; full tiles of at most `target` points, so that tiles at the ends are smaller. */
static costab_plan make_plan(size_t target) {
    costab_plan plan = {.axis_count = AXES, .swept = PIECE, .field_count = FIELDS};
    for (size_t i = 0; i < 11; i++) gamma_values[i] = number_linspace(-6, 2, 11, i);
    for (size_t i = 0; i < 67; i++) delta_values[i] = number_linspace(-2, 14, 67, i);
    for (size_t i = 0; i < 3; i++) piece_values[i] = (double)i;
    set_axis(&plan, SCHEME, "scheme", 4, NULL);
    plan.axes[SCHEME].labels = labels;
    set_axis(&plan, A, "a", 3, a_values);
    set_axis(&plan, GAMMA, "gamma", 11, gamma_values);
    set_axis(&plan, DELTA, "delta", 67, delta_values);
    set_axis(&plan, PIECE, "piece", 3, piece_values);
    set_field(&plan, CLASS, "class", COSTAB_U8, 4, (const int[]){SCHEME, A, GAMMA, DELTA});
    set_field(&plan, CAUSE, "cause", COSTAB_U8, 4, (const int[]){SCHEME, A, GAMMA, DELTA});
    set_field(&plan, TRACE, "trace", COSTAB_F64, 4, (const int[]){SCHEME, A, GAMMA, DELTA});
    set_field(&plan, LOWER, "stable_lower", COSTAB_F64, 4, (const int[]){SCHEME, A, GAMMA, PIECE});
    set_field(&plan, AREA, "area", COSTAB_F64, 2, (const int[]){SCHEME, A});
    set_field(&plan, WEIGHT, "weight", COSTAB_U8, 1, (const int[]){A});
    plan.fields[CLASS].codes = COSTAB_CODES_VALUES;
    plan.fields[CLASS].code_count = 5;
    memcpy(plan.fields[CLASS].code_values, (const uint8_t[]){0, 1, 2, 3, 4}, 5);
    plan.fields[CLASS].code_meanings = "uu us su ss not_computed";
    plan.fields[CLASS].fill = 4;
    plan.fields[CAUSE].codes = COSTAB_CODES_MASKS;
    plan.fields[CAUSE].code_count = 4;
    memcpy(plan.fields[CAUSE].code_values, (const uint8_t[]){1, 2, 4, 8}, 4);
    plan.fields[CAUSE].code_meanings = "det fold flip iteration";
    costab_plan_choose_tiles(&plan, target);
    return plan;
}

/* The value of a field at a grid point: runs for `class` (some tiles have one value only), noise for `cause`,
 * smooth and special numbers for doubles. */
static void put_value(int field, const size_t *at, void *to) {
    uint64_t h = 0x9e3779b97f4a7c15u * (at[0] + 5 * at[1] + 31 * at[2] + 1009 * at[3] + 100003 * at[4] + 1);
    h ^= h >> 29;
    uint8_t byte = field == CLASS    ? (uint8_t)(at[0] == 1 ? 3 : (at[3] > 2 * at[2]) + 2 * (at[3] > 40))
                   : field == WEIGHT ? (uint8_t)(7 * at[A])
                                     : (uint8_t)h;
    static const double specials[] = {0.0, -0.0, (double)INFINITY, -(double)INFINITY, (double)NAN, 5e-324};
    double number = h % 7 < 6 && field == LOWER ? specials[h % 7] : sin((double)at[2]) + 1e-3 * (double)at[3];
    if (field == AREA) number = 10.0 * (double)at[0] + (double)at[1];
    if (field == CLASS || field == CAUSE || field == WEIGHT)
        memcpy(to, &byte, 1);
    else
        memcpy(to, &number, sizeof number);
}

/* Fills a box of a field in C order. */
static void fill_box(const costab_plan *plan, int field, const size_t *start, const size_t *count, void *to) {
    const costab_field *f = &plan->fields[field];
    size_t values = 1, size = costab_type_size(f->type);
    for (int r = 0; r < f->rank; r++) values *= count[r];
    for (size_t v = 0; v < values; v++) {
        size_t at[AXES] = {0}, rest = v;
        for (int r = f->rank - 1; r >= 0; r--) {
            at[f->axes[r]] = start[r] + rest % count[r];
            rest /= count[r];
        }
        put_value(field, at, (unsigned char *)to + v * size);
    }
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const costab_plan *plan = context;
    (void)error;
    for (int f = 0; f < plan->field_count; f++) {
        size_t start[AXES], count[AXES];
        for (int r = 0; r < plan->fields[f].rank; r++) {
            start[r] = tile->start[plan->fields[f].axes[r]];
            count[r] = tile->count[plan->fields[f].axes[r]];
        }
        if (blocks[f]) fill_box(plan, f, start, count, blocks[f]);
    }
    return COSTAB_OK;
}

static void run_range(costab_store *store, const costab_plan *plan, int threads, size_t first, size_t last) {
    costab_error error = {0};
    costab_evaluator evaluator = {.context = plan, .evaluate = evaluate};
    costab_sink sink = costab_store_sink(store);
    costab_run_options options = {.threads = threads, .first = first, .last = last};
    check_true(costab_run(plan, &evaluator, &sink, &options, &error) == COSTAB_OK, "run: %s", error.message);
}

static void run_into(costab_store *store, const costab_plan *plan, int threads) {
    run_range(store, plan, threads, 0, 0);
}

static void write_results(const char *path, const costab_plan *plan, int threads) {
    costab_error error = {0};
    costab_store *store = NULL;
    check_true(costab_store_create(path, plan, &info, &store, &error) == COSTAB_OK, "create: %s",
               error.message);
    run_into(store, plan, threads);
    check_true(costab_store_publish(&store, &error) == COSTAB_OK, "publish: %s", error.message);
    assert_null(store);
}

static costab_results *open_results(const char *path) {
    costab_error error = {0};
    costab_results *results = NULL;
    check_true(costab_results_open(path, &results, &error) == COSTAB_OK, "open: %s", error.message);
    return results;
}

static int entries_in_folder(void) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory)) count++;
    assert_int_equal(closedir(directory), 0);
    return count - 2;
}

static void slurp(const char *path, text *bytes) {
    costab_error error = {0};
    *bytes = (text){0};
    check_true(text_read_file(path, (size_t)1 << 28, bytes, &error) == COSTAB_OK, "read: %s", error.message);
}

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
    fill_box(plan, field, start, count, expected);
    costab_error error = {0};
    check_true(costab_results_read(results, field, start, count, found, &error) == COSTAB_OK, "%s",
               error.message);
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

static void test_round_trip(void **state) {
    static const size_t targets[] = {1, 5, 20, 67, 200, 737, 1000000};
    (void)state;
    rng random = rng_start("store: boxes");
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        costab_plan plan = make_plan(targets[i]);
        const char *path = in_folder("round.h5");
        write_results(path, &plan, 2);
        costab_results *results = open_results(path);
        assert_string_equal(costab_results_title(results), info.title);
        assert_string_equal(costab_results_spec_text(results), info.spec_text);
        assert_string_equal(costab_results_spec_path(results), info.spec_path);
        assert_non_null(strstr(costab_results_source(results), "costab " COSTAB_VERSION));
        assert_non_null(strstr(costab_results_source(results), costab_revision()));
        check_plan(costab_results_plan(results), &plan);
        check_values(results, &random);
        costab_results_close(&results);
        assert_null(results);
    }
    assert_int_equal(entries_in_folder(), 1);
}

/* What is outside the grid is refused and not read. */
static void test_boxes_outside(void **state) {
    (void)state;
    costab_plan plan = make_plan(200);
    write_results(in_folder("round.h5"), &plan, 1);
    costab_results *results = open_results(in_folder("round.h5"));
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

/* The same bytes with any number of threads and at any time. */
static void test_same_bytes(void **state) {
    static const int threads[] = {1, 2, 7, 1};
    (void)state;
    text first, other;
    costab_plan plan = make_plan(20);
    write_results(in_folder("first.h5"), &plan, 1);
    slurp(in_folder("first.h5"), &first);
    time_t then = time(NULL);
    while (time(NULL) == then) {
        struct timespec pause = {.tv_nsec = 50000000};
        (void)nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        write_results(in_folder("other.h5"), &plan, threads[i]);
        slurp(in_folder("other.h5"), &other);
        assert_int_equal(first.size, other.size);
        assert_memory_equal(first.data, other.data, first.size);
        text_free(&other);
    }
    text_free(&first);
    (void)unlink(in_folder("first.h5"));
    (void)unlink(in_folder("other.h5"));
}

/* A sweep run in pieces, one after the other, is the sweep. */
static void test_ranges(void **state) {
    (void)state;
    text first, other;
    costab_plan plan = make_plan(67);
    size_t tiles, points, at = 0;
    costab_store *store = NULL;
    assert_int_equal(costab_plan_size(&plan, &tiles, &points, NULL), COSTAB_OK);
    write_results(in_folder("first.h5"), &plan, 1);
    assert_int_equal(costab_store_create(in_folder("other.h5"), &plan, &info, &store, NULL), COSTAB_OK);
    for (size_t width = 1; at < tiles; at += width, width *= 3)
        run_range(store, &plan, 3, at, at + width < tiles ? at + width : 0);
    run_range(store, &plan, 3, tiles, 0);
    assert_int_equal(costab_store_publish(&store, NULL), COSTAB_OK);
    slurp(in_folder("first.h5"), &first);
    slurp(in_folder("other.h5"), &other);
    assert_int_equal(first.size, other.size);
    assert_memory_equal(first.data, other.data, first.size);
    text_free(&first);
    text_free(&other);
    (void)unlink(in_folder("first.h5"));
    (void)unlink(in_folder("other.h5"));

    costab_evaluator evaluator = {.context = &plan, .evaluate = evaluate};
    costab_sink sink = {.context = NULL};
    static const size_t outside[][2] = {{0, SIZE_MAX}, {3, 2}, {SIZE_MAX, 0}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        costab_run_options options = {.first = outside[i][0], .last = outside[i][1]};
        assert_int_equal(costab_run(&plan, &evaluator, &sink, &options, NULL), COSTAB_INVALID);
    }
}

/* Nothing stands under the final name before publish; an older file stays until then, and after discard. */
static void test_whole_or_not_at_all(void **state) {
    (void)state;
    costab_plan plan = make_plan(200);
    costab_error error = {0};
    costab_store *store = NULL;
    struct stat before, after;
    const char *path = in_folder("round.h5");
    write_results(path, &plan, 1);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(costab_store_create(path, &plan, &info, &store, &error), COSTAB_OK);
    run_into(store, &plan, 1);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size);
    assert_true(entries_in_folder() <= 2); /* the unfinished file has a name only where files must have one */
    costab_store_discard(&store);
    assert_null(store);
    assert_int_equal(entries_in_folder(), 1);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino);

    assert_int_equal(unlink(path), 0);
    mode_t mask = umask(027);
    write_results(path, &plan, 1);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode & 0777, 0640);
    assert_int_equal(chmod(path, 0664), 0);
    write_results(path, &plan, 1);
    (void)umask(mask);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode & 0777, 0664);
    assert_int_equal(entries_in_folder(), 1);
    costab_store_discard(NULL);
}

/* A link stays a link, and what it points to is replaced. */
static void test_link_is_followed(void **state) {
    (void)state;
    costab_plan plan = make_plan(200);
    struct stat about;
    write_results(in_folder("round.h5"), &plan, 1);
    assert_int_equal(symlink("round.h5", in_folder("link.h5")), 0);
    write_results(in_folder("link.h5"), &plan, 1);
    assert_int_equal(lstat(in_folder("link.h5"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(entries_in_folder(), 2);
    (void)unlink(in_folder("link.h5"));
}

static void test_targets_that_cannot_be(void **state) {
    static const char *const paths[] = {
        "", "/", "/tmp", "/dev/null", "/proc/self/none/x.h5", "/nowhere/x.h5"};
    (void)state;
    costab_plan plan = make_plan(200);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        costab_error error = {0};
        costab_store *store = NULL;
        costab_status status = costab_store_create(paths[i], &plan, &info, &store, &error);
        check_true(status == COSTAB_IO || (i == 0 && status == COSTAB_INVALID), "'%s' was accepted",
                   paths[i]);
        assert_null(store);
        assert_int_equal(error.status, status);
        check_true(strstr(error.message, paths[i]) != NULL, "'%s' is not in: %s", paths[i], error.message);
    }
}

static void test_plans_that_cannot_be(void **state) {
    (void)state;
    for (int fault = 0; fault < 7; fault++) {
        costab_plan plan = make_plan(200);
        costab_error error = {0};
        costab_store *store = NULL;
        if (fault == 0) (void)strcpy(plan.axes[A].name, "spec");
        if (fault == 1) (void)strcpy(plan.axes[A].name, "gamma");
        if (fault == 2) (void)strcpy(plan.fields[TRACE].name, "a");
        if (fault == 3) (void)strcpy(plan.fields[TRACE].name, "x/y");
        if (fault == 4) plan.tile_shape[A] = 4;
        if (fault == 5) plan.fields[LOWER].axes[1] = SCHEME;
        if (fault == 6) plan.fields[WEIGHT].rank = 0;
        assert_int_equal(costab_store_create(in_folder("no.h5"), &plan, &info, &store, &error),
                         COSTAB_INVALID);
        assert_null(store);
        check_true(error.message[0] != '\0', "no message for fault %d", fault);
    }
    assert_int_equal(access(in_folder("no.h5"), F_OK), -1);
}

static void put_file(const char *path, const char *bytes, size_t size) {
    costab_error error = {0};
    check_true(file_write(path, &(file_terms){.force = true}, bytes, size, &error) == COSTAB_OK, "%s",
               error.message);
}

/* Opening must fail with COSTAB_INVALID and name the file. */
static void check_refused(const char *path, const char *what) {
    costab_error error = {0};
    costab_results *results = NULL;
    check_true(costab_results_open(path, &results, &error) == COSTAB_INVALID, "%s was accepted", what);
    assert_null(results);
    check_true(strstr(error.message, path) != NULL, "%s: the file is not named: %s", what, error.message);
}

/* Every single cut and every single flipped bit of a byte is noticed (CRC-32 finds all errors of up to 32
 * bits in a row); all cuts and a stride through all bits are tried. */
static void test_damage(void **state) {
    (void)state;
    text whole;
    costab_plan plan = make_plan(1000000);
    write_results(in_folder("round.h5"), &plan, 1);
    slurp(in_folder("round.h5"), &whole);
    const char *path = in_folder("damaged.h5");
    for (size_t size = 0; size < whole.size; size += size < 2048 || whole.size - size < 2048 ? 61 : 4099) {
        put_file(path, whole.data, size);
        check_refused(path, "a file cut short");
    }
    put_file(path, whole.data, whole.size - 1);
    check_refused(path, "a file cut short by one byte");
    size_t stride = whole.size * 8 / effort(400) | 1;
    for (size_t bit = 0; bit < whole.size * 8; bit += stride) {
        whole.data[bit / 8] = (char)(whole.data[bit / 8] ^ (1 << bit % 8));
        put_file(path, whole.data, whole.size);
        check_refused(path, "a file with one bit flipped");
        whole.data[bit / 8] = (char)(whole.data[bit / 8] ^ (1 << bit % 8));
    }
    put_file(path, whole.data, whole.size);
    costab_results *results = open_results(path);
    costab_results_close(&results);
    text_free(&whole);
    (void)unlink(path);
}

static void test_foreign_files(void **state) {
    (void)state;
    const char *path = in_folder("foreign.h5");
    costab_results *results = NULL;
    assert_int_equal(costab_results_open(in_folder("absent.h5"), &results, NULL), COSTAB_UNREADABLE);
    assert_null(results);
    check_refused(folder, "a folder");
    check_refused("/dev/null", "a device");
    put_file(path, "", 0);
    check_refused(path, "an empty file");
    put_file(path, "title: a spec\n", 14);
    check_refused(path, "a text");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && H5Fclose(file) >= 0);
    check_refused(path, "somebody else's HDF5 file");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(path, "a named pipe");
    assert_int_equal(unlink(path), 0);
}

static void seal_file(const char *path) {
    struct stat about;
    costab_error error = {0};
    assert_int_equal(stat(path, &about), 0);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    check_true(store_seal(fd, path, (size_t)about.st_size, NULL, &error) == COSTAB_OK, "%s", error.message);
    assert_int_equal(close(fd), 0);
}

/* A right seal around wrong contents: the contents are checked all the same. */
static void test_forged_files(void **state) {
    (void)state;
    text whole;
    size_t size;
    costab_plan plan = make_plan(200);
    const char *path = in_folder("forged.h5"), *good = in_folder("round.h5");
    write_results(good, &plan, 1);
    int descriptor;
    assert_int_equal(store_open_sealed(good, &descriptor, &size, NULL), COSTAB_OK);
    assert_int_equal(close(descriptor), 0);
    slurp(good, &whole);
    static const char *const removed[] = {"scheme", "a", "delta", "spec"};
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        put_file(path, whole.data, size);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0 && H5Ldelete(file, removed[i], H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
        seal_file(path);
        check_refused(path, removed[i]);
    }
    static const char *const attributes[] = {"source", "revision", "title"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        put_file(path, whole.data, size);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0 && H5Adelete(file, attributes[i]) >= 0 && H5Fclose(file) >= 0);
        seal_file(path);
        check_refused(path, attributes[i]);
    }
    put_file(path, whole.data, size);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
    seal_file(path);
    check_refused(path, "a file with a group");
    text_free(&whole);
    (void)unlink(path);
}

/* Out of memory anywhere: an error, nothing left behind. */
static void test_no_memory(void **state) {
    (void)state;
    costab_plan plan = make_plan(200);
    costab_evaluator evaluator = {.context = &plan, .evaluate = evaluate};
    costab_run_options options = {.threads = 1};
    long k = 0;
    bool done = false;
    (void)unlink(in_folder("round.h5"));
    while (!done && ++k < 2000) {
        costab_store *store = NULL;
        memory_fail_at(k);
        costab_status status = costab_store_create(in_folder("memory.h5"), &plan, &info, &store, NULL);
        if (!status) {
            costab_sink sink = costab_store_sink(store);
            status = costab_run(&plan, &evaluator, &sink, &options, NULL);
        }
        if (!status)
            status = costab_store_publish(&store, NULL);
        else
            costab_store_discard(&store);
        done = !status;
        memory_fail_at(0);
        check_true(done || status == COSTAB_MEMORY || status == COSTAB_IO, "allocation %ld: status %d", k,
                   status);
        check_true(done || entries_in_folder() == 0, "allocation %ld left something behind", k);
    }
    check_true(done && k > 20, "%ld allocations", k);
    for (k = 1, done = false; !done && k < 2000; k++) {
        costab_results *results = NULL;
        memory_fail_at(k);
        done = costab_results_open(in_folder("memory.h5"), &results, NULL) == COSTAB_OK;
        memory_fail_at(0);
        costab_results_close(&results);
    }
    check_true(done && k > 20, "%ld allocations in reading", k);
    (void)unlink(in_folder("memory.h5"));
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    (void)unlink(in_folder("round.h5"));
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_boxes_outside),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_whole_or_not_at_all),
        cmocka_unit_test(test_link_is_followed),
        cmocka_unit_test(test_targets_that_cannot_be),
        cmocka_unit_test(test_plans_that_cannot_be),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_foreign_files),
        cmocka_unit_test(test_forged_files),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
