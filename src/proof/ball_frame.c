/* A family of matrices over a region in the region's own coordinates.
 *
 * 1. Numbers of [-1, 1] in each direction are moved into the region, exactly but for the rounding of
 *    balls.
 * 2. Boxes around, and arcs of, the ellipse with foci -1 and 1 and half axes (rho + 1/rho)/2, (rho -
 *    1/rho)/2.
 * 3. Chebyshev coefficients by the cosine transform, n^2 products.
 *
 * All is enclosed. */
#include "proof/ball_frame.h"

bool ball_frame_matrix(ball_frame *f, acb_srcptr z, acb_mat_t matrix) {
    acb_ptr at = _acb_vec_init(BALL_DIMENSIONS);
    for (int d = 0; d < f->region->dimensions; d++) {
        acb_mul_arb(at + d, z + d, f->half[d], f->precision);
        acb_add_arb(at + d, at + d, f->middle[d], f->precision);
    }
    f->evaluations++;
    bool made = f->family->make(f->family->context, at, f->precision, matrix);
    _acb_vec_clear(at, BALL_DIMENSIONS);
    return made;
}

bool ball_frame_matrix_around(ball_frame *f, int rho, acb_mat_t matrix) {
    acb_ptr box = _acb_vec_init(BALL_DIMENSIONS);
    for (int d = 0; d < f->region->dimensions; d++) {
        /* half axes (rho + 1/rho)/2 and (rho - 1/rho)/2, or a bit more */
        ulong square = (ulong)rho * (ulong)rho, twice = 2 * (ulong)rho;
        mag_set_ui_2exp_si(arb_radref(acb_realref(box + d)), (square + 1) * 1025 / twice + 1, -10);
        mag_set_ui_2exp_si(arb_radref(acb_imagref(box + d)), (square - 1) * 1025 / twice + 1, -10);
    }
    bool made = ball_frame_matrix(f, box, matrix) && acb_mat_is_finite(matrix);
    _acb_vec_clear(box, BALL_DIMENSIONS);
    return made;
}

void ball_frame_transform(const ball_frame *f, arb_ptr values, int stride) {
    int degree = f->degree;
    arb_ptr sums = _arb_vec_init(degree + 1);
    arb_t term;
    arb_init(term);
    for (int k = 0; k <= degree; k++) {
        for (int j = 0; j <= degree; j++) {
            arb_mul(term, values + j * stride, f->cosines + (j * k) % (2 * degree), f->precision);
            if (j == 0 || j == degree) arb_mul_2exp_si(term, term, -1);
            arb_add(sums + k, sums + k, term, f->precision);
        }
        arb_mul_si(sums + k, sums + k, k == 0 || k == degree ? 1 : 2, f->precision);
        arb_div_si(sums + k, sums + k, degree, f->precision);
    }
    for (int k = 0; k <= degree; k++) arb_set(values + k * stride, sums + k);
    arb_clear(term);
    _arb_vec_clear(sums, degree + 1);
}

void ball_frame_arc(const ball_frame *f, int k, int arcs, acb_t z) {
    arb_t angle;
    acb_t other;
    arb_init(angle);
    acb_init(other);
    arb_set_si(angle, 2 * k + 1);
    mag_set_ui(arb_radref(angle), 1);
    arb_div_si(angle, angle, 2 * arcs, f->precision);
    arb_sin_cos_pi(acb_imagref(z), acb_realref(z), angle, f->precision);
    acb_conj(other, z);
    acb_mul_si(z, z, f->rho, f->precision);
    acb_div_si(other, other, f->rho, f->precision);
    acb_add(z, z, other, f->precision);
    acb_mul_2exp_si(z, z, -1);
    arb_clear(angle);
    acb_clear(other);
}

void ball_frame_begin(ball_frame *f, int most) {
    f->most = most;
    for (int d = 0; d < BALL_DIMENSIONS; d++) {
        flint_each(arb_init, f->middle[d], f->half[d]);
        if (d >= f->region->dimensions) continue;
        arb_set_d(f->middle[d], f->region->from[d]);
        arb_set_d(f->half[d], f->region->to[d]);
        arb_sub(f->half[d], f->half[d], f->middle[d], f->precision);
        arb_mul_2exp_si(f->half[d], f->half[d], -1);
        arb_add(f->middle[d], f->middle[d], f->half[d], f->precision);
    }
    f->cosines = _arb_vec_init(2 * most);
}

void ball_frame_set_degree(ball_frame *f, int degree) {
    fmpq_t turn;
    fmpq_init(turn);
    f->degree = degree;
    for (int k = 0; k < 2 * degree; k++) {
        fmpq_set_si(turn, k, (ulong)degree);
        arb_cos_pi_fmpq(f->cosines + k, turn, f->precision);
    }
    fmpq_clear(turn);
}

void ball_frame_end(ball_frame *f) {
    for (int d = 0; d < BALL_DIMENSIONS; d++) {
        flint_each(arb_clear, f->middle[d], f->half[d]);
    }
    _arb_vec_clear(f->cosines, 2 * f->most);
}
