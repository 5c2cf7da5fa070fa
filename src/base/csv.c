/* Scans comma-separated values in one pass. Lines end at LF or CRLF. A byte order mark is skipped. A cell
 * ends at a comma outside quotes. Limitation: a quoted cell cannot hold a line break. */
#include "base/csv.h"

#include <string.h>

csv csv_begin(const char *bytes, size_t size) {
    const bool marked = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    return (csv){.rest = bytes + (marked ? 3 : 0), .stop = bytes + size};
}

bool csv_line(csv *c) {
    if (c->rest >= c->stop) return false;
    const char *newline = memchr(c->rest, '\n', (size_t)(c->stop - c->rest));
    c->line++;
    c->start = c->at = c->rest;
    c->end = newline != NULL ? newline : c->stop;
    c->rest = newline != NULL ? newline + 1 : c->stop;
    if (c->end > c->at && c->end[-1] == '\r') c->end--;
    return true;
}

static bool is_blank(char character) {
    return character == ' ' || character == '\t';
}

bool csv_blank(const csv *c) {
    const char *s = c->start;
    while (s < c->end && is_blank(*s)) s++;
    return s == c->end;
}

bool csv_next(csv *c, csv_cell *cell) {
    if (c->at == NULL) return false;
    const char *start = c->at, *stop = start;
    bool quoted = false;
    while (stop < c->end && (quoted || *stop != ',')) quoted ^= *stop++ == '"';
    c->at = stop < c->end ? stop + 1 : NULL;
    while (start < stop && is_blank(*start)) start++;
    while (stop > start && is_blank(stop[-1])) stop--;
    if (stop - start >= 2 && *start == '"' && stop[-1] == '"') {
        start++;
        stop--;
    }
    *cell = (csv_cell){start, (size_t)(stop - start)};
    return true;
}

bool csv_is(csv_cell cell, const char *word) {
    return cell.size == strlen(word) && memcmp(cell.start, word, cell.size) == 0;
}

bool csv_copy(csv_cell cell, char *to, size_t space) {
    size_t size = 0;
    for (size_t i = 0; i < cell.size; i++) {
        if (size + 1 >= space) return false;
        to[size++] = cell.start[i];
        if (cell.start[i] == '"' && i + 1 < cell.size && cell.start[i + 1] == '"') i++;
    }
    to[size] = '\0';
    return true;
}
