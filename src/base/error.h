/* base/error.h - filling a costab_error. */
#pragma once

#include <stdbool.h>

#include "costab/base.h"

/* Fills `error` (if not NULL) with the status and a printf-style message, and returns the status. */
costab_status error_set(costab_error *error, costab_status status, const char *format, ...)
    COSTAB_PRINTF(3, 4);

/* error_set with COSTAB_INVALID. */
costab_status error_invalid(costab_error *error, const char *format, ...) COSTAB_PRINTF(2, 3);

/* Fills `error` with COSTAB_MEMORY and its message. */
costab_status error_memory(costab_error *error);

/* Returns true if a failure at one value ends a search over many values. After any other failure that value
 * has no answer. */
static inline bool error_ends_search(costab_status status) {
    return status == COSTAB_MEMORY || status == COSTAB_UNSUPPORTED;
}

/* error_invalid for a call with a missing argument: "NULL where WHAT is expected". */
costab_status error_missing(costab_error *error, const char *what);

/* Makes a call that returns a status (0 for success). If the call fails, returns its status from the
 * enclosing function; memory_local and similar variables end with their blocks. */
#define TRY(...)                                                                                             \
    do {                                                                                                     \
        __auto_type try_status = (__VA_ARGS__);                                                              \
        if (try_status) return try_status;                                                                   \
    } while (0)

/* Adds one line to the message (after a newline if there is one already) and sets the status to
 * COSTAB_INVALID. Lines that no longer fit are dropped, and the last line then reports more errors. */
void error_append(costab_error *error, const char *format, ...) COSTAB_PRINTF(2, 3);

/* clang's analyzer reads one source at a time. These macros give it the results of the functions, so that it
 * does not follow paths with a failure that returns COSTAB_OK. (Definitions put the name into parentheses to
 * avoid the macro.) */
#ifdef __clang_analyzer__
#define error_set(error, status, ...) ((void)error_set(error, status, __VA_ARGS__), (status))
#define error_invalid(error, ...)     ((void)error_invalid(error, __VA_ARGS__), COSTAB_INVALID)
#define error_missing(error, what)    ((void)error_missing(error, what), COSTAB_INVALID)
#define error_memory(error)           ((void)error_memory(error), COSTAB_MEMORY)
#endif
