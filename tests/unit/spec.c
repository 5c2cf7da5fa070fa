/* Good specs: exact values, defaults, ownership; and every allocation failing once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spelling.h"
#include "base/style.h"
#include "base/text.h"
#include "costab/spec.h"
#include "formula/formula.h"
#include "spec/fields.h"
#include "spec/spec.h"
#include "support/memory.h"
#include "support/model_file.h"

#define HEAD "system: planar\nschemes: zigzag\n"
#define AXES "axes: {a: 0, gamma: [-1, 1], delta: [0, 1]}\n"

static void check_values(const costab_axis *axis, const char *name, size_t count, const double *values) {
    assert_string_equal(axis->name, name);
    assert_int_equal(axis->count, count);
    assert_null(axis->labels);
    assert_non_null(axis->long_name);
    for (size_t i = 0; i < count; i++) check_true(axis->values[i] == values[i], "%s, value %zu", name, i);
}

static const char full[] = "# a comment\n"
                           "title: Zigzag \xc3\xa0 deux\n"
                           "system: planar\n"
                           "schemes: [gauss-seidel-linear, strong]\n"
                           "method: rk38\n"
                           "substeps: [2, 1]\n"
                           "axes:\n"
                           "  a: -0.5\n"
                           "  gamma: {from: -6, to: 2, points: 9}\n"
                           "  delta: [-2, .5, 1e1]\n"
                           "fields: [row_intervals, class]\n"
                           "figure:\n"
                           "  kind: [regions, classes]\n"
                           "  size: [89mm, 2 in]\n"
                           "  columns: 2\n"
                           "  delta: [-1, 8]\n";

TEST(a_full_spec) {
    costab_spec *spec = spec_of(full);
    assert_string_equal(spec->path, "t.yaml");
    assert_string_equal(spec->text, full);
    assert_int_equal(spec->text_size, sizeof full - 1);
    assert_string_equal(spec->title, "Zigzag \xc3\xa0 deux");
    assert_int_equal(spec->planar.scheme_count, 2);
    assert_int_equal(spec->planar.schemes[0], COSTAB_ZIGZAG);
    assert_int_equal(spec->planar.schemes[1], COSTAB_STRONG);
    assert_string_equal(spec->planar.method.name, "rk38");
    assert_int_equal(spec->planar.substeps[0], 2);
    assert_int_equal(spec->planar.substeps[1], 1);
    check_values(&spec->axes[COSTAB_AXIS_A], "a", 1, (const double[]){-0.5});
    check_values(&spec->axes[COSTAB_AXIS_GAMMA], "gamma", 9,
                 (const double[]){-6, -5, -4, -3, -2, -1, 0, 1, 2});
    check_values(&spec->axes[COSTAB_AXIS_DELTA], "delta", 3, (const double[]){-2, 0.5, 10});
    assert_int_equal(spec->fields, COSTAB_FIELD_CLASS | COSTAB_FIELD_ROW_INTERVALS);

    const costab_figure *figure = &spec->figure;
    assert_int_equal(figure->kind_count, 2);
    assert_string_equal(figure->kinds[0].word, "regions");
    assert_string_equal(figure->kinds[1].word, "classes");
    assert_int_equal(figure->kinds[1].place.line, 13);
    assert_int_equal(figure->kinds[1].place.column, 19);
    assert_string_equal(figure->panels.word, "");
    assert_int_equal(figure->style.columns, 2);
    check_near(figure->style.width_cm, 8.9L, 1e-15L, "89mm in cm");
    assert_true(figure->style.height_cm == 2 * 2.54);
    assert_true(figure->x.from == 0 && figure->x.to == 0);
    assert_true(figure->y.from == -1 && figure->y.to == 8);
    costab_spec_destroy(&spec);
    assert_null(spec);
    costab_spec_destroy(&spec);
}

TEST(defaults) {
    costab_spec *spec = spec_of("system: planar\nschemes: simulation\naxes: {gamma: -1, delta: 2}\n");
    assert_string_equal(spec->title, "");
    assert_int_equal(spec->planar.scheme_count, 1);
    assert_int_equal(spec->planar.schemes[0], COSTAB_SIMULATION);
    assert_string_equal(spec->planar.method.name, "rk4");
    assert_true(spec->planar.substeps[0] == 1 && spec->planar.substeps[1] == 1);
    check_values(&spec->axes[COSTAB_AXIS_A], "a", 1, (const double[]){0});
    assert_int_equal(spec->fields, COSTAB_FIELD_CLASS);
    assert_int_equal(spec->figure.kind_count, 0);
    costab_spec_destroy(&spec);

    spec = spec_of("system: planar\nschemes: all\n" AXES);
    assert_int_equal(spec->planar.scheme_count, COSTAB_SCHEME_COUNT);
    for (int i = 0; i < COSTAB_SCHEME_COUNT; i++) assert_int_equal(spec->planar.schemes[i], i);
    costab_spec_destroy(&spec);
}

static const costab_style *style_of(const costab_spec *spec) {
    return &spec->figure.style;
}

#define CHOICE(of, ...)                                                                                      \
    {                                                                                                        \
        .key = of, .values = (const char *const[]){__VA_ARGS__},                                             \
        .count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)                                 \
    }

/* Choices replace what a figure says; the rest stays. */
TEST(other_styles) {
    costab_error error;
    costab_spec *spec =
        spec_of(HEAD "axes: {a: [0, 1], gamma: [-1, 1], delta: [0, 1]}\n"
                     "figure: {kind: regions, panels: a, font: [Nimbus Sans, 9], title: Own, columns: 2}\n");
    assert_string_equal(style_of(spec)->font, "Nimbus Sans");
    assert_true(style_of(spec)->font_size == 9 && style_of(spec)->columns == 2 && !style_of(spec)->plain);
    assert_string_equal(style_of(spec)->title, "Own");
    const costab_figure_choice other[] = {CHOICE("size", "17cm", "80mm"), CHOICE("colours", "grey"),
                                          CHOICE("hatching", "false"),    CHOICE("title", ""),
                                          CHOICE("font", "Times"),        CHOICE("select", "a=0,5", "a=1")};
    assert_int_equal(costab_figure_choose(&spec->figure, other, 6, &error), COSTAB_OK);
    assert_true(spec->figure.pick_count == 2 && spec->figure.picks[1].value == 1);
    assert_string_equal(spec->figure.picks[0].name.word, "0,5");
    assert_true(style_of(spec)->width_cm == 17 && style_of(spec)->columns == 2);
    check_near(style_of(spec)->height_cm, 8, 1e-15L, "80mm in cm");
    assert_int_equal(style_of(spec)->colours, COSTAB_COLOURS_GREY);
    assert_true(style_of(spec)->plain);
    assert_string_equal(style_of(spec)->title, "");
    assert_string_equal(style_of(spec)->font, "Times");
    assert_true(style_of(spec)->font_size == 9);
    assert_string_equal(spec->figure.panels.word, "a");

    /* Under the choices' own names, all of them. */
    costab_figure_choice wrong[] = {CHOICE("columns", "-1"), CHOICE("kinds", "regions"),
                                    CHOICE("size", "1", "2")};
    wrong[2].called = "--size";
    assert_int_equal(costab_figure_choose(&spec->figure, wrong, 3, &error), COSTAB_INVALID);
    assert_string_equal(error.message, "figure, columns: expected a whole number of at least 0, found '-1'\n"
                                       "figure: unknown key 'kinds'; did you mean 'kind'?\n"
                                       "--size: expected a length in cm, mm or in, such as 8.9cm, found '1'\n"
                                       "--size: expected a length in cm, mm or in, such as 8.9cm, found '2'");
    const costab_figure_choice kinds[] = {CHOICE("kind", "regions", "areas"), CHOICE("panels", "none")};
    assert_int_equal(costab_figure_choose(&spec->figure, kinds, 2, &error), COSTAB_OK);
    assert_int_equal(spec->figure.kind_count, 2);
    assert_string_equal(spec->figure.kinds[1].word, "areas");
    assert_int_equal(spec->figure.kinds[1].place.line, 0);
    costab_spec_destroy(&spec);
}

