/* promises.h - what is promised of whatever was read, good or broken. Shared by the tests that change good
 * texts at random and by the fuzzers. Each fails the test that calls it. */
#pragma once

#include "costab/spec.h"
#include "formula/formula.h"
#include "support/support.h"

/* Reading a text as a spec of either system, with the promises of what comes of it: of a model at its
 * defaults and its axes' first values. Where it is refused, each line of the message is
 * FILE:LINE:COLUMN: error: WORDS, FILE being `path` or the model's that the text names; lines and
 * columns of a file never descend. True if it was accepted. */
bool promise_spec_text(const char *path, const char *text, size_t size);

/* Reading `text` as a formula: a reason where it is refused, and muParser refuses it too; otherwise its tape
 * means what muParser computes, at the values given. True if it was accepted. */
bool promise_formula(const char *text, size_t size, const formula_scope *scope, double *values,
                     double *local);

/* Good texts, and pieces that mean something to their reader; pieces of YAML come by themselves. */
typedef struct mutation_source {
    const char *const *seeds, *const *pieces;
    size_t seed_count, piece_count;
    int changes; /* of a text, at most */
} mutation_source;

/* Gives `read` the texts with random changes, `total` times: pieces or bytes put in, some left out or
 * repeated, the end cut off now and then. Returns how often it accepted one. */
size_t mutate(const char *name, const mutation_source *source, size_t total,
              bool (*read)(const char *text, size_t size));
