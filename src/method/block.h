/* method/block.h - one micro step as a matrix block; block.c composes such blocks. */
#pragma once

#include "method/matrix.h"

/* Shape of a block: rows x width, row-major [P input_0 .. input_degree] with Phi = I + P. */
typedef struct block_shape {
    int rows;    /* states, and the method's history (matrix_memory) */
    int m;       /* inputs */
    int degree;  /* of the inputs' polynomials */
    int width;   /* columns: rows + (degree + 1) m */
    size_t size; /* rows * width */
} block_shape;

/* Computes one micro step of a structured or multistep method into `step`. work, iwork: block_structured_work
 * and block_structured_iwork places. Returns false if its equations are singular. */
bool block_structured_step(const costab_method *method, const matrix_system *system, const block_shape *shape,
                           double h, double ratio, double *step, double *work, int *iwork);
size_t block_structured_work(const costab_method *method, const matrix_system *system, int width);
int block_structured_iwork(const costab_method *method, const matrix_system *system);
