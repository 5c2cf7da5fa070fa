/* Broken specs: whatever is done to the bytes of good ones, reading them ends in a spec that keeps its
 * promises or in messages that stand at places. Run it with the address sanitizer too. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "costab/spec.h"
#include "support/support.h"

static const char *const seeds[] = {
    "title: Zigzag\nsystem: planar\nschemes: [zigzag, cross]\nmethod: rk4\nsubsteps: [2, 1]\naxes:\n  a: "
    "-0.5\n"
    "  gamma: {from: -6, to: 2, points: 9}\n  delta: [-2, 0.5, 1e1]\nfields: [class, cause]\n"
    "figure: {kind: regions, size: [8.9cm, 6.4cm], columns: 2, gamma: [-3, 1]}\n",
    "system: planar\nschemes: all\nmethod: {A: [[0, 0], [2/3, 0]], b: [1/4, 3/4], c: [0, 2/3]}\naxes:\n  a: "
    "[0]\n"
    "  gamma:\n  - -1\n  - 1\n  delta: {from: 0, to: 4, points: 5}\nfigure:\n  kind: comparison\n",
    "system: planar\nschemes: [cross]\naxes: {a: [1, 2]}\nfields: areas\nfigure: {kind: areas}\n",
    "system: planar\nschemes: [cross]\nhistory: {matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [1, 0], "
    "until: 0.05}\n"
    "figure: {kind: time}\n",
    "{system: planar, schemes: simulation, axes: {gamma: [-1, 1], delta: [0, 1]}, figure: {kind: jury}}",
};

/* Pieces that mean something to YAML, to numbers or to us. */
static const char *const pieces[] = {
    "\n",
    " ",
    "\t",
    "  ",
    ":",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    "&a ",
    "*a",
    "!!x ",
    "|\n",
    ">\n",
    "'",
    "\"",
    "%",
    "---\n",
    "...\n",
    "\r\n",
    "? ",
    "nan",
    ".inf",
    "e",
    "1e999",
    "-",
    ".",
    "0",
    "7",
    "/",
    "(",
    "^",
    "points",
    "a: ",
    "\xc3\xa9",
    "\xff",
    "\xef\xbb\xbf",
    "\\x00",
    "<<: ",
    "all",
    "schemes: ",
};

#define SIZE_MAX_BYTES 2000

static void insert(char *text, size_t *size, size_t at, const char *bytes, size_t n) {
    if (*size + n > SIZE_MAX_BYTES) return;
    memmove(text + at + n, text + at, *size - at);
    memcpy(text + at, bytes, n);
    *size += n;
}

static void mutate(rng *r, char *text, size_t *size) {
    size_t at = (size_t)rng_int(r, 0, (int)*size);
    size_t left = *size - at, n = left > 0 ? (size_t)rng_int(r, 0, left < 12 ? (int)left : 12) : 0;
    char byte = (char)rng_int(r, 0, 255), block[12];
    const char *piece = pieces[rng_int(r, 0, (int)(sizeof pieces / sizeof pieces[0]) - 1)];
    switch (rng_int(r, 0, 4)) {
    case 0:
        insert(text, size, at, piece, strlen(piece));
        break;
    case 1: /* leave some out */
        memmove(text + at, text + at + n, left - n);
        *size -= n;
        break;
    case 2: /* repeat some elsewhere */
        memcpy(block, text + at, n);
        insert(text, size, (size_t)rng_int(r, 0, (int)*size), block, n);
        break;
    case 3:
        if (left > 0) text[at] = byte;
        break;
    default:
        if (rng_int(r, 0, 9) == 0) *size = at;
    }
}

static void check_axis(const costab_axis *axis) {
    assert_true(axis->count >= 1);
    for (size_t i = 0; i < axis->count; i++) {
        assert_true(isfinite(axis->values[i]));
        assert_true(i == 0 || axis->values[i] > axis->values[i - 1]);
    }
}

static void check_case(const costab_case *c) {
    for (int i = 0; i < 4; i++) assert_true(isfinite(c->matrix[i]));
    assert_true(isfinite(c->start[0]) && isfinite(c->start[1]));
    assert_true(isfinite(c->h) && c->h > 0 && isfinite(c->until) && c->until >= c->h);
}

static void check_spec(const costab_sweep_spec *spec) {
    bool plane = spec->gamma.count + spec->delta.count > 0 || spec->fields != COSTAB_FIELD_AREAS;
    assert_in_range(spec->case_count, 0, COSTAB_CASES_MAX);
    for (int i = 0; i < spec->case_count; i++) check_case(&spec->cases[i]);
    if (spec->case_count == 0) check_axis(&spec->a);
    if (spec->case_count == 0 && plane) {
        check_axis(&spec->gamma);
        check_axis(&spec->delta);
    }
    assert_in_range(spec->scheme_count, 1, COSTAB_SCHEME_COUNT);
    assert_true((spec->fields != 0) == (spec->case_count == 0));
    assert_non_null(spec->title);
    const costab_figure *figure = &spec->figure;
    for (int i = 0; i < figure->kind_count; i++) assert_non_null(costab_figure_kind_name(figure->kinds[i]));
    for (int i = 0; i < spec->scheme_count; i++) {
        costab_planar planar;
        costab_error error;
        check_true(costab_sweep_spec_planar(spec, i, &planar, &error) == COSTAB_OK, "%s\n%s", error.message,
                   spec->text);
    }
}

/* Each line is FILE:LINE:COLUMN: error: WORDS, lines and columns never descending. */
static void check_places(const char *message) {
    unsigned line_before = 0, column_before = 0;
    for (const char *m = message; m != NULL; m = strchr(m, '\n') != NULL ? strchr(m, '\n') + 1 : NULL) {
        unsigned line, column;
        int n = 0;
        if (strcmp(m, "(more errors follow)") == 0) return;
        check_true(sscanf(m, "m.yaml:%u:%u: error: %n", &line, &column, &n) == 2 && n > 0, "place in %s", m);
        check_true(m[n] != '\n' && m[n] != '\0', "words in %s", m);
        check_true(line >= 1 && column >= 1, "places from 1 in %s", m);
        check_true(line > line_before || (line == line_before && column >= column_before), "order in %s",
                   message);
        line_before = line;
        column_before = column;
    }
}

static void mutations(void **state) {
    (void)state;
    rng r = rng_start("spec mutations");
    size_t total = effort(20000), fine = 0, refused = 0;
    for (size_t i = 0; i < total; i++) {
        char text[SIZE_MAX_BYTES + 1];
        const char *seed = seeds[i % (sizeof seeds / sizeof seeds[0])];
        size_t size = strlen(seed);
        memcpy(text, seed, size);
        for (int k = rng_int(&r, 0, 6); k > 0; k--) mutate(&r, text, &size);
        costab_sweep_spec *spec;
        costab_error error;
        costab_status status = costab_sweep_spec_parse("m.yaml", text, size, &spec, &error);
        if (status == COSTAB_OK) {
            check_spec(spec);
            fine++;
        } else {
            assert_int_equal(status, COSTAB_INVALID);
            assert_null(spec);
            check_places(error.message);
            refused++;
        }
        costab_sweep_spec_destroy(&spec);
    }
    /* Seeds pass unchanged now and then, and most changes matter: both ways must have been walked. */
    assert_true(fine > total / 20);
    assert_true(refused > total / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
