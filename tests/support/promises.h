/* promises.h - what is promised of whatever was read, good or broken. Shared by the tests that change good
 * texts at random and by the fuzzers. Each fails the test that calls it. */
#ifndef TEST_PROMISES_H
#define TEST_PROMISES_H

#include "costab/model.h"
#include "costab/spec.h"
#include "spec/formula.h"
#include "support/support.h"

/* Of a spec, and of a model at its defaults or its axes' first values. */
void promise_spec(const costab_sweep_spec *spec);
void promise_model(const costab_model *model);

/* Of the messages of a file that was refused: each line is FILE:LINE:COLUMN: error: WORDS, FILE being `path`,
 * lines and columns never descending. */
void promise_places(const char *message, const char *path);

/* Reading a text as a spec, or as a model, with the promises of what comes of it. True if it was accepted. */
bool promise_spec_text(const char *text, size_t size);
bool promise_model_text(const char *path, const char *text, size_t size);

/* Reading `text` as a formula: a reason where it is refused; otherwise its tape means what muParser computes,
 * at the values given. True if it was accepted. */
bool promise_formula(const char *text, size_t size, const formula_scope *scope, double *values,
                     double *local);

/* Changes a text of at most `limit` bytes at random: puts in one of `count` pieces or a byte, leaves out or
 * repeats some of it, now and then cuts it. */
void mutate_text(rng *r, char *text, size_t *size, size_t limit, const char *const *pieces, size_t count);

#endif
