/* network/rows.h - arithmetic of rows of linear forms. */
#ifndef NETWORK_ROWS_H
#define NETWORK_ROWS_H

#include <stddef.h>

static inline size_t cells(int rows, int width) {
    return (size_t)rows * (size_t)width;
}

static inline void add_row(double *to, double factor, const double *from, int width) {
    for (int j = 0; j < width; j++) to[j] += factor * from[j];
}

#endif
