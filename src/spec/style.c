/* Reads the key `figure`: one table of keys for all systems fills a costab_figure. Names are stored with
 * their positions and resolved by the module figure; lengths are converted to cm. Files with the user's
 * points and lines are read immediately, to be stored with the sweep. costab_figure_choose reads the same
 * keys from options of the command line. */
#include "costab/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/style.h"
#include "base/text.h"
#include "spec/sections.h"

#define FILE_SIZE_MAX ((size_t)16 << 20)
#define SIZE_MIN_CM   1.0
#define SIZE_MAX_CM   200.0
#define DPI_MIN       30
#define FONT_SIZE_MIN 3.0
#define FONT_SIZE_MAX 72.0

static const char *const colour_names[COSTAB_COLOURS_COUNT] = COSTAB_COLOURS_NAMES;

static const char *const legend_names[COSTAB_LEGEND_COUNT] = {
    [COSTAB_LEGEND_CHOSEN] = "chosen", [COSTAB_LEGEND_RIGHT] = "right", [COSTAB_LEGEND_BELOW] = "below",
    [COSTAB_LEGEND_INSIDE] = "inside", [COSTAB_LEGEND_NONE] = "none",
};

/* Reads a number with its unit: 8.9cm. */
static bool read_length(spec_file *file, const spec_node *node, double *cm) {
    static const struct {
        const char *name;
        double in_cm;
    } units[] = {{"cm", 1.0}, {"mm", 0.1}, {"in", 2.54}};
    char expected[80];
    const char *bytes = spec_text(file, node);
    double number = 0, unit = 0;
    if (node->kind == SPEC_SCALAR && node->size > 2) {
        size_t n = node->size - 2;
        for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
            if (memcmp(bytes + n, units[u].name, 2) == 0) unit = units[u].in_cm;
        while (n > 0 && bytes[n - 1] == ' ') n--;
        if (!number_parse_double(bytes, n, &number)) unit = 0;
    }
    if (unit == 0)
        return spec_expected(file, node, "figure, size", "a length in cm, mm or in, such as 8.9cm");
    *cm = number * unit;
    snprintf(expected, sizeof expected, "a length from %gcm to %gcm", SIZE_MIN_CM, SIZE_MAX_CM);
    return (*cm >= SIZE_MIN_CM && *cm <= SIZE_MAX_CM) || spec_expected(file, node, "figure, size", expected);
}

static bool read_size(spec_file *file, const spec_node *value, void *target) {
    costab_style *style = &((costab_figure *)target)->style;
    style->height_cm = 0;
    if (value->kind == SPEC_SCALAR) return read_length(file, value, &style->width_cm);
    if (value->kind != SPEC_LIST || value->size != 2)
        return spec_expected(file, value, "figure, size", "a width, or a width and a height: [17cm, 7cm]");
    const spec_node *width = spec_first(file, value);
    bool fine = read_length(file, width, &style->width_cm);
    return read_length(file, spec_next(file, width), &style->height_cm) && fine;
}

/* Returns true if a name has no special characters of gnuplot's commands and SVG files, into which it goes.
 */
static bool is_font(const char *name) {
    for (; *name != '\0'; name++)
        if (!(*name >= 'a' && *name <= 'z') && !(*name >= 'A' && *name <= 'Z') &&
            !(*name >= '0' && *name <= '9') && strchr(" -.", *name) == NULL)
            return false;
    return true;
}

/* Reads a name, or a name and a size in pt. */
static bool read_font(spec_file *file, const spec_node *value, void *target) {
    costab_style *style = &((costab_figure *)target)->style;
    bool list = value->kind == SPEC_LIST;
    if (list && !spec_list(file, value, "figure, font", 2)) return false;
    const spec_node *name = list ? spec_first(file, value) : value;
    char word[SPEC_WORD_MAX];
    if (!spec_word(file, name, "figure, font", word)) return false;
    if (!is_font(word))
        return spec_complain(
            file, name,
            "figure, font: a name has letters, digits, blanks, '-' and '.' only; write for instance 'font: "
            "[Nimbus Sans, 8]'");
    memcpy(style->font, word, sizeof style->font);
    if (!list) return true;
    const spec_node *size = spec_next(file, name);
    double points;
    if (!spec_number(file, size, "figure, font", &points)) return false;
    style->font_size = points;
    if (points >= FONT_SIZE_MIN && points <= FONT_SIZE_MAX) return true;
    return spec_complain(file, size, "figure, font: expected a size from %g to %g pt", FONT_SIZE_MIN,
                         FONT_SIZE_MAX);
}

