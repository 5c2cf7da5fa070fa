/* The key `figure`: one table of keys for every system. What the words mean is for the room that draws. */
#include "costab/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "spec/sections.h"

#define COLUMNS_MAX   100
#define SIZE_MIN_CM   1.0
#define SIZE_MAX_CM   200.0
#define FONT_SIZE_MIN 3.0
#define FONT_SIZE_MAX 72.0

static const char *const colour_names[COSTAB_COLOURS_COUNT] = {
    [COSTAB_COLOURS_COLOUR] = "colour",
    [COSTAB_COLOURS_GREY] = "grey",
    [COSTAB_COLOURS_BLACK] = "black",
};

const char *costab_colours_name(costab_colours colours) {
    return (unsigned)colours < COSTAB_COLOURS_COUNT ? colour_names[colours] : NULL;
}

/* A number with its unit: 8.9cm. */
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
    if (!spec_list(file, value, "figure, size", 2)) return false;
    const spec_node *width = spec_first(file, value);
    bool fine = read_length(file, width, &style->width_cm);
    return read_length(file, spec_next(file, width), &style->height_cm) && fine;
}

/* The name goes into gnuplot's commands and into SVG files, where other characters have meanings. */
static bool is_font(const char *name) {
    for (; *name != '\0'; name++)
        if (!(*name >= 'a' && *name <= 'z') && !(*name >= 'A' && *name <= 'Z') &&
            !(*name >= '0' && *name <= '9') && strchr(" -.", *name) == NULL)
            return false;
    return true;
}

/* A name, or a name and a size in pt. */
static bool read_font(spec_file *file, const spec_node *value, void *target) {
    costab_style *style = &((costab_figure *)target)->style;
    bool list = value->kind == SPEC_LIST;
    if (list && !spec_list(file, value, "figure, font", 2)) return false;
    const spec_node *name = list ? spec_first(file, value) : value;
    char word[SPEC_WORD_MAX];
    if (!spec_word(file, name, "figure, font", word)) return false;
    if (!is_font(word)) {
        spec_complain(
            file, name,
            "figure, font: a name has letters, digits, blanks, '-' and '.' only; write for instance "
            "'font: [Nimbus Sans, 8]'");
        return false;
    }
    memcpy(style->font, word, sizeof style->font);
    if (!list) return true;
    const spec_node *size = spec_next(file, name);
    double points;
    if (!spec_number(file, size, "figure, font", &points)) return false;
    if (points >= FONT_SIZE_MIN && points <= FONT_SIZE_MAX) {
        style->font_size = points;
        return true;
    }
    spec_complain(file, size, "figure, font: expected a size from %g to %g pt", FONT_SIZE_MIN, FONT_SIZE_MAX);
    return false;
}

static bool read_hatching(spec_file *file, const spec_node *value, void *target) {
    bool hatching = true, fine = spec_flag(file, value, "figure, hatching", &hatching);
    ((costab_figure *)target)->style.plain = !hatching;
    return fine;
}

/* Words, whose meaning is not known here. */

static costab_place place_of(const spec_file *file, const spec_node *node) {
    return file->path != NULL ? (costab_place){node->line, node->column} : (costab_place){0, 0};
}

static bool read_figure_word(spec_file *file, const spec_node *value, const char *what,
                             costab_figure_word *word) {
    word->place = place_of(file, value);
    return spec_word(file, value, what, word->word);
}

static bool read_of(spec_file *file, const spec_node *value, void *target) {
    return read_figure_word(file, value, "figure, of", &((costab_figure *)target)->of);
}

static bool read_panels(spec_file *file, const spec_node *value, void *target) {
    return read_figure_word(file, value, "figure, panels", &((costab_figure *)target)->panels);
}

static bool add_kind(spec_file *file, const spec_node *item, costab_figure *figure) {
    costab_figure_word kind;
    if (!read_figure_word(file, item, "figure, kind", &kind)) return false;
    for (int i = 0; i < figure->kind_count; i++) {
        if (strcmp(figure->kinds[i].word, kind.word) != 0) continue;
        spec_complain(file, item, "figure, kind: '%s' stands here twice", kind.word);
        return false;
    }
    if (figure->kind_count == COSTAB_KINDS_MAX) {
        spec_complain(file, item, "figure, kind: at most %d kinds go into one figure", COSTAB_KINDS_MAX);
        return false;
    }
    figure->kinds[figure->kind_count++] = kind;
    return true;
}

