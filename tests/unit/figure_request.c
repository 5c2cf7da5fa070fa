/* The figure of a results file: everything that the key `figure` and the labels of a model say
 * comes back, and nothing else is accepted. */
#include <string.h>

#include "base/text.h"
#include "costab/spec.h"
#include "store/request.h"
#include "study/study.h"
#include "support/support.h"

static const char yaml[] =
    "system: network\n"
    "parameters: {k: {value: 10, label: stiffness, unit: N/m}, H: 0.1}\n"
    "subsystems:\n"
    "  - {name: mass, A: [[0, 1], [-k, -1]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0], inputs: [force], outputs: "
    "[place], method: rk4}\n"
    "connections: [{from: mass.place, to: mass.force}]\n"
    "coupling: {macro_step: H}\n"
    "axes: {k: {from: 1, to: 40, points: 9, label: a stiffness, unit: N/m}, H: {from: 0.1, to: 2, points: 9}}\n"
    "fields: [class, spectral_radius]\n"
    "figure: {kind: [contour, classes], of: spectral_radius, size: [8.9cm, 6cm], columns: 2, font: [Nimbus Sans, 9], "
    "colours: grey, hatching: false, title: \"a \\\\ c\", names: {k: k_C, jacobi: all at once}, legend: right, "
    "notes: true, panels: all, x: H, y: k, x_range: [0.2, 1.5], y_range: [2, 30], x_label: step, levels: [0.5, 1.1], "
    "dpi: 150, couplings: [jacobi]}\n";

static void written_text(text *written) {
    costab_spec *spec = NULL;
    check_ok(costab_spec_parse("test.yaml", yaml, strlen(yaml), &spec, &why));
    check_ok(study_figure_text(spec, written, &why));
    costab_spec_destroy(&spec);
}

TEST(a_request_comes_back) {
    text written = {0}, again = {0};
    store_request request;
    written_text(&written);
    check_ok(store_request_read(written.data, "test.h5", &request, &why));
    const costab_figure *f = &request.figure;
    assert_int_equal(f->kind_count, 2);
    assert_string_equal(f->kinds[1].word, "classes");
    assert_true(f->style.width_cm == 8.9 && f->style.height_cm == 6 && f->style.columns == 2);
    assert_string_equal(f->style.font, "Nimbus Sans");
    assert_true(f->style.font_size == 9 && f->style.dpi == 150 && f->style.plain && f->style.notes);
    assert_true(f->style.colours == COSTAB_COLOURS_GREY && f->style.legend == COSTAB_LEGEND_RIGHT);
    assert_string_equal(f->style.title, "a \\ c");
    assert_string_equal(f->x_axis.word, "H");
    assert_true(f->x.from == 0.2 && f->x.to == 1.5 && f->y.from == 2 && f->y.to == 30);
    assert_true(f->level_count == 2 && f->levels[1] == 1.1);
    assert_true(f->name_count == 2 && strcmp(f->names[1].words, "all at once") == 0);
    assert_true(f->coupling_count == 1 && strcmp(f->x_label, "step") == 0);
    assert_int_equal(request.word_count, 1);
    assert_string_equal(request.words[0].label, "stiffness");
    assert_string_equal(request.words[0].unit, "N/m");
    assert_int_equal(request.axis_count, 1);
    assert_string_equal(request.axes[0].label, "a stiffness");
    assert_string_equal(request.axes[0].unit, "N/m");
    store_request_write(&request, &again);
    assert_string_equal(again.data, written.data);
    store_request_free(&request);
    text_free(&written);
    text_free(&again);
}

/* Every number that a spec may request can be read from the file. */
TEST(largest_values_come_back) {
    static const char largest[] =
        "system: planar\nschemes: [zigzag]\naxes: {a: 0, gamma: [-2, -1], delta: [1, 2]}\n"
        "figure: {kind: regions, columns: 100, dpi: 2400}\n";
    costab_spec *spec = NULL;
    text_local written = {0};
    store_request request;
    check_ok(costab_spec_parse("test.yaml", largest, strlen(largest), &spec, &why));
    check_ok(study_figure_text(spec, &written, &why));
    costab_spec_destroy(&spec);
    check_ok(store_request_read(written.data, "test.h5", &request, &why));
    assert_true(request.figure.style.columns == 100 && request.figure.style.dpi == 2400);
    store_request_free(&request);
}

/* Anybody may have made a file. */
TEST(other_texts_are_refused) {
    static const char *const wrong[] = {
        "",
        "format 2\n",
        "format 1\nkind",
        "format 1\nkind \n",
        "format 1\nkind contour\tclasses\n",
        "format 1\ncolours 3\n",
        "format 1\ncolumns 1e300\n",
        "format 1\nwidth_cm -1\n",
        "format 1\nwidth_cm nan\n",
        "format 1\nx_range 2\t1\t\n",
        "format 1\nx_range 1\n",
        "format 1\nlevel 1\nlevel 1\n",
        "format 1\ntitle a\ntitle b\n",
        "format 1\nword k\n",
        "format 1\nsignals_named\n",
        "format 1\nnothing 1\n",
        "format 1\nof 0123456789012345678901234567890123456789012345678901234567890123456789\n",
        "format 1\nkind a\nkind b\nkind c\nkind d\nkind e\n",
        "format 1\nword 1\t2\t3\t4\t5\n",
        "format 1\nword k\t\ts\tmm\n",
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        store_request request;
        check_true(store_request_read(wrong[k], "test.h5", &request, &why) == COSTAB_INVALID, "text %zu", k);
        store_request_free(&request);
    }
}
