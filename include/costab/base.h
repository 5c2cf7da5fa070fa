/* costab/base.h - status codes, messages and the version.
 *
 * Every function that can fail returns a costab_status and, where the caller passes one, fills a costab_error
 * with a message that says what went wrong, where, and what to do. The library never prints and never exits.
 */
#ifndef COSTAB_BASE_H
#define COSTAB_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define COSTAB_API                   __attribute__((visibility("default")))
#define COSTAB_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define COSTAB_API
#define COSTAB_PRINTF(string, first)
#endif

#define COSTAB_VERSION       "0.1.0"
#define COSTAB_VERSION_MAJOR 0
#define COSTAB_VERSION_MINOR 1
#define COSTAB_VERSION_PATCH 0

/* The status codes: name, text. COSTAB_OK is 0. */
#define COSTAB_STATUS_LIST(X)                                                                                \
    X(OK, "success")                                                                                         \
    X(INVALID, "invalid input")                                                                              \
    X(MEMORY, "out of memory")                                                                               \
    X(IO, "input or output failed")                                                                          \
    X(NUMERIC, "a computation did not reach its accuracy")                                                   \
    X(CANCELLED, "cancelled")                                                                                \
    X(UNREADABLE, "an input cannot be read")                                                                 \
    X(UNSUPPORTED, "the question has no answer for this model")

typedef enum costab_status {
#define COSTAB_STATUS_ENUM(name, text) COSTAB_##name,
    COSTAB_STATUS_LIST(COSTAB_STATUS_ENUM)
#undef COSTAB_STATUS_ENUM
        COSTAB_STATUS_COUNT
} costab_status;

#define COSTAB_MESSAGE_MAX 4096

/* An error. `message` is a NUL-terminated UTF-8 text without a final newline. Where one input has
 * several mistakes it has a line for each: `FILE:LINE:COLUMN: error: ...`. */
typedef struct costab_error {
    costab_status status;
    char message[COSTAB_MESSAGE_MAX];
} costab_error;

/* The fixed text of a status code; never NULL. */
COSTAB_API const char *costab_status_text(costab_status status);

/* The version of the library that the program runs with, such as "0.1.0": a static string. */
COSTAB_API const char *costab_version(void);

/* "costab 0.1.0 (revision, compiler, flags)": a static string. */
COSTAB_API const char *costab_build_info(void);

/* The source revision the library was built from, "unknown" outside a repository: a static string. */
COSTAB_API const char *costab_revision(void);

#ifdef __cplusplus
}
#endif
#endif
