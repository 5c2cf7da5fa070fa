/* Converts the contents of a results file to bytes for another process, and back. One function passes all
 * members in one order, and either appends them to the bytes or takes them from the bytes. Numbers that are
 * taken are checked against limits. */
#include "store/contents.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "sweep/plan.h"

static void free_axis(costab_axis *axis) {
    for (size_t i = 0; axis->labels && i < axis->count; i++) memory_free(axis->labels[i]);
    memory_free_all(axis->labels, axis->values);
}

void store_contents_free(store_contents *c) {
    for (int i = 0; i < COSTAB_AXES_MAX; i++) {
        free_axis(&c->plan.axes[i]);
        memory_free_all(c->axis_names[i], c->axis_units[i]);
    }
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++)
        memory_free_all(c->field_names[i], c->field_units[i], c->meanings[i]);
    memory_free_all(c->title, c->source, c->spec_text, c->spec_path, c->figure);
    *c = (store_contents){.title = NULL};
}

/* Position in the bytes. After an error `wrong` is set, and nothing more is taken. */
typedef struct cursor {
    text *out;        /* destination of the bytes; NULL: bytes are taken */
    const char *next; /* next byte to take */
    size_t left;      /* number of bytes from `next` on */
    bool wrong, no_memory;
} cursor;

static void pass_bytes(cursor *c, void *bytes, size_t size) {
    if (c->out) {
        text_append_n(c->out, bytes, size);
    } else if (c->wrong || size > c->left) {
        c->wrong = true;
    } else {
        memcpy(bytes, c->next, size);
        c->next += size;
        c->left -= size;
    }
}

/* Passes a number. Returns the number, or 0 after an error; more than `most` is an error. */
static size_t pass_number(cursor *c, size_t value, size_t most) {
    uint64_t number = value;
    pass_bytes(c, &number, sizeof number);
    if (number > most) c->wrong = true;
    return c->wrong ? 0 : (size_t)number;
}

/* Allocates an array for the next elements; each element except the last takes at least `least` bytes. */
static void *make_space(cursor *c, size_t count, size_t size, size_t least) {
    if (count - 1 > c->left / least) c->wrong = true;
    void *space = c->wrong ? NULL : memory_alloc(count, size);
    if (!space && !c->wrong) c->no_memory = c->wrong = true;
    return space;
}

/* Passes a text or NULL: its length plus one (NULL: 0), then its bytes. */
static void pass_text(cursor *c, char **string) {
    size_t length = pass_number(c, *string ? strlen(*string) + 1 : 0, SIZE_MAX);
    if (length == 0) return;
    if (!c->out) *string = make_space(c, length, 1, 1);
    if (!*string) return;
    pass_bytes(c, *string, length - 1);
    if (strlen(*string) != length - 1) c->wrong = true;
}

static void pass_name(cursor *c, char name[static COSTAB_NAME_MAX]) {
    size_t length = pass_number(c, strlen(name) + 1, COSTAB_NAME_MAX);
    if (length < 2) {
        c->wrong = true;
        return;
    }
    pass_bytes(c, name, length - 1);
    name[length - 1] = '\0';
}

static void pass_axis(cursor *c, costab_axis *axis, char **long_name, char **unit) {
    pass_name(c, axis->name);
    pass_text(c, long_name);
    pass_text(c, unit);
    axis->long_name = *long_name;
    axis->unit = *unit;
    size_t count = pass_number(c, axis->count, SIZE_MAX), labels = pass_number(c, axis->labels != NULL, 1);
    if (count == 0) c->wrong = true;
    if (c->wrong) return;
    if (!c->out && labels)
        axis->labels = make_space(c, count, sizeof *axis->labels, sizeof(uint64_t));
    else if (!c->out)
        axis->values = make_space(c, count, sizeof *axis->values, sizeof *axis->values);
    if (c->wrong) return;
    axis->count = count;
    if (!labels) pass_bytes(c, axis->values, count * sizeof *axis->values);
    for (size_t i = 0; i < count && labels && !c->wrong; i++) {
        pass_text(c, &axis->labels[i]);
        if (!axis->labels[i]) c->wrong = true;
    }
}

