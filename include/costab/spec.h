/* costab/spec.h - specs: what a YAML file says, checked. Both systems share the head: title, axes, fields,
 * figure. The body of a planar sweep stands beside it, that of a network is a model (costab/model.h).
 *
 * A reader collects every mistake of a file as `FILE:LINE:COLUMN: error: ...`, one per line, into one
 * costab_error. */
#ifndef COSTAB_SPEC_H
#define COSTAB_SPEC_H

#include "costab/model.h"
#include "costab/planar.h"
#include "costab/style.h"
#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In a text of costab_spec_whole: between a file and the file that its key `model` names; and before the
 * matrices that came from HDF5 files, as text. */
#define COSTAB_JOINT_MODEL    "\n--- # model\n"
#define COSTAB_JOINT_MATRICES "\n--- # matrices\n"
/* Before the parameters that costab_spec_set has given other values: a mapping. */
#define COSTAB_JOINT_SET "\n--- # set\n"

typedef enum costab_system { COSTAB_SYSTEM_PLANAR, COSTAB_SYSTEM_NETWORK, COSTAB_SYSTEM_COUNT } costab_system;

/* Fields that a planar sweep can store: flags. */
enum {
    COSTAB_FIELD_CLASS = 1,
    COSTAB_FIELD_TRACE = 2,
    COSTAB_FIELD_DETERMINANT = 4,
    COSTAB_FIELD_SPECTRAL_RADIUS = 8,
    COSTAB_FIELD_CAUSE = 16,
    COSTAB_FIELD_ROW_INTERVALS = 32,
    COSTAB_FIELD_AREAS = 64 /* alone it needs no axes but a */
};

/* Fields that a network's sweep can store: flags. The last three are of a run up to history.until. */
enum {
    COSTAB_NETWORK_CLASS = 1,
    COSTAB_NETWORK_SPECTRAL_RADIUS = 2,
    COSTAB_NETWORK_SPECTRAL_ABSCISSA = 4,
    COSTAB_NETWORK_ITERATION_RADIUS = 8,
    COSTAB_NETWORK_ERROR = 16,          /* `error` of costab_measures */
    COSTAB_NETWORK_ERROR_BOUND = 32,    /* factor of costab_bound times the macro step, [MS] eq. 30 */
    COSTAB_NETWORK_ENERGY_RESIDUAL = 64 /* `energy_residual` of costab_measures */
};
#define COSTAB_NETWORK_FIELD_COUNT 7

#define COSTAB_SPEC_AXES_MAX   (COSTAB_AXES_MAX - 1) /* the scheme or the coupling is an axis too */
#define COSTAB_REFINE_CELL     16                    /* where a file says `refine: true` */
#define COSTAB_REFINE_CELL_MAX 128

/* The axes of a planar sweep, by their numbers. */
enum { COSTAB_AXIS_A, COSTAB_AXIS_GAMMA, COSTAB_AXIS_DELTA, COSTAB_PLANAR_AXES };

#define COSTAB_CASES_MAX 8

/* A time history of the planar system, in unscaled units: one case. */
typedef struct costab_case {
    char title[64];   /* "" if absent */
    double matrix[4]; /* a, b, c, d, in 1/time */
    double h;         /* macro step, time, positive */
    double start[2];  /* x and y at t = 0 */
    double until;     /* time, at least h */
} costab_case;

/* The body of a planar spec. */
typedef struct costab_planar_body {
    int scheme_count;
    costab_scheme schemes[COSTAB_SCHEME_COUNT];
    costab_method method;
    int substeps[2]; /* micro steps per macro step of the two solvers */
    int case_count;  /* time histories; with them the spec has neither axes nor fields */
    costab_case cases[COSTAB_CASES_MAX];
} costab_planar_body;

/* What a file says of an axis; NULL where it says nothing. The axis' long_name and unit point here. */
typedef struct costab_axis_words {
    char *label, *unit;
} costab_axis_words;

/* A parameter that gets another value than the file's. */
typedef struct costab_setting {
    const char *name;
    double value;
} costab_setting;

