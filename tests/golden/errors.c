/* Messages about mistakes in specs and models, word by word. The cases are in errors.txt, whose head says
 * how. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/complaints.h"

#define AT "t.yaml:"

enum { LINE_MAX_SIZE = 8000, TEXT_MAX_SIZE = 8000 };

/* Replaces the escapes of errors.txt. Returns the number of bytes. */
static size_t unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        unsigned byte = (unsigned char)*from;
        if (byte == '\\') {
            byte = (unsigned char)*++from;
            if (byte == 'n')
                byte = '\n';
            else if (byte == 'x') {
                assert_int_equal(sscanf(from, "x%2x", &byte), 1);
                from += 2;
            }
        }
        *to++ = (char)byte;
    }
    *to = '\0';
    return (size_t)(to - text);
}

/* Reads tests/golden/NAME with a line (from 1 on) replaced. Returns the number of bytes. */
static size_t mutate(const char *name, int line, const char *mutation, char *text) {
    char path[100], found[LINE_MAX_SIZE];
    (void)snprintf(path, sizeof path, "tests/golden/%s", name);
    FILE *file = fopen(path, "r");
    check_true(file != NULL, "%s cannot be read: run the tests in the project's folder", path);
    size_t used = 0;
    for (int i = 1; fgets(found, sizeof found, file) != NULL; i++) {
        const char *taken = i == line ? mutation : found;
        if (taken[0] == '\0') continue;
        used += (size_t)snprintf(text + used, TEXT_MAX_SIZE - used, i == line ? "%s\n" : "%s", taken);
        assert_true(used < TEXT_MAX_SIZE);
    }
    (void)fclose(file);
    return used;
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

static void check_message(int at, const char *text, size_t size, const char *expected) {
    costab_error error = {.message = "old"};
    costab_status status = complaint_read("t.yaml", text, size, &error);
    if (strcmp(expected, "ok") == 0) {
        check_true(!status, "errors.txt:%d: refused: %s\n%s", at, error.message, text);
        return;
    }
    check_true(status == COSTAB_INVALID && error.status == status,
               "errors.txt:%d: status %d instead of: %s\n%s", at, (int)status, expected, text);
    check_true(strncmp(error.message, AT, sizeof AT - 1) == 0 &&
                   matches(error.message + sizeof AT - 1, expected),
               "errors.txt:%d: expected " AT "%s\nfound    %s\nof\n%s", at, expected, error.message, text);
}

TEST(every_mistake) {
    static char line[LINE_MAX_SIZE], text[TEXT_MAX_SIZE];
    FILE *file = fopen("tests/golden/errors.txt", "r");
    check_true(file != NULL, "errors.txt cannot be read: run the tests in the project's folder");
    int count = 0;
    for (int at = 1; fgets(line, sizeof line, file) != NULL; at++) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') continue;
        char *mutation = strstr(line, " | "), *message = mutation ? strstr(mutation + 3, " | ") : NULL;
        check_true(message != NULL && strstr(message + 3, " | ") == NULL,
                   "errors.txt:%d: expected input | mutation | message", at);
        *mutation = *message = '\0';
        mutation += 3, message += 3;
        size_t size = unescape(mutation);
        (void)unescape(message);
        char *colon = strchr(line, ':');
        if (colon == NULL)
            check_message(at, mutation, size, message);
        else {
            *colon = '\0';
            size = mutate(line, atoi(colon + 1), mutation, text);
            check_message(at, text, size, message);
        }
        count++;
    }
    (void)fclose(file);
    check_true(count >= 300, "%d cases", count);
}

/* More mistakes than a message holds: the first ones, and that more follow. */
TEST(very_many_mistakes) {
    enum { MANY = 5000 };
    size_t size = 8 * MANY + 200, used = 0;
    char *text = malloc(size);
    assert_non_null(text);
    used += (size_t)snprintf(text, size, "axes:\n  delta:\n");
    for (int i = 0; i < MANY; i++) used += (size_t)snprintf(text + used, size - used, "  - x\n");
    used += (size_t)snprintf(text + used, size - used, "system: planer\nschemes: cross\n");
    costab_error error;
    assert_int_equal(complaint_read("t.yaml", text, used, &error), COSTAB_INVALID);
    free(text);
    static const char start[] = AT "2:3: error: axes: the key 'gamma' is missing";
    static const char end[] = "\n(more errors follow)";
    assert_int_equal(strncmp(error.message, start, sizeof start - 1), 0);
    assert_string_equal(error.message + strlen(error.message) - (sizeof end - 1), end);
    assert_non_null(
        strstr(error.message, "\n" AT "3:5: error: axis 'delta': expected a number, found 'x'\n"));
}
