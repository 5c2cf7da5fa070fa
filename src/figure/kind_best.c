/* Kind `best` of networks: regions over two axes, each with the name of the best coupling.
 *   1. The sweep stored the best coupling of each point; "none" if no coupling is stable.
 *   2. Between two points with different best couplings the border is where the simpler coupling falls 5 %
 *      behind, with the logarithms of macro step or cost interpolated linearly; half way without numbers.
 *   3. The k-th set contains all points whose coupling is among the first k of the list. The sets are
 * painted from the last to the first, so that no gaps are left. Ties are hatched.
 * Cost: linear in points times couplings. Limitation: details smaller than a cell are invisible. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/cells.h"
#include "figure/grid.h"
#include "figure/read.h"

#define SIMPLER 0.04879016416943205 /* log 1.05: the advantage of a simpler coupling */

enum { LABELS = 15 }; /* most couplings that are the best somewhere, with "none" */

/* Codes of the field best; all others leave open which coupling is the best. */
enum { BEST_CHOSEN = 1, BEST_TIE = 2, BEST_NONE = 16 };

typedef struct best_map {
    const figure_request *request;
    scene_panel *panel;
    grid_frame frame;
    size_t ny, points, couplings;
    uint8_t *codes; /* of each coupling at each point, y fastest */
    double *values; /* likewise: log of the macro step, or of 1 / cost */
    size_t *chosen; /* at each point the coupling, or `couplings` if none is stable */
    bool *missing, *tie, *inside;
    size_t labels[LABELS]; /* the couplings that are the best anywhere, ascending */
    int label_count;
    int label; /* of the set that is traced; -1: of ties */
} best_map;

static const char *fault(const figure_request *r) {
    return r->picked_count[0] > 0
               ? "'best' compares all couplings of the results; leave out the choice of some"
               : NULL;
}

/* ---- Reading */

static costab_status read_coupling(best_map *m, const size_t *at, size_t c, costab_error *error) {
    const figure_request *r = m->request;
    const char *numbers = figure_has_field(r, "best_cost") ? "best_cost" : "best_step";
    const double sign = strcmp(numbers, "best_cost") == 0 ? -1 : 1;
    const int along[2] = {r->x, r->y};
    size_t here[COSTAB_AXES_MAX];
    memory_local uint8_t *codes = NULL;
    memory_local double *values = NULL;
    memcpy(here, at, sizeof here);
    here[0] = c;
    const read_item items[] = {{"best", .codes = &codes}, {numbers, .numbers = &values, .optional = true}};
    TRY(read_items(r->results, here, along, 2, items, 2, error));
    memcpy(m->codes + c * m->points, codes, m->points);
    for (size_t p = 0; p < m->points; p++)
        m->values[c * m->points + p] = values ? sign * log(values[p]) : (double)NAN;
    return COSTAB_OK;
}

/* Sets chosen, tie and missing of a point from the codes of all couplings. */
static void choose_at_point(best_map *m, size_t p) {
    bool open = false;
    m->chosen[p] = m->couplings;
    m->tie[p] = false;
    for (size_t c = 0; c < m->couplings; c++) {
        const uint8_t code = m->codes[c * m->points + p];
        if (code == BEST_CHOSEN) m->chosen[p] = c;
        m->tie[p] |= code == BEST_TIE;
        open |= code != BEST_CHOSEN && code != BEST_NONE && code != BEST_TIE;
    }
    m->missing[p] = open && m->chosen[p] == m->couplings;
}

static costab_status find_labels(best_map *m, costab_error *error) {
    m->label_count = 0;
    for (size_t c = 0; c <= m->couplings; c++) {
        bool any = false;
        for (size_t p = 0; p < m->points; p++) any |= m->chosen[p] == c && !m->missing[p];
        if (any && m->label_count == LABELS)
            return error_invalid(error,
                                 "%s: more than %d couplings are the best somewhere; sweep fewer of them",
                                 m->request->path, LABELS);
        if (any) m->labels[m->label_count++] = c;
    }
    return COSTAB_OK;
}

/* ---- Borders */

/* cell_set.crossing: returns the place of the border between point p and the next point. */
static double crossing(const void *context, size_t p, bool along_y) {
    const best_map *m = context;
    const size_t q = p + (along_y ? 1 : m->ny), one = m->chosen[p], other = m->chosen[q];
    const double *places = along_y ? m->frame.y.places + p % m->ny : m->frame.x.places + p / m->ny;
    double share = 0.5;
    if (m->label >= 0 && one < m->couplings && other < m->couplings) {
        const double *a = &m->values[one * m->points], *b = &m->values[other * m->points];
        const double lead_p = a[p] - b[p], lead_q = a[q] - b[q];
        const bool first =
            lead_p >= -SIMPLER && lead_q<-SIMPLER, second = lead_p> SIMPLER && lead_q <= SIMPLER;
        const double level = first == second ? 0 : first ? -SIMPLER : SIMPLER;
        if (lead_p >= level && lead_q <= level && lead_p > lead_q)
            share = (lead_p - level) / (lead_p - lead_q);
    }
    return places[0] + share * (places[1] - places[0]);
}

