/* proof/ball_frame.h - a family of matrices over a region in the region's own coordinates, -1 to 1 in each
 * direction: at Chebyshev points, and on the ellipses that bound an interpolant's error. */
#pragma once

#include "proof/ball_cell.h"

typedef struct ball_frame {
    const ball_family *family;
    const ball_region *region;
    slong precision;
    int degree, most; /* of the interpolants, in each direction, and the highest it may be */
    int rho;          /* of the ellipses: the sum of their half axes, in the region's coordinates */
    arb_t middle[BALL_DIMENSIONS], half[BALL_DIMENSIONS];
    arb_ptr cosines; /* of k pi/degree, 2 degree of them */
    slong size;      /* rows of the matrices, which all have as many; -1: none was made */
    long evaluations;
} ball_frame;

/* With family, region and precision set; degree and rho are set later. End with ball_frame_end. */
void ball_frame_begin(ball_frame *frame, int most);
void ball_frame_set_degree(ball_frame *frame, int degree);
void ball_frame_end(ball_frame *frame);

/* The matrix at z. [out] matrix: initialised here, cleared by the caller whatever comes back. */
bool ball_frame_matrix(ball_frame *frame, acb_srcptr z, acb_mat_t matrix);

/* The same on a box around the ellipses of this rho; false where it is not shown to exist there, and so to be
 * analytic. */
bool ball_frame_matrix_around(ball_frame *frame, int rho, acb_mat_t matrix);

/* Analytic functions of the matrix, real where it is real. */
typedef struct ball_functions {
    int count;
    void (*at)(const void *context, const acb_mat_t matrix, acb_ptr values);
    const void *context;
} ball_functions;

/* Their values at z; false where these are not finite. */
bool ball_frame_values(ball_frame *frame, const ball_functions *functions, acb_srcptr z, acb_ptr values);

/* Points at which they are interpolated. */
int ball_frame_nodes(const ball_frame *frame);
/* [out] coefficients: of each function in turn as many of Chebyshev polynomials as there are nodes, those of
 * the second direction fastest. */
bool ball_frame_interpolate(ball_frame *frame, const ball_functions *functions, arb_ptr coefficients);

/* [out] error: of each interpolant on the region. By the maximum principle the largest modulus is taken on
 * the product of the ellipses' boundaries, of which conjugation leaves one upper half: each ellipse in so
 * many arcs on its upper half. */
bool ball_frame_errors(ball_frame *frame, const ball_functions *functions, int arcs, arb_ptr error);
/* The error of an interpolant of a degree: 4 V rho^-degree / (rho - 1), V the largest modulus on the ellipses
 * of rho. */
void ball_frame_error(const ball_frame *frame, const arb_t modulus, int rho, int degree, arb_t error);
