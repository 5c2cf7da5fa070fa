#include "support.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SEED 0x636f73746162ULL /* "costab" */

_Thread_local costab_error why;

void check_ok(costab_status status) {
    if (status) fail_msg("status %d: %s", (int)status, why.message);
}

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

rng rng_start(const char *name) {
    const char *text = getenv("SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : DEFAULT_SEED;
    print_message("# %s: SEED=%llu\n", name, (unsigned long long)seed);
    uint64_t mixed = seed;
    for (const char *p = name; *p; p++) mixed = mixed * 1099511628211ULL ^ (uint64_t)(unsigned char)*p;
    rng r;
    for (int i = 0; i < 4; i++) r.state[i] = splitmix(&mixed);
    return r;
}

static uint64_t rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

uint64_t rng_bits(rng *r) {
    uint64_t *s = r->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double rng_uniform(rng *r, double low, double high) {
    return low + (high - low) * ((double)(rng_bits(r) >> 11) * 0x1p-53);
}

double rng_magnitude(rng *r, double low, double high) {
    double value = pow(10.0, rng_uniform(r, low, high));
    return rng_bits(r) & 1 ? value : -value;
}

double rng_dyadic(rng *r, int limit, int bits) {
    int64_t scale = (int64_t)1 << bits;
    uint64_t span = 2 * (uint64_t)limit * (uint64_t)scale + 1;
    int64_t number = (int64_t)(rng_bits(r) % span) - limit * scale;
    return (double)number / (double)scale;
}

int rng_int(rng *r, int low, int high) {
    return low + (int)(rng_bits(r) % (uint64_t)(high - low + 1));
}

static void exchange(real *a, real *b) {
    real kept = *a;
    *a = *b;
    *b = kept;
}

void eliminate(int n, int width, real *A, real *b) {
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (fabsl(A[i * width + c]) > fabsl(A[pivot * width + c])) pivot = i;
        for (int j = c; j < n; j++) exchange(&A[c * width + j], &A[pivot * width + j]);
        exchange(&b[c], &b[pivot]);
        for (int i = c + 1; i < n; i++) {
            real factor = A[i * width + c] / A[c * width + c];
            for (int j = c; j < n; j++) A[i * width + j] -= factor * A[c * width + j];
            b[i] -= factor * b[c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= A[i * width + j] * b[j];
        b[i] /= A[i * width + i];
    }
}

static double effort_factor(void) {
    const char *text = getenv("EFFORT");
    return text ? strtod(text, NULL) : 1.0;
}

size_t effort(size_t base) {
    double count = (double)base * effort_factor();
    return count >= 1.0 ? (size_t)count : 1;
}

size_t effort_least(size_t base) {
    double factor = effort_factor();
    return factor < 1.0 ? (size_t)((double)base * factor) : base;
}

size_t effort_stride(size_t base) {
    double factor = effort_factor(), stride = (double)base / factor;
    return factor >= 10.0 || stride < 1.0 ? 1 : (size_t)stride;
}

void check_near(double value, real expected, real bound, const char *format, ...) {
    if (fabsl((real)value - expected) <= bound) return;
    char words[512];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    fail_msg("%s: %.17g, expected %.21Lg, off by %.3Lg, bound %.3Lg", words, value, expected,
             fabsl((real)value - expected), bound);
}

void check_true(bool condition, const char *format, ...) {
    if (condition) return;
    char words[512];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    fail_msg("%s", words);
}

costab_method method_named(const char *name) {
    costab_method method;
    check_ok(costab_solver_find(name, &method, &why));
    return method;
}

costab_method method_random(rng *r, int stages, bool implicit) {
    double A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX] = {0}, b[COSTAB_STAGES_MAX], c[COSTAB_STAGES_MAX];
    double rest = 1.0;
    for (int i = 0; i < stages; i++) {
        c[i] = 0.0;
        for (int j = 0; j < (implicit ? stages : i); j++) c[i] += A[i * stages + j] = rng_dyadic(r, 1, 6);
        b[i] = i < stages - 1 ? rng_dyadic(r, 1, 6) : rest;
        rest -= b[i];
    }
    costab_method method;
    check_ok(costab_method_from_tableau(stages, A, b, c, &method, &why));
    return method;
}

costab_method method_of_texts(int stages, const char *const *text) {
    costab_entry A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX], b[COSTAB_STAGES_MAX];
    for (int i = 0; i < stages; i++)
        for (int j = -1; j < stages; j++, text++)
            *(j < 0 ? &b[i] : &A[i * stages + j]) = (costab_entry){*text, strlen(*text), NAN};
    costab_method method;
    check_ok(costab_method_from_entries(stages, A, b, NULL, &method, &why));
    return method;
}