/* -1/10 + k (8/10)/800 is (k - 100)/1000: one rounding. */
TEST(ranges_are_fractions) {
    costab_spec *spec = spec_of(HEAD "axes: {a: 0, gamma: {from: -0.1, to: 0.7, points: 801}, delta: 1}\n");
    assert_int_equal(spec->axes[COSTAB_AXIS_GAMMA].count, 801);
    for (int k = 0; k < 801; k++)
        check_true(spec->axes[COSTAB_AXIS_GAMMA].values[k] == (k - 100) / 1000., "value %d", k);
    costab_spec_destroy(&spec);
}

/* Logarithmic: the ends exact, decades met, ratios equal to the rounding of a decimal logarithm below 3 and
 * of a power (10^x has the relative error x ln 10 times that of x). */
TEST(logarithmic_ranges) {
    costab_spec *spec =
        spec_of("system: planar\nschemes: [cross]\naxes:\n  a: {from: 0.001, to: 100, points: 6, spacing: "
                "log}\n  gamma: {from: 0.3, to: 0.7, points: 101, spacing: log}\n  delta: 1\n");
    const costab_axis *a = &spec->axes[COSTAB_AXIS_A], *gamma = &spec->axes[COSTAB_AXIS_GAMMA];
    static const double decades[] = {0.001, 0.01, 0.1, 1, 10, 100};
    for (int i = 0; i < 6; i++) check_near(a->values[i], decades[i], 2e-15L * decades[i], "decade %d", i);
    assert_true(a->values[0] == 0.001 && a->values[5] == 100);
    assert_true(gamma->values[0] == 0.3 && gamma->values[100] == 0.7);
    for (int i = 0; i < 100; i++)
        check_near(gamma->values[i + 1] / gamma->values[i], powl(0.7L / 0.3L, 0.01L), 2e-15L, "ratio %d", i);
    costab_spec_destroy(&spec);
}

