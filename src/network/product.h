/* network/product.h - repeated products of one matrix with vectors. */
#pragma once

#include "network/arena.h"

/* A matrix. Zero-initialise; the owner frees memory.base. */
typedef struct network_product {
    network_arena memory;
    int rows, columns;
    size_t count;    /* number of stored entries */
    double *entries; /* all entries, row-major; if starts is not NULL, the nonzero entries: */
    int *starts;     /* row r has the entries from starts[r] to starts[r + 1] - 1 */
    int *places;     /* column of each entry */
} network_product;

/* Stores a copy of the row-major matrix. COSTAB_MEMORY. */
costab_status product_make(network_product *p, int rows, int columns, const double *matrix,
                           costab_error *error);
/* out = matrix x, and out += matrix x. */
void product_apply(const network_product *p, const double *x, double *out);
void product_add(const network_product *p, const double *x, double *out);

/* out = a x, a rows x n, row-major; equal to the last bit on every machine. */
void product_dense(int rows, int n, const double *a, const double *x, double *out);
