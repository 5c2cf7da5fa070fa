/* costab compare: points with different classes in two results files, and optionally other fields; as a
 * table, or as a results file with both classes at every point. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/path.h"
#include "cli/results.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/planar.h"
#include "store/request.h"
#include "store/store.h"
#include "sweep/run.h"

static CLI_OPTION(opt_numbers, "numbers", 0, "TOL", NULL,
                  "compare all fields, numbers within TOL times the larger of both amounts and 1");

enum { CODES = 256 };

typedef struct comparison {
    const costab_plan *plan; /* of the first file */
    const costab_field *field;
    size_t points, differ, pairs[CODES][CODES]; /* points of both files; with other classes; of each pair */
    bool file;                                  /* no table is printed */
} comparison;

static const char *name_of(uint8_t code) {
    const char *name = costab_class_name(code);
    return name != NULL ? name : "unknown";
}

/* Counts a point with different classes a and b, and prints its row. */
static bool take(void *context, const size_t *index, uint8_t a, uint8_t b) {
    comparison *c = context;
    c->differ++;
    c->pairs[a][b]++;
    for (int r = 0; r < c->field->rank && !c->file; r++) {
        const costab_axis *axis = &c->plan->axes[c->field->axes[r]];
        if (axis->labels != NULL)
            table_text(axis->labels[index[r]]);
        else
            table_number(axis->values != NULL ? axis->values[index[r]] : (double)index[r]);
    }
    if (c->file) return true;
    table_text(name_of(a));
    table_text(name_of(b));
    return ferror(stdout) == 0;
}

/* Prints on stderr the number of points for each pair of different classes. */
static void print_counts(const comparison *c) {
    const size_t points = c->points;
    if (c->differ == 0) fprintf(stderr, "costab compare: all %zu points have the same class\n", points);
    for (int a = 0; a < CODES; a++)
        for (int b = 0; b < CODES; b++)
            if (c->pairs[a][b] > 0)
                fprintf(stderr, "costab compare: %s in the first file, %s in the second: %zu of %zu points\n",
                        name_of((uint8_t)a), name_of((uint8_t)b), c->pairs[a][b], points);
}

/* ---- A results file ---- */

/* Codes of the field `difference`: of the stability of the simulation, if both files have a class. */
enum { NEITHER, BOTH, FIRST_ONLY, SECOND_ONLY, OTHER, NO_CLASS, DIFFERENCES };

/* Bits of class codes. */
enum { STABLE = COSTAB_US, WITHOUT_CLASS = COSTAB_NOT_COMPUTED | COSTAB_CLASS_FAILED };

static uint8_t difference_of(uint8_t a, uint8_t b) {
    if (((a | b) & WITHOUT_CLASS) != 0) return NO_CLASS;
    if ((a & STABLE) != (b & STABLE)) return (a & STABLE) != 0 ? FIRST_ONLY : SECOND_ONLY;
    if (a != b) return OTHER;
    return (a & STABLE) != 0 ? BOTH : NEITHER;
}

typedef struct both_files {
    const costab_results *files[2];
    int fields[2]; /* the classes */
    size_t rank;
} both_files;

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const both_files *both = context;
    size_t size = 1;
    for (size_t r = 0; r < both->rank; r++) size *= tile->count[r];
    for (int k = 0; k < 2; k++)
        TRY(costab_results_read(both->files[k], both->fields[k], tile->start, tile->count, blocks[k], error));
    const uint8_t *a = blocks[0], *b = blocks[1];
    for (size_t i = 0; i < size; i++) ((uint8_t *)blocks[2])[i] = difference_of(a[i], b[i]);
    return COSTAB_OK;
}

/* Adds the axes of the classes and the fields class_a, class_b and difference. */
static void make_plan(const comparison *c, costab_plan *plan) {
    static const char *const names[] = {"class_a", "class_b"}, *const meanings[] = {
                                                                   "class in the first file",
                                                                   "class in the second file"};
    costab_field *field = plan->fields;
    plan->axis_count = plan->swept = c->field->rank;
    for (int r = 0; r < c->field->rank; r++) plan->axes[r] = c->plan->axes[c->field->axes[r]];
    for (int k = 0; k < 2; k++, field++) {
        *field = *c->field;
        (void)text_format(field->name, sizeof field->name, "%s", names[k]);
        field->long_name = meanings[k];
    }
    *field = (costab_field){
        .name = "difference",
        .type = COSTAB_U8,
        .rank = c->field->rank,
        .long_name = "stability of the simulation in both files",
        .codes = COSTAB_CODES_VALUES,
        .code_count = DIFFERENCES + 1,
        .code_meanings = "both_unstable both_stable first_only second_only other no_class not_computed",
        .fill = DIFFERENCES};
    for (int code = 0; code <= DIFFERENCES; code++) field->code_values[code] = (uint8_t)code;
    for (plan->field_count = 0; plan->field_count < 3; plan->field_count++)
        for (int r = 0; r < c->field->rank; r++) plan->fields[plan->field_count].axes[r] = r;
    costab_plan_choose_tiles(plan, 1 << 16);
}

