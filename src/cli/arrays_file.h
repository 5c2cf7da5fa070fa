/* cli/arrays_file.h - a command's table as a results file: arrays that are in memory. */
#ifndef CLI_ARRAYS_FILE_H
#define CLI_ARRAYS_FILE_H

#include "cli/network.h"
#include "costab/store.h"

/* The labels of the axis `coupling`: names of the couplings asked for. Free each, and the list; NULL where
 * memory is out. */
char **arrays_file_couplings(const cli_network *network);
void arrays_file_free_labels(char **labels, size_t count);

/* Writes the file that --output names. Each field of the plan, whose first axis is swept and the first of
 * every field, has its values in arrays[]. The file holds the model. */
costab_status arrays_file_write(const costab_plan *plan, const void *const *arrays,
                                const cli_network *network, const cli_arguments *arguments,
                                costab_error *error);

#endif
