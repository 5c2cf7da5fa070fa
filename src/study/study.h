/* study/study.h - common part of all kinds of studies, and functions that their files share. The struct of a
 * kind starts with a costab_study. */
#pragma once

#include <stdatomic.h>

#include "base/text.h"
#include "costab/study.h"
#include "model/yaml.h"

/* Largest number of labelled axes of a study. */
enum { STUDY_LABELLED_MAX = 4 };

typedef struct study_slices study_slices;

/* Report of a run, for costab_study_failures and costab_study_analysed: number of failed points, the reason
 * of the first one, number of analysed points. */
typedef struct study_report {
    size_t failures;
    costab_error failure;
    size_t analysed;
} study_report;

struct costab_study {
    const costab_spec *spec; /* borrowed; NULL for the histories of a variant of a model */
    costab_plan plan;
    costab_status (*evaluate)(const costab_study *study, const costab_tile *tile, void *const *blocks,
                              costab_error *error); /* by several threads at once */
    void (*destroy)(
        costab_study *study);     /* frees the members of the kind, but not the study itself; or NULL */
    const study_report *report;   /* NULL: the study has no report */
    atomic_size_t stable, failed; /* points of a run of the class SS, and of the class `failed` */
    costab_notes notes;           /* zeros: none */
    char *
        *endings; /* of time histories of networks: why each coupling's run ended early, NULL if it did not */
    int ending_count; /* length of `endings` */
    size_t histories; /* number of runs of time histories; 0 for a sweep */
    /* Labels of axes, owned by the study. */
    struct {
        char **labels;
        size_t count;
    } labelled[STUDY_LABELLED_MAX];
    int labelled_count;
    /* Set for a study that was read; otherwise NULL. */
    costab_spec *own_spec;
    char *own_spec_text; /* text of costab_spec_whole */
    char *own_figure;    /* text of study_figure_text */
    costab_study_origin origin;
    study_slices *slices; /* of a merged study; otherwise NULL */
    void (*free_slices)(study_slices *slices);
};

/* Like costab_study_parse, for untrusted text: no other file is opened. */
costab_status study_parse_stored(const char *path, const char *bytes, size_t size, costab_study **study,
                                 costab_error *error);

/* Makes a study of a spec with changes. Takes ownership of the spec, also after an error. */
costab_status study_set_and_make(costab_spec *spec, const costab_changes *changes, const char *path,
                                 costab_study **study, costab_error *error);

/* Adds the key and the numbers of an axis to the mapping `axes` of a spec. */
void study_spec_axis(spec_builder *to, const costab_chart_axis *axis);

/* Appends the description of the figure for files with this spec: costab_store_info.figure. */
costab_status study_figure_text(const costab_spec *spec, text *written, costab_error *error);

/* Returns the size of all slices in bytes; 0 for a study that was not merged. */
uint64_t study_slices_bytes(const costab_study *study);

/* Commits the tiles of all slices, in their order. */
costab_status study_replay_slices(costab_study *study, const costab_sink *sink, const costab_notes *notes,
                                  costab_error *error);

/* Adds an axis to the plan; returns its index. */
int study_add_axis(costab_study *study, costab_axis axis);

/* Adds an axis with labels. `label` returns the i-th label, which is copied; it may write it into `space`. */
enum { STUDY_LABEL_MAX = 192 };
typedef const char *(*study_label)(const void *context, size_t i, char space[STUDY_LABEL_MAX]);
costab_status study_add_labelled(costab_study *study, costab_axis axis, study_label label,
                                 const void *context, costab_error *error);

/* Codes of a field, as in costab_field. */
typedef struct study_codes {
    costab_codes kind;
    int count;
    uint8_t values[16], fill;
    const char *meanings;
} study_codes;

/* A row of a table of fields: doubles, or `codes`. */
typedef struct study_field {
    unsigned flag; /* flag of the spec's field that requests it */
    unsigned axes; /* bits: 1 << axis */
    const char *name, *long_name;
    const study_codes *codes; /* NULL: doubles */
    const char *unit;         /* NULL: dimensionless, or not known */
} study_field;

/* Adds a field to a plan and returns its index. place: position of each axis of the row in the plan (NULL:
 * the axis number). Returns -1 if the plan lacks an axis. */
int study_plan_field(costab_plan *plan, const study_field *field, const int *place);

/* Adds the axis `scheme` of a planar spec. [out] schemes: the discretisation of each scheme, at most
 * COSTAB_SCHEME_COUNT. */
costab_status study_add_schemes(costab_study *study, costab_planar *schemes, costab_error *error);

/* Each makes a study of its kind. [out] *created: free with costab_study_destroy, also after an error. */
costab_status planar_study_create(const costab_spec *spec, costab_study **created, costab_error *error);
costab_status planar_history_create(const costab_spec *spec, costab_study **created, costab_error *error);
costab_status network_history_create(const costab_study_history *history, costab_study **created,
                                     costab_error *error);
costab_status network_study_create(const costab_spec *spec, costab_study **created, costab_error *error);
