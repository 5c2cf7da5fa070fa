/* Wrong but plausible calls of the library: a status, NULL or an empty text, and never a crash. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "costab/costab.h"
#include "model_file.h"
#include "network/network.h"
#include "nowhere.h"
#include "scratch.h"
#include "spec/spec.h"
#include "store/log.h"
#include "store/store.h"
#include "study/create.h"
#include "support.h"
#include "sweep/run.h"

/* ---- Indices */

TEST(names_outside_the_range_are_none) {
    static const int wrong[] = {-1, 99, -2147483647 - 1, 2147483647};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        int i = wrong[k];
        assert_null(costab_event_name((costab_event)i));
        assert_null(costab_scheme_name((costab_scheme)i));
        assert_null(costab_class_name(i));
        assert_null(costab_method_name(i));
        assert_null(costab_method_title(i));
        assert_null(costab_coupling_name(i));
        assert_null(costab_claims_source(i));
        assert_null(costab_system_name((costab_system)i));
        assert_null(costab_network_field_name(i));
        assert_null(costab_colours_name((costab_colours)i));
        assert_non_null(costab_status_text((costab_status)i));
    }
}

static const char spec_text[] =
    "system: network\n"
    "parameters: {H: 0.1}\n"
    "subsystems:\n"
    "  - {name: one, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: rk4}\n"
    "  - {name: two, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4}\n"
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
    "coupling: {scheme: jacobi, macro_step: H}\n"
    "axes: {H: [0.1, 0.2]}\n"
    "fields: [class, error]\n"
    "history: {until: 1}\n";

