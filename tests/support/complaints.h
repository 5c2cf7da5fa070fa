/* complaints.h - whether a reader says of a broken text just what it should. */
#pragma once

#include "costab/base.h"
#include "support/support.h"

/* One line of a good text replaced by another; "" leaves it out. */
typedef struct complaint_case {
    int line;
    const char *text;
    const char *expected;
} complaint_case;

/* Writes `count` lines, one of them (from 1; 0: none) replaced. */
void complaint_compose(const char *const *lines, size_t count, int line, const char *replacement, char *text,
                       size_t size);

/* Checks the outcome of reading a text. `path` with its colon begins the message; `expected` is what follows,
 * "" if the text is fine. In it ~ stands for any characters of a line, and a final line of ~ for any further
 * lines. */
void complaint_check(costab_status status, const costab_error *error, const char *path, const char *text,
                     const char *expected);
