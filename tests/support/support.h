/* support.h - what the tests share: random numbers from a fixed, printed seed, the effort, assertions.
 *
 * The environment variable SEED replaces the seed, EFFORT (1 if absent) multiplies the number of random
 * cases.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "costab/method.h"

/* A test, whose body follows. main.c runs those of a file in their order. */
#define TEST(name)                                                                                           \
    static void name(void **state);                                                                          \
    __attribute__((constructor)) static void add_##name(void) {                                              \
        test_add(#name, name, __FILE__, __LINE__);                                                           \
    }                                                                                                        \
    static void name(__attribute__((unused)) void **state)
void test_add(const char *name, CMUnitTestFunction run, const char *file, int line);

/* Functions to call before the first test of the file and after the last one; either may be NULL. */
#define TESTS_AROUND(before, after)                                                                          \
    __attribute__((constructor)) static void around(void) {                                                  \
        test_around(__FILE__, before, after);                                                                \
    }
void test_around(const char *file, CMFixtureFunction before, CMFixtureFunction after);

/* The precision that references are computed in. Where long double is no wider than double the tests still
 * hold: their bounds contain its rounding too. */
typedef long double real;

/* xoshiro256**, seeded by splitmix64. */
typedef struct rng {
    uint64_t state[4];
} rng;

/* Starts a generator and prints its seed with the test's name. Each name gets its own sequence. */
rng rng_start(const char *name);
uint64_t rng_bits(rng *r);
/* Uniform in [low, high). */
double rng_uniform(rng *r, double low, double high);
/* Log-uniform magnitude in [10^low, 10^high), with a random sign. */
double rng_magnitude(rng *r, double low, double high);
/* A random multiple of 2^-bits in [-limit, limit]: sums and products of a few of them are exact in double. */
double rng_dyadic(rng *r, int limit, int bits);
/* Uniform in low ... high, both included. */
int rng_int(rng *r, int low, int high);

/* Solves A x = b, n equations in rows of `width`, by Gauss's elimination with row exchanges: b becomes x, and
 * A is lost. */
void eliminate(int n, int width, real *A, real *b);

/* base times EFFORT, at least 1. */
size_t effort(size_t base);
/* Number of cases that a random test must meet at least: `base`, or base times EFFORT if that is below 1; may
 * be 0. */
size_t effort_least(size_t base);
/* The stride of a loop over many cases: `base` with EFFORT 1, and 1, for all of them, from EFFORT 10 on. */
size_t effort_stride(size_t base);

/* Where calls that have to succeed say what went wrong, which check_ok tells: check_ok(costab_..(.., &why)).
 */
extern _Thread_local costab_error why;
void check_ok(costab_status status);

/* Fails unless |value - expected| <= bound, with the words of `format`. A NaN anywhere fails. */
void check_near(double value, real expected, real bound, const char *format, ...) COSTAB_PRINTF(4, 5);
/* Fails with the words of `format` unless `condition`. */
void check_true(bool condition, const char *format, ...) COSTAB_PRINTF(2, 3);

/* The named method; fails the test where there is none. */
costab_method method_named(const char *name);
/* A random consistent tableau with dyadic entries, so that its consistency is exact. */
costab_method method_random(rng *r, int stages, bool implicit);

/* A tableau by rows: b[i], then A[i][..]. */
costab_method method_of_texts(int stages, const char *const *text);
