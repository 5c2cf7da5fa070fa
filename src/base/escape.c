/* Escaping, by a table of targets.
 *   1. The characters of the text decide whether it needs quotes.
 *   2. Each character is written: in the target's spelling; with a backslash, if that makes it harmless; a
 *      control character by its code; all other characters unchanged.
 *   3. Two characters depend on their context: a quote in gnuplot's strings, and > after ]] in its enhanced
 *      text.
 *
 * Sources: gnuplot 5.4's manual, "Strings" and "Enhanced text mode"; POSIX.1-2017, XCU 2.2.2; XML 1.0, 2.2
 * and 2.4; RFC 8259, 7; YAML 1.2, 5.7; CommonMark 0.31, 2.4; RFC 4180, 2. */
#include "base/escape.h"

#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

typedef struct spelling {
    char of;
    const char *written;
} spelling;

/* Form of a code: its digits, octal or hexadecimal, between two texts. base 0: without digits. before NULL:
 * the character is written unchanged. */
typedef struct code_form {
    const char *before, *after;
    unsigned base, digits;
} code_form;

#define SPELLINGS_MAX 6
#define NOTHING_ELSE  "\xEF\xBF\xBD" /* U+FFFD */

static const struct {
    const char *quote;       /* before and after the text */
    const char *harmless;    /* a text with these characters only needs no quotes; NULL: see harmful */
    const char *harmful;     /* a text without these characters needs no quotes; NULL: every text does */
    const char *backslashed; /* characters that get a backslash */
    code_form control;       /* of control characters */
    bool unicode;            /* only UTF-8; codes are those of characters, not of bytes */
    spelling spellings[SPELLINGS_MAX];
} targets[ESCAPE_TARGETS] = {
    [ESCAPE_GNUPLOT] = {.quote = "'",
                        .control = {"'.\"\\", "\".'", 8, 3},
                        .spellings = {{'\n', "'.\"\\n\".'"}}},
    [ESCAPE_GNUPLOT_MARKUP] = {.backslashed = "\\{}^_@&~", .control = {" ", "", 0, 0}},
    [ESCAPE_COMMENT] = {.control = {"\\x", "", 16, 2}, .spellings = {{'\\', "\\x5c"}}},
    [ESCAPE_SHELL] = {.quote = "'", .harmless = LETTERS "%+,-./:=@_", .spellings = {{'\'', "'\\''"}}},
    [ESCAPE_TEX] = {.backslashed = "{}$&#%_",
                    .control = {" ", "", 0, 0},
                    .spellings = {{'\\', "\\textbackslash{}"},
                                  {'^', "\\textasciicircum{}"},
                                  {'~', "\\textasciitilde{}"},
                                  {'`', "\\`{}"}}},
    [ESCAPE_XML] = {.control = {NOTHING_ELSE, "", 0, 0},
                    .unicode = true,
                    .spellings = {{'&', "&amp;"},
                                  {'<', "&lt;"},
                                  {'>', "&gt;"},
                                  {'"', "&quot;"},
                                  {'\'', "&#39;"},
                                  {'\n', "&#10;"}}},
    [ESCAPE_JSON] = {.quote = "\"",
                     .backslashed = "\"\\",
                     .control = {"\\u", "", 16, 4},
                     .unicode = true,
                     .spellings = {{'<', "\\u003c"}}},
    [ESCAPE_YAML] = {.quote = "\"", .backslashed = "\"\\", .control = {"\\x", "", 16, 2}, .unicode = true},
    [ESCAPE_MARKDOWN] = {.backslashed = "\\`*_[]<&|~$",
                         .control = {" ", "", 0, 0},
                         .spellings = {{'\n', "<br>"}}},
    [ESCAPE_CSV] = {.quote = "\"", .harmful = ",\"\r\n", .spellings = {{'"', "\"\""}}},
};

/* Returns true if each of n bytes is in the set (`in`), or none is in it (not `in`). */
static bool all(const char *bytes, size_t n, const char *set, bool in) {
    for (size_t i = 0; i < n; i++)
        if ((bytes[i] != '\0' && strchr(set, bytes[i]) != NULL) != in) return false;
    return true;
}

/* Number of bytes at the start that every target writes unchanged. */
static size_t count_plain(const char *bytes, size_t n) {
    size_t i = 0;
    while (i < n && ((bytes[i] >= 'a' && bytes[i] <= 'z') || (bytes[i] >= 'A' && bytes[i] <= 'Z') ||
                     (bytes[i] >= '0' && bytes[i] <= '9') || bytes[i] == ' '))
        i++;
    return i;
}

