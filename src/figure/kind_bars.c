/* Kinds with horizontal bars: `limit`, the stable intervals of parameters, and `tornado`, the margins of
 * quantities.
 *
 * limit, a panel for each parameter with a row for each coupling:
 *   1. Each interval is a bar in the colour of its class. Its ends are written next to the bar if there is
 * space up to the next bar, otherwise into the bar if it is long enough.
 *   2. If single values were tried, each of them is a mark instead: a narrow bar in the colour of its class
 * if the value is in an interval, otherwise a cross. Marks that would overlap are left out.
 *   3. The axis is logarithmic if the ends of the searched range differ by a factor of LOG_FROM, and those
 * shown by LOG_LEAST.
 *
 * tornado, a panel for each coupling with a row for each quantity, the nearest change of class on top:
 *   1. A bar leads from the nominal value to the factor at which the class changes, on a logarithmic axis. An
 *      arrow marks a change outside the panel; grey bars were searched without a change.
 *   2. The quantity's name is above the bar. Below it, on both sides, are the factor, the condition that
 * fails there, its frequency and the subsystem with the largest share of that mode. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define GAP 0.012 /* of a panel's width: between a text and the line next to it */

/* ---- Limits */

#define LOG_FROM        30.0
#define LOG_LEAST       5.0
#define LIMIT_ROW_CM    0.55
#define LIMIT_NARROWEST 6    /* cm: names and numbers have space */
#define BAR             0.76 /* of a row */
#define NUMBER_SIZE     0.85 /* of a number's type */
#define LEAST_CM        5.0  /* a panel's width, or more */
#define MARK            0.01 /* of a panel's width: the mark of a tried value */

enum { NOT_COMPUTED = 4, CODES = 256 }; /* of the field class: without an interval; number of codes */

/* Arrays of couplings x parameters x intervals. */
typedef struct limits {
    size_t couplings, parameters, intervals, trials;
    double *from, *to;
    uint8_t *classes;
    double *low, *high; /* couplings x parameters: the range that was searched */
    double *tried;      /* couplings x parameters x trials: NaN after the last; NULL: ranges were searched */
} limits;

static void free_limits(limits *l) {
    memory_free_all(l->from, l->to, l->low, l->high, l->classes, l->tried);
}

/* Returns the values tried of a coupling and a parameter, whose index is `search`. [out] *count: their
 * number; 0: the whole range was searched. */
static const double *tried_values(const limits *l, size_t search, size_t *count) {
    const double *tried = l->tried ? l->tried + search * l->trials : NULL;
    *count = 0;
    while (tried && *count < l->trials && !isnan(tried[*count])) ++*count;
    return tried;
}

static const char *limit_fault(const figure_request *r) {
    if (r->figure->y.from < r->figure->y.to) return "'limit' shows all couplings; leave y_range out";
    const bool axes = figure_has_words(r, "parameter") && costab_plan_axis(r->plan, "parameter") == 1 &&
                      costab_plan_axis(r->plan, "interval") == 2;
    return axes ? NULL : "'limit' draws what 'costab limit -o' writes";
}

/* [out] style: of a class, its name in small letters. */
static void style_of(const figure_request *r, uint8_t code, char style[SCENE_WORD_MAX]) {
    const read_word name = read_meaning(&r->plan->fields[costab_plan_field(r->plan, "class")], code);
    text_format(style, SCENE_WORD_MAX, "%.*s", name.size > 0 ? (int)name.size : 9,
                name.size > 0 ? name.start : "undecided");
    for (char *c = style; *c; c++) *c = (char)tolower((unsigned char)*c);
}

/* Adds a number next to an end of a bar. side: 1 right of x, -1 left of it; bare: outside the bar. */
static void put_end(scene_panel *p, double x, double low, int side, bool bare, const char *shown) {
    const double gap = (bare ? 1 : 2) * GAP * (p->x.range[1] - p->x.range[0]);
    scene_put_text(p, &(scene_text){.x = x + side * gap,
                                    .y = low + BAR / 2,
                                    .side = side,
                                    .bare = bare,
                                    .size = NUMBER_SIZE,
                                    .shown = shown});
}

