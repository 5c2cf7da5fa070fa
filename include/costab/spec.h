/* costab/spec.h - a spec holds what a YAML file says, checked. Both systems share the common part: title,
 * axes, fields, figure. A planar spec also has a planar body; the body of a network is a model
 * (costab/model.h).
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

/* These lines divide a text of costab_spec_whole. The first precedes the file of the key `model`, the second
 * the matrices from HDF5 files. */
#define COSTAB_JOINT_MODEL    "\n--- # model\n"
#define COSTAB_JOINT_MATRICES "\n--- # matrices\n"
/* Precedes a mapping of the parameters changed by costab_spec_set. */
#define COSTAB_JOINT_SET "\n--- # set\n"
/* These come last, and precede the files of the key `figure`. */
#define COSTAB_JOINT_POINTS "\n--- # points\n"
#define COSTAB_JOINT_LINES  "\n--- # lines\n"

typedef enum costab_system { COSTAB_SYSTEM_PLANAR, COSTAB_SYSTEM_NETWORK, COSTAB_SYSTEM_COUNT } costab_system;

/* Flags of the fields that a planar sweep can store. */
enum {
    COSTAB_FIELD_CLASS = 1,
    COSTAB_FIELD_TRACE = 2,
    COSTAB_FIELD_DETERMINANT = 4,
    COSTAB_FIELD_SPECTRAL_RADIUS = 8,
    COSTAB_FIELD_CAUSE = 16,
    COSTAB_FIELD_ROW_INTERVALS = 32,
    COSTAB_FIELD_AREAS = 64 /* a sweep of areas alone needs no axis but a */
};

/* Flags of some fields that a network's sweep can store. costab_network_field_name lists all fields; its i-th
 * name has the flag 1 << i. Errors and energy are measured on a run up to history.until. */
enum {
    COSTAB_NETWORK_CLASS = 1,
    COSTAB_NETWORK_SPECTRAL_RADIUS = 2,
    COSTAB_NETWORK_SPECTRAL_ABSCISSA = 4,
    COSTAB_NETWORK_ITERATION_RADIUS = 8,
    COSTAB_NETWORK_GROWTH = 16,           /* `growth` of costab_network_point, in 1/s */
    COSTAB_NETWORK_DECAY = 32,            /* ln(spectral radius) / macro step, in 1/s: below 0 it decays */
    COSTAB_NETWORK_ERROR = 64,            /* `error` of costab_measures */
    COSTAB_NETWORK_ERROR_BOUND = 128,     /* factor of costab_bound times the macro step, [MS] eq. 30 */
    COSTAB_NETWORK_ENERGY_RESIDUAL = 256, /* `energy_residual` of costab_measures */
    COSTAB_NETWORK_ENERGY_MADE = 512,     /* `energy_made` of costab_measures */
    COSTAB_NETWORK_PATTERN_RADIUS = 1024, /* `upper` of costab_pattern_steps for the parameters H1 and H2 */
    COSTAB_NETWORK_PROBABILITY = 2048,    /* of stability, over the uncertain parameters */
    COSTAB_NETWORK_PROBABILITY_ERROR = 4096, /* its standard error; stored with it */
    COSTAB_NETWORK_WORST_RADIUS = 8192,      /* the largest spectral radius of the samples */
    COSTAB_NETWORK_OF_SAMPLES =
        COSTAB_NETWORK_PROBABILITY | COSTAB_NETWORK_PROBABILITY_ERROR | COSTAB_NETWORK_WORST_RADIUS,
    COSTAB_NETWORK_BEST = 16384,      /* which coupling is the best one: the codes of costab_best_code */
    COSTAB_NETWORK_BEST_STEP = 32768, /* the macro step of each coupling that is compared */
    COSTAB_NETWORK_BEST_COST = 65536, /* its cost */
    COSTAB_NETWORK_OF_BEST = COSTAB_NETWORK_BEST | COSTAB_NETWORK_BEST_STEP | COSTAB_NETWORK_BEST_COST,
    COSTAB_NETWORK_OF_RUN = COSTAB_NETWORK_ERROR | COSTAB_NETWORK_ERROR_BOUND |
                            COSTAB_NETWORK_ENERGY_RESIDUAL | COSTAB_NETWORK_ENERGY_MADE
};

#define COSTAB_SPEC_AXES_MAX (COSTAB_AXES_MAX - 1) /* the scheme or the coupling is an axis too */
/* Side of coarse cells for `refine: true`. From COSTAB_REFINE_LARGE points a side on it is doubled, from four
 * times as many on quadrupled. */
