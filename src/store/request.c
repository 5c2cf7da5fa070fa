/* Writes the request of a figure as text and reads it back.
 *   1. The text has a line KEY VALUE for each choice; tabs separate the parts of a value. Backslash, tab and
 *      newline in a part are escaped as in C.
 *   2. Keys of one number or text are rows of a table with their member; keys of several parts, and keys that
 *      may be repeated, have a function each.
 *   3. Reading refuses unknown keys and values out of range, because the file is untrusted. */
#include "store/request.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/style.h"

static const char first_line[] = "format 1\n";

enum { PARTS_MAX = 4 };

/* A line while it is read: its parts, unescaped. */
typedef struct line {
    char *key, *parts[PARTS_MAX];
    int count;
} line;

/* ---- Parts */

static void put_part(text *to, const char *part) {
    for (const char *c = part; *c != '\0'; c++) {
        const char *escaped = *c == '\\' ? "\\\\" : *c == '\t' ? "\\t" : *c == '\n' ? "\\n" : NULL;
        if (escaped != NULL)
            text_append(to, escaped);
        else
            text_append_n(to, c, 1);
    }
}

static void put_line(text *to, const char *key, const char *const *parts, int count) {
    text_append(to, key);
    for (int k = 0; k < count; k++) {
        text_append(to, k == 0 ? " " : "\t");
        put_part(to, parts[k]);
    }
    text_append(to, "\n");
}

static void put_number(text *to, const char *key, double number) {
    text_printf(to, "%s %.17g\n", key, number);
}

/* Ends the part at its tab and unescapes it in place. Returns the next part; NULL after the last. */
static char *take_part(char *at) {
    char *to = at;
    for (; *at != '\0' && *at != '\t'; at++, to++) {
        *to = *at;
        if (*at != '\\' || at[1] == '\0') continue;
        at++;
        *to = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
    }
    char *next = *at == '\t' ? at + 1 : NULL;
    *to = '\0';
    return next;
}

static bool number_of(const char *part, double *number) {
    return number_parse_double(part, strlen(part), number) && isfinite(*number);
}

static bool word_of(const char *part, char word[COSTAB_WORD_MAX]) {
    return part[0] != '\0' && text_format(word, COSTAB_WORD_MAX, "%s", part) < COSTAB_WORD_MAX;
}

static bool placed_of(const char *part, costab_figure_word *word) {
    word->place.line = 1;
    return word_of(part, word->word);
}

/* ---- Keys of one value */

typedef enum form {
    NUMBER, /* a double */
    WHOLE,  /* a whole number from 0 to `most`, or an enumerator */
    FLAG,
    WORD,   /* a string of less than COSTAB_WORD_MAX bytes */
    PLACED, /* a costab_figure_word: a WORD with its position in the spec */
    LINE    /* a string of any length */
} form;

static const struct {
    const char *key;
    form form;
    size_t at; /* offset of the member */
    int most;
} members[] = {{"width_cm", NUMBER, offsetof(costab_figure, style.width_cm), 0},
               {"height_cm", NUMBER, offsetof(costab_figure, style.height_cm), 0},
               {"columns", WHOLE, offsetof(costab_figure, style.columns), STYLE_COLUMNS_MAX},
               {"font", WORD, offsetof(costab_figure, style.font), 0},
               {"font_size", NUMBER, offsetof(costab_figure, style.font_size), 0},
               {"dpi", WHOLE, offsetof(costab_figure, style.dpi), STYLE_DPI_MAX},
               {"colours", WHOLE, offsetof(costab_figure, style.colours), COSTAB_COLOURS_COUNT - 1},
               {"legend", WHOLE, offsetof(costab_figure, style.legend), COSTAB_LEGEND_COUNT - 1},
               {"plain", FLAG, offsetof(costab_figure, style.plain), 0},
               {"notes", FLAG, offsetof(costab_figure, style.notes), 0},
               {"title", LINE, offsetof(costab_figure, style.title), 0},
               {"of", PLACED, offsetof(costab_figure, of), 0},
               {"panels", PLACED, offsetof(costab_figure, panels), 0},
               {"x", PLACED, offsetof(costab_figure, x_axis), 0},
               {"y", PLACED, offsetof(costab_figure, y_axis), 0},
               {"x_label", LINE, offsetof(costab_figure, x_label), 0},
               {"y_label", LINE, offsetof(costab_figure, y_label), 0},
               {"us", WHOLE, offsetof(costab_figure, us), COSTAB_YES},
               {"fit", WHOLE, offsetof(costab_figure, fit), COSTAB_YES}};
