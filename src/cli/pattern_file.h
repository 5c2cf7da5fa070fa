/* cli/pattern_file.h - sequences of steps as a results file, which `costab plot` draws as patterns. */
#ifndef CLI_PATTERN_FILE_H
#define CLI_PATTERN_FILE_H

#include "cli/network.h"
#include "costab/pattern.h"

/* One pattern per coupling of the network; those that were left out have no steps, and NaN. asked: the
 * shortest and the longest step. Writes the file that --output names. */
costab_status pattern_file_write(const cli_network *network, const costab_pattern *patterns,
                                 const double asked[2], const cli_arguments *arguments, costab_error *error);

#endif
