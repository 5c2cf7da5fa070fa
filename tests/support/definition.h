/* definition.h - the macro step by definition: stage equations solved, micro steps one after the other,
 * couplings played through as they are defined. No closed form of the library enters here. */
#pragma once

#include "approx.h"
#include "costab/planar.h"

/* R, phi, P1 of the exact solver: e^z, (e^z - 1)/z, (e^z - 1 - z)/z^2; Taylor series for small |z|. */
typedef struct exact_weights {
    complex_real R, phi, p1;
} exact_weights;
exact_weights define_exact(complex_real z);

/* Advances x' = A x + u over one macro step of length 1 in `substeps` micro steps by solving the stage
 * equations. n <= 2 equations, A row-major, u linear from u0 to u1. The exact solver is done for n = 1, and
 * for n = 2 without input. */
void define_advance(const costab_method *method, int substeps, int n, const real *A, const real *u0,
                    const real *u1, real *x);

typedef struct definition {
    real D[2][2];
    real trace, determinant;
    real trace_rounding, determinant_rounding; /* what long double may lose: 1024 roundings of the terms */
    real iteration_radius;                     /* of the map of guesses to guesses; NaN except for strong */
    bool iterated; /* strong: D was found by iterating, else by solving (I - M) D = N */
} definition;

/* The map of one macro step on the unit states of x' = a x + b y, y' = c x + d y. */
definition define_planar(const costab_planar *planar, real a, real b, real c, real d);

/* The point at a point of the chart, with b = 1. */
definition define_point(const costab_planar *planar, double a, double gamma, double delta);

/* The spectral radius of a map with this trace and determinant. */
real define_spectral_radius(real trace, real determinant);