static bool needs_quote(escape_target target, const char *bytes, size_t n) {
    if (targets[target].quote == NULL) return false;
    if (targets[target].harmless != NULL) return n == 0 || !all(bytes, n, targets[target].harmless, true);
    return targets[target].harmful == NULL || !all(bytes, n, targets[target].harmful, false);
}

static bool ends_in(const text *t, const char *with) {
    size_t n = strlen(with);
    return t->size >= n && memcmp(t->data + t->size - n, with, n) == 0;
}

/* Writes a character that depends on its context; returns false for any other. A quote in a gnuplot string is
 * doubled. gnuplot 5.4 does not accept that at the start and after another quote. There the quote becomes a
 * string of its own with the code 047, because the search for macros, @NAME, counts any quote, also inside
 * double quotes. XML forbids ]]> in a text, and gnuplot writes it unchanged: braces make it two elements, and
 * the code becomes another character in the title of a curve, from which gnuplot removes the braces. */
static bool put_by_context(text *to, escape_target target, char c) {
    if (target == ESCAPE_GNUPLOT && c == '\'')
        text_append(to, ends_in(to, "'") ? "'.\"\\047\".'" : "''");
    else if (target == ESCAPE_GNUPLOT_MARKUP && c == '>' && ends_in(to, "]]"))
        text_append(to, "{\\76}");
    else
        return false;
    return true;
}

static bool put_spelling(text *to, escape_target target, char c) {
    const spelling *s = targets[target].spellings;
    for (int i = 0; i < SPELLINGS_MAX && s[i].written != NULL; i++)
        if (s[i].of == c) {
            text_append(to, s[i].written);
            return true;
        }
    return false;
}

static void put_code(text *to, const code_form *form, unsigned code) {
    text_append(to, form->before);
    if (form->base > 0) {
        for (unsigned place = form->digits; place-- > 0;) {
            unsigned rest = code;
            for (unsigned k = 0; k < place; k++) rest /= form->base;
            text_append_n(to, &"0123456789abcdef"[rest % form->base], 1);
        }
    }
    text_append(to, form->after);
}

static void put_byte(text *to, escape_target target, char c) {
    unsigned char code = (unsigned char)c;
    const char *backslashed = targets[target].backslashed;
    if (put_by_context(to, target, c) || put_spelling(to, target, c)) return;
    if (targets[target].control.before != NULL && (code < 0x20 || code == 0x7f)) {
        put_code(to, &targets[target].control, code);
        return;
    }
    if (backslashed != NULL && c != '\0' && strchr(backslashed, c) != NULL) text_append(to, "\\");
    text_append_n(to, &c, 1);
}

/* Writes a character beyond ASCII for a target with UTF-8 only. Returns the number of bytes read, at least 1.
 */
static size_t put_character(text *to, escape_target target, const char *bytes, size_t n) {
    uint32_t code;
    size_t length = text_character(bytes, n, &code);
    bool is_xml = target == ESCAPE_XML;
    if (length == 0 || (is_xml && (code == 0xFFFE || code == 0xFFFF)))
        text_append(to, NOTHING_ELSE);
    else if (!is_xml && code < 0xA0)
        put_code(to, &targets[target].control, code);
    else
        text_append_n(to, bytes, length);
    return length > 0 ? length : 1;
}

bool escape_keeps(escape_target target, const char *string) {
    const char *harmful = targets[target].harmful;
    if (harmful != NULL) return strpbrk(string, harmful) == NULL;
    return string[count_plain(string, strlen(string))] == '\0';
}

void escape_n(text *to, escape_target target, const char *bytes, size_t n) {
    bool quote = needs_quote(target, bytes, n), is_bare = targets[target].quote != NULL && !quote;
    if (is_bare) {
        text_append_n(to, bytes, n);
        return;
    }
    if (quote) text_append(to, targets[target].quote);
    for (size_t i = 0; i < n;) {
        size_t plain = count_plain(bytes + i, n - i);
        text_append_n(to, bytes + i, plain);
        i += plain;
        if (i < n && targets[target].unicode && (unsigned char)bytes[i] >= 0x80)
            i += put_character(to, target, bytes + i, n - i);
        else if (i < n)
            put_byte(to, target, bytes[i++]);
    }
    if (quote) text_append(to, targets[target].quote);
}

void escape(text *to, escape_target target, const char *string) {
    escape_n(to, target, string, strlen(string));
}
