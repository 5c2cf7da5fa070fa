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
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) {
        memory_free_all(c->field_names[i], c->meanings[i]);
    }
    memory_free_all(c->title, c->source, c->spec_text, c->spec_path);
    *c = (store_contents){.title = NULL};
}

static void put_number(text *bytes, uint64_t number) {
    text_append_n(bytes, (const char *)&number, sizeof number);
}

/* A text or NULL: its length and one more, its bytes. */
static void put_text(text *bytes, const char *string) {
    size_t length = string ? strlen(string) : 0;
    put_number(bytes, string ? length + 1 : 0);
    if (string) text_append_n(bytes, string, length);
}

static void put_axis(text *bytes, const costab_axis *axis) {
    put_text(bytes, axis->name);
    put_text(bytes, axis->long_name);
    put_text(bytes, axis->unit);
    put_number(bytes, axis->count);
    put_number(bytes, axis->labels != NULL);
    if (!axis->labels) text_append_n(bytes, (const char *)axis->values, axis->count * sizeof *axis->values);
    for (size_t i = 0; axis->labels && i < axis->count; i++) put_text(bytes, axis->labels[i]);
}

static void put_field(text *bytes, const costab_field *field) {
    put_text(bytes, field->name);
    put_text(bytes, field->long_name);
    put_text(bytes, field->code_meanings);
    put_number(bytes, field->type);
    put_number(bytes, field->codes);
    put_number(bytes, field->fill);
    put_number(bytes, (uint64_t)field->code_count);
    for (int i = 0; i < field->code_count; i++) put_number(bytes, field->code_values[i]);
    put_number(bytes, (uint64_t)field->rank);
    for (int i = 0; i < field->rank; i++) put_number(bytes, (uint64_t)field->axes[i]);
}

void store_contents_put(const store_contents *c, text *bytes) {
    put_text(bytes, c->title);
    put_text(bytes, c->source);
    put_text(bytes, c->spec_text);
    put_text(bytes, c->spec_path);
    put_number(bytes, (uint64_t)c->plan.axis_count);
    for (int i = 0; i < c->plan.axis_count; i++) {
        put_axis(bytes, &c->plan.axes[i]);
        put_number(bytes, c->plan.tile_shape[i]);
    }
    put_number(bytes, (uint64_t)c->plan.field_count);
    for (int i = 0; i < c->plan.field_count; i++) put_field(bytes, &c->plan.fields[i]);
}

/* Bytes that are read one after another. */
typedef struct cursor {
    const char *next;
    size_t left;
    bool wrong, no_memory;
} cursor;

/* The next bytes; NULL where there are not so many. */
static const char *take(cursor *c, size_t size) {
    if (size > c->left) c->wrong = true;
    if (c->wrong) return NULL;
    const char *bytes = c->next;
    c->next += size;
    c->left -= size;
    return bytes;
}

/* The next number, at most `most`. */
static size_t take_number(cursor *c, size_t most) {
    uint64_t number = 0;
    const char *bytes = take(c, sizeof number);
    if (bytes) memcpy(&number, bytes, sizeof number);
    if (number > most) c->wrong = true;
    return c->wrong ? 0 : (size_t)number;
}

/* An array for that many things, of which each takes at least 8 bytes here. */
static void *take_room(cursor *c, size_t count, size_t size) {
    if (count > c->left / sizeof(uint64_t)) c->wrong = true;
    void *room = c->wrong ? NULL : memory_alloc(count, size);
    if (!room && !c->wrong) c->no_memory = c->wrong = true;
    return room;
}

static char *take_text(cursor *c) {
    size_t length = take_number(c, SIZE_MAX);
    const char *bytes = length > 0 ? take(c, length - 1) : NULL;
    if (!bytes) return NULL;
    char *copy = memory_copy_n(bytes, length - 1);
    if (!copy) c->no_memory = c->wrong = true;
    if (copy && strlen(copy) != length - 1) c->wrong = true;
    return copy;
}

