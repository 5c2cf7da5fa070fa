/* Rich texts: UTF-8 with marks for index, power, bold and italics.
 *   1. Made from names (omega_1: a Greek letter with an index), units and numbers.
 *   2. Measured by the widths of Helvetica's glyphs, so that a layout does not depend on the machine's
 *      fonts.
 *   3. Broken into lines at blanks, greedily.
 *   4. Written with gnuplot's mark-up or LaTeX's. */
#include "figure/rich.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"

/* ---- Making */

void rich_plain(text *target, const char *plain) {
    text_append(target, "");
    for (const char *c = plain; *c; c++)
        text_append_n(target, (unsigned char)*c < 0x20 || *c == 0x7f ? " " : c, 1);
}

void rich_strip(text *target, const char *rich) {
    for (const char *c = rich; *c; c++) {
        if (*c == RICH_INDEX("")[0]) text_append(target, "_");
        if (*c == RICH_POWER("")[0]) text_append(target, "^");
        if (!strchr(RICH_MARKS, *c)) text_append_n(target, c, 1);
    }
}

/* The bytes of the character that begins here. */
static size_t length_of(const char *c) {
    size_t n = 1;
    while (((unsigned char)c[n] & 0xC0) == 0x80) n++;
    return n;
}

/* What is behind its letter an index: digits, or letters and digits behind a _. */
static bool is_index(const char *rest) {
    static const char digits[] = "0123456789",
                      letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (rest[0] != '_') return strspn(rest, digits) == strlen(rest);
    size_t length = 0;
    while (rest[1 + length] && (strchr(digits, rest[1 + length]) || strchr(letters, rest[1 + length])))
        length++;
    return length > 0 && rest[1 + length] == '\0';
}

/* ---- Greek letters */

/* From U+0391 on, and from U+03B1 on. */
static const char *const capitals[] = {"A",       "B",    "\\Gamma", "\\Delta",  "E",       "Z", "H",
                                       "\\Theta", "I",    "K",       "\\Lambda", "M",       "N", "\\Xi",
                                       "O",       "\\Pi", "P",       "",         "\\Sigma", "T", "\\Upsilon",
                                       "\\Phi",   "X",    "\\Psi",   "\\Omega"};
static const char *const letters[] = {"\\alpha",   "\\beta",   "\\gamma",    "\\delta", "\\varepsilon",
                                      "\\zeta",    "\\eta",    "\\theta",    "\\iota",  "\\kappa",
                                      "\\lambda",  "\\mu",     "\\nu",       "\\xi",    "o",
                                      "\\pi",      "\\rho",    "\\varsigma", "\\sigma", "\\tau",
                                      "\\upsilon", "\\varphi", "\\chi",      "\\psi",   "\\omega"};

/* Where a name begins with a Greek letter's name, "omega_1": that letter in UTF-8, and how long its name is.
 */
static size_t greek_name(const char *name, char letter[3]) {
    for (size_t i = sizeof letters / sizeof *letters; i-- > 0;) {
        bool capital = name[0] >= 'A' && name[0] <= 'Z';
        const char *word = !capital ? letters[i] : i < sizeof capitals / sizeof *capitals ? capitals[i] : "";
        if (word[0] != '\\') continue;
        word += strncmp(word, "\\var", 4) == 0 ? 4 : 1;
        if (strncmp(name, word, strlen(word)) != 0 || !is_index(name + strlen(word))) continue;
        unsigned point = (unsigned)i + (capital ? 0x391 : 0x3B1);
        letter[0] = (char)(0xC0 | point >> 6);
        letter[1] = (char)(0x80 | (point & 0x3F));
        letter[2] = '\0';
        return strlen(word);
    }
    return 0;
}

/* A name as mathematics writes it; words: Greek letters may be written as words. */
static void put_name(text *target, const char *name, bool words) {
    const char *dot = strrchr(name, '.'), *own = dot && !strpbrk(name, " >") ? dot + 1 : name;
    char letter[3];
    size_t spelled = words ? greek_name(own, letter) : 0, length = spelled > 0 ? spelled
                                                                   : own[0]    ? length_of(own)
                                                                               : 0;
    bool greek = (unsigned char)own[0] == 0xCE || (unsigned char)own[0] == 0xCF;
    bool latin = (own[0] >= 'a' && own[0] <= 'z') || (own[0] >= 'A' && own[0] <= 'Z');
    if (length == 0 || !(greek || latin) || !is_index(own + length)) {
        rich_plain(target, name);
        return;
    }
    text_append_n(target, name, (size_t)(own - name));
    text_append(target, "\001");
    text_append_n(target, spelled > 0 ? letter : own, spelled > 0 ? 2 : length);
    text_append(target, "\005");
    if (own[length]) text_printf(target, RICH_INDEX("%s"), own + length + (own[length] == '_'));
}