static bool read_hatching(spec_file *file, const spec_node *value, void *target) {
    bool hatching = true, fine = spec_flag(file, value, "figure, hatching", &hatching);
    ((costab_figure *)target)->style.plain = !hatching;
    return fine;
}

static bool add_kind(spec_file *file, const spec_node *item, costab_figure *figure) {
    costab_figure_word kind;
    if (!spec_placed_word(file, item, "figure, kind", &kind)) return false;
    for (int i = 0; i < figure->kind_count; i++)
        if (strcmp(figure->kinds[i].word, kind.word) == 0)
            return spec_complain(file, item, "figure, kind: '%s' is repeated", kind.word);
    if (figure->kind_count == COSTAB_KINDS_MAX)
        return spec_complain(file, item, "figure, kind: at most %d kinds go into one figure",
                             COSTAB_KINDS_MAX);
    figure->kinds[figure->kind_count++] = kind;
    return true;
}

static bool read_kind(spec_file *file, const spec_node *value, void *target) {
    costab_figure *figure = target;
    bool fine = true;
    if (!spec_some(file, value, "figure, kind")) return false;
    figure->kind_count = 0;
    SPEC_EACH_OF(item, file, value) fine = add_kind(file, item, figure) && fine;
    return fine;
}

/* Reads the visible range of an axis; `axis` is "" if the key names none. */
static bool read_range(spec_file *file, const spec_node *node, const char *what, const char *axis,
                       costab_figure_range *range) {
    if (!spec_list(file, node, what, 2)) return false;
    const spec_node *from = spec_first(file, node), *to = spec_next(file, from);
    costab_figure_range read = {.place = spec_place(file, node)};
    bool fine = spec_number(file, from, what, &read.from);
    fine = spec_number(file, to, what, &read.to) && fine;
    if (!fine) return false;
    memcpy(read.axis, axis, strlen(axis) + 1);
    if (!(read.from < read.to))
        return spec_complain(file, to, "%s: the window's end must be greater than its start", what);
    if (!isfinite(read.to - read.from))
        return spec_complain(file, node, "%s: the window is too wide for double precision", what);
    *range = read;
    return true;
}

/* Defines a reader of a range for `member`; `axis` is "" if the key names none. */
#define RANGE_READER(function, key, axis, member)                                                            \
    static bool function(spec_file *file, const spec_node *value, void *target) {                            \
        return read_range(file, value, "figure, " key, axis, &((costab_figure *)target)->member);            \
    }
RANGE_READER(read_gamma, "gamma", "gamma", x)
RANGE_READER(read_delta, "delta", "delta", y)
RANGE_READER(read_x_range, "x_range", "", x)
RANGE_READER(read_y_range, "y_range", "", y)

/* Reads the couplings or schemes to be drawn: a name or a list. */
static bool read_couplings(spec_file *file, const spec_node *value, void *target) {
    costab_figure *figure = target;
    bool fine = true;
    if (!spec_some(file, value, "figure, couplings")) return false;
    figure->coupling_count = 0;
    SPEC_EACH_OF(item, file, value) {
        if (figure->coupling_count == COSTAB_PICKS_MAX)
            return spec_complain(file, item, "figure, couplings: at most %d can be named", COSTAB_PICKS_MAX);
        fine =
            spec_placed_word(file, item, "figure, couplings", &figure->couplings[figure->coupling_count++]) &&
            fine;
    }
    return fine;
}

static bool read_pick(spec_file *file, const spec_node *key, const spec_node *item, costab_figure *figure) {
    if (figure->pick_count == COSTAB_PICKS_MAX)
        return spec_complain(file, item, "figure, select: at most %d values", COSTAB_PICKS_MAX);
    costab_figure_pick *pick = &figure->picks[figure->pick_count++];
    if (!spec_placed_word(file, key, "figure, select", &pick->axis)) return false;
    if (!spec_placed_word(file, item, "figure, select", &pick->name)) return false;
    if (!number_parse(pick->name.word, strlen(pick->name.word), &pick->value)) pick->value = (double)NAN;
    return true;
}

