#include "network_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/create.h"
#include "sweep/run.h"

void check_same(double a, double b, const char *what, size_t number) {
    check_true(a == b || (isnan(a) && isnan(b)), "%s at point %zu: %.17g and %.17g", what, number, a, b);
}

size_t sweep_points(const costab_plan *plan, int field) {
    size_t count = 1;
    for (int r = 0; r < plan->fields[field].rank; r++) count *= plan->axes[plan->fields[field].axes[r]].count;
    return count;
}

static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    const sweep *s = context;
    (void)error;
    size_t size = costab_tile_values(s->plan, field, tile) * costab_type_size(s->plan->fields[field].type);
    void *grown = memory_resize(packed->bytes, size, 1);
    assert_non_null(grown);
    packed->bytes = grown;
    packed->size = size;
    memcpy(packed->bytes, block, size);
    return COSTAB_OK;
}

void sweep_place(sweep *s, const costab_tile *tile, int field, const void *block) {
    const costab_field *f = &s->plan->fields[field];
    size_t width = costab_type_size(f->type), count = costab_tile_values(s->plan, field, tile);
    for (size_t v = 0; v < count; v++) {
        size_t rest = v, at = 0, step = 1;
        for (int r = f->rank - 1; r >= 0; r--) {
            int axis = f->axes[r];
            at += (tile->start[axis] + rest % tile->count[axis]) * step;
            rest /= tile->count[axis];
            step *= s->plan->axes[axis].count;
        }
        memcpy((char *)s->values[field] + at * width, (const char *)block + v * width, width);
    }
    s->written[field] += count;
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    (void)error;
    sweep_place(context, tile, field, packed->bytes);
    return COSTAB_OK;
}

void sweep_start(sweep *s, const char *text) {
    *s = (sweep){.spec = spec_of(text)};
    s->study = study_of(s->spec);
    s->plan = costab_study_plan(s->study);
    for (int f = 0; f < s->plan->field_count; f++) {
        s->values[f] = malloc(sweep_points(s->plan, f) * costab_type_size(s->plan->fields[f].type));
        assert_non_null(s->values[f]);
    }
}

void sweep_run(sweep *s, const char *text, int threads) {
    sweep_start(s, text);
    costab_evaluator evaluator = costab_study_evaluator(s->study);
    costab_sink sink = {.context = s, .pack = pack, .commit = commit};
    costab_run_options options = {.threads = threads};
    check_ok(costab_run(s->plan, &evaluator, &sink, &options, &why));
    for (int f = 0; f < s->plan->field_count; f++) assert_int_equal(s->written[f], sweep_points(s->plan, f));
}

void sweep_end(sweep *s) {
    for (int f = 0; f < COSTAB_FIELDS_MAX; f++) free(s->values[f]);
    costab_study_destroy(&s->study);
    costab_spec_destroy(&s->spec);
}

int sweep_find(const sweep *s, const char *name) {
    for (int f = 0; f < s->plan->field_count; f++)
        if (strcmp(s->plan->fields[f].name, name) == 0) return f;
    return -1;
}

const double *sweep_numbers(const sweep *s, const char *name) {
    int f = sweep_find(s, name);
    check_true(f >= 0, "there is a field %s", name);
    assert_int_equal(s->plan->fields[f].type, COSTAB_F64);
    return s->values[f];
}

const uint8_t *sweep_codes(const sweep *s) {
    int f = sweep_find(s, "class");
    assert_true(f >= 0 && s->plan->fields[f].type == COSTAB_U8);
    return s->values[f];
}
