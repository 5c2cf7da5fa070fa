/* Studies: what a spec becomes, tile by tile, against the planar module called directly; and the specs of
 * areas and time histories, good and bad. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/text.h"
#include "costab/area.h"
#include "costab/study.h"
#include "spec/spec.h"
#include "study/create.h"
#include "support/model_file.h"
#include "sweep/run.h"

static void refused(const char *source, const char *expected) {
    costab_study *study = NULL;
    costab_error error = {.message = ""};
    assert_int_equal(costab_study_parse("s.yaml", source, strlen(source), &study, &error), COSTAB_INVALID);
    if (strstr(error.message, expected) == NULL) fail_msg("expected: %s\nfound: %s", expected, error.message);
}

/* All values of one field, gathered from the tiles into C order. */
static double *field_values(const costab_study *study, const char *name, size_t *count) {
    const costab_plan *plan = costab_study_plan(study);
    costab_evaluator evaluator = costab_study_evaluator(study);
    int wanted = -1;
    for (int f = 0; f < plan->field_count; f++)
        if (strcmp(plan->fields[f].name, name) == 0) wanted = f;
    if (wanted < 0) fail_msg("there is no field %s", name);
    const costab_field *field = &plan->fields[wanted];
    *count = 1;
    for (int r = 0; r < field->rank; r++) *count *= plan->axes[field->axes[r]].count;
    double *all = calloc(*count, sizeof *all);
    bool *seen = calloc(*count, sizeof *seen);
    assert_true(all != NULL && seen != NULL);

    size_t tiles, points;
    check_ok(costab_plan_size(plan, &tiles, &points, &why));
    for (size_t i = 0; i < tiles; i++) {
        costab_tile tile;
        void *blocks[COSTAB_FIELDS_MAX] = {NULL};
        costab_plan_tile(plan, i, &tile);
        for (int f = 0; f < plan->field_count; f++) {
            size_t values = costab_tile_values(plan, f, &tile);
            if (values > 0) blocks[f] = malloc(values * costab_type_size(plan->fields[f].type));
        }
        assert_int_equal(evaluator.evaluate(evaluator.context, &tile, blocks, NULL), COSTAB_OK);
        size_t values = costab_tile_values(plan, wanted, &tile);
        for (size_t v = 0; v < values; v++) {
            size_t rest = v, index = 0, step = 1;
            for (int r = field->rank - 1; r >= 0; r--) {
                int axis = field->axes[r];
                index += (tile.start[axis] + rest % tile.count[axis]) * step;
                rest /= tile.count[axis];
                step *= plan->axes[axis].count;
            }
            assert_false(seen[index]); /* every value is carried by one tile */
            seen[index] = true;
            all[index] =
                field->type == COSTAB_U8 ? ((uint8_t *)blocks[wanted])[v] : ((double *)blocks[wanted])[v];
        }
        for (int f = 0; f < plan->field_count; f++) free(blocks[f]);
    }
    for (size_t i = 0; i < *count; i++) assert_true(seen[i]);
    free(seen);
    return all;
}

static void same(double a, double b) {
    assert_true(a == b || (isnan(a) && isnan(b)));
}