/* Adds the marks of tried values, and their crosses. */
static void add_marks(scene_panel *p, const limits *l, size_t search, double low, outline bars[CODES],
                      outline *crosses) {
    const double width = MARK * (p->x.range[1] - p->x.range[0]);
    const uint8_t *classes = l->classes + search * l->intervals;
    double before = -HUGE_VAL;
    size_t count;
    int last = -1; /* the class of the last mark */
    const double *tried = tried_values(l, search, &count);
    for (size_t k = 0; k < count; k++) {
        const double x = scene_place(&p->x, tried[k]);
        int code = NOT_COMPUTED;
        for (size_t i = 0; i < l->intervals && code == NOT_COMPUTED; i++)
            if (tried[k] >= l->from[search * l->intervals + i] &&
                tried[k] <= l->to[search * l->intervals + i])
                code = classes[i];
        if (!(x >= p->x.range[0] && x <= p->x.range[1]) || (code == last && x < before + 1.5 * width))
            continue;
        const double from = fmin(fmax(x - width / 2, p->x.range[0]), p->x.range[1] - width);
        before = x;
        last = code;
        if (code == NOT_COMPUTED)
            outline_add_point(crosses, x, low + BAR / 2, OUTLINE_CUT);
        else
            scene_box(&bars[code], from, low, from + width, low + BAR);
    }
}

/* Adds the bar of an interval, and its ends as numbers: of the upper one "≥ 2" at the end of the range that
 * was searched, "to 2" outside the panel; of the lower one only if the searched range and the panel begin
 * before it. bars NULL: the numbers only. */
static void add_interval(scene_panel *p, const limits *l, size_t at, double low, outline *bars) {
    const double *x = p->x.range;
    const double from = fmax(scene_place(&p->x, fmax(l->from[at], scene_value(&p->x, x[0]))), x[0]),
                 end = scene_place(&p->x, l->to[at]), to = fmin(end, x[1]);
    const bool first = at % l->intervals == 0,
               inside = l->from[at] > l->low[at / l->intervals] && from > x[0];
    const double before = first ? x[0] : fmax(scene_place(&p->x, l->to[at - 1]), x[0]);
    const bool last = (at + 1) % l->intervals == 0 || l->classes[at + 1] == NOT_COMPUTED;
    const double next = last ? x[1] : fmin(scene_place(&p->x, l->from[at + 1]), x[1]);
    const bool searched = l->to[at] >= l->high[at / l->intervals];
    char number[NAMES_NUMBER_MAX], begins[NAMES_NUMBER_MAX], ends[NAMES_NUMBER_MAX + 8];
    if (!(to >= from)) return;
    if (bars) scene_box(bars, from, low, to, low + BAR);
    names_rounded(p->x.scale * l->from[at], 4, begins);
    (void)text_format(ends, sizeof ends, "%s%s",
                      searched     ? "≥ "
                      : end > x[1] ? "to "
                                   : "",
                      names_rounded(p->x.scale * l->to[at], 4, number));
    const double widest = fmax(inside ? names_width(begins) : 0, names_width(ends)),
                 width = (NUMBER_SIZE * widest / LEAST_CM + 2 * GAP) * (x[1] - x[0]);
    const bool beside = next - to > width, upper = beside || to - from > width;
    /* The upper end before it may have a number in the same gap, its own one in the same bar. */
    const bool left = from - before > (first ? 1 : 2) * width, room = to - from > (beside ? 1 : 2) * width;
    if (inside && (left || room)) put_end(p, from, low, left ? -1 : 1, left, begins);
    if (upper) put_end(p, to, low, beside ? 1 : -1, beside, ends);
}

/* Draws the bars of all classes. marks: they are tried values. */
static void draw_bars(const figure_request *r, scene_panel *p, outline bars[CODES], bool marks) {
    outline frames = {0};
    for (int code = 0; code < CODES; code++) {
        char style[SCENE_WORD_MAX];
        if (bars[code].loop_count == 0) continue;
        style_of(r, (uint8_t)code, style);
        outline_append(&frames, &bars[code]);
        if (marks) {
            scene_put(p, SCENE_FILL, style, &bars[code]);
            scene_remark_on(p, style, "tried values only");
        } else {
            scene_put_area(p, style, &bars[code]);
        }
        scene_mention(p->scene, style);
    }
    scene_put(p, SCENE_CURVE, "frame", &frames);
}

