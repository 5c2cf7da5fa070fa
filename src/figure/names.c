/* Texts of a figure in the markup of gnuplot's enhanced mode; the markup is parsed again for
 * LaTeX, plain text, widths and line breaks. */
#include "figure/names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"

/* ---- Making */

/* Returns the number of bytes of a UTF-8 character. */
static size_t length_of(const char *c) {
    size_t n = 1;
    while (((unsigned char)c[n] & 0xC0) == 0x80) n++;
    return n;
}

/* Returns the markup of a small digit, which fonts may lack; NULL for other characters. */
static const char *digit_markup(const char *c, size_t length) {
    static const char *const digits[][2] = {{"₀", "_{0}"}, {"₁", "_{1}"}, {"₂", "_{2}"}, {"₃", "_{3}"},
                                            {"₄", "_{4}"}, {"₅", "_{5}"}, {"₆", "_{6}"}, {"₇", "_{7}"},
                                            {"₈", "_{8}"}, {"₉", "_{9}"}, {"⁰", "^{0}"}, {"¹", "^{1}"},
                                            {"²", "^{2}"}, {"³", "^{3}"}, {"⁴", "^{4}"}, {"⁵", "^{5}"},
                                            {"⁶", "^{6}"}, {"⁷", "^{7}"}, {"⁸", "^{8}"}, {"⁹", "^{9}"}};
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
        if (strlen(digits[i][0]) == length && memcmp(c, digits[i][0], length) == 0) return digits[i][1];
    return NULL;
}

static void put_plain(text *target, const char *plain, size_t size) {
    text_append(target, "");
    for (const char *c = plain; c < plain + size; c += length_of(c)) {
        const char *markup = digit_markup(c, length_of(c));
        if (markup)
            text_append(target, markup);
        else
            escape_n(target, ESCAPE_GNUPLOT_MARKUP, *c == 0x7f ? " " : c, length_of(c));
    }
}

void names_plain(text *target, const char *plain) {
    put_plain(target, plain, strlen(plain));
}

/* Returns true if the text after a letter is empty or an index: digits, or letters and digits after a _. */
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

/* LaTeX's commands from U+0391 on, and from U+03B1 on. */
static const char *const capitals[] = {"A",       "B",    "\\Gamma", "\\Delta",  "E",       "Z", "H",
                                       "\\Theta", "I",    "K",       "\\Lambda", "M",       "N", "\\Xi",
                                       "O",       "\\Pi", "P",       "",         "\\Sigma", "T", "\\Upsilon",
                                       "\\Phi",   "X",    "\\Psi",   "\\Omega"};
static const char *const letters[] = {"\\alpha",   "\\beta",   "\\gamma",    "\\delta", "\\varepsilon",
                                      "\\zeta",    "\\eta",    "\\theta",    "\\iota",  "\\kappa",
                                      "\\lambda",  "\\mu",     "\\nu",       "\\xi",    "o",
                                      "\\pi",      "\\rho",    "\\varsigma", "\\sigma", "\\tau",
                                      "\\upsilon", "\\varphi", "\\chi",      "\\psi",   "\\omega"};

/* Returns the length of the Greek letter's name with which a name such as "omega_1" begins; 0 without one.
 * [out] letter: in UTF-8. */
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

