/* A sweep from a spec to a results file, with progress, and given up after a time: sweep SPEC FILE.h5
 * [SECONDS]. Exit status: 0 done, 1 failed, 3 given up; then there is no file.
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

static costab_status run(const costab_study *study, const char *target, budget *b, costab_error *error) {
    const costab_plan *plan = costab_study_plan(study);
    const costab_study_origin *origin = costab_study_origin_of(study);
    costab_store_info info = {.title = origin->title,
                              .references = origin->references,
                              .spec_path = origin->spec_path,
                              .spec_text = origin->spec_text};
    costab_store *store = NULL;
    costab_status status = costab_store_create(target, plan, &info, &store, error);
    if (status != COSTAB_OK) return status;

    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_sink sink = costab_store_sink(store);
    costab_run_options options = {.progress = on_progress, .progress_context = b};
    status = costab_run(plan, &evaluator, &sink, &options, error);
    if (status == COSTAB_OK) return costab_store_publish(&store, error);
    costab_store_discard(&store);
    return status;
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
    if (status == COSTAB_OK) status = run(study, argv[2], &b, &error);
    costab_study_destroy(&study);
    if (status == COSTAB_CANCELLED) return 3;
    if (status != COSTAB_OK) fprintf(stderr, "%s\n", error.message);
    return status == COSTAB_OK ? 0 : 1;
}