TEST(indices_into_a_model_are_checked) {
    costab_spec *spec = spec_of(spec_text);
    costab_model_instance *instance = NULL;
    costab_network_work *work = NULL;
    costab_network_point point;
    costab_planar planar;
    char text[64] = "unchanged", name[COSTAB_SIGNAL_NAME_MAX];
    assert_int_equal(costab_model_instance_create(spec->model, &instance, NULL), COSTAB_OK);
    assert_int_equal(costab_network_work_create(&work, NULL), COSTAB_OK);
    const costab_network *network = costab_model_instance_network(instance);
    const costab_coupling *coupling = costab_model_instance_coupling(instance, 0);
    costab_network_label(work, 0, text, sizeof text); /* of nothing yet */
    assert_string_equal(text, "");
    assert_int_equal(costab_network_analyse(work, network, coupling, &point, NULL), COSTAB_OK);
    for (int i = -1; i < 100; i += 100) {
        assert_null(costab_model_instance_coupling(instance, i));
        assert_true(isnan(costab_model_instance_value(instance, i)));
        assert_false(costab_model_instance_set(instance, i, 7));
        assert_int_equal(costab_spec_planar(spec, i, &planar, NULL), COSTAB_INVALID);
        strcpy(text, "unchanged");
        costab_network_label(work, i, text, sizeof text);
        assert_string_equal(text, "");
        assert_string_equal(costab_signal_name(network, i < 0 ? -2 : i, COSTAB_SIGNAL_STATE, 0, name), "");
        assert_string_equal(costab_signal_name(network, 0, COSTAB_SIGNAL_STATE, i, name), "");
        assert_string_equal(costab_signal_name(network, 0, (costab_signal_kind)99, 0, name), "");
        assert_string_equal(costab_signal_name(network, -1, COSTAB_SIGNAL_POWER, i, name), "");
    }
    costab_network_work_destroy(&work);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

TEST(a_parameter_needs_a_name) {
    costab_spec *spec = spec_of(spec_text);
    const costab_variant variant = {.model = spec->model};
    const costab_analysis_limit_options range = {.lower = 0.1, .upper = 1};
    const costab_margin_options one = {.parameter_count = 1, .parameters = (const char *const[]){NULL}};
    costab_analysis_limit limit;
    costab_margins margins;
    assert_int_equal(costab_model_limit(&variant, 0, NULL, &range, &limit, NULL), COSTAB_INVALID);
    assert_int_equal(costab_margins_find(&variant, &one, &margins, NULL), COSTAB_INVALID);
    costab_limit_free(&limit.found);
    costab_margins_free(&margins);
    costab_spec_destroy(&spec);
}

/* ---- Networks */

static bool take(void *context, const costab_row *row) {
    (void)context;
    (void)row;
    return true;
}

/* Networks that costab_network_check refuses, everything that computes refuses. */
static void refused(const costab_network *network) {
    costab_coupling coupling = {.scheme = COSTAB_JACOBI, .macro_step = 0.1};
    costab_simulate_options options = {.until = 1};
    costab_simulate_outcome outcome;
    costab_network_work *work = NULL;
    costab_network_point point;
    costab_bound bound;
    costab_limit limit;
    costab_made made;
    uint8_t code;
    double number;
    assert_int_equal(costab_network_check(network, NULL), COSTAB_INVALID);
    assert_int_equal(costab_coupling_check(network, &coupling, NULL), COSTAB_INVALID);
    assert_int_equal(costab_network_simulate(network, &coupling, &options, take, NULL, &outcome, NULL),
                     COSTAB_INVALID);
    assert_int_equal(costab_network_error(network, &coupling, 1, &number, NULL), COSTAB_INVALID);
    assert_int_equal(costab_network_bound(network, &(costab_bound_options){.error = 1}, &bound, NULL),
                     COSTAB_INVALID);
    assert_int_equal(costab_network_macro_unit(network, &number, NULL), COSTAB_INVALID);
    assert_int_equal(costab_limit_macro_step(network, &coupling,
                                             &(costab_limit_options){.lower = 0.1, .upper = 1}, &limit, NULL),
                     COSTAB_INVALID);
    assert_int_equal(costab_bound_made(network, &coupling,
                                       &(costab_made_options){.error = 1, .macro_step = 0.1, .horizon = 1},
                                       &made, NULL),
                     COSTAB_INVALID);
    assert_int_equal(costab_network_work_create(&work, NULL), COSTAB_OK);
    assert_int_equal(costab_network_analyse(work, network, &coupling, &point, NULL), COSTAB_INVALID);
    assert_int_equal(costab_network_classify(work, network, &coupling, &code, NULL), COSTAB_INVALID);
    costab_network_work_destroy(&work);
}

TEST(networks_with_missing_arrays_are_refused) {
    static const double A[] = {-1}, one[] = {1};
    costab_method rk4;
    assert_int_equal(costab_method_find("rk4", &rk4, NULL), COSTAB_OK);
    costab_subsystem subsystems[2];
    for (int s = 0; s < 2; s++)
        subsystems[s] = (costab_subsystem){.name = s == 0 ? "one" : "two",
                                           .states = 1,
                                           .inputs = 1,
                                           .outputs = 1,
                                           .A = A,
                                           .B = one,
                                           .C = one,
                                           .method = rk4,
                                           .substeps = 1};
    const costab_connection connections[] = {{.to = 1, .gain = 1}, {.from = 1, .gain = 1}};
    const costab_network good = {
        .subsystem_count = 2, .connection_count = 2, .subsystems = subsystems, .connections = connections};
    assert_int_equal(costab_network_check(&good, NULL), COSTAB_OK);
    costab_network bad = good;
    bad.connections = NULL;
    refused(&bad);
    bad = good;
    bad.subsystems = NULL;
    refused(&bad);
    bad = good;
    bad.subsystem_count = -1;
    refused(&bad);
    bad = good;
    bad.connection_count = -1;
    refused(&bad);
    bad = good;
    bad.bond_count = 1;
    refused(&bad);
    bad = good;
    bad.source_count = 1;
    refused(&bad);
    const costab_connection astray[] = {{.to = 1, .input = -1, .gain = 1}, {.from = 5, .gain = 1}};
    bad = good;
    bad.connections = astray;
    refused(&bad);
    subsystems[1].A = NULL;
    refused(&good);
    subsystems[1].A = A;
    subsystems[1].name = NULL;
    assert_int_equal(costab_network_check(&good, NULL), COSTAB_INVALID);
}

/* ---- Runs and files */

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    (void)context;
    (void)error;
    for (size_t i = 0; blocks[0] != NULL && i < tile->count[0] * tile->count[1]; i++)
        ((double *)blocks[0])[i] = 1;
    return COSTAB_OK;
}

static double values[] = {1, 2, 3};

