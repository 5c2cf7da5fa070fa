/* Figures of time histories of networks, and the signals that they choose their window from. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "costab/study.h"
#include "figure/figure.h"
#include "figure/series.h"
#include "study/create.h"
#include "support/figure_memory.h"
#include "support/model_file.h"

#define MODEL                                                                                                \
    "title: A test\n"                                                                                        \
    "system: network\n"                                                                                      \
    "subsystems:\n"                                                                                          \
    "  - {name: one, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: heun,"       \
    " substeps: 3}\n"                                                                                        \
    "  - {name: two, A: [[-1]], B: [[-1]], C: [[1]], x0: [0], inputs: [u], outputs: [y], method: heun,"      \
    " substeps: 3}\n"                                                                                        \
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"                                    \
    "coupling:\n"                                                                                            \
    "  - {name: a, scheme: jacobi, macro_step: 0.5}\n"                                                       \
    "  - {name: b, scheme: gauss-seidel, macro_step: 0.5}\n"                                                 \
    "figure: {kind: time}\n"

/* Simulates, into results. */
static costab_results *results_of(const char *history) {
    char yaml[2048];
    snprintf(yaml, sizeof yaml, "%s%s\n", MODEL, history);
    costab_spec *spec = spec_of(yaml);
    costab_study *study = study_of(spec);
    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_results *results = figure_results(costab_study_plan(study), &evaluator, yaml);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
    return results;
}

static bool has(const text *t, const char *words) {
    return strstr(t->data, words) != NULL;
}

/* Two signals under two couplings. */
TEST(micro_steps_ask_for_a_panel_each) {
    text script = {0}, data = {0};
    figure_draw(results_of("history: {until: 4, signals: [one.y, two.u], local: true}"), &script, &data);
    assert_true(has(&script, "layout 2, 2 "));
    assert_true(has(&script, "set title '(a) a' "));
    assert_true(has(&script, "set ylabel T('two.{/:Italic u}', 'two.$u$')\n"));
    /* Micro steps and the solution begin where the communication points do. */
    assert_true(has(&data, "# 1.curve.local: values at micro steps\n0 1\n"));
    assert_true(has(&data, "# 1.curve.exact: solution of the continuous system\n0 1\n"));
    assert_true(has(&data, "# 1.point.points: values at communication points\n0 1\n"));
    text_free(&script);
    text_free(&data);
}

TEST(couplings_share_a_panel_without_them) {
    text script = {0}, data = {0};
    figure_draw(results_of("history: {until: 4, signals: [one.y, two.u]}"), &script, &data);
    assert_true(has(&script, "layout 1, 2 "));
    assert_true(has(&script, "set ylabel T('two.{/:Italic u}', 'two.$u$')\n"));
    assert_true(has(&script, " title 'monolithic solution'"));
    assert_true(has(&script, " title 'b'"));
    assert_true(has(&data, "# 2.point.c2: "));
    assert_false(has(&data, ".curve.local: "));
    text_free(&script);
    text_free(&data);
}

TEST(too_many_signals_are_refused) {
    text script = {0}, data = {0}, history = {0};
    costab_error error = {0};
    text_append(&history, "history: {until: 1, local: true, signals: [one.y");
    for (int k = 0; k < 32; k++) text_append(&history, ", one.y");
    text_append(&history, "]}");
    costab_results *results = results_of(history.data);
    assert_int_equal(figure_of(results, &script, &data, &error), COSTAB_INVALID);
    check_true(strstr(error.message, "more than 64 panels") != NULL, "%s", error.message);
    costab_results_close(&results);
    text_free(&history);
    text_free(&script);
    text_free(&data);
}

TEST(every_failed_allocation_is_reported) {
    costab_results *results = results_of("history: {until: 2, signals: [one.y], local: true}");
    figure_fail_allocations(results);
    costab_results_close(&results);
}

/* A bounded signal and a signal that doubles at each step. */
TEST(the_bounded_signal_decides_the_range) {
    enum { N = 200 };
    double t[N], bounded[N], growing[N], range[2];
    for (int i = 0; i < N; i++) {
        t[i] = i;
        bounded[i] = cos(i);
        growing[i] = ldexp(i % 2 != 0 ? -1 : 1, i);
    }
    series a = {.t = t, .x = bounded, .count = N}, b = {.t = t, .x = growing, .count = N};
    const series *const all[] = {&a, &b};
    series_choose_range(all, 2, N, 1, range);
    assert_true(range[0] <= -1 && range[1] >= 1 && range[0] > -10 && range[1] < 10);
    series_cut(&a, range);
    series_cut(&b, range);
    assert_int_equal(a.count, N);
    /* It is drawn until it is out, and no further than the margin around it. */
    assert_true(b.count < 10 && fabs(growing[b.count - 1]) > range[1]);
}

/* Sizes at which multiples of the start overflow; gnuplot refuses axes beyond half of the largest double. */
TEST(the_range_holds_the_largest_values) {
    enum { N = 20 };
    double t[N], x[N], range[2];
    for (int k = 300; k <= 308; k++) {
        const double start = pow(10, k), shown = fmin(start, 5e307);
        for (int i = 0; i < N; i++) {
            t[i] = i;
            x[i] = start * cos(i);
        }
        const series a = {.t = t, .x = x, .count = N};
        series_choose_range((const series *const[]){&a}, 1, N, start, range);
        assert_true(range[1] >= shown && range[0] <= -0.9 * shown && range[1] < 8.9e307 &&
                    range[1] < 1.2 * start);
    }
}
