/* page/page.h - pages: one HTML file each, a template of plots/ with one block of JSON filled in. "Put" means
 * to write into the JSON. */
#pragma once

#include "base/json.h"
#include "costab/model.h"

/* [out] *page: a template with the JSON in its block of data and the marker line of costab's own files; free
 * with costab_page_free. */
costab_status page_make(const char *template, const text *data, char **page, costab_error *error);

/* Puts a text. Paths of files in it are shortened to their last parts, because pages are shared. */
void page_text(json *out, const char *key, const char *words);

/* Puts the array of labels and units of parameters and signals in the file. */
void page_words(json *out, const costab_model *model);
