/* Kind `difference`: where two charts that `costab compare -o` compared differ, a panel for each coupling or
 * scheme.
 *   1. Points stable in both charts, in one of them only, and with classes that differ otherwise have a
 *      colour each. The ground is stable in neither.
 *   2. Borders are half way between two points of the grid.
 * Cost: linear in points. Limitation: details smaller than a cell are invisible. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/cells.h"
#include "figure/grid.h"
#include "figure/read.h"

/* Meanings of the field, and the style of each region; the first region has no hatching. */
static const char *const words[] = {"both_stable", "first_only", "second_only", "other"};
static const char *const styles[] = {"in_both", "in_first", "in_second", "differs"};
enum { REGIONS = sizeof words / sizeof *words };

typedef struct difference_map {
    const figure_request *request;
    grid_frame frame;
    uint8_t *codes; /* y fastest */
    bool *missing, *inside;
} difference_map;

static void difference_map_free(difference_map *m) {
    memory_free_all(m->codes, m->missing, m->inside);
    grid_frame_free(&m->frame);
}

static bool is_word(const difference_map *m, uint8_t code, const char *word) {
    const costab_plan *plan = m->request->plan;
    const read_word found = read_meaning(&plan->fields[costab_plan_field(plan, "difference")], code);
    return found.size == strlen(word) && memcmp(found.start, word, found.size) == 0;
}

/* cell_set.crossing: returns the middle between point p and the next point. */
static double crossing(const void *context, size_t p, bool along_y) {
    const difference_map *m = context;
    const size_t ny = m->frame.y.count;
    const double *places = along_y ? m->frame.y.places + p % ny : m->frame.x.places + p / ny;
    return 0.5 * (places[0] + places[1]);
}

/* Appends the outline of all points with this word; NULL: of all points with a class. */
static void trace(difference_map *m, const char *word, outline *region) {
    const grid_axis *x = &m->frame.x, *y = &m->frame.y;
    const cell_grid cells = {x->count, y->count, x->places, y->places, m->missing};
    bool wanted[256];
    for (int code = 0; code < 256; code++) wanted[code] = word == NULL || is_word(m, (uint8_t)code, word);
    for (size_t p = 0; p < x->count * y->count; p++) m->inside[p] = wanted[m->codes[p]];
    cell_outline(&cells, &(cell_set){m->inside, crossing, NULL, m}, region);
}

static costab_status fill_panel(const figure_request *r, scene_panel *panel, const size_t *at,
                                costab_error *error) {
    ends_by(difference_map_free) difference_map m = {.request = r};
    const int along[2] = {r->x, r->y};
    outline known = {0};
    bool some = false;
    TRY(grid_frame_make(r, true, &m.frame, error));
    const size_t points = m.frame.x.count * m.frame.y.count;
    TRY(memory_make(&m.missing, points, error));
    TRY(memory_make(&m.inside, points, error));
    TRY(read_items(r->results, at, along, 2, &(read_item){"difference", .codes = &m.codes}, 1, error));
    for (size_t p = 0; p < points; p++) {
        m.missing[p] = is_word(&m, m.codes[p], "no_class") || is_word(&m, m.codes[p], "not_computed");
        some |= m.missing[p];
    }
    grid_set_axes(r, &m.frame, panel);
    if (some) grid_put_missing(&m.frame, panel);
    trace(&m, NULL, &known);
    scene_put(panel, SCENE_FILL, "ground", &known);
    for (int k = 0; k < REGIONS; k++) {
        outline region = {0}, hatch = {0};
        trace(&m, words[k], &region);
        if (k > 0) outline_append(&hatch, &region);
        scene_put(panel, SCENE_FILL, styles[k], &region);
        scene_put(panel, SCENE_HATCH, styles[k], &hatch);
    }
    return COSTAB_OK;
}

const figure_kind kind_difference = {.name = "difference",
                                     .systems = FIGURE_PLANAR | FIGURE_NETWORK,
                                     .fields = {"difference"},
                                     .without = "draws what 'costab compare -o' writes",
                                     .wide = 2,
                                     .caption = "differences",
                                     .along = 2,
                                     .panel = fill_panel};
