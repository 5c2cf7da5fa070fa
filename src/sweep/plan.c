/* Checks a plan, finds its axes and fields by name (also by the names of 0.1.0), compares axes, and divides
 * its grid into tiles.
 *   1. Tiles are boxes of points, numbered like the grid, the last axis fastest; the last tiles along an axis
 *      may be smaller.
 *   2. costab_plan_choose_tiles makes tiles of at most the requested number of points over the swept axes: a
 *      row of the last swept axis, or a part of it; several rows if they are whole; one value along all
 *      earlier axes; all values along axes that are not swept.
 *   3. The values of a field in a tile form a block. A field without some swept axis has values only in the
 *      tiles at the start of that axis.
 *
 * The plan and the requested number determine the tiles, and so the bytes of the file. */
#include "sweep/plan.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "sweep/run.h"

size_t costab_type_size(costab_type type) {
    return type == COSTAB_U8 ? 1 : sizeof(double);
}

int costab_plan_axis(const costab_plan *plan, const char *name) {
    for (int i = 0; i < plan->axis_count; i++)
        if (strcmp(plan->axes[i].name, name) == 0) return i;
    return -1;
}

/* Names of fields in version 0.1.0, and their present names. */
static const struct {
    const char *before, *now;
} renamed[] = {{"from", "lower"},
               {"to", "upper"},
               {"from_is", "lower_kind"},
               {"to_is", "upper_kind"},
               {"from_cause", "lower_cause"},
               {"to_cause", "upper_cause"},
               {"from_frequency", "lower_frequency"},
               {"to_frequency", "upper_frequency"},
               {"from_blame", "lower_subsystem"},
               {"to_blame", "upper_subsystem"},
               {"range_from", "range_lower"},
               {"range_to", "range_upper"},
               {"energy_made", "spurious_energy"},
               {"neutral", "removed_modes"}};

const char *plan_name_now(const char *name) {
    for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++)
        if (strcmp(name, renamed[k].before) == 0) return renamed[k].now;
    return name;
}

static int find_field(const costab_plan *plan, const char *name) {
    for (int i = 0; i < plan->field_count; i++)
        if (strcmp(plan->fields[i].name, name) == 0) return i;
    return -1;
}

int costab_plan_field(const costab_plan *plan, const char *name) {
    const int found = find_field(plan, name);
    return found >= 0 ? found : find_field(plan, plan_name_now(name));
}

void plan_rename_fields(costab_plan *plan) {
    for (int i = 0; i < plan->field_count; i++) {
        const char *now = plan_name_now(plan->fields[i].name);
        if (find_field(plan, now) < 0) memcpy(plan->fields[i].name, now, strlen(now) + 1);
    }
}

static size_t at_most(size_t n, size_t limit) {
    return n < limit ? n : limit;
}

void costab_plan_choose_tiles(costab_plan *plan, size_t target) {
    size_t left = target > 0 ? target : 1; /* largest number of points along axis k and the earlier ones */
    for (int k = plan->axis_count - 1; k >= 0; k--) {
        size_t count = plan->axes[k].count;
        if (k >= plan->swept) {
            plan->tile_shape[k] = count;
        } else if (k >= plan->swept - 2) { /* whole rows, then several of them */
            plan->tile_shape[k] = at_most(count, left);
            left = count > 0 && count < left ? left / count : 1;
        } else {
            plan->tile_shape[k] = 1;
        }
    }
}

/* Returns the number of tiles along the axis k. */
static size_t tiles_along(const costab_plan *plan, int k) {
    size_t shape = plan->tile_shape[k];
    return plan->axes[k].count / shape + (plan->axes[k].count % shape != 0);
}

static costab_status check_names(const costab_plan *plan, costab_error *error) {
    const char *names[COSTAB_AXES_MAX + COSTAB_FIELDS_MAX];
    int count = 0;
    for (int i = 0; i < plan->axis_count; i++) names[count++] = plan->axes[i].name;
    for (int i = 0; i < plan->field_count; i++) names[count++] = plan->fields[i].name;
    for (int i = 0; i < count; i++) {
        if (names[i][0] == '\0' || memchr(names[i], '\0', COSTAB_NAME_MAX) == NULL)
            return error_invalid(error, "an axis or a field has no name, or one that is too long");
        for (int j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                return error_invalid(error, "two axes or fields have the name '%s'", names[i]);
    }
    return COSTAB_OK;
}

bool plan_names_codes(const costab_field *field) {
    const char *word = field->code_meanings;
    int words = 0;
    for (; word != NULL && *word != '\0' && *word != ' '; words++) {
        size_t size = strcspn(word, " ");
        for (size_t i = 0; i < size; i++) {
            char c = word[i];
            bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && strchr("_-.+@", c) == NULL) return false;
        }
        word = word[size] == ' ' ? word + size + 1 : NULL;
    }
    return word == NULL && words == field->code_count;
}

