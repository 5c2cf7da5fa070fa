/* costab/store.h - results files: HDF5 grids that xarray, h5py and ncdump open with named axes.
 *
 * A file appears complete or not at all: it is written in the target's folder under a hidden name,
 * synchronised and then renamed. Equal plans, spec texts and results give equal bytes. Each
 * chunk has a checksum, which HDF5 compares. The index of the chunks has none: a damaged index can lead to
 * another chunk, or to zeros, without an error.
 *
 * Threads: HDF5 has global state. Unless it was built thread-safe, one thread at a time may call these
 * functions; several threads may call a sink's pack. */
#ifndef COSTAB_STORE_H
#define COSTAB_STORE_H

#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Descriptive texts of a results file. The strings are borrowed for the call only. */
typedef struct costab_store_info {
    const char *title;
    const char *references; /* may be NULL */
    const char *spec_path;  /* the spec's file name */
    const char *spec_text;  /* the whole spec */
    const char *figure;     /* the figure request, as written by store_request_write; NULL: unknown */
    bool force;             /* a file that costab did not write is replaced, too */
} costab_store_info;

/* A results file that is being made, tile by tile. */
typedef struct costab_store costab_store;

/* A results file, open for reading. */
typedef struct costab_results costab_results;

/* Opens a results file. Because files are untrusted input, HDF5 reads it in a child process with limits of
 * memory and time, which cannot open other files and ends with costab_results_close. COSTAB_INVALID if the
 * file is cut short, is not a results file or refers to other files, and if HDF5 crashes on it or takes too
 * long; COSTAB_UNREADABLE if it cannot be read; COSTAB_IO if no child process started. [out] *results: free
 * with costab_results_close. */
COSTAB_API costab_status costab_results_open(const char *path, costab_results **results, costab_error *error);
COSTAB_API void costab_results_close(costab_results **results);

/* The descriptive texts of the file. Borrowed until close; never NULL. */
COSTAB_API const char *costab_results_title(const costab_results *results);
COSTAB_API const char *costab_results_spec_text(const costab_results *results);
COSTAB_API const char *costab_results_spec_path(const costab_results *results);
COSTAB_API const char *costab_results_source(const costab_results *results); /* program, version, revision */

/* The plan that the file was written with, borrowed until close. tile_shape is the shape of the chunks; all
 * axes count as swept, except those that number the points of curves. */
COSTAB_API const costab_plan *costab_results_plan(const costab_results *results);

/* Reads a box of a field. start and count have one entry per axis of the field. [out] values: the box in C
 * order (row-major), in the field's type. COSTAB_INVALID for an unknown field, a box outside the grid, a
 * damaged or missing chunk (named in the message), and if HDF5 crashes on the values. */
COSTAB_API costab_status costab_results_read(const costab_results *results, int field, const size_t *start,
                                             const size_t *count, void *values, costab_error *error);

/* ---- For other programs ---- */

/* Receives the bytes of a text, piece by piece. A status other than COSTAB_OK from put ends the writing. */
typedef struct costab_text_sink {
    void *context;
    costab_status (*put)(void *context, const char *bytes, size_t size, costab_error *error);
} costab_text_sink;

/* Writes the points of a field (NULL: the first one) as CSV in long form: a header, then one row per point,
 * the last axis varying fastest, with one column per axis of the field and one per field without other axes.
 * Numbers have the shortest form that reads back, codes their names (bits joined by +), NaN is empty.
 * COSTAB_INVALID for an unknown field; errors of costab_results_read and of the sink. */
COSTAB_API costab_status costab_export_csv(const costab_results *results, const char *field,
                                           const costab_text_sink *sink, costab_error *error);

/* ---- Two files side by side ---- */

/* The field to compare, and the receiver of the differences. */
typedef struct costab_differences {
    const char *field; /* the name of a field of codes, such as "class" */
    /* Takes a point: index has one entry per axis of the field, a and b are its codes in the two files.
     * Returning false stops the comparison with COSTAB_CANCELLED. */
    bool (*take)(void *context, const size_t *index, uint8_t a, uint8_t b);
    void *context;
} costab_differences;

/* Checks that both files have the field over the same axes, with the same names, values and labels in the
 * same order. COSTAB_INVALID, with the difference, if not. */
COSTAB_API costab_status costab_results_comparable(const costab_results *a, const costab_results *b,
                                                   const char *field, costab_error *error);

/* Calls wanted->take for each point at which the codes differ, chunk by chunk of the first file. [out]
 * *points: number of compared points. Errors as costab_results_comparable and costab_results_read. */
COSTAB_API costab_status costab_results_compare(const costab_results *a, const costab_results *b,
                                                const costab_differences *wanted, size_t *points,
                                                costab_error *error);

/* Differences of a field of two files. Numbers differ if their distance is more than the tolerance times the
 * larger of 1 and both absolute values; NaN equals NaN, and an infinity equals itself. Codes differ unless
 * they are equal. */
typedef struct costab_number_differences {
    const char *field;     /* the name of a field of codes or numbers */
    double tolerance;      /* 0 or more */
    size_t points, differ; /* number of compared and of different values */
    double largest;        /* the largest distance, relative as above; infinite if codes differ, or NaN and a
                              number */
} costab_number_differences;

/* [in] field, tolerance; [out] the rest. COSTAB_INVALID unless both files have the field, with values of one
 * type, over the same axes; errors of costab_results_read. */
COSTAB_API costab_status costab_results_compare_numbers(const costab_results *a, const costab_results *b,
                                                        costab_number_differences *found,
                                                        costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