enum { MEMBERS = sizeof members / sizeof *members };

_Static_assert(sizeof(costab_colours) == sizeof(int) && sizeof(costab_legend) == sizeof(int) &&
                   sizeof(costab_answer) == sizeof(int),
               "choices are whole numbers");

static void put_member(text *to, const costab_figure *figure, int k) {
    const char *at = (const char *)figure + members[k].at, *word = at;
    double number = 0;
    int whole = 0;
    switch (members[k].form) {
    case NUMBER:
        memcpy(&number, at, sizeof number);
        break;
    case WHOLE:
        memcpy(&whole, at, sizeof whole);
        break;
    case FLAG:
        whole = *(const bool *)at;
        break;
    case WORD:
    case PLACED:
        break; /* a placed word begins with its word */
    case LINE:
        memcpy(&word, at, sizeof word);
        break;
    }
    if (members[k].form <= FLAG) {
        number += whole;
        if (number != 0) put_number(to, members[k].key, number);
    } else if (word != NULL && (members[k].form == LINE || word[0] != '\0')) {
        put_line(to, members[k].key, &word, 1);
    }
}

static bool take_member(const char *part, costab_figure *figure, int k) {
    char *at = (char *)figure + members[k].at, *copy = NULL;
    double number = 0;
    if (members[k].form <= FLAG && !number_of(part, &number)) return false;
    const int whole = number >= 0 && number <= INT_MAX ? (int)number : -1;
    switch (members[k].form) {
    case NUMBER:
        memcpy(at, &number, sizeof number);
        return number >= 0;
    case WHOLE:
        memcpy(at, &whole, sizeof whole);
        return whole >= 0 && whole <= members[k].most;
    case FLAG:
        *(bool *)at = whole == 1;
        return whole == 1;
    case WORD:
        return word_of(part, at);
    case PLACED:
        return placed_of(part, (costab_figure_word *)at);
    case LINE:
        break;
    }
    memcpy(&copy, at, sizeof copy);
    if (copy != NULL) return false;
    copy = memory_copy(part);
    memcpy(at, &copy, sizeof copy);
    return copy != NULL;
}

/* ---- Keys of several values */

static void put_range(text *to, const char *key, const costab_figure_range *range) {
    if (!(range->from < range->to)) return;
    text_printf(to, "%s %.17g\t%.17g\t", key, range->from, range->to);
    put_part(to, range->axis);
    text_append(to, "\n");
}

static bool take_range(const line *l, costab_figure_range *range) {
    range->place.line = 1;
    return l->count == 3 && number_of(l->parts[0], &range->from) && number_of(l->parts[1], &range->to) &&
           range->from < range->to && isfinite(range->to - range->from) &&
           (l->parts[2][0] == '\0' || word_of(l->parts[2], range->axis));
}

static bool take_pick(const line *l, costab_figure *figure) {
    if (l->count != 2 || figure->pick_count == COSTAB_PICKS_MAX) return false;
    costab_figure_pick *pick = &figure->picks[figure->pick_count++];
    if (!number_parse(l->parts[1], strlen(l->parts[1]), &pick->value)) pick->value = (double)NAN;
    return placed_of(l->parts[0], &pick->axis) && placed_of(l->parts[1], &pick->name);
}

