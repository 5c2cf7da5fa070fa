/* Escaping what LaTeX and gnuplot's enhanced mode take for mark-up. */
#include "plot/markup.h"

#include <string.h>

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

/* The Greek letter that begins here (two bytes of UTF-8), NULL if none does. */
static const char *greek(const char *c) {
    const unsigned char *byte = (const unsigned char *)c;
    if ((byte[0] != 0xCE && byte[0] != 0xCF) || byte[1] < 0x80 || byte[1] > 0xBF) return NULL;
    unsigned point = (byte[0] & 0x1FU) << 6 | (byte[1] & 0x3FU);
    if (point >= 0x391 && point < 0x391 + sizeof capitals / sizeof *capitals) return capitals[point - 0x391];
    if (point >= 0x3B1 && point < 0x3B1 + sizeof letters / sizeof *letters) return letters[point - 0x3B1];
    return NULL;
}

void markup_tex(text *target, const char *plain) {
    static const struct {
        char special;
        const char *shown;
    } escapes[] = {{'\\', "\\textbackslash{}"},
                   {'{', "\\{"},
                   {'}', "\\}"},
                   {'$', "\\$"},
                   {'&', "\\&"},
                   {'#', "\\#"},
                   {'%', "\\%"},
                   {'_', "\\_"},
                   {'^', "\\textasciicircum{}"},
                   {'~', "\\textasciitilde{}"},
                   {'`', "\\`{}"}};
    /* What begins with a bracket gnuplot takes for the place of its box. */
    if (plain[0] == '[' && target->size == 0) text_append(target, "\\relax ");
    for (const char *c = plain; *c; c++) {
        const char *escape = NULL, *letter = greek(c);
        if (letter) {
            text_printf(target, "\\ensuremath{%s}", letter);
            c++;
            continue;
        }
        for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++)
            if (escapes[i].special == *c) escape = escapes[i].shown;
        if (escape)
            text_append(target, escape);
        else
            text_append_n(target, c, 1);
    }
}

void markup_enhanced(text *target, const char *plain) {
    for (const char *c = plain; *c; c++) {
        if (strchr("\\{}^_@&~", *c)) text_append(target, "\\");
        text_append_n(target, c, 1);
    }
}
