/* Builds scenes: panels with layers and texts, styles, and remarks on what is not visible. */
#include "figure/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/names.h"

#define LEAST_SEEN 0.0005 /* of a panel: a visible area; */
#define LEAST_AREA 2e-5   /* below, an area may be an error of its outline */
#define NARROW     1e-4   /* of the largest value: a range in which ten digits would show as steps */
#define NEAR_ZERO  0.1    /* of a range's width: a range this near to 0 is extended to 0 */

scene_panel *scene_add_panel(scene *s) {
    if (s->panel_count == SCENE_PANELS_MAX) s->crowded = true;
    scene_panel *panel = s->crowded ? NULL : memory_alloc(1, sizeof *panel);
    s->failed |= !panel;
    if (panel) s->panels[s->panel_count++] = panel;
    if (!panel) panel = &s->spare;
    panel->scene = s;
    panel->proportion = 1;
    panel->tallest = 5.4;
    panel->narrowest = 4;
    return panel;
}

/* ---- Texts */

const char *scene_keep(scene *s, const char *shown) {
    char *copy = memory_grows(&s->texts, &s->text_capacity, s->text_count + 1) ? memory_copy(shown) : NULL;
    s->failed |= !copy;
    if (copy) s->texts[s->text_count++] = copy;
    return copy ? copy : "";
}

const char *scene_keep_text(scene *s, text *shown) {
    const char *copy = shown->failed || !shown->data ? "" : scene_keep(s, shown->data);
    s->failed |= shown->failed;
    text_free(shown);
    return copy;
}

void scene_put_text(scene_panel *panel, const scene_text *item) {
    scene *s = panel->scene;
    scene_text *texts = memory_resize(panel->texts, (size_t)panel->text_count + 1, sizeof *texts);
    s->failed |= !texts || item->where.failed;
    if (!texts) {
        outline where = item->where;
        outline_free(&where);
        return;
    }
    panel->texts = texts;
    texts[panel->text_count] = *item;
    texts[panel->text_count++].shown = scene_keep(s, item->shown);
}

void scene_put_words(scene_panel *panel, double x, double y, int side, double size, const char *shown) {
    scene_put_text(panel,
                   &(scene_text){.x = x, .y = y, .side = side, .bare = true, .size = size, .shown = shown});
}

void scene_put_row(scene_panel *panel, double y, const char *name) {
    scene_row *rows = memory_resize(panel->rows, (size_t)panel->row_count + 1, sizeof *rows);
    panel->scene->failed |= !rows;
    if (!rows) return;
    panel->rows = rows;
    rows[panel->row_count++] = (scene_row){y, scene_keep(panel->scene, name)};
}

void scene_note(scene *s, const char *words) {
    if (s->notes.data && strstr(s->notes.data, words)) return;
    if (s->notes.size > 0) text_append(&s->notes, " ");
    text_append(&s->notes, words);
    s->failed |= s->notes.failed;
}

void scene_panel_letter(int i, text *shown) {
    const char first[2] = {i < 26 ? '\0' : (char)('a' + i / 26 - 1)};
    text_printf(shown, "(%s%c)", first, 'a' + i % 26);
}

/* ---- Styles */

void scene_define(scene *s, const scene_style *style) {
    for (int k = 0; k < s->style_count; k++)
        if (strcmp(s->styles[k].name, style->name) == 0) return;
    s->failed |= !memory_grows(&s->styles, &s->style_capacity, (size_t)s->style_count + 1);
    if (s->failed) return;
    scene_style *added = &s->styles[s->style_count++];
    *added = *style;
    added->name = scene_keep(s, style->name);
    added->legend = style->legend ? scene_keep(s, style->legend) : NULL;
    if (added->order == 0) added->order = scene_styles_count + s->style_count;
}

scene_style *scene_style_named(scene *s, const char *name) {
    for (int k = 0; k < s->style_count; k++)
        if (strcmp(s->styles[k].name, name) == 0) return &s->styles[k];
    const int count = s->style_count;
    for (int k = 0; k < scene_styles_count; k++) {
        if (strcmp(scene_styles[k].name, name) != 0) continue;
        scene_style style = scene_styles[k];
        if (style.order == 0) style.order = k + 1;
        scene_define(s, &style);
    }
    s->failed |= s->style_count == count;
    return s->style_count > count ? &s->styles[count] : NULL;
}

