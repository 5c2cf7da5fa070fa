/* scratch.h - a folder of the test's own in $TMPDIR, made when first asked for and removed with the files in
 * it when the program ends. */
#pragma once

/* The folder, and the path of a file in it: a text that stays until the fourth call after this one. */
const char *scratch_folder(void);
const char *scratch_path(const char *name);