/* Reads the values of axes to be drawn: {k: 2, d: [0.5, 1]}. */
static bool read_select(spec_file *file, const spec_node *value, void *target) {
    costab_figure *figure = target;
    bool fine = true;
    if (!spec_pairs(file, value, "figure, select", "{k: 2}")) return false;
    figure->pick_count = 0;
    SPEC_EACH_KEY(key, file, value) {
        const spec_node *values = spec_next(file, key);
        if (!spec_some(file, values, "figure, select")) return false;
        SPEC_EACH_OF(item, file, values) fine = read_pick(file, key, item, figure) && fine;
    }
    return fine;
}

/* Reads replacements of names: {zigzag: Gauss-Seidel, kC: k_C}; those of an option are added to those of the
 * spec, or replace them. */
static bool read_names(spec_file *file, const spec_node *value, void *target) {
    costab_figure *figure = target;
    bool fine = true;
    if (!spec_pairs(file, value, "figure, names", "{zigzag: Gauss-Seidel, kC: k_C}")) return false;
    SPEC_EACH_KEY(key, file, value) {
        costab_figure_name name;
        fine = spec_word(file, key, "figure, names", name.name) && fine;
        fine = spec_word(file, spec_next(file, key), "figure, names", name.words) && fine;
        if (!fine) continue;
        if (spec_find(file, value, name.name) != spec_next(file, key))
            return spec_complain(file, key, "figure, names: '%s' is repeated", name.name);
        int k = 0;
        while (k < figure->name_count && strcmp(figure->names[k].name, name.name) != 0) k++;
        if (k == COSTAB_NAMES_MAX)
            return spec_complain(file, key, "figure, names: at most %d", COSTAB_NAMES_MAX);
        figure->names[k] = name;
        if (k == figure->name_count) figure->name_count++;
    }
    return fine;
}

static bool read_levels(spec_file *file, const spec_node *value, void *target) {
    costab_figure *figure = target;
    if (!spec_some(file, value, "figure, levels")) return false;
    figure->level_count = 0;
    figure->levels_place = spec_place(file, value);
    SPEC_EACH_OF(item, file, value) {
        double level, before = figure->level_count > 0 ? figure->levels[figure->level_count - 1] : -INFINITY;
        if (figure->level_count == COSTAB_LEVELS_MAX)
            return spec_complain(file, item, "figure, levels: at most %d", COSTAB_LEVELS_MAX);
        if (!spec_number(file, item, "figure, levels", &level)) return false;
        if (level <= before) return spec_complain(file, item, "figure, levels: they must ascend");
        figure->levels[figure->level_count++] = level;
    }
    return true;
}

/* Reads a file drawn over the figure; its name is relative to the folder of the spec. A text stored with the
 * spec is kept, but an option replaces it. */
static bool read_drawn_file(spec_file *file, const spec_node *value, const char *what,
                            costab_figure_file *drawn) {
    text content = {0};
    text_local path = {0};
    costab_error error;
    if (!spec_line(file, value, what, &drawn->name)) return false;
    if (drawn->text != NULL && file->path != NULL) return true;
    if (file->stored)
        return spec_complain(file, value, "%s: '%.300s' is not stored with the text, and is not opened", what,
                             drawn->name);
    const char *folder_end = file->path != NULL ? strrchr(file->path, '/') : NULL;
    if (folder_end != NULL && drawn->name[0] != '/')
        text_append_n(&path, file->path, (size_t)(folder_end - file->path) + 1);
    text_append(&path, drawn->name);
    costab_status status =
        path.failed ? error_memory(&error) : text_read_file(path.data, FILE_SIZE_MAX, &content, &error);
    if (!status) text_append(&content, ""); /* an empty file has a text, too */
    if (!status && content.failed) status = error_memory(&error);
    if (status == COSTAB_MEMORY)
        file->memory_failed = true;
    else if (status)
        spec_complain(file, value, "%s: %s", what, error.message);
    if (status) {
        text_free(&content);
        return false;
    }
    memory_free(drawn->text);
    drawn->text = content.data;
    return true;
}

static bool read_points(spec_file *file, const spec_node *value, void *target) {
    return read_drawn_file(file, value, "figure, points", &((costab_figure *)target)->points);
}

