#include "stored.h"
#include "store/log.h"
#include "store/store.h"
#include "sweep/run.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char stored_folder[] = "/tmp/costab-store-XXXXXX";
static char *labels[] = {(char[]){"simulation"}, (char[]){"zigzag"}, (char[]){"gr\xc3\xb6\xc3\x9f"},
                         (char[]){""}};
static double a_values[] = {-0.5, 0.1, 3e-300};
static double gamma_values[11], delta_values[67], piece_values[3];

const costab_store_info stored_info = {.title = "A test \xce\x93",
                                       .references = "nobody",
                                       .spec_path = "sweeps/test.yaml",
                                       .spec_text = "title: A test\n# \xce\x94\n"};

const char *stored_path(const char *name) {
    static char paths[4][256];
    static int next;
    next = (next + 1) % 4;
    (void)snprintf(paths[next], sizeof paths[next], "%s/%s", stored_folder, name);
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
costab_plan stored_plan(size_t target) {
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
void stored_fill(const costab_plan *plan, int field, const size_t *start, const size_t *count, void *to) {
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

costab_status stored_evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const costab_plan *plan = context;
    (void)error;
    for (int f = 0; f < plan->field_count; f++) {
        size_t start[AXES], count[AXES];
        for (int r = 0; r < plan->fields[f].rank; r++) {
            start[r] = tile->start[plan->fields[f].axes[r]];
            count[r] = tile->count[plan->fields[f].axes[r]];
        }
        if (blocks[f]) stored_fill(plan, f, start, count, blocks[f]);
    }
    return COSTAB_OK;
}

static bool is_end(void *context, size_t done, size_t total) {
    (void)total;
    return done == *(const size_t *)context;
}

/* The run is cancelled in front of `last`. */
void stored_run_range(costab_checkpoint *log, const costab_plan *plan, size_t first, size_t last) {
    size_t end = last > 0 ? last - first : SIZE_MAX;
    costab_error error = {0};
    costab_evaluator evaluator = {.context = plan, .evaluate = stored_evaluate};
    costab_sink sink;
    costab_run_options options = {.threads = 3, .first = first, .progress = is_end, .progress_context = &end};
    check_true(costab_checkpoint_sink(log, &sink, &error) == COSTAB_OK, "sink: %s", error.message);
    costab_status status = costab_run(plan, &evaluator, &sink, &options, &error);
    check_true(status == (last > 0 ? COSTAB_CANCELLED : COSTAB_OK), "run: %s", error.message);
}

void stored_write(const char *path, const costab_plan *plan, int threads) {
    costab_evaluator evaluator = {.context = plan, .evaluate = stored_evaluate};
    check_ok(costab_store_write(path, plan, &stored_info, &evaluator, threads, &why));
}

costab_results *stored_open(const char *path) {
    costab_error error = {0};
    costab_results *results = NULL;
    check_true(costab_results_open(path, &results, &error) == COSTAB_OK, "open: %s", error.message);
    return results;
}

int stored_entries(void) {
    DIR *directory = opendir(stored_folder);
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory)) count++;
    assert_int_equal(closedir(directory), 0);
    return count - 2;
}

void stored_bytes(const char *path, text *bytes) {
    costab_error error = {0};
    *bytes = (text){0};
    check_true(text_read_file(path, (size_t)1 << 28, bytes, &error) == COSTAB_OK, "read: %s", error.message);
}

int stored_begin(void **state) {
    (void)state;
    return mkdtemp(stored_folder) ? 0 : -1;
}

int stored_end(void **state) {
    (void)state;
    (void)unlink(stored_path("round.h5"));
    return rmdir(stored_folder);
}
