/* base/lanes.h - batches of points with interleaved numbers, for kernels (lane.h). A batch has as many points
 * as a vector of the machine has doubles: its width, 2, 4 or 8. A number of a batch is `width` doubles in a
 * row, the l-th for point l; a matrix is a sequence of entries. A point has the same bits in a lane of any
 * width as alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The largest width. */
enum { LANES_MOST = 8 };

#if defined(__x86_64__) && defined(__GNUC__)
#define LANES_X86 1
#else
#define LANES_X86 0
#endif

/* The table of kernels for a width of the machine; the names of the widths end in _2, _4 and _8. */
#if LANES_X86
#define LANES_OF(width, name) ((width) == 8 ? &name##_8 : (width) == 4 ? &name##_4 : &name##_2)
#else
#define LANES_OF(width, name) ((void)(width), &name##_2)
#endif

/* Returns true if the machine has the instructions of a width. Every machine has the width 2. */
static inline bool lanes_has(int width) {
#if LANES_X86
    if (width == 8) return __builtin_cpu_supports("avx512f") != 0;
    if (width == 4) return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#endif
    return width == 2;
}

/* Returns the largest width of the machine. */
static inline int lanes_best(void) {
    return lanes_has(8) ? 8 : lanes_has(4) ? 4 : 2;
}

/* Read and write `count` numbers of one point. at: its lane. */
static inline void lane_get(int width, const double *lanes, int at, size_t count, double *to) {
    for (size_t e = 0; e < count; e++) to[e] = lanes[e * (size_t)width + (size_t)at];
}

static inline void lane_put(int width, double *lanes, int at, size_t count, const double *from) {
    for (size_t e = 0; e < count; e++) lanes[e * (size_t)width + (size_t)at] = from[e];
}
