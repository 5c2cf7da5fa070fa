/* cli/path.h - names of files. */
#ifndef CLI_PATH_H
#define CLI_PATH_H

#include "base/text.h"

bool path_is_folder(const char *path);

/* Appends to `name` the file name of `path` without its last ending. */
void path_stem(text *name, const char *path);

/* Where output goes: `output` itself if it names a file, else in that folder (NULL: the current one) the stem
 * of `input` with `ending`. */
void path_output(text *target, const char *output, const char *input, const char *ending);

/* Both name one file that is there. */
bool path_same(const char *one, const char *other);

/* The first path whose name without its ending is that of an earlier one, so that one's output would replace
 * the other's; NULL if there is none. */
const char *path_clash(char *const *paths, int count);

#endif
