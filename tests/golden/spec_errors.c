/* Bad specs: each mistake has its own words and stands at its own line and column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/complaints.h"

#define AT           "t.yaml:"
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A good spec, line by line; a case replaces one of them. */
static const char *const good[] = {
    "title: T",
    "system: planar",
    "schemes: [zigzag]",
    "method: rk4",
    "substeps: 1",
    "axes:",
    "  a: [-1, 0, 1]",
    "  gamma: {from: -2, to: 2, points: 5}",
    "  delta: {from: -1, to: 4, points: 6}",
    "fields: [class]",
    "figure: {kind: regions}",
};

#define METHODS                                                                                              \
    "euler, heun, midpoint, ralston, kutta3, ssprk3, rk4, rk38, bs3, dopri5, backward-euler, trapezoidal, "  \
    "gauss2, radau2, sdirk2, exact"
/* What may grow: ~ stands for any words. */
#define KEYS "title, system, schemes, method, ~figure"

static const complaint_case cases[] = {
    {1, "title: ''", ""},
    {1, "refine: true",
     "1:9: error: refine: a planar sweep needs none, its rows are filled in closed form; leave the key out "
     "(it is for 'system: network')"},
    {1, "title:", "1:7: error: title: expected a line of text, found nothing"},
    {1, "title: [a]", "1:8: error: title: expected a line of text, found a list"},
    {1, "title: \"a\\tb\"", "1:8: error: title: expected one line of text without control characters"},
    {1, "titel: T", "1:1: error: spec: unknown key 'titel'; did you mean 'title'?"},
    {1, "colour: red", "1:1: error: spec: unknown key 'colour'; the keys here are " KEYS},
    {1, "? [a]\n: b", "1:3: error: spec: expected a key, found a list"},
    {2, "", "1:1: error: spec: the key 'system' is missing; write for instance 'system: planar'"},
    {2, "system: spherical", "2:9: error: system: unknown name 'spherical'; expected planar or network"},
    {3, "", "1:1: error: spec: the key 'schemes' is missing; write for instance 'schemes: [zigzag]'"},
    {3, "schemes: []", "3:10: error: schemes: expected a list of at least one, found an empty list"},
    {3, "schemes: {a: 1}", "3:10: error: schemes: expected a name, found a mapping"},
    {3, "schemes: [zigzag, zagzig]",
     "3:19: error: unknown scheme 'zagzig'; expected simulation, cross, zigzag or strong (or monolithic, "
     "jacobi, gauss-seidel-linear, iterated-linear)"},
    {3, "schemes: [zigzag, gauss-seidel]",
     "3:19: error: 'gauss-seidel' holds its inputs, as in networks, and is no scheme of the planar system; "
     "write zigzag or gauss-seidel-linear"},
    {3, "schemes: [iterated]",
     "3:11: error: 'iterated' holds its inputs, as in networks, and is no scheme of the planar system; "
     "write strong or iterated-linear"},
    {3, "schemes: [zigzag, gauss-seidel-linear]",
     "3:19: error: schemes: the scheme zigzag stands here twice"},
    {3, "schemes: [all]", "3:11: error: schemes: 'all' stands alone, not in a list; write 'schemes: all'"},
    {4, "method: rk5", "4:9: error: unknown method 'rk5' (did you mean 'rk4'?); expected one of: " METHODS},
    {4, "method: mine", "4:9: error: unknown method 'mine'; expected one of: " METHODS},
    {4, "method: [rk4]", "4:9: error: method: expected a name, found a list"},
    {4, "method: {A: [[0]], b: [2]}",
     "4:9: error: method: inconsistent tableau: the weights b sum to 2, not 1"},
    {4, "method: {A: [[0, 0], [1, 0]], b: [1/2, 1/2], c: [0, 1/2]}",
     "4:9: error: method: inconsistent tableau: row 2 of A sums to 1, but c there is 0.5; c must be A "
     "times 1"},
    {4, "method: {A: [[0]]}",
     "4:9: error: method: the key 'b' is missing; write for instance 'b: [1/2, 1/2]'"},
    {4, "method: {A: [[0, 0], [1]], b: [1/2, 1/2]}",
     "4:22: error: method, row 2 of A: expected a list of 2, found 1"},
    {4, "method: {A: [[0]], b: [1/2, 1/2]}", "4:13: error: method, A: expected a list of 2, found 1"},
    {4, "method: {A: [[0]], b: ['1,5']}",
     "4:24: error: method, b: expected a number or an expression, found the quoted text '1,5': a comma "
     "makes it a list of 2 numbers; write decimals with a point"},
    {4, "method: {A: [[0]], b: [1/0]}",
     "4:24: error: method, b: expected a number or an expression, found '1/0': its value is not finite: a denominator is 0"},
    {4, "method: {A: [[0]], b: ['1']}",
     "4:24: error: method, b: expected a number, found the quoted text '1'; write it without quotes"},
    {4, "method: {A: [[0]], b: [1 | 2]}",
     "4:24: error: method, b: expected a number or an expression, found '1 | 2': expressions are made of "
     "numbers, names, blanks and + - * / ^ ( )"},
    {4, "method: {A: [[0]], b: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}",
     "4:23: error: method, b: 17 stages; at most 16 are possible"},
    {5, "substeps: 0", "5:11: error: substeps: expected a whole number of at least 1, found '0'"},
    {5, "substeps: 1.5", "5:11: error: substeps: expected a whole number in plain digits, found '1.5'"},
    {5, "substeps: 1000001",
     "5:11: error: substeps: expected a whole number of at most 1000000, found '1000001'"},
    {5, "substeps: 1000000", ""},
    {5, "substeps: [1, 2, 3]", "5:11: error: substeps: expected a list of 2, found 3"},
    {5, "substeps: one", "5:11: error: substeps: expected a number, found 'one'"},
    {6, "axis:\n  x: 1\naxes:", "6:1: error: spec: unknown key 'axis'; did you mean 'axes'?"},
    {7, "  a:\u00a01",
     "7:5: error: here is a no-break space (U+00A0), which YAML takes for a letter; write an ordinary space"},
    {7, "\u00a0 a: 1",
     "7:1: error: here is a no-break space (U+00A0), which YAML takes for a letter; write an ordinary space"},
    {7, "  a: nan", "7:6: error: axis 'a': expected a finite number, found 'nan'"},
    {7, "  a: .NaN", "7:6: error: axis 'a': expected a finite number, found '.NaN'"},
    {7, "  a: [-.inf, 1]", "7:7: error: axis 'a': expected a finite number, found '-.inf'"},
    {7, "  a: inf", "7:6: error: axis 'a': expected a finite number, found 'inf'"},
    {7, "  a: 1e999", "7:6: error: axis 'a': '1e999' is too large for a number in double precision"},
    {7, "  a: 1e-9x", "7:6: error: axis 'a': expected a number, found '1e-9x'; 'x' follows the number"},
    {7, "  a: 0,5", "7:6: error: axis 'a': expected a number, found '0,5'; write 0.5 with a point"},
    {7, "  a: 0x10", "7:6: error: axis 'a': expected a number, found '0x10'; 'x10' follows the number"},
    {7, "  a: 1_000", "7:6: error: axis 'a': expected a number, found '1_000'; '_000' follows the number"},
    {7, "  a: 1/0", "7:6: error: axis 'a': expected a number, found '1/0'; its denominator is 0"},
    {7, "  a: 1/3x",
     "7:6: error: axis 'a': expected a number, found '1/3x'; a fraction has two whole numbers, the second not 0"},
    {7, "  a: 1 2", "7:6: error: axis 'a': expected a number, found '1 2'; ' 2' follows the number"},
    {7, "  a: \"1\"",
     "7:6: error: axis 'a': expected a number, found the quoted text '1'; write it without quotes"},
    {7, "  a: yes", "7:6: error: axis 'a': expected a number, found 'yes'"},
    {7, "  a:",
     "7:5: error: axis 'a': expected a number, a list or {from: -6, to: 2, points: 801}, found nothing"},
    {7, "  a: -1:1:3",
     "7:6: error: axis 'a': expected a number, a list or {from: -6, to: 2, points: 801}, found '-1:1:3'"},
    {7, "  a: []", "7:6: error: axis 'a': the axis is empty; give at least one value"},
    {7, "  a: [[1]]", "7:7: error: axis 'a': expected a number, found a list"},
    {7, "  a: [0, 1, 1]", "7:13: error: axis 'a': the value '1' is repeated; values must ascend"},
    {7, "  a: [0, 1, 1.0]", "7:13: error: axis 'a': the value '1.0' is repeated; values must ascend"},
    {7, "  a: [1, 0]", "7:10: error: axis 'a': '0' comes after '1'; values must ascend"},
    {7, "  a: 1\n  a: 2", "8:3: error: axes: the key 'a' is repeated; it stands in line 7 already"},
    {7, "",
     "7:3: error: axes: the key 'a' is missing; every scheme but the simulation needs it; write for "
     "instance 'a: [-0.5, 0, 0.5]'"},
    {8, "",
     "7:3: error: axes: the key 'gamma' is missing; write for instance 'gamma: {from: -6, to: 2, points: "
     "801}'"},
    {8, "  gama: 1",
     "7:3: error: axes: the key 'gamma' is missing; write for instance 'gamma: {from: -6, to: 2, points: "
     "801}'\n" AT "8:3: error: axes: unknown key 'gama'; did you mean 'gamma'?"},
    {8, "  gamma: {from: -2, to: 2, points: 1}",
     "8:36: error: axis 'gamma', points: expected a whole number of at least 2, found '1'"},
    {8, "  gamma: {from: -2, to: 2, points: -3}",
     "8:36: error: axis 'gamma', points: expected a whole number of at least 2, found '-3'"},
    {8, "  gamma: {from: -2, to: 2, points: 2.5}",
     "8:36: error: axis 'gamma', points: expected a whole number in plain digits, found '2.5'"},
    {8, "  gamma: {from: -2, to: 2, points: 1e8}",
     "8:36: error: axis 'gamma', points: expected a whole number in plain digits, found '1e8'"},
    {8, "  gamma: {from: -2, to: 2, points: 100000001}",
     "8:36: error: axis 'gamma', points: expected a whole number of at most 100000000, found '100000001'"},
    {8, "  gamma: {from: 2, to: -2, points: 5}",
     "8:24: error: axis 'gamma': the range is reversed: to is '-2', less than from, '2'"},
    {8, "  gamma: {from: 2, to: 2, points: 5}",
     "8:24: error: axis 'gamma': from and to are equal; for a single value write the value alone"},
    {8, "  gamma: {from: 0, to: 1e-323, points: 5}",
     "8:40: error: axis 'gamma', points: so many different values do not fit between from and to"},
    {8, "  gamma: {from: -1e308, to: 1e308, points: 5}",
     "8:29: error: axis 'gamma': the range is too wide for double precision"},
    {8, "  gamma: {from: 0,5, to: 2, points: 5}",
     "8:19: error: axis 'gamma': unknown key '5'; decimals are written with a point"},
    {8, "  gamma: {from: -2, to: 2}",
     "8:10: error: axis 'gamma': the key 'points' is missing; write for instance 'points: 801'"},
    {8, "  gamma: {points: 3}",
     "8:10: error: axis 'gamma': the key 'from' is missing; write for instance 'from: -6'\n" AT
     "8:10: error: axis 'gamma': the key 'to' is missing; write for instance 'to: 2'"},
    {8, "  gamma: {from: 0, to: 2, points: 3, step: 1}",
     "8:44: error: axis 'gamma': points and step say the same thing; give one of them"},
    {8, "  gamma: {from: 0, to: 2, step: 0.75}",
     "8:33: error: axis 'gamma': the step must divide the range: from 0 in steps of 0.75 one comes to 1.5, "
     "not to 2"},
    {8, "  gamma: {from: 0, to: 2, step: 3}",
     "8:33: error: axis 'gamma': the step must divide the range: from 0 in steps of 3 one comes to 0, not "
     "to 2"},
    {8, "  gamma: {from: 0, to: 2, step: 1e-9}", "8:33: error: axis 'gamma': more than 100000000 values"},
    {8, "  gamma: {from: 0, to: 2, step: -1}", "8:33: error: axis 'gamma', step: expected a positive number"},
    {8, "  gamma: {from: 0, to: 2, points: 3, spacing: log}",
     "8:17: error: axis 'gamma': a logarithmic range begins above 0, not at '0'"},
    {8, "  gamma: {from: 1, to: 2, step: 0.5, spacing: log}",
     "8:33: error: axis 'gamma': a logarithmic range has a number of points and no step"},
    {8, "  gamma: {from: 1, to: 2, points: 3, spacing: equal}",
     "8:47: error: axis 'gamma', spacing: unknown name 'equal'; expected linear or log"},
    {8, "  gamma: {values: [1, 2], points: 3}",
     "8:35: error: axis 'gamma': 'points' is of a range; it cannot stand beside 'values'"},
    {8, "  gamma: {values: [2, 1]}", "8:23: error: axis 'gamma': '1' comes after '2'; values must ascend"},
    {8, "  gamma: {values: {from: 1, to: 2, points: 3}}",
     "8:19: error: axis 'gamma': expected a number, found a mapping"},
    {9, "  delta: 1",
     "11:16: error: figure, kind: the axis 'delta' has a single value; give the figure a window such as 'delta: "
     "[-2, 2]', or the axis more values"},
    {10, "fields: []", "10:9: error: fields: expected a list of at least one, found an empty list"},
    {10, "fields: [class, traces]", "10:17: error: fields: unknown name 'traces'; did you mean 'trace'?"},
    {10, "fields: speeds",
     "10:9: error: fields: unknown name 'speeds'; expected class, trace, ~row_intervals~"},
    {10, "fields: [cause, cause]", "10:17: error: fields: 'cause' stands here twice"},
    {11, "figure: regions",
     "11:9: error: figure: expected a mapping with the keys kind, size, columns, ~, found 'regions'"},
    {11, "figure: {kind: regions, fit: yes}",
     "11:30: error: figure, fit: unknown name 'yes'; expected false or true"},
    {11, "figure: {size: [9cm, 6cm]}", ""},
    {11, "figure: {kind: chart}",
     "11:16: error: figure, kind: unknown name 'chart'; expected ~regions, ~comparison~"},
    {11, "figure: {kind: [jury, jury]}", "11:23: error: figure, kind: 'jury' stands here twice"},
    {11, "figure: {kind: regions, size: 9cm, columns: 0}", ""},
    {11, "figure: {kind: regions, size: [9cm]}",
     "11:31: error: figure, size: expected a width, or a width and a height: [17cm, 7cm], found a list"},
    {11, "figure: {kind: regions, size: [9, 6cm]}",
     "11:32: error: figure, size: expected a length in cm, mm or in, such as 8.9cm, found '9'"},
    {11, "figure: {kind: regions, size: [9km, 6 cm]}",
     "11:32: error: figure, size: expected a length in cm, mm or in, such as 8.9cm, found '9km'"},
    {11, "figure: {kind: regions, size: [9cm, -6cm]}",
     "11:37: error: figure, size: expected a length from 1cm to 200cm, found '-6cm'"},
    {11, "figure: {kind: regions, panels: b}",
     "11:33: error: figure, panels: unknown name 'b'; expected none, all, scheme, a, gamma or delta"},
    {11, "figure: {kind: regions, font: [Nimbus Sans, 800]}",
     "11:45: error: figure, font: expected a size from 3 to 72 pt"},
    {11, "figure: {kind: regions, font: 'Nimbus Sans, 8'}",
     "11:31: error: figure, font: a name has letters, digits, blanks, '-' and '.' only; write for instance "
     "'font: [Nimbus Sans, 8]'"},
    {11, "figure: {kind: regions, colours: pink}",
     "11:34: error: figure, colours: unknown name 'pink'; expected colour, grey or black"},
    {11, "figure: {kind: regions, hatching: 1}",
     "11:35: error: figure, hatching: unknown name '1'; expected false or true"},
    {11, "figure: {kind: regions, columns: -1}",
     "11:34: error: figure, columns: expected a whole number of at least 0, found '-1'"},
    {11, "figure: {kind: regions, gamma: [1, -1]}",
     "11:36: error: figure, gamma: the window's end must be greater than its start"},
    {11, "figure: {kind: regions, delta: [50, 60]}",
     "11:32: error: figure, delta: the window lies outside the axis, which goes from -1 to 4"},
    {11, "figure: {kind: regions, panels: none}",
     "11:33: error: figure, panels: there are several values of a; write 'panels: a' or give one value"},
    {11, "figure: {kind: regions, panels: a}", ""},
};

