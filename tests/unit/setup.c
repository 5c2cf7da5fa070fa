/* Functions that other languages call: variants with their names found, rows in one array, spectra in order,
 * points in columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "costab/costab.h"
#include "study/create.h"
#include "support/memory.h"
#include "support/model_file.h"

static const char text[] =
    "system: network\n"
    "parameters: {H: 0.1, c: 1}\n"
    "subsystems:\n"
    "  - {name: one, A: [[0, 1], [-4, -1]], B: [[0], [c]], C: [[1, 0]], inputs: [u], outputs: [y], method: rk4, x0: [1, 0]}\n"
    "  - {name: two, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4}\n"
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
    "coupling: {scheme: jacobi, macro_step: H}\n";

TEST(a_setup_is_the_model_at_its_settings) {
    costab_spec *spec = spec_of(text);
    const costab_setting settings[] = {{"H", 0.25}, {"c", 3}};
    const char *const names[] = {"jacobi", "gauss-seidel(two,one)-linear"};
    costab_variant variant = {spec->model, 2, 2, settings, names, false};
    costab_setup *setup = NULL;
    costab_coupling coupling;
    check_ok(costab_setup_create(&variant, &setup, &why));
    assert_int_equal(costab_setup_coupling_count(setup), 2);
    assert_string_equal(costab_setup_coupling_name(setup, 1), names[1]);
    assert_null(costab_setup_coupling_name(setup, 2));
    assert_null(costab_setup_coupling_name(setup, -1));
    assert_true(costab_setup_network(setup)->subsystems[0].B[1] == 3);
    check_ok(costab_setup_coupling(setup, 1, &coupling, &why));
    assert_true(coupling.macro_step == 0.25 && coupling.scheme == COSTAB_GAUSS_SEIDEL);
    assert_true(coupling.order[0] == 1 && coupling.order[1] == 0 && coupling.interpolation == COSTAB_LINEAR);
    assert_int_equal(costab_setup_coupling(setup, 2, &coupling, NULL), COSTAB_INVALID);
    check_ok(costab_setup_takes(setup, 1, &why));
    assert_int_equal(costab_setup_takes(setup, 2, NULL), COSTAB_INVALID);
    assert_int_equal(costab_setup_takes(setup, -1, NULL), COSTAB_INVALID);
    costab_setup_destroy(&setup);
    assert_null(setup);
    costab_setup_destroy(&setup);
    costab_spec_destroy(&spec);
}

TEST(indices_and_counts_that_are_not_there_are_refused) {
    costab_spec *spec = spec_of(text);
    const costab_variant variant = {.model = spec->model};
    const costab_uncertain one = {.parameter = 1, .first = 0.1}, none = {.parameter = 2, .first = 0.1};
    costab_uncertainty_options options = {.uncertain_count = 1, .uncertain = &one, .samples = 16};
    costab_uncertainty found;
    costab_locus locus;
    check_ok(costab_uncertainty_find(&variant, 0, &options, &found, &why));
    assert_int_equal(costab_uncertainty_find(&variant, 1, &options, &found, &why), COSTAB_INVALID);
    assert_string_equal(why.message, "the variant has 1 couplings; coupling 1 does not exist");
    options.uncertain = &none;
    assert_int_equal(costab_uncertainty_find(&variant, 0, &options, &found, &why), COSTAB_INVALID);
    assert_string_equal(why.message, "the model has 2 parameters; parameter 2 does not exist");
    const costab_locus_options single = {.lower = 0.1, .upper = 1, .points = 1};
    assert_int_equal(costab_model_locus(&variant, 0, "H", &single, &locus, &why), COSTAB_INVALID);
    assert_string_equal(why.message, "a locus has 2 to 10000 values (0: 129), not 1");
    costab_locus_free(&locus);
    costab_spec_destroy(&spec);
}

TEST(names_that_are_not_there_make_no_setup) {
    costab_spec *spec = spec_of(text);
    const costab_setting wrong = {"Q", 1}, negative = {"H", -1};
    const char *const none[] = {"jacobbi"};
    costab_setup *setup = NULL;
    assert_int_equal(
        costab_setup_create(&(costab_variant){.model = spec->model, .setting_count = 1, .settings = &wrong},
                            &setup, NULL),
        COSTAB_INVALID);
    assert_null(setup);
    assert_int_equal(
        costab_setup_create(&(costab_variant){.model = spec->model, .coupling_count = 1, .couplings = none},
                            &setup, NULL),
        COSTAB_INVALID);
    assert_null(setup);
    assert_int_equal(
        costab_setup_create(
            &(costab_variant){.model = spec->model, .setting_count = 1, .settings = &negative}, &setup, NULL),
        COSTAB_INVALID);
    assert_null(setup);
    costab_spec_destroy(&spec);
}

TEST(no_memory_leaves_nothing) {
    costab_spec *spec = spec_of(text);
    costab_variant variant = {.model = spec->model};
    size_t total, before = memory_kept(&total);
    for (long k = 1, going = 1; going; k++) {
        costab_setup *setup = NULL;
        costab_coupling coupling;
        costab_rows rows = {.count = 0};
        costab_simulate_outcome outcome;
        const costab_simulate_options options = {.until = 1};
        memory_fail_at(k);
        costab_status status = costab_setup_create(&variant, &setup, NULL);
        if (!status) status = costab_setup_coupling(setup, 0, &coupling, NULL);
        if (!status)
            status =
                costab_network_rows(costab_setup_network(setup), &coupling, &options, &rows, &outcome, NULL);
        going = status != COSTAB_OK;
        if (going) assert_int_equal(status, COSTAB_MEMORY);
        memory_fail_at(0);
        costab_rows_free(&rows);
        costab_setup_destroy(&setup);
        assert_int_equal(memory_kept(&total), before);
    }
    costab_spec_destroy(&spec);
}

typedef struct counted {
    const costab_rows *rows;
    size_t at, wrong;
} counted;

static bool compare_row(void *context, const costab_row *row) {
    counted *c = context;
    const costab_row *kept = &c->rows->items[c->at++];
    c->wrong += c->at > c->rows->count || kept->t != row->t || kept->value != row->value ||
                kept->subsystem != row->subsystem || kept->kind != row->kind || kept->index != row->index;
    return true;
}

TEST(rows_are_those_of_a_simulation) {
    costab_spec *spec = spec_of(text);
    costab_setup *setup = NULL;
    costab_coupling coupling;
    costab_rows rows;
    costab_simulate_outcome outcome;
    const costab_simulate_options options = {.until = 2, .local = true, .monolithic = true};
    check_ok(costab_setup_create(&(costab_variant){.model = spec->model}, &setup, &why));
    check_ok(costab_setup_coupling(setup, 0, &coupling, &why));
    const costab_network *network = costab_setup_network(setup);
    check_ok(costab_network_rows(network, &coupling, &options, &rows, &outcome, &why));
    counted c = {.rows = &rows};
    check_ok(costab_network_simulate(network, &coupling, &options, compare_row, &c, &outcome, &why));
    assert_true(c.at == rows.count && c.at > 100);
    assert_int_equal(c.wrong, 0);
    costab_rows_free(&rows);
    costab_setup_destroy(&setup);
    costab_spec_destroy(&spec);
}

/* The eigenvalues add up to the map's trace; by decreasing modulus, pairs with the positive imaginary part
 * first. */
