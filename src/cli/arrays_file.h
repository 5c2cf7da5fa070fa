/* cli/arrays_file.h - a command's table as a results file: arrays that are in memory. */
#pragma once

#include "cli/network.h"
#include "study/study.h"

/* Owns the axes' labels and values and the fields' arrays, of which each field has one, in the order of its
 * axes. Set `count` of axes that are numbered before arrays_file_make. */
typedef struct arrays_file {
    costab_plan plan;
    double *numbers[COSTAB_FIELDS_MAX];
    uint8_t *codes[COSTAB_FIELDS_MAX];
} arrays_file;

/* The code of places that have no row of the table, but in fields of classes, where it is
 * COSTAB_NOT_COMPUTED. Fields of both sorts say `not_computed` of it. */
#define ARRAYS_FILE_FILL 255

/* Codes of what is so or not, of classes, and of costab_passes. */
extern const study_codes arrays_file_yes, arrays_file_classes, arrays_file_causes;

/* The axes, whose first is `coupling`: it gets the names of the couplings asked for. End with
 * arrays_file_free, also after an error. */
costab_status arrays_file_begin(arrays_file *file, const costab_axis *axes, int count,
                                const cli_network *network, costab_error *error);
void arrays_file_free(arrays_file *file);

/* Adds a label to an axis, as a copy. */
costab_status arrays_file_label(arrays_file *file, int axis, const char *label, costab_error *error);

/* The fields' arrays: NaN, or the codes' fill. Axes without labels count from 1. */
costab_status arrays_file_make(arrays_file *file, const study_field *fields, int count, costab_error *error);

/* Writes the file that --output names. It holds the model. */
costab_status arrays_file_write(const arrays_file *file, const cli_network *network,
                                const cli_arguments *arguments, costab_error *error);