static bool add_copy(store_request *to, bool axis, const store_word *word) {
    return store_request_add_word(to, axis,
                                  (const char *const[]){word->name, word->label, word->unit, word->display});
}

/* Appends the figure of kind `difference` with labels and units of the first file. */
static costab_status add_figure(const costab_results *first, text *figure, costab_error *error) {
    ends_by(store_request_free) store_request of = {.until = 0};
    ends_by(store_request_free) store_request made = {.figure = {.kind_count = 1}};
    bool fine = true;
    (void)text_format(made.figure.kinds[0].word, sizeof made.figure.kinds[0].word, "difference");
    if (costab_results_figure(first)[0] != '\0')
        TRY(store_request_read(costab_results_figure(first), "the first file", &of, error));
    for (size_t i = 0; i < of.word_count && fine; i++) fine = add_copy(&made, false, &of.words[i]);
    for (size_t i = 0; i < of.axis_count && fine; i++) fine = add_copy(&made, true, &of.axes[i]);
    if (fine) store_request_write(&made, figure);
    return fine && !figure->failed ? COSTAB_OK : error_memory(error);
}

static costab_status write_file(const comparison *c, const costab_results *files[2],
                                const cli_arguments *arguments, costab_error *error) {
    costab_plan plan = {.axis_count = 0};
    both_files both = {.files = {files[0], files[1]}, .rank = (size_t)c->field->rank};
    const char *names[2] = {file_name(arguments->operands[0]), file_name(arguments->operands[1])};
    text_local figure = {0};
    text_local title = {0};
    text_local origin = {0};
    text_local stem = {0};
    text_local target = {0};
    for (int k = 0; k < 2; k++) both.fields[k] = costab_plan_field(costab_results_plan(files[k]), "class");
    make_plan(c, &plan);
    TRY(add_figure(files[0], &figure, error));
    text_printf(&title, "%s and %s", names[0], names[1]);
    text_printf(&origin, "# costab compare %s %s\n", names[0], names[1]);
    path_stem(&stem, names[0]);
    text_append(&stem, "-");
    path_stem(&stem, names[1]);
    text_append(&stem, ".h5");
    if (title.failed || origin.failed || stem.failed) return error_memory(error);
    path_output(&target, cli_value(arguments, &opt_output_history), stem.data, ".h5");
    if (target.failed) return error_memory(error);
    const costab_store_info info = {.title = title.data,
                                    .spec_path = "costab compare",
                                    .spec_text = origin.data,
                                    .figure = figure.data,
                                    .force = arguments->force};
    for (int k = 0; k < 2; k++)
        if (path_same(target.data, arguments->operands[k]))
            return error_invalid(error, "--output: '%s' is one of the compared files", target.data);
    TRY(costab_store_write(target.data, &plan, &info, &(costab_evaluator){&both, evaluate}, 1, error));
    cli_tell_drawable(target.data, arguments);
    return COSTAB_OK;
}

static costab_status compare_classes(comparison *c, const costab_results *files[2],
                                     const cli_arguments *arguments, costab_error *error) {
    text_local columns = {0};
    costab_differences wanted = {.field = "class", .take = take, .context = c};
    int number = costab_plan_field(c->plan, wanted.field);
    if (number >= 0) c->field = &c->plan->fields[number];
    for (int r = 0; c->field != NULL && r < c->field->rank; r++)
        text_printf(&columns, "%s,", c->plan->axes[c->field->axes[r]].name);
    text_append(&columns, "class_a,class_b");
    costab_status status = columns.failed ? error_memory(error) : COSTAB_OK;
    /* Print no column names if the files cannot be compared. */
    if (!status) status = costab_results_comparable(files[0], files[1], wanted.field, error);
    if (!status) status = table_check(columns.data, error);
    if (!status && !c->file) table_begin(arguments, columns.data);
    if (!status) status = costab_results_compare(files[0], files[1], &wanted, &c->points, error);
    if (!status && !c->file) status = table_end(error);
    if (!status && c->file) status = write_file(c, files, arguments, error);
    if (!status) print_counts(c);
    return status == COSTAB_CANCELLED ? COSTAB_IO : status;
}

