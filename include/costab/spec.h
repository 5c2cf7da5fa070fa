/* costab/spec.h - sweep specs: YAML in, checked structures out.
 *
 * A reader collects every mistake of a file as `FILE:LINE:COLUMN: error: ...`, one a line, into one costab_error. */
#ifndef COSTAB_SPEC_H
#define COSTAB_SPEC_H

#include "costab/planar.h"
#include "costab/style.h"
#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fields a planar sweep can store: flags. */
enum {
    COSTAB_FIELD_CLASS = 1,
    COSTAB_FIELD_TRACE = 2,
    COSTAB_FIELD_DETERMINANT = 4,
    COSTAB_FIELD_SPECTRAL_RADIUS = 8,
    COSTAB_FIELD_CAUSE = 16,
    COSTAB_FIELD_ROW_INTERVALS = 32,
    COSTAB_FIELD_AREAS = 64 /* alone it needs no axes but a */
};

#define COSTAB_CASES_MAX 8

/* A time history of the planar system, in unscaled units: one case. */
typedef struct costab_case {
    char title[64];   /* "" if absent */
    double matrix[4]; /* a, b, c, d, in 1/time */
    double h;         /* macro step, time, positive */
    double start[2];  /* x and y at t = 0 */
    double until;     /* time, at least h */
} costab_case;

/* A sweep spec. Owns all it points to. With case_count > 0 it asks for time histories instead of a grid: then the axes
 * are empty and fields is 0. */
typedef struct costab_sweep_spec {
    char *path;  /* as given, for messages */
    char *text;  /* the whole file, NUL-terminated */
    size_t text_size;
    char *title; /* "" if absent */
    int scheme_count;
    costab_scheme schemes[COSTAB_SCHEME_COUNT];
    costab_method method;
    int substeps[2];
    costab_axis a, gamma, delta; /* gamma and delta may be empty where fields is COSTAB_FIELD_AREAS alone */
    unsigned fields; /* COSTAB_FIELD_ flags, at least one */
    int case_count;
    costab_case cases[COSTAB_CASES_MAX];
    costab_figure figure;
} costab_sweep_spec;

/* Reads a spec. [out] *spec: free with costab_sweep_spec_destroy. COSTAB_INVALID with all mistakes found, COSTAB_IO
 * where the file cannot be read. */
COSTAB_API costab_status costab_sweep_spec_read(const char *path, costab_sweep_spec **spec, costab_error *error);

/* The same from memory; `path` is used in messages only. */
COSTAB_API costab_status costab_sweep_spec_parse(const char *path, const char *text, size_t size,
                                                 costab_sweep_spec **spec, costab_error *error);

/* Frees a spec and sets the pointer to NULL; NULL is allowed. */
COSTAB_API void costab_sweep_spec_destroy(costab_sweep_spec **spec);

/* Makes the discretisation of the i-th scheme of the spec. */
COSTAB_API costab_status costab_sweep_spec_planar(const costab_sweep_spec *spec, int scheme_index,
                                                  costab_planar *planar, costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
