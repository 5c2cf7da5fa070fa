/* costab/store.h - results files: HDF5 grids that xarray, h5py and ncdump open with named axes.
 *
 * A file appears under its final name whole or not at all. It is written in the target's folder under a
 * hidden name, synchronised and then renamed. Equal plans, spec texts and results give equal bytes. Each
 * chunk has a checksum, which HDF5 compares.
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

/* Opens a results file. HDF5 reads it in a child process, which lives until costab_results_close, has limits
 * of memory and time and can open no other file, because files are untrusted input. COSTAB_INVALID if
 * it is cut short or not a results file, if it refers to other files, and if HDF5 crashes on it or takes too
 * long; COSTAB_UNREADABLE if it cannot be read, COSTAB_IO if no child process started. [out]
 * *results: free with costab_results_close. */
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
 * order (row-major), in the field's type. COSTAB_INVALID for a field or a box that the file does not have,
 * for a chunk that is damaged or missing, which the message names, and where HDF5 crashes on the values. */
COSTAB_API costab_status costab_results_read(const costab_results *results, int field, const size_t *start,
                                             const size_t *count, void *values, costab_error *error);

/* ---- For other programs ---- */

/* Receives the bytes of a text, piece by piece. A status other than COSTAB_OK from put ends the writing. */
typedef struct costab_text_sink {
    void *context;
    costab_status (*put)(void *context, const char *bytes, size_t size, costab_error *error);
} costab_text_sink;

/* Writes the points of a field (NULL: the first one) as CSV in long form: a head, then one row per point, the
 * last axis varying fastest, with one column per axis of the field and one per field that has no other axes.
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

/* Whether two files can be compared: COSTAB_INVALID, with what differs, unless both have the field over the
 * same axes, with the same names, values and labels in the same order. */
COSTAB_API costab_status costab_results_comparable(const costab_results *a, const costab_results *b,
                                                   const char *field, costab_error *error);

/* Hands over all points at which the codes differ, chunk by chunk of the first file. [out] *points: how many
 * were compared. Errors as costab_results_comparable and costab_results_read. */
COSTAB_API costab_status costab_results_compare(const costab_results *a, const costab_results *b,
                                                const costab_differences *wanted, size_t *points,
                                                costab_error *error);

/* How many values of any field differ: numbers by more than the tolerance times the larger of both amounts
 * and 1, where NaN equals NaN and an infinity itself; codes at all. */
typedef struct costab_number_differences {
    const char *field; /* the name of a field of codes or numbers */
    double tolerance;  /* 0 or more */
    size_t points, differ;
    double largest; /* the largest distance, against the same; infinite where codes differ, or NaN and a
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
