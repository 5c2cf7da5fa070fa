/* Refined sweeps of networks: what they fill is what the full sweep has, and neither tiles nor threads
 * change a bit of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network_sweep.h"
#include "study/create.h"
#include "support/memory.h"
#include "sweep/run.h"

/* Three couplings; stable and unstable systems; a stability limit that jumps where n does. */
#define OSCILLATOR TEXT_OSCILLATOR("0.4")

static const uint8_t *computed(const sweep *s) {
    int f = sweep_find(s, "computed");
    assert_true(f >= 0 && s->plan->fields[f].type == COSTAB_U8);
    return s->values[f];
}

static double share(const sweep *s) {
    size_t points = sweep_points(s->plan, sweep_find(s, "class")), sum = 0;
    for (size_t i = 0; i < points; i++) sum += computed(s)[i];
    return (double)sum / (double)points;
}

/* Classes everywhere; numbers where they were computed; every crossing of the level 1. */
static void check_equal(const sweep *refined, const sweep *full) {
    size_t points = sweep_points(full->plan, sweep_find(full, "class"));
    const uint8_t *known = computed(refined);
    for (size_t i = 0; i < points; i++)
        check_true(sweep_codes(refined)[i] == sweep_codes(full)[i], "point %zu has class %d instead of %d", i,
                   sweep_codes(refined)[i], sweep_codes(full)[i]);
    for (int f = 0; f < full->plan->field_count; f++) {
        const char *name = full->plan->fields[f].name;
        if (full->plan->fields[f].type != COSTAB_F64) continue;
        bool level = strstr(name, "_one_") != NULL;
        for (size_t i = 0; i < points; i++)
            check_same(sweep_numbers(refined, name)[i],
                       level || known[i] == 1 ? sweep_numbers(full, name)[i] : (double)NAN, name, i);
    }
    costab_error first[2] = {{.message = ""}, {.message = ""}};
    assert_int_equal(costab_study_failures(refined->study, &first[0]),
                     costab_study_failures(full->study, &first[1]));
    assert_string_equal(first[0].message, first[1].message);
}

