/* Points of the planar system from CSV.
 *   1. The first line names the columns, in any order; columns other than a, gamma and delta are ignored.
 *   2. Each line is a point. Errors name line and column. */
#include "cli/points.h"

#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#define POINTS_BYTES_MAX ((size_t)4 << 30) /* largest file that is read */

enum { COLUMNS = 3 };
static const char *const names[COLUMNS] = {"a", "gamma", "delta"};

typedef struct reader {
    const char *path;
    csv text;
    int place[COLUMNS]; /* column numbers of a, gamma, delta */
    costab_error *error;
} reader;

/* Reports a mistake at `at`; what: words that end in an opening quote if `shown` is not empty. */
static costab_status mistake(const reader *r, const char *at, const char *what, csv_cell shown) {
    return error_invalid(r->error, "%s:%zu:%zu: error: %s%.*s%s", r->path, r->text.line,
                         (size_t)(at - r->text.start) + 1, what, (int)(shown.size < 40 ? shown.size : 40),
                         shown.start, shown.size > 0 ? "'" : "");
}

static costab_status read_header(reader *r) {
    for (int k = 0; k < COLUMNS; k++) r->place[k] = -1;
    csv_cell c;
    for (int column = 0; csv_next(&r->text, &c); column++)
        for (int k = 0; k < COLUMNS; k++) {
            if (!csv_is(c, names[k])) continue;
            if (r->place[k] >= 0) return mistake(r, c.start, "a second column '", c);
            r->place[k] = column;
        }
    for (int k = 0; k < COLUMNS; k++)
        if (r->place[k] < 0)
            return mistake(r, r->text.start, "the header has no column '",
                           (csv_cell){names[k], strlen(names[k])});
    return COSTAB_OK;
}

static costab_status read_row(reader *r, double row[COLUMNS]) {
    csv_cell c;
    int column = 0, found = 0;
    for (; csv_next(&r->text, &c); column++)
        for (int k = 0; k < COLUMNS; k++) {
            if (r->place[k] != column) continue;
            if (c.size == 0) return mistake(r, c.start, "expected a finite number, found an empty cell", c);
            if (!number_parse(c.start, c.size, &row[k]))
                return mistake(r, c.start, "expected a finite number, found '", c);
            found++;
        }
    if (found == COLUMNS) return COSTAB_OK;
    return mistake(r, r->text.end, "the line is too short: a, gamma or delta is missing", (csv_cell){"", 0});
}

costab_status cli_points_create(cli_points *points, size_t space, costab_error *error) {
    *points = (cli_points){.a = memory_alloc(COLUMNS * space, sizeof(double))};
    if (points->a == NULL) return error_memory(error);
    points->gamma = points->a + space;
    points->delta = points->gamma + space;
    return COSTAB_OK;
}

static costab_status read_rows(reader *r, const char *bytes, size_t size, cli_points *points) {
    r->text = csv_begin(bytes, size);
    if (size > 0 && memchr(bytes, '\0', size) != NULL)
        return error_invalid(r->error, "%s: a binary file; expected CSV", r->path);
    if (!csv_line(&r->text)) return error_invalid(r->error, "%s: empty; expected a header", r->path);

    TRY(read_header(r));
    size_t lines = 0;
    for (const char *s = r->text.rest; s < r->text.stop; s++) lines += *s == '\n';
    TRY(cli_points_create(points, lines + 1, r->error));
    while (csv_line(&r->text)) {
        if (r->text.start == r->text.end) continue;
        double row[COLUMNS];
        TRY(read_row(r, row));
        points->a[points->count] = row[0];
        points->gamma[points->count] = row[1];
        points->delta[points->count++] = row[2];
    }
    return COSTAB_OK;
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
    text_local content = {0};
    TRY(text_read_file(path, POINTS_BYTES_MAX, &content, error));
    return cli_points_parse(strcmp(path, "-") == 0 ? "standard input" : path, content.data, content.size,
                            points, error);
}

void cli_points_free(cli_points *points) {
    memory_free(points->a);
    *points = (cli_points){0};
}