static bool read_kind(spec_file *file, const spec_node *value, void *target) {
    costab_figure *figure = target;
    bool list = value->kind == SPEC_LIST, fine = true;
    if (list && !spec_list(file, value, "figure, kind", 0)) return false;
    figure->kind_count = 0;
    SPEC_EACH_OF (item, file, value) fine = add_kind(file, item, figure) && fine;
    return fine;
}

/* The range of an axis that is drawn; `axis` is "" where the key names none. */
static bool read_range(spec_file *file, const spec_node *node, const char *what, const char *axis,
                       costab_figure_range *range) {
    if (!spec_list(file, node, what, 2)) return false;
    const spec_node *from = spec_first(file, node), *to = spec_next(file, from);
    costab_figure_range read = {.place = place_of(file, node)};
    bool fine = spec_number(file, from, what, &read.from);
    fine = spec_number(file, to, what, &read.to) && fine;
    if (!fine) return false;
    memcpy(read.axis, axis, strlen(axis) + 1);
    if (read.from < read.to && isfinite(read.to - read.from)) {
        *range = read;
        return true;
    }
    if (read.from < read.to)
        spec_complain(file, node, "%s: the window is too wide for double precision", what);
    else
        spec_complain(file, to, "%s: the window's end must be greater than its start", what);
    return false;
}

static bool read_gamma(spec_file *file, const spec_node *value, void *target) {
    return read_range(file, value, "figure, gamma", "gamma", &((costab_figure *)target)->x);
}

static bool read_delta(spec_file *file, const spec_node *value, void *target) {
    return read_range(file, value, "figure, delta", "delta", &((costab_figure *)target)->y);
}

static bool read_x_range(spec_file *file, const spec_node *value, void *target) {
    return read_range(file, value, "figure, x_range", "", &((costab_figure *)target)->x);
}

static bool read_y_range(spec_file *file, const spec_node *value, void *target) {
    return read_range(file, value, "figure, y_range", "", &((costab_figure *)target)->y);
}

static const spec_key figure_keys[] = {
    {"kind", true, "kind: regions", .read = read_kind},
    {"size", false, "size: [8.9cm, 6.4cm]", .read = read_size},
    {"columns", false, "columns: 3", SPEC_VALUE(SPEC_WHOLE, costab_figure, style.columns),
     .most = COLUMNS_MAX},
    {"font", false, "font: [Nimbus Sans, 8]", .read = read_font},
    {"colours", false, "colours: grey", SPEC_VALUE(SPEC_CHOICE, costab_figure, style.colours),
     .most = COSTAB_COLOURS_COUNT, .names = colour_names},
    {"hatching", false, "hatching: false", .read = read_hatching},
    {"title", false, "title: My figure", SPEC_VALUE(SPEC_LINE, costab_figure, style.title)},
    {"of", false, "of: error", .read = read_of},
    {"panels", false, "panels: a", .read = read_panels},
    {"x_range", false, "x_range: [0, 2]", .read = read_x_range},
    {"y_range", false, "y_range: [0, 2]", .read = read_y_range},
    {"gamma", false, "gamma: [-6, 2]", .read = read_gamma},
    {"delta", false, "delta: [-2, 14]", .read = read_delta},
    {"fit", false, "fit: true", SPEC_VALUE(SPEC_ANSWER, costab_figure, fit)},
    {"us", false, "us: false", SPEC_VALUE(SPEC_ANSWER, costab_figure, us)},
};
enum { FIGURE_KEYS = sizeof figure_keys / sizeof *figure_keys };

bool spec_read_figure(spec_file *file, const spec_node *node, costab_figure *figure) {
    figure->place = place_of(file, node);
    return spec_read_mapping(file, node, "figure", figure_keys, FIGURE_KEYS, figure);
}

/* The same keys, all of them optional. */
costab_status costab_figure_overlay(costab_figure *figure, const char *mapping, costab_error *error) {
    spec_key keys[FIGURE_KEYS];
    spec_file file = {.path = NULL};
    memcpy(keys, figure_keys, sizeof keys);
    keys[0].required = false;
    const spec_node *root = spec_load(&file, NULL, mapping, strlen(mapping));
    if (root != NULL && !file.memory_failed)
        spec_read_mapping(&file, root, "figure", keys, FIGURE_KEYS, figure);
    costab_status status = spec_finish(&file, error);
    spec_file_free(&file);
    return status;
}

void costab_figure_clear(costab_figure *figure) {
    memory_free(figure->style.title);
    *figure = (costab_figure){.kind_count = 0};
}