/* A spec. Owns all it points to; do not change it. */
typedef struct costab_spec {
    char *path;  /* as given, for messages */
    bool stored; /* by costab_spec_parse_stored: no other file may be opened */
    char *text;  /* the file itself, NUL-terminated */
    size_t text_size;
    char *title;    /* "" if absent */
    char *warnings; /* what is allowed and probably not meant, one `FILE:LINE:COLUMN: warning: ...` per line;
                       "" */
    costab_system system;
    /* Planar: a, gamma and delta, with count 0 where one is absent. A network: any number of axes, each of
     * which has the name of a parameter; axis_parameters holds its number. 0 axes where the file asks for no
     * sweep. */
    int axis_count;
    costab_axis axes[COSTAB_SPEC_AXES_MAX];
    costab_axis_words words[COSTAB_SPEC_AXES_MAX]; /* one per axis */
    int axis_parameters[COSTAB_SPEC_AXES_MAX];
    unsigned fields; /* the system's flags, at least one but for the time histories of a planar spec */
    /* 0: every point is analysed. Else (the key `refine`) so many points are the side of a coarse cell: a
     * cell whose corners agree and are far from a boundary is filled with their class, others are halved. */
    size_t refine_cell;
    costab_figure figure;
    costab_planar_body planar; /* of a planar spec; else zero */
    costab_model *model;       /* of a network; else NULL */
    char *settings;            /* the text behind COSTAB_JOINT_SET; NULL if there is none */
} costab_spec;

/* Reads a spec of either system. [out] *spec: free with costab_spec_destroy. COSTAB_INVALID with all mistakes
 * found, COSTAB_IO where the file cannot be read. Files that it names are looked for beside it. Not for
 * several threads at once where it names matrices in HDF5 files. */
COSTAB_API costab_status costab_spec_read(const char *path, costab_spec **spec, costab_error *error);

/* The same from memory; `path` is used in messages and to find the files that the text names. A text of
 * costab_spec_whole brings them with it. */
COSTAB_API costab_status costab_spec_parse(const char *path, const char *text, size_t size,
                                           costab_spec **spec, costab_error *error);

/* The same of a text that somebody else may have written, such as the one stored with results: no file is
 * opened, and one that the text names without bringing it is a mistake. */
COSTAB_API costab_status costab_spec_parse_stored(const char *path, const char *text, size_t size,
                                                  costab_spec **spec, costab_error *error);

/* A text that costab_spec_parse makes the same spec of without any other file: the spec's own, and behind it
 * that of the file that the key `model` names and the matrices of HDF5 files. [out] *text: free with
 * costab_spec_free_text. */
COSTAB_API costab_status costab_spec_whole(const costab_spec *spec, char **text, costab_error *error);
COSTAB_API void costab_spec_free_text(char **text);

/* Puts in place of a spec the same one with other values of some parameters, later ones of the same name
 * before earlier ones; they are part of its whole text. The old spec is freed, but where this fails.
 * COSTAB_INVALID for a planar spec, an unknown parameter, a value that is not finite, the parameter of an
 * axis, and where the model does not allow the values. */
COSTAB_API costab_status costab_spec_set(costab_spec **spec, const costab_setting *settings, int count,
                                         costab_error *error);

/* Frees a spec and sets the pointer to NULL; NULL is allowed. The instances of its model must be gone. */
COSTAB_API void costab_spec_destroy(costab_spec **spec);

/* Makes the discretisation of a planar spec's i-th scheme. */
COSTAB_API costab_status costab_spec_planar(const costab_spec *spec, int scheme_index, costab_planar *planar,
                                            costab_error *error);

/* "planar", "network"; NULL outside the range. */
COSTAB_API const char *costab_system_name(costab_system system);

/* The name of a network's field with the flag 1 << i: "class", "spectral_radius", ...; NULL outside the
 * range. */
COSTAB_API const char *costab_network_field_name(int i);

#ifdef __cplusplus
}
#endif
#endif
