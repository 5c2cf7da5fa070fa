/* base/lanes_template.h - what the kernels' templates begin with: vectors of LANE_WIDTH doubles and what they
 * lack. The first time that it is included in a file it is for LANES_OF_2, then for LANES_OF_4 and
 * LANES_OF_8; lanes_end.h stands at the end of the template. A file that defines LANE_WIDTH as 1 before gets
 * the code of one point alone: entries next to each other, plain doubles, and conditions for masks. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/lanes.h"
#if LANES_X86
#include <immintrin.h>
#endif

#if !defined(LANE_WIDTH)
#define LANE_WIDTH      2
#define LANE_NAME(name) name##_2
#define LANE_TARGET
#elif LANE_WIDTH == 1
#define LANE_NAME(name) name##_1
#define LANE_TARGET
#elif LANE_WIDTH == 2
#undef LANE_WIDTH
#define LANE_WIDTH      4
#define LANE_NAME(name) name##_4
#define LANE_TARGET     __attribute__((target("avx2,fma")))
#else
#undef LANE_WIDTH
#define LANE_WIDTH      8
#define LANE_NAME(name) name##_8
#define LANE_TARGET     __attribute__((target("avx512f")))
#endif

/* Numbers, what comparisons give, integers of the same size; how far entries of one point lie apart. */
#if LANE_WIDTH == 1
typedef double LANE_NAME(vector);
typedef bool LANE_NAME(mask);
typedef long long LANE_NAME(whole);
typedef unsigned long long LANE_NAME(bits);
#define LANE_STEP 1
#else
typedef double LANE_NAME(vector) __attribute__((vector_size(8 * LANE_WIDTH), aligned(8), may_alias));
typedef long long LANE_NAME(mask) __attribute__((vector_size(8 * LANE_WIDTH), aligned(8), may_alias));
typedef LANE_NAME(mask) LANE_NAME(whole);
typedef unsigned long long LANE_NAME(bits)
    __attribute__((vector_size(8 * LANE_WIDTH), aligned(8), may_alias));
#define LANE_STEP LANES
#endif

#define VECTOR LANE_NAME(vector)
#define MASK   LANE_NAME(mask)
#define WHOLE  LANE_NAME(whole)
#define BITS   LANE_NAME(bits)
/* Entry e of a matrix, to be read and to be written; one number in all lanes; the number of one lane; and the
 * lanes that a mask leaves out. */
#define GET(x, e)   (*(const VECTOR *)(const void *)((x) + (size_t)(e)*LANE_STEP))
#define AT(x, e)    (*(VECTOR *)(void *)((x) + (size_t)(e)*LANE_STEP))
#define ALL(number) ((VECTOR){0} + (number))
#if LANE_WIDTH == 1
#define LANE(a, l) (a)
#define NOT(which) (!(which))
#else
#define LANE(a, l) ((a)[l])
#define NOT(which) (~(which))
#endif
#define LANE_FUNCTION static inline LANE_TARGET
/* Compiled where it is called, for the sizes that are known there. */
#define LANE_INLINE static inline __attribute__((always_inline)) LANE_TARGET

/* a b + c, rounded once where the set can: for results that hold whatever the rounding. */
LANE_FUNCTION VECTOR LANE_NAME(fused)(VECTOR a, VECTOR b, VECTOR c) {
#if LANE_WIDTH == 8
    return (VECTOR)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif LANE_WIDTH == 4
    return (VECTOR)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return a * b + c;
#endif
}

/* The bits of numbers, and numbers of those bits. */
LANE_FUNCTION BITS LANE_NAME(bits_of)(VECTOR a) {
    BITS bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

LANE_FUNCTION VECTOR LANE_NAME(number_of)(BITS bits) {
    VECTOR a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* The numbers a of those lanes, and b of the others. */
LANE_FUNCTION VECTOR LANE_NAME(select)(MASK which, VECTOR a, VECTOR b) {
#if LANE_WIDTH == 1
    return which ? a : b;
#else
    return (VECTOR)(((MASK)a & which) | ((MASK)b & ~which));
#endif
}

/* The numbers of those lanes, 0 in the others. */
LANE_FUNCTION VECTOR LANE_NAME(only)(MASK which, VECTOR a) {
#if LANE_WIDTH == 1
    return which ? a : 0;
#else
    return (VECTOR)((MASK)a & which);
#endif
}

LANE_FUNCTION VECTOR LANE_NAME(size)(VECTOR a) {
    return LANE_NAME(number_of)(LANE_NAME(bits_of)(a) & ((BITS){0} + 0x7fffffffffffffffULL));
}

/* a > b ? a : b, which is one instruction. */
LANE_FUNCTION VECTOR LANE_NAME(larger)(VECTOR a, VECTOR b) {
#if LANE_WIDTH == 8
    return (VECTOR)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif LANE_WIDTH == 4
    return (VECTOR)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return LANE_NAME(select)(a > b, a, b);
#endif
}

LANE_FUNCTION VECTOR LANE_NAME(root)(VECTOR a) {
    double numbers[LANE_WIDTH];
    memcpy(numbers, &a, sizeof numbers);
    for (int l = 0; l < LANE_WIDTH; l++) numbers[l] = sqrt(numbers[l]);
    memcpy(&a, numbers, sizeof numbers);
    return a;
}

LANE_FUNCTION bool LANE_NAME(any)(MASK which) {
#if LANE_WIDTH == 8
    return _mm512_test_epi64_mask((__m512i)which, (__m512i)which) != 0;
#elif LANE_WIDTH == 4
    return _mm256_testz_si256((__m256i)which, (__m256i)which) == 0;
#elif LANE_WIDTH == 2
    return (which[0] | which[1]) != 0;
#else
    return which;
#endif
}
