/* proof/kept.h - up to which macro step an error that is not monotone stays within the one allowed. */
#pragma once

#include "costab/base.h"

typedef struct kept_options {
    double error;          /* allowed */
    double lowest, growth; /* samples lie at lowest * growth^i, */
    double end;            /* up to this one, which is the last */
    int samples;           /* at most */
    /* The error at a macro step. */
    costab_status (*error_at)(void *context, double macro_step, double *found, costab_error *error);
    void *context;
    void (*progress)(void *context, double share); /* NULL: not */
    void *progress_context;
} kept_options;

/* Samples upwards; a maximum between samples that may reach the error allowed is looked into, and the first
 * crossing is bisected. A hump that is narrower than two samples may be missed. [out] *first: every macro
 * step from the lowest up to it keeps the error, 0: the lowest does not; *last: the largest sample that keeps
 * it, 0: none. */
costab_status kept_find(const kept_options *options, double *first, double *last, costab_error *error);