static costab_plan good_plan(void) {
    costab_plan plan = {
        .axis_count = 2,
        .swept = 2,
        .axes = {{.name = "x", .count = 3, .values = values}, {.name = "y", .count = 2, .values = values}},
        .field_count = 1,
        .fields = {{.name = "f", .type = COSTAB_F64, .rank = 2, .axes = {0, 1}}}};
    costab_plan_choose_tiles(&plan, 4);
    return plan;
}

TEST(texts_and_options_that_are_missing) {
    costab_plan plan = good_plan();
    const costab_evaluator evaluator = {.evaluate = evaluate};
    costab_store_info none = {.title = NULL};
    costab_checkpoint_key key = {.plan = &plan, .info = &none};
    costab_checkpoint *log = NULL;
    assert_int_equal(costab_store_write("x.h5", &plan, &none, &evaluator, 1, NULL), COSTAB_INVALID);
    assert_int_equal(costab_store_write("x.h5", &plan, NULL, &evaluator, 1, NULL), COSTAB_INVALID);
    assert_int_equal(costab_store_write(NULL, &plan, &none, &evaluator, 1, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_open("x.h5", &key, COSTAB_CHECKPOINT_NEW, &log, NULL), COSTAB_INVALID);
    assert_null(log);
    assert_int_equal(costab_run(&plan, &evaluator, &nowhere_sink, NULL, NULL),
                     COSTAB_OK); /* all as by default */
    assert_int_equal(costab_run(&plan, NULL, &nowhere_sink, NULL, NULL), COSTAB_INVALID);
    assert_int_equal(costab_run(&plan, &evaluator, NULL, NULL, NULL), COSTAB_INVALID);
    assert_int_equal(costab_run(NULL, &evaluator, &nowhere_sink, NULL, NULL), COSTAB_INVALID);
}

/* ---- Studies and files */

TEST(studies_of_nothing_are_refused) {
    costab_spec *spec = spec_of(spec_text);
    costab_study *study = NULL;
    static const char *const unknown[] = {"jacobi", "none-such"};
    const costab_setting nowhere = {.name = "Z", .value = 1}, unnamed = {.name = NULL, .value = 1};
    costab_study_history history = {
        .variant = {.model = spec->model, .coupling_count = 2, .couplings = unknown}};
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    assert_null(study);
    history.variant.couplings = NULL;
    history.variant.setting_count = 1;
    history.variant.settings = &nowhere;
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    history.variant.settings = &unnamed;
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    history.variant.settings = NULL;
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    history.variant = (costab_variant){.model = spec->model};
    struct costab_network_signal astray[] = {{.kind = COSTAB_SIGNAL_STATE, .subsystem = 0, .index = 5}};
    costab_network_history wanted = {.until = 1, .signal_count = 1, .signals = astray};
    history.wanted = &wanted;
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    astray[0].index = -1;
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    astray[0] = (struct costab_network_signal){.kind = COSTAB_SIGNAL_ENERGY, .subsystem = -1, .index = 0};
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    wanted = (costab_network_history){.until = -1};
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    history = (costab_study_history){.variant = {.model = NULL}};
    assert_int_equal(costab_study_create_history(&history, &study, NULL), COSTAB_INVALID);
    assert_int_equal(costab_study_create(NULL, &study, NULL), COSTAB_INVALID);
    assert_int_equal(costab_study_merge(NULL, 0, &study, NULL), COSTAB_INVALID);
    assert_int_equal(costab_study_merge(NULL, 3, &study, NULL), COSTAB_INVALID);
    assert_null(study);

    assert_int_equal(costab_study_create(spec, &study, NULL), COSTAB_OK);
    assert_null(costab_study_origin_of(study));
    assert_int_equal(costab_study_run(study, "x.h5", NULL, NULL, NULL),
                     COSTAB_INVALID); /* no text for the file */
    costab_study_destroy(&study);
    assert_int_equal(costab_study_parse("m.yaml", spec_text, strlen(spec_text), &study, NULL), COSTAB_OK);
    assert_int_equal(costab_study_run(study, NULL, NULL, NULL, NULL), COSTAB_INVALID);
    const costab_study_run_options slice = {.slice = 0, .slices = 3}, beyond = {.slice = 4, .slices = 3};
    assert_int_equal(costab_study_run(study, "x.part", &slice, NULL, NULL), COSTAB_INVALID);
    assert_int_equal(costab_study_run(study, "x.part", &beyond, NULL, NULL), COSTAB_INVALID);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

TEST(results_are_read_inside_their_fields) {
    costab_study *study = NULL;
    costab_results *results = NULL;
    const char *path = scratch_path("misuse.h5");
    assert_int_equal(costab_study_parse("m.yaml", spec_text, strlen(spec_text), &study, NULL), COSTAB_OK);
    assert_int_equal(costab_study_run(study, path, NULL, NULL, NULL), COSTAB_OK); /* options as by default */
    assert_int_equal(costab_results_open(path, &results, NULL), COSTAB_OK);
    const size_t start[] = {0, 0}, count[] = {1, 2}, beyond[] = {0, 1}, huge[] = {1, SIZE_MAX};
    uint8_t codes[2];
    assert_int_equal(costab_results_read(results, 0, start, count, codes, NULL), COSTAB_OK);
    assert_int_equal(costab_results_read(results, -1, start, count, codes, NULL), COSTAB_INVALID);
    assert_int_equal(costab_results_read(results, 3, start, count, codes, NULL), COSTAB_INVALID);
    assert_int_equal(costab_results_read(results, 0, beyond, count, codes, NULL), COSTAB_INVALID);
    assert_int_equal(costab_results_read(results, 0, start, huge, codes, NULL), COSTAB_INVALID);
    costab_results_close(&results);
    costab_study_destroy(&study);
    remove(path);
}

TEST(handles_that_are_missing) {
    const size_t start[] = {0, 0}, count[] = {1, 1};
    uint8_t codes[4];
    costab_plan plan = good_plan();
    costab_results *results = NULL;
    costab_checkpoint *log = NULL;
    costab_sink sink;
    assert_int_equal(costab_results_open(NULL, &results, NULL), COSTAB_INVALID);
    assert_int_equal(costab_results_open("x.h5", NULL, NULL), COSTAB_INVALID);
    assert_int_equal(costab_results_read(NULL, 0, start, count, codes, NULL), COSTAB_INVALID);
    assert_string_equal(costab_results_title(NULL), "");
    assert_string_equal(costab_results_source(NULL), "");
    assert_string_equal(costab_results_spec_path(NULL), "");
    assert_string_equal(costab_results_spec_text(NULL), "");
    assert_null(costab_results_plan(NULL));
    costab_results_close(NULL);
    assert_int_equal(costab_checkpoint_open("x.h5", NULL, COSTAB_CHECKPOINT_NEW, &log, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_read(NULL, &log, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_plan(NULL, &plan, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_replay(NULL, NULL, NULL, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_sink(NULL, &sink, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_flush(NULL, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_publish(&log, "x.part", NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_finish(&log, "x.h5", NULL), COSTAB_INVALID);
    assert_null(costab_checkpoint_info(NULL));
    assert_int_equal(costab_checkpoint_at(NULL).count, 0);
    costab_checkpoint_close(&log, true);
    costab_checkpoint_close(NULL, true);
}

/* A log that is read before its plan is known has none of its tiles. */
TEST(logs_without_plan_are_not_replayed) {
    costab_study *study = NULL;
    costab_checkpoint *log = NULL;
    costab_plan other = good_plan();
    const char *path = scratch_path("misuse.part");
    const costab_study_run_options slice = {.slice = 1, .slices = 1};
    assert_int_equal(costab_study_parse("m.yaml", spec_text, strlen(spec_text), &study, NULL), COSTAB_OK);
    assert_int_equal(costab_study_run(study, path, &slice, NULL, NULL), COSTAB_OK);
    assert_int_equal(costab_checkpoint_read(path, &log, NULL), COSTAB_OK);
    assert_int_equal(costab_checkpoint_replay(log, NULL, NULL, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_plan(log, &other, NULL), COSTAB_INVALID);
    assert_int_equal(costab_checkpoint_replay(log, NULL, NULL, NULL), COSTAB_INVALID);
    costab_checkpoint_close(&log, true);
    costab_study_destroy(&study);
    remove(path);
}
