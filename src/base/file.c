/* Files that appear whole or not at all: a hidden temporary file in the target's folder, synchronised,
 * renamed over the target, the folder synchronised. An older file keeps a second, hidden name until the
 * folder is safe on the disk, so that it can be put back if that last step fails. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

/* Room for ".", "." and a number behind a file's name, below the usual limit of 255 bytes. */
#define NAME_KEPT 200
#define NAME_MORE 48
#define TRIES     1000u

static const char *hint(int number) {
    switch (number) {
    case ENOSPC:
        return ": the disk is full; free some space or write elsewhere";
    case EDQUOT:
        return ": the quota is used up; free some space or write elsewhere";
    case ENOENT:
        return ": does the folder exist?";
    case EACCES:
    case EPERM:
    case EROFS:
        return ": choose a folder that can be written";
    default:
        return "";
    }
}

costab_status file_error(costab_error *error, const char *what, const char *path, int number) {
    if (number == ENOMEM) return error_memory(error);
    return error_set(error, COSTAB_IO, "cannot %s '%s': %s%s", what, path, strerror(number),
                     strcmp(what, "read") == 0 ? "" : hint(number));
}

/* The file that `path` means: behind symbolic links, and a regular one if it exists. To be freed with
 * memory_free. */
static costab_status find_target(const char *path, char **target, costab_error *error) {
    struct stat info;
    *target = NULL;
    size_t length = strlen(path);
    if (length == 0) return error_set(error, COSTAB_INVALID, "cannot write a file without a name");
    if (path[length - 1] == '/') return file_error(error, "write", path, EISDIR);
    if (lstat(path, &info) != 0) {
        if (errno != ENOENT) return file_error(error, "write", path, errno);
        *target = memory_copy(path);
        return *target ? COSTAB_OK : error_memory(error);
    }
    if (S_ISLNK(info.st_mode)) {
        char *real = realpath(path, NULL);
        if (!real) return file_error(error, "follow the link", path, errno);
        *target = memory_copy(real);
        free(real);
        if (!*target) return error_memory(error);
    }
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) {
        if (!*target) *target = memory_copy(path);
        return *target ? COSTAB_OK : error_memory(error);
    }
    memory_free(*target);
    *target = NULL;
    if (S_ISDIR(info.st_mode)) return file_error(error, "write", path, EISDIR);
    return error_set(error, COSTAB_IO, "cannot write '%s': it is not a regular file", path);
}

/* The `attempt`-th hidden name beside a target, to be freed with memory_free. */
static char *hidden_name(const char *target, unsigned attempt) {
    const char *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    size_t folder = (size_t)(base - target), length = strlen(base), size = strlen(target) + NAME_MORE;
    if (length > NAME_KEPT) length = NAME_KEPT;
    char *name = memory_alloc(size, 1);
    if (name)
        (void)snprintf(name, size, "%.*s.%.*s.%ld-%u.part", (int)folder, target, (int)length, base,
                       (long)getpid(), attempt);
    return name;
}

/* Opened with 0666 and not by mkstemp, so that the user's umask decides who may read the result. */
costab_status file_create_beside(const char *path, char **temporary, int *descriptor, costab_error *error) {
    char *target = NULL;
    *temporary = NULL;
    if (descriptor) *descriptor = -1;
    costab_status status = find_target(path, &target, error);
    if (status) return status;
    if (strlen(target) > INT_MAX - NAME_MORE)
        status = file_error(error, "create a file beside", path, ENAMETOOLONG);
    for (unsigned attempt = 0; !status && attempt < TRIES; attempt++) {
        char *name = hidden_name(target, attempt);
        if (!name) {
            status = error_memory(error);
            break;
        }
        int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        int number = errno;
        if (fd >= 0) {
            *temporary = name;
            if (descriptor)
                *descriptor = fd;
            else if (close(fd) != 0) {
                status = file_error(error, "create a file beside", path, errno);
                file_discard(temporary);
            }
            break;
        }
        memory_free(name);
        if (number != EEXIST || attempt + 1 == TRIES) {
            status = file_error(error, "create a file beside", path, number);
            break;
        }
    }
    memory_free(target);
    return status;
}

static int sync_file(const char *path) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return errno;
    int number = fsync(fd) == 0 ? 0 : errno;
    if (close(fd) != 0 && !number) number = errno;
    return number;
}

/* Some file systems cannot synchronise a folder and say EINVAL or ENOTSUP: there is nothing more to do then.
 * A folder that may be written but not listed cannot be opened: the same. */
static int sync_folder(const char *target) {
    const char *slash = strrchr(target, '/');
    char *folder = slash ? memory_copy_n(target, (size_t)(slash - target) + 1) : memory_copy(".");
    if (!folder) return ENOMEM;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), number = fd < 0 ? errno : 0;
    memory_free(folder);
    if (fd < 0) return number == EACCES ? 0 : number;
    if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) number = errno;
    if (close(fd) != 0 && !number) number = errno;
    return number;
}

/* A second name for the file that is about to be replaced; NULL where there is none, or no links can be made.
 */
static char *keep_older(const char *target) {
    for (unsigned attempt = TRIES; attempt < 2 * TRIES; attempt++) {
        char *name = hidden_name(target, attempt);
        if (!name || link(target, name) == 0) return name;
        int number = errno;
        memory_free(name);
        if (number != EEXIST) return NULL;
    }
    return NULL;
}

/* Undoes a rename. Not by another one: the disk has just shown that it does not like them. */
static void put_back(const char *target, const char *older) {
    (void)unlink(target);
    if (older && link(older, target) == 0) (void)unlink(older);
}

/* Gives the synchronised file `temporary` its name, and makes it no longer temporary. */
static costab_status take_name(char *temporary, const char *target, const char *path, costab_error *error) {
    costab_status status = COSTAB_OK;
    char *older = keep_older(target);
    if (rename(temporary, target) != 0) {
        status = file_error(error, "give the finished file its name", path, errno);
        if (older) (void)unlink(older);
    } else {
        temporary[0] = '\0';
        int number = sync_folder(target);
        if (number) {
            status = file_error(error, "synchronise the folder of", path, number);
            put_back(target, older);
        } else if (older)
            (void)unlink(older);
    }
    memory_free(older);
    return status;
}

costab_status file_publish(char **temporary, const char *path, costab_error *error) {
    char *target = NULL;
    costab_status status = find_target(path, &target, error);
    if (!status) {
        int number = sync_file(*temporary);
        if (number) status = file_error(error, "write", path, number);
    }
    if (!status) status = take_name(*temporary, target, path, error);
    memory_free(target);
    file_discard(temporary);
    return status;
}

void file_discard(char **temporary) {
    if (!temporary || !*temporary) return;
    if ((*temporary)[0] != '\0') (void)unlink(*temporary);
    memory_free(*temporary);
    *temporary = NULL;
}

costab_status file_write(const char *path, const void *bytes, size_t size, costab_error *error) {
    char *temporary = NULL;
    int fd = -1;
    costab_status status = file_create_beside(path, &temporary, &fd, error);
    if (status) return status;
    const char *next = bytes;
    while (size > 0) {
        ssize_t n = write(fd, next, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            status = file_error(error, "write", path, n < 0 ? errno : EIO);
            break;
        }
        next += n;
        size -= (size_t)n;
    }
    if (close(fd) != 0 && !status) status = file_error(error, "write", path, errno);
    if (status)
        file_discard(&temporary);
    else
        status = file_publish(&temporary, path, error);
    return status;
}
