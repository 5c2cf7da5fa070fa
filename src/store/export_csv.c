/* Exports a results file as CSV in long form, with a line for each point; for costab export.
 *   1. The columns are the axes of one field, the exported field, and all fields on a subset of these axes.
 *   2. Blocks of at most BLOCK_POINTS points are read one after the other, to bound the memory: complete rows
 *      of the grid (points along the last axis), or parts of one long row. A block has all fields in memory.
 *   3. Each point is written with the values of its axes, the numbers of the fields (nothing for NaN), and
 *      the meanings of their codes. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "costab/store.h"
#include "sweep/run.h"

/* Largest number of points of a block. */
#define BLOCK_POINTS ((size_t)1 << 16)
/* The text in memory is written once it has more bytes. */
#define FLUSH_BYTES ((size_t)1 << 16)

typedef struct column {
    int field;
    int place[COSTAB_AXES_MAX]; /* position of each axis of this field among the axes of the exported field */
    void *values;               /* values of this field in the block */
} column;

typedef struct exporter {
    const costab_results *results;
    const costab_plan *plan;
    const costab_field *exported; /* each point of this field becomes a line */
    column columns[COSTAB_FIELDS_MAX];
    int count; /* number of columns */
    /* Start of the current block and shape of a full one, along the axes of the exported field. */
    size_t start[COSTAB_AXES_MAX], shape[COSTAB_AXES_MAX];
    text lines; /* not yet written */
} exporter;

static const costab_axis *axis_of(const exporter *e, int k) {
    return &e->plan->axes[e->exported->axes[k]];
}

/* Finds the positions of a field's axes. Returns false if the field has another axis. */
static bool place_column(const exporter *e, int field, column *c) {
    const costab_field *f = &e->plan->fields[field];
    c->field = field;
    for (int i = 0; i < f->rank; i++) {
        int k = 0;
        while (k < e->exported->rank && e->exported->axes[k] != f->axes[i]) k++;
        if (k == e->exported->rank) return false;
        c->place[i] = k;
    }
    return true;
}

