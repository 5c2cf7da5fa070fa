/* Names of files: stems, equal stems, and the path of the output. */
#include "cli/path.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

bool path_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool path_same(const char *one, const char *other) {
    struct stat first, second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static size_t stem_size(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
}

void path_stem(text *name, const char *path) {
    const char *start = file_name(path);
    text_append_n(name, start, stem_size(start));
}

const char *path_clash(char *const *paths, int count) {
    for (int k = 1; k < count; k++)
        for (int i = 0; i < k; i++) {
            const char *one = file_name(paths[i]), *other = file_name(paths[k]);
            size_t n = stem_size(one);
            if (n == stem_size(other) && memcmp(one, other, n) == 0) return paths[k];
        }
    return NULL;
}

void path_output(text *target, const char *output, const char *input, const char *ending) {
    size_t n = output != NULL ? strlen(output) : 0;
    if (n > 0 && output[n - 1] != '/' && !path_is_folder(output)) {
        text_append(target, output);
        return;
    }
    if (n > 0) text_printf(target, "%s%s", output, output[n - 1] == '/' ? "" : "/");
    path_stem(target, input);
    text_append(target, ending);
}
