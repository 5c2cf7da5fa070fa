/* A sweep from a spec to a results file, with progress, and given up after a time: sweep SPEC FILE.h5
 * [SECONDS]. Exit status: 0 done, 1 failed, 3 given up; then no file is written.
 *
 *     cc sweep.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct budget {
    time_t started;
    double seconds; /* below 0: no limit */
} budget;

/* Called by one thread at a time; true cancels. */
static bool on_progress(void *context, size_t done, size_t total) {
    const budget *b = context;
    fprintf(stderr, "%zu of %zu tiles\n", done, total);
    return b->seconds >= 0 && difftime(time(NULL), b->started) >= b->seconds;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: sweep SPEC FILE.h5 [SECONDS]\n");
        return 1;
    }
    costab_error error;
    costab_study *study = NULL;
    budget b = {.started = time(NULL), .seconds = argc > 3 ? atof(argv[3]) : -1};
    costab_status status = costab_study_read(argv[1], &study, &error);
    costab_study_run_options options = {.progress = on_progress, .context = &b};
    if (!status) status = costab_study_run(study, argv[2], &options, NULL, &error);
    costab_study_destroy(&study);
    if (status == COSTAB_CANCELLED) return 3;
    if (status) fprintf(stderr, "%s\n", error.message);
    return !status ? 0 : 1;
}
