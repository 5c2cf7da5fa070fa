/* network_sweep.h - sweeps of networks into memory, for tests. */
#ifndef TEST_NETWORK_SWEEP_H
#define TEST_NETWORK_SWEEP_H

#include "costab/study.h"
#include "support.h"

typedef struct sweep {
    costab_model *model;
    costab_study *study;
    const costab_plan *plan;
    void *values[COSTAB_FIELDS_MAX]; /* the whole grid of each field */
    size_t written[COSTAB_FIELDS_MAX];
} sweep;

/* Makes the study of a model file's text, and room for its fields. */
void sweep_start(sweep *s, const char *text);
/* A tile's block of a field to its place. */
void sweep_place(sweep *s, const costab_tile *tile, int field, const void *block);
/* Runs the sweep of a model file's text; a mistake in it fails the test. */
void sweep_run(sweep *s, const char *text, int threads);
void sweep_end(sweep *s);
/* The model of a text. */
costab_model *sweep_model(const char *text);

/* The number of a field, -1 if there is none; its points; the values of one of numbers, and of the classes.
 */
int sweep_find(const sweep *s, const char *name);
size_t sweep_points(const costab_plan *plan, int field);
const double *sweep_numbers(const sweep *s, const char *name);
const uint8_t *sweep_codes(const sweep *s);

#endif