#define COSTAB_REFINE_CELL     16
#define COSTAB_REFINE_LARGE    2048
#define COSTAB_REFINE_CELL_MAX 128

/* The axes of a planar sweep, by their numbers. */
enum { COSTAB_AXIS_A, COSTAB_AXIS_GAMMA, COSTAB_AXIS_DELTA, COSTAB_PLANAR_AXES };

#define COSTAB_CASES_MAX 8

/* One time history of the planar system, in unscaled units. */
typedef struct costab_case {
    char title[64];   /* "" where the file gives none */
    double matrix[4]; /* a, b, c, d, in 1/time */
    double h;         /* macro step; positive */
    double start[2];  /* x and y at t = 0 */
    double until;     /* end of the history; at least h */
} costab_case;

/* The body of a planar spec. */
typedef struct costab_planar_body {
    int scheme_count;
    costab_scheme schemes[COSTAB_SCHEME_COUNT];
    costab_method method;
    int substeps[2]; /* micro steps per macro step of the two solvers */
    int case_count;  /* time histories; a spec that has some has neither axes nor fields */
    costab_case cases[COSTAB_CASES_MAX];
} costab_planar_body;

/* The keys `label`, `unit` and `display` of an axis; NULL where the file does not give them. The axis'
 * long_name and unit point to them. `written`: its values as the file gives them, as a list 0.5,-1,1/3 or a
 * range FROM:TO:COUNT of equal steps; NULL where steps are logarithmic, and of an axis without values. */
typedef struct costab_axis_words {
    char *label, *unit, *display, *written;
} costab_axis_words;

/* How an uncertain parameter is distributed; parameters are independent of each other. */
typedef enum costab_distribution {
    COSTAB_DISTRIBUTION_PART,  /* evenly, from (1 - first) to (1 + first) times the model's value */
    COSTAB_DISTRIBUTION_RANGE, /* evenly, from first to second */
    COSTAB_DISTRIBUTION_NORMAL /* with the mean first and the standard deviation second */
} costab_distribution;

/* The key `uncertain` of an axis, which then is none of the grid. */
typedef struct costab_uncertain {
    int parameter;
    costab_distribution distribution;
    double first, second;
} costab_uncertain;

#define COSTAB_UNCERTAIN_MAX 8
#define COSTAB_SCRAMBLINGS   16      /* independent sets of samples: their scatter is the standard error */
#define COSTAB_SAMPLES       1024    /* where the key `samples` is not given */
#define COSTAB_SAMPLES_MAX   1048576 /* of the key `samples` */

/* The key `best`: what couplings are compared by. */
typedef struct costab_best {
    int parameter;       /* the macro step's */
    double lower, upper; /* of the macro steps; 0 < lower < upper. Both 0: the key is missing */
    double error, until; /* NaN: errors do not count */
} costab_best;

/* Codes of the field `best`, of each coupling at each point. */
typedef enum costab_best_code {
    COSTAB_BEST_OTHER = 0,  /* another coupling is better, or simpler and as good within 5 % */
    COSTAB_BEST_CHOSEN = 1, /* the chosen coupling */
    COSTAB_BEST_TIE = 2,    /* within 1 % of the chosen coupling */
    COSTAB_BEST_NONE = 16,  /* it is not stable at the first macro step, or no coupling keeps the error */
    /* The limit of this coupling, or of another that might be better, is unknown. */
    COSTAB_BEST_UNDECIDED = 12
} costab_best_code;

/* A parameter, and the value that it gets instead of the file's. */
typedef struct costab_setting {
    const char *name;
    double value;
} costab_setting;

