/* Kind `jury`, [KNS] figure 3: the triangle of trace and determinant in which a map is stable (Jury's
 * conditions), beside the quadrant in which the continuous system is. Two fixed polygons, drawn by the
 * condition that each of their edges stands for. */
#include <string.h>

#include "figure/chart.h"
#include "figure/names.h"

/* A panel with its polygon, counter-clockwise. */
typedef struct half {
    const char *caption, *x, *y; /* x, y: names of the axes */
    outline_box window;
    int corners;         /* how many */
    double corner[4][2]; /* x and y of each */
    uint8_t edges[4];    /* from each corner to the next: the condition that is an equality (CHART_..), or
                            OUTLINE_CUT at the window */
} half;

static const half halves[] = {
    {"continuous system",
     "Γ",
     "Δ",
     {{-3, 3}, {-3, 3}},
     4,
     {{-3, 0}, {0, 0}, {0, 3}, {-3, 3}},
     {CHART_FOLD, CHART_FOLD, OUTLINE_CUT, OUTLINE_CUT}},
    {"discretised system",
     "Tr " NAMES_BOLD("D"),
     "Det " NAMES_BOLD("D"),
     {{-2.9, 2.9}, {-1.7, 1.7}},
     3,
     {{0, -1}, {2, 1}, {-2, 1}},
     {CHART_FOLD, CHART_DET, CHART_FLIP}},
};

static void draw_half(const half *h, scene_panel *p) {
    outline area = {0}, hatched = {0};
    outline_polygon(&area, h->corner, (size_t)h->corners, OUTLINE_CUT);
    for (size_t i = 0; i < area.point_count; i++) area.points[i].edge = h->edges[i];
    outline_append(&hatched, &area);
    scene_put(p, SCENE_HATCH, "stable", &hatched);
    chart_axes(p);
    chart_boundary(p, &area, h->corners == 4 ? "edge" : NULL);
    scene_put(p, SCENE_FILL, "stable", &area);
}

static void put_word(scene_panel *p, const char *word, double x, double y, int side) {
    scene_text item = {.x = x, .y = y, .side = side, .bare = strcmp(word, "stable") != 0, .shown = word};
    scene_put_text(p, &item);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    (void)error;
    (void)r;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const half *h = &halves[i];
        scene_panel *p = scene_add_panel(s);
        memcpy(p->x.range, h->window.x, sizeof p->x.range);
        memcpy(p->y.range, h->window.y, sizeof p->y.range);
        p->proportion = 0.8;
        p->x.label = h->x;
        p->y.label = h->y;
        p->caption = h->caption;
        draw_half(h, p);
        if (h->corners == 4) {
            put_word(p, "stable", -1.5, 1.5, 0);
            continue;
        }
        put_word(p, "stable", 0.6, 0.55, 0);
        put_word(p, "γ" NAMES_INDEX("1"), 1, 1.2, 0);
        put_word(p, "γ" NAMES_INDEX("2"), 1.5, 0.3, 1);
        put_word(p, "γ" NAMES_INDEX("3"), -1.5, 0.3, -1);
    }
    return COSTAB_OK;
}

const figure_kind kind_jury = {.name = "jury", .build = build};
