/* Kinds of eigenvalues in the complex plane, a panel for each coupling: `map`, of the map of one macro step,
 * and `locus`, along a parameter as curves, of the map or of the continuous system.
 *
 * map: the unit circle and the eigenvalues; marks distinguish those inside, outside and on the circle.
 *
 * locus:
 *   1. The window of a map is the unit circle and eigenvalues up to LOCUS_MOST; that of the continuous system
 *      shows all up to FURTHEST times the largest that crosses the imaginary axis.
 *   2. A curve breaks where the file has no continuation; a mark shows its start.
 *   3. Crossings of the circle or axis are dots, filled if stability begins or ends there. Up to NAMED_MOST
 * have words, the parameter's value and the frequency: next to a single dot, otherwise in a list.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define ROOM 1.15 /* the window's end over the largest eigenvalue */

enum { CORNERS = 180 }; /* of the circle: its chords are off by 1.5e-4 */

/* Sets the axes: the complex plane up to real and imaginary parts `largest`, or the user's ranges. */
static void set_plane(const figure_request *r, scene_panel *p, double largest) {
    for (int k = 0; k < 2; k++) {
        double *range = k == 0 ? p->x.range : p->y.range;
        range[0] = -ROOM * largest;
        range[1] = ROOM * largest;
        figure_apply_range(k == 0 ? &r->figure->x : &r->figure->y, range);
    }
    p->equal = true;
    p->x.label = "real part";
    p->y.label = "imaginary part";
}

static void draw_circle(scene_panel *p) {
    double corners[CORNERS][2];
    outline disc = {0}, circle = {0};
    for (int i = 0; i < CORNERS; i++) {
        corners[i][0] = cos(2 * acos(-1.0) * i / CORNERS);
        corners[i][1] = sin(2 * acos(-1.0) * i / CORNERS);
    }
    outline_polygon(&disc, (const double(*)[2])corners, CORNERS, OUTLINE_CUT);
    outline_append(&circle, &disc);
    scene_put(p, SCENE_FILL, "disc", &disc);
    scene_put(p, SCENE_CURVE, "edge", &circle);
}

/* ---- Map */

#define NEUTRAL                                                                                              \
    1e-6 /* distance from the circle of eigenvalues drawn as on it; a verdict uses its own bound */
#define MAP_MOST 1e3 /* larger real or imaginary parts are outside the window */

static costab_status fill_map(const figure_request *r, scene_panel *p, const size_t *at,
                              costab_error *error) {
    static const char *const styles[] = {"inside", "outside", "neutral"};
    const int axis = costab_plan_axis(r->plan, "eigenvalue");
    const size_t count = axis >= 0 ? r->plan->axes[axis].count : 0;
    memory_local double *re = NULL, *im = NULL;
    outline dots[3] = {{0}, {0}, {0}};
    double largest = 1;
    const read_item items[] = {{"eigenvalue_real", .numbers = &re}, {"eigenvalue_imaginary", .numbers = &im}};
    TRY(read_items(r->results, at, &axis, 1, items, 2, error));
    for (size_t i = 0; i < count; i++) {
        const double size = fmax(fabs(re[i]), fabs(im[i]));
        if (size <= MAP_MOST) largest = fmax(largest, size);
    }
    set_plane(r, p, largest);
    draw_circle(p);
    for (size_t i = 0; i < count; i++) {
        const double size = hypot(re[i], im[i]);
        const bool shown = scene_shows(p, re[i], im[i]);
        if (!shown && fmax(fabs(re[i]), fabs(im[i])) > MAP_MOST)
            scene_note(p->scene, "Eigenvalues beyond 1000 are not shown; x_range and y_range show them.");
        if (shown)
            outline_add_point(&dots[fabs(size - 1) <= NEUTRAL ? 2 : size > 1], re[i], im[i], OUTLINE_CUT);
    }
    for (int k = 0; k < 3; k++) scene_put_points(p, styles[k], &dots[k]);
    return COSTAB_OK;
}

const figure_kind kind_map = {.name = "map",
                              .systems = FIGURE_NETWORK,
                              .fields = {"eigenvalue_real"},
                              .without = "draws what 'costab map -o' writes",
                              .caption = "eigenvalues",
                              .alone = true,
                              .window = true,
                              .panel = fill_map};

/* ---- Locus: reading */

#define LOCUS_MOST 1.6  /* larger eigenvalues of a map are outside the window */
#define FURTHEST   3.0  /* times the largest crossing: larger ones of the continuous system are outside */
#define LINE       0.07 /* of the window's height: a line of text */
#define BORDER     0.08 /* of the range of the continuous system's eigenvalues */
#define NARROWEST  7    /* cm: the words beside a crossing have space */
#define GAP        0.03 /* of the window: from a crossing to its words */

enum { COLUMNS = 2, NAMED_MOST = 6 };

