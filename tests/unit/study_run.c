/* costab_study_run and costab_study_merge: a sweep that is cancelled goes on from the tiles it kept, and
 * slices merge, to the same file byte for byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "costab/study.h"
#include "scratch.h"
#include "support.h"

static const char spec_text[] = "system: planar\nschemes: all\naxes:\n  a: [-0.5, 0.25, 0.5]\n"
                                "  gamma: {from: -6, to: 2, points: 101}\n"
                                "  delta: {from: -2, to: 14, points: 101}\nfields: [class, trace]\n";

static costab_study *parse(void) {
    costab_study *study = NULL;
    check_ok(costab_study_parse("chart.yaml", spec_text, strlen(spec_text), &study, &why));
    return study;
}

/* Cancels once `tiles` tiles are done; keeps what `start` receives. */
typedef struct watch {
    size_t cancel_at; /* 0: never */
    size_t calls;
    costab_study_start start;
} watch;

static bool on_progress(void *context, size_t done, size_t total) {
    watch *w = context;
    w->calls++;
    assert_true(done <= total);
    return w->cancel_at > 0 && done >= w->cancel_at;
}

static void on_start(void *context, const costab_study_start *start) {
    ((watch *)context)->start = *start;
}

static costab_study_run_options watched(watch *w) {
    return (costab_study_run_options){
        .threads = 2, .checkpoint = true, .progress = on_progress, .started = on_start, .context = w};
}

static void same_files(const char *one, const char *other) {
    text a = {0}, b = {0};
    check_ok(text_read_file(one, SIZE_MAX / 2, &a, &why));
    check_ok(text_read_file(other, SIZE_MAX / 2, &b, &why));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    text_free(&a);
    text_free(&b);
}

TEST(a_cancelled_run_goes_on) {
    const char *whole = scratch_path("whole.h5"), *half = scratch_path("half.h5");
    costab_error error = {.message = ""};
    size_t kept = 99;
    costab_study *study = parse();
    assert_int_equal(costab_study_run(study, whole, NULL, &kept, &error), COSTAB_OK);
    assert_int_equal(kept, 0);
    costab_study_destroy(&study);

    watch w = {.cancel_at = 5};
    costab_study_run_options options = watched(&w);
    study = parse();
    assert_int_equal(costab_study_run(study, half, &options, &kept, &error), COSTAB_CANCELLED);
    assert_true(kept >= 5 && w.calls > 0 && !w.start.resumed && w.start.done == 0);
    assert_non_null(strstr(error.message, "half.h5.checkpoint"));
    assert_int_equal(text_read_file(half, 1, &(text){0}, NULL), COSTAB_UNREADABLE); /* no unfinished file */
    costab_study_destroy(&study);

    w = (watch){.cancel_at = 0};
    options = watched(&w);
    options.resume = true;
    study = parse();
    check_true(!costab_study_run(study, half, &options, &kept, &error), "%s", error.message);
    assert_true(w.start.resumed && w.start.done >= 5 && w.start.done < w.start.count && !w.start.damaged);
    assert_int_equal(kept, 0);
    same_files(whole, half);
    costab_study_destroy(&study);
    remove(whole);
    remove(half);
}

TEST(slices_merge_to_the_file) {
    const char *whole = scratch_path("whole.h5");
    char merged[4096], names[3][4096];
    costab_study *study = parse();
    costab_error error = {.message = ""};
    check_ok(costab_study_run(study, whole, NULL, NULL, &why));
    for (size_t k = 0; k < 3; k++) {
        snprintf(names[k], sizeof names[k], "%s/%zu.part", scratch_folder(), k);
        const costab_study_run_options options = {.slice = k + 1, .slices = 3};
        costab_study *one = parse();
        check_true(!costab_study_run(one, names[k], &options, NULL, &error), "%s", error.message);
        costab_study_destroy(&one);
    }
    costab_study_destroy(&study);
    const char *const paths[] = {names[2], names[0], names[1]}; /* in any order */
    assert_int_equal(costab_study_merge(paths, 2, &study, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "slice 2 of 3 is missing"));
    check_true(!costab_study_merge(paths, 3, &study, &error), "%s", error.message);
    snprintf(merged, sizeof merged, "%s/merged.h5", scratch_folder());
    watch w = {.cancel_at = 0};
    costab_study_run_options options = watched(&w);
    check_true(!costab_study_run(study, merged, &options, NULL, &error), "%s", error.message);
    same_files(whole, merged);
    costab_study_destroy(&study);
    for (int k = 0; k < 3; k++) remove(names[k]);
    remove(merged);
    remove(whole);
}
