/* scratch.h - a folder of the test's own in $TMPDIR, made at the first call and removed with the files in
 * it when the program ends. */
#pragma once

/* The folder, and the path of a file in it: a text that stays until the fourth call after it. */
const char *scratch_folder(void);
const char *scratch_path(const char *name);