TEST(a_spectrum_is_in_order) {
    costab_spec *spec = spec_of(text);
    costab_setup *setup = NULL;
    costab_coupling coupling;
    costab_network_work *work = NULL;
    costab_network_point point;
    costab_complex values[16];
    check_ok(costab_setup_create(&(costab_variant){.model = spec->model}, &setup, &why));
    check_ok(costab_setup_coupling(setup, 0, &coupling, &why));
    check_ok(costab_network_work_create(&work, &why));
    costab_network_spectrum(work, NULL, NULL); /* no entries yet: it reads and writes nothing */
    check_ok(costab_network_analyse(work, costab_setup_network(setup), &coupling, &point, &why));
    assert_in_range(point.size, 3, 16);
    bool neutral[16];
    costab_network_spectrum(work, values, neutral);
    for (int i = 0; i < point.size; i++) assert_false(neutral[i]);
    const double *map, *imaginary;
    int pairs = 0;
    double sum = 0;
    costab_network_matrix(work, &map, &imaginary);
    for (int i = 0; i < point.size; i++) {
        sum += values[i].re - map[i * (point.size + 1)];
        if (i > 0)
            assert_true(hypot(values[i].re, values[i].im) <=
                        hypot(values[i - 1].re, values[i - 1].im) * (1 + 1e-11));
        if (values[i].im < 0) assert_true(values[i - 1].im == -values[i].im);
        pairs += values[i].im < 0;
    }
    assert_true(pairs > 0);
    assert_true(fabs(sum) < 1e-12);
    assert_true(fabs(hypot(values[0].re, values[0].im) - point.spectral_radius) < 1e-12);
    costab_network_work_destroy(&work);
    costab_setup_destroy(&setup);
    costab_spec_destroy(&spec);
}

