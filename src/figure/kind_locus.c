/* Kind `locus`: the eigenvalues of the map along a parameter as curves in the unit circle, a panel for each
 * coupling, or of the continuous system beside the imaginary axis; where they pass with the parameter's value
 * and the frequency. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/read.h"
#include "figure/rich.h"

#define MOST      1.6  /* larger ones leave the window */
#define FURTHEST  3.0  /* times the largest that passes: larger ones of the continuous system leave it */
#define LINE      0.07 /* of text, of the window's height */
#define ABOVE     0.8  /* of that: from a crossing up to its words */
#define ROOM      0.08 /* of the window beside these */
#define NARROWEST 7    /* cm: what is written beside a crossing has room */
#define GAP       0.03 /* from a crossing to what is written beside it, of the window */

enum { COLUMNS = 2, NAMED_MOST = 6 };

enum { PARAMETER = 1, CURVE, SAMPLE, CROSSING };

static const char *fault(const figure_request *r) {
    return figure_has_field(r, "locus_real") ? NULL : "'locus' draws what 'costab map --over -o' writes";
}

/* What the file has of a coupling. */
typedef struct locus {
    size_t curves, samples, crossings;
    double *re, *im, *at, *at_re, *at_im, *frequency;
    uint8_t *joined;
    uint8_t *stability; /* NULL in files of earlier versions: all crossings are ends */
    bool continuous;
    bool *named; /* of each crossing: it has words */
    size_t named_count;
} locus;

static costab_status read_locus(const figure_request *r, const size_t *at, locus *l, costab_error *error) {
    static const int each[] = {CURVE, SAMPLE}, crossing[] = {CROSSING};
    const costab_axis *axes = r->plan->axes;
    uint8_t *of = NULL;
    *l = (locus){axes[CURVE].count, axes[SAMPLE].count, .crossings = axes[CROSSING].count};
    costab_status status = read_numbers(r->results, "locus_real", at, each, 2, &l->re, error);
    if (!status) status = read_numbers(r->results, "locus_imaginary", at, each, 2, &l->im, error);
    if (!status)
        status = read_field(r->results, "locus_joined", COSTAB_U8, at, each, 2, (void **)&l->joined, error);
    if (!status && l->joined == NULL) status = read_missing(r->results, "locus_joined", error);
    if (!status) status = read_numbers(r->results, "crossing_value", at, crossing, 1, &l->at, error);
    if (!status) status = read_numbers(r->results, "crossing_real", at, crossing, 1, &l->at_re, error);
    if (!status) status = read_numbers(r->results, "crossing_imaginary", at, crossing, 1, &l->at_im, error);
    if (!status)
        status = read_numbers(r->results, "crossing_frequency", at, crossing, 1, &l->frequency, error);
    if (!status)
        status = read_field(r->results, "crossing_stability", COSTAB_U8, at, crossing, 1,
                            (void **)&l->stability, error);
    if (!status) status = read_field(r->results, "locus_of", COSTAB_U8, at, NULL, 0, (void **)&of, error);
    l->continuous = !status && of != NULL && of[0] == 1;
    memory_free(of);
    l->named = memory_alloc(l->crossings + 1, sizeof *l->named);
    return status || l->named ? status : error_memory(error);
}

static void free_locus(locus *l) {
    memory_free_all(l->re, l->im, l->at, l->at_re, l->at_im, l->frequency, l->joined, l->stability, l->named);
}

static bool is_shown(const scene_panel *p, double x, double y) {
    return x >= p->x.range[0] && x <= p->x.range[1] && y >= p->y.range[0] && y <= p->y.range[1];
}

/* A curve in the pieces that are joined and within the window. */
static costab_status draw_curve(const scene_panel *p, const locus *l, size_t curve, outline *lines,
                                outline *starts, costab_error *error) {
    size_t from = curve * l->samples, first = lines->point_count;
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < l->samples && !status; i++) {
        double x = l->re[from + i], y = l->im[from + i];
        bool shown = is_shown(p, x, y), ends = !shown || l->joined[from + i] != 1;
        if (i == 0 && shown) status = outline_add_point(starts, x, y, OUTLINE_CUT, error);
        if (!status && ends && lines->point_count > first)
            status = outline_add_loop(lines, first, OUTLINE_CUT, false, error);
        if (ends) first = lines->point_count;
        if (!status && shown) status = outline_add_point(lines, x, y, OUTLINE_CUT, error);
    }
    if (!status && lines->point_count > first)
        status = outline_add_loop(lines, first, OUTLINE_CUT, false, error);
    return status;
}

