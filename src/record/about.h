/* record/about.h - what a results file says about itself if a model, not a sweep, is behind it. */
#pragma once

#include "base/text.h"
#include "costab/spec.h"
#include "costab/store.h"

/* The texts that `info` borrows. */
typedef struct record_about {
    costab_store_info info;
    text content, figure;
} record_about;

/* Fills the info, but for `force`: the spec's title, its text below the notes, its figure. Free with
 * record_about_free, also after an error. */
costab_status record_about_find(const costab_spec *spec, const char *notes, record_about *about,
                                costab_error *error);
void record_about_free(record_about *about);
