/* store/request.h - data of a figure that a sweep stores in addition to datasets: the request (the key
 * `figure` of a spec) and the labels and units, as one text of lines KEY VALUE. */
#pragma once

#include "base/text.h"
#include "costab/style.h"

/* Label, unit and displayed unit of a parameter, a signal or an axis in a figure. */
typedef struct store_word {
    char *name, *label, *unit, *display; /* all but the name: "" if not given */
} store_word;

typedef struct store_request {
    costab_figure figure; /* places in a request that was read have line 1 and column 0 */
    bool signals_named;   /* the model names the signals of its history */
    double until;         /* end of the history; 0: not given */
    size_t word_count, axis_count, word_capacity, axis_capacity;
    store_word *words, *axes; /* words: of parameters and signals */
    size_t held_count, held_capacity;
    char **held; /* signals that change at samples only: states and outputs of discrete-time subsystems */
} store_request;

/* Appends the request as text; sets written->failed after an allocation failure. */
void store_request_write(const store_request *request, text *written);

/* [out] *request: free it with store_request_free in any case. COSTAB_INVALID for a text that is not from
 * store_request_write; `path` is for the message. */
costab_status store_request_read(const char *written, const char *path, store_request *request,
                                 costab_error *error);
void store_request_free(store_request *request);

/* Adds copies of name, label, unit and displayed unit; NULL is stored as "". Returns false after an
 * allocation failure. */
bool store_request_add_word(store_request *request, bool axis, const char *const parts[4]);

/* Adds a copy of a held signal's name. Returns false after an allocation failure. */
bool store_request_add_held(store_request *request, const char *name);
