/* Kind `best` of networks: which coupling is the best, as regions over two axes.
 *   1. At each point the coupling that the sweep calls the best; none where no coupling is stable.
 *   2. Between two points whose best couplings differ the border lies where, with the logarithms of what was
 *      compared (macro step or cost) interpolated linearly, the simpler of both falls 5 % behind: there the
 *      other one is taken. Half the way where there are no numbers.
 *   3. The regions are the cells of nested cuts of the grid (cells.c): the k-th cut holds the first k
 *      couplings of the list, so that no gaps are left where three meet. Ties are a cut of their own,
 *      hatched.
 * Cost: linear in points times couplings. Not guaranteed: what lies between grid points is not seen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/cells.h"
#include "figure/grid.h"
#include "figure/read.h"

/* The logarithm of the advantage that a simpler coupling has. */
#define SIMPLER 0.04879016416943205

enum { LABELS = CELL_CUTS_MAX + 1 };

/* Codes of the field best; all others leave open which coupling is the best. */
enum { BEST_CHOSEN = 1, BEST_TIE = 2, BEST_NONE = 16 };

typedef struct best_map {
    const figure_request *request;
    scene_panel *panel;
    const grid_frame *frame;
    size_t nx, ny, points, couplings;
    uint8_t *codes; /* of each coupling, then of each point, y fastest */
    double *values; /* what was compared, likewise; its logarithm, more is better */
    size_t *chosen; /* at each point: a coupling; `couplings` where none is stable */
    bool *missing, *tie;
    size_t labels[LABELS]; /* the couplings that are chosen anywhere, and whether none is: ascending */
    int label_count;
    grid_cut cuts[LABELS]; /* then that of ties */
} best_map;

static const char *fault(const figure_request *r) {
    return r->picked_count[0] > 0
               ? "'best' compares all couplings of the results; leave out the choice of some"
               : NULL;
}

/* ---- Reading */

/* The place of point (i, j) in what is read: the later axis of the plan is the fastest there. */
static size_t stored_at(const best_map *m, size_t i, size_t j) {
    return m->request->x < m->request->y ? i * m->ny + j : j * m->nx + i;
}

static costab_status read_coupling(best_map *m, const size_t *at, const char *numbers, size_t c,
                                   costab_error *error) {
    const int along[2] = {m->request->x, m->request->y};
    size_t here[COSTAB_AXES_MAX];
    memory_local uint8_t *codes = NULL;
    memory_local double *values = NULL;
    memcpy(here, at, sizeof here);
    here[0] = c;
    const read_item items[] = {{"best", along, 2, .codes = &codes},
                               {numbers, along, 2, .numbers = &values, .optional = true}};
    TRY(read_items(m->request->results, here, items, 2, error));
    double sign = strcmp(numbers, "best_cost") == 0 ? -1 : 1;
    for (size_t p = 0; p < m->points; p++) {
        size_t from = stored_at(m, p / m->ny, p % m->ny);
        m->codes[c * m->points + p] = codes[from];
        m->values[c * m->points + p] = values != NULL ? sign * log(values[from]) : (double)NAN;
    }
    return COSTAB_OK;
}

/* Sets chosen, tie and missing of a point from the codes of all couplings. */
static void choose_at_point(best_map *m, size_t p) {
    bool open = false;
    m->chosen[p] = m->couplings;
    for (size_t c = 0; c < m->couplings; c++) {
        uint8_t code = m->codes[c * m->points + p];
        if (code == BEST_CHOSEN) m->chosen[p] = c;
        if (code == BEST_TIE) m->tie[p] = true;
        open = open || (code != BEST_CHOSEN && code != BEST_NONE && code != BEST_TIE);
    }
    m->missing[p] = open && m->chosen[p] == m->couplings;
}

