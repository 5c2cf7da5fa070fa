/* main of the test program. build/tests/KIND/NAME are links to it: called by such a name it runs the tests of
 * tests/KIND/NAME.c, in the order of the file, or those that match a pattern: build/tests/unit/area 'ss_*'.
 */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { TESTS_MAX = 2000, FILES_MAX = 100 };

static struct registered {
    const char *file;
    int line;
    struct CMUnitTest test;
} tests[TESTS_MAX];
static size_t count;

static struct around {
    const char *file;
    CMFixtureFunction before, after;
} around[FILES_MAX];
static size_t arounds;

void test_add(const char *name, CMUnitTestFunction run, const char *file, int line) {
    if (count == TESTS_MAX) abort();
    tests[count++] = (struct registered){file, line, {.name = name, .test_func = run}};
}

void test_around(const char *file, CMFixtureFunction before, CMFixtureFunction after) {
    if (arounds == FILES_MAX) abort();
    around[arounds++] = (struct around){file, before, after};
}

static int by_line(const void *a, const void *b) {
    const struct registered *one = a, *other = b;
    return (one->line > other->line) - (one->line < other->line);
}

/* Compares the last two parts of the called path, KIND/NAME, with a source, tests/KIND/NAME.c. */
static bool is_source(const char *called, const char *file) {
    const char *start = strrchr(called, '/');
    while (start != NULL && start > called && start[-1] != '/') start--;
    const char *name = start == NULL ? called : start;
    const char *source = strstr(file, "tests/");
    size_t length = strlen(name);
    return source != NULL && strncmp(source + 6, name, length) == 0 && strcmp(source + 6 + length, ".c") == 0;
}

int main(int argc, char **argv) {
    static struct CMUnitTest chosen[TESTS_MAX];
    size_t number = 0;
    CMFixtureFunction before = NULL, after = NULL;
    qsort(tests, count, sizeof *tests, by_line);
    for (size_t i = 0; i < count; i++)
        if (is_source(argv[0], tests[i].file)) chosen[number++] = tests[i].test;
    for (size_t i = 0; i < arounds; i++)
        if (is_source(argv[0], around[i].file)) before = around[i].before, after = around[i].after;
    if (number == 0) {
        print_error("%s has no tests: call build/tests/KIND/NAME\n", argv[0]);
        return 2;
    }
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return _cmocka_run_group_tests("tests", chosen, number, before, after);
}