void rich_name(text *target, const char *name) {
    put_name(target, name, true);
}

/* As it is written: its own words are what a figure's author chose. */
static void as_written(text *target, const char *name) {
    put_name(target, name, false);
}

void rich_words(text *target, const char *words) {
    bool alone = strlen(words) == 1;
    text_append(target, "");
    while (*words) {
        size_t length = strcspn(words, " ");
        memory_local char *word = memory_copy_n(words, length > 0 ? length : 1);
        if (word == NULL) target->failed = true;
        if (word) (length > 1 || alone ? as_written : rich_plain)(target, word);
        words += length > 0 ? length : 1;
    }
}

void rich_unit(text *target, const char *unit) {
    for (const char *power = strchr(unit, '^'); power != NULL; power = strchr(unit, '^')) {
        memory_local char *before = memory_copy_n(unit, (size_t)(power - unit));
        bool negative = power[1] == '-';
        unit = power + 1 + negative;
        size_t digits = strspn(unit, "0123456789");
        if (before == NULL) target->failed = true;
        if (before) rich_plain(target, before);
        text_append(target, digits > 0 ? "\004" : "^");
        if (negative) text_append(target, "−");
        text_append_n(target, unit, digits);
        if (digits > 0) text_append(target, "\005");
        unit += digits;
    }
    rich_plain(target, unit);
}

const char *rich_sign(double value) {
    return signbit(value) ? "−" : "";
}

void rich_choice(text *target, const char *name) {
    const char *sign = strchr(name, '=');
    double value;
    memory_local char *quantity = sign != NULL && number_parse_double(sign + 1, strlen(sign + 1), &value)
                                      ? memory_copy_n(name, (size_t)(sign - name))
                                      : NULL;
    if (quantity == NULL) {
        rich_plain(target, name);
        return;
    }
    rich_name(target, quantity);
    text_printf(target, " = %s%s", rich_sign(value), sign + 1 + (signbit(value) != 0));
}

const char *rich_number(double value, char shown[RICH_NUMBER_MAX]) {
    char plain[40], power_of_ten[16] = "";
    int power = 0;
    text_format(plain, sizeof plain, "%.6g", value);
    char *exponent = strchr(plain, 'e');
    if (exponent) {
        sscanf(exponent + 1, "%d", &power);
        *exponent = '\0';
        text_format(power_of_ten, sizeof power_of_ten, "%s%d", rich_sign(power), abs(power));
    }
    const char *digits = plain + (plain[0] == '-');
    bool one = exponent && strcmp(digits, "1") == 0;
    text_format(shown, RICH_NUMBER_MAX, "%s%s%s%s%s%s", rich_sign(value), one ? "" : digits,
                exponent && !one ? "×" : "", exponent ? "10\004" : "", power_of_ten, exponent ? "\005" : "");
    return shown;
}

const char *rich_rounded(double value, int digits, char shown[RICH_NUMBER_MAX]) {
    char plain[40];
    text_format(plain, sizeof plain, "%.*g", digits, value);
    return rich_number(strtod(plain, NULL), shown);
}

/* ---- Characters */

static const struct {
    const char *shown, *tex;
} signs[] = {{"−", "-"},  {"∞", "\\infty"}, {"×", "\\times"}, {"≤", "\\le"}, {"≥", "\\ge"},
             {"₀", "_0"}, {"₁", "_1"},      {"₂", "_2"},      {"₃", "_3"},   {"₄", "_4"},
             {"₅", "_5"}, {"₆", "_6"},      {"₇", "_7"},      {"₈", "_8"},   {"₉", "_9"},
             {"⁰", "^0"}, {"¹", "^1"},      {"²", "^2"},      {"³", "^3"},   {"⁴", "^4"},
             {"⁵", "^5"}, {"⁶", "^6"},      {"⁷", "^7"},      {"⁸", "^8"},   {"⁹", "^9"}};

/* LaTeX's mathematics for a character; NULL where it is none. */
static const char *mathematics(const char *c, size_t length) {
    const unsigned char *byte = (const unsigned char *)c;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i].shown) == length && memcmp(c, signs[i].shown, length) == 0) return signs[i].tex;
    if (length != 2 || (byte[0] != 0xCE && byte[0] != 0xCF)) return NULL;
    unsigned point = (byte[0] & 0x1FU) << 6 | (byte[1] & 0x3FU);
    if (point >= 0x391 && point < 0x391 + sizeof capitals / sizeof *capitals) return capitals[point - 0x391];
    if (point >= 0x3B1 && point < 0x3B1 + sizeof letters / sizeof *letters) return letters[point - 0x3B1];
    return NULL;
}

