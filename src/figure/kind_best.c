/* Kind `best` of networks: where which coupling is the best, as regions over two axes.
 *
 * Between two points whose best couplings differ the border lies where, interpolated in logarithms, the
 * simpler of both falls 5 % behind, which is when another one is taken; half the way where there are no
 * numbers. Regions are nested cuts of the grid: the k-th holds the first k couplings, so that no gaps are
 * left where three meet. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/spec.h"
#include "figure/cells.h"
#include "figure/grid.h"
#include "figure/read.h"

/* The logarithm of the advantage that a simpler coupling has. */
#define SIMPLER 0.04879016416943205

enum { LABELS = CELL_CUTS_MAX + 1 };

typedef struct best_map {
    const figure_request *request;
    scene *s;
    scene_panel *panel;
    const grid_frame *frame;
    size_t nx, ny, points, couplings;
    uint8_t *codes; /* of each coupling, then of each point, y fastest */
    double *values; /* what was compared, likewise; its logarithm, more is better */
    size_t *chosen; /* at each point: a coupling; `couplings` where none is stable */
    bool *missing, *tie;
    size_t labels[LABELS]; /* the couplings that are chosen anywhere, and whether none is: ascending */
    int label_count;
    bool *inside[LABELS]; /* of the cuts; then of ties */
    double *cross[LABELS];
    grid_cut cuts[LABELS];
} best_map;

static const char *fault(const figure_request *r) {
    if (!figure_has_field(r, "best"))
        return "'best' draws the field 'best'; write 'fields: [best, best_step]'";
    if (r->left_out != 0) return "'best' compares all couplings of the results; leave out the choice of some";
    return figure_wide_axes(r) < 2 ? "'best' needs two axes of several values" : NULL;
}

/* ---- Reading */

/* The place of point (i, j) in what is read: the later axis of the plan is the fastest there. */
static size_t stored_at(const best_map *m, size_t i, size_t j) {
    return m->request->x < m->request->y ? i * m->ny + j : j * m->nx + i;
}

static costab_status read_coupling(best_map *m, const size_t *at, const char *numbers, size_t c,
                                   costab_error *error) {
    const int along[2] = {m->request->x, m->request->y};
    const costab_results *results = m->request->results;
    size_t here[COSTAB_AXES_MAX];
    uint8_t *codes = NULL;
    double *values = NULL;
    memcpy(here, at, sizeof here);
    here[0] = c;
    costab_status status = read_field(results, "best", COSTAB_U8, here, along, 2, (void **)&codes, error);
    if (!status) status = read_field(results, numbers, COSTAB_F64, here, along, 2, (void **)&values, error);
    if (!status && codes == NULL) status = read_missing(results, "best", error);
    double sign = strcmp(numbers, "best_cost") == 0 ? -1 : 1;
    for (size_t p = 0; p < m->points && !status; p++) {
        size_t from = stored_at(m, p / m->ny, p % m->ny);
        m->codes[c * m->points + p] = codes[from];
        m->values[c * m->points + p] = values != NULL ? sign * log(values[from]) : (double)NAN;
    }
    memory_free_all(codes, values);
    return status;
}

/* Who is chosen at a point, and whether another one ties. */
static void take_point(best_map *m, size_t p) {
    bool open = false;
    m->chosen[p] = m->couplings;
    for (size_t c = 0; c < m->couplings; c++) {
        uint8_t code = m->codes[c * m->points + p];
        if (code == COSTAB_BEST_CHOSEN) m->chosen[p] = c;
        if (code == COSTAB_BEST_TIE) m->tie[p] = true;
        open = open || (code != COSTAB_BEST_CHOSEN && code != COSTAB_BEST_NONE && code != COSTAB_BEST_TIE);
    }
    m->missing[p] = open && m->chosen[p] == m->couplings;
}

static costab_status find_labels(best_map *m, costab_error *error) {
    m->label_count = 0;
    for (size_t c = 0; c <= m->couplings; c++) {
        bool any = false;
        for (size_t p = 0; p < m->points; p++) any = any || (m->chosen[p] == c && !m->missing[p]);
        if (any && m->label_count == LABELS)
            return error_set(error, COSTAB_INVALID,
                             "%s: more than %d couplings are the best somewhere; sweep fewer of them",
                             m->request->path, LABELS);
        if (any) m->labels[m->label_count++] = c;
    }
    if (m->label_count == 0) m->labels[m->label_count++] = m->couplings; /* nothing is known */
    return COSTAB_OK;
}

/* ---- Borders */