static void take_name(cursor *c, char name[static COSTAB_NAME_MAX]) {
    size_t length = take_number(c, COSTAB_NAME_MAX);
    const char *bytes = length > 1 ? take(c, length - 1) : NULL;
    if (!bytes) {
        c->wrong = true;
        return;
    }
    memcpy(name, bytes, length - 1);
    name[length - 1] = '\0';
}

static void take_axis(cursor *c, costab_axis *axis, char **long_name, char **unit) {
    take_name(c, axis->name);
    axis->long_name = *long_name = take_text(c);
    axis->unit = *unit = take_text(c);
    size_t count = take_number(c, SIZE_MAX), labels = take_number(c, 1);
    if (count == 0) c->wrong = true;
    if (c->wrong) return;
    if (labels) {
        axis->labels = take_room(c, count, sizeof *axis->labels);
        if (axis->labels) axis->count = count;
        for (size_t i = 0; i < axis->count && !c->wrong; i++)
            if (!(axis->labels[i] = take_text(c))) c->wrong = true;
    } else {
        axis->values = take_room(c, count, sizeof *axis->values);
        const char *bytes = axis->values ? take(c, count * sizeof *axis->values) : NULL;
        if (bytes) memcpy(axis->values, bytes, count * sizeof *axis->values);
        axis->count = count;
    }
}

static void take_field(cursor *c, const costab_plan *plan, costab_field *field, char **long_name,
                       char **meanings) {
    take_name(c, field->name);
    field->long_name = *long_name = take_text(c);
    field->code_meanings = *meanings = take_text(c);
    field->type = take_number(c, COSTAB_F64) == COSTAB_F64 ? COSTAB_F64 : COSTAB_U8;
    field->codes = (costab_codes)take_number(c, COSTAB_CODES_MASKS);
    field->fill = (uint8_t)take_number(c, UINT8_MAX);
    field->code_count = (int)take_number(c, sizeof field->code_values);
    for (int i = 0; i < field->code_count; i++) field->code_values[i] = (uint8_t)take_number(c, UINT8_MAX);
    field->rank = (int)take_number(c, COSTAB_AXES_MAX);
    if (field->rank == 0 || (field->codes != COSTAB_CODES_NONE && !plan_names_codes(field))) c->wrong = true;
    for (int i = 0; i < field->rank && !c->wrong; i++) {
        field->axes[i] = (int)take_number(c, (size_t)plan->axis_count - 1);
        if (i > 0 && field->axes[i] <= field->axes[i - 1]) c->wrong = true;
    }
}

static void take_plan(cursor *c, store_contents *contents) {
    costab_plan *plan = &contents->plan;
    plan->axis_count = plan->swept = (int)take_number(c, COSTAB_AXES_MAX);
    if (plan->axis_count == 0) c->wrong = true;
    for (int i = 0; i < plan->axis_count && !c->wrong; i++) {
        take_axis(c, &plan->axes[i], &contents->axis_names[i], &contents->axis_units[i]);
        plan->tile_shape[i] = take_number(c, plan->axes[i].count);
        if (plan->tile_shape[i] == 0) c->wrong = true;
    }
    int fields = (int)take_number(c, COSTAB_FIELDS_MAX);
    for (int i = 0; i < fields && !c->wrong; i++) {
        take_field(c, plan, &plan->fields[i], &contents->field_names[i], &contents->meanings[i]);
        plan->field_count++;
    }
}

costab_status store_contents_take(store_contents *contents, const void *bytes, size_t size, const char *path,
                                  costab_error *error) {
    cursor c = {.next = bytes, .left = size};
    contents->title = take_text(&c);
    contents->source = take_text(&c);
    contents->spec_text = take_text(&c);
    contents->spec_path = take_text(&c);
    take_plan(&c, contents);
    if (c.no_memory) return error_memory(error);
    if (!c.wrong && c.left == 0 && contents->title && contents->source && contents->spec_text &&
        contents->spec_path)
        return COSTAB_OK;
    return error_set(error, COSTAB_INVALID, "'%s' is not a results file: its axes and fields make no sense",
                     path);
}
