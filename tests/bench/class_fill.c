/* Rate of the in-memory class fill as a ratio to memset of as many bytes, in the same run, on one thread: the
 * tiles of a sweep of 4 schemes x 3 a x 2001 x 2001 points go one after the other through the sweep's own
 * evaluator, as in a run, into one tile's buffer, which stays in the second-level cache, and into the tiles
 * of 64 MiB in turn, which do not; memset fills the same buffers as often. The best of several rounds counts,
 * set-up included. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "costab/study.h"
#include "study/create.h"
#include "sweep/run.h"

enum { ROUNDS = 15, FAR_BYTES = 64 << 20 };

static const char spec_text[] = "system: planar\n"
                                "schemes: %s\n"
                                "axes:\n"
                                "  a: [-0.5, 0, 0.5]\n"
                                "  gamma: {from: -6, to: 2, points: 2001}\n"
                                "  delta: {from: -2, to: 14, points: 2001}\n";

/* Seconds of one pass over all tiles: the evaluator's, and memset's of the same bytes. */
typedef struct pass {
    double fill, memory;
    size_t points;
} pass;

static pass measure(const char *schemes, bool far) {
    pass p;
    costab_error error = {.status = COSTAB_OK};
    costab_spec *spec = NULL;
    costab_study *study = NULL;
    char text[512];
    snprintf(text, sizeof text, spec_text, schemes);
    check(costab_spec_parse("bench.yaml", text, strlen(text), &spec, &error), &error);

    double begin = now();
    check(costab_study_create(spec, &study, &error), &error);
    const costab_plan *plan = costab_study_plan(study);
    costab_evaluator evaluator = costab_study_evaluator(study);
    double setup = now() - begin;
    size_t tiles, most = 1;
    check(costab_plan_size(plan, &tiles, &p.points, &error), &error);
    for (int k = 0; k < plan->axis_count; k++) most *= plan->tile_shape[k];
    size_t slots = far ? FAR_BYTES / most : 1;
    unsigned char *buffer = malloc(most * slots);
    if (buffer == NULL) exit(EXIT_FAILURE);
    memset(buffer, 1, most * slots);

    costab_tile tile;
    begin = now();
    for (size_t i = 0; i < tiles; i++) {
        void *blocks[1] = {buffer + i % slots * most};
        costab_plan_tile(plan, i, &tile);
        check(evaluator.evaluate(evaluator.context, &tile, blocks, &error), &error);
    }
    p.fill = setup + now() - begin;

    begin = now();
    for (size_t i = 0; i < tiles; i++) {
        unsigned char *block = buffer + i % slots * most;
        costab_plan_tile(plan, i, &tile);
        memset(block, (int)i, costab_tile_values(plan, 0, &tile));
        __asm__ volatile("" ::"r"(block) : "memory"); /* the bytes count as used */
    }
    p.memory = now() - begin;
    free(buffer);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
    return p;
}

static void report(const char *schemes, bool far) {
    pass best = {1e9, 1e9, 0};
    for (int round = 0; round < ROUNDS; round++) {
        pass p = measure(schemes, far);
        best.points = p.points;
        best.fill = p.fill < best.fill ? p.fill : best.fill;
        best.memory = p.memory < best.memory ? p.memory : best.memory;
    }
    printf("class fill, %-15s %-10s %.3g points/s, memset %.3g bytes/s, ratio %.2f\n",
           far ? "beyond caches," : "in cache,", schemes, (double)best.points / best.fill,
           (double)best.points / best.memory, best.memory / best.fill);
}

int main(void) {
    static const char *const schemes[] = {"all", "simulation", "cross", "zigzag", "strong"};
    for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++) report(schemes[s], false);
    report("all", true);
    return EXIT_SUCCESS;
}
