/* store/request.h - what a sweep stores for its figure besides datasets: the request (the key `figure` of a
 * spec) and the words that a figure prints, as one text of lines KEY VALUE. */
#pragma once

#include "base/text.h"
#include "costab/style.h"

/* What a figure calls a parameter, a signal or an axis. */
typedef struct store_word {
    char *name, *label, *unit; /* label, unit: "" where there is none */
} store_word;

typedef struct store_request {
    costab_figure figure; /* its places have line 1 and column 0 when they were read */
    bool signals_named;   /* of a history: a user chose its signals */
    double until;         /* and its end; 0: not given */
    size_t word_count, axis_count, word_capacity, axis_capacity;
    store_word *words, *axes; /* of parameters and signals; of axes */
} store_request;

/* Appends the text. */
void store_request_write(const store_request *request, text *written);

/* [out] *request: free it with store_request_free in any case. COSTAB_INVALID for a text that
 * store_request_write did not make; `path` is for the message. */
costab_status store_request_read(const char *written, const char *path, store_request *request,
                                 costab_error *error);
void store_request_free(store_request *request);

/* Adds copies; NULL stands for "". False where memory is out. */
bool store_request_add_word(store_request *request, bool axis, const char *name, const char *label,
                            const char *unit);