/* A step is another way to say how many points there are; 0.1 is one though three of its doubles are not 0.3.
 */
TEST(stepped_ranges) {
    costab_spec *spec =
        spec_of("system: planar\nschemes: [cross]\naxes:\n  a: {from: 0, to: 0.3, step: 0.1}\n"
                "  gamma: {from: -1, to: 1, step: 2}\n  delta: {from: 5, to: 6, step: 1e-5}\n");
    check_values(&spec->axes[COSTAB_AXIS_A], "a", 4, (const double[]){0, 0.1, 0.2, 0.3});
    check_values(&spec->axes[COSTAB_AXIS_GAMMA], "gamma", 2, (const double[]){-1, 1});
    assert_int_equal(spec->axes[COSTAB_AXIS_DELTA].count, 100001);
    costab_spec_destroy(&spec);
}

TEST(words_of_axes) {
    costab_spec *spec =
        spec_of("system: planar\nschemes: [cross]\naxes:\n"
                "  a: {values: [1, 2], label: the partition, unit: 1/s}\n"
                "  gamma: {values: 3, label: ''}\n  delta: {from: 0, to: 1, points: 2, unit: m}\n");
    const costab_axis *axes = spec->axes;
    check_values(&axes[COSTAB_AXIS_A], "a", 2, (const double[]){1, 2});
    check_values(&axes[COSTAB_AXIS_GAMMA], "gamma", 1, (const double[]){3});
    assert_string_equal(axes[COSTAB_AXIS_A].long_name, "the partition");
    assert_string_equal(axes[COSTAB_AXIS_A].unit, "1/s");
    assert_string_equal(axes[COSTAB_AXIS_GAMMA].long_name, "trace of the scaled system matrix");
    assert_null(axes[COSTAB_AXIS_GAMMA].unit);
    assert_string_equal(axes[COSTAB_AXIS_DELTA].unit, "m");
    costab_spec_destroy(&spec);
}

/* A tableau in the file is the named method of the same tableau: same bits, as 1/6 is one division. */
TEST(tableaux) {
    costab_method rk4 = method_named("rk4");
    static const char *const texts[] = {
        HEAD AXES "method: {A: [[0,0,0,0],[1/2,0,0,0],[0,0.5,0,0],[0,0,1,0]], b: [1/6, 1/3, 1/3, 1/6]}\n",
        HEAD AXES "method:\n  c: [0, 1/2, 0.5, 1]\n  b: ['1/6', 1/3, 2/6, (1 - 1/2)/3]\n"
                  "  A:\n  - [0,0,0,0]\n  - [sqrt(1/4),0,0,0]\n  - [0,0.5,0,0]\n  - [0,0,1,0]\n",
    };
    for (size_t t = 0; t < 2; t++) {
        costab_spec *spec = spec_of(texts[t]);
        const costab_method *method = &spec->planar.method;
        assert_int_equal(method->stages, 4);
        assert_int_equal(method->kind, COSTAB_RUNGE_KUTTA);
        assert_false(method->implicit);
        for (int i = 0; i < 4; i++) {
            check_near(method->b[i], (real)rk4.b[i], t == 0 ? 0 : 1e-16L, "b[%d]", i);
            assert_true(method->c[i] == rk4.c[i]);
            for (int j = 0; j < 4; j++) assert_true(method->A[i][j] == rk4.A[i][j]);
        }
        costab_spec_destroy(&spec);
    }
}