static bool read_lines(spec_file *file, const spec_node *value, void *target) {
    return read_drawn_file(file, value, "figure, lines", &((costab_figure *)target)->lines);
}

static const spec_key figure_keys[] = {
    {"kind", false, "kind: regions",
     "the kind of figure (docs/how-to/figures.md); several kinds make several panels (default: the kind that suits the axes)",
     .read = read_kind},
    {"size", false, "size: [8.9cm, 6.4cm]",
     "size of the whole figure on paper, in cm, mm or in; `8.9cm` is a width, and panels and height follow",
     .read = read_size},
    {"columns", false, "columns: 3",
     "number of panels side by side (0, the default: as the kind and a given width suggest)",
     SPEC_VALUE(SPEC_WHOLE, costab_figure, style.columns), .most = STYLE_COLUMNS_MAX},
    {"font", false, "font: [Nimbus Sans, 8]",
     "a name, or a name and the size in pt on paper; layout and hatching scale with the size",
     .read = read_font},
    {"colours", false, "colours: grey",
     "colour (Okabe and Ito's, the default), grey, or black for black lines on grey",
     SPEC_VALUE(SPEC_CHOICE, costab_figure, style.colours), .most = COSTAB_COLOURS_COUNT,
     .names = colour_names},
    {"hatching", false, "hatching: false", "false: tints without hatching", .read = read_hatching},
    {"title", false, "title: My figure", "title instead of the sweep's; '' for none",
     SPEC_VALUE(SPEC_LINE, costab_figure, style.title)},
    {"names", false, "names: {zigzag: Gauss-Seidel, kC: k_C}",
     "words instead of names of couplings, schemes, parameters and signals; k_C gets an index",
     .read = read_names},
    {"legend", false, "legend: right",
     "right, below, inside (the panel's emptiest corner) or none (default: the smallest place; none with a single curve)",
     SPEC_VALUE(SPEC_CHOICE, costab_figure, style.legend), .most = COSTAB_LEGEND_COUNT,
     .names = legend_names},
    {"notes", false, "notes: true",
     "true: what a reader has to know, such as what is cut, is printed below the figure, not only on stderr",
     SPEC_VALUE(SPEC_FLAG, costab_figure, style.notes)},
    {"of", false, "of: error", "field drawn by curve and contour (default: the first stored field)",
     SPEC_VALUE(SPEC_PLACED, costab_figure, of)},
    {"panels", false, "panels: a",
     "one panel for each value of this axis; default: of all axes not drawn within a panel; or none",
     SPEC_VALUE(SPEC_PLACED, costab_figure, panels)},
    {"x", false, "x: H",
     "horizontal axis (default: the first axis with several values; for a curve the longest)",
     SPEC_VALUE(SPEC_PLACED, costab_figure, x_axis)},
    {"y", false, "y: k", "vertical axis, likewise", SPEC_VALUE(SPEC_PLACED, costab_figure, y_axis)},
    {"x_range", false, "x_range: [0, 2]", "displayed range of the horizontal axis (default: all)",
     .read = read_x_range},
    {"y_range", false, "y_range: [0, 2]", "displayed range of the vertical axis (default: all)",
     .read = read_y_range},
    {"x_label", false, "x_label: macro step", "label of the horizontal axis instead of its name and unit",
     SPEC_VALUE(SPEC_LINE, costab_figure, x_label)},
    {"y_label", false, "y_label: stiffness", "label of the vertical axis instead of its name and unit",
     SPEC_VALUE(SPEC_LINE, costab_figure, y_label)},
    {"select", false, "select: {k: 2}",
     "draws only these values of axes; a list, {k: [1, 2]}, gives each value its own panel (its own curve with curve). An axis of names takes a name, {coupling: jacobi}, a time history {signal: mass.x1} or {case: SU}",
     .read = read_select},
    {"couplings", false, "couplings: [jacobi]", "draws only these couplings, or schemes",
     .read = read_couplings},
    {"levels", false, "levels: [0.9, 1, 1.1]",
     "levels of contour, ascending, at most 12; always include the limit, 1 (0 for growth and decay)",
     .read = read_levels},
    {"points", false, "points: measured.csv",
     "a CSV file next to this file with the columns x, y and, if wanted, label: points drawn over every panel, read when the sweep starts and stored with it",
     .read = read_points},
    {"lines", false, "lines: limit.csv",
     "the same for lines; a blank line or a different label starts a new line", .read = read_lines},
    {"dpi", false, "dpi: 600", "of a PNG (default 300)", SPEC_VALUE(SPEC_WHOLE, costab_figure, style.dpi),
     .most = STYLE_DPI_MAX, .least = DPI_MIN},
    {"gamma", false, "gamma: [-6, 2]", "x_range or y_range by the name of this axis", .read = read_gamma},
    {"delta", false, "delta: [-2, 14]", "x_range or y_range by the name of this axis", .read = read_delta},
    {"fit", false, "fit: true", "true: each panel shows the range that its region needs",
     SPEC_VALUE(SPEC_ANSWER, costab_figure, fit)},
    {"us", false, "us: false", "with areas: whether the area of US is drawn in addition to the area of SS",
     SPEC_VALUE(SPEC_ANSWER, costab_figure, us)},
};
const spec_keys spec_figure_keys = {SPEC_TABLE(figure_keys)};

