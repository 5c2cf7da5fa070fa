/* page/page.h - pages: one HTML file each, a template of plots/ with one block of JSON filled in. */
#pragma once

#include "base/json.h"
#include "costab/model.h"

/* The template with the JSON in its block of data. */
costab_status page_make(const char *template, const text *data, char **page, costab_error *error);

/* Puts a text. Of an absolute path to a folder of this machine the last part alone is put: pages are sent to
 * others. */
void page_text(json *out, const char *key, const char *words);

/* The array of labels and units that the file gives parameters and signals. */
void page_words(json *out, const costab_model *model);