static void draw_limits(const figure_request *r, scene_panel *p, const limits *l, size_t parameter) {
    const size_t shown = figure_drawn(r, 0);
    double range[2] = {l->low[parameter], l->high[parameter]}, low = (double)shown + 0.12;
    outline bars[CODES] = {{0}}, marks[CODES] = {{0}}, crosses = {0};
    size_t trials;
    figure_apply_range(&r->figure->x, range);
    p->x.log = range[0] > 0 && range[1] > LOG_LEAST * range[0] && l->low[parameter] > 0 &&
               l->high[parameter] > LOG_FROM * l->low[parameter];
    for (int k = 0; k < 2; k++) p->x.range[k] = scene_place(&p->x, range[k]);
    p->x.label = figure_label(r, p->scene, r->plan->axes[1].labels[parameter]);
    p->x.scale = figure_parameter_scale(r, r->plan->axes[1].labels[parameter]);
    p->narrowest = LIMIT_NARROWEST;
    figure_rows(p, shown, LIMIT_ROW_CM);
    for (size_t c = 0; c < l->couplings; c++) {
        text name = {0};
        if (figure_leaves_out(r, 0, c)) continue;
        figure_choice(r, r->plan->axes[0].labels[c], &name);
        scene_put_row(p, low + BAR / 2, scene_keep_text(p->scene, &name));
        const size_t first = (c * l->parameters + parameter) * l->intervals;
        (void)tried_values(l, c * l->parameters + parameter, &trials);
        if (trials > 0) add_marks(p, l, c * l->parameters + parameter, low, marks, &crosses);
        for (size_t i = first; i < first + l->intervals; i++)
            if (l->classes[i] != NOT_COMPUTED)
                add_interval(p, l, i, low, trials > 0 ? NULL : &bars[l->classes[i]]);
        low -= 1;
    }
    draw_bars(r, p, bars, false);
    draw_bars(r, p, marks, true);
    scene_put_points(p, "tried_unstable", &crosses);
}

static costab_status build_limit(const figure_request *r, scene *s, costab_error *error) {
    ends_by(free_limits) limits l = {.couplings = r->plan->axes[0].count,
                                     .parameters = figure_value_count(r, "parameter"),
                                     .intervals = figure_value_count(r, "interval"),
                                     .trials = figure_value_count(r, "trial")};
    const size_t at[COSTAB_AXES_MAX] = {0};
    const int all[] = {0, 1, 2}, trials[] = {0, 1, 3};
    const read_item intervals[] = {
        {"lower", .numbers = &l.from}, {"upper", .numbers = &l.to}, {"class", .codes = &l.classes}};
    const read_item ranges[] = {{"range_lower", .numbers = &l.low}, {"range_upper", .numbers = &l.high}};
    TRY(read_items(r->results, at, all, 3, intervals, 3, error));
    TRY(read_items(r->results, at, all, 2, ranges, 2, error));
    if (l.trials > 0)
        TRY(read_items(r->results, at, trials, 3, &(read_item){"tried", .numbers = &l.tried}, 1, error));
    for (size_t i = 0; i < l.parameters; i++) draw_limits(r, scene_add_panel(s), &l, i);
    return COSTAB_OK;
}

const figure_kind kind_limit = {.name = "limit",
                                .systems = FIGURE_NETWORK,
                                .fields = {"range_upper", "lower_kind"},
                                .without = "draws what 'costab limit -o' writes",
                                .overlaid = true,
                                .alone = true,
                                .window = true,
                                .fault = limit_fault,
                                .build = build_limit};

/* ---- Margins */

#define DECADES_LEAST    0.25 /* of the axis, on each side */
#define DECADES_MOST     1.3  /* changes beyond get an arrow */
#define BEYOND           1.1  /* of the axis over the furthest change */
#define MARGIN_ROW_CM    1.0  /* of a row: */
#define BAR_FROM         0.36 /* its bar, */
#define BAR_TO           0.64
#define NAME_AT          0.84 /* the middle of its name and of the texts below the bar */
#define SIDE_AT          0.17
#define SIDE_SIZE        0.75 /* of these texts' type */
#define RIM              0.02 /* of the panel's width: an arrow */
#define SIDES_CM         6.5  /* space for the texts of both sides */
#define MARGIN_NARROWEST 8    /* cm */
#define ROW_LEAST_CM     0.8  /* of a row whose texts do not meet those of the next */
#define FRAME_CM         3.4  /* of a figure's height: title, caption, numbers, legend */

