/* spec/sections.h - the sections of a spec, each read in a file of its own. All return false after
 * complaining.
 */
#pragma once

#include "costab/spec.h"
#include "model/yaml_values.h"

/* The documents that a spec is read from, which stay with it. One without nodes is not there. */
typedef struct spec_documents {
    spec_file own;
    spec_file base;     /* of the file that the key `model` names */
    spec_file attached; /* matrices of HDF5 files and ports of FMUs: [file, name, rows] each */
    spec_file set;      /* the parameters that costab_spec_set has given other values */
    char *base_text;    /* of `base`; NULL: there is none, or it has not been read yet */
    size_t base_size;
} spec_documents;

/* Makes a spec of a document, which is moved into it, as if it stood in a file at `path`. */
costab_status spec_read_document(const char *path, spec_file *document, const costab_foreign *foreign,
                                 costab_spec **spec, costab_error *error);

/* The values of a file's keys; NULL where a key is absent. */
typedef struct spec_sections {
    const spec_node *root;
    const spec_node *title, *system, *axes, *fields, *refine, *compression, *history, *figure;
    const spec_node *schemes, *method, *substeps;
    const spec_node *model, *parameters, *subsystems, *connections, *power_bonds, *sources, *coupling,
        *samples, *best, *operating_point;
} spec_sections;

/* The tables of keys, for the reference. */
extern const spec_keys spec_range_keys, spec_figure_keys, spec_case_keys, spec_axes_keys, spec_history_keys,
    spec_refine_keys, spec_uncertain_keys, spec_distribution_keys, spec_best_keys;

/* Finds the sections of a file by the keys of its system. False where nothing more of the file can be read.
 */
bool spec_read_sections(spec_file *file, const spec_node *root, spec_sections *sections,
                        costab_system *system);

/* Reads an axis from a number, a list, or a mapping with {from, to, points}, {from, to, step} or {values}. A
 * mapping may have a label and a unit too, which go to *words. */
bool spec_read_axis(spec_file *file, const spec_node *node, const char *name, costab_axis_words *words,
                    costab_axis *axis);

/* The key `samples`; NULL where it is absent. */
void spec_read_samples(spec_file *file, const spec_node *node, costab_spec *spec);

/* Reads the files that a figure names, unless their text is known; names are relative to the folder of
 * `path`. `stored`: no file may be opened. COSTAB_INVALID, COSTAB_IO. */
costab_status spec_read_figure_files(costab_figure *figure, const char *path, bool stored,
                                     costab_error *error);

/* The key `figure`. */
bool spec_read_figure(spec_file *file, const spec_node *node, costab_figure *figure);

/* The key `fields`. */
void spec_read_fields(spec_file *file, const spec_node *node, costab_spec *spec);

/* Reads the key `refine` (NULL where it is absent), after axes and fields. */
void spec_read_refine(spec_file *file, const spec_node *node, costab_spec *spec);

/* Reads the axes and the body of a planar spec. */
void spec_read_planar(spec_file *file, const spec_sections *sections, costab_spec *spec);

/* Reads the axes and the body of a network's spec. */
void spec_read_network(spec_documents *documents, const spec_sections *sections, costab_spec *spec);
