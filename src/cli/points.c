#include "cli/points.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#define POINTS_BYTES_MAX ((size_t)4 << 30)

enum { COLUMNS = 3 };
static const char *const names[COLUMNS] = {"a", "gamma", "delta"};

typedef struct reader {
    const char *path;
    size_t line;
    const char *line_start, *at,
        *end;           /* the current line: its start, the next cell, its end without the line break */
    int place[COLUMNS]; /* column numbers of a, gamma, delta */
    costab_error *error;
} reader;

/* A cell without its blanks and quotes. */
typedef struct cell {
    const char *start;
    size_t size;
} cell;

static costab_status mistake(const reader *r, const char *at, const char *what, cell shown) {
    return error_set(r->error, COSTAB_INVALID, "%s:%zu:%zu: error: %s%.*s%s", r->path, r->line,
                     (size_t)(at - r->line_start) + 1, what, (int)(shown.size < 40 ? shown.size : 40),
                     shown.start, shown.size > 0 ? "'" : "");
}

/* The next cell of the line; false at its end. Quotes may hold commas. */
static bool next_cell(reader *r, cell *c) {
    if (r->at == NULL) return false;
    const char *s = r->at;
    bool quoted = false;
    while (s < r->end && (quoted || *s != ',')) quoted ^= *s++ == '"';
    const char *start = r->at, *stop = s;
    r->at = s < r->end ? s + 1 : NULL;
    while (start < stop && (*start == ' ' || *start == '\t')) start++;
    while (stop > start && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
    if (stop - start >= 2 && *start == '"' && stop[-1] == '"') {
        start++;
        stop--;
    }
    *c = (cell){start, (size_t)(stop - start)};
    return true;
}

static costab_status read_header(reader *r) {
    for (int k = 0; k < COLUMNS; k++) r->place[k] = -1;
    cell c;
    for (int column = 0; next_cell(r, &c); column++)
        for (int k = 0; k < COLUMNS; k++) {
            if (c.size != strlen(names[k]) || memcmp(c.start, names[k], c.size) != 0) continue;
            if (r->place[k] >= 0) return mistake(r, c.start, "a second column '", c);
            r->place[k] = column;
        }
    for (int k = 0; k < COLUMNS; k++)
        if (r->place[k] < 0)
            return mistake(r, r->line_start, "the header has no column '",
                           (cell){names[k], strlen(names[k])});
    return COSTAB_OK;
}

static costab_status read_row(reader *r, double row[COLUMNS]) {
    cell c;
    int column = 0, found = 0;
    for (; next_cell(r, &c); column++)
        for (int k = 0; k < COLUMNS; k++) {
            if (r->place[k] != column) continue;
            if (!number_parse_double(c.start, c.size, &row[k]))
                return mistake(r, c.start, "expected a finite decimal number, found '", c);
            found++;
        }
    if (found == COLUMNS) return COSTAB_OK;
    return mistake(r, r->end, "the line is too short: a, gamma or delta is missing", (cell){"", 0});
}

static bool next_line(reader *r, const char **rest, const char *stop) {
    if (*rest >= stop) return false;
    const char *newline = memchr(*rest, '\n', (size_t)(stop - *rest));
    r->line++;
    r->line_start = r->at = *rest;
    r->end = newline != NULL ? newline : stop;
    *rest = newline != NULL ? newline + 1 : stop;
    if (r->end > r->at && r->end[-1] == '\r') r->end--;
    return true;
}

costab_status cli_points_create(cli_points *points, size_t room, costab_error *error) {
    *points = (cli_points){.a = memory_alloc(COLUMNS * room, sizeof(double))};
    if (points->a == NULL) return error_memory(error);
    points->gamma = points->a + room;
    points->delta = points->gamma + room;
    return COSTAB_OK;
}

static costab_status read_rows(reader *r, const char *bytes, size_t size, cli_points *points) {
    const char *rest = bytes, *stop = bytes + size;
    if (size >= 3 && memcmp(rest, "\xef\xbb\xbf", 3) == 0) rest += 3;
    if (size > 0 && memchr(bytes, '\0', size) != NULL)
        return error_set(r->error, COSTAB_INVALID, "%s: a binary file; expected CSV", r->path);
    if (!next_line(r, &rest, stop))
        return error_set(r->error, COSTAB_INVALID, "%s: empty; expected a header", r->path);

    costab_status status = read_header(r);
    size_t lines = 0;
    for (const char *s = rest; s < stop; s++) lines += *s == '\n';
    if (!status) status = cli_points_create(points, lines + 1, r->error);
    while (!status && next_line(r, &rest, stop)) {
        if (r->at == r->end) continue;
        double row[COLUMNS];
        status = read_row(r, row);
        if (status) break;
        points->a[points->count] = row[0];
        points->gamma[points->count] = row[1];
        points->delta[points->count++] = row[2];
    }
    return status;
}

costab_status cli_points_parse(const char *path, const char *bytes, size_t size, cli_points *points,
                               costab_error *error) {
    *points = (cli_points){0};
    reader r = {.path = path, .error = error};
    costab_status status = read_rows(&r, bytes, size, points);
    if (status) cli_points_free(points);
    return status;
}

costab_status cli_points_read(const char *path, cli_points *points, costab_error *error) {
    *points = (cli_points){0};
    text content = {0};
    costab_status status = text_read_file(path, POINTS_BYTES_MAX, &content, error);
    if (!status)
        status = cli_points_parse(strcmp(path, "-") == 0 ? "standard input" : path, content.data,
                                  content.size, points, error);
    text_free(&content);
    return status;
}

void cli_points_free(cli_points *points) {
    memory_free(points->a);
    *points = (cli_points){0};
}