TEST(single_mistakes) {
    complaint_check_cases("t.yaml", good, COUNT(good), cases, COUNT(cases));
}

#define AXES   "axes: {a: [0], gamma: [-1, 1], delta: [0, 1]}\n"
#define AXES_A "axes: {a: [0, 1], gamma: [-1, 1], delta: [0, 1]}\n"
#define HEAD   "system: planar\n"

TEST(mistakes_between_keys) {
    static const char *const texts[][2] = {
        {HEAD "schemes: all\nsubsteps: [1, 2]\n" AXES,
         "3:11: error: substeps: the simulation has one solver; give one number of micro steps, not 1 and 2"},
        {HEAD "schemes: [cross, strong]\nsubsteps: [1, 2]\n" AXES, ""},
        {HEAD "schemes: simulation\nsubsteps: [2, 2]\naxes: {gamma: 1, delta: 1}\n", ""},
        {HEAD "schemes: [cross, strong]\n" AXES_A "figure: {kind: regions, panels: a}\n",
         "4:33: error: figure, panels: there are several values of scheme; write 'panels: all' or give one "
         "value"},
        {HEAD "schemes: [cross, strong]\n" AXES_A "figure: {kind: regions}\n", ""},
        {HEAD "schemes: [cross, strong]\n" AXES_A "figure: {kind: comparison, panels: all}\n", ""},
        {HEAD "schemes: [cross, strong]\n" AXES_A "figure: {kind: comparison}\n", ""},
        {HEAD "schemes: [cross, strong]\n" AXES_A "figure: {kind: jury}\n", ""},
        {HEAD "schemes: [cross, strong]\n" AXES "figure: {kind: comparison, panels: scheme}\n",
         "4:36: error: figure, panels: 'comparison' has all values of 'scheme' in one panel"},
        {HEAD "schemes: [cross, strong]\n" AXES "figure: {kind: classes, panels: a}\n",
         "4:33: error: figure, panels: there are several values of scheme; write 'panels: scheme' or give "
         "one value"},
        {HEAD "schemes: [cross, strong]\n" AXES "figure: {kind: [classes, comparison]}\n", ""},
        {HEAD "schemes: [cross, strong]\naxes: {delta: 1}\n",
         "3:7: error: axes: the key 'gamma' is missing; write for instance 'gamma: {from: -6, to: 2, points: "
         "801}'\n" AT "3:7: error: axes: the key 'a' is missing; every scheme but ~"},
        {HEAD "schemes: [cross, strong]\naxes: {gamma: 1, delta: 1}\n",
         "3:7: error: axes: the key 'a' is missing; every scheme but the simulation needs it; write for "
         "instance 'a: [-0.5, 0, 0.5]'"},
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        complaint_check("t.yaml", texts[i][0], strlen(texts[i][0]), texts[i][1]);
}

TEST(all_mistakes_at_once) {
    const char *text = "system: planar\nschemes: [zigzag, zigzag]\nmetod: rk4\nsubsteps: 0\n"
                       "axes:\n  a: 1e-9x\n  gamma: []\n  delta: [2, 1, x]\ntitle: []\n";
    complaint_check("t.yaml", text, strlen(text),
                    "2:19: error: schemes: the scheme zigzag stands here twice\n" AT
                    "3:1: error: spec: unknown key 'metod'; did you mean 'method'?\n" AT
                    "4:11: error: substeps: expected a whole number of at least 1, found '0'\n" AT
                    "6:6: error: axis 'a': expected a number, found '1e-9x'; 'x' follows the number\n" AT
                    "7:10: error: axis 'gamma': the axis is empty; give at least one value\n" AT
                    "8:14: error: axis 'delta': '1' comes after '2'; values must ascend\n" AT
                    "8:17: error: axis 'delta': expected a number, found 'x'\n" AT
                    "9:8: error: title: expected a line of text, found an empty list");
}

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

#define BYTES(literal) (literal), sizeof(literal) - 1

TEST(not_a_yaml_mapping) {
    static const struct {
        const char *text;
        size_t size;
        const char *expected;
    } files[] = {
        {BYTES(""), "1:1: error: the file is empty"},
        {BYTES("# nothing\n\n"), "1:1: error: the file is empty"},
        {BYTES("\xef\xbb\xbf"), "1:1: error: the file is empty"},
        {BYTES("---\n"), "2:1: error: spec: expected a mapping with the keys " KEYS ", found nothing"},
        {BYTES("- a\n"), "1:1: error: spec: expected a mapping with the keys " KEYS ", found a list"},
        {BYTES("hello\n"), "1:1: error: spec: expected a mapping with the keys " KEYS ", found 'hello'"},
        {BYTES("\x89HDF\r\n\x1a\n"),
         "1:1: error: expected UTF-8 text, found the byte 0x89; is this a binary file?"},
        {BYTES("title: a\0b\n"),
         "1:9: error: expected text, found the character U+0000; is this a binary file?"},
        {BYTES("\x7f\x45LF"),
         "1:1: error: expected text, found the character U+007F; is this a binary file?"},
        {BYTES("# \xc3\xa9\n# \xc3\xa9\xff"),
         "2:4: error: expected UTF-8 text, found the byte 0xff; is this a binary file?"},
        {BYTES("# \xc0\x80"), "1:3: error: expected UTF-8 text, found the byte 0xc0; is this a binary file?"},
        {BYTES("# \xed\xa0\x80"),
         "1:3: error: expected UTF-8 text, found the byte 0xed; is this a binary file?"},
        {BYTES("# \xe2\x82"), "1:3: error: expected UTF-8 text, found the byte 0xe2; is this a binary file?"},
        {BYTES("\xff\xfet\0"), "1:1: error: this is UTF-16 or UTF-32 text; save the file as UTF-8"},
        {BYTES("axes:\n\ta: 1\n"), "2:1: error: not valid YAML: a tab cannot stand here; indent with blanks"},
        {BYTES("title: a: b\n"),
         "1:9: error: not valid YAML: mapping values are not allowed in this context"},
        {BYTES("title: [1,\nsystem: planar\n"), "3:1: error: not valid YAML: did not find expected ',' or "
                                                "']' (while parsing a flow sequence that begins in line 1)"},
        {BYTES("%YAML 1.1\n---\na: 1\n"),
         "1:1: error: directives such as %YAML are not read; leave this line out"},
        {BYTES("title: T\n---\ntitle: U\n"),
         "2:1: error: a second document begins here; a file holds one spec"},
        {BYTES("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["),
         "1:33: error: lists and mappings are nested more than 32 deep"},
    };
    for (size_t i = 0; i < COUNT(files); i++)
        complaint_check("t.yaml", files[i].text, files[i].size, files[i].expected);
}

TEST(anchors_aliases_tags) {
    static const char *const texts[][2] = {
        {HEAD "schemes: &s [zigzag]\n" AXES,
         "2:10: error: anchors (&s) are not read; write the value out where it is needed"},
        {HEAD "schemes: &s zigzag\ntitle: *s\n" AXES,
         "2:10: error: anchors (&s) are not read; write the value out where it is needed\n" AT
         "3:8: error: aliases (*s) are not read; write the value out"},
        {HEAD "schemes: zigzag\naxes: &x {a: *x, gamma: [*x], delta: 1}\n",
         "3:7: error: anchors (&x) are not read; write the value out where it is needed\n" AT
         "3:14: error: aliases (*x) are not read; write the value out\n" AT
         "3:26: error: aliases (*x) are not read; write the value out"},
        {HEAD "schemes: zigzag\ntitle: !!str T\n" AXES,
         "3:8: error: tags such as !!str are not read; leave the tag out"},
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        complaint_check("t.yaml", texts[i][0], strlen(texts[i][0]), texts[i][1]);
}
