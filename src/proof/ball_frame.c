/* A family of matrices over a region in the region's own coordinates, and interpolants of its functions with
 * bounded errors.
 *
 * 1. Numbers of [-1, 1] in each direction are moved into the region, exactly but for the rounding of balls.
 * 2. The Bernstein ellipse of rho, with foci -1 and 1 and half axes (rho + 1/rho)/2, (rho - 1/rho)/2, is
 *    covered by one box, its boundary by balls around arcs.
 * 3. Chebyshev coefficients by the cosine transform, n^2 products.
 * 4. The largest modulus on the ellipses bounds the error (Trefethen, Approximation Theory and Approximation
 *    Practice, theorems 8.2 and 15.2).
 *
 * Cost: the matrix at each node and arc. All is enclosed: balls hold the true numbers. */
#include "proof/ball_frame.h"

/* 1 + L, where L <= 1 + 2/pi log(degree + 1) is the Lebesgue constant up to degree 22: what the second
 * direction adds to the error. */
#define SECOND_DIRECTION 4

/* ---- Places ---- */

bool ball_frame_matrix(ball_frame *f, acb_srcptr z, acb_mat_t matrix) {
    flint_local_vector(acb, at, BALL_DIMENSIONS);
    for (int d = 0; d < f->region->dimensions; d++) {
        acb_mul_arb(at + d, z + d, f->half[d], f->precision);
        acb_add_arb(at + d, at + d, f->middle[d], f->precision);
    }
    f->evaluations++;
    if (!f->family->make(f->family->context, at, f->precision, matrix)) return false;
    if (f->size < 0) f->size = acb_mat_nrows(matrix);
    return acb_mat_nrows(matrix) == f->size;
}

bool ball_frame_matrix_around(ball_frame *f, int rho, acb_mat_t matrix) {
    flint_local_vector(acb, box, BALL_DIMENSIONS);
    for (int d = 0; d < f->region->dimensions; d++) {
        /* half axes (rho + 1/rho)/2 and (rho - 1/rho)/2, or a bit more */
        ulong square = (ulong)rho * (ulong)rho, twice = 2 * (ulong)rho;
        mag_set_ui_2exp_si(arb_radref(acb_realref(box + d)), (square + 1) * 1025 / twice + 1, -10);
        mag_set_ui_2exp_si(arb_radref(acb_imagref(box + d)), (square - 1) * 1025 / twice + 1, -10);
    }
    return ball_frame_matrix(f, box, matrix) && acb_mat_is_finite(matrix);
}

/* ---- Life ---- */

void ball_frame_begin(ball_frame *f, int most) {
    f->most = most;
    f->size = -1;
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
    flint_local(fmpq, turn);
    f->degree = degree;
    for (int k = 0; k < 2 * degree; k++) {
        fmpq_set_si(turn, k, (ulong)degree);
        arb_cos_pi_fmpq(f->cosines + k, turn, f->precision);
    }
}

void ball_frame_end(ball_frame *f) {
    for (int d = 0; d < BALL_DIMENSIONS; d++) flint_each(arb_clear, f->middle[d], f->half[d]);
    _arb_vec_clear(f->cosines, 2 * f->most);
}

/* ---- Interpolants ---- */

/* Coefficients from the values at the Chebyshev points, in place, along one direction: degree + 1 values that
 * are `stride` apart. */
static void transform(const ball_frame *f, arb_ptr values, int stride) {
    int degree = f->degree;
    flint_local_vector(arb, sums, degree + 1);
    flint_local(arb, term);
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
}

/* A ball around arc k of the ellipse, `arcs` of which are its upper half; k from `arcs` on: the lower half.
 */
static void set_arc(const ball_frame *f, int k, int arcs, acb_t z) {
    flint_local(arb, angle);
    flint_local(acb, other);
    arb_set_si(angle, 2 * k + 1);
    mag_set_ui(arb_radref(angle), 1);
    arb_div_si(angle, angle, 2 * arcs, f->precision);
    arb_sin_cos_pi(acb_imagref(z), acb_realref(z), angle, f->precision);
    acb_conj(other, z);
    acb_mul_si(z, z, f->rho, f->precision);
    acb_div_si(other, other, f->rho, f->precision);
    acb_add(z, z, other, f->precision);
    acb_mul_2exp_si(z, z, -1);
}

bool ball_frame_values(ball_frame *f, const ball_functions *functions, acb_srcptr z, acb_ptr values) {
    ends_by(acb_mat_clear) acb_mat_struct matrix = {0};
    if (!ball_frame_matrix(f, z, &matrix)) return false;
    functions->at(functions->context, &matrix, values);
    for (int i = 0; i < functions->count; i++)
        if (!acb_is_finite(values + i)) return false;
    return true;
}

int ball_frame_nodes(const ball_frame *f) {
    return (f->degree + 1) * (f->region->dimensions > 1 ? f->degree + 1 : 1);
}

bool ball_frame_interpolate(ball_frame *f, const ball_functions *functions, arb_ptr coefficients) {
    int side = f->degree + 1, nodes = ball_frame_nodes(f);
    flint_local_vector(acb, values, functions->count);
    flint_local_vector(acb, z, BALL_DIMENSIONS);
    bool made = true;
    for (int n = 0; n < nodes && made; n++) {
        acb_set_arb(z, f->cosines + (nodes > side ? n / side : n));
        acb_set_arb(z + 1, f->cosines + n % side);
        made = ball_frame_values(f, functions, z, values);
        for (int i = 0; i < functions->count && made; i++)
            acb_get_real(coefficients + i * nodes + n, values + i);
    }
    for (int i = 0; i < functions->count && made; i++, coefficients += nodes) {
        for (int row = 0; row < nodes / side; row++) transform(f, coefficients + row * side, 1);
        for (int row = 0; row < side && nodes > side; row++) transform(f, coefficients + row, side);
    }
    return made;
}

void ball_frame_error(const ball_frame *f, const arb_t modulus, int rho, int degree, arb_t error) {
    arb_mul_si(error, modulus, f->region->dimensions > 1 ? 4 * SECOND_DIRECTION : 4, f->precision);
    for (int k = 0; k < degree; k++) arb_div_si(error, error, rho, f->precision);
    arb_div_si(error, error, rho - 1, f->precision);
}

bool ball_frame_errors(ball_frame *f, const ball_functions *functions, int arcs, arb_ptr error) {
    flint_local_vector(acb, values, functions->count);
    flint_local_vector(acb, z, BALL_DIMENSIONS);
    flint_local(arb, modulus);
    bool made = true;
    int others = f->region->dimensions > 1 ? 2 * arcs : 1;
    _arb_vec_zero(error, functions->count);
    for (int k = 0; k < arcs * others && made; k++) {
        set_arc(f, k / others, arcs, z);
        if (others > 1) set_arc(f, k % others, arcs, z + 1); /* all of the second ellipse */
        made = ball_frame_values(f, functions, z, values);
        for (int i = 0; i < functions->count && made; i++) {
            acb_abs(modulus, values + i, f->precision);
            arb_max(error + i, error + i, modulus, f->precision);
        }
    }
    for (int i = 0; i < functions->count && made; i++)
        ball_frame_error(f, error + i, f->rho, f->degree, error + i);
    return made;
}