static void pass_field(cursor *c, const costab_plan *plan, costab_field *field, char **long_name, char **unit,
                       char **meanings) {
    pass_name(c, field->name);
    pass_text(c, long_name);
    pass_text(c, unit);
    field->unit = *unit;
    pass_text(c, meanings);
    field->long_name = *long_name;
    field->code_meanings = *meanings;
    field->type = pass_number(c, field->type, COSTAB_F64) == COSTAB_F64 ? COSTAB_F64 : COSTAB_U8;
    field->codes = (costab_codes)pass_number(c, field->codes, COSTAB_CODES_MASKS);
    field->fill = (uint8_t)pass_number(c, field->fill, UINT8_MAX);
    field->code_count = (int)pass_number(c, (size_t)field->code_count, sizeof field->code_values);
    pass_bytes(c, field->code_values, (size_t)field->code_count);
    field->rank = (int)pass_number(c, (size_t)field->rank, COSTAB_AXES_MAX);
    if (field->rank == 0 || (field->codes != COSTAB_CODES_NONE && !plan_names_codes(field))) c->wrong = true;
    for (int i = 0; i < field->rank && !c->wrong; i++) {
        field->axes[i] = (int)pass_number(c, (size_t)field->axes[i], (size_t)plan->axis_count - 1);
        if (i > 0 && field->axes[i] <= field->axes[i - 1]) c->wrong = true;
    }
}

/* Returns the number of axes before the first axis that numbers points of curves. Only these axes form the
 * grid. */
static int grid_axes(const costab_plan *plan) {
    static const char *const names[] = {"vertex", "beyond", "critical"};
    for (int i = 0; i < plan->axis_count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(plan->axes[i].name, names[k]) == 0) return i;
    return plan->axis_count;
}

static void pass_all(cursor *c, store_contents *contents) {
    costab_plan *plan = &contents->plan;
    pass_text(c, &contents->title);
    pass_text(c, &contents->source);
    pass_text(c, &contents->spec_text);
    pass_text(c, &contents->spec_path);
    pass_text(c, &contents->figure);
    contents->listed = pass_number(c, contents->listed, 1) == 1;
    plan->axis_count = plan->swept = (int)pass_number(c, (size_t)plan->axis_count, COSTAB_AXES_MAX);
    if (plan->axis_count == 0) c->wrong = true;
    for (int i = 0; i < plan->axis_count && !c->wrong; i++) {
        pass_axis(c, &plan->axes[i], &contents->axis_names[i], &contents->axis_units[i]);
        plan->tile_shape[i] = pass_number(c, plan->tile_shape[i], plan->axes[i].count);
        if (plan->tile_shape[i] == 0) c->wrong = true;
    }
    plan->swept = grid_axes(plan);
    int fields = (int)pass_number(c, (size_t)plan->field_count, COSTAB_FIELDS_MAX);
    for (int i = 0; i < fields && !c->wrong; plan->field_count = ++i)
        pass_field(c, plan, &plan->fields[i], &contents->field_names[i], &contents->field_units[i],
                   &contents->meanings[i]);
}

void store_contents_put(const store_contents *contents, text *bytes) {
    store_contents passed = *contents;
    pass_all(&(cursor){.out = bytes}, &passed);
}

costab_status store_contents_take(store_contents *contents, const void *bytes, size_t size, const char *path,
                                  costab_error *error) {
    cursor c = {.next = bytes, .left = size};
    pass_all(&c, contents);
    if (c.no_memory) return error_memory(error);
    plan_rename_fields(&contents->plan);
    if (!c.wrong && c.left == 0 && contents->title && contents->source && contents->spec_text &&
        contents->spec_path)
        return COSTAB_OK;
    return error_invalid(error, "'%s' is not a results file: its axes and fields make no sense", path);
}
