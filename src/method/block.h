/* method/block.h - one micro step as a block of numbers: what block.c composes. */
#pragma once

#include "method/matrix.h"

/* The sizes of a step's numbers: rows x width, row by row [P input_0 .. input_degree] with Phi = I + P. */
typedef struct block_shape {
    int rows;    /* states, and what the method carries (matrix_memory) */
    int m;       /* inputs */
    int degree;  /* of the inputs' polynomials */
    int width;   /* columns: rows + (degree + 1) m */
    size_t size; /* rows * width */
} block_shape;

/* One micro step of a method with structure or memory into `step`. work, iwork: block_structured_work and
 * _iwork places. False where its equations are singular. */
bool block_structured_step(const costab_method *method, const matrix_system *system, const block_shape *shape,
                           double h, double ratio, double *step, double *work, int *iwork);
size_t block_structured_work(const costab_method *method, const matrix_system *system, int width);
int block_structured_iwork(const costab_method *method, const matrix_system *system);
