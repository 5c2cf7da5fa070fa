/* method/lapack.h - LAPACK and BLAS, to which large matrices are left: what includes this header needs
 * OpenBLAS; the other kernels need a C library alone. */
#pragma once

#include <cblas.h>
#include <lapacke.h>
