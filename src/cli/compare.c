/* costab compare: the points at which two results files have different classes. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/table.h"
#include "costab/planar.h"
#include "costab/store.h"

enum { CODES = 256 };

typedef struct comparison {
    cli_table table;
    const costab_plan *plan; /* of the first file */
    const costab_field *field;
    size_t differ, pairs[CODES][CODES];
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
            cli_table_text(&c->table, axis->labels[index[r]]);
        else
            cli_table_number(&c->table, axis->values != NULL ? axis->values[index[r]] : (double)index[r]);
    }
    cli_table_text(&c->table, name_of(a));
    cli_table_text(&c->table, name_of(b));
    c->differ++;
    c->pairs[a][b]++;
    return ferror(stdout) == 0;
}

static void tell(const comparison *c, size_t points) {
    if (c->differ == 0) fprintf(stderr, "costab compare: all %zu points have the same class\n", points);
    for (int a = 0; a < CODES; a++)
        for (int b = 0; b < CODES; b++)
            if (c->pairs[a][b] > 0)
                fprintf(stderr, "costab compare: %s in the first file, %s in the second: %zu of %zu points\n",
                        name_of((uint8_t)a), name_of((uint8_t)b), c->pairs[a][b], points);
}

static costab_status run(comparison *c, const costab_results *files[2], const cli_arguments *arguments,
                         costab_error *error) {
    text columns = {0};
    size_t points;
    costab_differences wanted = {.field = "class", .take = take, .context = c};
    c->plan = costab_results_plan(files[0]);
    int number = costab_plan_field(c->plan, wanted.field);
    if (number >= 0) c->field = &c->plan->fields[number];
    for (int r = 0; c->field != NULL && r < c->field->rank; r++)
        text_printf(&columns, "%s,", c->plan->axes[c->field->axes[r]].name);
    text_append(&columns, "class_a,class_b");
    costab_status status = columns.failed ? error_memory(error) : COSTAB_OK;
    /* Files that cannot be compared print no head of a table. */
    if (!status) status = costab_results_comparable(files[0], files[1], wanted.field, error);
    if (!status) status = cli_table_begin(&c->table, arguments, columns.data, error);
    if (!status) status = costab_results_compare(files[0], files[1], &wanted, &points, error);
    if (!status) status = cli_table_end(&c->table, error);
    text_free(&columns);
    if (status) return status == COSTAB_CANCELLED ? COSTAB_IO : status;
    tell(c, points);
    return c->differ == 0
               ? COSTAB_OK
               : error_set(error, COSTAB_NUMERIC, "%zu of %zu points have another class in '%s' than in '%s'",
                           c->differ, points, arguments->operands[1], arguments->operands[0]);
}

costab_status cli_compare(const cli_arguments *arguments, costab_error *error) {
    static comparison c;
    costab_results *files[2] = {NULL, NULL};
    costab_status status = COSTAB_OK;
    for (int k = 0; k < 2 && !status; k++)
        status = costab_results_open(arguments->operands[k], &files[k], error);
    if (!status) status = run(&c, (const costab_results *[2]){files[0], files[1]}, arguments, error);
    for (int k = 0; k < 2; k++) costab_results_close(&files[k]);
    return status;
}
