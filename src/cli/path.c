#include "cli/path.h"

#include <string.h>
#include <sys/stat.h>

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool path_is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void path_stem(text *name, const char *path) {
    const char *start = path_name(path), *dot = strrchr(start, '.');
    text_append_n(name, start, dot != NULL && dot > start ? (size_t)(dot - start) : strlen(start));
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
