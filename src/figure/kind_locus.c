/* Kind `locus`: the eigenvalues along a parameter as curves in the complex plane, a panel for each coupling:
 * of the map with the unit circle, of the continuous system with the imaginary axis.
 *   1. The window: of the map up to a modulus of MOST; of the continuous system all eigenvalues up to
 *      FURTHEST times the largest that crosses the axis. What is outside leaves it, which the figure says.
 *   2. A curve is a polyline, broken where the file says that it is not known how it goes on, and at the
 *      window; its begin has a mark.
 *   3. Crossings of circle or axis are dots: filled where stability begins or ends. Up to NAMED_MOST have
 *      words, the parameter's value and the frequency: beside the dot where it is the only one, else in a
 *      list. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define MOST      1.6  /* larger ones leave the window */
#define FURTHEST  3.0  /* times the largest that passes: larger ones of the continuous system leave it */
#define LINE      0.07 /* of text, of the window's height */
#define ABOVE     0.8  /* of that: from a crossing up to its words */
#define ROOM      0.08 /* of the window beside these */
#define NARROWEST 7    /* cm: what is written beside a crossing has room */
#define GAP       0.03 /* from a crossing to what is written beside it, of the window */

enum { COLUMNS = 2, NAMED_MOST = 6 };

/* The file's axes, behind that of the couplings. */
enum { PARAMETER = 1, CURVE, SAMPLE, CROSSING };

/* What the file has of a coupling: curves x samples, the samples fastest, and crossings. */
typedef struct locus {
    size_t curves, samples, crossings; /* how many */
    double *re, *im;                   /* of each curve at each sample: the eigenvalue */
    uint8_t *joined;                  /* of each of these: 1 where the curve goes on from the sample before */
    double *at_value, *at_re, *at_im; /* of each crossing: the parameter, and the eigenvalue */
    double *frequency;                /* of each crossing, in Hz; NaN: none */
    uint8_t *stability;               /* of each crossing: 0 where no stability ends or begins; NULL in files
                                         of earlier versions: it does at all */
    bool *named;                      /* of each crossing: it has words */
    size_t named_count;               /* of crossings with words */
    bool continuous;                  /* the eigenvalues are the continuous system's, else the map's */
} locus;

static costab_status read_locus(const figure_request *r, const size_t *at, locus *l, costab_error *error) {
    static const int each[] = {CURVE, SAMPLE}, crossing[] = {CROSSING};
    const costab_axis *axes = r->plan->axes;
    memory_local uint8_t *of = NULL;
    *l = (locus){
        .curves = axes[CURVE].count, .samples = axes[SAMPLE].count, .crossings = axes[CROSSING].count};
    const read_item items[] = {{"locus_real", each, 2, .numbers = &l->re},
                               {"locus_imaginary", each, 2, .numbers = &l->im},
                               {"locus_joined", each, 2, .codes = &l->joined},
                               {"crossing_value", crossing, 1, .numbers = &l->at_value},
                               {"crossing_real", crossing, 1, .numbers = &l->at_re},
                               {"crossing_imaginary", crossing, 1, .numbers = &l->at_im},
                               {"crossing_frequency", crossing, 1, .numbers = &l->frequency},
                               {"crossing_stability", crossing, 1, .codes = &l->stability, .optional = true},
                               {"locus_of", NULL, 0, .codes = &of, .optional = true}};
    TRY(read_items(r->results, at, items, sizeof items / sizeof *items, error));
    l->continuous = of != NULL && of[0] == 1;
    return memory_make(&l->named, l->crossings + 1, error);
}

static void free_locus(locus *l) {
    memory_free_all(l->re, l->im, l->at_value, l->at_re, l->at_im, l->frequency, l->joined, l->stability,
                    l->named);
}

/* A curve in the pieces that are joined and within the window. */
static void draw_curve(const scene_panel *p, const locus *l, size_t curve, outline *lines, outline *starts) {
    size_t from = curve * l->samples, first = lines->point_count;
    for (size_t i = 0; i < l->samples; i++) {
        double x = l->re[from + i], y = l->im[from + i];
        bool shown = scene_shows(p, x, y), ends = !shown || l->joined[from + i] != 1;
        if (i == 0 && shown) outline_add_point(starts, x, y, OUTLINE_CUT);
        if (ends) outline_add_loop(lines, first, OUTLINE_CUT, false);
        if (ends) first = lines->point_count;
        if (shown) outline_add_point(lines, x, y, OUTLINE_CUT);
    }
    outline_add_loop(lines, first, OUTLINE_CUT, false);
}

/* "H = 0.01586, 4.246 Hz" */
static const char *crossing_words(const figure_request *r, scene *s, double value, double frequency) {
    char shown[NAMES_NUMBER_MAX];
    text words = {0};
    figure_name(r, r->plan->axes[PARAMETER].labels[0], &words);
    text_printf(&words, " = %s", names_rounded(value, 4, shown));
    if (frequency > 0) text_printf(&words, ", %s Hz", names_rounded(frequency, 4, shown));
    return scene_keep_text(s, &words);
}

/* Words beside a crossing, towards the middle of the window; its number, with the words in a list on top. */
static void put_words(const figure_request *r, scene_panel *p, const locus *l, size_t i) {
    const double x = l->at_re[i], y = l->at_im[i], gap = GAP * (p->x.range[1] - p->x.range[0]);
    const int side = x > 0.5 * (p->x.range[0] + p->x.range[1]) ? -1 : 1;
    const scene_text item = {.x = x + side * gap,
                             .y = y + ABOVE * LINE * (p->y.range[1] - p->y.range[0]),
                             .side = side,
                             .shown = crossing_words(r, p->scene, l->at_value[i], l->frequency[i])};
    scene_put_text(p, &item);
}

