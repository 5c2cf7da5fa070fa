/* figure/files.h - the files of a figure, which replace no file that a user wrote or edited. */
#pragma once

#include "base/text.h"
#include "costab/figure.h"

/* Whether script, data and the figures of the formats (NULL: none) may be written (file_may_replace). */
costab_status files_check(const costab_plot_options *options, const char *formats, costab_error *error);

/* Writes script and data, each with the line by which costab knows it; the script names the figures of the
 * formats, and those that the script of before drew and that are still there. */
costab_status files_write(const costab_plot_options *options, const char *formats, const text *script,
                          const text *data, costab_error *error);

/* The line of a script that names the figure's kinds. Where a script of this name draws other kinds than
 * `script`: [out] kinds: those; "" else. */
#define FILES_KIND "# Kind: "
costab_status files_replaced(const costab_plot_options *options, const text *script, char kinds[64],
                             costab_error *error);
