/* record/about.h - the texts in a results file of a model (instead of a sweep). */
#pragma once

#include "base/text.h"
#include "costab/spec.h"
#include "costab/store.h"

/* The texts borrowed by `info`. */
typedef struct record_about {
    costab_store_info info;
    text content, figure;
} record_about;

/* Fills the info except `force`: the spec's title, its text below the notes, its figure. Free with
 * record_about_free, also after an error. */
costab_status record_about_find(const costab_spec *spec, const char *notes, record_about *about,
                                costab_error *error);
void record_about_free(record_about *about);
