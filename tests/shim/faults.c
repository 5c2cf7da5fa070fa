/* A disk that fails, for tests: preloaded, it lets the COSTAB_FAULT_AT-th call that changes a regular file or
 * its folder (write, pwrite, ftruncate, fsync, linkat, rename) fail with ENOSPC, and with COSTAB_FAULT_STAYS
 * all later ones too; with COSTAB_FAULT_SIGNAL=N it does not fail, but the program gets that signal
 * before it, so that a test can kill or stop it at exactly that place. With COSTAB_FAULT_LINKS link is such a
 * call, too. With COSTAB_FAULT_NAMED no file can be made without a name. Where COSTAB_FAULT_SEEN names a
 * file, that file appears once a call has failed. The files that COSTAB_FAULT_CALLS and COSTAB_FAULT_WRITTEN
 * name hold at the end the number of such calls and of bytes written to regular files. With
 * COSTAB_FAULT_DELAY=N each such call takes N milliseconds longer: so a short sweep can be stopped in its
 * middle, however fast the machine is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* Counts for the program and its child processes together. */
static struct counts {
    atomic_long calls;
    atomic_llong written;
} * counts;
static pid_t program;

__attribute__((constructor)) static void share_counts(void) {
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) abort();
    program = getpid();
}

static void delay(void) {
    const char *number = getenv("COSTAB_FAULT_DELAY");
    long milliseconds = number ? strtol(number, NULL, 10) : 0;
    if (milliseconds > 0)
        (void)nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static bool fails(void) {
    delay();
    const char *at = getenv("COSTAB_FAULT_AT"), *seen = getenv("COSTAB_FAULT_SEEN");
    const char *number = getenv("COSTAB_FAULT_SIGNAL");
    long call = atomic_fetch_add(&counts->calls, 1) + 1;
    if (!at) return false;
    long bad = strtol(at, NULL, 10);
    if (call != bad && !(call > bad && getenv("COSTAB_FAULT_STAYS"))) return false;
    if (seen) {
        int fd = open(seen, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0) (void)close(fd);
    }
    if (number) (void)kill(program, (int)strtol(number, NULL, 10));
    errno = ENOSPC;
    return !number;
}

/* LLVM's OpenMP runtime writes a file of its own to shared memory, which is not a disk. */
static bool is_shared_memory(const struct stat *info) {
    struct stat memory;
    return stat("/dev/shm", &memory) == 0 && memory.st_dev == info->st_dev;
}

/* Pipes and terminals never fail, so that messages come through. */
static bool fails_on(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) &&
           !is_shared_memory(&info) && fails();
}

static bool is_regular(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

/* Counts the bytes that the next definition wrote. */
static ssize_t counted(int fd, ssize_t size) {
    if (size > 0 && is_regular(fd)) atomic_fetch_add(&counts->written, size);
    return size;
}

static void tell(const char *variable, long long count) {
    const char *path = getenv(variable);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    (void)fprintf(file, "%lld\n", count);
    (void)fclose(file);
}

__attribute__((destructor)) static void tell_counts(void) {
    tell("COSTAB_FAULT_CALLS", atomic_load(&counts->calls));
    tell("COSTAB_FAULT_WRITTEN", atomic_load(&counts->written));
}

/* The next definition of a function; a pointer to data is copied, as ISO C knows no cast between the two. */
#define NEXT(type, name)                                                                                     \
    type next;                                                                                               \
    *(void **)&next = dlsym(RTLD_NEXT, name);                                                                \
    if (!next) abort()

typedef void (*exit_call)(int);
typedef int (*open_call)(const char *, int, ...);
typedef ssize_t (*write_call)(int, const void *, size_t);
typedef ssize_t (*pwrite_call)(int, const void *, size_t, off_t);
typedef int (*truncate_call)(int, off_t);
typedef int (*sync_call)(int);
typedef int (*rename_call)(const char *, const char *);
typedef void (*exit_call)(int);
typedef int (*link_call)(const char *, const char *);
typedef int (*statvfs_call)(int, struct statvfs *);
typedef int (*linkat_call)(int, const char *, int, const char *, int);

/* The program ends by it. */
_Noreturn void _exit(int status) {
    NEXT(exit_call, "_exit");
    tell_counts();
    next(status);
    abort();
}

static bool is_nameless(int flags) {
    return (flags & O_TMPFILE) == O_TMPFILE;
}

static mode_t mode_of(int flags, va_list more) {
    return (flags & O_CREAT) != 0 || is_nameless(flags) ? va_arg(more, mode_t) : 0;
}

static bool refused(int flags) {
    if (!is_nameless(flags) || !getenv("COSTAB_FAULT_NAMED")) return false;
    errno = EOPNOTSUPP;
    return true;
}

int open(const char *path, int flags, ...) {
    NEXT(open_call, "open");
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return refused(flags) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    NEXT(open_call, "open64");
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return refused(flags) ? -1 : next(path, flags, mode);
}

ssize_t write(int fd, const void *bytes, size_t size) {
    NEXT(write_call, "write");
    return fails_on(fd) ? -1 : counted(fd, next(fd, bytes, size));
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
    NEXT(pwrite_call, "pwrite");
    return fails_on(fd) ? -1 : counted(fd, next(fd, bytes, size, offset));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t offset) {
    NEXT(pwrite_call, "pwrite64");
    return fails_on(fd) ? -1 : counted(fd, next(fd, bytes, size, offset));
}

int ftruncate(int fd, off_t size) {
    NEXT(truncate_call, "ftruncate");
    return fails_on(fd) ? -1 : next(fd, size);
}

int ftruncate64(int fd, off_t size) {
    NEXT(truncate_call, "ftruncate64");
    return fails_on(fd) ? -1 : next(fd, size);
}

int fsync(int fd) {
    NEXT(sync_call, "fsync");
    return fails_on(fd) ? -1 : next(fd);
}

int fdatasync(int fd) {
    NEXT(sync_call, "fdatasync");
    return fails_on(fd) ? -1 : next(fd);
}

/* COSTAB_FAULT_ROOM=N: all disks have N bytes free. */
int fstatvfs(int fd, struct statvfs *disk) {
    NEXT(statvfs_call, "fstatvfs");
    const char *room = getenv("COSTAB_FAULT_ROOM");
    int result = next(fd, disk);
    disk->f_frsize = room ? 1 : disk->f_frsize;
    disk->f_bavail = room ? (fsblkcnt_t)strtoull(room, NULL, 10) : disk->f_bavail;
    return result;
}

int rename(const char *from, const char *to) {
    NEXT(rename_call, "rename");
    return fails() ? -1 : next(from, to);
}

int link(const char *from, const char *to) {
    NEXT(link_call, "link");
    return getenv("COSTAB_FAULT_LINKS") && fails() ? -1 : next(from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    NEXT(linkat_call, "linkat");
    return fails() ? -1 : next(from_folder, from, to_folder, to, flags);
}
