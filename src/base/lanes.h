/* base/lanes.h - eight points at a time in the lanes of vectors.
 *
 * A number of eight points is LANES doubles in a row, the l-th that of point l; a matrix is its entries one
 * after the other. A kernel is compiled for each instruction set below, from one template that is included
 * once per set, and the best one that the machine has is chosen when it is called. All of them
 * do the same operations in the same order as the scalar code that they stand for, and nothing is contracted:
 * a point has the same bits in a lane of any width as alone. But verdicts that hold whatever the rounding may
 * be reached by other operations.
 *
 * A template defines functions LANE_NAME(f) with LANE_TARGET before their name, on vectors of LANE_WIDTH
 * doubles. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { LANES = 8 };

/* `count` numbers of one point. */
static inline void lane_get(const double *lanes, size_t lane, size_t count, double *to) {
    for (size_t e = 0; e < count; e++) to[e] = lanes[e * LANES + lane];
}

static inline void lane_put(double *lanes, size_t lane, size_t count, const double *from) {
    for (size_t e = 0; e < count; e++) lanes[e * LANES + lane] = from[e];
}

/* The instruction sets, by the doubles in one of their vectors. */
typedef enum lanes_set { LANES_OF_2, LANES_OF_4, LANES_OF_8, LANES_SETS } lanes_set;

#if defined(__x86_64__) && defined(__GNUC__)
#define LANES_X86 1
#else
#define LANES_X86 0
#endif

/* Calls a kernel of a set that the machine has. */
#if LANES_X86
#define LANES_CALL(set, name, ...)                                                                           \
    do {                                                                                                     \
        if ((set) == LANES_OF_8)                                                                             \
            name##_8(__VA_ARGS__);                                                                           \
        else if ((set) == LANES_OF_4)                                                                        \
            name##_4(__VA_ARGS__);                                                                           \
        else                                                                                                 \
            name##_2(__VA_ARGS__);                                                                           \
    } while (false)
#else
#define LANES_CALL(set, name, ...) ((void)(set), name##_2(__VA_ARGS__))
#endif

/* Has this machine the set? The first one every machine has. */
static inline bool lanes_has(lanes_set set) {
#if LANES_X86
    if (set == LANES_OF_8) return __builtin_cpu_supports("avx512f") != 0;
    if (set == LANES_OF_4) return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#endif
    return set == LANES_OF_2;
}

static inline lanes_set lanes_best(void) {
    return lanes_has(LANES_OF_8) ? LANES_OF_8 : lanes_has(LANES_OF_4) ? LANES_OF_4 : LANES_OF_2;
}
