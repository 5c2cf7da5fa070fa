/* complaints.h - whether a reader says of a broken text just what it should. */
#pragma once

#include "costab/model.h"
#include "support/support.h"

/* One line of a good text replaced by another; "" leaves it out. */
typedef struct complaint_case {
    int line;
    const char *text;
    const char *expected;
} complaint_case;

/* The first mistake of a model at its own values, of which those that parameters may mend are told where the
 * values are used: an instance is made, and its couplings are checked. */
costab_status complaint_use(const costab_model *model, costab_error *error);

/* Reads a text as the spec `path`, uses its model, and looks whether its figure goes with the sweep where
 * there is one. */
costab_status complaint_read(const char *path, const char *text, size_t size, costab_error *error);

/* Checks what is said of a text. The path and a colon begin the message; `expected` is what follows, "" if
 * the text is fine. In it ~ stands for any characters of a line, and a final line of ~ for any further lines.
 */
void complaint_check(const char *path, const char *text, size_t size, const char *expected);

/* Checks a good text, given line by line, and each case. A line that is left out moves those after it up. */
void complaint_check_cases(const char *path, const char *const *good, size_t lines,
                           const complaint_case *cases, size_t count);
