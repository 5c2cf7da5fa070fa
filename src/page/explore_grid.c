/* The stored grid of an explorer page in few bytes; the results file has the full data.
 *   1. For each shown field every k-th point along the axes with the most values, such that at most
 *      CODES_MOST points of codes or NUMBERS_MOST points of numbers remain. All names are stored.
 *   2. Numbers become 32 bits; their bytes are grouped by position (all first bytes, all second bytes, ...),
 *      least significant first, which deflates better.
 *   3. They are deflated and written in base64; the page unpacks them with the browser's DecompressionStream.
 */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "page/explore.h"

/* ---- Packed numbers ---- */

/* Arrays inside JSON: deflated by zlib, then base64 (RFC 4648). */

static void append_base64(text *t, const unsigned char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        char four[4] = {digits[group >> 18], digits[group >> 12 & 63],
                        left > 1 ? digits[group >> 6 & 63] : '=', left > 2 ? digits[group & 63] : '='};
        text_append_n(t, four, sizeof four);
    }
}

/* Puts `size` bytes, deflated and in base64, as a text. key: NULL in an array. Returns COSTAB_OK or
 * COSTAB_MEMORY. */
static costab_status page_pack(json *out, const char *key, const void *bytes, size_t size,
                               costab_error *error) {
    uLongf packed = compressBound((uLong)size);
    memory_local unsigned char *to = memory_alloc(packed, 1);
    text_local base64 = {0};
    if (to == NULL) return error_memory(error);
    int failed = compress2(to, &packed, bytes, (uLong)size, Z_BEST_COMPRESSION);
    if (failed == Z_OK) append_base64(&base64, to, packed);
    bool done = failed == Z_OK && !base64.failed;
    if (done) json_text(out, key, base64.data);
    return done ? COSTAB_OK : error_memory(error);
}

/* ---- The grid ---- */

/* Largest number of stored points of a field: of codes, which deflate well, and of numbers. */
#define CODES_MOST   ((size_t)4000000)
#define NUMBERS_MOST ((size_t)20000)

/* A stored field: every step[r]-th point along its r-th axis, count[r] points there, `total` points in all.
 */
typedef struct stored_field {
    const costab_results *results;
    const costab_plan *plan;
    int number;
    size_t step[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX], total;
} stored_field;

static void put_axis(json *out, const costab_axis *axis) {
    json_object(out, NULL);
    json_text(out, "name", axis->name);
    if (axis->long_name != NULL) json_text(out, "label", axis->long_name);
    if (axis->unit != NULL) json_text(out, "unit", axis->unit);
    if (axis->values != NULL) json_numbers(out, "values", axis->values, axis->count);
    if (axis->labels != NULL) {
        json_array(out, "labels");
        for (size_t i = 0; i < axis->count; i++) json_text(out, NULL, axis->labels[i]);
        json_end_array(out);
    }
    json_end_object(out);
}

/* Chooses steps along the axes of numbers, the axis with the most points first, until at most `most` points
 * are left, or fewer than three along every such axis. Axes of names keep all names. */
static void choose_steps(stored_field *stored, size_t most) {
    const costab_field *field = &stored->plan->fields[stored->number];
    for (int r = 0; r < field->rank; r++) stored->step[r] = 1;
    for (;;) {
        int longest = -1;
        stored->total = 1;
        for (int r = 0; r < field->rank; r++) {
            const costab_axis *axis = &stored->plan->axes[field->axes[r]];
            stored->count[r] = (axis->count - 1) / stored->step[r] + 1;
            stored->total *= stored->count[r];
            if (axis->labels == NULL && (longest < 0 || stored->count[r] > stored->count[longest]))
                longest = r;
        }
        if (stored->total <= most || longest < 0 || stored->count[longest] < 3) return;
        stored->step[longest]++;
    }
}

/* Finds the box in the file for a stored line: the index along each axis of its first point, and a complete
 * line of the last axis. */
static void line_at(const stored_field *stored, size_t line, size_t *start, size_t *count) {
    const costab_field *field = &stored->plan->fields[stored->number];
    for (int r = field->rank - 1; r >= 0; r--) {
        bool last = r == field->rank - 1;
        start[r] = last ? 0 : line % stored->count[r] * stored->step[r];
        count[r] = last ? stored->plan->axes[field->axes[r]].count : 1;
        if (!last) line /= stored->count[r];
    }
}

static void put_number(unsigned char *bytes, size_t total, size_t at, double value) {
    union {
        float number;
        uint32_t word;
    } as = {.number = (float)value};
    for (size_t k = 0; k < sizeof as; k++) bytes[k * total + at] = (unsigned char)(as.word >> 8 * k);
}

