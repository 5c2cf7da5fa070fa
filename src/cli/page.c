/* A table as aligned text: rows wait until the widths of their columns are known. */
#include "cli/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { COLUMNS_MAX = 64, PAGE_ROWS = 1000 };
#define WAIT 1.0

/* Cells, each ended by a NUL, the names of the columns first. */
static struct {
    text cells, below;
    size_t columns, head; /* columns; bytes of their names */
    size_t filled;        /* cells without the names */
    size_t width[COLUMNS_MAX];
    double since; /* when the first of the rows that wait was begun */
} page;

/* Units of the columns that always have the same one. */
static const struct {
    const char *column, *unit;
} units[] = {{"t", "s"},          {"frequency", "Hz"},          {"growth", "1/s"},
             {"decay", "1/s"},    {"spectral_abscissa", "1/s"}, {"stable_to", "s"},
             {"accurate_to", "s"}};

static void put_cell(const char *words, size_t size) {
    text_append_n(&page.cells, words, size);
    text_append_n(&page.cells, "", 1);
}

void page_begin(const char *columns) {
    (void)page_end();
    for (const char *name = columns; name != NULL; page.columns++) {
        size_t size = strcspn(name, ",");
        text words = {0};
        text_append_n(&words, name, size);
        for (size_t k = 0; k < sizeof units / sizeof *units && !words.failed; k++)
            if (strcmp(words.data, units[k].column) == 0) text_printf(&words, " [%s]", units[k].unit);
        if (words.failed) page.cells.failed = true;
        put_cell(words.failed ? "" : words.data, words.failed ? 0 : words.size);
        text_free(&words);
        name = name[size] == ',' ? name + size + 1 : NULL;
    }
    page.head = page.cells.size;
}

/* What a class means; other words stay what they are. Returns `words`, or what is written to `made`. */
#define PAGE_CLASS_MAX 64
static const char *class_meaning(const char *words, char made[PAGE_CLASS_MAX]) {
    static const char letters[] = "SUNX";
    static const char *const means[] = {"stable", "unstable", "neutral", "unknown"};
    if (strlen(words) != 2) return words;
    const char *system = strchr(letters, words[0]), *simulation = strchr(letters, words[1]);
    if (system == NULL || simulation == NULL) return words;
    const char *of = *simulation == 'N' && *system != 'N' ? "on the limit" : means[simulation - letters];
    if (system == simulation)
        (void)snprintf(made, PAGE_CLASS_MAX, "%s", of);
    else
        (void)snprintf(made, PAGE_CLASS_MAX, "%s, system %s", of, means[system - letters]);
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
    const char *cell = page.cells.data;
    size_t names[COLUMNS_MAX] = {0};
    for (size_t i = 0; i < page.columns + page.filled; i++, cell += strlen(cell) + 1) {
        size_t shown = shown_width(cell), c = i % page.columns, *of = i < page.columns ? names : width;
        if (shown > of[c]) of[c] = shown;
    }
    for (size_t c = 0; c < page.columns; c++)
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
    const char *cell = page.cells.data, *first = page.cells.data + page.head;
    size_t *width = page.width, last = 0;
    bool right[COLUMNS_MAX] = {false}, again = width[0] > 0, grown = measure(width);
    if (again && grown) putchar('\n');
    for (size_t i = 0; i < page.filled; i++, first += strlen(first) + 1)
        if (first[0] != '\0') right[i % page.columns] |= is_numeric(first);
    for (size_t c = 0; c < page.columns; c++)
        if (width[c] > 0) last = c;
    for (size_t i = 0; i < page.columns + page.filled; i++, cell += strlen(cell) + 1) {
        size_t c = i % page.columns;
        if (width[c] == 0 || (i < page.columns && !grown)) continue;
        put_aligned(cell, width[c], i < page.columns ? right[c] : is_numeric(cell), c == last);
        if (c == last) putchar('\n');
    }
    page.cells.size = page.head;
    page.filled = 0;
}

/* Rows that come together stay together: those that wait are printed before the next one. */
static void next_cell(const char *words) {
    bool begins = page.filled % page.columns == 0 && !page.cells.failed;
    if (begins && page.filled > 0 &&
        (page.filled == PAGE_ROWS * page.columns || number_seconds() - page.since > WAIT))
        put_rows();
    if (page.filled == 0) page.since = number_seconds();
    put_cell(words, strlen(words));
    page.filled++;
}

void page_text(const char *column, const char *words) {
    char made[PAGE_CLASS_MAX];
    next_cell(strncmp(column, "class", 5) == 0 ? class_meaning(words, made) : words);
}

void page_number(double value) {
    char shown[NUMBER_SHOWN_MAX];
    bool whole = value == floor(value) && fabs(value) < 1e15;
    (void)text_format(shown, sizeof shown, whole ? "%.0f" : "%.6g", value == 0 ? 0 : value);
    next_cell(shown);
}

void page_say(const char *format, va_list arguments) {
    text words = {0};
    text_print_list(&words, format, arguments);
    if (words.failed) page.below.failed = true;
    if (!words.failed) text_append_plain(&page.below, words.data);
    text_append(&page.below, "\n");
    text_free(&words);
}

bool page_end(void) {
    bool whole = !page.cells.failed && !page.below.failed;
    if (whole && page.filled > 0) put_rows();
    if (whole && page.below.size > 0) printf("%s%s", page.width[0] > 0 ? "\n" : "", page.below.data);
    text_free(&page.cells);
    text_free(&page.below);
    page.columns = page.head = page.filled = 0;
    memset(page.width, 0, sizeof page.width);
    return whole;
}
