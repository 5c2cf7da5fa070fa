#include "support/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

enum { FOLDER_SIZE = 256, PATHS = 4 };

static char folder[FOLDER_SIZE];

static void clean(void) {
    DIR *files = opendir(folder);
    const struct dirent *entry;
    while (files != NULL && (entry = readdir(files)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlink(scratch_path(entry->d_name));
    if (files != NULL) (void)closedir(files);
    (void)rmdir(folder);
}

const char *scratch_folder(void) {
    if (folder[0] != '\0') return folder;
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/costab-test-XXXXXX", temporary != NULL ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder));
    (void)atexit(clean);
    return folder;
}

const char *scratch_path(const char *name) {
    static char paths[PATHS][2 * FOLDER_SIZE];
    static int next;
    next = (next + 1) % PATHS;
    (void)snprintf(paths[next], sizeof paths[next], "%s/%s", scratch_folder(), name);
    return paths[next];
}
