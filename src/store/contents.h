/* store/contents.h - the contents of a results file except its values, and their transfer from the sandboxed
 * reader process to the program. */
#pragma once

#include "base/text.h"
#include "costab/sweep.h"

/* Contents of a results file. Owns everything that it points to, including the plan's axes and names. */
typedef struct store_contents {
    costab_plan plan;
    char *title, *source, *spec_text, *spec_path;
    char *figure; /* NULL: the file has no figure request */
    bool listed;  /* the file has exactly the datasets that costab listed in it */
    /* Texts to which the plan points: long_name and unit of each axis and field, code_meanings of each field.
     */
    char *axis_names[COSTAB_AXES_MAX], *axis_units[COSTAB_AXES_MAX];
    char *field_names[COSTAB_FIELDS_MAX], *field_units[COSTAB_FIELDS_MAX], *meanings[COSTAB_FIELDS_MAX];
} store_contents;

/* Frees the members, also of partly filled contents, and zeroes it. */
void store_contents_free(store_contents *contents);

/* Appends the contents as bytes; sets bytes->failed after an allocation failure. */
void store_contents_put(const store_contents *contents, text *bytes);

/* Reads the contents, which must be zero before, from bytes of store_contents_put. Checks all numbers,
 * because a forged file may determine them. COSTAB_INVALID if they are impossible for a results file; `path`
 * is for the message. The contents must be freed in any case. */
costab_status store_contents_take(store_contents *contents, const void *bytes, size_t size, const char *path,
                                  costab_error *error);