static void put_number(const figure_request *r, scene_panel *p, const locus *l, size_t i, int number) {
    double x = l->at_re[i], y = l->at_im[i], turn = l->continuous ? 0 : atan2(y, x);
    double gap = GAP * (p->x.range[1] - p->x.range[0]), line = LINE * (p->y.range[1] - p->y.range[0]);
    text shown = {0}, words = {0};
    text_printf(&shown, "%d", number);
    text_printf(&words, "%d: %s", number, crossing_words(r, p->scene, l->at_value[i], l->frequency[i]));
    scene_put_words(p, x + 1.6 * gap * cos(turn), y + 1.6 * gap * sin(turn), 0, 1,
                    scene_keep_text(p->scene, &shown));
    scene_put_words(p, p->x.range[0] + gap, p->y.range[1] - (number - 0.5) * line, 1, 1,
                    scene_keep_text(p->scene, &words));
}

/* Which crossings have words: those that are shown, of many only the ends of stability. Several have a list
 * on top. */
static void name_crossings(scene_panel *p, locus *l) {
    size_t shown = 0;
    for (size_t i = 0; i < l->crossings; i++) shown += scene_shows(p, l->at_re[i], l->at_im[i]);
    for (size_t i = 0; i < l->crossings && l->named_count < NAMED_MOST; i++) {
        l->named[i] = scene_shows(p, l->at_re[i], l->at_im[i]) &&
                      (shown <= NAMED_MOST || l->stability == NULL || l->stability[i] != 0);
        l->named_count += l->named[i];
    }
    /* Below the list there is room for the number of one on top of the circle. */
    if (l->named_count > 1)
        p->y.range[1] += (double)(l->named_count + 1) * LINE * (p->y.range[1] - p->y.range[0]);
}

static void draw_crossings(const figure_request *r, scene_panel *p, const locus *l) {
    outline dots[2] = {{0}, {0}};
    int number = 0;
    for (size_t i = 0; i < l->crossings; i++) {
        double x = l->at_re[i], y = l->at_im[i];
        if (!scene_shows(p, x, y)) continue;
        outline *into = &dots[l->stability != NULL && l->stability[i] == 0];
        outline_add_point(into, x, y, OUTLINE_CUT);
        if (y > 0) outline_add_point(into, x, -y, OUTLINE_CUT);
        if (l->named[i] && l->named_count == 1) put_words(r, p, l, i);
        if (l->named[i] && l->named_count > 1) put_number(r, p, l, i, ++number);
    }
    scene_put_points(p, "passes", &dots[0]);
    scene_put_points(p, "passes_unstable", &dots[1]);
}

/* The stable half of the plane. */
static void draw_axis(scene_panel *p) {
    outline half = {0}, axis = {0}, lines = {0};
    scene_box(&half, p->x.range[0], p->y.range[0], 0, p->y.range[1]);
    scene_line(&axis, 0, p->y.range[0], 0, p->y.range[1]);
    scene_line(&lines, p->x.range[0], 0, p->x.range[1], 0);
    scene_put(p, SCENE_FILL, "half_plane", &half);
    scene_put(p, SCENE_CURVE, "edge", &axis);
    scene_put(p, SCENE_CURVE, "axes", &lines);
}

static void draw(const figure_request *r, scene_panel *p, const locus *l) {
    outline lines = {0}, starts = {0};
    (l->continuous ? draw_axis : figure_circle)(p);
    for (size_t c = 0; c < l->curves; c++) draw_curve(p, l, c, &lines, &starts);
    scene_put(p, SCENE_CURVE, "locus", &lines);
    scene_put_points(p, "locus_start", &starts);
    draw_crossings(r, p, l);
}

/* The window of the continuous system's eigenvalues: all, but those that are much larger than what passes. */
static void fit_window(const figure_request *r, scene_panel *p, const locus *l) {
    double passing = 0, most = (double)INFINITY, x[2] = {0, 0}, y = 0;
    for (size_t i = 0; i < l->crossings; i++) passing = fmax(passing, hypot(l->at_re[i], l->at_im[i]));
    if (passing > 0) most = FURTHEST * passing;
    for (size_t i = 0; i < l->curves * l->samples; i++) {
        if (!(hypot(l->re[i], l->im[i]) <= most)) {
            if (!isnan(l->re[i]))
                scene_note(p->scene,
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

static costab_status fill_panel(const figure_request *r, scene_panel *p, const size_t *at,
                                costab_error *error) {
    ends_by(free_locus) locus l = {.curves = 0};
    double most = 1;
    TRY(read_locus(r, at, &l, error));
    for (size_t i = 0; i < l.curves * l.samples; i++) {
        double size = fmax(fabs(l.re[i]), fabs(l.im[i]));
        if (size > MOST && !l.continuous)
            scene_note(p->scene, "Eigenvalues beyond 1.6 are not shown; x_range and y_range show them.");
        if (size > most) most = fmin(size, MOST);
    }
    figure_plane(r, p, most);
    p->narrowest = NARROWEST;
    p->scene->columns = COLUMNS;
    if (l.continuous) fit_window(r, p, &l);
    name_crossings(p, &l);
    draw(r, p, &l);
    return COSTAB_OK;
}

const figure_kind kind_locus = {.name = "locus",
                                .fields = {"locus_real"},
                                .without = "draws what 'costab map --over -o' writes",
                                .caption = "eigenvalues",
                                .panel = fill_panel,
                                .alone = true,
                                .window = true};