bool spec_read_figure(spec_file *file, const spec_node *node, costab_figure *figure) {
    figure->place = spec_place(file, node);
    return spec_read_mapping(file, node, "figure", SPEC_TABLE(figure_keys), figure);
}

/* ---- Options without a file */

/* Adds a single value, or a list; for keys with mappings, the pairs NAME=VALUE. */
static void add_values(spec_builder *to, const costab_figure_choice *choice) {
    bool pairs = strcmp(choice->key, "select") == 0 || strcmp(choice->key, "names") == 0;
    if (pairs || choice->count > 1) spec_open(to, pairs ? SPEC_MAPPING : SPEC_LIST);
    for (size_t i = 0; i < choice->count; i++) {
        const char *value = choice->values[i];
        size_t name = strcspn(value, "=");
        if (pairs) spec_add_scalar(to, value, name, false);
        if (pairs) value += name + (value[name] == '=');
        spec_add_scalar(to, value, strlen(value), value[0] == '\0');
    }
    if (pairs || choice->count > 1) spec_close(to);
}

/* Adds errors, lines that start with "figure, KEY" or "figure", under the name of the option. */
static void add_mistakes(const costab_figure_choice *choice, char *lines, costab_error *error) {
    char begin[SPEC_WORD_MAX + 8];
    (void)snprintf(begin, sizeof begin, "figure, %.*s", SPEC_WORD_MAX - 1, choice->key);
    size_t size = strlen(begin);
    for (char *line = lines, *next; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = '\0';
        bool own = choice->called != NULL && strncmp(line, begin, size) == 0;
        error_append(error, "%s%s", own ? choice->called : "", line + (own ? size : 0));
    }
}

static costab_status choose(costab_figure *figure, const costab_figure_choice *choice, costab_error *error) {
    ends_by(spec_file_free) spec_file file = {.path = NULL};
    spec_builder to = {.file = &file};
    costab_error mistakes = {.message = ""};
    spec_open(&to, SPEC_MAPPING);
    spec_add_word(&to, choice->key);
    add_values(&to, choice);
    spec_close(&to);
    if (file.memory_failed) return error_memory(error);
    spec_read_mapping(&file, spec_root(&file), "figure", SPEC_TABLE(figure_keys), figure);
    costab_status status = spec_finish(&file, &mistakes);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status) add_mistakes(choice, mistakes.message, error);
    return status;
}

costab_status costab_figure_choose(costab_figure *figure, const costab_figure_choice *choices, size_t count,
                                   costab_error *error) {
    costab_error all = {.message = ""};
    costab_status status = COSTAB_OK;
    for (size_t k = 0; k < count && status != COSTAB_MEMORY; k++) {
        costab_status one = choose(figure, &choices[k], &all);
        if (one) status = one;
    }
    return status ? error_set(error, status, "%s", all.message) : COSTAB_OK;
}

void costab_figure_clear(costab_figure *figure) {
    memory_free_all(figure->style.title, figure->x_label, figure->y_label, figure->points.name,
                    figure->points.text, figure->lines.name, figure->lines.text);
    *figure = (costab_figure){.kind_count = 0};
}