/* A spec. It owns all that it points to. Do not change it. */
typedef struct costab_spec {
    char *path;                    /* as given, for messages */
    const costab_foreign *foreign; /* borrowed; NULL: none */
    bool stored; /* it was parsed by costab_spec_parse_stored, so that no other file may be opened */
    char *text;  /* the bytes of the file, NUL-terminated; of a system of other programs, its model as YAML */
    size_t text_size;
    char *title;    /* "" where the file gives none */
    char *warnings; /* one `FILE:LINE:COLUMN: warning: ...` per line, of what is allowed but probably not
                       meant */
    costab_system system;
    /* A planar spec always has the axes a, gamma and delta; count is 0 for one that the file does not give. A
     * network has as many axes as the file gives, which may be none. Each has the name of a parameter, whose
     * number is in axis_parameters. */
    int axis_count;
    costab_axis axes[COSTAB_SPEC_AXES_MAX];
    costab_axis_words words[COSTAB_SPEC_AXES_MAX]; /* one per axis */
    int axis_parameters[COSTAB_SPEC_AXES_MAX];
    int uncertain_count;
    costab_uncertain uncertain[COSTAB_UNCERTAIN_MAX];
    int samples; /* at each point, over the uncertain parameters: a multiple of COSTAB_SCRAMBLINGS */
    costab_best best;
    unsigned fields; /* flags of the system; 0 for the time histories of a planar spec, else at least one */
    /* The side of a coarse cell in points, from the key `refine`; 0: every point is analysed. A cell whose
     * corners agree and are far from a boundary is filled with their class; other cells are halved. */
    size_t refine_cell;
    costab_compression compression;
    costab_figure figure;
    costab_planar_body planar;        /* the body of a planar spec; zero for a network */
    costab_model *model;              /* the body of a network's spec; NULL for a planar one */
    struct spec_documents *documents; /* private: what it was read from */
} costab_spec;

/* Reads a spec of either system. Files that it names are taken from its folder. [out] *spec: free with
 * costab_spec_destroy. COSTAB_INVALID with all mistakes found, COSTAB_UNREADABLE where the file cannot be
 * read. Where a spec names matrices in HDF5 files, only one thread at a time may read it. */
COSTAB_API costab_status costab_spec_read(const char *path, costab_spec **spec, costab_error *error);

/* Like costab_spec_read, for subsystems of other programs, such as FMUs: `foreign` fills them
 * (costab_fmu_foreign), and must outlive the spec; costab_spec_read and costab_spec_parse refuse such a
 * subsystem. A file that is a system of such programs (costab_ssp_is) is read as a model; what is ignored of
 * it is a warning. COSTAB_NUMERIC where such a program fails. The second one reads a text, as
 * costab_spec_parse.
 */
COSTAB_API costab_status costab_spec_read_with(const char *path, const costab_foreign *foreign,
                                               costab_spec **spec, costab_error *error);
COSTAB_API costab_status costab_spec_parse_with(const char *path, const char *text, size_t size,
                                                const costab_foreign *foreign, costab_spec **spec,
                                                costab_error *error);

/* Reads a spec from a text in memory. `path` is used in messages, and its folder to find the files that the
 * text names. A text of costab_spec_whole contains them. */
COSTAB_API costab_status costab_spec_parse(const char *path, const char *text, size_t size,
                                           costab_spec **spec, costab_error *error);

/* Writes a text from which costab_spec_parse makes the same spec without any other file: the spec's own text,
 * then the file that the key `model` names, the matrices of HDF5 files, the parameters that were set, and the
 * points and lines of its figure. [out] *text: free with costab_spec_free_text. */
COSTAB_API costab_status costab_spec_whole(const costab_spec *spec, char **text, costab_error *error);
COSTAB_API void costab_spec_free_text(char **text);

/* Gives some parameters of a network other values. Of several values for one name the last counts. The values
 * are part of the spec's whole text. [in, out] *spec: the old spec is freed and a new one takes its place;
 * where this fails it stays as it is. COSTAB_INVALID for a planar spec, an unknown parameter, the parameter
 * of an axis, a value that is not finite, and values that the model does not allow. */
COSTAB_API costab_status costab_spec_set(costab_spec **spec, const costab_setting *settings, int count,
                                         costab_error *error);

/* Replaces the couplings of a network by those with these names: couplings of the spec, of the model's file,
 * or the built-in ones (costab_coupling_name). They are part of the spec's text. [in, out] *spec: as of
 * costab_spec_set. COSTAB_INVALID for a planar spec, no or unknown names. */
COSTAB_API costab_status costab_spec_couple(costab_spec **spec, const char *const *names, int count,
                                            costab_error *error);

/* Frees a spec and sets the pointer to NULL; NULL is allowed. The instances of its model must be gone. */
COSTAB_API void costab_spec_destroy(costab_spec **spec);

/* A key of a spec or model: its mapping, an example and its meaning, in one line each. */
typedef struct costab_key {
    const char *mapping, *name, *example, *help;
    bool required;
} costab_key;

/* "planar", "network"; NULL outside the range. */
COSTAB_API const char *costab_system_name(costab_system system);

#ifdef __cplusplus
}
#endif
#endif