/* Lists on stderr the fields that only this file has. Returns the number of common fields. */
static int list_missing(const costab_plan *plan, const costab_plan *other, const char *which) {
    int common = 0;
    for (int f = 0; f < plan->field_count; f++)
        if (costab_plan_field(other, plan->fields[f].name) >= 0)
            common++;
        else
            fprintf(stderr, "costab compare: only the %s file has the field '%s'\n", which,
                    plan->fields[f].name);
    return common;
}

/* Compares all common fields except the class. [out] *differ: number of fields with different values. */
static costab_status compare_numbers(const comparison *c, const costab_results *files[2], double tolerance,
                                     int *differ, costab_error *error) {
    const costab_plan *other = costab_results_plan(files[1]);
    list_missing(c->plan, other, "first");
    if (list_missing(other, c->plan, "second") == 0)
        return error_invalid(error, "the files have no field in common");
    *differ = 0;
    for (int f = 0; f < c->plan->field_count; f++) {
        costab_number_differences found = {.field = c->plan->fields[f].name, .tolerance = tolerance};
        if (strcmp(found.field, "class") == 0 || costab_plan_field(other, found.field) < 0) continue;
        TRY(costab_results_compare_numbers(files[0], files[1], &found, error));
        if (found.differ == 0) continue;
        fprintf(stderr, "costab compare: %s: %zu of %zu values differ, at most by %.3g\n", found.field,
                found.differ, found.points, found.largest);
        *differ += 1;
    }
    if (*differ == 0) fprintf(stderr, "costab compare: all other common fields agree within %g\n", tolerance);
    return COSTAB_OK;
}

static costab_status run(comparison *c, const costab_results *files[2], const cli_arguments *arguments,
                         costab_error *error) {
    const bool numbers = cli_value(arguments, &opt_numbers) != NULL;
    double tolerance = 0;
    int fields = 0;
    c->plan = costab_results_plan(files[0]);
    c->file = cli_value(arguments, &opt_output_history) != NULL;
    if (numbers && c->file)
        return error_invalid(error, "--numbers prints on stderr; a file, --output, has classes only");
    if (numbers) TRY(cli_number(arguments, &opt_numbers, &tolerance, error));
    if (!(tolerance >= 0)) return error_invalid(error, "--numbers is %g, and should be 0 or more", tolerance);
    const bool classes = costab_plan_field(c->plan, "class") >= 0 &&
                         costab_plan_field(costab_results_plan(files[1]), "class") >= 0;
    if (!numbers || classes) TRY(compare_classes(c, files, arguments, error));
    if (numbers) TRY(compare_numbers(c, files, tolerance, &fields, error));
    if (c->differ > 0)
        return error_set(error, COSTAB_NUMERIC, "%zu of %zu points have another class in '%s' than in '%s'",
                         c->differ, c->points, arguments->operands[1], arguments->operands[0]);
    return fields == 0 ? COSTAB_OK
                       : error_set(error, COSTAB_NUMERIC, "%d %s in '%s' and '%s'", fields,
                                   fields == 1 ? "field differs" : "fields differ", arguments->operands[0],
                                   arguments->operands[1]);
}

static costab_status cli_compare(const cli_arguments *arguments, costab_error *error) {
    static comparison c;
    ends_by(costab_results_close) costab_results *first = NULL;
    ends_by(costab_results_close) costab_results *second = NULL;
    TRY(costab_results_open(arguments->operands[0], &first, error));
    TRY(costab_results_open(arguments->operands[1], &second, error));
    return run(&c, (const costab_results *[2]){first, second}, arguments, error);
}

static const cli_operands two_results = {"A.h5 B.h5", 2, 2, &cli_results_files};

const cli_command cli_compare_command = {
    .name = "compare",
    .operands = &two_results,
    .summary = "points whose class differs between two results files",
    .details =
        "Prints the points at which the classes of two results files over the same axes differ, one row "
        "per point, and on stderr how many there are of each pair of classes. The exit status is then 1. "
        "It is 0 where all classes agree, and 2 where the axes differ by more than rounding. With --numbers "
        "all other fields that both files have are compared, too, and those that differ are listed on "
        "stderr, with the fields that only one of the files has; files need no classes then. With -o FILE.h5 "
        "it writes a results file with both classes at every point, of which costab plot draws where the "
        "charts differ.",
    .examples = "costab compare before.h5 after.h5\n"
                "costab compare before.h5 after.h5 -o diff.h5; costab plot diff.h5\n"
                "costab compare before.h5 after.h5 --numbers 1e-12",
    .options = {&opt_numbers, CLI_TABLE_OR_FILE, CLI_COMMON},
    .run = cli_compare};
