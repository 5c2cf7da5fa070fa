/* figure/files.h - the files of a figure. No file that a user wrote or edited is replaced. */
#pragma once

#include "base/text.h"
#include "costab/figure.h"

/* Checks whether script, data and the figures of the formats (NULL: none) may be written (file_may_replace).
 */
costab_status files_check(const costab_plot_options *options, const char *formats, costab_error *error);

/* Writes script and data, each with the line that marks costab's files. The script names the figures of the
 * formats, and existing figures that the previous script drew. */
costab_status files_write(const costab_plot_options *options, const char *formats, const text *script,
                          const text *data, costab_error *error);

/* Start of the script's line with the figure's kinds. */
#define FILES_KIND "# Kind: "

/* Determines whether the script of this name that exists draws other kinds. [out] kinds: of the existing
 * script if they differ from those of `script`, otherwise "". */
costab_status files_replaced(const costab_plot_options *options, const text *script, char kinds[64],
                             costab_error *error);
