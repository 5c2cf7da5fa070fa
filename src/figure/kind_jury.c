/* Kind `jury`, [KNS] figure 3: where the continuous system is stable, and where the discretised one is. */
#include <string.h>

#include "figure/chart.h"
#include "figure/rich.h"

static const char *fault(const figure_request *r) {
    return figure_has_field(r, "state") ? "a time history is drawn as 'time'" : NULL;
}

typedef struct half {
    const char *caption, *x, *y;
    outline_box window;
    int corners;
    double corner[4][2];
    uint8_t edges[4];
} half;

static const half halves[] = {
    {"continuous system",
     "Γ",
     "Δ",
     {{-3, 3}, {-3, 3}},
     4,
     {{-3, 0}, {0, 0}, {0, 3}, {-3, 3}},
     {COSTAB_CAUSE_FOLD, COSTAB_CAUSE_FOLD, OUTLINE_CUT, OUTLINE_CUT}},
    {"discretised system",
     "Tr " RICH_BOLD("D"),
     "Det " RICH_BOLD("D"),
     {{-2.9, 2.9}, {-1.7, 1.7}},
     3,
     {{0, -1}, {2, 1}, {-2, 1}},
     {COSTAB_CAUSE_FOLD, COSTAB_CAUSE_DET, COSTAB_CAUSE_FLIP}},
};

static costab_status draw_half(const half *h, scene *s, scene_panel *p, costab_error *error) {
    outline area = {0}, hatched = {0};
    costab_status status = outline_polygon(&area, h->corner, (size_t)h->corners, OUTLINE_CUT, error);
    for (size_t i = 0; i < area.point_count && !status; i++) area.points[i].edge = h->edges[i];
    if (!status) status = outline_append(&hatched, &area, error);
    scene_put(s, p, SCENE_HATCH, "stable", &hatched);
    if (!status) status = chart_axes(s, p, error);
    if (!status) status = chart_boundary(s, p, &area, h->corners == 4 ? "edge" : NULL, error);
    scene_put(s, p, SCENE_FILL, "stable", &area);
    return status;
}

static void put_word(scene *s, scene_panel *p, const char *word, double x, double y, int side) {
    scene_text item = {.x = x, .y = y, .side = side, .bare = strcmp(word, "stable") != 0, .shown = word};
    scene_put_text(s, p, &item);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < sizeof halves / sizeof *halves && !status; i++) {
        const half *h = &halves[i];
        scene_panel *p = scene_add_panel(s);
        if (!p) return scene_status(s, r->path, error);
        memcpy(p->x.range, h->window.x, sizeof p->x.range);
        memcpy(p->y.range, h->window.y, sizeof p->y.range);
        p->proportion = 0.8;
        p->x.label = h->x;
        p->y.label = h->y;
        p->caption = h->caption;
        status = draw_half(h, s, p, error);
        if (h->corners == 4) {
            put_word(s, p, "stable", -1.5, 1.5, 0);
            continue;
        }
        put_word(s, p, "stable", 0.6, 0.55, 0);
        put_word(s, p, "γ" RICH_INDEX("1"), 1, 1.2, 0);
        put_word(s, p, "γ" RICH_INDEX("2"), 1.5, 0.3, 1);
        put_word(s, p, "γ" RICH_INDEX("3"), -1.5, 0.3, -1);
    }
    return status;
}

const figure_kind kind_jury = {.name = "jury", .over = "scheme", .fault = fault, .build = build};
