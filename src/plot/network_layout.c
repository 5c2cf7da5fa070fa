/* How large everything is on paper, and the numbers of the axes. */
#include "plot/network_layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/paper.h"
#include "plot/words.h"

#define LEGEND_LINE  0.42 /* cm */
#define LEGEND_EDGE  0.2
#define LEGEND_SPACE 0.38
#define BAR_LINE     0.85
#define LETTER       0.135 /* the average width of one, in 8 pt type */
#define DIGIT        (0.57 * 8 * 2.54 / 72)
#define NUMBER_GAP   0.25 /* between numbers side by side */
#define POWER_WIDTH  0.62 /* of a power of 10 */
#define ROOM_X       0.85 /* for a number along an axis */
#define ROOM_Y       0.6

/* Characters shown: no continuation bytes. */
static int length_of(const char *shown) {
    int length = 0;
    for (const char *c = shown; *c; c++) length += ((unsigned char)*c & 0xC0) != 0x80;
    return length;
}

static void lay_out_entries(network_figure *f) {
    int longest = 0;
    for (int i = 0; i < f->entry_count; i++) longest = (int)fmax(longest, length_of(f->entries[i].shown));
    f->entry_step = NETWORK_SWATCH_WIDTH + 0.12 + LETTER * longest + LEGEND_SPACE;
    int fit = (int)((f->width - 2 * LEGEND_EDGE + LEGEND_SPACE) / f->entry_step);
    fit = fit < 1 ? 1 : fit;
    int rows = (f->entry_count + fit - 1) / fit;
    f->entry_columns = rows > 0 ? (f->entry_count + rows - 1) / rows : 1;
    double width = f->entry_columns * f->entry_step - LEGEND_SPACE;
    f->entry_left = fmax(LEGEND_EDGE, fmin(f->left, f->width - LEGEND_EDGE - width));
}

static int entry_rows(const network_figure *f) {
    return (f->entry_count + f->entry_columns - 1) / f->entry_columns;
}

void network_entry_place(const network_figure *f, int i, double *x, double *y) {
    double top = entry_rows(f) * LEGEND_LINE + 0.15;
    *x = f->entry_left + (i % f->entry_columns) * f->entry_step;
    int row = i / f->entry_columns;
    *y = top - (row + 1) * LEGEND_LINE;
}

void network_bar_place(const network_figure *f, double *left, double *step) {
    int bands = f->level_count + 1;
    double name = 0.55, room = f->width - f->left - f->right - name;
    *step = fmin(1.1, room / bands);
    *left = f->left + name + 0.5 * (room - bands * *step);
}

/* ---- Ticks */

static double number_width(double value) {
    char number[40];
    double width = 0;
    snprintf(number, sizeof number, "%g", value);
    for (const char *c = number; *c; c++) width += *c == '.' ? 0.278 / 0.57 * DIGIT : DIGIT;
    return width;
}

bool network_powers(const network_axis *axis, const double *range) {
    bool far = network_value(axis, range[0]) < 1e-3 || network_value(axis, range[1]) > 1e4;
    return axis->log && far && floor(range[1] + 1e-9) > ceil(range[0] - 1e-9);
}

/* Whether there is room for a number at every multiple of a power of 10; `decade` is the length of one. */
static bool all_fit(const double *range, double decade, double room) {
    double first = floor(range[0] + 1e-9), last = floor(range[1] + 1e-9);
    double most = floor(pow(10, range[1] - last) + 1e-9), narrowest = log10(10.0 / 9);
    if (first == last && most > 1) narrowest = log10(most / (most - 1));
    double width = fmax(number_width(pow(10, first)), number_width(pow(10, last)));
    return decade * narrowest > fmin(room, width + NUMBER_GAP);
}

/* Decades, with 2 and 5 where there are few, but for powers of 10; the others without numbers. Returns the
 * widest number. */
