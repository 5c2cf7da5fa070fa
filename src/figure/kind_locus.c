/* Kind `locus`: the eigenvalues of the map along a parameter as curves in the unit circle, a panel for each
 * coupling; where stability begins or ends with the parameter's value and the frequency. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/read.h"
#include "figure/rich.h"

#define MOST      1.6  /* larger ones leave the window */
#define NARROWEST 7    /* cm: what is written beside a crossing has room */
#define GAP       0.03 /* from a crossing to what is written beside it, of the window */

enum { PARAMETER = 1, CURVE, SAMPLE, CROSSING };

static const char *fault(const figure_request *r) {
    return figure_has_field(r, "locus_real") ? NULL : "'locus' draws what 'costab map --over -o' writes";
}

/* What the file has of a coupling. */
typedef struct locus {
    size_t curves, samples, crossings;
    double *re, *im, *at, *at_re, *at_im, *frequency;
    uint8_t *joined;
} locus;

static costab_status read_locus(const figure_request *r, const size_t *at, locus *l, costab_error *error) {
    static const int each[] = {CURVE, SAMPLE}, crossing[] = {CROSSING};
    const costab_axis *axes = r->plan->axes;
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
    return status;
}

static void free_locus(locus *l) {
    memory_free_all(l->re, l->im, l->at, l->at_re, l->at_im, l->frequency, l->joined);
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

static costab_status draw_crossings(const figure_request *r, scene *s, scene_panel *p, const locus *l,
                                    costab_error *error) {
    outline dots = {0};
    costab_status status = COSTAB_OK;
    double gap = GAP * (p->x.range[1] - p->x.range[0]);
    for (size_t i = 0; i < l->crossings && !status; i++) {
        double x = l->at_re[i], y = l->at_im[i];
        if (!is_shown(p, x, y)) continue;
        status = outline_add_point(&dots, x, y, OUTLINE_CUT, error);
        if (!status && y > 0) status = outline_add_point(&dots, x, -y, OUTLINE_CUT, error);
        const scene_text item = {.x = x + (x < 0 ? -gap : gap),
                                 .y = y + 0.5 * gap,
                                 .side = x < 0 ? -1 : 1,
                                 .turn = 2 * gap,
                                 .shown = crossing_words(r, s, l->at[i], l->frequency[i])};
        scene_put_text(s, p, &item);
    }
    if (!status) status = outline_add_loop(&dots, 0, OUTLINE_CUT, false, error);
    scene_put(s, p, SCENE_POINTS, "passes", &dots);
    return status;
}

static costab_status draw(const figure_request *r, scene *s, scene_panel *p, const locus *l,
                          costab_error *error) {
    outline lines = {0}, starts = {0};
    costab_status status = figure_circle(s, p, error);
    for (size_t c = 0; c < l->curves && !status; c++) status = draw_curve(p, l, c, &lines, &starts, error);
    if (!status) status = outline_add_loop(&starts, 0, OUTLINE_CUT, false, error);
    scene_put(s, p, SCENE_CURVE, "locus", &lines);
    scene_put(s, p, SCENE_POINTS, "locus_start", &starts);
    return status ? status : draw_crossings(r, s, p, l, error);
}

static costab_status add_panel(const figure_request *r, scene *s, const size_t *at, costab_error *error) {
    locus l;
    double most = 1;
    scene_panel *p = scene_add_panel(s);
    if (!p) return scene_status(s, r->path, error);
    costab_status status = read_locus(r, at, &l, error);
    for (size_t i = 0; i < l.curves * l.samples && !status; i++) {
        double size = fmax(fabs(l.re[i]), fabs(l.im[i]));
        if (size > MOST)
            scene_note(s, "Eigenvalues beyond 1.6 are not shown; x_range and y_range show them.");
        if (size > most) most = fmin(size, MOST);
    }
    figure_plane(r, s, p, at, most);
    p->narrowest = NARROWEST;
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
