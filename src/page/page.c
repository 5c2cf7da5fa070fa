/* Makes a page: puts one block of JSON into a template. Also common content of several pages. */
#include "page/page.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "costab/page.h"

/* The marker line of costab's own files follows the first line of a template. */
#define DATA "<script type=\"application/json\" id=\"data\">"

costab_status page_make(const char *template, const text *data, char **page, costab_error *error) {
    const char *body = strchr(template, '\n') + 1, *at = strstr(body, DATA) + strlen(DATA);
    text_local html = {0}, below = {0};
    text_append(&below, "-->\n");
    text_append_n(&below, body, (size_t)(at - body));
    text_append_text(&below, data);
    text_append(&below, at);
    text_append_n(&html, template, (size_t)(body - template));
    text_append(&html, "<!--\n");
    file_mark(&html, "page", &below);
    if (html.failed) return error_memory(error);
    *page = html.data;
    html.data = NULL;
    return COSTAB_OK;
}

/* ---- Texts without folders of this machine ---- */

#define ROOT_MAX 256

/* Returns true if the text starts with an existing folder of the root, such as /home/. */
static bool has_root(const char *path) {
    char root[ROOT_MAX];
    struct stat about;
    size_t n = 1 + strcspn(path + 1, "/ \t\n");
    if (path[n] != '/' || n >= sizeof root) return false;
    memcpy(root, path, n);
    root[n] = '\0';
    return stat(root, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Returns the length of a YAML value without quotes, which may have blanks. */
static size_t value_length(const char *value) {
    size_t n = 0;
    while (value[n] != '\0' && strchr("\n,}", value[n]) == NULL && strncmp(value + n, ": ", 2) != 0 &&
           strncmp(value + n, " #", 2) != 0)
        n++;
    return n;
}

/* Returns true if the byte before a path belongs to a longer word, a quotient or an address, such
 * as http://. */
static bool continues(char last) {
    return isalnum((unsigned char)last) || strchr("_./)]}*?\\", last) != NULL || (unsigned char)last > 127;
}

/* Returns true if the value of a key that names a file begins at `at`. */
static bool names_file(const char *words, const char *at) {
    static const char *const keys[] = {"fmu", "file", "model", "points"};
    while (at > words && strchr("\"' ", at[-1]) != NULL) at--;
    if (at == words || *--at != ':') return false;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const ptrdiff_t n = (ptrdiff_t)strlen(keys[k]);
        if (at - words >= n && memcmp(at - n, keys[k], (size_t)n) == 0 &&
            (at - words == n || strchr(" \n\t{,", at[-n - 1]) != NULL))
            return true;
    }
    return false;
}

/* Returns true if a path begins at `at`: below an existing folder of the root; ~/ or ~NAME/; ./ or ../; a
 * drive of Windows or a shared folder; or any value of a key that names a file. */
static bool begins_path(const char *words, const char *at) {
    const size_t dots = strspn(at, "."), user = at[0] == '~' ? strcspn(at, "/ \t\n\"',") : 0;
    const char last = at > words ? at[-1] : ' ';
    if (strchr(" \t\n\"'", *at) != NULL || continues(last)) return false;
    return (at[0] == '/' && has_root(at + strspn(at, "/") - 1)) || (user > 0 && at[user] == '/') ||
           ((dots == 1 || dots == 2) && at[dots] == '/' && isgraph((unsigned char)at[dots + 1])) ||
           (isalpha((unsigned char)at[0]) && at[1] == ':' && (at[2] == '\\' || at[2] == '/')) ||
           (at[0] == '\\' && at[1] == '\\' && isalnum((unsigned char)at[2]) &&
            at[2 + strcspn(at + 2, " \t\n\"'\\/")] == '\\') ||
           names_file(words, at);
}

/* Returns the length of the path that begins at `at` in `words`. It ends at its closing quote, at the end of
 * the value of a key, or otherwise at a blank or bracket. */
static size_t path_length(const char *words, const char *at) {
    static const char after[] = " \t\n\"'`)]},:;<>|";
    const char last = at > words ? at[-1] : ' ';
    const char quote[] = {last, '\n', '\0'};
    const size_t quoted = strcspn(at, quote), drive = isalpha((unsigned char)at[0]) && at[1] == ':' ? 2 : 0;
    if (strchr("\"'`", last) != NULL && at[quoted] == last) return quoted;
    if (at - words > 1 && last == ' ' && at[-2] == ':') return drive + value_length(at + drive);
    return drive + strcspn(at + drive, after);
}

void page_text(json *out, const char *key, const char *words) {
    text_local shown = {0};
    const char *rest = words;
    for (const char *at = words; *at != '\0';) {
        if (!begins_path(words, at)) {
            at++;
            continue;
        }
        const size_t length = path_length(words, at);
        size_t name = length;
        while (name > 0 && at[name - 1] != '/' && at[name - 1] != '\\') name--;
        text_append_n(&shown, rest, (size_t)(at - rest));
        rest = at + name;
        at += length > 0 ? length : 1;
    }
    text_append(&shown, rest);
    if (shown.failed) out->failed = true;
    json_text(out, key, shown.failed ? "" : shown.data);
}

void page_words(json *out, const costab_model *model) {
    json_array(out, "words");
    for (int i = 0; i < model->words_count; i++) {
        const costab_model_words *words = &model->words[i];
        json_object(out, NULL);
        json_text(out, "name", words->name);
        if (words->label != NULL) json_text(out, "label", words->label);
        if (words->unit != NULL) json_text(out, "unit", words->unit);
        json_end_object(out);
    }
    json_end_array(out);
}

costab_status costab_page_write(const char *path, const char *page, bool force, costab_error *error) {
    const file_terms terms = {.force = force};
    return file_write(path, &terms, page, strlen(page), error);
}

void costab_page_free(char **page) {
    memory_free(*page);
    *page = NULL;
}
