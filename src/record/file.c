/* Writes rows (costab_record_write) or time histories (costab_history_write) as a results file. Rows:
 *   1. Lengths of the axes: the number of names in a list, of sides, of distinct labels, of the entries in
 *      the longest array, or the largest number in a row. An optional axis without entries is left out.
 *   2. An array per stored column over its axes, filled with NaN or the code `not_computed`.
 *   3. Each row writes its values at its position: side 0 at both sides, arrays entry by entry.
 *   4. The store writes the arrays.
 *
 * Cost: memory for all arrays; a label is found by comparison with all earlier labels. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "record/about.h"
#include "record/column.h"
#include "store/store.h"
#include "study/create.h"
#include "study/study.h"
#include "sweep/run.h"

/* The plan of the file, and an array of values for each of its fields. */
typedef struct arrays {
    const costab_record *record;
    const costab_names *names;
    costab_plan plan;
    const costab_column *columns[COSTAB_FIELDS_MAX]; /* of each field */
    double *numbers[COSTAB_FIELDS_MAX];              /* values of a COSTAB_F64 field; otherwise NULL */
    uint8_t *codes[COSTAB_FIELDS_MAX];               /* values of a COSTAB_U8 field; otherwise NULL */
    text meanings[COSTAB_FIELDS_MAX];
} arrays;

static void arrays_free(arrays *a) {
    for (int k = 0; k < a->plan.axis_count; k++) {
        costab_axis *axis = &a->plan.axes[k];
        for (size_t i = 0; i < axis->count && axis->labels != NULL; i++) memory_free(axis->labels[i]);
        memory_free_all(axis->labels, axis->values);
    }
    for (int f = 0; f < a->plan.field_count; f++) {
        memory_free_all(a->numbers[f], a->codes[f]);
        text_free(&a->meanings[f]);
    }
}

costab_status record_about_find(const costab_spec *spec, const char *notes, record_about *about,
                                costab_error *error) {
    ends_by(costab_spec_free_text) char *whole = NULL;
    TRY(costab_spec_whole(spec, &whole, error));
    text_append(&about->content, notes != NULL ? notes : "");
    text_append(&about->content, whole);
    if (about->content.failed) return error_memory(error);
    TRY(study_figure_text(spec, &about->figure, error));
    about->info.title = spec->title;
    about->info.spec_path = file_name(spec->path);
    about->info.spec_text = about->content.data;
    about->info.figure = about->figure.data;
    return COSTAB_OK;
}

void record_about_free(record_about *about) {
    text_free(&about->content);
    text_free(&about->figure);
}

/* ---- Axes ---- */

static costab_status add_label(costab_axis *axis, const char *label, costab_error *error) {
    char **labels = memory_resize(axis->labels, axis->count + 1, sizeof *labels);
    if (labels == NULL) return error_memory(error);
    axis->labels = labels;
    labels[axis->count] = memory_copy(label);
    return labels[axis->count++] != NULL ? COSTAB_OK : error_memory(error);
}

/* Returns the position of a label, or the number of labels if it is new. */
static size_t find_label(const costab_axis *axis, const char *label) {
    size_t i = 0;
    while (i < axis->count && strcmp(axis->labels[i], label) != 0) i++;
    return i;
}

/* Returns the int member of a row that gives its position along an axis. */
static int member_int(const costab_record_axis *of, const void *row) {
    int value;
    memcpy(&value, (const char *)row + of->offset, sizeof value);
    return value;
}

/* Enlarges axis k so that it holds a row. */
static costab_status widen(arrays *a, int k, const void *row, costab_error *error) {
    const costab_record_axis *of = &a->record->axes[k];
    costab_axis *axis = &a->plan.axes[k];
    char space[COSTAB_CELL_MAX];
    size_t needed = 0;
    if (of->place == COSTAB_PLACE_ARRAY) needed = costab_record_entries(a->record, k, row, a->names);
    if (of->place == COSTAB_PLACE_NUMBER) needed = (size_t)member_int(of, row);
    if (needed > axis->count) axis->count = needed;
    if (of->place != COSTAB_PLACE_LABEL) return COSTAB_OK;
    const char *label = of->label(row, space);
    return find_label(axis, label) == axis->count ? add_label(axis, label, error) : COSTAB_OK;
}

static costab_status make_axis(arrays *a, int k, const char *rows, size_t count, costab_error *error) {
    static const char *const sides[] = {"lower", "upper"};
    const costab_record_axis *of = &a->record->axes[k];
    costab_axis *axis = &a->plan.axes[k];
    const bool listed = of->place == COSTAB_PLACE_LIST || of->place == COSTAB_PLACE_LISTED;
    (void)text_format(axis->name, sizeof axis->name, "%s", of->name);
    axis->long_name = of->meaning;
    for (int i = 0; listed && i < a->names->counts[of->list]; i++)
        TRY(add_label(axis, a->names->of[of->list][i], error));
    for (int i = 0; of->place == COSTAB_PLACE_SIDE && i < 2; i++) TRY(add_label(axis, sides[i], error));
    for (size_t i = 0; i < count; i++) TRY(widen(a, k, rows + i * a->record->size, error));
    if (axis->labels != NULL) return COSTAB_OK;
    if (axis->count == 0) axis->count = 1;
    TRY(memory_make(&axis->values, axis->count, error));
    for (size_t i = 0; i < axis->count; i++) axis->values[i] = (double)i + 1;
    return COSTAB_OK;
}

