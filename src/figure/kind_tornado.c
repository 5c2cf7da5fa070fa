/* Kind `tornado`: how far each quantity may go before the class changes, as factors on a logarithmic axis,
 * the nearest change on top; a panel for each coupling. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/read.h"
#include "figure/rich.h"

#define DECADES_LEAST 0.25 /* of the axis, each way */
#define DECADES_MOST  1.3  /* changes beyond have their number at the edge */
#define BEYOND        1.35 /* of the axis over the furthest change: there is its number */
enum { ROWS_MAX = 15 };

/* One quantity: its factors below and above, NaN where nothing changes. */
typedef struct tornado_row {
    const char *name;
    double factor[2];
    double nearest; /* of the two: |log10|, infinite where nothing changes or the factor is not positive */
    size_t place;
} tornado_row;

static const char *fault(const figure_request *r) {
    if (r->figure->y.from < r->figure->y.to) return "'tornado' shows all rows; leave y_range out";
    if (figure_has_words(r, "margin") && figure_values(r, "side") == 2 && figure_has_field(r, "factor"))
        return NULL;
    return "'tornado' draws what 'costab margin -o' writes";
}

/* Delays, radii and disk margins are no factors of a quantity. */
static bool is_factor(const char *name) {
    return strncmp(name, "delay ", 6) != 0 && strncmp(name, "radius ", 7) != 0 &&
           strncmp(name, "disk ", 5) != 0;
}

/* Where the bar of one side ends: at the change, or at the panel's edge where that is beyond, or no positive
 * factor, or where nothing changes. */
static double end_of(double factor, double edge) {
    return factor > 0 && fabs(log10(factor)) < fabs(edge) ? log10(factor) : edge;
}

