/* Kind `tornado`: how far each quantity may go before the class changes, as factors on a logarithmic axis,
 * the nearest change on top; a panel for each coupling. Of each row its name stands above the bar, and below
 * it, to either side, the factor with what passes its limit there, its frequency and the subsystem to blame.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define DECADES_LEAST 0.25 /* of the axis, each way */
#define DECADES_MOST  1.3  /* changes beyond have their number at the edge */
#define BEYOND        1.1  /* of the axis over the furthest change */
#define ROW_CM        1.0  /* of a row: */
#define BAR_FROM      0.36 /* its bar, */
#define BAR_TO        0.64
#define NAME_AT       0.84 /* the middle of its name, and of what is said of its sides */
#define SIDE_AT       0.17
#define SIDE_SIZE     0.75 /* of that type */
#define RIM           0.02 /* of the panel's width: an arrow */
#define SIDES_CM      6.5  /* that what is said of both sides may take */
#define NARROWEST     8    /* cm: what is said of both sides of a bar has room */
#define ROW_LEAST_CM  0.8  /* of a row, so that its words do not meet those of the next */
#define FRAME_CM      3.4  /* of a figure's height: title, caption, numbers, legend */
enum { ROWS_MAX = 15 };

/* One quantity: its factors below and above, NaN where nothing changes. */
typedef struct tornado_row {
    const char *name;
    double factor[2];
    read_word cause[2];   /* what passes its limit */
    const char *blame[2]; /* the subsystem most in that mode; "": none */
    double frequency[2];  /* in Hz; NaN: none */
    double nearest; /* the smaller |log10 factor| of both sides; infinite where neither factor is positive */
    size_t place;   /* along the file's axis `margin` */
} tornado_row;

static const char *fault(const figure_request *r) {
    if (r->figure->y.from < r->figure->y.to) return "'tornado' shows all rows; leave y_range out";
    return figure_has_words(r, "margin") && figure_values(r, "side") == 2
               ? NULL
               : "'tornado' draws what 'costab margin -o' writes";
}

/* Delays, radii and disk margins are no factors of a quantity. */
static bool is_factor(const char *name) {
    return strncmp(name, "delay ", 6) != 0 && strncmp(name, "radius ", 7) != 0 &&
           strncmp(name, "disk ", 5) != 0;
}

/* Where the bar of one side ends: at the change, if its factor is positive and within the panel; else at the
 * panel's edge. */
static double end_of(double factor, double edge) {
    return factor > 0 && fabs(log10(factor)) < fabs(edge) ? log10(factor) : edge;
}

