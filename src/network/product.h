/* network/product.h - products of one matrix with vector after vector. */
#pragma once

#include "network/arena.h"

/* A matrix. Zero-initialise; free memory.base in the end. */
typedef struct network_product {
    network_arena memory;
    int rows, columns;
    size_t count;    /* of the entries that are kept */
    double *entries; /* all, row-major; or where most are 0 (starts is not NULL) the others: */
    int *starts;     /* those from starts[r] to starts[r + 1] - 1 are row r's, */
    int *places;     /* and these are their columns */
} network_product;

/* Keeps a copy of the row-major matrix. COSTAB_MEMORY. */
costab_status product_make(network_product *p, int rows, int columns, const double *matrix,
                           costab_error *error);
/* out = matrix x, and out += matrix x. */
void product_apply(const network_product *p, const double *x, double *out);
void product_add(const network_product *p, const double *x, double *out);

/* out = a x, a of `rows` rows of n, row-major; with the same bits on every machine. */
void product_dense(int rows, int n, const double *a, const double *x, double *out);
