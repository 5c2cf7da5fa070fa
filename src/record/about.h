/* record/about.h - title, text and figure of a results file with rows or histories of a model, instead of a
 * sweep. */
#pragma once

#include "base/text.h"
#include "costab/spec.h"
#include "costab/store.h"

/* `info` with the texts that it borrows; it also borrows the title and the path of the spec. */
typedef struct record_about {
    costab_store_info info;
    text content, figure;
} record_about;

/* Fills the info except `force`: the spec's title and file name, the notes (NULL: none) followed by the
 * spec's text, and its figure. [out] *about: free with record_about_free, also after an error. */
costab_status record_about_find(const costab_spec *spec, const char *notes, record_about *about,
                                costab_error *error);
void record_about_free(record_about *about);
