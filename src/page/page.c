#include "page/page.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "costab/page.h"

/* Behind the first line of a template stands the one by which a file is known as costab's own. */
#define DATA "<script type=\"application/json\" id=\"data\">"

void page_fill(const char *template, const text *data, text *html) {
    const char *body = strchr(template, '\n') + 1, *at = strstr(body, DATA) + strlen(DATA);
    text_append_n(html, template, (size_t)(body - template));
    text_append(html, "<!--\n");
    file_mark(html, "page");
    text_append(html, "-->\n");
    text_append_n(html, body, (size_t)(at - body));
    text_append_text(html, data);
    text_append(html, at);
}

costab_status costab_page_write(const char *path, const char *page, bool force, costab_error *error) {
    const file_terms terms = {.force = force};
    return file_write(path, &terms, page, strlen(page), error);
}

void costab_page_free(char **page) {
    memory_free(*page);
    *page = NULL;
}