/* The axes of the file after that of the couplings. */
enum { PARAMETER = 1, CURVE, SAMPLE, CROSSING };

/* The fields of a coupling: curves x samples, the samples fastest, and crossings. */
typedef struct locus {
    size_t curves, samples, crossings;
    double *re, *im;
    uint8_t *joined;                  /* 1: the curve continues from the sample before */
    double *at_value, *at_re, *at_im; /* of a crossing: the parameter and the eigenvalue */
    double *frequency;                /* in Hz; NaN: none */
    uint8_t *stability;               /* 0: stability does not begin or end; NULL in older files: it does */
    bool *named;                      /* the crossing has words */
    size_t named_count;
    bool continuous; /* eigenvalues of the continuous system, otherwise of the map */
} locus;

static void free_locus(locus *l) {
    memory_free_all(l->re, l->im, l->at_value, l->at_re, l->at_im, l->frequency, l->joined, l->stability,
                    l->named);
}

static costab_status read_locus(const figure_request *r, const size_t *at, locus *l, costab_error *error) {
    static const int each[] = {CURVE, SAMPLE}, crossing[] = {CROSSING};
    const costab_axis *axes = r->plan->axes;
    memory_local uint8_t *of = NULL;
    *l = (locus){
        .curves = axes[CURVE].count, .samples = axes[SAMPLE].count, .crossings = axes[CROSSING].count};
    const read_item curves[] = {{"locus_real", .numbers = &l->re},
                                {"locus_imaginary", .numbers = &l->im},
                                {"locus_joined", .codes = &l->joined}};
    const read_item crossings[] = {{"crossing_value", .numbers = &l->at_value},
                                   {"crossing_real", .numbers = &l->at_re},
                                   {"crossing_imaginary", .numbers = &l->at_im},
                                   {"crossing_frequency", .numbers = &l->frequency},
                                   {"crossing_stability", .codes = &l->stability, .optional = true}};
    const read_item kind = {"locus_of", .codes = &of, .optional = true};
    TRY(read_items(r->results, at, each, 2, curves, 3, error));
    TRY(read_items(r->results, at, crossing, 1, crossings, 5, error));
    TRY(read_items(r->results, at, NULL, 0, &kind, 1, error));
    l->continuous = of != NULL && of[0] == 1;
    return memory_make(&l->named, l->crossings + 1, error);
}

/* ---- Locus: the window */

static void set_window(const figure_request *r, scene_panel *p, const locus *l) {
    double largest = 1;
    for (size_t i = 0; i < l->curves * l->samples; i++) {
        const double size = fmax(fabs(l->re[i]), fabs(l->im[i]));
        if (size > LOCUS_MOST)
            scene_note(p->scene, "Eigenvalues beyond 1.6 are not shown; x_range and y_range show them.");
        if (size > largest) largest = fmin(size, LOCUS_MOST);
    }
    set_plane(r, p, largest);
}

static void set_continuous_window(const figure_request *r, scene_panel *p, const locus *l) {
    double crossing = 0, x[2] = {0, 0}, y = 0;
    for (size_t i = 0; i < l->crossings; i++) crossing = fmax(crossing, hypot(l->at_re[i], l->at_im[i]));
    const double most = crossing > 0 ? FURTHEST * crossing : HUGE_VAL;
    for (size_t i = 0; i < l->curves * l->samples; i++) {
        const double size = hypot(l->re[i], l->im[i]);
        if (size > most)
            scene_note(p->scene, "Eigenvalues much larger than those that pass are not shown; x_range and "
                                 "y_range show them.");
        if (!(size <= most)) continue;
        x[0] = fmin(x[0], l->re[i]);
        x[1] = fmax(x[1], l->re[i]);
        y = fmax(y, fabs(l->im[i]));
    }
    const double width = x[1] > x[0] ? x[1] - x[0] : 1, height = y > 0 ? y : 0.5 * width;
    p->x.range[0] = x[0] - BORDER * width;
    p->x.range[1] = x[1] + BORDER * width;
    p->y.range[0] = -(1 + 2 * BORDER) * height;
    p->y.range[1] = (1 + 2 * BORDER) * height;
    figure_apply_range(&r->figure->x, p->x.range);
    figure_apply_range(&r->figure->y, p->y.range);
    p->x.label = "real part (1/s)";
    p->y.label = "imaginary part (1/s)";
}

/* ---- Locus: crossings */

/* Chooses the crossings with words: the visible ones, of many only the ends of stability. Several get a list
 * on top, for which the window grows. */
static void name_crossings(scene_panel *p, locus *l) {
    size_t shown = 0;
    for (size_t i = 0; i < l->crossings; i++) shown += scene_shows(p, l->at_re[i], l->at_im[i]);
    for (size_t i = 0; i < l->crossings && l->named_count < NAMED_MOST; i++) {
        l->named[i] = scene_shows(p, l->at_re[i], l->at_im[i]) &&
                      (shown <= NAMED_MOST || l->stability == NULL || l->stability[i] != 0);
        l->named_count += l->named[i];
    }
    if (l->named_count > 1)
        p->y.range[1] += (double)(l->named_count + 1) * LINE * (p->y.range[1] - p->y.range[0]);
}