void scene_mention(scene *s, const char *name) {
    scene_style *style = scene_style_named(s, name);
    if (style) style->seen |= 1U << (style->tint ? SCENE_FILL : SCENE_CURVE);
}

void scene_tell_apart(scene_style *style, int k, double width, bool dashed) {
    static const char *const dashes[] = {"1", "'-'", "'_.'", "'. '"};
    const int first = dashed, count = 4 - first, which = first + k % count;
    style->dash = dashes[which];
    style->width = width * (which == 3 ? 1.2 : 1); /* dots look thinner than they are */
    if (k / count % 2 == 1) style->width *= 0.5;   /* the dashes of an earlier line */
}

/* ---- Remarks */

void scene_remark_on(scene_panel *panel, const char *name, const char *words) {
    scene *s = panel->scene;
    const scene_style *style = scene_style_named(s, name);
    uint64_t bit = 0;
    scene_mention(s, name);
    for (int i = 0; i < s->panel_count; i++)
        if (s->panels[i] == panel) bit = UINT64_C(1) << i;
    for (size_t k = 0; k < s->remark_count && style; k++) {
        scene_remark *remark = &s->remarks[k];
        if (&s->styles[remark->style] != style || strcmp(remark->words, words) != 0) continue;
        remark->panels |= bit;
        return;
    }
    s->failed |= !style || !memory_grows(&s->remarks, &s->remark_capacity, s->remark_count + 1);
    if (!s->failed)
        s->remarks[s->remark_count++] = (scene_remark){(int)(style - s->styles), scene_keep(s, words), bit};
}

void scene_remark_cut(scene_panel *panel, const char *style, double value) {
    char number[NAMES_NUMBER_MAX], words[NAMES_NUMBER_MAX + 8];
    (void)text_format(words, sizeof words, "cut at %s", names_rounded(value, 3, number));
    scene_remark_on(panel, style, words);
}

/* Appends "nothing stable in (a), (c)"; without letters if it is about all panels. */
static void put_remark(const scene *s, const scene_remark *remark, text *shown) {
    const char *gap = " in ";
    int count = 0;
    text_append(shown, remark->words);
    for (int i = 0; i < s->panel_count; i++) count += (int)(remark->panels >> i & 1U);
    for (int i = 0; i < s->panel_count && count < s->panel_count; i++) {
        if ((remark->panels >> i & 1U) == 0) continue;
        text_append(shown, gap);
        scene_panel_letter(i, shown);
        gap = ", ";
    }
}

void scene_put_remarks(scene *s) {
    for (int number = 0; number < s->style_count; number++) {
        scene_style *style = &s->styles[number];
        text_local words = {0}, note = {0};
        text legend = {0};
        for (size_t k = 0; k < s->remark_count; k++) {
            if (s->remarks[k].style != number) continue;
            const bool colon = style->legend != NULL && strchr(style->legend, ':') != NULL;
            text_append(&words, words.size > 0 ? "; " : colon ? ", " : ": ");
            put_remark(s, &s->remarks[k], &words);
        }
        s->failed |= words.failed;
        if (words.size == 0 || !style->legend) continue;
        names_strip(&note, style->legend);
        text_append_text(&note, &words);
        text_append(&note, ".");
        text_append(&legend, style->legend);
        text_append_text(&legend, &words);
        s->failed |= note.failed;
        if (!note.failed) scene_note(s, note.data);
        style->legend = scene_keep_text(s, &legend);
        style->remarked = true;
    }
}

/* ---- Layers */

/* Returns an area as a fraction of the panel's area. */
static double share_of(const scene_panel *p, const outline *area) {
    const double whole = (p->x.range[1] - p->x.range[0]) * (p->y.range[1] - p->y.range[0]);
    return fabs(outline_area(area)) / whole;
}