/* "H = 0.01586, 4.246 Hz" */
static const char *crossing_words(const figure_request *r, scene *s, double value, double frequency) {
    char number[32], shown[RICH_NUMBER_MAX];
    text words = {0};
    figure_name(r, r->plan->axes[PARAMETER].labels[0], &words);
    text_format(number, sizeof number, "%.4g", value);
    text_printf(&words, " = %s", rich_number(strtod(number, NULL), shown));
    text_format(number, sizeof number, "%.4g", frequency);
    if (frequency > 0) text_printf(&words, ", %s Hz", rich_number(strtod(number, NULL), shown));
    return scene_keep_text(s, &words);
}

/* Words beside a crossing; its number, with the words in a list on top. */
static void put_words(const figure_request *r, scene *s, scene_panel *p, const locus *l, size_t i) {
    double x = l->at_re[i], y = l->at_im[i], gap = GAP * (p->x.range[1] - p->x.range[0]);
    int side = x < 0 && !l->continuous ? -1 : 1;
    const scene_text item = {.x = x + side * gap,
                             .y = y + ABOVE * LINE * (p->y.range[1] - p->y.range[0]),
                             .side = side,
                             .turn = 2 * gap,
                             .shown = crossing_words(r, s, l->at[i], l->frequency[i])};
    scene_put_text(s, p, &item);
}

static void put_number(const figure_request *r, scene *s, scene_panel *p, const locus *l, size_t i,
                       int number) {
    double x = l->at_re[i], y = l->at_im[i], turn = l->continuous ? 0 : atan2(y, x);
    double gap = GAP * (p->x.range[1] - p->x.range[0]), line = LINE * (p->y.range[1] - p->y.range[0]);
    text shown = {0}, words = {0};
    text_printf(&shown, "%d", number);
    text_printf(&words, "%d: %s", number, crossing_words(r, s, l->at[i], l->frequency[i]));
    scene_put_text(s, p,
                   &(scene_text){.x = x + 1.6 * gap * cos(turn),
                                 .y = y + 1.6 * gap * sin(turn),
                                 .bare = true,
                                 .shown = scene_keep_text(s, &shown)});
    scene_put_text(s, p,
                   &(scene_text){.x = p->x.range[0] + gap,
                                 .y = p->y.range[1] - (number - 0.5) * line,
                                 .side = 1,
                                 .bare = true,
                                 .shown = scene_keep_text(s, &words)});
}

/* Which crossings have words: those that are shown, of many only the ends of stability. Several have a list
 * on top. */
static void name_crossings(scene_panel *p, locus *l) {
    size_t shown = 0;
    for (size_t i = 0; i < l->crossings; i++) shown += is_shown(p, l->at_re[i], l->at_im[i]);
    for (size_t i = 0; i < l->crossings && l->named_count < NAMED_MOST; i++) {
        l->named[i] = is_shown(p, l->at_re[i], l->at_im[i]) &&
                      (shown <= NAMED_MOST || l->stability == NULL || l->stability[i] != 0);
        l->named_count += l->named[i];
    }
    /* Below the list there is room for the number of one on top of the circle. */
    if (l->named_count > 1)
        p->y.range[1] += (double)(l->named_count + 1) * LINE * (p->y.range[1] - p->y.range[0]);
}

static costab_status draw_crossings(const figure_request *r, scene *s, scene_panel *p, const locus *l,
                                    costab_error *error) {
    outline dots[2] = {{0}, {0}};
    costab_status status = COSTAB_OK;
    int number = 0;
    for (size_t i = 0; i < l->crossings && !status; i++) {
        double x = l->at_re[i], y = l->at_im[i];
        if (!is_shown(p, x, y)) continue;
        outline *into = &dots[l->stability != NULL && l->stability[i] == 0];
        status = outline_add_point(into, x, y, OUTLINE_CUT, error);
        if (!status && y > 0) status = outline_add_point(into, x, -y, OUTLINE_CUT, error);
        if (l->named[i] && l->named_count == 1) put_words(r, s, p, l, i);
        if (l->named[i] && l->named_count > 1) put_number(r, s, p, l, i, ++number);
    }
    for (int k = 0; k < 2; k++) {
        if (!status) status = outline_add_loop(&dots[k], 0, OUTLINE_CUT, false, error);
        scene_put(s, p, SCENE_POINTS, k == 0 ? "passes" : "passes_unstable", &dots[k]);
    }
    return status;
}

