#include "figure/words.h"

#include <string.h>

#include "figure/rich.h"

static void put_quoted(text *script, const char *string, bool one_line) {
    text_append(script, "'");
    for (const char *c = string; *c; c++) {
        if (*c == '\'')
            text_append(script, c > string && c[-1] != '\'' ? "''" : "'.\"'\".'");
        else if (one_line && *c == '\n')
            text_append(script, "'.\"\\n\".'");
        else if (one_line && ((unsigned char)*c < 0x20 || *c == 0x7f))
            text_append(script, " ");
        else
            text_append_n(script, c, 1);
    }
    text_append(script, "'");
}

void words_string(text *script, const char *string) {
    put_quoted(script, string, true);
}

void words_verbatim(text *command, const char *string) {
    put_quoted(command, string, false);
}

void words_twice(text *script, const char *name, text *shown, text *tex) {
    if (shown->failed || tex->failed) {
        script->failed = true;
    } else {
        text_printf(script, "%s = ", name);
        words_string(script, shown->data);
        if (strcmp(shown->data, tex->data) != 0) {
            text_printf(script, "\nif (FMT eq 'tex') { %s = ", name);
            words_string(script, tex->data);
            text_append(script, " }");
        }
        text_append(script, "\n");
    }
    text_free(shown);
    text_free(tex);
}

void words_rich(text *script, const char *name, const char *rich) {
    text shown = {0}, tex = {0};
    rich_write(&shown, rich, false);
    rich_write(&tex, rich, true);
    words_twice(script, name, &shown, &tex);
}

/* A backslash at its end would join the next line. */
void words_comment(text *script, const char *before, const char *string) {
    text_append(script, before);
    for (const char *c = string; *c; c++)
        if (*c < 1 || *c > 5) /* marks of rich texts */
            text_append_n(script, (unsigned char)*c < 0x20 || *c == 0x7f || *c == '\\' ? " " : c, 1);
    text_append(script, "\n");
}