TEST(refined_equals_full) {
    static const struct {
        const char *text;
        double most; /* share of the points */
    } cases[] = {
        {OSCILLATOR TEXT_ALL
         "axes: {k: {from: 0.1, to: 8, points: 257}, H: {from: 0.05, to: 3, points: 201}}\n",
         0.4},
        {OSCILLATOR TEXT_ALL
         "axes: {d: {from: -1, to: 4, points: 130}, H: {from: 0.02, to: 3, points: 65}}\n",
         0.8},
        {OSCILLATOR TEXT_ALL
         "axes: {n: [1, 3], H: {from: 0.05, to: 2, points: 77}, k: {from: 0.1, to: 6, points: 64}}\n",
         0.9},
        {OSCILLATOR TEXT_ALL "axes: {H: {from: 0.01, to: 3, points: 3001}}\n", 0.45},
        {OSCILLATOR TEXT_ALL "axes: {d: [2], k: 1, H: 0.3}\n", 1},
        {TEXT_FIXED TEXT_ALL
         "axes: {H: {from: 0.1, to: 3.1, points: 61}, a: {from: -1, to: 30, points: 50}}\n",
         1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[4096];
        sweep full, refined;
        sweep_run(&full, cases[c].text, 2);
        static const char *const refine[] = {"refine: {cell: 8}\n", "refine: {cell: 5}\n", "refine: true\n"};
        const size_t stride = effort_stride(3);
        for (size_t k = c % stride; k < 3; k += stride) {
            snprintf(text, sizeof text, "%s%s", cases[c].text, refine[k]);
            sweep_run(&refined, text, 2);
            check_equal(&refined, &full);
            check_true(share(&refined) <= cases[c].most, "case %zu: a share of %g was computed", c,
                       share(&refined));
            size_t points = sweep_points(full.plan, 0);
            assert_int_equal(costab_study_analysed(refined.study), lround(share(&refined) * (double)points));
            sweep_end(&refined);
        }
        assert_int_equal(costab_study_analysed(full.study), 0);
        sweep_end(&full);
    }
}

/* Evaluates the whole grid with tiles of `blocks` blocks. */
static void run_tiles(sweep *s, const char *text, const size_t shape[3]) {
    sweep_start(s, text);
    costab_evaluator evaluator = costab_study_evaluator(s->study);
    costab_plan plan = *s->plan;
    size_t tiles, points, most = 1;
    for (int k = 0; k < 3; k++) {
        plan.tile_shape[k] = shape[k] < plan.axes[k].count ? shape[k] : plan.axes[k].count;
        most *= plan.tile_shape[k];
    }
    check_ok(costab_plan_size(&plan, &tiles, &points, &why));
    void *blocks[COSTAB_FIELDS_MAX] = {NULL};
    for (int f = 0; f < plan.field_count; f++) assert_non_null(blocks[f] = malloc(most * sizeof(double)));
    for (size_t t = tiles; t-- > 0;) {
        costab_tile tile;
        costab_plan_tile(&plan, t, &tile);
        assert_int_equal(evaluator.evaluate(evaluator.context, &tile, blocks, NULL), COSTAB_OK);
        for (int f = 0; f < plan.field_count; f++) sweep_place(s, &tile, f, blocks[f]);
    }
    for (int f = 0; f < plan.field_count; f++) {
        assert_int_equal(s->written[f], points);
        free(blocks[f]);
    }
}

static void check_bytes(const sweep *a, const sweep *b) {
    for (int f = 0; f < a->plan->field_count; f++)
        assert_memory_equal(a->values[f], b->values[f],
                            sweep_points(a->plan, f) * costab_type_size(a->plan->fields[f].type));
}

/* A block depends on its own points and the first points after it alone. */
TEST(tiles_and_threads_do_not_matter) {
    static const char text[] = OSCILLATOR TEXT_ALL
        "refine: {cell: 4}\naxes: {k: {from: 0.1, to: 8, points: 99}, H: {from: 0.05, to: 3, points: 65}}\n";
    enum { BLOCK = 32 };
    static const size_t shapes[][3] = {
        {1, BLOCK, BLOCK}, {3, 99, 65}, {1, 3 * BLOCK, BLOCK}, {2, BLOCK, 2 * BLOCK}, {1, 99, BLOCK}};
    sweep one, other;
    sweep_run(&one, text, 1);
    sweep_run(&other, text, 5);
    check_bytes(&one, &other);
    sweep_end(&other);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k += effort_stride(2)) {
        run_tiles(&other, text, shapes[k]);
        check_bytes(&one, &other);
        sweep_end(&other);
    }
    sweep_end(&one);
}

TEST(plan_says_what_was_computed) {
    sweep s;
    sweep_start(&s,
                OSCILLATOR "refine: {cell: 8}\naxes: {k: {from: 1, to: 2, points: 400}, H: [0.1, 0.2]}\n");
    assert_int_equal(s.plan->field_count, 3);
    const costab_field *field = &s.plan->fields[sweep_find(&s, "computed")];
    assert_true(field->type == COSTAB_U8 && field->codes == COSTAB_CODES_VALUES && field->code_count == 2);
    assert_string_equal(field->code_meanings, "filled analysed");
    assert_int_equal(s.plan->tile_shape[0], 1);
    assert_int_equal(s.plan->tile_shape[1] % 32, 0);
    assert_int_equal(s.plan->tile_shape[2], 2);
    sweep_end(&s);
    sweep_start(&s, OSCILLATOR "refine: false\naxes: {k: {from: 1, to: 2, points: 400}}\n");
    assert_int_equal(sweep_find(&s, "computed"), -1);
    sweep_end(&s);
}

TEST(memory_runs_out) {
    static const char text[] = OSCILLATOR "refine: true\naxes: {k: [1, 2, 3], H: [0.1, 0.2]}\n";
    costab_spec *spec = spec_of(text);
    bool done = false;
    for (long k = 1; !done; k += (long)effort_stride(25)) {
        costab_study *study = NULL;
        memory_fail_at(k);
        done = costab_study_create(spec, &study, NULL) == COSTAB_OK;
        assert_true(done == (study != NULL));
        memory_fail_at(0);
        costab_study_destroy(&study);
    }
    costab_spec_destroy(&spec);
}
