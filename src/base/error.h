/* base/error.h - filling a costab_error. */
#pragma once

#include <stdbool.h>

#include "costab/base.h"

/* Fills `error` (if not NULL) with the status and a printf-style message, and returns the status. */
costab_status error_set(costab_error *error, costab_status status, const char *format, ...)
    COSTAB_PRINTF(3, 4);

/* error_set(COSTAB_INVALID). */
costab_status error_invalid(costab_error *error, const char *format, ...) COSTAB_PRINTF(2, 3);

/* Fills `error` with COSTAB_MEMORY and the message that memory is out. */
costab_status error_memory(costab_error *error);

/* Whether a failure at one value ends a search over many. Any other failure leaves that value without an
 * answer. */
static inline bool error_ends_search(costab_status status) {
    return status == COSTAB_MEMORY || status == COSTAB_UNSUPPORTED;
}

/* error_invalid of a call that lacks what it needs: "NULL where WHAT is expected". */
costab_status error_missing(costab_error *error, const char *what);

/* Makes a call that returns a status, 0 where it went well, and returns that status from the function around
 * it where the call failed; what the function holds by then ends with its block (memory_local and the like).
 */
#define TRY(...)                                                                                             \
    do {                                                                                                     \
        __auto_type try_status = (__VA_ARGS__);                                                              \
        if (try_status) return try_status;                                                                   \
    } while (0)

/* Adds one line to the message (after a newline if there is one already) and sets the status to
 * COSTAB_INVALID. What no longer fits is dropped, and the last line then says that there is more. */
void error_append(costab_error *error, const char *format, ...) COSTAB_PRINTF(2, 3);

/* clang's analyzer reads one source at a time. These macros tell it what the functions return, so that it
 * does not follow paths on which a failure returns COSTAB_OK. (Definitions put the name into parentheses, so
 * that no macro replaces it.) */
#ifdef __clang_analyzer__
#define error_set(error, status, ...) ((void)error_set(error, status, __VA_ARGS__), (status))
#define error_invalid(error, ...)     ((void)error_invalid(error, __VA_ARGS__), COSTAB_INVALID)
#define error_missing(error, what)    ((void)error_missing(error, what), COSTAB_INVALID)
#define error_memory(error)           ((void)error_memory(error), COSTAB_MEMORY)
#endif
