/* model_file.h - a model from a text, an instance of it and a workspace; and models that several tests read.
 */
#pragma once

#include "costab/spec.h"
#include "costab/study.h"
#include "support/support.h"

/* Half a unit of the last digit given. */
#define DIGITS(n) (0.5000001 * pow(10, -(n)))

/* A model and one instance of it. */
typedef struct fixture {
    costab_spec *spec;
    const costab_model *model; /* the spec's */
    costab_model_instance *instance;
    const costab_network *network;
    costab_network_work *work;
} fixture;

/* The spec of a text, t.yaml, and the study of a spec. */
costab_spec *spec_of(const char *text);
costab_study *study_of(const costab_spec *spec);

/* Begins with a spec, which it owns then, or with a text; end with fixture_end. */
void fixture_from(fixture *f, costab_spec *spec);
void fixture_start(fixture *f, const char *text);
void fixture_end(fixture *f);

/* Gives a parameter a value, and the instance its numbers. */
void fixture_set(fixture *f, const char *name, double value);
costab_network_point fixture_analyse(fixture *f, int coupling);

/* The default of a parameter. */
double fixture_value(const costab_spec *spec, const char *name);

/* [SP] example 5, a regulated mass on a spring; [GTL]'s two masses; [SP] example 6, whose spring's force is k
 * x^3; a pendulum with everything: two inputs, t, feedthrough, functions of several arguments. */
extern const char regulated[], two_masses[], cubic[], pendulum[];
