/* page/page.h - pages: one HTML file each, a template of plots/ with one block of JSON filled in. */
#pragma once

#include "base/json.h"
#include "costab/model.h"

/* The template with the JSON in its block of data. */
costab_status page_make(const char *template, const text *data, char **page, costab_error *error);

/* The names of signals of a subsystem, as an array. */
void page_signals(json *out, const char *key, const costab_network *network, int subsystem,
                  costab_signal_kind kind, int count);

/* The arrays of parameters with their values in this instance, and of labels and units that the file gives
 * parameters and signals. */
void page_words(json *out, const costab_model *model, const costab_model_instance *instance);
