/* store/hdf5.h - common functions of writer.c and served.c, which write and read results files with HDF5.
 * They silence HDF5's own messages, turn its errors into costab's messages, and transfer attributes and
 * texts. */
#pragma once

#include <hdf5.h>

#include "costab/base.h"

/* The dataset with the spec, its attribute with the spec's file name, and the attribute of the root with the
 * request of the figure. */
#define STORE_SPEC      "spec"
#define STORE_SPEC_PATH "path"
#define STORE_FIGURE    "figure"

/* Attribute of the root: the names of all objects in the file, in the order of their creation. */
#define STORE_DATASETS "datasets"

/* One job with a file, and its first failure. HDF5 prints nothing while it lasts. */
typedef struct store_job {
    bool writing; /* false: reading */
    const char *path;
    costab_status status;
    costab_error *error;
    H5E_auto2_t printer; /* HDF5's printer of messages before the job */
    void *printer_data;
} store_job;

/* Begins a job: silences HDF5. A failure is in the job's status. */
store_job store_begin(bool writing, const char *path, costab_error *error);

/* Lets HDF5 print again, if it did before, and returns the status. */
costab_status store_end(store_job *job);

/* Records HDF5's last error directly after the failed call; `part` names the object. Status: COSTAB_IO for a
 * writing job and for files that cannot be locked; COSTAB_UNREADABLE for another reason of the system;
 * otherwise COSTAB_INVALID. Keeps an earlier error. */
void store_fail(store_job *job, const char *part);

/* Closes *id, an object of any kind, if it is not negative, and sets it to -1. Records a failure. */
void store_close(store_job *job, hid_t *id);

/* Like store_close, for several objects. */
#define store_close_all(job, ...)                                                                            \
    store_close_list(job, (hid_t *[]){__VA_ARGS__}, sizeof((hid_t *[]){__VA_ARGS__}) / sizeof(hid_t *))
void store_close_list(store_job *job, hid_t *const *ids, size_t count);

/* Returns the id if it was made and `good` is true. Otherwise closes it and returns -1. */
hid_t store_made(hid_t id, bool good);

/* Makes a type for strings of any length in UTF-8. Returns -1 on failure. */
hid_t store_string_type(void);

/* Write or read a complete dataset; HDF5 converts texts. Return false on failure. */
bool store_write_all(hid_t dataset, hid_t type, const void *values);
bool store_read_all(hid_t dataset, hid_t type, void *values);

/* Write an attribute: `count` values (0: a scalar) of a type that is the same in memory and file; a text. */
void store_put(store_job *job, hid_t object, const char *name, hid_t type, size_t count, const void *values);
void store_put_text(store_job *job, hid_t object, const char *name, const char *value);

/* Returns the text of an attribute, to be freed with memory_free. Returns NULL without an error if the
 * attribute is missing, of another kind, or longer than in any results file. */
char *store_get_text(store_job *job, hid_t object, const char *name);
