/* proof/ball_frame.h - a family of matrices over a region in the region's own coordinates, -1 to 1 in each
 * direction: at Chebyshev points, and on the ellipses that bound an interpolant's error. */
#pragma once

#include "proof/ball_cell.h"

typedef struct ball_frame {
    const ball_family *family;
    const ball_region *region;
    slong precision;
    int degree, most; /* of the interpolants, in each direction, and the highest it may be */
    int rho;          /* the ellipses have the sum of their half axes rho times half the region's width */
    arb_t middle[BALL_DIMENSIONS], half[BALL_DIMENSIONS];
    arb_ptr cosines; /* of k pi/degree, 2 degree of them */
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

/* Coefficients from the values at the Chebyshev points, in place, along one direction: degree + 1 values that
 * are `stride` apart. */
void ball_frame_transform(const ball_frame *frame, arb_ptr values, int stride);

/* An arc of the ellipse: number k of `arcs` on its upper half. */
void ball_frame_arc(const ball_frame *frame, int k, int arcs, acb_t z);