/* Appends the outline of the points of all labels up to this label; label -1: of ties. */
static void trace(best_map *m, int label, outline *region) {
    const cell_grid cells = {m->frame.x.count, m->ny, m->frame.x.places, m->frame.y.places, m->missing};
    m->label = label;
    for (size_t p = 0; p < m->points; p++)
        m->inside[p] = label < 0 ? m->tie[p] : m->chosen[p] <= m->labels[label];
    cell_outline(&cells, &(cell_set){m->inside, crossing, NULL, m}, region);
}

/* ---- Drawing */

/* All differ in lightness, neighbours in the list most. */
static const char *const tints[] = {"#d6e8f4", "#e09a62", "#93c9ab", "#c0769f",
                                    "#efd46f", "#7566b5", "#fbf7f0", "#6aa39b"};
enum { TINTS = sizeof tints / sizeof *tints };

static bool is_used(const scene *s, const char *tint) {
    for (int k = 0; k < s->style_count; k++)
        if (s->styles[k].tint == tint) return true;
    return false;
}

/* Returns the tint of the c-th coupling: its own, or the next that no other coupling of the figure has. */
static const char *tint_of(scene *s, size_t c) {
    for (size_t k = 0; k < TINTS; k++)
        if (!is_used(s, tints[(c + k) % TINTS])) return tints[(c + k) % TINTS];
    scene_note(s, "More than 8 couplings are the best somewhere; some have the same colour.");
    return tints[c % TINTS];
}

/* Defines the style of a label; returns its name in the legend. */
static const char *define_style(const best_map *m, int label, char name[SCENE_WORD_MAX]) {
    scene *s = m->panel->scene;
    const size_t c = m->labels[label];
    text words = {0};
    if (c == m->couplings) {
        snprintf(name, SCENE_WORD_MAX, "none_stable");
        return "none";
    }
    snprintf(name, SCENE_WORD_MAX, "best%zu", c);
    figure_choice(m->request, m->request->plan->axes[0].labels[c], &words);
    const char *shown = scene_keep_text(s, &words);
    for (int k = 0; k < s->style_count; k++)
        if (strcmp(s->styles[k].name, name) == 0) return shown;
    scene_define(s, &(scene_style){.name = name,
                                   .words = "this coupling, or one painted over it, is the best",
                                   .tint = tint_of(s, c),
                                   .legend = shown});
    return shown;
}

/* Draws a region and its border. [in] before: the region of the label before, which is painted over it. */
static void draw_label(best_map *m, int label, const outline *before, outline *region) {
    char style[SCENE_WORD_MAX];
    scene_text name = {.anchor = SCENE_INSIDE, .shown = define_style(m, label, style)};
    outline area = {0};
    outline_append(&name.where, region); /* by the even-odd rule without the region before */
    outline_append(&name.where, before);
    scene_put_text(m->panel, &name);
    outline_append(&m->panel->obstacles, region);
    outline_append(&area, region);
    scene_put(m->panel, SCENE_FILL, style, &area);
    scene_put_border(m->panel, "best_border", region);
}

static void draw(best_map *m) {
    outline ties = {0};
    outline regions[LABELS + 1] = {{0}}; /* that of label k is the entry k + 1 */
    bool missing = false;
    for (size_t p = 0; p < m->points; p++) missing |= m->missing[p];
    if (missing) grid_put_missing(&m->frame, m->panel);
    for (int k = 0; k < m->label_count; k++) {
        char style[SCENE_WORD_MAX];
        (void)define_style(m, k, style); /* entries of the legend in the couplings' order */
        trace(m, k, &regions[k + 1]);
    }
    for (int k = m->label_count - 1; k >= 0; k--) draw_label(m, k, &regions[k], &regions[k + 1]);
    trace(m, -1, &ties);
    scene_put(m->panel, SCENE_HATCH, "tie", &ties);
    for (int k = 0; k <= LABELS; k++) outline_free(&regions[k]);
}

static void best_map_free(best_map *m) {
    memory_free_all(m->codes, m->values, m->chosen, m->missing, m->tie, m->inside);
    grid_frame_free(&m->frame);
}

static costab_status fill_panel(const figure_request *r, scene_panel *panel, const size_t *at,
                                costab_error *error) {
    ends_by(best_map_free) best_map m = {.request = r, .panel = panel, .couplings = r->plan->axes[0].count};
    TRY(grid_frame_make(r, true, &m.frame, error));
    m.ny = m.frame.y.count;
    m.points = m.frame.x.count * m.ny;
    TRY(memory_make(&m.codes, m.points * m.couplings, error));
    TRY(memory_make(&m.values, m.points * m.couplings, error));
    TRY(memory_make(&m.chosen, m.points, error));
    TRY(memory_make(&m.missing, m.points, error));
    TRY(memory_make(&m.tie, m.points, error));
    TRY(memory_make(&m.inside, m.points, error));
    for (size_t c = 0; c < m.couplings; c++) TRY(read_coupling(&m, at, c, error));
    for (size_t p = 0; p < m.points; p++) choose_at_point(&m, p);
    TRY(find_labels(&m, error));
    grid_set_axes(r, &m.frame, panel);
    draw(&m);
    return COSTAB_OK;
}

const figure_kind kind_best = {.name = "best",
                               .systems = FIGURE_NETWORK,
                               .fields = {"best"},
                               .without = "draws the field 'best'; write 'fields: [best, best_step]'",
                               .wide = 2,
                               .caption = "best coupling",
                               .along = 2,
                               .overlaid = true,
                               .fault = fault,
                               .panel = fill_panel};