void scene_put(scene_panel *panel, scene_layer_kind kind, const char *name, outline *runs) {
    scene *s = panel->scene;
    const bool some = !runs->failed && runs->loop_count > 0 && runs->point_count > 0,
               line = kind != SCENE_FILL && kind != SCENE_HATCH;
    scene_style *style = some ? scene_style_named(s, name) : NULL;
    scene_layer *layers =
        style ? memory_resize(panel->layers, (size_t)panel->layer_count + 1, sizeof *layers) : NULL;
    s->failed |= runs->failed || (some && !layers);
    if (!layers) {
        outline_free(runs);
        return;
    }
    panel->layers = layers;
    if (line || share_of(panel, runs) > LEAST_SEEN) style->seen |= 1U << kind;
    int at = panel->layer_count++;
    for (; at > 0 && layers[at - 1].kind > kind; at--) layers[at] = layers[at - 1];
    layers[at] = (scene_layer){kind, (int)(style - s->styles), *runs};
    *runs = (outline){0};
}

void scene_put_points(scene_panel *panel, const char *style, outline *points) {
    outline_add_loop(points, 0, OUTLINE_CUT, false);
    scene_put(panel, SCENE_POINTS, style, points);
}

void scene_put_area(scene_panel *panel, const char *style, outline *area) {
    outline filled = {0};
    const double share = area->failed ? 0 : share_of(panel, area);
    if (share > LEAST_AREA && share <= LEAST_SEEN) scene_remark_on(panel, style, "too small to be seen");
    outline_append(&filled, area);
    scene_put(panel, SCENE_FILL, style, &filled);
    scene_put(panel, SCENE_HATCH, style, area);
}

void scene_put_border(scene_panel *panel, const char *style, const outline *region) {
    outline line = {0};
    outline_curves(region, false, &line);
    scene_put(panel, SCENE_CURVE, style, &line);
}

void scene_put_side(scene_panel *panel, const char *name, bool ticks, outline *area) {
    scene *s = panel->scene;
    scene_style *edge = scene_style_named(s, name);
    char side[SCENE_WORD_MAX];
    bool bounded = false;
    for (int k = 0; k < panel->layer_count && edge; k++)
        bounded |= panel->layers[k].kind == SCENE_CURVE && &s->styles[panel->layers[k].style] == edge;
    if (!area->failed && area->loop_count == 0) scene_remark_on(panel, name, "nothing stable");
    if (!area->failed && area->loop_count > 0 && !bounded) scene_remark_on(panel, name, "all stable");
    if (!ticks || !edge) {
        scene_put(panel, SCENE_HATCH, name, area);
        return;
    }
    snprintf(side, sizeof side, "%.*s_side", SCENE_WORD_MAX - 6, name);
    scene_define(s, &(scene_style){.name = side,
                                   .words = "ticks on the stable side",
                                   .line = edge->line,
                                   .width = 0.6,
                                   .dash = "1"});
    scene_put(panel, SCENE_TICKS, side, area);
    scene_mention(s, "stable_side");
    if (!s->failed) scene_style_named(s, "stable_side")->seen |= 1U << SCENE_TICKS;
}

/* ---- Shapes and places */