/* Lists the couplings that are chosen anywhere. */
static costab_status find_labels(best_map *m, costab_error *error) {
    m->label_count = 0;
    for (size_t c = 0; c <= m->couplings; c++) {
        bool any = false;
        for (size_t p = 0; p < m->points; p++) any = any || (m->chosen[p] == c && !m->missing[p]);
        if (any && m->label_count == LABELS)
            return error_invalid(error,
                                 "%s: more than %d couplings are the best somewhere; sweep fewer of them",
                                 m->request->path, LABELS);
        if (any) m->labels[m->label_count++] = c;
    }
    if (m->label_count == 0) m->labels[m->label_count++] = m->couplings; /* nothing is known */
    return COSTAB_OK;
}

/* ---- Borders */

/* Where on the edge from point p to point q the border of their regions lies (step 2), in places. */
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

/* The k-th cut holds the first k + 1 labels; the one behind the last of these holds what ties. It takes the
 * place of the panel's before. */
static costab_status make_cut(best_map *m, int k, costab_error *error) {
    grid_cut *cut = &m->cuts[k];
    bool ties = k >= m->label_count - 1;
    memory_free_all(cut->inside, cut->cross_x);
    *cut = (grid_cut){.inside = memory_alloc(m->points, sizeof *cut->inside),
                      .cross_x = memory_alloc(2 * m->points, sizeof *cut->cross_x)};
    if (!cut->inside || !cut->cross_x) return error_memory(error);
    cut->cross_y = cut->cross_x + m->points;
    const double *x = m->frame->x.places, *y = m->frame->y.places;
    for (size_t p = 0; p < m->points; p++) {
        size_t i = p / m->ny, j = p % m->ny;
        cut->inside[p] = ties ? m->tie[p] : m->chosen[p] <= m->labels[k];
        if (i + 1 < m->nx)
            cut->cross_x[p] = ties ? 0.5 * (x[i] + x[i + 1]) : border(m, p, p + m->ny, x[i], x[i + 1]);
        if (j + 1 < m->ny)
            cut->cross_y[p] = ties ? 0.5 * (y[j] + y[j + 1]) : border(m, p, p + 1, y[j], y[j + 1]);
    }
    return COSTAB_OK;
}

static uint8_t label_of(const void *context, unsigned inside) {
    const best_map *m = context;
    int label = 0;
    while (label < m->label_count - 1 && (inside >> label & 1) == 0) label++;
    return (uint8_t)label;
}

/* ---- Drawing */

/* Neighbours in the list differ in lightness, so that they do in grey, too. */
static const char *define_style(const best_map *m, int label, char name[SCENE_WORD_MAX], text *words) {
    static const char *const tints[] = {"#d6e8f4", "#e3a878", "#cdeadd", "#c987b0",
                                        "#f9ecb8", "#8f83c9", "#efe9dc", "#7fb3ab"};
    enum { TINTS = sizeof tints / sizeof *tints };
    scene *s = m->panel->scene;
    size_t c = m->labels[label];
    snprintf(name, SCENE_WORD_MAX, c == m->couplings ? "none_stable" : "best%zu", c);
    if (c == m->couplings) {
        text_append(words, "none");
        return scene_keep_text(s, words);
    }
    figure_choice(m->request, m->request->plan->axes[0].labels[c], words);
    const char *shown = scene_keep_text(s, words);
    scene_define(s, &(scene_style){.name = name,
                                   .words = "where this coupling is the best",
                                   .tint = tints[c % TINTS],
                                   .legend = shown});
    return shown;
}

