/* A harness without a fuzzer: gives it every file of tests/fuzz/seeds/NAME and tests/fuzz/found/NAME, NAME
 * being the program's own. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static int count;

static void replay(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    long size = ftell(file);
    rewind(file);
    /* No larger than the input, so that reading beyond its end is seen. */
    uint8_t *data = size >= 0 ? malloc(size > 0 ? (size_t)size : 1) : NULL;
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    (void)fclose(file);
    printf("# %s\n", path); /* for the case that it does not come back */
    (void)fflush(stdout);
    (void)LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    printf("ok %d - %s\n", ++count, path);
}

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static void replay_folder(const char *kind, const char *name) {
    char folder[512], path[1024];
    struct dirent **entries = NULL;
    (void)snprintf(folder, sizeof folder, "tests/fuzz/%s/%s", kind, name);
    int n = scandir(folder, &entries, is_shown, alphasort);
    if (n < 0 && errno != ENOENT) {
        perror(folder);
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        replay(path);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL, *name = slash ? slash + 1 : argv[0];
    replay_folder("seeds", name);
    replay_folder("found", name);
    printf("1..%d\n", count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