/* The stable half of the plane. */
static costab_status draw_axis(scene *s, scene_panel *p, costab_error *error) {
    outline half = {0}, axis = {0}, lines = {0};
    costab_status status = scene_box(&half, p->x.range[0], p->y.range[0], 0, p->y.range[1], error);
    if (!status) status = scene_line(&axis, 0, p->y.range[0], 0, p->y.range[1], error);
    if (!status) status = scene_line(&lines, p->x.range[0], 0, p->x.range[1], 0, error);
    scene_put(s, p, SCENE_FILL, "half_plane", &half);
    scene_put(s, p, SCENE_CURVE, "edge", &axis);
    scene_put(s, p, SCENE_CURVE, "axes", &lines);
    return status;
}

static costab_status draw(const figure_request *r, scene *s, scene_panel *p, const locus *l,
                          costab_error *error) {
    outline lines = {0}, starts = {0};
    costab_status status = (l->continuous ? draw_axis : figure_circle)(s, p, error);
    for (size_t c = 0; c < l->curves && !status; c++) status = draw_curve(p, l, c, &lines, &starts, error);
    if (!status) status = outline_add_loop(&starts, 0, OUTLINE_CUT, false, error);
    scene_put(s, p, SCENE_CURVE, "locus", &lines);
    scene_put(s, p, SCENE_POINTS, "locus_start", &starts);
    return status ? status : draw_crossings(r, s, p, l, error);
}

/* The window of the continuous system's eigenvalues: all, but those that are much larger than what passes. */
static void fit_window(const figure_request *r, scene *s, scene_panel *p, const locus *l) {
    double passing = 0, most = (double)INFINITY, x[2] = {0, 0}, y = 0;
    for (size_t i = 0; i < l->crossings; i++) passing = fmax(passing, hypot(l->at_re[i], l->at_im[i]));
    if (passing > 0) most = FURTHEST * passing;
    for (size_t i = 0; i < l->curves * l->samples; i++) {
        if (!(hypot(l->re[i], l->im[i]) <= most)) {
            if (!isnan(l->re[i]))
                scene_note(s,
                           "Eigenvalues much larger than those that pass are not shown; x_range and y_range "
                           "show them.");
            continue;
        }
        x[0] = fmin(x[0], l->re[i]);
        x[1] = fmax(x[1], l->re[i]);
        y = fmax(y, fabs(l->im[i]));
    }
    double width = x[1] - x[0] > 0 ? x[1] - x[0] : 1, height = y > 0 ? y : 0.5 * width;
    p->equal = false;
    p->x.range[0] = x[0] - ROOM * width;
    p->x.range[1] = x[1] + ROOM * width;
    p->y.range[0] = -(1 + 2 * ROOM) * height;
    p->y.range[1] = (1 + 2 * ROOM) * height;
    figure_ask_range(&r->figure->x, p->x.range);
    figure_ask_range(&r->figure->y, p->y.range);
    p->x.label = "real part (1/s)";
    p->y.label = "imaginary part (1/s)";
}

static costab_status add_panel(const figure_request *r, scene *s, const size_t *at, costab_error *error) {
    locus l;
    double most = 1;
    scene_panel *p = scene_add_panel(s);
    if (!p) return scene_status(s, r->path, error);
    costab_status status = read_locus(r, at, &l, error);
    for (size_t i = 0; i < l.curves * l.samples && !status; i++) {
        double size = fmax(fabs(l.re[i]), fabs(l.im[i]));
        if (size > MOST && !l.continuous)
            scene_note(s, "Eigenvalues beyond 1.6 are not shown; x_range and y_range show them.");
        if (size > most) most = fmin(size, MOST);
    }
    figure_plane(r, s, p, at, most);
    if (l.continuous) fit_window(r, s, p, &l);
    p->narrowest = NARROWEST;
    s->columns = COLUMNS;
    if (!status) name_crossings(p, &l);
    if (!status) status = draw(r, s, p, &l, error);
    free_locus(&l);
    return status;
}

const figure_kind kind_locus = {.name = "locus",
                                .over = "coupling",
                                .slices = figure_over_slices,
                                .fault = fault,
                                .panel = add_panel,
                                .alone = true,
                                .window = true};
