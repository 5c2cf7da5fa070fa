#include "support/complaints.h"

#include <stdio.h>
#include <string.h>

void complaint_compose(const char *const *lines, size_t count, int line, const char *replacement, char *text,
                       size_t size) {
    size_t used = 0;
    for (size_t i = 1; i <= count; i++) {
        const char *one = (int)i == line ? replacement : lines[i - 1];
        if (one[0] != '\0') used += (size_t)snprintf(text + used, size - used, "%s\n", one);
        assert_true(used < size);
    }
}

static bool matches(const char *found, const char *pattern) {
    if (strcmp(pattern, "\n~") == 0) return *found == '\n' || *found == '\0';
    if (*pattern == '~') {
        for (;; found++) {
            if (matches(found, pattern + 1)) return true;
            if (*found == '\0' || *found == '\n') return false;
        }
    }
    return *pattern == *found && (*pattern == '\0' || matches(found + 1, pattern + 1));
}

void complaint_check(costab_status status, const costab_error *error, const char *path, const char *text,
                     const char *expected) {
    if (expected[0] == '\0') {
        check_true(!status, "refused: %s\n%s", error->message, text);
        return;
    }
    check_true(status == COSTAB_INVALID, "accepted, instead of: %s\n%s", expected, text);
    check_true(error->status == COSTAB_INVALID, "the status in the error is the one returned");
    size_t length = strlen(path);
    bool same = strncmp(error->message, path, length) == 0 && matches(error->message + length, expected);
    check_true(same, "expected %s%s\nfound    %s\nof\n%s", path, expected, error->message, text);
}
