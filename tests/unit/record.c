/* Described rows: every description is complete, a cell has the member's value, and a file that C writes has
 * the columns with their units. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "costab/record.h"
#include "costab/store.h"
#include "support/support.h"

static const costab_record *const records[] = {
    &costab_limit_record,   &costab_margin_record, &costab_map_record,    &costab_locus_record,
    &costab_pattern_record, &costab_tune_record,   &costab_advice_record,
};
enum { RECORDS = sizeof records / sizeof *records };

static const costab_column *find(const costab_record *of, const char *name) {
    for (int c = 0; c < of->column_count; c++)
        if (strcmp(of->columns[c].name, name) == 0) return &of->columns[c];
    return NULL;
}

TEST(names_differ_and_what_is_stored_has_a_meaning_and_axes) {
    for (int r = 0; r < RECORDS; r++)
        for (int c = 0; c < records[r]->column_count; c++) {
            const costab_column *column = &records[r]->columns[c];
            check_true(find(records[r], column->name) == column, "%s: %s twice", records[r]->name,
                       column->name);
            check_true((column->over != 0) == (column->meaning != NULL), "%s: %s: meaning", records[r]->name,
                       column->name);
            check_true(column->over >> records[r]->axis_count == 0, "%s: %s: axes", records[r]->name,
                       column->name);
            check_true(column->type != COSTAB_COLUMN_CODE || column->codes != NULL, "%s: %s: codes",
                       records[r]->name, column->name);
        }
}

static const char model[] =
    "system: network\nparameters: {H: 0.1}\n"
    "subsystems:\n"
    "  - {name: one, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"
    "  - {name: two, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
    "coupling: {scheme: jacobi, macro_step: H}\n";

static const char *couplings[] = {"jacobi"}, *subsystems[] = {"one", "two"};
static const costab_names names = {.counts = {1, 0, 2}, .of = {couplings, NULL, subsystems}};
static double shares[] = {0.25, 0.75};
static const costab_margin margin = {.kind = COSTAB_MARGIN_PARAMETER,
                                     .name = "H",
                                     .nominal = 0.1,
                                     .side = 1,
                                     .value = 0.5,
                                     .factor = 5,
                                     .class_code = COSTAB_SU,
                                     .cause = COSTAB_PASSES_ILL_POSED,
                                     .frequency = (double)NAN,
                                     .blame = 1,
                                     .share = 0.75,
                                     .shares = shares};

static const char *word(const char *name) {
    static char room[COSTAB_CELL_MAX];
    return costab_column_word(find(&costab_margin_record, name), &margin, 0, &names, room);
}

TEST(cells_have_the_values_of_the_members) {
    assert_string_equal(word("coupling"), "jacobi");
    assert_string_equal(word("name"), "H");
    assert_string_equal(word("side"), "upper");
    assert_string_equal(word("class"), "SU");
    assert_string_equal(word("cause"), "ill-posed");
    assert_string_equal(word("subsystem"), "two");
    assert_true(costab_column_number(find(&costab_margin_record, "factor"), &margin, 0) == 5);
    assert_true(isnan(costab_column_number(find(&costab_margin_record, "frequency"), &margin, 0)));
    assert_true(costab_column_number(find(&costab_margin_record, "shares"), &margin, 1) == 0.75);
}

static double read_one(const costab_results *results, const char *name, const size_t at[4]) {
    const costab_plan *plan = costab_results_plan(results);
    const int field = costab_plan_field(plan, name);
    const size_t ones[4] = {1, 1, 1, 1};
    double value = (double)NAN;
    uint8_t code = 0;
    check_true(field >= 0, "%s is stored", name);
    const bool coded = plan->fields[field].type == COSTAB_U8;
    check_ok(costab_results_read(results, field, at, ones, coded ? (void *)&code : (void *)&value, &why));
    return coded ? code : value;
}

TEST(a_file_has_the_rows_with_units_and_fills_the_rest) {
    char path[] = "/tmp/costab-record-XXXXXX";
    costab_spec *spec = NULL;
    costab_results *results = NULL;
    const int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    check_ok(costab_spec_parse("model.yaml", model, sizeof model - 1, &spec, &why));
    check_ok(costab_record_write(path, spec, "# --set H=0.1\n", &costab_margin_record, &margin, 1, &names,
                                 false, &why));
    check_ok(costab_results_open(path, &results, &why));
    const costab_plan *plan = costab_results_plan(results);
    assert_string_equal(plan->fields[costab_plan_field(plan, "frequency")].unit, "Hz");
    assert_true(strncmp(costab_results_spec_text(results), "# --set H=0.1\nsystem", 20) == 0);
    const size_t lower[4] = {0}, upper[4] = {0, 0, 1, 1};
    assert_true(read_one(results, "factor", upper) == 5 && isnan(read_one(results, "factor", lower)));
    assert_true(read_one(results, "class", upper) == COSTAB_SU);
    assert_true(read_one(results, "class", lower) == COSTAB_NOT_COMPUTED);
    assert_true(read_one(results, "participation", upper) == 0.75);
    costab_results_close(&results);
    assert_int_equal(
        costab_record_write(path, spec, NULL, &costab_advice_record, &margin, 1, &names, true, &why),
        COSTAB_INVALID);
    costab_spec_destroy(&spec);
    assert_true(unlink(path) == 0);
}