/* Returns true for an optional axis along which no row has entries. */
static bool is_left_out(const arrays *a, int k, const char *rows, size_t count) {
    bool any = !a->record->axes[k].optional;
    for (size_t i = 0; i < count && !any; i++)
        any = costab_record_entries(a->record, k, rows + i * a->record->size, a->names) > 0;
    return !any;
}

/* ---- Fields ---- */

static bool is_coded(const costab_column *column) {
    return column->type == COSTAB_COLUMN_CODE || column->type == COSTAB_COLUMN_YES;
}

static const char *yes_word(int code) {
    return code ? "yes" : "no";
}

/* Sets the codes of a field and their meanings (the attribute flag_meanings): one word per code, with _ for
 * -. */
static costab_status describe_codes(arrays *a, int f, costab_error *error) {
    static const costab_code_words yes_codes = {yes_word, 2, NULL, UINT8_MAX};
    const costab_column *column = a->columns[f];
    const costab_code_words *codes = column->codes != NULL ? column->codes : &yes_codes;
    costab_field *field = &a->plan.fields[f];
    text *words = &a->meanings[f];
    field->type = COSTAB_U8;
    field->codes = COSTAB_CODES_VALUES;
    field->fill = codes->fill;
    for (int i = 0; i < codes->count; i++) {
        const int code = codes->codes != NULL ? codes->codes[i] : i;
        const char *word = codes->word(code);
        field->code_values[field->code_count++] = (uint8_t)code;
        text_append(words, *word != '\0' ? word : "nothing");
        text_append(words, " ");
    }
    field->code_values[field->code_count++] = codes->fill;
    text_append(words, "not_computed");
    for (char *dash = words->data; !words->failed && (dash = strchr(dash, '-')) != NULL;) *dash = '_';
    field->code_meanings = words->data;
    return words->failed ? error_memory(error) : COSTAB_OK;
}

/* Returns the number of values of a field per position of the first axis. */
static size_t values_each(const costab_plan *plan, const costab_field *field) {
    size_t each = 1;
    for (int r = 1; r < field->rank; r++) each *= plan->axes[field->axes[r]].count;
    return each;
}

static costab_status make_field(arrays *a, const costab_column *column, costab_error *error) {
    const int f = a->plan.field_count++;
    costab_field *field = &a->plan.fields[f];
    const bool of_parameter = column->unit != NULL && *column->unit == '\0'; /* COSTAB_UNIT_OF_PARAMETER */
    a->columns[f] = column;
    *field = (costab_field){.type = COSTAB_F64,
                            .long_name = column->meaning,
                            .unit = of_parameter ? a->names->unit : column->unit};
    (void)text_format(field->name, sizeof field->name, "%s",
                      column->dataset != NULL ? column->dataset : column->name);
    for (int k = 0; k < a->plan.axis_count; k++)
        if ((column->over >> k & 1) != 0) field->axes[field->rank++] = k;
    const size_t size = a->plan.axes[0].count * values_each(&a->plan, field);
    if (is_coded(column)) {
        TRY(describe_codes(a, f, error));
        TRY(memory_make(&a->codes[f], size, error));
        memset(a->codes[f], field->fill, size);
        return COSTAB_OK;
    }
    TRY(memory_make(&a->numbers[f], size, error));
    for (size_t i = 0; i < size; i++) a->numbers[f][i] = (double)NAN;
    return COSTAB_OK;
}

/* ---- Values ---- */

/* Writes a row's values of a field. at: position of the row along each axis; entries: number of entries along
 * each axis of arrays, 0 along other axes. */
static void put_field(arrays *a, int f, const void *row, const size_t *at, const size_t *entries) {
    const costab_field *field = &a->plan.fields[f];
    const costab_column *column = a->columns[f];
    const void *array = row;
    size_t all = 1;
    if (column->stride > 0) memcpy(&array, (const char *)row + column->offset, sizeof array);
    if (array == NULL) return;
    for (int r = 0; r < field->rank; r++)
        if (entries[field->axes[r]] > 0) all *= entries[field->axes[r]];
    for (size_t e = 0; e < all; e++) {
        size_t rest = e, to = 0, step = 1;
        for (int r = field->rank - 1; r >= 0; r--) {
            const int k = field->axes[r];
            size_t position = at[k];
            if (entries[k] > 0) position = rest % entries[k], rest /= entries[k];
            to += position * step;
            step *= a->plan.axes[k].count;
        }
        const double number = costab_column_number(column, row, e);
        if (a->codes[f] != NULL)
            a->codes[f][to] = (uint8_t)number;
        else
            a->numbers[f][to] = number;
    }
}