TEST(columns_are_those_of_points) {
    enum { N = 1000 }; /* more than one block */
    static double a[N], gamma[N], delta[N], trace[N], radius[N], iteration[N];
    static uint8_t classes[N], causes[N];
    static costab_planar_point points[N];
    costab_method rk4;
    costab_planar planar;
    costab_error error;
    check_ok(costab_method_find("rk4", &rk4, &why));
    for (int i = 0; i < N; i++) {
        a[i] = sin(i);
        gamma[i] = 3 * cos(1.7 * i) - 2;
        delta[i] = 6 * sin(2.3 * i) + 4;
    }
    for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) {
        check_ok(costab_planar_init(&planar, (costab_scheme)s, &rk4, 2, 2, &why));
        costab_planar_points(&planar, N, a, gamma, delta, points);
        const costab_planar_columns columns = {.trace = trace,
                                               .spectral_radius = radius,
                                               .iteration_radius = iteration,
                                               .class_code = classes,
                                               .cause = causes};
        check_ok(costab_planar_fill(&planar, N, a, gamma, delta, &columns, &why));
        for (int i = 0; i < N; i++) {
            assert_true(trace[i] == points[i].trace && radius[i] == points[i].spectral_radius);
            assert_true(iteration[i] == points[i].iteration_radius || s != COSTAB_STRONG);
            assert_true(classes[i] == points[i].class_code && causes[i] == points[i].cause);
        }
        check_ok(
            costab_planar_fill(&planar, N, a, gamma, delta, &(costab_planar_columns){.trace = NULL}, &why));
        delta[700] = INFINITY;
        assert_int_equal(costab_planar_fill(&planar, N, a, gamma, delta, &columns, &error), COSTAB_INVALID);
        assert_non_null(strstr(error.message, "point 700"));
        delta[700] = 1;
    }
}

/* The text of a study with settings is that of a file with them, and its spec has them. */
TEST(a_study_takes_settings) {
    char spec[2000];
    snprintf(spec, sizeof spec, "%saxes: {H: [0.1, 0.2]}\n", text);
    const costab_changes c = {&(costab_setting){"c", 5}, 1, NULL, 0, NULL},
                         axis = {&(costab_setting){"H", 1}, 1, NULL, 0, NULL};
    costab_study *study = NULL;
    check_ok(costab_study_parse_set("s.yaml", spec, strlen(spec), &c, &study, &why));
    assert_non_null(strstr(costab_study_origin_of(study)->spec_text, COSTAB_JOINT_SET));
    costab_study_destroy(&study);
    assert_int_equal(costab_study_parse_set("s.yaml", spec, strlen(spec), &axis, &study, NULL),
                     COSTAB_INVALID);
    assert_null(study);
}
