/* planar/range.h - the numbers from one to another. */
#ifndef PLANAR_RANGE_H
#define PLANAR_RANGE_H

/* Empty where low > high. */
typedef struct planar_range {
    double low, high;
} planar_range;

#endif
