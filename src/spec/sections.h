/* spec/sections.h - the sections of a spec (the values of its keys), and the functions that read them.
 * Functions that return a bool return false after reporting an error. */
#pragma once

#include "costab/spec.h"
#include "model/yaml_values.h"

/* The documents of a spec, stored with it. An absent document has no nodes. */
typedef struct spec_documents {
    spec_file own;
    spec_file base;     /* of the file named by the key `model` */
    spec_file attached; /* matrices of HDF5 files and ports of FMUs: [file, name, rows] each */
    spec_file set;      /* parameters changed by costab_spec_set */
    char *base_text;    /* text of `base`; NULL: there is none, or it was not read yet */
    size_t base_size;
} spec_documents;

/* Creates a spec from a document, which is moved into it, as if read from a file at `path`. */
costab_status spec_read_document(const char *path, spec_file *document, const costab_foreign *foreign,
                                 costab_spec **spec, costab_error *error);

/* Values of a file's keys; NULL if a key is absent. */
typedef struct spec_sections {
    const spec_node *root;
    const spec_node *title, *system, *axes, *fields, *refine, *compression, *history, *figure;
    const spec_node *schemes, *method, *substeps;
    const spec_node *model, *parameters, *subsystems, *connections, *power_bonds, *sources, *coupling,
        *samples, *best, *operating_point;
} spec_sections;

/* Tables of keys, for the reference (costab_key_at). */
extern const spec_keys spec_range_keys, spec_figure_keys, spec_case_keys, spec_axes_keys, spec_history_keys,
    spec_uncertain_keys, spec_distribution_keys, spec_best_keys;

/* Finds the sections of a file by the keys of its system. Returns false if nothing more can be read. */
bool spec_read_sections(spec_file *file, const spec_node *root, spec_sections *sections,
                        costab_system *system);

/* Reads an axis from a number, a list, or a mapping with {from, to, points}, {from, to, step} or {values}.
 * Label and unit of a mapping go to *words. */
bool spec_read_axis(spec_file *file, const spec_node *node, const char *name, costab_axis_words *words,
                    costab_axis *axis);

/* Reads the key `samples`; NULL if absent. */
void spec_read_samples(spec_file *file, const spec_node *node, costab_spec *spec);

/* Reads the key `figure`. */
bool spec_read_figure(spec_file *file, const spec_node *node, costab_figure *figure);

/* Reads the key `fields`. */
void spec_read_fields(spec_file *file, const spec_node *node, costab_spec *spec);

/* Reads the key `refine` (NULL if absent), after axes and fields. */
void spec_read_refine(spec_file *file, const spec_node *node, costab_spec *spec);

/* Reads the axes and the body of a planar spec. */
void spec_read_planar(spec_file *file, const spec_sections *sections, costab_spec *spec);

/* Reads the axes and the body of a network's spec. */
void spec_read_network(spec_documents *documents, const spec_sections *sections, costab_spec *spec);
