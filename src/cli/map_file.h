/* cli/map_file.h - the eigenvalues of macro-step maps as a results file. */
#ifndef CLI_MAP_FILE_H
#define CLI_MAP_FILE_H

#include "cli/network.h"

/* Analyses every coupling and writes the file that --output names. */
costab_status map_file_write(cli_network *network, const cli_arguments *arguments, costab_error *error);

#endif