static double border(const best_map *m, size_t p, size_t q, double at_p, double at_q) {
    size_t one = m->chosen[p], other = m->chosen[q];
    double share = 0.5;
    if (one < m->couplings && other < m->couplings && !m->missing[p] && !m->missing[q]) {
        const double *a = &m->values[one * m->points], *b = &m->values[other * m->points];
        double lead_p = a[p] - b[p], lead_q = a[q] - b[q];
        bool first = lead_p >= -SIMPLER && lead_q<-SIMPLER, second = lead_p> SIMPLER && lead_q <= SIMPLER;
        double level = first == second ? 0 : first ? -SIMPLER : SIMPLER;
        if (lead_p >= level && lead_q <= level && lead_p > lead_q)
            share = (lead_p - level) / (lead_p - lead_q);
    }
    return at_p + share * (at_q - at_p);
}

/* The k-th cut holds the first k + 1 labels; the one behind the last of these holds what ties. */
static costab_status make_cut(best_map *m, int k, costab_error *error) {
    bool *inside = m->inside[k] = memory_alloc(m->points, sizeof *inside);
    double *cross = m->cross[k] = memory_alloc(2 * m->points, sizeof *cross);
    bool ties = k >= m->label_count - 1;
    m->cuts[k] = (grid_cut){inside, cross, cross != NULL ? cross + m->points : NULL, NULL};
    if (inside == NULL || cross == NULL) return error_memory(error);
    const double *x = m->frame->x.places, *y = m->frame->y.places;
    for (size_t p = 0; p < m->points; p++) {
        size_t i = p / m->ny, j = p % m->ny;
        inside[p] = ties ? m->tie[p] : m->chosen[p] <= m->labels[k];
        if (i + 1 < m->nx)
            cross[p] = ties ? 0.5 * (x[i] + x[i + 1]) : border(m, p, p + m->ny, x[i], x[i + 1]);
        if (j + 1 < m->ny)
            cross[m->points + p] = ties ? 0.5 * (y[j] + y[j + 1]) : border(m, p, p + 1, y[j], y[j + 1]);
    }
    return COSTAB_OK;
}

static uint8_t label_of(const void *context, unsigned inside) {
    const best_map *m = context;
    int label = 0;
    while (label < m->label_count - 1 && (inside >> label & 1) == 0) label++;
    return (uint8_t)label;
}

static uint8_t tie_of(const void *context, unsigned inside) {
    (void)context;
    return (uint8_t)inside;
}

/* ---- Drawing */

/* Neighbours in the list differ in lightness, so that they do in grey, too. */
static const char *define_style(const best_map *m, int label, char name[SCENE_WORD_MAX], text *words) {
    static const char *const tints[][2] = {
        {"#bcd9ec", "#f4f4f4"}, {"#f3c9a8", "#c8c8c8"}, {"#bfe5d6", "#e2e2e2"}, {"#e6c3d8", "#b0b0b0"},
        {"#fbf3c0", "#d4d4d4"}, {"#cfc8ea", "#9c9c9c"}, {"#e8e0d0", "#ebebeb"}, {"#a9cfc9", "#bcbcbc"}};
    enum { TINTS = sizeof tints / sizeof *tints };
    size_t c = m->labels[label];
    snprintf(name, SCENE_WORD_MAX, c == m->couplings ? "none_stable" : "best%zu", c);
    if (c == m->couplings) {
        text_append(words, "none");
        return scene_keep_text(m->s, words);
    }
    figure_choice(m->request, m->request->plan->axes[0].labels[c], words);
    const char *shown = scene_keep_text(m->s, words);
    for (int k = 0; k < m->s->style_count; k++)
        if (strcmp(m->s->styles[k].name, name) == 0) return shown;
    scene_style style = {.words = "where this coupling is the best", .legend = shown};
    snprintf(style.name, sizeof style.name, "%s", name);
    snprintf(style.tint, sizeof style.tint, "%s", tints[c % TINTS][0]);
    snprintf(style.tint_grey, sizeof style.tint_grey, "%s", tints[c % TINTS][1]);
    scene_define(m->s, &style);
    return shown;
}

