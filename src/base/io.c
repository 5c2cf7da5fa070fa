/* Opens files, reads and writes exact numbers of bytes, resolves the path of a file to be written, and makes
 * the messages for failures. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool file_ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

/* Returns a remedy for an errno, to be appended to the message; "" for other errors. */
static const char *hint(int number) {
    switch (number) {
    case ENOSPC:
        return ": the disk is full; free some space or write elsewhere";
    case EDQUOT:
        return ": the quota is used up; free some space or write elsewhere";
    case ENOENT:
        return ": does the folder exist?";
    case EFBIG:
        return ": the limit of a file's size is reached (ulimit -f); raise it";
    case EACCES:
    case EPERM:
    case EROFS:
        return ": choose a folder that can be written";
    default:
        return "";
    }
}

costab_status(file_error)(costab_error *error, const char *what, const char *path, int number) {
    if (number == ENOMEM) return error_memory(error);
    return error_set(error, COSTAB_IO, "cannot %s '%s': %s%s", what, path, strerror(number), hint(number));
}

costab_status(file_read_error)(costab_error *error, const char *path, int number) {
    if (number == ENOMEM) return error_memory(error);
    return error_set(error, COSTAB_UNREADABLE, "cannot read '%s': %s", path, strerror(number));
}

int file_open(const char *path, int flags) {
    int descriptor = open(path, flags | O_CLOEXEC, 0666);
    if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
    int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), number = errno;
    (void)close(descriptor);
    errno = number;
    return above;
}

int file_read_at(int descriptor, void *bytes, size_t size, uint64_t offset) {
    char *next = bytes;
    while (size > 0) {
        ssize_t n = pread(descriptor, next, size, (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : -1;
        next += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

/* Writes at an offset, or at the descriptor's position if `offset` is NULL. */
static int write_all(int descriptor, const char *bytes, size_t size, const uint64_t *offset) {
    for (size_t done = 0; done < size;) {
        ssize_t n = offset != NULL ? pwrite(descriptor, bytes + done, size - done, (off_t)(*offset + done))
                                   : write(descriptor, bytes + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        done += (size_t)n;
    }
    return 0;
}

int file_write_at(int descriptor, const void *bytes, size_t size, uint64_t offset) {
    return write_all(descriptor, bytes, size, &offset);
}

int file_put(int descriptor, const void *bytes, size_t size) {
    return write_all(descriptor, bytes, size, NULL);
}

/* Reports a symbolic link to a file that does not exist. */
static costab_status dangling(const char *path, costab_error *error) {
    char to[1024];
    ssize_t length = readlink(path, to, sizeof to);
    return error_set(
        error, COSTAB_IO,
        "cannot write '%s': it is a symbolic link to '%.*s', which is not there; remove the link, "
        "or choose another name",
        path, (int)(length > 0 ? length : 0), to);
}

costab_status file_target(const char *path, char **target, costab_error *error) {
    struct stat info;
    *target = NULL;
    size_t length = strlen(path);
    if (length == 0) return error_invalid(error, "cannot write a file without a name");
    if (path[length - 1] == '/') return file_error(error, "write", path, EISDIR);
    if (lstat(path, &info) != 0) {
        if (errno != ENOENT) return file_error(error, "write", path, errno);
        *target = memory_copy(path);
        return *target ? COSTAB_OK : error_memory(error);
    }
    if (S_ISLNK(info.st_mode)) {
        char *real = realpath(path, NULL);
        if (!real && errno == ENOENT) return dangling(path, error);
        if (!real) return file_error(error, "follow the link", path, errno);
        *target = memory_copy(real);
        free(real);
        if (!*target) return error_memory(error);
    }
    if (stat(path, &info) != 0 ||
        S_ISREG(info.st_mode)) { /* if stat fails, writing the file reports the reason */
        if (!*target) *target = memory_copy(path);
        return *target ? COSTAB_OK : error_memory(error);
    }
    memory_free(*target);
    *target = NULL;
    if (S_ISDIR(info.st_mode)) return file_error(error, "write", path, EISDIR);
    return error_set(error, COSTAB_IO, "cannot write '%s': it is not a regular file", path);
}
