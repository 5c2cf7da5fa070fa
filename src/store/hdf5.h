/* store/hdf5.h - what the writer and the reader share: HDF5 without its own printing, its errors in our
 * words, and the few kinds of attributes that a results file has. */
#pragma once

#include <hdf5.h>

#include "costab/base.h"

/* The dataset that holds the spec, and its attribute with the spec's file name. */
#define STORE_SPEC      "spec"
#define STORE_SPEC_PATH "path"
#define STORE_FIGURE    "figure"

/* Attribute of the root: the names of all objects in the file, in the order in which they were made. */
#define STORE_DATASETS "datasets"

/* One job with a file, and its first failure. HDF5 prints nothing while it lasts. */
typedef struct store_job {
    bool writing; /* else reading */
    const char *path;
    costab_status status;
    costab_error *error;
    H5E_auto2_t printer;
    void *printer_data;
} store_job;

store_job store_begin(bool writing, const char *path, costab_error *error);

/* Lets HDF5 print again, if it did before, and returns the status. */
costab_status store_end(store_job *job);

/* Notes HDF5's last error, to be called right after the call that failed; `part` says what was written or
 * read. The status is COSTAB_IO where the job is writing, else COSTAB_UNREADABLE where the system gave a
 * reason (but COSTAB_IO where files cannot be locked), else COSTAB_INVALID. Keeps what was noted first. */
void store_fail(store_job *job, const char *part);

/* Closes *id if it is one (>= 0), of whatever kind, and sets it to -1. Notes a failure. */
void store_close(store_job *job, hid_t *id);

/* The same of several. */
#define store_close_all(job, ...)                                                                            \
    store_close_list(job, (hid_t *[]){__VA_ARGS__}, sizeof((hid_t *[]){__VA_ARGS__}) / sizeof(hid_t *))
void store_close_list(store_job *job, hid_t *const *ids, size_t count);

/* An id if it was made and its settings are good; else -1, and it is closed. */
hid_t store_made(hid_t id, bool good);

/* A string type for strings of any length, in UTF-8; -1 on failure. */
hid_t store_string_type(void);

/* A whole dataset, written or read: for texts, which HDF5 converts. False on failure. */
bool store_write_all(hid_t dataset, hid_t type, const void *values);
bool store_read_all(hid_t dataset, hid_t type, void *values);

/* Attributes: `count` values of a type, in memory as in the file (0: a single one); a text. */
void store_put(store_job *job, hid_t object, const char *name, hid_t type, size_t count, const void *values);
void store_put_text(store_job *job, hid_t object, const char *name, const char *value);

/* The text of an attribute, to be freed with memory_free; NULL, and nothing noted, where there is none of
 * that kind or it is longer than a results file ever has. */
char *store_get_text(store_job *job, hid_t object, const char *name);
