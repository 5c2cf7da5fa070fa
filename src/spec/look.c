/* How a figure looks: size, columns, font, colours, hatching, title. */
#include "spec/look.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

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
    char shown[SPEC_SHOW_MAX];
    const char *bytes = spec_text(file, node);
    double number = 0, unit = 0;
    if (node->kind == SPEC_SCALAR && node->size > 2) {
        size_t n = node->size - 2;
        for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
            if (memcmp(bytes + n, units[u].name, 2) == 0) unit = units[u].in_cm;
        while (n > 0 && bytes[n - 1] == ' ') n--;
        if (!number_parse_double(bytes, n, &number)) unit = 0;
    }
    if (unit == 0) {
        spec_complain(file, node, "figure, size: expected a length in cm, mm or in, such as 8.9cm, found %s",
                      spec_show(file, node, shown));
        return false;
    }
    *cm = number * unit;
    if (*cm >= SIZE_MIN_CM && *cm <= SIZE_MAX_CM) return true;
    spec_complain(file, node, "figure, size: expected a length from %gcm to %gcm, found %s", SIZE_MIN_CM,
                  SIZE_MAX_CM, spec_show(file, node, shown));
    return false;
}

bool spec_read_size(spec_file *file, const spec_node *value, void *target) {
    costab_look *look = target;
    if (!spec_list(file, value, "figure, size", 2)) return false;
    const spec_node *width = spec_first(file, value);
    bool fine = read_length(file, width, &look->width_cm);
    return read_length(file, spec_next(file, width), &look->height_cm) && fine;
}

bool spec_read_columns(spec_file *file, const spec_node *value, void *target) {
    size_t columns;
    if (!spec_whole(file, value, "figure, columns", 1, COLUMNS_MAX, &columns)) return false;
    ((costab_look *)target)->columns = (int)columns;
    return true;
}

/* A name, or a name and a size in pt. A comma would end the name where gnuplot reads it. */
bool spec_read_font(spec_file *file, const spec_node *value, void *target) {
    costab_look *look = target;
    bool list = value->kind == SPEC_LIST;
    if (list && !spec_list(file, value, "figure, font", 2)) return false;
    const spec_node *name = list ? spec_first(file, value) : value;
    char word[COSTAB_FONT_MAX];
    if (!spec_word(file, name, "figure, font", word)) return false;
    if (strchr(word, ',') != NULL) {
        spec_complain(file, name, "figure, font: a name has no comma; write 'font: [Nimbus Sans, 8]'");
        return false;
    }
    memcpy(look->font, word, sizeof word);
    if (!list) return true;
    const spec_node *size = spec_next(file, name);
    double points;
    if (!spec_number(file, size, "figure, font", &points)) return false;
    if (points >= FONT_SIZE_MIN && points <= FONT_SIZE_MAX) {
        look->font_size = points;
        return true;
    }
    spec_complain(file, size, "figure, font: expected a size from %g to %g pt", FONT_SIZE_MIN, FONT_SIZE_MAX);
    return false;
}

bool spec_read_colours(spec_file *file, const spec_node *value, void *target) {
    size_t index;
    if (!spec_choice(file, value, "figure, colours", colour_names, COSTAB_COLOURS_COUNT, &index))
        return false;
    ((costab_look *)target)->colours = (costab_colours)index;
    return true;
}

bool spec_read_hatching(spec_file *file, const spec_node *value, void *target) {
    static const char *const answers[] = {"true", "false"};
    size_t index;
    if (!spec_choice(file, value, "figure, hatching", answers, 2, &index)) return false;
    ((costab_look *)target)->plain = index == 1;
    return true;
}

bool spec_read_figure_title(spec_file *file, const spec_node *value, void *target) {
    costab_look *look = target;
    char *title;
    if (!spec_line(file, value, "figure, title", &title)) return false;
    memory_free(look->title);
    look->title = title;
    return true;
}

costab_status spec_restyle(const char *mapping, const spec_key *keys, size_t count, void *target,
                           bool (*check)(spec_file *file, const spec_node *root, void *context),
                           void *context, costab_error *error) {
    spec_file file = {.path = NULL};
    const spec_node *root = spec_load(&file, NULL, mapping, strlen(mapping));
    if (root != NULL && !file.memory_failed &&
        spec_read_mapping(&file, root, "figure", keys, count, target) && check != NULL)
        check(&file, root, context);
    costab_status status = spec_finish(&file, error);
    spec_file_free(&file);
    return status;
}
