/* Plans that contradict themselves are refused by whoever takes one. */
#include <string.h>

#include "costab/store.h"
#include "costab/sweep.h"
#include "store/chunk.h"
#include "support/support.h"
#include "sweep/run.h"

static double numbers[] = {1, 2, 3, 4, 5};

/* A good plan of 5 x 3 points, swept along both axes, and an inner axis of 2. */
static costab_plan good(void) {
    costab_plan plan = {
        .axis_count = 3,
        .swept = 2,
        .axes = {{.name = "a", .count = 5, .values = numbers},
                 {.name = "b", .count = 3, .values = numbers},
                 {.name = "side", .count = 2, .values = numbers}},
        .field_count = 2,
        .fields = {{.name = "radius", .type = COSTAB_F64, .rank = 2, .axes = {0, 1}, .long_name = "r"},
                   {.name = "ends", .type = COSTAB_F64, .rank = 3, .axes = {0, 1, 2}, .long_name = "e"}},
        .tile_shape = {2, 3, 2}};
    return plan;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    (void)context;
    (void)tile;
    (void)blocks;
    (void)error;
    fail_msg("a bad plan was run");
    return COSTAB_OK;
}

/* Every function that takes a plan refuses it, with a message, and does nothing. */
static void is_refused(const costab_plan *plan, const char *what) {
    size_t tiles, points;
    costab_error error = {.status = COSTAB_OK};
    check_true(costab_plan_size(plan, &tiles, &points, &error) == COSTAB_INVALID, "%s: costab_plan_size",
               what);
    check_true(error.message[0] != '\0', "%s: no message", what);
    check_true(store_plan_check(plan, &error) == COSTAB_INVALID, "%s: store_plan_check", what);
    costab_evaluator evaluator = {.evaluate = evaluate};
    costab_sink sink = {.context = NULL};
    costab_run_options options = {.threads = 1};
    check_true(costab_run(plan, &evaluator, &sink, &options, &error) == COSTAB_INVALID, "%s: costab_run",
               what);
}

TEST(a_good_plan_is_counted) {
    costab_plan plan = good();
    size_t tiles, points;
    check_ok(costab_plan_size(&plan, &tiles, &points, &why));
    assert_int_equal(tiles, 3);
    assert_int_equal(points, 15);
    costab_tile tile;
    costab_error error;
    assert_int_equal(store_plan_check(&plan, &error), COSTAB_OK);
    costab_plan_tile(&plan, 0, &tile);
}

/* Its first field has two codes of these meanings. */
static void name_codes(costab_plan *plan, const char *meanings) {
    plan->fields[0].type = COSTAB_U8;
    plan->fields[0].codes = COSTAB_CODES_VALUES;
    plan->fields[0].code_count = 2;
    plan->fields[0].code_meanings = meanings;
}

TEST(bad_plans_are_refused) {
#define BAD(change)                                                                                          \
    do {                                                                                                     \
        costab_plan plan = good();                                                                           \
        change;                                                                                              \
        is_refused(&plan, #change);                                                                          \
    } while (0)
    BAD(plan.axis_count = 0);
    BAD(plan.axis_count = -1);
    BAD(plan.axis_count = COSTAB_AXES_MAX + 1);
    BAD(plan.swept = 4);
    BAD(plan.swept = -1);
    BAD(plan.axes[1].count = 0);
    BAD(plan.axes[2].count = 0);
    BAD(plan.tile_shape[0] = 0);
    BAD(plan.tile_shape[0] = 6);
    BAD(plan.axes[1].name[0] = '\0');
    BAD(strcpy(plan.axes[1].name, "a"));
    BAD(strcpy(plan.fields[1].name, "radius"));
    BAD(strcpy(plan.fields[1].name, "a"));
    BAD(memset(plan.fields[1].name, 'x', COSTAB_NAME_MAX));
    BAD(plan.field_count = -1);
    BAD(plan.field_count = COSTAB_FIELDS_MAX + 1);
    BAD(plan.fields[0].rank = 0);
    BAD(plan.fields[0].rank = 4);
    BAD(plan.fields[0].axes[1] = 3);
    BAD(plan.fields[0].axes[0] = -1);
    BAD(plan.fields[0].axes[1] = 0);
    BAD(plan.fields[0].codes = COSTAB_CODES_VALUES); /* of a field of doubles */
    static const char *const meanings[] = {NULL,          "",          "one",      "one two three",
                                           "one  two",    " one two",  "one two ", "one,a two",
                                           "\"one\" two", "one\ttwo x"};
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) BAD(name_codes(&plan, meanings[i]));
    costab_plan named = good();
    name_codes(&named, "not_a-1.+@ B");
    check_ok(costab_plan_size(&named, &(size_t){0}, &(size_t){0}, &why));
}