/* Writes a row. side: its position along the axis of sides. */
static void put_row(arrays *a, const void *row, size_t side) {
    size_t at[COSTAB_RECORD_AXES_MAX] = {0}, entries[COSTAB_RECORD_AXES_MAX] = {0};
    unsigned without = 0; /* axes without values in this row */
    char space[COSTAB_CELL_MAX];
    for (int k = 0; k < a->plan.axis_count; k++) {
        const costab_record_axis *of = &a->record->axes[k];
        if (of->place == COSTAB_PLACE_ARRAY || of->place == COSTAB_PLACE_LISTED) {
            entries[k] = costab_record_entries(a->record, k, row, a->names);
            if (entries[k] == 0) without |= 1U << k;
        } else if (of->place == COSTAB_PLACE_LABEL) {
            at[k] = find_label(&a->plan.axes[k], of->label(row, space));
        } else if (of->place == COSTAB_PLACE_SIDE) {
            at[k] = side;
        } else if (of->place == COSTAB_PLACE_NUMBER && member_int(of, row) == 0) {
            without |= 1U << k;
        } else {
            at[k] = (size_t)member_int(of, row) - (of->place == COSTAB_PLACE_NUMBER);
        }
    }
    for (int f = 0; f < a->plan.field_count; f++)
        if ((a->columns[f]->over & without) == 0) put_field(a, f, row, at, entries);
}

/* Returns the side of a row: -1 lower, 1 upper, 0 both; 1 without an axis of sides. */
static int side_of(const costab_record *record, const void *row) {
    for (int k = 0; k < record->axis_count; k++)
        if (record->axes[k].place == COSTAB_PLACE_SIDE) return member_int(&record->axes[k], row);
    return 1;
}

/* Makes the plan and the arrays from all rows. A row without sides is written once, at side 1. */
static costab_status make_arrays(arrays *a, const char *rows, size_t count, costab_error *error) {
    a->plan.axis_count = a->record->axis_count;
    a->plan.swept = 1;
    for (int k = 0; k < a->record->axis_count; k++) {
        if (is_left_out(a, k, rows, count))
            a->plan.axis_count = k;
        else
            TRY(make_axis(a, k, rows, count, error));
    }
    for (int c = 0; c < a->record->column_count; c++)
        if (a->record->columns[c].over != 0 && a->record->columns[c].over >> a->plan.axis_count == 0)
            TRY(make_field(a, &a->record->columns[c], error));
    for (size_t i = 0; i < count; i++) {
        const void *row = rows + i * a->record->size;
        for (int side = 0; side < 2; side++)
            if (side_of(a->record, row) != 1 - 2 * side) put_row(a, row, (size_t)side);
    }
    costab_plan_choose_tiles(&a->plan, 1 << 16);
    return COSTAB_OK;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const arrays *a = context;
    (void)error;
    for (int f = 0; f < a->plan.field_count; f++) {
        const costab_field *field = &a->plan.fields[f];
        const size_t each = costab_type_size(field->type) * values_each(&a->plan, field);
        const char *values = a->codes[f] != NULL ? (const char *)a->codes[f] : (const char *)a->numbers[f];
        if (blocks[f] != NULL) memcpy(blocks[f], values + tile->start[0] * each, tile->count[0] * each);
    }
    return COSTAB_OK;
}

costab_status costab_record_write(const char *path, const costab_spec *spec, const char *notes,
                                  const costab_record *record, const void *rows, size_t count,
                                  const costab_names *names, bool force, costab_error *error) {
    ends_by(arrays_free) arrays a = {.record = record, .names = names};
    ends_by(record_about_free) record_about about = {.info = {.force = force}};
    if (path == NULL || spec == NULL || record == NULL || rows == NULL || names == NULL)
        return error_missing(error, "a path, a spec, rows or names");
    if (record->axis_count == 0)
        return error_invalid(error, "rows of '%s' have no results file", record->name);
    TRY(make_arrays(&a, rows, count, error));
    TRY(record_about_find(spec, notes, &about, error));
    return costab_store_write(path, &a.plan, &about.info, &(costab_evaluator){&a, evaluate}, 1, error);
}

costab_status costab_history_write(const char *path, const costab_spec *spec, const char *notes,
                                   const costab_study_history *history, bool force, costab_error *error) {
    ends_by(record_about_free) record_about about = {.info = {.force = force}};
    ends_by(costab_study_destroy) costab_study *study = NULL;
    if (path == NULL || spec == NULL || history == NULL)
        return error_missing(error, "a path, a spec or a history");
    TRY(record_about_find(spec, notes, &about, error));
    TRY(costab_study_create_history(history, &study, error));
    const costab_study_run_options options = {.info = &about.info, .force = force};
    return costab_study_run(study, path, &options, NULL, error);
}