static costab_status choose(exporter *e, const char *field, costab_error *error) {
    e->plan = costab_results_plan(e->results);
    const int chosen = field == NULL ? 0 : costab_plan_field(e->plan, field);
    if (e->plan->field_count == 0) return error_invalid(error, "the file has no fields");
    if (chosen < 0)
        return error_invalid(error, "the file has no field '%s'; it has %s and others", field,
                             e->plan->fields[0].name);
    e->exported = &e->plan->fields[chosen];
    size_t points = BLOCK_POINTS;
    for (int k = e->exported->rank - 1; k >= 0; k--) {
        size_t extent = axis_of(e, k)->count;
        e->shape[k] = extent < points ? extent : points;
        /* A block with a part of a row has no other rows, so that the lines of the file stay in order. */
        points = e->shape[k] < extent ? 1 : points / extent;
        if (points == 0) points = 1;
    }
    for (int f = 0; f < e->plan->field_count; f++) {
        column *c = &e->columns[e->count];
        if (!place_column(e, f, c)) continue;
        size_t most = costab_type_size(e->plan->fields[f].type);
        for (int i = 0; i < e->plan->fields[f].rank; i++) most *= e->shape[c->place[i]];
        c->values = memory_alloc(most, 1);
        e->count++;
        if (c->values == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

/* ---- Cells */

/* Appends the n-th word of the meanings, from 0. */
static void put_meaning(text *line, const char *meanings, int n) {
    const char *word = meanings;
    for (; n > 0 && (word = strchr(word, ' ')) != NULL; n--) word++;
    if (word != NULL) text_append_n(line, word, strcspn(word, " "));
}

static void put_code(text *line, const costab_field *field, uint8_t code) {
    size_t before = line->size;
    bool masks = field->codes == COSTAB_CODES_MASKS, found = masks && code == 0;
    for (int k = 0; k < field->code_count && field->code_meanings != NULL; k++) {
        if (masks ? (code & field->code_values[k]) == 0 : code != field->code_values[k]) continue;
        if (line->size > before) text_append(line, "+");
        put_meaning(line, field->code_meanings, k);
        found = true;
    }
    if (!found) text_printf(line, "%u", (unsigned)code);
}

static void put_value(text *line, const costab_field *field, const void *values, size_t at) {
    if (field->type == COSTAB_U8) {
        put_code(line, field, ((const uint8_t *)values)[at]);
        return;
    }
    double value = ((const double *)values)[at];
    if (!isnan(value)) text_append_number(line, "", value);
}

static void put_coordinate(text *line, const costab_axis *axis, size_t i) {
    if (axis->labels != NULL)
        escape(line, ESCAPE_CSV, axis->labels[i]);
    else
        text_append_number(line, "", axis->values != NULL ? axis->values[i] : (double)i);
}

/* ---- Lines */

static costab_status flush(exporter *e, const costab_text_sink *sink, costab_error *error) {
    if (e->lines.failed) return error_memory(error);
    if (e->lines.size > 0) TRY(sink->put(sink->context, e->lines.data, e->lines.size, error));
    e->lines.size = 0;
    return COSTAB_OK;
}

static void put_header(exporter *e) {
    for (int k = 0; k < e->exported->rank; k++) {
        escape(&e->lines, ESCAPE_CSV, axis_of(e, k)->name);
        text_append(&e->lines, ",");
    }
    for (int c = 0; c < e->count; c++) {
        if (c > 0) text_append(&e->lines, ",");
        escape(&e->lines, ESCAPE_CSV, e->plan->fields[e->columns[c].field].name);
    }
    text_append(&e->lines, "\n");
}

/* Appends the line of a point. index, count: of the point in the block, and of the block, along the axes of
 * the exported field. */
static void put_line(exporter *e, const size_t *index, const size_t *count) {
    for (int k = 0; k < e->exported->rank; k++) {
        put_coordinate(&e->lines, axis_of(e, k), e->start[k] + index[k]);
        text_append(&e->lines, ",");
    }
    for (int c = 0; c < e->count; c++) {
        const column *own = &e->columns[c];
        const costab_field *field = &e->plan->fields[own->field];
        size_t at = 0;
        for (int i = 0; i < field->rank; i++) at = at * count[own->place[i]] + index[own->place[i]];
        if (c > 0) text_append(&e->lines, ",");
        put_value(&e->lines, field, own->values, at);
    }
    text_append(&e->lines, "\n");
}

/* Advances the index of a point in a block, the last axis fastest. Returns false after the last point. */
static bool next_point(int rank, const size_t *count, size_t *index) {
    for (int k = rank - 1; k >= 0; k--) {
        if (++index[k] < count[k]) return true;
        index[k] = 0;
    }
    return false;
}

static costab_status read_block(exporter *e, const size_t *count, costab_error *error) {
    for (int c = 0; c < e->count; c++) {
        const column *own = &e->columns[c];
        size_t from[COSTAB_AXES_MAX], extent[COSTAB_AXES_MAX];
        for (int i = 0; i < e->plan->fields[own->field].rank; i++) {
            from[i] = e->start[own->place[i]];
            extent[i] = count[own->place[i]];
        }
        TRY(costab_results_read(e->results, own->field, from, extent, own->values, error));
    }
    return COSTAB_OK;
}

static costab_status put_block(exporter *e, const costab_text_sink *sink, costab_error *error) {
    size_t count[COSTAB_AXES_MAX], index[COSTAB_AXES_MAX] = {0};
    for (int k = 0; k < e->exported->rank; k++) {
        size_t rest = axis_of(e, k)->count - e->start[k];
        count[k] = rest < e->shape[k] ? rest : e->shape[k];
    }
    TRY(read_block(e, count, error));
    bool more = true;
    while (more) {
        put_line(e, index, count);
        more = next_point(e->exported->rank, count, index);
        if (!more || e->lines.size > FLUSH_BYTES) TRY(flush(e, sink, error));
    }
    return COSTAB_OK;
}

/* Advances to the next block. Returns false after the last block. */
static bool next_block(exporter *e) {
    for (int k = e->exported->rank - 1; k >= 0; k--) {
        e->start[k] += e->shape[k];
        if (e->start[k] < axis_of(e, k)->count) return true;
        e->start[k] = 0;
    }
    return false;
}

static void exporter_free(exporter *e) {
    for (int c = 0; c < e->count; c++) memory_free(e->columns[c].values);
    text_free(&e->lines);
}

costab_status costab_export_csv(const costab_results *results, const char *field,
                                const costab_text_sink *sink, costab_error *error) {
    ends_by(exporter_free) exporter e = {.results = results};
    TRY(choose(&e, field, error));
    put_header(&e);
    TRY(flush(&e, sink, error));
    do TRY(put_block(&e, sink, error));
    while (next_block(&e));
    return COSTAB_OK;
}