/* [out] bytes: the stored points of a field, packed. space: for a line of the file. */
static costab_status read_lines(const stored_field *stored, void *space, unsigned char *bytes,
                                costab_error *error) {
    const costab_field *field = &stored->plan->fields[stored->number];
    size_t length = stored->count[field->rank - 1], step = stored->step[field->rank - 1];
    size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
    for (size_t line = 0; line < stored->total / length; line++) {
        line_at(stored, line, start, count);
        TRY(costab_results_read(stored->results, stored->number, start, count, space, error));
        for (size_t i = 0; i < length; i++) {
            size_t at = line * length + i;
            if (field->type == COSTAB_U8)
                bytes[at] = ((const uint8_t *)space)[i * step];
            else
                put_number(bytes, stored->total, at, ((const double *)space)[i * step]);
        }
    }
    return COSTAB_OK;
}

static costab_status put_values(json *out, const stored_field *stored, costab_error *error) {
    const costab_field *field = &stored->plan->fields[stored->number];
    size_t size = stored->total * (field->type == COSTAB_U8 ? 1 : sizeof(float));
    memory_local void *space =
        memory_alloc(stored->plan->axes[field->axes[field->rank - 1]].count, sizeof(double));
    memory_local unsigned char *bytes = memory_alloc(size, 1);
    if (space == NULL || bytes == NULL) return error_memory(error);
    TRY(read_lines(stored, space, bytes, error));
    return page_pack(out, "data", bytes, size, error);
}

static costab_status put_field(json *out, stored_field *stored, costab_error *error) {
    const costab_field *field = &stored->plan->fields[stored->number];
    choose_steps(stored, field->type == COSTAB_U8 ? CODES_MOST : NUMBERS_MOST);
    json_object(out, NULL);
    json_text(out, "name", field->name);
    if (field->long_name != NULL) json_text(out, "label", field->long_name);
    json_bool(out, "codes", field->type == COSTAB_U8);
    json_array(out, "axes");
    for (int r = 0; r < field->rank; r++) json_number(out, NULL, field->axes[r]);
    json_end_array(out);
    json_array(out, "steps");
    for (int r = 0; r < field->rank; r++) json_number(out, NULL, (double)stored->step[r]);
    json_end_array(out);
    costab_status status = put_values(out, stored, error);
    json_end_object(out);
    return status;
}

/* Returns true for axes of time histories, and for eigenvalues of a map. */
static bool is_counted(const costab_axis *axis) {
    static const char *const names[] = {"step", "sample", "local", "eigenvalue"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(axis->name, names[k]) == 0) return true;
    return false;
}

/* Returns true for fields shown on a page: fields over swept axes alone, except histories, the field
 * `computed` and crossings on the edges of the grid. */
static bool is_shown(const costab_plan *plan, int number) {
    const costab_field *field = &plan->fields[number];
    for (int r = 0; r < field->rank; r++)
        if (field->axes[r] >= plan->swept || is_counted(&plan->axes[field->axes[r]])) return false;
    return strncmp(field->name, "level_one_", 10) != 0 && strncmp(field->name, "iteration_one_", 14) != 0 &&
           strcmp(field->name, "computed") != 0;
}

/* Returns true if the page can draw the field: classes, best couplings or numbers, along an axis with several
 * numbers. */
static bool is_drawn(const costab_plan *plan, int number) {
    const costab_field *field = &plan->fields[number];
    if (field->type == COSTAB_U8 && strcmp(field->name, "class") != 0 && strcmp(field->name, "best") != 0)
        return false;
    for (int r = 0; r < field->rank; r++) {
        const costab_axis *axis = &plan->axes[field->axes[r]];
        if (axis->values != NULL && axis->count > 1) return true;
    }
    return false;
}

costab_status explore_grid(json *out, const costab_results *results, costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    int shown = 0;
    for (int f = 0; f < plan->field_count; f++) shown += is_shown(plan, f) && is_drawn(plan, f);
    if (shown == 0)
        return error_invalid(
            error,
            "%s: a page needs a chart or curves, but these results have no classes or numbers "
            "over several values of an axis; a page of the model itself: costab report "
            "MODEL -o report.html",
            costab_results_spec_path(results));
    json_array(out, "axes");
    for (int k = 0; k < plan->axis_count && k < plan->swept; k++) put_axis(out, &plan->axes[k]);
    json_end_array(out);
    json_array(out, "fields");
    for (int f = 0; f < plan->field_count; f++) {
        stored_field stored = {.results = results, .plan = plan, .number = f};
        if (is_shown(plan, f)) TRY(put_field(out, &stored, error));
    }
    json_end_array(out);
    return COSTAB_OK;
}
