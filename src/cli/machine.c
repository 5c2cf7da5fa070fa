/* Standard streams, signals and OpenBLAS, as the program needs them, whatever started it. */
#include "cli/machine.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

/* Other builds of the library than Debian's lack these functions. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void *blas_memory_alloc(int unused) __attribute__((weak));
extern void blas_memory_free(void *block) __attribute__((weak));

/* HDF5's own words; empty until it is loaded, where it is loaded late. */
extern const char H5_lib_vers_info_g[] __attribute__((weak));

/* Memory that OpenBLAS needs per call if calls run at the same time. */
#define BLAS_BYTES ((size_t)1 << 27)
#define ROOM_MAX   64

/* The limit of the address space (ulimit -v); 0: none. */
static size_t space_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (size_t)limit.rlim_cur : 0;
}

bool machine_limited(void) {
    return space_limit() > 0;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Where its threads do not get their memory, OpenBLAS waits for ever or ends the program while it is loaded,
 * which may be before main. With a limit the program therefore starts anew, before any library does anything,
 * and tells OpenBLAS to have no threads. (A sanitizer's library wants to be the first; none works with a
 * limit.) */
#if defined(__linux__) && defined(__GLIBC__) && !defined(SANITIZED)
#include <sys/auxv.h>

static void start_calm(int argc, char **argv, char **environment) {
    static const char name[] = "OPENBLAS_NUM_THREADS=";
    static char one[] = "OPENBLAS_NUM_THREADS=1";
    static char *calm[4096];
    size_t count = 0;
    (void)argc;
    if (space_limit() == 0) return;
    for (char **next = environment; *next; next++) {
        if (strcmp(*next, one) == 0) return;
        if (strncmp(*next, name, sizeof name - 1) == 0) continue;
        if (count + 2 >= sizeof calm / sizeof *calm) return;
        calm[count++] = *next;
    }
    calm[count] = one;
    (void)execve((const char *)getauxval(AT_EXECFN), argv, calm); /* where it fails, all stays as it was */
}

__attribute__((section(".preinit_array"), used)) static void (*const at_start)(int, char **,
                                                                               char **) = start_calm;
#endif

/* Opens a standard stream that was closed such that its use still fails: no file that is opened later gets
 * its number. */
static void hold_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0) (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void machine_prepare(void) {
    hold_streams();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    machine_calm();
}

void machine_leave(int status) {
#ifdef SANITIZED
    exit(status); /* where leaks are looked for */
#else
    (void)fflush(NULL);
    _exit(status);
#endif
}

void machine_calm(void) {
    void (*set_threads)(int) = NULL;
    int (*end_pool)(void) = NULL;
    void *program = dlopen(NULL, RTLD_LAZY); /* and all libraries that are loaded so far */
    if (program == NULL) return;
    *(void **)&set_threads = dlsym(program, "openblas_set_num_threads");
    *(void **)&end_pool = dlsym(program, "blas_thread_shutdown_");
    if (set_threads != NULL) set_threads(1);
    if (end_pool != NULL) end_pool();
    (void)dlclose(program);
}

const char *machine_hdf5(void) {
    return H5_lib_vers_info_g != NULL && H5_lib_vers_info_g[0] != '\0'
               ? H5_lib_vers_info_g
               : "HDF5 shared library, loaded when it is needed";
}

/* Whether so much memory is available now. */
static bool is_there(int threads) {
    void *block[ROOM_MAX];
    int got = 0;
    while (got < threads && (block[got] = memory_alloc(BLAS_BYTES, 1)) != NULL) got++;
    for (int k = 0; k < got; k++) memory_free(block[k]);
    return got == threads;
}

costab_status machine_room(int threads, costab_error *error) {
    void *block[ROOM_MAX];
    size_t limit = space_limit();
    if (limit == 0) return COSTAB_OK;
    if (threads > ROOM_MAX) threads = ROOM_MAX;
    if (openblas_get_num_threads != NULL)
        (void)openblas_get_num_threads(); /* it is loaded before it is asked for room */
    if (!is_there(threads))
        return error_set(
            error, COSTAB_MEMORY,
            "out of memory: the address space is limited to %zu MB, and OpenBLAS needs %zu MB more (%zu MB "
            "per thread); raise the limit (ulimit -v), or use fewer threads",
            limit >> 20, (size_t)threads * (BLAS_BYTES >> 20), BLAS_BYTES >> 20);
    if (blas_memory_alloc == NULL || blas_memory_free == NULL) return COSTAB_OK;
    for (int k = 0; k < threads; k++) block[k] = blas_memory_alloc(0);
    for (int k = 0; k < threads; k++) blas_memory_free(block[k]);
    return COSTAB_OK;
}
