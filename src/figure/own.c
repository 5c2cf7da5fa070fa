/* Files of a user's own: CSV with the head x,y or x,y,label.
 *   1. Rows are read; a blank line, or another label, begins another line.
 *   2. Rows of one label are a group with a style and an entry of the legend.
 *   3. Each group is drawn over every panel, as points or as lines. A mistake is told at its line. */
#include "figure/own.h"

#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "figure/clip.h"
#include "figure/names.h"

typedef struct own_row {
    double x, y;
    bool first;                  /* of a line */
    char label[COSTAB_WORD_MAX]; /* "": none */
} own_row;

typedef struct own_rows {
    size_t count, capacity;
    own_row *of;
} own_rows;

/* ---- Reading */

static bool is_head(csv *line) {
    static const char *const names[] = {"x", "y", "label"};
    csv_cell cell;
    for (int k = 0; k < 3; k++) {
        if (!csv_next(line, &cell)) return k == 2;
        if (!csv_is(cell, names[k])) return k == 2 && cell.size == 0;
    }
    return line->at == NULL;
}

static bool read_row(csv *line, own_row *row) {
    csv_cell cell;
    if (!csv_next(line, &cell) || !number_parse_double(cell.start, cell.size, &row->x)) return false;
    if (!csv_next(line, &cell) || !number_parse_double(cell.start, cell.size, &row->y)) return false;
    return !csv_next(line, &cell) || (csv_copy(cell, row->label, sizeof row->label) && line->at == NULL);
}

static costab_status add_row(own_rows *rows, const own_row *row, costab_error *error) {
    TRY(memory_room(&rows->of, &rows->capacity, rows->count + 1, error));
    rows->of[rows->count] = *row;
    if (rows->count > 0 && strcmp(row->label, rows->of[rows->count - 1].label) != 0)
        rows->of[rows->count].first = true;
    rows->count++;
    return COSTAB_OK;
}

static costab_status read_rows(const costab_figure_file *file, own_rows *rows, costab_error *error) {
    const char *name = file->name ? file->name : "figure";
    bool head = false, first = true;
    for (csv lines = csv_begin(file->text, strlen(file->text)); csv_line(&lines);) {
        own_row row = {.first = first};
        bool blank = csv_blank(&lines), comment = *lines.start == '#';
        bool fine = blank || comment || (head ? read_row(&lines, &row) : is_head(&lines));
        if (!fine)
            return error_invalid(error, "%s:%zu: expected %s", name, lines.line,
                                 head ? "two numbers and perhaps a label, such as 0.5,2,nominal"
                                      : "the names of the columns, x,y or x,y,label");
        if (!blank && !comment && head) TRY(add_row(rows, &row, error));
        first = blank || (first && (comment || !head));
        head = head || !(blank || comment);
    }
    return rows->count > 0 ? COSTAB_OK : error_invalid(error, "%s: there are no rows in it", name);
}

costab_status own_check(const costab_figure_file *file, costab_error *error) {
    own_rows rows = {0};
    costab_status status = read_rows(file, &rows, error);
    memory_free(rows.of);
    return status;
}

/* ---- Drawing */

/* Rows of one label, "" of those without: a mark or dashes, and an entry of the legend, of their own. */
typedef struct group {
    const char *label;
    char style[SCENE_WORD_MAX];
} group;

static bool is_of(const own_row *row, const group *g) {
    return strcmp(row->label, g->label) == 0;
}

static void remark_on_outside(scene_panel *p, const group *g, size_t outside, size_t all) {
    char words[80] = "outside the range shown";
    if (outside < all)
        (void)text_format(words, sizeof words, "%zu of %zu outside the range shown", outside, all);
    scene_remark_on(p, g->style, words);
}

static void draw_points(scene_panel *p, const own_rows *rows, const group *g) {
    outline dots = {0};
    size_t all = 0;
    for (size_t i = 0; i < rows->count; i++) {
        double x = scene_place(&p->x, rows->of[i].x), y = scene_place(&p->y, rows->of[i].y);
        all += is_of(&rows->of[i], g);
        if (is_of(&rows->of[i], g) && scene_shows(p, x, y)) outline_add_point(&dots, x, y, OUTLINE_CUT);
    }
    if (dots.point_count < all) remark_on_outside(p, g, all - dots.point_count, all);
    scene_put_points(p, g->style, &dots);
}

static void draw_lines(scene_panel *p, const own_rows *rows, const group *g) {
    const outline_box box = scene_window(p);
    memory_local double *x = memory_alloc(2 * rows->count, sizeof *x);
    double *y = x ? x + rows->count : NULL;
    outline line = {.failed = !x};
    for (size_t i = 0, count = 0; i < rows->count && x; i++) {
        if (!is_of(&rows->of[i], g)) continue;
        x[count] = scene_place(&p->x, rows->of[i].x);
        y[count++] = scene_place(&p->y, rows->of[i].y);
        if (i + 1 < rows->count && !rows->of[i + 1].first) continue;
        clip_polyline(x, y, count, &box, &line);
        count = 0;
    }
    if (line.loop_count == 0) remark_on_outside(p, g, 1, 1);
    scene_put(p, SCENE_CURVE, g->style, &line);
}

/* Defines the style of the k-th group; without a label the legend calls it by the file's name without its
 * ending. */
static void define_group(scene *s, const char *base, int k, const costab_figure_file *file, group *g) {
    static const int marks[] = {2, 6, 8, 4, 12, 1, 3, 10};
    scene_style *table = scene_style_named(s, base);
    const char *name = file_name(file->name ? file->name : base), *dot = strrchr(name, '.');
    char stem[COSTAB_WORD_MAX];
    text legend = {0};
    if (!table) return;
    scene_style style = *table;
    snprintf(stem, sizeof stem, "%.*s", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name);
    names_words(&legend, g->label[0] ? g->label : stem);
    (void)text_format(g->style, sizeof g->style, k > 0 ? "%s_%d" : "%s", base, k + 1);
    style.seen = 0;
    if (style.point > 0)
        style.point = marks[k % 8];
    else
        scene_tell_apart(&style, k + 1, style.width, true);
    style.order += k;
    style.legend = scene_keep_text(s, &legend);
    if (k == 0) {
        *table = style;
    } else {
        style.name = g->style;
        scene_define(s, &style);
    }
}

static costab_status draw_file(scene *s, const costab_figure_file *file, bool lines, costab_error *error) {
    own_rows rows = {0};
    costab_status status = read_rows(file, &rows, error);
    int count = 0;
    for (size_t i = 0; i < rows.count && !status; i++) {
        group g = {.label = rows.of[i].label};
        size_t before = 0;
        while (!is_of(&rows.of[before], &g)) before++;
        if (before < i) continue;
        define_group(s, lines ? "own_lines" : "own_points", count++, file, &g);
        for (int k = 0; k < s->panel_count; k++) (lines ? draw_lines : draw_points)(s->panels[k], &rows, &g);
    }
    memory_free(rows.of);
    return status;
}

costab_status own_draw(const costab_figure *figure, scene *s, costab_error *error) {
    for (int k = 0; k < 2; k++) {
        const costab_figure_file *file = k == 0 ? &figure->lines : &figure->points;
        if (file->text) TRY(draw_file(s, file, k == 0, error));
    }
    return COSTAB_OK;
}