enum { ROWS_MAX = 15 }; /* shown, if the figure's height is free */

/* A quantity, with the nearest changes of its class below and above the nominal value (entries 0 and 1). */
typedef struct margin_row {
    const char *name;
    double factor[2];         /* at which the class changes; NaN: nowhere */
    read_word cause[2];       /* the condition that fails there */
    const char *subsystem[2]; /* with the largest share of that mode; "": unknown */
    double frequency[2];      /* in Hz; NaN: none */
    double nearest;           /* the smaller |log10 factor|; infinite if no factor is positive */
    size_t place;             /* along the axis `margin` */
} margin_row;

/* The stored fields of a coupling: arrays of margins x sides; `share`: margins x sides x subsystems. */
typedef struct margin_file {
    const costab_axis *names, *subsystems;
    double *factor, *nominal, *frequency, *share;
    uint8_t *cause;
    const costab_field *causes; /* the meanings of its codes */
} margin_file;

static void free_margins(margin_file *f) {
    memory_free_all(f->factor, f->nominal, f->frequency, f->cause, f->share);
}

static const char *margin_fault(const figure_request *r) {
    if (r->figure->y.from < r->figure->y.to) return "'tornado' shows all rows; leave y_range out";
    return figure_has_words(r, "margin") && figure_value_count(r, "side") == 2
               ? NULL
               : "'tornado' draws what 'costab margin -o' writes";
}

/* Reads a file; those of earlier versions have no subsystems, or no causes. */
static costab_status read_margins(const figure_request *r, const size_t *at, margin_file *f,
                                  costab_error *error) {
    const int along[3] = {costab_plan_axis(r->plan, "margin"), costab_plan_axis(r->plan, "side"),
                          costab_plan_axis(r->plan, "subsystem")};
    const int cause = costab_plan_field(r->plan, "cause");
    const read_item items[] = {{"factor", .numbers = &f->factor},
                               {"nominal", .numbers = &f->nominal},
                               {"frequency", .numbers = &f->frequency, .optional = true},
                               {"cause", .codes = &f->cause, .optional = true}};
    const read_item share = {"participation", .numbers = &f->share, .optional = true};
    f->names = &r->plan->axes[along[0]];
    if (along[2] >= 0) f->subsystems = &r->plan->axes[along[2]];
    if (cause >= 0) f->causes = &r->plan->fields[cause];
    TRY(read_items(r->results, at, along, 2, items, 4, error));
    return along[2] >= 0 ? read_items(r->results, at, along, 3, &share, 1, error) : COSTAB_OK;
}

/* Returns true if a margin is a factor; delays, radii and disk margins are not. */
static bool is_factor(const char *name) {
    return strncmp(name, "delay ", 6) != 0 && strncmp(name, "radius ", 7) != 0 &&
           strncmp(name, "disk ", 5) != 0;
}

/* Returns the subsystem with the largest share; "" if all shares are unknown. */
static const char *largest_share(const margin_file *f, size_t at) {
    const double *shares = f->share + at * f->subsystems->count;
    size_t largest = 0;
    for (size_t k = 1; k < f->subsystems->count; k++)
        if (shares[k] > shares[largest]) largest = k;
    return shares[largest] > 0 ? f->subsystems->labels[largest] : "";
}

/* Order of the rows: the nearest change first, then changes at factors of 0 or below, then quantities without
 * a change. */
