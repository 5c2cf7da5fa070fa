/* Escaping what LaTeX and gnuplot's enhanced mode take for mark-up. */
#include "plot/markup.h"

#include <string.h>

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
    for (const char *c = plain; *c; c++) {
        const char *escape = NULL;
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
