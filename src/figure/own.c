/* A user's CSV files with the columns x, y and optionally label. Rows of one label are a group with a style
 * and an entry of the legend. In a file of lines a blank line or another label begins another line. */
#include "figure/own.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
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

static void free_rows(own_rows *rows) {
    memory_free(rows->of);
}

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

static costab_status read_rows(const costab_figure_file *file, own_rows *rows, costab_error *error) {
    const char *name = file->name ? file->name : "figure";
    bool head = false, first = true;
    for (csv lines = csv_begin(file->text, strlen(file->text)); csv_line(&lines);) {
        own_row row = {.first = first};
        const bool blank = csv_blank(&lines), comment = *lines.start == '#';
        if (!blank && !comment && !(head ? read_row(&lines, &row) : is_head(&lines)))
            return error_invalid(error, "%s:%zu: expected %s", name, lines.line,
                                 head ? "two numbers and perhaps a label, such as 0.5,2,nominal"
                                      : "the names of the columns, x,y or x,y,label");
        if (blank) first = true;
        if (blank || comment) continue;
        if (head) {
            TRY(memory_reserve(&rows->of, &rows->capacity, rows->count + 1, error));
            row.first |= rows->count > 0 && strcmp(row.label, rows->of[rows->count - 1].label) != 0;
            rows->of[rows->count++] = row;
            first = false;
        }
        head = true;
    }
    return rows->count > 0 ? COSTAB_OK : error_invalid(error, "%s: there are no rows in it", name);
}

costab_status own_check(const costab_figure_file *file, costab_error *error) {
    ends_by(free_rows) own_rows rows = {.count = 0};
    return read_rows(file, &rows, error);
}

/* ---- Drawing */

/* Rows of one label, with a mark or dashes of their own. */
typedef struct group {
    const char *label;
    char style[SCENE_WORD_MAX];
} group;

static void draw_points(scene_panel *p, const own_rows *rows, const group *g) {
    outline dots = {0};
    size_t all = 0;
    char words[80] = "outside the range shown";
    for (size_t i = 0; i < rows->count; i++) {
        const double x = scene_place(&p->x, rows->of[i].x), y = scene_place(&p->y, rows->of[i].y);
        if (strcmp(rows->of[i].label, g->label) != 0) continue;
        all++;
        if (scene_shows(p, x, y)) outline_add_point(&dots, x, y, OUTLINE_CUT);
    }
    const size_t outside = all - dots.point_count;
    if (outside > 0 && outside < all)
        (void)text_format(words, sizeof words, "%zu of %zu outside the range shown", outside, all);
    if (outside > 0) scene_remark_on(p, g->style, words);
    scene_put_points(p, g->style, &dots);
}

static costab_status draw_lines(scene_panel *p, const own_rows *rows, const group *g, costab_error *error) {
    memory_local_array(double, x, 4 * rows->count, error);
    double *y = x + 2 * rows->count;
    outline line = {0}, dots = {0};
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (strcmp(rows->of[i].label, g->label) != 0) continue;
        if (rows->of[i].first) x[count] = y[count] = NAN;
        count += rows->of[i].first;
        x[count] = scene_place(&p->x, rows->of[i].x);
        y[count++] = scene_place(&p->y, rows->of[i].y);
    }
    if (!scene_crosses(p, x, y, count)) scene_remark_on(p, g->style, "outside the range shown");
    scene_polyline(&line, x, y, count);
    scene_lone(p, x, y, count, &dots);
    scene_put(p, SCENE_CURVE, g->style, &line);
    scene_put_points(p, g->style, &dots);
    return COSTAB_OK;
}

/* Defines the style of the k-th group. Without a label the legend has the file's name without its ending. */
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
    if (style.width > 0)
        scene_tell_apart(&style, k + 1, style.width, true);
    else
        style.point = marks[k % 8];
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
    ends_by(free_rows) own_rows rows = {.count = 0};
    int count = 0;
    TRY(read_rows(file, &rows, error));
    for (size_t i = 0; i < rows.count; i++) {
        group g = {.label = rows.of[i].label};
        size_t before = 0;
        while (strcmp(rows.of[before].label, g.label) != 0) before++;
        if (before < i) continue;
        define_group(s, lines ? "own_lines" : "own_points", count++, file, &g);
        for (int k = 0; k < s->panel_count; k++)
            if (lines)
                TRY(draw_lines(s->panels[k], &rows, &g, error));
            else
                draw_points(s->panels[k], &rows, &g);
    }
    return COSTAB_OK;
}

costab_status own_draw(const costab_figure *figure, scene *s, costab_error *error) {
    if (figure->lines.text) TRY(draw_file(s, &figure->lines, true, error));
    return figure->points.text ? draw_file(s, &figure->points, false, error) : COSTAB_OK;
}