static bool field_is_good(const costab_plan *plan, const costab_field *field) {
    if (field->rank < 1 || field->rank > plan->axis_count) return false;
    for (int i = 0; i < field->rank; i++)
        if (field->axes[i] >= plan->axis_count || field->axes[i] <= (i > 0 ? field->axes[i - 1] : -1))
            return false;
    if (field->codes == COSTAB_CODES_NONE) return field->type == COSTAB_U8 || field->type == COSTAB_F64;
    return field->type == COSTAB_U8 && field->code_count > 0 &&
           (size_t)field->code_count <= sizeof field->code_values && plan_names_codes(field);
}

static costab_status check_plan(const costab_plan *plan, costab_error *error) {
    if (plan == NULL || plan->axis_count < 1 || plan->axis_count > COSTAB_AXES_MAX || plan->swept < 0 ||
        plan->swept > plan->axis_count || plan->field_count < 0 || plan->field_count > COSTAB_FIELDS_MAX)
        return error_invalid(error, "a plan has 1 to %d axes, some of them swept, and at most %d fields",
                             COSTAB_AXES_MAX, COSTAB_FIELDS_MAX);
    TRY(check_names(plan, error));
    for (int k = 0; k < plan->axis_count; k++)
        if (plan->axes[k].count < 1 || plan->tile_shape[k] < 1 || plan->tile_shape[k] > plan->axes[k].count)
            return error_invalid(error, "axis '%s' is empty, or its tiles do not fit it", plan->axes[k].name);
    for (int f = 0; f < plan->field_count; f++)
        if (!field_is_good(plan, &plan->fields[f]))
            return error_invalid(error, "field '%s' has impossible axes or codes", plan->fields[f].name);
    return COSTAB_OK;
}

costab_status costab_plan_size(const costab_plan *plan, size_t *tiles, size_t *points, costab_error *error) {
    *tiles = *points = 1;
    TRY(check_plan(plan, error));
    for (int k = 0; k < plan->swept; k++) {
        size_t count = plan->axes[k].count;
        if (*points > SIZE_MAX / sizeof(double) / count)
            return error_invalid(error, "the grid has more points than this machine can number");
        *points *= count;
        *tiles *= tiles_along(plan, k);
    }
    return COSTAB_OK;
}

size_t costab_plan_share(size_t tiles, size_t first, size_t step) {
    return first < tiles ? (tiles - first - 1) / (step > 0 ? step : 1) + 1 : 0;
}

void costab_plan_tile(const costab_plan *plan, size_t index, costab_tile *tile) {
    tile->index = index;
    tile->run = NULL;
    tile->note = NULL;
    tile->worker = 0;
    for (int k = plan->axis_count - 1; k >= 0; k--) {
        tile->start[k] = 0;
        tile->count[k] = plan->axes[k].count;
        if (k >= plan->swept) continue;
        size_t along = tiles_along(plan, k);
        tile->start[k] = index % along * plan->tile_shape[k];
        tile->count[k] = at_most(plan->axes[k].count - tile->start[k], plan->tile_shape[k]);
        index /= along;
    }
}

static bool has_axis(const costab_field *field, int axis) {
    for (int r = 0; r < field->rank; r++)
        if (field->axes[r] == axis) return true;
    return false;
}

size_t costab_tile_values(const costab_plan *plan, int field, const costab_tile *tile) {
    const costab_field *f = &plan->fields[field];
    for (int k = 0; k < plan->swept; k++)
        if (tile->start[k] != 0 && !has_axis(f, k)) return 0;
    size_t values = 1;
    for (int r = 0; r < f->rank; r++) values *= tile->count[f->axes[r]];
    return values;
}

void costab_tile_shape(const costab_plan *plan, int field, const costab_tile *tile, size_t *shape) {
    const costab_field *f = &plan->fields[field];
    for (int r = 0; r < f->rank; r++)
        shape[r] = tile != NULL ? tile->count[f->axes[r]] : plan->tile_shape[f->axes[r]];
}

bool plan_has_value(const costab_axis *axis, size_t i, double value) {
    const double ends = fmax(fabs(axis->values[0]), fabs(axis->values[axis->count - 1]));
    return fabs(axis->values[i] - value) <= 5 * DBL_EPSILON * ends;
}