static bool take_name(const line *l, costab_figure *figure) {
    if (l->count != 2 || figure->name_count == COSTAB_NAMES_MAX) return false;
    costab_figure_name *name = &figure->names[figure->name_count++];
    return word_of(l->parts[0], name->name) && word_of(l->parts[1], name->words);
}

static bool take_level(const line *l, costab_figure *figure) {
    if (l->count != 1 || figure->level_count == COSTAB_LEVELS_MAX) return false;
    double *level = &figure->levels[figure->level_count++];
    figure->levels_place.line = 1;
    return number_of(l->parts[0], level) && (figure->level_count == 1 || level[-1] < *level);
}

static bool take_file(const line *l, costab_figure_file *file) {
    if (l->count != 2 || file->name != NULL) return false;
    file->name = memory_copy(l->parts[0]);
    file->text = memory_copy(l->parts[1]);
    return file->name != NULL && file->text != NULL;
}

static void put_file(text *to, const char *key, const costab_figure_file *file) {
    if (file->name != NULL && file->text != NULL)
        put_line(to, key, (const char *[]){file->name, file->text}, 2);
}

static void put_words(text *to, const char *key, const store_word *words, size_t count) {
    for (size_t k = 0; k < count; k++)
        put_line(to, key, (const char *[]){words[k].name, words[k].label, words[k].unit, words[k].display},
                 words[k].display[0] != '\0' ? 4 : 3);
}

bool store_request_add_word(store_request *request, bool axis, const char *const parts[4]) {
    store_word **words = axis ? &request->axes : &request->words;
    size_t *count = axis ? &request->axis_count : &request->word_count;
    if (!memory_grows(words, axis ? &request->axis_capacity : &request->word_capacity, *count + 1))
        return false;
    store_word *added = &(*words)[(*count)++];
    *added = (store_word){.name = memory_copy(parts[0])};
    char **const to[] = {&added->label, &added->unit, &added->display};
    for (int k = 0; k < 3; k++) *to[k] = memory_copy(parts[k + 1] != NULL ? parts[k + 1] : "");
    return added->name != NULL && added->label != NULL && added->unit != NULL && added->display != NULL;
}

bool store_request_add_held(store_request *request, const char *name) {
    if (!memory_grows(&request->held, &request->held_capacity, request->held_count + 1)) return false;
    char *copy = memory_copy(name);
    if (copy != NULL) request->held[request->held_count++] = copy;
    return copy != NULL;
}

/* Takes a line of `words` or `axes`. Refuses a displayed unit that is not the unit with an SI prefix. */
static bool take_word(const line *l, store_request *r) {
    int power;
    if (l->count < 3 || l->count > 4 || l->parts[0][0] == '\0') return false;
    if (l->count == 4 && !number_si_unit(l->parts[3], l->parts[2], &power)) return false;
    return store_request_add_word(
        r, l->key[0] == 'a',
        (const char *const[]){l->parts[0], l->parts[1], l->parts[2], l->count == 4 ? l->parts[3] : NULL});
}

/* ---- All lines */

void store_request_write(const store_request *r, text *to) {
    const costab_figure *f = &r->figure;
    text_append(to, first_line);
    for (int k = 0; k < f->kind_count; k++) put_line(to, "kind", &(const char *){f->kinds[k].word}, 1);
    for (int k = 0; k < MEMBERS; k++) put_member(to, f, k);
    put_range(to, "x_range", &f->x);
    put_range(to, "y_range", &f->y);
    for (int k = 0; k < f->name_count; k++)
        put_line(to, "name", (const char *[]){f->names[k].name, f->names[k].words}, 2);
    for (int k = 0; k < f->pick_count; k++)
        put_line(to, "select", (const char *[]){f->picks[k].axis.word, f->picks[k].name.word}, 2);
    for (int k = 0; k < f->coupling_count; k++)
        put_line(to, "coupling", &(const char *){f->couplings[k].word}, 1);
    for (int k = 0; k < f->level_count; k++) put_number(to, "level", f->levels[k]);
    put_file(to, "points", &f->points);
    put_file(to, "lines", &f->lines);
    put_words(to, "word", r->words, r->word_count);
    put_words(to, "axis", r->axes, r->axis_count);
    if (r->until > 0) put_number(to, "until", r->until);
    if (r->signals_named) put_number(to, "signals_named", 1);
    for (size_t k = 0; k < r->held_count; k++) put_line(to, "held", &(const char *){r->held[k]}, 1);
}