TEST(expressions) {
    double value;
    char reason[200];
    static const struct {
        const char *text;
        double value;
    } good[] = {{"1/6", 1. / 6},  {"-2^2", -4},    {"(1 + 2)*3", 9},
                {"min(2, 1)", 1}, {"cos(pi)", -1}, {"1e-3/4", 1e-3 / 4}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        check_true(formula_constant(good[i].text, strlen(good[i].text), &value, reason, sizeof reason) ==
                       COSTAB_OK,
                   "%s: %s", good[i].text, reason);
        check_true(value == good[i].value, "%s is %.17g", good[i].text, value);
    }
    assert_true(formula_constant("pi", 2, &value, reason, sizeof reason) == COSTAB_OK);
    assert_true(value == acos(-1.0));
    static const char *const bad[] = {"",   "1,5",   "1/0", "1 2",   "x",     "1/3)", "(1",
                                      "1;", "1.5.2", "1,",  "nan",   "1e400", "_pi",  "a=1",
                                      "1e", "2(3)",  "0/0", "1?2:3", "'a'",   "1e-9x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        reason[0] = '\0';
        check_true(formula_constant(bad[i], strlen(bad[i]), &value, reason, sizeof reason) == COSTAB_INVALID,
                   "%s", bad[i]);
        check_true(reason[0] != '\0', "a reason for %s", bad[i]);
    }
    assert_int_equal(formula_constant("1\0+1", 4, &value, reason, sizeof reason), COSTAB_INVALID);
    char deep[FORMULA_SIZE_MAX + 1];
    memset(deep, '(', sizeof deep);
    assert_int_equal(formula_constant(deep, sizeof deep, &value, reason, sizeof reason), COSTAB_INVALID);
    assert_int_equal(formula_constant(deep, sizeof deep - 1, &value, reason, sizeof reason), COSTAB_INVALID);
}

TEST(spellings) {
    static const char *const names[] = {"gamma", "delta", "a"};
    assert_string_equal(spelling_nearest("gama", names, 3, sizeof *names), "gamma");
    assert_string_equal(spelling_nearest("dleta", names, 3, sizeof *names), "delta");
    assert_string_equal(spelling_nearest("Gamma", names, 3, sizeof *names), "gamma");
    assert_null(spelling_nearest("epsilon", names, 3, sizeof *names));
    assert_null(spelling_nearest("b", names, 3, sizeof *names));
    assert_null(spelling_nearest("", names, 3, sizeof *names));
    static const char *const parts[] = {"computation_delay", "sample_time", "time_limit", "times"};
    assert_string_equal(spelling_nearest("delay", parts, 4, sizeof *parts), "computation_delay");
    assert_string_equal(spelling_nearest("time", parts, 4, sizeof *parts), "times");
    assert_null(spelling_nearest("time", parts, 3, sizeof *parts));
    assert_null(spelling_nearest("comput", parts, 4, sizeof *parts));
}

/* The spec does not depend on what wrote the file. */
TEST(spellings_of_a_file) {
    static const char *const texts[] = {
        HEAD AXES,
        "\xef\xbb\xbf" HEAD AXES,
        "system: planar\r\nschemes: zigzag\r\naxes:\r\n  a: 0\r\n  gamma: [-1, 1]\r\n  delta: [0, 1]\r\n",
        "---\nschemes: \"zigzag\"\nsystem:\tplanar\naxes:\n  delta: [0,\n\t1]\n  gamma:\n  - -1\n  - +1.\n  "
        "a: 0e0\n...\n",
        "{system: planar, schemes: [zigzag], axes: {a: [0], gamma: [-1, 1.0], delta: {from: 0, to: 1, "
        "points: 2}}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        costab_spec *spec = spec_of(texts[i]);
        assert_string_equal(spec->text, texts[i]);
        assert_int_equal(spec->planar.schemes[0], COSTAB_ZIGZAG);
        check_values(&spec->axes[COSTAB_AXIS_A], "a", 1, (const double[]){0});
        check_values(&spec->axes[COSTAB_AXIS_GAMMA], "gamma", 2, (const double[]){-1, 1});
        check_values(&spec->axes[COSTAB_AXIS_DELTA], "delta", 2, (const double[]){0, 1});
        costab_spec_destroy(&spec);
    }
}