TEST(grid_equals_points) {
    costab_spec *spec =
        spec_of("system: planar\nschemes: all\nsubsteps: 2\nmethod: heun\n"
                "axes: {a: [-0.5, 0.5], gamma: {from: -5, to: 1, points: 175}, delta: {from: -1, to: "
                "9, points: 301}}\nfields: [class, cause, trace, determinant, spectral_radius]\n");
    costab_study *study = study_of(spec);
    size_t count;
    double *class_code = field_values(study, "class", &count), *cause = field_values(study, "cause", &count);
    double *trace = field_values(study, "trace", &count),
           *determinant = field_values(study, "determinant", &count);
    double *radius = field_values(study, "spectral_radius", &count);
    assert_int_equal(count, 4 * 2 * 175 * 301);
    for (size_t i = 0; i < count; i += 37) {
        costab_planar planar;
        costab_planar_point p;
        check_ok(costab_spec_planar(spec, (int)(i / (2 * 175 * 301)), &planar, &why));
        costab_planar_points(&planar, 1, &spec->axes[COSTAB_AXIS_A].values[i / (175 * 301) % 2],
                             &spec->axes[COSTAB_AXIS_GAMMA].values[i / 301 % 175],
                             &spec->axes[COSTAB_AXIS_DELTA].values[i % 301], &p);
        assert_true(class_code[i] == p.class_code && cause[i] == p.cause);
        same(trace[i], p.trace);
        same(determinant[i], p.determinant);
        same(radius[i], p.spectral_radius);
    }
    free(class_code);
    free(cause);
    free(trace);
    free(determinant);
    free(radius);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

/* The areas of a sweep over a are those at its exact values, which `exact` writes; NULL: at its doubles. */
static void check_areas(const char *axis, size_t points, const char *exact) {
    char written[200];
    snprintf(written, sizeof written,
             "system: planar\nschemes: all\nmethod: heun\naxes: {a: %s}\nfields: areas\n", axis);
    costab_spec *spec = spec_of(written);
    costab_study *study = study_of(spec);
    size_t count;
    double *ss = field_values(study, "area_ss", &count), *us = field_values(study, "area_us", &count);
    double *error = field_values(study, "area_us_error", &count);
    assert_int_equal(count, 4 * points);
    for (size_t i = 0; i < count; i++) {
        costab_planar planar;
        costab_areas areas;
        text a = {0};
        check_ok(costab_spec_planar(spec, (int)(i / points), &planar, &why));
        if (exact != NULL) number_list_exact(exact, i % points, &a);
        assert_int_equal(
            exact != NULL
                ? costab_planar_areas_at(&planar, a.data, &areas, NULL)
                : costab_planar_areas(&planar, spec->axes[COSTAB_AXIS_A].values[i % points], &areas, NULL),
            COSTAB_OK);
        same(ss[i], areas.ss);
        same(us[i], areas.us);
        same(error[i], areas.error_us);
        text_free(&a);
    }
    free(ss);
    free(us);
    free(error);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

TEST(areas_equal_areas) {
    char axis[100], exact[100];
    size_t points = 2 + effort(2);
    snprintf(axis, sizeof axis, "{from: -3.5, to: 3, points: %zu}", points);
    snprintf(exact, sizeof exact, "-3.5:3:%zu", points);
    check_areas(axis, points, exact);
    check_areas("[-1/3, 0.548]", 2, "-1/3,0.548");
    check_areas("{values: 0.1}", 1, "1/10");
    check_areas("{from: 0.1, to: 0.9, spacing: log, points: 2}", 2, NULL);
}

/* The four classes fill the window, and the grid's shares of them are close. */
TEST(window_areas_fill_the_window) {
    costab_spec *spec = spec_of(
        "system: planar\nschemes: all\nmethod: heun\naxes: {a: [-0.5, 0.5], gamma: {from: -6, to: 2, points: "
        "401}, delta: {from: -2, to: 14, points: 401}}\nfields: [class, areas]\n");
    costab_study *study = study_of(spec);
    size_t count, points;
    double *area = field_values(study, "window_area", &count),
           *class_code = field_values(study, "class", &points);
    assert_int_equal(count, 4 * 2 * 4);
    for (size_t i = 0; i < 8; i++) {
        double sum = 0, shares[4] = {0};
        for (size_t p = 0; p < 401 * 401; p++) {
            size_t x = p / 401, y = p % 401;
            /* the trapezoidal rule: points on the edge count half */
            double weight = (x == 0 || x == 400 ? 0.5 : 1) * (y == 0 || y == 400 ? 0.5 : 1);
            shares[(int)class_code[i * 401 * 401 + p]] += weight * 8 * 16 / 160000;
        }
        for (int c = 0; c < 4; c++) {
            sum += area[4 * i + (size_t)c];
            /* cells that a boundary crosses, at most some 2000 of 160000, are counted half wrong at worst */
            check_near(area[4 * i + (size_t)c], (real)shares[c], 0.8L, "area of class %d against counting",
                       c);
        }
        check_near(sum, 128, 1e-11L, "the window's area");
    }
    free(area);
    free(class_code);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

/* A window whose ends are not doubles and in which all is SS, so that its area is known; that of the doubles
 * next to the ends is none of its bounds. */
TEST(window_of_written_ends) {
    costab_spec *spec =
        spec_of("system: planar\nschemes: [cross]\naxes: {a: -0.1, gamma: {from: -0.9, to: -0.7, points: 3}, "
                "delta: [1/10, 1/7, 1/3]}\nfields: [areas]\n");
    costab_study *study = study_of(spec);
    size_t count;
    double *area = field_values(study, "window_area", &count),
           *error = field_values(study, "window_area_error", &count);
    const real exact = 7 / 150.0L, doubles = ((real)0.9 - (real)0.7) * ((real)(1 / 3.0) - (real)0.1);
    assert_int_equal(count, 4);
    for (int c = 0; c < 4; c++)
        check_near(area[c], c == COSTAB_SS ? exact : 0, error[c] + 1e-20L, "area of class %d", c);
    check_true(error[COSTAB_SS] < 1e-17 && fabsl(doubles - area[COSTAB_SS]) > 1.5L * error[COSTAB_SS],
               "the bound %g tells both apart: %Lg", error[COSTAB_SS], doubles - exact);
    free(area);
    free(error);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

TEST(history_equals_history) {
    costab_spec *spec =
        spec_of("system: planar\nschemes: [simulation, strong]\nhistory:\n"
                "  - {title: SU, matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [1, 0.5], until: 0.05}\n"
                "  - {matrix: [0, 1, -1, -0.1], h: 0.1, x0: [1, 0], until: 2}\n");
    costab_study *study = study_of(spec);
    const costab_plan *plan = costab_study_plan(study);
    assert_string_equal(plan->axes[1].labels[0], "SU");
    assert_string_equal(plan->axes[1].labels[1], "2");
    assert_int_equal(plan->axes[2].count, 51); /* 0.05 / 1e-3 is 50 in spite of rounding */
    size_t count;
    double *time = field_values(study, "time", &count), *states = field_values(study, "state", &count);
    double *exact_time = field_values(study, "exact_time", &count),
           *exact = field_values(study, "exact_state", &count);
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 2; c++) {
            costab_planar planar;
            double x[51], y[51];
            size_t steps = c == 0 ? 51 : 21;
            check_ok(costab_spec_planar(spec, s, &planar, &why));
            costab_planar_history(&planar, spec->planar.cases[c].matrix, spec->planar.cases[c].h,
                                  spec->planar.cases[c].start, steps, x, y);
            for (size_t k = 0; k < 51; k++) {
                const double *state_k = &states[2 * (((size_t)(2 * s + c)) * 51 + k)];
                same(time[(size_t)c * 51 + k], k < steps ? (double)k * spec->planar.cases[c].h : (double)NAN);
                same(state_k[0], k < steps ? x[k] : (double)NAN);
                same(state_k[1], k < steps ? y[k] : (double)NAN);
            }
        }
    size_t samples = plan->axes[3].count;
    assert_true(exact_time[0] == 0 && exact_time[samples - 1] == 0.05);
    assert_true(exact[0] == 1 && exact[1] == 0.5);
    free(time);
    free(states);
    free(exact_time);
    free(exact);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

/* Choices that correct areas have the limit of a model's own coupling with the same correction. */
TEST(limit_of_choices) {
    fixture f;
    fixture_start(&f,
                  "system: network\n"
                  "parameters: {H: 0.1}\n"
                  "subsystems:\n"
                  "  - {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4}\n"
                  "  - {name: b, A: [[-2]], B: [[1]], C: [[-9]], inputs: [u], outputs: [y], method: rk4}\n"
                  "connections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]\n"
                  "coupling: {macro_step: H, area_correction: 0.6}\n");
    const costab_coupling choices = *costab_model_instance_coupling(f.instance, 0);
    costab_analysis_limit limits[2];
    for (int i = 0; i < 2; i++) {
        const analysis_family family = {
            .instance = f.instance, .work = f.work, .own = -i, .choices = &choices};
        const costab_analysis_limit_options options = {.lower = 0.01, .upper = 0.4};
        check_ok(analysis_limit_find(&family, &options, &limits[i], &why));
    }
    assert_int_equal(limits[0].found.count, 1);
    assert_int_equal(limits[1].found.count, 1);
    assert_true(limits[0].found.pieces[0].to == limits[1].found.pieces[0].to);
    for (int i = 0; i < 2; i++) costab_limit_free(&limits[i].found);
    fixture_end(&f);
}

#define HEAD "system: planar\nschemes: cross\n"
#define CASE "matrix: [1, 2, 3, 4], h: 0.1, x0: [1, 0], until: 1"

TEST(bad_areas_and_histories) {
    refused(HEAD, "s.yaml:1:1: error: spec: the key 'axes' is missing");
    refused(HEAD "axes: {a: 1}\n", "s.yaml:3:7: error: axes: the key 'gamma' is missing");
    refused(HEAD "axes: {a: 1, gamma: [1, 2]}\nfields: areas\n",
            "s.yaml:3:7: error: axes: the key 'delta' is missing");
    refused(HEAD "axes: {a: 1}\nfields: areas\nfigure: {kind: areas}\n",
            "s.yaml:5:16: error: figure, kind: 'areas' draws areas against a");
    refused(HEAD "axes: {a: [1, 2]}\nfields: areas\nfigure: {kind: regions}\n",
            "s.yaml:5:16: error: figure, kind: without the axes gamma and delta");
    refused(HEAD "axes: {a: [1, 2], gamma: [1, 2], delta: [1, 2]}\nfigure: {kind: areas}\n",
            "s.yaml:4:16: error: figure, kind: 'areas' draws the field 'areas'");
    refused(HEAD "axes: {a: [1, 2], gamma: [1, 2], delta: [1, 2]}\nfields: [areas]\nfigure: {kind: [areas, "
                 "regions]}\n",
            "s.yaml:5:17: error: figure, kind: 'areas' stands alone");
    refused(HEAD "history: {" CASE "}\naxes: {a: 1, gamma: 1, delta: 1}\n",
            "s.yaml:3:10: error: history: a time history has no axes");
    refused(HEAD "history: {" CASE "}\nfields: class\n",
            "s.yaml:4:9: error: fields: a time history has no fields");
    refused(HEAD "history: {" CASE "}\nfigure: {kind: regions}\n",
            "s.yaml:4:16: error: figure, kind: a time history is drawn as 'time'");
    refused(HEAD "axes: {a: 1, gamma: [1, 2], delta: [1, 2]}\nfigure: {kind: time}\n",
            "s.yaml:4:16: error: figure, kind: 'time' draws the key 'history'");
    refused(HEAD "history: {matrix: [1, 2, 3], h: 0, x0: [1], until: -1}\n",
            "s.yaml:3:19: error: history, matrix: expected a list of 4");
    refused(HEAD "history: {matrix: [1, 2, 3, 4], h: 0, x0: [1, 0], until: 1}\n",
            "s.yaml:3:36: error: history, h: expected a positive number");
    refused(HEAD "history: {matrix: [1, 2, 3, 4], h: 2, x0: [1, 0], until: 1}\n",
            "s.yaml:3:58: error: history, until: expected 1 to");
    refused(HEAD "history: {matrix: [1, 2, 3, 4], x0: [1, 0], until: 1}\n",
            "s.yaml:3:10: error: history: the key 'h' is missing");
    refused(HEAD "history: []\n", "s.yaml:3:10: error: history: expected a list of at least one");
}