static void put_regions(const best_map *m, const cell_grid *cells) {
    ends_by(outline_free) outline regions = {0};
    cell_sides sides = {0};
    cell_add_sides(cells, &sides);
    cell_regions(&sides, &regions);
    for (int label = 0; label <= m->label_count; label++) {
        bool missing = label == m->label_count;
        char style[SCENE_WORD_MAX] = "failed";
        outline area = {0};
        text words = {0};
        scene_text name = {.anchor = SCENE_INSIDE};
        outline_choose(&regions, missing ? CELL_MISSING : label, &area);
        if (!missing) name.shown = define_style(m, label, style, &words);
        if (!missing && area.loop_count > 0) {
            outline_append(&name.where, &area);
            scene_put_text(m->panel, &name);
        }
        scene_put(m->panel, SCENE_FILL, style, &area);
    }
    outline_append(&m->panel->obstacles, &regions);
}

static void put_ties(const best_map *m, cell_grid cells) {
    ends_by(outline_free) outline regions = {0}, area = {0};
    cells.cuts += cells.cut_count;
    cells.cut_count = 1;
    cells.label = NULL;
    cell_sides sides = {0};
    cell_add_sides(&cells, &sides);
    cell_regions(&sides, &regions);
    outline_choose(&regions, 1, &area);
    scene_put(m->panel, SCENE_HATCH, "tie", &area);
}

static costab_status draw(best_map *m, costab_error *error) {
    const cell_grid cells = {.nx = m->nx,
                             .ny = m->ny,
                             .to = m->nx - 1,
                             .x = m->frame->x.places,
                             .y = m->frame->y.places,
                             .missing = m->missing,
                             .cut_count = m->label_count - 1,
                             .cuts = m->cuts,
                             .label = label_of,
                             .context = m};
    for (int k = 0; k < m->label_count; k++) TRY(make_cut(m, k, error));
    put_regions(m, &cells);
    put_ties(m, cells);
    for (int k = 0; k < cells.cut_count; k++) {
        cell_chords chords = {0};
        outline line = {0};
        cell_add_chords(&cells, k, &chords);
        cell_line(&chords, &line);
        scene_put(m->panel, SCENE_CURVE, "best_border", &line);
    }
    return COSTAB_OK;
}

static costab_status draw_panel(best_map *m, scene *s, const size_t *at, costab_error *error) {
    const figure_request *r = m->request;
    const char *numbers = figure_has_field(r, "best_cost") ? "best_cost" : "best_step";
    memset(m->tie, 0, m->points * sizeof *m->tie);
    for (size_t c = 0; c < m->couplings; c++) TRY(read_coupling(m, at, numbers, c, error));
    for (size_t p = 0; p < m->points; p++) choose_at_point(m, p);
    TRY(find_labels(m, error));
    m->panel = grid_panel(r, s, &kind_best, m->frame, at);
    return draw(m, error);
}

static void best_map_free(best_map *m) {
    for (int k = 0; k < LABELS; k++) memory_free_all(m->cuts[k].inside, m->cuts[k].cross_x);
    memory_free_all(m->codes, m->values, m->chosen, m->missing, m->tie);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    TRY(grid_frame_make(r, true, &frame, error));
    ends_by(best_map_free) best_map m = {.request = r, .frame = &frame, .couplings = r->plan->axes[0].count};
    size_t at[COSTAB_AXES_MAX];
    m.nx = frame.x.count;
    m.ny = frame.y.count;
    m.points = m.nx * m.ny;
    TRY(memory_make(&m.codes, m.points * m.couplings, error));
    TRY(memory_make(&m.values, m.points * m.couplings, error));
    TRY(memory_make(&m.chosen, m.points, error));
    TRY(memory_make(&m.missing, m.points, error));
    TRY(memory_make(&m.tie, m.points, error));
    figure_first_panel(r, at);
    do TRY(draw_panel(&m, s, at, error));
    while (figure_next_panel(r, figure_sliced(r, &kind_best), at));
    return COSTAB_OK;
}

const figure_kind kind_best = {.name = "best",
                               .fields = {"best"},
                               .without = "draws the field 'best'; write 'fields: [best, best_step]'",
                               .wide = 2,
                               .caption = "best coupling",
                               .along = 2,
                               .overlaid = true,
                               .fault = fault,
                               .build = build};