static void write_character(text *target, const char *c, bool tex) {
    size_t length = length_of(c);
    const char *sign = mathematics(c, length);
    if (sign && tex)
        text_printf(target, "\\ensuremath{%s}", sign);
    else if (sign && strlen(sign) == 2 && strchr("_^", *sign)) /* a font need not have them as letters */
        text_printf(target, "%c{%c}", sign[0], sign[1]);
    else
        escape_n(target, tex ? ESCAPE_TEX : ESCAPE_GNUPLOT_MARKUP, c, length);
}

/* ---- Writing */

#define MARKS_MAX 8 /* in each other */

void rich_write(text *target, const char *rich, bool tex) {
    static const struct {
        const char *begin, *begin_tex, *end_tex;
    } marks[] = {{"{/:Italic ", "\\ensuremath{", "}"},
                 {"{/:Bold ", "\\ensuremath{\\mathbf{", "}}"},
                 {"_{", "\\ensuremath{_{\\mathrm{", "}}}"},
                 {"^{", "\\ensuremath{^{", "}}"}};
    int open[MARKS_MAX], depth = 0;
    bool lines = tex && strchr(rich, '\n');
    text_append(target, lines ? "\\shortstack[l]{" : "");
    /* What begins with a bracket gnuplot takes for the place of its box. */
    if (tex && rich[0] == '[' && target->size == 0) text_append(target, "\\relax ");
    for (const char *c = rich; *c; c += length_of(c)) {
        int mark = *c - 1;
        if (*c >= 1 && *c <= 4) {
            if (depth < MARKS_MAX) open[depth++] = mark;
            text_append(target, tex ? marks[mark].begin_tex : marks[mark].begin);
        } else if (*c == 5) {
            if (depth > 0) text_append(target, tex ? marks[open[--depth]].end_tex : (depth--, "}"));
        } else if (*c == '\n') {
            text_append(target, tex ? "\\\\" : "\n");
        } else {
            write_character(target, c, tex);
        }
    }
    if (lines) text_append(target, "}");
}

/* ---- Measuring: Helvetica's widths, a little rounded up */

#define EM (8 * 2.54 / 72)

static double glyph_width(const char *c) {
    if (strchr("iljI|'.,:;! ft()[]/-", *c)) return 0.3 * EM;
    if (strchr("mwMW%@", *c)) return 0.87 * EM;
    if (*c >= 'A' && *c <= 'Z') return 0.7 * EM;
    return 0.57 * EM;
}

double rich_width(const char *rich) {
    double width = 0, widest = 0, scale = 1;
    double before[MARKS_MAX];
    int depth = 0;
    for (const char *c = rich; *c; c += length_of(c)) {
        if (*c >= 1 && *c <= 4) {
            if (depth < MARKS_MAX) before[depth++] = scale;
            if (*c >= 3) scale *= 0.8;
        } else if (*c == 5) {
            if (depth > 0) scale = before[--depth];
        } else if (*c == '\n') {
            width = 0;
        } else {
            width += scale * glyph_width(c);
            widest = fmax(widest, width);
        }
    }
    return widest;
}

/* Into lines of at most this width. `change`: blanks become line ends; else they are counted only. */
static int wrap(char *rich, double width, bool change) {
    int lines = 1;
    char *line = rich, *blank = NULL;
    for (char *c = rich; *c; c++) {
        if (*c != ' ' && c[1]) continue;
        char kept = c[1] ? *c : '\0';
        if (c[1]) *c = '\0';
        bool wide = rich_width(line) > width;
        if (c[1]) *c = kept;
        if (wide && blank) {
            if (change) *blank = '\n';
            line = blank + 1;
            blank = NULL;
            lines++;
        }
        if (*c == ' ' && c > line) blank = c;
    }
    return lines;
}

int rich_wrap(char *rich, double width) {
    int lines = wrap(rich, width, false);
    /* The narrowest of as few lines: they are then about equally long. */
    double narrow = width / lines;
    for (int step = 0; step < 20 && lines > 1; step++) {
        double middle = 0.5 * (narrow + width);
        if (wrap(rich, middle, false) > lines)
            narrow = middle;
        else
            width = middle;
    }
    return wrap(rich, width, true);
}