static bool take_line(const line *l, store_request *r) {
    costab_figure *f = &r->figure;
    double number;
    for (int k = 0; k < MEMBERS; k++)
        if (strcmp(l->key, members[k].key) == 0) return l->count == 1 && take_member(l->parts[0], f, k);
    if (strcmp(l->key, "x_range") == 0) return take_range(l, &f->x);
    if (strcmp(l->key, "y_range") == 0) return take_range(l, &f->y);
    if (strcmp(l->key, "name") == 0) return take_name(l, f);
    if (strcmp(l->key, "select") == 0) return take_pick(l, f);
    if (strcmp(l->key, "level") == 0) return take_level(l, f);
    if (strcmp(l->key, "points") == 0) return take_file(l, &f->points);
    if (strcmp(l->key, "lines") == 0) return take_file(l, &f->lines);
    if (strcmp(l->key, "word") == 0 || strcmp(l->key, "axis") == 0) return take_word(l, r);
    if (l->count != 1) return false;
    if (strcmp(l->key, "kind") == 0)
        return f->kind_count < COSTAB_KINDS_MAX && placed_of(l->parts[0], &f->kinds[f->kind_count++]);
    if (strcmp(l->key, "coupling") == 0)
        return f->coupling_count < COSTAB_PICKS_MAX &&
               placed_of(l->parts[0], &f->couplings[f->coupling_count++]);
    if (strcmp(l->key, "held") == 0) return store_request_add_held(r, l->parts[0]);
    if (strcmp(l->key, "until") == 0) return number_of(l->parts[0], &r->until) && r->until > 0;
    r->signals_named = strcmp(l->key, "signals_named") == 0 && number_of(l->parts[0], &number);
    return r->signals_named;
}

costab_status store_request_read(const char *written, const char *path, store_request *request,
                                 costab_error *error) {
    *request = (store_request){.figure.place.line = 1};
    bool fine = strncmp(written, first_line, strlen(first_line)) == 0;
    memory_local char *bytes = memory_copy(fine ? written + strlen(first_line) : "");
    if (bytes == NULL) return error_memory(error);
    for (char *at = bytes, *next; fine && *at != '\0'; at = next) {
        char *end = strchr(at, '\n'), *space = strchr(at, ' ');
        fine = end != NULL && space != NULL && space < end;
        if (!fine) break;
        next = end + 1;
        *end = *space = '\0';
        line l = {.key = at};
        for (char *part = space + 1; part != NULL && fine; fine = part == NULL || l.count < PARTS_MAX) {
            l.parts[l.count++] = part;
            part = take_part(part);
        }
        fine = fine && take_line(&l, request);
    }
    return fine ? COSTAB_OK
                : error_invalid(error, "'%s': what it says of its figure makes no sense; sweep again", path);
}

void store_request_free(store_request *r) {
    costab_figure *f = &r->figure;
    for (size_t k = 0; k < r->word_count; k++)
        memory_free_all(r->words[k].name, r->words[k].label, r->words[k].unit, r->words[k].display);
    for (size_t k = 0; k < r->axis_count; k++)
        memory_free_all(r->axes[k].name, r->axes[k].label, r->axes[k].unit, r->axes[k].display);
    for (size_t k = 0; k < r->held_count; k++) memory_free(r->held[k]);
    memory_free_all(r->words, r->axes, r->held, f->style.title, f->x_label, f->y_label, f->points.name,
                    f->points.text, f->lines.name, f->lines.text);
    *r = (store_request){.until = 0};
}