void scene_box(outline *result, double x0, double y0, double x1, double y1) {
    const double corners[4][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    outline_polygon(result, corners, 4, OUTLINE_CUT);
}

void scene_line(outline *result, double x0, double y0, double x1, double y1) {
    scene_polyline(result, (const double[]){x0, x1}, (const double[]){y0, y1}, 2);
}

void scene_polyline(outline *result, const double *x, const double *y, size_t count) {
    for (size_t from = 0, to; from < count; from = to + 1) {
        const size_t first = result->point_count;
        for (to = from; to < count && !isnan(x[to]) && !isnan(y[to]);) to++;
        for (size_t i = from; i < to && to - from > 1; i++)
            outline_add_point(result, x[i], y[i], OUTLINE_CUT);
        outline_add_loop(result, first, OUTLINE_CUT, false);
    }
}

/* Returns true if neither neighbour of a value is a number, so that no segment leads to it. */
static bool is_lone(const double *x, const double *y, size_t count, size_t i) {
    return (i == 0 || isnan(x[i - 1] + y[i - 1])) && (i + 1 == count || isnan(x[i + 1] + y[i + 1]));
}

void scene_lone(const scene_panel *panel, const double *x, const double *y, size_t count, outline *dots) {
    for (size_t i = 0; i < count; i++)
        if (is_lone(x, y, count, i) && scene_shows(panel, x[i], y[i]))
            outline_add_point(dots, x[i], y[i], OUTLINE_CUT);
}

bool scene_shows(const scene_panel *p, double x, double y) {
    return x >= p->x.range[0] && x <= p->x.range[1] && y >= p->y.range[0] && y <= p->y.range[1];
}

bool scene_crosses(const scene_panel *p, const double *x, const double *y, size_t count) {
    const double *across = p->x.range, *up = p->y.range;
    for (size_t i = 0; i + 1 < count; i++)
        if (fmax(x[i], x[i + 1]) >= across[0] && fmin(x[i], x[i + 1]) <= across[1] &&
            fmax(y[i], y[i + 1]) >= up[0] && fmin(y[i], y[i + 1]) <= up[1] &&
            !isnan(x[i] + x[i + 1] + y[i] + y[i + 1]))
            return true;
    for (size_t i = 0; i < count; i++)
        if (is_lone(x, y, count, i) && scene_shows(p, x[i], y[i])) return true;
    return false;
}

outline_box scene_window(const scene_panel *p) {
    return (outline_box){{p->x.range[0], p->x.range[1]}, {p->y.range[0], p->y.range[1]}};
}

static double rescaled(const scene_axis *axis, double place) {
    if (!(axis->scale > 0)) return place;
    return axis->log ? place + log10(axis->scale) : place * axis->scale;
}

static void rescale_outline(const scene_panel *p, outline *runs) {
    for (size_t i = 0; i < runs->point_count; i++) {
        runs->points[i].x = rescaled(&p->x, runs->points[i].x);
        runs->points[i].y = rescaled(&p->y, runs->points[i].y);
    }
}

void scene_rescale(scene *s) {
    for (int i = 0; i < s->panel_count; i++) {
        scene_panel *p = s->panels[i];
        for (int k = 0; k < p->layer_count; k++) rescale_outline(p, &p->layers[k].runs);
        for (int k = 0; k < p->text_count; k++) {
            rescale_outline(p, &p->texts[k].where);
            p->texts[k].x = rescaled(&p->x, p->texts[k].x);
            p->texts[k].y = rescaled(&p->y, p->texts[k].y);
        }
        rescale_outline(p, &p->obstacles);
        for (int k = 0; k < 2; k++) {
            p->x.range[k] = rescaled(&p->x, p->x.range[k]);
            p->y.range[k] = rescaled(&p->y, p->y.range[k]);
        }
    }
}

double scene_value(const scene_axis *axis, double place) {
    return axis->log ? pow(10, place) : place;
}

double scene_place(const scene_axis *axis, double value) {
    return !axis->log ? value : value > 0 ? log10(value) : (double)NAN;
}

int scene_digits(const scene_axis *axis) {
    const double *range = axis->range;
    const bool narrow = range[1] - range[0] < NARROW * fmax(fabs(range[0]), fabs(range[1]));
    return narrow && !axis->log ? 15 : 10;
}

void scene_take_zero(double *range) {
    const double near = NEAR_ZERO * (range[1] - range[0]);
    if (range[0] > 0 && range[0] <= near) range[0] = 0;
    if (range[1] < 0 && -range[1] <= near) range[1] = 0;
}

/* ---- The end */

costab_status scene_status(const scene *s, const char *path, costab_error *error) {
    if (s->crowded)
        return error_invalid(error,
                             "%s: the figure would have more than %d panels; give it fewer values, "
                             "schemes, couplings, signals or kinds",
                             path, SCENE_PANELS_MAX);
    bool failed = s->failed;
    for (int i = 0; i < s->panel_count; i++) failed |= s->panels[i]->obstacles.failed;
    return failed ? error_memory(error) : COSTAB_OK;
}

static void free_panel(scene_panel *panel) {
    for (int i = 0; i < panel->layer_count; i++) outline_free(&panel->layers[i].runs);
    for (int i = 0; i < panel->text_count; i++) outline_free(&panel->texts[i].where);
    outline_free(&panel->obstacles);
    memory_free_all(panel->layers, panel->texts, panel->rows);
}

void scene_free(scene *s) {
    for (int i = 0; i < s->panel_count; i++) {
        free_panel(s->panels[i]);
        memory_free(s->panels[i]);
    }
    free_panel(&s->spare);
    for (size_t k = 0; k < s->text_count; k++) memory_free(s->texts[k]);
    text_free(&s->notes);
    memory_free_all(s->texts, s->styles, s->remarks);
    *s = (scene){0};
}
