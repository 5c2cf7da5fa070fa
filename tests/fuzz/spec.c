/* Sweep specs of the planar system: read, and small ones swept. */
#include "costab/study.h"
#include "fuzz.h"
#include "study/create.h"
#include "support/promises.h"
#include "sweep/run.h"

enum { POINTS_MAX = 2000, CASE_STEPS_MAX = 1000 };

static bool is_small(const costab_spec *spec) {
    for (int i = 0; i < spec->planar.case_count; i++)
        if (!(spec->planar.cases[i].until / spec->planar.cases[i].h <= CASE_STEPS_MAX)) return false;
    return spec->axes[COSTAB_AXIS_A].count <= 4 && spec->axes[COSTAB_AXIS_GAMMA].count <= 40 &&
           spec->axes[COSTAB_AXIS_DELTA].count <= 40 && (spec->fields & COSTAB_FIELD_AREAS) == 0 &&
           spec->planar.substeps[0] <= 8 && spec->planar.substeps[1] <= 8;
}

static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    (void)context;
    (void)tile;
    (void)field;
    (void)block;
    (void)packed;
    (void)error;
    return COSTAB_OK;
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    (void)context;
    (void)tile;
    (void)field;
    (void)packed;
    (void)error;
    return COSTAB_OK;
}

static void sweep(const char *text, size_t size) {
    costab_spec *spec;
    costab_study *study = NULL;
    costab_error error = {0};
    if (costab_spec_parse("m.yaml", text, size, &spec, &error) != COSTAB_OK) return;
    size_t tiles, points;
    if (spec->model == NULL && is_small(spec) && costab_study_create(spec, &study, &error) == COSTAB_OK) {
        const costab_plan *plan = costab_study_plan(study);
        check_true(costab_plan_size(plan, &tiles, &points, &error) == COSTAB_OK, "%s", error.message);
        costab_evaluator evaluator = costab_study_evaluator(study);
        costab_sink sink = {.pack = pack, .commit = commit};
        costab_run_options options = {.threads = 1};
        if (points <= POINTS_MAX)
            check_true(costab_run(plan, &evaluator, &sink, &options, &error) == COSTAB_OK, "%s\n%.*s",
                       error.message, (int)size, text);
    }
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    if (promise_spec_text("m.yaml", text, size)) sweep(text, size);
    return 0;
}
