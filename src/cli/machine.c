/* Standard streams, signals, limits and OpenBLAS, as the program needs them, whatever started it. */
#include "cli/machine.h"

#include <cblas.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"

/* What the deepest calls take of the first thread's stack; that of other threads is theirs. */
#define STACK_KB 1024

/* What the libraries take of the address space when they are loaded, which is 134 MB with Debian 12's, and
 * some for results; and what each thread takes that calls OpenBLAS or is one of its own: a buffer of 128 MiB
 * and a stack. Where such a buffer is not to be had, OpenBLAS waits for it for ever. */
#define LIBRARIES_MB 192
#define THREAD_MB    144

/* The threads that OpenBLAS has started when it was loaded. */
static int blas_threads = 0;

/* The size of a limit in units of 2^shift bytes; SIZE_MAX where there is none. */
static size_t limit_of(int resource, int shift) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
    return (size_t)(limit.rlim_cur >> shift);
}

costab_status machine_room(int threads, costab_error *error) {
    const size_t stack = limit_of(RLIMIT_STACK, 10), space = limit_of(RLIMIT_AS, 20),
                 data = limit_of(RLIMIT_DATA, 20), least = space < data ? space : data;
    if (stack < STACK_KB)
        return error_set(error, COSTAB_MEMORY,
                         "out of memory: the stack is limited to %zu kB, and costab needs %d kB; raise the "
                         "limit (ulimit -s)",
                         stack, STACK_KB);
    if (least == SIZE_MAX) return COSTAB_OK;
    const size_t needed = LIBRARIES_MB + (size_t)(threads + blas_threads) * THREAD_MB;
    if (least >= needed) return COSTAB_OK;
    return error_set(
        error, COSTAB_MEMORY,
        "out of memory: the %s is limited to %zu MB, and costab needs %zu MB: %d MB for its "
        "libraries, and %d MB for each thread, of which it has %d, and OpenBLAS %d more; raise the "
        "limit (ulimit %s), or use fewer threads (--threads, OPENBLAS_NUM_THREADS=1)",
        space < data ? "address space" : "data segment", least, needed, LIBRARIES_MB, THREAD_MB, threads,
        blas_threads, space < data ? "-v" : "-d");
}

/* Opens a standard stream that was closed such that its use still fails: no file that is opened later gets
 * its number. */
static void hold_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0) (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

costab_status machine_prepare(costab_error *error) {
    blas_threads = openblas_get_num_threads() - 1; /* which allocates nothing */
    TRY(machine_room(1, error));
    hold_streams();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    openblas_set_num_threads(1);
    return COSTAB_OK;
}