/* Returns true if a word is a letter of `length` bytes, perhaps with an index. */
static bool is_letter(const char *word, size_t length) {
    const bool greek = (unsigned char)word[0] == 0xCE || (unsigned char)word[0] == 0xCF;
    const bool latin = (word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z');
    return length > 0 && (greek || latin) && is_index(word + length);
}

bool names_is_symbol(const char *word) {
    return word[0] != '\0' && is_letter(word, length_of(word));
}

/* Typesets a name as in mathematics. words: Greek letters may be given by their names. */
static void put_name(text *target, const char *name, bool words) {
    const char *dot = strrchr(name, '.'), *own = dot && !strpbrk(name, " >") ? dot + 1 : name;
    char letter[3];
    size_t spelled = words ? greek_name(own, letter) : 0, length = spelled > 0 ? spelled
                                                                   : own[0]    ? length_of(own)
                                                                               : 0;
    if (!is_letter(own, length)) {
        names_plain(target, name);
        return;
    }
    put_plain(target, name, (size_t)(own - name));
    text_append(target, "{/:Italic ");
    text_append_n(target, spelled > 0 ? letter : own, spelled > 0 ? 2 : length);
    text_append(target, "}");
    if (own[length]) text_printf(target, NAMES_INDEX("%s"), own + length + (own[length] == '_'));
}

void names_name(text *target, const char *name) {
    put_name(target, name, true);
}

static void put_word(text *target, const char *name) {
    put_name(target, name, false);
}

void names_words(text *target, const char *words) {
    bool alone = strlen(words) == 1;
    text_append(target, "");
    while (*words) {
        size_t length = strcspn(words, " ");
        memory_local char *word = memory_copy_n(words, length > 0 ? length : 1);
        if (word == NULL) target->failed = true;
        const bool plain = (length == 1 && !alone) || strchr(word != NULL ? word : "", '.') != NULL;
        if (word) (plain ? names_plain : put_word)(target, word);
        words += length > 0 ? length : 1;
    }
}

void names_unit(text *target, const char *unit) {
    for (const char *power = strchr(unit, '^'); power != NULL; power = strchr(unit, '^')) {
        memory_local char *before = memory_copy_n(unit, (size_t)(power - unit));
        bool negative = power[1] == '-';
        unit = power + 1 + negative;
        size_t digits = strspn(unit, "0123456789");
        if (before == NULL) target->failed = true;
        if (before) names_plain(target, before);
        text_append(target, digits > 0 ? "^{" : "\\^");
        if (negative) text_append(target, "−");
        text_append_n(target, unit, digits);
        if (digits > 0) text_append(target, "}");
        unit += digits;
    }
    names_plain(target, unit);
}

const char *names_sign(double value) {
    return signbit(value) ? "−" : "";
}

void names_choice(text *target, const char *name) {
    const char *sign = strchr(name, '=');
    double value;
    memory_local char *quantity = sign != NULL && number_parse_double(sign + 1, strlen(sign + 1), &value)
                                      ? memory_copy_n(name, (size_t)(sign - name))
                                      : NULL;
    if (quantity == NULL) {
        names_plain(target, name);
        return;
    }
    names_name(target, quantity);
    text_printf(target, " = %s%s", names_sign(value), sign + 1 + (signbit(value) != 0));
}

const char *names_number(double value, char shown[NAMES_NUMBER_MAX]) {
    char plain[40], power_of_ten[16] = "";
    int power = 0;
    text_format(plain, sizeof plain, "%.6g", value);
    char *exponent = strchr(plain, 'e');
    if (exponent) {
        sscanf(exponent + 1, "%d", &power);
        *exponent = '\0';
        text_format(power_of_ten, sizeof power_of_ten, "%s%d", names_sign(power), abs(power));
    }
    const char *digits = plain + (plain[0] == '-');
    bool one = exponent && strcmp(digits, "1") == 0;
    text_format(shown, NAMES_NUMBER_MAX, "%s%s%s%s%s%s", names_sign(value), one ? "" : digits,
                exponent && !one ? "×" : "", exponent ? "10^{" : "", power_of_ten, exponent ? "}" : "");
    return shown;
}

const char *names_rounded(double value, int digits, char shown[NAMES_NUMBER_MAX]) {
    char plain[40];
    text_format(plain, sizeof plain, "%.*g", digits, value);
    return names_number(strtod(plain, NULL), shown);
}

/* ---- Parsing the markup */

typedef enum part_kind {
    PART_TEXT,
    PART_ITALIC,
    PART_BOLD,
    PART_INDEX,
    PART_POWER,
    PART_GROUP,
    PART_END
} part_kind;

/* Parses the next part: a character without the backslash before it, or the start or end of a group. */
static part_kind next_part(const char **at, const char **character, size_t *length) {
    static const char *const begins[] = {"", "{/:Italic ", "{/:Bold ", "_{", "^{", "{", "}"};
    const char *c = *at;
    for (int k = PART_ITALIC; k <= PART_END; k++)
        if (strncmp(c, begins[k], strlen(begins[k])) == 0) {
            *at = c + strlen(begins[k]);
            return (part_kind)k;
        }
    *character = c + (c[0] == '\\' && c[1] != '\0');
    *length = length_of(*character);
    *at = *character + *length;
    return PART_TEXT;
}

void names_strip(text *target, const char *shown) {
    const char *character;
    size_t length;
    text_append(target, "");
    while (*shown) {
        part_kind kind = next_part(&shown, &character, &length);
        if (kind == PART_TEXT) text_append_n(target, character, length);
        if (kind == PART_INDEX) text_append(target, "_");
        if (kind == PART_POWER) text_append(target, "^");
    }
}

static const struct {
    const char *shown, *tex;
} signs[] = {{"−", "-"}, {"∞", "\\infty"}, {"×", "\\times"}, {"≤", "\\le"}, {"≥", "\\ge"}};

/* Returns the LaTeX command of a mathematical character; NULL for other characters. */
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

#define DEPTH_MAX 8 /* of nested groups */

void names_tex(text *target, const char *shown) {
    static const struct {
        const char *begin, *end;
    } marks[] = {[PART_ITALIC] = {"", ""},
                 [PART_BOLD] = {"\\mathbf{", "}"},
                 [PART_INDEX] = {"_{\\mathrm{", "}}"},
                 [PART_POWER] = {"^{", "}"},
                 [PART_GROUP] = {"", ""}};
    const bool lines = strchr(shown, '\n') != NULL;
    const char *character;
    size_t length;
    int open[DEPTH_MAX], depth = 0;
    bool mathematical = false;
    /* gnuplot takes a bracket at the start for the position of the box, LaTeX one after a line break for a
     * distance. */
    text_append(target, lines ? "\\shortstack{" : shown[0] == '[' ? "\\relax " : "");
    while (*shown) {
        const part_kind kind = next_part(&shown, &character, &length);
        const char *sign = kind == PART_TEXT ? mathematics(character, length) : NULL;
        const bool begins = kind != PART_TEXT && kind != PART_END && kind != PART_GROUP && depth < DEPTH_MAX;
        if (!mathematical && (sign || begins)) text_append(target, "$");
        if (mathematical && depth == 0 && !sign && !begins) text_append(target, "$");
        mathematical = sign || begins || (mathematical && depth > 0);
        if (begins || (kind == PART_GROUP && depth < DEPTH_MAX))
            text_append(target, marks[open[depth++] = kind].begin);
        else if (kind == PART_END && depth > 0)
            text_append(target, marks[open[--depth]].end);
        else if (sign)
            text_printf(target, depth > 0 && isalpha((unsigned char)*shown) ? "%s " : "%s", sign);
        else if (kind == PART_TEXT && *character == '\n')
            text_append(target, *shown == '[' ? "\\\\\\relax " : "\\\\");
        else if (kind == PART_TEXT)
            escape_n(target, ESCAPE_TEX, character, length);
    }
    text_append(target, mathematical ? "$" : "");
    if (lines) text_append(target, "}");
}

/* Returns the estimated width of a character in 8 pt Helvetica, in cm. */
static double glyph_width(const char *c) {
    const double em = 8 * 2.54 / 72;
    if (strchr("iljI|'.,:;! ft()[]/-", *c)) return 0.3 * em;
    return (strchr("mwMW%@", *c) || (*c >= 'A' && *c <= 'Z') ? 0.78 : 0.57) * em;
}

double names_width(const char *shown) {
    double width = 0, widest = 0;
    const char *character;
    size_t length;
    while (*shown) {
        if (next_part(&shown, &character, &length) != PART_TEXT) continue;
        width = *character == '\n' ? 0 : width + glyph_width(character);
        widest = fmax(widest, width);
    }
    return widest;
}

/* Counts the lines of a text broken at blanks outside of groups. change: inserts the line breaks. */
static int wrap(char *shown, double width, bool change) {
    char *line = shown, *blank = NULL;
    int depth = 0, lines = 1;
    for (char *c = shown; *c; c++) {
        depth += (*c == '{') - (*c == '}');
        if ((*c != ' ' && c[1]) || depth > 0) continue;
        const char blanked = *c; /* the text ends here while it is measured */
        if (c[1]) *c = '\0';
        const bool wide = names_width(line) > width;
        if (c[1]) *c = blanked;
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

void names_wrap(char *shown, double width) {
    const int lines = wrap(shown, width, false);
    for (int k = 0; k < 20 && lines > 1 && wrap(shown, 0.97 * width, false) == lines; k++) width *= 0.97;
    wrap(shown, width, true);
}
