/* Formats messages in the C locale as plain text. A full list of errors ends with a line that more follow. */
#include "base/error.h"

#include <stdarg.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"

const char *costab_status_text(costab_status status) {
    static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        COSTAB_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    };
    return (unsigned)status < COSTAB_STATUS_COUNT ? texts[status] : "unknown status";
}

static void fill(costab_error *error, costab_status status, const char *format, va_list arguments) {
    if (error == NULL) return;
    error->status = status;
    locale_format(error->message, sizeof error->message, format, arguments);
    text_make_plain(error->message, sizeof error->message);
}

costab_status(error_set)(costab_error *error, costab_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, format, arguments);
    va_end(arguments);
    return status;
}

costab_status(error_invalid)(costab_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, COSTAB_INVALID, format, arguments);
    va_end(arguments);
    return COSTAB_INVALID;
}

costab_status(error_memory)(costab_error *error) {
    return error_set(error, COSTAB_MEMORY, "out of memory");
}

costab_status(error_missing)(costab_error *error, const char *what) {
    return error_invalid(error, "NULL where %s is expected", what);
}

void error_append(costab_error *error, const char *format, ...) {
    static const char more[] = "\n(more errors follow)";
    if (error == NULL) return;
    error->status = COSTAB_INVALID;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    locale_format(line, sizeof line, format, arguments);
    va_end(arguments);
    text_make_plain(line, sizeof line);

    size_t used = strlen(error->message), length = strlen(line);
    if (used >= sizeof more - 1 && strcmp(error->message + used - (sizeof more - 1), more) == 0) return;
    if (used + 1 + length + sizeof more > sizeof error->message) {
        memcpy(error->message + used, more, sizeof more);
        return;
    }
    if (used > 0) error->message[used++] = '\n';
    memcpy(error->message + used, line, length + 1);
}