TEST(discretisations) {
    costab_spec *spec = spec_of(full);
    costab_planar planar;
    check_ok(costab_spec_planar(spec, 1, &planar, &why));
    assert_int_equal(planar.scheme, COSTAB_STRONG);
    assert_string_equal(planar.method.name, "rk38");
    assert_true(planar.substeps[0] == 2 && planar.substeps[1] == 1);
    assert_int_equal(costab_spec_planar(spec, 2, &planar, &why), COSTAB_INVALID);
    assert_int_equal(costab_spec_planar(spec, -1, &planar, &why), COSTAB_INVALID);
    costab_spec_destroy(&spec);
}

TEST(files) {
    char path[] = "/tmp/costab-spec-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, full, sizeof full - 1), sizeof full - 1);
    close(descriptor);
    costab_spec *spec;
    costab_error error;
    assert_int_equal(costab_spec_read(path, &spec, &error), COSTAB_OK);
    assert_string_equal(spec->path, path);
    assert_string_equal(spec->text, full);
    costab_spec_destroy(&spec);
    unlink(path);
    assert_int_equal(costab_spec_read(path, &spec, &error), COSTAB_UNREADABLE);
    assert_null(spec);
    assert_non_null(strstr(error.message, path));
    assert_int_equal(costab_spec_read("/", &spec, &error), COSTAB_UNREADABLE);
}

/* For every k the k-th allocation fails: out of memory, nothing lost, until k is beyond the last. */
TEST(every_allocation_fails_once) {
    static const char bad[] = "system: planar\nschemes: [x]\nmethod: y\naxes: {a: z}\n";
    const char *const texts[] = {full, bad};
    const costab_status ends[] = {COSTAB_OK, COSTAB_INVALID};
    for (size_t t = 0; t < 2; t++) {
        costab_status status = COSTAB_MEMORY;
        long k = 0;
        while (status == COSTAB_MEMORY && k < 1000) {
            costab_spec *spec;
            costab_error error;
            memory_fail_at(++k);
            status = costab_spec_parse("t.yaml", texts[t], strlen(texts[t]), &spec, &error);
            memory_fail_at(0);
            check_true((spec != NULL) == (!status), "a spec only where all is fine");
            if (status) assert_int_equal(error.status, status);
            costab_spec_destroy(&spec);
        }
        assert_int_equal(status, ends[t]);
        assert_true(k > 5);
    }
}

/* The flags of the header are the rows of the table, and each number lies where its layer has it. */
TEST(flags_of_fields) {
    const struct {
        unsigned flag;
        const char *name;
    } rows[] = {{COSTAB_NETWORK_CLASS, "class"},
                {COSTAB_NETWORK_SPECTRAL_RADIUS, "spectral_radius"},
                {COSTAB_NETWORK_SPECTRAL_ABSCISSA, "spectral_abscissa"},
                {COSTAB_NETWORK_ITERATION_RADIUS, "iteration_radius"},
                {COSTAB_NETWORK_GROWTH, "growth"},
                {COSTAB_NETWORK_DECAY, "decay"},
                {COSTAB_NETWORK_ERROR, "error"},
                {COSTAB_NETWORK_ERROR_BOUND, "error_bound"},
                {COSTAB_NETWORK_ENERGY_RESIDUAL, "energy_residual"},
                {COSTAB_NETWORK_ENERGY_MADE, "spurious_energy"},
                {COSTAB_NETWORK_PATTERN_RADIUS, "pattern_radius"},
                {COSTAB_NETWORK_PROBABILITY, "probability"},
                {COSTAB_NETWORK_PROBABILITY_ERROR, "probability_error"},
                {COSTAB_NETWORK_WORST_RADIUS, "worst_radius"},
                {COSTAB_NETWORK_BEST, "best"},
                {COSTAB_NETWORK_BEST_STEP, "best_step"},
                {COSTAB_NETWORK_BEST_COST, "best_cost"}};
    const costab_network_point point = {
        .spectral_radius = 1, .spectral_abscissa = 2, .iteration_radius = 3, .growth = 4, .decay = 5};
    for (int k = 0; k < (int)(sizeof rows / sizeof *rows); k++) {
        assert_int_equal(rows[k].flag, 1U << k);
        assert_string_equal(costab_network_field_name(k), rows[k].name);
        const network_field *field = network_field_find(rows[k].name);
        if (field->layer == FIELD_POINT) assert_true(network_field_value(field, &point) == k);
    }
}
