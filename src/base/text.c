/* Appends to growing texts, also untrusted text for display, reads files into them, and formats text in
 * buffers of fixed size. text.failed records a failed allocation; text_read_file returns it as an error. */
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/locale.h"
#include "base/memory.h"

/* Makes space for n more bytes and the final NUL. Returns false after a failed allocation. */
static bool text_reserve(text *t, size_t n) {
    size_t wanted = t->size + n + 1 < 256 ? 256 : t->size + n + 1;
    t->failed = t->failed || wanted <= n || !memory_grows(&t->data, &t->capacity, wanted);
    return !t->failed;
}

void text_append_n(text *t, const char *bytes, size_t n) {
    if (!text_reserve(t, n)) return;
    if (n > 0) memcpy(t->data + t->size, bytes, n);
    t->size += n;
    t->data[t->size] = '\0';
}

void text_append(text *t, const char *string) {
    text_append_n(t, string, strlen(string));
}

void text_append_text(text *t, const text *other) {
    if (other->failed) t->failed = true;
    if (other->size > 0) text_append_n(t, other->data, other->size);
}

void text_append_number(text *t, const char *before, double value) {
    char shown[NUMBER_SHOWN_MAX];
    text_append(t, before);
    text_append(t, number_shortest(value, shown));
}

void text_vprintf(text *t, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int n = locale_format(NULL, 0, format, arguments);
    if (n < 0) t->failed = true;
    if (n >= 0 && text_reserve(t, (size_t)n)) {
        locale_format(t->data + t->size, (size_t)n + 1, format, again);
        t->size += (size_t)n;
    }
    va_end(again);
}

void text_printf(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(t, format, arguments);
    va_end(arguments);
}

int text_format(char *to, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = locale_format(to, size, format, arguments);
    va_end(arguments);
    return length;
}

void text_free(text *t) {
    memory_free(t->data);
    *t = (text){0};
}

costab_status text_read_file(const char *path, size_t limit, text *t, costab_error *error) {
    bool standard = strcmp(path, "-") == 0;
    const char *shown = standard ? "standard input" : path;
    int descriptor =
        standard ? -1 : file_open(path, O_RDONLY | O_NONBLOCK); /* does not wait for a pipe's writer */
    struct stat about;
    if (descriptor >= 0 && fstat(descriptor, &about) == 0 && !S_ISREG(about.st_mode) &&
        !S_ISDIR(about.st_mode)) {
        (void)close(descriptor);
        return error_set(
            error, COSTAB_UNREADABLE,
            "%s: cannot be read: it is not a regular file; give one, or - for the standard input", path);
    }
    FILE *file = standard ? stdin : descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (file == NULL) {
        int number = errno;
        if (descriptor >= 0) (void)close(descriptor);
        return error_set(error, COSTAB_UNREADABLE, "%s: cannot be opened: %s", shown, strerror(number));
    }

    costab_status status = COSTAB_OK;
    char block[65536];
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0) {
        text_append_n(t, block, n);
        if (t->failed) {
            status = error_memory(error);
            break;
        }
        if (t->size > limit) {
            status = error_invalid(error, "%s: longer than %zu bytes", shown, limit);
            break;
        }
    }
    if (!status && ferror(file))
        status = error_set(error, COSTAB_UNREADABLE, "%s: cannot be read: %s", shown, strerror(errno));
    if (!standard) fclose(file);
    if (status) return status;
    text_append_n(t, "", 0); /* the text of an empty file is "", not NULL */
    return t->failed ? error_memory(error) : COSTAB_OK;
}

void text_append_plain(text *t, const char *string) {
    while (*string) {
        size_t harmful, length = text_plain(string, &harmful);
        text_append_n(t, string, length);
        for (size_t i = 0; i < harmful; i++) text_printf(t, "\\x%02x", (unsigned char)string[i]);
        string += length + harmful;
    }
}
