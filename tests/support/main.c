/* main of a test program: runs what TEST has registered, in the order of the file. */
#include <stdlib.h>

#include "support.h"

enum { TESTS_MAX = 200 };

static struct CMUnitTest tests[TESTS_MAX];
static int lines[TESTS_MAX];
static size_t count;
static CMFixtureFunction begin, end;

void test_add(const char *name, CMUnitTestFunction run, int line) {
    size_t at = count++;
    if (at == TESTS_MAX) abort();
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = (struct CMUnitTest){.name = name, .test_func = run};
    lines[at] = line;
}

void test_around(CMFixtureFunction before, CMFixtureFunction after) {
    begin = before;
    end = after;
}

int main(void) {
    return _cmocka_run_group_tests("tests", tests, count, begin, end);
}
