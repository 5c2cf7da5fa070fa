/* cli/margin_file.h - margins as a results file. */
#ifndef CLI_MARGIN_FILE_H
#define CLI_MARGIN_FILE_H

#include "cli/network.h"
#include "costab/margin.h"

/* Writes the file that --output names. */
costab_status margin_file_write(const cli_network *network, const costab_margins *margins,
                                const cli_arguments *arguments, costab_error *error);

#endif
