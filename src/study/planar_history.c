/* Time histories of the planar system, a tile for each scheme and case of the spec.
 *   1. The states after every macro step: powers of the map (costab_planar_history).
 *   2. The exact solution exp(A t) x(0) at its own samples (costab_planar_exponential): 64 per oscillation,
 *      but 2001 to 200001 in all.
 *
 * Shorter runs end with NaN. Figures of the kind `time` draw them. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "study/study.h"
#include "sweep/run.h"

/* Axes of the plan. */
enum { SCHEME, CASE, STEP, SAMPLE, STATE };

enum {
    SAMPLES_MIN = 2001,
    SAMPLES_MAX = 200001, /* bounds the size of the file */
    SAMPLES_PER_OSCILLATION = 64,
};

typedef struct planar_history {
    costab_study base;
    costab_planar schemes[COSTAB_SCHEME_COUNT];
} planar_history;

static const study_field fields[] = {
    {.name = "time",
     .axes = 1U << CASE | 1U << STEP,
     .long_name = "time of the macro step, in the unit of the spec; nan after the end of the case"},
    {.name = "state",
     .axes = 1U << SCHEME | 1U << CASE | 1U << STEP | 1U << STATE,
     .long_name = "state of the discretised system"},
    {.name = "exact_time",
     .axes = 1U << CASE | 1U << SAMPLE,
     .long_name = "time of the sample of the exact solution, in the unit of the spec"},
    {.name = "exact_state",
     .axes = 1U << CASE | 1U << SAMPLE | 1U << STATE,
     .long_name = "state of the continuous system"},
};

/* Returns the number of states at t = 0, h, ... up to `until`. The factor compensates the rounding of the
 * division. */
static size_t step_count(const costab_case *c) {
    return (size_t)floor(c->until / c->h * (1 + 1e-12)) + 1;
}

/* Returns the number of samples of the exact solution, whose frequency is the imaginary part of the
 * eigenvalues. */
static size_t sample_count(const costab_case *c) {
    const double *m = c->matrix;
    double half = 0.5 * (m[0] - m[3]), square = half * half + m[1] * m[2];
    double oscillations = square < 0 ? sqrt(-square) * c->until / 6.283185307179586 : 0;
    return (size_t)fmin(fmax(SAMPLES_MIN, SAMPLES_PER_OSCILLATION * oscillations), SAMPLES_MAX);
}

static const char *case_label(const void *context, size_t i, char space[STUDY_LABEL_MAX]) {
    const char *title = ((const costab_spec *)context)->planar.cases[i].title;
    if (title[0] != '\0') return title;
    snprintf(space, STUDY_LABEL_MAX, "%zu", i + 1);
    return space;
}

static const char *state_label(const void *context, size_t i, char space[STUDY_LABEL_MAX]) {
    (void)context;
    (void)space;
    return i == 0 ? "x" : "y";
}

static costab_status add_axes(planar_history *study, costab_error *error) {
    const costab_spec *spec = study->base.spec;
    size_t steps = 1, samples = 1;
    for (int c = 0; c < spec->planar.case_count; c++) {
        if (step_count(&spec->planar.cases[c]) > steps) steps = step_count(&spec->planar.cases[c]);
        if (sample_count(&spec->planar.cases[c]) > samples) samples = sample_count(&spec->planar.cases[c]);
    }
    costab_axis cases = {
        .name = "case", .count = (size_t)spec->planar.case_count, .long_name = "case of the spec"};
    costab_axis states = {.name = "component", .count = 2, .long_name = "component of the state"};
    TRY(study_add_schemes(&study->base, study->schemes, error));
    TRY(study_add_labelled(&study->base, cases, case_label, spec, error));
    study->base.plan.swept = study->base.plan.axis_count;
    study->base.histories = study->base.plan.axes[0].count * cases.count;
    study_add_axis(&study->base,
                   (costab_axis){.name = "step", .count = steps, .long_name = "number of the macro step"});
    study_add_axis(&study->base, (costab_axis){.name = "sample",
                                               .count = samples,
                                               .long_name = "number of the sample of the exact solution"});
    return study_add_labelled(&study->base, states, state_label, NULL, error);
}

/* Writes the states of a case into `size` entries, NaN after its end. work: space for all its states. time:
 * NULL if the tile has none. */
static void put_steps(const costab_case *c, const costab_planar *planar, size_t size, double *time,
                      double *state, double *work) {
    size_t count = step_count(c);
    double *x = work, *y = work + count;
    costab_planar_history(planar, c->matrix, c->h, c->start, count, x, y);
    for (size_t k = 0; k < size; k++) {
        bool there = k < count;
        if (time != NULL) time[k] = there ? (double)k * c->h : (double)NAN;
        state[2 * k] = there ? x[k] : (double)NAN;
        state[2 * k + 1] = there ? y[k] : (double)NAN;
    }
}

/* Writes the exact solution of a case into `size` entries, NaN after its end. */
static void put_samples(const costab_case *c, size_t size, double *time, double *state) {
    size_t count = sample_count(c);
    for (size_t k = 0; k < size; k++) {
        double t = (double)k / (double)(count - 1) * c->until, E[4];
        bool there = k < count;
        costab_planar_exponential(c->matrix, there ? t : 0, E);
        time[k] = there ? t : (double)NAN;
        state[2 * k] = there ? E[0] * c->start[0] + E[1] * c->start[1] : (double)NAN;
        state[2 * k + 1] = there ? E[2] * c->start[0] + E[3] * c->start[1] : (double)NAN;
    }
}

/* Fills the blocks of a tile, which is one case of one scheme. */
static costab_status evaluate(const costab_study *base, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const planar_history *study = (const planar_history *)base;
    const costab_case *c = &base->spec->planar.cases[tile->start[CASE]];
    memory_local_array(double, work, 2 * step_count(c), error);
    put_steps(c, &study->schemes[tile->start[SCHEME]], base->plan.axes[STEP].count, blocks[0], blocks[1],
              work);
    if (blocks[2] != NULL) put_samples(c, base->plan.axes[SAMPLE].count, blocks[2], blocks[3]);
    return COSTAB_OK;
}

costab_status planar_history_create(const costab_spec *spec, costab_study **created, costab_error *error) {
    planar_history *study = memory_alloc(1, sizeof *study);
    if (study == NULL) return error_memory(error);
    study->base = (costab_study){.spec = spec, .evaluate = evaluate};
    *created = &study->base;
    TRY(add_axes(study, error));
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
        study_plan_field(&study->base.plan, &fields[f], NULL);
    costab_plan_choose_tiles(&study->base.plan, 1);
    return COSTAB_OK;
}
