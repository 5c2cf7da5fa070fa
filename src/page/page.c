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

/* Whether the byte before a slash belongs to a relative path, a quotient or an address, such as http://. */
static bool continues(char last) {
    return isalnum((unsigned char)last) || strchr("_./)]}*?\\", last) != NULL || (unsigned char)last > 127;
}

/* The length of the absolute path at `at` in `words`; 0 if none begins there. It ends with its quotes, or
 * with the value of a key; elsewhere at a blank. */
static size_t path_length(const char *words, const char *at) {
    static const char after[] = " \t\n\"'`)]},:;<>|";
    const char last = at > words ? at[-1] : ' ';
    const char quote[] = {last, '\n', '\0'};
    if (continues(last) || (last != '~' && !has_root(at + strspn(at, "/") - 1))) return 0;
    size_t quoted = strcspn(at, quote);
    if (strchr("\"'`", last) != NULL && at[quoted] == last) return quoted;
    return at - words > 1 && last == ' ' && at[-2] == ':' ? value_length(at) : strcspn(at, after);
}

void page_text(json *out, const char *key, const char *words) {
    text_local shown = {0};
    const char *rest = words;
    for (const char *at = words; (at = strchr(at, '/')) != NULL;) {
        size_t length = path_length(words, at), name = length;
        if (length == 0) {
            at++;
            continue;
        }
        while (name > 0 && at[name - 1] != '/') name--;
        text_append_n(&shown, rest, (size_t)(at - rest));
        rest = at + name;
        at += length;
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