/* The nearest change first; then changes at factors of 0 or below; then quantities without a change. */
static int compare(const void *left, const void *right) {
    const tornado_row *a = left, *b = right;
    if (a->nearest != b->nearest) return a->nearest < b->nearest ? -1 : 1;
    bool change_a = !isnan(a->factor[0]) || !isnan(a->factor[1]),
         change_b = !isnan(b->factor[0]) || !isnan(b->factor[1]);
    if (change_a != change_b) return change_a ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* What the file has of a coupling: along the margins and the sides, shares over the subsystems too. */
typedef struct tornado_file {
    const costab_axis *names, *subsystems;
    double *factor, *nominal, *frequency, *share;
    uint8_t *cause;
    const costab_field *causes; /* what its codes mean */
} tornado_file;

/* The subsystem with the largest share. */
static const char *blame_of(const tornado_file *f, size_t at) {
    const double *shares = f->share + at * f->subsystems->count;
    size_t most = 0;
    for (size_t k = 1; k < f->subsystems->count; k++)
        if (shares[k] > shares[most]) most = k;
    return shares[most] > 0 ? f->subsystems->labels[most] : "";
}

/* Of both sides: what passes its limit there, its frequency and the subsystem to blame. */
static void set_sides(const tornado_file *f, tornado_row *row) {
    for (int k = 0; k < 2; k++) {
        size_t at = 2 * row->place + (size_t)k;
        row->blame[k] = "";
        row->frequency[k] = f->frequency ? f->frequency[at] : (double)NAN;
        if (f->cause) row->cause[k] = read_meaning(f->causes, f->cause[at]);
        if (f->share) row->blame[k] = blame_of(f, at);
    }
}

/* The rows of a coupling, sorted. A quantity whose nominal value is 0, or that the coupling does not have,
 * has no row. */
static size_t rows_of(const tornado_file *f, tornado_row *rows) {
    size_t count = 0;
    for (size_t i = 0; i < f->names->count; i++) {
        tornado_row row = {.name = f->names->labels[i], .nearest = (double)INFINITY, .place = i};
        memcpy(row.factor, f->factor + 2 * i, sizeof row.factor);
        if (!is_factor(row.name) || !(fabs(f->nominal[2 * i]) > 0)) continue;
        set_sides(f, &row);
        for (int k = 0; k < 2; k++)
            if (row.factor[k] > 0) row.nearest = fmin(row.nearest, fabs(log10(row.factor[k])));
        rows[count++] = row;
    }
    qsort(rows, count, sizeof *rows, compare);
    return count;
}

/* Three digits, with a true minus sign. */
static const char *three_digits(double factor, char shown[NAMES_NUMBER_MAX]) {
    char digits[32];
    double size = fabs(factor);
    if (size > 0 && (size < 1e-4 || size >= 1e4)) return names_rounded(factor, 3, shown);
    text_format(digits, sizeof digits, size >= 100 ? "%.0f" : "%#.3g", size);
    text_format(shown, NAMES_NUMBER_MAX, "%s%s", size > 0 ? names_sign(factor) : "", size > 0 ? digits : "0");
    return shown;
}

static bool passes(const tornado_row *row, int k, const char *cause) {
    return row->cause[k].size == strlen(cause) &&
           strncmp(row->cause[k].start, cause, row->cause[k].size) == 0;
}

/* What stands below the bar: the factor, and what is known of the change. A frequency says that it is an
 * oscillation; a fold has none. */
static void say_side(const tornado_row *row, int k, text *to) {
    char number[NAMES_NUMBER_MAX], hertz[NAMES_NUMBER_MAX];
    const bool oscillates = passes(row, k, "oscillation") && row->frequency[k] > 0;
    text_append(to, three_digits(row->factor[k], number));
    if (!oscillates && row->cause[k].size > 0)
        text_printf(to, " %.*s", (int)row->cause[k].size, row->cause[k].start);
    if (row->frequency[k] > 0 && !passes(row, k, "fold"))
        text_printf(to, "%s %s Hz", oscillates ? "," : "", names_rounded(row->frequency[k], 3, hertz));
    if (row->blame[k][0]) text_append(to, ", ");
    names_plain(to, row->blame[k]);
}

/* Both sides, or the factors alone where these words would meet. */
static void put_sides(scene_panel *p, const tornado_row *row, double low) {
    const double gap = 0.012 * (p->x.range[1] - p->x.range[0]);
    const char *said[2] = {"", ""};
    for (int k = 0; k < 2; k++) {
        text words = {0};
        if (!isnan(row->factor[k])) say_side(row, k, &words);
        said[k] = scene_keep_text(p->scene, &words);
    }
    const bool meet =
        said[0][0] && said[1][0] && SIDE_SIZE * (names_width(said[0]) + names_width(said[1])) > SIDES_CM;
    for (int k = 0; k < 2; k++) {
        char number[NAMES_NUMBER_MAX];
        if (!said[k][0]) continue;
        scene_put_words(p, p->x.range[k] + (k == 0 ? gap : -gap), low + SIDE_AT, k == 0 ? 1 : -1, SIDE_SIZE,
                        meet ? three_digits(row->factor[k], number) : said[k]);
    }
}

/* A bar from the nominal value to the change; an arrow where that lies beyond the panel. */
static void draw_side(scene_panel *p, const tornado_row *row, int k, double low, outline *bars,
                      outline *arrows) {
    const double edge = p->x.range[k], to = end_of(row->factor[k], edge), from = low + BAR_FROM,
                 up = low + BAR_TO, back = (k == 0 ? RIM : -RIM) * (p->x.range[1] - p->x.range[0]);
    const double corners[3][2] = {{edge, 0.5 * (from + up)}, {edge + back, from}, {edge + back, up}};
    scene_box(bars, fmin(0, to), from, fmax(0, to), up);
    if (to == edge && !isnan(row->factor[k])) outline_polygon(arrows, corners, 3, OUTLINE_CUT);
}

static void put_name(const figure_request *r, scene_panel *p, const char *name, double low) {
    text shown = {0};
    figure_name(r, name, &shown);
    scene_put_words(p, p->x.range[0] + 0.012 * (p->x.range[1] - p->x.range[0]), low + NAME_AT, 1, 1,
                    scene_keep_text(p->scene, &shown));
}

static void draw_rows(const figure_request *r, scene_panel *p, const tornado_row *rows, size_t count) {
    outline sides[2] = {{0}, {0}}, frames = {0}, none = {0}, arrows = {0};
    for (size_t i = 0; i < count; i++) {
        const double low = (double)(count - i);
        for (int k = 0; k < 2; k++) {
            bool changes = !isnan(rows[i].factor[k]);
            draw_side(p, &rows[i], k, low, changes ? &sides[k] : &none, &arrows);
        }
        put_sides(p, &rows[i], low);
        put_name(r, p, rows[i].name, low);
    }
    scene_put(p, SCENE_FILL, "no_change", &none);
    for (int k = 0; k < 2; k++) {
        outline_append(&frames, &sides[k]);
        scene_put_area(p, k == 0 ? "lower_side" : "upper_side", &sides[k]);
    }
    scene_put(p, SCENE_CURVE, "frame", &frames);
    scene_put(p, SCENE_FILL, "rim", &arrows);
}

/* How many decades the axis needs each way for the furthest change, within DECADES_LEAST and DECADES_MOST. */
static double furthest(const tornado_row *rows, size_t count) {
    double most = DECADES_LEAST;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            if (rows[i].factor[k] > 0) most = fmax(most, fabs(log10(rows[i].factor[k])));
    return fmin(most, DECADES_MOST);
}

/* How many rows can be read: where the figure's height is given, those that have room for their words. */
static size_t rows_shown(const figure_request *r) {
    const costab_style *style = &r->figure->style;
    if (!(style->height_cm > 0)) return ROWS_MAX;
    double unit = style->font_size > 0 ? style->font_size / 8 : 1;
    int panels = (int)figure_values(r, r->plan->axes[0].name);
    int columns = style->columns > 0 ? style->columns : panels == 4 ? 2 : 3;
    int beneath = (panels + columns - 1) / columns;
    double fit = (style->height_cm / unit - FRAME_CM) / (beneath > 1 ? beneath : 1) / ROW_LEAST_CM;
    return fit < 1 ? 1 : fit < ROWS_MAX ? (size_t)fit : ROWS_MAX;
}

static costab_status draw(const figure_request *r, scene_panel *p, const tornado_row *rows, size_t count,
                          costab_error *error) {
    size_t shown = rows_shown(r);
    if (count > shown) {
        text note = {0};
        text_printf(&note, "Only the %zu nearest changes are shown.", shown);
        scene_note(p->scene, scene_keep_text(p->scene, &note));
        count = shown;
    }
    double most = furthest(rows, count);
    double factors[2] = {pow(10, -BEYOND * most), pow(10, BEYOND * most)};
    figure_ask_range(&r->figure->x, factors);
    if (!(factors[0] > 0 && factors[0] < 1 && factors[1] > 1))
        return error_invalid(error, "%s: the factors of a tornado are positive, 1 among them", r->path);
    for (int k = 0; k < 2; k++) p->x.range[k] = log10(factors[k]);
    p->x.log = true;
    p->x.label = "factor at which the class changes";
    figure_rows(p, count, ROW_CM);
    p->y.bare = true;
    p->narrowest = NARROWEST;
    draw_rows(r, p, rows, count);
    /* The nominal values: between the names. */
    outline line = {0};
    for (size_t i = 1; i <= count; i++)
        scene_line(&line, 0, (double)i + BAR_FROM - 0.06, 0, (double)i + BAR_TO + 0.06);
    scene_put(p, SCENE_CURVE, "edge", &line);
    return COSTAB_OK;
}

/* Files of earlier versions have no subsystems, or no causes. */
static costab_status read_file(const figure_request *r, const size_t *at, tornado_file *f,
                               costab_error *error) {
    const int along[3] = {costab_plan_axis(r->plan, "margin"), costab_plan_axis(r->plan, "side"),
                          costab_plan_axis(r->plan, "subsystem")};
    const int cause = costab_plan_field(r->plan, "cause");
    const read_item items[] = {{"factor", along, 2, .numbers = &f->factor},
                               {"nominal", along, 2, .numbers = &f->nominal},
                               {"frequency", along, 2, .numbers = &f->frequency, .optional = true},
                               {"cause", along, 2, .codes = &f->cause, .optional = true},
                               {"participation", along, 3, .numbers = &f->share, .optional = true}};
    f->names = &r->plan->axes[along[0]];
    if (along[2] >= 0) f->subsystems = &r->plan->axes[along[2]];
    if (cause >= 0) f->causes = &r->plan->fields[cause];
    return read_items(r->results, at, items, sizeof items / sizeof *items, error);
}

static costab_status fill_panel(const figure_request *r, scene_panel *p, const size_t *at,
                                costab_error *error) {
    tornado_file f = {.names = NULL};
    memory_local_array(tornado_row, rows, figure_values(r, "margin") + 1, error);
    p->scene->columns = r->plan->axes[0].count > 1 ? 2 : 1;
    costab_status status = read_file(r, at, &f, error);
    if (!status) status = draw(r, p, rows, rows_of(&f, rows), error);
    memory_free_all(f.factor, f.nominal, f.frequency, f.cause, f.share);
    return status;
}

const figure_kind kind_tornado = {.name = "tornado",
                                  .fields = {"factor"},
                                  .without = "draws what 'costab margin -o' writes",
                                  .caption = "margins",
                                  .panel = fill_panel,
                                  .fault = fault,
                                  .window = true,
                                  .alone = true};