static costab_status put_regions(const best_map *m, const cell_grid *cells, costab_error *error) {
    outline regions = {0};
    costab_status status = cell_regions(cells, &regions, error);
    for (int label = 0; label <= m->label_count && !status; label++) {
        bool missing = label == m->label_count;
        char style[SCENE_WORD_MAX] = "failed";
        outline area = {0};
        text words = {0};
        scene_text name = {.anchor = SCENE_INSIDE};
        status = outline_choose(&regions, missing ? CELL_MISSING : label, &area, error);
        if (!missing) name.shown = define_style(m, label, style, &words);
        if (!status && !missing && area.loop_count > 0) {
            status = outline_append(&name.where, &area, error);
            scene_put_text(m->s, m->panel, &name);
        }
        scene_put(m->s, m->panel, SCENE_FILL, style, &area);
    }
    if (!status) status = outline_append(&m->panel->obstacles, &regions, error);
    outline_free(&regions);
    return status;
}

static costab_status put_ties(const best_map *m, cell_grid cells, costab_error *error) {
    outline regions = {0}, area = {0};
    cells.cuts += cells.cut_count;
    cells.cut_count = 1;
    cells.label = tie_of;
    costab_status status = cell_regions(&cells, &regions, error);
    if (!status) status = outline_choose(&regions, 1, &area, error);
    scene_put(m->s, m->panel, SCENE_HATCH, "tie", &area);
    outline_free(&regions);
    return status;
}

static costab_status draw(best_map *m, costab_error *error) {
    const cell_grid cells = {.nx = m->nx,
                             .ny = m->ny,
                             .x = m->frame->x.places,
                             .y = m->frame->y.places,
                             .missing = m->missing,
                             .cut_count = m->label_count - 1,
                             .cuts = m->cuts,
                             .label = label_of,
                             .context = m};
    costab_status status = COSTAB_OK;
    for (int k = 0; k < m->label_count && !status; k++) status = make_cut(m, k, error);
    if (!status) status = put_regions(m, &cells, error);
    if (!status) status = put_ties(m, cells, error);
    for (int k = 0; k < cells.cut_count && !status; k++) {
        outline line = {0};
        status = cell_line(&cells, k, &line, error);
        scene_put(m->s, m->panel, SCENE_CURVE, "best_border", &line);
    }
    for (int k = 0; k < m->label_count; k++) {
        memory_free_all(m->inside[k], m->cross[k]);
        m->inside[k] = NULL;
        m->cross[k] = NULL;
    }
    return status;
}

static costab_status draw_panel(best_map *m, const size_t *at, costab_error *error) {
    const figure_request *r = m->request;
    const char *numbers = figure_has_field(r, "best_cost") ? "best_cost" : "best_step";
    text caption = {0};
    memset(m->tie, 0, m->points * sizeof *m->tie);
    costab_status status = COSTAB_OK;
    for (size_t c = 0; c < m->couplings && !status; c++) status = read_coupling(m, at, numbers, c, error);
    for (size_t p = 0; p < m->points && !status; p++) take_point(m, p);
    if (!status) status = find_labels(m, error);
    if (status) return status;
    m->panel = scene_add_panel(m->s);
    if (!m->panel) return scene_status(m->s, r->path, error);
    figure_caption(r, figure_sliced(r, &kind_best), at, "best coupling", &caption);
    m->panel->caption = scene_keep_text(m->s, &caption);
    m->panel->proportion = 0.9;
    grid_set_axis(r, m->s, &m->frame->x, &m->panel->x);
    grid_set_axis(r, m->s, &m->frame->y, &m->panel->y);
    return draw(m, error);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    grid_frame frame;
    costab_status status = grid_frame_make(r, true, &frame, error);
    best_map m = {.request = r, .s = s, .frame = &frame, .couplings = r->plan->axes[0].count};
    size_t at[COSTAB_AXES_MAX];
    m.nx = frame.x.count;
    m.ny = frame.y.count;
    m.points = m.nx * m.ny;
    m.codes = memory_alloc(m.points, m.couplings);
    m.values = memory_alloc(m.points, m.couplings * sizeof *m.values);
    m.chosen = memory_alloc(m.points, sizeof *m.chosen);
    m.missing = memory_alloc(m.points, sizeof *m.missing);
    m.tie = memory_alloc(m.points, sizeof *m.tie);
    if (!status && !(m.codes && m.values && m.chosen && m.missing && m.tie)) status = error_memory(error);
    figure_first_panel(r, at);
    if (!status) do
            status = draw_panel(&m, at, error);
        while (!status && figure_next_panel(r, figure_sliced(r, &kind_best), at));
    memory_free_all(m.codes, m.values, m.chosen, m.missing, m.tie);
    grid_frame_free(&frame);
    return status;
}

const figure_kind kind_best = {
    .name = "best", .over = "coupling", .along = 2, .overlaid = true, .fault = fault, .build = build};