/* Appends "H = 0.01586, 4.246 Hz". */
static void say_crossing(const figure_request *r, const locus *l, size_t i, text *to) {
    char shown[NAMES_NUMBER_MAX];
    const char *parameter = r->plan->axes[PARAMETER].labels[0];
    figure_name(r, parameter, to);
    text_append(to, " = ");
    figure_parameter_value(r, parameter, l->at_value[i], 4, to);
    if (l->frequency[i] > 0) text_printf(to, ", %s Hz", names_rounded(l->frequency[i], 4, shown));
}

/* Adds the words of the only crossing, towards the middle of the window. */
static void put_words(const figure_request *r, scene_panel *p, const locus *l, size_t i) {
    const double *x = p->x.range, *y = p->y.range;
    const int side = l->at_re[i] > 0.5 * (x[0] + x[1]) ? -1 : 1;
    text words = {0};
    say_crossing(r, l, i, &words);
    scene_put_text(p, &(scene_text){.x = l->at_re[i] + side * GAP * (x[1] - x[0]),
                                    .y = l->at_im[i] + 0.8 * LINE * (y[1] - y[0]),
                                    .side = side,
                                    .shown = scene_keep_text(p->scene, &words)});
}

/* Adds the number of a crossing next to it, and its words to the list. */
static void put_number(const figure_request *r, scene_panel *p, const locus *l, size_t i, int number) {
    const double x = l->at_re[i], y = l->at_im[i], turn = l->continuous ? 0 : atan2(y, x),
                 gap = GAP * (p->x.range[1] - p->x.range[0]), line = LINE * (p->y.range[1] - p->y.range[0]);
    text shown = {0}, words = {0};
    text_printf(&shown, "%d", number);
    text_printf(&words, "%d: ", number);
    say_crossing(r, l, i, &words);
    scene_put_words(p, x + 1.6 * gap * cos(turn), y + 1.6 * gap * sin(turn), 0, 1,
                    scene_keep_text(p->scene, &shown));
    scene_put_words(p, p->x.range[0] + gap, p->y.range[1] - (number - 0.5) * line, 1, 1,
                    scene_keep_text(p->scene, &words));
}

static void draw_crossings(const figure_request *r, scene_panel *p, const locus *l) {
    outline dots[2] = {{0}, {0}};
    int number = 0;
    for (size_t i = 0; i < l->crossings; i++) {
        const double x = l->at_re[i], y = l->at_im[i];
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

/* ---- Locus: curves */

/* Draws the imaginary axis and the stable half of the plane. */
static void draw_half_plane(scene_panel *p) {
    outline half = {0}, axis = {0};
    scene_box(&half, p->x.range[0], p->y.range[0], 0, p->y.range[1]);
    scene_line(&axis, 0, p->y.range[0], 0, p->y.range[1]);
    scene_put(p, SCENE_FILL, "half_plane", &half);
    scene_put(p, SCENE_CURVE, "edge", &axis);
}

static void draw_curves(scene_panel *p, const locus *l) {
    outline lines = {0}, starts = {0};
    for (size_t c = 0; c < l->curves; c++) {
        const double *re = l->re + c * l->samples, *im = l->im + c * l->samples;
        if (scene_shows(p, re[0], im[0])) outline_add_point(&starts, re[0], im[0], OUTLINE_CUT);
        for (size_t from = 0, to; from < l->samples; from = to) {
            for (to = from + 1; to < l->samples && l->joined[c * l->samples + to] == 1;) to++;
            scene_polyline(&lines, re + from, im + from, to - from);
        }
    }
    scene_put(p, SCENE_CURVE, "locus", &lines);
    scene_put_points(p, "locus_start", &starts);
}

static costab_status fill_locus(const figure_request *r, scene_panel *p, const size_t *at,
                                costab_error *error) {
    ends_by(free_locus) locus l = {.curves = 0};
    TRY(read_locus(r, at, &l, error));
    p->narrowest = NARROWEST;
    p->scene->columns = COLUMNS;
    (l.continuous ? set_continuous_window : set_window)(r, p, &l);
    name_crossings(p, &l);
    (l.continuous ? draw_half_plane : draw_circle)(p);
    draw_curves(p, &l);
    draw_crossings(r, p, &l);
    return COSTAB_OK;
}

const figure_kind kind_locus = {.name = "locus",
                                .systems = FIGURE_NETWORK,
                                .fields = {"locus_real"},
                                .without = "draws what 'costab map --over -o' writes",
                                .caption = "eigenvalues",
                                .panel = fill_locus,
                                .alone = true,
                                .window = true};
