/* Strings of a script, for gnuplot's own text and for TeX where these differ. */
#include "figure/words.h"

#include <string.h>

#include "base/escape.h"
#include "figure/rich.h"

void words_twice(text *script, const char *name, const text *shown, const text *tex) {
    script->failed |= shown->failed || tex->failed;
    if (script->failed) return;
    text_printf(script, "%s = ", name);
    escape(script, ESCAPE_GNUPLOT, shown->data);
    if (strcmp(shown->data, tex->data) != 0) {
        text_printf(script, "\nif (FMT eq 'tex') { %s = ", name);
        escape(script, ESCAPE_GNUPLOT, tex->data);
        text_append(script, " }");
    }
    text_append(script, "\n");
}

void words_rich(text *script, const char *name, const char *rich) {
    text_local shown = {0}, tex = {0};
    rich_write(&shown, rich, false);
    rich_write(&tex, rich, true);
    words_twice(script, name, &shown, &tex);
}

void words_comment(text *script, const char *before, const char *string) {
    text_append(script, before);
    for (size_t n; *string; string += n + (string[n] != '\0')) {
        n = strcspn(string, RICH_MARKS);
        escape_n(script, ESCAPE_COMMENT, string, n);
    }
    text_append(script, "\n");
}
