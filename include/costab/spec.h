/* costab/spec.h - sweep specs: YAML in, checked structures out.
 *
 * A reader collects every mistake of a file as `FILE:LINE:COLUMN: error: ...`, one a line, into one costab_error. */
#ifndef COSTAB_SPEC_H
#define COSTAB_SPEC_H

#include "costab/look.h"
#include "costab/planar.h"
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

typedef enum costab_figure_kind {
    COSTAB_FIGURE_JURY,
    COSTAB_FIGURE_REGIONS,
    COSTAB_FIGURE_CLASSES,
    COSTAB_FIGURE_COMPARISON,
    COSTAB_FIGURE_AREAS, /* areas against a, all schemes in one panel */
    COSTAB_FIGURE_TIME,  /* time histories, a panel a case */
    COSTAB_FIGURE_KIND_COUNT
} costab_figure_kind;

typedef enum costab_panels {
    COSTAB_PANELS_CHOSEN, /* not said; a spec that was read has one of the others */
    COSTAB_PANELS_NONE,   /* one panel, which asks for one value of a and (but for comparison) one scheme */
    COSTAB_PANELS_A,      /* one for each value of a */
    COSTAB_PANELS_SCHEME, /* one for each scheme */
    COSTAB_PANELS_ALL,    /* one for each scheme and value of a: a row a scheme */
} costab_panels;

#define COSTAB_KINDS_MAX 4

/* How a sweep is drawn: the `figure` key. With several kinds every panel is drawn once for each. */
typedef struct costab_figure {
    costab_look look; /* the first member */
    int kind_count; /* 0: the spec has no figure */
    costab_figure_kind kinds[COSTAB_KINDS_MAX];
    costab_panels panels;
    double gamma[2];     /* window drawn; the axes' ends unless given */
    double delta[2];
    bool us;  /* kind areas: draw A_US beside A_SS; true unless given or unless there are several schemes */
    bool fit; /* each panel shows the part of the window that its region needs, instead of all the same */
} costab_figure;

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

/* Lays other choices over the spec's figure: `figure` is a YAML mapping with keys of the spec's key `figure` but
 * for kind, such as "{size: [17cm, 8cm], colours: grey}". COSTAB_INVALID with all mistakes, without places; the
 * spec is then only good for being destroyed. */
COSTAB_API costab_status costab_sweep_spec_restyle(costab_sweep_spec *spec, const char *figure,
                                                   costab_error *error);

/* Frees a spec and sets the pointer to NULL; NULL is allowed. */
COSTAB_API void costab_sweep_spec_destroy(costab_sweep_spec **spec);

/* Makes the discretisation of the i-th scheme of the spec. */
COSTAB_API costab_status costab_sweep_spec_planar(const costab_sweep_spec *spec, int scheme_index,
                                                  costab_planar *planar, costab_error *error);

/* "jury", "regions", ...; NULL outside the range. */
COSTAB_API const char *costab_figure_kind_name(costab_figure_kind kind);

#ifdef __cplusplus
}
#endif
#endif
