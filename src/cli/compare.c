/* costab compare: points with different classes in two results files, and optionally other fields. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/planar.h"
#include "costab/store.h"

static CLI_OPTION(opt_numbers, "numbers", 0, "TOL", NULL,
                  "compare all fields, numbers within TOL times the larger of both amounts and 1");

enum { CODES = 256 };

typedef struct comparison {
    const costab_plan *plan; /* of the first file */
    const costab_field *field;
    size_t points, differ, pairs[CODES][CODES];
} comparison;

static const char *name_of(uint8_t code) {
    const char *name = costab_class_name(code);
    return name != NULL ? name : "unknown";
}

static bool take(void *context, const size_t *index, uint8_t a, uint8_t b) {
    comparison *c = context;
    for (int r = 0; r < c->field->rank; r++) {
        const costab_axis *axis = &c->plan->axes[c->field->axes[r]];
        if (axis->labels != NULL)
            table_text(axis->labels[index[r]]);
        else
            table_number(axis->values != NULL ? axis->values[index[r]] : (double)index[r]);
    }
    table_text(name_of(a));
    table_text(name_of(b));
    c->differ++;
    c->pairs[a][b]++;
    return ferror(stdout) == 0;
}

static void tell(const comparison *c) {
    const size_t points = c->points;
    if (c->differ == 0) fprintf(stderr, "costab compare: all %zu points have the same class\n", points);
    for (int a = 0; a < CODES; a++)
        for (int b = 0; b < CODES; b++)
            if (c->pairs[a][b] > 0)
                fprintf(stderr, "costab compare: %s in the first file, %s in the second: %zu of %zu points\n",
                        name_of((uint8_t)a), name_of((uint8_t)b), c->pairs[a][b], points);
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
    if (!status) table_begin(arguments, columns.data);
    if (!status) status = costab_results_compare(files[0], files[1], &wanted, &c->points, error);
    if (!status) status = table_end(error);
    if (!status) tell(c);
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
        "stderr, with the fields that only one of the files has; files need no classes then.",
    .examples = "costab compare before.h5 after.h5\n"
                "costab compare before.h5 after.h5 --numbers 1e-12",
    .options = {&opt_numbers, CLI_TABLE, CLI_COMMON},
    .run = cli_compare};