static double log_ticks(const network_axis *axis, const double *range, double length, double room,
                        text *ticks) {
    double decades = range[1] - range[0], widest = 0;
    bool powers = network_powers(axis, range);
    int every = (int)ceil(decades * room / length);
    bool fine = !powers && length / decades > 3.2 * room;
    bool finest = fine && all_fit(range, length / decades, room);
    text_append(ticks, "(");
    bool first = true;
    for (int d = (int)floor(range[0]), last = (int)floor(range[1] + 1e-9); d <= last; d++)
        for (int m = 1; m <= 9; m++) {
            double place = d + log10(m), value = m * pow(10, d);
            bool shown = (m == 1 && d % every == 0) || (fine && (m == 2 || m == 5)) || finest;
            if (place < range[0] - 1e-9 || place > range[1] + 1e-9) continue;
            text_printf(ticks, first ? "%s%.10g%s" : ", %s%.10g%s", shown ? "" : "\"\" ", value,
                        shown ? "" : " 1");
            first = false;
            if (shown) widest = fmax(widest, powers ? POWER_WIDTH : number_width(value));
        }
    text_append(ticks, ")");
    return widest;
}

static double make_ticks(const network_axis *axis, const double *range, double length, double room,
                         text *ticks) {
    text_free(ticks);
    if (axis->log) return log_ticks(axis, range, length, room, ticks);
    double step = paper_tick_step(range, length, room), widest = 0;
    text_printf(ticks, "%.10g", step);
    int count = (int)((range[1] - range[0]) / step);
    for (int i = 0; i <= count; i++) widest = fmax(widest, number_width((ceil(range[0] / step) + i) * step));
    return widest;
}

/* ---- Sizes */

static void set_window(network_figure *f) {
    outline_box *box = &f->frame.box;
    box->gamma[0] = f->x.places[0];
    box->gamma[1] = f->x.places[f->x.count - 1];
    if (f->y.count == 0) {
        network_curve_range(f, box->delta);
        return;
    }
    box->delta[0] = f->y.places[0];
    box->delta[1] = f->y.places[f->y.count - 1];
}

static double legend_height(network_figure *f, bool bar) {
    double height = 0;
    if (f->entry_count > 0) height += entry_rows(f) * LEGEND_LINE + 0.15;
    f->bar_bottom = bar ? height + 0.5 : 0;
    return height + (bar ? BAR_LINE + 0.1 : 0);
}

costab_status network_lay_out(network_figure *f, costab_error *error) {
    const costab_figure *wanted = &f->spec->figure;
    double unit = paper_unit(&wanted->style);
    int n = f->panel_count;
    bool bar = false, captions = n > 1;
    for (int i = 0; i < n; i++) {
        if (f->panels[i].kind == NETWORK_CONTOUR) bar = true;
        if (f->panels[i].caption.size > 0) captions = true;
    }
    f->columns = wanted->style.columns > 0 ? wanted->style.columns : n <= 3 ? n : n == 4 ? 2 : 3;
    if (f->columns > n) f->columns = n;
    f->rows = (n + f->columns - 1) / f->columns;
    f->width = paper_width(&wanted->style, f->columns);
    set_window(f);
    f->left = 0.95 + make_ticks(&f->y, f->frame.box.delta, 5, ROOM_Y, &f->ticks[1]);
    f->right = 0.1 + fmax(0.15, 0.5 * make_ticks(&f->x, f->frame.box.gamma, 5, ROOM_X, &f->ticks[0]));
    f->top = (captions ? 0.5 : 0.2) + (script_title(&wanted->style, f->spec->title)[0] ? 0.5 : 0);
    f->gap_x = 0.5;
    f->gap_y = 0.15 + (n > 1 ? 0.5 : 0);
    lay_out_entries(f);
    f->bottom = 1.05 + legend_height(f, bar);
    double width = (f->width - f->left - f->right - (f->columns - 1) * f->gap_x) / f->columns;
    double height = fmin(0.9 * width, 5.4), frame = f->top + f->bottom + (f->rows - 1) * f->gap_y;
    f->height = wanted->style.height_cm > 0 ? wanted->style.height_cm / unit : frame + f->rows * height;
    height = (f->height - frame) / f->rows;
    costab_status status =
        paper_check(&wanted->style, f->spec->path, f->width, f->height, width, height, error);
    if (status) return status;
    f->frame.width_cm = width;
    f->frame.height_cm = height;
    make_ticks(&f->x, f->frame.box.gamma, width, ROOM_X, &f->ticks[0]);
    make_ticks(&f->y, f->frame.box.delta, height, ROOM_Y, &f->ticks[1]);
    return f->ticks[0].failed || f->ticks[1].failed ? error_memory(error) : COSTAB_OK;
}
