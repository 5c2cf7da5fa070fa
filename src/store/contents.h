/* store/contents.h - what a results file holds besides the values, and how it passes from the process that
 * reads the file to the one that uses it. */
#pragma once

#include "base/text.h"
#include "costab/sweep.h"

/* Owns all that it points to, the plan's axes and names, too. */
typedef struct store_contents {
    costab_plan plan;
    char *title, *source, *spec_text, *spec_path;
    char *figure; /* NULL: it has none */
    bool listed;  /* the file has the datasets that costab listed in it, and no others */
    char *axis_names[COSTAB_AXES_MAX], *axis_units[COSTAB_AXES_MAX]; /* long_name, units */
    char *field_names[COSTAB_FIELDS_MAX], *field_units[COSTAB_FIELDS_MAX], *meanings[COSTAB_FIELDS_MAX];
} store_contents;

/* Frees what it points to, also if it was filled only partly, and zeroes it. */
void store_contents_free(store_contents *contents);

/* Appends the contents as bytes; bytes->failed where memory is out. */
void store_contents_put(const store_contents *contents, text *bytes);

/* Reads them from bytes that store_contents_put made. All numbers are checked, as a forged file may have
 * decided about them. COSTAB_INVALID if they cannot be those of a results file; what was read until then must
 * be freed as well. */
costab_status store_contents_take(store_contents *contents, const void *bytes, size_t size, const char *path,
                                  costab_error *error);