static int compare(const void *left, const void *right) {
    const tornado_row *a = left, *b = right;
    if (a->nearest != b->nearest) return a->nearest < b->nearest ? -1 : 1;
    bool change_a = !isnan(a->factor[0]) || !isnan(a->factor[1]),
         change_b = !isnan(b->factor[0]) || !isnan(b->factor[1]);
    if (change_a != change_b) return change_a ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* The rows of a coupling, sorted; those whose nominal value is 0, or that it does not have, are none. */
static size_t rows_of(const costab_axis *axis, const double *factors, const double *nominal,
                      tornado_row *rows) {
    size_t count = 0;
    for (size_t i = 0; i < axis->count; i++) {
        tornado_row row = {axis->labels[i], {factors[2 * i], factors[2 * i + 1]}, (double)INFINITY, i};
        if (!is_factor(row.name) || !(fabs(nominal[2 * i]) > 0)) continue;
        for (int k = 0; k < 2; k++)
            if (row.factor[k] > 0) row.nearest = fmin(row.nearest, fabs(log10(row.factor[k])));
        rows[count++] = row;
    }
    qsort(rows, count, sizeof *rows, compare);
    return count;
}

static void put_words(scene *s, scene_panel *p, double x, double y, int side, double size,
                      const char *words) {
    text shown = {0};
    rich_plain(&shown, words);
    const scene_text item = {
        .x = x, .y = y, .side = side, .bare = true, .size = size, .shown = scene_keep_text(s, &shown)};
    scene_put_text(s, p, &item);
}

/* Three digits, with a true minus sign. */
static const char *three_digits(double factor, char shown[RICH_NUMBER_MAX]) {
    char digits[32];
    double size = fabs(factor);
    text_format(digits, sizeof digits, size >= 100 ? "%.0f" : "%#.3g", size);
    if (size > 0 && (size < 1e-4 || size >= 1e4)) {
        text_format(digits, sizeof digits, "%.3g", factor);
        return rich_number(strtod(digits, NULL), shown);
    }
    text_format(shown, RICH_NUMBER_MAX, "%s%s", size > 0 ? rich_sign(factor) : "", size > 0 ? digits : "0");
    return shown;
}

/* The number of a change stands beyond its bar, or at the end inside it where there is no room beyond. */
static void put_factor(scene *s, scene_panel *p, double factor, int side, double middle) {
    char number[RICH_NUMBER_MAX];
    double gap = 0.012 * (p->x.range[1] - p->x.range[0]), end = end_of(factor, p->x.range[side > 0]);
    const scene_text item = {.x = end + side * gap,
                             .y = middle,
                             .side = side,
                             .bare = true,
                             .turn = 6 * gap,
                             .shown = scene_keep(s, three_digits(factor, number))};
    scene_put_text(s, p, &item);
}

static costab_status draw_rows(scene *s, scene_panel *p, const tornado_row *rows, size_t count,
                               costab_error *error) {
    outline sides[2] = {{0}, {0}}, frames = {0}, none = {0};
    costab_status status = COSTAB_OK;
    double gap = 0.012 * (p->x.range[1] - p->x.range[0]);
    for (size_t i = 0; i < count && !status; i++) {
        double low = (double)(count - i) + 0.12, high = low + FIGURE_BAR;
        for (int k = 0; k < 2 && !status; k++) {
            double factor = rows[i].factor[k], to = end_of(factor, p->x.range[k]);
            bool changes = !isnan(factor);
            status = scene_box(changes ? &sides[k] : &none, fmin(0, to), low, fmax(0, to), high, error);
            if (!status && changes) status = scene_box(&frames, fmin(0, to), low, fmax(0, to), high, error);
            if (changes) put_factor(s, p, factor, 2 * k - 1, (low + high) / 2);
        }
        put_words(s, p, p->x.range[0] + gap, high + FIGURE_NAME, 1, 0, rows[i].name);
    }
    scene_put(s, p, SCENE_FILL, "no_change", &none);
    for (int k = 0; k < 2; k++) {
        const char *style = k == 0 ? "lower_side" : "upper_side";
        outline again = {0};
        if (!status) status = outline_append(&again, &sides[k], error);
        scene_put(s, p, SCENE_FILL, style, &sides[k]);
        scene_put(s, p, SCENE_HATCH, style, &again);
    }
    scene_put(s, p, SCENE_CURVE, "frame", &frames);
    return status;
}

static double furthest(const tornado_row *rows, size_t count) {
    double most = DECADES_LEAST;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            if (rows[i].factor[k] > 0) most = fmax(most, fabs(log10(rows[i].factor[k])));
    return fmin(most, DECADES_MOST);
}

static costab_status fill_panel(const figure_request *r, scene *s, scene_panel *p, tornado_row *rows,
                                size_t count, const size_t *at, costab_error *error) {
    text caption = {0};
    double most = furthest(rows, count);
    if (count > ROWS_MAX) {
        scene_note(s, "Only the 15 nearest changes are shown.");
        count = ROWS_MAX;
    }
    double factors[2] = {pow(10, -BEYOND * most), pow(10, BEYOND * most)};
    figure_ask_range(&r->figure->x, factors);
    if (!(factors[0] > 0 && factors[0] < 1 && factors[1] > 1))
        return error_set(error, COSTAB_INVALID, "%s: the factors of a tornado are positive, 1 among them",
                         r->path);
    for (int k = 0; k < 2; k++) p->x.range[k] = log10(factors[k]);
    p->x.log = true;
    p->x.label = "factor at which the class changes";
    figure_rows(p, count);
    figure_caption(r, 1U, at, "margins", &caption);
    p->caption = scene_keep_text(s, &caption);
    costab_status status = draw_rows(s, p, rows, count, error);
    /* The nominal values: between the names. */
    outline line = {0};
    for (size_t i = 1; i <= count && !status; i++)
        status = scene_line(&line, 0, (double)i + 0.08, 0, (double)i + FIGURE_BAR + 0.16, error);
    scene_put(s, p, SCENE_CURVE, "edge", &line);
    return status;
}

static costab_status add_panel(const figure_request *r, scene *s, const size_t *at, costab_error *error) {
    int along[2] = {costab_plan_axis(r->plan, "margin"), costab_plan_axis(r->plan, "side")};
    double *factors = NULL, *nominal = NULL;
    tornado_row *rows = NULL;
    scene_panel *p = scene_add_panel(s);
    if (!p) return scene_status(s, r->path, error);
    costab_status status = read_numbers(r->results, "factor", at, along, 2, &factors, error);
    if (!status) status = read_numbers(r->results, "nominal", at, along, 2, &nominal, error);
    if (!status) {
        const costab_axis *axis = &r->plan->axes[along[0]];
        rows = memory_alloc(axis->count + 1, sizeof *rows);
        if (!rows) status = error_memory(error);
        if (!status) status = fill_panel(r, s, p, rows, rows_of(axis, factors, nominal, rows), at, error);
    }
    memory_free_all(rows, factors, nominal);
    return status;
}

const figure_kind kind_tornado = {.name = "tornado",
                                  .over = "coupling",
                                  .panel = add_panel,
                                  .fault = fault,
                                  .slices = figure_over_slices,
                                  .window = true,
                                  .alone = true};
