/* A page is its template with one block of JSON put in; what several pages write into theirs. */
#include "page/page.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "costab/page.h"

/* Behind the first line of a template stands the one by which a file is known as costab's own. */
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
