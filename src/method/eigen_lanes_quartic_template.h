/* Four rows: the characteristic polynomial tells, where it tells it for sure, on which side all eigenvalues
 * are; included by eigen_lanes_template.h.
 *
 * Of a matrix of Frobenius norm at most 1 the sums of the eigenvalues' first to fourth powers, which are
 * traces, are at most 2, 1, 1 and 1. Newton's identities make b1 .. b4 of them, x^4 + b1 x^3 + b2 x^2 + b3 x
 * + b4, at most 2, 2.5, 1 and 1. An error t of the traces becomes one of less than 5 t. All eigenvalues are
 * left of the axis where b1 .. b4 and Hurwitz' b1 b2 b3 - b3^2 - b1^2 b4 are positive, and only there. */

/* What is known of four rows: b, each off by less than `error`, of the matrix times `scale`. */
typedef struct LANE_NAME(quartic) {
    VECTOR b[5], error, scale;
} LANE_NAME(quartic);

/* x + shift, divided by a power of 2 that is its norm at least. off: what entries are off by, a norm. room:
 * 32 numbers. */
LANE_FUNCTION LANE_NAME(quartic)
    LANE_NAME(quartic_of)(const double *x, VECTOR shift, VECTOR off, MASK open, double *room) {
    LANE_NAME(quartic) found;
    double *m = room, *square = room + 16 * LANES;
    for (int e = 0; e < 16; e++) AT(m, e) = GET(x, e);
    for (int i = 0; i < 4; i++) AT(m, 5 * i) += shift;
    const VECTOR norm = LANE_NAME(norm_of)(4, m);
    open &= norm > ALL(EIGEN_SCALE_LEAST);
    found.scale = LANE_NAME(power_of)(-LANE_NAME(exponent_of)(LANE_NAME(select)(open, norm, ALL(1.0))) - 1);
    for (int e = 0; e < 16; e++) AT(m, e) *= found.scale;
    LANE_NAME(product)(4, m, m, square);
    VECTOR p1 = ALL(0.0), p2 = ALL(0.0), p3[2] = {ALL(0.0), ALL(0.0)}, p4[2] = {ALL(0.0), ALL(0.0)};
    for (int i = 0; i < 4; i++) {
        p1 += GET(m, 5 * i);
        p2 += GET(square, 5 * i);
        for (int j = 0; j < 4; j++) {
            const VECTOR turned = GET(square, 4 * j + i);
            p3[j % 2] = LANE_NAME(fused)(GET(m, 4 * i + j), turned, p3[j % 2]);
            p4[j % 2] = LANE_NAME(fused)(GET(square, 4 * i + j), turned, p4[j % 2]);
        }
    }
    VECTOR *b = found.b;
    b[0] = ALL(1.0);
    b[1] = -p1;
    b[2] = -0.5 * (p2 + b[1] * p1);
    b[3] = (p3[0] + p3[1] + b[1] * p2 + b[2] * p1) * (-1.0 / 3);
    b[4] = -0.25 * (p4[0] + p4[1] + b[1] * (p3[0] + p3[1]) + b[2] * p2 + b[3] * p1);
    /* The k-th power moves by less than k off, and its trace by twice that; products and sums round. */
    found.error = 5 * (8 * off * found.scale + 128 * DBL_EPSILON);
    found.error = LANE_NAME(select)(open, found.error, ALL((double)INFINITY));
    return found;
}

/* Lanes whose numbers c[0] .. c[4], the last one that of x^4, each off by less than off[k], tell that all
 * zeros are left of the axis, and that not all are. */
LANE_FUNCTION void LANE_NAME(hurwitz)(const VECTOR c[5], const VECTOR off[5], MASK *left, MASK *other) {
    VECTOR most[5];
    *left = c[4] > off[4];
    *other = c[4] < -off[4];
    for (int k = 0; k < 4; k++) {
        *left &= c[k] > off[k];
        *other |= c[k] < -off[k];
    }
    for (int k = 0; k < 5; k++) most[k] = LANE_NAME(size)(c[k]) + off[k];
    const VECTOR value = c[3] * c[2] * c[1] - c[1] * c[1] * c[4] - c[3] * c[3] * c[0];
    const VECTOR all =
        most[3] * most[2] * most[1] + most[1] * most[1] * most[4] + most[3] * most[3] * most[0];
    const VECTOR error = off[3] * (most[2] * most[1] + 2 * most[3] * most[0]) + off[2] * most[3] * most[1] +
                         off[1] * (most[3] * most[2] + 2 * most[1] * most[4]) + off[4] * most[1] * most[1] +
                         off[0] * most[3] * most[3] + 16 * DBL_EPSILON * all;
    *left &= value > error;
    *other |= value < -error;
}

/* Lanes of four rows in which all eigenvalues are further left than `distance`. size: the norm of x. */
LANE_FUNCTION MASK LANE_NAME(left_of_four)(const double *x, VECTOR size, VECTOR distance, MASK open,
                                           double *room) {
    const VECTOR off = (EIGEN_BACKWARD * 4 + 4) * DBL_EPSILON * (size + distance);
    const LANE_NAME(quartic) q = LANE_NAME(quartic_of)(x, distance, off, open, room);
    const VECTOR c[5] = {q.b[4], q.b[3], q.b[2], q.b[1], q.b[0]},
                 errors[5] = {q.error, q.error, q.error, q.error, ALL(0.0)};
    MASK left, other;
    LANE_NAME(hurwitz)(c, errors, &left, &other);
    return left & open;
}

/* Lanes of four rows in which all eigenvalues are inside of the radius 1 - `margin`, and in which not all
 * are. z = (1 - margin) (1 + y), y = 2 s / (1 - s): s is left of the axis where z is inside. y is an
 * eigenvalue of (x - 1 + margin) / (1 - margin). */
LANE_FUNCTION void LANE_NAME(side_of_four)(const double *x, VECTOR size, VECTOR margin, MASK open,
                                           double *room, MASK *inside, MASK *other) {
    const VECTOR off = (EIGEN_BACKWARD * 4 + 4) * DBL_EPSILON * (size + 2);
    const LANE_NAME(quartic) q = LANE_NAME(quartic_of)(x, margin - 1, off, open, room);
    const VECTOR unit = 1 / (q.scale * (1 - margin)), error = q.error + 128 * DBL_EPSILON;
    VECTOR b[5], e[5], power = ALL(1.0);
    for (int k = 1; k < 5; k++) {
        power *= unit;
        b[k] = q.b[k] * power;
        e[k] = error * power;
    }
    const VECTOR c[5] = {b[4], 2 * b[3] - 4 * b[4], 4 * b[2] - 6 * b[3] + 6 * b[4],
                         8 * b[1] - 8 * b[2] + 6 * b[3] - 4 * b[4],
                         16 - 8 * b[1] + 4 * b[2] - 2 * b[3] + b[4]};
    const VECTOR errors[5] = {e[4], 2 * e[3] + 4 * e[4], 4 * e[2] + 6 * e[3] + 6 * e[4],
                              8 * e[1] + 8 * e[2] + 6 * e[3] + 4 * e[4],
                              8 * e[1] + 4 * e[2] + 2 * e[3] + e[4] + 128 * DBL_EPSILON};
    LANE_NAME(hurwitz)(c, errors, inside, other);
    *inside &= open & (margin < ALL(1.0));
    *other &= open & (margin < ALL(1.0));
}
