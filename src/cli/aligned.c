/* A table as aligned text (cli/aligned.h).
 *   1. Rows wait in memory until the widths of their columns are known: to the table's end, or until there
 *      are ALIGNED_ROWS of them or the first has waited WAIT seconds when the next one comes.
 *   2. They are printed with the widest cells so far; where widths grow later the names of the columns are
 *      printed again.
 *   3. Words of classes are spelled out. */
#include "cli/aligned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { COLUMNS_MAX = 64, ALIGNED_ROWS = 1000 };
#define WAIT 1.0

/* Cells, each ended by a NUL, the names of the columns first. */
static struct {
    text cells, below;
    size_t columns, head; /* columns; bytes of their names */
    size_t filled;        /* cells without the names */
    size_t width[COLUMNS_MAX];
    double since; /* when the first of the rows that wait was begun */
} waiting;

static void put_cell(const char *words, size_t size) {
    text_append_n(&waiting.cells, words, size);
    text_append_n(&waiting.cells, "", 1);
}

void aligned_begin(const char *columns) {
    (void)aligned_end();
    for (const char *name = columns; name != NULL; waiting.columns++) {
        size_t size = strcspn(name, ",");
        put_cell(name, size);
        name = name[size] == ',' ? name + size + 1 : NULL;
    }
    waiting.head = waiting.cells.size;
}

/* What a class means; other words stay what they are. Returns `words`, or what is written to `made`. */
#define CLASS_WORDS_MAX 64
static const char *class_meaning(const char *words, char made[CLASS_WORDS_MAX]) {
    static const char letters[] = "SUNX";
    static const char *const means[] = {"stable", "unstable", "neutral", "unknown"};
    if (strlen(words) != 2) return words;
    const char *system = strchr(letters, words[0]), *simulation = strchr(letters, words[1]);
    if (system == NULL || simulation == NULL) return words;
    const char *of = *simulation == 'N' && *system != 'N' ? "on the limit" : means[simulation - letters];
    if (system == simulation)
        (void)snprintf(made, CLASS_WORDS_MAX, "%s", of);
    else
        (void)snprintf(made, CLASS_WORDS_MAX, "%s, system %s", of, means[system - letters]);
    return made;
}

static size_t shown_width(const char *words) {
    size_t width = 0;
    for (; *words != '\0'; words++) width += (*words & 0xC0) != 0x80;
    return width;
}

static bool is_numeric(const char *words) {
    words += *words == '-';
    return (*words >= '0' && *words <= '9') || strncmp(words, "inf", 3) == 0;
}

/* Widens the columns to what they hold; 0 stays of one that is empty but for its name. Whether any grew. */
static bool measure(size_t width[COLUMNS_MAX]) {
    size_t before[COLUMNS_MAX];
    memcpy(before, width, sizeof before);
    const char *cell = waiting.cells.data;
    size_t names[COLUMNS_MAX] = {0};
    for (size_t i = 0; i < waiting.columns + waiting.filled; i++, cell += strlen(cell) + 1) {
        size_t shown = shown_width(cell), c = i % waiting.columns, *of = i < waiting.columns ? names : width;
        if (shown > of[c]) of[c] = shown;
    }
    for (size_t c = 0; c < waiting.columns; c++)
        if (width[c] > 0 && names[c] > width[c]) width[c] = names[c];
    return memcmp(before, width, sizeof before) != 0;
}

static void put_aligned(const char *cell, size_t width, bool right, bool last) {
    size_t gap = width - shown_width(cell);
    printf("%*s%s", right ? (int)gap : 0, "", cell);
    if (!last) printf("%*s  ", right ? 0 : (int)gap, "");
}

/* Prints the rows, under the names, which stay for further rows. Names of numbers stand above them. */
static void put_rows(void) {
    const char *cell = waiting.cells.data, *first = waiting.cells.data + waiting.head;
    size_t *width = waiting.width, last = 0;
    bool right[COLUMNS_MAX] = {false}, again = width[0] > 0, grown = measure(width);
    if (again && grown) putchar('\n');
    for (size_t i = 0; i < waiting.filled; i++, first += strlen(first) + 1)
        if (first[0] != '\0') right[i % waiting.columns] |= is_numeric(first);
    for (size_t c = 0; c < waiting.columns; c++)
        if (width[c] > 0) last = c;
    for (size_t i = 0; i < waiting.columns + waiting.filled; i++, cell += strlen(cell) + 1) {
        size_t c = i % waiting.columns;
        if (width[c] == 0 || (i < waiting.columns && !grown)) continue;
        put_aligned(cell, width[c], i < waiting.columns ? right[c] : is_numeric(cell), c == last);
        if (c == last) putchar('\n');
    }
    waiting.cells.size = waiting.head;
    waiting.filled = 0;
}

/* Rows that come together stay together: those that wait are printed before the next one. */
static void next_cell(const char *words) {
    bool begins = waiting.filled % waiting.columns == 0 && !waiting.cells.failed;
    if (begins && waiting.filled > 0 &&
        (waiting.filled == ALIGNED_ROWS * waiting.columns || number_seconds() - waiting.since > WAIT))
        put_rows();
    if (waiting.filled == 0) waiting.since = number_seconds();
    put_cell(words, strlen(words));
    waiting.filled++;
}

void aligned_text(const char *column, const char *words) {
    char made[CLASS_WORDS_MAX];
    next_cell(strncmp(column, "class", 5) == 0 ? class_meaning(words, made) : words);
}

void aligned_number(double value) {
    char shown[NUMBER_SHOWN_MAX];
    bool whole = value == floor(value) && fabs(value) < 1e15;
    (void)text_format(shown, sizeof shown, whole ? "%.0f" : "%.6g", value == 0 ? 0 : value);
    next_cell(shown);
}

void aligned_say(const char *format, va_list arguments) {
    text_local words = {0};
    text_print_list(&words, format, arguments);
    if (words.failed) waiting.below.failed = true;
    if (!words.failed) text_append_plain(&waiting.below, words.data);
    text_append(&waiting.below, "\n");
}

bool aligned_end(void) {
    bool whole = !waiting.cells.failed && !waiting.below.failed;
    if (whole && waiting.filled > 0) put_rows();
    if (whole && waiting.below.size > 0) printf("%s%s", waiting.width[0] > 0 ? "\n" : "", waiting.below.data);
    text_free(&waiting.cells);
    text_free(&waiting.below);
    waiting.columns = waiting.head = waiting.filled = 0;
    memset(waiting.width, 0, sizeof waiting.width);
    return whole;
}
