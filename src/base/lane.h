/* base/lane.h - vectors for kernels: W points at a time, point l in lane l.
 *
 * A kernel is one C file, NAME_kernel.c, compiled by make once for each W (src/build.mk) with the
 * instructions for vectors of W doubles. Ordinary operators work lane by lane. Comparisons give masks,
 * combined with & and |; a number on either side of an operator applies to all lanes. With W = 1 a lane is a
 * double and a mask is 1 or 0: the same file computes one point alone. Kernels are compiled without
 * contraction into fused multiply-adds, so that all widths give the same bits. The exception is
 * powers_kernel.c, whose verdicts hold for any rounding. Names used by other files end in the width:
 * OF_WIDTH(name) is name_4 for W = 4. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if W == 1
typedef double lane;
typedef int mask;
#define OF_WIDTH(name) name##_1
#else
typedef double lane __attribute__((vector_size(8 * W)));
typedef long long mask __attribute__((vector_size(8 * W)));
#if W == 2
#define OF_WIDTH(name) name##_2
#elif W == 4
#define OF_WIDTH(name) name##_4
#else
#define OF_WIDTH(name) name##_8
#endif
#endif

/* Marks a function that is compiled into its caller, for sizes known there. */
#define LANE_INLINE static inline __attribute__((always_inline))

/* Lanes in memory: W doubles per entry, aligned to that size. */
static inline lane *lane_in(double *numbers) {
    return (lane *)(void *)numbers;
}

static inline const lane *lane_of(const double *numbers) {
    return (const lane *)(const void *)numbers;
}

/* Returns the number in all lanes. */
static inline lane lane_all(double number) {
    return (lane){0} + number;
}

static inline mask lane_not(mask which) {
    return which == 0;
}

/* Returns a in the lanes `which`, b in the others. */
static inline lane lane_select(mask which, lane a, lane b) {
#if W == 1
    return which ? a : b;
#else
    return (lane)(((mask)a & which) | ((mask)b & ~which));
#endif
}

/* Returns a in the lanes `which`, 0 in the others. */
static inline lane lane_only(mask which, lane a) {
#if W == 1
    return which ? a : 0;
#else
    return (lane)((mask)a & which);
#endif
}

/* Returns the absolute value. */
static inline lane lane_size(lane a) {
#if W == 1
    return fabs(a);
#else
    return (lane)((mask)a & 0x7fffffffffffffffLL);
#endif
}

/* Returns a > b ? a : b. Compilers find the instruction for it only in code with plain doubles. */
static inline lane lane_larger(lane a, lane b) {
#if W == 8 && defined(__AVX512F__)
    return (lane)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif W == 4 && defined(__AVX2__)
    return (lane)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return lane_select(a > b, a, b);
#endif
}

/* Returns the square root. */
static inline lane lane_root(lane a) {
#if W == 1
    return sqrt(a);
#else
    for (int l = 0; l < W; l++) a[l] = sqrt(a[l]);
    return a;
#endif
}

/* Returns true if any lane is in the mask. */
static inline bool lane_any(mask which) {
#if W == 1
    return which != 0;
#elif W == 8 && defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)which, (__m512i)which) != 0;
#elif W == 4 && defined(__AVX2__)
    return _mm256_testz_si256((__m256i)which, (__m256i)which) == 0;
#else
    long long found = 0;
    for (int l = 0; l < W; l++) found |= which[l];
    return found != 0;
#endif
}

/* Sets which[l] if lane l is in the mask. */
static inline void lane_tell(mask lanes, bool which[W]) {
#if W == 1
    which[0] = lanes != 0;
#else
    for (int l = 0; l < W; l++) which[l] = lanes[l] != 0;
#endif
}
