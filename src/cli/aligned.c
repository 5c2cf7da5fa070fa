/* A table as aligned text (cli/aligned.h).
 *   1. Rows wait in memory until the widths of their columns are known: to the end of the table, or until
 *      ALIGNED_ROWS rows wait, or until a row comes more than WAIT seconds after the first waiting row.
 *   2. They are printed with the widest cells so far. If widths grow later, the names of the columns are
 *      printed again.
 *   3. On a terminal, a table that is too wide is split into blocks of columns.
 *   4. Class codes are spelled out. */
#include "cli/aligned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"

enum { COLUMNS_MAX = 64, ALIGNED_ROWS = 1000, KEY_ROWS = 100 }; /* KEY_ROWS: see find_keys */
enum { GAP = 2 };                                               /* blanks between columns */
#define WAIT 1.0

/* The cells as strings, each ended by a NUL: first the names of the columns, then the rows that wait. */
static struct {
    text cells, below;
    size_t columns, head; /* number of columns; bytes of their names */
    size_t filled;        /* number of cells of the waiting rows */
    size_t width[COLUMNS_MAX];
    bool printed; /* rows of this table */
    double since; /* start of the first waiting row, in seconds */
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

/* Returns the meaning of a class code, written to `made`; returns any other string unchanged. */
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

/* The names of the columns, then the cells of the waiting rows, row by row. */
static const char *cells[(ALIGNED_ROWS + 1) * COLUMNS_MAX];

static const char *cell(size_t row, size_t column) {
    return cells[row * waiting.columns + column];
}

/* Splits the stored text into cells. Returns the number of rows. */
static size_t find_cells(void) {
    const size_t rows = waiting.filled / waiting.columns;
    const char *next = waiting.cells.data;
    for (size_t i = 0; i < (rows + 1) * waiting.columns; i++, next += strlen(next) + 1) cells[i] = next;
    return rows;
}

/* Widens the columns to their contents. An empty column keeps the width 0 and is not printed. Returns true if
 * any column grew. */
static bool measure(size_t rows) {
    bool grown = false;
    for (size_t c = 0; c < waiting.columns; c++) {
        size_t width = waiting.width[c];
        for (size_t r = 1; r <= rows; r++)
            if (shown_width(cell(r, c)) > width) width = shown_width(cell(r, c));
        if (width > 0 && shown_width(cell(0, c)) > width) width = shown_width(cell(0, c));
        grown = grown || width > waiting.width[c];
        waiting.width[c] = width;
    }
    return grown;
}

/* Returns the width of the terminal in characters; SIZE_MAX if stdout is not a terminal. */
static size_t terminal_width(void) {
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
    return SIZE_MAX;
}

/* Returns the number of pairs of rows that agree in all columns in `keys`. */
static size_t equal_pairs(size_t rows, const bool keys[COLUMNS_MAX]) {
    size_t pairs = 0;
    for (size_t a = 1; a <= rows; a++)
        for (size_t b = a + 1; b <= rows; b++) {
            size_t c = 0;
            while (c < waiting.columns && (!keys[c] || strcmp(cell(a, c), cell(b, c)) == 0)) c++;
            pairs += c == waiting.columns;
        }
    return pairs;
}

/* Marks few columns that distinguish the first KEY_ROWS rows: from the last to the first, drops each column
 * without which the other columns distinguish as many rows. */
static void find_keys(size_t rows, bool keys[COLUMNS_MAX]) {
    if (rows > KEY_ROWS) rows = KEY_ROWS;
    for (size_t c = 0; c < waiting.columns; c++) keys[c] = true;
    const size_t least = equal_pairs(rows, keys);
    for (size_t c = waiting.columns; c-- > 0;) {
        keys[c] = false;
        keys[c] = equal_pairs(rows, keys) > least;
    }
}

static void put_aligned(const char *words, size_t width, bool right, bool last) {
    size_t gap = width - shown_width(words);
    printf("%*s%s", right ? (int)gap : 0, "", words);
    if (!last) printf("%*s", (right ? 0 : (int)gap) + GAP, "");
}

/* Prints these columns of all rows. Names of numeric columns are aligned to the right. */
static void put_columns(size_t rows, const bool in[COLUMNS_MAX], bool names) {
    bool numeric[COLUMNS_MAX] = {false};
    size_t last = 0;
    for (size_t c = 0; c < waiting.columns; c++) {
        for (size_t r = 1; r <= rows; r++) numeric[c] = numeric[c] || is_numeric(cell(r, c));
        if (in[c]) last = c;
    }
    for (size_t r = names ? 0 : 1; r <= rows; r++) {
        for (size_t c = 0; c < waiting.columns; c++)
            if (in[c])
                put_aligned(cell(r, c), waiting.width[c], r == 0 ? numeric[c] : is_numeric(cell(r, c)),
                            c == last);
        putchar('\n');
    }
}

/* Prints a table that is wider than the terminal as several blocks of columns. Every block repeats the
 * columns that distinguish the rows. */
static void put_blocks(size_t rows, size_t terminal) {
    bool keys[COLUMNS_MAX];
    size_t keys_width = 0, c = 0;
    find_keys(rows, keys);
    for (size_t k = 0; k < waiting.columns; k++)
        if (keys[k]) keys_width += waiting.width[k] + GAP;
    for (bool first = true; c < waiting.columns; first = false) {
        bool in[COLUMNS_MAX], any = false;
        memcpy(in, keys, sizeof in);
        for (size_t width = keys_width; c < waiting.columns; c++) {
            if (keys[c] || waiting.width[c] == 0) continue;
            if (any && width + waiting.width[c] > terminal) break;
            any = in[c] = true;
            width += waiting.width[c] + GAP;
        }
        if (!first && any) putchar('\n');
        if (first || any) put_columns(rows, in, true);
    }
}

/* Prints the waiting rows. The names of the columns stay for further rows. */
static void put_rows(void) {
    const size_t rows = find_cells(), terminal = terminal_width();
    const bool grown = measure(rows);
    bool in[COLUMNS_MAX] = {false};
    size_t width = 0;
    for (size_t c = 0; c < waiting.columns; c++) {
        in[c] = waiting.width[c] > 0;
        if (in[c]) width += waiting.width[c] + (width > 0 ? GAP : 0);
    }
    const bool wide = width > terminal;
    if (waiting.printed && (grown || wide)) putchar('\n');
    if (wide)
        put_blocks(rows, terminal);
    else
        put_columns(rows, in, grown);
    waiting.cells.size = waiting.head;
    waiting.filled = 0;
    waiting.printed = true;
}

/* Adds a cell. First prints the waiting rows if they are too many, or if a row comes late. */
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
    text_vprintf(&words, format, arguments);
    if (words.failed) waiting.below.failed = true;
    if (!words.failed) text_append_plain(&waiting.below, words.data);
    text_append(&waiting.below, "\n");
}

bool aligned_has_rows(void) {
    return waiting.filled > 0 || waiting.printed;
}

bool aligned_end(void) {
    bool whole = !waiting.cells.failed && !waiting.below.failed;
    if (whole && waiting.filled > 0) put_rows();
    if (whole && waiting.below.size > 0) printf("%s%s", waiting.printed ? "\n" : "", waiting.below.data);
    text_free(&waiting.cells);
    text_free(&waiting.below);
    waiting.columns = waiting.head = waiting.filled = 0;
    waiting.printed = false;
    memset(waiting.width, 0, sizeof waiting.width);
    return whole;
}
