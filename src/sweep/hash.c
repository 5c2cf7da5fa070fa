/* Computes the hash of a plan: FNV-1a over its axes, tiles and fields, member by member. */
#include "sweep/hash.h"

#include <string.h>

#include "base/hash.h"

static void hash(uint64_t *h, const void *bytes, size_t size) {
    *h = hash_bytes(*h, bytes, size);
}

static void hash_number(uint64_t *h, uint64_t number) {
    hash(h, &number, sizeof number);
}

/* Adds a text; NULL and "" differ. */
static void hash_text(uint64_t *h, const char *string) {
    if (string) hash(h, string, strlen(string) + 1);
    hash_number(h, string != NULL);
}

/* Adds an axis, whose tiles have `tile` points along it. */
static void hash_axis(uint64_t *h, const costab_axis *axis, size_t tile) {
    hash_text(h, axis->name);
    hash_text(h, axis->long_name);
    if (axis->unit) hash_text(h, axis->unit);
    hash_number(h, axis->count);
    hash_number(h, tile);
    if (axis->values) hash(h, axis->values, axis->count * sizeof *axis->values);
    for (size_t i = 0; axis->labels && i < axis->count; i++) hash_text(h, axis->labels[i]);
}

static void hash_field(uint64_t *h, const costab_field *field) {
    hash_text(h, field->name);
    hash_text(h, field->long_name);
    hash_text(h, field->code_meanings);
    hash_number(h, (uint64_t)field->type);
    hash_number(h, (uint64_t)field->codes);
    hash_number(h, field->fill);
    hash(h, field->code_values, (size_t)field->code_count);
    hash_number(h, (uint64_t)field->rank);
    for (int r = 0; r < field->rank; r++) hash_number(h, (uint64_t)field->axes[r]);
}

uint64_t hash_plan(const costab_plan *plan) {
    uint64_t h = HASH_START;
    hash_number(&h, (uint64_t)plan->axis_count);
    hash_number(&h, (uint64_t)plan->swept);
    for (int i = 0; i < plan->axis_count; i++) hash_axis(&h, &plan->axes[i], plan->tile_shape[i]);
    hash_number(&h, (uint64_t)plan->field_count);
    for (int i = 0; i < plan->field_count; i++) hash_field(&h, &plan->fields[i]);
    hash_number(&h, (uint64_t)plan->compression);
    return h;
}
