/* A clock for tests: preloaded, the monotonic clock runs COSTAB_CLOCK_RATE times as fast (1 if absent), so
 * that what a program says every so often during a minute of work it says during seconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int (*clock_call)(clockid_t, struct timespec *);

int clock_gettime(clockid_t clock, struct timespec *now) {
    clock_call next;
    *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    if (!next) abort();
    int status = next(clock, now);
    const char *number = getenv("COSTAB_CLOCK_RATE");
    long long rate = number ? strtoll(number, NULL, 10) : 1;
    if (status != 0 || clock != CLOCK_MONOTONIC || rate < 1) return status;
    /* from the machine's start; as that is years at most, nothing overflows */
    long long parts = now->tv_nsec * rate;
    now->tv_sec = (time_t)(now->tv_sec * rate + parts / 1000000000);
    now->tv_nsec = (long)(parts % 1000000000);
    return 0;
}