static int compare(const void *left, const void *right) {
    const margin_row *a = left, *b = right;
    if (a->nearest != b->nearest) return a->nearest < b->nearest ? -1 : 1;
    const bool change_a = !isnan(a->factor[0]) || !isnan(a->factor[1]),
               change_b = !isnan(b->factor[0]) || !isnan(b->factor[1]);
    if (change_a != change_b) return change_a ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Fills and sorts the rows of a coupling; returns their number. A quantity whose nominal value is 0 or
 * unknown has no row. */
static size_t rows_of(const margin_file *f, margin_row *rows) {
    size_t count = 0;
    for (size_t i = 0; i < f->names->count; i++) {
        margin_row *row = &rows[count];
        if (!is_factor(f->names->labels[i]) || !(fabs(f->nominal[2 * i]) > 0)) continue;
        *row = (margin_row){.name = f->names->labels[i], .nearest = HUGE_VAL, .place = i};
        for (size_t k = 0; k < 2; k++) {
            const size_t at = 2 * i + k;
            row->factor[k] = f->factor[at];
            row->subsystem[k] = f->share ? largest_share(f, at) : "";
            row->frequency[k] = f->frequency ? f->frequency[at] : (double)NAN;
            if (f->cause) row->cause[k] = read_meaning(f->causes, f->cause[at]);
            if (row->factor[k] > 0) row->nearest = fmin(row->nearest, fabs(log10(row->factor[k])));
        }
        count++;
    }
    qsort(rows, count, sizeof *rows, compare);
    return count;
}

/* ---- Margins: texts */

/* Writes a factor with three digits and a minus sign U+2212. Returns `shown`. */
static const char *three_digits(double factor, char shown[NAMES_NUMBER_MAX]) {
    char digits[32];
    const double size = fabs(factor);
    if (size > 0 && (size < 1e-4 || size >= 1e4)) return names_rounded(factor, 3, shown);
    text_format(digits, sizeof digits, size >= 100 ? "%.0f" : "%#.3g", size);
    text_format(shown, NAMES_NUMBER_MAX, "%s%s", size > 0 ? names_sign(factor) : "", size > 0 ? digits : "0");
    return shown;
}

static bool has_cause(const margin_row *row, int k, const char *cause) {
    return row->cause[k].size == strlen(cause) && memcmp(row->cause[k].start, cause, row->cause[k].size) == 0;
}

/* Writes the text below the bar. A frequency implies an oscillation; a fold has no frequency. */
static void say_side(const margin_row *row, int k, text *to) {
    char number[NAMES_NUMBER_MAX], hertz[NAMES_NUMBER_MAX];
    const bool oscillates = has_cause(row, k, "oscillation") && row->frequency[k] > 0;
    text_append(to, three_digits(row->factor[k], number));
    if (!oscillates && row->cause[k].size > 0)
        text_printf(to, ", %.*s", (int)row->cause[k].size, row->cause[k].start);
    if (row->frequency[k] > 0 && !has_cause(row, k, "fold"))
        text_printf(to, "%s %s Hz", oscillates ? "," : "", names_rounded(row->frequency[k], 3, hertz));
    if (row->subsystem[k][0]) text_append(to, ", ");
    names_plain(to, row->subsystem[k]);
}

/* Adds the name, and the texts of both sides, or the factors alone if these texts would meet. */
static void put_texts(const figure_request *r, scene_panel *p, const margin_row *row, double low) {
    const double gap = GAP * (p->x.range[1] - p->x.range[0]);
    const char *said[2] = {"", ""};
    text name = {0};
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
    figure_name(r, row->name, &name);
    scene_put_words(p, p->x.range[0] + gap, low + NAME_AT, 1, 1, scene_keep_text(p->scene, &name));
}

/* ---- Margins: bars */

/* Adds a bar from the nominal value to the change or the panel's edge, with an arrow if the change is beyond.
 */
static void draw_side(scene_panel *p, const margin_row *row, int k, double low, outline *bars,
                      outline *arrows) {
    const double edge = p->x.range[k], factor = row->factor[k], from = low + BAR_FROM, up = low + BAR_TO,
                 back = (k == 0 ? RIM : -RIM) * (p->x.range[1] - p->x.range[0]);
    const double to = factor > 0 && fabs(log10(factor)) < fabs(edge) ? log10(factor) : edge;
    const double corners[3][2] = {{edge, 0.5 * (from + up)}, {edge + back, from}, {edge + back, up}};
    scene_box(bars, fmin(0, to), from, fmax(0, to), up);
    if (to == edge && !isnan(factor)) outline_polygon(arrows, corners, 3, OUTLINE_CUT);
}

static void draw_rows(const figure_request *r, scene_panel *p, const margin_row *rows, size_t count) {
    outline sides[2] = {{0}, {0}}, frames = {0}, none = {0}, arrows = {0}, nominal = {0};
    for (size_t i = 0; i < count; i++) {
        const double low = (double)(count - i);
        for (int k = 0; k < 2; k++)
            draw_side(p, &rows[i], k, low, isnan(rows[i].factor[k]) ? &none : &sides[k], &arrows);
        put_texts(r, p, &rows[i], low);
        scene_line(&nominal, 0, low + BAR_FROM - 0.06, 0, low + BAR_TO + 0.06);
    }
    scene_put(p, SCENE_FILL, "no_change", &none);
    for (int k = 0; k < 2; k++) {
        outline_append(&frames, &sides[k]);
        scene_put_area(p, k == 0 ? "lower_side" : "upper_side", &sides[k]);
    }
    scene_put(p, SCENE_CURVE, "frame", &frames);
    scene_put(p, SCENE_FILL, "rim", &arrows);
    scene_put(p, SCENE_CURVE, "edge", &nominal);
}

/* Returns the number of rows whose texts fit into the figure's height. */
static size_t rows_shown(const figure_request *r) {
    const costab_style *style = &r->figure->style;
    if (!(style->height_cm > 0)) return ROWS_MAX;
    const double unit = style->font_size > 0 ? style->font_size / 8 : 1;
    const int panels = (int)r->plan->axes[0].count,
              columns = style->columns > 0 ? style->columns
                        : panels == 4      ? 2
                                           : 3,
              beneath = (panels + columns - 1) / columns;
    const double fit = (style->height_cm / unit - FRAME_CM) / (beneath > 1 ? beneath : 1) / ROW_LEAST_CM;
    return fit < 1 ? 1 : fit < ROWS_MAX ? (size_t)fit : ROWS_MAX;
}

static costab_status draw_margins(const figure_request *r, scene_panel *p, const margin_row *rows,
                                  size_t count, costab_error *error) {
    const size_t shown = rows_shown(r);
    double decades = DECADES_LEAST; /* of the furthest change on either side */
    if (count > shown) {
        char words[64];
        (void)text_format(words, sizeof words, "Only the %zu nearest changes are shown.", shown);
        scene_note(p->scene, words);
        count = shown;
    }
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            if (rows[i].factor[k] > 0) decades = fmax(decades, fabs(log10(rows[i].factor[k])));
    decades = fmin(decades, DECADES_MOST);
    double factors[2] = {pow(10, -BEYOND * decades), pow(10, BEYOND * decades)};
    figure_apply_range(&r->figure->x, factors);
    if (!(factors[0] > 0 && factors[0] < 1 && factors[1] > 1))
        return error_invalid(error, "%s: the factors of a tornado are positive, 1 among them", r->path);
    for (int k = 0; k < 2; k++) p->x.range[k] = log10(factors[k]);
    p->x.log = true;
    p->x.label = "factor at which the class changes";
    figure_rows(p, count, MARGIN_ROW_CM);
    p->y.bare = true;
    p->narrowest = MARGIN_NARROWEST;
    draw_rows(r, p, rows, count);
    return COSTAB_OK;
}

/* Names the parameters without a bar because their nominal value is 0. */
static void note_zeros(const margin_file *f, scene *s) {
    text_local words = {0};
    const char *gap = "Without a factor, because the nominal value is 0: ";
    for (size_t i = 0; i < f->names->count; i++) {
        if (!is_factor(f->names->labels[i]) || f->nominal[2 * i] != 0) continue;
        text_append(&words, gap);
        names_plain(&words, f->names->labels[i]);
        gap = ", ";
    }
    if (words.size == 0) return;
    text_append(&words, ".");
    s->failed |= words.failed;
    if (!words.failed) scene_note(s, words.data);
}

static costab_status fill_margins(const figure_request *r, scene_panel *p, const size_t *at,
                                  costab_error *error) {
    ends_by(free_margins) margin_file f = {.names = NULL};
    memory_local_array(margin_row, rows, figure_value_count(r, "margin") + 1, error);
    p->scene->columns = r->plan->axes[0].count > 1 ? 2 : 1;
    TRY(read_margins(r, at, &f, error));
    const size_t count = rows_of(&f, rows);
    if (count == 0)
        return error_invalid(error,
                             "%s: 'tornado' draws factors of parameters, and no parameter has a factor: "
                             "none was varied, or their nominal values are 0",
                             r->path);
    note_zeros(&f, p->scene);
    return draw_margins(r, p, rows, count, error);
}

const figure_kind kind_tornado = {.name = "tornado",
                                  .systems = FIGURE_NETWORK,
                                  .fields = {"factor"},
                                  .without = "draws what 'costab margin -o' writes",
                                  .caption = "margins",
                                  .panel = fill_margins,
                                  .fault = margin_fault,
                                  .window = true,
                                  .alone = true};
